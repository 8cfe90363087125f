"""Slowdown of each application with each partner; the chosen pairs are marked."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.colocation.study import ColocationStudy
from planner.formatting import clipped, percent
from reports.style import Picture, draw

_MOST = 30


def pictures(study: ColocationStudy) -> list[Picture]:
    """One picture, of the applications with the slowest chosen pairs where there are many."""
    kinds = _shown(study)
    side = min(6.4, 2.4 + 0.16 * len(kinds))
    rows = sorted(study.rows, key=lambda row: -max(row["slowdown_a"], row["slowdown_b"]))
    slowest = rows[0]
    worst = max(slowest["slowdown_a"], slowest["slowdown_b"])
    finding = (
        f"The slowest chosen pair is {slowest['a']} with {slowest['b']}: up to {worst:.3g} times "
        "the time alone"
    )
    several = len({*study.plan.problem.kind.tolist()})
    cut = f"; {len(kinds)} of {several} applications" if several > len(kinds) else ""
    alternative = (
        f"Share of its time that the row's application loses to the column's{cut}. Chosen pairs: "
        + "; ".join(f"{row['a']} with {row['b']}" for row in rows[:20])
    )
    return [
        draw("shared_nodes", "01-degradation", finding, alternative, (side + 0.8, side),
             partial(_paint, study=study, kinds=kinds))
    ]  # fmt: skip


def _shown(study: ColocationStudy) -> list[int]:
    """Applications in the order of the request; those of the slowest pairs where there are many."""
    problem = study.plan.problem
    kinds = list(dict.fromkeys(problem.kind.tolist()))
    if len(kinds) <= _MOST:
        return kinds
    slowest = sorted(study.plan.pairs, key=lambda pair: -problem.slowdown[pair])
    first = dict.fromkeys(int(problem.kind[job]) for pair in slowest for job in pair)
    return sorted([*first, *(kind for kind in kinds if kind not in first)][:_MOST])


def _paint(figure: Figure, study: ColocationStudy, kinds: list[int]) -> None:
    axes: Axes = figure.subplots()
    problem = study.plan.problem
    lost = 1.0 - problem.speed[np.ix_(kinds, kinds)]
    image = axes.imshow(np.ma.masked_invalid(lost), cmap="cividis", vmin=min(0.0, np.nanmin(lost)))
    axes.set_facecolor("0.85")
    axes.grid(visible=False)
    place = {kind: index for index, kind in enumerate(kinds)}
    chosen = Counter(
        tuple(sorted((int(problem.kind[a]), int(problem.kind[b])))) for a, b in study.plan.pairs
    )
    for (a, b), count in chosen.items():
        if a in place and b in place:
            for row, column in {(place[a], place[b]), (place[b], place[a])}:
                axes.plot(column, row, "o", markersize=11, color="white", markeredgecolor="black")
                if count > 1:
                    axes.annotate(str(count), (column, row), ha="center", va="center", fontsize=8)
    name = {int(kind): job for kind, job in zip(problem.kind, problem.names, strict=True)}
    labels = [clipped(name[kind], 16) for kind in kinds]
    axes.set_xticks(range(len(kinds)), labels, rotation=90, fontsize=8, parse_math=False)
    axes.set_yticks(range(len(kinds)), labels, fontsize=8, parse_math=False)
    axes.set_xlabel("partner")
    axes.set_ylabel("application")
    bar = figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("share of the application's time lost")
    bar.ax.yaxis.set_major_formatter(lambda value, _: percent(value, places=0))
