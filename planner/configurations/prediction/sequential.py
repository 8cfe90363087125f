r"""Which configurations to run next, when every run costs machine time.

The first runs are spread over what may draw about as much as a bound. Then each run is the one of
largest

.. math:: a(k) = \Pr[\text{sound}_k] \sum_b E[(\log t_b^* - \log t_k)^+] \; \Pr[P_k \le b]

over the power bounds :math:`b`, where :math:`t_b^*` is the least time measured so far within
:math:`b`, and time and power are log-normal as predicted, with a wider spread of time: few runs
make a model too sure. A run far slower than its prediction is an outlier and ignored. It lowers the
chance of a sound run of its configuration and of those near it, so a region of slow runs is left.

Where the budget is known, its last runs verify: the fastest configuration that is predicted to
keep to a bound, where that would beat what was measured. The final choice was run, and kept to the
bound as measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.configurations.prediction.acquisition import View, fastest
from planner.configurations.prediction.candidates import (
    CandidateConfigurations,
    ConfigurationKey,
    Reason,
    Suggestion,
)
from planner.configurations.prediction.first_runs import first_runs
from planner.configurations.prediction.model import FittedModel, Model, configurations_of
from planner.configurations.prediction.processor import E5_2670, Processor
from planner.configurations.prediction.training import joined
from planner.configurations.table import Configuration
from planner.errors import InputError
from scenarios.measurements.runs import Runs

Measure = Callable[[ConfigurationKey], Runs]
"""Runs a configuration once: a ``Runs`` of length one."""


@dataclass(frozen=True, eq=False)
class SequentialOutcome:
    """The runs made, their reasons, and the choice for each bound.

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
    """A sequential design: the rules by which runs are chosen.

    Attributes
    ----------
    model
        Model that states the spread of its predictions.
    start
        Configurations spread over the space at the beginning, if the model does not need more.
    verifications
        Runs at the end of a known budget that verify, per bound.
    guard
        Share of a bound kept free by predictions that are to be verified.
    straggler
        A run is an outlier if its time over the predicted time is above this ratio.
    margin
        Share of a bound that a measured power must leave free to be chosen: the power of a
        configuration varies a little from run to run.
    caution
        Factor on the predicted spreads of time.
    processor
        Processor of the nodes: power is guessed from it before the first runs.
    """

    model: Model
    start: int = 4
    verifications: int = 3
    guard: float = 0.005
    straggler: float = 1.25
    margin: float = 0.01
    caution: float = 2.0
    processor: Processor = E5_2670

    def next_runs(
        self,
        runs: Runs | None,
        candidates: CandidateConfigurations,
        bounds_w: Sequence[float],
        count: int = 1,
        remaining: int | None = None,
    ) -> tuple[Suggestion, ...]:
        """Suggest what to run next, given the runs so far.

        Parameters
        ----------
        runs
            All runs so far, in any order; ``None`` before the first.
        candidates, bounds_w
            What may be run, and the power bounds [W] that matter.
        count
            How many to suggest. Each is chosen as if those before it had come out as predicted.
        remaining
            Runs left in the budget, these included: the last ``verifications`` per bound verify.
            ``None``: the budget is not known, and none is reserved for that.

        Raises
        ------
        InputError
            No bound, a bound that is not positive, or no candidate.
        """
        _check(candidates, bounds_w)
        begun = 0 if runs is None else configurations_of(runs)
        spread = max(self.model.least_configurations, self.start)
        if runs is None or begun < spread:
            rows = first_runs(runs, candidates, bounds_w, self.processor, count)
            return tuple(_suggest(candidates, int(row)) for row in rows)
        suggested: list[Suggestion] = []
        for _ in range(count):
            left = None if remaining is None else remaining - len(suggested)
            suggestion = self._next(runs, candidates, bounds_w, left)
            if suggestion is None:
                break
            suggested.append(suggestion)
            runs = _supposed(runs, suggestion) if len(suggested) < count else runs
        return tuple(suggested)

    def run(
        self,
        measure: Measure,
        candidates: CandidateConfigurations,
        bounds_w: Sequence[float],
        budget: int,
        runs: Runs | None = None,
    ) -> SequentialOutcome:
        """Spend a budget of runs, and choose; ``runs`` made before are not part of the budget.

        Raises
        ------
        InputError
            As :meth:`next_runs`, or a budget below one.
        """
        if budget < 1:
            raise InputError(f"the budget is {budget} runs; give at least 1")
        reasons: list[Reason] = []
        while len(reasons) < budget:
            remaining = budget - len(reasons)
            suggested = self.next_runs(runs, candidates, bounds_w, 1, remaining)
            if not suggested:
                break
            measured = measure(suggested[0].key)
            runs = measured if runs is None else joined((runs, measured))
            reasons.append(suggested[0].reason)
        if runs is None:
            raise InputError("there are no candidate configurations to run; name some")
        return SequentialOutcome(runs, tuple(reasons), self.choose(runs, bounds_w))

    def choose(self, runs: Runs, bounds_w: Sequence[float]) -> tuple[Configuration | None, ...]:
        """For each bound, the fastest run that kept to it and is not an outlier.

        Runs that also keep the margin come first; without any, the bound alone counts.
        """
        if configurations_of(runs) < self.model.least_configurations:
            sound = np.ones(len(runs), dtype=bool)
        else:
            sound = ~self._stragglers(runs, self.model.fit(runs))
        return tuple(
            fastest(runs, sound, bound * (1 - self.margin)) or fastest(runs, sound, bound)
            for bound in bounds_w
        )

    def _next(
        self,
        runs: Runs,
        candidates: CandidateConfigurations,
        bounds_w: Sequence[float],
        remaining: int | None,
    ) -> Suggestion | None:
        fitted = self.model.fit(runs)
        prediction = fitted.predict(
            candidates.nodes, candidates.cores_per_node, candidates.package_cap_w
        )
        slow = self._stragglers(runs, fitted)
        view = View(runs, candidates.rows_of(runs), slow, candidates, prediction, self.caution)
        bounds_w = [bound * (1 - self.margin) for bound in bounds_w]
        verifies = remaining is not None and remaining <= self.verifications * len(bounds_w)
        suggestion = view.verify(bounds_w, self.guard) if verifies else None
        return suggestion or view.improve(bounds_w)

    def _stragglers(self, runs: Runs, fitted: FittedModel) -> NDArray[np.bool_]:
        predicted = fitted.predict(runs.nodes, runs.cores_per_node, runs.package_cap_w)
        slow: NDArray[np.bool_] = runs.time_s > self.straggler * predicted.time_s
        return slow


def _suggest(candidates: CandidateConfigurations, row: int) -> Suggestion:
    return Suggestion(*candidates.key(row), "spread")


def _supposed(runs: Runs, suggestion: Suggestion) -> Runs:
    """The runs, and one that came out as predicted; memory has its usual share of the power."""
    power = suggestion.predicted_power_w or 0.0
    share = float(np.median(runs.package_power_w / runs.power_w))
    supposed = Runs(
        runs.application,
        np.array([suggestion.nodes]),
        np.array([suggestion.cores_per_node]),
        np.array([suggestion.package_cap_w]),
        np.array([1]),
        np.array([suggestion.predicted_time_s]),
        np.array([power * share]),
        None if runs.dram_power_w is None else np.array([power * (1 - share)]),
    )
    return joined((runs, supposed))


def _check(candidates: CandidateConfigurations, bounds_w: Sequence[float]) -> None:
    if not len(candidates):
        raise InputError("there are no configurations to choose from; name some candidates")
    if not bounds_w or any(not bound > 0 for bound in bounds_w):
        raise InputError(f"power bounds are {tuple(bounds_w)}; give at least one, all above 0 W")
