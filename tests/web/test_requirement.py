"""The requirement page and the formula library: figures are those of the core, every one opens."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest

from app.domain.advice import floor_of
from app.domain.formulas.registry import FORMULAS, TOPICS
from app.domain.policy import parse_policy
from app.domain.presets import BY_ID, PRESETS
from app.domain.requirement import derive
from app.domain.text import Language
from app.domain.workload import parse_workload
from app.presentation import format as fmt
from app.report.requirement_view import RequirementView, requirement_view
from app.web.pages.formula_form import example_of
from tests.web.test_workload import Form, sent, start

if TYPE_CHECKING:
    from starlette.testclient import TestClient

DATA = BY_ID["175b_data"].workload
MIXED = DATA | {"scenario": "mixed", "inference": BY_ID["remote_inference"].workload["inference"]}
IMPOSSIBLE = json.loads(json.dumps(DATA))
IMPOSSIBLE["training"] |= {"crossing": "tensor", "target_sync_s": None, "target_utilization": 0.9}
CASES: dict[str, dict[str, Any]] = {p.id: p.workload for p in PRESETS} | {"mixed": MIXED, "impossible": IMPOSSIBLE}
CASES["window"] = DATA | {"network": {"window_bytes": 1e6}}
CASES["selective"] = DATA | {"network": {"transport": "rdma_selective_repeat"}}
CASES["tcp"] = DATA | {"network": {"transport": "tcp_bbr"}}
CASES["one_flow"] = DATA | {"network": {"flows": 1}}
CASES["no_distance"] = DATA | {"distance_km": None}
TIGHT = json.loads(json.dumps(BY_ID["prefill_decode"].workload))
TIGHT["inference"] |= {"ttft_target_ms": 800}  # nothing is left for the line: the limit is 0
CASES["no_room"] = TIGHT


def view_of(raw: dict[str, Any], language: Language = Language.ZH) -> RequirementView:
    """The view of one workload under the default policy."""
    workload, policy = parse_workload(raw), parse_policy(None)
    return requirement_view(workload, policy, derive(workload, policy), language, "/r", "/w")


def saved(client: TestClient, raw: dict[str, Any]) -> str:
    """The address of a project with this workload."""
    home = start(client, "P")
    assert client.post(f"{home}/workload", data=sent(raw)).status_code == 303
    return home


# ---- the view


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("language", list(Language))
def test_every_line_of_the_core_is_on_the_page_with_its_figure(case: str, language: Language) -> None:
    requirement = derive(parse_workload(CASES[case]), parse_policy(None))
    view = view_of(CASES[case], language)
    assert len(view.bands) == len(requirement.lines)
    for band, lines in zip(view.bands, requirement.lines, strict=True):
        shown = {line.metric: line for line in band.lines}
        expected = {
            "bandwidth": lines.floor and fmt.rate(lines.floor, language),
            "rtt": lines.rtt_limit is not None and fmt.duration(lines.rtt_limit, language),
            "packet_loss": lines.loss_limit and fmt.ratio(lines.loss_limit, language),
            "availability": fmt.availability(lines.availability_floor, language),
        }
        for metric, text in expected.items():
            assert not text or text in shown[metric].limit
        assert all(line.binds for line in band.lines)
        assert all(view.panel(line.id, language) for line in band.lines)
    assert [line.formula for line in view.working] == [w.formula for w in requirement.working]
    assert len(view.differences) == len(requirement.differences)
    assert len(view.advice) == len(requirement.advice)
    assert len(view.warnings) == len(requirement.warnings)


@pytest.mark.parametrize("case", [c for c in CASES if c not in ("impossible", "no_room")])
def test_the_formula_beside_a_limit_gives_that_limit(case: str) -> None:
    """Where a formula yields the limit itself, the figure computed on the page equals the one of the core."""
    for lines, band in zip(
        derive(parse_workload(CASES[case]), parse_policy(None)).lines, view_of(CASES[case]).bands, strict=True
    ):
        for line in band.lines:
            gives = {
                "bandwidth_floor": lines.floor and fmt.rate(lines.floor, "zh"),
                "rtt_limit": lines.rtt_limit and fmt.duration(lines.rtt_limit, "zh"),
                "window_rtt_limit": lines.rtt_limit and fmt.duration(lines.rtt_limit, "zh"),
            }
            if line.working and line.working.formula in gives:
                assert line.working.value == gives[line.working.formula]


def test_floors_at_other_utilisations_are_the_core_s_own() -> None:
    workload = parse_workload(DATA)
    lines = derive(workload, parse_policy(None)).main
    rows = view_of(DATA).utilizations
    assert [row.utilization for row in rows] == [fmt.percent(u, "zh") for u in (0.5, 0.5798, 0.8, 0.9, 0.95)]
    assert [row.own for row in rows] == [False, True, False, False, False]
    assert workload.training is not None
    job = replace(workload.training, target_sync_s=None, target_utilization=0.9)
    floor = floor_of(job, workload.network.flows, lines.reference.rtt)
    assert rows[3].floor == fmt.rate(floor, "zh") == "1,700\u00a0Gbit/s"  # contract: about 1,700


def test_the_worked_example_of_the_contract() -> None:
    view = view_of(DATA)
    assert view.title == "每方向至少 280\u00a0Gbit/s 有效带宽，目标 350；丢包率不高于 3.19×10⁻⁶"
    assert [pair.value.replace("\u00a0", " ") for pair in view.stats[:3]] == ["280 Gbit/s", "350 Gbit/s", "2.01 s"]
    line = view.line("training.packet_loss")
    assert line is not None
    assert line.exact.startswith("3.1853631")


@pytest.mark.parametrize(
    ("case", "zh"),
    [
        ("remote_inference", "往返时延须小于 5"),
        ("175b_pipeline", "往返时延不超过 15.7"),
        ("impossible", "任何带宽的线路都达不到目标"),
    ],
)
def test_titles_say_what_will_sort_the_offers(case: str, zh: str) -> None:
    assert zh in view_of(CASES[case]).title


def test_advice_leads_to_a_form_that_asks_for_less(client: TestClient) -> None:
    home = saved(client, DATA)
    links = [a for a in Form(client.get(f"{home}/requirement").text).links if "training.crossing=pipeline" in a]
    form = Form(client.get(links[0]).text)
    values = {k: v for k, v in form.values.items() if k not in ("actor", "next")}
    assert client.post(f"{home}/workload", data=values).status_code == 303
    pipeline = client.get(f"{home}/requirement.json").json()
    assert pipeline["bandwidth_floor_gbps"] == pytest.approx(7.48, rel=1e-3)  # what the advice promised


def test_an_availability_in_the_working_never_rounds_to_one() -> None:
    line = view_of(BY_ID["remote_inference"].workload).line("inference.availability")
    assert line is not None
    assert line.working is not None
    assert line.working.inputs[0].value == "0.9995"


# ---- the page


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("language", list(Language))
def test_the_page_stands_in_both_languages(client: TestClient, case: str, language: Language) -> None:
    home = saved(client, CASES[case] | {"name": "Job"})
    answer = client.get(f"{home}/requirement", headers={"accept-language": language.value})
    assert answer.status_code == 200
    form = Form(answer.text)
    assert len(form.ids) == len(set(form.ids))
    assert not re.search(r"\bnan\b", re.sub(r"<[^>]*>", " ", answer.text), re.IGNORECASE)
    if language is Language.EN:
        assert not [c for c in answer.text.replace("中文", "") if "\u4e00" <= c <= "\u9fff"]
    for link in {a for a in form.links if "/figures/" in a}:
        assert client.get(link).status_code == 200


def test_without_a_workload_the_page_leads_to_it(client: TestClient) -> None:
    home = start(client)
    answer = client.get(f"{home}/requirement")
    assert (answer.status_code, f"{home}/workload" in Form(answer.text).links) == (200, True)
    assert client.get(f"{home}/requirement.json").status_code == 422


def test_a_figure_opens_as_part_and_as_page(client: TestClient) -> None:
    url = f"{saved(client, DATA)}/requirement/figures/training.packet_loss"
    part, whole = client.get(url, headers={"hx-request": "true"}), client.get(url)
    assert part.text.strip().startswith('<section class="panel"')
    for answer in (part, whole):
        assert "3.18536311065713×10⁻⁶" in answer.text
        assert "Bertsekas" in answer.text
    assert "<html" in whole.text
    assert client.get(url.replace("packet_loss", "nothing")).status_code == 404


def test_rules_steer_the_requirement(client: TestClient) -> None:
    home = saved(client, DATA)
    values = Form(client.get(f"{home}/rules").text).values
    changed = values | {"policy.reserve": ["1.5"], "policy.availability_floor": ["0.9999"]}
    assert client.post(f"{home}/rules", data=changed).headers["location"] == f"{home}/requirement"
    text = client.get(f"{home}/requirement").text
    assert "下限 × 1.5" in text
    assert "99.99" in text
    assert "评审规则中自定" in text


# ---- downloads


def test_the_json_is_the_requirement_of_the_contract(client: TestClient) -> None:
    answer = client.get(f"{saved(client, DATA)}/requirement.json")
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.json() == json.loads(json.dumps(derive(parse_workload(DATA), parse_policy(None)).as_json()))


@pytest.mark.parametrize(("language", "words"), [("zh", "丢包率"), ("en", "Packet loss")])
def test_the_questionnaire_is_headed_by_the_requirement(client: TestClient, language: str, words: str) -> None:
    answer = client.get(f"{saved(client, MIXED)}/questionnaire.xlsx?lang={language}")
    assert answer.status_code == 200
    assert f"-{language}.xlsx" in answer.headers["content-disposition"]
    book = openpyxl.load_workbook(io.BytesIO(answer.content))
    cells = [str(c.value) for sheet in book for row in sheet.iter_rows() for c in row if c.value is not None]
    assert any(words in cell for cell in cells)
    assert any("3.19" in cell for cell in cells)


# ---- formulas


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.id)
def test_every_formula_opens_on_its_worked_example(client: TestClient, formula: Any, language: Language) -> None:
    answer = client.get(f"/formulas/{formula.id}", headers={"accept-language": language.value})
    assert answer.status_code == 200
    assert formula.title.pick(language) in answer.text
    expected = formula(**formula.example.inputs)
    typed = example_of(formula)
    again = client.get(f"/formulas/{formula.id}", params=typed, headers={"accept-language": language.value})
    assert again.status_code == 200
    assert (fmt.exact(expected, language).split("\u00a0")[0][:8]) in answer.text
    assert Form(answer.text).values.keys() == Form(again.text).values.keys()


def test_the_library_is_searched_in_both_languages(client: TestClient) -> None:
    assert len(re.findall('class="go"', client.get("/formulas").text)) == len(FORMULAS)
    for query in ("回退", "go-back-n loss", "GO_BACK_N_loss"):
        assert "/formulas/go_back_n_loss_limit" in Form(client.get("/formulas", params={"q": query}).text).links
    nothing = client.get("/formulas", params={"q": "<script>alert(1)</script>"})
    assert "没有符合的公式" in nothing.text
    assert "<script>alert" not in nothing.text


@pytest.mark.parametrize("typed", ["NaN", "1e999", "-1", "many", "", "5 parsecs", "<b>"])
def test_bad_input_to_a_formula_is_named_beside_its_field(client: TestClient, typed: str) -> None:
    answer = client.get("/formulas/bandwidth_delay_product", params={"bandwidth": typed, "rtt": "10 ms"})
    assert answer.status_code == 422
    form = Form(answer.text)
    assert form.values["bandwidth"] == [typed]
    assert 'id="f-bandwidth-error"' in answer.text
    assert "<b>" not in answer.text.partition("problems")[2].partition("</ul>")[0]


def test_a_formula_reads_units_and_lists(client: TestClient) -> None:
    text = client.get("/formulas/bandwidth_delay_product?bandwidth=400Gbps&rtt=10ms").text
    assert "500,000,000 byte" in text.replace("\u00a0", " ")
    text = client.get("/formulas/tcp_mss?mtu=1500&encapsulation=vxlan&encapsulation=vlan&timestamps=0").text
    assert "1,406 byte" in text.replace("\u00a0", " ")


def test_an_unknown_formula_is_not_found(client: TestClient) -> None:
    assert client.get("/formulas/nothing").status_code == 404


def test_the_library_stands_by_topic_and_is_filtered_without_the_shell(client: TestClient) -> None:
    whole = client.get("/formulas").text
    assert all(f'id="topic-{topic.id}"' in whole for topic in TOPICS)
    found = client.get("/formulas", params={"q": "CUBIC"}, headers={"hx-request": "true"}).text
    assert "<html" not in found and 'id="found"' in found
    assert "/formulas/cubic_window" in found and "/formulas/kv_bytes_per_token" not in found
    without_scripts = client.get("/formulas", params={"q": "CUBIC"}).text
    assert "<html" in without_scripts and found.strip() in without_scripts


def test_a_formula_shows_numbers_put_in_band_and_command(client: TestClient) -> None:
    text = client.get("/formulas/mathis_throughput?mss=1460&rtt=10ms&packet_loss=1e-4").text.replace("\u00a0", " ")
    assert "R = 8·1,460 byte/10 ms · 1.22/√(1×10⁻⁴)" in text
    # 8 · 1460 / 0.01 · 1.22 / 0.01 = 142.5 Mbit/s; ESnet saw up to four times that: 570 Mbit/s
    assert "×1 – ×4" in text and "142 Mbit/s – 570 Mbit/s" in text
    assert "linewise calc mathis_throughput mss=1460 rtt=10ms packet_loss=1e-4" in text
    beyond = client.get("/formulas/mathis_throughput?mss=1460&rtt=10ms&packet_loss=0.05").text
    assert "超出公式的适用范围 0 至 0.01" in beyond
