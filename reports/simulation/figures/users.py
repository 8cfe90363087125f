"""How users fare: the mean wait of each over the processor-hours that the user ran."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.formatting import own_unit, percent, plural
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.study import SimulationStudy
from reports.figures.axes import amounts_axis, look, waits_axis
from reports.simulation.policy_looks import two
from reports.style import Picture, draw

_FEWEST = 2


def pictures(study: SimulationStudy) -> list[Picture]:
    """One picture, if the log names users."""
    if len(study.measures[0].users) < _FEWEST:
        return []
    text = "; ".join(
        f"{in_prose(measure.policy)}: least {own_unit(float(measure.users.mean_wait_s.min()))}, "
        f"most {own_unit(float(measure.users.mean_wait_s.max()))}, "
        f"Jain's index {_index(measure.jain_wait)}"
        for measure in study.measures
        if len(measure.users)
    )
    return [
        draw("users", "06-users", finding(study),
             f"Mean wait by user over processor-hours. {text}.", (6.8, 2.7),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def _index(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def finding(study: SimulationStudy) -> str:
    """How unevenly the waits fall on users."""
    best = study.measures[study.ranking[0]]
    parts = [f"{_index(best.jain_wait)} under {in_prose(best.policy)}"]
    worst = study.measures[study.ranking[-1]]
    if worst is not best:
        parts.append(f"{_index(worst.jain_wait)} under {in_prose(worst.policy)}")
    largest = best.largest_core_hour_share
    share_text = (
        "" if largest is None else f"; one user ran {percent(largest)} of the processor-hours"
    )
    return (
        f"Jain's fairness index of mean waits over {plural(len(best.users), 'user')}: "
        f"{', '.join(parts)} (1 is even){share_text}"
    )


def paint(figure: Figure, study: SimulationStudy) -> None:
    """Plot a dot for each user, under the first policy and under one to compare it with."""
    axes = figure.subplots()
    longest = largest_hours = 1.0
    for policy in two(study):
        users = study.measures[policy].users
        if not len(users):
            continue
        colour, _, marker = look(policy)
        largest_hours = max(largest_hours, float(users.core_hours.max()))
        longest = max(longest, float(users.mean_wait_s.max()))
        axes.plot(users.core_hours, users.mean_wait_s, marker, color=colour, ms=4, alpha=0.75,
                  markeredgewidth=0.8, markerfacecolor=colour if policy == 0 else "none",
                  label=in_prose(study.measures[policy].policy))  # fmt: skip
    amounts_axis(axes, "x", largest_hours)
    waits_axis(axes, "y", longest)
    axes.set_xlabel("processor-hours of the user")
    axes.set_ylabel("mean wait of the user")
    figure.legend(loc="outside upper left", ncols=2, handlelength=1.2)
