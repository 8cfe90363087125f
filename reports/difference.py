"""The report of ``headroom diff``: what was given, what came out, and by how much it differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.differences.sentences import in_words
from planner.differences.study import DifferenceStudy
from planner.differences.values import ValueChange
from planner.formatting import capitalised, clipped, percent, plural
from planner.key_words import heading
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.grid import Table, table_of
from reports.skeleton import paged, title_page
from reports.standard import first_page, standard_report
from reports.style import BLUE, GREY, Picture, draw, rows_high
from reports.tabled import front_with, provenance_with
from scenarios.faults import printable

_MOST_INPUTS = 25
_MOST_RESULTS = 25
_MOST_BARS = 12
_MOST_ON_FRONT = 20
_LONGEST_NAME = 44
_PURCHASES = ("decision", "plan", "purchases")
_INPUT, _DECISION = "Input: ", "Decision: "
_LARGEST = 10.0
"""Next to a larger change, the other bars would be too short to compare."""


def pictures(study: DifferenceStudy) -> list[Picture]:
    """Relative changes of the results that matter most; none where no number is in both runs."""
    rows = _comparable(study)
    if not rows:
        return []
    largest = max(rows, key=lambda change: abs(_relative(change)))
    share = _relative(largest)
    name = _name(largest)
    finding = f"{name} changes most: {percent(abs(share))} {'more' if share > 0 else 'less'}"
    words = "; ".join(f"{_name(change)} {percent(_relative(change))}" for change in rows)
    height = rows_high(len(rows)) + 0.3
    return [
        draw("results", "01-changes", finding, f"Change relative to the first run: {words}.",
             (6.8, height), partial(_draw, rows=rows))
    ]  # fmt: skip


def _comparable(study: DifferenceStudy) -> list[ValueChange]:
    """Results that are numbers in both runs and differ by a share that can be drawn."""
    rows = [change for change in _results_of(study) if change.ratio is not None]
    return [change for change in rows if 0 < abs(_relative(change)) <= _LARGEST][:_MOST_BARS]


def _relative(change: ValueChange) -> float:
    return 0.0 if change.ratio is None else change.ratio - 1


def _draw(figure: Figure, rows: Sequence[ValueChange]) -> None:
    axes: Axes = figure.subplots()
    shares = [100 * _relative(change) for change in rows][::-1]
    names = [_name(change) for change in rows][::-1]
    axes.barh(range(len(rows)), shares, color=[BLUE if share > 0 else GREY for share in shares])
    for place, share in enumerate(shares):
        axes.annotate(
            percent(share / 100), (share, place), xytext=(4 if share > 0 else -4, 0),
            textcoords="offset points", ha="left" if share > 0 else "right", va="center",
            fontsize=8,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), names, parse_math=False)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.margins(x=0.18)
    axes.set_xlabel("change relative to the first run (%)")


def _name(change: ValueChange) -> str:
    """A result as people call it; other values with where they are."""
    outer, keys = change.keys[0], change.keys
    if keys[:3] == _PURCHASES and len(keys) > len(_PURCHASES) + 1:
        name = f"{heading(keys[-1])} of {keys[3]}"
    elif outer == "cost" or keys[:2] == _PURCHASES[:2]:
        name = in_words((keys[-1],))
    else:
        name = in_words(keys)
    return clipped(printable(name), _LONGEST_NAME)


def _results_of(study: DifferenceStudy) -> list[ValueChange]:
    """Results with a name; entries that are known by a number alone are in the workbook."""
    return [
        change for change in study.results if not any(key.isdigit() for key in change.keys[1:2])
    ]


def document(study: DifferenceStudy, drawn: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows; without a figure, a table on the first page."""
    last = provenance_with({"first": "first run", "second": "second run"})
    if drawn:
        return paged(front_with(drawn), _inputs, _results, _method, last)(study, drawn)
    return paged(_front_with_table, _inputs, _method, last)(study, drawn)


def _front_with_table(study: DifferenceStudy) -> dict[str, Any]:
    rows = _results_of(study)[:_MOST_ON_FRONT]
    shown = replace(first_page(study), table=_grid(study, rows) if rows else None)
    return title_page(study, study.title, study.title, first=shown)


def _grid(study: DifferenceStudy, changes: Sequence[ValueChange]) -> Table:
    """Values of both runs, numbers to the right; a change only where there is one."""
    where, first, second, step = study.table(changes).columns
    numbers = not any(
        isinstance(value, str) for one in changes for value in (one.first, one.second)
    )
    columns = [
        replace(where, row_text=_name),
        *(replace(column, number=numbers) for column in (first, second)),
        *([step] if any(change.difference is not None for change in changes) else []),
    ]
    return table_of(columns, changes)


def _inputs(study: DifferenceStudy, drawings: Drawn) -> Page:
    del drawings
    title, changes = "What was given differently?", study.inputs
    if not changes:
        return Page(title, "Nothing: both runs have the same input.", ())
    sentence = next(line for line in study.sentences if line.startswith(_INPUT))
    if len(changes) == 1:
        return Page(title, f"Only the {sentence.removeprefix(_INPUT)}", ())
    answer = f"{plural(len(changes), 'value')} of the input differ."
    return Page(title, answer, _table(study, changes, _MOST_INPUTS, "Input of both runs"))


def _results(study: DifferenceStudy, drawings: Drawn) -> Page | None:
    changes = _results_of(study)
    if not changes:
        return None
    decision = next((line for line in study.sentences if line.startswith(_DECISION)), "")
    answer = capitalised(decision.removeprefix(_DECISION))
    blocks = _table(study, changes, _MOST_RESULTS, "Results that matter most")
    note = "A dash stands for a value that only the other run has."
    return Page("What came out differently?", answer,
                (*figures(drawings, "results"), *blocks, text(note)))  # fmt: skip


def _table(
    study: DifferenceStudy, changes: Sequence[ValueChange], most: int, caption: str
) -> tuple[Block, ...]:
    more = f": {most:,} of {len(changes):,}, all in diff.xlsx" if len(changes) > most else ""
    return (grid(_grid(study, changes[:most]), caption + more),)


def _method(study: DifferenceStudy, drawings: Drawn) -> Page:
    del drawings
    every = plural(len(study.changes), "value")
    lines = [
        (
            f"All values of both runs were compared; {every} differ. The workbook diff.xlsx lists "
            "them."
        ),
        "Entries of lists are matched by name, such as an application or a type of node.",
        "Data of figures and digests of files are not compared.",
        "The change is the second run minus the first. Names in brackets say where a value is.",
    ]
    return Page("Appendix: method", "", (bullets(lines),))


REPORT = replace(standard_report(pictures), document=document)
