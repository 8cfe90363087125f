"""Figures of a day with shared nodes: who pays less, and who is done sooner."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.figure import Figure

from planner.pricing.queue_study import QueuePriceStudy
from reports.style import Picture, draw, look, plain_log_labels


def pictures(study: QueuePriceStudy) -> list[Picture]:
    """Return bills and turnarounds by user, before and after."""
    table = study.comparison.users[study.best.rule]
    if len(table) < 2:
        return []
    ours = table.after_su["Headroom"]
    less = int((ours < table.before_su).sum())
    sooner = int((table.turnaround_after_s < table.turnaround_before_s).sum())
    return [
        draw(
            "bills",
            "01-bills",
            f"At Headroom's prices, {_of(less, len(table))} {_pay(less)} less than on whole nodes",
            "Bill of each user with shared nodes relative to whole nodes; simulated.",
            (6.8, 3.0),
            partial(_draw_bills, study=study),
        ),
        draw(
            "rules",
            "02-turnaround",
            f"With shared nodes, {_of(sooner, len(table))} {_get(sooner)} results sooner",
            "Mean turnaround of each user with shared nodes relative to whole nodes; simulated.",
            (6.8, 2.8),
            partial(_draw_turnaround, study=study),
        ),
    ]


def _of(users: int, every: int) -> str:
    return f"all {every:,} users" if users == every else f"{users:,} of {every:,} users"


def _pay(users: int) -> str:
    return "pays" if users == 1 else "pay"


def _get(users: int) -> str:
    return "gets" if users == 1 else "get"


def _draw_bills(figure: Figure, study: QueuePriceStudy) -> None:
    axes = figure.subplots()
    table = study.comparison.users[study.best.rule]
    billed = table.before_su > 0
    for index, name in enumerate(("state of practice", "POPPA", "Headroom")):
        ratios = np.sort(table.after_su[name][billed] / table.before_su[billed])
        share = 100 * np.arange(1, len(ratios) + 1) / len(ratios)
        label = "by run time" if name == "state of practice" else name
        axes.step(ratios, share, where="post", color=look(index)[0], label=label)
    axes.axvline(1, color="0.4", linewidth=1, linestyle=":")
    axes.set_xlabel("bill relative to whole nodes")
    axes.set_ylabel("users up to this value (%)")
    axes.set_ylim(0, 102)
    axes.legend(loc="upper left")


def _draw_turnaround(figure: Figure, study: QueuePriceStudy) -> None:
    axes = figure.subplots()
    table = study.comparison.users[study.best.rule]
    ran = table.turnaround_before_s > 0
    ratios = np.sort(table.turnaround_after_s[ran] / table.turnaround_before_s[ran])
    axes.plot(ratios, 100 * np.arange(1, len(ratios) + 1) / len(ratios), color=look(0)[0])
    axes.axvline(1, color="0.4", linewidth=1, linestyle=":")
    if ratios.max() > 3 * ratios.min():
        axes.set_xscale("log")
        plain_log_labels(axes.xaxis)
    axes.set_xlabel("turnaround relative to whole nodes")
    axes.set_ylabel("users up to this value (%)")
    axes.set_ylim(0, 102)
