"""What holds for every test: no address but this machine's, no deadline that a busy machine could miss."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

from hypothesis import settings

settings.register_profile("linewise", deadline=None, print_blob=True)
settings.load_profile("linewise")

_LOCAL_NAMES = {"", "localhost"}
_INTERNET = {socket.AF_INET, socket.AF_INET6}


class OutsideAddressError(RuntimeError):
    """A test tried to reach something beyond this machine."""


def _check(host: object) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name is None or name in _LOCAL_NAMES:
        return
    try:
        address = ipaddress.ip_address(str(name).partition("%")[0])
    except ValueError:
        address = None
    if address is None or not (address.is_loopback or address.is_unspecified):
        raise OutsideAddressError(f"tests stay on this machine, but one asked for {name}")


def pytest_configure() -> None:
    """Put the check in front of every way out that Python code has."""
    connect, connect_ex, send_to = socket.socket.connect, socket.socket.connect_ex, socket.socket.sendto
    look_up = socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family in _INTERNET:
            _check(address[0])
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        if self.family in _INTERNET:
            _check(address[0])
        return connect_ex(self, address)

    def guarded_sendto(self: socket.socket, data: Any, *rest: Any) -> int:
        if self.family in _INTERNET:
            _check(rest[-1][0])
        return send_to(self, data, *rest)

    def guarded_getaddrinfo(host: Any, *rest: Any, **named: Any) -> Any:
        _check(host)
        return look_up(host, *rest, **named)

    for name, function in (
        ("connect", guarded_connect),
        ("connect_ex", guarded_connect_ex),
        ("sendto", guarded_sendto),
    ):
        setattr(socket.socket, name, function)
    socket.getaddrinfo = guarded_getaddrinfo
