"""Energy and time of each pattern: the figure and every number, predicted and true."""

from __future__ import annotations

from typing import Any

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.summary import energy, percent, ratio
from planner.aggregation.tables import mark, pattern_rows
from planner.formatting import count, seconds
from planner.table import Column
from reports.aggregation.figures.patterns import MOST, finding
from reports.aggregation.pages.front import BOOK
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import table_of
from reports.numbers import fixed

_MOST_ROWS = 30


def _ipc(row: dict[str, Any]) -> str:
    return f"{fixed(row['ipc'], 3)}{'*' if row['ipc_sampled'] else ''}"


def _bound_over_true(row: dict[str, Any]) -> str | None:
    true_s = row["true_communication_s"]
    return fixed(row["communication_bound_s"] / true_s, 2) if true_s else None


def _time_off(row: dict[str, Any]) -> float:
    true_s: float = row["true_compute_s"] + row["true_communication_s"]
    time_s: float = row["compute_s"] + row["communication_bound_s"]
    return time_s / true_s - 1


def _marks(row: dict[str, Any]) -> list[str]:
    return ["chosen"] * row["chosen"] + ["best"] * row["true_best"]


def page(study: AggregationStudy, drawn: Drawn) -> Page:
    """Figure, predictions, truth."""
    source = (
        "Columns: predicted. Dashed: slowdown limit. Plain columns are tolerable but not chosen."
    )
    rows = pattern_rows(study)
    total = len(rows)
    if total > MOST:
        source += f" Shown: pattern 1 and those with the largest predicted savings, of {total}."
    blocks: list[Block] = [
        *figures(drawn, "patterns", source),
        text(
            "IPC with * was measured, not predicted. Messages: an upper bound. Layout: sockets x "
            "dies x cores used. Slowdown is against pattern 1, one rank per node. Energy is "
            f"compared with that of pattern {study.baseline.pattern.id}."
        ),
        grid(
            table_of(_PREDICTED, rows[:_MOST_ROWS]),
            partly(
                "Predicted: times of one iteration, energy of the whole run",
                min(total, _MOST_ROWS),
                total,
                BOOK,
            ),
            small=True,
        ),
    ]
    if study.truths is not None:
        true = [row for row in rows if row["feasible"]]
        caption = "Ground truth of the simulated node (not visible to the method)"
        blocks += [
            text(
                "IPC error, time error and bound over true compare the predictions with this "
                "truth. "
                "Best: least energy of all patterns within the limit, by trying all."
            ),
            grid(
                table_of(_TRUE, true[:_MOST_ROWS]),
                partly(caption, _MOST_ROWS, len(true), BOOK),
                small=True,
            ),
        ]
    return Page("Energy and time of each pattern", f"{finding(study)}.", tuple(blocks))


_PREDICTED = (
    Column("pattern", "Pattern", number=True, width=0.75),
    Column("{processors} x {dies} x {cores}".format_map, "Layout", width=0.95),
    Column("nodes", "Nodes", count, number=True, width=0.65),
    Column(lambda row: _ipc(row) if row["feasible"] else None, "IPC", number=True, width=0.75),
    Column("compute_s", "Compute", seconds, number=True, width=0.95),
    Column("communication_bound_s", "Messages", seconds, number=True, width=1.05),
    Column("slowdown", "Slowdown", percent, number=True, width=0.95),
    Column("energy_j", "Energy", energy, number=True, width=0.95),
    Column("saving", "Over baseline", ratio, number=True, width=0.8),
    Column(lambda row: row["why_not"] or mark(row), ""),
)
_TRUE = (
    Column("pattern", "Pattern", number=True, width=0.75),
    Column("true_ipc", "IPC", "{:.3f}".format, number=True, width=0.7),
    Column(
        lambda row: row["ipc"] / row["true_ipc"] - 1, "IPC error", percent, number=True, width=0.8
    ),
    Column("true_communication_s", "Messages", seconds, number=True, width=1.05),
    Column(_bound_over_true, "Bound over true", number=True, width=0.85),
    Column(_time_off, "Time error", percent, number=True, width=0.8),
    Column("true_slowdown", "Slowdown", percent, number=True, width=0.95),
    Column("true_energy_j", "Energy", energy, number=True, width=0.95),
    Column("true_saving", "Over baseline", ratio, number=True, width=0.8),
    Column(lambda row: ", ".join(_marks(row)), "", width=1.1),
)
