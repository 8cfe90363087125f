"""The document on power-aware scheduling: questions with figures, then method and long tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.formatting import capitalised, durations, percent, plural, power, words
from planner.scheduling.power.explanation import ARRIVALS, CHARGES, SOURCES
from planner.scheduling.power.headline import MOST_NAMES, label
from planner.scheduling.power.policy_texts import policy_texts
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.results.comparisons import (
    ComparisonRow,
    distances_of,
    overall,
)
from planner.scheduling.power.study import ScheduleStudy
from planner.scheduling.power.tables import LONG
from planner.table import Table
from reports.blocks import Drawn, Page, bullets, figures, grid, partly, text
from reports.grid import table, table_of
from reports.skeleton import command_line, paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture
from scenarios.job_logs.poisson import NODES

_MOST_ROWS = 40
_MOST_IN_TEXT = 12
"""Rows of a table between figures; a longer one is in the appendix."""
_MOST_POLICIES = 4
"""Policies in the table of the first page; several logs have a figure of them instead."""
_BOOK = "schedule.xlsx"


def document(study: ScheduleStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front_with(pictures), _policies, _turnaround, _users, _watts, _fair, _details,
                 _hindsight, _method, _appendix, _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[ScheduleStudy], dict[str, Any]]:
    def front(study: ScheduleStudy) -> dict[str, Any]:
        first = first_page(study, pictures)
        if not _table_first(study):
            first = replace(first, table=None)
        return title_page(study, study.title, study.title, first=first)

    return front


def _table_first(study: ScheduleStudy) -> bool:
    """Return whether the first page has the table of policies; else it is on a later one."""
    return len(study.logs) == 1 and 1 < len(study.policies) <= _MOST_POLICIES


def _policies(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    texts = policy_texts(study.policies)
    rows = [(name, f"{capitalised(does)}.") for name, does in texts.items()]
    every = table((("Policy", False), ("How it gives nodes and power to a job", False)),
                  (1, 4), rows)  # fmt: skip
    names = [label(name) for name in study.policies]
    named = words(names) if len(names) <= MOST_NAMES else f"{len(names)} policies"
    answer = (
        f"{named}, on the same jobs, nodes and power bounds."
        if len(names) > 1
        else f"Only {named} was run."
    )
    shown = grid(every, "Policies") if len(rows) > 1 else text(f"{names[0]}: {rows[0][1]}")
    return Page("Which policies are compared?", answer, (text(_TERMS), shown))


_TERMS = (
    "A configuration of a job is its number of nodes and cores per node, and its cap on the power "
    "of a socket. The fair share of a job is the power bound times its share of all nodes, and "
    "times its priority."
)


def _table(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return a table by its name; none where it is empty."""
    written = next(item for item in study.shown if item.name == name)
    return [_grid(written)] if written.rows else []


def _grid(written: Table) -> dict[str, Any]:
    caption = partly(written.caption, _MOST_ROWS, len(written.rows), _BOOK)
    return grid(table_of(written.columns, written.rows[:_MOST_ROWS]), caption)


