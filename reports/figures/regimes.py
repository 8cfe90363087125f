"""The best score under each power regime: what overprovisioning gains, and over what."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from planner.procurement.problem import REGIME_NAMES
from planner.procurement.study import ProcurementStudy
from reports.figures.style import Picture, draw, look
from reports.findings import gains
from reports.numbers import fixed


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if any regime has a plan."""
    if not any(outcome.plan for outcome in study.regimes.values()):
        return []
    listed = "; ".join(f"{name} {_value(score)}" for name, score, _ in _bars(study))
    alternative = f"Score of the best plan under each power regime, by bars: {listed}."
    return [
        draw(
            "regimes", "01-regimes", gains(study), alternative, (6.6, 1.9),
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


def _value(score: float) -> str:
    return fixed(score, 3) if score > 0 else "no plan"


def _paint(figure: Figure, study: ProcurementStudy) -> None:
    axes = figure.subplots()
    bars = _bars(study)
    for row, (_, score, bound) in enumerate(bars):
        colour, hatch = look(row)
        axes.barh(row, score, color=colour, hatch=hatch, edgecolor="white", height=0.68)
        if bound is not None and bound > score * 1.002:
            axes.plot([score, bound], [row, row], color="black", marker="|", linewidth=1.2)
        axes.annotate(
            _value(score), (max(score, bound or 0.0), row), xytext=(5, 0),
            textcoords="offset points", va="center",
        )  # fmt: skip
    axes.set_yticks(range(len(bars)), [name[0].upper() + name[1:] for name, _, _ in bars])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.14 * max(max(score, bound or 0.0) for _, score, bound in bars))
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("score S (throughput of the reference machine = 1)")
