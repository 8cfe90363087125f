"""The document on a day with shared nodes: bills, turnaround and revenue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from planner.command_row import command_line
from planner.formatting import capitalised, durations, percent, plural
from planner.sharing_nodes.queue_bills.explanation import (
    FEW_MAPPINGS,
    first_mapping,
    interval_text,
    means_by_rule,
    node_use,
    payers_of,
)
from planner.sharing_nodes.queue_bills.study import QueuePriceStudy
from planner.sharing_nodes.queue_bills.tables import RULES_COLUMNS, rule_text
from planner.sharing_nodes.queues.measures import NodeWatts
from planner.sharing_nodes.queues.replications import REVENUE, MeasureChange
from planner.sharing_nodes.queues.rules import HALF_IDLE
from planner.worded_table import Column, hidden
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import grouped, table, table_of
from reports.skeleton import paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture
from reports.tabled import named_table
from scenarios.job_logs.job_log import MISSING

_MOST_ROWS = 40
_BOOK = "price.xlsx"


def document(study: QueuePriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front_with(pictures), _rules, _revenue, _bills, _turnarounds, _spread, _method,
                 _appendix, _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[QueuePriceStudy], dict[str, Any]]:
    def front(study: QueuePriceStudy) -> dict[str, Any]:
        means = means_by_rule(study)
        rows = table_of(_with_times_in_one_unit(means), means)
        day, every = _jobs_of(study)
        if study.replications is not None:
            week = ", with the week before" if day != every else ""
            rows = grouped(rows, (("", 1), (f"all {every}{week}; {_means(study)}", 7)))
        elif day != every:
            groups = (("", 1), (f"{day} of the day", 3), (f"all {every}, with the week before", 4))
            rows = grouped(rows, groups)
        first = replace(first_page(study, pictures), table=rows, balanced=True)
        return title_page(study, study.title, study.title, first=first)

    return front


def _means(study: QueuePriceStudy) -> str:
    several = study.replications
    return "" if several is None else f"means of {len(several.seeds):,} mappings"


def _with_times_in_one_unit(rows: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    """Return the columns of rules, with waits and turnarounds in the unit of the largest one."""
    turnarounds = [row["measures"]["mean_turnaround_s"] for row in rows]

    def with_unit(column: Column) -> Column:
        if column.key in ("measures.mean_wait_s", "measures.mean_turnaround_s"):
            return replace(column, text=lambda value: durations(value, *turnarounds)[0])
        whole = column.key == "measures.partnered_jobs"
        return replace(column, text=lambda value: f"{value:,.0f}") if whole else column

    shown = hidden(RULES_COLUMNS, "measures.jobs", "measures.shared_jobs")
    return tuple(with_unit(column) for column in shown)


def _table(
    study: QueuePriceStudy,
    name: str,
    *columns_left_out: str,
    first_rows: Sequence[Any] = (),
    shown: Callable[[Any], Any] = lambda row: row,
) -> list[Block]:
    """Return a table by its name; none where it is empty."""
    written = named_table(study, name)
    if not written.rows:
        return []
    columns = hidden(written.columns, *columns_left_out)
    rows = _merged(columns, [*first_rows, *map(shown, written.rows)])
    more = f"; {_BOOK} has more columns" if columns_left_out else ""
    caption = partly(f"{written.caption}{more}", _MOST_ROWS, len(rows), _BOOK)
    return [grid(table_of(columns, rows[:_MOST_ROWS]), caption)]


def _merged(columns: Sequence[Column], rows: Sequence[Any]) -> list[Any]:
    """Return the rows, with one row for a rule under which all prices are alike."""
    keys = [column.key for column in columns]
    if "policy" not in keys or "rule" not in keys:
        return list(rows)
    result: list[Any] = []
    for _rule, group in groupby(rows, columns[0].value):
        of_rule = list(group)
        cells = {
            tuple(column.cell(row) for column in columns if column.shown and column.key != "policy")
            for row in of_rule
        }
        first = {key: column.value(of_rule[0]) for key, column in zip(keys, columns, strict=True)}
        alike = len(of_rule) > 1 and len(cells) == 1
        result += [{**first, "policy": "all prices"}] if alike else of_rule
    return result


def _rules(study: QueuePriceStudy, drawings: Drawn) -> Page:
    names = {outcome.rule: rule_text(outcome.rule) for outcome in study.comparison.outcomes}
    rows = [(name, _RULES.get(name, "A rule of your own.")) for name in names.values()]
    answer = f"{_COUNTS.get(len(rows), f'{len(rows):,}')} rules: {'; '.join(names.values())}."
    best = (
        f'On the day{first_mapping(study)}, the rule "{rule_text(_best(study))}" has the shortest '
        "mean turnaround of those that share nodes. Where this report names no rule, it shows "
        "this one."
    )
    rules = table((("Rule", False), ("What it does", False)), (1, 3), rows)
    if study.replications is not None:
        best += " The figure shows all rules over all mappings."
    blocks = (
        grid(rules, "Rules: which nodes a job gets"),
        text(best),
        *figures(drawings, "overview", _definitions(study)),
    )
    return Page("Which rules are compared?", answer, blocks)


_COUNTS = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}


def _jobs_of(study: QueuePriceStudy) -> tuple[str, str]:
    """Return the jobs of the day that ran on whole nodes, and all that did, counted in words."""
    base = study.comparison.baseline
    return plural(base.measures.jobs, "job"), plural(int(base.schedule.runs.sum()), "job")


def _definitions(study: QueuePriceStudy) -> str:
    """Return what the table and the figure on the first page show."""
    return (
        "Half idle: twice as many nodes, half of each used. Shared: another job may use the other "
        "half; it comes later (may start alone) or at once (starts in pairs). Turnaround: "
        "submission to end. Work per node-hour: relative to whole nodes. Makespan: first "
        "submission to last end; energy includes idle nodes until then. Fair price: by the true "
        "slowdown, which only a simulation knows. Mapping: which application each user runs, "
        f'chosen by chance. Text without a rule is about "{rule_text(_best(study))}".'
    )


def _best(study: QueuePriceStudy) -> str:
    return study.best.rule


_RULES = {
    "whole nodes": "Each job has all cores of its nodes. This is the baseline.",
    "half idle": "Each job has half of the cores of twice as many nodes; the other halves stay "
    "idle. A job that needs more than half of the machine gets whole nodes.",
    "shared, may start alone": "As half idle, but another job may use the other halves; it starts "
    "at the same time or later. A job that cannot share gets whole nodes.",
    "shared, starts in pairs": "As above, but a job opens empty nodes only if another job starts "
    "on the other halves at the same time. A job without a partner gets whole nodes.",
}
"""Rules as people read them."""


def _bills(study: QueuePriceStudy, drawings: Drawn) -> Page:
    noun, ours = payers_of(study.comparison, _best(study))
    rise = f" by up to {percent(ours.largest_rise, places=1)}" if ours.pays_more else ""
    answer = (
        f"Headroom's prices lower the bills of {ours.pays_less:,} of "
        f"{plural(ours.count, noun)} and raise those of {ours.pays_more:,}{rise}."
    )
    note = (
        "Each bill of the day is compared with that of the same jobs on whole nodes, by run time."
    )
    if noun == "job":
        ends = (
            f"{ours.sooner:,} of {plural(ours.count, 'job')} end sooner than on whole nodes, and "
            f"{ours.later:,} end later. {_few_users(study)}"
        )
        return Page("Who pays less, and who pays more?", answer, (text(f"{note} {ends}"),))
    left_out = ("sooner", "later", "pays_more_and_later")
    blocks = (text(note), *figures(drawings, "bills"), *_table(study, "sides", *left_out))
    return Page("Who pays less, and who pays more?", answer, blocks)


def _few_users(study: QueuePriceStudy) -> str:
    """Return why jobs are compared instead of users."""
    named = int((study.comparison.users[_best(study)].user != MISSING).sum())
    return f"The log names {'only one user' if named else 'no users'}, so users are not compared."


def _turnarounds(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    shown = figures(drawings, "rules")
    if not shown:
        return None
    sides = study.comparison.sides[_best(study)][0]
    answer = (
        f"Mean turnaround is shorter for {plural(sides.sooner, 'user')} and longer for "
        f"{sides.later:,}."
    )
    note = "Turnaround is the time from submission to end, as a mean over the jobs of a user."
    return Page("Whose jobs end sooner?", answer, (text(note), *shown))


def _revenue(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    ratios = {
        row.policy: percent(row.revenue_ratio, places=1)
        for row in study.comparison.prices
        if row.rule == _best(study)
    }
    answer = (
        f"On the day, the site earns {ratios['Headroom']} of its revenue on whole nodes at "
        f"Headroom's prices, and {ratios['oracle']} at fair prices."
    )
    base = study.comparison.baseline
    today = "state of practice"
    revenue = float(base.bills[today].price_su[study.comparison.measured].sum())
    first = {"rule": base.rule, "policy": today, "revenue_su": revenue, "revenue_ratio": 1.0}
    unknown = dict.fromkeys(("mean_discount", "mean_error", "bias"))
    billed = text(
        f"The table has the bills of the {_jobs_of(study)[0]} of the day. They are compared with "
        "whole nodes billed by run time, its first row."
    )
    alone = {one.rule for one in study.comparison.outcomes if not one.measures.shared_jobs}
    blocks = (
        text(_PRICES),
        billed,
        *_table(study, "prices", "largest_discount", "largest_error",
                first_rows=[{**first, **unknown}],
                shown=lambda row: {**vars(row), **unknown} if row.rule in alone else row),
        *_half_idle(study),
    )  # fmt: skip
    return Page("How much does the site earn?", answer, blocks)


def _half_idle(study: QueuePriceStudy) -> list[Block]:
    """Say why revenue changes where no job has a partner."""
    rule = HALF_IDLE.name
    ratios = [row.revenue_ratio for row in study.comparison.prices if row.rule == rule]
    change = ratios[0] - 1 if ratios else 0.0
    if not abs(change) >= _LEAST_CHANGE:
        return []
    fewer, faster = ("fewer", "faster") if change < 0 else ("more", "slower")
    return [
        text(
            f"Under {rule}, jobs take {percent(abs(change), places=1)} {fewer} core-hours than on "
            "whole nodes: on half of the cores of twice as many nodes, they run "
            f"{faster} on balance."
        )
    ]


_LEAST_CHANGE = 0.0005
"""Relative change below which nothing is explained."""
_PRICES = (
    "Bills are in service units (SU). By run time, a job pays rate x cores x run time, so it pays "
    "more if its partner slows it down. POPPA (a published method) and Headroom measure how much "
    "that is, and give a discount for it. The oracle knows the true slowdown, as only a simulation "
    "can: its prices are fair. The price error is the difference from the fair price, relative to "
    "it; mean overcharge is its mean with signs, so a negative one means that jobs pay too little. "
    "Discounts and errors are means over the jobs open to a partner. These have half of their "
    "nodes; another job may use the other halves, whether or not one does."
)


def _spread(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    del drawings
    several = study.replications
    if several is None:
        return None
    best = _best(study)
    change = several.change(best, "mean_turnaround_s")
    ratio = change.ratio or change.after / change.before
    answer = (
        f"Sharing nodes changes mean turnaround by {percent(ratio - 1, signed=True)}"
        f"{interval_text(change)}."
    )
    written = named_table(study, "differences")
    rows = [
        row for row in written.rows
        if row.rule == best and (row.quantity in _MAIN or row.quantity.startswith(REVENUE))
    ]  # fmt: skip
    columns = _as_changes(_in_one_unit(hidden(written.columns, "rule"), rows))
    caption = (
        f"{written.caption}; rule: {rule_text(best)}; change: geometric mean over mappings; "
        f"all rules are in {_BOOK}"
    )
    seeds = len(several.seeds)
    wide = f" Intervals from {seeds} mappings are very wide." if seeds < FEW_MAPPINGS else ""
    day, every = _jobs_of(study)
    covers = (
        f" It covers all {every} of the day and of the week before, so its revenue is higher than "
        f"that of the {day} of the day alone."
        if day != every
        else ""
    )
    note = (
        "The log does not say which applications its jobs run. A mapping assigns one to each user "
        f"by chance, and the table compares means over {seeds:,} mappings.{covers}{wide}"
    )
    blocks = (text(note), text(_use(study)), grid(table_of(columns, rows), caption))
    return Page("How uncertain is this?", answer, blocks)


def _use(study: QueuePriceStudy) -> str:
    """Return why work per node-hour changes, although pairs are chosen to do more of it."""
    return (
        "The estimates predict that each pair does more work per node-hour, but only while both "
        "halves are in use. A node with one empty half counts as in use, too. "
        f"{node_use(study).text}."
    )


def _in_one_unit(columns: Sequence[Column], rows: Sequence[MeasureChange]) -> tuple[Column, ...]:
    """Return the columns, with all times in the unit of the largest one."""
    times = [row for row in rows if row.quantity.endswith("_s")]
    values = [value for row in times for value in (row.before, row.after)]
    texts = dict(zip(values, durations(*values, least_places=2), strict=True))

    def with_unit(column: Column) -> Column:
        def cell(row: MeasureChange) -> str:
            return texts[column.value(row)] if row in times else column.cell(row)

        return replace(column, row_text=cell) if column.key in ("before", "after") else column

    return tuple(with_unit(column) for column in columns)


def _as_changes(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns, with changes instead of ratios."""

    def as_change(column: Column) -> Column:
        if column.key not in ("ratio", "low", "high"):
            return column
        heading = "change" if column.key == "ratio" else column.heading
        return replace(column, heading=heading, text=lambda ratio: _points(ratio - 1))

    return tuple(as_change(column) for column in columns)


