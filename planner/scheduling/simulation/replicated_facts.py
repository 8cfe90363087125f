"""What simulations of several synthetic logs state: facts, findings, tables and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, finding
from planner.scheduling.simulation.comparison import COMPARED
from planner.scheduling.simulation.trimming import ALL_JOBS
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table

if TYPE_CHECKING:
    from planner.replications.batch_means import MeanInterval
    from planner.scheduling.simulation.replicated_result import Conditions, ReplicationResult

_ROUNDING = 1e-9
"""Means of equal waits may differ by this in floating point."""
_QUANTITIES = {"wait": "mean wait (s)", "bounded_slowdown": "mean bounded slowdown"}
"""How the data file names what is compared."""
Row = dict[str, Any]


def study_of(result: ReplicationResult) -> Study:
    """The study of several logs under some policies."""
    kind = "question" if len(result.policies) == 1 else "question-compared"
    return stated(
        result, _headline, _confidence, _facts, _risks, _next_steps, _questions, _tables, _figures,
        command="simulate",
        texts="simulate-seeds",
        title=finding("note", kind, logs=(len(result.logs), "synthetic log")),
        data=_data(result),
        provenance=provenance_of(result.command, result.files),
    )  # fmt: skip


def _waits(result: ReplicationResult) -> list[float]:
    return [means["wait"].mean for means in result.means]


def _is_equal(one: float, other: float) -> bool:
    """Whether two means are equal but for rounding."""
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=_ROUNDING)


def _ties(result: ReplicationResult) -> list[int]:
    """The policies with the shortest mean wait."""
    waits = _waits(result)
    return [index for index, wait in enumerate(waits) if _is_equal(wait, min(waits))]


def _next(result: ReplicationResult) -> int | None:
    """The first policy behind those with the shortest mean wait; ``None`` if there is none."""
    waits, ties = _waits(result), _ties(result)
    others = [index for index in range(len(waits)) if index not in ties]
    return min(others, key=waits.__getitem__) if others else None


def _is_clear(interval: MeanInterval) -> bool:
    """Whether a difference is more than chance, and more than rounding."""
    return interval.tells_apart and abs(interval.mean) > _ROUNDING


def _headline(result: ReplicationResult) -> Finding:
    waits, ties, following = _waits(result), _ties(result), _next(result)
    logs, wait = (len(result.logs), "synthetic log"), (min(waits), "s")
    names = (tuple(result.policies[index] for index in ties), "policy")
    if len(result.policies) == 1:
        policy = (result.policies[0], "policy")
        return finding("headline", "single", policy=policy, wait=wait, logs=logs)
    if following is None:
        return finding("headline", "equal", policies=names, wait=wait, logs=logs)
    clear = _is_clear(result.difference(following, ties[0]))
    return finding(
        "headline", "shortest" if clear else "shortest-unsure", best=names, wait=wait,
        next=(result.policies[following], "policy"), longer=(waits[following] - min(waits), "s"),
        logs=logs,
    )  # fmt: skip


def _confidence(result: ReplicationResult) -> Iterator[Finding]:
    yield finding("confidence", "source", model=(_model(result), "text"))
    if result.comparisons:
        yield _clear(result, "confidence")


def _clear(result: ReplicationResult, severity: Severity) -> Finding:
    clear = tuple(each.second for each in result.comparisons
                  if _is_clear(each.differences["wait"]))  # fmt: skip
    first = (result.policies[0], "policy")
    if not clear:
        return finding(severity, "none-clear", first=first)
    return finding(severity, "clear", policies=(clear, "policy"), first=first)


def _model(result: ReplicationResult) -> str:
    """The kind of log and its seeds, without repetition."""
    kind = result.logs[0][0].name.rpartition(", seed ")[0]
    return f"{kind}; {result.model}" if kind else result.model


def _ends(interval: MeanInterval, least: float) -> tuple[float, float]:
    """Both ends of an interval, cut at the least possible value."""
    return max(least, interval.low), max(least, interval.high)


def _facts(result: ReplicationResult) -> Iterator[Fact]:
    waits, best, following = _waits(result), _ties(result)[0], _next(result)
    means, conditions = result.means[best], result.conditions
    if conditions is not None:
        machine = finding("note", "machine", processors=(conditions.processors, "processor"))
        ends = (min(conditions.jobs), max(conditions.jobs))
        yield Fact("jobs_of_log", ends, "interval:count", machine)
    interval = (_ends(means["wait"], 0.0), "interval:s")
    policy = (result.policies[best], "policy")
    yield Fact("wait", min(waits), "s", finding("note", "spread", policy=policy, interval=interval))
    if following is not None:
        fewer = (result.less_in(best, following), len(result.logs))
        against = finding(
            "note", "against", policy=policy, next=(result.policies[following], "policy")
        )
        yield Fact("less_in", fewer, "of:log", against)
    slowdowns = [each["bounded_slowdown"].mean for each in result.means]
    least = slowdowns.index(min(slowdowns))
    note = finding("note", "under", policy=(result.policies[least], "policy"))
    yield Fact("slowdown", min(slowdowns), "ratio", note)


def _risks(result: ReplicationResult) -> Iterator[Finding]:
    if result.rejected:
        logs = ((len(result.rejected), len(result.logs)), "of:log")
        jobs = (sum(number for _, number in result.rejected), "count")
        yield finding("risk", "rejected", logs=logs, jobs=jobs)
    if "moldable" in result.policies and len(result.policies) > 1:
        yield finding("risk", "moldable")


def _next_steps(result: ReplicationResult) -> Iterator[Finding]:
    if any(not _is_clear(each.differences["wait"]) and each.differences["wait"].half_width
           for each in result.comparisons):  # fmt: skip
        yield finding("next step", "more-seeds")
    yield finding("next step", "own-log")


def _questions(result: ReplicationResult) -> Iterator[Question]:
    if result.comparisons:
        yield Question("differences", tables=("differences",), figures=("differences",),
                       texts=("differences",))  # fmt: skip
    yield Question("logs", findings=(_range(result),), tables=("logs",), figures=("waits",))
    yield Question("limits", texts=("limits",))
    yield Question("method", facts=tuple(_method(result)), tables=("rules",), texts=("method",))


def _method(result: ReplicationResult) -> Iterator[Fact]:
    conditions = result.conditions
    if conditions is None:
        return
    yield Fact("event_order", conditions.event_order, "event_order")
    if any(conditions.left_out):
        ends = (min(conditions.left_out), max(conditions.left_out))
        yield Fact("left_out", ends, "interval:count")
    loads = [log.load for log in conditions.offered if math.isfinite(log.load)]
    if loads:
        yield Fact("offered_load", (min(loads), max(loads)), "interval:share")
    if run_s := sum(log.run_s for log in conditions.offered):
        requested = sum(log.requested_s for log in conditions.offered)
        yield Fact("requests", requested / run_s, "factor")


def _tables(result: ReplicationResult) -> Iterator[Table]:
    data = _data(result)
    means = tuple(
        {**row, "wait_interval": _ends(each["wait"], 0.0),
         "slowdown_interval": _ends(each["bounded_slowdown"], 1.0)}
        for row, each in zip(data["policies"], result.means, strict=True)
    )  # fmt: skip
    estimates = result.conditions.estimates if result.conditions else ()
    rules = tuple(
        {**row, **({"estimates": estimates[index]} if estimates else {})}
        for index, row in enumerate(data["rules"])
    )
    sides = {"mean_wait_s_low": "s", "mean_wait_s_high": "s", "mean_bounded_slowdown_low": "ratio",
             "mean_bounded_slowdown_high": "ratio"}  # fmt: skip
    yield table("policies", {"policy": "policy", "logs": "count", "mean_wait_s": "s",
                "wait_interval": "interval:s", "mean_bounded_slowdown": "ratio",
                "slowdown_interval": "interval:ratio", **sides}, means,
                hidden={"logs", *sides})  # fmt: skip
    if result.comparisons:
        yield table("comparisons", {"policy": "policy", "quantity": "exact",
                    "difference": "number", "difference_low": "number",
                    "difference_high": "number", "less_in": "count"},
                    at="/comparisons")  # fmt: skip
        yield table("differences", {"second": "policy", "wait_s": "s",
                    "wait_interval": "interval:s", "slowdown": "number",
                    "slowdown_interval": "interval:number", "less_in": "count", "apart": "flag",
                    "wait_low_s": "s", "wait_high_s": "s"}, _differences(result),
                    hidden={"wait_low_s", "wait_high_s"})  # fmt: skip
    yield table("rules", {"policy": "policy", "rule": "quotation", "estimates": "estimates"}, rules)
    yield table("logs", {"log": "text", "policy": "policy", "mean_wait_s": "s",
                "mean_bounded_slowdown": "ratio", "utilisation": "share"}, at="/logs")  # fmt: skip


def _differences(result: ReplicationResult) -> Iterator[Row]:
    """Each policy in one row: how it differs from the first one."""
    for index, each in enumerate(result.comparisons, 1):
        wait, slowed = each.differences["wait"], each.differences["bounded_slowdown"]
        yield {
            "second": each.second, "wait_s": wait.mean, "wait_interval": (wait.low, wait.high),
            "slowdown": slowed.mean, "slowdown_interval": (slowed.low, slowed.high),
            "less_in": result.less_in(index, 0), "apart": _is_clear(wait),
            "wait_low_s": wait.low, "wait_high_s": wait.high,
        }  # fmt: skip


def _range(result: ReplicationResult) -> Finding:
    """How far the mean waits of single logs are apart."""
    waits = [wait for index in range(len(result.policies)) for wait in result.of(index)]
    return finding("note", "range", waits=((min(waits), max(waits)), "interval:s"))


def _figures(result: ReplicationResult) -> Iterator[Figure]:
    yield Figure("waits", "distribution", "policies", "mean_wait_s", ("mean_wait_s",),
                 series="policy", low="mean_wait_s_low", high="mean_wait_s_high", dots="logs",
                 scale={"x": "time"}, finding=_range(result))  # fmt: skip
    if result.comparisons:
        yield Figure("differences", "intervals", "differences", "second", ("wait_s",),
                     low="wait_low_s", high="wait_high_s", limits=(Limit("x", 0, "equal"),),
                     scale={"x": "time"}, finding=_clear(result, "note"))  # fmt: skip


def _data(result: ReplicationResult) -> Row:
    """The members of simulate.json besides the study."""
    measured = {} if result.conditions is None else {"measured jobs": _measured(result.conditions)}
    settings = {
        "logs": result.model,
        "intervals": "95 %, Student's t over one mean, or one paired difference, for each log",
        **measured,
        **{f"SHA-256 of {name}": digest for name, digest in result.files},
        **({"command": " ".join(("headroom", *result.command))} if result.command else {}),
    }
    means = [
        {"policy": policy, "logs": len(result.logs)}
        | _flat("mean_wait_s", each["wait"])
        | _flat("mean_bounded_slowdown", each["bounded_slowdown"])
        for policy, each in zip(result.policies, result.means, strict=True)
    ]
    compared = [
        {"policy": each.second, "quantity": _QUANTITIES[name]}
        | _flat("difference", each.differences[name])
        | {"less_in": result.less_in(index, 0, name)}
        for index, each in enumerate(result.comparisons, 1)
        for name in COMPARED
    ]
    return {
        "settings": settings,
        "policies": means,
        **({"comparisons": compared} if compared else {}),
        "rules": [
            {"policy": name, "rule": rule}
            for name, rule in zip(result.policies, result.rules, strict=True)
        ],
        "logs": [
            {"log": run.name, "policy": run.policy, "mean_wait_s": run.wait,
             "mean_bounded_slowdown": run.bounded_slowdown, "utilisation": run.utilisation}
            for log in result.logs for run in log
        ],
    }  # fmt: skip


def _measured(conditions: Conditions) -> str:
    """Which jobs are measured, and how many that leaves out, as the data file has it."""
    left_out = conditions.left_out
    if not any(left_out):
        return conditions.rule if conditions.rule == ALL_JOBS else f"{conditions.rule}: all jobs"
    ends = dict.fromkeys(f"{number:,}" for number in (min(left_out), max(left_out)))
    omitted = " to ".join(ends)
    return f"{conditions.rule}; {omitted} jobs of each log are simulated but not measured"


def _flat(key: str, interval: MeanInterval) -> dict[str, float]:
    return {key: interval.mean, f"{key}_low": interval.low, f"{key}_high": interval.high}
