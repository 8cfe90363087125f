"""Who may share cores: gates that learn from co-runs and decide from solo profiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.tangram.metrics import Floats
from planner.sharing_nodes.tangram.pair_runs import PairRuns
from planner.sharing_nodes.tangram.splits import Rows
from solvers.dense import one_thread

Admitted = NDArray[np.bool_]

PENALTIES = (1.0, 10.0, 100.0, 1000.0)
WIDTHS = (0.3, 1.0, 3.0, 10.0)
INNER_FOLDS = 3
_MEMORY = 1


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a gate learns from, and what it decides.

    Attributes
    ----------
    runs
        All co-runs.
    train, test
        Rows with known co-runs, and rows to decide by their profiles.
    grouped
        Whether an inner search keeps all rank counts of a pair together.
    seed
        Seed of random choices.
    """

    runs: PairRuns
    train: Rows
    test: Rows
    grouped: bool
    seed: int

    @property
    def labels(self) -> Admitted:
        """Whether each training row gains."""
        return np.asarray(self.runs.gains[self.train])

    def one_label(self) -> Admitted | None:
        """The decision if all training rows gain, or none does."""
        labels = self.labels
        if labels.any() and not labels.all():
            return None
        return np.full(len(self.test), bool(len(labels)) and bool(labels.all()))

    def scaled(self, rows: Rows) -> Floats:
        """Features of rows over the highest values among the training rows."""
        highest = self.runs.features[self.train].max(axis=0)
        return np.asarray(self.runs.features[rows] / np.where(highest > 0, highest, 1.0))


def always(lesson: Lesson) -> Admitted:
    """Every pair shares: the paper's *all co-located*."""
    return np.ones(len(lesson.test), dtype=bool)


def never(lesson: Lesson) -> Admitted:
    """No pair shares: what all ratios refer to."""
    return np.zeros(len(lesson.test), dtype=bool)


def oracle(lesson: Lesson) -> Admitted:
    """Knows each co-run in advance: no gate can do better."""
    return np.asarray(lesson.runs.gains[lesson.test])


def not_both_memory_heavy(lesson: Lesson) -> Admitted:
    """A pair shares unless both jobs miss the cache more often than the median job."""
    one, other = lesson.runs.profile_a[:, _MEMORY], lesson.runs.profile_b[:, _MEMORY]
    heavy = float(np.median(np.concatenate([one[lesson.train], other[lesson.train]])))
    return np.asarray((one[lesson.test] <= heavy) | (other[lesson.test] <= heavy))


@one_thread("sklearn.linear_model")
def logistic(lesson: Lesson) -> Admitted:
    """Logistic regression of the same three features."""
    from sklearn.linear_model import LogisticRegression

    constant = lesson.one_label()
    if constant is not None:
        return constant
    fitted = LogisticRegression(C=10.0).fit(lesson.scaled(lesson.train), lesson.labels)
    return np.asarray(fitted.predict(lesson.scaled(lesson.test)), dtype=bool)


@one_thread("sklearn.svm")
def tangram(lesson: Lesson) -> Admitted:
    """The paper's support vector machine with a radial kernel.

    C and gamma are not printed (D5). They are those with the best accuracy in an inner
    cross-validation of the training rows, the smaller ones where several are equal. Features are
    scaled by the highest value among the training rows. If all training rows have one label, that
    label is the decision.

    References
    ----------
    Tangram, section III.
    """
    import sklearn

    constant = lesson.one_label()
    if constant is not None:
        return constant
    x, y = lesson.scaled(lesson.train), lesson.labels
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        fitted = _machine(*_chosen(x, y, _inner_folds(lesson))).fit(x, y)
        return np.asarray(fitted.predict(lesson.scaled(lesson.test)), dtype=bool)


def _machine(penalty: float, width: float) -> Any:
    from sklearn.svm import SVC

    return SVC(C=penalty, gamma=width, kernel="rbf")


def _chosen(x: Floats, y: Admitted, folds: NDArray[np.int64]) -> tuple[float, float]:
    """C and gamma with most correct rows in the inner cross-validation."""
    most, result = -1, (PENALTIES[0], WIDTHS[0])
    for penalty in PENALTIES:
        for width in WIDTHS:
            held = (folds == fold for fold in range(INNER_FOLDS))
            correct = sum(_correct(x, y, one, penalty, width) for one in held)
            if correct > most:
                most, result = correct, (penalty, width)
    return result


def _correct(x: Floats, y: Admitted, held: Admitted, penalty: float, width: float) -> int:
    """Rows of a fold that a machine decides right which did not learn from them."""
    known = y[~held]
    if not held.any() or not len(known):
        return 0
    if known.all() or not known.any():
        return int((y[held] == known[0]).sum())
    fitted = _machine(penalty, width).fit(x[~held], known)
    return int((fitted.predict(x[held]) == y[held]).sum())


def _inner_folds(lesson: Lesson) -> NDArray[np.int64]:
    """A fold for each training row: by pair, or by row."""
    rng = np.random.default_rng(lesson.seed)
    rows = lesson.train
    units = lesson.runs.pair[rows] if lesson.grouped else np.arange(len(rows))
    names, which = np.unique(units, return_inverse=True)
    return np.asarray((rng.permutation(len(names)) % INNER_FOLDS)[which])


Gate = Callable[[Lesson], Admitted]
GATES: dict[str, Gate] = {
    "Tangram": tangram,
    "all co-located": always,
    "no co-location": never,
    "not both memory-heavy": not_both_memory_heavy,
    "logistic": logistic,
    "oracle": oracle,
}
"""Gates by the names that people read."""
