"""Figures of a day with shared nodes: who pays less, and who is done sooner."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.figure import Figure

from planner.sharing_nodes.queue_bills.explanation import means_by_rule, turnarounds
from planner.sharing_nodes.queue_bills.study import QueuePriceStudy
from planner.sharing_nodes.queue_bills.tables import rule_text
from reports.style import Picture, draw, look, plain_log_labels


def pictures(study: QueuePriceStudy) -> list[Picture]:
    """Return the rules, and bills and turnarounds by user, before and after."""
    table = study.comparison.users[study.best.rule]
    if len(table) < 2:
        return [_overview(study)]
    ours = table.after_su["Headroom"]
    less = int((ours < table.before_su).sum())
    sooner = int((table.turnaround_after_s < table.turnaround_before_s).sum())
    return [
        _overview(study),
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


def _overview(study: QueuePriceStudy) -> Picture:
    ours, today = turnarounds(study)
    jobs = "On the day" if study.replications is None else "Over all mappings"
    return draw(
        "overview",
        "00-rules",
        f"{jobs}, mean turnaround is {ours} with shared nodes and {today} with whole nodes",
        "Mean wait and run time, and node-hours, by rule for sharing nodes; simulated.",
        (6.8, 0.9 + 0.42 * len(study.comparison.outcomes)),
        partial(_draw_overview, study=study),
    )


def _draw_overview(figure: Figure, study: QueuePriceStudy) -> None:
    times, hours = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    outcomes = means_by_rule(study)[::-1]
    wait, turnaround, used = (
        np.array([outcome["measures"][name] for outcome in outcomes])
        for name in ("mean_wait_s", "mean_turnaround_s", "node_hours")
    )
    scale, unit = (3600.0, "h") if turnaround.max() > 7200 else (60.0, "min")
    at = np.arange(len(outcomes))
    times.barh(at, wait / scale, color=look(1)[0], height=0.6, label="mean wait")
    times.barh(at, (turnaround - wait) / scale, left=wait / scale, color=look(0)[0], height=0.6,
               hatch="//", edgecolor="white", label="mean run time")  # fmt: skip
    hours.barh(at, used, color=look(2)[0], height=0.6)
    for axes, ends, texts in (
        (times, turnaround / scale, [f"{value:.2f}" for value in turnaround / scale]),
        (hours, used, [f"{value:,.0f}" for value in used]),
    ):
        for index, (end, text) in enumerate(zip(ends, texts, strict=True)):
            axes.annotate(text, (end, index), (3, 0), va="center", fontsize=8,
                          textcoords="offset points")  # fmt: skip
        axes.set_xlim(0, 1.18 * max(ends))
    times.set_yticks(at, [rule_text(outcome["rule"]) for outcome in outcomes])
    jobs = "jobs of the day" if study.replications is None else "all jobs"
    times.set_xlabel(f"mean turnaround, {jobs} ({unit})")
    hours.set_xlabel("node-hours, all jobs")
    figure.legend(*times.get_legend_handles_labels(), loc="outside upper center", ncols=2)


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
        axes.step(ratios, share, where="post", color=look(index)[0], label=label,
                  linestyle=("-", "--", "-.")[index])  # fmt: skip
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
