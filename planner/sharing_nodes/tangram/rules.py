"""Rules of one counter: which pairs the rule of the first seed shares, and what they gain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.sharing_nodes.tangram.border import Border, hindsight, learned_rules
from planner.sharing_nodes.tangram.pair_runs import PairRuns
from planner.sharing_nodes.tangram.scores import FIXED, geometric_mean

if TYPE_CHECKING:
    from planner.sharing_nodes.tangram.result import TangramResult

Row = dict[str, Any]
MOST_APPLICATIONS = 12
"""Applications of which each pair has a cell that can be read."""


def learned(result: TangramResult) -> Iterator[Row]:
    """Learned rules under each law."""
    for each in result.by_law:
        for rule in learned_rules(each.campaigns, each.splits[-1]):
            yield {"law": each.law, **rule}


def always_shared(runs: PairRuns, border: Border) -> tuple[str, ...]:
    """Applications of which a rule shares every pair, at most half of all; else none.

    None, too, if it shares another pair.
    """
    admitted = border.admitted(runs.features)
    found = [
        number for number in range(len(runs.applications))
        if admitted[(runs.a == number) | (runs.b == number)].all()
    ]  # fmt: skip
    has_one = np.isin(runs.a, found) | np.isin(runs.b, found)
    more = 2 * len(found) > len(runs.applications) or admitted[~has_one].any()
    return () if more else tuple(runs.applications[number] for number in found)


def fixed_rule(result: TangramResult) -> Iterator[Row]:
    """The rule of the first seed, of the answer's law, on the other seeds of each law.

    There is no row for one seed. Co-runs are counted once; means and the worst pair are those of
    the strictest test.
    """
    border = hindsight(result.runs)
    if border is None or len(result.campaigns) == 1:
        return
    for each in result.by_law:
        unseen = each.campaigns[1:]
        gains = np.concatenate([runs.gains for runs in unseen])
        admitted = np.concatenate([border.admitted(runs.features) for runs in unseen])
        scores = each.scores(each.strictest, FIXED)[1:]
        means = [score.makespan for score in scores]
        yield {
            "law": each.law,
            "shared": (int((gains & admitted).sum()), int(admitted.sum())),
            "refused": (int((gains & ~admitted).sum()), int((~admitted).sum())),
            "makespan": float(np.mean(means)),
            "least": min(means),
            "most": max(means),
            "worst": max(score.makespan_max for score in scores),
        }


def matrix(result: TangramResult) -> Iterator[Row]:
    """Mean change of the makespan of each pair of applications; both orders, as in a matrix."""
    runs = result.runs
    if len(runs.applications) > MOST_APPLICATIONS:
        return
    border = hindsight(runs)
    admitted = np.zeros(len(runs), bool) if border is None else border.admitted(runs.features)
    for one, other in combinations_with_replacement(range(len(runs.applications)), 2):
        at = runs.pair == one * len(runs.applications) + other
        row = {
            **{each.law: geometric_mean(each.runs.makespan[at]) - 1 for each in result.by_law},
            "shares": bool(admitted[at].all()),
        }
        for a, b in dict.fromkeys(((one, other), (other, one))):
            yield {"a": runs.applications[a], "b": runs.applications[b], **row}
