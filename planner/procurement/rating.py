"""How much a given machine achieves in one rating, and what that says of every other machine.

The rating of a machine with ``n_k`` nodes per slot is the linear program

    maximise    theta
    demand      sum_kmw-pairs merit y  >=  theta d_w N_ref            for each workload w
    `mandate`   sum_kmw-pairs merit y  >=  m_w d_w N_ref              for each mandatory one
    nodes       sum y <= n_k                                          for each slot k
    power       sum step y <= headroom_g                              for total, liquid, air
    energy      sum mean added watts y <= allowance

with y the nodes in use on each pair of mode and workload, *work* in the program. Right-hand sides
are columns there, *given*; energy is the last row of *power*. Any multipliers
``u_w, z_w, mu_g, nu >= 0`` with ``sum u_w d_w N_ref = 1`` bound the rating of *every* machine that
meets the requirements from above (weak duality):

    theta <= sum_k v_k n_k + sum_g mu_g headroom_g + nu allowance - sum_w z_w m_w d_w N_ref,
    v_k = max over pairs of slot k of ((u_w + z_w) merit - mu step - nu added), at least 0.

A machine that cannot meet the requirements gets no rating. The least shares of them that must
stay *undone* are a linear program, too. Its multipliers bound every machine that meets them all:

    sum_w z_w m_w d_w N_ref <= sum_k v_k n_k + sum_g mu_g headroom_g + nu allowance,  all u_w = 0.

So multipliers found for one machine stay valid when prices, limits, powers or performances
change: ``v`` is then recomputed from the new values. All questions share a pool of multipliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.procurement.layout import Indices, Layout
from planner.procurement.problem import MANDATE_TOLERANCE, Floats, Problem
from solvers import MilpBuilder, SolverError
from solvers.equilibrated import solve_equilibrated
from solvers.portable import product
from solvers.session import Session

_ROUNDING = 1e-12  # v is rounded up by this share, so that rounding cannot cut anything off
_LEAST_SCALE = 0.5  # multipliers of a solved program add up to 1 or more
_WATTS = 1e-3  # power rows are in kW: as large as the other rows' numbers
_Kind = Literal["free", "mandated", "shortfall"]
_MISSED = 1e-9  # share of a requirement: a smaller shortfall is rounding


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Dual multipliers of one rating.

    Shapes: workloads ``(W,)``, requirements ``(W,)``, power ``(3,)``; energy is a number.
    """

    demand: Floats
    mandate: Floats
    power: Floats
    energy: float


@dataclass(frozen=True, eq=False)
class Cut:
    """``theta <= nodes @ n + power @ headroom_w + energy x allowance_w - mandatory``.

    If it is not ``rated``, theta is replaced by 0: it says which machines meet the requirements.
    """

    nodes: Floats
    power: Floats
    energy: float
    mandatory: float
    rated: bool


@dataclass(frozen=True, eq=False)
class Rated:
    """Rating of one machine, the allocation ``y`` per pair, and the multipliers.

    ``meets`` says whether the requirements can be met; if not, nothing is rated.
    """

    theta: float
    meets: bool
    at_work: Floats
    multipliers: Multipliers
    place: int  # of the multipliers in the pool


@dataclass
class Pool:
    """Multipliers by rating and points at which the logarithm is touched; only grows."""

    multipliers: dict[int, list[Multipliers]] = field(default_factory=dict)
    tangents: dict[int, set[float]] = field(default_factory=dict)
    _seen: dict[tuple[int, str], int] = field(default_factory=dict)

    def add(self, rating: int, multipliers: Multipliers) -> int:
        """Keep multipliers of a rating, unless they are known; their place in its list."""
        vector = multipliers
        parts = (
            *vector.demand.tolist(),
            *vector.mandate.tolist(),
            *vector.power.tolist(),
            vector.energy,
        )
        key = rating, " ".join(f"{part:.10g}" for part in parts)
        stored = self.multipliers.setdefault(rating, [])
        if key not in self._seen:
            self._seen[key] = len(stored)
            stored.append(multipliers)
        return self._seen[key]

    def touch(self, rating: int, theta: float) -> float:
        """Keep a point at which the tangent of the logarithm is wanted; the point, rounded."""
        point = float(f"{theta:.6g}")
        if point > 0:
            self.tangents.setdefault(rating, set()).add(point)
        return point


