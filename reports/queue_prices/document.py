"""The document on a day with shared nodes: bills, turnaround and revenue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from planner.formatting import capitalised, durations, percent, plural
from planner.pricing.queue_explanation import FEW_MAPPINGS, Payers, payers_of
from planner.pricing.queue_study import QueuePriceStudy
from planner.pricing.queue_tables import RULES_COLUMNS, rule_text
from planner.scheduling.shared.measures import NodeWatts
from planner.scheduling.shared.replications import REVENUE, MeasureChange
from planner.table import Column, hidden
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import table, table_of
from reports.skeleton import command_line, paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture
from reports.tabled import named_table

_MOST_ROWS = 40
_BOOK = "price.xlsx"


def document(study: QueuePriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front_with(pictures), _rules, _revenue, _bills, _turnarounds, _spread, _method,
                 _appendix, _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[QueuePriceStudy], dict[str, Any]]:
    def front(study: QueuePriceStudy) -> dict[str, Any]:
        columns = hidden(RULES_COLUMNS, "measures.jobs")
        rows = table_of(columns, study.comparison.outcomes)
        first = replace(first_page(study, pictures), table=rows)
        return title_page(study, study.title, study.title, first=first)

    return front


def _table(
    study: QueuePriceStudy, name: str, *columns_left_out: str, first_rows: Sequence[Any] = ()
) -> list[Block]:
    """Return a table by its name; none where it is empty."""
    written = named_table(study, name)
    if not written.rows:
        return []
    columns = hidden(written.columns, *columns_left_out)
    rows = _merged(columns, [*first_rows, *written.rows])
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
        f'"{capitalised(rule_text(_best(study)))}" has the shortest mean turnaround of the rules '
        "that share nodes, on the day. The pages below show this rule."
    )
    rules = table((("Rule", False), ("What it does", False)), (1, 3), rows)
    blocks = (
        text(best),
        grid(rules, "Rules for sharing nodes"),
        *figures(drawings, "overview", _definitions(study)),
    )
    return Page("Which rules are compared?", answer, blocks)


_COUNTS = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}


def _definitions(study: QueuePriceStudy) -> str:
    """Return what the table and the figure on the first page show."""
    measured = plural(int(study.comparison.measured.sum()), "job")
    every = len(study.comparison.problem.jobs)
    return (
        f"Table and figure: waits and turnaround (submission to end) of the {measured} of the "
        f"billed day. Node-hours, energy and makespan (first submission to last end) are of all "
        f"{every:,} jobs, with the week before. Half idle: two nodes for one, half of each used. "
        "Shared: another job may use the other half; it comes later (may start alone) or at once "
        "(starts in pairs). Work per node-hour: relative to whole nodes. Energy includes idle "
        "nodes until the last job ends, so a shorter makespan lowers it."
    )


def _best(study: QueuePriceStudy) -> str:
    return study.best.rule


_RULES = {
    "whole nodes": "Each job has all cores of its nodes. This is the baseline.",
    "half idle": "Each job has half of the cores of twice as many nodes; the other halves are "
    "idle.",
    "shared, may start alone": "A job takes halves of nodes, and a partner may come later.",
    "shared, starts in pairs": "A job opens new nodes only together with a partner.",
}
"""Rules as people read them."""


def _payers(study: QueuePriceStudy) -> Payers:
    return payers_of(study.comparison, _best(study))


def _bills(study: QueuePriceStudy, drawings: Drawn) -> Page:
    ours = _payers(study)
    rise = f" by up to {percent(ours.largest_rise, places=1)}" if ours.pays_more else ""
    answer = (
        f"Headroom's prices lower the bills of {ours.pays_less:,} of "
        f"{plural(ours.count, ours.noun)} and raise those of {ours.pays_more:,}{rise}."
    )
    note = (
        "Each bill of the day is compared with that of the same jobs on whole nodes, by run time."
    )
    if ours.noun == "job":
        ends = (
            f"{ours.sooner:,} of {plural(ours.count, 'job')} end sooner than on whole nodes, and "
            f"{ours.later:,} end later. The log names too few users to compare them."
        )
        return Page("Who pays less, and who pays more?", answer, (text(f"{note} {ends}"),))
    left_out = ("sooner", "later", "pays_more_and_later")
    blocks = (text(note), *figures(drawings, "bills"), *_table(study, "sides", *left_out))
    return Page("Who pays less, and who pays more?", answer, blocks)


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
    jobs = plural(int(study.comparison.measured.sum()), "job")
    billed = text(
        f"The table bills the {jobs} of the day. Whole nodes by run time are the reference."
    )
    blocks = (
        text(_PRICES),
        billed,
        *_table(study, "prices", "largest_discount", "largest_error",
                first_rows=[{**first, **unknown}]),
    )  # fmt: skip
    return Page("How much does the site earn?", answer, blocks)


_PRICES = (
    "Bills are in service units (SU). By run time, a job pays rate x cores x run time. POPPA and "
    "Headroom give discounts on this for measured interference. The oracle knows true run times: "
    "its prices are fair, and price errors are relative to them. Mean overcharge is the price "
    "error with its sign. Discounts and errors cover only jobs that shared a node."
)


def _spread(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    del drawings
    several = study.replications
    if several is None:
        return None
    best = _best(study)
    change = several.change(best, "mean_turnaround_s")
    interval = ""
    if change.low is not None and change.high is not None:
        chance = "; this may be chance" if change.may_be_chance else ""
        interval = f" (95 % interval {change.low:.3f} to {change.high:.3f}{chance})"
    ratio = "unknown" if change.ratio is None else f"{change.ratio:.3f} times that on whole nodes"
    answer = f"Mean turnaround with shared nodes is {ratio}{interval}."
    written = named_table(study, "differences")
    rows = [
        row for row in written.rows
        if row.rule == best and (row.quantity in _MAIN or row.quantity.startswith(REVENUE))
    ]  # fmt: skip
    columns = _in_one_unit(hidden(written.columns, "rule"), rows)
    caption = f"{written.caption}; rule: {rule_text(best)}; all rules are in {_BOOK}"
    seeds = len(several.seeds)
    wide = f" Intervals from {seeds} mappings are very wide." if seeds < FEW_MAPPINGS else ""
    note = (
        f"The log does not list applications. Each of {seeds:,} mappings assigns other ones to its "
        "users. Revenue here is that of all jobs, over all mappings; the day with the first "
        f"mapping is in the table of prices.{wide}"
    )
    blocks = (text(note), grid(table_of(columns, rows), caption))
    return Page("How uncertain is this?", answer, blocks)


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


_MAIN = ("mean_wait_s", "longest_wait_s", "mean_turnaround_s", "node_hours", "throughput",
         "energy_kwh", "makespan_s")  # fmt: skip
"""Measures that the document compares."""

_WATTS = NodeWatts()
_METHOD = {
    "Queue": "Jobs are tried in order of submission (EASY backfill). The first one that cannot "
    "start has a reservation, which later jobs may not delay.",
    "Sharing": "A job takes the first partner that fits, among applications for which estimates "
    "predict that the pair does more work per node-hour. The estimates come from a trial on the "
    "simulated node, with Headroom's estimator.",
    "Speeds": "Jobs run at the true speeds of the simulated node; a parallel job has the speed of "
    "its slowest node.",
    "Day": "The week before the day fills the machine. Tables of the day bill and measure only its "
    "jobs. Means over several mappings cover the jobs of the week, too.",
    "Intervals": "Mean of the logarithms of the ratios, mapping by mapping, with Student's t.",
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
