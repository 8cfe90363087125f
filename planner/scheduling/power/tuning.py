"""A manager that switches policy by the queue, the bound and the load; tuned on other seeds.

While many watts are free, or small jobs wait, it takes Traditional, else Adaptive. Where it
switches, and with which threshold, is chosen for each bound by the geometric mean of mean
turnarounds over training logs. These have seeds of their own, so no log is both trained and scored
on.

References
----------
Patki (2015), section 7.3.4 (further work): Traditional for small jobs, Adaptive with a threshold
for large ones.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np

from planner.errors import InputError
from planner.question import schedule_of
from planner.scheduling.power.inputs.build import Replication, files_of, replicate
from planner.scheduling.power.problem import PowerProblem
from planner.scheduling.power.rmap import Greedy, PolicyMode
from scenarios import Scenario
from solvers.portable import log

TRAINING_SEEDS = 10
FIRST_TRAINING_SEED = 2_000_000_000
"""Behind every seed that a scenario may have: those are below 1,000,000,000."""

REQUESTS = (0.0, 0.25, 0.5, 0.75)
"""Switching points: mean request of waiting jobs, as a share of the nodes."""

LOADS = (0.0, 0.5, 0.8)
"""Switching points: charged watts, as a share of the bound."""

THRESHOLDS = (0.0, 0.1, 0.2, 0.3)


def self_tuned(scenario: Scenario, bound_w: float) -> Greedy:
    """Return the policy that did best on the training logs of a bound.

    Raises
    ------
    InputError
        No log of the scenario is synthetic, so there is nothing to train on.
    """
    return _tuned(scenario.model_dump_json(), bound_w, ByText(scenario))


class ByText:
    """A scenario next to its text, by which alone a cache knows it."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario

    def __hash__(self) -> int:
        # The text is the key of the cache; the scenario only has to pass through it.
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByText)


@lru_cache(maxsize=64)
def _tuned(text: str, bound_w: float, by_text: ByText) -> Greedy:
    problems = [
        replication.problem(bound_w, log.name)
        for replication in _training(text, by_text)
        for log in schedule_of(by_text.scenario).logs
        if log.drawn
    ]
    # Of equal scores the first stays, which switches least.
    return min(candidates(problems[0].nodes), key=lambda policy: score(policy, problems))


def candidates(nodes: int) -> list[Greedy]:
    """Return every manager that is tried, on a cluster of this size."""
    return [
        Greedy(
            "self-tuning",
            PolicyMode("naive", adaptive=True, threshold=threshold),
            PolicyMode("traditional", adaptive=False),
            least_request=request * nodes,
            least_load=load,
        )
        for request, load, threshold in product(REQUESTS, LOADS, THRESHOLDS)
    ]


def score(policy: Greedy, problems: list[PowerProblem]) -> float:
    """Return the mean logarithm of the mean turnaround over logs; less is better."""
    means = []
    for problem in problems:
        schedule = policy.schedule(problem).schedule
        ran = schedule.runs
        if ran.any():
            means.append((schedule.end_ms - problem.jobs.submit_ms)[ran].mean())
    # A geometric mean: a log of long turnarounds does not outweigh the others.
    return float(log(np.array(means)).mean()) if means else 0.0


@lru_cache(maxsize=1)
def _training(text: str, by_text: ByText) -> tuple[Replication, ...]:
    del text
    scenario = by_text.scenario
    if not any(log.drawn for log in schedule_of(scenario).logs):
        raise InputError(
            f"{scenario.name} has no synthetic log for training self-tuning; add a log of kind "
            "small, large or random, or leave the policy out"
        )
    files = files_of(scenario)
    seeds = range(FIRST_TRAINING_SEED, FIRST_TRAINING_SEED + TRAINING_SEEDS)
    return tuple(replicate(scenario, seed, files) for seed in seeds)
