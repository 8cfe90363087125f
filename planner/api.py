"""The main job: whatever a scenario asks, answered."""

from __future__ import annotations

import os
from collections.abc import Callable

from planner.designs.study import DesignStudy, compare_designs
from planner.procurement.outcome import GAP
from planner.procurement.outcome import Options as Solving
from planner.procurement.procure import procure
from planner.procurement.study import ProcurementStudy
from scenarios.catalogue import load
from scenarios.models import Scenario


def plan(
    scenario: Scenario | str | os.PathLike[str],
    *,
    solver: str = "highs",
    gap: float | None = None,
    seed: int = 0,
    time_limit_s: float | None = None,
    full: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> DesignStudy | ProcurementStudy:
    """Answer everything that a scenario asks.

    Parameters
    ----------
    scenario
        A scenario, the name of a bundled one, or a path.
    solver, seed, time_limit_s
        As in :func:`solvers.solve`. Without a time limit the result repeats to the byte.
    gap
        Relative gap that is good enough: by default a millionth, for a procurement a
        ten-thousandth of performance.
    full
        Of a procurement, ask the long questions too.
    progress
        Called with the name of each part as it begins.

    Raises
    ------
    PlanError
        The scenario gives too little for a decision, or no comparison exists.
    ScenarioError
        The scenario cannot be read.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    if scenario.procurement is not None:
        solving = Solving(solver, GAP if gap is None else gap, seed, time_limit_s)
        return procure(scenario, solving, full=full, progress=progress)
    return compare_designs(
        scenario,
        solver=solver,
        gap=1e-6 if gap is None else gap,
        seed=seed,
        time_limit_s=time_limit_s,
    )
