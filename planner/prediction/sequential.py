r"""Which configurations to run next, when every run costs machine time.

The first runs are spread over the space. Then each run is the one of largest

.. math:: a(k) = \sum_b E[(\log t_b^* - \log t_k)^+] \; \Pr[P_k \le b]

over the power bounds :math:`b`, where :math:`t_b^*` is the least time measured so far within
:math:`b`, and time and power are log-normal as predicted. The last runs of a budget verify: the
fastest configuration that is predicted to keep to a bound, where that would beat what was
measured. What is chosen in the end was run, and kept to the bound as measured. A run far slower
than its prediction is a straggler: it speaks for nothing and is run again.

References
----------
M. A. Gelbart, J. Snoek, R. P. Adams, "Bayesian optimization with unknown constraints", UAI 2014:
expected improvement times probability of keeping to the constraint. The sum over bounds is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.configuration.table import Configuration, ConfigurationTable
from planner.errors import InputError
from planner.prediction.model import Fitted, Model, Prediction, configurations_of, places
from planner.prediction.training import joined, spread_out
from scenarios.measurements import Floats, Indices, Runs

Place = tuple[int, int, float]
"""Nodes, cores per node and cap of one package [W]."""

Measure = Callable[[Place], Runs]
"""Runs a configuration once: a ``Runs`` of length one."""

Reason = Literal["spread", "improve", "verify", "repeat"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Configurations that may be run; arrays ``(candidates,)``, no configuration twice."""

    nodes: Indices
    cores_per_node: Indices
    package_cap_w: Floats

    def __len__(self) -> int:
        return len(self.nodes)

    def place(self, index: int) -> Place:
        """One of them."""
        return (
            int(self.nodes[index]),
            int(self.cores_per_node[index]),
            float(self.package_cap_w[index]),
        )

    def points(self) -> Floats:
        """Coordinates for distances: logarithm of nodes, cores, rank of the cap."""
        ranks = np.unique(self.package_cap_w, return_inverse=True)[1]
        return np.column_stack((np.log2(self.nodes), self.cores_per_node, ranks)).astype(float)

    def rows_of(self, runs: Runs) -> Indices:
        """Index of the configuration of each run; -1 where it is not a candidate."""
        where = {self.place(i): i for i in range(len(self))}
        return np.array([where.get(place, -1) for place in places(runs)], dtype=np.int64)


def candidates_of(table: ConfigurationTable) -> Candidates:
    """The configurations of a table, without their times and powers."""
    return Candidates(table.nodes, table.cores_per_node, table.package_cap_w)


@dataclass(frozen=True)
class Suggestion:
    """A configuration to run next, and why; ``bound_w`` where it is for one bound."""

    nodes: int
    cores_per_node: int
    package_cap_w: float
    reason: Reason
    bound_w: float | None = None
    predicted_time_s: float | None = None
    predicted_power_w: float | None = None

    @property
    def place(self) -> Place:
        """What to run."""
        return self.nodes, self.cores_per_node, self.package_cap_w


@dataclass(frozen=True, eq=False)
class Outcome:
    """What was run, why, and the choice for each bound.

    Attributes
    ----------
    runs
        In order.
    reasons
        One for each run.
    chosen
        For each bound the fastest configuration that kept to it, with time and power as measured;
        ``None`` where no run did.
    """

    runs: Runs
    reasons: tuple[Reason, ...]
    chosen: tuple[Configuration | None, ...]


