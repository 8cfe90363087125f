"""The document on power-aware scheduling: questions with figures, then method and long tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.command_row import command_line
from planner.formatting import (
    DASH,
    capitalised,
    durations,
    percent,
    plural,
    power,
    spanned,
    telling,
    words,
)
from planner.formatting import watts as in_watts
from planner.question import schedule_of
from planner.scheduling.power.explanation import (
    FAIR_SHARE,
    IDLE_FIRST,
    all_explained,
    described,
)
from planner.scheduling.power.few_jobs import (
    JobChoice,
    choices_of,
    fit_text,
    job_text,
    load_text,
    share_text,
    single_job,
)
from planner.scheduling.power.headline import MOST_NAMES, label
from planner.scheduling.power.ilp.naming import ilp_name
from planner.scheduling.power.results.comparisons import (
    ComparisonRow,
    Overall,
    distances_of,
    overall,
)
from planner.scheduling.power.study import ScheduleStudy
from planner.scheduling.power.tables import LONG
from planner.worded_table import Column, Table, hidden
from reports.blocks import Drawn, Page, figures, grid, partly, text
from reports.grid import table, table_of
from reports.schedule.fairness import FAIRNESS, fairness_answer
from reports.schedule.figures import turnaround, users, uses, watts
from reports.schedule.method import KINDS, logs_text, method
from reports.skeleton import paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture
from reports.tabled import named_table

_MOST_ROWS = 40
_MOST_IN_TEXT = 12
"""Rows of a table between figures; a longer one is in the appendix."""
_MOST_POLICIES = 4
"""Policies in the table of the first page; several logs have a figure of them instead."""
_BOOK = "schedule.xlsx"


def document(study: ScheduleStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front_with(pictures), _policies, _turnaround, _users, _watts, _fair, _details,
                 _hindsight, method, _appendix, _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[ScheduleStudy], dict[str, Any]]:
    def front(study: ScheduleStudy) -> dict[str, Any]:
        first = first_page(study, pictures)
        if not _table_first(study):
            first = replace(first, table=None)
        source = study.scenario.source
        about = " ".join(filter(None, (f"Source: {source}." if source else "", _TURNAROUND)))
        return title_page(study, study.title, study.title, description=about, first=first)

    return front


def _table_first(study: ScheduleStudy) -> bool:
    """Return whether the first page has the table of policies; else it is on a later one."""
    return len(study.logs) == 1 and 1 < len(study.policies) <= _MOST_POLICIES


def _policies(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    texts = described(study)
    shares = _shares(study) if any("fair share" in does for does in texts.values()) else []
    terms = " ".join(filter(None, (_families(study), _TERMS, *shares)))
    logs = [] if single_job(study.outcomes) else [text(logs_text(study))]
    if all_explained(study):
        return Page("What do the terms mean?", "", (text(terms), *logs))
    rows = [(label(name), f"{capitalised(does)}.") for name, does in texts.items()]
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
    return Page("Which policies are compared?", answer, (text(terms), *logs, shown))


def _shares(study: ScheduleStudy) -> list[str]:
    """Return what a fair share is, and how large that of a single job is."""
    job_share = share_text(schedule_of(study.scenario), _jobs_w(study))
    return [FAIR_SHARE, IDLE_FIRST if study.reserved_w else "", job_share]


def _jobs_w(study: ScheduleStudy) -> list[float]:
    """Return the power that jobs may use under each bound [W]."""
    return [bound_w - study.reserved_w for bound_w in study.bounds_w]


def _families(study: ScheduleStudy) -> str:
    """Say where known policies come from, and how greedy policies and programs decide."""
    kinds = {name: name.partition("-")[0] for name in study.policies}
    thesis = [label(name) for name in kinds if name in _FAMILIES]
    greedy = [label(name) for name, kind in kinds.items() if kind in _FAMILIES]
    comes, are, take = ("comes", "is", "takes") if len(thesis) == 1 else ("come", "are", "take")
    source = f"{words(thesis)} {comes} from RMAP, a power-aware resource manager (T. Patki, 2015)."
    ways = (
        f"{words(greedy) if len(greedy) <= MOST_NAMES else 'These policies and their variants'} "
        f"{'is' if len(greedy) == 1 else 'are'} greedy: they take one waiting job after the other."
    )
    if greedy == thesis:
        subject = "It" if len(thesis) == 1 else "They"
        ways = f"{subject} {are} greedy: {subject.lower()} {take} one waiting job after the other."
    programs = _PROGRAMS if any(map(ilp_name, study.policies)) else ""
    return " ".join(filter(None, (source if thesis else "", ways if greedy else "", programs)))


_FAMILIES = ("traditional", "naive", "adaptive")

_TURNAROUND = "Turnaround is the time from the submission of a job to its end."
_TERMS = (
    "A configuration of a job is its number of nodes and cores per node, and its cap on the power "
    "of a socket (package cap)."
)
_PROGRAMS = (
    "ILP policies solve an integer linear program (ILP), which decides on waiting jobs together."
)


def _table(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return a table by its name; none where it is empty."""
    written = named_table(study, name)
    return [_grid(written)] if written.rows else []


