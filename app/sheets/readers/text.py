"""Plain text and the text of a mail: paragraphs, lists, `key: value` lines, piped, tabbed and aligned tables.

Quoted history of a mail is told and never read; lines of its head (From, To, Subject) are no content. The row of a
place is the number of the line.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from app.sheets.codes import notice
from app.sheets.document import Cell, Document, Paragraph, Place, Table
from app.sheets.folding import fold
from app.sheets.readers.aligned import find, pieces_of
from app.sheets.readers.aligned_rows import Word, glued, width_of
from app.sheets.readers.encoding import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sheets.document import Block, Row

Numbered = tuple[int, str]  # number of a line, its words

MAX_LINES: Final = 20_000
_HEAD: Final = re.compile(
    r"^(?:from|to|cc|bcc|date|sent|subject|reply-to|importance|attachments?|发件人|收件人|抄送|密送|日期|发送时间|时间|主题|附件)\s*:",
    re.IGNORECASE,
)
_HISTORY: Final = re.compile(
    r"^[-_=*— ]*(?:original message|原始邮件|原邮件|forwarded message|转发邮件|begin forwarded message)[-_=*—: ]*$"
    r"|^on\b.{6,120}\bwrote:$|^(?:在|于)?.{6,80}(?:写道|写到|寫道)[:：]$",
    re.IGNORECASE,
)
_SENDER: Final = re.compile(r"^(?:from|发件人)\s*:", re.IGNORECASE)
_RULE: Final = re.compile(r"^[\s+|:=\-_*~—─━┼├┤┌┐└┘┬┴│]{3,}$")
_MARK: Final = re.compile(
    r"^\s*(?:[•●▪◦‣*·–-]|[（(]?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4}|[一二三四五六七八九十]{1,3})[.)）、](?:\d{1,2}[.)）、]?)*|[QA]\d{1,2}[.:]"
    r"|问\s?\d*[:：]|答\s?\d*[:：]|[①-⑳]|第[一二三四五六七八九十\d]+[条章])\s*(?=\S)"
)
_KEY: Final = re.compile(r"^\s*[^\s:：][^:：。；;]{0,28}[:：]\s*\S")
_ENDS: Final = re.compile(r"[.。!！?？:：;；]$")
_UNDERLINE: Final = re.compile(r"^\s*[-=~_]{3,}\s*$")
_GAP: Final = re.compile(r"\S {4,}\S|\u3000{3,}")  # a letterhead: pieces side by side
_FULL: Final = 0.7  # a line that fills so much of the text's width goes on below
_MAX_HEADING: Final = 80


def read(data: bytes) -> Document:
    """The document of a text file."""
    text, encoding = decode(data)
    notices = [notice("encoding", encoding=encoding)] if encoding != "UTF-8" else []
    blocks, quoted, partial = blocks_of(text)
    notices += [notice("quoted_mail", quote=q) for q in quoted]
    return Document(kind="txt", blocks=blocks, notices=tuple(notices), partial=partial)


def blocks_of(text: str) -> tuple[tuple[Block, ...], list[str], bool]:
    """The blocks of a text, the beginnings of quoted mails, and whether lines were left unread."""
    lines = [(n, line.rstrip()) for n, line in enumerate(text.splitlines(), start=1)]
    kept, quoted = _own_words(lines[:MAX_LINES])
    blocks: list[Block] = []
    loose: list[Numbered] = []
    tables = 0
    for run, piped in _runs(kept):
        if not piped:
            loose += run
            continue
        blocks += _plain(loose, tables)
        tables = sum(isinstance(b, Table) for b in blocks) + 1
        loose = []
        blocks.append(_grid(run, tables))
    blocks += _plain(loose, tables)
    return tuple(blocks), quoted, len(lines) > MAX_LINES


# ---- mail
def _own_words(lines: Sequence[Numbered]) -> tuple[list[Numbered], list[str]]:
    """The lines without head and without quoted history, and the beginnings of what was quoted."""
    kept: list[Numbered] = []
    quoted: list[str] = []
    written = history = False
    for number, line in lines:
        bare = fold(line)
        if history or line.lstrip().startswith((">", "＞")):
            quoted.append(line.lstrip("＞> "))
            continue
        if _HISTORY.match(bare) or (written and _SENDER.match(bare) and _head_follows(lines, number)):
            history = True
            continue
        if not written and (_HEAD.match(bare) or not bare):
            continue
        written = True
        kept.append((number, line))
    told = [" ".join(q for q in quoted if q)[:200]] if any(q for q in quoted) else []
    return kept, told


def _head_follows(lines: Sequence[Numbered], number: int) -> bool:
    """Whether the lines after a From line are the rest of a mail's head."""
    after = [fold(line) for n, line in lines if number < n <= number + 4]
    return sum(bool(_HEAD.match(a)) for a in after) >= 2  # noqa: PLR2004


# ---- tables
def _runs(lines: Sequence[Numbered]) -> list[tuple[list[Numbered], bool]]:
    """Runs of lines with cell marks (`|` or tabs) and runs without; a single marked line is no table."""
    runs: list[tuple[list[Numbered], bool]] = []
    for line in lines:
        mark = _mark_of(line[1])
        inside = bool(runs) and runs[-1][1] and _RULE.match(line[1]) is not None
        if runs and (runs[-1][1] == bool(mark) or inside):
            runs[-1][0].append(line)
        else:
            runs.append(([line], bool(mark)))
    return [(run, piped and sum(bool(_cells(t)) for _, t in run) > 1) for run, piped in runs]


