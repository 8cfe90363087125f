"""Every policy on every log, under every bound and with every seed: in processes, resumable."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from planner.dependences.digest import files_needed, learn, mark_of
from planner.dependences.files import Files
from planner.errors import InputError
from planner.parallel import in_processes
from planner.parts import is_own, name_of
from planner.question import schedule_of
from planner.result_folder import ResultFolder, result_in, result_text
from planner.scheduling.power.checked_run import checked_run
from planner.scheduling.power.inputs.build import Replication, replicate
from planner.scheduling.power.inputs.build import files_of as files_in
from planner.scheduling.power.offline import cpsat
from planner.scheduling.power.offline.optimum import CertifiedInterval, Effort, Method, optimum
from planner.scheduling.power.offline.problem import hindsight
from planner.scheduling.power.offline.schedule import Goal
from planner.scheduling.power.own_policy import refuse_foreknowledge, refuse_other_run
from planner.scheduling.power.policy import PowerPolicy, PowerRun
from planner.scheduling.power.problem import PowerProblem
from planner.scheduling.power.registry import SELF_TUNING, find_power_policy
from planner.scheduling.power.results.jobs import JobOutcome
from planner.scheduling.power.results.result import (
    PolicyOutcome,
    PowerSeries,
    compared,
    outcome_of,
    with_requests,
    with_users,
)
from planner.scheduling.power.tuning import ByText, self_tuned
from scenarios import Scenario
from solvers.compiled import interpreted

_Part = str | PowerPolicy
"""A policy by its name or place (``file.py:Class``), or the object itself."""


@dataclass(frozen=True)
class _Task:
    """One log with one seed, under all bounds and policies."""

    mark: str
    scenario: Scenario
    policies: tuple[_Part, ...]
    log: str
    seed: int
    search: OptimumSearch | None


@dataclass(frozen=True)
class OptimumSearch:
    """How the optimum of each log is looked for, in hindsight.

    Attributes
    ----------
    goal
        Mean turnaround or makespan.
    time_limit_s
        Wall seconds of each of its programs; without it they end by their work.
    """

    goal: Goal
    time_limit_s: float | None = None


def run_grid(
    scenario: Scenario,
    policies: Sequence[_Part],
    *,
    logs: Sequence[str] = (),
    workers: int = 1,
    keep: Path | None = None,
    search: OptimumSearch | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> tuple[PolicyOutcome, ...]:
    """Run every policy of a scenario's question about scheduling.

    Parameters
    ----------
    policies
        Names, files with a class (``file.py:Class``), or objects; their names must differ.
    logs
        Names of the logs that are run; by default all. The random numbers of a log do not depend on
        the choice of the other logs.
    workers
        Number of processes.
    keep
        Folder that stores finished parts, one for each log and seed. An interrupted run resumes
        from them. Results of policy objects cannot be stored.
    search
        Settings of the search for the optimum of each log; only for small logs.
    progress
        Called with the number of finished parts and the number of all parts.

    Returns
    -------
    tuple
        By log, bound, seed and policy, in the order of the scenario.

    Raises
    ------
    InputError
        A policy breaks a rule, a policy object is used with a folder, or the folder cannot be used.
    """
    every = _tasks(scenario, tuple(policies), search, stored=keep is not None)
    tasks = [task for task in every if not logs or task.log in logs]
    store = None if keep is None else ResultFolder(keep)
    done = _finished(store, tasks)
    progress(len(done), len(tasks))
    rest = [task for task in tasks if task.mark not in done]
    for mark, result, files in in_processes(
        _answered, rest, workers, keeps_results=store is not None
    ):
        if store is not None:
            plain = {"outcomes": [_plain(item) for item in result]}
            store.write(mark, result_text(mark, plain, files))
        learn(files, _loaded(policies))
        done[mark] = result
        progress(len(done), len(tasks))
    order = _order(scenario, [outcome for task in tasks for outcome in done[task.mark]])
    return tuple(order)


def _order(scenario: Scenario, outcomes: Sequence[PolicyOutcome]) -> list[PolicyOutcome]:
    """Sort outcomes by log, bound and seed; policies stay in their order."""
    logs = [log.name for log in schedule_of(scenario).logs]
    return sorted(
        outcomes, key=lambda outcome: (logs.index(outcome.log), outcome.bound_w, outcome.seed)
    )


def _tasks(
    scenario: Scenario, policies: tuple[_Part, ...], search: OptimumSearch | None, *, stored: bool
) -> list[_Task]:
    schedule = schedule_of(scenario)
    synthetic = {log.name for log in schedule.logs if log.drawn}
    varies = schedule.cluster.variability or schedule.cluster.noise
    mark = _mark(scenario, policies, search) if stored else ""
    seeds = range(schedule.first_seed, schedule.first_seed + schedule.seeds)
    # A log that no seed changes is run with the first seed alone.
    return [
        _Task(_part_mark(mark, log.name, seed), scenario, policies, log.name, seed, search)
        for seed in seeds
        for log in schedule.logs
        if log.name in synthetic or varies or seed == schedule.first_seed
    ]


def _mark(scenario: Scenario, policies: Sequence[_Part], search: OptimumSearch | None) -> str:
    """Return what results depend on, as a digest."""
    for policy in policies:
        if not isinstance(policy, str):
            raise InputError(
                f"{name_of(policy)} is an object, so its results cannot be kept in a folder; give "
                "it as file.py:Class, or leave the folder out"
            )
    whole = scenario.model_dump(mode="json")
    for name in ("seeds", "first_seed"):
        del whole["schedule"][name]  # a part has one seed and does not depend on the others
    inputs = {
        "scenario": whole,
        "origin": scenario.provenance.model_dump(mode="json", exclude={"paths", "changes"}),
        "policies": list(policies),
        "search": search and vars(search),
    }
    return mark_of(inputs, _loaded(policies))


def _loaded(policies: Sequence[_Part]) -> list[PowerPolicy]:
    """Return the policies themselves, but for the one that is made anew for each bound."""
    named = (policy for policy in policies if policy != SELF_TUNING)
    return [find_power_policy(part) if isinstance(part, str) else part for part in named]


def _part_mark(mark: str, log: str, seed: int) -> str:
    return hashlib.sha256(f"{mark}\n{log}\n{seed}".encode()).hexdigest()


def _finished(
    store: ResultFolder | None, tasks: Sequence[_Task]
) -> dict[str, tuple[PolicyOutcome, ...]]:
    if store is None:
        return {}
    texts = store.finished({task.mark: _loaded(task.policies) for task in tasks})
    return {
        mark: tuple(_outcome(plain) for plain in result_in(text, mark)["outcomes"])
        for mark, text in texts.items()
    }


def _plain(outcome: PolicyOutcome) -> dict[str, Any]:
    power = outcome.power and vars(outcome.power)
    return outcome.to_dict(seconds=True) | {"power": power}


def _outcome(plain: Mapping[str, Any]) -> PolicyOutcome:
    jobs = tuple(JobOutcome(**job) for job in plain["jobs"])
    watts = plain["power"]
    power = watts and PowerSeries(**{name: tuple(values) for name, values in watts.items()})
    facts = {name: plain[name] for name in PolicyOutcome.__dataclass_fields__}
    return PolicyOutcome(**{**facts, "jobs": jobs, "power": power})


def _answered(task: _Task) -> tuple[str, tuple[PolicyOutcome, ...], list[Files]]:
    schedule = schedule_of(task.scenario)
    jobs = len(replication_of(task.scenario, task.seed).logs[task.log].jobs.submit_ms)
    runs = len(schedule.bounds_w) * len(task.policies)
    # The queue, which each start may look through, grows with the log.
    units = runs * jobs * (1 + jobs // 100)
    searches = task.search is not None or SELF_TUNING in task.policies
    with interpreted(math.inf if searches else units):
        outcomes = tuple(_outcomes(task))
    return task.mark, outcomes, files_needed(_loaded(task.policies))


def _outcomes(task: _Task) -> Iterator[PolicyOutcome]:
    schedule = schedule_of(task.scenario)
    replication = replication_of(task.scenario, task.seed)
    first = task.seed == schedule.first_seed
    own: list[tuple[PowerPolicy, PowerProblem, PowerRun]] = []
    for bound_w in schedule.bounds_w:
        watts = first and bound_w == min(schedule.bounds_w)
        problem = replication.problem(bound_w, task.log)
        best = _optimum(problem, task.search)
        for part in task.policies:
            policy = _policy(part, task.scenario, bound_w)
            run = checked_run(policy, problem, f"{task.log}, seed {task.seed}")
            if watts and is_own(policy):
                own.append((policy, problem, run))
            outcome = outcome_of(run, problem, policy.name, task.log, task.seed, power=watts)
            log = replication.logs[task.log]
            outcome = with_users(with_requests(outcome, log.counts), log.user)
            # The optimum knows no lent caps and no kills, so such a run has no gap.
            keeps = not (len(run.schedule.lent) or run.schedule.killed.any())
            yield compared(outcome, best) if best is not None and keeps else outcome
    for policy, problem, run in own:  # behind all bounds, from which a policy may keep something
        refuse_other_run(policy, problem, run)
        refuse_foreknowledge(policy, problem)


def _optimum(problem: PowerProblem, search: OptimumSearch | None) -> CertifiedInterval | None:
    """Return a certified interval of the optimum; with CP-SAT where it is installed.

    Makespans count from the first submission of the log, of a rejected job, too.
    """
    if search is None:
        return None
    methods: tuple[Method, ...] = ("slots", "cpsat") if cpsat.available() else ("slots",)
    seen = hindsight(problem)
    found = optimum(seen, search.goal, Effort(methods, search.time_limit_s))
    if search.goal != "makespan":
        return found
    later = int(seen.submit.min()) - int(problem.jobs.submit_ms[0])
    return replace(found, lower_ms=found.lower_ms + later, upper_ms=found.upper_ms + later)


def replication_of(scenario: Scenario, seed: int) -> Replication:
    """Return one replication of a scenario; the last ones are kept."""
    return _replication(scenario.model_dump_json(), seed, ByText(scenario))


@lru_cache(maxsize=2)
def _replication(text: str, seed: int, by_text: ByText) -> Replication:
    del text
    return replicate(by_text.scenario, seed, files_in(by_text.scenario))


def _policy(part: _Part, scenario: Scenario, bound_w: float) -> PowerPolicy:
    if part == SELF_TUNING:
        return self_tuned(scenario, bound_w)
    return find_power_policy(part) if isinstance(part, str) else part
