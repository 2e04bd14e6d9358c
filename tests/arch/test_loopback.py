"""The guard of tests/conftest.py: tests reach this machine and nothing else."""

from __future__ import annotations

import socket
import urllib.request

import pytest


@pytest.mark.parametrize("address", ["192.0.2.1", "example.com", "2001:db8::1"])
def test_the_outside_is_out_of_reach(address: str) -> None:
    with pytest.raises(RuntimeError, match="stay on this machine"):
        socket.create_connection((address, 80), timeout=1)


def test_a_library_cannot_get_out_either() -> None:
    with pytest.raises(RuntimeError, match="stay on this machine"):
        urllib.request.urlopen("http://192.0.2.1/", timeout=1)


def test_loopback_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        with socket.create_connection(address, timeout=1) as client:
            assert client.getpeername() == address
