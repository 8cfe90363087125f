"""Methods, jobs and how sure they are, as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from planner.configuration.wording import plural
from planner.sharing.problem import Plan
from planner.sharing.study import SharingStudy
from reports.numbers import clipped, typed, words
from reports.units import gap_words, percent

MOST_JOBS = 24
"""So many jobs are shown one by one; more are taken together where they are alike."""
MOST_APPLICATIONS = 12
"""So many applications have a colour, and a row among what was measured."""
BOOK = "share.xlsx"
_SAME = 5e-6
"""Values of the goal nearer than this are as good as each other."""


def one_by_one(study: SharingStudy) -> bool:
    """Whether every job has a row of its own."""
    return len(study.problem.jobs) <= MOST_JOBS


def label(study: SharingStudy, plan: Plan) -> str:
    """What a plan is called beside others."""
    return "plan" if plan is study.plan else plan.method


def numbered(study: SharingStudy, most: int = 28) -> list[str]:
    """Every job by its place and its application, which several may share."""
    jobs = study.problem.jobs
    return [f"{place} {clipped(job.name, most)}" for place, job in enumerate(jobs, 1)]


def above(study: SharingStudy, plan: Plan) -> str:
    """How far a plan lies above the best bound, never as less than it is."""
    found = study.shared.above_bound(plan)
    if found is None:
        return "no bound"
    return "0 %" if found == 0 else gap_words(found)


def against(study: SharingStudy, rule: Plan) -> str:
    """What a rule of thumb makes of the goal beside the plan, in words."""
    ratio = rule.value / study.plan.value - 1
    if abs(ratio) < _SAME:
        return f"{rule.method} {'are' if rule.method.endswith('s') else 'is'} as good"
    takes = "take" if rule.method.endswith("s") else "takes"
    return f"{rule.method} {takes} {percent(abs(ratio))} {'more' if ratio > 0 else 'less'}"


def all_against(study: SharingStudy) -> str:
    """Every rule of thumb beside the plan, those without a plan too."""
    parts = [against(study, rule) for rule in study.shared.rules.values()]
    parts += [
        f"{name} {'have' if name.endswith('s') else 'has'} no plan" for name in study.shared.refused
    ]
    return words(parts)


def jobs(count: int) -> str:
    """A count of jobs."""
    return plural(count, "job")


def weights(values: Sequence[float]) -> str:
    """Weights, from the least to the largest."""
    ends = dict.fromkeys(typed(end) for end in (min(values), max(values)))
    return " to ".join(ends)
