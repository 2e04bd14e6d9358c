"""The workload form and the rules: presets, what stays typed, what is refused, what is saved."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.fields import Kind
from app.domain.policy import parse_policy
from app.domain.presets import BY_ID, PRESETS
from app.domain.requirement import derive
from app.domain.text import Language
from app.domain.workload import parse_workload
from app.presentation import format as fmt
from app.services.projects import get_project
from app.services.workload import save_policy
from app.web.pages.workload_form import FIELDS, FIRST_PRESETS, preset_json, state_of

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.testclient import TestClient

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(1)>{{ 7*7 }}'


class Form(HTMLParser):
    """The values of the inputs of a page by name, and its ids."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.values: dict[str, list[str]] = {}
        self.ids: list[str] = []
        self.links: list[str] = []
        self.select = ""
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        name, kind = given.get("name") or "", given.get("type")
        if tag == "select":
            self.select = name
        elif tag == "option" and "selected" in given:
            self.values[self.select] = [given.get("value") or ""]
        elif tag == "input" and name and (kind not in ("checkbox", "radio") or "checked" in given):
            before = self.values.get(name, []) if kind == "checkbox" else []
            self.values[name] = [*before, given.get("value") or ""]


def start(client: TestClient, name: str = "扩容") -> str:
    """The address of a new project."""
    where = str(client.post("/projects", data={"name": name}).headers["location"])
    return where.removesuffix("/workload")


