"""The plan of the house, held by tests: see app/decisions/0002-layout-and-import-direction.md."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOP_FOLDERS = {".ci", "app", "migrations", "static", "templates", "tests"}
LEFT_BY_TOOLS = re.compile(r"\.(?!ci$)|build$|data$|.*\.egg-info$")

MAX_LINES = 400
MAX_ROUTER_LINES = 150
# Files that may be longer: path -> why. Empty, and meant to stay so.
LONGER: dict[str, str] = {}


@cache
def project_files() -> tuple[Path, ...]:
    """Everything that is, or would be, committed; without git, everything but what tools leave behind."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode == 0:
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    else:
        entries = [p for p in ROOT.iterdir() if p.is_file() or not LEFT_BY_TOOLS.match(p.name)]
        paths = [p for entry in entries for p in (entry, *entry.rglob("*")) if "__pycache__" not in p.parts]
    return tuple(sorted(p for p in set(paths) if p.is_file()))


def relative(path: Path) -> str:
    """The path as people write it."""
    return path.relative_to(ROOT).as_posix()


def python_files(*folders: str) -> list[Path]:
    """Python files, of these folders only if any are named."""
    return [
        path for path in project_files() if path.suffix == ".py" and (not folders or relative(path).startswith(folders))
    ]


def tree(path: Path) -> ast.Module:
    """The parsed file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def test_imports_point_downwards() -> None:
    """The contracts in pyproject.toml: layers, pure domain, one reader of settings."""
    run = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_domain_imports_the_standard_library_and_itself_only() -> None:
    foreign = []
    for path in python_files("app/domain/"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            foreign += [
                f"{relative(path)}:{node.lineno} {name}"
                for name in names
                if name.partition(".")[0] not in sys.stdlib_module_names and not f"{name}.".startswith("app.domain.")
            ]
    assert not foreign


def test_no_assert_in_the_application() -> None:
    """Bad input meets an error with a code; asserts vanish under `python -O`."""
    found = [
        f"{relative(path)}:{node.lineno}"
        for path in python_files("app/")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Assert)
    ]
    assert not found


def test_only_the_command_line_prints() -> None:
    found = [
        f"{relative(path)}:{node.lineno}"
        for path in python_files("app/")
        if relative(path) != "app/cli.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not found


def test_files_stay_small() -> None:
    too_long = []
    for path in python_files("app/"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        router = ROOT / "app/web" in path.parents and "APIRouter" in path.read_text(encoding="utf-8")
        limit = MAX_ROUTER_LINES if router else MAX_LINES
        if lines > limit and relative(path) not in LONGER:
            too_long.append(f"{relative(path)}: {lines} lines, at most {limit}")
    assert not too_long


def test_every_module_says_what_it_is() -> None:
    silent = [
        relative(path)
        for path in python_files()
        if path.read_text(encoding="utf-8").strip() and not ast.get_docstring(tree(path))
    ]
    assert not silent


def test_every_template_parses() -> None:
    """With the application's own environment, so that its tags, filters and tests are known."""
    from app.presentation.templating import environment  # noqa: PLC0415 (the house stands without it)

    jinja = environment()
    templates = ROOT / "templates"
    for path in sorted(p for p in project_files() if templates in p.parents):
        jinja.parse(path.read_text(encoding="utf-8"), name=path.relative_to(templates).as_posix())


def test_top_level_holds_nothing_new() -> None:
    folders = {relative(path).partition("/")[0] for path in project_files() if path.parent != ROOT}
    assert folders <= TOP_FOLDERS


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_locks_hold_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "://" not in text
    pins = re.findall(r"^[a-z0-9][^\s=]*==[^\\]+\\\n    --hash=sha256:", text, flags=re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[a-z0-9]", text, flags=re.MULTILINE)) > 0


def test_no_trace_of_one_machine() -> None:
    """Neither a path of the machine that a change was made on nor the host of a package registry."""
    trace = re.compile(
        r"(^|[^A-Za-z0-9_.])/(work|root|farm)/|\b(pypi|pythonhosted|npmjs|debian|ubuntu)\.(org|com)\b",
        re.MULTILINE,
    )
    found = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{relative(path)}: {match[0]}" for match in trace.finditer(text)]
    assert not found


def test_vendored_files_are_the_published_ones() -> None:
    vendor = ROOT / "static/vendor"
    listed = (vendor / "README.md").read_text(encoding="utf-8")
    sums = {name: digest for digest, name in re.findall(r"^([0-9a-f]{64})  (\S+)$", listed, re.MULTILINE)}
    assert sums == {name: hashlib.sha256((vendor / name).read_bytes()).hexdigest() for name in sums}
    ours = {"swagger-ui/init.js"}
    served = {p.relative_to(vendor).as_posix() for p in vendor.rglob("*") if p.suffix in {".js", ".css"}}
    assert served - ours == set(sums)


def test_every_setting_is_in_the_readme() -> None:
    from app.config import PREFIX, Settings  # noqa: PLC0415 (the house stands without it)

    table = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    settings = {PREFIX + name.upper() for name in Settings.model_fields}
    assert settings == {name for name in table if name.startswith(PREFIX)}
