"""Gain of each way of pairing, and the slowdown of its slowest job."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.colocation.outcome import PairingOutcome
from planner.colocation.study import ColocationStudy, policy_text
from planner.formatting import percent, telling
from reports.style import BLUE, GREY, ORANGE, VERMILLION, Picture, draw, rows_high

_MARKERS = "osD^vP*Xhd"
_SAME = 0.0005
"""Gains that differ by a smaller share look the same in print."""
_LINE, _BETWEEN = 0.075, 0.06
"""Height of a line next to the figure, and what separates two labels, as shares of the axis."""
_INSIDE = 0.25
"""Share of the axis from which on a bar has room for its number."""


def pictures(study: ColocationStudy) -> list[Picture]:
    """Gains with the proven limit; and gain against the largest slowdown."""
    rows = [row for row in study.outcomes if row.note != "predicted from pairs"]
    text = "; ".join(f"{policy_text(row.policy)} {telling(row.gain, 3)}" for row in rows)
    slow = "; ".join(f"{policy_text(row.policy)} {row.max_slowdown:.3g}" for row in rows)
    return [
        draw("policies", "02-policies", _finding(study), f"Gain in nodes: {text}.",
             (6.4, rows_high(len(rows), 0.2)), partial(_bars, study=study)),
        draw("gain_and_slowdown", "03-gain-and-slowdown", _trade(study),
             f"Largest slowdown: {slow}.", (6.4, 2.9), partial(scatter, study=study)),
    ]  # fmt: skip


def _finding(study: ColocationStudy) -> str:
    gains = {row.policy: row.gain for row in study.outcomes}
    first = gains["first fit"]
    if first <= 0:
        return "The optimal matching gains work, and first fit none"
    more = study.plan.gain / first - 1
    if more < _SAME:
        return "First fit gains as much as the optimal matching"
    return f"The optimal matching gains {percent(more)} more than first fit"


def _trade(study: ColocationStudy) -> str:
    rows = [row for row in study.outcomes if row.policy == "bottleneck: least slowdown"]
    if not rows:
        return f"The slowest job takes {study.plan.max_slowdown:.3g} times its time alone"
    bottleneck = rows[0]
    best = study.plan.largest_discount
    if best <= 0 or bottleneck.largest_discount >= best:
        return "No pairing with nearly the same throughput slows its slowest job less"
    cut = percent(1 - bottleneck.largest_discount / best)
    return f"The bottleneck matching cuts the largest time loss by {cut} at nearly the same gain"


def _bars(figure: Figure, study: ColocationStudy) -> None:
    axes: Axes = figure.subplots()
    rows = [row for row in study.outcomes if row.note != "predicted from pairs"][::-1]
    colours = [BLUE if row.policy == "matching" else GREY for row in rows]
    axes.barh([policy_text(row.policy) for row in rows], [row.gain for row in rows], color=colours)
    longest = max(abs(row.gain) for row in rows)
    for index, row in enumerate(rows):
        inside = row.gain > _INSIDE * longest
        axes.annotate(
            telling(row.gain, 3),
            (max(row.gain, 0.0), index),
            xytext=(-6 if inside else 4, 0),
            textcoords="offset points",
            ha="right" if inside else "left",
            va="center",
            fontsize=8,
            color="white" if inside else "black",
        )
    bound = study.matching.certificate.bound
    if bound is not None:
        axes.axvline(bound, color=VERMILLION, linestyle="--", linewidth=1.2, label="proven limit")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    axes.set_xlabel("gain (nodes of work)")
    axes.margins(x=0.12)


def scatter(figure: Figure, study: ColocationStudy) -> None:
    """A marker for each result, with the ways of pairing that have it."""
    axes: Axes = figure.subplots()
    if study.frontier:
        axes.step([point.limit for point in study.frontier],
                  [point.gain for point in study.frontier], where="post", color=ORANGE,
                  linewidth=1.2, label="largest gain at each limit")  # fmt: skip
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1))
    alike: dict[tuple[str, str], list[PairingOutcome]] = {}
    for row in study.outcomes:
        if row.policy != "none" and row.note != "predicted from pairs":
            alike.setdefault((f"{row.max_slowdown:.3f}", f"{row.gain:.3f}"), []).append(row)
    groups = sorted(alike.values(), key=lambda rows: -rows[0].gain)
    top = 1.0
    for number, rows in enumerate(groups):
        point = rows[0]
        colour = BLUE if any(row.policy == "matching" for row in rows) else "black"
        axes.plot([point.max_slowdown], [point.gain], _MARKERS[number % len(_MARKERS)],
                  markersize=6, color=colour, zorder=3)  # fmt: skip
        axes.annotate(
            "\n".join(_named(row.policy) for row in rows), (point.max_slowdown, point.gain),
            xytext=(1.05, top), textcoords="axes fraction", va="top", fontsize=8, color=colour,
            arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "relpos": (0, 1)},
        )  # fmt: skip
        top -= _LINE * len(rows) + _BETWEEN
    axes.margins(x=0.06, y=0.1)
    axes.set_xlabel("largest slowdown (time together over time alone)")
    axes.set_ylabel("gain (nodes of work)")


def _named(policy: str) -> str:
    return "matching (recommended)" if policy == "matching" else policy_text(policy)
