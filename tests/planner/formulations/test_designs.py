"""The two designs: reference by both solvers, engine and counting agree on 4.1 to 4.7."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from planner import compare_designs
from planner.decimals import decimal
from planner.designs import overprovisioning
from planner.designs.overprovisioning import DesignCase, SpeedRatio
from planner.designs.racks import RackPrices
from planner.errors import PlanError
from planner.formulations import designs
from scenarios.model.run_times import LinearTime
from solvers import Status
from tests.planner.formulations.cases import CASES, solvers_of
from tests.sizes import few

KINDS = 6
RATIOS: tuple[SpeedRatio, SpeedRatio] = ("1 - r_p", "1/(1 + r_p)")


def random_case(seed: int) -> DesignCase:
    """Kind 1 buys whole racks, 2 fills the bound exactly, 3 is bound by power, 4 has no node."""
    rng, kind = np.random.default_rng([20, seed]), seed % KINDS
    slope = -round(float(rng.uniform(0.01, 1.0)), 3)
    time = LinearTime(
        kind="linear", node_type="old", slope_s_per_node=slope,
        intercept_s=round(-slope * 400 + float(rng.uniform(1, 50)), 2), measured_nodes=(4, 60),
    )  # fmt: skip
    peak = round(float(rng.uniform(300, 900)), 1)
    bound = round(peak * float(rng.uniform(1, 40)), 1)
    if kind == 2:
        bound = float(round(Fraction(str(peak)) * int(rng.integers(1, 40)), 1))
    if kind == 4:
        bound = round(peak * float(rng.uniform(0.3, 1.2)), 1)
    racks = RackPrices(
        int(rng.integers(2, 17)),
        Fraction(int(rng.integers(0, 12_001))),
        Fraction(int(rng.integers(1_700, 4_000))),
        Fraction(int(rng.integers(500, 1_701))),
    )
    return DesignCase(
        application=f"random {seed}",
        time=time,
        power_bound_w=bound,
        high_end_peak_w=peak,
        older_idle_w=round(float(rng.uniform(90, 290)), 1),
        performance_fraction=round(float(rng.uniform(0, 0.6)), 2),
        cost_ratio=None if kind == 1 else round(float(rng.uniform(1, 3 if kind != 3 else 9)), 2),
        racks=racks,
        speed_ratio=RATIOS[seed // 2 % 2],
        outside="clamp",
    )


def counted(case: DesignCase) -> tuple[int, int, int] | None:
    """n_wc, n_lim and n_ovp by adding one node after the other."""

    def most(affordable: Fraction, price: Fraction) -> int:
        return next(n for n in itertools.count() if (n + 1) * price > affordable)

    bound = decimal(case.power_bound_w)
    worst_case = most(bound, decimal(case.high_end_peak_w))
    limit = most(bound, decimal(case.older_idle_w))
    racks = case.racks
    if case.cost_ratio is not None:
        bought = most(worst_case * decimal(case.cost_ratio), Fraction(1))
    elif racks is not None:
        full = -(-worst_case // racks.nodes_per_rack)
        money = worst_case * racks.high_end + full * racks.empty_rack
        bought = next(
            n - 1
            for n in itertools.count(1)
            if n * racks.older + -(-n // racks.nodes_per_rack) * racks.empty_rack > money
        )
    overprovisioned = min(limit, bought)
    return (worst_case, limit, overprovisioned) if worst_case and overprovisioned else None


def by_line(case: DesignCase, nodes: int) -> float:
    """Run time on older nodes, clamped to the measured counts."""
    assert isinstance(case.time, LinearTime)
    low, high = case.time.measured_nodes
    return case.time.slope_s_per_node * min(max(nodes, low), high) + case.time.intercept_s


def test_the_thesis_by_hand() -> None:
    # 7,000 / 380 = 18.4, 7,000 / 180 = 38.9, 18 x 1.7 = 30.6 (section 4.4, Table 4.7)
    case = compare_designs("thesis-7kw").cases[0]
    counts = designs.node_counts(case)
    assert (counts.plan.worst_case, counts.plan.limit, counts.plan.overprovisioned) == (18, 38, 30)
    assert counts.plan.cost == Fraction(306, 10)
    assert counts.certificate.objective == pytest.approx(18 + 38 + 30.6 + 30)
    compared = designs.compare(case).plan
    assert compared.time_overprovisioned_s == pytest.approx(-1.114 * 30 + 73.07)
    assert compared.speedup == pytest.approx((73.07 - 1.114 * 18) * 0.73 / (73.07 - 1.114 * 30))
    model, variables = designs.formulate(case)
    assert list(variables) == ["n_wc", "n_lim", "c_wc", "n_ovp"]
    assert [c.name for c in model.constraints()] == [
        "peak", "idle", "cost", "affordable", "alive",
    ]  # fmt: skip


def test_whole_racks_by_hand() -> None:
    # 16 nodes at 3,300 in a rack of 12,000 cost 64,800; older ones 1,700: 16 for 39,200, then
    # (25,600 - 12,000) / 1,700 = 8 in a second rack (section 4.4.2): 24
    case = replace(
        random_case(1),
        power_bound_w=16 * 380.0, high_end_peak_w=380.0, older_idle_w=180.0,
        racks=RackPrices(16, Fraction(12_000), Fraction(3_300), Fraction(1_700)),
    )  # fmt: skip
    result = designs.node_counts(case).plan
    assert (result.worst_case, result.cost, result.cost_ratio) == (16, Fraction(24), Fraction(3, 2))
    assert [c.name for c in designs.formulate(case)[0].constraints()][2:6] == [
        "whole_high", "least_high", "whole_old", "money",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(few(CASES)))
def test_reference_engine_and_counting_agree(seed: int) -> None:
    case = random_case(seed)
    expected = counted(case)
    if expected is None:
        with pytest.raises(PlanError, match=r"below the peak power|buys not one"):
            overprovisioning.compare(case)
        for solver in solvers_of(seed):
            with pytest.raises(PlanError, match="power and money allow"):
                designs.compare(case, solver=solver)
        return
    worst_case, limit, overprovisioned = expected
    factor = case.performance_fraction
    factor = 1 - factor if case.speed_ratio == "1 - r_p" else 1 / (1 + factor)
    speedup = by_line(case, worst_case) * factor / by_line(case, overprovisioned)
    engine = overprovisioning.compare(case)
    for solver in solvers_of(seed):
        comparison = designs.compare(case, solver=solver)
        assert comparison.certificate.status is Status.OPTIMAL
        assert comparison.plan == engine
        assert comparison.plan.nodes_worst_case == worst_case
        assert comparison.plan.node_limit == limit
        assert comparison.plan.nodes_overprovisioned == overprovisioned
        assert comparison.plan.speedup == pytest.approx(speedup, rel=1e-9)


def test_what_a_solver_cannot_tell_is_refused_by_name() -> None:
    # 20 x 350 = 7,000 W; ten nanowatts less hold 19 nodes
    case = replace(random_case(0), power_bound_w=7000 - 1e-8, high_end_peak_w=350.0)
    assert overprovisioning.node_counts(case).worst_case == 19
    with pytest.raises(
        PlanError, match=r"6999\.99999999 W is too close to a whole number of nodes"
    ):
        designs.node_counts(case)
    with pytest.raises(PlanError, match="allows 1,000,000 nodes or more; check the units"):
        designs.node_counts(replace(case, power_bound_w=1e12))
    with pytest.raises(PlanError, match="give a cost ratio or rack prices"):
        designs.node_counts(replace(case, cost_ratio=None, racks=None))
