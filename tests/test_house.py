"""The rules of the house that no linter knows: who may import whom, and where packages lie."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from planner.registry import COMMANDS, Command

ROOT = Path(__file__).parent.parent
PACKAGES = ("planner", "reports", "scenarios", "solvers")
ALLOWED = {
    "solvers": {"solvers"},
    "scenarios": {"scenarios", "solvers"},
    "planner": {"planner", "scenarios", "solvers"},
    "reports": {"reports", "planner", "scenarios", "solvers"},
}
CHILDREN = (
    "solvers.process.worker",
    "planner.scheduling.power.offline.cpsat_child",
)
"""Modules that processes of their own begin with."""
MAY_IMPORT_REPORTS = ("planner/__main__.py", "planner/cli/")
MOST_PRESENTED = 0.40


SHARED = {"solvers.compiled", "solvers.portable"}
"""Leaves of solvers that scenarios use."""


def _modules() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def _imported_packages(path: Path) -> set[str]:
    return {module.split(".")[0] for module, _ in _imports(path)} & set(PACKAGES)


def _imports(path: Path) -> list[tuple[str, str]]:
    """Every import of a file, also in functions and for types: the module, and a name from it."""
    return _read(path)[0]


@cache
def _read(path: Path) -> tuple[list[tuple[str, str]], set[str]]:
    """The imports of a file and its strings: parsed once for all tests."""
    imports, strings = list[tuple[str, str]](), set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imports += ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports += ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
    return imports, strings


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_one_way(package: str) -> None:
    wrong = {}
    for path in (ROOT / package).rglob("*.py"):
        name = str(path.relative_to(ROOT))
        shows = {"reports"} if name.startswith(MAY_IMPORT_REPORTS) else set()
        wrong[name] = _imported_packages(path) - ALLOWED[package] - shows
    assert len(wrong) > 30
    assert {name: item for name, item in wrong.items() if item} == {}


def test_scenarios_use_two_leaves_of_solvers() -> None:
    found = {
        f"{module}.{name}" if module == "solvers" else module
        for path in (ROOT / "scenarios").rglob("*.py")
        for module, name in _imports(path)
        if module.split(".")[0] == "solvers"
    }
    assert found == SHARED


@pytest.mark.parametrize("package", PACKAGES)
def test_the_imported_package_is_ours_and_not_a_namesake(package: str) -> None:
    module = __import__(package)
    assert module.__file__ is not None
    assert Path(module.__file__).parent.parent == ROOT


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_every_folder_of_code_is_a_package(package: str) -> None:
    folders = {path.parent for path in (ROOT / package).rglob("*.py")}
    assert [str(f) for f in folders if not (f / "__init__.py").exists()] == []


def test_the_planner_has_few_modules_outside_its_rooms() -> None:
    central = {
        "__init__", "__main__", "answer", "api", "compiling", "decimals", "errors", "figure",
        "finding", "formatting", "parallel", "parts", "plain_numbers", "question", "registry",
        "result_folder", "sealed", "shadowing", "study", "table", "terminal", "version",
    }  # fmt: skip
    assert {path.stem for path in (ROOT / "planner").glob("*.py")} == central


def test_every_module_is_reached_from_a_command_or_from_python() -> None:
    """What no command and no public function needs belongs to benchmarks/studies."""
    modules = {_dotted(path): path for path in _modules()}
    reached: set[str] = set()
    pending = ["headroom", "planner.__main__", *PACKAGES, *(command.module for command in COMMANDS)]
    pending += CHILDREN
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            path = modules.get(name, ROOT / "headroom.py")
            pending += sorted(_imported_modules(path, modules) - reached)
    assert sorted(set(modules) - reached) == []


def test_no_modules_import_each_other_in_a_cycle_not_even_for_types_or_by_name() -> None:
    modules = {_dotted(path): path for path in [*_modules(), ROOT / "headroom.py"]}
    stated = (
        (name, whole if (whole := f"{module}.{member}") in modules else module)
        for name, path in modules.items()
        for module, member in _imports(path)
    )
    named = ((_loader(name, other), other) for name in modules for other in _named(name, modules))
    imports = nx.DiGraph([*stated, *named]).subgraph(modules)
    groups = [group for group in nx.strongly_connected_components(imports) if len(group) > 1]
    cycles = [nx.find_cycle(imports.subgraph(group)) for group in groups]
    message = "\n".join(
        " -> ".join([name for name, _ in cycle] + [cycle[0][0]]) for cycle in cycles
    )
    assert not cycles, f"a module of results, which others show, breaks such cycles:\n{message}"


def test_modules_that_strings_name_are_found() -> None:
    modules = {_dotted(path): path for path in _modules()}
    assert "scenarios.tables.workbook" in _named("scenarios.tables.spreadsheet", modules)
    assert "planner.formulations.sharing" in _named("planner.formulations", modules)
    assert _named("planner.registry", modules) > {"planner.cli.plan", "planner.procurement.study"}


def _named(name: str, modules: dict[str, Path]) -> set[str]:
    """Modules that the strings of a module name, which it may import later.

    The string is the dotted name of a module, perhaps with ``:`` and a member of it, or the
    beginning of such names, as in ``f"planner.formulations.{name}"``.
    """
    texts = {text.partition(":")[0] for text in _read(modules[name])[1]}
    packages = tuple(text for text in texts if text.endswith(".") and text[:-1] in modules)
    named = {other for other in modules if other in texts or other.startswith(packages)}
    return {other for other in named if "." in other} - {name}


def _loader(name: str, other: str) -> str:
    """The module that imports what another names: the table of commands is read by two."""
    if name == "planner.registry" and other.startswith("planner.cli."):
        return "planner.cli.main"
    return name


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported_modules(path: Path, modules: dict[str, Path]) -> set[str]:
    """Modules that a file imports or names, with the packages around them."""
    result = {name for module, member in _imports(path) for name in (module, f"{module}.{member}")}
    result |= _named(_dotted(path), modules | {_dotted(path): path})
    around = {".".join(parts[:n]) for name in result for parts in [name.split(".")]
              for n in range(1, len(parts))}  # fmt: skip
    return (result | around) & modules.keys()


@pytest.mark.parametrize(
    "entry", [command for command in COMMANDS if command.answers], ids=lambda e: e.name
)
def test_what_shows_a_study_is_the_smaller_part_of_its_command(entry: Command) -> None:
    """Of all lines of a command: the share of its module and its ``NAME_*`` modules.

    The others are those of the rooms that its studies lie in, without rooms of other studies.
    """
    rooms = {_folder(answer).parent for one in COMMANDS for answer in one.answers}
    own = {_folder(answer).parent for answer in entry.answers}
    module = _folder(entry.module)
    shown = {module.with_suffix(".py"), *module.parent.glob(f"{module.name}_*.py")}
    nested = {other for other in rooms - own if own & {*other.parents}}
    paths = {path for room in own for path in room.rglob("*.py")}
    decided = {path for path in paths if not nested & {*path.parents}}
    share = _lines(shown) / _lines(shown | decided)
    assert share < MOST_PRESENTED, f"{share:.1%} of the lines only show what the others decide"


def _folder(dotted: str) -> Path:
    return ROOT.joinpath(*dotted.partition(":")[0].split("."))


def _lines(paths: set[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def test_solvers_hold_no_word_of_computing_centres() -> None:
    words = ("cluster", "watt", "power_", "nodes_worst", "scenario.", "rack")
    for path in (ROOT / "solvers").rglob("*.py"):
        text = path.read_text(encoding="utf-8").lower()
        assert [word for word in words if word in text] == [], path.name


def test_help_needs_none_of_the_heavy_libraries() -> None:
    heavy = "numpy pandas matplotlib scipy numba pulp highspy pydantic rich"
    code = (
        "import sys, planner.cli.main\n"
        f"loaded = [name for name in {heavy.split()} if name in sys.modules]\n"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_no_file_names_a_registry_or_a_download_address() -> None:
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in constraints
    assert "--" not in constraints


_DENSE = re.compile(
    r"np\.linalg\.(?!norm)|np\.polyfit|scipy\.linalg|sklearn|scipy\.optimize import (?!linprog)"
)


def test_dense_algebra_runs_on_one_thread() -> None:
    """On several threads a busy machine is slow, and sums depend on the number of cores."""
    users = [path for path in _modules() if _DENSE.search(path.read_text(encoding="utf-8"))]
    assert len(users) > 5
    loose = [path for path in users if "@one_thread(" not in path.read_text(encoding="utf-8")]
    assert loose == []
