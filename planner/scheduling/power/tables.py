"""The tables of a study of power-aware policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from planner.formatting import (
    duration,
    durations,
    percent,
    plural,
    power,
    spanned,
    telling,
    whole,
    words,
)
from planner.question import schedule_of
from planner.replications.ratios import PairedRatio
from planner.scheduling.power.few_jobs import single_job
from planner.scheduling.power.headline import label
from planner.scheduling.power.inputs.model_errors import ModelErrors
from planner.scheduling.power.results.above import above_bound
from planner.scheduling.power.results.comparisons import ComparisonRow, Use, distances_of, overall
from planner.scheduling.power.results.requests import RequestCount
from planner.scheduling.power.results.result import PolicyOutcome
from planner.scheduling.power.results.tail_rows import TailRow, tails_by_case, tails_by_policy
from planner.worded_table import Column, Table, hidden
from scenarios import Scenario
from solvers.portable import order_of_ten

MOST_POLICIES = 8
"""Policies next to each other in a table."""

LONG = ("turnaround", "tails_by_case", "users", "power", "counts")
"""Tables with a line for each log, bound and policy."""


class ComparedPolicies(Protocol):
    """The parts of a study that its tables and its explanation show."""

    @property
    def scenario(self) -> Scenario:
        """The question."""
        ...

    @property
    def outcomes(self) -> tuple[PolicyOutcome, ...]:
        """Outcomes by log, bound, seed and policy."""
        ...

    @property
    def errors(self) -> tuple[ModelErrors, ...]:
        """How far a predicted job details table is from the truth."""
        ...

    @property
    def policies(self) -> tuple[str, ...]:
        """Names in the order in which they ran."""
        ...

    @property
    def ranking(self) -> tuple[tuple[str, PairedRatio], ...]:
        """Policies by relative turnaround, the shortest first."""
        ...

    @property
    def reference(self) -> str:
        """The policy that the others are compared with."""
        ...

    @property
    def seeds(self) -> int:
        """Number of seeds."""
        ...

    @property
    def synthetic(self) -> bool:
        """Whether any of the logs is synthetic."""
        ...

    @property
    def idle(self) -> bool:
        """Whether jobs use so little of the bound that power is rarely scarce."""
        ...

    @property
    def by_chance(self) -> bool:
        """Whether only one seed was run, although chance has a part in the answer."""
        ...

    @property
    def rows(self) -> tuple[ComparisonRow, ...]:
        """Turnaround of each policy, for each log and bound."""
        ...

    @property
    def uses(self) -> tuple[Use, ...]:
        """Use of nodes and watts by each policy, for each log and bound."""
        ...

    @property
    def requests(self) -> tuple[RequestCount, ...]:
        """How often each rule applied to the requests of each log."""
        ...


def tables_of(study: ComparedPolicies) -> tuple[Table, ...]:
    """Return every table, the most important one first."""
    reference, seeds = label(study.reference), plural(study.seeds, "seed")
    tests = (
        ", 95 % intervals; significance corrected for all rows (Holm, 5 %)"
        if study.seeds > 1
        else ""
    )
    unknown = ("low", "high", "difference") if study.seeds == 1 else ()
    case, where = _constant(study)
    alone = ("normalised",) if len({use.bound_w for use in study.uses}) < 2 else ()
    broken = any(use.bound_violations for use in study.uses)
    others = [policy for policy in study.policies if policy != study.reference]
    under = f"under {label(others[0])} " if len(others) == 1 else ""
    means = ", mean of the seeds" if study.seeds > 1 else ""
    single = single_job(study.outcomes)
    compared = f" compared with {reference}" if others else ""
    itself = () if others else ("ratio", "low", "high", "difference")
    spans = [*dict.fromkeys(duration(use.makespan_s) for use in study.uses)]
    one_span = ("makespan_s",) if len(spans) == 1 and len(study.uses) > 1 else ()
    span = f"; makespan {spans[0]} in every row" if one_span else ""
    occupied = bool(schedule_of(study.scenario).occupied)
    counts = {
        "logs": len({use.log for use in study.uses}),
        "bounds": len({use.bound_w for use in study.uses}),
        "seeds": study.seeds,
    }
    over = [noun for noun, count in counts.items() if count > 1]
    numbers = [*{row.rows for row in study.errors[:-1]}]
    each = ""
    if len(numbers) == 1:
        each = f"; {plural(numbers[0], 'configuration')} of each application"
    included = "; use of the bound includes other work, energy does not" if occupied else ""
    return (
        Table(
            "policies_overall",
            f"Policies over all {words(over)}{where}" if over else f"Policies{where}",
            hidden(
                _overall(study, occupied=occupied, mean=bool(over) or not single),
                *unknown,
                *(() if broken else ("above",)),
                *(("better", "fairness") if single else ()),
            ),
            overall(study.outcomes, study.reference),
        ),
        _tails(study, over, where, single=single),
        _by_policy(study),
        Table(
            "turnaround",
            f"Mean turnaround{compared}{where}; simulated, {seeds}{tests}",
            hidden(_turnaround(study), *unknown, *alone, *case, *itself),
            study.rows,
        ),
        _tails_by_case(study, case, where, single=single),
        Table(
            "above_bound",
            f"True power above the bound, all runs of a policy{where}",
            _ABOVE,
            above_bound(study.outcomes),
        ),
        Table(
            "users",
            f"{'Share of jobs' if study.seeds > 1 else 'Jobs'} per log that end sooner, and later, "
            f"{under}than under {reference}{where}{means}",
            hidden(
                _USERS_SHARES if study.seeds > 1 else _USERS, *case, *(("policy",) if under else ())
            ),
            [row for row in study.rows if row.better is not None],
        ),
        Table(
            "power",
            f"True power{'' if single else ', fairness'} and energy of the jobs"
            f"{where}{means}{span}{included}",
            hidden(
                _power(study),
                *(() if broken else _BROKEN),
                *case,
                *one_span,
                *(("fairness",) if single else ()),
            ),
            study.uses,
        ),
        Table(
            "details",
            f"Errors relative to the true values (first seed, typical nodes){each}",
            hidden(_ERRORS, *(("rows",) if each else ())),
            study.errors,
        ),
        Table(
            "hindsight",
            f"Distance from the proven limit in hindsight{where}; one case per seed",
            hidden(_HINDSIGHT, *case),
            distances_of(study.outcomes),
        ),
        Table(
            "requests",
            "Requests that no configuration matches, with their share of all requests (all seeds)",
            _REQUESTS,
            study.requests,
        ),
        Table(
            "counts",
            f"Job outcomes and ILP decisions per log{where}{means}",
            hidden(_counts(study), *case),
            _counted(study),
        ),
    )


def _tails(study: ComparedPolicies, over: Sequence[str], where: str, *, single: bool) -> Table:
    """Return a table of long turnarounds and waits; one job has no tail."""
    every = f" over all {words(over)}" if over else ""
    means = "; means of the runs, largest of all runs" if over else ""
    return Table(
        "tails",
        f"Long turnarounds and waits{every}{where}{means}; {_SLOWDOWN}",
        _tail_columns(tails_by_policy(study.outcomes), _CASE[2:]),
        [] if single else tails_by_policy(study.outcomes),
    )


def _tails_by_case(
    study: ComparedPolicies, case: Sequence[str], where: str, *, single: bool
) -> Table:
    """Return the same for each log and bound, where there are several."""
    rows = tails_by_case(study.outcomes)
    several = len(rows) > len(study.policies) and not single
    means = "; means of the seeds, largest of all seeds" if study.seeds > 1 else ""
    return Table(
        "tails_by_case",
        f"Long turnarounds and waits by log and bound{where}{means}; {_SLOWDOWN}",
        hidden(_tail_columns(rows, _CASE), *case),
        rows if several else [],
    )


_SLOWDOWN = (
    "slowdown relative to the run time on the requested nodes at the highest cap, bounded at 10 s"
)


def _tail_columns(rows: Sequence[TailRow], case: Sequence[Column]) -> tuple[Column, ...]:
    """Return columns of tails, each with times in one unit."""
    keys = ("p95_turnaround_s", "largest_turnaround_s", "longest_wait_s")
    longest = {key: max((getattr(row, key) or 0.0 for row in rows), default=0.0) for key in keys}

    def alike(key: str) -> Callable[[float], str]:
        return lambda time_s: durations(time_s, longest[key])[0]

    heads = ("95th percentile of turnaround", "largest turnaround", "longest wait")
    times = (
        Column(key, head, alike(key), number=True, width=1.3)
        for key, head in zip(keys, heads, strict=True)
    )
    return (
        *case,
        *times,
        Column("mean_bounded_slowdown", "mean bounded slowdown", _slowdown, number=True),
        Column("jobs_beyond_request", "jobs that run longer than requested", percent, number=True,
               width=1.3),
    )  # fmt: skip


def _slowdown(value: float) -> str:
    return f"{value:.2f}" if value < 100 else whole(value)


def _by_policy(study: ComparedPolicies) -> Table:
    """Return a table of turnaround ratios: a line for each log and bound, a column per policy."""
    same, where = _constant(study)
    reference = label(study.reference)
    others = [policy for policy in study.policies if policy != study.reference]
    cases: dict[tuple[str, float], dict[Any, Any]] = {}
    for row in study.rows:
        case = cases.setdefault((row.log, row.bound_w), {"log": row.log, "bound_w": row.bound_w})
        case[_key(row.policy)] = row.ratio
        if row.policy == study.reference:
            case["reference_s"] = row.mean_turnaround_s
        case[row.policy, "sure"] = row.difference in ("shorter", "longer")
    more = f"; first {MOST_POLICIES} policies" if len(others) > MOST_POLICIES else ""
    sure = any(row.difference in ("shorter", "longer") for row in study.rows)
    middle = " (median of the seeds)" if study.seeds > 1 else ""
    test = f"{_SURE}: significant" if sure else "none is significantly different from 1"
    tested = "" if study.seeds == 1 else f"; {test} (Holm, 5 %)"
    return Table(
        "turnaround_by_policy",
        f"Mean turnaround under {reference}{middle}, and of other policies relative to it"
        f"{where}{tested}{more}",
        hidden(
            (
                *_CASE[:2],
                _time_of(study),
                *(_ratio_of(policy) for policy in others[:MOST_POLICIES]),
            ),
            *same,
        ),
        [*cases.values()] if len(cases) > 1 and others else [],
    )


_SURE = "*"


def _key(policy: str) -> str:
    """Name of the values of a policy; a dot would be a path (as in a column's key)."""
    return policy.replace(".", "_")


def _time_of(study: ComparedPolicies) -> Column:
    """Return a column of turnaround under the reference policy, in one unit."""
    times = [row.mean_turnaround_s or 0.0 for row in study.rows if row.policy == study.reference]
    longest = max(times, default=0.0)
    return Column("reference_s", f"{label(study.reference)}: time",
                  lambda time_s: durations(time_s, longest)[0], number=True, width=1.2)  # fmt: skip


def _ratio_of(policy: str) -> Column:
    key = _key(policy)

    def text(case: Mapping[Any, Any]) -> str:
        mark = _SURE if case[policy, "sure"] else ""
        return f"{mark}{_ratio(case[key])}"

    return Column(key, label(policy), number=True, row_text=text, width=1.2, named=True)


def _counted(study: ComparedPolicies) -> Sequence[Any]:
    anything = any(use.rounded or use.rejected or use.killed or use.decisions for use in study.uses)
    return study.uses if anything else []


def _interval(study: ComparedPolicies) -> tuple[Column, ...]:
    """Return columns of an interval, which people read as one; the reference policy has none."""
    reference = study.reference

    def text(row: Any) -> str | None:
        known = row.policy != reference and row.low is not None and row.high is not None
        return spanned(_ratio(row.low), _ratio(row.high)) if known else None

    ends = (
        Column("low", "95 % interval: low", _ratio, number=True, shown=False),
        Column("high", "95 % interval: high", _ratio, number=True, shown=False),
    )
    if study.seeds == 1 or {*study.policies} == {reference}:
        return ends
    return (*ends, Column(text, "95 % interval", number=True, width=1.4))


def _ratio(value: float) -> str:
    return f"{value:.3f}"


def _jobs(value: float) -> str:
    return f"{value:.1f}" if value % 1 else f"{value:,.0f}"


_DIFFERENCES = {
    "": "",
    "none shown": "not significant",
    "one seed: no test": "one seed: no test",
    "shorter": "shorter",
    "longer": "longer",
}
"""Results of the test as people read them."""
_CASE = (
    Column("log", "log", width=1.2),
    Column("bound_w", "bound", power, number=True),
    Column("policy", "policy", label, width=1.6),
)


def _overall(study: ComparedPolicies, *, occupied: bool, mean: bool) -> tuple[Column, ...]:
    """Return columns of policies over everything, compared with the reference policy."""
    return (
        Column("policy", "policy", label, width=1.5),
        Column(
            "ratio",
            f"{'mean ' if mean else ''}turnaround relative to {label(study.reference)}",
            _ratio,
            number=True,
            width=1.5,
        ),
        *_interval(study),
        Column("better", "job runs that end sooner", percent, number=True),
        Column("fairness", "fairness (Jain's index, 1 is fair)", _ratio, number=True),
        Column(
            "power_utilisation",
            f"share of bound used{' (with other work)' if occupied else ''}",
            percent,
            number=True,
        ),
        Column("above", "runs that exceed the bound", percent, number=True, width=1.2),
    )


def _constant(study: ComparedPolicies) -> tuple[tuple[str, ...], str]:
    """Return the columns of a case that have one value in all rows, and their values in words."""
    logs, bounds = ({getattr(use, key) for use in study.uses} for key in ("log", "bound_w"))
    keys, texts = [], []
    if len(logs) == 1:
        keys.append("log")
        texts.append(f"log {next(iter(logs))}")
    if len(bounds) == 1:
        keys.append("bound_w")
        texts.append(power(next(iter(bounds))))
    if len(study.policies) == 1:
        keys.append("policy")
        texts.append(label(study.policies[0]))
    return tuple(keys), f"; {', '.join(texts)}" if texts else ""


def _turnaround(study: ComparedPolicies) -> tuple[Column, ...]:
    """Return columns of turnarounds, with times in one unit, which the longest decides."""
    reference = label(study.reference)
    longest = max((row.mean_turnaround_s or 0.0 for row in study.rows), default=0.0)
    return (
        *_CASE,
        Column(
            "mean_turnaround_s",
            "mean turnaround",
            lambda time_s: durations(time_s, longest)[0],
            number=True,
            width=1.2,
        ),
        Column(
            "normalised",
            f"relative to {reference} at the largest bound",
            _ratio,
            number=True,
            width=1.4,
        ),
        Column("ratio", f"relative to {reference}", _ratio, number=True, width=1.3),
        *_interval(study),
        Column("difference", "difference", _DIFFERENCES.__getitem__, width=1.8),
    )


_USERS = (
    *_CASE,
    Column("better", "sooner", _jobs, number=True),
    Column("same", "same", _jobs, number=True),
    Column("worse", "later", _jobs, number=True),
)


def _of_jobs(key: str) -> Callable[[Any], str]:
    """Return what writes a number of jobs as a share of those that are compared."""

    def text(row: Any) -> str:
        jobs = sum(getattr(row, name) for name in ("better", "same", "worse"))
        return percent(getattr(row, key) / jobs) if jobs else percent(0.0)

    return text


_USERS_SHARES = (
    *_CASE,
    *(replace(column, row_text=_of_jobs(str(column.key))) for column in _USERS[len(_CASE) :]),
)
"""Means of the seeds are not whole jobs, so people read shares."""
_POWER_COLUMNS = (
    *_CASE,
    Column("power_utilisation", "share of the bound used", percent, number=True, width=1.3),
    Column("fairness", "fairness (Jain's index)", _ratio, number=True),
    Column("energy_j", "energy (kWh)", lambda joule: telling(joule / 3.6e6, 3), number=True),
    Column("makespan_s", "makespan", duration, number=True, width=1.2),
    Column("bound_violations", "times above the bound", _jobs, number=True, width=1.3),
    Column("largest_violation_w", "largest excess", power, number=True),
    Column("violation_s", "time above", duration, number=True),
)


_ABOVE = (
    *_CASE[2:],
    Column("runs", "runs", number=True),
    Column("above", "runs above the bound", number=True, width=1.2),
    Column("share", "share of runs", percent, number=True, shown=False),
    Column("violation_s", "time above", duration, number=True),
    Column("share_of_time", "share of the time", percent, number=True, width=1.2),
    Column("largest_violation_w", "largest excess", power, number=True),
    Column("largest_share", "relative to the bound", percent, number=True, width=1.2),
)


def _power(study: ComparedPolicies) -> tuple[Column, ...]:
    """Return columns of power, each with the unit that suits its largest value."""
    largest = {key: max((getattr(use, key) for use in study.uses), default=0.0)
               for key in ("makespan_s", "largest_violation_w", "violation_s")}  # fmt: skip
    most_kwh = max((use.energy_j for use in study.uses), default=0.0) / 3.6e6
    places = max(0, 2 - order_of_ten(most_kwh)) if most_kwh > 0 else 0
    in_one_unit: dict[str, Callable[[float], str]] = {
        "energy_j": lambda joule: f"{joule / 3.6e6:,.{places}f}",
        "makespan_s": lambda time_s: durations(time_s, largest["makespan_s"])[0],
        "largest_violation_w": lambda w: power(w, like=largest["largest_violation_w"]),
        "violation_s": lambda time_s: durations(time_s, largest["violation_s"])[0],
    }
    return tuple(
        replace(column, text=in_one_unit.get(str(column.key), column.text))
        for column in _POWER_COLUMNS
    )


_BROKEN = ("bound_violations", "largest_violation_w", "violation_s")
_ERRORS = (
    Column("application", "application", width=1.2),
    Column("rows", "configurations", whole, number=True, width=1.3),
    Column("time_mean", "mean error of run time", percent, number=True),
    Column("time_third_quartile", "75th percentile of this error", percent, number=True),
    Column("time_max", "largest error of run time", percent, number=True),
    Column(
        "power_within",
        "configurations with power at most 10 % too low",
        percent,
        number=True,
        width=1.5,
    ),
    Column("power_lowest", "largest power underestimate", percent, number=True, width=1.5),
)
_HINDSIGHT = (
    *_CASE,
    Column("cases", "cases", number=True),
    Column("proved", "optimum proved", number=True, width=1.2),
    Column("mean_gap", "mean distance", percent, number=True, width=1.2),
    Column("largest_gap", "largest distance", percent, number=True),
)
_REQUESTS = (
    Column("log", "log", width=1.2),
    Column("rule", "rule", width=4.0),
    Column("requests", "requests", number=True),
    Column("read", "all requests", number=True),
    Column("share", "share of all", percent, number=True),
)
_COUNTS = (
    *_CASE,
    Column("rounded", "above fair share", _jobs, number=True),
    Column("rejected", "rejected", _jobs, number=True),
    Column("killed", "killed", _jobs, number=True),
    Column("decisions", "ILP decisions", _jobs, number=True),
    Column("fallbacks", "decided by Adaptive", _jobs, number=True),
    Column("largest_gap", "largest gap to the proven limit", percent, number=True),
)


def _counts(study: ComparedPolicies) -> Sequence[Column]:
    """Return columns of what happened to jobs; what never happened is left out."""
    keys = [column.key for column in _COUNTS if isinstance(column.key, str)]
    never = [
        key for key in keys if not any(_happened(getattr(use, key), key) for use in study.uses)
    ]
    return hidden(_COUNTS, *never)


def _happened(value: float | None, key: str) -> bool:
    """Whether a value says something: a proven gap of 0 does, a count of 0 does not."""
    return value is not None if key == "largest_gap" else bool(value)