def sent(raw: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A form as a browser sends it; `__` in a name stands for a dot."""
    values: dict[str, Any] = {
        name: value.split(",") if FIELDS[name].kind is Kind.CHOICES else value
        for name, value in state_of(raw).values.items()
    }
    return values | {"version": "1"} | {k.replace("__", "."): v for k, v in changes.items()}


DATA = BY_ID["175b_data"].workload


# ---- presets


@pytest.mark.parametrize("preset", [p.id for p in PRESETS])
@pytest.mark.parametrize("language", list(Language))
def test_a_preset_fills_the_form_and_the_form_gives_the_preset_back(
    client: TestClient, preset: str, language: Language
) -> None:
    home = start(client)
    page = client.get(f"{home}/workload?preset={preset}&lang={language.value}")
    assert page.status_code == 200
    form = Form(page.text)
    saved = client.post(f"{home}/workload", data={k: v for k, v in form.values.items() if k not in ("actor", "next")})
    assert (saved.status_code, saved.headers["location"]) == (303, f"{home}/requirement")
    stored = client.get(f"{home}/workload.json").json()
    wanted = preset_json(preset, language)
    assert stored == parse_workload(wanted).as_json()


def test_the_four_presets_of_the_issue_come_first(client: TestClient) -> None:
    links = [link for link in Form(client.get(f"{start(client)}/workload").text).links if "preset=" in link]
    assert tuple(link.partition("preset=")[2] for link in links[:4]) == FIRST_PRESETS
    assert len(links) == len(PRESETS)


def test_an_unknown_preset_is_an_empty_form(client: TestClient) -> None:
    page = client.get(f"{start(client)}/workload?preset=none")
    assert page.status_code == 200
    assert "还需填写" in page.text


# ---- scenarios and sections


@pytest.mark.parametrize(
    ("scenario", "shown", "hidden"),
    [("training", "模型", "推理服务"), ("inference", "推理服务", "模型"), ("bulk", "数据搬运", "模型")],
)
def test_the_address_chooses_the_sections(client: TestClient, scenario: str, shown: str, hidden: str) -> None:
    text = client.get(f"{start(client)}/workload?scenario={scenario}").text
    assert f'<section class="group">\n<h3>{shown}</h3>' in text
    assert f'<section class="group" hidden>\n<h3>{hidden}</h3>' in text


def test_switching_the_scenario_keeps_what_was_typed(client: TestClient) -> None:
    home = start(client)
    typed = sent(DATA, scenario="bulk", training__gpus="kept 128")
    whole = client.post(f"{home}/workload/preview", data=typed)
    part = client.post(f"{home}/workload/preview?part=groups", data=typed, headers={"hx-request": "true"})
    for answer in (whole, part):
        assert answer.status_code == 200
        assert Form(answer.text).values["training.gpus"] == ["kept 128"]
    assert "<html" in whole.text
    assert part.text.startswith('<div id="groups"')


def test_fields_can_be_filled_by_the_address_and_nothing_else_can(client: TestClient) -> None:
    home = start(client)
    client.post(f"{home}/workload", data=sent(DATA))
    page = client.get(f"{home}/workload?training.crossing=pipeline&training.target_sync_s=&evil=1&version=99")
    values = Form(page.text).values
    assert values["training.crossing"] == ["pipeline"]
    assert values["training.target_sync_s"] == [""]
    assert values["version"] == ["2"]
    assert "尚未保存" in page.text


# ---- refusals


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("training.gpus", "NaN"), ("training.parameters", "1e308"), ("training.parameters", "1e999"),
        ("training.parameters", "-1"), ("training.gpus", "128.5"), ("training.layers", "0"),
        ("training.gpu.mfu", "Infinity"), ("training.gpu.mfu", "1.2"), ("distance_km", "-3"),
        ("training.crossing", "teleport"), ("training.parameters", ""), ("training.parameters", "175B"),
        ("network.payload_bytes", "64"), ("training.zero_stage", "4"), ("scenario", "war"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_stays_typed_with_its_reason_beside_it(client: TestClient, field: str, typed: str) -> None:
    home = start(client)
    answer = client.post(f"{home}/workload", data=sent(DATA) | {field: typed})
    form = Form(answer.text)
    assert answer.status_code == 422
    anchor = "f-" + field.replace(".", "-")
    assert f"#{anchor}" in form.links or field == "scenario"
    assert anchor in form.ids
    if field not in ("training.crossing", "scenario"):
        assert form.values[field] == [typed]
        assert f'id="{anchor}-error"' in answer.text
    assert form.values["training.hidden_size"] == ["12288"], "the rest stays"
    assert client.get(f"{home}/workload.json").status_code == 422, "nothing was stored"


def test_a_figure_that_cannot_be_read_is_named_once(client: TestClient) -> None:
    text = client.post(f"{start(client)}/workload", data=sent(DATA, training__gpus="many")).text
    assert "应为数字" in text
    assert "请填写「GPU 总数」" not in text


@pytest.mark.parametrize(
    ("changes", "anchor", "words"),
    [
        ({"training__gpus": "100"}, "f-training-gpus", "TP 8 × PP 8 × DP 2 = 128"),
        ({"training__global_batch_tokens": "1"}, "f-training-global_batch_tokens", "不等于"),
        ({"training__gpu__memory_gb": "1"}, "f-training-gpu-memory_gb", "超过显存"),
        ({"training__deadline_days": "3"}, "f-training-total_tokens", "须同时填写"),
    ],
)
def test_contradictions_are_named_at_their_field(
    client: TestClient, changes: dict[str, str], anchor: str, words: str
) -> None:
    answer = client.post(f"{start(client)}/workload", data=sent(DATA, **changes))
    assert answer.status_code == 422
    error = answer.text.partition(f'id="{anchor}-error"')[2].partition("</p>")[0]
    assert words in error


def test_a_folded_group_with_an_error_is_open(client: TestClient) -> None:
    text = client.post(f"{start(client)}/workload", data=sent(DATA, network__streams="0")).text
    fold = text.partition('name="network.streams"')[0].rpartition("<details")[2]
    assert fold.startswith(' class="fold" open>')


def test_inference_asks_for_its_own_fields(client: TestClient) -> None:
    raw = BY_ID["prefill_decode"].workload
    answer = client.post(f"{start(client)}/workload", data=sent(raw, inference__prefill_s=""))
    assert answer.status_code == 422
    assert 'id="f-inference-prefill_s-error"' in answer.text


@pytest.mark.parametrize("name", ["name", "training.gpu.model", "training.gpus", "training.gpu.currency"])
def test_hostile_text_stays_text(client: TestClient, name: str) -> None:
    home = start(client, HOSTILE[:100])
    answers = [client.post(f"{home}/workload", data=sent(DATA) | {name: HOSTILE})]
    answers.append(client.post(f"{home}/workload/preview", data=sent(DATA) | {name: HOSTILE}))
    answers += [client.get(f"{home}/{step}", follow_redirects=True) for step in ("workload", "requirement", "rules")]
    for answer in answers:
        assert "<script>alert" not in answer.text
        assert "<img" not in answer.text
        assert "49" not in answer.text.partition("{{ 7*7 }}")[0][-3:]


# ---- saving


def test_somebody_saved_meanwhile(client: TestClient, app: FastAPI) -> None:
    home = start(client)
    client.post(f"{home}/workload", data=sent(DATA), headers={"cookie": "actor=%E6%9D%8E"})
    late = client.post(f"{home}/workload", data=sent(DATA, distance_km="321"))
    assert late.status_code == 409
    form = Form(late.text)
    assert form.values["distance_km"] == ["321"]
    assert "李" in late.text
    assert "<td>500</td><td>321</td>" in late.text
    assert get_project(app.state.store, home.rpartition("/")[2]).workload["distance_km"] == 500  # type: ignore[index]
    again = client.post(f"{home}/workload", data=sent(DATA, distance_km="321") | {"version": form.values["version"]})
    assert again.status_code == 303
    assert client.get(f"{home}/workload.json").json()["distance_km"] == 321


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 40, "１"])
def test_a_version_that_never_was_is_a_conflict(client: TestClient, version: str) -> None:
    assert client.post(f"{start(client)}/workload", data=sent(DATA) | {"version": version}).status_code == 409


@pytest.mark.parametrize("path", ["workload", "requirement", "rules", "workload.json", "questionnaire.xlsx"])
def test_a_project_that_is_not_there(client: TestClient, path: str) -> None:
    assert client.get(f"/projects/nowhere/{path}").status_code == 404


# ---- preview


def test_the_preview_is_the_core_s_own_figure(client: TestClient) -> None:
    home = start(client)
    changed = json.loads(json.dumps(DATA))
    changed["training"]["target_sync_s"] = 5
    floor = derive(parse_workload(changed), parse_policy(None)).main.floor
    answer = client.post(
        f"{home}/workload/preview", data=sent(DATA, training__target_sync_s="5"), headers={"hx-request": "true"}
    )
    assert "<html" not in answer.text
    assert fmt.rate(floor, "zh") in answer.text
    assert client.get(f"{home}/workload.json").status_code == 422, "a preview stores nothing"


def test_the_preview_says_what_is_missing_and_what_is_wrong(client: TestClient) -> None:
    url = f"{start(client)}/workload/preview"
    headers = {"hx-request": "true"}
    bare = client.post(url, data={"scenario": "training"}, headers=headers)
    assert (bare.status_code, "参数量、层数" in bare.text) == (200, True)
    wrong = client.post(url, data=sent(DATA, training__gpus="96"), headers=headers)
    assert "与 GPU 总数 96 不符" in wrong.text


# ---- JSON


def test_json_fills_the_form_and_stores_nothing(client: TestClient) -> None:
    home = start(client)
    answer = client.post(f"{home}/workload/import", data={"text": json.dumps(DATA)})
    assert (answer.status_code, Form(answer.text).values["training.gpus"]) == (200, ["128"])
    assert client.get(f"{home}/workload.json").status_code == 422


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "NaN",
        '{"training": 1}',
        '{"scenario": ["x"]}',
        '{"scenario":"bulk","bulk":{"bytes":true}}',
        HOSTILE,
    ],
)
def test_json_that_cannot_be_used(client: TestClient, text: str) -> None:
    answer = client.post(f"{start(client)}/workload/import", data={"text": text})
    assert answer.status_code == 422
    assert 'class="problems"' in answer.text
    assert "<script>alert" not in answer.text


# ---- rules


def test_the_rules_show_default_range_and_source_and_are_kept(client: TestClient) -> None:
    home = start(client)
    text = client.get(f"{home}/rules").text
    assert "默认 1.25 · 可取 1–3 · 来源：专线选型文章" in text
    values = Form(text).values
    changed = values | {
        "policy.reserve": ["1.3"],
        "policy.horizon_months": ["36"],
        "policy.availability_floor": ["99.95%"],
    }
    assert client.post(f"{home}/rules", data=changed).status_code == 303
    after = Form(client.get(f"{home}/rules").text).values
    assert [after[f"policy.{n}"][0] for n in ("reserve", "horizon_months", "availability_floor")] == [
        "1.3",
        "36",
        "0.9995",
    ]


def test_the_preset_is_chosen_on_the_page_and_weights_stay(client: TestClient, app: FastAPI) -> None:
    home = start(client)
    page = client.get(f"{home}/rules").text
    assert page.count("先过四步门槛，再按有效月成本或加权得分排名") == 1
    values = Form(page).values
    assert values["policy.preset"] == ["pass-then-cost"]
    for code in ("AI-training", "gov-service", "pass-then-cost", "AI-training"):
        assert client.post(f"{home}/rules", data=values | {"policy.preset": [code]}).status_code == 303
        values = Form(client.get(f"{home}/rules").text).values
        assert values["policy.preset"] == [code]
    store, key = app.state.store, home.rpartition("/")[2]
    own = get_project(store, key).policy | {"weights": {"price": 15, "platform": 15}}
    save_policy(store, key, own, "", get_project(store, key).version)
    page = client.get(f"{home}/rules").text
    assert "另有 2 项权重由 JSON 设定" in page
    assert client.post(f"{home}/rules", data=Form(page).values | {"policy.reserve": ["1.3"]}).status_code == 303
    assert get_project(store, key).policy["weights"] == {"price": 15, "platform": 15}
    values = Form(client.get(f"{home}/rules").text).values
    bad = client.post(f"{home}/rules", data=values | {"policy.preset": ["cheapest"]})
    assert (bad.status_code, "policy-preset-error" in bad.text) == (422, True)


def test_rules_that_cannot_be_used_and_rules_changed_meanwhile(client: TestClient) -> None:
    home = start(client)
    values = Form(client.get(f"{home}/rules").text).values
    bad = client.post(f"{home}/rules", data=values | {"policy.reserve": ["9"], "policy.evaluation_date": ["soon"]})
    assert bad.status_code == 422
    assert Form(bad.text).values["policy.reserve"] == ["9"]
    assert 'id="f-policy-evaluation_date-error"' in bad.text
    client.post(f"{home}/rules", data=values)
    late = client.post(f"{home}/rules", data=values | {"policy.reserve": ["1.4"]})
    assert (late.status_code, Form(late.text).values["policy.reserve"]) == (409, ["1.4"])


# ---- both languages, no script


@pytest.mark.parametrize("path", ["workload", "workload?preset=175b_data", "rules"])
def test_the_english_page_is_english(client: TestClient, path: str) -> None:
    home = start(client, "Expansion")
    text = client.get(f"{home}/{path}", headers={"accept-language": "en"}).text
    shown = text.replace("中文", "")
    assert not [c for c in shown if "\u4e00" <= c <= "\u9fff"]


@pytest.mark.parametrize("path", ["workload", "rules"])
def test_every_id_is_there_once_and_everything_posts_without_script(client: TestClient, path: str) -> None:
    form = Form(client.get(f"{start(client)}/{path}").text)
    assert len(form.ids) == len(set(form.ids))
    assert form.values["version"] == ["1"]


def test_a_field_nobody_knows_is_named_and_an_unknown_preset_fills_nothing(client: TestClient) -> None:
    address = client.post("/projects", data={"name": "字段"}).headers["location"]
    answer = client.post(f"{address}/import", data={"text": '{"scenario": "bulk", "colour": 1}'})
    assert answer.status_code == 422
    assert "「colour」没有这个字段" in answer.text.replace("&#34;", '"')
    assert "尚未保存" not in client.get(f"{address}?preset=nope").text
    assert "请先填写工作负载" in client.get(f"{address}.json").text


def test_units_in_the_form_speak_the_language_of_the_page(client: TestClient) -> None:
    address = client.post("/projects", data={"name": "单位"}).headers["location"]
    assert '<span class="unit">字节</span>' in client.get(address).text
    english = client.get(address, headers={"accept-language": "en"}).text
    assert '<span class="unit">bytes</span>' in english
