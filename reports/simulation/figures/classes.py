"""Which jobs wait: median and 90th percentile of waits by processors and by run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from planner.formatting import own_unit, words
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.classes import ClassMeasures, by_processors, by_run_time
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import one_unit
from reports.figures.axes import few_waits_axis, look
from reports.simulation.policy_looks import policies_in_figure
from reports.style import Picture, draw

_SPREAD = 0.86
"""Share of the height of a class that its policies use."""
_HATCHES = ("", "////", "....", "xxxx")
_MEDIAN: dict[str, Any] = {
    "marker": "D", "ms": 4, "color": "black", "markerfacecolor": "white", "markeredgewidth": 0.9,
}  # fmt: skip


def pictures(study: SimulationStudy) -> list[Picture]:
    """One picture."""
    best = study.ranking[0]
    text = "; ".join(
        f"{job_class.name}: {own_unit(job_class.wait_s.median)}, {own_unit(job_class.wait_s.p90)}"
        for classify in (by_processors, by_run_time)
        for job_class in classify(study.counted[best])
    )
    return [
        draw("classes", "05-classes", finding(study),
             f"Median and 90th percentile of waits under {in_prose(study.measures[best].policy)}: "
             f"{text}.",
             (6.8, height(study)), lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: SimulationStudy) -> str:
    """Under the policy that waits least, which jobs wait longest."""
    best = study.ranking[0]
    counted, name = study.counted[best], in_prose(study.measures[best].policy)
    wide, slow = (max(classify(counted), key=lambda job_class: job_class.wait_s.p90)
                  for classify in (by_processors, by_run_time))  # fmt: skip
    if wide.wait_s.p90 == 0 and slow.wait_s.p90 == 0:
        return f"Under {name} at least 90 % of the jobs of every class start at once"
    word = "processor" if wide.name == "1" else "processors"
    return (
        f"Under {name} jobs with {wide.name} {word} wait longest (90th percentile "
        f"{own_unit(wide.wait_s.p90)}); by run time, jobs {_of(slow)} "
        f"({own_unit(slow.wait_s.p90)})"
    )


def contrast(study: SimulationStudy) -> str:
    """How far classes by processors differ under the best and the worst policy; empty of one."""
    parts = []
    for policy in dict.fromkeys((study.ranking[0], study.ranking[-1])):
        waits = [job_class.wait_s.p90 for job_class in by_processors(study.counted[policy])]
        low, high = one_unit(min(waits), max(waits))
        parts.append(f"from {low} to {high} under {in_prose(study.measures[policy].policy)}")
    if len(parts) < 2:
        return ""
    return f"Over the classes by processors the 90th percentile ranges {words(parts)}."


def _of(job_class: ClassMeasures) -> str:
    return f"of {job_class.name}"


def paint(figure: Figure, study: SimulationStudy) -> None:
    """Processors on the left, run time on the right."""
    panels = figure.subplots(1, 2)
    largest = max(float(waits.wait_s.max()) for waits in study.counted if len(waits))
    for axes, classify, label in zip(
        panels, (by_processors, by_run_time), ("processors", "run time"), strict=True
    ):
        _panel(axes, study, classify, largest)
        axes.set_title(label, loc="left")
        axes.set_xlabel("wait")
    figure.legend(handles=_handles(study), loc="outside upper left", ncols=5, handlelength=1.6)


def _handles(study: SimulationStudy) -> list[Artist]:
    handles: list[Artist] = [
        Patch(**_bar(policy), label=in_prose(study.measures[policy].policy))
        for policy in policies_in_figure(study)
    ]
    return [*handles, Line2D([], [], linestyle="", label="median", **_MEDIAN)]


def _bar(policy: int) -> dict[str, Any]:
    """Return colour and hatch of a policy's bars; no two of four look alike without colour."""
    return {
        "facecolor": look(policy)[0],
        "edgecolor": "white",
        "hatch": _HATCHES[policy % len(_HATCHES)],
        "linewidth": 0,
    }


def _panel(
    axes: Axes,
    study: SimulationStudy,
    classify: Callable[[JobSchedule], Sequence[ClassMeasures]],
    largest_s: float,
) -> None:
    by_policy = {policy: classify(study.counted[policy]) for policy in policies_in_figure(study)}
    every = dict.fromkeys(kind.name for classes in by_policy.values() for kind in classes)
    positions = {name: position for position, name in enumerate(every)}
    policies = sorted(by_policy)
    width = _SPREAD / len(policies)
    for turn, policy in enumerate(policies):
        away = _SPREAD * ((turn + 0.5) / len(policies) - 0.5)
        for job_class in by_policy[policy]:
            y, p90 = positions[job_class.name] + away, job_class.wait_s.p90
            axes.barh(y, p90, width, zorder=2, **_bar(policy))
            axes.plot([job_class.wait_s.median], [y], **_MEDIAN, zorder=4, clip_on=False)
            axes.annotate(
                own_unit(p90), (p90, y), (5, 0), textcoords="offset points", va="center",
                fontsize=8, annotation_clip=False,
            )  # fmt: skip
    few_waits_axis(axes, largest_s)
    axes.set_yticks(range(len(every)), list(every))
    axes.set_ylim(len(every) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")


def height(study: SimulationStudy) -> float:
    """Return the height of the figure [inches]: a line of text for every bar."""
    policies = policies_in_figure(study)
    rows = max(
        len(classify(study.counted[policy]))
        for policy in policies
        for classify in (by_processors, by_run_time)
    )
    return 0.95 + rows * max(0.26, 0.05 + 0.13 * len(policies))
