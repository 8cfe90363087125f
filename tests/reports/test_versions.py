"""The libraries of a report: all of them, and the same whoever calls."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from planner.version import _declared, libraries, versions

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("planner", "reports", "scenarios", "solvers")
RUNNERS = {"dask", "distributed"}
"""They say where parts of a study run, which changes no result."""


def imported(path: Path) -> set[str]:
    """Packages that a module imports anywhere, also within functions."""
    # A linter sees to one module a line; a line of prose that begins so names no package.
    lines = re.findall(r"^ *(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {*lines} - {*PACKAGES, "pydantic_core"} - sys.stdlib_module_names  # a part of pydantic


def test_every_library_that_our_code_imports_is_listed() -> None:
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    used = {name for path in modules for name in imported(path)} - RUNNERS
    assert {"numpy", "sklearn", "xlsxwriter", "highspy"} <= used
    homes = metadata.packages_distributions()
    listed = {name.replace("_", "-").lower() for name in libraries()}
    missing = {
        name for name in used
        if name in homes and not {d.replace("_", "-").lower() for d in homes[name]} & listed
    }  # fmt: skip
    assert missing == set()


def test_what_runs_in_processes_of_its_own_is_listed() -> None:
    assert {"typst", "highspy", "pulp", "python-calamine"} <= libraries().keys()


def test_what_changes_no_result_is_not_listed() -> None:
    tools = RUNNERS | {"pytest", "mypy", "ruff", "hypothesis", "sphinx", "furo"}
    assert not tools & libraries().keys()
    assert not tools & {*_declared()}  # nor where they are installed


def test_the_list_does_not_hang_on_what_the_process_has_imported() -> None:
    code = "import sys\n{}from planner.version import versions\nprint(versions())"
    facts = {
        subprocess.run(
            [sys.executable, "-c", code.format(more)],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout
        for more in ("", "import networkx, rich, click, pypdf\n")
    }  # fmt: skip
    assert facts == {f"{versions()}\n"}


def test_no_page_lists_libraries_of_its_own() -> None:
    modules = list((ROOT / "reports").rglob("*.py"))
    assert [p.name for p in modules if "importlib.metadata" in p.read_text(encoding="utf-8")] == []
