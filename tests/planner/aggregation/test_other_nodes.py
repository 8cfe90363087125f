"""Nodes other than those of the paper: one die, one processor, one core a die."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from planner.aggregation.aggregate import AggregationStudy, aggregate
from planner.aggregation.patterns import patterns, sampled
from planner.aggregation.power import Metered, fit_power, told_apart
from planner.aggregation.result import AggregationSettings
from planner.errors import InputError
from scenarios.aggregation import read_measurements, write_measurements
from scenarios.aggregation.task_layout import Layout
from tests.scenarios.aggregation.folders import ipc, layouts, power_w, synthetic

USUAL = [
    # node, sampled, coefficients of the formula 180 + 8 P + 4 D + 4 T + 5 T IPC that are left
    (Layout(2, 1, 4), (3, 2), [180, 8 + 4, 0, 4, 5]),  # a processor has one die
    (Layout(1, 2, 4), (3, 2), [180 + 8, 0, 4, 4, 5]),
    (Layout(1, 1, 8), (2, 1), [180 + 8 + 4, 0, 0, 4, 5]),
    (Layout(2, 2, 1), (3, 4), [180, 8, 0, 4 + 4, 5]),  # a die has one core
    (Layout(4, 1, 1), (2, 4), [180, 0, 0, 8 + 4 + 4, 5]),
    (Layout(1, 1, 3), (2, 1), [180 + 8 + 4, 0, 0, 4, 5]),
    (Layout(2, 2, 2), (4, 5), [180, 8, 4, 4, 5]),
]


@pytest.fixture(scope="module")
def flat() -> AggregationStudy:
    return aggregate(synthetic(Layout(2, 1, 4)), AggregationSettings(threshold=1.0))


@pytest.mark.parametrize(("node", "under", "left"), USUAL, ids=[f"{n}" for n, *_ in USUAL])
def test_samples_and_power_by_hand(node: Layout, under: tuple[int, int], left: list[float]) -> None:
    assert sampled(node) == under
    runs = [
        Metered(p.layout, rate, power_w(p.layout, rate))
        for p in patterns(node)
        for rate in (0.5, 1.5)
    ]
    model = fit_power(runs, node)
    assert model.coefficients == pytest.approx(left)
    for p in patterns(node):
        assert model.predict(p.layout, 1.1) == pytest.approx(power_w(p.layout, 1.1))


@pytest.mark.parametrize("node", [Layout(*n) for n in product((1, 2, 3), (1, 2), (1, 2, 3))])
def test_no_fewer_parts_are_kept_than_measurements_can_tell(node: Layout) -> None:
    """As many as the rank of all patterns at two IPCs."""
    if node.tasks == 1:
        return
    rows = [
        [1, u.processors, u.processors * u.dies, u.tasks, u.tasks * rate]
        for u in layouts(node).values()
        for rate in (0.5, 1.5)
    ]
    assert sum(told_apart(node)) == np.linalg.matrix_rank(np.array(rows))


@pytest.mark.parametrize("node", [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)])
def test_nodes_with_nothing_to_predict_are_refused(node: tuple[int, int, int]) -> None:
    with pytest.raises(
        InputError, match=r"has (one|2) patterns?, (two of which are|which is) sampled"
    ):
        sampled(Layout(*node))


def test_where_more_runs_would_help_they_are_asked_for() -> None:
    node = Layout(2, 1, 4)
    alike = [Metered(p.layout, 1.0, 200.0) for p in patterns(node)]
    words = "cannot separate idle, socket, core and IPC; meter codes of different IPC"
    with pytest.raises(InputError, match=words):
        fit_power(alike, node)


@pytest.mark.parametrize("node", [n for n, *_ in USUAL], ids=[f"{n}" for n, *_ in USUAL])
def test_a_folder_of_any_node_is_answered(node: Layout, tmp_path: Path) -> None:
    tasks = 12 if node.tasks == 3 else 8
    write_measurements(synthetic(node, tasks=tasks), tmp_path / "m")
    result = aggregate(read_measurements(tmp_path / "m"), AggregationSettings(threshold=1.0))
    assert result.chosen.pattern.tasks == node.tasks  # all are tolerable
    for c in result.candidates:
        wanted = ipc(1.8, 0.02, c.pattern.layout)
        assert c.ipc == pytest.approx(wanted, rel=0.01)
        run_s = c.time_s * result.measured.program.iterations
        nodes = tasks // c.pattern.tasks
        assert c.energy_j == pytest.approx(nodes * power_w(c.pattern.layout, c.ipc) * run_s)


def test_what_was_sampled_is_told(flat: AggregationStudy) -> None:
    assert {row["pattern"] for row in flat.tables()["patterns"] if row["ipc_sampled"]} == {2, 3}


def test_samples_of_another_node_are_named(flat: AggregationStudy) -> None:
    program = flat.measured.program
    wrong = replace(program, samples={4: program.samples[3], 5: program.samples[2]})
    with pytest.raises(ValueError, match="pattern 4 is not sampled; give patterns 2 and 3 only"):
        aggregate(replace(flat.measured, program=wrong, lines={4: 3, 5: 4}))


@pytest.mark.parametrize("exchange_b", [0.0, 100.0])
def test_programs_that_send_nothing_to_each_other_stay_in_rank_order(
    exchange_b: float, tmp_path: Path
) -> None:
    write_measurements(synthetic(exchange_b=exchange_b), tmp_path / "m")
    for name in ("traffic.csv", "message-times.csv"):
        (tmp_path / "m" / name).unlink()
    result = aggregate(read_measurements(tmp_path / "m"), AggregationSettings(threshold=1.0))
    assert result.chosen.groups.tolist() == [[*range(8)]]
    assert (result.chosen.communication_s > 0) == (exchange_b > 0)
