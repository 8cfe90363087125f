"""The report of ``headroom diff``: what was given, what came out, and by how much it differs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.differences.sentences import common_currency, in_words
from planner.differences.study import DifferenceStudy
from planner.differences.values import ValueChange, leaves
from planner.formatting import capitalised, clipped, percent, plural
from reports.blocks import Block, Drawn, Page, bullets, grid
from reports.grid import Table, table_of
from reports.skeleton import paged, title_page
from reports.standard import first_page, standard_report
from reports.style import BLUE, GREY, Picture, draw, rows_high
from reports.tabled import provenance_with
from scenarios.faults import printable

_MOST_INPUTS = 25
_MOST_RESULTS = 30
_MOST_ON_FRONT = 8
_MOST_WITHOUT_FIGURE = 25
_LONGEST_NAME, _LONGEST_UNIT = 60, 12
_PURCHASES = ("decision", "plan", "purchases")
_INPUT = "Input: "
_NO_RESULTS = ("currency", "machine", "energy_stated", "lifetime_years")
"""Values among the results that only repeat the input."""

_NO_MONEY = (
    "cores", "core_hours_per_year", "energy_kwh_per_year", "carbon_t_per_year", "embodied_t",
)  # fmt: skip
"""Values among the costs that are not in a currency."""

_LARGEST = 10.0
"""Next to a larger change, the other bars would be too short to compare."""


def pictures(study: DifferenceStudy) -> list[Picture]:
    """Relative changes of the results on the first page; none where no number is in both runs."""
    rows = _comparable(study)
    if not rows:
        return []
    largest = max(rows, key=lambda change: abs(_relative(change)))
    share = _relative(largest)
    step = f"{percent(abs(share))} {'higher' if share > 0 else 'lower'}"
    most = f" changes most in this figure: {step}" if len(rows) > 1 else f": {step}"
    names = [_short_name(study, change) for change in rows]
    finding = f"{_short_name(study, largest)}{most}"
    words = "; ".join(
        f"{name} {percent(_relative(change))}" for name, change in zip(names, rows, strict=True)
    )
    height = rows_high(len(rows)) + 0.3
    return [
        draw("results", "01-changes", finding, f"Change relative to the first run: {words}.",
             (6.8, height), partial(_draw, rows=rows, names=names))
    ]  # fmt: skip


def _comparable(study: DifferenceStudy) -> list[ValueChange]:
    """Results that are numbers in both runs and differ by a share that can be drawn.

    Where the sign changes, a share of the first value says nothing.
    """
    rows = _results_of(study)[:_MOST_ON_FRONT]
    known = [change for change in rows if change.ratio is not None and change.ratio >= 0]
    return [change for change in known if 0 < abs(_relative(change)) <= _LARGEST]


def _relative(change: ValueChange) -> float:
    """The change as a share of the size of the first value, so that a rise is above 0."""
    if change.ratio is None or change.difference is None:
        return 0.0
    return math.copysign(change.ratio - 1, change.difference)


def _draw(figure: Figure, rows: Sequence[ValueChange], names: Sequence[str]) -> None:
    axes: Axes = figure.subplots()
    shares = [100 * _relative(change) for change in rows][::-1]
    axes.barh(range(len(rows)), shares, color=[BLUE if share > 0 else GREY for share in shares])
    for place, share in enumerate(shares):
        axes.annotate(
            percent(share / 100), (share, place), xytext=(4 if share > 0 else -4, 0),
            textcoords="offset points", ha="left" if share > 0 else "right", va="center",
            fontsize=8,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), names[::-1], parse_math=False)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.margins(x=0.18)
    axes.set_xlabel("change relative to the first run (%)")


def _name(study: DifferenceStudy, change: ValueChange) -> str:
    """A result as people call it, money with its currency; other values with where they are."""
    outer, keys = change.keys[0], change.keys
    currency = common_currency(*study.plans)
    last, unit = in_words((keys[-1],)), ""
    if keys[:3] == _PURCHASES and len(keys) > len(_PURCHASES) + 1:
        name = f"{last}: {study.labels.get(keys[3], keys[3])}"
    elif outer == "overprovisioning" and len(keys) > 2:
        name = f"{keys[1]}: {last[:1].lower()}{last[1:]}"
    elif outer == "overprovisioning_gains" and len(keys) > 2:
        name = f"Gain over {keys[1]} provisioning (share)"
    elif outer == "mandates" and len(keys) > 2:
        name, unit = f"{capitalised(keys[1])}, as reached", _unit(study, change)
    elif outer in ("cost", "cost_per_core_hour"):
        money = currency and keys[-1] not in _NO_MONEY and "[" not in last
        name = f"{last} [{currency}]" if money else last
    elif outer == "decision":
        name = last
    else:
        name = in_words(keys)
    return clipped(printable(name), _LONGEST_NAME - len(unit)) + unit


def _unit(study: DifferenceStudy, change: ValueChange) -> str:
    """The unit of a requirement in brackets, as either run states it; empty without one."""
    key = (*change.keys[:2], "unit")
    units = [dict(leaves({key[0]: plan.get(key[0])})).get(key) for plan in study.plans]
    unit = next((printable(unit) for unit in units if unit and isinstance(unit, str)), "")
    return f" [{'days late' if unit == 'days' else clipped(unit, _LONGEST_UNIT)}]" if unit else ""


def _short_name(study: DifferenceStudy, change: ValueChange) -> str:
    """The name in a figure of shares, where units tell nothing."""
    return _name(study, change).partition(" [")[0]


def _results_of(study: DifferenceStudy) -> list[ValueChange]:
    """Results with a name; entries that are known by a number alone are in the workbook."""
    return [
        change
        for change in study.results
        if change.keys[-1] not in _NO_RESULTS and not any(key.isdigit() for key in change.keys[1:2])
    ]


def document(study: DifferenceStudy, drawn: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows: the results that matter most come first."""
    last = provenance_with({"first": "first run", "second": "second run"})
    return paged(_front, _inputs, _further_results, _method, last)(study, drawn)


