"""All answers to one scenario of two designs, and the settings they were computed with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from planner.designs.break_even import BreakEven, Curves, SensitivityRow
from planner.designs.core_hour import CoreHourCost
from planner.designs.decision import DesignDecision, Turning
from planner.designs.design import DesignPlan
from planner.designs.overprovisioning import DesignCase, DesignComparison
from planner.designs.racks import RackStudy
from scenarios.model.scenario import Scenario
from solvers.model.result import Certificate


@dataclass(frozen=True)
class DesignOptions:
    """Solver settings of a comparison of designs; equal settings give equal results.

    With the solver ``"both"`` each of the two solves every program for itself.
    """

    solver: str = "highs"
    gap: float = 1e-6
    seed: int = 0
    time_limit_s: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


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
        return {
            "application": self.application,
            "design": self.design,
            "closed_form": self.closed_form.to_dict(),
            "plan": self.plan.to_dict(),
            "certificate": self.certificate.to_dict(),
            "agrees": self.agrees,
        }


@dataclass(frozen=True, repr=False)
class DesignResult:
    """All answers to one scenario; empty groups were not asked for."""

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
