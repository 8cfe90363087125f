"""Where overprovisioning pays, and the front of cost, score and power."""

from __future__ import annotations

from planner.procurement.plane import ParetoPoint
from planner.procurement.study import ProcurementStudy
from reports.figures import pareto as front
from reports.figures import plane as whole
from reports.findings import label_of
from reports.grid import Table, table
from reports.numbers import DASH, fixed
from reports.pages.blocks import Drawn, Page, figures, grid, text
from reports.units import money, percent, power

_MOST_CELLS, _MOST_POINTS = 30, 18


def plane(study: ProcurementStudy, drawn: Drawn) -> Page | None:
    """Gain over the plane of budget and power."""
    if not study.full or not study.cells:
        return None
    return Page(
        "Where does overprovisioning pay?",
        f"{whole.finding(study)}.",
        (
            text(
                "Every cell is solved in all three regimes, without mandates, so that there is a "
                "plan even for little money and power. The operating budget moves with the "
                "capital, liquid and air cooling with the power, rack places and quantities on "
                "offer do not. Where money alone binds there is nothing to gain; where watts bind "
                "there is most."
            ),
            *figures(drawn, "plane", "Orange: the scenario's own point."),
            grid(_cells(study), "Scores over the plane", small=True),
        ),
    )


def pareto(study: ProcurementStudy, drawn: Drawn) -> Page | None:
    """Plans that no other dominates."""
    if not study.full or len(study.pareto) < 2:
        return None
    return Page(
        "What do cost, score and power trade?",
        f"{front.finding(study)}.",
        (
            text(
                "The best plans that keep every rule, for half to one and a half times the money "
                "and the power: those that no other is as good as in capital, score and IT power "
                "at once."
            ),
            *figures(drawn, "pareto", "Numbers as in the table."),
            grid(_points(study), _caption(study), small=True),
        ),
    )


def _listed(study: ProcurementStudy) -> list[tuple[int, ParetoPoint]]:
    """As many points as a page holds, evenly spaced, with their numbers."""
    points = list(enumerate(study.pareto, 1))
    step = -(-len(points) // _MOST_POINTS)
    return [pair for place, pair in enumerate(points) if place % step == 0 or pair is points[-1]]


def _caption(study: ProcurementStudy) -> str:
    left = len(study.pareto) - len(_listed(study))
    return f"The front; {left} further points stand in plan.xlsx" if left else "The front"


def _cells(study: ProcurementStudy) -> Table:
    columns = (
        ("Budget", True), ("IT power", True), ("Worst-case", True), ("Static", True),
        ("Overprovisioned", True), ("Gain", True), ("Over static", True),
    )  # fmt: skip
    currency = study.problem.prices.currency
    largest = max(cell.it_power_w for cell in study.cells)
    rows = [
        (
            money(cell.capital, currency),
            power(cell.it_power_w, like=largest),
            *(
                fixed(cell.score[name] or None, 3)
                for name in ("worst-case", "static", "overprovisioned")
            ),
            _gain(cell.gain),
            _gain(cell.gain_over_static),
        )
        for cell in study.cells[:_MOST_CELLS]
    ]
    return table(columns, (1.2, 1.1, 1, 0.9, 1.3, 0.9, 1), rows)


def _gain(value: float | None) -> str:
    """A gain to the tenth of a per cent: cells are solved no finer."""
    if value is None:
        return DASH
    return "0.0 %" if abs(value) < 5e-4 else percent(value, signed=True, places=1)


def _points(study: ProcurementStudy) -> Table:
    columns = (
        ("No.", True), ("Capital", True), ("Over the life", True), ("Score", True),
        ("IT power", True), ("Buys", False),
    )  # fmt: skip
    currency = study.problem.prices.currency
    largest = max(point.it_power_w for point in study.pareto)
    rows = [
        (
            str(place),
            money(point.capital, currency),
            money(point.total_cost, currency),
            fixed(point.score, 3),
            power(point.it_power_w, like=largest),
            ", ".join(
                f"{nodes:,} of {label_of(study.problem, name, 30)}"
                for name, nodes in point.purchases
            ),
        )
        for place, point in _listed(study)
    ]
    return table(columns, (0.4, 0.95, 0.95, 0.6, 0.85, 4), rows)
