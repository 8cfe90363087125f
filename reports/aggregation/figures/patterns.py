"""Energy and time of every pattern, predicted and in truth, with the choice marked."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import StrMethodFormatter

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.patterns import Pattern, patterns
from planner.aggregation.summary import against, gained, less, pace, per_node
from planner.formatting import given, words
from reports.style import BLUE, GREY, ORANGE, SKY, VERMILLION, Picture, draw

_TOO_SLOW = "#C9C9C9"
MOST = 12
_MOST_NAMED = 4
_FEW = 8
_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
_TRUTH: dict[str, Any] = {
    "marker": "D", "ms": 4.5, "linestyle": "", "color": ORANGE, "markeredgecolor": "black",
    "markeredgewidth": 0.6,
}  # fmt: skip


def pictures(study: AggregationStudy) -> list[Picture]:
    """One picture."""
    text = "; ".join(
        f"pattern {c.pattern.id}: {gained(study, c)}, {pace(c.slowdown)}" for c in study.candidates
    )
    truth, base = study.truths, study.baseline.pattern.id
    if truth is not None:
        text += ". Ground truth: " + "; ".join(
            f"pattern {p}: {less(truth.saving(p, base), 'energy', against(study))}, "
            f"{pace(truth.slowdown(p))}"
            for p in truth.outcomes
        )
    return [
        draw("patterns", "01-patterns", finding(study), f"Predicted: {text}.", (6.8, 3.1),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: AggregationStudy) -> str:
    """What the chosen pattern saves, and which would save more if they were not too slow."""
    chosen = study.chosen
    if chosen is study.reference:
        text = f"Recommended: one rank per node (pattern {chosen.pattern.id})"
    elif chosen is study.baseline:
        text = (
            f"Recommended: {per_node(chosen.pattern)} (pattern {chosen.pattern.id}), "
            "which is also the baseline"
        )
    else:
        text = (
            f"Predicted for pattern {chosen.pattern.id}: {gained(study, chosen)}, "
            f"{pace(study.slower(chosen))}"
        )
    more = [
        str(c.pattern.id)
        for c in study.candidates
        if c.pattern.id not in study.tolerable and study.gain(c) > study.gain(chosen)
    ]
    if not more:
        return text
    if len(more) > _MOST_NAMED:
        return f"{text}; {len(more)} other patterns take less energy but exceed the slowdown limit"
    verbs = ("takes", "exceeds") if len(more) == 1 else ("take", "exceed")
    what = "less energy" if study.metered else "fewer nodes"
    return f"{text}; {words(more)} {verbs[0]} {what} but {verbs[1]} the slowdown limit"


def shown(study: AggregationStudy) -> tuple[Pattern, ...]:
    """All patterns, or of many one task per node and those of the largest predicted savings."""
    every = patterns(study.measured.node)
    if len(every) <= MOST:
        return every
    others = [c for c in study.candidates if c not in (study.reference, study.chosen)]
    most = sorted(others, key=lambda c: -study.gain(c))[: MOST - 2]
    selected = {c.pattern.id for c in (study.reference, study.chosen, *most)}
    return tuple(pattern for pattern in every if pattern.id in selected)


def paint(figure: Figure, study: AggregationStudy) -> None:
    """Energy on the left, slowdown on the right; a column for each pattern of the node."""
    energy, slowdown = figure.subplots(1, 2)
    offered = shown(study)
    saved = {c.pattern.id: 1 - study.gain(c) for c in study.candidates}
    slower = {c.pattern.id: c.slowdown for c in study.candidates}
    truth, base = study.truths, study.baseline.pattern.id
    _columns(energy, study, offered, saved)
    _columns(slowdown, study, offered, slower)
    if truth is not None:
        places = [i for i, p in enumerate(offered) if p.id in truth.outcomes]
        ids = [offered[i].id for i in places]
        energy.plot(places, [100 * (1 - truth.saving(p, base)) for p in ids], zorder=4, **_TRUTH)
        slowdown.plot(places, [100 * truth.slowdown(p) for p in ids], zorder=4, **_TRUTH)
    limit = 100 * study.settings.threshold
    slowdown.axhline(limit, color=VERMILLION, linewidth=1.1, linestyle=(0, (5, 2)))
    slowdown.axhline(0, color="black", linewidth=0.6)
    _widen(slowdown, limit)
    energy.set_ylim(0, 1.06 * energy.get_ylim()[1])
    what = "energy" if study.metered else "nodes"
    energy.set_ylabel(f"{what}, % of pattern {base}")
    slowdown.set_ylabel(f"slower than pattern {study.reference.pattern.id}, %")
    figure.legend(handles=_legend(study), loc="outside upper left", ncols=5,
                  handlelength=1.5, columnspacing=1.2)  # fmt: skip


def _columns(
    axes: Axes, study: AggregationStudy, offered: tuple[Pattern, ...], values: dict[int, float]
) -> None:
    for index, pattern in enumerate(offered):
        if pattern.id not in values:
            axes.annotate("not possible", (index, 0), xytext=(0, 4), textcoords="offset points",
                          ha="center", va="bottom", fontsize=8, color=GREY, rotation=90,
                          bbox=_WHITE)  # fmt: skip
            continue
        axes.bar(index, 100 * values[pattern.id], width=0.66, **_look(study, pattern))
    names = [f"{p.id}\n{' x '.join(map(str, p.layout))}".replace(" x ", "·") for p in offered]
    axes.set_xticks(
        range(len(offered)), names, fontsize=8, rotation=0 if len(offered) <= _FEW else 90
    )
    axes.set_xlim(-0.6, len(offered) - 0.4)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axes.set_xlabel("pattern, with sockets·dies·cores used")


def _look(study: AggregationStudy, pattern: Pattern) -> dict[str, Any]:
    if pattern.id == study.chosen.pattern.id:
        return {"color": BLUE, "edgecolor": "black", "linewidth": 1.2, "zorder": 3}
    if pattern.id in study.tolerable:
        return {"color": SKY, "zorder": 2}
    return {"color": _TOO_SLOW, "hatch": "//", "edgecolor": "white", "zorder": 2}


def _legend(study: AggregationStudy) -> list[Any]:
    drawn = {c.pattern.id for c in study.candidates} & {p.id for p in shown(study)}
    handles: list[Any] = [Patch(facecolor=BLUE, edgecolor="black", linewidth=1.2, label="chosen")]
    if drawn & study.tolerable - {study.chosen.pattern.id}:
        handles.append(Patch(facecolor=SKY, label="within limit"))
    if drawn - study.tolerable:
        handles.append(
            Patch(facecolor=_TOO_SLOW, hatch="//", edgecolor="white", label="above limit")
        )
    if study.truths is not None:
        handles.append(Line2D([], [], **_TRUTH, label="ground truth (simulated)"))
    handles.append(
        Line2D([], [], color=VERMILLION, linewidth=1.1, linestyle=(0, (5, 2)),
               label=f"limit: {given(study.settings.threshold)}")
    )  # fmt: skip
    return handles


def _widen(axes: Axes, limit: float) -> None:
    """Room for the limit, and for columns that are nearly nothing."""
    low, high = axes.get_ylim()
    axes.set_ylim(min(1.08 * low, -0.4), max(1.08 * high, 1.25 * limit, 0.5))
