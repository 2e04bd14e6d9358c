"""The page of vendor material: several files, one outcome each, originals, deletion, in both languages."""

from __future__ import annotations

import io
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import Workbook

from app.sheets.sandbox import Sandbox

if TYPE_CHECKING:
    from starlette.testclient import TestClient

CSV = "供应商,产品,带宽,往返时延,丢包率\n甲山,400G,400 Gbps,10 ms,0.001%\n乙河,100G,100 Gbps,8 ms,0.01%\n"
JSON = {"accept": "application/json"}
SCRIPT = "<script>alert(1)</script>"


def workbook(rows: list[list[object]]) -> bytes:
    """A sheet of our own."""
    book, out = Workbook(), io.BytesIO()
    sheet = book.create_sheet("报价", 0)
    for row in rows:
        sheet.append(row)
    book.save(out)
    return out.getvalue()


def files(*named: tuple[str, bytes]) -> list[tuple[str, tuple[str, bytes, str]]]:
    """Files as a browser sends them, each under the same name."""
    return [("file", (name, content, "application/octet-stream")) for name, content in named]


@pytest.fixture
def sheets(client: TestClient) -> str:
    """The address of the page in a project of its own."""
    answer = client.post("/projects", data={"name": "资料"})
    return str(answer.headers["location"]).replace("workload", "sheets")


def send(client: TestClient, sheets: str, *named: tuple[str, bytes], **headers: str) -> Any:
    """One upload."""
    return client.post(sheets, files=files(*named), headers=headers)


def test_empty_page_teaches_in_both_languages(client: TestClient, sheets: str) -> None:
    zh, en = client.get(f"{sheets}?lang=zh").text, client.get(f"{sheets}?lang=en").text
    assert "请放入供应商资料" in zh
    assert "录入报价" in zh
    assert "Drop in what the vendors sent" in en
    assert "/requirement" in zh
    assert 'enctype="multipart/form-data"' in zh
    assert "1 MiB" in en
    assert "<noscript>" in en


def test_a_bad_file_among_good_ones_loses_only_itself(client: TestClient, sheets: str) -> None:
    big = b"a,b\n" + b"1,2\n" * 300_000
    good, bad = ("报价.csv", CSV.encode()), ("virus.exe", b"MZ" + b"x" * 50)
    answer = send(client, sheets, good, bad, ("big.csv", big), ("leer.csv", b""))
    assert answer.status_code == 200
    page = client.get(sheets).text
    for text in (answer.text, page):
        assert "报价.csv" in text
        assert "甲山" in text
        assert "virus.exe" in text
    assert "EXE" in answer.text
    assert "上限为 1 MiB" in answer.text
    assert "文件是空的" in answer.text
    assert "big.csv" not in page
    assert "已拒绝" in page
    assert "2 份资料" in page
    assert "1 份未能读取" in page


def test_each_file_has_an_outcome_for_programs(client: TestClient, sheets: str) -> None:
    answer = send(client, sheets, ("报价.csv", CSV.encode()), ("x.exe", b"MZ.."), **JSON)
    body = answer.json()
    assert answer.status_code == 200
    assert [f["status"] for f in body["files"]] == ["stored", "refused"]
    assert [o["vendor"] for o in body["files"][0]["offers"]] == ["甲山", "乙河"]
    assert body["files"][1]["code"] == "UNSUPPORTED_KIND"
    assert body["files"][1]["message"].keys() == {"zh", "en"}
    assert body["outcome"]


@pytest.mark.parametrize(
    ("name", "content", "status", "code"),
    [
        ("x.exe", b"MZ..", 422, "UNSUPPORTED_KIND"),
        ("big.csv", b"1" * (1024 * 1024 + 1), 413, "FILE_TOO_LARGE"),
        ("empty.csv", b"", 422, "EMPTY_FILE"),
    ],
)
def test_one_refused_file_is_an_error_to_the_script(
    client: TestClient, sheets: str, name: str, content: bytes, status: int, code: str
) -> None:
    answer = send(client, sheets, (name, content), **JSON)
    assert (answer.status_code, answer.json()["files"][0]["code"]) == (status, code)
    english = send(client, f"{sheets}?lang=en", (name, content), **JSON).json()
    assert english["outcome"].isascii()


def test_the_same_bytes_are_kept_once(client: TestClient, sheets: str) -> None:
    send(client, sheets, ("报价.csv", CSV.encode()))
    again = send(client, sheets, ("改名.csv", CSV.encode()), **JSON)
    assert again.status_code == 200
    assert again.json()["files"][0]["status"] == "same"
    assert "没有重复保存" in again.json()["outcome"]
    assert client.get(sheets).text.count('id="file-') == 1


