"""Both designs for every application, under both readings of "faster by r_p"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.figure import Figure

from planner.designs.phrases import TEMPLATES, meaning
from planner.designs.study import DesignStudy
from planner.formatting import capitalised, clipped, given
from planner.phrases import listed, phrase
from reports.numbers import fixed
from reports.style import BLUE, GREY, ORANGE, VERMILLION, Picture, draw

_t = partial(phrase, TEMPLATES)
_MOST_NAMED = 4


def pictures(study: DesignStudy) -> list[Picture]:
    """One picture, if the designs were compared."""
    if study.decision is None:
        return []
    first = study.overprovisioning[0]
    language, gaining = study.scenario.language, study.decision.gaining
    name = ("none gains", "one gains", "several gain")[min(2, len(gaining))]
    only = "only " if 0 < len(gaining) < len(study.overprovisioning) else ""
    title = _t(
        language,
        f"{only}{name}",
        listed=listed(_few(gaining, language), language),
        older=first.nodes_overprovisioned,
        high_end=first.nodes_worst_case,
    )
    others = {c.application for c in study.other_reading if c is not None and c.beneficial}
    if others and others != set(gaining):
        title = _t(language, "as assumed", finding=title[:1].lower() + title[1:])
    values = "; ".join(
        f"{c.application} {fixed(c.speedup, 4)}"
        + (_t(language, "under other reading", speedup=fixed(o.speedup, 4)) if o else "")
        for c, o in zip(study.overprovisioning, study.other_reading, strict=True)
    )
    alternative = _t(language, "speedups", listed=values)
    height = min(8.5, 1.1 + 0.3 * len(study.overprovisioning))
    return [
        draw(
            "speedups",
            "01-speedups",
            capitalised(title),
            alternative,
            (6.6, height),
            lambda f: _paint(f, study),
        )
    ]


def _few(names: Sequence[str], language: str) -> list[str]:
    """Names, the last ones counted where there are many."""
    if len(names) <= _MOST_NAMED:
        return list(names)
    named = list(names[: _MOST_NAMED - 1])
    return [*named, _t(language, "others", count=len(names) - len(named))]


def marks(study: DesignStudy) -> str:
    """What the marks of run times mean that occur in the tables."""
    found = {c.worst_case_origin for c in study.overprovisioning}
    found |= {c.overprovisioned_origin for c in study.overprovisioning}
    language = study.scenario.language
    origins = ("extrapolated", "clamped")
    return " ".join(_t(language, f"{origin} mark") for origin in origins if origin in found)


def _paint(figure: Figure, study: DesignStudy) -> None:
    axes = figure.subplots()
    rows = range(len(study.overprovisioning))
    names = [clipped(c.application) for c in study.overprovisioning]
    here = [c.speedup for c in study.overprovisioning]
    other = [float("nan") if c is None else c.speedup for c in study.other_reading]
    axes.hlines(rows, here, other, color=GREY, linewidth=1.0, zorder=2)
    language, case = study.scenario.language, study.cases[0]
    gain = given(case.performance_fraction)
    decides = _t(language, "time ratio decides", gain=gain, reading=meaning(case, language))
    otherwise = meaning(case, language, other=True)
    axes.scatter(here, rows, color=BLUE, s=46, zorder=3, label=decides)
    axes.scatter(
        other, rows, facecolors="white", edgecolors=ORANGE, linewidths=1.6, s=42, marker="s",
        zorder=3, label=_t(language, "time ratio", gain=gain, reading=otherwise),
    )  # fmt: skip
    axes.axvline(1.0, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
    axes.set_yticks(list(rows), names, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(_t(language, "speedup axis"))
    figure.legend(loc="outside upper left", ncols=2)
