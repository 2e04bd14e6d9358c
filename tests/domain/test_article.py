"""The nineteen published differences: each stands beside ours with the figures of the source and of hand arithmetic."""

from __future__ import annotations

import pytest

from app.domain.article import Difference
from app.domain.policy import parse_policy
from app.domain.requirement import derive
from app.domain.workload import parse_workload
from tests.domain.examples import workload


def rows(preset: str = "175b_data", **changes: object) -> dict[str, Difference]:
    found = derive(parse_workload(workload(preset, **changes)), parse_policy(None)).differences
    return {row.id: row for row in found}


def test_all_nineteen_are_there_for_the_175b_example():
    assert {row.number for row in rows().values()} == set(range(1, 20))


FIGURES = [
    # The job at hand: 175B, 128 GPUs, TP 8, PP 8, DP 2, BF16.
    ("gradient", 700, 5.46875),  # 175e9 · 4; 2(2−1)/2 · 175e9/64 · 2
    ("gradient_bytes", 700, 350),  # 4 B against 2 B an element
    ("bandwidth", 1173.2, 280.2057),  # 8 · 1.4e12 / (13.638 · 0.7); 2.8e12 / 9.9926575
    ("round_trips", 254, 1),  # 2 · (128 − 1); 2(2−1) hops
    ("rtt_sensitivity", 25.4, 0.1),  # 254 · 0.1 ms; 1 · 0.1 ms
    ("loss", 1e-5, 3.18536e-6),  # 0.2/280.2057e9 · 8 · 4096 / 0.0073425
    ("oversubscription", 8, 73.09),  # 64 · 400 / 350.2572
    ("downtime", 8.76, 0.73),  # (1 − 0.999) · 8,760 h and · 730 h
    ("mtbf", 342.19, 315.22),  # 43,800/128; 1/(1/342.19 + 0.001/4)
    ("small_message", 0.0015, 4.895),  # 1.5 µs; 500 km · 9.79 µs
    ("tensor_reductions", 0.100663296, 0.201326592),  # 2 and 4 times 2048 · 12288 · 2 = 50.3 MB
    # The article's own examples.
    ("ring_sent", 700, 1399.72),  # 2 · 4999/5000 · 700
    ("cluster_volume", 3.5e6, 6.9986e6),  # 700 · 5000; 1399.72 · 5000
    ("replica_gradient", 700, 21.5946),  # d = 5000/64 → 78; 2 · 77/78 · 175e9/64 · 4 = 21.59 GB, as the source says
    ("no_overlap", 5, 10),  # 3.2 Tbit/s · 0.7 = 2.24; 8 · 1.4 TB / 2.24 Tbit/s = 5 s more
    ("slip", 400, 4000),  # 2 · 50e9 · 4 and 2 · 500e9 · 4
    ("group_gradient", 10, 48.75),  # 400/40; 50e9/8 · 4 · 2 · 39/40
    ("layout", 10240, 81920),  # 256 · 40; · 8
    ("all_to_all", 4, 13304),  # 2e6 · 2 · 1 KB; 58 · 2·(2+2) · 2e6 · 2 · 7168 = 1.3304e13
    ("mss", 1410, 1354),  # 1500 − 50 − 40; IPsec with AES-GCM on top: 1354 in the source
    ("gigabit", 3.6167, 1.8667),  # 2 · 31/32 · 112 s = 217 s; 112 s
    ("loss_anchor", 1e-5, 4.31158e-7),  # (1/0.95 − 1) · 32,768 / (400e9 · 0.01) = 0.0526316 · 8.192e-6
    ("downtime_year", 52.56, 4.38),  # 1e-4 · 525,600 min; 1e-4 · 43,800 min
    ("end_to_end", 99.99, 99.79),  # 0.9999 · 0.999² = 0.99790
    ("leaf_spine", 1, 0.625),  # 80/128
]


@pytest.mark.parametrize(("name", "article", "ours"), FIGURES)
def test_figures(name: str, article: float, ours: float) -> None:
    row = rows()[name]
    assert row.refined is not None
    assert row.article.value == pytest.approx(article, rel=5e-4)
    assert row.refined.value == pytest.approx(ours, rel=5e-4)
    assert row.reason.zh and row.reason.en and row.article.formula and row.refined.formula


# What a reason says beside the two figures.
SAID = [
    ("loss_anchor", "23 times too lax"),  # 1e-5 / 4.31e-7
    ("loss_anchor", "leaves 99.88 %"),  # 400 Gbit/s, 10 µs: 122 packets in flight, 1/(1 + 1.22e-3)
    ("rtt_sensitivity", "384 rounds a micro-batch, 38.4 ms"),  # 4 · 96 layers; 384 · 0.1 ms
    ("mtbf", "4.38 h"),  # 5 · 8,760 h / 10,000
    ("downtime", "1.46 h across a month end"),  # 2 · 0.73 h
    ("replica_gradient", "there are 78, and a GPU holds 10.94 GB"),  # 5000 // 64; 175e9/64 · 4
    ("group_gradient", "to 24.38 GB"),  # 48.75 / 2
    ("mss", "1,436 with GRE"),  # 1500 − 24 − 40
    ("no_overlap", "the step doubles"),
]


@pytest.mark.parametrize(("name", "words"), SAID)
def test_figures_of_the_source_that_stand_in_the_reason(name: str, words: str) -> None:
    assert words in rows()[name].reason.en


def test_every_row_says_whose_it_is_and_what_ours_rests_on():
    for row in rows().values():
        assert row.sources[0].id.startswith("article.")
        assert row.as_json()["sources"]


@pytest.mark.parametrize(
    ("transport", "formula"),
    [("tcp_cubic", "CUBIC"), ("tcp_bbr", "1 − floor/target"), ("rdma_go_back_n", "8·payload/RTT")],
)
def test_the_loss_row_names_the_way_of_the_transport(transport: str, formula: str) -> None:
    row = rows(network__transport=transport)["loss"]
    assert row.refined is not None and formula in row.refined.formula


def test_the_stack_of_the_job_is_used_where_there_is_one():
    row = rows(network__encapsulation=["gre"])["mss"]
    assert row.refined is not None and row.refined.value == 1436  # 1500 − 24 − 40
    assert not row.example and rows()["mss"].example


def test_the_buyers_own_leaves_replace_the_example():
    row = rows(fabric__leaf_down_ports=64, fabric__leaf_up_ports=32)["leaf_spine"]
    assert row.refined is not None and row.refined.value == 2.0 and not row.example


def test_a_job_no_line_can_serve_shows_no_rate():
    assert rows(training__crossing="tensor")["bandwidth"].refined is None


def test_inference_and_bulk_learn_only_what_concerns_them():
    assert set(rows("remote_inference")) >= {"downtime", "inference_rtt"}
    assert set(rows("cloud_bulk")) == {"downtime"}
