"""The review page: what each button does, to the page and to the assessment, with and without a script."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.facts import Evidence, Fact, Offer, State
from app.services import documents, offers
from app.services.assessing import assess_project
from app.services.workload import save_workload
from app.sheets.reading import FileReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import FastAPI
    from starlette.testclient import TestClient

    from app.store.records import FactRecord, OfferRecord
    from app.store.unit_of_work import Store

HTMX = {"hx-request": "true"}
SCRIPT = '<script>alert(1)</script>"><img src=x>'
WORKLOAD = {
    "scenario": "training",
    "distance_km": 500,
    "training": {
        "parameters": 1.75e11, "layers": 96, "hidden_size": 12288, "sequence_length": 2048,
        "global_batch_tokens": 262144, "micro_batches": 64, "sites": 2, "gpus": 128, "tensor_parallel": 8,
        "pipeline_parallel": 8, "data_parallel": 2, "crossing": "data", "overlap": "last_micro_batch",
        "step_compute_s": 13.638, "target_sync_s": 10,
        "gpu": {"model": "A100-80", "peak_tflops": 312, "mfu": 0.5, "hour_price": 10, "currency": "CNY"},
    },
}  # fmt: skip


def fact(metric: str, value: Any, unit: str | None = None, **more: Any) -> Fact:
    """A fact read from a sheet of our own, in the canonical unit."""
    number = Decimal(value) if isinstance(value, str) and unit else value
    evidence = Evidence(
        reader="xlsx", quote=more.pop("quote", f"words of {metric}"), file="offer.xlsx", sheet="SLA", cell="B2"
    )
    state = more.pop("state", State.STATED)
    return Fact(metric=metric, state=state, value=number, unit=unit, evidence=evidence, confidence=0.97, **more)


FACTS = (
    fact("monthly_charge", "400000", "CNY", currency="CNY"),
    fact("bandwidth", "400000000000", "bit/s", commitment="guarantee"),
    fact("rtt", "0.008", "s", statistic="p99", direction="round_trip", commitment="guarantee"),
    fact("packet_loss", "0.0000001", "1", operator="<=", commitment="guarantee"),
    fact("availability", "0.9999", "1", scope="end_to_end", period="month", commitment="guarantee"),
    fact("jitter", None, "s", state=State.AMBIGUOUS, readings=(Decimal("0.00005"), Decimal(5)), statistic="p99"),
    fact("telemetry", True),
    fact("delivery", "45", "day"),
)


@dataclass
class Review:
    """A project with one read offer, and a browser on its page."""

    client: TestClient
    store: Store
    project: str
    page: str

    def offer(self) -> OfferRecord:
        return offers.list_offers(self.store, self.project)[0]

    def fact(self, metric: str) -> FactRecord:
        return next(f for f in self.offer().live_facts if f.fact.metric == metric)

    def address(self, *rest: str) -> str:
        return "/".join([self.page, self.offer().id, *rest])

    def act(self, metric: str, action: str, headers: dict[str, str] | None = None, **fields: str) -> Any:
        found = self.fact(metric)
        data = {"action": action, "version": str(found.version)} | fields
        return self.client.post(self.address("facts", found.id), data=data, headers=headers or {})

    def status(self, check: str) -> str:
        with self.store.read() as unit:
            *_, assessment = assess_project(unit, self.project)
        checks = assessment.as_json()["offers"][0]["checks"]
        return next(str(c["status"]) for c in checks if c["id"] == check)

    def sign(self, name: str = "王敏") -> None:
        self.client.post("/preferences", data={"actor": name, "next": "/"})


def read_into(store: Store, project: str, vendor: str, product: str | None, facts: tuple[Fact, ...]) -> None:
    """Store one read offer as an upload would."""
    content = f"{vendor}{product}".encode()

    def reader(files: Sequence[tuple[str, bytes]]) -> list[FileReading]:
        offer = Offer(vendor=vendor, product=product, facts=facts)
        digest = hashlib.sha256(files[0][1]).hexdigest()
        return [FileReading(name=files[0][0], sha256=digest, kind="xlsx", status="read", offers=(offer,))]

    documents.upload(store, project, [("报价.xlsx", content)], reader=reader)


@pytest.fixture
def review(app: FastAPI, client: TestClient) -> Review:
    project = client.post("/projects", data={"name": "核对"}).headers["location"].split("/")[2]
    store: Store = app.state.store
    save_workload(store, project, WORKLOAD, "李", 1)
    read_into(store, project, "甲山通信", "400G", FACTS)
    return Review(client, store, project, f"/projects/{project}/offers")


def titles(page: str) -> list[str]:
    """The metrics in the order of the rows."""
    return re.findall(r'<tbody id="(?:fact|missing)-[^"]+">\s*<tr>\s*<th[^>]*>([^<·]+)', page)


def test_title_counts_and_gates_stand_first(review: Review) -> None:
    page = review.client.get(review.page).text
    assert "<h1>8 项数值待核对，其中 6 项决定门槛</h1>" in page
    order = [title.strip() for title in titles(page)]
    gates = ["带宽（每方向）", "分段带宽", "往返时延", "抖动", "丢包率", "可用性", "收敛比（运营商网内）"]
    assert order[: len(gates)] == gates
    assert order.index("端到端监测") < order.index("月租费")
    assert "≤ 1×10⁻⁷" in page
    assert "words of rtt" in page
    assert "工作表 SLA · B2" in page
    assert "97\u202f%" in page
    english = review.client.get(f"{review.page}?lang=en").text
    assert "<h1>8 values wait for a check; 6 of them decide a gate</h1>" in english


def test_a_name_is_asked_once_and_what_was_meant_goes_on(review: Review) -> None:
    asked = review.act("bandwidth", "confirm", HTMX)
    assert asked.status_code == 422
    assert 'name="actor"' in asked.text
    assert 'name="action" value="confirm"' in asked.text
    assert review.fact("bandwidth").fact.confirmed_by is None
    done = review.act("bandwidth", "confirm", HTMX, actor=" 王敏 ", offer_version="1")
    assert done.status_code == 200
    assert review.fact("bandwidth").fact.confirmed_by == "王敏"
    assert "7 项数值待核对" in done.text  # the counts above come with the row
    again = review.act("rtt", "confirm", HTMX)
    assert again.status_code == 200
    assert review.fact("rtt").fact.confirmed_by == "王敏"


def test_without_script_the_page_comes_back_to_the_row(review: Review) -> None:
    asked = review.act("bandwidth", "confirm")
    assert asked.status_code == 422
    assert "<!doctype html>" in asked.text
    assert "请填写您的姓名" in asked.text
    stored = review.fact("bandwidth")
    done = review.act("bandwidth", "confirm", actor="王敏")
    assert done.status_code == 303
    assert done.headers["location"] == f"{review.address()}#fact-{stored.id}"
    opened = review.client.get(review.address("facts", stored.id))
    assert "<!doctype html>" in opened.text
    assert 'id="e-value" name="value" value="400"' in opened.text
    row = review.client.get(review.address("facts", stored.id), headers=HTMX).text
    assert "<!doctype" not in row
    assert row.lstrip().startswith(f'<tbody id="fact-{stored.id}">')


def test_a_correction_keeps_the_old_value_in_sight(review: Review) -> None:
    review.sign()
    old = review.fact("packet_loss")
    assert review.status("loss.packet_loss") == "pass"
    done = review.act("packet_loss", "correct", HTMX, value="0.1%", reason="来函更正", commitment="guarantee")
    assert done.status_code == 200
    assert f'id="fact-{old.id}"' in done.text  # the row keeps its anchor
    assert "<s>≤ 1×10⁻⁷" in done.text
    assert "王敏（自报）更正" in done.text
    assert "UTC+8" in done.text
    new = review.fact("packet_loss")
    assert (new.fact.value, new.origin) == (Decimal("0.001"), "corrected")
    assert review.status("loss.packet_loss") == "fail"
    english = review.client.get(f"{review.page}?lang=en").text
    assert "王敏, as given: corrected" in english


def test_attributes_are_corrected_with_the_value(review: Review) -> None:
    review.sign()
    review.act("rtt", "correct", value="8", statistic="mean", direction="", commitment="target", condition="")
    now = review.fact("rtt").fact
    assert (now.statistic, now.direction, now.commitment) == ("mean", None, "target")
    page = review.client.get(review.page).text
    assert "方向未写明" in page
    review.act("monthly_charge", "correct", value="41 万元", currency="usd")
    price = review.fact("monthly_charge").fact
    assert (price.value, price.currency) == (Decimal(410000), "USD")


def test_saving_what_was_read_is_a_confirmation(review: Review) -> None:
    review.sign()
    fields = {"statistic": "p99", "direction": "round_trip", "scope": "", "commitment": "guarantee", "condition": ""}
    review.act("rtt", "correct", None, value="8", **fields)
    assert review.fact("rtt").origin == "read"
    assert review.fact("rtt").fact.confirmed_by == "王敏"


def test_what_cannot_be_read_stays_in_the_field(review: Review) -> None:
    review.sign()
    for value, said in (("abc", "应为一个数字"), ("", "请填写"), ("99 Gbps", "单位不对"), ("1e99", "应在")):
        answer = review.act("rtt", "correct", HTMX, value=value, reason="r")
        assert answer.status_code == 422
        assert said in answer.text
        assert f'name="value" value="{value}"' in answer.text
        assert 'value="r"' in answer.text
    assert review.fact("rtt").origin == "read"


def test_not_committed_fails_a_gate(review: Review) -> None:
    review.sign()
    review.act("availability", "none")
    assert review.fact("availability").fact.state is State.NONE
    assert review.status("sla.availability") == "fail"
    assert "不承诺" in review.client.get(review.page).text


def test_a_reading_is_chosen(review: Review) -> None:
    review.sign()
    page = review.client.get(review.page).text
    assert "0.05 ms / 5,000 ms" in page.replace("\u00a0", " ")
    assert 'value="reading-1"' in page
    assert review.act("jitter", "confirm", HTMX).status_code == 422
    assert review.act("jitter", "reading-7", HTMX).status_code == 422
    assert review.status("latency.jitter") == "unknown"
    review.act("jitter", "reading-0")
    assert review.fact("jitter").fact.value == Decimal("0.00005")
    assert review.status("latency.jitter") == "pass"


def test_set_aside_and_taken_back(review: Review) -> None:
    review.sign()
    stored = review.fact("telemetry")
    aside = review.act("telemetry", "aside", HTMX)
    assert "取回" in aside.text
    assert review.status("platform.telemetry") == "unknown"
    page = review.client.get(review.page).text
    assert "已移出" in page
    version = re.search(rf'fact-{stored.id}".*?name="version" value="(\d+)"', page, re.DOTALL)
    assert version
    review.client.post(review.address("facts", stored.id), data={"action": "back", "version": version[1]})
    assert review.status("platform.telemetry") == "pass"


def test_what_is_missing_is_added(review: Review) -> None:
    review.sign()
    assert review.status("topology.oversubscription") == "unknown"
    opened = review.client.get(review.address("missing", "oversubscription"), headers=HTMX).text
    assert "供应商不承诺" in opened
    assert ":1" in opened
    bad = review.client.post(review.address("missing", "oversubscription"), data={"action": "add", "value": ""})
    assert bad.status_code == 422
    added = review.client.post(review.address("missing", "oversubscription"), data={"action": "add", "value": "1"})
    assert added.status_code == 303
    assert review.status("topology.oversubscription") == "pass"
    twice = review.client.post(review.address("missing", "oversubscription"), data={"action": "add", "value": "2"})
    assert twice.status_code == 409
    declined = review.client.post(review.address("missing", "repair_time"), data={"action": "none"}, headers=HTMX)
    assert "不承诺" in declined.text
    assert review.client.get(review.address("missing", "nonsense")).status_code == 422


def test_somebody_else_was_first(review: Review) -> None:
    review.sign("王敏")
    stored, address = review.fact("rtt"), review.address("facts", review.fact("rtt").id)
    seen = {"version": str(stored.version), "action": "correct"}
    review.client.post(address, data=seen | {"value": "6", "statistic": "p99", "direction": "round_trip"})
    review.sign("赵磊")
    for headers in ({}, HTMX):
        late = review.client.post(address, data=seen | {"value": "12"}, headers=headers)
        assert late.status_code == 409
        assert "王敏已修改过这里" in late.text
        assert "您填写：" in late.text
        assert re.search(r"现为：\s*6\u00a0ms", late.text)
        assert 'name="value" value="12"' in late.text
    assert review.fact("rtt").fact.value == Decimal("0.006")
    confirmed = review.client.post(address, data={"version": "1", "action": "confirm"}, headers=HTMX)
    assert confirmed.status_code == 409


def test_everything_of_an_offer_is_confirmed(review: Review) -> None:
    offer = review.offer()
    nameless = review.client.post(review.address("confirm"), data={"version": str(offer.version)})
    assert nameless.status_code == 422
    assert "请填写您的姓名" in nameless.text
    done = review.client.post(review.address("confirm"), data={"version": str(offer.version), "actor": "王敏"})
    assert done.status_code == 303
    assert review.offer().unconfirmed == 1  # the ambiguous one stays open
    stale = review.client.post(review.address("confirm"), data={"version": str(offer.version)})
    assert stale.status_code == 409
    assert "王敏已修改过这里" in stale.text


def test_confirming_all_never_covers_an_unseen_change(review: Review) -> None:
    """The row's answer moves the version on only when the page knew the one before."""
    review.sign()
    known = review.act("bandwidth", "confirm", HTMX, offer_version=str(review.offer().version))
    assert f'name="offer_version" value="{review.offer().version}"' in known.text
    behind = review.offer().version
    review.act("telemetry", "confirm")  # another browser
    answer = review.act("rtt", "confirm", HTMX, offer_version=str(behind))
    assert f'name="offer_version" value="{behind}"' in answer.text
    refused = review.client.post(review.address("confirm"), data={"version": str(behind)})
    assert refused.status_code == 409


