"""Facts go in and come out without loss."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.facts import Evidence, Fact, Offer, State
from app.store.engine import open_engine
from app.store.migrate import upgrade
from app.store.originals import Originals
from app.store.unit_of_work import Store

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)
WORD = st.none() | WORDS
FIGURE = st.decimals(allow_nan=False, allow_infinity=False)
NUMBER = st.none() | st.integers(0, 10**6)
BOX = st.none() | st.tuples(*[st.floats(-1e6, 1e6)] * 4)
REMARKS = st.lists(st.tuples(WORDS, WORDS), max_size=3).map(tuple)
EVIDENCE = st.builds(
    Evidence, reader=WORDS, quote=WORDS, file=WORD, sha256=WORD, page=NUMBER, sheet=WORD, cell=WORD,
    table=NUMBER, row=NUMBER, column=NUMBER, box=BOX, path=WORD, remarks=REMARKS,
)  # fmt: skip
STATES = st.sampled_from([s for s in State if s is not State.MISSING])
FACT = st.builds(
    Fact,
    metric=WORDS,
    state=STATES,
    evidence=EVIDENCE,
    value=st.none() | FIGURE | st.booleans() | WORDS,
    lower=st.none() | FIGURE,
    upper=st.none() | FIGURE,
    readings=st.lists(FIGURE, max_size=3).map(tuple),
    derived=st.booleans(),
    visible=st.booleans(),
    confidence=st.floats(0, 1),
    confirmed_by=WORD,
    **dict.fromkeys(
        ["unit", "operator", "statistic", "direction", "scope", "condition", "period", "commitment",
         "currency", "basis"], WORD,
    ),
)  # fmt: skip
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]  # one store for all examples is fine


@settings(max_examples=40, deadline=None, suppress_health_check=SHARED)
@given(facts=st.lists(FACT, max_size=5), vendor=WORDS, product=WORD)
def test_facts_come_back_as_they_went_in(store: Store, facts: list[Fact], vendor: str, product: str | None) -> None:
    offer = Offer(vendor=vendor, product=product, facts=tuple(facts))
    with store.write() as unit:
        project = unit.projects.add("p", None, {}, "me")
        added = unit.offers.add(project.id, offer, "me", origin="read")
        assert added.as_offer() == offer
    with store.read() as unit:
        stored = unit.offers.get(project.id, added.id)
    assert stored.as_offer() == offer
    assert [str(f.fact.value) for f in stored.facts] == [str(f.value) for f in facts]  # 1E-7 stays 1E-7


def test_what_no_database_keeps_is_replaced_not_lost(store: Store) -> None:
    """NUL and lone surrogates come out of broken files; PostgreSQL refuses one, UTF-8 the other."""
    bad = Fact(metric="x", state=State.NONE, condition="a\x00b", evidence=Evidence(reader="r", quote="\ud800"))
    with store.write() as unit:
        project = unit.projects.add("p", None, {}, "me")
        unit.offers.add(project.id, Offer(vendor="v", facts=(bad,)), "me", origin="read")
    with store.read() as unit:
        (offer,) = unit.offers.of(project.id)
    (record,) = offer.facts
    assert record.fact.condition == "a\ufffdb"
    assert record.fact.evidence.quote == "\ufffd"


def test_a_figure_that_is_not_finite_is_never_stored(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'x.sqlite3'}"
    upgrade(address)
    store = Store(open_engine(address), Originals(tmp_path))
    good = Fact(metric="x", state=State.STATED, value=Decimal(1), evidence=Evidence(reader="r", quote=""))
    bad = replace(good, value=Decimal("NaN"))
    with store.write() as unit:
        project = unit.projects.add("p", None, {}, "me")
    with pytest.raises(ValueError, match="finite"), store.write() as unit:
        unit.offers.add(project.id, Offer(vendor="v", facts=(good, bad)), "me", origin="read")
    with store.read() as unit:
        assert unit.offers.of(project.id) == ()
    store.close()
