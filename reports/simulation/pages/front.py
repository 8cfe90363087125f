"""The title page has the answer, the warnings and a comparison of the policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.formatting import capitalised, count, own_unit, percent, plural, words
from planner.replications.batch_means import longer_log
from planner.scheduling.policies.display import in_prose, in_table
from planner.scheduling.policies.rules import briefly
from planner.scheduling.simulation.comparison import PolicyComparison
from planner.scheduling.simulation.job_measures import share_of_longest_tenth
from planner.scheduling.simulation.steps import jobs_waiting
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.summary import measured_jobs, turnarounds
from planner.scheduling.simulation.wait_text import (
    FEWEST_FOR_P99,
    alike,
    jobs,
    one_unit,
    share,
    slowdown,
)
from planner.worded_table import Column
from reports.first_page import FirstPage
from reports.grid import table_of
from reports.job_log_facts import log_facts, short_name
from reports.report import Facts
from reports.simulation.policy_looks import names, unit_of
from reports.skeleton import first_sheet, title_page
from reports.warning_boxes import boxed
from scenarios.job_logs.job_log import KEPT, LEFT_OUT, READ
from scenarios.job_logs.origin import synthetic_words
from scenarios.job_logs.unused import NOT_SIMULATED

MOST_ALTERNATIVES = 4
"""Other policies on the first page; the table has them all."""


def _columns(study: SimulationStudy) -> tuple[Column, ...]:
    waits = [measures.wait_s for measures in study.rows if measures.wait_s]
    return (
        Column("policy", "Policy", in_table, width=1.45),
        Column("wait_s.mean", "Mean wait", alike(w.mean for w in waits), number=True, width=1.05),
        Column("wait_s.median", "Median", alike(w.median for w in waits), number=True, width=1.05),
        Column("wait_s.p95", "95th per\u00adcentile", alike(w.p95 for w in waits), number=True),
        Column("wait_s.p99", "99th per\u00adcentile", alike(w.p99 for w in waits), number=True),
        Column("wait_s.largest", "Longest", alike(w.largest for w in waits), number=True),
        Column("bounded_slowdown.mean", "Slow\u00addown", slowdown, number=True, width=0.95),
        Column("utilisation", "Utilis\u00adation", share, number=True, width=0.95),
        *(
            (Column("jobs_killed", "Killed", count, number=True, width=0.75),)
            if any(measures.jobs_killed for measures in study.rows)
            else ()
        ),
    )


def front(study: SimulationStudy) -> dict[str, Any]:
    """Return what the title page shows."""
    first = FirstPage(
        reasons=[*_measured(study), *turnarounds(study), *_recorded(study)],
        alternatives=_alternatives(study),
        risks=boxes(study),
        robustness=_robustness(study),
        assumptions=_assumptions(study),
        next_steps=_next_steps(study),
        table=table_of(_columns(study), study.rows) if len(study.rows) > 1 else None,
        balanced=True,
    )
    return title_page(
        study, title(study), log_name(study), description=_description(study), first=first
    )


def title(study: SimulationStudy) -> str:
    """What is compared: job waits under the policies."""
    every = names(study)
    under = words(every) if len(every) < 4 else f"{len(every)} scheduling policies"
    return f"Job waits under {under}"


def log_name(study: SimulationStudy) -> str:
    """The log's name, short enough for a footer."""
    return short_name(study.log)


def pairs(study: SimulationStudy) -> Facts:
    """The first sheet of the workbook."""
    settings, schedule = study.settings, study.simulations[0].schedule
    rows = [
        *log_facts(study.log, study.files, study.command),
        ("jobs", len(study.log)),
        ("processors of the machine", schedule.machine_processors),
        ("processors of a node", settings.node_processors),
        ("event order", settings.event_order),
        ("measured", study.measured.rule),
        *((f"unavailable {k}", unavailable) for k, unavailable in enumerate(outages(study), 1)),
    ]
    return first_sheet(study, title(study), rows)


def outages(study: SimulationStudy) -> list[str]:
    """Processors that were not available, one line each."""
    return [
        f"{plural(outage.processors, 'processor')} from {outage.begin_s} s "
        f"to {outage.end_s} s, " + ("planned around" if outage.announced else "an unplanned outage")
        for outage in study.settings.unavailable
    ]


def _description(study: SimulationStudy) -> str:
    schedule = study.simulations[0].schedule
    machine = plural(schedule.machine_processors, "processor")
    if not len(schedule):
        return f"{jobs(len(study.log))} on {machine}"
    size, unit = unit_of(span_s := int(schedule.submit_s.max() - schedule.submit_s.min()))
    over = f" submitted over {span_s / size:,.3g} {unit}" if span_s else ""
    return f"{jobs(len(study.log))}{over}, on {machine}"


