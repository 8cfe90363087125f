"""Slowdown of each application with each partner; the chosen pairs are marked."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from numpy.typing import NDArray

from planner.formatting import clipped, percent
from planner.sharing_nodes.pairs.study import ColocationStudy
from reports.style import Picture, draw

Floats = NDArray[np.float64]

_MOST = 30
_WRITTEN = 12
"""Applications up to which each field has its number."""
_UPRIGHT = 40
"""Letters of all names below the map up to which they are upright."""
_DARK = 0.5
"""Share of the scale below which a field is dark."""
_CHOSEN: dict[str, Any] = {"fill": False, "edgecolor": "#D55E00", "linewidth": 2.2}
_BOX: dict[str, Any] = {"bbox": {"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none"}}


def pictures(study: ColocationStudy) -> list[Picture]:
    """One picture, of the applications with the slowest chosen pairs where there are many."""
    kinds = _shown(study)
    side = min(5.2, 3.8 + 0.1 * len(kinds))
    rows = sorted(study.rows, key=lambda row: -max(row["slowdown_a"], row["slowdown_b"]))
    slowest = rows[0]
    worst = max(slowest["slowdown_a"], slowest["slowdown_b"])
    finding = (
        f"The slowest chosen pair is {slowest['a']} with {slowest['b']}: up to {worst:.3f} times "
        "the time alone"
    )
    several = len({*study.plan.problem.kind.tolist()})
    cut = f"; {len(kinds)} of {several} applications" if several > len(kinds) else ""
    alternative = (
        f"Share of its time that the row's application loses to the column's{cut}. Chosen pairs: "
        + "; ".join(f"{row['a']} with {row['b']}" for row in rows[:20])
    )
    return [
        draw("degradation", "01-degradation", finding, alternative, (min(6.8, side + 1.3), side),
             partial(paint, study=study, kinds=kinds))
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


def paint(figure: Figure, study: ColocationStudy, kinds: list[int]) -> None:
    """Shares of lost speed as fields, with the chosen pairs framed."""
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
                axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, **_CHOSEN))
                if count > 1:
                    at = (column + 0.4, row - 0.4)
                    axes.annotate(f"{count} x", at, ha="right", va="top", fontsize=8, **_BOX)
    if len(kinds) <= _WRITTEN:
        _write(axes, lost)
    name = {int(kind): job for kind, job in zip(problem.kind, problem.names, strict=True)}
    labels = [clipped(name[kind], 16) for kind in kinds]
    rotation = 0 if len(kinds) * max(map(len, labels)) <= _UPRIGHT else 90
    axes.set_xticks(range(len(kinds)), labels, rotation=rotation, fontsize=8, parse_math=False)
    axes.set_yticks(range(len(kinds)), labels, fontsize=8, parse_math=False)
    axes.set_xlabel("partner")
    axes.set_ylabel("application")
    bar = figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("speed lost next to the partner")
    keys = [Patch(label="chosen pair", **_CHOSEN)]
    if np.isnan(lost).any():
        keys.append(Patch(facecolor="0.85", label="not measured"))
    axes.legend(handles=keys, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    bar.ax.yaxis.set_major_formatter(lambda value, _: percent(value, places=0))


def _write(axes: Axes, lost: Floats) -> None:
    """Write each measured share into its field."""
    least, most = min(0.0, float(np.nanmin(lost))), float(np.nanmax(lost))
    for (row, column), value in np.ndenumerate(lost):
        if np.isfinite(value):
            dark = value - least < _DARK * (most - least)
            axes.annotate(
                percent(value, places=0), (column, row), ha="center", va="center", fontsize=8,
                color="white" if dark else "black",
            )  # fmt: skip
