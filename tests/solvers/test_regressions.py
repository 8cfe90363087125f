"""Models on which CBC 2.10.3 or HiGHS 1.14 answered wrongly must come out right."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solvers import SOLVERS, Level, Milp, MilpBuilder, Status, brute_force, solve

FOLDER = Path(__file__).parent.parent / "data" / "solver-regressions"
FILES = sorted(FOLDER.glob("*.json"))
CLOSE = sorted((FOLDER / "close").glob("*.json"))
"""Partitions and mappings whose second-best point is less than a millionth worse."""


def read_model(path: Path) -> tuple[Milp, float]:
    raw = json.loads(path.read_text())
    build = MilpBuilder("min", name=path.stem)
    integer = np.zeros(len(raw["c"]), dtype=bool)
    integer[raw["ints"]] = True
    x = build.add_columns(
        len(raw["c"]), cost=raw["c"], lower=raw["l"], upper=raw["u"], integer=integer
    )
    triplets = [(i, x[j], a) for i, row in enumerate(raw["A"]) for j, a in row]
    rows, columns, values = zip(*triplets, strict=True)
    lower = [-np.inf if side is None else side for side in raw["L"]]
    upper = [np.inf if side is None else side for side in raw["U"]]
    build.add_rows(rows, columns, values, lower=lower, upper=upper)
    return build.model(), raw["best"]


def test_there_are_nine_models_in_json() -> None:
    assert len(FILES) == 9


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_model_is_solved_and_proved_whatever_the_back_end_says(
    path: Path, solver: str
) -> None:
    model, best = read_model(path)
    result = solve(model, solver=solver)
    assert result.status is Status.OPTIMAL
    assert result.certificate.level is Level.PROVED
    assert result.objective == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("path", CLOSE, ids=lambda path: path.stem)
def test_the_proof_finds_what_lies_below_the_tolerance_of_a_solver(path: Path, solver: str) -> None:
    model, best = read_model(path)
    result = solve(model, solver=solver)
    assert result.certificate.level is Level.PROVED
    assert result.objective == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_enumeration_gives_the_recorded_optimum(path: Path) -> None:
    model, best = read_model(path)
    result = brute_force(model).objective
    assert result is not None
    assert float(result) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_model_that_broke_highs_1_14_costs_nine(solver: str) -> None:
    # min 2x + 3z with x + z >= 4.5, z whole: all in x costs 2 * 4.5 = 9
    build = MilpBuilder("min", name="highs_1_14")
    x = build.add_columns(1, cost=2.0, upper=10.0)
    z = build.add_columns(1, cost=3.0, upper=10.0, integer=True)
    build.add_rows([0, 0], np.r_[x, z], 1.0, lower=4.5)
    result = solve(build.model(), solver=solver)
    assert (result.status, result.certificate.level) == (Status.OPTIMAL, Level.PROVED)
    assert result.objective == 9.0
    assert result.value(1) == 0.0


def test_a_start_never_makes_cbc_call_a_worse_point_optimal() -> None:
    """With the start handed over, CBC 2.10.3 calls 0.62785 optimal; the optimum is 0.62799."""
    raw = json.loads((FOLDER / "start" / "rfp_center.json").read_text())
    build = MilpBuilder(raw["sense"], name="rfp_center")
    integer = np.zeros(len(raw["c"]), dtype=bool)
    integer[raw["ints"]] = True
    lower = [-np.inf if side is None else side for side in raw["l"]]
    upper = [np.inf if side is None else side for side in raw["u"]]
    columns = build.add_columns(
        len(raw["c"]), cost=raw["c"], lower=lower, upper=upper, integer=integer
    )
    triplets = [(i, columns[j], a) for i, row in enumerate(raw["A"]) for j, a in row]
    low = [-np.inf if side is None else side for side in raw["L"]]
    high = [np.inf if side is None else side for side in raw["U"]]
    build.add_rows(*zip(*triplets, strict=True), lower=low, upper=high)
    for start in (None, raw["start"]):
        result = solve(build.model(), solver="cbc", gap=1e-9, proof="never", start=start)
        assert result.objective == pytest.approx(raw["best"], abs=1e-6)
