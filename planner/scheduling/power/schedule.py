"""Answer a scenario's question about scheduling under a power bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.parts import files_of, given_part
from planner.plain_numbers import plainly
from planner.question import schedule_of
from planner.scheduling.power.bounds import refuse_bounds
from planner.scheduling.power.grid import OptimumSearch, replication_of, run_grid
from planner.scheduling.power.ilp.naming import ilp_name
from planner.scheduling.power.inputs.build import Replication
from planner.scheduling.power.inputs.model_errors import ModelErrors, model_errors
from planner.scheduling.power.offline.schedule import Goal
from planner.scheduling.power.policy import PowerPolicy
from planner.scheduling.power.registry import (
    BUILT_IN,
    POWER_POLICY,
    SELF_TUNING,
    adaptive_names,
    find_power_policy,
)
from planner.scheduling.power.study import ScheduleStudy
from scenarios.catalogue import load
from scenarios.formatting import nearest
from scenarios.model.scenario import Scenario
from scenarios.reading.replaced import with_values

if TYPE_CHECKING:
    from planner.api import FilePath


@plainly
def schedule(
    scenario: Scenario | FilePath,
    *,
    policies: Sequence[str | PowerPolicy | type[PowerPolicy]] = (),
    bounds_w: Sequence[float] = (),
    logs: Sequence[str] = (),
    seeds: int | None = None,
    workers: int = 1,
    keep: FilePath | None = None,
    optimum: Goal | None = None,
    optimum_time_limit_s: float | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> ScheduleStudy:
    """Run power-aware scheduling policies on the logs of a scenario and compare them.

    Parameters
    ----------
    scenario
        A scenario with ``[schedule]``, the name of a bundled one, or its path.
    policies
        Names, ``"file.py:Class"``, objects or classes; by default those of the scenario.
    bounds_w
        Power bounds of the system [W]; by default those of the scenario.
    logs
        Names of the scenario's logs; by default all.
    seeds
        Replications; by default as many as the scenario says.
    workers
        Processes.
    keep
        Folder that stores finished parts, so that an interrupted run can continue.
    optimum
        Also look for the best mean ``turnaround`` or ``makespan`` that any schedule can have in
        hindsight, with a proven limit; for logs of some 20 jobs at most, on nodes that are alike.
    optimum_time_limit_s
        Wall seconds of each program of that search, whose result may then differ between runs. By
        default each ends by its work.
    progress
        Called with the number of finished parts (a log with a seed), and of all.

    Returns
    -------
    ScheduleStudy
        ``outcomes`` has one entry by log, bound, seed and policy; ``overall`` each policy over all
        of them.

    Raises
    ------
    ScenarioError
        The scenario cannot be read, or a value is not valid.
    InputError
        It asks nothing about scheduling, a policy or a log is not known, or a policy of your own
        fails or breaks a rule.
    PlanError
        Under a bound no job of a log can run.

    Examples
    --------
    >>> study = schedule("thesis-table-5-2")
    >>> [(run.policy, run.mean_turnaround_s) for run in study.outcomes]
    [('traditional', 1447.9), ('naive', 1415.3), ('adaptive', 439.2)]
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    _refuse_unknown(scenario, logs)
    scenario = _replaced(scenario, bounds_w, seeds)
    chosen = tuple(map(_given, policies)) or default_policies(scenario)
    named = [part for part in chosen if part != SELF_TUNING]
    parts = [find_power_policy(part) if isinstance(part, str) else part for part in named]
    _refuse_twice([part.name for part in parts] + [SELF_TUNING] * chosen.count(SELF_TUNING))
    first = replication_of(scenario, schedule_of(scenario).first_seed)
    refuse_bounds(first, logs)
    outcomes = run_grid(
        scenario,
        chosen,
        logs=logs,
        workers=workers,
        keep=None if keep is None else Path(keep),
        search=None if optimum is None else OptimumSearch(optimum, optimum_time_limit_s),
        progress=progress,
    )
    return ScheduleStudy(
        scenario, outcomes, _errors(first), files=files_of(parts), remarks=first.remarks
    )


def _given(policy: str | PowerPolicy | type[PowerPolicy]) -> str | PowerPolicy:
    """Names stay names, since each part of a run loads its own policy."""
    return policy if isinstance(policy, str) else given_part(policy, POWER_POLICY, BUILT_IN)


def _refuse_twice(names: Sequence[str]) -> None:
    """See that no policy is given twice, ``adaptive`` and ``adaptive-0`` included."""
    for name in names:
        if names.count(name) > 1:
            program = ilp_name(name)
            percent = name == "adaptive" or (program is not None and program.threshold == 0)
            zero = name.removesuffix("-unfair") + "-0" + ("-unfair" if "-unfair" in name else "")
            same = f" ({zero} is the same)" if percent else ""
            raise InputError(
                f"policy {name} is given {names.count(name)} times{same}; leave one out, or give "
                "your own another name"
            )


def _errors(first: Replication) -> tuple[ModelErrors, ...]:
    """Return how far a predicted table is from the truth; of other tables nothing is said."""
    settings = first.schedule.details
    if settings.method != "model":
        return ()
    return model_errors(first.details, first.truth, settings.guard)


def default_policies(scenario: Scenario) -> tuple[str, ...]:
    """Return the policies of a scenario by name; Adaptive once for each threshold."""
    question = schedule_of(scenario)
    every = adaptive_names(question.thresholds, unbounded=question.unbounded_threshold)
    return tuple(
        name
        for policy in question.policies
        for name in (every if policy == "adaptive" else (policy,))
    )


def _refuse_unknown(scenario: Scenario, logs: Sequence[str]) -> None:
    names = [log.name for log in schedule_of(scenario).logs]
    for name in logs:
        if name not in names:
            raise InputError(f"{scenario.name} has no log {name!r}; {nearest(name, names)}")


def _replaced(scenario: Scenario, bounds_w: Sequence[float], seeds: int | None) -> Scenario:
    values: dict[str, Any] = {}
    if bounds_w:
        values["schedule.bounds_w"] = tuple(float(bound) for bound in bounds_w)
    if seeds is not None:
        values["schedule.seeds"] = seeds
    return with_values(scenario, values) if values else scenario
