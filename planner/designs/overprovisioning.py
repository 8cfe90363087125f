"""The cost model of overprovisioning: two designs for the same money and the same power.

References
----------
T. Patki, *The Case for Hardware Overprovisioned Supercomputers*, PhD thesis, University of
Arizona, 2015, section 4.4, equations 4.1 to 4.7. Node counts are floored (the thesis leaves the
floors of 4.1 and 4.2 out). Table 4.6 words s_ovp the other way round; the formula is kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from planner.decimals import decimal
from planner.designs.racks import RackPrices, rack_prices
from planner.designs.run_time import Origin, Outside, run_time
from planner.errors import OutsideMeasuredError, PlanError
from scenarios.model.run_times import LinearTime, TableTime
from scenarios.model.scenario import Scenario
from solvers.portable import exp, log

LARGEST_MACHINE = 1_000_000
"""Nodes; six times the largest machine ever built. More is a mistake of units."""

_NOISE = 1e-13
"""Logarithms of a mean below this are noise of rounding: both designs are equally fast."""

SpeedRatio = Literal["1 - r_p", "1/(1 + r_p)"]


@dataclass(frozen=True)
class DesignCase:
    """The inputs of Table 4.4 for one application.

    Attributes
    ----------
    power_bound_w, high_end_peak_w, older_idle_w
        P_sys, P_n_max and P_n_min, in watts.
    cost_ratio
        r_c; ``None``: what ``racks`` says for the node count at hand.
    performance_fraction
        r_p.
    speed_ratio
        Time on high-end nodes over time on older ones.
    """

    application: str
    time: LinearTime | TableTime
    power_bound_w: float
    high_end_peak_w: float
    older_idle_w: float
    performance_fraction: float
    cost_ratio: float | None
    racks: RackPrices | None = None
    speed_ratio: SpeedRatio = "1 - r_p"
    outside: Outside = "refuse"
    weight: float = 1.0

    @property
    def exact_time_factor(self) -> Fraction:
        """Time on high-end nodes over time on as many older ones, in exact decimals."""
        fraction = decimal(self.performance_fraction)
        return 1 - fraction if self.speed_ratio == "1 - r_p" else 1 / (1 + fraction)

    @property
    def time_factor(self) -> float:
        """Return the time factor as a floating-point number."""
        return float(self.exact_time_factor)


@dataclass(frozen=True)
class DesignComparison:
    """Both designs for one application.

    Attributes
    ----------
    nodes_worst_case, node_limit, nodes_overprovisioned
        n_wc (4.1), n_lim (4.2), n_ovp (4.4).
    cost_worst_case
        c_wc (4.3), in prices of one older node.
    time_overprovisioned_s, time_worst_case_s
        t_ovp (4.5), t_wc (4.6).
    speedup
        s_ovp = t_wc / t_ovp (4.7): above 1, overprovisioning is faster.
    time_reduction
        1 - t_ovp / t_wc: the same gain in the other convention.
    degree_of_overprovisioning
        n_ovp / n_wc.
    worst_case_origin, overprovisioned_origin
        Whether each run time was measured, clamped or extrapolated.
    """

    application: str
    weight: float
    cost_ratio: float
    nodes_worst_case: int
    node_limit: int
    cost_worst_case: float
    nodes_overprovisioned: int
    time_overprovisioned_s: float
    time_worst_case_s: float
    speedup: float
    time_reduction: float
    degree_of_overprovisioning: float
    beneficial: bool
    worst_case_origin: Origin
    overprovisioned_origin: Origin

    @property
    def extrapolated(self) -> bool:
        """Whether either run time was extrapolated."""
        return "extrapolated" in (self.worst_case_origin, self.overprovisioned_origin)


@dataclass(frozen=True)
class NodeCounts:
    """Node counts and costs of the two designs, before run times are compared."""

    worst_case: int
    limit: int
    cost: Fraction
    overprovisioned: int
    cost_ratio: Fraction


def node_counts(case: DesignCase) -> NodeCounts:
    """Equations 4.1 to 4.4, in exact arithmetic.

    ``n_wc = floor(P_sys / P_n_max)``, ``n_lim = floor(P_sys / P_n_min)``, ``c_wc = n_wc r_c``,
    ``n_ovp = min(n_lim, floor(c_wc))``.

    Raises
    ------
    PlanError
        The bound does not power a single node, or the money does not buy one.
    """
    return _node_counts(
        case.power_bound_w,
        case.high_end_peak_w,
        case.older_idle_w,
        case.cost_ratio,
        case.racks if case.cost_ratio is None else None,
    )


@lru_cache(maxsize=1 << 17)  # the applications of a mix share their node counts
def _node_counts(
    power_bound_w: float,
    high_end_peak_w: float,
    older_idle_w: float,
    given_ratio: float | None,
    racks: RackPrices | None,
) -> NodeCounts:
    bound = decimal(power_bound_w)
    worst_case = math.floor(bound / decimal(high_end_peak_w))
    if worst_case == 0:
        raise PlanError(
            f"power.bound_w = {power_bound_w:g} is below the peak power of one high-end node "
            f"({high_end_peak_w:g} W); raise the bound or choose a smaller node"
        )
    if older_idle_w <= 0:
        raise PlanError("idle_w of the older node is 0; give the power of a node that is on")
    limit = math.floor(bound / decimal(older_idle_w))
    if limit == 0:
        raise PlanError(
            f"power.bound_w = {power_bound_w:g} is below the idle power of one older node "
            f"({older_idle_w:g} W); raise the bound or choose a smaller node"
        )
    if limit > LARGEST_MACHINE:
        raise PlanError(
            f"power.bound_w = {power_bound_w:g} would keep {limit:.6g} older nodes of "
            f"{older_idle_w:g} W alive, more than {LARGEST_MACHINE:,}; check the units"
        )
    cost_ratio = _cost_ratio(given_ratio, racks, worst_case)
    cost = worst_case * cost_ratio
    overprovisioned = min(limit, math.floor(cost))
    if overprovisioned == 0:
        raise PlanError("the money of the worst-case design buys not one older node")
    return NodeCounts(worst_case, limit, cost, overprovisioned, cost_ratio)


def _cost_ratio(ratio: float | None, racks: RackPrices | None, worst_case: int) -> Fraction:
    """r_c as a fraction, given or bought rack by rack."""
    if ratio is not None:
        return decimal(ratio)
    if racks is None:
        raise PlanError("neither a cost ratio nor rack prices are given")
    return racks.cost_ratio(worst_case)


def compare(case: DesignCase) -> DesignComparison:
    """Equations 4.1 to 4.7 for one application.

    Raises
    ------
    PlanError
        No design exists, or a run time is asked for where it was not measured.
    """
    return timed(case, node_counts(case))


def timed(case: DesignCase, counts: NodeCounts) -> DesignComparison:
    """Equations 4.5 to 4.7: how fast the application runs on both designs.

    Raises
    ------
    PlanError
        A run time is needed where it was not measured, or r_p leaves none.
    """
    if case.exact_time_factor <= 0:
        raise PlanError(
            f"r_p = {case.performance_fraction:g} leaves no run time under a time ratio of "
            "1 - r_p; use speed_ratio = '1/(1 + r_p)'"
        )
    try:
        older = run_time(case.time, counts.overprovisioned, case.outside)  # 4.5
        as_older = run_time(case.time, counts.worst_case, case.outside)
    except OutsideMeasuredError as error:
        raise OutsideMeasuredError(f"{case.application}: {error}") from None
    worst_case_s = as_older.exact_s * case.exact_time_factor  # 4.6
    speedup = worst_case_s / older.exact_s  # 4.7
    return DesignComparison(
        application=case.application,
        weight=case.weight,
        cost_ratio=float(counts.cost_ratio),
        nodes_worst_case=counts.worst_case,
        node_limit=counts.limit,
        cost_worst_case=float(counts.cost),
        nodes_overprovisioned=counts.overprovisioned,
        time_overprovisioned_s=older.time_s,
        time_worst_case_s=float(worst_case_s),
        speedup=float(speedup),
        time_reduction=float(1 - 1 / speedup),
        degree_of_overprovisioning=counts.overprovisioned / counts.worst_case,
        beneficial=speedup > 1,
        worst_case_origin=as_older.origin,
        overprovisioned_origin=older.origin,
    )


def design_cases(scenario: Scenario) -> tuple[DesignCase, ...]:
    """One case per application of the scenario.

    Returns
    -------
    tuple of DesignCase
        In the order of the scenario's workloads.

    Raises
    ------
    PlanError
        A figure that the comparison needs is missing.
    """
    question = scenario.overprovisioning
    if question is None or scenario.power is None:
        raise PlanError(f"{scenario.name} has no [overprovisioning] with [power] to compare")
    high_end = scenario.node_type(question.high_end)
    older = scenario.node_type(question.older)
    if high_end.peak_w is None or older.idle_w is None:
        raise PlanError("peak_w of the high-end node and idle_w of the older one are needed")
    ratio_given = question.cost_ratio_from == "given"
    for workload in scenario.workloads:
        if workload.run_time.node_type != older.name:
            raise PlanError(
                f"{workload.name} was measured on {workload.run_time.node_type}, not on the older "
                f"node {older.name}; give its run times there"
            )
    return tuple(
        DesignCase(
            application=workload.name,
            time=workload.run_time,
            power_bound_w=scenario.power.bound_w,
            high_end_peak_w=high_end.peak_w,
            older_idle_w=older.idle_w,
            performance_fraction=question.performance_fraction,
            cost_ratio=question.cost_ratio if ratio_given else None,
            racks=rack_prices(scenario),
            speed_ratio=question.speed_ratio,
            outside=question.outside_measured,
            weight=workload.weight,
        )
        for workload in scenario.workloads
    )


def compare_all(cases: tuple[DesignCase, ...]) -> tuple[DesignComparison, ...]:
    """Compare the designs for every application.

    Raises
    ------
    PlanError
        With the reasons of all applications for which there is none.
    """
    comparisons, reasons = [], []
    for case in cases:
        try:
            comparisons.append(compare(case))
        except PlanError as error:
            reasons.append(str(error))
    if reasons:
        raise PlanError("\n".join(dict.fromkeys(reasons)))
    return tuple(comparisons)


def other_speed_ratio(case: DesignCase) -> DesignCase:
    """The same case under the other reading of "faster by r_p"."""
    forms: dict[SpeedRatio, SpeedRatio] = {"1 - r_p": "1/(1 + r_p)", "1/(1 + r_p)": "1 - r_p"}
    return replace(case, speed_ratio=forms[case.speed_ratio])


def mix_speedup(comparisons: tuple[DesignComparison, ...]) -> float:
    """Weighted geometric mean of the speedups: how the mix as a whole fares."""
    weight = math.fsum(c.weight for c in comparisons)
    mean = math.fsum(c.weight * log(c.speedup) for c in comparisons) / weight
    return 1.0 if abs(mean) < _NOISE else exp(mean)
