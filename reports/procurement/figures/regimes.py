"""The best score under each power regime: what overprovisioning gains, and over what."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from planner.formatting import capitalised
from planner.procurement.findings import gains, undecided
from planner.procurement.outcome import Outcome
from planner.procurement.problem import REGIME_NAMES
from planner.procurement.study import ProcurementStudy
from reports.numbers import fixed
from reports.style import Picture, draw, look


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if any regime has a plan."""
    if not any(outcome.plan for outcome in study.regimes.values()):
        return []
    values = zip(_bars(study), study.regimes.values(), strict=True)
    listed = "; ".join(f"{name} {_value(score, regime)}" for (name, score, _), regime in values)
    alternative = f"Score of the best plan under each power regime, by bars: {listed}."
    return [
        draw(
            "regimes", "01-regimes", gains(study), alternative, (6.6, 1.0),
            lambda figure: _paint(figure, study),
        )
    ]  # fmt: skip


def _bars(study: ProcurementStudy) -> list[tuple[str, float, float | None]]:
    """Name, score and bound of each regime; a score of 0 where there is no plan."""
    return [
        (
            REGIME_NAMES[name],
            outcome.plan.score if outcome.plan else 0.0,
            math.exp(outcome.bound) if outcome.plan and outcome.bound is not None else None,
        )
        for name, outcome in study.regimes.items()
    ]


def _value(score: float, outcome: Outcome) -> str:
    if outcome.plan is None:
        return "not decided in time" if undecided(outcome) else "no plan"
    return fixed(score, 3)


def _paint(figure: Figure, study: ProcurementStudy) -> None:
    axes = figure.subplots()
    bars = _bars(study)
    for row, ((_, score, bound), regime) in enumerate(
        zip(bars, study.regimes.values(), strict=True)
    ):
        colour, hatch = look(row)
        axes.barh(row, score, color=colour, hatch=hatch, edgecolor="white", height=0.68)
        if bound is not None and bound > score * 1.002:
            axes.plot([score, bound], [row, row], color="black", marker="|", linewidth=1.2)
        axes.annotate(
            _value(score, regime), (max(score, bound or 0.0), row), xytext=(5, 0),
            textcoords="offset points", va="center",
        )  # fmt: skip
    axes.set_yticks(range(len(bars)), [capitalised(name) for name, _, _ in bars])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.14 * max(max(score, bound or 0.0) for _, score, bound in bars))
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("score S (reference machine = 1)")
