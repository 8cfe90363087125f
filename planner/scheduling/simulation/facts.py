"""What a simulation states: its facts, findings, tables and figures."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, finding
from planner.replications.batch_means import BATCHES
from planner.scheduling.simulation import answers, rows
from planner.scheduling.simulation.jobs_of_period import period_of, running, shows
from planner.scheduling.simulation.log_facts import log_inputs, log_remarks, log_source, source
from planner.scheduling.simulation.maui_settings import maui_facts, shared_by
from planner.scheduling.simulation.offered_work import offered_work
from planner.scheduling.simulation.overload import growing_queue, submitted_work
from planner.scheduling.simulation.recorded import IN_FILE, RECORDED
from planner.scheduling.simulation.tables import tables_of
from planner.study import Question, Study, provenance_of, stated
from scenarios.job_logs.job_log import LEFT_OUT, MISSING
from scenarios.job_logs.origin import synthetic_words

if TYPE_CHECKING:
    from planner.scheduling.simulation.comparison import PolicyComparison
    from planner.scheduling.simulation.measures import Measures
    from planner.scheduling.simulation.result import SimulationResult

_MOST_ALTERNATIVES = 3
_MOST_NAMED = 4
"""Policies that a headline names; of more it has the number."""
FEWEST_FOR_P99 = 100
"""Measured jobs from which a 99th percentile says something."""


def study_of(result: SimulationResult) -> Study:
    """The study of a log under some policies."""
    kind = "question" if len(result.measures) == 1 else "question-compared"
    return stated(
        result, _headline, _confidence, _facts, _reasons, _alternatives,
        (finding("assumption", "no-cost"),), _risks, _next_steps, _questions, tables_of, _figures,
        command="simulate",
        title=finding("note", kind, log=(result.log.name, "text")),
        data=_data(result),
        decision="partitions" if result.by_partition else "policies",
        provenance=provenance_of(result.command, (*log_inputs(result.log), *result.files)),
    )  # fmt: skip


def _best(result: SimulationResult) -> Measures | None:
    return result.measures[result.ranking[0]] if result.ranking else None


def _headline(result: SimulationResult) -> Finding:
    best = _best(result)
    if best is None or best.wait_s is None:
        starts = result.simulations[0].schedule.started.any()
        kind = "no-measured-start" if starts else "no-start"
        return finding("headline", kind, log=(result.log.file or result.log.name, "text"))
    means = {result.measures[index].policy: result.means[index] for index in result.ranking}
    unit = answers.unit(result)
    least = (means[best.policy], unit)
    if len(result.ranking) == 1:
        return finding("headline", "single", policy=(best.policy, "policy"), wait=least)
    quantity = (result.quantity, "quantity")
    ties = tuple(policy for policy, mean in means.items() if mean == means[best.policy])
    if len(ties) == len(means):
        return finding("headline", "equal", policies=(ties, "policy"), mean=least,
                       quantity=quantity)  # fmt: skip
    alike = (best.policy, *_leading(result))
    if len(alike) > len(ties):
        return _not_apart(result, means, alike)
    following = [*means][len(ties)]
    return finding(
        "headline", "shortest", best=(ties, "policy"), mean=least, next=(following, "policy"),
        longer=(means[following] - means[best.policy], unit), quantity=quantity,
    )  # fmt: skip


def _may_be_best(result: SimulationResult, each: PolicyComparison) -> bool:
    """Whether an interval does not distinguish a policy from the best one."""
    return not rows.is_clear(each.differences[result.quantity])


def _leading(result: SimulationResult) -> list[str]:
    """The policies of lesser means than the first one that is clearly worse than the best."""
    alike = itertools.takewhile(partial(_may_be_best, result), result.behind_best)
    return [each.second for each in alike]


def _not_apart(
    result: SimulationResult, means: Mapping[str, float], alike: tuple[str, ...]
) -> Finding:
    """That some policies cannot be distinguished from the best one, and which is clearly worse."""
    best, quantity = (alike[0], "policy"), (result.quantity, "quantity")
    unit = answers.unit(result)
    if len(alike) > _MOST_NAMED:
        number = sum(_may_be_best(result, each) for each in result.behind_best)
        return finding("headline", "not-apart-many", best=best, mean=(means[alike[0]], unit),
                       policies=((number, len(means) - 1), "of:count"),
                       quantity=quantity)  # fmt: skip
    named: dict[str, Any] = {
        "policies": (alike, "policy"), "quantity": quantity,
        "values": (tuple(means[policy] for policy in alike), unit),
    }  # fmt: skip
    worse = [policy for policy in means if policy not in alike]
    if not worse:
        return finding("headline", "not-apart", **named)
    return finding("headline", "not-apart-next", next=(worse[0], "policy"),
                   mean=(means[worse[0]], unit), **named)  # fmt: skip


def _confidence(result: SimulationResult) -> Iterator[Finding]:
    """The log, whether the answer may be chance, and what the checker found."""
    yield log_source(result.log)
    if len(result.ranking) == 1:
        yield from _of_single(result)
    elif result.ranking:
        yield _of_lead(result)
    if result.violations is not None and not result.violations:
        if result.rules_checked:
            yield finding("confidence", "checked", policies=(result.rules_checked, "policy"))
        others = tuple(
            each.policy for each in result.measures if each.policy not in result.rules_checked
        )
        if others:
            yield finding("confidence", "checked-every", policies=(others, "policy"))


def _of_single(result: SimulationResult) -> Iterator[Finding]:
    mean = result.mean_wait
    if mean is None:
        yield _too_few(result)
    else:
        ends = (max(0.0, mean.low), mean.high)
        yield finding("confidence", "interval", interval=(ends, f"interval:{answers.unit(result)}"))


def _too_few(result: SimulationResult) -> Finding:
    jobs = (result.measures[result.ranking[0]].jobs, "count")
    return finding("confidence", "too-few", jobs=jobs, least=(2 * BATCHES, "count"))


def _of_lead(result: SimulationResult) -> Finding:
    """Whether the order of the best two policies may be chance."""
    lead = result.lead
    if lead is None:
        return _too_few(result)
    return _of_pair(result, "confidence", lead)


def _of_pair(result: SimulationResult, severity: Severity, each: PolicyComparison) -> Finding:
    """How much longer jobs take under the second policy, which may be chance."""
    time, unit = each.differences[result.quantity], answers.unit(result)
    pair: dict[str, Any] = {
        "first": (each.first, "policy"), "second": (each.second, "policy"),
        "quantity": (result.quantity, "quantity"),
    }  # fmt: skip
    if time.mean == 0 and time.half_width == 0:
        return finding(severity, "alike", **pair)
    if time.tells_apart:
        kind = "apart-narrow" if time.warning else "apart"
        return finding(severity, kind, longer=((time.low, time.high), f"interval:{unit}"), **pair)
    shorter, longer = (max(0.0, -time.low), unit), (time.high, unit)
    return finding(severity, "may-be-chance", shorter=shorter, longer=longer, **pair)


def _reasons(result: SimulationResult) -> Iterator[Finding]:
    """What makes waits short: who starts at once, who goes before others, and the queue."""
    yield from answers.at_once(result, "reason")
    yield from answers.overtaking(result)
    yield from answers.longest_queue(result, "reason")


def _alternatives(result: SimulationResult) -> Iterator[Finding]:
    """The other policies, compared with the best one as far as there are intervals."""
    for each in result.behind_best[1 : 1 + _MOST_ALTERNATIVES]:
        yield _of_pair(result, "alternative", each)
    yield from answers.least_longest(result)


def _of_users(result: SimulationResult) -> Iterator[Finding]:
    """What would change the waits if users did otherwise."""
    work = offered_work(result.log, result.simulations[0].schedule)
    if (
        work.run_s
        and not result.molded
        and {each.estimates for each in result.measures} == {"user"}
    ):
        yield finding("risk", "planned", factor=(work.requested_s / work.run_s, "factor"))
    yield finding("risk", "reacting")


def _facts(result: SimulationResult) -> Iterator[Fact]:
    best, schedule = _best(result), result.simulations[0].schedule
    if not result.measured.jobs.all():
        index = np.flatnonzero(result.measured.jobs)
        first = int(index[0]) if len(index) else len(schedule)
        last = len(schedule) - 1 - int(index[-1]) if len(index) else 0
        ends = finding("note", "ends", first=(first, "count"), last=(last, "count"))
        yield Fact("measured", (len(index), len(schedule)), "of:job", ends)
    if best is None or best.wait_s is None:
        return
    under, unit = finding("note", "under", policy=(best.policy, "policy")), answers.unit(result)
    if result.molded and best.turnaround_s is not None:
        yield Fact("turnaround", best.turnaround_s.mean, unit, under)
    yield Fact("wait", best.wait_s.mean, unit, under)
    if best.jobs < FEWEST_FOR_P99:
        yield Fact("longest", best.wait_s.largest, unit, under)
    else:
        yield Fact("p99", best.wait_s.p99, unit, under)
    if best.utilisation is not None and len(result.ranking) == 1:
        yield Fact("utilisation", best.utilisation, "share", under)


def _risks(result: SimulationResult) -> Iterator[Finding]:
    """What a reader of the numbers must know."""
    if result.violations:
        yield finding("risk", "violated", violations=(len(result.violations), "count"))
    yield from log_remarks(
        result.log, given=result.settings.processors, clusters=result.settings.clusters
    )
    rejected = result.simulations[0].schedule.rejected
    if rejected:
        job, why = next(iter(rejected.items()))
        yield finding("risk", "rejected", jobs=(len(rejected), "count"), job=(job, "id"),
                      reason=(why, "message"))  # fmt: skip
    if not result.measured.settled:
        yield finding("risk", "unsettled")
    for index, measures in enumerate(result.measures):
        yield from _of_policy(result, index, measures)
    yield from _of_record(result)
    yield from _of_intervals(result)
    if result.ranking:
        yield from _of_users(result)
        yield finding("risk", "single-log")


def _of_policy(result: SimulationResult, index: int, measures: Measures) -> Iterator[Finding]:
    schedule, policy = result.simulations[index].schedule, (measures.policy, "policy")
    if quarters := growing_queue(schedule):
        yield finding(
            "risk", "overload", policy=policy,
            first=(quarters[0], "number"), last=(quarters[-1], "number"),
            work=(submitted_work(schedule), "share"),
        )  # fmt: skip
    counted = result.counted[index]
    if changed := int((counted.processors != counted.asked_processors).sum()):
        yield finding("risk", "molded", policy=policy, jobs=((changed, len(counted)), "of:job"))
    if measures.policy == "easy++" and measures.estimates == "tsafrir" and measures.wait_s:
        yield finding("risk", "starving", wait=(measures.wait_s.largest, "s"))


def _of_record(result: SimulationResult) -> Iterator[Finding]:
    recorded = result.recorded
    if recorded is None:
        return
    row = (recorded.name, "policy")
    if recorded.without_start:
        missing = ((recorded.without_start, len(recorded.schedule)), "of:job")
        yield finding("risk", "no-recorded-start", jobs=missing, row=row)
    if recorded.cut:
        yield finding("risk", "recorded-cut", runs=(recorded.cut, "count"), row=row)
    if recorded.over_s:
        yield finding(
            "risk", "recorded-over", most=(recorded.most_processors, "count"),
            machine=(recorded.schedule.machine_processors, "processor"),
            time=(recorded.over_s, "s"), jobs=(recorded.jobs_over, "count"),
        )  # fmt: skip


def _of_intervals(result: SimulationResult) -> Iterator[Finding]:
    """Intervals that are too narrow, or too wide to say anything."""
    every = [interval for each in result.every_comparison for interval in each.differences.values()]
    mean = result.mean_wait if len(result.ranking) == 1 else None
    if mean is not None and mean.mean > 0:
        every.append(mean)
        if mean.low <= 0:
            yield finding("risk", "unfixed")
    needed = [interval.jobs_needed or 0 for interval in every if interval.warning]
    if needed:
        part = ((len(needed), len(every)), "of:interval")
        yield finding("risk", "narrow", intervals=part, jobs=(max(needed), "count"))


def _next_steps(result: SimulationResult) -> Iterator[Finding]:
    """What would sharpen the answer."""
    best = [result.means[index] for index in result.ranking[:2]]
    # Where the best two are equal there is nothing to tell apart.
    differs = len(best) == 2 and best[0] != best[1]
    if result.lead is not None:
        time = result.lead.differences[result.quantity]
        if time.jobs_needed:
            yield finding("next step", "longer-log", jobs=(time.jobs_needed, "job"))
        elif differs and not time.tells_apart and time.half_width > 0:
            yield finding("next step", "tell-apart")
    elif differs:
        yield finding("next step", "tell-apart")
    elif len(result.ranking) == 1 and result.recorded is None:
        other = "fcfs" if result.measures[0].policy == "easy" else "easy"
        yield finding("next step", "reference", policy=(other, "policy"))
    if synthetic_words(result.log.header):
        yield finding("next step", "own-log")
    elif result.ranking and result.recorded is None:
        yield finding("next step", "recorded-starts")
    if result.violations is None:
        yield finding("next step", "check")


def _questions(result: SimulationResult) -> Iterator[Question]:
    few = len(rows.listed(result)) < len(result.ranking)
    yield Question("waits", findings=tuple(answers.at_once(result, "note")), tables=("slowdowns",),
                   figures=("waits",),
                   texts=("slowdown", *(("drawn",) if few else ())))  # fmt: skip
    if result.every_comparison:
        yield Question("differences", tables=("differences",), figures=(_of_differences(result),),
                       texts=("differences",))  # fmt: skip
    if result.by_partition:
        yield Question("partitions", tables=("policies",))
    yield Question("load", tables=("use of the machine",), figures=("queue",))
    yield Question("who", findings=(*answers.slowest(result), *answers.jain(result)),
                   facts=tuple(answers.of_who(result)),
                   figures=("processors", "run-times", "users"))  # fmt: skip
    if result.explanations:
        why = result.explanations[0]
        yield Question(
            "explained", facts=(
                Fact("job", why.job, "id"), Fact("submit", why.submit_s, "id"),
                Fact("needs", why.processors, "processor"), Fact("estimate", why.estimate_s, "s"),
            ), tables=("explained",),
        )  # fmt: skip
    yield Question("limits", texts=tuple(_limits(result)))
    yield Question("period", findings=tuple(_period(result)),
                   facts=tuple(answers.of_period(result)), figures=("period",))  # fmt: skip
    named = {RECORDED: ("recorded",), IN_FILE: ("in-file",)}
    record = () if result.recorded is None else named[result.recorded.name]
    maui = () if result.maui is None else tuple(maui_facts(result.maui))
    yield Question(
        "method", findings=tuple(_idle_shares(result)), facts=(*_method(result), *maui),
        tables=("rules", "weights of the priority", "target shares", "unavailable",
                "jobs of the log"),
        texts=("method", *record, *(("mser",) if result.settings.trim.warm_up is None else ())),
    )  # fmt: skip


def _of_differences(result: SimulationResult) -> str:
    """Name of the figure of differences."""
    return "differences" if result.quantity == "wait" else "differences-of-turnaround"


def _limits(result: SimulationResult) -> Iterator[str]:
    """What this simulation leaves out, by the names of texts."""
    yield "limits"
    yield "limits-molded" if result.molded else "limits-run-times"
    yield "limits-queue" if result.maui is None else "limits-maui"
    partitions = np.unique(result.log.partition[result.log.partition != MISSING])
    if len(partitions) > 1 and not result.settings.clusters:
        yield "limits-partitions"
    if synthetic_words(result.log.header):
        yield "limits-synthetic"


def _period(result: SimulationResult) -> Iterator[Finding]:
    """Who overtakes in the period, or that no job runs in the one that was requested."""
    if shows(result):
        yield from answers.overtaking_in_period(result)
    begin, end = period_of(result)
    if result.window_s and not any(
        running(each.schedule, begin, end).any() for each in result.simulations
    ):
        yield finding("note", "idle", begin=(begin, "id"), end=(end, "id"))


def _idle_shares(result: SimulationResult) -> Iterator[Finding]:
    """That fair share has no effect where the log does not distinguish those who share."""
    parties = () if result.maui is None else tuple(shared_by(result.maui))
    if parties and all(len(np.unique(getattr(result.log, party))) < 2 for party in parties):
        yield finding("note", "idle-shares", parties=(parties, "party"))


def _method(result: SimulationResult) -> Iterator[Fact]:
    """How the log was simulated, and by what policies plan."""
    settings, machine = result.settings, result.simulations[0].schedule.machine_processors
    left_out = sum(n for kind, n in result.log.counts.items() if kind.startswith(LEFT_OUT))
    note = finding("note", "machine", processors=(machine, "processor"), jobs=(left_out, "count"))
    yield Fact("jobs", len(result.log), "count", note)
    yield from answers.of_load(result)
    if any(measures.policy != "maui" for measures in result.measures):
        yield Fact("event_order", settings.event_order, "event_order")
    yield Fact("node_processors", settings.node_processors, "count")
    estimates = {measures.estimates for measures in result.measures}
    if len(estimates) == 1:
        yield Fact("planned_with", estimates.pop(), "estimates")
    work = offered_work(result.log, result.simulations[0].schedule)
    if work.run_s:
        yield Fact("requests", work.requested_s / work.run_s, "factor")
    mean = result.mean_wait if len(result.measures) == 1 else None
    if mean is not None:
        yield Fact("batches", mean.batches, "count")
    if settings.clusters:
        yield Fact("clusters", tuple(settings.clusters), "text")


def _figures(result: SimulationResult) -> Iterator[Figure]:
    best = _best(result)
    if best is None:
        return
    yield Figure("waits", "lines", "largest waits", "share", ("wait_s",), series="policy",
                 scale={"y": "time"}, finding=next(answers.p90(result)))  # fmt: skip
    first = (result.measures[0].policy, "policy")
    if result.every_comparison:
        name = result.quantity
        clear = tuple(each.second for each in result.comparisons
                      if rows.is_clear(each.differences[name]))  # fmt: skip
        says = _of_pair(result, "note", result.behind_best[0])  # where none is clear
        if clear:
            says = finding("note", "clear", first=first, quantity=(name, "quantity"),
                           policies=(clear, "policy"))  # fmt: skip
        names = "second" if len({each.first for each in result.every_comparison}) == 1 else "pair"
        yield Figure(
            _of_differences(result), "intervals", "differences", names, (f"{name}_s",),
            low=f"{name}_low_s", high=f"{name}_high_s", limits=(Limit("x", 0, "equal"),),
            scale={"x": "time"}, finding=says,
        )  # fmt: skip
    yield from _over_time(result, best)
    for name, table in (("processors", "by processors"), ("run-times", "by run time")):
        drawn, _ = rows.unit_of_classes(result, table)
        yield Figure(name, "dots", table, "class", (drawn,), series="policy")
    if best.jain_wait is not None and len(best.users) > 1:
        yield Figure("users", "lines", "waits of users", "share", ("mean_wait_s",),
                     series="policy", scale={"y": "time"})  # fmt: skip
    if shows(result):
        machine = result.simulations[0].schedule.machine_processors
        yield Figure(
            "period", "gantt", "jobs of the period", "begin_s", ("first", "processors"),
            high="end_s", series="policy", marked="overtook",
            limits=(Limit("y", machine, "machine"),),
        )  # fmt: skip


def _over_time(result: SimulationResult, best: Measures) -> Iterator[Figure]:
    if not best.makespan_s:
        return
    schedule, measured = result.simulations[0].schedule, result.measured
    first = int(schedule.submit_s.min())
    limits: tuple[Limit, ...] = ()
    if not measured.jobs.all() and measured.jobs.any():
        ends = {measured.start_s - first, measured.end_s - first}
        limits = tuple(Limit("x", end, "measured") for end in sorted(ends))
    queues = tuple(f"queue_{policy}" for policy in rows.listed(result))
    yield Figure("queue", "steps", "over time", "begin_s", queues, high="end_s", limits=limits,
                 finding=next(answers.longest_queue(result, "note")))  # fmt: skip


def _data(result: SimulationResult) -> dict[str, Any]:
    """The members of simulate.json besides the study: a flat object for one policy."""
    flat = [measures.to_dict() for measures in result.measures]
    schedule = result.simulations[0].schedule
    tail: dict[str, Any] = {
        "log": result.log.name,
        "sha256": result.log.sha256,
        "source": source(result.log),
        "machine_processors": schedule.machine_processors,
        "counts": dict(result.log.counts),
        "rejected": {str(job): why for job, why in schedule.rejected.items()},
    }
    if result.by_partition:
        tail["partitions"] = [partition.to_dict() for partition in result.by_partition]
    if result.recorded:
        tail["recorded"] = result.recorded.to_dict()
    if result.files:
        tail["files"] = dict(result.files)
    if result.explanations:
        tail["explanations"] = [
            {"policy": measures.policy} | why.to_dict()
            for measures, why in zip(result.measures, result.explanations, strict=True)
        ]
    if result.violations is not None:
        tail["checked"] = list(result.rules_checked)
        tail["violations"] = [asdict(violation) for violation in result.violations]
    if len(flat) == 1:
        return flat[0] | tail
    comparisons = [comparison.to_dict() for comparison in result.comparisons]
    return {"policies": flat, "comparisons": comparisons} | tail
