"""A migrated, empty SQLite store and a project in it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from app.services.projects import create_project
from app.store.engine import open_engine
from app.store.migrate import upgrade
from app.store.originals import Originals
from app.store.unit_of_work import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.store.records import ProjectRecord

OFFER = {
    "vendor": "甲山通信", "product": "400G", "layer": "otn", "bandwidth_gbps": 400, "rtt_ms": 8,
    "rtt_statistic": "p99", "rtt_direction": "round_trip", "packet_loss": 1e-7,
    "segments": [{"name": "A", "bandwidth_gbps": 400}, {"name": "Z", "bandwidth_gbps": 100}],
    "sla": {"availability": 0.9999, "period": "month", "commitment": "guarantee"},
    "price": {"monthly": 400000, "currency": "CNY"},
}  # fmt: skip
WORKLOAD = {
    "name": "175B two sites", "scenario": "training", "distance_km": 500,
    "training": {
        "parameters": 1.75e11, "layers": 96, "hidden_size": 12288, "sequence_length": 2048,
        "global_batch_tokens": 262144, "micro_batches": 64, "sites": 2, "gpus": 128, "tensor_parallel": 8,
        "pipeline_parallel": 8, "data_parallel": 2, "crossing": "data", "overlap": "last_micro_batch",
        "step_compute_s": 13.638, "target_sync_s": 10,
        "gpu": {"model": "A100-80", "peak_tflops": 312, "mfu": 0.5, "hour_price": 10, "currency": "CNY"},
    },
}  # fmt: skip


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file, copied for each test."""
    path = tmp_path_factory.mktemp("services") / "template.sqlite3"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def store(template: Path, tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    path = tmp_path / "linewise.sqlite3"
    shutil.copyfile(template, path)
    opened = Store(open_engine(f"sqlite:///{path}"), Originals(tmp_path / "originals"))
    yield opened
    opened.close()


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    """A project with a workload."""
    return create_project(store, "扩容", "李", WORKLOAD)


@pytest.fixture
def offer() -> dict[str, object]:
    """One offer as contract JSON."""
    return dict(OFFER)
