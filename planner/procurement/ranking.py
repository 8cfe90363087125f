"""Offers scored by weighted criteria, and how far a weight may move before the winner changes.

Each criterion gives the best offer 1 and the others their ratio to it. When one weight moves, the
others keep their proportions, so a total is a straight line in it, and the weights at which the
winner changes are the crossings of lines: exact, not sampled.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from planner.procurement.plan import Plan

WEIGHTS = {"performance": 0.5, "total cost": 0.2, "energy": 0.2, "delivery": 0.1}
"""Assumed: no agency publishes its numeric split; the report shows what other weights would do."""


@dataclass(frozen=True)
class Candidate:
    """One offer with its points per criterion, each from 0 to 1, and their weighted sum."""

    name: str
    points: dict[str, float]
    total: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Reversal:
    """The winner over the whole range of one weight.

    Attributes
    ----------
    stays_from, stays_to
        Range of the weight around its value within which the winner stays.
    winners
        (from, to, name) over 0 to 1.
    """

    criterion: str
    weight: float
    stays_from: float
    stays_to: float
    winners: tuple[tuple[float, float, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        plain["winners"] = [
            {"from": low, "to": high, "name": name} for low, high, name in self.winners
        ]
        return plain


@dataclass(frozen=True)
class Ranking:
    """All candidates, best first, and each weight's reversals.

    ``left_out`` names the quoted systems that break a rule: none of them can win.
    """

    weights: dict[str, float]
    candidates: tuple[Candidate, ...]
    reversals: tuple[Reversal, ...]
    left_out: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "weights": dict(self.weights),
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "reversals": [reversal.to_dict() for reversal in self.reversals],
            "left_out": list(self.left_out),
        }


def points(plans: Sequence[Plan], weeks: Sequence[float | None]) -> dict[str, list[float]]:
    """Points per criterion and plan; delivery counts only where every lead time is known."""
    score = [plan.score for plan in plans]
    cost = [plan.total_cost / plan.score if plan.score > 0 else float("inf") for plan in plans]
    energy = [plan.mean_it_w / plan.score if plan.score > 0 else float("inf") for plan in plans]
    points_by_criterion = {
        "performance": [s / max(score) for s in score],
        "total cost": [min(cost) / c for c in cost],
        "energy": [min(energy) / e for e in energy],
    }
    stated_weeks = [w for w in weeks if w is not None]
    if len(stated_weeks) == len(weeks):
        shortest = max(1.0, min(stated_weeks))
        points_by_criterion["delivery"] = [shortest / max(1.0, w) for w in stated_weeks]
    return points_by_criterion


def rank(
    names: Sequence[str],
    criteria: Mapping[str, Sequence[float]],
    weights: Mapping[str, float] = WEIGHTS,
) -> Ranking:
    """Rank candidates and find every reversal.

    Examples
    --------
    >>> ranked = rank(["a", "b"], {"x": [1.0, 0.5], "y": [0.2, 1.0]}, {"x": 0.8, "y": 0.2})
    >>> ranked.candidates[0].name, round(ranked.reversals[0].stays_from, 4)
    ('a', 0.6154)
    """
    used = {name: weights[name] for name in criteria if weights.get(name)}
    if not used:
        used = {name: WEIGHTS[name] for name in criteria if name in WEIGHTS}
    total = sum(used.values())
    used = {name: weight / total for name, weight in used.items()}
    sums = [sum(used[c] * criteria[c][i] for c in used) for i in range(len(names))]
    candidates = sorted(
        (
            Candidate(name, {c: criteria[c][i] for c in used}, sums[i])
            for i, name in enumerate(names)
        ),
        key=lambda candidate: -candidate.total,
    )
    reversals = tuple(_reversal(names, criteria, used, criterion) for criterion in used)
    return Ranking(used, tuple(candidates), reversals)


def _reversal(
    names: Sequence[str],
    criteria: Mapping[str, Sequence[float]],
    weights: Mapping[str, float],
    criterion: str,
) -> Reversal:
    rest = 1 - weights[criterion]
    others = [
        sum(weights[c] * criteria[c][i] for c in weights if c != criterion) / rest if rest else 0.0
        for i in range(len(names))
    ]
    lines = [(criteria[criterion][i] - others[i], others[i]) for i in range(len(names))]
    cuts = {0.0, 1.0}
    for i, (slope, level) in enumerate(lines):
        for other_slope, other_level in lines[:i]:
            if slope != other_slope:
                crossing = (other_level - level) / (slope - other_slope)
                if 0 < crossing < 1:
                    cuts.add(crossing)
    ends = sorted(cuts)
    winners: list[tuple[float, float, str]] = []
    for low, high in itertools.pairwise(ends):
        middle = (low + high) / 2
        best = max(range(len(names)), key=lambda i: lines[i][0] * middle + lines[i][1])
        if winners and winners[-1][2] == names[best]:
            winners[-1] = (winners[-1][0], high, names[best])
        else:
            winners.append((low, high, names[best]))
    here = next(w for w in winners if w[0] <= weights[criterion] <= w[1])
    return Reversal(criterion, weights[criterion], here[0], here[1], tuple(winners))
