"""`make bench`: medians of what users wait for, beside the figure each must stay under. Exit 1 when one does not.

Machines are noisy: every figure is a median of several runs, and each is compared with its limit only here, never
in a test. `--fast` leaves out the ten reports.
"""

from __future__ import annotations

import argparse
import gc
import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.config import Settings
from app.domain.assessment import assess
from app.domain.formulas.registry import BY_ID
from app.domain.offers import parse_offers
from app.domain.policy import parse_policy
from app.domain.prediction import Reading, predict
from app.domain.requirement import derive
from app.domain.workload import parse_workload
from app.services import offers, projects
from app.store.migrate import upgrade
from app.store.unit_of_work import Store
from tests.bench.sheets import ten_page_pdf
from tests.domain.examples import WORKLOAD, offer, workload

if TYPE_CHECKING:
    from collections.abc import Callable

MEBI = 1024 * 1024


def median_ms(action: Callable[[], object], runs: int = 9) -> float:
    """Median wall time of one action in milliseconds, after one warm-up."""
    action()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def assess_twenty() -> float:
    """Twenty offers judged in process, results and hash included."""
    workload, policy = parse_workload(WORKLOAD), parse_policy(None)
    twenty = parse_offers([offer(vendor=f"V{n}") for n in range(20)])
    return median_ms(lambda: assess(workload, twenty, policy).content_sha256)


def predict_one(preset: str, **changes: object) -> float:
    """One offer's low, central and high prediction, all readings taken anew (milliseconds)."""
    job, policy = parse_workload(workload(preset, **changes)), parse_policy(None)
    lines = derive(job, policy).main
    hundred = [o for n in range(100) for o in parse_offers([offer(vendor=f"V{n}")])]

    def all_of_them() -> None:
        for one in hundred:
            one.memo.clear()
            predict(Reading(one, job, lines))

    return median_ms(all_of_them) / len(hundred)


def local_sgd_figures() -> tuple[float, float]:
    """The 100B row of the Streaming DiLoCo table: one utilisation, one rate from a utilisation (milliseconds)."""
    job = {
        "parameters": 100e9, "layers": 108, "step_compute_time": 4.9, "sync_interval": 100, "bits": 16,
        "fragment_layers": 3, "overlap_steps": 1,
    }  # fmt: skip
    forward = median_ms(lambda: BY_ID["local_sgd_utilization"](**job, bandwidth=5e9))
    return forward, median_ms(lambda: BY_ID["local_sgd_bandwidth"](**job, target_utilization=0.95))


def judge_ten_thousand() -> tuple[float, float]:
    """Ten thousand offers judged in one process: seconds, and MiB the process grew after the first two thousand."""
    job, policy = parse_workload(WORKLOAD), parse_policy(None)
    gc.collect()
    gc.freeze()  # as the server does at its start
    spent, early = 0.0, 0.0
    for batch in range(100):
        hundred = parse_offers([offer(vendor=f"V{batch}-{n}") for n in range(100)])
        begun = time.perf_counter()
        assess(job, hundred, policy)
        spent += time.perf_counter() - begun
        if batch == 19:
            early = resident()
    return spent, max(0.0, resident() - early)


def resident() -> float:
    """Resident memory of this process in MiB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def read_pdf(folder: Path) -> float:
    """A 10-page PDF of ruled tables read by the command line, start of Python included (seconds)."""
    path = folder / "ten.pdf"
    path.write_bytes(ten_page_pdf())
    return (
        median_ms(
            lambda: subprocess.run(
                [sys.executable, "-m", "app", "extract", str(path)], check=True, capture_output=True
            ),
            3,
        )
        / 1000
    )


class Server:
    """`linewise serve` on a free port with an empty data folder; `started` is the time to the first page (s)."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        environment = os.environ | {"LINEWISE_DATA": str(folder / "data")}
        begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app", "serve", "--port", str(self.port)], env=environment, stderr=subprocess.DEVNULL
        )
        while True:
            try:
                if self.call("GET", "/")[0] == 200:
                    break
            except OSError:
                time.sleep(0.02)
        self.started = time.perf_counter() - begun

    def call(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json"
    ) -> tuple[int, bytes, str]:
        """One request; returns status, body, location."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        link.request(method, path, body, {"Content-Type": kind} if body is not None else {})
        reply = link.getresponse()
        return reply.status, reply.read(), reply.headers.get("location", "")

    def largest(self) -> float:
        """Peak resident memory of the largest of the server's processes, in MiB."""
        peaks = []
        for pid in [self.process.pid, *_descendants(self.process.pid)]:
            status = Path(f"/proc/{pid}/status")
            if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text())):
                peaks.append(int(found[1]) / 1024)
        return max(peaks)

    def stop(self) -> None:
        """End the server and wait for it."""
        self.process.terminate()
        self.process.wait(30)


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *_descendants(child)]
    return found


