"""The document on a day with shared nodes: bills, turnaround and revenue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.formatting import capitalised, percent, plural
from planner.pricing.queue_study import QueuePriceStudy
from planner.pricing.queue_tables import RULES_COLUMNS, rule_text
from planner.scheduling.shared.replications import REVENUE
from planner.table import Table, hidden
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import table, table_of
from reports.skeleton import command_line, paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture

_MOST_ROWS = 40
_BOOK = "price.xlsx"


def document(study: QueuePriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front_with(pictures), _rules, _bills, _turnarounds, _revenue, _spread, _method,
                 _appendix, _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[QueuePriceStudy], dict[str, Any]]:
    def front(study: QueuePriceStudy) -> dict[str, Any]:
        columns = hidden(RULES_COLUMNS, "measures.jobs")
        rows = table_of(columns, study.comparison.outcomes)
        first = replace(first_page(study, pictures), table=rows)
        return title_page(study, study.title, study.title, first=first)

    return front


def _written(study: QueuePriceStudy, name: str) -> Table:
    return next(item for item in study.shown if item.name == name)


def _table(study: QueuePriceStudy, name: str, *columns_left_out: str) -> list[Block]:
    """Return a table by its name; none where it is empty."""
    written = _written(study, name)
    if not written.rows:
        return []
    columns = hidden(written.columns, *columns_left_out)
    more = f"; {_BOOK} has more columns" if columns_left_out else ""
    caption = partly(f"{written.caption}{more}", _MOST_ROWS, len(written.rows), _BOOK)
    return [grid(table_of(columns, written.rows[:_MOST_ROWS]), caption)]


def _rules(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    names = {outcome.rule: rule_text(outcome.rule) for outcome in study.comparison.outcomes}
    rows = [(name, _RULES.get(name, "A rule of your own.")) for name in names.values()]
    best = rule_text(_best(study))
    answer = f"Shared nodes follow the rule with the shortest mean turnaround: {best}."
    rules = table((("Rule", False), ("What it does", False)), (1, 3), rows)
    return Page("Which rules are compared?", answer, (grid(rules, "Rules for sharing nodes"),))


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


def _bills(study: QueuePriceStudy, drawings: Drawn) -> Page:
    (ours,) = (row for row in study.comparison.sides[_best(study)] if row.policy == "Headroom")
    bills = plural(ours.pays_less + ours.pays_same + ours.pays_more, "bill")
    rise = f" by up to {percent(ours.largest_rise, places=1)}" if ours.pays_more else ""
    answer = (
        f"Headroom's prices lower {ours.pays_less:,} of {bills} and raise {ours.pays_more:,}{rise}."
    )
    note = (
        "Each bill is compared with that of the same jobs on whole nodes, by run time. Half idle "
        "and shared nodes are billed by each of four prices, which the next section explains."
    )
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
        f"With shared nodes, {ratios['Headroom']} of its revenue on whole nodes at Headroom's "
        f"prices, and {ratios['oracle']} at fair prices."
    )
    blocks = (text(_PRICES), *_table(study, "prices", "largest_discount", "largest_error"))
    return Page("How much does the site earn?", answer, blocks)


_PRICES = (
    "Bills are in service units (SU). By run time, a job pays rate x cores x run time. POPPA and "
    "Headroom give discounts on this for measured interference. The oracle knows true run times: "
    "its prices are fair, and price errors are relative to them. Discounts and errors cover only "
    "jobs that shared a node."
)


def _spread(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    del drawings
    several = study.replications
    if several is None:
        return None
    best = _best(study)
    change = several.change(best, "mean_turnaround_s")
    interval = (
        f" (95 % interval {change.low:.3f} to {change.high:.3f})"
        if change.low is not None and change.high is not None
        else ""
    )
    ratio = "unknown" if change.ratio is None else f"{change.ratio:.3f} times that on whole nodes"
    answer = f"Mean turnaround with shared nodes is {ratio}{interval}."
    written = _written(study, "differences")
    rows = [
        row for row in written.rows
        if row.rule == best and (row.quantity in _MAIN or row.quantity.startswith(REVENUE))
    ]  # fmt: skip
    columns = hidden(written.columns, "rule")
    caption = f"{written.caption}; rule: {rule_text(best)}; all rules are in {_BOOK}"
    note = "The log does not list applications. Each mapping assigns other ones to its users."
    blocks = (text(note), grid(table_of(columns, rows), caption))
    return Page("How uncertain is this?", answer, blocks)


_MAIN = ("mean_wait_s", "longest_wait_s", "mean_turnaround_s", "node_hours", "throughput",
         "energy_kwh", "makespan_s")  # fmt: skip
"""Measures that the document compares."""

_METHOD = {
    "Sharing": "A job shares only with applications for which measured estimates predict a gain.",
    "Day": "The week before the day fills the machine. Its jobs are simulated, but not billed.",
    "Work per node-hour": "It is relative to whole nodes.",
    "Makespan": "It ends with the last job.",
    "Mean overcharge": "It is the mean price error with its sign.",
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
    return Page("Appendix: bills", "", blocks) if len(_written(study, "bills").rows) > 1 else None


def _provenance(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    files = [(capitalised(name), value) for name, value in study.provenance]
    command = ("Command", command_line(study.command) or "run from Python")
    rows = [
        (capitalised(_LABELS.get(name, name.replace("_", " "))), str(value))
        for name, value in study.settings.items()
        if name != "rule"
    ]
    return provenance_page(study, [command, *rows, *files])


_LABELS = {
    "bills_against": "reference of the full price",
    "mappings": "mappings of users to applications",
}