def _grid(written: Table) -> dict[str, Any]:
    caption = partly(written.caption, _MOST_ROWS, len(written.rows), _BOOK)
    first, *others = (column for column in written.columns if column.shown)
    columns = (replace(first, number=False), *others)
    return grid(table_of(columns, written.rows[:_MOST_ROWS]), caption)


def _overall(study: ScheduleStudy) -> list[dict[str, Any]]:
    """Return turnaround over all logs and bounds; other sections have the other measures.

    The reference policy is left out: all its ratios are 1.
    """
    written = named_table(study, "policies_overall")
    elsewhere = ("fairness", "power_utilisation", "above")
    rows = [row for row in written.rows if row.policy != study.reference]
    if len(study.bounds_w) > 1 and len(rows) <= _MOST_BY_BOUND:
        return _by_bound(study)
    if len(rows) == 1:
        (row,) = rows
        return [] if row.low is None else [text(_interval(row, study.reference))]
    return [_grid(replace(written, columns=hidden(written.columns, *elsewhere), rows=rows))]


def _interval(row: Overall, reference: str) -> str:
    """Return the interval of the only ratio, which the answer of the page has."""
    return (
        f"The 95 % interval of mean turnaround under {label(row.policy)} is {row.low:.3f} to "
        f"{row.high:.3f} times that under {label(reference)}."
    )


def _by_bound(study: ScheduleStudy) -> list[dict[str, Any]]:
    """Return turnaround under each bound over all logs and seeds, with a row for all bounds."""
    others = [name for name, _ in study.ranking if name != study.reference]
    if len(study.bounds_w) < 2 or not others:
        return []
    cases = {power(bound_w): _at_bound(study, bound_w) for bound_w in study.bounds_w}
    every = {row.policy: row for row in overall(study.outcomes, study.reference)}
    tested = study.seeds > 1
    columns, widths = [("Bound", False)], [0.8]
    for name in others:
        columns += [(label(name), True), *([("95 % interval", True)] if tested else [])]
        widths += [1.0, *([1.4] if tested else [])]
    rows = [
        (bound, *(cell for name in others for cell in _ratio_cells(row.get(name), tested=tested)))
        for bound, row in (*cases.items(), ("all", every))
    ]
    over = f"all logs{' and seeds' if tested else ''}"
    caption = f"Mean turnaround relative to {label(study.reference)}, over {over}"
    return [grid(table(columns, widths, rows), caption)]


def _ratio_cells(row: Overall | None, *, tested: bool) -> tuple[str, ...]:
    """Return a ratio, and its interval where there are several seeds."""
    if row is None or row.ratio is None:
        return (DASH, DASH) if tested else (DASH,)
    if not tested:
        return (f"{row.ratio:.3f}",)
    known = row.low is not None and row.high is not None
    return f"{row.ratio:.3f}", spanned(f"{row.low:.3f}", f"{row.high:.3f}") if known else DASH


_MOST_BY_BOUND = 3
"""Policies next to each other, each with its interval, in the table of the bounds."""