def ten_offer_project(folder: Path) -> str:
    """A project with ten typed-in offers in the data folder of a server not yet started; returns its address."""
    settings = Settings(data=folder / "data")
    settings.data.mkdir()
    upgrade(settings.url)
    store = Store.open(settings.url, settings.originals)
    try:
        project = projects.create_project(store, "bench", "bench", WORKLOAD)
        offers.type_in(store, project.id, [offer(vendor=f"V{n}") for n in range(10)], "bench")
    finally:
        store.close()
    return f"/projects/{project.id}"


def must(reply: tuple[int, bytes, str]) -> None:
    """A measurement of a failure is worth nothing."""
    if reply[0] != 200:
        raise SystemExit(f"status {reply[0]}: {reply[1][:300]!r}")


def served(folder: Path, *, fast: bool) -> list[tuple[str, float, float, str]]:
    """What needs a running server: start, comparison page, reports, memory."""
    project = ten_offer_project(folder)
    server = Server(folder)
    try:
        page = median_ms(lambda: must(server.call("GET", f"{project}/comparison")))
        change = median_ms(lambda: must(server.call("GET", f"{project}/sensitivity")), 5) / 1000
        body = json.dumps({"workload": WORKLOAD, "offers": [offer(vendor=f"V{n}") for n in range(5)]}).encode()
        rows = [
            ("start to first page", server.started, 3.0, "s"),
            ("comparison page, 10 offers", page, 50.0, "ms"),
            ("what would change it, 10 offers", change, 1.0, "s"),
        ]
        runs = 3 if fast else 9
        report = median_ms(lambda: must(server.call("POST", "/api/v1/reports?lang=zh", body)), runs) / 1000
        rows.append(("report of 5 offers (warm)", report, 5.0, "s"))
        rows.append((f"largest process after {runs + 1} reports", server.largest(), 250.0, "MiB"))
        return rows
    finally:
        server.stop()


def main() -> int:
    """Print the table; 1 when a figure is over its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fast", action="store_true")
    fast = parser.parse_args().fast
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ten_thousand, grown = judge_ten_thousand()
        utilisation, inversion = local_sgd_figures()
        streaming = {"training__fragment_layers": 3, "training__overlap_steps": 1}
        rows = [
            ("one offer with its band", predict_one("175b_data"), 1.0, "ms"),
            ("one offer, local SGD by fragments", predict_one("100b_diloco", **streaming), 30.0, "ms"),
            ("local SGD utilisation, 100B", utilisation, 3.0, "ms"),
            ("local SGD rate for a utilisation, 100B", inversion, 100.0, "ms"),
            ("10,000 offers judged in one process", ten_thousand, 10.0, "s"),
            ("memory grown over 8,000 of them", grown, 20.0, "MiB"),
            ("assess 20 offers, JSON and hash", assess_twenty(), 50.0, "ms"),
            ("10-page PDF read by the command line", read_pdf(folder), 3.0, "s"),
            *served(folder, fast=fast),
        ]
    print(f"{'what':<42}{'median':>12}{'limit':>12}")
    for what, value, limit, unit in rows:
        print(f"{what:<42}{value:>9.2f} {unit:<3}{limit:>8g} {unit:<3}{'' if value < limit else '  OVER'}")
    return int(any(value >= limit for _, value, limit, _ in rows))


if __name__ == "__main__":
    raise SystemExit(main())
