"""The title page: what to do, why, and what crosses between nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.command_row import command_line
from planner.formatting import DASH, capitalised, clipped, percent, plural, words
from planner.placement.bundle import path_of
from planner.placement.findings import better_one
from planner.placement.study import PlacementStudy
from planner.placement.summary import COSTS, details, goal, method_text
from planner.placement.warnings import risks
from reports.first_page import FirstPage
from reports.grid import Table, table
from reports.placement.pages.start import TITLE as START
from reports.placement.pages.start import started_with
from reports.placement.summary import name_of, over, ratio, share_of_all
from reports.report import Facts
from reports.skeleton import first_sheet, title_page
from reports.warning_boxes import boxed

_TWO = 2


def front(study: PlacementStudy) -> dict[str, Any]:
    """What the title page shows."""
    return title_page(
        study,
        title(study),
        name_of(study),
        description=_description(study),
        first=FirstPage(
            reasons=reasons(study),
            alternatives=_alternatives(study),
            risks=boxed([_opened(risk) for risk in risks(study)]),
            robustness=_robustness(study),
            assumptions=_assumptions(study),
            next_steps=_next_steps(study),
            table=None if study.comparison == "silent" else cuts(study),
        ),
        levels=study.placement.summed,
    )


def title(study: PlacementStudy) -> str:
    """Ranks, program and nodes."""
    placed = study.placement
    ranks, nodes = plural(placed.graph.vertices, "rank"), plural(study.nodes, "node")
    return f"{ranks} of {clipped(placed.communication.name, 80)} on {nodes}"


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
        ("between nodes with the default mapping", placed.rank_order),
        ("ratio", placed.ratio),
        ("proven limit between nodes", partition.bound if np.isfinite(partition.bound) else None),
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
        (f"{what} with the default mapping", study.order_value),
        (f"{what}, proven limit", study.bound if np.isfinite(study.bound) else None),
    ]


def _opened(text: str) -> str:
    """A warning as a sentence of its own."""
    return capitalised(text) + ("" if text.endswith((".", "!", "?")) else ".")


def _description(study: PlacementStudy) -> str:
    sizes = sorted(set(study.placement.nodes.tasks.tolist()), reverse=True)
    tasks = (
        f"{plural(sizes[0], 'rank')} on each node" if len(sizes) == 1
        else f"{sizes[-1]:,} to {sizes[0]:,} ranks on a node"
    )  # fmt: skip
    shapes = dict.fromkeys(str(shape) for shape in study.placement.nodes.shapes if shape)
    made = f"; node hardware: {words(list(shapes)[:4])}" if shapes else ""
    return f"{tasks}{made}. Minimised: {COSTS[study.placement.costs.weight]}."


def reasons(study: PlacementStudy) -> list[str]:
    """Why this is recommended: amounts, the busiest node, and what was compared."""
    lines = [details(study.placement)] if study.comparison != "silent" else []
    if study.comparison == "better" and study.nodes > _TWO:
        lines.append(f"{_busiest(study)}.")
    if study.comparison in ("same", "silent") and not study.in_order:
        lines.append("The rank file holds other groups, which are equally good.")
    if study.comparison != "silent":
        lines += _compared(study)
    return lines


def _compared(study: PlacementStudy) -> list[str]:
    """How many algorithms were compared with the default mapping, and which reach the limit."""
    others = [attempt for attempt in study.tried if attempt.name != "order"]
    if not others:
        return []
    reached = sum(map(study.reached, others))
    many = "none" if not reached else "all" if 1 < reached == len(others) else f"{reached:,}"
    result = f"{many} {'reach' if reached > 1 else 'reaches'} the proven limit"
    if not np.isfinite(study.bound):
        result = "no limit was proven"
    return [f"{plural(len(others), 'algorithm')} compared with the default mapping; {result}."]


def _busiest(study: PlacementStudy) -> str:
    from reports.placement.figures.nodes import finding

    return finding(study)


def _alternatives(study: PlacementStudy) -> list[str]:
    """The default mapping and the results of other algorithms, against this placement."""
    if study.comparison == "silent" or study.value <= 0:
        return []
    lines = []
    if study.comparison in ("better", "worse"):
        against = _against(study, study.order_value)
        lines.append(f"Default mapping (consecutive ranks on a node): {against}.")
    others = [
        attempt
        for attempt in study.tried
        if attempt.name not in (study.settings.algorithm, "order", "portfolio")
    ]
    equal = [each for each in others if abs(each.value - study.value) <= study.tolerance]
    if equal and not study.proved:  # else the reasons say how many reach the limit
        results = "result" if len(equal) == 1 else "results"
        lines.append(f"Equally good: the {results} of {_others(len(equal))}.")
    different = sorted((each for each in others if each not in equal), key=lambda e: e.value)
    if different and different[0].value < study.value:
        least = different[0]
        lines.append(f"{capitalised(method_text(least.name))}: {_against(study, least.value)}.")
    elif different:
        result = "Result" if len(different) == 1 else "Best result"
        against = _against(study, different[0].value)
        lines.append(f"{result} of {_others(len(different))}: {against}.")
    return lines


def _others(count: int) -> str:
    """Other algorithms by their number; the table of results has their names."""
    return "one other algorithm" if count == 1 else f"{count:,} other algorithms"


def _against(study: PlacementStudy, value: float) -> str:
    """A value against that of the placement."""
    more = value / study.value - 1
    if more < 0:
        return f"{percent(-more)} less {goal(study.placement)}"
    if more >= 1:
        return f"{1 + more:,.2f} times as much {goal(study.placement)}"
    return f"{percent(more)} more {goal(study.placement)}"


def _robustness(study: PlacementStudy) -> list[str]:
    """Whether the groups are also good by other costs."""
    lines = []
    for other in study.others if study.comparison != "silent" else ():
        if other.rank_order <= 0:
            continue
        gain = 1 - other.cut / other.rank_order
        change = f"{percent(abs(gain))} {'less' if gain >= 0 else 'more'}"
        lines.append(f"Measured in {COSTS[other.weight]}: {change} than the default mapping.")
    return lines


def _counted(study: PlacementStudy) -> str:
    """Which messages the matrix holds, in short."""
    if study.placement.communication.form == "monitoring":
        return f"Messages counted: {study.settings.traffic}."
    return "Not known: whether the matrix has the messages inside collective operations."


def _assumptions(study: PlacementStudy) -> list[str]:
    lines = [_counted(study), "The matrix describes one run of the program."]
    lines += [_opened(warning) for warning in study.placement.levels.warnings]
    if study.table is not None and study.table.assumed:
        lines.append(f"Message times are assumed ({study.table.name}).")
    return lines


def _next_steps(study: PlacementStudy) -> list[str]:
    lines = []
    uses_file = study.placement.moved_by_pins or (study.comparison == "better" and not study.slight)
    started, best = started_with(study), better_one(study)
    if best is not None:
        lines.append(f"Run Headroom again with the method {best.name}, then use its rank file.")
    elif uses_file and started:
        lines.append(
            f"Start the program with {path_of(study.settings.form)} ({started}); the commands are "
            f"on the page '{START}'."
        )
        if study.layout.placeholders:
            lines.append("Give your host names; the names in the files are placeholders.")
        lines.append("Compare run times with and without the rank file before regular use.")
    elif not uses_file:
        lines.append("Start the program as before.")
    if study.comparison != "silent" and not study.proved and study.stopped_by_time:
        lines.append("Allow more time to close the gap to the proven limit.")
    if study.table is not None and study.table.assumed:
        lines.append("Measure message times on your system and replace the assumed ones.")
    return lines


def cuts(study: PlacementStudy) -> Table:
    """The default mapping, the placement, and the proven limit."""
    placed = study.placement
    partition = placed.partition
    rows = [
        _row(study, "default mapping (by slot)", placed.rank_order, study.order_value),
        _row(study, "as placed", partition.cut, study.value),
    ]
    if np.isfinite(study.bound):
        rows.append(_row(study, "proven limit", partition.bound, study.bound))
    columns = [
        ("Mapping", False), ("Between nodes", True), ("Share of all traffic", True),
        ("Ratio to default", True),
    ]  # fmt: skip
    if placed.summed:
        columns += [(goal(study.placement).capitalize(), True), ("Ratio to default", True)]
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
