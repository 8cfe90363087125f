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
_CENT = 0.01  # less money is none


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """One resource more or less at a time."""
    if not study.marginal_values:
        return None
    return Page(
        "What are more power, money and space worth?",
        f"{finding(study)}.",
        (
            text(
                "One limit of the site is changed, all others stay, and the best plan is found "
                "again. The change of its score certainly lies in the interval shown. Power is IT "
                f"power; cooling is changed separately.{_worth(study)}"
            ),
            *figures(pictures, "marginal-value", ""),
            grid(
                _marginal_values(study),
                "Change of the best score with one resource changed" + _notes(study),
                small=True,
            ),
        ),
    )


def _worth(study: ProcurementStudy) -> str:
    """The value of power in money, and what that means."""
    lines = list(power_value(study))
    if lines and study.power_value is not None and study.power_value.low >= _CENT:
        lines.append("Capital of this amount would raise the score as much.")
    return "".join(f" {line}" for line in lines)


def shadow_prices(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """What the linear program says of each resource, compared with the certain change."""
    if not study.marginal_values:
        return None
    return Page(
        "Appendix: shadow prices",
        "Shadow prices (duals) predict the change of the score by straight lines; the intervals "
        "are certain.",
        (
            text(
                "Integers fixed: the dual of the linear program in which every whole number keeps "
                "its value in the plan. It values a resource for the machine that is bought. "
                "Relaxation: the dual of the program without whole numbers, which may buy another "
                "machine. plan.xlsx has every change."
            ),
            grid(_duals(study), "Predicted and certain change of the score", small=True),
        ),
    )


def _notes(study: ProcurementStudy) -> str:
    """What the words in the table mean, where it has them."""
    effects = study.marginal_values
    uncertain = any(words(effect).startswith("at most") for effect in effects)
    text = "; at most: it may be zero" if uncertain else ""
    racks = any(
        effect.resource == "racks" and not any(math.isclose(effect.change, s) for s in STEPS)
        for effect in effects
    )
    return text + ("; racks come whole, so their changes differ" if racks else "")


def _duals(study: ProcurementStudy) -> Table:
    columns = (
        ("Resource", False), ("Change", True), ("Certain", True), ("Integers fixed", True),
        ("Relaxation", True),
    )  # fmt: skip
    rows = []
    for name in dict.fromkeys(effect.resource for effect in study.marginal_values):
        effect = _nearest([e for e in study.marginal_values if e.resource == name], _SHOWN)
        if effect is not None:
            cells = step_words(effect.change), words(effect)
            duals = change(effect.by_dual), change(effect.by_relaxation)
            rows.append((RESOURCES[name], *cells, *duals))
    return table(columns, (1.4, 0.7, 2, 1.1, 1), rows)


def _marginal_values(study: ProcurementStudy) -> Table:
    """A row per resource, a column per change."""
    columns = (
        ("Resource", False), *((step_words(step), True) for step in STEPS),
    )  # fmt: skip
    rows = []
    for name in dict.fromkeys(effect.resource for effect in study.marginal_values):
        mine = [effect for effect in study.marginal_values if effect.resource == name]
        rows.append(
            (
                RESOURCES[name],
                *(_cell(_nearest(mine, step), step) for step in STEPS),
            )
        )
    return table(columns, (1.1, *([1.4] * len(STEPS))), rows)


def _nearest(marginal_values: list[MarginalValue], step: float) -> MarginalValue | None:
    """Return the change nearest to a step in the same direction, since racks come whole."""
    same = [effect for effect in marginal_values if effect.change * step > 0]
    return min(same, key=lambda effect: abs(effect.change - step), default=None)


def _cell(effect: MarginalValue | None, step: float) -> str:
    if effect is None:
        return ""
    made = "" if math.isclose(effect.change, step) else f" at {step_words(effect.change)}"
    return words(effect) + made
