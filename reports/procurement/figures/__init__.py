"""Figures of a procurement, one module per kind."""

from __future__ import annotations

from collections.abc import Callable

from planner.procurement.study import ProcurementStudy
from reports.procurement.figures import (
    allocation,
    alternatives,
    budget_power_grid,
    heuristics,
    life_cost,
    losing_quotes,
    marginal_value,
    pareto,
    ranking,
    regimes,
    regret,
    repairs,
    tornado,
)
from reports.style import Picture

FIGURES: dict[str, Callable[[ProcurementStudy], list[Picture]]] = {
    "repairs": repairs.pictures,
    "regimes": regimes.pictures,
    "heuristics": heuristics.pictures,
    "marginal-value": marginal_value.pictures,
    "life_cost": life_cost.pictures,
    "ranking": ranking.pictures,
    "allocation": allocation.pictures,
    "alternatives": alternatives.pictures,
    "losing-quotes": losing_quotes.pictures,
    "budget-power-grid": budget_power_grid.pictures,
    "pareto": pareto.pictures,
    "tornado": tornado.pictures,
    "regret": regret.pictures,
}
"""Kinds of figure in the order of the report."""


def pictures(study: ProcurementStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    return [picture for make in FIGURES.values() for picture in make(study)]
