"""Headers, encapsulation and payload sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.formulas.constants import ENCAPSULATION_BYTES
from app.domain.formulas.headers import (
    encapsulation_bytes,
    header_efficiency,
    header_overhead,
    rdma_payload,
    tcp_mss,
)
from app.domain.problems import InputError

STACKS = st.lists(st.sampled_from(sorted(ENCAPSULATION_BYTES)), max_size=4)


@pytest.mark.parametrize("transport", ["rdma_go_back_n", "rdma_selective_repeat", "infiniband"])
def test_rdma_overhead(transport: str) -> None:
    # Ethernet 18 + preamble and gap 20 + IPv4 20 + UDP 8 + BTH 12 + ICRC 4 = 82; 4096/4178 = 98.0 %
    overhead = header_overhead(transport=transport)
    assert overhead == 82
    assert header_efficiency(payload=4096, overhead=overhead) == pytest.approx(0.9804, abs=5e-5)
    assert header_efficiency(payload=1024, overhead=overhead) == pytest.approx(0.926, abs=5e-4)


def test_vlan_of_the_contract() -> None:
    assert 4096 + header_overhead(transport="rdma_go_back_n", encapsulation=["vlan"]) == 4182


def test_tcp_overhead() -> None:
    # 18 + 20 + 20 + 20 = 78, with timestamps 90: 1448/1538, models section 5
    assert header_overhead(transport="tcp_cubic", timestamps=False) == 78
    assert header_overhead(transport="tcp_bbr") == 90
    assert header_efficiency(payload=1448, overhead=90) == pytest.approx(1448 / 1538)


@pytest.mark.parametrize(
    ("stack", "mss"),
    [
        ([], 1460),
        (["vxlan"], 1410),  # 1500 − 50 − 40, the article
        (["gre"], 1436),  # 1500 − 24 − 40
        (["vxlan", "ipsec_gcm"], 1354),  # 1410 − 56, models section 5
        (["mpls", "mpls"], 1452),  # two labels of an L3VPN
        (["qinq", "macsec"], 1420),  # 8 + 32
    ],
)
def test_mss(stack: list[str], mss: int) -> None:
    assert tcp_mss(mtu=1500, encapsulation=stack) == mss
    assert tcp_mss(mtu=1500, encapsulation=stack, timestamps=1) == mss - 12


@given(stack=STACKS, more=st.sampled_from(sorted(ENCAPSULATION_BYTES)), mtu=st.integers(1280, 9216))
def test_encapsulation_only_takes_away(stack: list[str], more: str, mtu: int) -> None:
    assert tcp_mss(mtu=mtu, encapsulation=[*stack, more]) < tcp_mss(mtu=mtu, encapsulation=stack)
    assert encapsulation_bytes([*stack, more]) > encapsulation_bytes(stack)


@given(stack=STACKS, mtu=st.integers(1280, 9216), timestamps=st.booleans())
def test_a_full_tcp_frame_is_the_mtu_and_the_ethernet_around_it(stack: list[str], mtu: int, timestamps: bool) -> None:
    payload = tcp_mss(mtu=mtu, encapsulation=stack, timestamps=timestamps)
    overhead = header_overhead(transport="tcp_cubic", encapsulation=stack, timestamps=timestamps)
    assert payload + overhead == mtu + 38


@pytest.mark.parametrize(
    ("wanted", "mtu", "payload"),
    [
        (4096, 9000, 4096),  # 8918 holds 8192, but 4096 is wanted
        (4096, 4200, 4096),  # 4118
        (4096, 4177, 2048),  # 4095
        (4096, 1500, 1024),  # 1418
        (4096, 338, 256),  # 256
        (512, 1500, 512),
    ],
)
def test_rdma_payload(wanted: int, mtu: int, payload: int) -> None:
    assert rdma_payload(payload=wanted, mtu=mtu) == payload


def test_path_too_narrow_for_rdma() -> None:
    with pytest.raises(InputError) as caught:
        rdma_payload(payload=4096, mtu=337)
    assert "337" in caught.value.problems[0].message.zh
    assert "256" in caught.value.problems[0].message.en
