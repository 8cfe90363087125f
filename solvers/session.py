"""A model kept loaded in HiGHS, re-solved after changes of bounds and costs."""

from __future__ import annotations

import itertools
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.backends.protocol import Claim, Limits
from solvers.certify import believable, certify_afresh, certify_claim, engine_gap
from solvers.model.milp import Floats, Milp
from solvers.model.result import Result, Stop
from solvers.process.client import WORKER

_KEYS = itertools.count()


class Session:
    """Solve a family of models that differ in bounds and costs, each from the last basis.

    Examples
    --------
    >>> import headroom as hr
    >>> build = hr.solvers.MilpBuilder("max")
    >>> x = build.add_columns(1, cost=1.0, upper=4.0)
    >>> with hr.solvers.Session(build.model()) as session:
    ...     first = session.solve().objective
    ...     session.change_bounds(x, lower=0.0, upper=2.5)
    ...     (first, session.solve().objective)
    (4.0, 2.5)
    """

    def __init__(self, model: Milp) -> None:
        self.model = model
        self._key = next(_KEYS)
        self._load()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Drop the model from the engine."""
        if self._is_loaded():
            WORKER.ask("drop", self._key)

    def change_bounds(self, columns: ArrayLike, *, lower: ArrayLike, upper: ArrayLike) -> None:
        """Set the bounds of some columns."""
        where = np.atleast_1d(np.asarray(columns, dtype=np.int32))
        low, high = self.model.column_lower.copy(), self.model.column_upper.copy()
        low[where], high[where] = lower, upper
        changed = self.model.changed(column_lower=low, column_upper=high)
        sides = changed.column_lower[where], changed.column_upper[where]
        self._change("changeColsBounds", changed, where, *sides)

    def change_costs(self, columns: ArrayLike, costs: ArrayLike) -> None:
        """Set the objective coefficients of some columns."""
        where = np.atleast_1d(np.asarray(columns, dtype=np.int32))
        cost = self.model.cost.copy()
        cost[where] = costs
        changed = self.model.changed(cost=cost)
        self._change("changeColsCost", changed, where, changed.cost[where])

    def _change(
        self, method: str, changed: Milp, where: NDArray[np.int32], *values: Floats
    ) -> None:
        self.model = changed
        self._changes.append((method, where, *values))

    def _load(self) -> None:
        self._changes: list[tuple[Any, ...]] = []  # sent with the next solve
        WORKER.ask("load", self._key, self.model)
        self._generation = WORKER.generation

    def _is_loaded(self) -> bool:
        """Whether the child that holds the model still lives (a timeout ends it)."""
        return self._generation == WORKER.generation and WORKER.alive()

    def solve(
        self,
        *,
        time_limit_s: float | None = None,
        node_limit: int | None = None,
        gap: float = 1e-6,
        seed: int = 0,
        start: Floats | None = None,
    ) -> Result:
        """Re-solve and verify; the bound stays the solver's word (level at most *verified*).

        A second solver checks "infeasible" and "unbounded" before they are reported. An objective
        or rows too small for the tolerances of HiGHS are solved again in another unit. Where HiGHS
        fails from its last basis, it starts afresh, and other solvers follow.
        """
        if not self._is_loaded():
            self._load()
        limits = Limits(time_limit_s, node_limit, engine_gap(gap), seed)
        result = self._run(limits, start, gap)
        failed = result.certificate.stop is Stop.ERROR
        if result.x is None and (failed or result.certificate.bound is not None):
            self._load()  # the point of a warm start may fail the check where a fresh one holds
            result = self._run(limits, start, gap)
        if believable(result):
            return result
        return certify_afresh(self.model, limits, start, gap=gap)

    def _run(self, limits: Limits, start: Floats | None, gap: float) -> Result:
        changes, self._changes = self._changes, []
        wait = limits.time_limit_s
        claim: Claim = WORKER.ask("run", self._key, limits, start, changes, time_limit_s=wait)
        return certify_claim(self.model, claim, gap=gap, seed=limits.seed)