def test_rename_copy_delete_and_bring_back(review: Review) -> None:
    review.sign()
    offer = review.offer()
    names = {"vendor": "甲山", "product": "400G 智算"}
    stale = review.client.post(review.address("rename"), data=names | {"version": "99"})
    assert stale.status_code == 409
    assert "甲山 · 400G 智算" in stale.text
    assert "甲山通信 · 400G" in stale.text
    empty = review.client.post(review.address("rename"), data={"vendor": " ", "version": str(offer.version)})
    assert empty.status_code == 422
    assert review.client.post(review.address("rename"), data=names | {"version": str(offer.version)}).status_code == 303
    assert review.offer().key == ("甲山", "400G 智算")
    assert review.client.post(review.address("copy")).status_code == 303
    assert [o.product for o in offers.list_offers(review.store, review.project)] == ["400G 智算", "400G 智算 (2)"]
    gone = review.client.post(review.address("delete"), data={"version": str(review.offer().version)})
    page = review.client.get(gone.headers["location"]).text
    assert "甲山已移出比选。" in page
    assert "撤销" in page
    again = re.search(r'action="([^"]+/restore)".*?name="version" value="(\d+)"', page, re.DOTALL)
    assert again
    assert review.client.post(again[1], data={"version": again[2]}).status_code == 303
    assert len(offers.list_offers(review.store, review.project)) == 2
    assert review.client.post(review.address("nonsense")).status_code == 404


