"""Tables without rules: columns by gutters, wrapped cells, headings over several columns, and what is no table."""

from __future__ import annotations

import re

import pytest

from app.sheets.document import Table
from app.sheets.readers.aligned import find, pieces_of
from app.sheets.readers.aligned_rows import Word
from app.sheets.readers.pdf import read as read_pdf
from tests.sheets.makers import raw_pdf


def lines(text: str):
    return [
        pieces_of([Word(m.group(), (m.start(), 2 * y, m.end(), 2 * y + 2)) for m in re.finditer(r"\S+", line)])
        for y, line in enumerate(text.strip("\n").split("\n"))
        if line.strip()
    ]


def grids(text: str) -> list[list[list[str]]]:
    return [[[slot.text if slot else "" for slot in row] for row in grid.rows] for grid in find(lines(text))]


def test_plain_columns_with_a_sub_heading_and_a_unit_column() -> None:
    (found,) = grids("""
The services of the northern ring are listed here.

Item                     Unit      Alpha     Beta
Port                     Gbit/s       10      100
Quality between the two handover points of the ring
Delay, mean              ms          7.5      7.1
Loss                     %          0.01    0.001
""")
    assert found == [
        ["Item", "Unit", "Alpha", "Beta"],
        ["Port", "Gbit/s", "10", "100"],
        ["Quality between the two handover points of the ring", "", "", ""],
        ["Delay, mean", "ms", "7.5", "7.1"],
        ["Loss", "%", "0.01", "0.001"],
    ]


def test_wrapped_cells_and_labels() -> None:
    (found,) = grids("""
Measure                  Gold        Remarks
Availability             99.99 %     whole path, tails
                                     included
Time to repair (faults
on land)                 4 h         from the report
Largest frame            9,000       octets
""")
    assert found == [
        ["Measure", "Gold", "Remarks"],
        ["Availability", "99.99 %", "whole path, tails included"],
        ["Time to repair (faults on land)", "4 h", "from the report"],
        ["Largest frame", "9,000", "octets"],
    ]


def test_rows_parted_by_blank_lines() -> None:
    (found,) = grids("""
Class      What is promised              Price

Copper     delay not above 12 ms         410
           and loss not above 0.1 %

Nickel     delay not above 9 ms          760
           and loss not above 0.05 %
""")
    assert [r[1] for r in found] == [
        "What is promised",
        "delay not above 12 ms and loss not above 0.1 %",
        "delay not above 9 ms and loss not above 0.05 %",
    ]


def test_a_heading_over_several_columns_stands_over_each() -> None:
    (found,) = grids("""
                         Service level
Item              Basic      Extra     Super
Repair time       8 h        6 h       4 h
Response time     60 min     30 min    15 min
Monthly rental    100        200       300
""")
    assert found[0] == ["Item", "Basic", "Extra", "Super"]
    (found,) = grids("""
Item                     Service level       Notes
                  Basic      Extra     Super
Repair time       8 h        6 h       4 h    land
Response time     60 min     30 min    15 min
Monthly rental    100        200       300    net
""")
    assert found[0] == ["Item", "Service level", "Service level", "Service level", "Notes"]
    assert found[1] == ["", "Basic", "Extra", "Super", ""]


@pytest.mark.parametrize(
    "text",
    [
        # two columns of prose
        "\n".join(f"{'the quick brown fox and a lazy dog':<40}{'runs over some hill far away':<40}" for _ in range(9)),
        # a letterhead
        "Alder Telecom                      Our ref. A-17\nQuay 3, Port Ash                   4 May 2026",
        # a list with hanging numbers
        "1.   First of all the price holds.\n2.   Then the term begins.\n3.   At last it ends.\n4.   Nothing else.",
        # one wide gap by chance
        "The line has 10 Gbit/s  and a delay of\nmore than nothing. It is repaired in\nfour hours  at the latest.",
    ],
)  # fmt: skip
def test_what_is_no_table(text: str) -> None:
    assert grids(text) == []


def placed(*rows: tuple[float, list[tuple[float, str]]], size: int = 9) -> bytes:
    """A content stream with words at places (from the foot of the page)."""
    return b"\n".join(
        f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET".encode("latin-1") for y, row in rows for x, text in row
    )


def columns(*texts: str) -> list[tuple[float, str]]:
    return [(x, t) for x, t in zip((60, 220, 320, 420), texts, strict=False) if t]


def test_pdf_table_without_rules_over_two_pages_with_running_lines() -> None:
    head = (810.0, [(60.0, "Alder Telecom, schedule 7")])
    first = placed(
        head, (700, columns("Item", "Unit", "Alder 10", "Alder 40")), (685, columns("Delay", "ms", "8.5", "8.1")),
        (670, columns("Jitter", "ms", "0.5", "0.2")), (655, columns("Loss", "%", "0.1", "0.05")),
        (20, [(290, "Page 1 of 2")]),
    )  # fmt: skip
    second = placed(
        head, (700, columns("Reliability")), (685, columns("Availability", "%", "99.9", "99.95")),
        (670, columns("Repair", "h", "6", "4")), (20, [(290, "Page 2 of 2")]),
    )  # fmt: skip
    blocks = read_pdf(raw_pdf(first, second)).blocks
    tables = [b for b in blocks if isinstance(b, Table)]
    assert [[c.text for c in r if c] for t in tables for r in t.rows] == [
        ["Item", "Unit", "Alder 10", "Alder 40"], ["Delay", "ms", "8.5", "8.1"], ["Jitter", "ms", "0.5", "0.2"],
        ["Loss", "%", "0.1", "0.05"], ["Reliability"], ["Availability", "%", "99.9", "99.95"],
        ["Repair", "h", "6", "4"],
    ]  # fmt: skip
    assert isinstance(blocks[0], Table) and isinstance(blocks[1], Table)
    assert [b.text for b in blocks[2:] if not isinstance(b, Table)] == ["", "Alder Telecom, schedule 7"]
    cell = tables[1].rows[1][2]
    assert cell is not None and cell.place.page == 2 and cell.place.box is not None
    assert 319 < cell.place.box[0] < 321 and 320 < cell.place.box[2] < 345


def test_pdf_table_with_a_ruled_heading_only() -> None:
    """The rules end below the heading; the words under it go on in its columns, also centred over two of them."""
    edges = (50, 200, 300, 400)
    rules = "".join(f"{x} 690 m {x} 712 l S " for x in edges) + "50 690 m 400 690 l S 50 712 m 400 712 l S\n"
    body = placed(
        (697, [(60, "Item"), (238, "Lark"), (338, "Wren")]),
        (670, [(60, "Delay"), (238, "9 ms"), (338, "7 ms")]),
        (655, [(60, "Loss"), (238, "0.1%"), (338, "0.2%")]),
        (640, [(60, "Repair"), (293, "4 h")]),
    )
    (table,) = [b for b in read_pdf(raw_pdf(rules.encode() + body)).blocks if isinstance(b, Table)]
    assert [[(c.text, c.merged) if c else None for c in r] for r in table.rows] == [
        [("Item", False), ("Lark", False), ("Wren", False)],
        [("Delay", False), ("9 ms", False), ("7 ms", False)],
        [("Loss", False), ("0.1%", False), ("0.2%", False)],
        [("Repair", False), ("4 h", False), ("4 h", True)],
    ]
