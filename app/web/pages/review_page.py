"""The review page put together: offers above, the rows of one below, and at most one row open for a change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fastapi import Request
from starlette.datastructures import FormData

from app.domain.offer_reader import ATTRIBUTE_CHOICES
from app.report import fact_words as words
from app.report.review_view import OfferTab, detail, grades, tab, typed_value
from app.services import assessing, documents, offers, projects
from app.web import paths
from app.web.errors import WebError
from app.web.faults import FAULTS
from app.web.preferences import ACTOR_COOKIE, clean_actor
from app.web.responses import page, partial

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from fastapi.responses import HTMLResponse, Response

    from app.domain.facts import Fact
    from app.domain.fields import Choice
    from app.domain.metrics import Metric
    from app.domain.plausibility import Doubt
    from app.domain.problems import Problem
    from app.domain.text import Language, Text
    from app.report.review_view import FactLine, MissingLine, OfferDetail
    from app.store.records import OfferRecord, ProjectRecord
    from app.store.unit_of_work import Store

_YEAR_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Qualifier:
    """One attribute in the form of a row: a choice, or a line of text."""

    name: str
    title: Text
    value: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """The form of the one open row. `action` is set when only a name is asked for; `typed` is kept for it.

    `notice` and `now` tell of a change that came first.
    """

    anchor: str
    metric: Metric
    unit: str
    value: str
    qualifiers: tuple[Qualifier, ...]
    fresh: bool = False
    version: int = 0
    reason: str = ""
    action: str = ""
    ask_name: bool = False
    name: str = ""
    problems: tuple[Problem, ...] = ()
    notice: Text | None = None
    now: str = ""
    yours: str = ""

    def errors(self, place: str) -> tuple[Text, ...]:
        """The problems of one input."""
        return tuple(problem.message for problem in self.problems if problem.place == place)

    @property
    def other_errors(self) -> tuple[Text, ...]:
        """Problems of no input of this row."""
        known = {"value", "actor", "reason", *(q.name for q in self.qualifiers)}
        return tuple(problem.message for problem in self.problems if problem.place not in known)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The words the value may be."""
        return words.choices_of(self.metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewView:
    """The page. `deleted` can be brought back; `undo` is the one just deleted; `landed` is the row focus goes to.

    `doubts` are the figures of the shown offer that are hard to believe.
    """

    project: ProjectRecord
    tabs: tuple[OfferTab, ...]
    detail: OfferDetail | None
    actor: str
    files: int
    deleted: tuple[OfferRecord, ...] = ()
    undo: OfferRecord | None = None
    editor: Editor | None = None
    notice: Text | None = None
    problems: tuple[Problem, ...] = ()
    typed: Mapping[str, str] | None = None
    landed: str = ""
    doubts: tuple[Doubt, ...] = ()

    @property
    def waiting(self) -> int:
        """How many values wait for a check."""
        return sum(t.waiting for t in self.tabs)

    @property
    def gates(self) -> int:
        """How many of them decide a gate."""
        return sum(t.gates for t in self.tabs)

    @property
    def next(self) -> OfferTab | None:
        """Another offer with something to check."""
        current = self.detail.id if self.detail else ""
        return next((t for t in self.tabs if t.waiting and t.id != current), None)

    def href(self, step: str, *rest: object) -> str:
        """The address of a step of this project."""
        return paths.project(self.project.id, step, *rest)

    def offer(self, *rest: object) -> str:
        """The address of the shown offer, or of something in it."""
        return self.href("offers", self.detail.id if self.detail else "", *rest)

    def row(self, line: FactLine | MissingLine) -> str:
        """The address of a row."""
        fact = getattr(line, "id", "")
        return self.offer("facts", fact) if fact else self.offer("missing", line.metric)


def build(store: Store, language: Language, project_id: str, offer_id: str, actor: str, undo: str = "") -> ReviewView:
    """The page of one offer; without an id the first with something to check."""
    project = projects.get_project(store, project_id)
    found = offers.list_offers(store, project_id, deleted=True)
    live = [o for o in found if o.deleted_at is None]
    names = {d.id: d.name for d in documents.list_documents(store, project_id)}
    known = grades(project.workload, project.policy)
    tabs = tuple(tab(o, known, names.get(o.document_id or "", "")) for o in live)
    first = next((t.id for t in tabs if t.waiting), tabs[0].id if tabs else "")
    shown = next((o for o in live if o.id == (offer_id or first)), None)
    if offer_id and shown is None:
        raise WebError(FAULTS["NOT_FOUND"])
    rows = None
    doubts: tuple[Doubt, ...] = ()
    if shown is not None:
        judged = next(o for o in offers.merged(live) if o.key == shown.key)
        rows = detail(shown, judged, known, names.get(shown.document_id or "", ""), language)
        doubts = assessing.doubts_about(store, project_id, judged)
    gone = tuple(o for o in found if o.deleted_at is not None)
    return ReviewView(
        project=project, tabs=tabs, detail=rows, actor=actor, files=len(names), deleted=gone,
        undo=next((o for o in gone if o.id == undo), None), doubts=doubts,
    )  # fmt: skip


def draw(request: Request, language: Language, view: ReviewView, status: int = 200) -> HTMLResponse:
    """The whole page."""
    nav = paths.Nav(view.project.id, view.project.name, "offers")
    return page(request, language, "offers/page.html", nav=nav, status_code=status, view=view)


def draw_row(language: Language, view: ReviewView, anchor: str, seen: int | None, status: int = 200) -> HTMLResponse:
    """One row for htmx, with the counts above it.

    `seen` is the version of the offer the page knew when it asked: "confirm all" may follow a change made from
    this page, but never one it has not shown.
    """
    rows = view.detail
    line = rows.line(anchor) if rows else None
    if rows is None or line is None:
        raise WebError(FAULTS["NOT_FOUND"])
    if seen is not None and seen != rows.version - 1:
        rows = replace(rows, version=seen)
    view = replace(view, detail=rows, landed="" if view.editor else anchor)
    return partial(
        language, "offers/_row_answer.html", status_code=status, view=view, line=line, counts=seen is not None
    )


def names_of(metric: Metric) -> tuple[str, ...]:
    """The inputs of a row: the value and what qualifies it."""
    return ("value", *words.attributes_of(metric))


def stored_strings(metric: Metric, fact: Fact | None) -> dict[str, str]:
    """What the inputs of a row show before anybody types."""
    stored = {"value": typed_value(fact) if fact else ""}
    for name in words.attributes_of(metric):
        value = getattr(fact, name) if fact else None
        stored[name] = words.typed(metric, value) if name in ("lower", "upper") else str(value or "")
    return stored


def editor_of(
    language: Language, anchor: str, metric: Metric, fact: Fact | None, typed: Mapping[str, str] | None = None,
    **more: Any,
) -> Editor:  # fmt: skip
    """The open form of a row, filled with the fact, or with what was typed."""
    stored = stored_strings(metric, fact)
    shown = stored | {k: v for k, v in (typed or {}).items() if k in stored}
    qualifiers = tuple(
        Qualifier(name, words.attribute_title(metric, name), shown[name], ATTRIBUTE_CHOICES.get(name, ()))
        for name in words.attributes_of(metric)
    )
    return Editor(
        anchor=anchor, metric=metric, unit=words.unit_of(metric, language), value=shown["value"],
        qualifiers=qualifiers, fresh=fact is None, reason=(typed or {}).get("reason", ""), **more,
    )  # fmt: skip


async def form_of(request: Request) -> AsyncIterator[FormData]:
    """The submitted form; what was uploaded is let go afterwards."""
    async with request.form() as form:
        yield form


def strings(form: FormData) -> dict[str, str]:
    """The strings of a submitted form, the last of each name."""
    return {key: value for key, value in form.multi_items() if isinstance(value, str)}


def number(text: str | None) -> int:
    """A version that was sent; -1, which no row has, when it cannot be read."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else -1  # noqa: PLR2004


def signed(request: Request, response: Response, typed: str) -> Response:
    """Remember the name that was typed into a form."""
    name = clean_actor(typed)
    if name:
        secure = request.url.scheme == "https"
        response.set_cookie(
            ACTOR_COOKIE, quote(name), max_age=_YEAR_S, path="/", httponly=True, samesite="lax", secure=secure
        )
    return response


def anchored(address: str, anchor: str) -> str:
    """An address that leads to a row."""
    return f"{address}#{anchor}"


def refused(problems: Sequence[Problem], place: str) -> bool:
    """Whether something is wrong with one input."""
    return any(problem.place == place for problem in problems)
