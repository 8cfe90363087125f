"""Mean waits of every log, and how policies differ over all logs."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.formatting import capitalised, words
from planner.scheduling.policies.display import in_prose, in_table
from planner.scheduling.simulation.replications import ReplicationStudy
from planner.scheduling.simulation.summary import difference
from planner.scheduling.simulation.wait_text import interval_ends, one_unit
from reports.figures.axes import look, wait_unit
from reports.simulation.figures.comparisons import finding_of, label, paint
from reports.style import Picture, draw, rows_high


def pictures(study: ReplicationStudy) -> list[Picture]:
    """Return the waits of every log, and the differences with their intervals if there are any."""
    return [_waits(study), *_differences(study)]


def _waits(study: ReplicationStudy) -> Picture:
    text = "; ".join(
        f"{in_prose(policy)}: {' to '.join(one_unit(min(waits), max(waits)))}"
        for policy, waits in waits_by_policy(study).items()
    )
    height = 0.6 + rows_high(len(study.policies), 0.62, 0.3)
    return draw(
        "waits",
        "01-waits",
        waits_finding(study),
        f"Mean wait in each of {len(study.logs)} logs. {text}.",
        (6.8, height),
        lambda figure: paint_waits(figure, study),
    )


def waits_by_policy(study: ReplicationStudy) -> dict[str, list[float]]:
    """Return the mean wait of each log [s], by policy."""
    return {
        policy: [log[index].wait for log in study.logs]
        for index, policy in enumerate(study.policies)
    }


def waits_finding(study: ReplicationStudy) -> str:
    """In how many logs the first policy is better; of one policy, the range."""
    first, *others = waits_by_policy(study).items()
    name, waits = first
    if not others:
        low, high = one_unit(min(waits), max(waits))
        return f"Under {in_prose(name)} the mean wait of a log is between {low} and {high}"
    logs = len(study.logs)
    parts = [
        f"under {in_prose(other)} in {sum(a < b for a, b in zip(waits, their, strict=True)):,}"
        for other, their in others
    ]
    return capitalised(
        f"over {logs:,} logs, the mean wait under {in_prose(name)} is shorter than {words(parts)}"
    )


def paint_waits(figure: Figure, study: ReplicationStudy) -> None:
    """Draw a row for each policy: a dot for each log, and the mean with its interval."""
    axes = figure.subplots()
    every = waits_by_policy(study)
    size, unit = wait_unit(max(max(waits) for waits in every.values()))
    smallest = min(min(waits) for waits in every.values()) / size
    largest = max(max(waits) for waits in every.values()) / size
    wide = smallest > 0 and largest > 20 * smallest
    for row, (waits, means) in enumerate(zip(every.values(), study.means, strict=True)):
        colour, _, marker = look(row)
        mean = means["wait"]
        axes.plot([wait / size for wait in waits], [row - 0.16] * len(waits), marker,
                  color=colour, ms=5, alpha=0.6, markerfacecolor="none", zorder=2)  # fmt: skip
        low = max(mean.low / size, smallest / 2 if wide else 0.0)
        axes.hlines(row + 0.2, low, mean.high / size, color=colour, linewidth=2.2, zorder=3)
        axes.plot([mean.mean / size], [row + 0.2], "D", color="black", ms=5,
                  markerfacecolor="white", zorder=4)  # fmt: skip
    if wide:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.set_xlabel(f"mean wait of a log ({unit}{', log scale' if wide else ''})")
    axes.set_yticks(range(len(every)), [in_table(policy) for policy in every])
    axes.set_ylim(len(every) - 0.5, -0.5)


def _differences(study: ReplicationStudy) -> list[Picture]:
    rows = study.comparisons
    if not rows:
        return []
    text = "; ".join(
        f"{label(row)}: wait {' to '.join(interval_ends(row.differences['wait']))}" for row in rows
    )
    height = 0.55 + rows_high(len(rows), 0.32, 0.5)
    return [
        draw("comparisons", "02-comparisons", finding_of(rows, difference),
             f"Differences over {len(study.logs)} logs with 95 % intervals. {text}.",
             (6.8, height), lambda figure: paint(figure, rows))
    ]  # fmt: skip
