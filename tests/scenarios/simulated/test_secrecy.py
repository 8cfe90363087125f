"""The law is hidden: who predicts or decides sees runs, and the law knows nobody who does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LAW = "scenarios.simulated"
PREDICTORS = (
    "planner.configurations.prediction",
    "planner.configurations",
    "planner.configurations.sharing",
    "benchmarks.studies.distribution.distribution",
    "benchmarks.studies.prediction.gaussian_process",
)


def imported(source: str) -> set[str]:
    """Dotted names of all modules, and of what is taken out of them."""
    result = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            result |= {module} | {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            result.add(node.value)  # importlib.import_module("...")
    return result


def reaches(source: str, package: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for name in imported(source))


def decides(source: str) -> set[str]:
    """What a module imports of those who predict or decide; loops and arithmetic do neither."""
    leaves = ("solvers.compiled", "solvers.portable")
    return {
        name
        for name in imported(source)
        if name.split(".")[0] in {"planner", "solvers", "reports"}
        and not any(name == leaf or name.startswith(f"{leaf}.") for leaf in leaves)
    }


def sources(package: str) -> list[Path]:
    folder = ROOT / package.replace(".", "/")
    return sorted(folder.rglob("*.py")) + [p for p in [folder.with_suffix(".py")] if p.exists()]


@pytest.mark.parametrize("package", PREDICTORS)
def test_nobody_who_predicts_or_decides_imports_the_law(package: str) -> None:
    assert sources(package)
    for path in sources(package):
        assert not reaches(path.read_text(encoding="utf-8"), LAW), path


SCHEDULING = "planner.scheduling.power"
KNOW_THE_LAW = {"build.py", "node_laws.py", "simulated.py"}
"""Modules that make tables and truths; policies, engines and models see what these give."""


def test_of_power_aware_scheduling_only_the_makers_of_tables_and_truths_import_the_law() -> None:
    reaching = {
        path.name for path in sources(SCHEDULING) if reaches(path.read_text(encoding="utf-8"), LAW)
    }
    assert reaching == KNOW_THE_LAW


def test_the_law_imports_nothing_that_predicts_or_decides() -> None:
    assert len(sources(LAW)) > 10
    for path in sources(LAW):
        assert not decides(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(
    "source",
    [
        "import scenarios.simulated",
        "import scenarios.simulated.law as x",
        "from scenarios import simulated",
        "from scenarios.simulated import truth",
        "from scenarios.simulated.law import truth",
        "def f():\n    from scenarios.simulated import truth",
        "importlib.import_module('scenarios.simulated.law')",
    ],
)
def test_a_predictor_that_looked_at_the_law_would_be_found(source: str) -> None:
    assert reaches(source, LAW)


@pytest.mark.parametrize(
    "source",
    ["from scenarios.measurements.runs import Runs", "import scenarios", "x = 'simulated'"],
)
def test_measurements_may_be_imported(source: str) -> None:
    assert not reaches(source, LAW)