def test_facts_of_another_project_are_not_found(review: Review) -> None:
    other = review.client.post("/projects", data={"name": "其他"}).headers["location"].split("/")[2]
    offer, stored = review.offer().id, review.fact("rtt").id
    for path in (offer, f"{offer}/facts/{stored}", f"{offer}/edit", f"{offer}/missing/mtu"):
        assert review.client.get(f"/projects/{other}/offers/{path}").status_code == 404
    data = {"action": "confirm", "version": "1", "actor": "x"}
    assert review.client.post(f"/projects/{other}/offers/{offer}/facts/{stored}", data=data).status_code == 404
    assert review.client.post(review.address("facts", "none"), data=data).status_code == 404


@pytest.mark.parametrize("language", ["zh", "en"])
def test_hostile_and_long_names_stand_there_as_text(review: Review, language: str) -> None:
    read_into(
        review.store, review.project, SCRIPT, "长" * 300, (fact("bandwidth", "1000000000", "bit/s", quote=SCRIPT),)
    )
    hostile = offers.list_offers(review.store, review.project)[1]
    review.sign(SCRIPT[:40])
    for path in (hostile.id, f"{hostile.id}/facts/{hostile.facts[0].id}", f"{hostile.id}/edit"):
        page = review.client.get(f"{review.page}/{path}?lang={language}")
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
        assert "&lt;script&gt;alert" in page.text
        assert "长" * 300 in page.text  # nothing of the name is lost


