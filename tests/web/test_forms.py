"""Submitted strings to JSON: three states, figures as people type them, and back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.fields import Choice, Field, Kind
from app.domain.problems import Problem
from app.domain.text import Text
from app.domain.workload_fields import SECTIONS, TOP_FIELDS
from app.web.forms import MAX_ROWS, FormState, read_decimal, read_rows, read_section, read_text_as, write_value

HELP = Text("说明", "Help")


def make(name: str, kind: Kind, **more: Any) -> Field:
    return Field(name=name, kind=kind, title=Text("名", "Name"), help=HELP, **more)


FIELDS = (
    make("rtt", Kind.NUMBER, unit="ms", example="10"),
    make("loss", Kind.NUMBER),
    make("gpus", Kind.INTEGER, default=8),
    make("ready", Kind.FLAG),
    make("deductible", Kind.FLAG, default=True),
    make("layer", Kind.CHOICE, choices=(Choice("otn", HELP), Choice("ip", HELP))),
    make("caps", Kind.CHOICES, choices=(Choice("vlan", HELP), Choice("gre", HELP))),
    make("name", Kind.TEXT),
    make("until", Kind.DATE),
)


class Sent(dict[str, list[str]]):
    """A submitted form: each name with its values."""

    def getlist(self, key: str) -> list[str]:
        return self.get(key, [])


def sent(**values: str | list[str]) -> Sent:
    return Sent({k.replace("__", "."): v if isinstance(v, list) else [v] for k, v in values.items()})


def test_absent_empty_and_value_are_three_states() -> None:
    json, state = read_section(sent(rtt="", loss="1e-7"), FIELDS)
    assert json == {"rtt": None, "loss": 1e-7}
    assert state.values == {"rtt": "", "loss": "1e-7"}
    assert not state.faulty


def test_every_kind() -> None:
    json, _ = read_section(
        sent(
            a__rtt="10", a__gpus="128", a__ready="false", a__deductible=["false", "true"], a__layer="otn",
            a__caps=["", "vlan", "gre"], a__name=" 甲山 ", a__until="2027-03-31",
        ),
        FIELDS,
        "a",
    )  # fmt: skip
    assert json == {
        "rtt": 10.0, "gpus": 128, "ready": False, "deductible": True, "layer": "otn",
        "caps": ["vlan", "gre"], "name": "甲山", "until": "2027-03-31",
    }  # fmt: skip
    assert isinstance(json["gpus"], int)


def test_an_unticked_box_is_false_and_nothing_ticked_is_not_known() -> None:
    json, state = read_section(sent(deductible="false", caps=""), FIELDS)
    assert json == {"deductible": False, "caps": None}
    assert state.flag("deductible", True) is False


def test_what_was_typed_stays_with_its_problem_beside_it() -> None:
    json, state = read_section(sent(rtt="ten", gpus="4"), FIELDS, "")
    assert json == {"gpus": 4}
    assert state.value("rtt") == "ten"
    assert state.errors("rtt") == (Text("「名」应为数字，例如 10。", "“Name” must be a number, for example 10."),)
    assert [p.anchor for p in state.all_problems] == ["f-rtt"]


def test_problems_of_the_domain_join_those_of_the_form() -> None:
    _, state = read_section(sent(a__rtt="-1"), FIELDS, "a")
    low = Problem("OUT_OF_RANGE", "a.rtt", HELP)
    clash = Problem("CONTRADICTION", "a", Text("矛盾", "Clash"))
    state = state.with_problems([low, low, clash])
    assert state.errors("a.rtt") == (HELP,)  # each sentence once
    assert [(p.anchor, p.message.en) for p in state.all_problems] == [("f-a-rtt", "Help"), ("", "Clash")]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("1,000", "1000"),
        ("12,345,678.5", "12345678.5"),
        ("1.75e11", "1.75e11"),
        ("175E9", "175e9"),
        ("１２．５", "12.5"),  # full width (T56)
        ("１，０００", "1000"),
        ("−5", "-5"),  # a true minus
        ("+3", "3"),
        (".5", "0.5"),
        (" 10 ", "10"),
        ("10⁻⁵", "1e-5"),
        ("3.2×10⁻⁶", "3.2e-6"),  # as the pages print it
        ("1×10^-7", "1e-7"),
        ("1*10^-7", "1e-7"),
    ],
)
def test_figures_as_people_type_them(typed: str, expected: str) -> None:
    assert read_decimal(typed) == Decimal(expected)


@pytest.mark.parametrize(
    "typed",
    ["1.000,5", "1,00", "1,0000", ",5", "175B", "10 ms", "2²", "nan", "inf", "0x10", "1_000", "1e", "--1", "5,", "٣",
     "百", "1e9999999"],
)  # fmt: skip
def test_anything_else_is_asked_for_again(typed: str) -> None:
    assert read_decimal(typed) is None


def test_a_per_cent_sign_is_understood_where_there_is_no_unit() -> None:
    loss, rtt = FIELDS[1], FIELDS[0]
    assert read_text_as(loss, "99.99%", "loss") == (0.9999, None)
    assert read_text_as(loss, "0.001 ％", "loss") == (1e-5, None)
    assert read_text_as(rtt, "5%", "rtt")[1] is not None


@pytest.mark.parametrize("typed", ["1e999999", "-1e400"])
def test_a_figure_beyond_doubles_is_left_to_the_domain(typed: str) -> None:
    value, problem = read_text_as(FIELDS[0], typed, "rtt")
    assert problem is None
    assert value in (float("inf"), float("-inf"))


def test_a_very_long_figure_is_refused_quickly() -> None:
    assert read_text_as(FIELDS[0], "9" * 100_000, "rtt")[1] is not None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_survives_the_form(value: float) -> None:
    field = FIELDS[0]
    assert read_text_as(field, write_value(field, value), "x") == (value, None)


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_a_whole_number_survives_the_form(value: int) -> None:
    field = FIELDS[2]
    assert read_text_as(field, write_value(field, value), "x") == (value, None)


@pytest.mark.parametrize(
    ("value", "typed"),
    [(175e9, "1.75e11"), (1e-7, "1e-7"), (262144, "262144"), (0.0001, "0.0001"), (0.0, "0"), (13.638, "13.638")],
)
def test_stored_figures_are_shown_as_people_type_them(value: float, typed: str) -> None:
    assert write_value(FIELDS[0], value) == typed


def test_rows_close_up_and_empty_ones_are_dropped() -> None:
    form = sent(s__0__name="A", s__0__rtt="1", s__3__name="", s__3__rtt="", s__7__name="B", other="x")
    rows, state = read_rows(form, FIELDS, "s")
    assert rows == [{"name": "A", "rtt": 1.0}, {"name": "B"}]
    assert state.value("s.7.name") == "B"


def test_no_more_rows_than_the_limit() -> None:
    form = Sent({f"s.{i}.name": ["x"] for i in range(500)})
    assert len(read_rows(form, FIELDS, "s")[0]) == MAX_ROWS


@pytest.mark.parametrize("place", ["", *SECTIONS])
def test_every_default_of_the_registry_survives_the_form(place: str) -> None:
    fields = SECTIONS.get(place, TOP_FIELDS)
    stored = {f.name: f.default for f in fields}
    state = FormState.from_json(fields, stored, place)
    json, again = read_section(
        Sent({k: [*v.split(",")] if "," in v else [v] for k, v in state.values.items()}), fields, place
    )
    assert again.problems == {}
    for f in fields:
        expected = list(f.default) or None if isinstance(f.default, tuple) else f.default
        assert json[f.name] == expected, f.name


def test_a_folded_group_opens_when_something_in_it_was_changed() -> None:
    fields = (make("gpus", Kind.INTEGER, default=8),)
    assert not FormState({"gpus": "8"}).touched(fields, "")
    assert not FormState({"gpus": ""}).touched(fields, "")
    assert FormState({"gpus": "9"}).touched(fields, "")
    assert FormState({"gpus": ""}, {"gpus": [HELP]}).touched(fields, "")
