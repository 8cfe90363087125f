"""How many nodes to buy: reference by both solvers, engine and enumeration read the same."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from planner.configurations import degree as engine
from planner.configurations.degree import Degree, NodeCurve
from planner.configurations.selection import Bound
from planner.configurations.table import ConfigurationTable
from planner.decimals import decimal
from planner.errors import InputError, PlanError
from planner.formulations import degree
from tests.planner.formulations.cases import CASES, KINDS, random_bound, random_table, solvers_of
from tests.sizes import few


def table(nodes: list[int], times: list[float], power_w: float = 100.0) -> ConfigurationTable:
    count = len(nodes)
    return ConfigurationTable(
        "a", np.array(nodes), np.full(count, 16), np.arange(51.0, 51.0 + count), np.array(times),
        power_w * np.array(nodes, dtype=np.float64),
    )  # fmt: skip


def enumerated(
    table: ConfigurationTable, bound: Bound, least_gain: float, fixed: float
) -> tuple[int, int, int] | None:
    """Fastest, marginal and money by the words of the docstring, in exact decimals."""
    usable = decimal(bound.usable_w) * (1 + decimal(1e-12))
    machines: dict[int, Fraction] = {}
    for row, charged in zip(table.rows(np.arange(len(table))), table.charged_w, strict=True):
        if decimal(float(charged)) <= usable:
            best = machines.get(row.nodes, decimal(row.time_s))
            machines[row.nodes] = min(best, decimal(row.time_s))
    if not machines:
        return None
    sizes = sorted(machines)
    offered = {n: min(machines[m] for m in sizes if m <= n) for n in sizes}
    fastest = min(sizes, key=lambda n: (offered[n], n))
    money = min(sizes, key=lambda n: ((decimal(fixed) + n) * offered[n], n))
    gain = decimal(least_gain)
    pays = {
        n: any(
            offered[m] < offered[n] and 1 - offered[m] / offered[n] >= gain * (m - n)
            for m in sizes
            if m > n
        )
        for n in sizes
    }
    return fastest, min(n for n in sizes if not pays[n]), money


def readings(degrees: Degree) -> tuple[int, int, int | None]:
    return degrees.fastest_nodes, degrees.marginal_nodes, degrees.money_nodes


def test_three_readings_by_hand() -> None:
    # 4 -> 8 nodes saves 40 %, 10 % a node; 8 -> 16 saves 10 %, 1.25 % a node; 16 -> 32 none.
    # Nodes x time: 400, 480, 864; with 20 nodes' price of other cost 24 x 100, 28 x 60, 36 x 54
    case = table([4, 8, 16, 32], [100.0, 60.0, 54.0, 54.0])
    degrees = degree.degree(case, Bound(5000), 4, least_gain=0.02, fixed_cost_nodes=20.0)
    assert readings(degrees) == (16, 8, 8)
    assert (degrees.degree(degrees.marginal_nodes), degrees.largest_nodes) == (2.0, 32)
    assert readings(degree.degree(case, Bound(5000), 4, fixed_cost_nodes=0.0)) == (16, 16, 4)
    tight = degree.degree(case, Bound(900), 4)
    assert readings(tight) == (8, 8, None)
    assert tight.largest_nodes == 8
    model, x = degree.formulate(case, Bound(900))
    assert [c.name for c in model.constraints()] == [
        "reached_4", "reached_8", "flat_8", "one", "power",
    ]  # fmt: skip
    assert [v.name for v in x] == ["x_0", "x_1", "x_2", "x_3"]


@pytest.mark.parametrize(
    ("first_s", "second_s", "added"),
    [(10.0, 9.9, 1), (4.0, 3.8, 5), (1.0, 0.9, 10), (1.0, 0.93, 7), (100.0, 94.0, 6)],
)
def test_a_saving_of_exactly_the_required_share_pays(
    first_s: float, second_s: float, added: int
) -> None:
    case = table([2, 2 + added], [first_s, second_s])
    curve = NodeCurve("a", 1e4, case.nodes, case.time_s)
    assert engine.degree(curve, 1).marginal_nodes == 2 + added
    for solver in ("cbc", "highs"):
        assert degree.degree(case, Bound(1e4), 1, solver=solver).marginal_nodes == 2 + added


@pytest.mark.parametrize("seed", range(few(CASES)))
def test_reference_engine_and_enumeration_read_the_same(seed: int) -> None:
    rng, kind = np.random.default_rng([22, seed]), seed % KINDS
    case = random_table(rng, kind)
    bound = random_bound(rng, kind, case)
    least_gain = float(rng.choice([0.0, 0.01, 0.1, 0.5]))
    fixed = float(rng.choice([0.0, 3.0, 100.0]))
    expected = enumerated(case, bound, least_gain, fixed)
    if expected is None:
        with pytest.raises(PlanError, match="fits"):
            engine.node_curve(case, bound)
        with pytest.raises(PlanError, match="fits the bound"):
            degree.degree(case, bound, 3)
        return
    read = engine.degree(
        engine.node_curve(case, bound), 3, least_gain=least_gain, fixed_cost_nodes=fixed
    )
    assert readings(read) == expected
    for solver in solvers_of(seed):
        assert read == degree.degree(
            case, bound, 3, least_gain=least_gain, fixed_cost_nodes=fixed, solver=solver
        )


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(InputError, match="the fixed cost is -1 nodes"):
        degree.degree(table([4], [1.0]), Bound(1e4), 1, fixed_cost_nodes=-1.0)
    wide = table(list(range(1, 501)), [1.0] * 500, power_w=1.0)
    with pytest.raises(PlanError, match="degree would have 251,500 nonzeros"):
        degree.formulate(wide, Bound(1e4))
