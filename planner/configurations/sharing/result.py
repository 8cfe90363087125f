"""A plan of sharing with its measurements, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from planner.configurations.repeats import Repeats, repeats
from planner.configurations.risk import Risk, risk
from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem
from planner.configurations.sockets import SocketPower, socket_power
from planner.configurations.table import DEFAULT_REPETITION, Configuration, Repetition
from scenarios.measurements.runs import Measurements, Runs
from scenarios.measurements.spread import RepetitionSpread, spread
from solvers import Certificate

if TYPE_CHECKING:
    from planner.configurations.sharing.share import Shared


@dataclass(frozen=True)
class SharingSettings:
    """The settings of a run of ``headroom share``.

    The arguments of :func:`planner.configurations.sharing.share.share`.
    ``repetition`` speaks for each configuration, as in
    :func:`planner.configurations.table.table_of`. ``sockets`` of a node only tell how much power
    there is per socket.
    """

    goal: Goal = "weighted time"
    method: str = "lagrangian"
    gap: float = 1e-6
    time_limit_s: float | None = None
    seed: int = 0
    repetition: Repetition = DEFAULT_REPETITION
    sockets: int = 2


@dataclass(frozen=True, eq=False, repr=False)
class SharingResult:
    """A plan and the rules of thumb, with the measurements behind them.

    Attributes
    ----------
    measurements
        Runs that the jobs' tables were made of, by the jobs' names.
    shared
        The plan and the rules of thumb.
    settings
        How they were found.
    reading
        Words of the command that say how the file was read, as ``("--sheet", "runs")``, and which
        heuristics of the user's own were compared.
    files
        Name and SHA-256 of the files that these heuristics were read from.
    """

    measurements: Measurements
    shared: Shared
    settings: SharingSettings
    reading: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def plan(self) -> SharingPlan:
        """The plan by the method that was asked for."""
        return self.shared.plan

    @property
    def problem(self) -> SharingProblem:
        """Return the problem: jobs, nodes and the power bound."""
        return self.plan.problem

    @cached_property
    def binding_limits(self) -> tuple[str, ...] | None:
        """The limits that bind, of power and nodes; ``None`` where a search ended early."""
        from planner.configurations.sharing.binding import binding_limits
        from planner.configurations.sharing.share import share

        exact = partial(
            share, goal=self.plan.goal, gap=self.settings.gap,
            time_limit_s=self.settings.time_limit_s, seed=self.settings.seed,
        )  # fmt: skip
        return binding_limits(self.plan, exact)

    @property
    def plans(self) -> tuple[SharingPlan, ...]:
        """The plan, and behind it those of the rules of thumb."""
        return (self.plan, *self.shared.rules.values())

    @cached_property
    def runs(self) -> dict[str, Runs]:
        """Runs of every application that has a job, in the order of the jobs."""
        names = dict.fromkeys(job.name for job in self.problem.jobs)
        return {name: self.measurements.runs[name] for name in names}

    @cached_property
    def spreads(self) -> tuple[RepetitionSpread, ...]:
        """Repetitions and slow runs of each application that has a job."""
        return tuple(spread(runs) for runs in self.runs.values())

    @cached_property
    def repeats(self) -> tuple[Repeats, ...]:
        """How far repetitions of the same configuration lie apart, one per application."""
        return tuple(repeats(runs) for runs in self.runs.values())

    @cached_property
    def risks(self) -> tuple[Risk, ...]:
        """Summarise the repetitions of each job's configuration, one per job."""
        bound_w = self.problem.bound.bound_w
        seen: dict[tuple[str, Configuration], Risk] = {}
        for name, chosen in self.chosen:
            if (name, chosen) not in seen:
                seen[name, chosen] = risk(self.runs[name], chosen, bound_w)
        return tuple(seen[pair] for pair in self.chosen)

    @property
    def chosen(self) -> list[tuple[str, Configuration]]:
        """Name and configuration of every job."""
        names = (job.name for job in self.problem.jobs)
        return list(zip(names, self.plan.configurations, strict=True))

    @property
    def largest_power_w(self) -> float:
        """Return the power if every job drew the highest power measured for it [W]."""
        return round(sum(seen.largest_power_w for seen in self.risks), 9)

    @property
    def may_exceed(self) -> bool:
        """Whether the jobs pass the bound if every one draws the highest power of its runs."""
        return self.largest_power_w > max(self.problem.bound.bound_w, self.plan.power_w)

    @property
    def certificates(self) -> dict[str, Certificate]:
        """Return every certificate, by the question that it answers."""
        every = {}
        for plan in self.plans:
            label = "plan" if plan is self.plan else plan.method
            for question, certificate in certificates_of(plan).items():
                every[f"{question}: {label}"] = certificate
        return every

    @property
    def socket_powers(self) -> list[tuple[str, Configuration, SocketPower]]:
        """Package power of a socket of each chosen configuration, with its application."""
        powers = []
        for name, chosen in dict.fromkeys(self.chosen):
            power = socket_power(
                self.runs[name], chosen, self.settings.repetition, self.settings.sockets
            )
            powers += [] if power is None else [(name, chosen, power)]
        return powers

    @cached_property
    def of_runs(self) -> dict[str, float]:
        """The goal's value by the median and by the fastest run of every configuration [s]."""
        pairs = list(zip(self.problem.jobs, self.risks, strict=True))
        whole = max if self.plan.goal == "makespan" else sum
        weights = [1.0 if self.plan.goal == "makespan" else job.weight for job, _ in pairs]
        return {
            name: whole(
                w * getattr(seen, name) for w, (_, seen) in zip(weights, pairs, strict=True)
            )
            for name in ("median_s", "best_s")
        }

    @property
    def equal_weights(self) -> bool:
        """Whether every job has weight 1, so that the weighted time is the sum of run times."""
        return all(job.weight == 1 for job in self.problem.jobs)


def certificates_of(plan: SharingPlan) -> dict[str, Certificate]:
    """Return the certificates of one plan, by the value that they are of."""
    every = {
        plan.goal: plan.certificate,
        "weighted time within this makespan": plan.within_deadline,
    }
    return {value: certificate for value, certificate in every.items() if certificate is not None}