def _short(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return one of the long tables if it has few enough rows for the text."""
    written = named_table(study, name)
    return [_grid(written)] if 1 < len(written.rows) <= _MOST_IN_TEXT else []


def _turnaround(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    elsewhere = _table_first(study) or len(study.policies) == 1
    every = [] if elsewhere else _overall(study)
    choices = choices_of(schedule_of(study.scenario), study.outcomes)
    if choices and single_job(study.outcomes) and len(choices) == len(study.policies):
        return _single(study, choices)
    by_policy = named_table(study, "turnaround_by_policy")
    cases = _short(study, by_policy.name if by_policy.rows else "turnaround")
    ratios = (
        f"Each ratio compares a policy with {label(study.reference)} on the same jobs under the "
        "same bound; below 1, jobs end sooner."
    )
    drawn = figures(drawings, "turnaround", turnaround.note(study))
    where = _EVERY_CASE if every and drawn and by_policy.rows and not cases else ""
    intervals = _INTERVALS if every and study.seeds > 1 and len(study.bounds_w) > 1 else ""
    notes = [text(f"{ratios}{where}{intervals}")] if _compared(study) else []
    tails = _table(study, "tails")
    answer, blocks = _ratios(study), (*notes, *every, *drawn, *cases, *tails)
    return Page("How long do jobs take?", answer, blocks) if answer else None


def _compared(study: ScheduleStudy) -> bool:
    """Return whether any policy can be compared with the reference policy."""
    return any(name != study.reference for name, _ in study.ranking)


_INTERVALS = (
    " Intervals are not corrected for the number of comparisons; the tests of each log and bound "
    "are. Bounds over all logs are not tested."
)
_EVERY_CASE = " The figure below shows each log and bound; a table of the appendix lists them."


def _single(study: ScheduleStudy, choices: Sequence[JobChoice]) -> Page:
    """Return the page of the one job of a log: what each policy chose, and when it started."""
    times = durations(*(choice.turnaround_s or 0.0 for choice in choices))
    ends = [
        f"{time} under {label(choice.policy)}" if choice.turnaround_s else
        f"{label(choice.policy)} rejects it"
        for choice, time in zip(choices, times, strict=True)
    ]  # fmt: skip
    waits = durations(*(choice.wait_s or 0.0 for choice in choices))
    wait_of = dict(zip(choices, waits, strict=True))
    energy = {outcome.policy: outcome.energy_j for outcome in study.outcomes}
    columns = (
        Column("policy", "policy", label, width=1.3),
        Column("nodes", "nodes", number=True, width=0.8),
        Column("cores_per_node", "cores per node", number=True),
        Column("package_cap_w", "package cap", in_watts, number=True),
        Column("charged_w", "charged power", in_watts, number=True, width=1.1),
        Column("wait_s", "wait", number=True, row_text=wait_of.__getitem__),
        Column("turnaround_s", "turnaround", number=True, width=1.2,
               row_text=dict(zip(choices, times, strict=True)).__getitem__),
        Column(lambda choice: energy[choice.policy], "energy of the job (kWh)",
               lambda joule: telling(joule / 3.6e6, 3), number=True, width=1.3),
    )  # fmt: skip
    known = [column for column in columns if any(column.value(row) is not None for row in choices)]
    schedule = schedule_of(study.scenario)
    jobs_w = _jobs_w(study)
    load = " ".join(filter(None, (job_text(schedule), load_text(schedule, jobs_w))))
    fits = fit_text(schedule, choices, jobs_w)
    shown = grid(table_of(known, choices), "Configuration and start of the job under each policy")
    answer = f"The job takes {words(ends)}."
    return Page("How long does the job take?", answer, (text(f"{load} {fits}".strip()), shown))


def _ratios(study: ScheduleStudy) -> str:
    """Return the mean ratio of each policy, and the bounds under which jobs take longer."""
    ranked = [(name, ratio.mean) for name, ratio in study.ranking if name != study.reference]
    cases = {(row.log, row.bound_w) for row in study.rows}
    if len(cases) < 2 or not ranked or len(ranked) > _MOST_POLICIES:
        return _range_of_ratios(study)
    each = words(f"{mean:.3f} ({label(name)})" for name, mean in ranked)
    where = _longer(study) if len(study.bounds_w) > 1 else ""
    base = label(study.reference)
    return f"Mean turnaround is {each} times that under {base}{where}.{_doubt(study)}"


def _longer(study: ScheduleStudy) -> str:
    """Say under which bounds jobs take longer, or less time, than under the reference."""
    always, partly_longer, shorter = [], [], []
    for bound_w in study.bounds_w:
        ratios = [row.ratio for row in _at_bound(study, bound_w).values() if row.ratio is not None]
        if ratios and min(ratios) > 1:
            always.append(bound_w)
        elif ratios and max(ratios) > 1:
            partly_longer.append(bound_w)
        elif ratios and max(ratios) < 1:
            shorter.append(bound_w)
    if len(always) == len(study.bounds_w):
        return "; on average, jobs take longer under every bound"
    if len(shorter) == len(study.bounds_w):
        return "; on average, jobs take less time under every bound"
    parts = [f"at {words(map(power, always))}"] if always else []
    if partly_longer:
        parts.append(f"under some policies at {words(map(power, partly_longer))}")
    if not parts:
        return "; on average, jobs take no longer under any bound"
    less = f", and less time at {words(map(power, shorter))}" if shorter else ""
    return f"; on average, jobs take longer {' and '.join(parts)}{less}"


def _doubt(study: ScheduleStudy) -> str:
    """Say where no case differs significantly from the reference, or one seed cannot show it."""
    if study.by_chance:
        return " One seed is not conclusive."
    shown = any(row.difference in ("shorter", "longer") for row in study.rows)
    return (
        " Corrected for all comparisons, no single log and bound differs significantly."
        if study.seeds > 1 and not shown
        else ""
    )


def _at_bound(study: ScheduleStudy, bound_w: float) -> dict[str, Overall]:
    """Return every policy except the reference under one bound, over all logs and seeds."""
    outcomes = [outcome for outcome in study.outcomes if outcome.bound_w == bound_w]
    rows = overall(outcomes, study.reference)
    return {row.policy: row for row in rows if row.policy != study.reference}


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
        ran = {row.policy for row in study.rows if row.mean_turnaround_s is not None}
        under = f" under {label(*ran)}" if len(ran) == 1 < len(study.policies) else ""
        return f"Mean turnaround{under} is {' to '.join(dict.fromkeys(ends))}." if ends else ""
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
    others = [name for name, _ in study.ranking if name != study.reference]
    known = "users" in drawings or _short(study, "users")
    if not known or not others or single_job(study.outcomes):
        return None
    sooner, later = _sooner_and_later(study, others[0], study.bounds_w)
    at = ""
    if len(study.bounds_w) > 1:
        tightest = study.bounds_w[0]
        only = _sooner_and_later(study, others[0], (tightest,))[0]
        at = f" At the tightest bound, {power(tightest)}, {percent(only)} end sooner."
    shown = (
        *figures(drawings, "users", users.note(study),
                 title=f"Turnaround of each job relative to {label(study.reference)}, sorted; "
                 f"{power(study.bounds_w[0])}, {plural(study.seeds, 'seed')}"),
        *_short(study, "users"),
    )  # fmt: skip
    answer = (
        f"Under {label(others[0])}, {percent(sooner)} of the job runs end sooner than under "
        f"{label(study.reference)}, and {percent(later)} end later.{at}"
    )
    note = (
        "A job run is one job under one policy, at one bound and with one seed. A shorter mean can "
        "hide jobs that end later; jobs.csv has the gain of each job."
    )
    return Page("How many jobs end sooner, and how many later?", answer, (text(note), *shown))


def _sooner_and_later(
    study: ScheduleStudy, policy: str, bounds_w: Sequence[float]
) -> tuple[float, float]:
    """Return the shares of jobs that end sooner, and later, than under the reference policy."""
    rows = [row for row in study.rows if row.policy == policy and row.bound_w in bounds_w]
    better, same, worse = (
        sum(getattr(row, key) or 0.0 for row in rows) for key in ("better", "same", "worse")
    )
    jobs = (better + same + worse) or 1.0
    return better / jobs, worse / jobs


def _watts(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    one_bound = len(study.bounds_w) == 1 and not single_job(study.outcomes)
    several = _short(study, "power") if one_bound else []
    blocks = (
        text(_POWERS),
        *_above(study),
        *([] if several else _exceeding(study)),
        *figures(drawings, "watts", watts.note(study)),
        *figures(drawings, "power_utilisation"),
        *several,
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


def _above(study: ScheduleStudy) -> list[dict[str, Any]]:
    """Return runs, time and size of the excess for each policy, where there are several."""
    return _table(study, "above_bound") if len(study.policies) > 1 else []


def _exceeding(study: ScheduleStudy) -> list[dict[str, Any]]:
    """Return a table of the runs above each bound, or a sentence where each is a single one."""
    counts = {
        (bound_w, policy): [
            outcome.bound_violations > 0
            for outcome in study.outcomes
            if outcome.bound_w == bound_w and outcome.policy == policy
        ]
        for bound_w in study.bounds_w
        for policy in study.policies
    }
    if len(study.bounds_w) < 2 or not any(map(any, counts.values())):
        return []
    if max(map(len, counts.values())) == 1:
        above = {
            label(policy): words(power(bound_w) for bound_w in study.bounds_w
                                 if any(counts[bound_w, policy]))
            for policy in study.policies
        }  # fmt: skip
        where = "; ".join(f"{name} at {bounds}" for name, bounds in above.items() if bounds)
        return [text(f"Runs that exceed the bound: {where}.")]
    rows = [
        (power(bound_w), *(f"{sum(counts[bound_w, policy])} of {len(counts[bound_w, policy])}"
                           for policy in study.policies[:_MOST_COLUMNS]))
        for bound_w in study.bounds_w
    ]  # fmt: skip
    names = [(label(policy), True) for policy in study.policies[:_MOST_COLUMNS]]
    widths = (1, *(1 for _ in names))
    caption = "Runs (log, seed) in which true power exceeds the bound"
    return [grid(table((("Bound", False), *names), widths, rows), caption)]


_MOST_COLUMNS = 7
"""Policies next to each other in a table."""
_POWERS = (
    "True power is what running jobs draw. Charged power is what the policy expects them to draw; "
    "it counts against the bound. No policy sees true power."
)


def _fair(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    shown = figures(drawings, "fairness")
    answer = fairness_answer(study)
    if not shown or not answer or single_job(study.outcomes):
        return None
    means = "Points are means over the seeds. " if study.seeds > 1 else ""
    note = f"{means}The axis begins at {uses.lowest_fairness(study):g}."
    by = "log and bound" if len(study.logs) > 1 else "bound"
    shown = figures(drawings, "fairness", note, title=f"Jain's index by {by}")
    return Page("Are the policies fair?", answer, (text(FAIRNESS), *shown))


def _details(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.errors:
        return None
    every = study.errors[-1]
    answer = (
        f"Predicted run times are {percent(every.time_mean)} off on average. Predicted power is "
        f"too low by at most {percent(every.power_lowest)}."
    )
    named = [_NAMED] if any(row.application in KINDS for row in study.errors) else []
    blocks = (text(" ".join((_PREDICTED, *named))), *_table(study, "details"))
    return Page("How accurate are predicted run times and power?", answer, blocks)


_PREDICTED = (
    "Policies decide on predictions for every configuration of a job. Where predicted power is too "
    "low, jobs draw more than they are charged."
)


_NAMED = "The appendix on method says what the applications are."


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


def _appendix(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    """Return long tables that fit the document; the workbook has the others."""
    del drawings
    if single_job(study.outcomes):
        return None
    names_of_long = ("turnaround_by_policy", *LONG)
    tables = [_by_case(study, item) for item in study.shown
              if item.name in names_of_long and item.rows]  # fmt: skip
    longer = [item for item in tables if len(item.rows) > _MOST_ROWS]
    shown = {"power"} if len(study.bounds_w) > 1 else set()
    middle = [item for item in tables if len(item.rows) <= _MOST_ROWS
              and (len(item.rows) > _MOST_IN_TEXT or item.name in shown)]  # fmt: skip
    names = words(item.name for item in longer)
    note = [f"{_BOOK} lists every log, bound and policy in the sheets {names}."] if longer else []
    blocks = (*map(_grid, middle), *([text(*note)] if note else []))
    return Page("Appendix: every case", "", blocks) if blocks else None


def _by_case(study: ScheduleStudy, written: Table) -> Table:
    """Return the long table of users with policies as columns; other tables as they are."""
    others = [policy for policy in study.policies if policy != study.reference]
    if written.name != "users" or not 1 < len(others) <= _MOST_POLICIES:
        return written
    cases: dict[tuple[str, float], dict[Any, Any]] = {}
    for row in written.rows:
        jobs = (row.better + row.same + row.worse) or 1.0
        case = cases.setdefault((row.log, row.bound_w), {"log": row.log, "bound_w": row.bound_w})
        case[row.policy, "sooner"], case[row.policy, "later"] = row.better / jobs, row.worse / jobs
    return Table(
        "users",
        f"Share of jobs that end sooner, and later, than under {label(study.reference)}",
        (
            Column("log", "log", width=1.2),
            Column("bound_w", "bound", power, number=True),
            *(_share(policy, which) for policy in others for which in ("sooner", "later")),
        ),
        [*cases.values()],
    )


def _share(policy: str, which: str) -> Column:
    return Column(lambda case: case.get((policy, which)), f"{label(policy)}: {which}", percent,
                  number=True, width=1.2)  # fmt: skip


def _provenance(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    command = ("Command", command_line(study.command) or "run from Python")
    rows = [
        (capitalised(_LABELS.get(name, name)), _text(value))
        for name, value in study.settings.items()
    ]
    schedule = schedule_of(study.scenario)
    last = schedule.first_seed + study.seeds - 1
    between = " and " if study.seeds == 2 else " to "
    values = f"{schedule.first_seed}{f'{between}{last}' if study.seeds > 1 else ''}"
    seeds = [("Seed values", values)] if study.synthetic or study.by_chance else []
    return provenance_page(study, [command, *rows, *seeds, *study.provenance])


_LABELS = {
    "bounds_w": "power bounds",
    "reference": "reference policy",
    "charge": "charged power",
    "details": "job details table",
    "jobs_of_files": "jobs of log files",
}


def _text(value: Any) -> str:
    return words(map(power, value)) if isinstance(value, list) else str(value)
