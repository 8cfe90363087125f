"""Every machine of a small problem, rated by a linear program that is written here alone.

Nothing of the planner is used but the problem's data: purchases are enumerated, bills are added
up in plain loops, all machines' ratings are one block-diagonal program. It goes to HiGHS as it
is, without the solver layer; scipy's own way there takes several times as long as the solving.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import highspy
import numpy as np
from numpy.typing import NDArray

from planner.procurement.columns import Goal
from planner.procurement.performance import Partition
from planner.procurement.problem import Problem, Tier

Floats = NDArray[np.float64]
SLACK = 1e-9
_BLOCK = 200


@dataclass
class Machine:
    """One purchase: nodes per offer, modes in which each offer may run."""

    counts: tuple[int, ...]
    modes: tuple[tuple[int, ...], ...]
    base_w: Floats  # all installed nodes: total, liquid, air
    idle_w: float
    hardware: float
    thetas: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Best:
    """The true optimum lies between the two; ``None`` where no machine is feasible."""

    lower: float | None
    upper: float | None
    machine: Machine | None


def best(problem: Problem) -> Best:
    """The best machine of all, by looking at every one."""
    result, lower, upper = None, -math.inf, -math.inf
    for bound, machine in _able(problem):
        if result is not None and bound <= lower:
            break
        truth = _with_energy(problem, machine, bound)
        if truth is not None and (result is None or truth[0] > lower):
            result, lower = machine, truth[0]
        if truth is not None:
            upper = max(upper, truth[1])
    return Best(None, None, None) if result is None else Best(lower, upper, result)


def every_plan(problem: Problem) -> list[tuple[float, Machine]]:
    """Every machine that meets all there is to meet, with its log S, best first."""
    result = []
    for bound, machine in _able(problem):
        truth = _with_energy(problem, machine, bound)
        if truth is not None:
            result.append((truth[0], machine))
    return sorted(result, key=lambda pair: -pair[0])


def _able(problem: Problem) -> list[tuple[float, Machine]]:
    """Machines that reach all mandates if energy costs nothing, best first."""
    machines = [machine for machine in _machines(problem) if all(_place(problem, machine))]
    for start in range(0, len(machines), _BLOCK):
        for rating in range(len(problem.demand)):
            _rate(problem, machines[start : start + _BLOCK], rating)
    able = [machine for machine in machines if all(t > 0 for t in machine.thetas)]
    return sorted(((_objective(problem, m, m.thetas), m) for m in able), key=lambda t: -t[0])


def node_money(problem: Problem, counts: tuple[int, ...]) -> list[float]:
    """Money for the nodes of each offer, without racks and network."""
    pairs = zip(problem.offers, counts, strict=True)
    return [count * _price(offer.tiers, count) if count else 0.0 for offer, count in pairs]


def capital(problem: Problem, counts: tuple[int, ...]) -> float:
    """Capital that a purchase takes."""
    prices = problem.prices
    return _money(problem, counts)[0] * (1 + prices.installation) + prices.fixed_capital


def bought_well(problem: Problem, counts: tuple[int, ...]) -> bool:
    """Whether a purchase keeps to all that counts and money alone decide."""
    return _bought_well(problem, counts)


def installed(
    problem: Problem, counts: tuple[int, ...], modes: tuple[tuple[int, ...], ...]
) -> Machine:
    """A purchase with what it takes before it works, whether or not the limits allow it."""
    return _provisioned(problem, counts, modes, *_money(problem, counts))


def _machines(problem: Problem) -> Iterator[Machine]:
    every = [
        (0, *range(offer.tiers[0].first, offer.tiers[-1].last + 1)) for offer in problem.offers
    ]
    for counts in itertools.product(*every):
        if _bought_well(problem, counts):
            hardware, fabric_w = _money(problem, counts)
            for modes in itertools.product(*_mode_choices(problem, counts)):
                machine = _provisioned(problem, counts, modes, hardware, fabric_w)
                limits = problem.limits
                bounds = (limits.it_power_w, limits.liquid_w, limits.air_w)
                if all(w <= b * (1 + SLACK) for w, b in zip(machine.base_w, bounds, strict=True)):
                    yield machine


def every_machine(problem: Problem) -> Iterator[Machine]:
    """Every purchase that counts, money and installed watts allow."""
    return _machines(problem)


def theta(problem: Problem, machine: Machine, rating: int) -> float:
    """Rating of one machine."""
    alone = replace(machine, thetas=[])
    _rate(problem, [alone], rating)
    return alone.thetas[0]


def together(problem: Problem, machine: Machine, required: dict[tuple[int, int], float]) -> bool:
    """Whether some allocation of all ratings meets required throughputs and every limit."""
    return _most(problem, machine, required, None) is not None


def alone(problem: Problem, machine: Machine, rating: int, workload: int) -> float:
    """Most throughput of one workload in one rating where all else is idle."""
    result = _most(problem, machine, {}, (rating, workload))
    assert result is not None
    return result


def besides(
    problem: Problem,
    machine: Machine,
    required: dict[tuple[int, int], float],
    place: tuple[int, int],
) -> float | None:
    """Most throughput of one workload where others are required and all else is idle."""
    return _most(problem, machine, required, place)


def _most(
    problem: Problem,
    machine: Machine,
    required: dict[tuple[int, int], float],
    gain: tuple[int, int] | None,
) -> float | None:
    """Largest throughput of ``gain`` under required ones; ``None`` where they cannot be met."""
    free = replace(problem, least_work=np.zeros_like(problem.least_work))
    rows, width, energy, columns = Rows(), 0, dict[int, float](), dict[tuple[int, int, int], int]()
    for rating, weight in enumerate(problem.energy_weight):
        start, width = width, _allocation(rows, free, machine, rating, width)
        for i, (mode, workload) in enumerate(_pairs(problem, machine, rating)):
            idle = problem.offers[problem.modes[mode].offer].idle_w
            column = columns[rating, mode, workload] = start + 1 + i
            consumed_w = problem.drawn_w[mode, workload] - idle
            energy[column] = weight * problem.prices.utilisation * consumed_w

    def done(rating: int, workload: int) -> dict[int, float]:
        unit = problem.demand[rating, workload] * problem.reference_nodes
        own = [(key, c) for key, c in columns.items() if key[0] == rating and key[2] == workload]
        return {column: problem.merit[mode, workload] / unit for (_, mode, _), column in own}

    for position, minimum in required.items():
        rows.add({c: -rate for c, rate in done(*position).items()}, -minimum)
    if problem.limits.operating < math.inf:
        per_w = _costs(problem, machine, 1.0)[0] - _costs(problem, machine, 0.0)[0]
        idle_cost = _costs(problem, machine, machine.idle_w)[0]
        rows.add(energy, (problem.limits.operating - idle_cost) / per_w)
    cost = np.zeros(width)
    for column, rate in done(*gain).items() if gain else ():
        cost[column] = rate
    x = rows.maximise(cost)
    return None if x is None else float(cost @ x)


def slot_counts(problem: Problem, machine: Machine) -> Floats:
    """Nodes as the planner's layouts count them: per offer, statically capped per mode."""
    if problem.regime != "static":
        return np.array(machine.counts, dtype=np.float64)
    counts = [
        machine.counts[mode.offer] if m in machine.modes[mode.offer] else 0
        for m, mode in enumerate(problem.modes)
    ]
    return np.array(counts, dtype=np.float64)


