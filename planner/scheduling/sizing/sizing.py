"""The size of a machine for one log under one policy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.errors import InputError
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.simulation.steps import sum_of_intervals
from planner.scheduling.sizing.level import ServiceLevel
from planner.scheduling.sizing.search import SearchResult, search

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.settings import SimulationSettings
    from scenarios.job_logs.job_log import Integers, JobLog

MOST_PROCESSORS = 10**9
GRID = 12
"""Sizes of the curve, in equal ratios."""


@dataclass(frozen=True)
class SizeTrial:
    """The outcome of a simulation on a machine of one size.

    Attributes
    ----------
    nodes, processors
        Nodes and processors of the machine.
    value
        Value of the level's statistic; ``None`` where it is not defined.
    keeps
        Whether it is within the level.
    utilisation, mean_wait_s, p95_wait_s, mean_bounded_slowdown
        As :class:`~planner.scheduling.simulation.measures.Measures` has them.
    """

    nodes: int
    processors: int
    value: float | None
    keeps: bool
    utilisation: float | None
    mean_wait_s: float | None
    p95_wait_s: float | None
    mean_bounded_slowdown: float | None


@dataclass(frozen=True)
class Bounds:
    """Between which sizes an answer can lie.

    Attributes
    ----------
    fewest
        Nodes of the largest job: on fewer it would be rejected.
    work
        Nodes that do all work while jobs are submitted, without a pause; on fewer the queue grows.
    largest
        Nodes in use if every job started at once: there nobody waits.
    largest_job
        Number of the largest job.
    """

    fewest: int
    work: int
    largest: int
    largest_job: int


@dataclass(frozen=True)
class Sizing:
    """The answer under one policy.

    Attributes
    ----------
    policy, estimates
        Who starts when, and what is planned with.
    search
        The search: the size in nodes, and the value of each size tried.
    tried
        Every size tried, by nodes, ascending.
    today
        The log as it is, on its own machine; ``None`` where that is not known or no whole nodes.
    rule
        What the policy does, in words.
    """

    policy: str
    estimates: str
    search: SearchResult
    tried: Mapping[int, SizeTrial]
    today: SizeTrial | None
    rule: str

    @property
    def nodes(self) -> int | None:
        """The answer; ``None``: no size keeps the level."""
        return self.search.size

    @property
    def answer(self) -> SizeTrial | None:
        """The answer as it was tried."""
        return None if self.nodes is None else self.tried[self.nodes]

    @property
    def below(self) -> SizeTrial | None:
        """One node less; ``None`` where the largest job would not fit."""
        return None if self.nodes is None else self.tried.get(self.nodes - 1)

    @property
    def above(self) -> SizeTrial | None:
        """One node more."""
        return None if self.nodes is None else self.tried.get(self.nodes + 1)

    @property
    def largest(self) -> SizeTrial:
        """The largest size that was tried."""
        return self.tried[max(self.tried)]

    @property
    def lucky(self) -> tuple[int, ...]:
        """Smaller sizes that keep the level too, with one between that does not."""
        if self.nodes is None:
            return tuple(size for size, tried in self.tried.items() if tried.keeps)
        return tuple(
            size for size, tried in self.tried.items() if tried.keeps and size < self.nodes
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""

        def plain(tried: SizeTrial | None) -> dict[str, Any] | None:
            return None if tried is None else asdict(tried)

        return {
            "policy": self.policy,
            "estimates": self.estimates,
            "nodes": self.nodes,
            "processors": self.answer.processors if self.answer else None,
            "answer": plain(self.answer),
            "one_node_below": plain(self.below),
            "one_node_above": plain(self.above),
            "smaller_sizes_that_keep_it_too": list(self.lucky),
            "every_size_tried_within_nodes": self.search.looked,
            "todays_log_on_its_machine": plain(self.today),
            "tried": [
                asdict(tried) | {"answer": tried is self.answer} for tried in self.tried.values()
            ],
        }


def bounds_of(log: JobLog, node_processors: int) -> Bounds:
    """Between which sizes an answer can lie.

    Raises
    ------
    InputError
        A job, or all of them together, ask for more than a machine is thought to have.
    """
    nodes = -(-log.processors // node_processors)
    largest = int(nodes.argmax())
    needed = int(log.processors[largest])
    if needed > MOST_PROCESSORS:
        raise InputError(
            f"job {int(log.number[largest])} asks for {needed:,} processors, more than "
            f"{MOST_PROCESSORS:,}; correct it or leave it out"
        )
    # Also a run of 0 s needs its processors at its instant.
    runs = np.maximum(log.run_s, 1)
    in_use = sum_of_intervals(log.submit_s, log.submit_s + runs, nodes).largest()
    if in_use * node_processors > MOST_PROCESSORS:
        raise InputError(
            f"{log.name} would use {in_use * node_processors:,} processors at once, more than "
            f"{MOST_PROCESSORS:,}; give a smaller growth or smaller nodes"
        )
    span = max(1, int(log.submit_s[-1] - log.submit_s[0]))
    work = math.ceil(float(nodes @ log.run_s.astype(float)) / span)
    fewest, largest_size = int(nodes[largest]), in_use
    return Bounds(
        fewest, min(max(work, fewest), largest_size), largest_size, int(log.number[largest])
    )


def size_for(
    log: JobLog,
    policy: Policy,
    level: ServiceLevel,
    rules: SimulationSettings,
    *,
    today: JobLog | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Sizing:
    """Find the smallest machine that meets a level, with the curve over sizes.

    Parameters
    ----------
    log
        The grown log.
    policy
        Policy of the scheduler.
    level
        Service level that must be met.
    rules
        Nodes, order of events, estimates, and the choice of measured jobs.
    today
        The log before its growth; it is simulated on its own machine too.
    progress
        Called once with a message.

    Raises
    ------
    InputError, PlanError
        As :func:`bounds_of` and :func:`~planner.scheduling.simulation.simulate.simulate`.
    """
    bounds = bounds_of(log, rules.node_processors)
    tried: dict[int, SizeTrial] = {}

    progress(f"sizes under {policy.name}")
    estimates = ""

    def value(nodes: int) -> float | None:
        nonlocal estimates
        tried[nodes], estimates = _tried(log, policy, level, rules, nodes)
        return tried[nodes].value

    curve = np.unique(np.geomspace(bounds.work, bounds.largest, GRID).round().astype(int)).tolist()
    result = search(value, level.keeps, bounds.fewest, bounds.largest, curve)
    now = None
    machine = None if today is None else today.machine_processors
    if today is not None and machine and _fits(today, machine, rules.node_processors):
        now, _ = _tried(today, policy, level, rules, machine // rules.node_processors)
    from planner.scheduling.policies.rules import rule_of

    rule = rule_of(policy)
    return Sizing(policy.name, estimates, result, dict(sorted(tried.items())), now, rule)


def with_size(
    sizing: Sizing,
    nodes: int,
    log: JobLog,
    policy: Policy,
    level: ServiceLevel,
    rules: SimulationSettings,
) -> Sizing:
    """The sizing of a log with one more size tried; where that misses, the answer moves up."""
    bounds, tried = bounds_of(log, rules.node_processors), dict(sizing.tried)

    def value(size: int) -> float | None:
        if size not in tried:
            tried[size], _ = _tried(log, policy, level, rules, size)
        return tried[size].value

    most = max(bounds.largest, *tried, nodes)
    result = search(value, level.keeps, bounds.fewest, most, [*tried, nodes])
    return replace(sizing, search=result, tried=dict(sorted(tried.items())))


def size_only(
    log: JobLog, policy: Policy, level: ServiceLevel, rules: SimulationSettings, near: int | None
) -> int | None:
    """As :func:`size_for` without curve and details, begun near a size that is expected."""
    bounds = bounds_of(log, rules.node_processors)

    def value(nodes: int) -> float | None:
        played = simulate(log, policy, processors=nodes * rules.node_processors, **_rules(rules))
        measured = rules.trim.of(played.schedule)
        return level.value(played.schedule.take(played.schedule.started & measured.jobs))

    first = (bounds.work if near is None else near,)
    return search(value, level.keeps, bounds.fewest, bounds.largest, first, below=False).size


def _tried(
    log: JobLog, policy: Policy, level: ServiceLevel, rules: SimulationSettings, nodes: int
) -> tuple[SizeTrial, str]:
    """Return what a size gives, and the estimates that were planned with."""
    processors = nodes * rules.node_processors
    played = simulate(log, policy, processors=processors, replayed=True, **_rules(rules))
    schedule = played.schedule
    measured = rules.trim.of(schedule)
    measures = measure(schedule, measured)
    value = level.value(schedule.take(schedule.started & measured.jobs))
    wait, slowed = measures.wait_s, measures.bounded_slowdown
    tried = SizeTrial(
        nodes,
        processors,
        value,
        level.keeps(value),
        measures.utilisation,
        wait.mean if wait else None,
        wait.p95 if wait else None,
        slowed.mean if slowed else None,
    )
    return tried, schedule.estimates


def _rules(rules: SimulationSettings) -> dict[str, Any]:
    return {
        "node_processors": rules.node_processors,
        "event_order": rules.event_order,
        "estimates": rules.estimates,
    }


def _fits(log: JobLog, machine: int, node_processors: int) -> bool:
    nodes: Integers = -(-log.processors // node_processors)
    return machine % node_processors == 0 and int(nodes.max()) * node_processors <= machine
