"""The example project: three invented vendors and their sheets, written by us with `build.py`."""

from __future__ import annotations

from pathlib import Path

from app.domain.text import Text

PRESET = "175b_data"
NAME = Text("示例：175B 双站点训练专线", "Example: 175B training over two sites")
# File in this folder → the name it is uploaded under.
FILES = (
    ("jiashan.xlsx", "甲山通信-智算专线.xlsx"),
    ("yihe.xlsx", "乙河网络-问卷.xlsx"),
    ("bingyuan.docx", "丙原互联-应答书.docx"),
)


def example_files() -> list[tuple[str, bytes]]:
    """The sheets with their names, as somebody would upload them."""
    folder = Path(__file__).parent
    return [(label, (folder / file).read_bytes()) for file, label in FILES]
