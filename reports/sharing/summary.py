"""Methods, jobs and certificates, as people read them."""

from __future__ import annotations

from itertools import accumulate
from unicodedata import east_asian_width

from planner.configurations.sharing.equal_shares import EQUAL_SHARES
from planner.configurations.sharing.problem import SharingPlan
from planner.configurations.sharing.share import GOOD_AS_EQUAL
from planner.configurations.sharing.study import SharingStudy
from planner.formatting import capitalised, percent, plural, words

MOST_JOBS = 24
"""This many jobs are shown one by one; more are grouped where they are alike."""
_MOST_ON_FIRST = 8
"""Jobs in the table of the first page."""
MOST_APPLICATIONS = 12
"""This many applications have a colour, and a row in the table of measurements."""
BOOK = "share.xlsx"


def one_by_one(study: SharingStudy) -> bool:
    """Whether every job has a row of its own."""
    return len(study.problem.jobs) <= MOST_JOBS


def jobs_first(study: SharingStudy) -> bool:
    """Whether the first page has every job, and not the methods."""
    return 1 < len(study.problem.jobs) <= _MOST_ON_FIRST


def label(study: SharingStudy, plan: SharingPlan) -> str:
    """What a plan is called next to others."""
    return "plan" if plan is study.plan else plan.method


def numbered(study: SharingStudy, length: int = 28) -> list[str]:
    """Every job by its place and its application, which several may share."""
    jobs = study.problem.jobs
    return [f"{number} {short(job.name, length)}" for number, job in enumerate(jobs, 1)]


def _more(study: SharingStudy, rule: SharingPlan) -> str:
    """How much more a rule of thumb takes than the plan; empty where it is as good."""
    ratio = rule.value / study.plan.value - 1
    if abs(ratio) < GOOD_AS_EQUAL:
        return ""
    return f"{percent(abs(ratio))} {'worse' if ratio > 0 else 'better'}"


def all_differ(study: SharingStudy) -> bool:
    """Whether every rule of thumb has a plan, and none is as good as the plan of the study."""
    rules = study.shared.rules
    return not study.shared.refused and all(_more(study, rule) for rule in rules.values())


def against(study: SharingStudy) -> str:
    """How much worse the rules of thumb are than the plan; empty without any."""
    more_by_rule = {name: _more(study, rule) for name, rule in study.shared.rules.items()}
    parts = [
        f"{name} {verb(name, 'is', 'are')} {more}" for name, more in more_by_rule.items() if more
    ]
    as_good = [name for name, more in more_by_rule.items() if not more]
    if as_good:
        are = "are" if len(as_good) > 1 else verb(as_good[0], "is", "are")
        parts.append(f"{words(as_good)} {are} as good")
    parts += [f"{name} {verb(name, 'has', 'have')} no plan" for name in study.shared.refused]
    return words(parts)


def verb(method: str, singular: str, several: str) -> str:
    """Return the verb of a method: of its names only that of equal shares is a plural."""
    return several if method == EQUAL_SHARES else singular


def changes(study: SharingStudy) -> str:
    """State how many jobs each rule makes slower, and by how much."""
    parts, total = [], jobs(len(study.problem.jobs))
    for rule in study.shared.rules.values():
        slower, _, largest = changes_by_rule(study.plan, rule)
        by = f", by {'up to ' if slower > 1 else ''}{percent(largest)}" if slower else ""
        makes = verb(rule.method, "makes", "make")
        parts.append(f"{rule.method} {makes} {slower or 'none'} of {total} slower{by}")
    return capitalised("; ".join(parts))


def changes_by_rule(plan: SharingPlan, rule: SharingPlan) -> tuple[int, int, float]:
    """How many jobs a rule makes slower, how many faster, and by how much one at most."""
    pairs = zip(plan.configurations, rule.configurations, strict=True)
    ratios = [theirs.time_s / ours.time_s for ours, theirs in pairs]
    return sum(r > 1 for r in ratios), sum(r < 1 for r in ratios), max(ratios) - 1


def jobs(count: int) -> str:
    """A count of jobs."""
    return plural(count, "job")


def short(text: str, width: int) -> str:
    """Cut a name to the width of ``width`` Latin letters; Chinese letters are twice as wide.

    Examples
    --------
    >>> short("stencil", 8), short("a stencil", 8), short("数値流体力学", 8)
    ('stencil', 'a stenc…', '数値流…')
    """
    wide = [2 if east_asian_width(letter) in "WF" else 1 for letter in text]
    if sum(wide) <= width:
        return text
    count = sum(total < width for total in accumulate(wide))
    return text[:count] + "…"
