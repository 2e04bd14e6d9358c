"""The data of the reading room: every word leads somewhere, every code has both languages."""

# ruff: noqa: E501 - rows of data, a case a line
from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.domain.metrics import BY_ID, METRICS
from app.sheets import codes, words
from app.sheets.codes import NOTICES, REFUSALS
from app.sheets.folding import fold, lowered
from app.sheets.labels import label_of, role_of
from app.sheets.lexicon import LABELS, labels_in
from app.sheets.units import UNITS, unit_of

SOURCE = Path(codes.__file__).parent


def test_every_metric_is_named_in_both_languages() -> None:
    for metric in METRICS:
        if metric.id == "credit_tier":  # read from tables of their own
            continue
        text = "|".join(label.words for label in LABELS if label.metric == metric.id)
        assert re.search(r"[a-zA-Z]", text), metric.id
        assert re.search(r"[\u4e00-\u9fff]", text), metric.id


def test_every_label_leads_to_its_metric() -> None:
    for label in LABELS:
        assert label.metric is None or label.metric in BY_ID
        for word in label.words.split("|"):
            hits = labels_in(fold(word))
            assert hits, word
            assert max(hits, key=lambda h: len(h.word)).label.metric == label.metric, word


@pytest.mark.parametrize("role", sorted(words.ROLES))
def test_every_role_word_is_recognised(role: str) -> None:
    for word in words.ROLES[role].split("|"):
        assert role_of(word), word


@pytest.mark.parametrize(
    "text",
    [
        "采购要求",
        "Buyer's requirement",
        "招标文件要求",
        "Required value",
        "Requirement (minimum)",
        "甲方需求",
        "RFP requirement",
        "Requested",
    ],
)
def test_a_buyers_column_is_known_by_many_names(text: str) -> None:
    assert role_of(text) == "requirement"


@pytest.mark.parametrize(
    ("text", "metric"),
    [("可用率（月）", "availability"), ("Latency RTT avg (ms)", "rtt"), ("时延抖动", "jitter"), ("MTU适配", "mtu_adaptation"), ("弹性带宽", "elastic_bandwidth"),
     ("月租费（不含税）", "monthly_charge"), ("Delay variation 时延变化", "jitter"), ("Packet delivery 包送达率", "packet_loss"), ("误码率", "bit_error_ratio")],
)  # fmt: skip
def test_labels_of_cells(text: str, metric: str) -> None:
    label, confidence = label_of(text)
    assert label is not None
    assert label.metric == metric
    assert confidence >= 0.95


def test_a_far_fetched_label_is_less_sure() -> None:
    label, confidence = label_of("Cooling of the availability sensors")
    assert label is not None
    assert confidence < 0.9


@pytest.mark.parametrize("text", ["99.9% availability", "时延/抖动", "Latency and jitter"])
def test_values_and_double_labels_are_no_labels(text: str) -> None:
    assert label_of(text)[0] is None


def test_units_are_positive() -> None:
    assert all(u.factor > 0 for u in UNITS.values())
    assert unit_of("Mb/s") != unit_of("MB/s")
    assert unit_of("MBPS") is not None


def test_every_code_used_is_registered_and_every_registered_code_is_used() -> None:
    text = "".join(p.read_text(encoding="utf-8") for p in SOURCE.rglob("*.py") if p.name != "codes.py")
    for code in (*REFUSALS, *NOTICES):
        assert f'"{code}"' in text, code
    used = set(re.findall(r'Refused\(\s*"([A-Z_]+)"', text)) | set(re.findall(r'refusal\(\s*"([A-Z_]+)"', text))
    assert used <= set(REFUSALS)
    told = set(re.findall(r'notice\(\s*"([a-z_]+)"', text))
    assert told <= set(NOTICES)


def test_lower_case_keeps_places() -> None:
    assert len(lowered("İstanbul ẞ")) == len("İstanbul ẞ")
