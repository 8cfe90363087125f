"""How far a machine that misses a requirement meets each one alone, and all together.

Four programs over the nodes in use y, per rating r, with every limit of the site:

    alone       maximise the throughput of one workload in one demand, all else idle
    together    minimise the number of missed requirements, then the sum of what each is short
                of its own: sum merit y >= (1 - s) m d N_ref, s <= z
    the missed  with the others met, the largest equal share of what each requires, then their sum
    the rest    with all that kept, the largest theta of the other workloads that run at all

The operating budget joins the ratings. If it binds, every demand gets the same share of what it
would reach by itself, and then what is left. Work that is not mandatory comes last. A limit that
the installed nodes break even without work is waived and named: no allocation can meet it.

Columns: work_r, theta, and missed, short, gain or share (what is counted). Rows: room_r (nodes of a
slot), g_rating_r (watts of total, liquid or air), operating, mandate_r_w, and what is counted:
short_r_w, gained, gained_r_w, shared_r, shared_r_w, running_r_w.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import solvers
from planner.errors import PlanError
from planner.procurement.bill import bill, operating_per_year
from planner.procurement.layout import Indices, Layout
from planner.procurement.performance import Partition
from planner.procurement.plan import (
    Plan,
    always_w,
    built,
    fastest,
    headroom_w,
    offer_counts,
    throughputs,
    within,
)
from planner.procurement.problem import (
    MANDATE_TOLERANCE,
    POWER_RESOURCES,
    UNLIMITED,
    Floats,
    Problem,
)
from planner.procurement.rating import power_groups
from solvers import MilpBuilder
from solvers.model.milp import Sense
from solvers.portable import product

_WATTS = 1e-3  # power rows are in kW: as large as the other rows' numbers
_GAP = 1e-9
_SECOND = 1e-4  # what is left comes after the share that all have

Place = tuple[int, int]
"""Rating and workload."""
Most = dict[Place, float]


@dataclass(frozen=True)
class Requirement:
    """A required throughput or time to solution, and what a machine reaches of it.

    Attributes
    ----------
    demand
        The demand scenario; empty for a time to solution.
    required
        A multiple of the reference machine's throughput, or seconds; ``None`` where any time will
        do.
    alone
        The best where the machine does nothing else; ``None`` where no node bought runs it.
    together
        What the plan reaches that misses fewest requirements; ``None`` where it runs nowhere.
    """

    workload: str
    demand: str
    required: float | None
    alone: float | None
    together: float | None
    missed: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self) | {"unit": "s" if not self.demand else "factor"}


@dataclass(frozen=True)
class Reach:
    """Every requirement on work, of which no allocation misses fewer.

    ``waived`` are the limits that the installed nodes break before any of them works.
    """

    requirements: tuple[Requirement, ...]
    waived: tuple[str, ...]

    @property
    def missed(self) -> int:
        """The smallest number of requirements that must be missed."""
        return sum(requirement.missed for requirement in self.requirements)


def reach(problem: Problem, lay: Layout, nodes: Sequence[int], method: str) -> tuple[Plan, Reach]:
    """The plan of a given machine that misses fewest requirements, and what it reaches of each.

    Raises
    ------
    PlanError
        A quantity is not on offer, or a program has no answer.
    """
    machine = _machine(problem, lay, nodes)
    alone = {
        (r, int(w)): _alone(machine, (r, int(w)))
        for r in range(len(problem.demand))
        for w in np.flatnonzero(problem.demand[r] > 0)
    }
    met = _kept(machine, alone)
    first = {key: _least(problem, key) for key in met} | _short(machine, alone, met)
    ratings = _rest(machine, alone, first)
    picks = fastest(problem, lay, machine.nodes, machine.headroom_w, too_slow=True)
    plan = built(problem, lay, nodes, method, ratings, picks)
    return plan, Reach((*_rates(problem, plan, alone), *_times(problem, picks)), machine.waived)


def shortfall(problem: Problem, lay: Layout, nodes: Sequence[int]) -> float:
    """Return the least share that is missing of some required throughput of a given machine.

    0 means that one allocation meets them all, within the tolerance of requirements.

    Raises
    ------
    PlanError
        A quantity is not on offer, or the program has no answer.
    """
    machine = _machine(problem, lay, nodes)
    required = _mandatory(problem)
    if machine.allowance_w == UNLIMITED:
        ratings = sorted({rating for rating, _ in required})
    else:
        ratings = list(range(len(problem.demand)))
    program = _Program(machine, ratings, "min")
    short = program.build.add_columns(1, cost=1.0, upper=1.0, label="short")
    for key in required:
        program.require(key, _least(problem, key), int(short[0]))
    return float(program.solved()[short[0]])


@dataclass(frozen=True, eq=False)
class _Machine:
    """Installed nodes and what they may use; infinite where nothing limits."""

    problem: Problem
    layout: Layout
    nodes: Floats
    headroom_w: Floats
    allowance_w: float
    waived: tuple[str, ...]


def _machine(problem: Problem, lay: Layout, nodes: Sequence[int]) -> _Machine:
    counts = offer_counts(problem, lay, nodes)
    paid, count = bill(problem, counts), np.array(nodes, dtype=np.float64)
    remaining = headroom_w(problem, lay, count, paid.fabric_w)
    limits = (problem.limits.it_power_w, problem.limits.liquid_w, problem.limits.air_w)
    broken = [w < -1e-9 * limit for w, limit in zip(remaining, limits, strict=True)]
    waived = [name for name, over in zip(POWER_RESOURCES, broken, strict=True) if over]
    headroom = np.where(broken, UNLIMITED, np.maximum(remaining, 0.0))
    prices, allowance = problem.prices, UNLIMITED
    if problem.limits.operating < UNLIMITED:
        price = prices.binding_energy_price
        idle = operating_per_year(problem, paid, always_w(problem, counts, paid), price)
        money = problem.limits.operating - idle
        if money < -1e-9 * problem.limits.operating:
            waived.append("operating")
        elif prices.energy_per_w(price) > 0:
            allowance = max(0.0, money) / prices.energy_per_w(price)
    most_w = np.zeros(lay.slots)
    np.maximum.at(most_w, lay.pair_slot, lay.pair_energy_w)
    if allowance >= float(product(most_w, count)):  # more than all can add: no rating shares it
        allowance = UNLIMITED
    return _Machine(problem, lay, count, headroom, allowance, tuple(waived))


class _Program:
    """Nodes in use in some ratings, within everything that limits them."""

    def __init__(self, machine: _Machine, ratings: Sequence[int], sense: Sense) -> None:
        self.machine, self.build = machine, MilpBuilder(sense)
        self.pairs: dict[int, Indices] = {}
        self.work: dict[int, Indices] = {}
        for rating in ratings:
            self._add(rating)
        if machine.allowance_w < UNLIMITED:
            self._energy(ratings)

    def _add(self, rating: int) -> None:
        lay, machine = self.machine.layout, self.machine
        demanded = machine.problem.demand[rating, lay.pair_workload] > 0
        pairs = np.flatnonzero(demanded & (machine.nodes[lay.pair_slot] > 0))
        work = self.build.add_columns(len(pairs), label=f"work_{rating}")
        self.pairs[rating], self.work[rating] = pairs, work
        self.build.add_rows(
            lay.pair_slot[pairs], work, 1.0, upper=machine.nodes, label=f"room_{rating}"
        )
        use = power_groups(machine.problem, lay)[:, lay.pair_slot[pairs]] * lay.pair_step_w[pairs]
        left_w = machine.headroom_w * _WATTS
        for name, row, remaining in zip(POWER_RESOURCES, use * _WATTS, left_w, strict=True):
            if remaining < UNLIMITED:
                label, zeros = f"{name}_rating_{rating}", np.zeros(len(pairs))
                self.build.add_rows(zeros, work, row, upper=[remaining], label=label)

    def _energy(self, ratings: Sequence[int]) -> None:
        machine, lay = self.machine, self.machine.layout
        watts = [
            machine.problem.energy_weight[r] * lay.pair_energy_w[self.pairs[r]] * _WATTS
            for r in ratings
        ]
        columns = np.concatenate([self.work[r] for r in ratings])
        self.build.add_rows(
            np.zeros(len(columns)), columns, np.concatenate(watts),
            upper=[machine.allowance_w * _WATTS], label="operating",
        )  # fmt: skip

    def require(self, key: Place, minimum: float, short: int | None = None) -> None:
        """Require at least ``minimum`` throughput, but for the share in column ``short``."""
        columns, rates = self.throughput(*key)
        rates = rates / minimum
        if short is not None:
            columns, rates = np.r_[columns, short], np.r_[rates, 1.0]
        label = f"mandate_{key[0]}_{key[1]}"
        self.build.add_rows(np.zeros(len(columns)), columns, rates, lower=[1.0], label=label)

    def throughput(self, rating: int, workload: int) -> tuple[Indices, Floats]:
        """Columns of a workload, and what a node of each adds, over the reference machine's."""
        lay, problem = self.machine.layout, self.machine.problem
        own = np.flatnonzero(lay.pair_workload[self.pairs[rating]] == workload)
        unit = float(problem.demand[rating, workload]) * problem.reference_nodes
        return self.work[rating][own], lay.pair_merit[self.pairs[rating][own]] / unit

    def solved(self) -> Floats:
        """The solution; the program has one, since nothing needs to work."""
        result = solvers.solve(self.build.model(), gap=_GAP, proof="never")
        if result.x is None:
            notes = "; ".join(map(str, result.certificate.notes)) or result.certificate.status.value
            raise PlanError(f"what a machine reaches could not be worked out ({notes})")
        return result.x

    def at_work(self, rating: int, x: Floats) -> Floats:
        """Nodes in use per pair of the layout, ``(pairs,)``."""
        lay = self.machine.layout
        nodes_at_work = np.zeros(len(lay.pair_mode))
        nodes_at_work[self.pairs[rating]] = x[self.work[rating]]
        return within(lay, self.machine.nodes, nodes_at_work)