def test_english_pages_speak_english(review: Review) -> None:
    offers.delete_offer(review.store, review.project, review.offer().id, "Li", review.offer().version)
    plain = tuple(fact(f.metric, f.value, f.unit, state=f.state, readings=f.readings) for f in FACTS)
    project = review.client.post("/projects", data={"name": "Review"}).headers["location"].split("/")[2]
    content = b"A,B"
    offer = Offer(vendor="Alpha", product="Wave", facts=plain)
    reading = FileReading(
        name="a.csv", sha256=hashlib.sha256(content).hexdigest(), kind="csv", status="read", offers=(offer,)
    )
    documents.upload(review.store, project, [("a.csv", content)], reader=lambda _: [reading])
    stored = offers.list_offers(review.store, project)[0]
    base = f"/projects/{project}"
    for path in (
        "sheets",
        "offers",
        "offers/new",
        f"offers/{stored.id}/edit",
        f"offers/{stored.id}/facts/{stored.facts[2].id}",
    ):
        text = re.sub(r'lang="zh">[^<]*<', "<", review.client.get(f"{base}/{path}?lang=en").text)
        assert not re.findall(r"[\u4e00-\u9fff]+", text), path


FORM = {
    "vendor": "丁湖", "product": "100G", "actor": "王敏", "bandwidth_gbps": "100", "rtt_ms": "10",
    "rtt_statistic": "p99",
    "sla.availability": "99.99%", "sla.scope": "end_to_end", "no.packet_loss": "true", "platform.telemetry": "false",
    "price.monthly": "30 万元", "price.currency": "CNY", "encapsulation": ["vlan", "macsec"],
    "sla.exclusions": ["planned_maintenance", "台风、地震"], "segments.0.name": "A 端",
    "segments.0.bandwidth_gbps": "100",
    "segments.3.name": "骨干", "segments.3.bandwidth_gbps": "40", "sla.credit_tiers.0.from": "99.9%",
    "sla.credit_tiers.0.to": "99.99%", "sla.credit_tiers.0.credit": "10%", "sla.credit_tiers.1.from": "30 分钟",
    "sla.credit_tiers.1.credit": "5%", "sla.credit_tiers.1.basis": "outage_duration", "quote.valid_until": "2027-03-31",
}  # fmt: skip


