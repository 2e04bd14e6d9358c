"""Whatever is typed into any formula: a finite figure, or a refusal that names the input. Nothing else."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.formulas.formula import Dimension, Formula, Input
from app.domain.formulas.registry import BY_ID, FORMULAS
from app.domain.problems import InputError
from app.services.calculation import as_json, calculate

CODES = {"MISSING_INPUT", "UNKNOWN_INPUT", "NOT_A_NUMBER", "NOT_A_CHOICE", "OUT_OF_RANGE", "NO_FINITE_RESULT"}
EDGES = [0, -0.0, 5e-324, 1e-300, 1e-30, 1 - 1e-16, 1, 1 + 1e-15, 2, 2**53, 1e30, 1e155, 1e308, 1.7976931348623157e308]
NONSENSE: list[Any] = [
    None,
    math.nan,
    math.inf,
    -math.inf,
    -1,
    -1e-9,
    10**400,
    True,
    "",
    "seven",
    "1e999",
    {},
    object(),
]
BIG_COUNT = 2_000  # whole numbers are mostly drawn below it: no law changes beyond, and the draw stays quick


def log_uniform(low: float, high: float) -> st.SearchStrategy[float]:
    """Every order of magnitude between two bounds as likely as the next."""
    ends = math.log10(max(low, 1e-30)), math.log10(max(high, 1e-29))
    return st.floats(*ends).map(lambda x: min(max(10**x, low), high))


def number(item: Input) -> st.SearchStrategy[Any]:
    """A number inside the range of an input, over all its magnitudes."""
    if item.whole:
        top = int(min(item.high, BIG_COUNT))
        return st.integers(math.ceil(item.low), top)
    inside = log_uniform(item.low, item.high)
    if item.below_high:
        inside = inside.map(lambda x: min(x, math.nextafter(item.high, 0)))
    return inside if item.above_zero or item.low > 0 else st.one_of(st.just(0.0), inside)


def proper(item: Input) -> st.SearchStrategy[Any]:
    """A value the input itself accepts."""
    one = st.sampled_from(item.choices) if item.choices else number(item)
    return st.lists(one, max_size=6) if item.dimension is Dimension.LIST else one


def anything(item: Input) -> st.SearchStrategy[Any]:
    """A proper value, an edge of what a float can hold, or nonsense."""
    odd = st.one_of(st.sampled_from(EDGES), st.sampled_from(NONSENSE), st.floats(), st.text(max_size=5))
    return st.one_of(proper(item), odd, st.lists(odd, max_size=3))


def judged(formula: Formula, values: dict[str, Any]) -> float | None:
    """The result when there is one; every refusal is checked to be a sentence about one of the inputs."""
    try:
        result = formula(**values)
    except InputError as error:
        names = {item.name for item in formula.inputs}
        for problem in error.problems:
            assert problem.code in CODES
            assert problem.message.zh and problem.message.en
            if problem.code == "NO_FINITE_RESULT":
                assert problem.place == formula.id
            else:
                id_, _, name = problem.place.partition(".")
                assert id_ == formula.id and name in names
        return None
    assert math.isfinite(result)
    return result


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.id)
class TestAnything:
    @given(data=st.data())
    @settings(max_examples=12)
    def test_any_value_of_every_input(self, formula: Formula, data: st.DataObject) -> None:
        judged(formula, {item.name: data.draw(anything(item), item.name) for item in formula.inputs})

    @given(data=st.data())
    @settings(max_examples=12)
    def test_every_magnitude_inside_the_ranges(self, formula: Formula, data: st.DataObject) -> None:
        values = {item.name: data.draw(proper(item), item.name) for item in formula.inputs}
        result = judged(formula, values)
        if result is not None:
            assert result >= 0  # bytes, seconds, rates, ratios and counts: none of them is ever negative
            json.dumps(calculate(formula.id, values), allow_nan=False)

    @given(data=st.data())
    @settings(max_examples=10)
    def test_one_bad_input_alone_is_named(self, formula: Formula, data: st.DataObject) -> None:
        item = data.draw(st.sampled_from(formula.inputs))
        bad = data.draw(st.sampled_from([value for value in NONSENSE if not isinstance(value, str) or item.choices]))
        value = [bad] if item.dimension is Dimension.LIST and bad is not None else bad
        if item.dimension is Dimension.LIST and bad == "":
            return  # an empty entry of a comma list is no entry
        with pytest.raises(InputError) as caught:
            formula(**{**formula.example.inputs, item.name: value})
        (problem,) = caught.value.problems
        assert problem.place == f"{formula.id}.{item.name}"
        assert item.name in problem.message.zh and item.name in problem.message.en

    def test_below_and_above_the_range(self, formula: Formula) -> None:
        for item in formula.inputs:
            if item.dimension in (Dimension.WORD, Dimension.LIST):
                continue
            beyond = [math.nextafter(item.low, -math.inf), math.nextafter(item.high, math.inf)]
            beyond += [0] if item.above_zero and item.low <= 0 else []
            beyond += [item.high] if item.below_high else []
            for value in beyond:
                with pytest.raises(InputError) as caught:
                    formula(**{**formula.example.inputs, item.name: value})
                assert caught.value.problems[0].code == "OUT_OF_RANGE", (item.name, value)

    def test_outside_the_known_range_there_is_a_warning(self, formula: Formula) -> None:
        for item in formula.inputs:
            for value in (item.advised_low, item.advised_high):
                if value is None:
                    continue
                outside = value * 0.999 if value is item.advised_low else value * 1.001
                if not item.low <= outside <= item.high or item.whole:
                    continue
                notices = formula.warnings({**formula.check(formula.example.inputs), item.name: outside})
                assert any(item.title.en in notice.message.en for notice in notices)

    def test_the_band_is_a_range_with_words_and_source(self, formula: Formula) -> None:
        band = formula.band
        shown = as_json(formula)["band"]
        if band is None:
            assert shown is None
            return
        assert 0 <= band.low <= band.high < math.inf
        assert band.words.zh and band.words.en and band.source.title.zh
        answer = calculate(formula.id, formula.example.inputs)
        assert answer["band"]["value_low"] == pytest.approx(answer["value"] * band.low)
        assert answer["band"]["value_high"] == pytest.approx(answer["value"] * band.high)


TRANSPORT_BANDS = [
    "mathis_throughput", "pftk_throughput", "cubic_throughput", "bbr_throughput", "go_back_n_efficiency",
    "go_back_n_usable_efficiency", "nccl_buffer_rate", "node_bandwidth", "window_throughput", "transport_goodput",
]  # fmt: skip


@pytest.mark.parametrize("name", TRANSPORT_BANDS)
def test_a_transport_states_its_band(name: str) -> None:
    assert BY_ID[name].band is not None


def test_a_window_that_loses_a_packet_is_warned_of() -> None:
    # 400 Gbit/s · 10 ms / (8 · 4096 byte) = 122 070 packets; at 1e-5 each window loses 1.22 of them
    answer = calculate("go_back_n_efficiency", {"packet_loss": 1e-5, "bandwidth": 400e9, "rtt": 0.01, "mtu": 4096})
    assert "1.22" in answer["warnings"][0]["message"]["zh"]
    fewer = calculate("go_back_n_efficiency", {"packet_loss": 1e-7, "bandwidth": 400e9, "rtt": 0.01, "mtu": 4096})
    assert fewer["warnings"] == []


@pytest.mark.parametrize(
    ("name", "changed", "said"),
    [
        ("young_interval", {"checkpoint_time": 1001}, "tenth of the MTBF"),  # M = 10 000
        ("daly_interval", {"checkpoint_time": 172_800}, "gives the MTBF"),  # 2 × 86 400
        ("gpu_waste_share", {"interval": 4571}, "too low"),  # 4571 + 430 is above 10 000 / 2
        ("bandwidth_floor", {"rtt": 10}, "no rate is enough"),  # 2 hops × 10 s / 2 = the budget of 10 s
        ("rtt_limit", {"bandwidth": 280e9}, "no round trip"),  # 8 × 350e9 / 280e9 = 10 s
        ("halving_doubling_time", {"ranks": 6}, "power of two"),
        ("jitter_sigma", {"statistic": "range", "samples": 50}, "unsteady"),
        ("go_back_n_usable_efficiency", {"bandwidth": 4e12, "packet_loss": 9e-4}, "collapses"),  # 1221 × 9e-4 = 1.1
        ("article_group_volume", {}, "not to reckon with"),
    ],
)
def test_inputs_that_together_leave_the_range_are_warned_of(name: str, changed: dict[str, Any], said: str) -> None:
    formula = BY_ID[name]
    values = {**formula.example.inputs, **changed}
    assert said in "".join(notice.message.en for notice in formula.warnings(formula.check(values)))
    # and the example itself stands inside, but for the article's own figures
    inside = formula.warnings(formula.check(formula.example.inputs))
    assert name.startswith("article") or said not in "".join(notice.message.en for notice in inside)
