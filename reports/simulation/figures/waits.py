"""How many jobs wait how long: the share above each wait and each slowdown, by policy."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from planner.formatting import given_time, own_unit
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.job_measures import bounded_slowdown
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import longest, slowdown
from reports.figures.axes import look, short_number, waits_axis
from reports.simulation.policy_looks import part
from reports.simulation.series import Floats, tail
from reports.style import Picture, draw

_NONE = 1e-12
"""A share that no logarithmic axis shows, in place of 0."""


def pictures(study: SimulationStudy) -> list[Picture]:
    """One picture."""
    text = "; ".join(
        f"{in_prose(measure.policy)}: median {own_unit(measure.wait_s.median)}, 90th percentile "
        f"{own_unit(measure.wait_s.p90)}, 99th percentile {own_unit(measure.wait_s.p99)}, longest "
        f"{own_unit(measure.wait_s.largest)}"
        + (f", bounded slowdown {slowdown(measure.bounded_slowdown.mean)} on average"
           if measure.bounded_slowdown else "")
        for measure in study.measures if measure.wait_s
    )  # fmt: skip
    height = 2.7 if len(study.measures) > 1 else 3.8  # without the table of policies on page 1
    alternative = f"Share of jobs that wait longer. {text}."
    return [
        draw("waits", "01-waits", finding(study), alternative, (6.8, height),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: SimulationStudy) -> str:
    """Who waits at all, and how long one in a hundred does."""
    order = study.ranking
    ends = dict.fromkeys((order[0], order[-1]))
    parts = []
    for policy in ends:
        measures, counted = study.measures[policy], study.counted[policy]
        if measures.wait_s:
            pass_s = study.pass_s(policy)
            waiting = float((counted.wait_s > pass_s).mean())
            more = f" longer than one scheduling pass ({given_time(pass_s)})" if pass_s else ""
            text = f"{part(waiting)} of the jobs wait{more} and " if waiting else ""
            text += longest(measures.wait_s, measures.jobs)
            parts.append(f"{in_prose(measures.policy)} {text}")
    return "; under ".join([f"Under {parts[0]}", *parts[1:]])


def paint(figure: Figure, study: SimulationStudy) -> None:
    """Waits on the left, bounded slowdowns on the right."""
    left, right = figure.subplots(1, 2, sharey=True)
    longest, worst = 1.0, 10.0
    for policy in study.ranking:
        counted = study.counted[policy]
        name = in_prose(study.measures[policy].policy)
        slowed = bounded_slowdown(counted)
        longest, worst = max(longest, counted.wait_s.max()), max(worst, slowed.max())
        _curve(left, policy, name, *tail(counted.wait_s.astype(float)), begin=-1.0)
        _curve(right, policy, name, *tail(slowed), begin=0.9)
    smallest = min(1 / len(waits) for waits in study.counted if len(waits))
    left.set_yscale("log")
    left.set_ylim(smallest / 1.5, 1.4)
    left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    left.yaxis.set_minor_locator(NullLocator())
    waits_axis(left, "x", longest)
    right.set_xscale("log")
    right.set_xlim(0.9, 1.5 * worst)
    right.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
    right.xaxis.set_minor_locator(NullLocator())
    left.set_ylabel("share of jobs above (log)")
    left.set_xlabel("wait (linear up to 1 s, then log)")
    right.set_xlabel("bounded slowdown")
    handles, labels = left.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=study.ranking.__getitem__)
    figure.legend([handles[k] for k in order], [labels[k] for k in order],
                  loc="outside upper left", ncols=4, handlelength=3)  # fmt: skip


def _curve(
    axes: Axes, policy: int, name: str, values: Floats, larger: Floats, *, begin: float
) -> None:
    """Steps from 100 % left of the least value down to the largest."""
    colour, dashes, _ = look(policy)
    x = np.concatenate([[begin], values])
    y = np.concatenate([[1.0], np.maximum(larger, _NONE)])
    axes.step(x, y, where="post", color=colour, linestyle=dashes, linewidth=1.5, label=name)