def _alone(machine: _Machine, key: Place) -> float:
    """Most throughput of one workload; 0 where no node bought runs it."""
    program = _Program(machine, [key[0]], "max")
    columns, rates = program.throughput(*key)
    if not len(columns):
        return 0.0
    scale = float(machine.nodes.sum() * rates.max())  # so that the objective is about 1
    gain = program.build.add_columns(1, cost=1.0, upper=1.0, label="gain")
    rows = np.zeros(len(columns) + 1)
    program.build.add_rows(
        rows, np.r_[columns, gain], np.r_[rates / scale, -1.0], lower=[0.0], label="gained"
    )
    x = program.solved()
    return float(product(rates, x[columns]))


def _mandatory(problem: Problem) -> list[Place]:
    """Rating and workload of every required throughput."""
    return [(int(r), int(w)) for r, w in zip(*np.nonzero(problem.least_work > 0), strict=True)]


def _least(problem: Problem, key: Place) -> float:
    """Asked for with half of the tolerance, so that what is found keeps the whole of it."""
    return float(problem.least_work[key]) * (1 - MANDATE_TOLERANCE / 2)


def _kept(machine: _Machine, alone: Most) -> set[Place]:
    """As many required throughputs as one allocation can meet."""
    problem = machine.problem
    possible = [key for key in _mandatory(problem) if alone[key] >= _least(problem, key)]
    if len(possible) < 2:
        return set(possible)
    program = _Program(machine, range(len(problem.demand)), "min")
    missed = program.build.add_columns(
        len(possible), cost=1.0, upper=1.0, integer=True, label="missed"
    )
    # of the smallest sets, the one whose requirements come nearest to being met
    short = program.build.add_columns(len(possible), cost=0.5 / len(possible), label="short")
    for key, column, whole in zip(possible, short, missed, strict=True):
        program.require(key, _least(problem, key), int(column))
        program.build.add_rows(
            [0, 0], [column, whole], [1.0, -1.0], upper=[0.0], label=f"short_{key[0]}_{key[1]}"
        )
    x = program.solved()
    return {key for key, z in zip(possible, x[missed], strict=True) if z < 0.5}


