"""Which node type under which cap each workload runs on."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import clipped, percent
from planner.procurement.findings import labels
from planner.procurement.study import ProcurementStudy
from reports.blocks import only
from reports.style import GREY, Picture, draw, rows_high, wrapped

_MOST_MODES = 14
_MOST_WORKLOADS = 30
_LETTERS = 80  # of a head, over the whole width


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if there is a plan with work in it."""
    modes, nodes = allocation(study)
    if not modes or not nodes.any():
        return []
    problem = study.problem
    shares = nodes / np.maximum(nodes.sum(axis=1, keepdims=True), 1e-12)
    cells = (nodes > _NONE).sum(axis=1)
    title = (
        f"{_on_one(int((cells == 1).sum()), int((cells > 0).sum()))}; "
        f"{percent(below_full(study))} of the nodes in use run below their largest cap"
    )
    names = labels(problem)
    largest = [
        f"{problem.workloads[w]}: {percent(float(shares[w].max()))} on "
        f"{names[problem.modes[modes[int(shares[w].argmax())]].offer]}"
        for w in range(len(problem.workloads))
        if nodes[w].any()
    ]
    rows = min(len(problem.workloads), _MOST_WORKLOADS)
    return [
        draw(
            "allocation", "06-allocation", title,
            f"Heat map of nodes by workload and by node type with cap. {'; '.join(largest)}.",
            (7.0, rows_high(rows, 0.2, 1.1, 6.4)),
            lambda figure: _paint(figure, study, modes, nodes),
        )
    ]  # fmt: skip


def _on_one(alone: int, running: int) -> str:
    """How many workloads use one node type under one cap; even the smallest use counts."""
    if not alone:
        return "Every throughput workload is split over several node types or caps"
    if alone == running:
        return "Every throughput workload runs on one node type under one cap"
    return f"{alone} of {running} throughput workloads run on one node type under one cap"


_NONE = 1e-4
"""Fewer mean nodes are none: the tolerance of the program."""
_LEAST = 0.05
"""Fewer mean nodes are shown as less than a tenth."""


def left_out(study: ProcurementStudy) -> str:
    """Workloads and caps for which the figure has no place; empty where it shows all."""
    modes, _ = allocation(study)
    return only(_MOST_WORKLOADS, len(study.problem.workloads), "workloads") + only(
        _MOST_MODES, len(modes), "node types with caps"
    )


def allocation(study: ProcurementStudy) -> tuple[list[int], np.ndarray]:
    """Return the modes in use, and the mean nodes in use, shape ``(workloads, modes in use)``.

    The mean of a workload is over the ratings that ask for it, by their share of the year.
    """
    problem, plan = study.problem, study.plan
    if plan is None:
        return [], np.zeros((len(problem.workloads), 0))
    demanded = problem.demand > 0
    weight = np.where(demanded, np.maximum(problem.energy_weight, 1e-12)[:, None], 0.0)
    weight /= np.maximum(weight.sum(axis=0, keepdims=True), 1e-300)
    mean = np.zeros((len(problem.workloads), len(problem.modes)))
    for rating, at_work in enumerate(plan.at_work):
        for group in at_work:
            mean[group.workload, group.mode] += weight[rating, group.workload] * group.nodes
    used = [int(m) for m in np.flatnonzero((mean > _NONE).any(axis=0))]
    return used, mean[:, used]


def below_full(study: ProcurementStudy) -> float:
    """Share of the working nodes under a cap below the largest of their type."""
    problem = study.problem
    modes, nodes = allocation(study)
    largest: dict[int, float] = {}
    for mode in problem.modes:
        largest[mode.offer] = max(largest.get(mode.offer, 0.0), mode.node_w)
    capped = [problem.modes[m].node_w < largest[problem.modes[m].offer] for m in modes]
    total = float(nodes.sum())
    return float(nodes[:, capped].sum()) / total if total else 0.0


def _paint(figure: Figure, study: ProcurementStudy, modes: list[int], nodes: np.ndarray) -> None:
    axes = figure.subplots()
    problem, names = study.problem, labels(study.problem)
    selected = sorted(np.argsort(-nodes.sum(axis=0), kind="stable")[:_MOST_MODES].tolist())
    rows = min(len(problem.workloads), _MOST_WORKLOADS)
    total = np.maximum(nodes.sum(axis=1, keepdims=True), 1e-12)
    shares = (nodes / total)[:rows, selected]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1.25, aspect="auto")
    for row in range(rows):
        for column, mode in enumerate(selected):
            value = nodes[row, mode]
            if value > _NONE:
                dark = shares[row, column] > 0.75
                axes.text(
                    column, row, _nodes(value),
                    ha="center", va="center", fontsize=8, color="white" if dark else "black",
                )  # fmt: skip
    used = [problem.modes[modes[m]] for m in selected]
    caps = ["" if mode.cap_w is None else f"{mode.cap_w:g} W" for mode in used]
    axes.set_xticks(range(len(selected)), caps, fontsize=8)
    _heads(axes, [names[mode.offer] for mode in used])
    workloads = [clipped(name, 24) for name in problem.workloads[:rows]]
    axes.set_yticks(range(rows), workloads, fontsize=8, parse_math=False)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("mean nodes in use (darker: larger share of the nodes of the workload)")


def _nodes(value: float) -> str:
    """Mean nodes of a cell.

    Examples
    --------
    >>> _nodes(163.7), _nodes(4.04), _nodes(0.02)
    ('164', '4.0', '< 0.1')
    """
    if value < _LEAST:
        return "< 0.1"
    return f"{value:,.0f}" if value >= 9.95 else f"{value:.1f}"


def _heads(axes: Axes, names: list[str]) -> None:
    """The node type once above all of its caps."""
    starts = [i for i, name in enumerate(names) if i == 0 or name != names[i - 1]]
    for start, end in zip(starts, [*starts[1:], len(names)], strict=True):
        wide = max(7, round(_LETTERS * (end - start) / len(names)))
        axes.annotate(
            wrapped(names[start], wide, 3), ((start + end - 1) / 2, -0.5), xytext=(0, 16),
            textcoords="offset points", ha="center", va="bottom", fontsize=8.5,
            annotation_clip=False,
        )  # fmt: skip
        if start:
            axes.axvline(start - 0.5, color=GREY, linewidth=0.8)
