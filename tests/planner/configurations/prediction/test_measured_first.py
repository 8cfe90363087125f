"""With a model, what was run counts as measured; the guard is for what was not."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.configurations.best_configuration import Question, answer_from
from planner.configurations.prediction.families import MODELS
from planner.configurations.prediction.predicted import Grid, predicted_table
from planner.configurations.provisioning import NodeMaximum
from planner.configurations.selection import Bound, allowed
from planner.configurations.table import Repetition, table_of
from tests.planner.configurations.rzmerl import rzmerl
from tests.planner.made_runs import HEADER, rows
from tests.shared_data import RZMERL, needs_data


def written(path: Path, every: int) -> Path:
    """Every so many configurations of a made-up campaign, three runs each."""
    lines = rows("code")
    selected = [line for index, line in enumerate(lines) if index // 3 % every == 0]
    path.write_text("\n".join([HEADER, *selected]) + "\n", encoding="utf-8")
    return path


def answer(*words: object) -> dict[str, Any]:
    done = CliRunner().invoke(main, [*(str(word) for word in words), "--json"])
    assert done.exit_code == 0, done.output
    plain: dict[str, Any] = json.loads(done.stdout)
    return plain


@needs_data
@pytest.mark.parametrize("bound_w", [2200, 2300, 2500, 3500])
def test_a_model_adds_nothing_where_every_configuration_was_run(bound_w: int) -> None:
    """The model answered 9.999 s for 2,200 W, where the table has a run of 9.746 s."""
    arguments = ("configure", RZMERL, "-A", "BT-MZ", "--power-bound", bound_w)
    measured, modelled = answer(*arguments), answer(*arguments, "--model", "physical")
    for key in ("best", "canonical", "near_optimal", "risk", "curve", "summary"):
        assert modelled[key] == measured[key]
    assert (modelled["predicted"], modelled["predicted_configurations"]) == (False, 0)
    assert modelled["warnings"] == measured["warnings"]  # that nothing is predicted is no risk


@needs_data
@pytest.mark.parametrize("repetition", ["median", "best", "worst"])
def test_measured_configurations_have_their_measured_time_and_power(repetition: Repetition) -> None:
    runs = rzmerl("BT-MZ")
    some = runs.take(np.flatnonzero(runs.nodes % 4 == 0))
    table, _ = predicted_table(
        some, MODELS["log-polynomial"], Grid(nodes=tuple(range(8, 33, 2))).of(some), repetition
    )
    assert table.predicted is not None
    assert len(table) == 455
    measured_rows = table.take(~table.predicted)
    measured = table_of(some, repetition)
    for name in ("nodes", "cores_per_node", "package_cap_w", "time_s", "power_w"):
        np.testing.assert_array_equal(getattr(measured_rows, name), getattr(measured, name))
    assert set(table.nodes[table.predicted]) == set(range(10, 33, 4))


@needs_data
def test_a_model_never_answers_worse_than_the_runs_alone() -> None:
    """A choice among more cannot be slower, by what is known of it."""
    runs = rzmerl("BT-MZ")
    some = runs.take(np.flatnonzero(runs.nodes % 4 == 0))
    grid = Grid(nodes=tuple(range(8, 33, 2))).of(some)
    table, _ = predicted_table(some, MODELS["log-polynomial"], grid, guard=0.03)
    node = NodeMaximum()
    for bound_w in range(1000, 6501, 250):
        question = Question(Bound(bound_w), node, prediction_guard=0.03)
        alone = answer_from(table_of(some), question, runs=some).best
        result = answer_from(table, question, runs=some)
        assert result.best.time_s <= alone.time_s
        if result.best.predicted:
            assert result.best.power_w <= 0.97 * bound_w * (1 + 1e-9)
        else:
            assert result.best == alone


def test_the_guard_of_predictions_does_not_hold_for_measured_power() -> None:
    runs = rzmerl_like()
    table, _ = predicted_table(runs, MODELS["physical"], Grid(nodes=(2, 3, 4)).of(runs), guard=0.5)
    assert table.predicted is not None
    for row in range(len(table)):
        charged = table.power_w[row] / (0.5 if table.predicted[row] else 1.0)
        assert table.charged_w[row] == pytest.approx(charged)
        assert row in allowed(table, Bound(charged * 1.000001))
        if charged > table.charged_w.min():
            assert row not in allowed(table, Bound(charged * 0.999))


def rzmerl_like() -> Any:
    from scenarios.measurements.runs import Runs

    grid = [(n, c, p) for n in (2, 4) for c in (4, 8, 16) for p in (51.0, 80.0, 115.0)]
    n, c, p = (np.array(column) for column in zip(*grid, strict=True))
    time = 900 / (n * c**0.8 * p**0.3)
    return Runs("code", n, c, p, np.ones(len(n), dtype=int), time, n * (20.0 + 2 * c + 0.4 * p))


def test_every_table_says_which_rows_are_predicted(tmp_path: Path) -> None:
    file = written(tmp_path / "some.csv", every=2)
    arguments = ("configure", file, "--power-bound", 2000, "--model", "log-polynomial")
    result = answer(*arguments)
    with file.open() as stream:
        run = {
            (int(r["nodes"]), int(r["cores_per_node"]), float(r["package_cap_w"]))
            for r in csv.DictReader(stream)
        }
    output = [
        *result["near_optimal"],
        *result["curve"],
        result["best"],
        *result["canonical"].values(),
    ]
    assert any(entry.get("predicted") for entry in output)
    for entry in output:
        key = (entry["nodes"], entry["cores_per_node"], entry["package_cap_w"])
        assert entry.get("predicted", False) == (key not in run)
    printed = CliRunner().invoke(main, [str(word) for word in arguments]).stdout
    assert "Predicted, not measured: 37 of 75 configurations" in printed
    assert "Kept free for errors of predicted power: 3 % of the bound." in printed
    for name, item in result["canonical"].items():
        line = next(row for row in printed.splitlines() if row.strip().lower().startswith(name))
        assert ("predicted" in line) == item.get("predicted", False)
