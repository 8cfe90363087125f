"""Which jobs wait: median and 90th percentile of waits by processors and by run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.classes import ClassMeasures, by_processors, by_run_time
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import own_unit
from reports.simulation.policy_looks import look, policies_in_figure, waits_axis
from reports.style import Picture, draw

_SPREAD = 0.7
"""Share of the width of a class that its policies use."""


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
             (6.8, 2.75), lambda figure: paint(figure, study))
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
        f"{own_unit(wide.wait_s.p90)}); by run time, jobs {_of(slow.name)} "
        f"({own_unit(slow.wait_s.p90)})"
    )


def _of(name: str) -> str:
    return name if name.startswith(("up", "above")) else f"of up {name}"


def paint(figure: Figure, study: SimulationStudy) -> None:
    """Processors on the left, run time on the right."""
    left, right = figure.subplots(1, 2, sharey=True)
    _panel(left, study, by_processors)
    _panel(right, study, by_run_time)
    largest = max(float(waits.wait_s.max()) for waits in study.counted if len(waits))
    waits_axis(left, "y", largest)
    left.set_xlabel("processors")
    right.set_xlabel("run time")
    left.set_ylabel("wait")
    handles = []
    for policy in sorted(policies_in_figure(study)):
        colour, _, marker = look(policy)
        name = in_prose(study.measures[policy].policy)
        handles.append(Line2D([], [], color=colour, marker=marker, ms=5, label=name))
    figure.legend(handles=handles, loc="outside upper left", ncols=6, handlelength=1.6)


def _panel(
    axes: Axes, study: SimulationStudy, classify: Callable[[JobSchedule], Sequence[ClassMeasures]]
) -> None:
    by_policy = {policy: classify(study.counted[policy]) for policy in policies_in_figure(study)}
    every = dict.fromkeys(kind.name for classes in by_policy.values() for kind in classes)
    positions = {name: position for position, name in enumerate(every)}
    places = sorted(by_policy)
    for turn, policy in enumerate(places):
        colour, _, marker = look(policy)
        away = _SPREAD * ((turn + 0.5) / len(places) - 0.5)
        for job_class in by_policy[policy]:
            x = positions[job_class.name] + away
            axes.plot(
                [x, x], [job_class.wait_s.median, job_class.wait_s.p90], color=colour, linewidth=1.5
            )
            axes.plot([x], [job_class.wait_s.p90], "_", color=colour, ms=5)
            axes.plot([x], [job_class.wait_s.median], marker, color=colour, ms=4.5,
                      markeredgecolor="black", markeredgewidth=0.4)  # fmt: skip
    axes.set_xticks(range(len(every)), list(every), rotation=30, ha="right", fontsize=8)
    axes.set_xlim(-0.6, len(every) - 0.4)
    axes.grid(visible=False, axis="x")