@dataclass(frozen=True)
class Design:
    """How runs are chosen.

    Attributes
    ----------
    model
        One that states spreads.
    start
        Runs spread over the space at the beginning.
    verifications
        Runs at the end of the budget that verify, per bound.
    guard
        Share of a bound kept free by predictions that are to be verified.
    straggler
        A run this much slower than predicted is a straggler.
    margin
        Share of a bound that a measured power must leave free to be chosen: the same
        configuration draws a little more or less in the next run.
    """

    model: Model
    start: int = 6
    verifications: int = 3
    guard: float = 0.005
    straggler: float = 1.25
    margin: float = 0.01

    def next_runs(
        self,
        runs: Runs | None,
        candidates: Candidates,
        bounds_w: Sequence[float],
        count: int = 1,
        left: int | None = None,
    ) -> tuple[Suggestion, ...]:
        """What to run next, given what was run.

        Parameters
        ----------
        runs
            All runs so far, in any order; ``None`` before the first.
        candidates, bounds_w
            What may be run, and the power bounds [W] that matter.
        count
            How many to suggest. Each is chosen as if those before it had come out as predicted.
        left
            Runs left in the budget, these included; default: ``count``. The last
            ``verifications`` per bound of the budget verify.

        Raises
        ------
        InputError
            No bound, a bound that is not positive, or no candidate.
        """
        _check(candidates, bounds_w)
        left = count if left is None else left
        begun = 0 if runs is None else configurations_of(runs)
        half = (left + (0 if runs is None else len(runs))) // 2
        spread = max(self.model.least_configurations, min(self.start, half))
        if runs is None or begun < spread:
            rows = np.array([], np.int64) if runs is None else candidates.rows_of(runs)
            found = spread_out(candidates.points(), count, np.unique(rows[rows >= 0]))
            return tuple(_suggest(candidates, int(row)) for row in found)
        suggested: list[Suggestion] = []
        for _ in range(count):
            suggestion = self._next(runs, candidates, bounds_w, left - len(suggested))
            if suggestion is None:
                break
            suggested.append(suggestion)
            runs = _supposed(runs, suggestion) if len(suggested) < count else runs
        return tuple(suggested)

    def run(
        self,
        measure: Measure,
        candidates: Candidates,
        bounds_w: Sequence[float],
        budget: int,
        runs: Runs | None = None,
    ) -> Outcome:
        """Spend a budget of runs, and choose; ``runs`` made before are not part of the budget.

        Raises
        ------
        InputError
            As :meth:`next_runs`, or a budget below one.
        """
        if budget < 1:
            raise InputError(f"a budget of {budget} runs measures nothing; give at least 1")
        reasons: list[Reason] = []
        while len(reasons) < budget:
            left = budget - len(reasons)
            suggested = self.next_runs(runs, candidates, bounds_w, 1, left)
            if not suggested:
                break
            measured = measure(suggested[0].place)
            runs = measured if runs is None else joined((runs, measured))
            reasons.append(suggested[0].reason)
        if runs is None:
            raise InputError("nothing could be run: there is no candidate")
        return Outcome(runs, tuple(reasons), self.choose(runs, bounds_w))

    def choose(self, runs: Runs, bounds_w: Sequence[float]) -> tuple[Configuration | None, ...]:
        """For each bound the fastest run that kept to it and is no straggler."""
        if configurations_of(runs) < self.model.least_configurations:
            sound = np.ones(len(runs), dtype=bool)
        else:
            sound = ~self._stragglers(runs, self.model.fit(runs))
        return tuple(_fastest(runs, sound, bound * (1 - self.margin)) for bound in bounds_w)

    def _next(
        self, runs: Runs, candidates: Candidates, bounds_w: Sequence[float], left: int
    ) -> Suggestion | None:
        fitted = self.model.fit(runs)
        prediction = fitted.predict(
            candidates.nodes, candidates.cores_per_node, candidates.package_cap_w
        )
        slow = self._stragglers(runs, fitted)
        view = _View(runs, candidates.rows_of(runs), slow, candidates, prediction)
        bounds_w = [bound * (1 - self.margin) for bound in bounds_w]
        return (
            view.repeat(bounds_w)
            or (view.improve(bounds_w) if left > self.verifications * len(bounds_w) else None)
            or view.verify(bounds_w, self.guard)
            or view.improve(bounds_w)
        )

    def _stragglers(self, runs: Runs, fitted: Fitted) -> NDArray[np.bool_]:
        predicted = fitted.predict(runs.nodes, runs.cores_per_node, runs.package_cap_w)
        slow: NDArray[np.bool_] = runs.time_s > self.straggler * predicted.time_s
        return slow


