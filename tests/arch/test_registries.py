"""Every rule, formula, parameter, metric, question and field is complete in both languages and has a source."""

from __future__ import annotations

import pytest

from app.domain.check_ids import CHECK_IDS
from app.domain.formulas.registry import FORMULAS
from app.domain.metrics import GROUPS, METRICS
from app.domain.offer_reader import READERS
from app.domain.parameters import PARAMETERS
from app.domain.policy import POLICY_FIELDS
from app.domain.presets import PRESETS
from app.domain.questions import QUESTIONS
from app.domain.rulebook import RULEBOOK
from app.domain.sources import SourceKind
from app.domain.workload_fields import GPU_FIELDS, SECTIONS, TOP_FIELDS
from app.domain.workload_fields import GROUPS as FIELD_GROUPS

FIELDS = [*TOP_FIELDS, *GPU_FIELDS, *POLICY_FIELDS, *(f for fields in SECTIONS.values() for f in fields)]


def test_the_rule_book_is_the_contract_in_order():
    assert tuple(rule.id for rule in RULEBOOK) == CHECK_IDS
    assert [rule.step for rule in RULEBOOK] == sorted(rule.step for rule in RULEBOOK)


@pytest.mark.parametrize("rule", RULEBOOK, ids=lambda r: r.id)
def test_a_rule_says_why_and_where_from(rule):
    assert rule.title.zh and rule.why.en and rule.formula
    assert rule.source.kind in SourceKind
    assert set(rule.grades) == {"training", "inference", "bulk"}


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda p: p.id)
def test_a_parameter_lies_in_its_own_range(parameter):
    assert parameter.low <= parameter.value <= parameter.high
    assert parameter.meaning.zh and parameter.meaning.en


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.id)
def test_a_formula_gives_its_worked_example(formula):
    got = formula(**formula.example.inputs)
    assert got == pytest.approx(formula.example.expected, rel=max(formula.example.rel, 1e-9))
    assert formula.example.origin and formula.symbolic


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.id)
def test_a_metric_can_be_read_grouped_and_shown(metric):
    assert metric.kind in READERS
    assert metric.group in {g.code for g in GROUPS}
    assert metric.title.zh and metric.title.en


@pytest.mark.parametrize("field", FIELDS, ids=lambda f: f"{f.group}-{f.name}")
def test_a_field_has_help_and_an_example(field):
    assert field.title.zh and field.help.en
    assert not field.group or field.group in FIELD_GROUPS
    assert field.choices or field.example or field.kind.value == "flag"


@pytest.mark.parametrize(
    "registry",
    [
        [m.id for m in METRICS], [f.id for f in FORMULAS], [p.id for p in PARAMETERS], [r.id for r in RULEBOOK],
        [p.id for p in PRESETS], list(QUESTIONS),
    ],
)  # fmt: skip
def test_ids_are_unique(registry):
    assert len(registry) == len(set(registry))


def test_paths_of_the_offer_are_unique():
    paths = [m.path for m in METRICS if m.path]
    assert len(paths) == len(set(paths))
