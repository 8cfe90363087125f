"""The marginal value of power, money and space."""

from __future__ import annotations

from planner.procurement.findings import change
from planner.procurement.marginal_value import STEPS, MarginalValue
from planner.procurement.study import ProcurementStudy
from planner.procurement.summary import power_value
from reports.blocks import Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.procurement.figures.marginal_value import finding, may_be_zero, step_words, words
from reports.units import RESOURCES

_SHOWN = 0.01  # the change whose duals are shown


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """One resource more or less at a time."""
    if not study.marginal_values:
        return None
    worth = "".join(f" {line}" for line in power_value(study))
    return Page(
        "What are more power, money and space worth?",
        f"{finding(study)}.",
        (
            text(
                "One limit of the site is changed, all others stay, and the best plan is found "
                "again. Its score changes by an amount in the interval shown, if the limits that "
                "the solvers proved are right. Power is IT "
                f"power; cooling is changed separately.{worth}"
            ),
            *figures(pictures, "marginal-value", "", title=_TITLE),
        ),
    )


_TITLE = (
    "Change of the best score with one limit changed; limits without any certain effect are not "
    "shown"
)


def shadow_prices(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """Every change of a limit, and what the linear program predicts of it."""
    if not study.marginal_values:
        return None
    blocks = [
        grid(
            _marginal_values(study),
            "Change of the best score with one limit changed" + _notes(study),
            small=True,
        )
    ]
    if any(abs(dual) > _NO_DUAL for e in study.marginal_values for dual in _duals_of(e)):
        blocks += [
            text(
                "A shadow price (dual) is the slope of the score in one limit, from a linear "
                "program; it predicts the change by a straight line. Integers fixed: every whole "
                "number keeps its value in the plan, so the bought machine is valued. A limit that "
                "only allows further nodes then has the dual 0. Relaxation: no number is whole, so "
                "another machine may be bought. plan.xlsx has every change."
            ),
            grid(_duals(study), "Predicted change of the score, and its interval", small=True),
        ]
    return Page(
        "Appendix: each limit changed",
        "Each interval holds if the limits of the solvers are right: it follows from the plans and "
        "limits of two programs.",
        tuple(blocks),
    )


_NO_DUAL = 5e-7
"""Smaller changes are printed as 0.00 %."""


def _duals_of(effect: MarginalValue) -> tuple[float, float]:
    return effect.by_dual, effect.by_relaxation


def _notes(study: ProcurementStudy) -> str:
    """What the words in the table mean, where it has them."""
    uncertain = any(map(may_be_zero, study.marginal_values))
    return "; at most: the score may also stay as it is" if uncertain else ""


def _duals(study: ProcurementStudy) -> Table:
    columns = (
        ("Resource", False), ("Change", True), ("Interval", True), ("Integers fixed", True),
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
    """A row per resource, a column per change; racks come whole, so their row says how many."""
    columns = (
        ("Limit", False), *((step_words(step), True) for step in STEPS),
    )  # fmt: skip
    rows = []
    for name in dict.fromkeys(effect.resource for effect in study.marginal_values):
        mine = [effect for effect in study.marginal_values if effect.resource == name]
        cells = ["" if (e := _nearest(mine, step)) is None else words(e) for step in STEPS]
        rows.append((RESOURCES[name] + _whole(study, name, mine), *cells))
    return table(columns, (1.5, *([1.3] * len(STEPS))), rows)


def _whole(study: ProcurementStudy, name: str, effects: list[MarginalValue]) -> str:
    """By how many racks their number was changed in the columns; empty for other resources."""
    if name != "racks":
        return ""
    limit = study.problem.limits.racks
    made = [round(e.limit - limit) for step in STEPS if (e := _nearest(effects, step)) is not None]
    made = list(dict.fromkeys(made))  # a small site changes by one rack in several columns
    return f" (by {', '.join(f'{count:+d}' for count in made)})".replace("-", "\u2212")


def _nearest(marginal_values: list[MarginalValue], step: float) -> MarginalValue | None:
    """Return the change nearest to a step in the same direction, since racks come whole."""
    same = [effect for effect in marginal_values if effect.change * step > 0]
    return min(same, key=lambda effect: abs(effect.change - step), default=None)
