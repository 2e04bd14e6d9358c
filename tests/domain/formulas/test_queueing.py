"""Waits against the exact M/D/1 distribution and against closed cases; laws of queues."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.queueing import md1_wait, mdc_wait, wait_quantile, wait_share

LOADS = st.floats(0.001, 0.99)


def exact_md1(load: float, quantile: float) -> float:
    """Wait (in services) not exceeded by a share, from Erlang's exact M/D/1 distribution.

    P(W ≤ t) = (1 − ρ) · Σ_{k=0}^{⌊t⌋} (ρ(k − t))^k / k! · e^{−ρ(k − t)}; its terms alternate, so only short waits.
    """

    def below(t: float) -> float:
        terms = ((load * (k - t)) ** k / math.factorial(k) * math.exp(-load * (k - t)) for k in range(int(t) + 1))
        return (1 - load) * math.fsum(terms)

    low, high = 0.0, 16.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < quantile else (low, middle)
    return high


@pytest.mark.parametrize("load", [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
def test_the_tail_is_up_to_a_fifth_above_the_exact_one_and_never_below(load: float) -> None:
    got = wait_quantile(mean_wait=md1_wait(load=load, service_time=1.0), share=load)
    assert 1.0 <= got / exact_md1(load, 0.95) <= 1.2


def test_nobody_waits_where_fewer_than_one_in_twenty_do() -> None:
    assert wait_quantile(mean_wait=1.0, share=0.05) == 0.0


def test_one_server_is_the_single_queue() -> None:
    assert wait_share(servers=1, load=0.7) == pytest.approx(0.7)  # Erlang C of one server is ρ
    assert mdc_wait(servers=1, load=0.7, service_time=2.0) == pytest.approx(md1_wait(load=0.7, service_time=2.0))


def test_erlang_c_of_a_published_case() -> None:
    # 20 servers offered 16 erlang: Erlang B by the recursion is 0.064405 (tables: 0.0644); C = B/(1 − 0.8·(1 − B))
    # = 0.064405/0.251524 = 0.25606.
    assert wait_share(servers=20, load=0.8) == pytest.approx(0.25606, rel=1e-4)


@given(LOADS, LOADS, st.integers(1, 64))
def test_more_load_never_shortens_a_wait(one: float, other: float, servers: int) -> None:
    less, more = sorted((one, other))
    assert wait_share(servers=servers, load=less) <= wait_share(servers=servers, load=more) * (1 + 1e-12)
    assert mdc_wait(servers=servers, load=less, service_time=1) <= mdc_wait(
        servers=servers, load=more, service_time=1
    ) * (1 + 1e-12)
    tails = [wait_quantile(mean_wait=md1_wait(load=x, service_time=1), share=x) for x in (less, more)]
    assert tails[0] <= tails[1] * (1 + 1e-12)


@given(LOADS, st.integers(1, 64))
def test_more_servers_at_the_same_load_never_lengthen_it(load: float, servers: int) -> None:
    assert mdc_wait(servers=servers + 1, load=load, service_time=1) <= mdc_wait(
        servers=servers, load=load, service_time=1
    ) * (1 + 1e-12)
