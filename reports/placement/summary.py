"""Names and shares as the report on a placement shows them."""

from __future__ import annotations

from typing import Any

from matplotlib.ticker import FuncFormatter

from planner.formatting import DASH, clipped, percent
from planner.placement.compared import Tried
from planner.placement.study import PlacementStudy
from planner.placement.summary import amount, method_text
from solvers.portable import order_of_ten

BOOK = "place.xlsx"


def name_of(study: PlacementStudy) -> str:
    """The program's name, short enough for a footer."""
    return clipped(study.placement.communication.name, 60)


def share_of_all(study: PlacementStudy, weight: float) -> str:
    """A cut over all that ranks exchange; a dash where signs make that no share."""
    total = study.graph.total
    return DASH if total <= 0 or study.graph.has_negative else percent(weight / total, places=1)


def ratio(study: PlacementStudy, weight: float) -> str:
    """A cut over that of the default mapping."""
    return over(weight, study.placement.rank_order)


def over(weight: float, order: float) -> str:
    """A ratio; a dash where what is below it is not above 0."""
    if order <= 0:
        return DASH
    result = weight / order
    return f"{result:.4f}" if result < 10 else f"{result:,.1f}"


def status(study: PlacementStudy, attempt: Tried) -> str:
    """What is known of an algorithm's groups: proved, worse than others, or neither."""
    least = min(each.value for each in study.tried)
    words = "optimal, proved" if study.reached(attempt) else "not proved"
    if not study.reached(attempt) and attempt.value - least > study.tolerance:
        words = "not optimal"
    return f"{words}, time limit reached" if attempt.late else words


def label(attempt: Tried) -> str:
    """An algorithm by its full name, with what found its groups where that is another one."""
    name, method = full_name(attempt.name), method_text(attempt.method)
    return name if attempt.method == attempt.name else f"{name} ({method})"


def full_name(name: str) -> str:
    """An algorithm by the name that people know."""
    return "portfolio of all" if name == "portfolio" else method_text(name).removeprefix("the ")


def axis(unit: str, span: float = 1.0) -> Any:
    """A formatter of weights on an axis; messages go without their name, for lack of room.

    ``span``: the length of the axis over its largest value; on a short one more digits tell.
    """
    digits = 4 + max(0, -order_of_ten(max(span, 1e-9)) - 2)
    return FuncFormatter(lambda value, _: amount(value, unit, digits).removesuffix(" messages"))


def counted_in(study: PlacementStudy) -> str:
    """What an axis counts, where its numbers do not say so."""
    return "messages " if study.placement.costs.unit == "messages" else ""
