"""The marginal value of power, money and space."""

from __future__ import annotations

import math

from planner.procurement.findings import change
from planner.procurement.marginal_value import STEPS, MarginalValue
from planner.procurement.study import ProcurementStudy
from planner.procurement.summary import power_value
from reports.blocks import Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.procurement.figures.marginal_value import finding, step_words, words
from reports.units import RESOURCES

_SHOWN = 0.01  # the change whose duals are shown


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """One resource more or less at a time."""
    if not study.marginal_values:
        return None
    return Page(
        "What is the marginal value of power, money and space?",
        f"{finding(study)}.",
        (
            text(
                "Each interval is certain: it follows from the plans found and from proven limits. "
                "Dual 1 keeps all integers fixed (value for the chosen machine); dual 2 is that of "
                "the LP relaxation. Power is IT power; cooling is changed separately. Racks come "
                f"whole. {' '.join(power_value(study))}"
            ),
            *figures(pictures, "marginal-value", ""),
            grid(
                _marginal_values(study),
                "Change of the best score with one resource changed",
                small=True,
            ),
        ),
    )


def _marginal_values(study: ProcurementStudy) -> Table:
    """A row per resource, a column per change."""
    unbroken = step_words(_SHOWN).replace(" ", "\u00a0")
    columns = (
        ("Resource", False), *((step_words(step), True) for step in STEPS),
        (f"Dual 1 at {unbroken}", True),
        (f"Dual 2 at {unbroken}", True),
    )  # fmt: skip
    rows = []
    for name in dict.fromkeys(effect.resource for effect in study.marginal_values):
        mine = [effect for effect in study.marginal_values if effect.resource == name]
        dual = _nearest(mine, _SHOWN)
        rows.append(
            (
                RESOURCES[name],
                *(_cell(_nearest(mine, step), step) for step in STEPS),
                "" if dual is None else change(dual.by_dual),
                "" if dual is None else change(dual.by_relaxation),
            )
        )
    return table(columns, (1.1, *([1.25] * len(STEPS)), 0.95, 0.95), rows)


def _nearest(marginal_values: list[MarginalValue], step: float) -> MarginalValue | None:
    """Return the change nearest to a step in the same direction, since racks come whole."""
    same = [effect for effect in marginal_values if effect.change * step > 0]
    return min(same, key=lambda effect: abs(effect.change - step), default=None)


def _cell(effect: MarginalValue | None, step: float) -> str:
    if effect is None:
        return ""
    made = "" if math.isclose(effect.change, step) else f"{step_words(effect.change)}: "
    return made + words(effect)
