"""A placement compared with what every other algorithm finds, and all that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from planner.answer import Answer
from planner.placement.bundle import bundle
from planner.placement.compared import (
    PlacementSettings,
    Tried,
    compared,
    with_best_bounds,
)
from planner.placement.facts import study_of
from planner.placement.layout import Layout
from planner.placement.other_costs import other_costs
from planner.placement.placement import Placement
from planner.placement.result import PlacementResult
from planner.placement.sizes import other_sizes
from planner.study import Study
from scenarios.communication.ping_pong import PingPong, bundled_ping_pong
from scenarios.faults import printable


@dataclass(frozen=True, eq=False, repr=False)
class PlacementStudy(PlacementResult, Answer):
    """A placement, ready to be shown."""

    def _made(self) -> Study:
        return study_of(self)

    def further_files(self) -> dict[str, bytes]:
        """Return the rank files of all launchers, and the commands that use them."""
        return bundle(self.layout, self._sentences)

    def solve_times(self) -> list[dict[str, Any]]:
        """Return what each algorithm took."""
        return [
            {"algorithm": each.name, "seconds": each.seconds, "stopped_by_time": each.late}
            for each in self.tried
        ]


def alone(
    placement: Placement,
    layout: Layout,
    settings: PlacementSettings,
    *,
    table: PingPong | None = None,
    seconds: float | None = None,
) -> PlacementStudy:
    """A placement with nothing to compare it with but the default mapping; as :func:`study`."""
    tried = Tried(settings.algorithm, placement, seconds, placement.late)
    timed = placement.costs.weight in ("signed", "paper")
    return PlacementStudy(
        _named(placement), layout, settings, (tried,), {}, (), (),
        (table or bundled_ping_pong()) if timed else None,
    )  # fmt: skip


def study(
    placement: Placement,
    layout: Layout,
    settings: PlacementSettings | None = None,
    *,
    table: PingPong | None = None,
    seconds: float | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> PlacementStudy:
    """Solve the same problem with every suitable algorithm.

    Parameters
    ----------
    placement
        Placement of the requested algorithm.
    layout
        Its ranks on hosts and cores.
    settings
        How it was found; the others get the same seed, starts, limit and pins.
    table
        Ping-pong times of the costs; by default the bundled, assumed ones.
    seconds
        Time that the placement took.
    progress
        Called with words before each algorithm.
    """
    settings = settings or PlacementSettings()
    tried, refused = compared(placement, settings, seconds, progress)
    table = table or bundled_ping_pong()
    others = other_costs(placement, table)
    progress("other numbers of tasks on a node")
    sizes = other_sizes(placement, settings)
    timed = {"signed", "paper"} & {
        placement.costs.weight,
        *(other_cost.weight for other_cost in others),
    }
    proven = _named(with_best_bounds(placement, tried))
    return PlacementStudy(
        proven, layout, settings, tried, refused, others, sizes, table if timed else None
    )


def _named(placement: Placement) -> Placement:
    """A placement whose name any terminal shows."""
    communication = placement.communication
    return replace(
        placement, communication=replace(communication, name=printable(communication.name))
    )