def test_a_new_version_takes_the_place_of_the_old_offers(client: TestClient, sheets: str) -> None:
    send(client, sheets, ("报价.csv", CSV.encode()))
    newer = send(client, sheets, ("报价.csv", CSV.replace("10 ms", "9 ms").encode()), **JSON).json()
    assert len(newer["files"][0]["replaced"]) == 2
    assert "取代了同名旧文件的 2 份报价" in newer["outcome"]
    page = client.get(sheets).text
    assert "第 2 版" in page
    assert "2 份资料，读出 2 份报价" in page


def test_nothing_chosen_and_too_many_are_said(client: TestClient, sheets: str) -> None:
    for sent in ({}, {"files": files(("", b""))}):
        answer = client.post(sheets, **sent)
        assert answer.status_code == 422
        assert "请选择至少一个文件" in answer.text
    many = [(f"{n}.csv", f"a,{n}\n".encode()) for n in range(21)]
    answer = send(client, sheets, *many)
    assert answer.status_code == 422
    assert "一次最多上传 20 个文件，收到 21 个" in answer.text
    program = send(client, sheets, *many, **JSON)
    assert program.json()["problems"][0]["code"] == "TOO_MANY_FILES"


def test_hidden_values_are_told(client: TestClient, sheets: str) -> None:
    book = Workbook()
    sheet = book.create_sheet("报价", 0)
    for row in (["供应商", "产品", "带宽"], ["甲山", "A", "400 Gbps"], ["乙河", "B", "100 Gbps"]):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    out = io.BytesIO()
    book.save(out)
    send(client, sheets, ("hidden.xlsx", out.getvalue()))
    page = client.get(sheets).text
    assert "对读者不可见" in page
    assert "乙河" in page


def test_the_original_can_only_be_saved(client: TestClient, sheets: str) -> None:
    name = '甲"山;\u202e报价.csv'
    document = send(client, sheets, (name, CSV.encode()), **JSON).json()["files"][0]["document"]
    answer = client.get(f"{sheets}/{document}/original")
    assert answer.content == CSV.encode()
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="sheet-')
    assert disposition.isascii()
    assert "%E7%94%B2" in disposition
    assert "%E2%80%AE" not in disposition
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    stranger = client.post("/projects", data={"name": "其他"}).headers["location"].replace("workload", "sheets")
    assert client.get(f"{stranger}/{document}/original").status_code == 404
    assert client.get(f"{stranger}/{document}/delete").status_code == 404


def test_a_page_is_saved_as_what_it_is(client: TestClient, sheets: str) -> None:
    """A name that ends in `.html` on a workbook never makes a page of the download."""
    content = workbook([["供应商", "带宽"], ["甲", "100 Gbps"]])
    document = send(client, sheets, ("报价.xlsx.html", content), **JSON).json()["files"][0]["document"]
    answer = client.get(f"{sheets}/{document}/original")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")


def test_deleting_asks_and_takes_the_offers_along(client: TestClient, sheets: str) -> None:
    document = send(client, sheets, ("报价.csv", CSV.encode()), **JSON).json()["files"][0]["document"]
    question = client.get(f"{sheets}/{document}/delete").text
    assert "2 份报价" in question
    version = question.split('name="version" value="')[1].split('"')[0]
    stale = client.post(f"{sheets}/{document}/delete", data={"version": "99"})
    assert stale.status_code == 409
    answer = client.post(f"{sheets}/{document}/delete", data={"version": version})
    assert answer.status_code == 303
    assert "请放入供应商资料" in client.get(answer.headers["location"]).text
    assert client.get(f"{sheets}/{document}/original").status_code == 404


def test_hostile_and_long_names_stand_there_as_text(client: TestClient, sheets: str) -> None:
    long = "长" * 300
    rows: list[list[object]] = [["供应商", "产品", "带宽"], [SCRIPT, f'"><img src=x onerror=1>{SCRIPT}', "1 Gbps"]]
    answer = send(client, sheets, (f"{SCRIPT}.xlsx", workbook(rows)), (f"{long}.csv", CSV.encode()))
    for text in (answer.text, client.get(sheets).text, client.get(f"{sheets}?lang=en").text):
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "长长长" in text
        assert long not in text  # shortened by the service, ending kept
        assert "….csv" in text
    assert "&lt;script&gt;alert" in client.get(sheets.replace("sheets", "offers")).text


def test_a_project_that_is_not_there(client: TestClient) -> None:
    assert client.get("/projects/none/sheets").status_code == 404
    assert client.post("/projects/none/sheets", files=files(("a.csv", b"a,b"))).status_code == 404


def test_a_file_sent_after_a_pause_is_read() -> None:
    """The server ends a thread that waits for ten seconds; the child that it started must live on."""
    pool = Sandbox(workers=1)
    try:
        first = threading.Thread(target=pool.read, args=("a.csv", CSV.encode()))
        first.start()
        first.join()
        time.sleep(0.2)
        assert pool.read("b.csv", CSV.encode()).status == "read"
    finally:
        pool.close()