def _short(machine: _Machine, alone: Most, met: set[Place]) -> Most:
    """What is reached of the requirements that are missed, before any work that is not required."""
    missed = [key for key in _mandatory(machine.problem) if key not in met and alone[key] > 0]
    ratings = sorted({rating for rating, _ in missed})
    if machine.allowance_w == UNLIMITED:
        groups = [[rating] for rating in ratings]
    else:  # every rating takes its share of the energy
        groups = [list(range(len(machine.problem.demand)))] if missed else []
    reached: Most = {}
    for group in groups:
        reached |= dict(_shared(machine, group, met, [key for key in missed if key[0] in group]))
    return {key: value for key, value in reached.items() if value > 0}


def _shared(
    machine: _Machine, ratings: list[int], met: set[Place], missed: list[Place]
) -> Iterator[tuple[Place, float]]:
    """Throughputs of missed requirements: the same share of each as far as it goes, then more."""
    program = _Program(machine, ratings, "max")
    share = program.build.add_columns(1, cost=1.0, upper=1.0, label="share")
    for key in sorted(met):
        if key[0] in ratings:
            program.require(key, _least(machine.problem, key))
    more = program.build.add_columns(len(missed), cost=_SECOND / len(missed), label="gain")
    for key, column in zip(missed, more, strict=True):
        columns, rates = program.throughput(*key)
        program.build.add_rows(
            [0, 0], [column, share[0]], [1.0, -1.0], lower=[0.0],
            label=f"shared_{key[0]}_{key[1]}",
        )  # fmt: skip
        program.build.add_rows(
            np.zeros(len(columns) + 1), np.r_[columns, column],
            np.r_[rates / _least(machine.problem, key), -1.0], lower=[0.0],
            label=f"gained_{key[0]}_{key[1]}",
        )  # fmt: skip
    x = program.solved()
    for key in missed:
        columns, rates = program.throughput(*key)
        yield key, float(product(rates, x[columns])) * (1 - _GAP)