def least(problem: Problem, floor: float, goal: Goal) -> float | None:
    """Least total cost, or mean power, of the machines whose log S reaches a floor.

    For problems of one rating and no capability workload: there, log S is a multiple of log theta.
    """
    result = []
    theta_needed = math.exp(floor / float(problem.rating_weight[0, 0]))
    for machine in _machines(problem):
        rows = Rows()
        width = _allocation(rows, problem, machine, 0, 0)
        rows.add({0: -1.0}, -theta_needed)
        cost = np.zeros(width)
        for column, (mode, workload) in enumerate(_pairs(problem, machine, 0), start=1):
            idle_w = problem.offers[problem.modes[mode].offer].idle_w
            cost[column] = -problem.prices.utilisation * (problem.drawn_w[mode, workload] - idle_w)
        x = rows.maximise(cost)
        if x is None:
            continue
        mean_w = machine.idle_w - float(cost @ x)
        operating, total = _costs(problem, machine, mean_w)
        if operating <= problem.limits.operating * (1 + SLACK):
            result.append(total if goal is Goal.COST else mean_w)
    return min(result, default=None)


def _costs(problem: Problem, machine: Machine, mean_w: float) -> tuple[float, float]:
    """Operating cost of a year at the binding energy price, and the total cost of ownership."""
    prices = problem.prices
    mean = sum(price * chance for price, chance in prices.energy_prices)
    binding = max(p for p, _ in prices.energy_prices) if prices.every_price else mean
    fixed = machine.hardware * prices.maintenance + prices.staff
    per_price = mean_w * prices.feed_per_it * 8.76
    capital = machine.hardware * (1 + prices.installation) + prices.fixed_capital
    total = capital + prices.annuity * (fixed + per_price * mean)
    return fixed + per_price * binding, total


