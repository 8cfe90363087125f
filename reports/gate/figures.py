"""Figures of the gate: risk over coverage, and a map of its decisions."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from planner.colocation.gate.trial_study import OURS, GateDecision, GateTrial
from planner.formatting import percent, plural
from reports.style import BLUE, GREY, ORANGE, PURPLE, Picture, draw, look

_KINDS = (
    ("share", "share", BLUE),
    ("separated", "share, but ended early", PURPLE),
    ("wait", "wait", ORANGE),
    ("abstain", "abstain: unlike any known", GREY),
)
_STYLES = ("-", "--", ":")
_SHORT = {"share": "share", "separated": "ended", "wait": "wait", "abstain": "abstain"}
_WIDTH = 6.8
_MOST_WRITTEN = 12
"""Applications up to which each field has its decision in words."""


def pictures(study: GateTrial) -> list[Picture]:
    """Worst makespan and gain over coverage; and the decisions at the highest rank count."""
    ranks, rows = _mapped(study)
    side = 1.2 + 0.55 * len(study.applications)
    return [
        draw("risk_coverage", "01-risk-coverage", _finding(study), _curve_text(study), (6.8, 4.4),
             partial(_draw_curves, study=study)),
        draw("decisions", "02-decisions",
             _decided(rows, ranks),
             "Simulated makespan of each pair in the first seed; "
             + "; ".join(f"{row.left_out} with {row.partner}: {row.decision}" for row in rows),
             (max(_WIDTH, side + 2.6), side), partial(_draw_map, study=study, rows=rows)),
    ]  # fmt: skip


def _finding(study: GateTrial) -> str:
    point, best = study.point, study.best_level
    saved = f"The tested gate (dot) achieves {percent(max(0.0, point.gain))} of the oracle's saving"
    if best is None:
        return f"{saved}; no tested quantile saves time within the limit"
    if best[1].gain <= point.gain and point.worst <= study.rule.limit:
        return f"{saved}, the most of the tested quantiles within the limit"
    return (
        f"{saved}; within the limit, the best quantile ({percent(best[0])}) achieves "
        f"{percent(best[1].gain)}"
    )


def _decided(rows: list[GateDecision], ranks: int) -> str:
    share = sum(row.decision in {"share", "separated"} for row in rows)
    abstain = sum(row.decision == "abstain" for row in rows)
    return (
        f"At {ranks} ranks, {share} of {plural(len(rows), 'pair')} share cores; the gate abstains "
        f"from {abstain}"
    )


def _curve_text(study: GateTrial) -> str:
    point = study.point
    return (
        f"Worst makespan, and share of the oracle's saving, by share of pairs admitted; "
        f"simulated, {plural(study.seeds, 'seed')}. At the chosen quantile: "
        f"{percent(point.coverage)} of pairs, worst {point.worst:.2f}, saving "
        f"{percent(point.gain)}."
    )


def _draw_curves(figure: Figure, study: GateTrial) -> None:
    left, right = figure.subplots(1, 2, sharex=True)
    for number, curve in enumerate(study.curves):
        points = curve.points(study.rule.limit)
        coverage = [100 * point.coverage for point in points]
        style = {"color": look(number)[0], "linestyle": _STYLES[number % len(_STYLES)]}
        left.step(
            coverage, [point.worst for point in points], where="post", label=curve.gate, **style
        )
        right.plot(coverage, [100 * point.gain for point in points], label=curve.gate, **style)
    chosen = study.point
    left.plot(100 * chosen.coverage, chosen.worst, "o", color="black", markersize=4)
    right.plot(100 * chosen.coverage, 100 * chosen.gain, "o", color="black", markersize=4,
               label=f"tested setting ({percent(study.rule.level)})")  # fmt: skip
    left.axhline(study.rule.limit, color="0.4", linewidth=1, linestyle=":")
    left.set_ylabel("worst makespan (1: one after the other)")
    loses = any(
        point.gain < 0 for curve in study.curves for point in curve.points(study.rule.limit)
    )
    below = "\n(below 0: probes cost more than sharing saves)" if loses else ""
    right.set_ylabel(f"share of the oracle's saving (%){below}")
    if loses:
        right.axhline(0, color="0.4", linewidth=1, linestyle=":")
    for axes in (left, right):
        axes.set_xlabel("share of pairs admitted (%)")
    left.annotate(
        "limit", (1, study.rule.limit), xycoords=("axes fraction", "data"), xytext=(-3, 3),
        textcoords="offset points", ha="right", va="bottom", fontsize=8,
    )  # fmt: skip
    figure.legend(*right.get_legend_handles_labels(), loc="outside upper center", ncols=2)


def _mapped(study: GateTrial) -> tuple[int, list[GateDecision]]:
    rows = [decision for decision in study.of(OURS) if decision.seed == study.first_seed]
    most = max(row.ranks for row in rows)
    return most, [row for row in rows if row.ranks == most]


def _draw_map(figure: Figure, study: GateTrial, rows: list[GateDecision]) -> None:
    axes: Axes = figure.subplots()
    index = {name: number for number, name in enumerate(study.applications)}
    kinds = [kind for kind, _, _ in _KINDS]
    written = len(index) <= _MOST_WRITTEN
    values = np.full((len(index), len(index)), np.nan)
    for row in rows:
        at = index[row.left_out], index[row.partner]
        values[at] = kinds.index(row.decision)
        mark = "*" if row.probed else ""
        axes.annotate(
            f"{row.measured:.2f}{mark}" + (f"\n{_SHORT[row.decision]}" if written else ""),
            (at[1], at[0]),
            ha="center",
            va="center",
            fontsize=8,
            color="black" if row.decision == "wait" else "white",
        )
    colours = ListedColormap([colour for _, _, colour in _KINDS])
    axes.imshow(values, cmap=colours, vmin=-0.5, vmax=len(_KINDS) - 0.5)
    axes.grid(visible=False)
    names = list(study.applications)
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("partner")
    axes.set_ylabel("unknown application")
    found = {row.decision for row in rows}
    legend = [Patch(color=colour, label=text) for kind, text, colour in _KINDS if kind in found]
    legend.append(Patch(color="none", label="number: simulated makespan"))
    if any(row.probed for row in rows):
        legend.append(Patch(color="none", label="*: after a test run (probe)"))
    axes.legend(handles=legend, loc="upper left", bbox_to_anchor=(1, 1))
