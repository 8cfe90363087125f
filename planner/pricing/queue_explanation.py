"""Why shared nodes change a day of jobs, what else could be run, and what the figures rest on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from planner.formatting import capitalised, durations, percent, plural
from planner.pricing.queue_tables import rule_text
from planner.scheduling.shared.comparison import QueueComparison, RuleOutcome
from planner.scheduling.shared.replications import QueueReplications
from planner.study import Explanation
from scenarios.job_logs.job_log import MISSING

_OURS = "Headroom"
FEW_MAPPINGS = 5
"""Mappings below which intervals are very wide: Student's t is then above 2.8."""


class PricedDay(Protocol):
    """The parts of a study that explain its headline."""

    @property
    def comparison(self) -> QueueComparison:
        """The day under each rule, with the first mapping of users to applications."""
        ...

    @property
    def replications(self) -> QueueReplications | None:
        """The same over several mappings."""
        ...

    @property
    def best(self) -> RuleOutcome:
        """The rule with shared nodes and the shortest mean turnaround."""
        ...


def explanation_of(study: PricedDay) -> Explanation:
    """Return what the first page adds to the headline."""
    few = study.replications is not None and len(study.replications.seeds) < FEW_MAPPINGS
    return Explanation(
        reasons=tuple(_reasons(study)),
        alternatives=tuple(_alternatives(study)),
        robustness=tuple(_robustness(study)),
        assumptions=("Users and jobs behave as before: prices do not change what they submit.",),
        next_steps=(
            *(("Repeat this with about 20 mappings: intervals get narrower.",) if few else ()),
            "Record the application of each job in your accounting, and price that log.",
            "Repeat the comparison with a whole month before you allow shared nodes.",
        ),
    )


def _reasons(study: PricedDay) -> Iterator[str]:
    best = study.best.rule
    yield (
        "Figures with shared nodes are those of the sharing rule with the shortest turnaround: "
        f"{rule_text(best)}."
    )
    yield from _times(study)
    for row in study.comparison.prices:
        if row.rule == best and row.policy == _OURS:
            yield (
                f"At Headroom's prices, the site earns {percent(row.revenue_ratio, places=1)} of "
                "its revenue on whole nodes on the day; price errors are "
                f"{percent(row.mean_error, places=1)} on average."
            )
    payers = payers_of(study.comparison, best)
    noun = payers.noun
    yield (
        f"{payers.pays_less:,} of {plural(payers.count, noun)} "
        f"{'pays' if payers.pays_less == 1 else 'pay'} less than on whole nodes, and "
        f"{payers.pays_more:,} {'pays' if payers.pays_more == 1 else 'pay'} more."
    )
    yield f"Results come sooner for {plural(payers.sooner, noun)}, and later for {payers.later:,}."


def _times(study: PricedDay) -> Iterator[str]:
    """Turnaround over all mappings and on the day, where these are not the same."""
    if study.replications is None:
        return
    change = study.replications.change(study.best.rule, "mean_turnaround_s")
    ours, today = durations(change.after, change.before)
    base, best = study.comparison.baseline.measures, study.best.measures
    day_ours, day_today = durations(best.mean_turnaround_s, base.mean_turnaround_s)
    jobs = int(study.comparison.measured.sum())
    yield (
        f"Mean turnaround over the week and the day is {ours} instead of {today}; for the "
        f"{plural(jobs, 'job')} of the day, {day_ours} instead of {day_today} (first mapping)."
    )


@dataclass(frozen=True)
class Payers:
    """How many users gain and lose at Headroom's prices; jobs, where the log names no users.

    Attributes
    ----------
    noun
        ``user`` or ``job``.
    count
        All of them on the day.
    pays_less, pays_more
        By bill, compared with whole nodes billed by run time.
    largest_rise
        Largest rise of a bill, relative to the bill before; 0 if none rises.
    sooner, later
        By mean turnaround.
    """

    noun: str
    count: int
    pays_less: int
    pays_more: int
    largest_rise: float
    sooner: int
    later: int


def payers_of(comparison: QueueComparison, rule: str) -> Payers:
    """Return who gains and loses under a rule: users, or jobs where fewer than two are named."""
    if int((comparison.users[rule].user != MISSING).sum()) > 1:
        (ours,) = (row for row in comparison.sides[rule] if row.policy == _OURS)
        users = ours.pays_less + ours.pays_same + ours.pays_more
        return Payers("user", users, ours.pays_less, ours.pays_more, ours.largest_rise,
                      ours.sooner, ours.later)  # fmt: skip
    base = comparison.baseline
    (best,) = (outcome for outcome in comparison.outcomes if outcome.rule == rule)
    ran = comparison.measured & base.schedule.runs & best.schedule.runs
    before = base.bills["state of practice"].price_su[ran]
    change = best.bills[_OURS].price_su[ran] - before
    rise = change / np.where(before > 0, before, np.inf)
    later = best.measures.turnaround_s[ran] - base.measures.turnaround_s[ran]
    return Payers("job", int(ran.sum()), int((rise < -_SAME).sum()), int((rise > _SAME).sum()),
                  float(rise.max(initial=0.0)), int((later < -_SAME).sum()),
                  int((later > _SAME).sum()))  # fmt: skip


_SAME = 1e-9


def _alternatives(study: PricedDay) -> Iterator[str]:
    for outcome in study.comparison.outcomes:
        if outcome.rule != study.best.rule:
            base = study.best.measures.mean_turnaround_s
            theirs, _ = durations(outcome.measures.mean_turnaround_s, base)
            text = rule_text(outcome.rule)
            yield f"{capitalised(text)}: mean turnaround {theirs} on the day."


def _robustness(study: PricedDay) -> Iterator[str]:
    if study.replications is None:
        return
    change = study.replications.change(study.best.rule, "mean_turnaround_s")
    seeds = len(study.replications.seeds)
    interval = ""
    if change.low is not None and change.high is not None:
        interval = (
            f"; the 95 % interval of its ratio is {change.low:.2f} to {change.high:.2f}"
            f"{', so this may be chance' if change.may_be_chance else ''}"
        )
    yield (
        f"Mean turnaround is shorter than on whole nodes in {change.lower_in:,} of "
        f"{plural(seeds, 'mapping')}{interval}."
    )
    if seeds < FEW_MAPPINGS:
        yield f"Intervals from {seeds} mappings are very wide."