def typed(review: Review) -> OfferRecord:
    """The offer that was typed in."""
    return offers.list_offers(review.store, review.project)[-1]


def test_an_offer_is_typed_in(review: Review) -> None:
    empty = review.client.get(f"{review.page}/new").text
    assert empty.count('<option value="">未写明</option>') > 20
    answer = review.client.post(f"{review.page}/new", data=FORM)
    assert answer.status_code == 303
    raw = offers.offer_form(review.store, review.project, typed(review).id)
    assert (raw["vendor"], raw["bandwidth_gbps"], raw["rtt_ms"]) == ("丁湖", 100, 10)
    assert raw["packet_loss"] is False
    assert raw["platform"] == {"telemetry": False}
    assert raw["price"] == {"monthly": 300000, "currency": "CNY"}
    assert raw["sla"]["exclusions"] == ["planned_maintenance", "台风、地震"]
    assert [s["bandwidth_gbps"] for s in raw["segments"]] == [100, 40]
    assert raw["sla"]["credit_tiers"] == [
        {"from": 0.999, "to": 0.9999, "credit": 0.1},
        {"from": 1800, "to": None, "credit": 0.05, "basis": "outage_duration"},
    ]
    page = review.client.get(answer.headers["location"]).text
    assert "王敏（自报）录入" in page
    assert "没有文件依据" in page


