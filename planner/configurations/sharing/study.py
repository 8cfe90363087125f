"""A plan of sharing with its measurements, ready to be shown."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from planner.configurations.repeats import Repeats, repeats
from planner.configurations.risk import Risk, repetition_warnings, risk
from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem
from planner.configurations.sharing.tables import tables
from planner.configurations.sockets import SocketPower, socket_power
from planner.configurations.table import DEFAULT_REPETITION, Configuration, Repetition
from planner.formatting import (
    clipped,
    duration,
    given,
    percent,
    plural,
    seconds,
    watts,
)
from planner.parts import files_of
from planner.version import FORMAT, headroom_version
from planner.worded_study import Study
from scenarios.measurements.runs import Measurements, Runs, counts_memory, power_counts
from scenarios.measurements.spread import RepetitionSpread, spread
from solvers import Certificate, Level, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from planner.configurations.sharing.own import SharingHeuristic
    from planner.configurations.sharing.share import Shared


_MEANINGS: dict[Goal, str] = {
    "weighted time": "the sum of the jobs' run times, each times its weight",
    "makespan": "the time until the last job ends",
}
_TINY = 1e-5
"""Below a thousandth of a per cent, gaps are all alike."""
_FAR_BELOW_CAP, _NEAR_CAP = 0.6, 0.9
"""Shares of its cap that a socket draws where the cap hardly limits it, and where it does."""
_LEVELS = {
    Level.PROVED: "rigorously proved",
    Level.VERIFIED: "solver bound, plan rechecked",
    Level.CLAIMED: "as the solver reports",
}


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
class SharingStudy(Study):
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
    def binding_limits(self) -> tuple[str, ...]:
        """The limits that bind, of power and nodes."""
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
    def power_by_application(self) -> dict[str, float]:
        """Power of all jobs of each application in the plan [W]."""
        power_w: dict[str, float] = {}
        for name, configuration in self.chosen:
            power_w[name] = power_w.get(name, 0.0) + configuration.power_w
        return power_w

    @property
    def largest_power_w(self) -> float:
        """Return the power if every job drew the highest power measured for it [W]."""
        return round(sum(seen.largest_power_w for seen in self.risks), 9)

    @property
    def may_exceed(self) -> bool:
        """Whether the jobs pass the bound if every one draws the highest power of its runs."""
        return self.largest_power_w > max(self.problem.bound.bound_w, self.plan.power_w)

    @property
    def counts_memory(self) -> bool:
        """Whether the power of every job includes memory."""
        return counts_memory(self.runs.values())

    @property
    def power_counts(self) -> str:
        """What the power of every job is of, in words."""
        return power_counts(self.runs.values())

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
    def socket_powers(self) -> list[tuple[str, SocketPower]]:
        """Package power of a socket of each chosen configuration, by what it is of."""
        powers = []
        for name, chosen in dict.fromkeys(self.chosen):
            power = socket_power(
                self.runs[name], chosen, self.settings.repetition, self.settings.sockets
            )
            powers += [] if power is None else [(f"{clipped(name)} {chosen}", power)]
        return powers

    @property
    def sockets_summary(self) -> str:
        """Name the jobs whose sockets draw least and most of their cap, and what follows."""
        lowest, highest = (
            pick(self.socket_powers, key=lambda pair: pair[1].share) for pick in (min, max)
        )
        per_node = f"Package power per socket ({self.settings.sockets} per node)"
        if lowest[1] == highest[1]:
            return f"{per_node}: {watts(lowest[1].power_w)} (cap: {lowest[1].cap_w:g} W)."
        return f"{per_node}: {' '.join(map(_of_cap, (lowest, highest)))}"

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
    def runs_sentence(self) -> str:
        """State which runs the times are of, with the median and the fastest; empty if run once."""
        if all(seen.repetitions == 1 for seen in self.risks):
            return ""
        median, fastest = (seconds(of_run) for of_run in self.of_runs.values())
        return {
            "median": f"Times are those of median runs; with the fastest runs it is {fastest}.",
            "best": f"Times are those of the fastest runs; with median runs it is {median}.",
            "worst": f"Times are those of the slowest runs; with median runs it is {median}, with "
            f"the fastest {fastest}.",
        }[self.settings.repetition]

    @property
    def equal_weights(self) -> bool:
        """Whether every job has weight 1, so that the weighted time is the sum of run times."""
        return all(job.weight == 1 for job in self.problem.jobs)

    @property
    def headline(self) -> str:
        """The decision in one sentence."""
        plan, problem = self.plan, self.problem
        jobs = plural(len(problem.jobs), "job")
        at = f"at {watts(plan.power_w)} of {problem.bound.bound_w:,.15g} W"
        time = duration(plan.value)
        if len(problem.jobs) == 1:
            return f"{jobs} runs with a {plan.goal} of {time}, {at}."
        if plan.goal == "makespan":
            return f"{jobs} run at once; the last one ends after {time}, {at}."
        weighted = "" if self.equal_weights else "weighted "
        return f"{jobs} run at once; their {weighted}run times add up to {time}, {at}."

    @property
    def details(self) -> str:
        """State the value and its meaning, the nodes, and which runs the times are of."""
        plan = self.plan
        nodes = f"{plan.nodes:,} of {plural(self.problem.nodes, 'node')}"
        meaning = _MEANINGS[plan.goal]
        meaning += ", here 1" if plan.goal == "weighted time" and self.equal_weights else ""
        value = seconds(plan.value)
        text = f"The {plan.goal} ({meaning}) is {value} on {nodes}. {self.runs_sentence}"
        return text.rstrip()

    @property
    def confidence(self) -> str:
        """State how much better another choice could be, in plain words."""
        certificate, above = self.plan.certificate, self.shared.above_bound(self.plan)
        if certificate is None or above is None:
            return "It is not known how much better another choice could be."
        how = _LEVELS[certificate.level]
        if above == 0:
            return f"Optimal: no choice is better ({how})."
        less = above / (1 + above)
        if certificate.status is Status.OPTIMAL:
            by = percent(less, "up") if less >= _TINY else "0.001 %"
            return f"Optimal: no choice can be more than {by} better ({how})."
        within = self.shared.above_text(self.plan)
        return f"Within {within} of the best limit ({how}); a better choice may exist."

    @property
    def warnings(self) -> tuple[str, ...]:
        """List what a reader must know before using the plan."""
        messages = list(self.measurements.warnings)
        bound_w = self.problem.bound.bound_w
        messages += [
            sentence
            for spread in self.spreads
            if not spread.known
            for sentence in spread.findings()
        ]
        for (name, chosen), seen in dict(zip(self.chosen, self.risks, strict=True)).items():
            messages += repetition_warnings(name, chosen, seen, bound_w)
        if self.problem.bound.never_limits(self.problem.largest_power_w):
            messages.append(
                f"The power bound of {bound_w:,.10g} W limits nothing: with the highest power of "
                f"all their configurations, the jobs draw {watts(self.problem.largest_power_w)}. "
                "Check the unit of the bound."
            )
        if self.may_exceed:
            messages.append(
                f"At the highest power of all runs of every job, the jobs would draw "
                f"{watts(self.largest_power_w)}, above the bound of {watts(bound_w)}. Use "
                "--repetition worst or --guard to stay below it."
            )
        messages += [
            f"{name}: {power.warning}" for name, power in self.socket_powers if power.warning
        ]
        certificate = self.plan.certificate
        if certificate is not None and certificate.status is not Status.OPTIMAL:
            gap = certificate.gap_relative
            how = "No bound is known" if gap is None else f"The gap is {percent(gap, 'up')}"
            messages.append(
                f"{how}, and {given(self.settings.gap)} was requested. Give more time, or use "
                "--method both."
            )
        return tuple(dict.fromkeys(messages))

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        named = tables(self.shared, self.certificates, self.repeats, self.spreads)
        return {name: rows for name, rows in named.items() if rows}

    def to_dict(self) -> dict[str, Any]:
        """What ``--json`` prints."""
        bound = self.problem.bound
        head = {
            "format": FORMAT,
            "headroom": headroom_version(),
            "measurements": {"name": self.measurements.name, "sha256": self.measurements.sha256},
            "bound_w": bound.bound_w,
            "guard": bound.guard,
            "nodes": self.problem.nodes,
            "power_counts": self.power_counts,
            "asked": asdict(self.settings),
            "summary": self.headline,
            "largest_power_w": self.largest_power_w,
            "of_runs": self.of_runs,
            "warnings": list(self.warnings),
        }
        files = {"files": dict(self.files)} if self.files else {}
        return head | files | self.shared.to_dict()


def _of_cap(pair: tuple[str, SocketPower]) -> str:
    """State how much of its cap a socket draws, and whether the cap limits it where that is clear.

    Between the two shares, phases of a job may reach the cap although its mean power does not.
    """
    name, power = pair
    follows = ""
    if power.share <= _FAR_BELOW_CAP:
        follows = ", so the cap hardly limits it"
    elif power.share >= _NEAR_CAP and not power.warning:
        follows = ", so the cap limits it"
    return f"{name} draws {watts(power.power_w)}, {percent(power.share)} of its cap{follows}."


def certificates_of(plan: SharingPlan) -> dict[str, Certificate]:
    """Return the certificates of one plan, by the value that they are of."""
    every = {
        plan.goal: plan.certificate,
        "weighted time within this makespan": plan.within_deadline,
    }
    return {value: certificate for value, certificate in every.items() if certificate is not None}


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
