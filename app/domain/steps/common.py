"""Small pieces the four steps share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.facts import State
from app.domain.rules import Finding, Grade, Status
from app.domain.terms import Term, term
from app.domain.text import Text

if TYPE_CHECKING:
    from app.domain.facts import Fact
    from app.domain.rules import Case, Figure

GATE, KEY, ORDINARY, OFF = Grade.GATE, Grade.KEY, Grade.ORDINARY, Grade.OFF


def facts_of(*found: Term) -> tuple[Fact, ...]:
    """The facts behind several terms, those that exist."""
    return tuple(t.fact for t in found if t.fact is not None)


def layer(case: Case) -> str | None:
    """Product type of the offer, or None."""
    return term(case.offer, "layer").word


def passed(
    reason: Text,
    facts: tuple[Fact, ...] = (),
    *,
    required: Figure = None,
    offered: Figure = None,
    questions: tuple[Text, ...] = (),
    by_vendor: bool = True,
) -> Finding:
    """A pass."""
    return Finding(
        status=Status.PASS,
        reason=reason,
        facts=facts,
        required=required,
        offered=offered,
        questions=questions,
        by_vendor=by_vendor,
    )


def failed(reason: Text, facts: tuple[Fact, ...] = (), *, required: Figure = None, offered: Figure = None) -> Finding:
    """A fail."""
    return Finding(status=Status.FAIL, reason=reason, facts=facts, required=required, offered=offered)


def unknown(
    reason: Text,
    *questions: Text,
    facts: tuple[Fact, ...] = (),
    required: Figure = None,
    offered: Figure = None,
) -> Finding:
    """An unknown with what to ask."""
    return Finding(
        status=Status.UNKNOWN,
        reason=reason,
        facts=facts,
        questions=questions,
        required=required,
        offered=offered,
    )


def not_applicable(reason: Text, *questions: Text) -> Finding:
    """A check that this case has no line for."""
    return Finding(status=Status.NOT_APPLICABLE, reason=reason, questions=questions)


SILENCE = {
    State.ELSEWHERE: Text(
        "{name}指向另一份文件，尚未取得，不能作为依据。",
        "The {name} is left to another document that is not at hand.",
    ),
    State.AMBIGUOUS: Text(
        "{name}有多个读法，须由供应商明确。", "The {name} reads in more than one way; ask which holds."
    ),
}


def silence(found: Term, name: Text) -> Text:
    """Why there is no figure: silent, in another document, or unclear are three different things."""
    text = SILENCE.get(found.state, Text("资料未写明{name}。", "The sheet states no {name}."))
    return text.format(name=name)
