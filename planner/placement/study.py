"""A placement compared with what every other algorithm finds, and all that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from planner.placement import findings, summary, tables
from planner.placement.compared import PlacementSettings, compared, with_best_bounds
from planner.placement.layout import Layout
from planner.placement.other_costs import other_costs
from planner.placement.placement import Placement
from planner.placement.result import PlacementResult
from planner.placement.sizes import other_sizes
from planner.placement.warnings import study_warnings
from planner.worded_study import Study
from scenarios.communication.ping_pong import PingPong, bundled_ping_pong
from scenarios.faults import printable


@dataclass(frozen=True, eq=False, repr=False)
class PlacementStudy(PlacementResult, Study):
    """A placement, compared, ready to be shown."""

    @property
    def headline(self) -> str:
        """What to do, in one sentence."""
        return findings.headline(self)

    @property
    def confidence(self) -> str:
        """How far from the least it can be."""
        return summary.certificate_text(self.placement)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        return study_warnings(self)

    def shown(self, weight: float) -> str:
        """A cost with its unit."""
        return summary.shown(self.placement, weight)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        return {name: rows for name, rows in tables.tables(self).items() if rows}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return tables.plain(self)


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
    named = replace(placement.communication, name=printable(placement.communication.name))
    proven = replace(with_best_bounds(placement, tried), communication=named)
    return PlacementStudy(
        proven, layout, settings, tried, refused, others, sizes, table if timed else None
    )
