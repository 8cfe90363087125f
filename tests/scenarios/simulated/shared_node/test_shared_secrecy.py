"""The law of the shared node is hidden: only who plays the node or scores results imports it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.simulated.test_secrecy import ROOT, decides, reaches, sources

NODE = "scenarios.simulated.shared_node"
MAY_IMPORT = {
    "planner.pricing": {"price.py", "result.py", "scoring.py", "trial.py"},
    "planner.sharing_nodes": {"evaluate.py", "laws.py", "price_log.py", "simulated.py"},
}
"""Modules that play the node for a study, or score with its truth; no estimator is among them."""


def reaching(folder: Path) -> set[str]:
    return {
        path.name
        for path in sorted(folder.rglob("*.py"))
        if reaches(path.read_text(encoding="utf-8"), "scenarios.simulated")
    }


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_nobody_who_estimates_prices_or_schedules_imports_the_node(package: str) -> None:
    assert reaching(ROOT / package.replace(".", "/")) <= MAY_IMPORT[package]


def test_an_estimator_that_looked_would_be_found(tmp_path: Path) -> None:
    folder = tmp_path / "estimators"
    folder.mkdir()
    (folder / "honest.py").write_text("from planner.pricing.samples import Blocks\n")
    (folder / "peeping.py").write_text(f"def f():\n    from {NODE}.truth import truth\n")
    assert reaching(tmp_path) == {"peeping.py"}


def test_the_node_knows_no_equation_of_the_paper_and_nobody_who_estimates() -> None:
    for path in sources(NODE):
        assert not decides(path.read_text(encoding="utf-8")), path