def _measured(study: SimulationStudy) -> list[str]:
    """Use of the machine, median wait and slowdown under the best policy; the figure has more."""
    if not study.ranking:
        return []
    best = study.ranking[0]
    measures = study.measures[best]
    if measures.wait_s is None or measures.bounded_slowdown is None:
        return []
    under, use = f"Under {in_prose(measures.policy)}", measures.utilisation
    median = f"at least half of the jobs wait at most {own_unit(measures.wait_s.median)}"
    if not measures.wait_s.median:
        median = "at least half of the jobs start at once"
    lines = [f"{under} {median}{_longest_tenth(study, best)}."]
    if measures.max_jobs_waiting > 1:
        lines.append(_longest_queue(study, best))
    if use is not None:
        lines.append(f"{under} {share(use)} of the machine's processor time is used.")
    return lines


def _longest_tenth(study: SimulationStudy, policy: int) -> str:
    """Return which share of all waiting the tenth of the jobs has that waits longest."""
    waits = study.counted[policy].wait_s
    part = share_of_longest_tenth(waits)
    if part is None or len(waits) < FEWEST_FOR_P99:
        return ""
    return f"; the tenth of the jobs that waits longest has {percent(part)} of all waiting time"


def _longest_queue(study: SimulationStudy, policy: int) -> str:
    """When most jobs wait."""
    schedule = study.simulations[policy].schedule
    waiting = jobs_waiting(schedule)
    at_s = (waiting.first_largest_s() or 0) - int(schedule.submit_s.min())
    when = f"{own_unit(at_s)} after the first submission" if at_s else "at the first submission"
    return f"The queue is longest {when}: {jobs(waiting.largest())} wait."


def _alternatives(study: SimulationStudy) -> list[str]:
    """Every other policy by its mean wait, and how much longer that is."""
    ranked = [
        (in_prose(measures.policy), measures.wait_s.mean)
        for index in study.ranking
        if (measures := study.measures[index]).wait_s
    ]
    if len(ranked) < 2:
        return []
    shortest_s = ranked[0][1]
    lines = []
    for name, wait_s in ranked[1 : MOST_ALTERNATIVES + 1]:
        wait, longer = one_unit(wait_s, wait_s - shortest_s)
        how = "equal" if wait_s == shortest_s else f"{longer} longer"
        lines.append(f"{capitalised(name)}: mean wait {wait} ({how}).")
    more = len(ranked) - 1 - MOST_ALTERNATIVES
    return [*lines, f"{more:,} more in the table."] if more > 0 else lines


def _robustness(study: SimulationStudy) -> list[str]:
    """How many policies differ by more than chance, and what the checker found."""
    lines = []
    if study.comparisons:
        lines.append(_apart(study.comparisons))
    elif study.mean_wait is not None and len(study.measures) == 1:
        lines.append(
            f"The interval of the mean wait is from the means of {study.mean_wait.batches} batches "
            'of consecutive jobs (see "How was this simulated?").'
        )
    if study.violations is not None and not study.violations:
        lines.append("An independent checker found no violation in the schedules.")
    return lines


def _apart(comparisons: Sequence[PolicyComparison]) -> str:
    """Which policies differ from the first in mean wait by more than chance."""
    first = in_prose(comparisons[0].first)
    apart, unsure = (
        [
            in_prose(each.second)
            for each in comparisons
            if each.differences["wait"].tells_apart == more
        ]
        for more in (True, False)
    )
    other = "The other policy" if len(comparisons) == 1 else "Every other policy"
    if not unsure:
        return f"{other} differs from {first} in mean wait by more than chance (95 % confidence)."
    if not apart:
        what = "difference" if len(comparisons) == 1 else "differences"
        sentence = f"The {what} from {first} in mean wait may be chance"
        return f"{sentence}: the log is too short to say (95 % intervals contain 0)."
    if len(comparisons) > MOST_ALTERNATIVES:
        return (
            f"{len(apart):,} of {len(comparisons):,} other policies differ from {first} in mean "
            "wait by more than chance (95 % confidence)."
        )
    return (
        f"The mean wait differs from that under {first} by more than chance under {words(apart)} "
        f"(95 % confidence); under {words(unsure)} it may be chance."
    )


def boxes(study: SimulationStudy) -> list[str]:
    """Return the warnings on the title page: a broken rule first."""
    return boxed([*_violated(study), *_unsure(study), *_alone(study), *study.warnings])


