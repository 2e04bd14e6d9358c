"""The sandbox: one bad file loses only itself, limits hold, children end with their parent."""

# ruff: noqa: E501 - programs for child processes, a line each
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest

from app.domain.facts import Evidence, Fact, Offer, State
from app.domain.text import Text
from app.sheets import sandbox, wire
from app.sheets.codes import notice
from app.sheets.reading import FileReading, read_file
from app.sheets.sandbox import Sandbox, read_files_safely
from tests.sheets.makers import csv, pdf_lines, raw_pdf, xlsx

GOOD = ("a.csv", csv([["供应商", "带宽", "月费"], ["乙联通", "10G", "9000元"]]))
ROOT = Path(__file__).resolve().parents[2]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def test_same_result_as_in_process() -> None:
    files = [
        GOOD,
        ("b.xlsx", xlsx([["Vendor", "MTU", "RTT (ms)"], ["Alder", 9000, 5.5]])),
        ("c.pdf", raw_pdf(pdf_lines("Bandwidth 10 Gbps"))),
    ]
    assert read_files_safely(files) == [read_file(*f) for f in files]


def test_a_bad_file_loses_only_itself() -> None:
    readings = read_files_safely([GOOD, ("b.pdf", b"%PDF-1.4 junk %%EOF"), ("c.doc", b"old"), GOOD])
    assert [r.status for r in readings] == ["read", "refused", "refused", "read"]


def test_a_stuck_child_is_stopped_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "START_SECONDS", 0.0)
    pool = Sandbox(workers=1, seconds=3.0)
    try:
        assert pool.read(*GOOD).status == "read"
        (child,) = pool._children
        os.kill(child.process.pid, signal.SIGSTOP)
        start = time.monotonic()
        stuck = pool.read(*GOOD)
        assert (stuck.status, stuck.code) == ("refused", "PARSE_TIMEOUT")
        assert time.monotonic() - start < 6
        assert not alive(child.process.pid)
        assert pool.read(*GOOD).status == "read"
    finally:
        pool.close()


def test_a_child_that_ended_while_it_waited_is_replaced() -> None:
    pool = Sandbox(workers=1, seconds=20)
    try:
        pool.read(*GOOD)
        (child,) = pool._children
        child.process.kill()
        child.process.wait()
        assert pool.read(*GOOD).status == "read"
    finally:
        pool.close()


def test_a_child_killed_over_a_file_gives_parse_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Sandbox(workers=1, seconds=20)
    try:
        pool.read(*GOOD)
        (child,) = pool._children
        with monkeypatch.context() as patch:
            patch.setattr(child.process, "poll", lambda: None)  # as if it ended right after the look
            child.process.kill()
            child.process.wait()
            assert pool.read(*GOOD).code == "PARSE_FAILED"
        assert pool.read(*GOOD).status == "read"
    finally:
        pool.close()


def test_a_child_knows_neither_the_web_nor_the_store() -> None:
    code = "import app.sheets.worker, sys; print(sorted(m for m in sys.modules if m.split('.')[0] in {'fastapi', 'sqlalchemy', 'starlette'} or m.startswith('app.web')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_children_end_with_their_parent() -> None:
    code = (
        "from app.sheets import sandbox; import sys, time\n"
        "sandbox.read_files_safely([('a.csv', b'x,y')])\n"
        "print([c.process.pid for c in sandbox.pool()._children][0], flush=True)\n"
        "time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
        parent.wait()
    deadline = time.monotonic() + 5
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid)


def test_limits_are_set_in_the_child() -> None:
    code = "import resource, app.sheets.worker as w; w.limit(); print(resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_CORE)[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == [str(1536 * 2**20), "0"]


def test_the_wire_is_exact() -> None:
    evidence = Evidence(
        reader="pdf",
        quote="≤10⁻⁵ “x”",
        page=2,
        box=(1.5, 2.0, 3.0, 4.0),
        remarks=(("range", "1", "2"),),
        file="a.pdf",
        sha256="0" * 64,
    )
    fact = Fact(
        metric="credit_tier", state=State.AMBIGUOUS, evidence=evidence, value=Decimal("0.10"), lower=Decimal(0), upper=Decimal("1E-7"),
        readings=(Decimal("0.1"), Decimal("0.001")), condition="c", confidence=0.6, derived=True, basis="outage_duration",
    )  # fmt: skip
    flag = Fact(metric="api", state=State.STATED, evidence=evidence, value=False)
    reading = FileReading(
        name="a.pdf", sha256="0" * 64, kind="pdf", status="partial", pages=3, code="NO_OFFER_FOUND", message=Text("甲", "a"),
        notices=(notice("page_is_image", page=1),), offers=(Offer(vendor="甲", product=None, facts=(fact, flag)),),
    )  # fmt: skip
    assert wire.load(wire.dump(reading)) == reading
    for broken in (b"", b"[]", b"{}", b'{"name": 1}'):
        with pytest.raises((ValueError, KeyError, TypeError)):
            wire.load(broken)
