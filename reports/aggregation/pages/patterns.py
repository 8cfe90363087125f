"""What each pattern costs: the figure and every number, predicted and in truth."""

from __future__ import annotations

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.patterns import patterns
from planner.aggregation.wording import energy, percent, ratio
from planner.formatting import DASH, seconds
from reports.aggregation.figures.patterns import MOST, finding
from reports.aggregation.pages.front import BOOK
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import Table, table
from reports.numbers import fixed

_MOST_ROWS = 30


def page(study: AggregationStudy, drawn: Drawn) -> Page:
    """Figure, predictions, truth."""
    source = (
        "Columns: predicted. Dashed: the tolerated slowdown. A column without black edge or "
        "hatching is tolerable and not chosen."
    )
    total = len(patterns(study.measured.node))
    if total > MOST:
        source += f" Of {total} patterns those of the largest predicted savings, and pattern 1."
    blocks: list[Block] = [
        *figures(drawn, "patterns", source),
        text(
            "IPC with * was measured, not predicted. Messages: an upper bound. Layout: processors "
            "x dies of each x cores of each. Slowdown is against pattern 1, one task per node. The "
            f"baseline of energy is pattern {study.baseline.pattern.id}."
        ),
        grid(
            _predicted(study),
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
        blocks += [
            text(
                "IPC off, time off and bound over true compare the predictions above with this; "
                "best: the least energy of all patterns within the tolerated slowdown, by trying "
                "all of them."
            ),
            grid(_true(study), "In truth, which no choice sees (simulated)", small=True),
        ]
    return Page("What does each pattern cost?", f"{finding(study)}.", tuple(blocks))


def _predicted(study: AggregationStudy) -> Table:
    columns = (
        ("Pattern", True), ("Layout", False), ("Nodes", True), ("IPC", True), ("Compute", True),
        ("Messages", True), ("Slowdown", True), ("Energy", True), ("Of baseline", True),
        ("", False),
    )  # fmt: skip
    by_id = {c.pattern.id: c for c in study.candidates}
    rows: list[tuple[str, ...]] = []
    for pattern in patterns(study.measured.node)[:_MOST_ROWS]:
        layout = " x ".join(map(str, pattern.layout))
        if (c := by_id.get(pattern.id)) is None:
            rows.append((str(pattern.id), layout, *[DASH] * 7, study.refused[pattern.id]))
            continue
        mark = "" if pattern.id in study.tolerable else "predicted too slow"
        rows.append(
            (
                str(pattern.id),
                layout,
                f"{study.nodes(pattern):,}",
                f"{fixed(c.ipc, 3)}{'*' if pattern.id in study.sampled else ''}",
                seconds(c.compute_s),
                seconds(c.communication_s),
                percent(c.slowdown),
                energy(c.energy_j),
                ratio(study.saving(c)),
                "chosen" if c is study.chosen else mark,
            )
        )
    return table(columns, (0.75, 0.95, 0.65, 0.75, 0.95, 1.05, 0.95, 0.95, 0.8, 1), rows)


def _true(study: AggregationStudy) -> Table:
    truths = study.truths
    assert truths is not None  # noqa: S101 - asked before
    best = truths.best_within(study.asked.threshold)
    columns = (
        ("Pattern", True), ("IPC", True), ("IPC off", True), ("Messages", True),
        ("Bound over true", True), ("Time off", True), ("Slowdown", True), ("Energy", True),
        ("Of baseline", True), ("", False),
    )  # fmt: skip
    rows = []
    for c in study.candidates[:_MOST_ROWS]:
        run = truths.outcomes[c.pattern.id]
        marks = ["chosen"] if c is study.chosen else []
        marks += ["best"] if c.pattern.id == best else []
        true_s = run.compute_s + run.communication_s
        rows.append(
            (
                str(c.pattern.id),
                fixed(run.ipc, 3),
                percent(c.ipc / run.ipc - 1),
                seconds(run.communication_s),
                fixed(c.communication_s / run.communication_s, 2) if run.communication_s else DASH,
                percent(c.time_s / true_s - 1),
                percent(truths.slowdown(c.pattern.id)),
                energy(run.energy_j),
                ratio(truths.saving(c.pattern.id, study.baseline.pattern.id)),
                ", ".join(marks),
            )
        )
    return table(columns, (0.75, 0.7, 0.8, 1.05, 0.85, 0.8, 0.95, 0.95, 0.8, 1.1), rows)
