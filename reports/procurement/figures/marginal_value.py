"""The marginal value of each resource: intervals that follow from the solvers' limits."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from planner.formatting import given, percent
from planner.procurement.findings import interval, size
from planner.procurement.marginal_value import MarginalValue, ScoreChange
from planner.procurement.study import ProcurementStudy
from reports.style import BLUE, GREY, VERMILLION, Picture, draw
from reports.units import RESOURCES

_INTERVAL = "interval, if the solvers' limits are right"
_LABEL_GAP = 9.0
_CHARACTER = 4.6
_HALF_AXIS = 205.0
"""Distance and width of a label, and half of an axis, in points."""


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture of a panel per resource."""
    if not study.marginal_values:
        return []
    listed = "; ".join(
        f"{RESOURCES[effect.resource]} {step_words(effect.change)}: {words(effect)}"
        for effect in study.marginal_values
    )
    every = list(dict.fromkeys(effect.resource for effect in study.marginal_values))
    moving = {effect.resource for effect in study.marginal_values if effect.certain}
    names = [name for name in every if name in moving] or every
    inches = (6.8, 0.75 + 1.15 * len(names))
    return [
        draw(
            "marginal-value", "03-marginal-value", finding(study),
            f"Change of the best score with one resource changed: {listed}.", inches,
            lambda figure: _paint(figure, study, names),
        )
    ]  # fmt: skip


def finding(study: ProcurementStudy) -> str:
    """Which resource has the largest effect, by the midpoint at the largest common rise."""
    largest = {
        effect.resource: effect for effect in sorted(study.marginal_values, key=lambda w: w.change)
    }
    rises = [effect for effect in largest.values() if effect.change > 0 and effect.low is not None]
    sure = [rise for rise in rises if rise.certain and (rise.low or 0.0) > 0]
    if not sure:
        return "No resource certainly raises the score if there is more of it"
    sure.sort(key=lambda effect: -(effect.low or 0.0))
    parts = [
        f"{given(round(effect.change, 4))} more {RESOURCES[effect.resource]} raises the score by "
        f"at least {percent(effect.low or 0.0, 'down', places=2)}"
        for effect in sure
    ]
    idle = {rise.resource for rise in rises if rise not in sure}
    none = [words for name, words in RESOURCES.items() if name in idle]
    if none:
        listed = " or ".join([*([", ".join(none[:-1])] if none[1:] else []), none[-1]])
        parts.append(f"more {listed} has no certain effect")
    return "; ".join(parts)


def step_words(change: float) -> str:
    """A change of a limit; of racks, which come whole, to a hundredth of a per cent."""
    return given(round(change, 4), signed=True)


def words(effect: MarginalValue) -> str:
    """A change of the score, or why there is none.

    Where it may be none, only its largest size is certain: ``at most 0.10 % lower``.
    """
    if effect.score_change is ScoreChange.NO_PLAN:
        return "no plan is left"
    if effect.score_change is ScoreChange.UNDECIDED:
        return "none found in time"
    text = interval(effect.low, effect.high)
    if effect.score_change is not ScoreChange.CONTAINS_ZERO:
        return text
    lower, higher = (size(end) for end in (min(effect.low or 0.0, 0.0), effect.high or 0.0))
    nothing = size(0.0)
    if nothing not in (lower, higher):
        return text
    if lower != nothing:
        return f"at most {lower} lower"
    return f"at most {higher} higher" if higher != nothing else "none"


def may_be_zero(effect: MarginalValue) -> bool:
    """Whether the score may stay as it is, although the interval shown has a width."""
    return effect.score_change is ScoreChange.CONTAINS_ZERO and words(effect) != "none"


def _paint(figure: Figure, study: ProcurementStudy, names: list[str]) -> None:
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        mine = [effect for effect in study.marginal_values if effect.resource == name]
        _panel(axes, mine)
        axes.set_title(RESOURCES[name], loc="left")
    panels[-1].set_xlabel("change of the best score (%)")
    reach = max([_room(effect) for effect in study.marginal_values] + [0.01])
    panels[-1].set_xlim(-reach, reach)
    figure.legend(
        handles=[
            Line2D([], [], marker="|", color=BLUE, linewidth=3, label=_INTERVAL),
            Line2D([], [], marker="|", color=GREY, ls=":", linewidth=2, label="no certain change"),
        ],
        loc="outside upper left", ncols=3,
    )  # fmt: skip


def _room(effect: MarginalValue) -> float:
    """How far the axis must reach for an interval and the label at its end [%]."""
    label = (_LABEL_GAP + _CHARACTER * len(words(effect))) / _HALF_AXIS
    return abs(_end(effect)) / (1 - label)


def _end(effect: MarginalValue) -> float:
    """Where the interval ends [%]."""
    if effect.low is None or effect.high is None:
        return 0.0
    return 100 * (effect.high if effect.change > 0 else effect.low)


def _panel(axes: Axes, marginal_values: list[MarginalValue]) -> None:
    for row, effect in enumerate(marginal_values):
        if effect.low is not None and effect.high is not None:
            sure = effect.certain
            axes.plot(
                [100 * effect.low, 100 * effect.high], [row, row], marker="|", ms=9,
                color=BLUE if sure else GREY, linestyle="-" if sure else ":", linewidth=3,
                markeredgewidth=1.8, zorder=3,
            )  # fmt: skip
        axes.annotate(
            words(effect), (_end(effect), row), fontsize=8,
            xytext=(_LABEL_GAP if effect.change > 0 else -_LABEL_GAP, 0),
            textcoords="offset points", va="center", ha="left" if effect.change > 0 else "right",
        )  # fmt: skip
    axes.axvline(0, color=VERMILLION, linewidth=1.0, linestyle=(0, (5, 2)), zorder=1)
    axes.set_yticks(
        range(len(marginal_values)), [step_words(effect.change) for effect in marginal_values]
    )
    axes.set_ylim(len(marginal_values) - 0.4, -0.6)
