"""Figures, one module per kind. Each turns a study into pictures and computes nothing."""

from __future__ import annotations

from collections.abc import Callable

from planner.designs.study import DesignStudy
from planner.procurement.study import ProcurementStudy
from reports.figures import (
    allocation,
    alternatives,
    core_hour,
    heuristics,
    life_cost,
    losing,
    pareto,
    plane,
    ranking,
    regimes,
    regret,
    repairs,
    sensitivity,
    speedups,
    tornado,
    worth,
)
from reports.figures.style import Picture

FIGURES: dict[str, Callable[[DesignStudy], list[Picture]]] = {
    "speedups": speedups.pictures,
    "sensitivity": sensitivity.pictures,
    "core_hour": core_hour.pictures,
}
"""Kinds of figure in the order of the report on a comparison of designs."""

PROCUREMENT_FIGURES: dict[str, Callable[[ProcurementStudy], list[Picture]]] = {
    "repairs": repairs.pictures,
    "regimes": regimes.pictures,
    "heuristics": heuristics.pictures,
    "worth": worth.pictures,
    "life_cost": life_cost.pictures,
    "ranking": ranking.pictures,
    "allocation": allocation.pictures,
    "alternatives": alternatives.pictures,
    "losing": losing.pictures,
    "plane": plane.pictures,
    "pareto": pareto.pictures,
    "tornado": tornado.pictures,
    "regret": regret.pictures,
}
"""Kinds of figure of a procurement."""


def pictures(study: DesignStudy | ProcurementStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    if isinstance(study, ProcurementStudy):
        return [picture for draw in PROCUREMENT_FIGURES.values() for picture in draw(study)]
    return [picture for make in FIGURES.values() for picture in make(study)]


__all__ = ["FIGURES", "PROCUREMENT_FIGURES", "Picture", "pictures"]
