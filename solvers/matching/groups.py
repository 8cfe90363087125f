"""Groups of kinds of greatest worth under further rows, with a bound that is recomputed.

Maximise ``worth @ x`` over whole numbers ``x`` of groups: no kind is used more often than there
are copies of it, and ``rows @ x >= lower``. Where groups are many, the linear program begins with
few of them and takes in those that its prices call worth it (column generation). Its prices then
bound all groups.

The bound holds for any prices ``p >= 0`` of kinds and ``q >= 0`` of rows: with the reduced worth
``r = worth - p(members) + q @ rows`` no choice is worth more than ``copies @ p - q @ lower +
most * max(0, max(r))``, since at most ``most`` groups of two and more fit in.

References
----------
Barnhart, Johnson, Nemhauser, Savelsbergh and Vance, Operations Research 46 (1998).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import solvers
from solvers.model.milp import Floats, Indices, Milp, MilpBuilder
from solvers.model.result import Certificate, Level, Status, gaps
from solvers.portable import product

MOST_AT_ONCE = 12_950
"""Groups that need no column generation: all of 2 to 4 of 21 kinds."""

_FIRST, _NEW, _ROUNDS = 2_000, 1_000, 500
_MOST_WHOLE = 60_000
_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Groups:
    """What may be chosen.

    Attributes
    ----------
    copies
        How many there are of each kind, shape ``(kinds,)``.
    members
        Kinds of each group, -1 behind the last, shape ``(groups, most members)``; each group has
        two or more, and a kind may be there several times.
    worth
        Shape ``(groups,)``.
    rows, lower
        Further rows ``rows @ x >= lower``, shapes ``(rows, groups)`` and ``(rows,)``.
    """

    copies: Indices
    members: Indices
    worth: Floats
    rows: Floats
    lower: Floats

    def part(self, which: Indices) -> Groups:
        """Some of the groups."""
        return replace(
            self, members=self.members[which], worth=self.worth[which], rows=self.rows[:, which]
        )

    def reduced(self, prices: Floats) -> Floats:
        """Worth less the prices of the members and rows; prices of kinds, then of rows."""
        of_kinds, of_rows = np.split(prices, [len(self.copies)])
        result: Floats = self.worth - np.append(of_kinds, 0.0)[self.members].sum(axis=1)
        return result + product(of_rows, self.rows)

    def most(self) -> Floats:
        """How often each group may be chosen at most."""
        padded = np.append(self.copies, np.iinfo(np.int64).max)
        times = (self.members[:, :, None] == self.members[:, None, :]).sum(axis=2)
        least: Floats = (padded[self.members] // times).min(axis=1).astype(np.float64)
        return least

    def bound(self, prices: Floats) -> float:
        """Return an upper bound on every choice, from prices of at least 0."""
        above = max(0.0, float(self.reduced(prices).max(initial=0.0)))
        of_kinds, of_rows = np.split(prices, [len(self.copies)])
        most = int(self.copies.sum()) // 2
        paid = float(product(of_kinds, self.copies)) - float(product(of_rows, self.lower))
        return paid + most * above


@dataclass(frozen=True, eq=False)
class Chosen:
    """Indices of the chosen groups, each as often as it is chosen.

    ``None`` where no choice meets the rows.
    """

    groups: Indices | None
    certificate: Certificate


def choose(
    groups: Groups, *, solver: str = "highs", time_limit_s: float | None = None, gap: float = 1e-6
) -> Chosen:
    """Choose groups of greatest worth.

    Parameters
    ----------
    solver
        ``"highs"``, ``"cbc"`` or ``"both"`` for the whole numbers; the linear programs are HiGHS's.
    """
    limits: dict[str, object] = {"solver": solver, "time_limit_s": time_limit_s, "gap": gap}
    if len(groups.worth) <= MOST_AT_ONCE:
        every = np.arange(len(groups.worth))
        return _solved(groups, every, None, limits)
    columns, prices = _generated(groups)
    result = _solved(groups, columns, prices, limits)
    objective = result.certificate.objective
    if objective is None or result.certificate.bound is None or result.groups is None:
        return result
    # A group whose reduced worth lies below the gap is in no better choice.
    room = groups.bound(prices) - objective
    useful = np.flatnonzero(groups.reduced(prices) >= -room - _TOLERANCE)
    if result.certificate.status is Status.OPTIMAL or len(useful) > _MOST_WHOLE:
        return result
    again = _solved(groups, np.union1d(useful, columns), prices, limits, exhaustive=True)
    better = again.groups is not None and (again.certificate.objective or 0.0) >= objective
    return again if better else result


def program(groups: Groups, *, whole: bool = True) -> Milp:
    """The program of some groups."""
    build = MilpBuilder("max", name="groups")
    which, position = np.nonzero(groups.members >= 0)
    used = groups.members[which, position]
    # Rows alone limit choices of a relaxation: a bound of a column would take the place of prices.
    upper = groups.most() if whole else np.inf
    columns = build.add_columns(len(groups.worth), cost=groups.worth, upper=upper, integer=whole)
    build.add_rows(used, columns[which], np.ones(len(which)), upper=groups.copies.astype(float))
    if len(groups.lower):
        row, column = np.nonzero(groups.rows)
        values = groups.rows[row, column]
        build.add_rows(row, columns[column], values, lower=groups.lower)
    return build.model()


def _generated(groups: Groups) -> tuple[Indices, Floats]:
    """Groups that the linear program uses, and its last prices."""
    size = (groups.members >= 0).sum(axis=1)
    columns = np.argsort(-groups.worth / size, kind="stable")[:_FIRST]
    pairs = np.flatnonzero(size == 2)
    columns = np.union1d(columns, pairs)
    best = np.zeros(len(groups.copies) + len(groups.lower))
    least = np.inf
    for _ in range(_ROUNDS):
        result = solvers.solve(program(groups.part(columns), whole=False), proof="never")
        if result.duals is None:
            break
        prices = np.abs(result.duals)
        bound = groups.bound(prices)
        if bound < least:
            best, least = prices, bound
        reduced = groups.reduced(prices)
        new = np.argsort(-reduced, kind="stable")[:_NEW]
        new = np.setdiff1d(new[reduced[new] > _TOLERANCE], columns)
        if not len(new):
            break
        columns = np.union1d(columns, new)
    return columns, best


def _solved(
    groups: Groups, columns: Indices, prices: Floats | None, limits: dict[str, object],
    *, exhaustive: bool = False,
) -> Chosen:  # fmt: skip
    """Whole numbers over some of the groups; the bound holds for all of them."""
    result = solvers.solve(program(groups.part(columns)), proof="never", **limits)  # type: ignore[arg-type] # by name
    certificate = result.certificate
    bounds = [] if certificate.bound is None else [certificate.bound]
    if prices is not None:
        # A program of some groups bounds choices of these only; prices bound choices of all groups.
        bounds = [*(bounds if exhaustive else []), groups.bound(prices)]
    bound = min(bounds, default=None)
    if exhaustive and bound is not None and certificate.objective is not None:
        bound = max(bound, certificate.objective)
    absolute, relative = gaps(certificate.objective, bound)
    closed = relative is not None and relative <= float(str(limits["gap"]))
    if result.x is not None:
        status = Status.OPTIMAL if closed else Status.FEASIBLE
        certificate = replace(certificate, status=status)
    level = Level.VERIFIED if result.x is not None else certificate.level
    certificate = replace(
        certificate, bound=bound, gap_absolute=absolute, gap_relative=relative, level=level
    )
    chosen = None if result.x is None else np.repeat(columns, np.round(result.x).astype(np.int64))
    return Chosen(chosen, certificate)
