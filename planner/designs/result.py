"""All answers to one scenario of two designs, and the settings they were computed with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from planner.designs.break_even import BreakEven, Curves, SensitivityRow
from planner.designs.core_hour import CoreHourCost
from planner.designs.decision import DesignDecision, Turning
from planner.designs.design import DesignPlan
from planner.designs.overprovisioning import DesignCase, DesignComparison
from planner.designs.printed import PrintedDesignRow, compare_printed
from planner.designs.racks import RackStudy
from scenarios.model.scenario import Scenario
from solvers.model.result import Certificate, Stop


@dataclass(frozen=True)
class DesignOptions:
    """Solver settings of a comparison of designs; equal settings give equal results.

    With the solver ``"both"`` each of the two solves every program for itself.
    """

    solver: str = "highs"
    gap: float = 1e-6
    seed: int = 0
    time_limit_s: float | None = None


@dataclass(frozen=True)
class DesignCheck:
    """The closed form of one design compared with the program's answer.

    Attributes
    ----------
    design
        ``high-end``, ``older`` (each forced to that type) or ``free`` (both on offer).
    closed_form
        The closed form; for ``free`` the better of the two.
    plan, certificate
        From the mixed-integer program.
    agrees
        Whether both give the same run time.
    """

    application: str
    design: str
    closed_form: DesignPlan
    plan: DesignPlan
    certificate: Certificate
    agrees: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without times."""
        return asdict(self) | {"certificate": self.certificate.to_dict()}


@dataclass(frozen=True, repr=False)
class DesignResult:
    """All answers to one scenario; groups that were not computed are empty.

    Attributes
    ----------
    scenario, options
        The scenario, and the settings of the solvers.
    decision
        Which design is faster for the mix; ``None`` where nothing is compared.
    cases, overprovisioning
        Inputs of each application, and the comparison of both designs for it.
    break_even, mix_break_even
        Cost ratio at which both designs are equal: of each application, and of the mix.
    turning
        Values at which the decision changes.
    sensitivity
        The comparison with changed inputs.
    other_reading
        The comparison with the other meaning of the performance ratio.
    curves
        What the figures show.
    designs
        Closed forms compared with the answers of the program.
    racks
        Prices with whole racks; ``None`` where racks are not given.
    core_hour
        Cost of a core-hour; ``None`` where it is not computed.
    """

    scenario: Scenario
    options: DesignOptions
    decision: DesignDecision | None = None
    cases: tuple[DesignCase, ...] = ()
    overprovisioning: tuple[DesignComparison, ...] = ()
    break_even: tuple[BreakEven, ...] = ()
    mix_break_even: BreakEven | None = None
    turning: tuple[Turning, ...] = ()
    sensitivity: tuple[SensitivityRow, ...] = ()
    other_reading: tuple[DesignComparison | None, ...] = ()
    curves: tuple[Curves, ...] = ()
    designs: tuple[DesignCheck, ...] = ()
    racks: RackStudy | None = None
    core_hour: CoreHourCost | None = None

    @property
    def stopped_by_time(self) -> bool:
        """Whether any solve ended by its time limit: then another run may differ."""
        return any(check.certificate.stop is Stop.TIME for check in self.designs)

    def unmeasured(self, origin: str) -> tuple[str, ...]:
        """Applications with a run time that is ``clamped`` or ``extrapolated``."""
        return tuple(
            c.application
            for c in self.overprovisioning
            if origin in (c.worst_case_origin, c.overprovisioned_origin)
        )

    @cached_property
    def printed(self) -> tuple[PrintedDesignRow, ...]:
        """Compare published numbers with ours."""
        return compare_printed(self.scenario.printed, self.results())

    def results(self) -> dict[str, Any]:
        """Every result as plain values; what was not asked for is left out."""
        results: dict[str, Any] = {}
        if self.decision is not None:
            evens = (*self.break_even, *([self.mix_break_even] if self.mix_break_even else []))
            results = {
                "decision": self.decision.to_dict(),
                "overprovisioning": [
                    asdict(comparison)
                    | {
                        "break_even_performance_fraction": even.performance_fraction,
                        "break_even_nodes": even.nodes,
                        "break_even_cost_ratio": even.cost_ratio,
                        "speedup_other_reading": None if other is None else other.speedup,
                    }
                    for comparison, even, other in zip(
                        self.overprovisioning, self.break_even, self.other_reading, strict=True
                    )
                ],
                "break_even": [even.to_dict() for even in evens],
                "turning_points": [asdict(point) for point in self.turning],
                "sensitivity": [asdict(row) for row in self.sensitivity],
                "designs": [check.to_dict() for check in self.designs],
            }
        if self.racks is not None:
            results["racks"] = asdict(self.racks)
        if self.core_hour is not None:
            results["cost_per_core_hour"] = asdict(self.core_hour)
        if self.curves:
            results["curves"] = [asdict(curve) for curve in self.curves]
        return results
