"""What a reader of a placement must know before believing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import plural
from planner.placement.nodes import spans
from planner.placement.summary import amount, proved, shown

if TYPE_CHECKING:
    from planner.placement.nodes import Nodes
    from planner.placement.placement import Placement
    from planner.placement.result import PlacementResult


def placement_warnings(placed: Placement) -> tuple[str, ...]:
    """What may mislead."""
    warnings = [*placed.costs.warnings, *placed.levels.warnings, *_stopped(placed)]
    threads = max((shape.threads for shape in placed.nodes.shapes if shape), default=1)
    if threads > 1:
        warnings.append(f"a task has a core to itself, with all of its {threads} hardware threads")
    indexes = dict.fromkeys(shape.indexes for shape in placed.nodes.shapes if shape)
    warnings += [
        f"the operating system numbers hardware threads otherwise (indexes={index}); cores here "
        "are counted as hwloc counts them (lstopo -l)"
        for index in indexes
        if index
    ]
    silent = len(placed.communication.silent)
    if silent:
        verbs = "neither sends nor receives" if silent == 1 else "neither send nor receive"
        warnings.append(f"{plural(silent, 'rank')} {verbs}: any node will do")
    if len(placed.nodes.unused):
        warnings.append(_unused(placed.nodes))
    if not placed.graph.edges:
        warnings.append("no two ranks exchange anything: every grouping is as good")
    return tuple(dict.fromkeys(warnings))


def _stopped(placed: Placement) -> tuple[str, ...]:
    """That time was over, where it may have cost something."""
    if not placed.late or proved(placed):
        return ()
    message = (
        f"stopped at the limit of {placed.time_limit_s:g} s: another run may find other groups "
        "or bounds, and more time (--time-limit) may find or prove more"
    )
    return (message,)


def _unused(nodes: Nodes) -> str:
    numbers = nodes.unused.tolist()
    text = (
        f"{len(numbers):,} of {plural(nodes.offered, 'node')} "
        f"{'has' if len(numbers) == 1 else 'have'} no tasks (number {spans(numbers)}): nodes are "
        "filled in the order in which they are given"
    )
    return f"{text}; name those first that are to be filled"


def study_warnings(study: PlacementResult) -> tuple[str, ...]:
    """What a reader of the figures must know."""
    stopped = _stopped(study.placement)
    warnings = [
        warning for warning in placement_warnings(study.placement) if warning not in stopped
    ]
    best = min(study.tried, key=lambda each: each.value)
    if study.value - best.value > study.tolerance:
        warnings.append(
            f"another algorithm found less, {shown(study.placement, best.value)}: "
            f"take --method {best.name}"
        )
    late = [each.name for each in study.tried if each.late]
    if any(size.late for size in study.sizes):
        late.append("other numbers of tasks on a node")
    if late:
        warnings.append(
            f"stopped at the limit of {study.settings.time_limit_s:g} s: {', '.join(late)}; "
            "another run may find other groups or bounds, and more time may prove more"
        )
    warnings += [
        f"by --cost {each.weight} these groups are worse than the order of ranks: "
        f"{amount(each.cut, each.unit)} instead of {amount(each.rank_order, each.unit)}"
        for each in study.others
        if each.worse
    ]
    return tuple(dict.fromkeys(warnings))