def _points(change: float) -> str:
    return percent(change, signed=True, places=1)


_MAIN = ("mean_wait_s", "longest_wait_s", "mean_turnaround_s", "node_hours", "throughput",
         "energy_kwh", "makespan_s")  # fmt: skip
"""Measures that the document compares."""

_WATTS = NodeWatts()
_METHOD = {
    "Queue": "Jobs are tried in order of submission (EASY backfill). The first one that cannot "
    "start has a reservation, which later jobs may not delay.",
    "Sharing": "A job takes the first partner that fits. Estimates have to predict that the pair "
    "does more work per node-hour than both jobs alone on whole nodes. The estimates "
    "come from a trial on the simulated node, with Headroom's estimator.",
    "Speeds": "Jobs run at the true speeds of the simulated node; a parallel job has the speed of "
    "its slowest node.",
    "Day": "The week before the day fills the machine. Tables of the day bill and measure only its "
    "jobs. Means over several mappings cover the jobs of the week, too.",
    "Intervals": "A change is a ratio to whole nodes, less 1. Its mean and 95 % interval come from "
    "the logarithms of the ratios, one for each mapping, by Student's t.",
    "Energy": f"Assumed power of a node: {_WATTS.idle:g} W idle, {_WATTS.half:g} W with one half "
    f"in use, {_WATTS.whole:g} W in full use, from the first submission to the last end.",
}


def _method(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    rows = (*_METHOD.items(), ("Jobs of the log", str(study.settings["rule"])))
    method = table((("Part", False), ("How it is done", False)), (1, 4), rows)
    return Page("Appendix: method", "", (grid(method, "Method"),))


def _appendix(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    """Return the bills of users; one bill is in the other tables."""
    del drawings
    blocks = tuple(_table(study, "bills"))
    return (
        Page("Appendix: bills", "", blocks) if len(named_table(study, "bills").rows) > 1 else None
    )


def _provenance(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    files = [(capitalised(name), value) for name, value in study.provenance]
    command = ("Command", command_line(study.command) or "run from Python")
    rows = [
        (capitalised(_LABELS.get(name, name.replace("_", " "))), str(value))
        for name, value in study.settings.items()
        if name != "rule" and not (name == "log" and study.file)
    ]
    return provenance_page(study, [command, *rows, *files])


_LABELS = {
    "bills_against": "reference of the full price",
    "mappings": "mappings of users to applications",
}
