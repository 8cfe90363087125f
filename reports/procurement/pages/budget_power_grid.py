"""Where overprovisioning pays, and the front of cost, score and power."""

from __future__ import annotations

from planner.formatting import DASH, capitalised, money, percent, power
from planner.procurement.findings import label_of
from planner.procurement.front import ParetoPoint
from planner.procurement.problem import UNLIMITED
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, figures, grid, partly, text
from reports.grid import Table, table
from reports.numbers import fixed
from reports.procurement.figures import budget_power_grid as whole
from reports.procurement.figures import pareto as front
from reports.units import RESOURCES

_MOST_CELLS, _MOST_POINTS = 30, 13
MARK = "↑"
"""This sign marks an amount that exceeds the limit of the site."""


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Gain over the grid of budget and power."""
    if not study.full or not study.cells:
        return None
    return Page(
        "Where does overprovisioning pay?",
        f"{whole.finding(study)}.",
        (
            text(
                "Each cell of the figure has another budget and another power; it is solved in "
                "all three regimes. Requirements are left out, so that little money and power "
                "allow a plan, too. The operating budget changes with the capital, and cooling "
                "with the power; rack places and quantities on offer stay."
            ),
            *figures(pictures, "budget-power-grid", "Orange: the scenario's own point."),
        ),
    )


def cells(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """The numbers behind the gain over the grid."""
    if not study.full or not study.cells:
        return None
    caption = partly("Scores by budget and IT power", _MOST_CELLS, len(study.cells))
    return Page(
        "Appendix: scores by budget and power",
        f"{whole.finding(study)}.",
        (
            text(
                "Gain: score of the overprovisioned plan compared with worst-case provisioning, "
                "and with static caps. Requirements are left out."
            ),
            grid(_cells(study), caption, small=True),
        ),
    )


def pareto(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Plans that no other dominates."""
    if not study.full or len(study.pareto) < 2:
        return None
    return Page(
        "How do cost, score and power trade off?",
        f"{front.finding(study)}.",
        (
            text(
                "These are the best plans for 0.5 to 1.5 times the capital and the IT power. No "
                "other plan found is at least as good in capital, score and IT power. Above the "
                "site's limits, the operating budget grows with the capital, and cooling with the "
                "power; below, neither is lowered. Rack places, quantities on offer and "
                "requirements stay. Plans beyond a limit of the site are marked; they never "
                "replace a plan within the limits."
            ),
            *figures(pictures, "pareto", front.source(study)),
            grid(_points(study), _caption(study), small=True),
            grid(_buys(study), "What the plans of the front buy", small=True),
        ),
    )


def _listed(study: ProcurementStudy) -> list[tuple[int, ParetoPoint]]:
    """As many points as a page holds, evenly spaced, with their numbers."""
    points = list(enumerate(study.pareto, 1))
    step = -(-len(points) // _MOST_POINTS)
    return [
        pair
        for point_index, pair in enumerate(points)
        if point_index % step == 0 or pair is points[-1]
    ]


def _caption(study: ProcurementStudy) -> str:
    remaining = len(study.pareto) - len(_listed(study))
    caption = f"The front ({MARK} beyond the limit of the site)"
    return f"{caption}; plan.xlsx has {remaining} further points" if remaining else caption


def _cells(study: ProcurementStudy) -> Table:
    columns = (
        ("Budget", True), ("IT power", True), ("Worst-case", True), ("Static", True),
        ("Overprovisioned", True), ("Gain over worst-case", True), ("Gain over static", True),
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
    return table(columns, (1.1, 1.1, 0.9, 0.8, 1.3, 1.15, 1), rows)


def _gain(value: float | None) -> str:
    """A gain to the tenth of a per cent: cells are solved no finer."""
    if value is None:
        return DASH
    return "0.0 %" if abs(value) < 5e-4 else percent(value, signed=True, places=1)


def _points(study: ProcurementStudy) -> Table:
    """Every limited resource as a column, its limit in the first row."""
    limits, currency = study.problem.limits, study.problem.prices.currency
    used = {name for point in study.pareto for name, _ in point.used}
    names = [n for n in RESOURCES if n in used and getattr(limits, n) < UNLIMITED]
    columns = [("No.", True), ("Score", True), *((_heading(n), True) for n in names)]
    columns.append(("Over the life", True))
    listed_points = _listed(study)
    largest = {
        n: max([getattr(limits, n), *(dict(point.used)[n] for _, point in listed_points)])
        for n in names
    }
    first = ["Limit", "", *(_amount(n, getattr(limits, n), currency, largest[n]) for n in names)]
    rows = [[*first, ""]] if names else []
    dearest = max(point.total_cost for _, point in listed_points)
    for index, point in listed_points:
        values = dict(point.used)
        cells = [
            _amount(n, values[n], currency, largest[n]) + (f" {MARK}" if n in point.beyond else "")
            for n in names
        ]
        life = money(point.total_cost, currency, like=dearest)
        rows.append([str(index), fixed(point.score, 3), *cells, life])
    return table(columns, (0.5, 0.6, *([1.0] * len(names)), 1.0), rows)


def _heading(resource: str) -> str:
    words = RESOURCES[resource]
    return capitalised(words)


def _amount(resource: str, value: float, currency: str, like: float) -> str:
    """An amount in the unit of the largest of its column."""
    if resource == "racks":
        return f"{value:,.0f}"
    if resource in ("capital", "operating"):
        return money(value, currency, like=like)
    return power(value, like=like)


def _buys(study: ProcurementStudy) -> Table:
    rows = [
        (
            str(index),
            ", ".join(
                f"{nodes:,} of {label_of(study.problem, name, 30)}"
                for name, nodes in point.purchases
            ),
        )
        for index, point in _listed(study)
    ]
    return table((("No.", True), ("Buys", False)), (0.4, 8), rows)
