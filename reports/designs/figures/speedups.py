"""Both designs for every application, under both readings of "faster by r_p"."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.designs.study import DesignStudy
from planner.formatting import clipped, words
from reports.numbers import fixed
from reports.style import BLUE, GREY, ORANGE, VERMILLION, Picture, draw


def pictures(study: DesignStudy) -> list[Picture]:
    """One picture, if the designs were compared."""
    if study.decision is None:
        return []
    first = study.overprovisioning[0]
    gaining = list(study.decision.gaining)
    gain = words(gaining) if gaining else "no application"
    verb = "gains" if len(gaining) <= 1 else "gain"
    only = "Only " if 0 < len(gaining) < len(study.overprovisioning) else ""
    title = (
        f"{only}{gain} {verb} from {first.nodes_overprovisioned} older nodes instead of "
        f"{first.nodes_worst_case} high-end ones"
    )
    title = title[0].upper() + title[1:]
    listed = "; ".join(
        f"{c.application} {fixed(c.speedup, 4)}"
        + (f" ({fixed(o.speedup, 4)} under the other reading)" if o else "")
        for c, o in zip(study.overprovisioning, study.other_reading, strict=True)
    )
    alternative = (
        f"Speedup of the overprovisioned over the worst-case design per application: {listed}. "
        "Above 1, overprovisioning is faster."
    )
    height = min(8.5, 1.3 + 0.42 * len(study.overprovisioning))
    return [
        draw(
            "speedups", "01-speedups", title, alternative, (6.6, height), lambda f: _paint(f, study)
        )
    ]


def _paint(figure: Figure, study: DesignStudy) -> None:
    axes = figure.subplots()
    rows = range(len(study.overprovisioning))
    names = [clipped(c.application) for c in study.overprovisioning]
    here = [c.speedup for c in study.overprovisioning]
    other = [float("nan") if c is None else c.speedup for c in study.other_reading]
    axes.hlines(rows, here, other, color=GREY, linewidth=1.0, zorder=2)
    reading = study.cases[0].speed_ratio
    other_reading = study.decision.other_reading if study.decision else ""
    axes.scatter(here, rows, color=BLUE, s=46, zorder=3, label=f"time ratio {reading} (decides)")
    axes.scatter(
        other, rows, facecolors="white", edgecolors=ORANGE, linewidths=1.6, s=42, marker="s",
        zorder=3, label=f"time ratio {other_reading}",
    )  # fmt: skip
    axes.axvline(1.0, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
    axes.set_yticks(list(rows), names, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel("speedup s_ovp of overprovisioning (break-even at 1)")
    figure.legend(loc="outside upper left", ncols=2)