def _rest(machine: _Machine, alone: Most, first: Most) -> list[Floats]:
    """Nodes in use in every rating: what comes first, then the largest theta of the others.

    The others are all but the requirements that are missed; where what comes first leaves nothing
    for some of them, only the requirements that are met.
    """
    running = {
        rating: _running(machine.problem, alone, first, rating)
        for rating in range(len(machine.problem.demand))
    }
    result, sizes = [], []
    for rating, every in running.items():
        size = min((alone[key] for key in every), default=0.0)
        share, at_work = _largest(machine, {rating: size}, running, first)
        if share <= _GAP:
            running[rating] = [key for key in every if key in first]
            size = min((alone[key] for key in running[rating]), default=0.0)
            share, at_work = _largest(machine, {rating: size}, running, first)
        result += at_work
        sizes.append(size * share)
    if machine.allowance_w == UNLIMITED:
        return result
    return _largest(machine, dict(enumerate(sizes)), running, first)[1]


def _running(problem: Problem, alone: Most, first: Most, rating: int) -> list[Place]:
    """Workloads of a rating that run at all, without the requirements that are missed."""
    return [
        key
        for key, maximum in alone.items()
        if key[0] == rating
        and maximum > 0
        and (not problem.least_work[key] or first.get(key, 0.0) >= _least(problem, key))
    ]


def _largest(
    machine: _Machine, sizes: dict[int, float], running: dict[int, list[Place]], first: Most
) -> tuple[float, list[Floats]]:
    """The largest share of its size that theta reaches in every rating, and the allocation.

    Theta counts the workloads that run at all.
    """
    program = _Program(machine, list(sizes), "max")
    build, moving = program.build, [r for r, size in sizes.items() if size > 0]
    share = build.add_columns(1, cost=1.0, upper=2.0 if moving else 0.0, label="share")
    theta = build.add_columns(len(moving), cost=_SECOND / max(1, len(moving)), label="theta")
    for key in sorted(first):
        if key[0] in sizes:
            program.require(key, first[key])
    for column, rating in zip(theta, moving, strict=True):
        build.add_rows(
            [0, 0], [column, share[0]], [1.0, -1.0], lower=[0.0], label=f"shared_{rating}"
        )
        for key in running[rating]:
            columns, rates = program.throughput(*key)
            build.add_rows(
                np.zeros(len(columns) + 1), np.r_[columns, column],
                np.r_[rates / sizes[rating], -1.0], lower=[0.0],
                label=f"running_{rating}_{key[1]}",
            )  # fmt: skip
    x = program.solved()
    return float(x[share[0]]), [program.at_work(rating, x) for rating in sizes]


def _rates(problem: Problem, plan: Plan, alone: Most) -> Iterator[Requirement]:
    for rating, workload in _mandatory(problem):
        minimum, maximum = float(problem.least_work[rating, workload]), alone[rating, workload]
        together = float(throughputs(problem, plan, rating)[workload])
        yield Requirement(
            problem.workloads[workload],
            problem.rating_names[rating],
            minimum,
            max(maximum, together) if maximum > 0 else None,
            together if maximum > 0 else None,
            missed=together < minimum * (1 - MANDATE_TOLERANCE),
        )


def _times(problem: Problem, picks: Sequence[Partition | None]) -> Iterator[Requirement]:
    """Each runs alone on its partition, so alone and together are the same."""
    for capability, pick in zip(problem.capabilities, picks, strict=True):
        limited = capability.largest_time_s < math.inf
        if limited or pick is None:
            time_s = None if pick is None else pick.time_s
            missed = time_s is None or time_s > capability.largest_time_s
            required = capability.largest_time_s if limited else None
            yield Requirement(capability.name, "", required, time_s, time_s, missed)
