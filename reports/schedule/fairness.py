"""The page on fairness: Jain's index of every policy, and where the order differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from planner.formatting import plural, power, words
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.comparisons import overall
from planner.scheduling.power.study import ScheduleStudy

_MOST_NAMED = 4
"""Policies whose index is listed; of more, the highest and the lowest."""
_DIGITS = 3

FAIRNESS = (
    "Jain's index of requested time divided by turnaround is 1 if all jobs are delayed in "
    "proportion to their requested time. It falls towards 0 if few jobs bear the delay."
)


def fairness_answer(study: ScheduleStudy) -> str:
    """Return the mean index of every policy, and bounds at which the highest is, or is not, so.

    Values that look equal with three digits count as equal. Empty where no index is known.
    """
    known = {
        row.policy: round(row.fairness, _DIGITS)
        for row in overall(study.outcomes, study.reference)
        if row.fairness is not None
    }
    if not known:
        return ""
    subject = "Mean Jain's index (1 is fair) is"
    if len(known) == 1:
        ((policy, value),) = known.items()
        return f"{subject} {value:.3f} under {label(policy)}."
    if len(set(known.values())) == 1:
        return "Delays are spread equally evenly under all policies, on average."
    best = max(known, key=known.__getitem__)
    return " ".join((_means(subject, known), *_by_bound(study, best, [*known])))


def _means(subject: str, known: Mapping[str, float]) -> str:
    if len(known) <= _MOST_NAMED:
        each = words(f"{value:.3f} ({label(policy)})" for policy, value in known.items())
        return f"{subject} {each}; differences are not tested."
    ends = [ends_of(known, key=known.__getitem__) for ends_of in (min, max)]
    low, high = (f"{known[policy]:.3f} ({label(policy)})" for policy in ends)
    return f"{subject} {low} to {high}; differences are not tested."


def _by_bound(study: ScheduleStudy, best: str, policies: Sequence[str]) -> Iterator[str]:
    """Yield at which bounds a policy is ahead in every log, and where others are in most."""
    cases: dict[tuple[float, str], dict[str, float]] = {}
    for use in study.uses:
        if use.fairness is not None:
            case = cases.setdefault((use.bound_w, use.log), {})
            case[use.policy] = round(use.fairness, _DIGITS)
    ahead: list[float] = []
    behind: dict[tuple[int, int], list[float]] = {}
    for bound_w in study.bounds_w:
        logs = [case for (at_w, _), case in cases.items() if at_w == bound_w and best in case]
        others = [max((value for name, value in case.items() if name != best), default=0.0)
                  for case in logs]  # fmt: skip
        pairs = [(case[best], other) for case, other in zip(logs, others, strict=True)]
        lower = sum(mine < other for mine, other in pairs)
        if pairs and all(mine > other for mine, other in pairs):
            ahead.append(bound_w)
        elif pairs and 2 * lower >= len(pairs):
            behind.setdefault((lower, len(pairs)), []).append(bound_w)
    if len(study.bounds_w) == 1:
        return
    most, others_text = "highest", "another policy"
    if len(policies) == 2:
        most, others_text = "higher", label(next(name for name in policies if name != best))
    if ahead:
        where = f" in all {plural(len(study.logs), 'log')}" if len(study.logs) > 1 else ""
        yield f"{label(best)} is {most}{where} at {_bounds(ahead)}."
    for (lower, total), bounds_w in behind.items():
        where = f" in {lower} of {plural(total, 'log')}" if total > 1 else ""
        yield f"At {_bounds(bounds_w)}, {others_text} is higher{where}."


def _bounds(bounds_w: Sequence[float]) -> str:
    return words(map(power, bounds_w))