def power_groups(problem: Problem, lay: Layout) -> Floats:
    """Which slots count in which power row (total, liquid, air), shape ``(3, slots)``."""
    liquid = np.array([problem.offers[o].cooling == "liquid" for o in lay.slot_offer])
    return np.vstack([np.ones(lay.slots), liquid, ~liquid]).astype(np.float64)


def cuts(
    problem: Problem, lay: Layout, rating: int, multipliers: Sequence[Multipliers]
) -> list[Cut]:
    """What multipliers of a rating say under the data of this problem, all at once."""
    demand, mandate, power = (
        np.array([getattr(each, name) for each in multipliers])
        for name in ("demand", "mandate", "power")
    )
    energy = np.array([each.energy for each in multipliers])
    per_watt = product(power, power_groups(problem, lay))
    gain = (
        (demand + mandate)[:, lay.pair_workload] * lay.pair_merit
        - per_watt[:, lay.pair_slot] * lay.pair_step_w
        - energy[:, None] * lay.pair_energy_w
    )
    nodes = np.zeros((len(multipliers), lay.slots))
    for slot in range(lay.slots):
        nodes[:, slot] = gain[:, lay.pair_slot == slot].max(axis=1, initial=0.0)
    nodes *= 1 + _ROUNDING
    mandatory = product(mandate, mandated_work(problem, rating)) * (1 - _ROUNDING)
    return [
        Cut(nodes[k], each.power, each.energy, float(mandatory[k]), bool(each.demand.any()))
        for k, each in enumerate(multipliers)
    ]


def mandated_work(problem: Problem, rating: int) -> Floats:
    """Work that is mandatory in a rating, in figures of merit of reference nodes, ``(W,)``.

    Asked for with half of the tolerance, so that what is found keeps the whole of it.
    """
    minimum = problem.least_work[rating] * problem.demand[rating] * problem.reference_nodes
    return np.asarray(minimum * (1 - MANDATE_TOLERANCE / 2), dtype=np.float64)


def even(problem: Problem, rating: int) -> Floats:
    """Multipliers that weigh every workload of a rating by its share of the mix."""
    demand = problem.demand[rating]
    scale = float(product(demand, demand)) * problem.reference_nodes
    return np.asarray(demand / scale, dtype=np.float64)


def _most_watts(problem: Problem, lay: Layout) -> Floats:
    """Most that one working node of a slot adds to each power row and to the mean, ``(4, slots)``.

    A limit beyond what all nodes together could want is none.
    """
    step, energy = np.zeros(lay.slots), np.zeros(lay.slots)
    np.maximum.at(step, lay.pair_slot, lay.pair_step_w)
    np.maximum.at(energy, lay.pair_slot, lay.pair_energy_w)
    return np.vstack([power_groups(problem, lay) * step, energy])


class Cuts:
    """The pool's cuts under the data of one problem, evaluated many at a time."""

    def __init__(self, problem: Problem, lay: Layout, pool: Pool) -> None:
        self._problem, self._layout, self._pool = problem, lay, pool
        self._known: dict[int, list[Cut]] = {}
        self._nodes: dict[int, Floats] = {}
        self._rest: dict[int, Floats] = {}
        self._mandatory: dict[int, Floats] = {}
        self._rated: dict[int, NDArray[np.bool_]] = {}

    def of(self, rating: int) -> list[Cut]:
        """Every cut of a rating, in the pool's order."""
        known = self._known.setdefault(rating, [])
        pooled = self._pool.multipliers.get(rating, [])
        if len(known) < len(pooled):
            known += cuts(self._problem, self._layout, rating, pooled[len(known) :])
            self._nodes[rating] = np.array([cut.nodes for cut in known])
            self._rest[rating] = np.array([[*cut.power, cut.energy] for cut in known])
            self._mandatory[rating] = np.array([cut.mandatory for cut in known])
            self._rated[rating] = np.array([cut.rated for cut in known])
        return known

    def values(self, rating: int, nodes: Floats, left_w: Floats) -> Floats:
        """What every cut allows on a machine, ``(cuts,)``; ``left_w``: headroom and allowance.

        A cut that is not rated allows all or nothing.
        """
        if not self.of(rating):
            return np.empty(0)
        rest = self._rest[rating]
        with np.errstate(over="ignore"):  # a limit that is none allows anything
            watts = np.where(rest > 0, rest * np.minimum(left_w, 1e300), 0.0).sum(axis=1)
        bounds = product(self._nodes[rating], nodes) + watts - self._mandatory[rating]
        met = np.where(bounds >= -_MISSED, np.inf, -1.0)
        return np.asarray(np.where(self._rated[rating], bounds, met), dtype=np.float64)


