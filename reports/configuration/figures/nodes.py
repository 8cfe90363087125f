"""Best time over the node count at fixed bounds: how many nodes pay.

References
----------
Thesis, Figures 4.1 and 4.2.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.degree import Degree, NodeCurve
from planner.configurations.study import ConfigurationStudy
from planner.formatting import given, plural, seconds
from reports.configuration.summary import answers, bound, name, titled
from reports.numbers import fixed
from reports.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILLION,
    Picture,
    draw,
    file_name,
)
from scenarios.measurements.runs import Floats, Indices

_MOST_TICKS = 16
_SEEN = 0.02
"""Times that differ by less than this share coincide in a figure."""
_OTHERS = ((GREY, (0, (4, 2)), "x"), (GREEN, (0, (1, 1.5)), "+"))
"""Lower and higher bound; their marks are above those of the requested one."""


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """One picture per application with several node counts, and one of the mix."""
    made = [
        draw(
            f"nodes {answer.application}",
            file_name(f"nodes {number} {answer.application}", 3),
            titled(answer, _finding(answer)),
            _alternative(answer.node_curve),
            (6.8, 2.45),
            lambda figure, answer=answer: paint(figure, answer),  # type: ignore[misc]
        )
        for number, answer in enumerate(answers(study), 1)
        if not one_count(answer)
    ]
    mix, degree = study.mix, study.mix_degree
    if mix is not None and degree is not None and len(mix.nodes) > 1:
        title = titled(study.answers[0], f"The mix runs {reading(degree)} at {bound(mix.bound_w)}")
        made.append(
            draw("nodes of the mix", "03-nodes-mix", title, _alternative(mix), (6.8, 2.5),
                 lambda figure: paint_mix(figure, mix, degree))
        )  # fmt: skip
    return made


def in_words(answer: ConfigurationAnswer) -> str:
    """How many nodes pay for one application, where that can be said."""
    if one_count(answer):
        count = plural(answer.best.nodes, "node")
        return f"was {_made(answer)} {count} only, so it is unknown how many nodes pay"
    return f"runs {reading(answer.degree)}"


def _made(answer: ConfigurationAnswer) -> str:
    return "run or predicted with" if answer.of_model else "run with"


def one_count(answer: ConfigurationAnswer) -> bool:
    """Whether it was run on one node count only."""
    return len(np.unique(answer.table.nodes)) == 1


def _finding(answer: ConfigurationAnswer) -> str:
    at = bound(answer.question.bound.bound_w)
    return f"{name(answer, 28)} runs {reading(answer.degree)} at {at}"


def reading(degree: Degree) -> str:
    """How many nodes pay, in words."""
    times = degree.degree(degree.fastest_nodes)
    notes = []
    if times is not None and degree.rating_within_measured:
        notes.append(f"{fixed(times, 2)} x the {degree.worst_case_nodes:,} that fit at rated power")
    if degree.marginal_nodes < degree.fastest_nodes:
        notes.append(
            f"beyond {degree.marginal_nodes:,}, a further node saves less than "
            f"{given(degree.least_gain)} of the time"
        )
    if degree.money_nodes is not None:
        notes.append(f"a result is cheapest with {degree.money_nodes:,}")
    text = f"fastest with {plural(degree.fastest_nodes, 'node')}"
    return f"{text} ({'; '.join(notes)})" if notes else text


def _alternative(curve: NodeCurve) -> str:
    pairs = zip(curve.nodes.tolist(), curve.time_s.tolist(), strict=True)
    unit = seconds if curve.best else (lambda value: fixed(value, 3))
    return f"Best time at {bound(curve.bound_w)} by number of nodes: " + ", ".join(
        f"{nodes}: {unit(value)}" for nodes, value in pairs
    )


def paint(figure: Figure, answer: ConfigurationAnswer) -> None:
    """Draw the requested bound, its neighbours, and the configurations of each method."""
    axes = figure.subplots()
    looks = iter(_OTHERS)
    for neighbour in answer.neighbours:
        if neighbour.bound_w is None:
            continue
        curve, label = neighbour.node_curve, f"best at {bound(neighbour.bound_w)}"
        if neighbour.requested:
            axes.plot(curve.nodes, curve.time_s, color=BLUE, marker="^", ms=5, linewidth=1.6,
                      markerfacecolor="white", label=label, zorder=3)  # fmt: skip
        else:
            colour, style, marker = next(looks)
            times = _differing(curve, answer.node_curve)
            if np.isnan(times).all():
                continue
            axes.plot(curve.nodes, times, color=colour, linestyle=style, marker=marker, ms=8,
                      linewidth=1.1, label=f"{label}, if different", zorder=4)  # fmt: skip
    _marks(axes, answer)
    _verticals(axes, answer.degree)
    _finish(axes, "run time (s)", np.unique(answer.table.nodes))
    figure.legend(loc="outside right upper", fontsize=8, handlelength=2.4)


def _differing(curve: NodeCurve, requested: NodeCurve) -> Floats:
    """Times at another bound, without those that look the same at the requested bound.

    Where a differing time follows or precedes an equal one, that is kept as the end of its line.
    """
    own = dict(zip(requested.nodes.tolist(), requested.time_s.tolist(), strict=True))
    pairs = zip(curve.nodes.tolist(), curve.time_s.tolist(), strict=True)
    differs = np.array([abs(own.get(n, np.inf) - time_s) > _SEEN * time_s for n, time_s in pairs])
    near = differs.copy()
    near[1:] |= differs[:-1]
    near[:-1] |= differs[1:]
    return np.where(near, curve.time_s, np.nan)


def _marks(axes: Axes, answer: ConfigurationAnswer) -> None:
    for label, configuration, marker, colour in (
        ("worst case by rating", answer.worst_case.configuration, "s", PURPLE),
        ("packed-max", answer.packed_max, "v", VERMILLION),
        ("best", answer.best, "D", BLUE),
    ):
        if configuration is not None:
            axes.plot([configuration.nodes], [configuration.time_s], marker, color=colour,
                      ms=6.5, ls="", markeredgecolor="black", label=label, zorder=5)  # fmt: skip


def _verticals(axes: Axes, degree: Degree) -> None:
    """Draw a line at each node count, labelled above the frame; labels that meet are merged."""
    labels: dict[int, list[str]] = {}
    knee = 0 if degree.fastest_pays else degree.marginal_nodes
    for nodes, label in (
        (degree.worst_case_nodes, "rating"), (knee, "knee"),
        (degree.money_nodes, "cheapest"), (degree.fastest_nodes, "fastest"),
    ):  # fmt: skip
        low, high = axes.get_xlim()
        if nodes and low <= nodes <= high:
            labels.setdefault(nodes, []).append(label)
    for nodes, words in labels.items():
        axes.axvline(nodes, color=ORANGE, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
        axes.annotate(
            ", ".join(words), (nodes, 1), xycoords=("data", "axes fraction"), xytext=(2, -2),
            textcoords="offset points", fontsize=8, rotation=90, va="top", ha="left",
        )  # fmt: skip


def paint_mix(figure: Figure, mix: NodeCurve, degree: Degree) -> None:
    """Plot the weighted mean time over applications against the number of nodes."""
    axes = figure.subplots()
    axes.plot(mix.nodes, mix.time_s, color=BLUE, marker="^", ms=5, markerfacecolor="white",
              linewidth=1.6)  # fmt: skip
    _verticals(axes, degree)
    _finish(axes, f"time relative to {int(mix.nodes[0])} nodes", mix.nodes)


def _finish(axes: Axes, label: str, counts: Indices) -> None:
    axes.set_ylim(0, 1.12 * axes.get_ylim()[1])  # room for what is written above
    if len(counts) <= _MOST_TICKS and np.diff(counts).min() >= np.ptp(counts) / 24:
        axes.set_xticks(counts)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))
    axes.set_xlabel("nodes")
    axes.set_ylabel(label)