def _unsure(study: SimulationStudy) -> list[str]:
    """That a log is too short to fix the mean wait of the only policy."""
    mean = study.mean_wait if len(study.ranking) == 1 else None
    if mean is None or mean.mean <= 0:
        return []
    longer = longer_log((mean.jobs_needed,))
    if mean.low > 0:
        short = "the log is too short for a reliable interval of the mean wait"
        return [f"{short}. {longer}"] if mean.warning else []
    fixed = "the log is too short to fix the mean wait: its confidence interval begins at 0"
    return [f"{fixed} and is still too narrow. {longer}" if mean.warning else fixed]


def _alone(study: SimulationStudy) -> list[str]:
    """That nothing shows whether the waits of the only policy are long."""
    if len(study.measures) > 1 or not study.ranking or study.recorded is not None:
        return []
    name = in_prose(study.measures[0].policy)
    return [f"only {name} was simulated, so whether another policy waits less is unknown"]


def _violated(study: SimulationStudy) -> list[str]:
    if not study.violations:
        return []
    number = plural(len(study.violations), "violation")
    return [
        (
            f"An independent checker found {number} of the rules in the schedules (listed in "
            "simulate.json): do not rely on them."
        )
    ]


def _assumptions(study: SimulationStudy) -> list[str]:
    lines = ["Users submit every job at the time in the log and do not react to waits."]
    if measured := measured_jobs(study):
        lines.append(measured)
    lines += [
        *cut(study),
        *_lost(study),
        *briefly([each.policy for each in study.measures], study.rules),
    ]
    away = outages(study)
    if len(away) == 1:
        lines.append(f"Not available: {away[0]}.")
    elif away:
        lines.append(f"Not available: {plural(len(away), 'period')}, listed with the method.")
    return lines


def _next_steps(study: SimulationStudy) -> list[str]:
    """What would sharpen the answer."""
    lines = []
    if study.lead is not None:
        wait = study.lead.differences["wait"]
        if wait.jobs_needed:
            lines.append(
                f"Simulate a log with about {wait.jobs_needed:,} jobs for a reliable interval."
            )
        elif not wait.tells_apart and wait.half_width > 0:
            lines.append("Simulate a longer log to tell the best two policies apart.")
    elif len(study.ranking) > 1:
        lines.append("Simulate a longer log to tell the policies apart.")
    elif study.ranking:
        other = "FCFS" if study.measures[0].policy == "easy" else "EASY"
        lines.append(f"Simulate {other} too, as a reference for these waits.")
    if synthetic_words(study.log.header):
        lines.append("Repeat the simulation with an accounting log of your own machine.")
    elif study.ranking and study.recorded is None:
        lines.append("Add recorded start times to the log to compare with the present scheduler.")
    if study.violations is None:
        lines.append(
            "Verify the schedules with Headroom's checker, which shares no code with the policies."
        )
    return lines


def _recorded(study: SimulationStudy) -> list[str]:
    """The schedule in the log, which is not simulated."""
    recorded = study.recorded
    if recorded is None or recorded.measures.wait_s is None:
        return []
    wait, use = recorded.measures.wait_s, recorded.measures.utilisation
    used = "" if use is None else f", at a utilisation of {share(use)}"
    return [
        (
            f"By the log's own starts the mean wait is {own_unit(wait.mean)}{used} (row "
            f'"{recorded.name}").'
        )
    ]


def cut(study: SimulationStudy) -> list[str]:
    """What cleaning changed, where it changed anything."""
    counts = study.log.counts
    changed = any(number for kind, number in counts.items() if kind not in (READ, KEPT))
    return [cleaned(study)] if changed else []


def cleaned(study: SimulationStudy) -> str:
    """What cleaning left out and changed."""
    counts = study.log.counts
    if not counts:
        return "The jobs are not from a file, so no cleaning was needed."
    left_out = sum(number for kind, number in counts.items() if kind.startswith(LEFT_OUT))
    changed = [
        f"{kind}: {number:,}"
        for kind, number in counts.items()
        if number and kind not in (READ, KEPT) and not kind.startswith((LEFT_OUT, NOT_SIMULATED))
    ]
    message = f"{jobs(counts.get(READ, len(study.log)))} read, {left_out:,} left out by cleaning"
    return f"{message}; {'; '.join(changed)}." if changed else f"{message}, none changed."


def _lost(study: SimulationStudy) -> list[str]:
    """How many jobs were killed or rejected, if any."""
    killed = {measure.jobs_killed for measure in study.measures}
    rejected = study.measures[0].jobs_rejected
    if not max(killed) and not rejected:
        return []
    ends = f"{min(killed):,}" + (f" to {max(killed):,}" if len(killed) > 1 else "")
    by_outage = any(not window.announced for window in study.settings.unavailable)
    where = "" if by_outage else " at their requested time"
    return [f"Jobs killed{where}: {ends}; rejected: {rejected:,}."]
