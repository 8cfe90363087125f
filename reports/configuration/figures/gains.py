"""What the best configuration gains over packed-max at every round bound.

References
----------
Thesis, Figure 3.4: one bar per bound, none where packed-max is the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.gains_at_bounds import (
    Bar,
    bars,
    bars_at,
    gains_anywhere,
    gains_over_packed_max,
    unsteady_bounds,
)
from planner.configurations.study import ConfigurationStudy
from planner.formatting import clipped, words
from reports.configuration.summary import (
    answers,
    axis_unit,
    both,
    bound,
    faster,
    less,
    name,
    titled,
)
from reports.numbers import fixed
from reports.style import BLUE, GREY, ORANGE, Picture, draw, in_groups

_PANELS = 8
_MOST_BARS = 13
"""Bars of a panel; the bounds of different applications are shared if they are no more."""
_ASKED = "#8A5A00"  # orange, dark enough for letters
_PALE = 0.35
"""Opacity of a bar whose baseline has runs that differ much."""
_EDGE: dict[str, Any] = {"edgecolor": "white", "linewidth": 0.5}


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """One picture for every eight applications."""
    groups = in_groups(gaining_applications(study), _PANELS)
    if len(groups) == 1:  # then the figure says what its page says, of the same cases
        return [_picture(groups[0], 1, finding(answers(study)))]
    return [
        _picture(group, number, finding(group, "cases in this figure"))
        for number, group in enumerate(groups, 1)
    ]


def gaining_applications(study: ConfigurationStudy) -> list[ConfigurationAnswer]:
    """Applications that gain at some bound."""
    return [answer for answer in answers(study) if gains_anywhere(answer)]


def omitted_applications(study: ConfigurationStudy) -> str:
    """Which applications have no panel, in a sentence."""
    there = gaining_applications(study)
    omitted = [name(answer) for answer in answers(study) if answer not in there]
    return (
        f" Packed-max is the best at every bound for {words(omitted)}, which have no panel."
        if omitted
        else ""
    )


def finding(group: Sequence[ConfigurationAnswer], cases: str = "cases") -> str:
    """The gain at the requested bound, and where it is largest."""
    gains, unsteady = gains_over_packed_max(group)
    if not gains + unsteady:
        return "Packed-max fits at no bound, so there is no gain over it"
    top, answer, at = max(gains or unsteady, key=lambda entry: entry[0].speedup)
    if top.speedup <= 1:
        return "Packed-max is the best configuration at every bound at which it fits"
    who = clipped(answer.application)
    same = sum(gain.speedup <= 1 for gain, _, _ in gains)
    rest = f"; packed-max is best in {same} of {len(gains)} {cases}" if same else ""
    requested_w = answer.question.bound.bound_w
    here = answer.gain_over(answer.packed_max)
    if len(group) > 1 or here is None or here.speedup <= 1 or at == requested_w:
        return f"{who} gains most over packed-max at {bound(at)}: {both(top)}{rest}"
    mark = "*" if requested_w in unsteady_bounds(answer) else ""
    return (
        f"At its best, {who} is {fixed(here.speedup, 2)}{mark} times as fast as with "
        f"packed-max at {bound(requested_w)}, and {fixed(top.speedup, 2)} times at "
        f"{bound(at)}{rest}"
    )


def _picture(group: Sequence[ConfigurationAnswer], number: int, finding_text: str) -> Picture:
    columns = 1 if len(group) == 1 else 2
    rows = -(-len(group) // columns)
    alternative = "Speed-up of the best over packed-max. " + "; ".join(
        f"{name(answer)}: "
        + ", ".join(f"{bound(at)} {faster(gain)} ({less(gain)} of time saved)"
                    for at, gain, _ in bars(answer))
        for answer in group
    )  # fmt: skip
    size = (6.8, 1.9 if columns == 1 else 0.4 + 1.65 * rows)
    file = "01-gains" if number == 1 else f"01-gains-{number}"
    title = titled(group[0], finding_text)
    return draw("gains", file, title, alternative, size, lambda f: paint(f, group))


def paint(figure: Figure, group: Sequence[ConfigurationAnswer]) -> None:
    """One panel per application."""
    columns = 1 if len(group) == 1 else 2
    rows = -(-len(group) // columns)
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    at = _shared_bounds(group)
    for axes, answer in zip(panels, group, strict=False):
        _panel(axes, *bars_at(answer, at), alone=columns == 1)
        if columns > 1:
            axes.set_title(name(answer, 28), loc="left", parse_math=False)
    for axes in panels[len(group) :]:
        axes.set_axis_off()
    if columns > 1:
        figure.supylabel("speed-up over packed-max", fontsize=9)
        unit, _ = axis_unit(max(at for answer in group for at, _, _ in bars(answer)))
        figure.supxlabel(f"power bound ({unit})", fontsize=9)
    figure.legend(
        handles=[
            Patch(facecolor=BLUE, label="round bounds", **_EDGE),
            Patch(facecolor=ORANGE, hatch="//", label="requested bound", **_EDGE),
        ],
        loc="outside upper left", ncols=2, handlelength=1.4,
    )  # fmt: skip


def _shared_bounds(group: Sequence[ConfigurationAnswer]) -> list[float]:
    """Return the bounds that all panels show, unless they are too many to share [W]."""
    every = sorted({at for answer in group for at, _, _ in bars(answer)})
    return every if len(every) <= _MOST_BARS else []


def _panel(axes: Axes, entries: list[Bar], unsure: set[float], *, alone: bool) -> None:
    top = max([1.1, *(gain.speedup for _, gain, _ in entries if gain is not None)])
    top = 1 + (top - 1) * (1.3 if alone else 1.25)
    for position, (at, gain, requested) in enumerate(entries):
        if gain is None or gain.speedup <= 1:
            sign = "n/a" if gain is None else "="
            axes.annotate(sign, (position, 1), xytext=(0, 2), textcoords="offset points",
                          ha="center", fontsize=8, color=GREY)  # fmt: skip
            continue
        axes.bar(position, gain.speedup - 1, bottom=1, width=0.72,
                 color=ORANGE if requested else BLUE, hatch="//" if requested else "",
                 alpha=_PALE if at in unsure else 1.0, **_EDGE)  # fmt: skip
        mark = "*" if at in unsure else ""
        label = f"{gain.speedup:.2f}{mark}" + (f"\n{less(gain)}" if alone else "")
        axes.annotate(label, (position, gain.speedup), xytext=(0, 1.5), textcoords="offset points",
                      ha="center", va="bottom", fontsize=8)  # fmt: skip
    axes.set_ylim(1, top)
    axes.set_xlim(-0.6, len(entries) - 0.4)
    axes.grid(visible=False, axis="x")
    unit, size = axis_unit(max(at for at, _, _ in entries))
    labels = [f"{at / size:,.6g}" for at, _, _ in entries]
    axes.set_xticks(range(len(entries)), labels, fontsize=8)
    for tick, (_, _, requested) in zip(axes.get_xticklabels(), entries, strict=True):
        tick.set_color(_ASKED if requested else "black")
    if not alone:
        axes.tick_params(axis="x", labelrotation=45)
        axes.tick_params(axis="y", labelsize=8)
    else:
        axes.set_xlabel(f"power bound ({unit})")
        axes.set_ylabel("speed-up over packed-max\n(%: run time saved)")
