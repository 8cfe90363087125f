"""The title page: what to do, how sure it is, and the cut beside the order of ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.formatting import DASH, clipped, plural, words
from planner.placement.findings import counted
from planner.placement.study import PlacementStudy
from planner.placement.summary import COSTS, goal
from reports.grid import Table, table
from reports.placement.pages.start import started_with
from reports.placement.summary import name_of, over, ratio, share_of_all
from reports.report import Facts
from reports.skeleton import command_line, first_sheet, title_page
from reports.warning_boxes import boxed


def front(study: PlacementStudy) -> dict[str, Any]:
    """What the title page shows."""
    return title_page(
        study,
        title(study),
        name_of(study),
        description=_description(study),
        summary=summary(study),
        levels=study.placement.summed,
        table=None if study.verdict == "silent" else cuts(study),
        warnings=boxed([_opened(warning) for warning in study.warnings]),
    )


def title(study: PlacementStudy) -> str:
    """Tasks, program and nodes."""
    placed = study.placement
    tasks, nodes = plural(placed.graph.vertices, "task"), plural(study.nodes, "node")
    return f"{tasks} of {clipped(placed.communication.name, 80)} on {nodes}"


def pairs(study: PlacementStudy) -> Facts:
    """The first sheet of the workbook."""
    placed, partition = study.placement, study.placement.partition
    rows = [
        ("matrix", placed.communication.name),
        ("SHA-256 of the matrix", placed.communication.sha256 or None),
        *((f"SHA-256 of {name}", digest) for name, digest in study.settings.files),
        ("form", placed.communication.form or None),
        ("command", command_line(study.settings.command) or None),
        ("ranks", placed.graph.vertices),
        ("nodes", study.nodes),
        ("cost", placed.costs.weight),
        ("unit", placed.costs.unit or None),
        ("between nodes as placed", partition.cut),
        ("between nodes in the order of ranks", placed.rank_order),
        ("ratio", placed.ratio),
        ("no grouping has less than", partition.bound if np.isfinite(partition.bound) else None),
        ("gap", partition.gap if np.isfinite(partition.gap) else None),
        *_over_levels(study),
        ("status", "optimal" if study.proved else "feasible"),
        ("found by", partition.method),
        ("seed", study.settings.seed),
        ("starts", study.settings.starts),
        ("time limit (s)", study.settings.time_limit_s),
    ]
    return first_sheet(study, title(study), rows)


def _over_levels(study: PlacementStudy) -> list[tuple[str, Any]]:
    if not study.placement.summed:
        return []
    what = goal(study.placement)
    return [
        (
            "hierarchy",
            "; ".join(dict.fromkeys(str(shape) for shape in study.placement.nodes.shapes)),
        ),
        (f"{what} as placed", study.value),
        (f"{what} in the order of ranks", study.order_value),
        (f"{what}, none has less than", study.bound if np.isfinite(study.bound) else None),
    ]


def _opened(text: str) -> str:
    """A warning as a sentence of its own."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _description(study: PlacementStudy) -> str:
    sizes = sorted(set(study.placement.nodes.tasks.tolist()), reverse=True)
    tasks = (
        f"{plural(sizes[0], 'task')} on each node" if len(sizes) == 1
        else f"{sizes[-1]:,} to {sizes[0]:,} tasks on a node"
    )  # fmt: skip
    shapes = dict.fromkeys(str(shape) for shape in study.placement.nodes.shapes if shape)
    made = f", a node being {words(list(shapes)[:4])}" if shapes else ""
    return f"{tasks}{made}. Grouped by {COSTS[study.placement.costs.weight]}."


def summary(study: PlacementStudy) -> list[str]:
    """What a board reads first."""
    lines = [counted(study)[0]]
    if study.verdict == "better":
        lines.append(f"{_busiest(study)}.")
    if study.verdict in ("same", "silent") and not study.in_order:
        lines.append(
            "The rank file holds other groups than the order of ranks, which are as good and no "
            "better."
        )
    if study.verdict != "silent":
        proofs = [attempt.name for attempt in study.tried if attempt.proved]
        lines.append(
            f"{plural(len(study.tried), 'algorithm')} compared with the same seed and limit; "
            + (
                f"{words(proofs)} proved to have found the least."
                if proofs
                else "none of them proved that it found the least."
            )
        )
    started = started_with(study)
    if started and study.verdict == "better" and not study.slight:
        lines.append(f"Started with {started} (page 'How does the program start?').")
    return lines


def _busiest(study: PlacementStudy) -> str:
    from reports.placement.figures.nodes import finding

    return finding(study)


def cuts(study: PlacementStudy) -> Table:
    """The order of ranks, the placement, and the bound."""
    placed = study.placement
    partition = placed.partition
    rows = [
        _row(study, "order of ranks", placed.rank_order, study.order_value),
        _row(study, f"as placed ({partition.method})", partition.cut, study.value),
    ]
    if np.isfinite(study.bound):
        rows.append(_row(study, "lower bound", partition.bound, study.bound))
    columns = [
        ("Grouping", False), ("Between nodes", True), ("Of all exchanged", True),
        ("Over the order of ranks", True),
    ]  # fmt: skip
    if placed.summed:
        columns += [(goal(study.placement).capitalize(), True), ("Over the order of ranks", True)]
    return table(columns, (1.5, 1.1, 1.1, 1.2, 1.1, 1.2)[: len(columns)], rows)


def _row(study: PlacementStudy, name: str, weight: float, value: float) -> tuple[str, ...]:
    known = np.isfinite(weight)
    between = (
        study.shown(weight) if known else DASH,
        share_of_all(study, weight) if known else DASH,
        ratio(study, weight) if known else DASH,
    )
    if not study.placement.summed:
        return name, *between
    return name, *between, study.shown(value), over(value, study.order_value)
