"""Where overprovisioning pays, and the front of cost, score and power."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy
from reports.figures import pareto as front
from reports.figures import plane as whole
from reports.findings import label_of
from reports.grid import Table, table
from reports.numbers import clipped, fixed
from reports.pages.blocks import Drawn, Page, figures, grid, text
from reports.units import money, percent, power

_MOST_CELLS, _MOST_POINTS = 30, 40


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
                "plan even for little money and power. Where money binds there is nothing to gain; "
                "where watts bind there is most."
            ),
            *figures(drawn, "plane", "Orange: the scenario's own point."),
            grid(_cells(study), "Scores over the plane"),
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
                "Plans of the budget-power plane (without mandates) that no other plan found "
                "there is as good as in capital, score and IT power at once."
            ),
            *figures(drawn, "pareto", "Numbers as in the table."),
            grid(_points(study), "The front", small=True),
        ),
    )


def _cells(study: ProcurementStudy) -> Table:
    columns = (
        ("Budget", True), ("IT power", True), ("Worst-case", True), ("Static", True),
        ("Overprovisioned", True), ("Gain", True), ("Over static", True),
    )  # fmt: skip
    currency = study.problem.prices.currency
    rows = [
        (
            money(cell.capital, currency),
            power(cell.it_power_w),
            *(
                fixed(cell.score[name] or None, 3)
                for name in ("worst-case", "static", "overprovisioned")
            ),
            "–" if cell.gain is None else percent(cell.gain, signed=True),  # noqa: RUF001
            "–"  # noqa: RUF001
            if cell.gain_over_static is None
            else percent(cell.gain_over_static, signed=True),
        )
        for cell in study.cells[:_MOST_CELLS]
    ]
    return table(columns, (1.2, 1.1, 1, 0.9, 1.3, 0.9, 1), rows)


def _points(study: ProcurementStudy) -> Table:
    columns = (
        ("No.", True), ("Capital", True), ("Over the life", True), ("Score", True),
        ("IT power", True), ("Buys", False),
    )  # fmt: skip
    currency = study.problem.prices.currency
    rows = [
        (
            str(place),
            money(point.capital, currency),
            money(point.total_cost, currency),
            fixed(point.score, 3),
            power(point.it_power_w),
            ", ".join(
                f"{nodes:,} x {clipped(label_of(study.problem, name), 30)}"
                for name, nodes in point.purchases
            ),
        )
        for place, point in enumerate(study.pareto[:_MOST_POINTS], 1)
    ]
    return table(columns, (0.5, 1.1, 1.1, 0.7, 1, 3.4), rows)
