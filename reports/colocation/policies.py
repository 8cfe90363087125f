"""Gain of each way of pairing, and the slowdown of its slowest job."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import percent, telling
from planner.sharing_nodes.pairs.outcome import PairingOutcome
from planner.sharing_nodes.pairs.study import ColocationStudy, policy_text
from reports.style import BLUE, GREY, ORANGE, VERMILLION, Picture, draw, rows_high

_MARKERS = "osD^vP*Xhd"
_SAME = 0.0005
"""Gains that differ by a smaller share look the same in print."""
_LINE, _BETWEEN = 0.075, 0.06
"""Height of a line next to the figure, and what separates two labels, as shares of the axis."""
_NEAR = 0.02
"""Share of an axis below which two markers lie on each other."""
_LABELS = 1.05
"""Where the labels next to the figure begin, as a share of the axis."""
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
        return f"The slowest job takes {study.plan.max_slowdown:.3f} times its time alone"
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
    axes.margins(x=0.06, y=0.1)
    groups = sorted(_alike(study), key=lambda rows: -rows[0].gain)
    for number, (rows, top) in enumerate(labelled(axes, groups)):
        point = rows[0]
        colour = BLUE if any(row.policy == "matching" for row in rows) else "black"
        axes.plot([point.max_slowdown], [point.gain], _MARKERS[number % len(_MARKERS)],
                  markersize=6, color=colour, zorder=3)  # fmt: skip
        axes.annotate(
            "\n".join(_named(row.policy) for row in rows), (point.max_slowdown, point.gain),
            xytext=(_LABELS, top), textcoords="axes fraction", va="top", fontsize=8, color=colour,
            arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "relpos": (0, 1)},
        )  # fmt: skip
    axes.set_xlabel("largest slowdown (time together over time alone)")
    axes.set_ylabel("gain (nodes of work)")


def _alike(study: ColocationStudy) -> list[list[PairingOutcome]]:
    """Ways of pairing whose markers would lie on each other, the recommended one first."""
    every = [
        row
        for row in sorted(study.outcomes, key=lambda row: row.policy != "matching")
        if row.policy != "none" and row.note != "predicted from pairs"
    ]
    slow = [row.max_slowdown for row in every] + [point.limit for point in study.frontier]
    gains = [row.gain for row in every] + [point.gain for point in study.frontier]
    wide, high = (_NEAR * (max(values) - min(values)) for values in (slow, gains))
    groups: list[list[PairingOutcome]] = []
    for row in every:
        for rows in groups:
            first = rows[0]
            near = abs(row.max_slowdown - first.max_slowdown) <= wide
            if near and abs(row.gain - first.gain) <= high:
                rows.append(row)
                break
        else:
            groups.append([row])
    return groups


def labelled(
    axes: Axes, groups: list[list[PairingOutcome]]
) -> list[tuple[list[PairingOutcome], float]]:
    """The groups with the heights of their labels, in an order in which no lines to them cross."""
    axes.update_datalim([(rows[0].max_slowdown, rows[0].gain) for rows in groups])
    axes.autoscale_view()
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()

    def at(rows: list[PairingOutcome]) -> tuple[float, float]:
        point = rows[0]
        return (point.max_slowdown - left) / (right - left), (point.gain - low) / (high - low)

    def tops() -> list[float]:
        heights = [_LINE * len(rows) + _BETWEEN for rows in order]
        return [1.0 - sum(heights[:index]) for index in range(len(order))]

    order = list(groups)
    for _ in order:
        for index in range(len(order) - 1):
            (upper, lower), (top, bottom) = order[index : index + 2], tops()[index : index + 2]
            (x, y), (u, v) = at(upper), at(lower)
            there = max(x, u)  # where the line that begins last does so
            above = y + (top - y) * (there - x) / (_LABELS - x)
            below = v + (bottom - v) * (there - u) / (_LABELS - u)
            if above < below:
                order[index : index + 2] = [lower, upper]
    return list(zip(order, tops(), strict=True))


def _named(policy: str) -> str:
    return "matching (recommended)" if policy == "matching" else policy_text(policy)
