"""The command line as other programs call it: one JSON document on stdout, problems a line each, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.domain.examples import WORKLOAD, offer


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *words],
        capture_output=True, text=True, timeout=120, check=False, env=os.environ | environment,
    )  # fmt: skip


@pytest.fixture
def files(tmp_path):
    workload, offers = tmp_path / "w.json", tmp_path / "o.json"
    workload.write_text(json.dumps(WORKLOAD), encoding="utf-8")
    offers.write_text(json.dumps({"offers": [offer(), offer(vendor="乙河", packet_loss=None)]}), encoding="utf-8")
    return workload, offers


def test_assess_prints_one_document(files):
    done = run("assess", *map(str, files), "--json")
    assert done.returncode == 0, done.stderr
    verdicts = [o["verdict"] for o in json.loads(done.stdout)["offers"]]
    assert verdicts == ["recommended", "conditional"]


def test_sensitivity_prints_what_would_change(files):
    done = run("sensitivity", *files, "--json")
    assert done.returncode == 0
    assert set(json.loads(done.stdout)) == {"why_not", "standings", "weights", "bands", "curves"}


def test_requirements_prints_the_floor(files):
    done = run("requirements", str(files[0]), "--json")
    assert json.loads(done.stdout)["bandwidth_floor_gbps"] == pytest.approx(280.2057, rel=1e-5)


@pytest.mark.parametrize(
    ("words", "value", "unit"),
    [
        # 2(2−1)/2 · 8 · 350e9 / (0.9 · 400e9) = 7.7778; + 2 hops · 5 ms = 7.7878
        (
            ("line_allreduce_time", "size=350e9", "sites=2", "bandwidth=400e9", "efficiency=0.9", "hop_latency=5ms"),
            7.78778,
            "s",
        ),
        (("transfer_time", "size=14GB", "bandwidth=1Gbps"), 112.0, "s"),  # 8 · 14e9 / 1e9
        (("allowed_downtime", "availability=99.9%", "window=8760h"), 31536.0, "s"),  # 0.001 · 8,760 h = 8.76 h
        (("tcp_mss", "mtu=1500", "encapsulation=vxlan"), 1410, "byte"),  # 1500 − 50 − 40
        (("series_availability", "availabilities=0.9999,0.999,0.999"), 0.997901, "1"),  # 0.9999 · 0.998001
    ],
)
def test_calc(words, value, unit):
    done = run("calc", *words, "--json")
    document = json.loads(done.stdout)
    assert document["value"] == pytest.approx(value, rel=1e-5)
    assert document["unit"] == unit
    assert document["symbolic"] and document["source"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("calc", "no_such_formula"), "UNKNOWN_FORMULA"),
        (("calc", "transfer_time", "size=14XB", "bandwidth=1Gbps"), "UNKNOWN_UNIT"),
        (("calc", "transfer_time", "size"), "NOT_NAMED"),
        (("calc", "transfer_time", "size=-1", "bandwidth=1"), "OUT_OF_RANGE"),
        (("calc", "transfer_time", "size=1e999", "bandwidth=1"), "NOT_A_NUMBER"),
        (("calc", "transfer_time"), "MISSING_INPUT"),
        (("assess", "none.json", "none.json"), "FILE_NOT_FOUND"),
        (("fly",), "USAGE"),
    ],
)
def test_bad_input_is_one_line_and_exit_two(words, code):
    done = run(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(code)
    assert "Traceback" not in done.stderr


def test_every_problem_has_its_own_line(tmp_path, files):
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps([offer(rtt_ms=-1), offer(vendor="乙", packet_loss=7)]), encoding="utf-8")
    done = run("assess", str(files[0]), str(bad))
    assert done.returncode == 2
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["OUT_OF_RANGE", "OUT_OF_RANGE"]


def test_not_json_names_the_file(tmp_path, files):
    bad = tmp_path / "bad.json"
    bad.write_text('{"offers": [NaN', encoding="utf-8")
    done = run("assess", str(files[0]), str(bad))
    assert done.returncode == 2
    assert done.stderr.startswith("BAD_JSON")


def test_rules_and_formulas_are_listed():
    rules = json.loads(run("rules", "--json").stdout)
    assert len(rules["rules"]) == 26
    assert all(rule["source"]["title"]["zh"] for rule in rules["rules"])
    formulas = json.loads(run("formulas", "--json").stdout)["formulas"]
    assert {"line_allreduce_time", "go_back_n_loss_limit"} <= {f["id"] for f in formulas}


def test_report_prints_its_hashes_and_is_reproducible(tmp_path, files):
    first, second = tmp_path / "a.pdf", tmp_path / "b.pdf"
    epoch = {"SOURCE_DATE_EPOCH": "1796083200"}
    one = json.loads(run("report", *map(str, files), "-o", str(first), "--lang", "en", **epoch).stdout)
    two = json.loads(run("report", *map(str, files), "-o", str(second), "--lang", "en", **epoch).stdout)
    assert set(one) == {"file", "sha256", "content_sha256"}
    assert first.read_bytes().startswith(b"%PDF")
    assert one["sha256"] == two["sha256"]
    assessed = json.loads(run("assess", *map(str, files)).stdout)
    assert assessed["content_sha256"] == one["content_sha256"]


def test_a_report_is_not_written_on_bad_input(tmp_path, files):
    target = tmp_path / "a.pdf"
    done = run("report", str(files[0]), str(tmp_path / "none.xlsx"), "-o", str(target))
    assert done.returncode == 2
    assert not target.exists()


def test_questionnaire_is_read_back(tmp_path, files):
    target = tmp_path / "ask.xlsx"
    assert run("questionnaire", str(files[0]), "-o", str(target), "--lang", "en").returncode == 0
    document = json.loads(run("extract", str(target), "--json").stdout)
    assert document["files"][0]["kind"] == "xlsx"
    assert document["files"][0]["offers"] == []


def test_extract_reports_a_refused_file_and_goes_on(tmp_path):
    good, bad = tmp_path / "o.csv", tmp_path / "bad.pdf"
    good.write_text("供应商,带宽,往返时延(ms)\n甲山通信,400G,10\n", encoding="utf-8")
    bad.write_bytes(b"")
    done = run("extract", str(good), str(bad), "--json")
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)["files"]
    assert files[0]["offers"][0]["vendor"] == "甲山通信"
    assert files[1]["status"] == "refused"
    assert files[1]["code"] == "FILE_EMPTY"


def test_backup_without_a_database_is_refused_in_words(tmp_path):
    done = run("backup", str(tmp_path / "b.zip"), LINEWISE_DATA=str(tmp_path / "empty"))
    assert done.returncode == 2
    assert done.stderr.startswith("NO_DATABASE")
