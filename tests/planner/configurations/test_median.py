"""The median run speaks for a configuration, and the fastest is shown next to it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.configurations.best_configuration import Question
from planner.configurations.provisioning import NodeMaximum
from planner.configurations.selection import Bound
from planner.configurations.sharing.study import SharingSettings
from planner.configurations.table import representative_runs, table_of
from scenarios.measurements.runs import Runs
from tests.planner.configurations.rzmerl import rzmerl
from tests.shared_data import RZMERL, needs_data

NODE = NodeMaximum(2, 115.0, 0.0)


def made(*pairs: tuple[float, float], nodes: int = 2) -> Runs:
    """Runs of one configuration: time and power of each."""
    time, power = (np.array(column) for column in zip(*pairs, strict=True))
    count = len(pairs)
    return Runs(
        "code", np.full(count, nodes), np.full(count, 16), np.full(count, 115.0),
        np.arange(1, count + 1), time, power,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pairs", "time_s", "power_w"),
    [
        ([(5.0, 101.0)], 5.0, 101.0),
        ([(5.0, 101.0), (9.0, 90.0), (4.0, 102.0)], 5.0, 101.0),
        # of an even number the slower of the two in the middle; 96 W is not (90 + 102) / 2
        ([(5.0, 90.0), (4.0, 102.0)], 5.0, 90.0),
        ([(4.0, 1.0), (5.0, 2.0), (6.0, 3.0), (70.0, 4.0)], 6.0, 3.0),
        # of equally fast ones in the middle the one that draws more
        ([(4.0, 100.0), (4.0, 110.0)], 4.0, 110.0),
    ],
)
def test_the_median_run_is_a_run_that_was_made(
    pairs: list[tuple[float, float]], time_s: float, power_w: float
) -> None:
    row = table_of(made(*pairs)).row(0)
    assert (row.time_s, row.power_w) == (time_s, power_w)
    assert (time_s, power_w) in pairs


def test_the_median_is_the_default_wherever_a_configuration_comes_from_runs() -> None:
    assert Question(Bound(100.0), NODE).repetition == "median"
    assert SharingSettings().repetition == "median"
    three = made((5.0, 101.0), (9.0, 90.0), (4.0, 102.0))
    assert representative_runs(three).time_s.tolist() == [5.0]


def test_worst_is_the_longest_time_with_the_largest_power() -> None:
    runs = representative_runs(made((5.0, 101.0), (9.0, 90.0), (4.0, 102.0)), "worst")
    assert (runs.time_s.tolist(), runs.power_w.tolist()) == ([9.0], [102.0])


@needs_data
def test_a_lucky_run_no_longer_decides_on_real_measurements() -> None:
    """Of (30 x 14, 51 W) the runs took 6.049, 6.089 and 6.244 s (rzmerl, 2013)."""
    arguments = ("configure", str(RZMERL), "-A", "BT-MZ", "--power-bound", "3500")
    output = CliRunner().invoke(main, arguments).stdout
    assert "BT-MZ runs fastest as (30 x 14, 51 W): 6.09 s" in output
    plain = json.loads(CliRunner().invoke(main, (*arguments, "--json")).stdout)
    assert plain["repetition"] == "median"
    assert plain["best"]["time_s"] == plain["risk"]["median_s"] == pytest.approx(6.088663)
    assert plain["risk"]["best_s"] == pytest.approx(6.049253)
    assert plain["risk"]["worst_s"] == pytest.approx(6.244, abs=1e-3)


@needs_data
def test_every_time_and_power_of_the_default_table_was_measured_in_one_run() -> None:
    runs = rzmerl("BT-MZ")
    measured = set(zip(runs.time_s.tolist(), runs.power_w.tolist(), strict=True))
    table = table_of(runs)
    assert set(zip(table.time_s.tolist(), table.power_w.tolist(), strict=True)) <= measured


@needs_data
def test_sharing_shows_the_fastest_runs_next_to_the_median_runs() -> None:
    arguments = ("share", str(RZMERL), "--power-bound", "5500", "--nodes", "60")
    plain = json.loads(CliRunner().invoke(main, (*arguments, "--json")).stdout)
    assert plain["of_runs"] == pytest.approx({"median_s": 140.852, "best_s": 140.843}, abs=1e-3)
