"""Jobs that are alike, taken together: what hundreds of jobs need to be read at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.configurations.sharing.problem import SharingPlan
from planner.configurations.table import Configuration


@dataclass(frozen=True)
class JobGroup:
    """Jobs of one application that run as the same configuration, with their weights."""

    name: str
    configuration: Configuration
    weights: tuple[float, ...]

    @property
    def jobs(self) -> int:
        """How many they are."""
        return len(self.weights)

    @property
    def power_w(self) -> float:
        """Power of all of them [W]."""
        return self.jobs * self.configuration.power_w

    @property
    def nodes(self) -> int:
        """Nodes of all of them."""
        return self.jobs * self.configuration.nodes


def groups(plan: SharingPlan) -> list[JobGroup]:
    """Every group, those that draw most first."""
    alike: dict[tuple[str, Configuration], list[float]] = {}
    for job, configuration in zip(plan.problem.jobs, plan.configurations, strict=True):
        alike.setdefault((job.name, configuration), []).append(job.weight)
    made = [JobGroup(*key, tuple(weights)) for key, weights in alike.items()]
    return sorted(made, key=lambda group: -group.power_w)


def applications(plan: SharingPlan) -> list[str]:
    """Every application that has a job, those that draw most first."""
    power_w: dict[str, float] = {}
    for job, configuration in zip(plan.problem.jobs, plan.configurations, strict=True):
        power_w[job.name] = power_w.get(job.name, 0.0) + configuration.power_w
    return sorted(power_w, key=lambda name: -power_w[name])


def jobs_in(selected: Sequence[JobGroup]) -> int:
    """How many jobs some groups hold."""
    return sum(group.jobs for group in selected)
