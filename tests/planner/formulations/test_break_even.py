"""Break-even: reference by both solvers, engine and counting up find the same nodes."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from planner import compare_designs
from planner.decimals import decimal
from planner.designs import break_even as engine
from planner.designs.overprovisioning import DesignCase
from planner.designs.run_time import Outside, run_time
from planner.errors import OutsideMeasuredError, PlanError
from planner.formulations import break_even
from scenarios.model.run_times import LinearTime, TableTime
from tests.planner.formulations.cases import CASES, solvers_of
from tests.sizes import few

KINDS = 5
OUTSIDE: tuple[Outside, ...] = ("clamp", "extrapolate")


def random_case(seed: int) -> DesignCase:
    """Kind 1: equal nodes, so ties; 2: never pays; 3: times rise again; 4: a line."""
    rng, kind = np.random.default_rng([25, seed]), seed % KINDS
    nodes = np.arange(4, int(rng.integers(12, 40)), 4)
    times = 100 * np.exp(-nodes / float(rng.uniform(20, 300)))
    if kind == 1:
        times = np.repeat(times[::2], 2)[: len(nodes)]  # flat steps
    if kind == 3:
        times += 0.05 * (nodes - 4.0) ** 2
    time: LinearTime | TableTime = TableTime(
        kind="table", node_type="old", nodes=tuple(nodes.tolist()),
        time_s=tuple(np.round(times, 3).tolist()),
    )  # fmt: skip
    if kind == 4:
        time = LinearTime(
            kind="linear", node_type="old", slope_s_per_node=-0.2, intercept_s=100.0,
            measured_nodes=(4, 50),
        )  # fmt: skip
    peak = float(rng.integers(300, 900))
    return DesignCase(
        application=f"random {seed}",
        time=time,
        power_bound_w=peak * float(rng.integers(1, 30)) + float(rng.integers(0, 200)),
        high_end_peak_w=peak,
        older_idle_w=float(rng.integers(90, 280)),
        performance_fraction={1: 0.0, 2: 0.95}.get(kind, round(float(rng.uniform(0, 0.5)), 2)),
        cost_ratio=1.7,
        outside="clamp" if kind in (1, 3) else OUTSIDE[seed // KINDS % 2],
    )


def counted(case: DesignCase) -> tuple[int | None, float | None]:
    """The first count that is faster, of all and of those that power and r_c >= 1 allow."""
    bound = decimal(case.power_bound_w)
    worst_case = math.floor(bound / decimal(case.high_end_peak_w))
    limit = math.floor(bound / decimal(case.older_idle_w))
    to_beat = run_time(case.time, worst_case, case.outside).exact_s * case.exact_time_factor

    def first(counts: range) -> int | None:
        for nodes in counts:
            try:
                if run_time(case.time, nodes, case.outside).exact_s < to_beat:
                    return nodes
            except OutsideMeasuredError:
                continue
        return None

    affordable = first(range(worst_case, limit + 1))
    ratio = None if affordable is None else float(Fraction(affordable, worst_case))
    return first(range(1, 100 * case.time.measured_nodes[1] + 1)), ratio


def test_the_thesis_by_hand() -> None:
    # LU-MZ: (25.93 - 0.542 x 18) x 0.73 = 11.807 s; 25.93 - 0.542 n < 11.807 from n = 26.06 on: 27
    case = compare_designs("thesis-7kw").cases[3]
    assert break_even.fewest_nodes(case) == 27
    assert break_even.cost_ratio(case) == 1.5
    model, columns = break_even.formulate(case, 18, affordable=True)
    assert [c.name for c in model.constraints()] == [
        "one", "least_0", "most_0", "faster", "idle", "least_ratio",
    ]  # fmt: skip
    assert [v.name for v in columns[0][1:]] == ["use_0", "nodes_0"]


@pytest.mark.parametrize("seed", range(few(CASES)))
def test_reference_engine_and_counting_find_the_same(seed: int) -> None:
    case = random_case(seed)
    nodes, ratio = counted(case)
    try:
        even = engine.break_even((case,), "alone")
    except PlanError:
        even = None  # the engine also asks for the run time of what 1.7 buys
    if even is not None:
        assert (even.nodes, even.cost_ratio) == (nodes, ratio)
    for solver in solvers_of(seed):
        assert break_even.fewest_nodes(case, solver=solver) == nodes
        assert break_even.cost_ratio(case, solver=solver) == ratio


def test_an_equal_run_time_does_not_pay() -> None:
    flat = TableTime(kind="table", node_type="a", nodes=(4, 60), time_s=(7.5, 7.5))
    case = DesignCase("flat", flat, 7000.0, 380.0, 180.0, 0.0, 1.7, outside="clamp")
    assert break_even.fewest_nodes(case) is None
    step = replace(
        case, time=TableTime(kind="table", node_type="a", nodes=(4, 60, 61), time_s=(7.5, 7.5, 7.0))
    )
    assert break_even.fewest_nodes(step) == 61
