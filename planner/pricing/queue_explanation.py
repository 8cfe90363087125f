"""Why shared nodes change a day of jobs, what else could be run, and what the figures rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from planner.formatting import capitalised, durations, percent, plural
from planner.pricing.queue_tables import rule_text
from planner.scheduling.shared.comparison import QueueComparison, RuleOutcome
from planner.scheduling.shared.replications import QueueReplications
from planner.study import Explanation

_OURS = "Headroom"


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
    return Explanation(
        reasons=tuple(_reasons(study)),
        alternatives=tuple(_alternatives(study)),
        robustness=tuple(_robustness(study)),
        assumptions=("Users and jobs behave as before: prices do not change what they submit.",),
        next_steps=(
            "Record the application of each job in your accounting, and price that log.",
            "Repeat the comparison with a whole month before you allow shared nodes.",
        ),
    )


def _reasons(study: PricedDay) -> Iterator[str]:
    best = study.best.rule
    yield f"Shared nodes follow the rule with the shortest turnaround: {rule_text(best)}."
    for row in study.comparison.prices:
        if row.rule == best and row.policy == _OURS:
            yield (
                f"At Headroom's prices the site earns {percent(row.revenue_ratio)} of its revenue "
                f"on whole nodes; price errors are {percent(row.mean_error, places=1)} on average."
            )
    for sides in study.comparison.sides[best]:
        if sides.policy == _OURS:
            users = sides.pays_less + sides.pays_same + sides.pays_more
            yield (
                f"{sides.pays_less:,} of {plural(users, 'user')} "
                f"{'pays' if sides.pays_less == 1 else 'pay'} less than on whole nodes, and "
                f"{sides.pays_more:,} {'pays' if sides.pays_more == 1 else 'pay'} more."
            )
            yield (
                f"Results come sooner for {plural(sides.sooner, 'user')}, and later for "
                f"{sides.later:,}."
            )


def _alternatives(study: PricedDay) -> Iterator[str]:
    for outcome in study.comparison.outcomes:
        if outcome.rule != study.best.rule:
            base = study.best.measures.mean_turnaround_s
            theirs, _ = durations(outcome.measures.mean_turnaround_s, base)
            text = rule_text(outcome.rule)
            yield f"{capitalised(text)}: mean turnaround {theirs}."


def _robustness(study: PricedDay) -> Iterator[str]:
    if study.replications is None:
        return
    change = study.replications.change(study.best.rule, "mean_turnaround_s")
    seeds = len(study.replications.seeds)
    yield (
        f"Mean turnaround is shorter than on whole nodes in {change.lower_in:,} of "
        f"{plural(seeds, 'mapping')} of users to applications."
    )
