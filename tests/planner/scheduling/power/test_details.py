"""The job details table from measured runs and from the thesis's regression."""

from __future__ import annotations

import numpy as np
import pytest

from planner.configurations.prediction.candidates import CandidateConfigurations
from planner.configurations.table import ConfigurationTable
from planner.errors import InputError
from planner.scheduling.power.inputs.details import (
    charged_runs,
    details_of,
    measured_table,
    model_table,
    training_count,
    training_runs,
    whole_thousandths,
)
from planner.scheduling.power.inputs.packed import packed_of
from planner.scheduling.power.inputs.pruning import only_rows, undominated_or_packed
from planner.scheduling.power.problem import JobDetails
from scenarios.measurements.runs import Runs


def test_times_and_watts_round_up_to_whole_thousandths() -> None:
    # 796.4 x 1000 is 796399.9999999999 in floating point, 0.29 x 1000 is 290.00000000000006
    assert whole_thousandths(np.array([796.4, 0.0001, 2.0001, 0.29])).tolist() == [
        796_400, 1, 2001, 290,
    ]  # fmt: skip


def runs_of(times: list[float], dram: bool = True) -> Runs:
    """Three runs of one configuration and one of another."""
    return Runs(
        "a",
        np.array([2, 2, 2, 4]),
        np.full(4, 16),
        np.full(4, 115.0),
        np.array([1, 2, 3, 1]),
        np.array(times),
        np.array([300.0, 310.0, 320.0, 600.0]),
        np.full(4, 30.0) if dram else None,
    )


def test_a_measured_table_has_the_median_run_and_the_watts_that_count() -> None:
    runs = runs_of([12.0, 10.0, 11.0, 6.0])
    packages = details_of([measured_table(runs, "package")], "measured", 64)
    assert packages.time_ms.tolist() == [11_000, 6000]
    assert packages.charge_mw.tolist() == [320_000, 600_000]
    nodes = details_of([measured_table(runs, "node")], "measured", 64)
    assert nodes.charge_mw.tolist() == [350_000, 630_000]
    best = details_of([measured_table(runs, "package", "best")], "measured", 64)
    assert best.time_ms.tolist() == [10_000, 6000]


def test_memory_that_counts_has_to_be_measured() -> None:
    with pytest.raises(InputError, match="a: charge = 'node' counts memory power"):
        charged_runs(runs_of([1, 2, 3, 4], dram=False), "node")


def test_rows_larger_than_the_cluster_are_left_out_and_none_is_a_fault() -> None:
    table = measured_table(runs_of([12.0, 10.0, 11.0, 6.0]), "package")
    assert details_of([table, table], "measured", 3).first.tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="no configuration for a cluster of 1 nodes"):
        details_of([table], "measured", 1)


def surface() -> tuple[CandidateConfigurations, Runs]:
    """Runs that a polynomial of degree two in logarithms gives exactly."""
    axes = np.meshgrid([8.0, 16, 32, 64], [8.0, 12, 16], [51.0, 80, 115], indexing="ij")
    n, c, p = (axis.ravel() for axis in axes)
    x, y, z = np.log(n), np.log(c), np.log(p)
    time_s = np.exp(9 - 0.8 * x - 0.9 * y - 0.3 * z + 0.02 * x * x + 0.01 * x * y - 0.03 * y * z)
    power_w = np.exp(1 + 0.98 * x + 0.2 * y + 0.6 * z + 0.01 * z * z)
    rows = CandidateConfigurations(n.astype(np.int64), c.astype(np.int64), p)
    ones = np.ones(len(n), np.int64)
    return rows, Runs("a", rows.nodes, rows.cores_per_node, p, ones, time_s, power_w)


def test_the_regression_finds_the_polynomial_again_from_some_of_its_points() -> None:
    rows, runs = surface()
    training = training_runs(runs, 0.5, np.random.default_rng(1))
    assert len(training) == 18
    table = model_table(training, rows, "package")
    assert table.time_s == pytest.approx(runs.time_s, rel=1e-9)
    assert table.charged_w == pytest.approx(runs.package_power_w, rel=1e-9)


@pytest.mark.parametrize("guard", [0.05, 0.1, 0.15])
def test_a_guard_charges_more_than_is_predicted(guard: float) -> None:
    rows, runs = surface()
    table = model_table(runs, rows, "package", guard=guard)
    assert table.charged_w * (1 - guard) == pytest.approx(runs.package_power_w, rel=1e-9)
    charge = details_of([table], "model", 64).charge_mw
    assert (charge >= table.charged_w * 1000 - 1e-3).all()


def test_too_few_configurations_for_ten_coefficients_are_refused() -> None:
    rows, runs = surface()
    with pytest.raises(InputError, match="needs 10 different configurations, but the file has 9"):
        model_table(training_runs(runs, 0.25, np.random.default_rng(0)), rows, "package")


def test_a_tenth_of_the_thesis_is_38_of_375_configurations() -> None:
    assert training_count(375, 0.1) == 38
    assert training_count(3, 0.1) == 1


def table_of_rows(rows: list[tuple[int, int, float, float, float]]) -> JobDetails:
    n, c, p, time_s, power_w = (np.array(column) for column in zip(*rows, strict=True))
    return details_of([ConfigurationTable("a", n, c, p, time_s, power_w)], "measured", 100)


ROWS = [  # nodes, cores, cap, seconds, watts
    (2, 8, 51.0, 90.0, 200.0),
    (2, 16, 115.0, 60.0, 400.0),
    (4, 8, 51.0, 95.0, 300.0),  # the first needs fewer nodes, watts and time
    (4, 16, 80.0, 40.0, 600.0),
    (4, 16, 115.0, 50.0, 800.0),  # packed, and worse than the one above
]


def test_dominated_rows_go_and_packed_ones_stay() -> None:
    details = table_of_rows(ROWS)
    selected = undominated_or_packed(details)
    assert selected.tolist() == [True, True, False, True, True]
    assert only_rows(details, selected).time_ms.tolist() == [90_000, 60_000, 40_000, 50_000]


def test_of_equal_rows_the_first_stays() -> None:
    details = table_of_rows([*ROWS[:1], (2, 10, 51.0, 90.0, 200.0), *ROWS[1:]])
    assert undominated_or_packed(details).tolist() == [True, False, True, False, True, True]


@pytest.mark.parametrize("seed", range(20))
def test_within_any_nodes_and_watts_the_fastest_kept_row_is_the_fastest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    indices = np.unravel_index(rng.choice(6 * 3 * 3, 30, replace=False), (6, 3, 3))
    rows = [
        (int(n) + 1, int(c), float(p), float(rng.integers(1, 9)), float(rng.integers(1, 9)))
        for n, c, p in zip(*indices, strict=True)
    ]
    details = table_of_rows(rows)
    fewer = only_rows(details, undominated_or_packed(details))
    assert len(fewer) < len(details)
    for nodes in range(1, 7):
        for milliwatts in range(1000, 9000, 1000):
            assert fastest(fewer, nodes, milliwatts) == fastest(details, nodes, milliwatts)


def fastest(details: JobDetails, nodes: int, milliwatts: int) -> int:
    fits = (details.nodes <= nodes) & (details.charge_mw <= milliwatts)
    return int(details.time_ms[fits].min(initial=10**9))


def test_packed_rows_have_all_cores_and_the_highest_cap() -> None:
    packed = packed_of(table_of_rows([*ROWS, (6, 16, 80.0, 30.0, 900.0)]), 0)
    assert packed.nodes.tolist() == [2, 4]  # 6 nodes were not measured at 115 W
    assert packed.row.tolist() == [1, 4]