def _mark_of(line: str) -> str:
    """What parts the cells of a line: `|`, a tab, or nothing."""
    bars = line.replace("│", "|").replace("｜", "|")
    if bars.strip().startswith(("|", "+-", "+=")) or bars.count("|") > 1:
        return "|"
    return "\t" if line.strip().count("\t") else ""


def _cells(line: str) -> list[str]:
    mark = _mark_of(line)
    if not mark or _RULE.match(line):
        return []
    if mark == "\t":
        return line.split("\t")
    return line.replace("│", "|").replace("｜", "|").strip().removeprefix("|").removesuffix("|").split("|")


def _grid(run: Sequence[Numbered], number: int) -> Table:
    rows: list[tuple[int, list[str]]] = [(n, cells) for n, line in run if (cells := _cells(line))]
    width = max(len(cells) for _, cells in rows)
    return Table(
        number=number,
        rows=tuple(
            tuple(_cell(text, number, n, c) for c, text in enumerate((*cells, *[""] * (width - len(cells))), start=1))
            for n, cells in rows
        ),
    )


def _cell(text: str, table: int, row: int, column: int) -> Cell | None:
    text = text.strip()
    return Cell(text=text, place=Place(table=table, row=row, column=column)) if text else None


def _plain(lines: Sequence[Numbered], tables: int) -> list[Block]:
    """Lines without cell marks: aligned columns are tables, the rest paragraphs."""
    filled = [(n, line) for n, line in lines if line.strip() and not _RULE.match(line)]
    grids = find([pieces_of(_words(n, line)) for n, line in filled])
    blocks: list[Block] = []
    at = lines[0][0] if lines else 0
    for grid in grids:
        first, last = filled[grid.first][0], filled[grid.last - 1][0]
        blocks += _paragraphs([x for x in lines if at <= x[0] < first])
        tables += 1
        rows: list[Row] = []
        for row in grid.rows:
            n = next((int(slot.box[1] // 2) for slot in row if slot), first)
            rows.append(
                tuple(
                    Cell(
                        text=slot.text.strip(), place=Place(table=tables, row=n, column=slot.first + 1),
                        merged=slot.first != c,
                    ) if slot and slot.text.strip() else None
                    for c, slot in enumerate(row)
                )
            )  # fmt: skip
        blocks.append(Table(rows=tuple(rows), number=tables, spans=grid.spans))
        at = last + 1
    return blocks + _paragraphs([x for x in lines if x[0] >= at])


def _words(number: int, line: str) -> list[Word]:
    """The words of a line with their places in columns of a terminal; a line is two high."""
    return [
        Word(m.group(), (width_of(line[: m.start()]), 2.0 * number, width_of(line[: m.end()]), 2.0 * number + 2))
        for m in re.finditer(r"\S+", unicodedata.normalize("NFC", line))
    ]


# ---- paragraphs
def _paragraphs(lines: Sequence[Numbered]) -> list[Block]:
    """Wrapped lines put together; items of lists, keys and headings stand alone."""
    width = _wrap_width([line for _, line in lines])
    groups: list[list[Numbered]] = []
    for (number, line), above in zip(lines, [(0, ""), *lines], strict=False):
        if not line.strip() or _RULE.match(line):
            continue
        goes_on = bool(groups) and above[0] == number - 1 and _goes_on(above[1], line, width)
        if goes_on:
            groups[-1].append((number, line))
        else:
            groups.append([(number, line)])
    underlined = {n for (n, _), (_, below) in pairwise(lines) if _UNDERLINE.match(below)}
    blocks: list[Block] = []
    for group in groups:
        text = ""
        for _, line in group:
            text = glued(text, line.strip())
        heading = group[-1][0] in underlined and len(text) <= _MAX_HEADING
        blocks.append(Paragraph(text=text, place=Place(row=group[0][0]), heading=heading))
    return blocks


def _wrap_width(lines: Sequence[str]) -> int:
    """The width at which the text is wrapped: that of its longest line, unless lines are as long as they like."""
    widths = sorted(width_of(line) for line in lines if line.strip())
    longest = widths[-1] if widths else 0
    return longest if longest <= 100 else 0  # noqa: PLR2004 - nobody wraps beyond it


def _goes_on(above: str, line: str, width: int) -> bool:
    """Whether a line continues the one above: that one was full, or this one is indented under its mark."""
    if not above.strip() or _RULE.match(above) or _MARK.match(line) or _GAP.search(above.strip()):
        return False
    marked = _MARK.match(above)
    indent = len(line) - len(line.lstrip())
    if marked and indent > len(above) - len(above.lstrip()):
        return True
    below_item = not marked and indent and indent == len(above) - len(above.lstrip()) and not _KEY.match(line)
    full = width > 0 and width_of(above) >= _FULL * width
    if _KEY.match(line) and _ENDS.search(above.strip()):
        return False
    return full or bool(below_item and not _ENDS.search(above.strip()))