class Rater:
    """Rates machines of one problem; each rating's program stays loaded, its cuts go to a pool."""

    def __init__(self, problem: Problem, lay: Layout, pool: Pool) -> None:
        self.problem, self.layout, self.pool = problem, lay, pool
        self.cuts = Cuts(problem, lay, pool)
        self._wanted = _most_watts(problem, lay)
        self._sessions: dict[tuple[int, _Kind], tuple[Session, Indices]] = {}
        self._cache: dict[tuple[int, bool, bytes], Rated] = {}

    def close(self) -> None:
        """Drop the loaded programs."""
        for session, _ in self._sessions.values():
            session.close()
        self._sessions.clear()

    def rate(
        self,
        rating: int,
        nodes: Floats,
        headroom_w: Floats,
        allowance_w: float,
        *,
        mandates: bool = True,
    ) -> Rated:
        """Rate a machine.

        Parameters
        ----------
        rating
            Which one.
        nodes
            Installed nodes per slot, ``(slots,)``.
        headroom_w
            Watts beyond the base of all installed nodes: total, liquid, air.
        allowance_w
            Mean watts that working nodes may add; infinite where energy is not limited.
        mandates
            Whether mandatory work comes first.
        """
        mandates = mandates and bool(self.problem.least_work[rating].any())
        requested = 2 * product(self._wanted, nodes) + 1.0  # never tight where nothing is scarce
        remaining = np.clip(np.r_[headroom_w, allowance_w], 0.0, requested)
        amounts = np.r_[nodes, remaining * _WATTS]
        key = rating, mandates, amounts.tobytes()
        if key not in self._cache:
            self._cache[key] = self._solve(rating, amounts, mandates=mandates)
        return self._cache[key]

    def _solve(self, rating: int, amounts: Floats, *, mandates: bool) -> Rated:
        if mandates:
            missed, x, duals = self._run(rating, "shortfall", amounts)
            if missed > _MISSED:
                multipliers = self._multipliers(rating, "shortfall", duals)
                nothing = np.zeros(len(self.layout.pair_mode))
                index = self.pool.add(rating, multipliers)
                return Rated(0.0, False, nothing, multipliers, index)  # noqa: FBT003
        theta, x, duals = self._run(rating, "mandated" if mandates else "free", amounts)
        multipliers = self._multipliers(rating, "mandated" if mandates else "free", duals)
        pairs, at_work = self._pairs(rating), np.zeros(len(self.layout.pair_mode))
        at_work[pairs] = x[1 : 1 + len(pairs)]
        index = self.pool.add(rating, multipliers)
        return Rated(theta, True, at_work, multipliers, index)  # noqa: FBT003

    def _run(self, rating: int, kind: _Kind, amounts: Floats) -> tuple[float, Floats, Floats]:
        """Rating, or share of the requirements that is missed; the solution; the duals."""
        if (rating, kind) not in self._sessions:
            self._sessions[rating, kind] = self._load(rating, kind)
        session, columns = self._sessions[rating, kind]
        session.change_bounds(columns, lower=amounts, upper=amounts)
        result = session.solve()
        if result.x is None or result.duals is None:  # other solvers than HiGHS give no duals
            result = solve_equilibrated(session.model)
        if result.x is None or result.duals is None:
            notes = "; ".join(map(str, result.certificate.notes)) or str(result.status)
            raise SolverError(
                f"{session.model.name} has no solution ({notes}); check that prices, watts and "
                "figures of merit are in the units of their fields"
            )
        value = result.objective or 0.0
        return (-value if kind == "shortfall" else float(result.x[0])), result.x, result.duals

    def _load(self, rating: int, kind: _Kind) -> tuple[Session, Indices]:
        """Build the program; the right-hand sides are columns whose bounds are set later."""
        problem, lay = self.problem, self.layout
        build = MilpBuilder("max", name=f"rating {problem.rating_names[rating]}")
        shortfall = kind == "shortfall"
        theta = build.add_columns(
            1, cost=float(not shortfall), upper=0.0 if shortfall else np.inf, label="theta"
        )
        pairs = self._pairs(rating)
        work = build.add_columns(len(pairs), label="work")
        amounts = build.add_columns(lay.slots + 4, label="given")
        demanded = self._asked(rating)
        rows = np.searchsorted(demanded, lay.pair_workload[pairs])
        build.add_rows(
            np.r_[np.arange(len(demanded)), rows],
            np.r_[np.repeat(theta, len(demanded)), work],
            np.r_[
                problem.demand[rating, demanded] * problem.reference_nodes, -lay.pair_merit[pairs]
            ],
            upper=np.zeros(len(demanded)),
            label="demand",
        )
        slots = np.arange(lay.slots)
        build.add_rows(
            np.r_[lay.pair_slot[pairs], slots],
            np.r_[work, amounts[: lay.slots]],
            np.r_[np.ones(len(pairs)), -np.ones(lay.slots)],
            upper=np.zeros(lay.slots),
            label="nodes",
        )
        groups = power_groups(problem, lay)[:, lay.pair_slot[pairs]]
        use = np.vstack([groups * lay.pair_step_w[pairs], lay.pair_energy_w[pairs]]) * _WATTS
        row, index = np.nonzero(use)
        build.add_rows(
            np.r_[row, np.arange(4)],
            np.r_[work[index], amounts[lay.slots :]],
            np.r_[use[row, index], -np.ones(4)],
            upper=np.zeros(4),
            label="power",
        )
        if kind != "free":
            self._require(build, rating, work, shortfall=shortfall)
        return Session(build.model()), amounts

    def _require(self, build: MilpBuilder, rating: int, work: Indices, *, shortfall: bool) -> None:
        """Rows of mandatory work, as shares of it; each with a column for what stays undone."""
        demanded, pairs = self._mandatory(rating), self._pairs(rating)
        minimum = mandated_work(self.problem, rating)
        short = build.add_columns(
            len(demanded), cost=-1.0, upper=np.inf if shortfall else 0.0, label="undone"
        )
        own = np.flatnonzero(np.isin(self.layout.pair_workload[pairs], demanded))
        whose = self.layout.pair_workload[pairs[own]]
        build.add_rows(
            np.r_[np.arange(len(demanded)), np.searchsorted(demanded, whose)],
            np.r_[short, work[own]],
            np.r_[-np.ones(len(demanded)), -self.layout.pair_merit[pairs[own]] / minimum[whose]],
            upper=-np.ones(len(demanded)),
            label="mandate",
        )

    def _mandatory(self, rating: int) -> Indices:
        return np.flatnonzero(self.problem.least_work[rating] > 0)

    def _asked(self, rating: int) -> Indices:
        return np.flatnonzero(self.problem.demand[rating] > 0)

    def _pairs(self, rating: int) -> Indices:
        return np.flatnonzero(self.problem.demand[rating, self.layout.pair_workload] > 0)

    def _multipliers(self, rating: int, kind: _Kind, duals: Floats) -> Multipliers:
        """The duals, per unit of work and of watts, and in the scale of their cut."""
        demanded, count = self._asked(rating), len(self.problem.workloads)
        demand, mandate = np.zeros(count), np.zeros(count)
        demand[demanded] = np.maximum(duals[: len(demanded)], 0.0)
        after = len(demanded) + self.layout.slots
        rest = np.maximum(duals[after : after + 4], 0.0) * _WATTS
        if kind != "free":
            must = self._mandatory(rating)
            shares = np.maximum(duals[after + 4 :], 0.0)
            mandate[must] = shares / mandated_work(self.problem, rating)[must]
        if kind == "shortfall":
            demand, scale = np.zeros(count), float(shares.sum())
        else:
            scale = float(product(demand, self.problem.demand[rating]))
            scale *= self.problem.reference_nodes
            if scale < _LEAST_SCALE:  # nothing runs on this machine: any weights are right
                demand, mandate = even(self.problem, rating), np.zeros(count)
                scale, rest = 1.0, np.zeros(4)
        return Multipliers(
            demand / scale, mandate / scale, rest[:3] / scale, float(rest[3] / scale)
        )
