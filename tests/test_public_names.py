"""A user imports ``headroom`` alone, and the page on Python functions has every name of it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import headroom as hr

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FOR_MAINTAINERS = {"adding.md", "design.md", "map.md"}
USERS = sorted(
    [
        ROOT / "README.md",
        *(page for page in DOCS.glob("*.md") if page.name not in FOR_MAINTAINERS),
        *(DOCS / "tutorials").glob("*.md"),
        *(DOCS / "examples").glob("*.py"),
    ]
)
INTERNAL = re.compile(
    r"^[ >.]*(?:from|import) (?:planner|scenarios|solvers|reports|benchmarks|tests)\b", re.MULTILINE
)
NAMESPACES = {
    name: value for name in hr.__all__ if isinstance(value := getattr(hr, name), ModuleType)
}


@pytest.mark.parametrize("path", USERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_for_users_imports_headroom_alone(path: Path) -> None:
    assert INTERNAL.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from planner.errors import PlanError", 1),
        ("    import scenarios", 1),
        (">>> from solvers import solve", 1),
        ("import headroom as hr\nfrom headroom import plan", 0),
        ("import planners", 0),
    ],
)
def test_an_internal_import_is_found(text: str, found: int) -> None:
    assert len(INTERNAL.findall(text)) == found


def listed() -> dict[str, set[str]]:
    """Names on the page, by namespace; the empty one is ``headroom`` itself."""
    names: dict[str, set[str]] = {}
    module = ""
    for line in (DOCS / "api.md").read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule:: headroom"):
            module = line.partition("headroom")[2].strip(".")
        found = re.match(r"\.\. (?:auto\w+|data):: ([\w.]+)$", line)
        if found:
            space, _, name = found[1].removeprefix("headroom.").rpartition(".")
            names.setdefault(space or module, set()).add(name)
    return names


def test_the_page_of_functions_has_every_public_name() -> None:
    names = listed()
    assert {*hr.__all__} - NAMESPACES.keys() == names[""]
    for name, module in NAMESPACES.items():
        public = {each for each in module.__all__ if not inspect.ismodule(getattr(module, each))}
        assert public == names.get(name, set()), name
    for name in ("choice", "mapping", "partition"):
        assert {*getattr(hr.solvers, name).__all__} == names[f"solvers.{name}"]
    formulations = {space.partition(".")[2] for space in names if space.startswith("formulations.")}
    assert formulations == {*hr.formulations.__all__}


def test_every_public_name_says_what_it_is_without_internal_imports() -> None:
    for space in (
        {name: getattr(hr, name) for name in hr.__all__},
        *map(vars, NAMESPACES.values()),
    ):
        for name, value in space.items():
            if name.startswith("_") or not (inspect.isclass(value) or inspect.isfunction(value)):
                continue
            text = inspect.getdoc(value) or ""
            assert text, name
            assert INTERNAL.findall(text) == [], name


@pytest.mark.parametrize(
    "name", [name for name in NAMESPACES if name not in {"formulations", "solvers"}]
)
def test_a_namespace_holds_its_names_alone(name: str) -> None:
    module = NAMESPACES[name]
    assert [each for each in dir(module) if not each.startswith("_")] == sorted(module.__all__)


def test_importing_headroom_imports_none_of_the_namespaces() -> None:
    code = (
        "import sys, headroom\n"
        "heavy = ('planner', 'scenarios', 'solvers', 'reports', 'numpy', 'pandas')\n"
        "sys.exit(str([name for name in heavy if name in sys.modules] or ''))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == ""