class _View:
    """Runs so far and predictions for all candidates: what the next run is chosen from."""

    def __init__(
        self,
        runs: Runs,
        rows: Indices,
        slow: NDArray[np.bool_],
        candidates: Candidates,
        prediction: Prediction,
    ) -> None:
        self.runs, self.slow, self.candidates = runs, slow, candidates
        self.prediction = prediction
        self.rows = rows
        self.open = np.ones(len(candidates), dtype=bool)
        self.open[rows[rows >= 0]] = False

    def incumbent(self, bound_w: float) -> float | None:
        found = _fastest(self.runs, ~self.slow, bound_w)
        return None if found is None else found.time_s

    def repeat(self, bounds_w: Sequence[float]) -> Suggestion | None:
        """A configuration whose only runs straggled, if it may be the best within a bound."""
        sound = set(self.rows[~self.slow].tolist())
        for row in np.unique(self.rows[self.slow]):
            if row < 0 or int(row) in sound or (self.rows == row).sum() > 2:
                continue
            time, power = self.prediction.time_s[row], self.prediction.power_w[row]
            for bound in bounds_w:
                best = self.incumbent(bound)
                if power <= bound and (best is None or time < best):
                    return self._suggest(int(row), "repeat", bound)
        return None

    def improve(self, bounds_w: Sequence[float]) -> Suggestion | None:
        """The open candidate of largest expected improvement."""
        gain = np.zeros(len(self.open))
        for bound in bounds_w:
            gain += self._expected(bound)
        gain[~self.open] = 0.0
        best = int(np.argmax(gain))
        return self._suggest(best, "improve", None) if gain[best] > 0 else None

    def _expected(self, bound_w: float) -> Floats:
        from scipy.special import ndtr

        best = self.incumbent(bound_w)
        against = best if best is not None else float(self.prediction.time_s.max())
        spread = np.maximum(_spread(self.prediction.time_spread), 1e-6)
        z = (np.log(against) - np.log(self.prediction.time_s)) / spread
        gain = spread * (z * ndtr(z) + np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi))
        room = np.log(bound_w / self.prediction.power_w)
        kept = ndtr(room / np.maximum(_spread(self.prediction.power_spread), 1e-6))
        expected: Floats = np.maximum(gain, 0.0) * kept
        return expected

    def verify(self, bounds_w: Sequence[float], guard: float) -> Suggestion | None:
        """The open candidate that promises most over what was measured, for any one bound."""
        promised: list[tuple[float, int, float]] = []
        for bound in bounds_w:
            kept = self.open & (self.prediction.power_w <= bound * (1 - guard))
            if not kept.any():
                continue
            row = int(np.argmin(np.where(kept, self.prediction.time_s, np.inf)))
            best = self.incumbent(bound)
            gain = np.inf if best is None else np.log(best / self.prediction.time_s[row])
            promised.append((float(gain), row, bound))
        gain, row, bound = max(promised, default=(0.0, -1, 0.0))
        return self._suggest(row, "verify", bound) if gain > 0 else None

    def _suggest(self, row: int, reason: Reason, bound_w: float | None) -> Suggestion:
        time, power = self.prediction.time_s[row], self.prediction.power_w[row]
        place = self.candidates.place(row)
        return Suggestion(*place, reason, bound_w, float(time), float(power))


def _suggest(candidates: Candidates, row: int) -> Suggestion:
    return Suggestion(*candidates.place(row), "spread")


def _spread(spread: Floats | None) -> Floats:
    if spread is None:
        raise InputError("the model states no spread; choose one that does")
    return spread


def _fastest(runs: Runs, sound: NDArray[np.bool_], bound_w: float) -> Configuration | None:
    kept = np.flatnonzero(sound & (runs.power_w <= bound_w))
    if not len(kept):
        return None
    row = int(kept[np.argmin(runs.time_s[kept])])
    return Configuration(
        int(runs.nodes[row]),
        int(runs.cores_per_node[row]),
        float(runs.package_cap_w[row]),
        float(runs.time_s[row]),
        float(runs.power_w[row]),
    )


def _supposed(runs: Runs, suggestion: Suggestion) -> Runs:
    """The runs, and one that came out as predicted; memory has its usual share of the power."""
    power = suggestion.predicted_power_w or 0.0
    share = float(np.median(runs.package_power_w / runs.power_w))
    one = Runs(
        runs.application,
        np.array([suggestion.nodes]),
        np.array([suggestion.cores_per_node]),
        np.array([suggestion.package_cap_w]),
        np.array([1]),
        np.array([suggestion.predicted_time_s]),
        np.array([power * share]),
        None if runs.dram_power_w is None else np.array([power * (1 - share)]),
    )
    return joined((runs, one))


def _check(candidates: Candidates, bounds_w: Sequence[float]) -> None:
    if not len(candidates):
        raise InputError("there is no configuration to choose from; name some candidates")
    if not bounds_w or any(not bound > 0 for bound in bounds_w):
        raise InputError(f"power bounds {tuple(bounds_w)}: give at least one, above 0 W")