def _mode_choices(
    problem: Problem, counts: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    for count_index, count in enumerate(counts):
        own = [m for m, mode in enumerate(problem.modes) if mode.offer == count_index]
        if not count:
            yield ((),)
        elif problem.regime == "static":
            yield tuple((m,) for m in own)
        elif problem.regime == "worst-case":
            yield ((own[-1],),)
        else:
            yield (tuple(own),)


def _provisioned(
    problem: Problem,
    counts: tuple[int, ...],
    modes: tuple[tuple[int, ...], ...],
    hardware: float,
    fabric_w: float,
) -> Machine:
    watts, idle = np.zeros(3), 0.0
    for offer, count, own in zip(problem.offers, counts, modes, strict=True):
        node_w = {"worst-case": offer.peak_w, "overprovisioned": offer.idle_w}.get(problem.regime)
        if node_w is None:
            node_w = problem.modes[own[0]].node_w if own else 0.0
        watts += count * node_w * np.array([1, offer.cooling == "liquid", offer.cooling == "air"])
        idle += count * offer.idle_w
    watts[0] += problem.fixed_w + fabric_w
    return Machine(counts, modes, watts, problem.fixed_w + fabric_w + idle, hardware)


def _bought_well(problem: Problem, counts: tuple[int, ...]) -> bool:
    """Counts alone: nodes, memory, racks, vendors, types, shares and capital."""
    bought = [(o, n) for o, n in zip(problem.offers, counts, strict=True) if n]
    racks = sum(math.ceil(n / o.nodes_per_rack) for o, n in bought if o.nodes_per_rack)
    network = problem.network
    ports = sum(o.ports * n for o, n in bought)
    if network is not None and ports > network.leaf_node_ports * network.spine_ports:
        return False
    spend = [_price(o.tiers, n) * o.quoted * n for o, n in bought]
    for share in problem.shares:
        parts = [float(n) for _, n in bought] if share.of == "nodes" else spend
        mine = sum(
            part
            for part, (o, _) in zip(parts, bought, strict=True)
            if share.kind in (None, o.kind) and share.vendor in (None, o.vendor)
        )
        total = sum(parts)
        if not share.least * total - SLACK <= mine <= share.most * total + SLACK:
            return False
    capital = _money(problem, counts)[0] * (1 + problem.prices.installation)
    return (
        sum(counts) >= problem.least_nodes
        and sum(o.memory_gb * n for o, n in bought) >= problem.least_memory_gb
        and racks <= problem.limits.racks
        and len({o.vendor for o, _ in bought}) <= (problem.most_vendors or 99)
        and len(bought) <= (problem.most_node_types or 99)
        and capital + problem.prices.fixed_capital <= problem.limits.capital * (1 + SLACK)
    )


def _price(tiers: tuple[Tier, ...], count: int) -> float:
    return next(t.price for t in tiers if t.first <= count <= t.last)


def _money(problem: Problem, counts: tuple[int, ...]) -> tuple[float, float]:
    """Hardware's money and switches' watts."""
    money, watts, ports, network = 0.0, 0.0, 0, problem.network
    for offer, count in zip(problem.offers, counts, strict=True):
        if count:
            money += count * _price(offer.tiers, count)
            ports += count * offer.ports
            if offer.nodes_per_rack:
                money += math.ceil(count / offer.nodes_per_rack) * problem.prices.rack
    if network is not None and ports:
        leaves = math.ceil(ports / network.leaf_node_ports)
        uplinks = leaves * network.leaf_uplinks if leaves > 1 else 0
        spines = math.ceil(uplinks / network.spine_ports)
        money += leaves * network.leaf_price + spines * network.spine_price
        money += ports * network.node_cable_price + uplinks * network.uplink_cable_price
        watts = leaves * network.leaf_w + spines * network.spine_w
    return money, watts


def _steps(problem: Problem, mode: int) -> Floats:
    """What a working node adds to each power row."""
    offer = problem.offers[problem.modes[mode].offer]
    step = problem.modes[mode].node_w - offer.idle_w
    if problem.regime != "overprovisioned":
        step = 0.0
    return np.array([step, step * (offer.cooling == "liquid"), step * (offer.cooling == "air")])


def headroom_w(problem: Problem, machine: Machine) -> Floats:
    """Watts beyond those of installed nodes: total, liquid, air."""
    limits = problem.limits
    bounds = np.array([limits.it_power_w, limits.liquid_w, limits.air_w])
    remaining = np.maximum(np.minimum(bounds, 1e7) - machine.base_w, 0.0)
    return np.asarray(remaining, dtype=np.float64)


def _place(problem: Problem, machine: Machine) -> list[Partition | None]:
    """The fastest partition of each capability workload."""
    remaining, result = headroom_w(problem, machine), []
    for capability in problem.capabilities:
        able = [
            option
            for option in capability.options
            if any(option.mode in own for own in machine.modes)
            and option.nodes <= machine.counts[problem.modes[option.mode].offer]
            and (option.nodes * _steps(problem, option.mode) <= remaining + 1e-6).all()
        ]
        result.append(min(able, key=lambda entry: entry.time_s, default=None))
    return result


def _pairs(problem: Problem, machine: Machine, rating: int) -> list[tuple[int, int]]:
    return [
        (mode, workload)
        for own in machine.modes
        for mode in own
        for workload in range(len(problem.workloads))
        if problem.demand[rating, workload] > 0 and problem.merit[mode, workload] > 0
    ]


class Rows:
    """Rows ``a x <= b`` of a linear program, grown one after the other."""

    def __init__(self) -> None:
        self.start: list[int] = [0]
        self.column: list[int] = []
        self.value: list[float] = []
        self.bound: list[float] = []

    def add(self, terms: dict[int, float], bound: float) -> None:
        self.column += list(terms)
        self.value += list(terms.values())
        self.start.append(len(self.column))
        self.bound.append(bound)

    def maximise(self, cost: Floats, free: int = 0) -> Floats | None:
        """Solve; the last ``free`` columns may be negative."""
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(cost), len(self.bound)
        lp.col_cost_ = -cost
        lp.col_lower_ = np.repeat([0.0, -np.inf], [len(cost) - free, free])
        lp.col_upper_ = np.full(len(cost), np.inf)
        lp.row_lower_ = np.full(len(self.bound), -np.inf)
        lp.row_upper_ = np.array(self.bound, dtype=np.float64)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = len(cost), len(self.bound)
        lp.a_matrix_.start_ = np.array(self.start, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(self.column, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(self.value, dtype=np.float64)
        return _solved(lp)


def _solved(lp: highspy.HighsLp) -> Floats | None:
    engine = highspy.Highs()  # type: ignore[no-untyped-call]  # its stubs leave __init__ bare
    for option, value in (("output_flag", False), ("threads", 1), ("parallel", "off")):
        assert engine.setOptionValue(option, value) == highspy.HighsStatus.kOk
    assert engine.passModel(lp) != highspy.HighsStatus.kError
    engine.run()
    status = engine.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    assert status == highspy.HighsModelStatus.kOptimal, engine.modelStatusToString(status)
    return np.asarray(engine.getSolution().col_value, dtype=np.float64)


def _allocation(rows: Rows, problem: Problem, machine: Machine, rating: int, first: int) -> int:
    """Rows of one rating; theta is column ``first``, the pairs follow; the next free column."""
    pairs = _pairs(problem, machine, rating)
    column = {pair: first + 1 + i for i, pair in enumerate(pairs)}
    for workload, share in enumerate(problem.demand[rating]):
        if share > 0:
            performed = {c: -problem.merit[p] for p, c in column.items() if p[1] == workload}
            rows.add({first: share * problem.reference_nodes, **performed}, 0.0)
            minimum = problem.least_work[rating, workload] * share * problem.reference_nodes
            if minimum:
                rows.add(performed, -minimum * (1 - SLACK))
    for count_index, count in enumerate(machine.counts):
        own = {c: 1.0 for p, c in column.items() if problem.modes[p[0]].offer == count_index}
        if own:
            rows.add(own, count)
    for group, remaining in enumerate(headroom_w(problem, machine)):
        rows.add({c: _steps(problem, p[0])[group] for p, c in column.items()}, remaining)
    return first + 1 + len(pairs)


def _rate(problem: Problem, machines: list[Machine], rating: int) -> None:
    """All machines at once, or where a mandate may be out of reach, one after the other."""
    if problem.least_work[rating].any() and len(machines) > 1:
        for machine in machines:
            _rate(problem, [machine], rating)
        return
    rows, width, starts = Rows(), 0, []
    for machine in machines:
        starts.append(width)
        width = _allocation(rows, problem, machine, rating, width)
    cost = np.zeros(width)
    cost[starts] = 1.0
    x = rows.maximise(cost)
    for machine, start in zip(machines, starts, strict=True):
        machine.thetas.append(0.0 if x is None else float(x[start]))


def _objective(problem: Problem, machine: Machine, thetas: list[float]) -> float:
    """``(1 - lambda) E + lambda CVaR`` of log S, CVaR as the maximum over eta."""
    logs = [math.log(t) if t > 1e-12 else -math.inf for t in thetas]
    gains = [
        math.log(c.reference_time_s / p.time_s) if p else -math.inf
        for c, p in zip(problem.capabilities, _place(problem, machine), strict=True)
    ]
    scores = [
        sum(w * v for w, v in zip(row, logs, strict=True) if w)
        + sum(w * v for w, v in zip(more, gains, strict=True) if w)
        for row, more in zip(problem.rating_weight, problem.capability_weight, strict=True)
    ]
    if -math.inf in scores:
        return -math.inf
    chance = problem.probability
    mean = sum(p * s for p, s in zip(chance, scores, strict=True))
    tail = max(
        eta
        - sum(p * max(0, eta - s) for p, s in zip(chance, scores, strict=True))
        / (1 - problem.cvar_level)
        for eta in scores
    )
    return float((1 - problem.cvar_weight) * mean + problem.cvar_weight * tail)


def _with_energy(problem: Problem, machine: Machine, bound: float) -> tuple[float, float] | None:
    """Objective of the best allocation that the operating budget bears, from below and above."""
    if problem.limits.operating == math.inf:
        return bound, bound
    prices = problem.prices
    energies = [price for price, _ in prices.energy_prices]
    mean = sum(price * chance for price, chance in prices.energy_prices)
    per_w = (max(energies) if prices.every_price else mean) * prices.feed_per_it * 8.76
    remaining = problem.limits.operating - machine.hardware * prices.maintenance - prices.staff
    remaining -= machine.idle_w * per_w
    if remaining < -1e-9 * problem.limits.operating:
        return None
    if bound == -math.inf:
        return bound, bound
    return _joint(problem, machine, max(0.0, remaining) / per_w)


def _joint(problem: Problem, machine: Machine, allowance_w: float) -> tuple[float, float] | None:
    """All ratings at once under one energy allowance; logarithms by ever closer tangents."""
    points = [{max(t, 1e-6) * 2.0**-k for k in range(12)} for t in machine.thetas]
    for _ in range(40):
        rows, starts, width, energy = Rows(), [], 0, {}
        for rating, weight in enumerate(problem.energy_weight):
            starts.append(width)
            width = _allocation(rows, problem, machine, rating, width)
            for i, (mode, workload) in enumerate(_pairs(problem, machine, rating)):
                idle = problem.offers[problem.modes[mode].offer].idle_w
                consumed_w = problem.drawn_w[mode, workload] - idle
                energy[starts[-1] + 1 + i] = weight * problem.prices.utilisation * consumed_w
        rows.add(energy, allowance_w)
        x, value = _risky(rows, problem, machine, starts, width, points)
        if x is None:
            return None
        thetas = [float(x[start]) for start in starts]
        truth = _objective(problem, machine, thetas)
        if value - truth < 1e-7:
            return truth, value
        for point, theta in zip(points, thetas, strict=True):
            point.add(max(theta, 1e-9))
    raise AssertionError(f"tangents do not close: {truth} {value}")


def _risky(
    rows: Rows,
    problem: Problem,
    machine: Machine,
    starts: list[int],
    width: int,
    points: list[set[float]],
) -> tuple[Floats | None, float]:
    scenarios, ratings = len(problem.probability), len(starts)
    below = width + np.arange(scenarios)
    log = width + scenarios + np.arange(ratings)
    score = log[-1] + 1 + np.arange(scenarios)
    tail = int(score[-1]) + 1
    for r, start in enumerate(starts):
        for point in points[r]:
            rows.add({int(log[r]): 1.0, start: -1 / point}, math.log(point) - 1)
    picks = _place(problem, machine)
    for s in range(scenarios):
        gained = sum(
            w * math.log(c.reference_time_s / p.time_s)
            for w, c, p in zip(
                problem.capability_weight[s], problem.capabilities, picks, strict=True
            )
            if p
        )
        parts = {int(log[r]): -w for r, w in enumerate(problem.rating_weight[s])}
        rows.add({int(score[s]): 1.0, **parts}, gained)
        rows.add({tail: 1.0, int(below[s]): -1.0, int(score[s]): -1.0}, 0.0)
    cost = np.zeros(tail + 1)
    cost[score] = (1 - problem.cvar_weight) * problem.probability
    cost[tail] = problem.cvar_weight
    cost[below] = -problem.cvar_weight * problem.probability / (1 - problem.cvar_level)
    x = rows.maximise(cost, free=ratings + scenarios + 1)
    return x, 0.0 if x is None else float(cost @ x)
