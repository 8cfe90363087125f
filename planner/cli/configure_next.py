"""What ``headroom configure --next`` prints: which runs to make next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from planner.cli.answer import Printing, tell
from planner.cli.edges import table_of
from planner.formatting import watts

if TYPE_CHECKING:
    from planner.configurations.prediction.next_runs import NextRun
    from planner.configurations.prediction.predicted import Grid
    from planner.configurations.provisioning import NodeMaximum
    from scenarios.measurements.runs import Measurements


def suggest(
    table: Measurements,
    applications: tuple[str, ...],
    bound_w: float,
    grid: Grid | None,
    count: int,
    node: NodeMaximum,
    printing: Printing,
) -> None:
    """Print which runs to make next."""
    from planner.configurations.prediction.next_runs import NEEDED, suggestions, too_few
    from planner.configurations.prediction.processor import of_node

    processor = of_node(node)
    runs = suggestions(
        table, bound_w, count, applications=applications, grid=grid, processor=processor
    )
    tell(
        printing,
        lambda: {
            "bound_w": bound_w,
            "next_runs": [asdict(run) for run in runs],
            "too_few": [
                {"application": name, "configurations": present, "needed": NEEDED}
                for name, present in too_few(table, applications).items()
            ],
        },
        lambda: _lines(table, applications, bound_w, count, runs),
    )


def _lines(
    table: Measurements, applications: tuple[str, ...], bound_w: float, count: int,
    runs: Sequence[NextRun],
) -> Iterator[str]:  # fmt: skip
    """The runs, why they are not predicted, and why an application has fewer than asked for."""
    from planner.configurations.prediction.next_runs import NEEDED, too_few

    few = too_few(table, applications)
    headings = ("application", "nodes", "cores per node", "cap", "why")
    rows = [
        (e.application, str(e.nodes), str(e.cores_per_node), f"{e.package_cap_w:g} W", e.why)
        for e in runs
    ]
    if rows:
        yield table_of(headings, rows)
    for name in applications or table.runs:
        own = sum(run.application == name for run in runs)
        least_w = float(table.runs[name].power_w.min())
        if least_w > bound_w:
            yield (
                f"{name}: no run so far fits {watts(bound_w)}; the least power measured is "
                f"{watts(least_w)}."
            )
        if name in few and own:
            yield (
                f"{name}: a prediction needs {NEEDED} different configurations, but the file has "
                f"{few[name]}. Make these runs, add them to the file, and repeat this."
            )
        if own < count:
            yield (
                f"{name}: {own} of {count} runs are suggested. The rest of the grid was run "
                "already, or is not expected to beat the best run. Widen the grid with --grid."
            )