def _front(study: DifferenceStudy) -> dict[str, Any]:
    """The decision and what it is worth, then the input that changed, in small letters."""
    rows = _front_rows(study)
    shown = replace(first_page(study), table=_grid(study, rows) if rows else None)
    given, *outcome = study.sentences
    if not outcome:
        given, outcome = "", [given]
    return title_page(
        study, study.title, study.title, first=shown,
        decision=" ".join(outcome), certificate=given,
    )  # fmt: skip


def _front_rows(study: DifferenceStudy) -> list[ValueChange]:
    """Results on the first page; more of them where it has no figure."""
    most = _MOST_ON_FRONT if _comparable(study) else _MOST_WITHOUT_FIGURE
    return _results_of(study)[:most]


def _grid(study: DifferenceStudy, changes: Sequence[ValueChange]) -> Table:
    """Values of both runs; no column without a value."""
    where, first, second, step = study.table(changes).columns
    columns = [
        replace(where, row_text=partial(_name, study)),
        *(
            replace(column, number=True, text=partial(_with_minus, column.text))
            for column in (first, second)
            if any(column.value(change) is not None for change in changes)
        ),
        *(
            [replace(step, text=partial(_with_minus, step.text))]
            if any(change.difference is not None for change in changes)
            else []
        ),
    ]
    return table_of(columns, changes)


def _with_minus(text: Callable[[Any], str], value: Any) -> str:
    """A number with the minus sign of print; other values as they are."""
    words = text(value)
    return words.replace("-", "−", 1) if words[:1] == "-" else words  # noqa: RUF001


def _inputs(study: DifferenceStudy, drawings: Drawn) -> Page:
    del drawings
    title, changes = "What was given differently?", study.inputs
    if not changes:
        return Page(title, "Nothing: both runs have the same input.", ())
    sentence = next(line for line in study.sentences if line.startswith(_INPUT))
    if len(changes) == 1:
        return Page(title, f"One value only: {sentence.removeprefix(_INPUT)}", ())
    answer = f"{plural(len(changes), 'value')} of the input differ."
    return Page(title, answer, _table(study, changes, _MOST_INPUTS, "Input of both runs"))


def _further_results(study: DifferenceStudy, drawings: Drawn) -> Page | None:
    """Results beyond those of the first page."""
    del drawings
    on_front = len(_front_rows(study))
    changes = _results_of(study)[on_front:]
    if not changes:
        return None
    verb = "differs" if len(changes) == 1 else "differ"
    answer = (
        f"{plural(len(changes), 'further result')} {verb}, in addition to the {on_front:,} on the "
        "first page."
    )
    blocks = _table(study, changes, _MOST_RESULTS, "Further results of both runs")
    return Page("What else came out differently?", answer, blocks)


def _table(
    study: DifferenceStudy, changes: Sequence[ValueChange], most: int, caption: str
) -> tuple[Block, ...]:
    more = f": {most:,} of {len(changes):,}, all in diff.xlsx" if len(changes) > most else ""
    return (grid(_grid(study, changes[:most]), caption + more),)


def _method(study: DifferenceStudy, drawings: Drawn) -> Page:
    del drawings
    number = len(study.changes)
    differ = f"{number:,} {'value differs' if number == 1 else 'values differ'}"
    lines = [
        (
            "The values in plan.json of both runs were compared, without the data of figures, "
            "digests and sampled scores."
        ),
        f"{differ}; the workbook diff.xlsx lists all." if number else "No value differs.",
        (
            "Entries of lists are matched by their name, such as that of an application, and "
            "entries without a name by their position."
        ),
    ]
    if number:
        lines.append(
            "A change is the value of the second run minus that of the first. A dash stands for a "
            "value that a run does not have, and for a change that is not a number."
        )
    if _comparable(study):
        lines.append(
            "The figure shows changes as shares of the size of the first value. It leaves out "
            "values that change their sign, begin at zero or change more than tenfold."
        )
    return Page("Appendix: method", "", (bullets(lines),))


REPORT = replace(standard_report(pictures), document=document)