def test_the_form_keeps_what_was_typed(review: Review) -> None:
    wrong = FORM | {"rtt_ms": "很快", "segments.3.bandwidth_gbps": "-5", "vendor": "", "actor": ""}
    answer = review.client.post(f"{review.page}/new", data=wrong)
    assert answer.status_code == 422
    assert 'name="rtt_ms" value="很快"' in answer.text
    assert "「往返时延」应为一个数字" in answer.text
    assert 'href="#f-segments-3-bandwidth_gbps"' in answer.text
    assert 'value="台风、地震" checked' in answer.text
    assert 'name="no.packet_loss" value="true" checked' in answer.text
    assert len(offers.list_offers(review.store, review.project)) == 1
    unnamed = review.client.post(f"{review.page}/new", data=FORM | {"actor": ""})
    assert unnamed.status_code == 422
    assert "请填写您的姓名" in unnamed.text
    domain = review.client.post(f"{review.page}/new", data=FORM | {"vendor": "", "sla.credit_tiers.1.credit": ""})
    assert domain.status_code == 422
    assert "赔付档位须写明" in domain.text
    assert 'href="#f-sla-credit_tiers-1-credit"' in domain.text
    both = review.client.post(f"{review.page}/new", data=FORM | {"packet_loss": "0.001"})
    assert "已勾选「不承诺」" in both.text


def test_an_offer_is_edited_as_a_form(review: Review) -> None:
    review.client.post(f"{review.page}/new", data=FORM)
    record = typed(review)
    address = f"{review.page}/{record.id}/edit"
    page = review.client.get(address).text
    assert 'name="sla.availability" value="99.99%"' in page
    assert 'name="sla.credit_tiers.1.from" value="1800 s"' in page
    unchanged = review.client.post(address, data=FORM | {"version": str(record.version)})
    assert unchanged.status_code == 303
    assert [f.id for f in typed(review).live_facts] == [f.id for f in record.live_facts]
    changed = review.client.post(address, data=FORM | {"version": str(typed(review).version), "rtt_ms": "7"})
    assert changed.status_code == 303
    assert offers.offer_form(review.store, review.project, record.id)["rtt_ms"] == 7
    late = review.client.post(address, data=FORM | {"version": str(record.version), "bandwidth_gbps": "200"})
    assert late.status_code == 409
    assert 'name="bandwidth_gbps" value="200"' in late.text
    assert re.search(r"带宽（每方向）：\s*您填写：200，现为：100", late.text)
    assert re.search(r"往返时延：\s*您填写：10，现为：7", late.text)


def test_editing_a_read_offer_keeps_its_evidence(review: Review) -> None:
    review.sign()
    page = review.client.get(review.address("edit")).text
    fields = dict(re.findall(r'<input[^>]*name="([^"]+)" value="([^"]*)"', page))
    selected = re.findall(r'<select[^>]*name="([^"]+)">(.*?)</select>', page, re.DOTALL)
    for name, options in selected:
        found = re.search(r'value="([^"]*)" selected', options)
        fields[name] = found[1] if found else ""
    fields = {k: v for k, v in fields.items() if not k.startswith("no.") and k not in ("language", "next", "actor")}
    for name in ("encapsulation", "sla.exclusions", "price.items_included"):
        fields.pop(name, None)
    assert review.client.post(review.address("edit"), data=fields).status_code == 303
    assert review.fact("bandwidth").origin == "read"
    assert review.fact("rtt").fact.evidence.quote == "words of rtt"


def test_empty_pages_teach(client: TestClient) -> None:
    project = client.post("/projects", data={"name": "空"}).headers["location"].split("/")[2]
    assert "还没有可核对的报价" in client.get(f"/projects/{project}/offers?lang=zh").text
    assert "No offer to check yet" in client.get(f"/projects/{project}/offers?lang=en").text
    client.post(f"/projects/{project}/sheets", files=[("file", ("x.exe", b"MZ", "x/x"))])
    assert "没有可核对的报价" in client.get(f"/projects/{project}/offers?lang=zh").text


def test_a_name_that_is_too_long_is_refused_by_name(client: TestClient) -> None:
    project = client.post("/projects", data={"name": "长名"}).headers["location"].removesuffix("/workload")
    answer = client.post(f"{project}/offers/new", data={"vendor": "名" * 300, "actor": "王"})
    assert answer.status_code == 422
    assert "「供应商」有 300 个字符" in answer.text
