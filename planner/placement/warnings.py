"""What a reader of a placement must know before believing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import plural
from planner.placement.nodes import spans
from planner.placement.summary import COSTS, amounts, goal, method_text, proved, shown

if TYPE_CHECKING:
    from planner.placement.nodes import Nodes
    from planner.placement.other_costs import Other
    from planner.placement.placement import Placement
    from planner.placement.result import PlacementResult


def placement_warnings(placed: Placement) -> tuple[str, ...]:
    """What may mislead."""
    warnings = [
        *placed.costs.warnings,
        *placed.levels.warnings,
        *_stopped(placed),
        *_notes(placed),
    ]
    return tuple(dict.fromkeys(warnings))


def _notes(placed: Placement) -> list[str]:
    """What a reader should know that is not a risk."""
    warnings: list[str] = []
    threads = max((shape.threads for shape in placed.nodes.shapes if shape), default=1)
    if threads > 1:
        warnings.append(f"each rank has a whole core, with all of its {threads} hardware threads")
    indexes = dict.fromkeys(shape.indexes for shape in placed.nodes.shapes if shape)
    warnings += [
        f"core numbers are hwloc's logical ones (lstopo -l); the operating system numbers hardware "
        f"threads differently (indexes={index})"
        for index in indexes
        if index
    ]
    silent = len(placed.communication.silent)
    if silent:
        verbs = "neither sends nor receives" if silent == 1 else "neither send nor receive"
        warnings.append(f"{plural(silent, 'rank')} {verbs} messages, so their node does not matter")
    if len(placed.nodes.unused):
        warnings.append(_unused(placed.nodes))
    if not placed.graph.edges:
        warnings.append("no two ranks exchange messages, so every grouping is equally good")
    return warnings


def _stopped(placed: Placement) -> tuple[str, ...]:
    """That time was over, where it may have cost something."""
    if not placed.late or proved(placed):
        return ()
    message = (
        f"the search stopped at the time limit of {placed.time_limit_s:g} s; another run may "
        "differ, and more time may find or prove more"
    )
    return (message,)


def _unused(nodes: Nodes) -> str:
    numbers = nodes.unused.tolist()
    text = (
        f"{len(numbers):,} of {plural(nodes.offered, 'node')} "
        f"{'has' if len(numbers) == 1 else 'have'} no ranks (number {spans(numbers)}): nodes are "
        "filled in the order given"
    )
    return f"{text}; list first the nodes that you want filled"


def risks(study: PlacementResult) -> tuple[str, ...]:
    """The warnings that may make the recommendation wrong; notes and assumptions are left out."""
    placed = study.placement
    known = {*_notes(placed), *placed.levels.warnings}
    return tuple(warning for warning in study_warnings(study) if warning not in known)


def study_warnings(study: PlacementResult) -> tuple[str, ...]:
    """What a reader of the figures must know."""
    stopped = _stopped(study.placement)
    warnings = [
        warning for warning in placement_warnings(study.placement) if warning not in stopped
    ]
    best = min(study.tried, key=lambda each: each.value)
    if study.value - best.value > study.tolerance:
        warnings.append(
            f"another algorithm found a better grouping: use the method {best.name} "
            f"({shown(study.placement, best.value)} {goal(study.placement)})"
        )
    late = [method_text(each.name) for each in study.tried if each.late]
    if any(size.late for size in study.sizes):
        late.append("other numbers of ranks per node")
    if late:
        warnings.append(
            f"stopped at the time limit of {study.settings.time_limit_s:g} s: {', '.join(late)}; "
            "another run may differ, and more time may prove more"
        )
    warnings += [_worse(each) for each in study.others if each.worse]
    return tuple(dict.fromkeys(warnings))


def _worse(other: Other) -> str:
    cut, order = amounts(other.unit, other.cut, other.rank_order)
    return (
        f"measured in {COSTS[other.weight]}, these groups are worse than the default mapping: "
        f"{cut} instead of {order}"
    )
