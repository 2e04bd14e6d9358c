"""Plain text and mail: own words, quoted history, tables drawn with characters, questions and answers."""

from __future__ import annotations

from app.sheets.document import Paragraph, Table
from app.sheets.readers.text import blocks_of, read
from tests.sheets.makers import codes, facts, stated
from tests.sheets.makers import read as reading_of

MAIL = """From: Ada Brook <ada@alder.example>
To: Ben Lake <ben@buyer.example>
Subject: Re: 40G to Port Ash

Hello Ben,

here is our offer. All figures hold for a calendar month and are
guaranteed.

Alder Telecom Ltd, product: Coast 40

- Bandwidth 40 Gbit/s, round trip not more than 6.5 ms, measured between
  the two handover points
- MTU 9,000 bytes

Monthly charge EUR 7,200; installation EUR 3,000.

Regards,
Ada

On Tue, 3 Mar 2026 at 09:14, Ben Lake <ben@buyer.example> wrote:
> We need 100 Gbit/s, a round trip below 4 ms and at most EUR 5,000 a month.
"""


def test_a_mail_is_read_without_its_head_and_without_what_it_answers() -> None:
    reading = reading_of("offer.txt", MAIL.encode())
    (offer,) = reading.offers
    assert (offer.vendor, offer.product) == ("Alder Telecom Ltd", "Coast 40")
    assert stated(reading, "bandwidth") == [40_000_000_000]
    assert [float(str(v)) for v in stated(reading, "rtt")] == [0.0065]
    assert [float(str(v)) for v in stated(reading, "monthly_charge")] == [7200]
    assert "quoted_mail" in codes(reading)
    (rtt,) = facts(reading, "rtt")
    assert rtt.evidence.row == 12
    assert "the two handover points" in rtt.evidence.quote  # the wrapped line is one sentence


def test_a_second_head_below_the_letter_is_history() -> None:
    text = "您好，\n带宽：10Gbps\n\n发件人：李工\n日期：2026年5月4日\n主题：询价\n要求带宽：40Gbps\n"
    blocks, quoted, partial = blocks_of(text)
    assert [b.text for b in blocks if isinstance(b, Paragraph)] == ["您好，", "带宽：10Gbps"]
    assert len(quoted) == 1 and "40Gbps" in quoted[0]
    assert not partial


def test_tables_of_bars_tabs_and_blanks_keep_their_columns_and_lines() -> None:
    bars = "+----+------+\n| Item | Value |\n|------|-------|\n| Delay | 5 ms |\n| MTU | 9000 |\n"
    tabs = "Item\tUnit\tAlder\nDelay\tms\t5\nLoss\t%\t0.01\n"
    blanks = (
        "Item        Unit     Alder    Birch\n"
        "Delay       ms           5        7\n"
        "Loss        %         0.01      0.1\n"
    )  # fmt: skip
    for text, row in ((bars, ["Delay", "5 ms"]), (tabs, ["Delay", "ms", "5"]), (blanks, ["Delay", "ms", "5", "7"])):
        (table,) = blocks_of(text)[0]
        assert isinstance(table, Table)
        found = next(r for r in table.rows if r[0] and r[0].text == "Delay")
        assert [c.text for c in found if c] == row
        assert found[0] is not None
        assert text.splitlines()[(found[0].place.row or 0) - 1].lstrip("| ").startswith("Delay")


def test_paragraphs_lists_keys_and_headings() -> None:
    text = (
        "Service levels\n--------------\n"
        "The line is delivered over two routes that share no duct and no\nbuilding on the way.\n\n"
        "1. Delay: 5 ms\n2. Loss: 0.01 %, taken over a calendar month and\n   both directions\n"
        "带宽：10Gbps\n抖动：1ms\n"
    )
    blocks = blocks_of(text)[0]
    assert [(b.text, b.heading) for b in blocks if isinstance(b, Paragraph)] == [
        ("Service levels", True),
        ("The line is delivered over two routes that share no duct and no building on the way.", False),
        ("1. Delay: 5 ms", False),
        ("2. Loss: 0.01 %, taken over a calendar month and both directions", False),
        ("带宽：10Gbps", False),
        ("抖动：1ms", False),
    ]


def test_encodings_are_told_and_a_file_of_many_lines_is_partial() -> None:
    assert read("带宽：10Gbps".encode("gb18030")).notices[0].code == "encoding"
    assert read(b"a line\n" * 20_001).partial


def test_a_question_names_the_metric_and_gives_no_figure() -> None:
    text = """Bidder: Alder Telecom Ltd
Product: Coast 40
Q1. Packet loss shall be 1e-6 or better.
A1. [PC] 0.001 % monthly average.
Q2. Largest MTU (at least 9,000 bytes)?
A2. [C] 9,600 bytes.
Q3. Do both directions follow the same route?
A3. Yes.
Q4. Is an API available?
A4. Not today. It is planned for 2028.
Q5. Response and repair times (we hope for 5 min and 2 h)?
A5. Response in 20 min. Repair in 6 h.
Q6. What does a pair offer for availability?
A6. 99.9 % per month on one circuit. With option B (two circuits): 99.99 % per month.
"""
    reading = reading_of("rfi.txt", text.encode())
    assert [float(str(v)) for v in stated(reading, "packet_loss")] == [1e-5]
    assert [float(str(v)) for v in stated(reading, "mtu")] == [9600]
    assert stated(reading, "symmetric_routes") == [True]
    assert stated(reading, "api") == [False]
    assert [float(str(v)) for v in stated(reading, "response_time")] == [1200]
    assert [float(str(v)) for v in stated(reading, "repair_time")] == [21600]
    pair = {float(str(f.value)): f.condition for f in facts(reading, "availability")}
    assert set(pair) == {0.999, 0.9999}
    assert "option B" in (pair[0.9999] or "")


def test_numbered_lines_of_a_list_are_no_dialogue() -> None:
    reading = reading_of("a.txt", b"Alder Telecom Ltd\nA1. Delay 5 ms round trip\nA2. MTU 9000 bytes\n")
    assert [float(str(v)) for v in stated(reading, "rtt")] == [0.005]