def _short(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return one of the long tables if it has few enough rows for the text."""
    written = next(item for item in study.shown if item.name == name)
    return [_grid(written)] if 1 < len(written.rows) <= _MOST_IN_TEXT else []


def _turnaround(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    elsewhere = _table_first(study) or len(study.policies) == 1
    every = [] if elsewhere else _table(study, "policies_overall")
    by_policy = next(item for item in study.shown if item.name == "turnaround_by_policy")
    cases = _short(study, by_policy.name if by_policy.rows else "turnaround")
    tables = [*every, *cases]
    ratios = (
        f" Each ratio compares a policy with {label(study.reference)} on the same jobs under the "
        "same bound; below 1, jobs end sooner."
    )
    definition = "Turnaround is the time from the submission of a job to its end."
    definition += ratios if len(study.policies) > 1 else ""
    bars = "Bars: 95 % intervals, cut off at the top." if study.seeds > 1 else ""
    shown = (*figures(drawings, "turnaround", bars), *tables)
    answer, blocks = _range_of_ratios(study), (text(definition), *shown)
    return Page("How long do jobs take?", answer, blocks) if answer else None


def _range_of_ratios(study: ScheduleStudy) -> str:
    """Return the lowest and the highest mean turnaround of a case, next to the reference."""
    rows = [
        (row.ratio, row)
        for row in study.rows
        if row.policy != study.reference and row.ratio is not None
    ]
    times = [row.mean_turnaround_s for row in study.rows if row.mean_turnaround_s is not None]
    if not rows:
        ends = durations(min(times), max(times)) if times else ()
        return f"Mean turnaround is {' to '.join(dict.fromkeys(ends))}." if ends else ""
    (low, least), (high, most) = min(rows, key=_first), max(rows, key=_first)
    subject = f"Mean turnaround is {low:.3f}"
    base = f"times that under {label(study.reference)}"
    if f"{low:.3f}" == f"{high:.3f}":
        return f"{subject} {base}."
    return f"{subject} ({_where(study, least)}) to {high:.3f} ({_where(study, most)}) {base}."


def _first(pair: tuple[float, ComparisonRow]) -> float:
    return pair[0]


def _where(study: ScheduleStudy, row: ComparisonRow) -> str:
    """Return a policy, and the log and bound where there are several."""
    log = [f"log {row.log}"] if len(study.logs) > 1 else []
    bound = [power(row.bound_w)] if len(study.bounds_w) > 1 else []
    return ", ".join((label(row.policy), *log, *bound))


def _users(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    shown = (*figures(drawings, "users"), *_short(study, "users"))
    others = [name for name, _ in study.ranking if name != study.reference]
    if not shown or not others:
        return None
    rows = [row for row in study.rows if row.policy == others[0] and row.better is not None]
    better, same, worse = (
        sum(getattr(row, key) or 0.0 for row in rows) for key in ("better", "same", "worse")
    )
    jobs = better + same + worse
    answer = (
        f"Compared with {label(study.reference)}, {percent(better / jobs)} of the job runs end "
        f"sooner under {label(others[0])}, and {percent(worse / jobs)} end later."
    )
    note = "A shorter mean can hide jobs that end later; jobs.csv has the gain of each job."
    return Page("Which jobs end sooner, and which later?", answer, (text(note), *shown))


def _watts(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    blocks = (
        text(_POWERS),
        *figures(drawings, "watts"),
        *figures(drawings, "power_utilisation"),
        *_short(study, "power"),
    )
    broken = sum(outcome.bound_violations > 0 for outcome in study.outcomes)
    largest = max(outcome.largest_violation_w for outcome in study.outcomes)
    answer = (
        f"No: true power exceeds the bound in {broken:,} of {plural(len(study.outcomes), 'run')}, "
        f"by at most {power(largest)}."
        if broken
        else f"Yes: true power never exceeds the bound in {plural(len(study.outcomes), 'run')}."
    )
    return Page("Does power stay within the bound?", answer, blocks)


_POWERS = (
    "True power is what running jobs draw. Charged power is what the policy expects them to draw; "
    "it counts against the bound. No policy sees true power."
)


def _fair(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    shown = figures(drawings, "fairness")
    if not shown:
        return None
    results = {row.policy: row.fairness for row in overall(study.outcomes, study.reference)}
    known = {name: value for name, value in results.items() if value is not None}
    most, least = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
    answer = (
        f"Delays are spread most evenly under {label(most)}, least evenly under {label(least)}."
        if f"{known[most]:.3f}" != f"{known[least]:.3f}"
        else "Delays are spread equally evenly under all policies."
    )
    return Page("Are the policies fair?", answer, (text(_FAIRNESS), *shown))


_FAIRNESS = (
    "Jain's index of requested time divided by turnaround is 1 if all jobs are delayed in "
    "proportion to their requested time. It falls towards 0 if few jobs bear the delay."
)


def _details(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.errors:
        return None
    every = study.errors[-1]
    answer = (
        f"Predicted run times are {percent(every.time_mean)} off on average. Predicted power is "
        f"too low by at most {percent(every.power_lowest)}."
    )
    blocks = tuple(_table(study, "details"))
    return Page("How accurate are predicted run times and power?", answer, blocks)


def _hindsight(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del drawings
    tables = _table(study, "hindsight")
    if not tables:
        return None
    nearest = min(distances_of(study.outcomes), key=lambda row: row.mean_gap)
    answer = (
        f"{label(nearest.policy)} comes nearest to the proven limit: on average "
        f"{percent(nearest.mean_gap)} above it (log {nearest.log}, {power(nearest.bound_w)})."
    )
    note = "No schedule beats the proven limit, even if it knows all jobs in advance."
    return Page("How much better could any schedule be?", answer, (text(note), *tables))


def _method(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    settings = schedule_of(study.scenario)
    rows = (
        ("Logs", _logs(study)),
        ("Run times and power", SOURCES[settings.details.method]),
        ("Charged power", CHARGES[settings.charge]),
        *_RULES.items(),
        *(_TESTS.items() if study.seeds > 1 else ()),
    )
    columns = (("Part", False), ("How it is done", False))
    return Page("Appendix: method", "", (text(_SUMMARY), grid(table(columns, (1, 3.2), rows),
                                                              "Method")))  # fmt: skip


def _logs(study: ScheduleStudy) -> str:
    """Return how many jobs the logs have, and how many nodes synthetic jobs request."""
    jobs = [len(outcome.jobs) for outcome in study.outcomes]
    least, most = min(jobs), max(jobs)
    each = plural(most, "job") if least == most else f"{least:,} to {plural(most, 'job')}"
    kinds = [
        f"{log.name}: {NODES[log.kind][0]} to {NODES[log.kind][1]} nodes"
        for log in schedule_of(study.scenario).logs
        if log.name in study.logs and log.kind in NODES
    ]
    requests = f" Requests of synthetic jobs: {'; '.join(kinds)}. {ARRIVALS}" if kinds else ""
    return f"{capitalised(words(study.logs))}, {each} each.{requests}"


_SUMMARY = (
    "An event-driven simulation calls the policy whenever a job is submitted or ends. All policies "
    "get the same jobs, and the same table of run times and power of every configuration."
)
_RULES = {
    "Fair share": "A job without a configuration within its fair share gets the cheapest one, and "
    "is counted. A job is charged the power of its configuration, not its fair share.",
    "Overtaking": "Unless the policy says otherwise, the first waiting job has a reserved start. "
    "Others may overtake it if they do not delay this start by the expected run times.",
    "Truth": "Schedules are scored on true run times and true power, which no policy sees. An "
    "independent checker verifies every schedule; it shares no code with the policies.",
    "Ratios": "Mean turnaround is the mean over the jobs of a log that ran. The ratio of a policy "
    "is the geometric mean of its ratios over logs and bounds.",
    "Use of the bound": "Mean true power from the first submission to the last end (the makespan), "
    "divided by the power that jobs may use.",
}
_TESTS = {
    "Intervals": "95 % intervals and tests of ratios are Student's, paired by seed.",
    "Significance": "It is corrected for all comparisons of a table (Holm's procedure, 5 %).",
}


def _appendix(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    """Return long tables that fit the document; the workbook has the others."""
    del drawings
    names_of_long = ("turnaround_by_policy", *LONG)
    tables = [item for item in study.shown if item.name in names_of_long and item.rows]
    longer = [item for item in tables if len(item.rows) > _MOST_ROWS]
    middle = [item for item in tables if _MOST_IN_TEXT < len(item.rows) <= _MOST_ROWS]
    names = words(item.name for item in longer)
    note = [f"{_BOOK} lists every log, bound and policy in the sheets {names}."] if longer else []
    blocks = (*([bullets(note)] if note else []), *map(_grid, middle))
    return Page("Appendix: every case", "", blocks) if blocks else None


def _provenance(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    command = ("Command", command_line(study.command) or "run from Python")
    rows = [
        (capitalised(_LABELS.get(name, name)), _text(value))
        for name, value in study.settings.items()
    ]
    return provenance_page(study, [command, *rows, *study.provenance])


_LABELS = {
    "bounds_w": "power bounds",
    "reference": "reference policy",
    "charge": "charged power",
    "details": "job details table",
    "jobs_of_files": "jobs of log files",
}


def _text(value: Any) -> str:
    return words(map(power, value)) if isinstance(value, list) else str(value)
