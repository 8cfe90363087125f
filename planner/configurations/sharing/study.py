"""A plan of sharing with its measurements, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.answer import Answer
from planner.configurations.sharing.facts import study_of
from planner.configurations.sharing.problem import SharingProblem
from planner.configurations.sharing.result import SharingResult, SharingSettings
from planner.parts import files_of
from planner.study import Study
from scenarios.measurements.runs import Measurements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from planner.configurations.sharing.own import SharingHeuristic

__all__ = ["SharingSettings", "SharingStudy", "study"]


@dataclass(frozen=True, eq=False, repr=False)
class SharingStudy(SharingResult, Answer):
    """A plan and the rules of thumb, ready to be shown.

    Its attributes are those of :class:`~planner.configurations.sharing.result.SharingResult`.
    """

    def _made(self) -> Study:
        return study_of(self)

    def numbers(self) -> dict[str, Any]:
        """Times [s], power [W] and nodes of the plan, its certificate, and times of each heuristic.

        The limit is of what is minimised.
        """
        plan, goal = self.plan, self.plan.goal.replace(" ", "_") + "_s"
        certificate = plan.certificate
        return {
            "weighted_time_s": plan.weighted_time_s,
            "makespan_s": plan.makespan_s,
            "power_w": plan.power_w,
            "nodes_used": plan.nodes,
            "status": None if certificate is None else str(certificate.status),
            "limit_s": None if certificate is None else certificate.bound,
            "gap": None if certificate is None else certificate.gap_relative,
            **{f"{goal}.{name}": other.value for name, other in self.shared.rules.items()},
        }

    def solve_times(self) -> list[dict[str, Any]]:
        """Return what each certificate took."""
        return [
            {"question": question, "wall_s": certificate.wall_s, "cpu_s": certificate.cpu_s}
            for question, certificate in self.certificates.items()
        ]


def study(
    measurements: Measurements,
    problem: SharingProblem,
    settings: SharingSettings | None = None,
    *,
    reading: tuple[str, ...] = (),
    heuristics: Sequence[SharingHeuristic] = (),
) -> SharingStudy:
    """Share, and keep what is needed to show it.

    Parameters
    ----------
    measurements
        Runs of every job's application, under its name.
    reading
        As in :class:`SharingStudy`.
    heuristics
        The user's own heuristics, to compare with the plan.

    Raises
    ------
    PlanError, InputError
        As :func:`planner.configurations.sharing.share.share`.
    """
    from planner.configurations.sharing.share import share_and_compare

    settings = settings or SharingSettings()
    shared = share_and_compare(
        problem,
        goal=settings.goal,
        method=settings.method,
        gap=settings.gap,
        time_limit_s=settings.time_limit_s,
        seed=settings.seed,
        heuristics=heuristics,
    )
    return SharingStudy(measurements, shared, settings, reading, files_of(heuristics))
