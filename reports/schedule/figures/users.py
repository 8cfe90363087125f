"""Which jobs gain and which lose, compared with the reference policy (thesis, section 5.6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from planner.formatting import percent, plural, power, words
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.measures import altruism
from planner.scheduling.power.results.paired import by_key
from planner.scheduling.power.study import ScheduleStudy
from reports.style import Picture, draw, in_groups, look

_LEAST_JOBS = 5
_MOST_PANELS = 4
_SHARES = np.linspace(0, 1, 201)
_NARROW, _WIDE = 6.0, 100.0
"""Highest over lowest end of an axis up to which there are more ticks."""
_TICKS = (1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0, 64.0)
_FINE = (3 / 4, 1.5)
_COARSE = (1 / 64, 1 / 16, 1 / 4, 1.0, 4.0, 16.0, 64.0)
_LEAST, _MOST = 0.01, 100.0

Ratios = NDArray[np.float64]


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return each job's turnaround over that under the reference policy, at the lowest bound."""
    bound_w = study.bounds_w[0]
    others = [policy for policy in study.policies if policy != study.reference]
    ratios = {(log, other): _ratios(study, log, other) for log in study.logs for other in others}
    jobs = {
        log: max((len(ratios[log, other]) for other in others), default=0) for log in study.logs
    }
    logs = [log for log in study.logs if jobs[log] >= _LEAST_JOBS]
    return [
        draw(
            "users",
            f"{20 + index:02d}-jobs-that-gain",
            _finding(study, others),
            f"Jobs of {plural(study.seeds, 'seed')} at {power(bound_w)}{_why(study)}, sorted by "
            f"turnaround relative to the same job under {label(study.reference)}. "
            "Below 1 a job ends sooner.",
            (6.8, 1.75 if len(part) < 3 else 0.8 + 1.25 * ((len(part) + 1) // 2)),
            partial(_jobs, logs=part, others=others, ratios=ratios, reference=study.reference),
        )
        for index, part in enumerate(in_groups(logs, _MOST_PANELS))
    ]


def note(study: ScheduleStudy) -> str:
    """Return why this bound is shown, and how many ratios are beyond the ends of the axis."""
    others = [policy for policy in study.policies if policy != study.reference]
    every = {name: [_ratios(study, log, name) for log in study.logs] for name in others}
    beyond = sum(
        int(((ratios < _LEAST) | (ratios > _MOST)).sum())
        for logs in every.values()
        for ratios in logs
    )
    outside = f"{plural(beyond, 'ratio')} beyond {_LEAST:g} to {_MOST:g} not shown."
    lowest = "This is the tightest of the bounds." if len(study.bounds_w) > 1 else ""
    lines: dict[bytes, list[str]] = {}
    for name, logs in every.items():
        lines.setdefault(np.concatenate(logs).round(9).tobytes(), []).append(label(name))
    equal = " ".join(f"The lines of {words(names)} coincide." for names in lines.values()
                     if len(names) > 1)  # fmt: skip
    return " ".join(filter(None, (lowest, equal, outside if beyond else "")))


def _why(study: ScheduleStudy) -> str:
    """Return why one bound of several is shown."""
    return ", where power is scarcest" if len(study.bounds_w) > 1 else ""


def _ratios(study: ScheduleStudy, log: str, policy: str) -> Ratios:
    """Return a ratio for every job of a log that ran under both policies, at the lowest bound."""
    policies, bound_w = by_key(study.outcomes), study.bounds_w[0]
    mine, base = policies[policy], policies[study.reference]
    keys = [key for key in mine if key[:2] == (log, bound_w) and key in base]
    parts = [mine[key].turnaround_s / base[key].turnaround_s for key in keys]
    every = np.concatenate([np.empty(0), *parts])
    return np.asarray(every[~np.isnan(every)])


def _finding(study: ScheduleStudy, others: list[str]) -> str:
    """Say how many jobs gain and lose under the policy with the shortest turnaround."""
    best = next(name for name, _ in study.ranking if name in others)
    policies, bound_w = by_key(study.outcomes), study.bounds_w[0]
    counts = np.zeros(3)
    for key, outcome in policies[best].items():
        if key[1] == bound_w and key in policies[study.reference]:
            users = altruism(outcome.turnaround_s, policies[study.reference][key].turnaround_s)
            counts += (users.better, users.same, users.worse)
    better, _, worse = counts / counts.sum()
    return (
        f"At {power(bound_w)}{_why(study)}, {percent(better)} of the jobs end sooner under "
        f"{label(best)}, and {percent(worse)} end later"
    )


def _ends(every: Sequence[Ratios]) -> tuple[float, float]:
    """Return the ends of the axis: those of the data, from a hundredth to a hundred times."""
    low, high = min(map(_lowest, every)), max(map(_highest, every))
    return max(min(low, 0.5) / 1.1, _LEAST), min(max(high, 2.0) * 1.1, _MOST)


def _lowest(ratios: Ratios) -> float:
    return float(ratios.min(initial=1.0))


def _highest(ratios: Ratios) -> float:
    return float(ratios.max(initial=1.0))


def _jobs(
    figure: Figure,
    logs: Sequence[str],
    others: list[str],
    ratios: dict[tuple[str, str], Ratios],
    reference: str,
) -> None:
    rows = (len(logs) + 1) // 2
    low, high = _ends([ratios[log, policy] for log in logs for policy in others])
    ticks = [value for value in _TICKS if low <= value <= high]
    if high / low > _WIDE:
        ticks = [value for value in ticks if value in _COARSE]
    elif high / low > _NARROW:
        ticks = [value for value in ticks if value not in _FINE]
    panels: list[Axes] = [*figure.subplots(rows, min(len(logs), 2), squeeze=False).flat]
    for axes, log in zip(panels, logs, strict=False):
        for index, policy in enumerate(others):
            if len(ratios[log, policy]):
                values = np.quantile(ratios[log, policy], _SHARES)
                axes.plot(100 * _SHARES, values, color=look(index)[0], linewidth=1.3,
                          label=label(policy), linestyle=("-", "--", "-.")[index % 3])  # fmt: skip
        axes.axhline(1, color="0.35", linewidth=0.8)
        axes.set_yscale("log")
        axes.set_yticks(
            ticks, [str(Fraction(value)) if value < 1 else f"{value:g}" for value in ticks]
        )
        axes.set_ylim(low, high)
        axes.minorticks_off()
        axes.set_title(f"log {log}")
        axes.set_xlabel("jobs, sorted by ratio (%)")
    figure.supylabel(f"turnaround / {label(reference)}", fontsize=9)
    for axes in panels[len(logs) :]:
        axes.set_visible(False)
    panels[min(len(logs), 2) - 1].legend(loc="upper left", bbox_to_anchor=(1, 1))
