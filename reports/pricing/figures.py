"""Figures of prices for shared nodes: prices by policy, errors, degradation, cost of measuring."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.figure import Figure

from planner.formatting import percent, plural
from planner.pricing.overhead import Shutter, dilation, dilation_limit
from planner.pricing.result import PriceResult
from planner.pricing.scoring import EstimatorScore
from planner.pricing.shutters import LENGTHS_US
from planner.pricing.study import PriceStudy
from planner.pricing.tables import POLICIES
from reports.style import Picture, draw, look, plain_log_labels

_MARKERS = "osD^vP*X"
_MOST_VALUES = 16
"""Applications up to which each cell of a heat map shows its value."""


def pictures(study: PriceStudy) -> list[Picture]:
    """Every figure: those of prices first."""
    result = study.result
    figures = [_prices(result), _errors(result), _degradation(result), _overhead(result)]
    if len(result.frontier) > 1:
        figures.append(_frontier(result))
    return figures


def _prices(result: PriceResult) -> Picture:
    today = result.fairness["state-of-practice"]
    return draw(
        "prices",
        "01-prices",
        "Billed by run time, jobs pay up to "
        f"{percent(-today.least_discount)} more because others slow them down",
        "Price relative to running alone, for all pairs; dot: mean, band: smallest to largest, "
        f"tick: 95 % of jobs pay more than this; {plural(len(result.seeds), 'seed')}; simulated.",
        (6.8, 2.8),
        partial(_draw_prices, result=result),
    )


def _draw_prices(figure: Figure, result: PriceResult) -> None:
    axes = figure.subplots()
    rows = result.price_rows()
    for index, row in enumerate(reversed(rows)):
        colour = look(len(rows) - 1 - index)[0]
        mean, tick, low, high = (
            100 * (1 - discount)
            for discount in (row.mean_discount, row.p95_discount, row.max_discount,
                             row.min_discount)
        )  # fmt: skip
        axes.hlines(index, low, high, color=colour, linewidth=5, alpha=0.35)
        axes.plot([mean], [index], "o", color=colour, markersize=7)
        axes.plot([tick], [index], "|", color=colour, markersize=12)
    axes.axvline(100, color="0.4", linewidth=1, linestyle=":")
    axes.set_yticks(range(len(rows)), [POLICIES[row.policy] for row in reversed(rows)])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel(
        "price relative to running alone (%)\n"
        "dot: mean; band: smallest to largest; tick: 95 % of jobs pay more than this"
    )


def _errors(result: PriceResult) -> Picture:
    poppa, ours = result.poppa_score, result.our_score
    base = f", POPPA by at most {_largest(poppa)}" if poppa is not None else ""
    return draw(
        "estimators",
        "02-errors",
        f"Headroom is wrong by at most {_largest(ours)} for a pair{base}",
        "Mean error of predicted run time with the partner, over seeds; row: application, column: "
        "its partner; red: degradation over-predicted; simulated.",
        (6.8, 2.65),
        partial(_draw_errors, result=result),
    )


def _largest(score: EstimatorScore) -> str:
    return percent(float(np.abs(score.errors).max()), places=1)


def _draw_errors(figure: Figure, result: PriceResult) -> None:
    shown = [one for one in (result.poppa_score, result.our_score) if one is not None]
    axes = figure.subplots(1, len(shown), squeeze=False)[0]
    most = max(float(np.abs(one.errors).max()) for one in shown)
    for ax, one in zip(axes, shown, strict=True):
        image = ax.imshow(one.errors, cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto")
        ours = one is result.our_score
        ax.set_title("Headroom" if ours else "POPPA's Algorithm 4", fontsize=9)
        _name_cells(ax, result.applications, rows=ax is axes[0])
        if ax is axes[0]:
            ax.set_ylabel("application")
        ax.set_xlabel("partner")
    bar = figure.colorbar(image, ax=list(axes), format=lambda value, _at: f"{100 * value:+.0f} %")
    bar.set_label("error of predicted run time\nwith the partner", fontsize=8)
    bar.ax.tick_params(labelsize=8)


def _degradation(result: PriceResult) -> Picture:
    worst = np.unravel_index(result.degradation.argmax(), result.degradation.shape)
    own, other = (result.applications[index] for index in worst)
    return draw(
        "applications",
        "03-degradation",
        f"{own} loses most speed, {percent(float(result.degradation[worst]))}, when it shares a "
        f"node with {_another(own, other)}",
        "True degradation, 1 - T_solo/T_co; row: application, column: its partner; simulated.",
        (6.8, 1.1 + 0.26 * len(result.applications)),
        partial(_draw_degradation, result=result),
    )


def _another(own: str, other: str) -> str:
    return f"another {other}" if own == other else other


def _draw_degradation(figure: Figure, result: PriceResult) -> None:
    axes = figure.subplots()
    image = axes.imshow(result.degradation, cmap="viridis_r", vmin=0, aspect="auto")
    _name_cells(axes, result.applications, rows=True)
    if len(result.applications) <= _MOST_VALUES:
        middle = 0.5 * float(result.degradation.max())
        for (row, column), value in np.ndenumerate(result.degradation):
            axes.text(column, row, f"{100 * value:.0f}", ha="center", va="center", fontsize=8,
                      color="white" if value > middle else "black")  # fmt: skip
    axes.set_xlabel("partner")
    axes.set_ylabel("application")
    bar = figure.colorbar(image, ax=axes, format=lambda value, _at: f"{100 * value:.0f}")
    bar.set_label("share of its speed lost (%)")


def _name_cells(axes: object, names: tuple[str, ...], *, rows: bool) -> None:
    axes.grid(visible=False)  # type: ignore[attr-defined]
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=8)  # type: ignore[attr-defined]
    shown = names if rows else [""] * len(names)
    axes.set_yticks(range(len(names)), shown, fontsize=8)  # type: ignore[attr-defined]


def _overhead(result: PriceResult) -> Picture:
    given = result.shutter
    return draw(
        "overhead_by_length",
        "04-overhead",
        "Longer measurements cost more: overhead rises towards "
        f"{percent(dilation_limit(given.jobs))} with {given.jobs} jobs on the node "
        f"(P = {given.gap_us / 1e3:,g} ms)",
        f"Overhead by equation 10 with P = {given.gap_us / 1e3:,g} ms; dotted: its limit; cross: "
        "the setting in use.",
        (5.6, 3.0),
        partial(_draw_overhead, result=result),
    )


def _draw_overhead(figure: Figure, result: PriceResult) -> None:
    axes = figure.subplots()
    given = result.shutter
    for index, jobs in enumerate((2, 3, 4)):
        colour = look(index)[0]
        values = [
            100 * dilation(Shutter(length, given.gap_us, given.repeats, jobs, 0.0, given.literal))
            for length in LENGTHS_US
        ]
        axes.plot(np.array(LENGTHS_US) / 1e3, values, "-", color=colour, marker=_MARKERS[index],
                  markersize=4, label=f"{jobs} jobs on the node")  # fmt: skip
        axes.axhline(100 * dilation_limit(jobs), color=colour, linestyle=":", linewidth=0.8)
    axes.plot([], [], ":", color="0.3", linewidth=0.8, label="limits for long measurements")
    axes.plot([given.measure_us / 1e3], [100 * dilation(given)], "P", color="black", markersize=8,
              label=f"in use: S = {given.measure_us / 1e3:,g} ms")  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    plain_log_labels(axes.xaxis)
    plain_log_labels(axes.yaxis)
    axes.set_xlabel("length of a measurement, S (ms)")
    axes.set_ylabel("overhead (%)")
    axes.legend(fontsize=8)


def _frontier(result: PriceResult) -> Picture:
    chosen, in_use = result.chosen, result.in_use
    return draw(
        "frontier",
        "05-frontier",
        f"At most {percent(chosen.overhead)} overhead allows a random price error of "
        f"{percent(chosen.price_error, places=2)}; the setting in use has "
        f"{percent(in_use.price_error, places=2)}",
        "Smallest random price error (root mean square over the site's job mix) at each overhead; "
        "crosses: best within the accepted overhead, and the setting in use.",
        (5.6, 2.8),
        partial(_draw_frontier, result=result),
    )


def _draw_frontier(figure: Figure, result: PriceResult) -> None:
    axes = figure.subplots()
    axes.plot([100 * point.overhead for point in result.frontier],
              [100 * point.price_error for point in result.frontier], "-o", color=look(0)[0],
              markersize=4)  # fmt: skip
    axes.plot([100 * result.chosen.overhead], [100 * result.chosen.price_error], "X",
              color=look(1)[0], markersize=9,
              label="best within the accepted overhead")  # fmt: skip
    axes.plot([100 * result.in_use.overhead], [100 * result.in_use.price_error], "P",
              color="black", markersize=8,
              label=f"in use: {percent(result.in_use.overhead, places=2)} overhead")  # fmt: skip
    axes.legend(fontsize=8)
    axes.set_xscale("log")
    plain_log_labels(axes.xaxis)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("overhead (%)")
    axes.set_ylabel("random price error, root mean square (%)")
