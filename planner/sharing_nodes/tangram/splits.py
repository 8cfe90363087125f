"""Which co-runs a gate learns from, and which it is tested on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.tangram.pair_runs import PairRuns

Rows = NDArray[np.intp]
FOLDS = 10


@dataclass(frozen=True, eq=False)
class Fold:
    """Rows to learn from and rows to test on; what was left out, as people read it."""

    train: Rows
    test: Rows
    left_out: str


@dataclass(frozen=True)
class Split:
    """A test.

    Attributes
    ----------
    name
        As the paper has it, or ours.
    meaning
        What is unknown to the gate.
    folds
        All folds of a campaign, by a seed.
    grouped
        Whether the inner search of C and gamma keeps all rank counts of a pair together. The paper
        does not say how it chose them; random folds are the usual way.
    """

    name: str
    meaning: str
    folds: Callable[[PairRuns, int], Iterator[Fold]]
    grouped: bool


def random_folds(runs: PairRuns, seed: int) -> Iterator[Fold]:
    """10-fold cross-validation; a pair at other rank counts is often in the training rows."""
    order = np.random.default_rng(seed).permutation(len(runs))
    for number, test in enumerate(np.array_split(order, min(FOLDS, len(runs)))):
        yield Fold(np.setdiff1d(order, test), np.sort(test), f"fold {number + 1}")


def leave_rank_count_out(runs: PairRuns, _seed: int) -> Iterator[Fold]:
    """All pairs at one rank count are unknown."""
    for ranks in np.unique(runs.ranks):
        yield _fold(runs.ranks == ranks, f"{ranks} ranks")


def leave_application_out_as_printed(runs: PairRuns, _seed: int) -> Iterator[Fold]:
    """One application is unknown, and never shares cores with itself."""
    for number, name in enumerate(runs.applications):
        known = (runs.a != number) & (runs.b != number)
        yield _fold(~known & ~runs.self_pair, name, known)


def leave_pair_out(runs: PairRuns, _seed: int) -> Iterator[Fold]:
    """One pair is unknown at all rank counts."""
    for pair in np.unique(runs.pair):
        test = runs.pair == pair
        index = int(np.flatnonzero(test)[0])
        both = (runs.applications[runs.a[index]], runs.applications[runs.b[index]])
        yield _fold(test, " with ".join(both))


def leave_application_out(runs: PairRuns, _seed: int) -> Iterator[Fold]:
    """One application is unknown; its self pair is tested too."""
    for number, name in enumerate(runs.applications):
        yield _fold((runs.a == number) | (runs.b == number), name)


def leave_application_and_rank_out(runs: PairRuns, _seed: int) -> Iterator[Fold]:
    """One application and one rank count are unknown."""
    for number, name in enumerate(runs.applications):
        has = (runs.a == number) | (runs.b == number)
        for ranks in np.unique(runs.ranks):
            at = runs.ranks == ranks
            yield _fold(has & at, name, ~has & ~at)


def _fold(test: NDArray[np.bool_], left_out: str, train: NDArray[np.bool_] | None = None) -> Fold:
    return Fold(np.flatnonzero(~test if train is None else train), np.flatnonzero(test), left_out)


SPLITS = (
    Split("CV", "random tenths of the co-runs", random_folds, grouped=False),
    Split("(I)", "a rank count", leave_rank_count_out, grouped=False),
    Split("(II)", "an application, no self pairs", leave_application_out_as_printed, grouped=False),
    Split("leave-pair-out", "a pair at all rank counts", leave_pair_out, grouped=True),
    Split(
        "leave-app-out", "an application, with its self pair", leave_application_out, grouped=True
    ),
    Split(
        "leave-app-and-rank-out",
        "an application and a rank count",
        leave_application_and_rank_out,
        grouped=True,
    ),
)
"""Three tests of the paper, then three that leak nothing."""
