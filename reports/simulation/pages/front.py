"""The title page: the answer, the warnings, and the policies beside each other."""

from __future__ import annotations

from typing import Any

from planner.formatting import count, plural, seconds, words
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import jobs, longest, share, slowdown, source
from planner.table import Column
from reports.grid import table_of
from reports.job_log_facts import log_facts, short_name
from reports.report import Facts
from reports.simulation.policy_looks import bare_seconds, names, part
from reports.skeleton import first_sheet, title_page
from scenarios.job_logs.job_log import KEPT, LEFT_OUT, READ
from scenarios.job_logs.unused import NOT_SIMULATED

_POLICIES = (
    Column("policy", "Policy", width=1.45),
    Column("wait_s.mean", "Mean wait (s)", bare_seconds, number=True, width=1.05),
    Column("wait_s.median", "Median (s)", bare_seconds, number=True, width=0.95),
    Column("wait_s.p95", "95 % (s)", bare_seconds, number=True),
    Column("wait_s.p99", "99 % (s)", bare_seconds, number=True),
    Column("wait_s.largest", "Longest (s)", bare_seconds, number=True, width=1.05),
    Column("bounded_slowdown.mean", "Slow-down", slowdown, number=True, width=0.95),
    Column("utilisation", "Used", share, number=True, width=0.95),
    Column("jobs_killed", "Killed", count, number=True, width=0.75),
    Column("jobs_rejected", "Re-jected", count, number=True, width=0.75),
)


def front(study: SimulationStudy) -> dict[str, Any]:
    """Return what the title page shows."""
    return title_page(
        study,
        title(study),
        log_name(study),
        description=_description(study),
        summary=_summary(study),
        table=table_of(_POLICIES, study.rows),
    )


def title(study: SimulationStudy) -> str:
    """The log and who plays it."""
    every = names(study)
    under = words(every) if len(every) < 4 else f"{len(every)} policies"
    return f"{log_name(study)} under {under}"


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
        f"{plural(outage.processors, 'processor')} from {outage.begin_s:,} s "
        f"to {outage.end_s:,} s, "
        + ("planned around" if outage.announced else "an outage that nobody knew of")
        for outage in study.settings.unavailable
    ]


def _description(study: SimulationStudy) -> str:
    schedule = study.simulations[0].schedule
    machine = plural(schedule.machine_processors, "processor")
    message = f"{jobs(len(study.log))} on {machine}, {source(study.log)}."
    left_out = study.measures[0].jobs_left_out
    if left_out:
        message += f" Measured: {study.measured.rule}, which leaves out {jobs(left_out)}."
    return message


def _summary(study: SimulationStudy) -> list[str]:
    lines = []
    for policy in dict.fromkeys(study.ranking[:1] + study.ranking[-1:]):
        measures = study.measures[policy]
        if measures.wait_s and measures.bounded_slowdown:
            at_once = float((study.counted[policy].wait_s == 0).mean())
            lines.append(
                f"Under {measures.policy} {part(at_once)} of the jobs start at once; half "
                f"wait {seconds(measures.wait_s.median)} or less, "
                f"{longest(measures.wait_s, measures.jobs)}. Jobs take "
                f"{slowdown(measures.bounded_slowdown.mean)} times as long as they run, on average "
                "(bounded slowdown)."
            )
    lines += _recorded(study)
    lines.append(f"{_cleaned(study)} {_lost(study)}")
    if study.violations is not None:
        number = len(study.violations)
        lines.append(
            "An independent checker finds nothing wrong with the schedules."
            if not number
            else f"An independent checker finds {plural(number, 'fault')} in the schedules, all "
            "in simulate.json: do not rely on them."
        )
    lines += [f"Not available: {line}." for line in outages(study)]
    return lines


def _recorded(study: SimulationStudy) -> list[str]:
    """The schedule in the log, which nobody simulated."""
    recorded = study.recorded
    if recorded is None or recorded.measures.wait_s is None:
        return []
    wait, use = recorded.measures.wait_s, recorded.measures.utilisation
    used = "" if use is None else f" and use {share(use)} of the machine"
    message = f"By the log's own starts jobs wait {seconds(wait.mean)} on average{used}"
    return [f'{message} (row "{recorded.name}": {recorded.meaning}).']


def _cleaned(study: SimulationStudy) -> str:
    counts = study.log.counts
    if not counts:
        return "The jobs were not read from a file; none was cleaned."
    left_out = sum(number for kind, number in counts.items() if kind.startswith(LEFT_OUT))
    changed = [
        f"{kind}: {number:,}"
        for kind, number in counts.items()
        if number and kind not in (READ, KEPT) and not kind.startswith((LEFT_OUT, NOT_SIMULATED))
    ]
    message = f"{jobs(counts.get(READ, len(study.log)))} read, {left_out:,} left out by cleaning"
    return f"{message}; {'; '.join(changed)}." if changed else f"{message}, none changed."


def _lost(study: SimulationStudy) -> str:
    killed = {measure.jobs_killed for measure in study.measures}
    rejected = study.measures[0].jobs_rejected
    ends = f"{min(killed):,}" + (f" to {max(killed):,}" if len(killed) > 1 else "")
    return f"Killed: {ends}; rejected: {rejected:,}."
