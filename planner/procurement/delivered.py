"""How much of a committed figure must be delivered for the requirements of a plan to be met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.procurement.layout import layout
from planner.procurement.penalties import expected_penalty
from planner.procurement.plan import Plan
from planner.procurement.problem import OfferedMerit, Problem
from planner.procurement.reach import shortfall
from planner.procurement.varied import refigured
from scenarios.model.tender import OfferedFigure, Package

_STEPS = 10**6
"""Steps of the delivered fraction: one is the tolerance with which requirements are met."""
_ROUNDING = 1e-8
"""Share of a requirement: far below the tolerance with which it is met."""


@dataclass(frozen=True)
class DeliveredFigure:
    """A committed figure of a package that is bought.

    Attributes
    ----------
    least
        Smallest delivered fraction, in millionths, with which the plan still meets every required
        throughput while all other figures are as stated. ``None`` where the figure is the
        performance of no workload, or nothing is required.
    expected_penalty
        Mean penalty if the delivered figure is uniform within its half width.
    """

    package: Package
    figure: OfferedFigure
    least: float | None
    expected_penalty: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        penalty = self.figure.penalty
        return {
            "package": self.package.title, "name": self.package.name, "figure": self.figure.name,
            "value": self.figure.value, "half_width": self.figure.half_width,
            "least": self.least, "expected_penalty": self.expected_penalty,
            "most": None if penalty is None else penalty.most,
        }  # fmt: skip


def delivered_figures(problem: Problem, plan: Plan) -> tuple[DeliveredFigure, ...]:
    """Every committed figure of the packages that a plan buys."""
    return tuple(
        DeliveredFigure(
            problem.packages[number].package,
            figure,
            _least(problem, plan, _uses(problem, number, figure)),
            float(expected_penalty(figure)),
        )
        for number in plan.bill.packages
        for figure in problem.packages[number].package.figures
        if figure.basis == "committed"
    )


def _uses(problem: Problem, package: int, figure: OfferedFigure) -> list[OfferedMerit]:
    return [each for each in problem.offered if each.package == package and each.figure == figure]


def _least(problem: Problem, plan: Plan, uses: list[OfferedMerit]) -> float | None:
    """Smallest fraction by bisection: with more of a figure, no requirement is farther away."""
    if not uses or not problem.least_work.any():
        return None
    lowest, highest = -1, _STEPS
    while highest - lowest > 1:
        middle = (lowest + highest) // 2
        if _meets(problem, plan, uses, middle / _STEPS):
            highest = middle
        else:
            lowest = middle
    return highest / _STEPS


def _meets(problem: Problem, plan: Plan, uses: list[OfferedMerit], fraction: float) -> bool:
    other = refigured(problem, [(each, fraction) for each in uses])
    return shortfall(other, layout(other), plan.nodes) <= _ROUNDING
