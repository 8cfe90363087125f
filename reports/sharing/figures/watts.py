"""Power of the jobs by every method, stacked against the bound."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from planner.configurations.sharing.problem import SharingPlan
from planner.configurations.sharing.study import SharingStudy
from planner.formatting import used_share, watts
from reports.configuration.summary import axis_unit, bound
from reports.sharing.groups import JobGroup, applications, groups, jobs_in
from reports.sharing.summary import MOST_APPLICATIONS, jobs, label, numbered, short
from reports.style import GREY, VERMILLION, Picture, draw, look

_MOST_COLOURS = 12
MOST_PARTS = 40
"""With more groups of jobs, an application is one part."""
_LONGEST_NAME = 24
_LEFT_OVER = "#BDBDBD"
_ROOM = 0.05
"""Share of the axis that a part must have for a label."""
_FAR = 2.5
"""Beyond this factor of the largest power a bound lies outside the axis."""


@dataclass(frozen=True)
class BarPart:
    """A part of a bar: which entry of the legend, how many jobs, and their power [W]."""

    entry: int
    text: str
    power_w: float


def pictures(study: SharingStudy) -> list[Picture]:
    """One picture."""
    text = "; ".join(
        f"{label(study, plan)} {watts(plan.power_w)} ({used_share(_used(plan))})"
        for plan in study.plans
    )
    refused = "".join(f"; {name}: no plan" for name in study.shared.refused)
    names = entries(study)
    largest = "; ".join(
        f"{names[part.entry]} {watts(part.power_w)}" for part in parts(study, study.plan)[:12]
    )
    alternative = (
        f"Power by method under {bound(study.problem.bound.bound_w)}: {text}{refused}. Jobs of "
        f"the plan: {largest}."
    )
    rows = len(study.plans) + len(study.shared.refused)
    height = max(0.75 + 0.42 * rows, 0.5 + 0.165 * len(names))
    return [
        draw("watts", "01-watts", finding(study), alternative, (6.8, height),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def _used(plan: SharingPlan) -> float:
    return plan.power_w / plan.problem.bound.bound_w


def finding(study: SharingStudy) -> str:
    """How much of the bound is used."""
    plan = study.plan
    text = f"The plan uses {used_share(_used(plan))} of {bound(plan.problem.bound.bound_w)}"
    others = [f"{rule.method} {used_share(_used(rule))}" for rule in study.plans[1:]]
    return ", ".join([text, *others])


def coloured_jobs(study: SharingStudy) -> bool:
    """Whether every job has a colour of its own; else every application has."""
    return len(study.problem.jobs) <= _MOST_COLOURS


def entries(study: SharingStudy) -> list[str]:
    """Entries of the legend: jobs where they are few, else applications."""
    if coloured_jobs(study):
        return numbered(study, _LONGEST_NAME)
    names = applications(study.plan)
    counts = {name: sum(job.name == name for job in study.problem.jobs) for name in names}
    selected = names if len(names) <= MOST_APPLICATIONS else names[: MOST_APPLICATIONS - 1]
    labels = [f"{short(name, _LONGEST_NAME)} ({jobs(counts[name])})" for name in selected]
    rest = names[len(selected) :]
    if rest:
        remaining = sum(counts[name] for name in rest)
        labels.append(f"{len(rest)} others ({jobs(remaining)})")
    return labels


def parts(study: SharingStudy, plan: SharingPlan) -> list[BarPart]:
    """Parts of one bar, in the order of the legend."""
    if coloured_jobs(study):
        return [
            BarPart(index, str(index + 1), configuration.power_w)
            for index, configuration in enumerate(plan.configurations)
        ]
    names = applications(study.plan)
    last = len(entries(study)) - 1
    made: dict[tuple[int, int], list[JobGroup]] = {}
    in_plan = groups(plan)
    for index, group in enumerate(in_plan):
        entry = min(names.index(group.name), last)
        whole = len(in_plan) > MOST_PARTS or (entry == last and len(names) > MOST_APPLICATIONS)
        made.setdefault((entry, 0 if whole else index), []).append(group)
    return [
        BarPart(entry, f"{jobs_in(alike)} x", sum(group.power_w for group in alike))
        for (entry, _), alike in sorted(made.items(), key=lambda pair: pair[0])
    ]


def _look(study: SharingStudy, entry: int) -> tuple[str, str]:
    """Colour and hatch; what is left over is plain."""
    left_over = not coloured_jobs(study) and len(applications(study.plan)) > MOST_APPLICATIONS
    return (_LEFT_OVER, "") if left_over and entry == MOST_APPLICATIONS - 1 else look(entry)


def paint(figure: Figure, study: SharingStudy) -> None:
    """Draw one bar per method; the gap between its end and the bound is unused power."""
    axes = figure.subplots()
    given_w = study.problem.bound.bound_w
    largest = max(plan.power_w for plan in study.plans)
    right = 1.02 * given_w if given_w <= _FAR * largest else 1.3 * largest
    for row, plan in enumerate(study.plans):
        _bar(axes, study, plan, row, right)
    for row, name in enumerate(study.shared.refused, len(study.plans)):
        axes.annotate(f"{name}: no plan", (0, row), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=8, color=GREY)  # fmt: skip
    names = [label(study, plan) for plan in study.plans] + list(study.shared.refused)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.75)
    axes.set_xlim(0, right)
    unit, size = axis_unit(right)
    axes.xaxis.set_major_formatter(lambda power_w, _: f"{power_w / size:,.6g}")
    axes.set_xlabel(f"power ({unit})")
    axes.grid(visible=False, axis="y")
    _bound_line(axes, study, right)
    handles = []
    for index, name in enumerate(entries(study)):
        colour, hatch = _look(study, index)
        handles.append(Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=name))
    figure.legend(handles=handles, loc="outside right upper", fontsize=8, handlelength=1.4,
                  title="job" if coloured_jobs(study) else "application", title_fontsize=8,
                  alignment="left", labelspacing=0.35)  # fmt: skip


def _bar(axes: Axes, study: SharingStudy, plan: SharingPlan, row: int, right: float) -> None:
    left = 0.0
    for part in parts(study, plan):
        colour, hatch = _look(study, part.entry)
        axes.barh(row, part.power_w, left=left, height=0.62, color=colour, hatch=hatch,
                  edgecolor="white", linewidth=0.5)  # fmt: skip
        if part.power_w >= _ROOM * right:
            axes.annotate(
                part.text, (left + part.power_w / 2, row), ha="center", va="center", fontsize=8,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.8},
            )  # fmt: skip
        left += part.power_w


def _bound_line(axes: Axes, study: SharingStudy, right: float) -> None:
    given_w, usable_w = study.problem.bound.bound_w, study.problem.bound.usable_w
    if given_w > right:
        axes.annotate(
            f"bound {bound(given_w)}, beyond the axis", (1, -0.45),
            xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=8,
            color=VERMILLION,
        )  # fmt: skip
        return
    axes.axvline(given_w, color=VERMILLION, linewidth=1.4)
    text = f"bound {bound(given_w)}"
    if usable_w < given_w:
        axes.axvline(usable_w, color=VERMILLION, linewidth=1.1, linestyle=(0, (4, 2)))
        text += f", {watts(usable_w)} less the guard"
    axes.annotate(text, (usable_w, -0.45), xytext=(-4, 0), textcoords="offset points", ha="right",
                  va="bottom", fontsize=8, color=VERMILLION)  # fmt: skip
