"""`python -m app.sheets FILE...` prints what is read from the files as one JSON document."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.sheets.reading import read_file


def main(paths: list[str]) -> int:
    """Read the files in this process and print the extraction document."""
    files = [read_file(Path(p).name, Path(p).read_bytes()).as_json() for p in paths]
    sys.stdout.write(json.dumps({"files": files}, ensure_ascii=False, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
