"""The procurement decision as a mixed-integer program over cuts.

Sets
    k slots (see :mod:`planner.procurement.layout`), o offers, t price tiers of an offer, v vendors,
    r ratings, s demand scenarios, c capability workloads, i partitions of c, g power rows
    (total, liquid, air)
Variables (power and money in the problem's units: numbers of one size make better programs)
    nodes[k]         installed nodes, integer
    bought[o,t]      nodes bought in price tier t, integer; in_tier[o,t] binary
    buys[o], from[v] binaries: the type, the vendor is bought from
    capped[k]        binary, statically capped only: the one cap of a type
    racks[o], leaves, spines, uplinks   integers; several binary: more than one leaf switch
    at[c,i]          binary: capability workload c runs on partition i
    theta[r]         throughput over the reference machine's
    log[r]           at most its logarithm, by tangents
    added[r]         mean power that working nodes add in rating r
    score[s]         log S; tail, below[s] for CVaR
    limit[.]         each resource, fixed at its value: a question may free it
Objective
    score            (1 - lambda) sum pi_s score_s + lambda (tail - sum pi_s below_s / (1 - alpha))
    cost             total cost of ownership
    power            mean IT power
Constraints
    rated            theta_r <= sum v_k nodes_k + sum mu_g headroom_g + nu added_r   (every cut)
    tangent          log_r <= ln a + (theta_r - a)/a                        (every point a)
    mix              score_s = sum w_sr log_r + sum w_sc ln(t_ref/t_i) at_ci
    below            below_s >= tail - score_s
    power            base of all nodes, switches and the fixed part <= limit, for each g
    partition_power  the same plus the partition's step <= limit
    holds            nodes of the partition <= nodes[k];  places: one partition each
    capital, operating, racks, fabric, memory, count, shares, policy   as named
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from planner.decimals import decimal
from planner.procurement.dominance import dominated
from planner.procurement.layout import Layout
from planner.procurement.performance import Partition
from planner.procurement.problem import (
    POWER_RESOURCES,
    RESOURCES,
    UNLIMITED,
    Problem,
)
from planner.procurement.rating import Cut, power_groups
from solvers import MilpBuilder

Indices = NDArray[np.int64]
MANDATE_MARGIN = 1e-6
"""A mandatory rating is asked for with so much more, so that a plan truly reaches it."""

MOST_NODES = 10**6
"""No program counts farther: beyond it, integers strain the solvers' tolerances."""


class Goal(StrEnum):
    """What the program optimises."""

    SCORE = "score"
    COST = "cost"
    POWER = "power"
    GIVEN = "given"  # by whoever extends the program


@dataclass
class Columns:
    """Where the variables stand."""

    limit: dict[str, int] = field(default_factory=dict)
    nodes: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    buys: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    racks: dict[int, int] = field(default_factory=dict)
    theta: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    log: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    added: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    score: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    at: list[Indices] = field(default_factory=list)
    offer_nodes: list[list[tuple[int, float]]] = field(default_factory=list)
    offer_money: list[list[tuple[int, float]]] = field(default_factory=list)
    hardware: list[tuple[int, float]] = field(default_factory=list)
    fabric_power: list[tuple[int, float]] = field(default_factory=list)


Terms = list[tuple[int, float]]


@dataclass(frozen=True)
class Freed:
    """A resource that may grow: what there is now, and the price of one more unit."""

    present: float
    unit_price: float


def most_nodes(problem: Problem, lay: Layout) -> list[int]:
    """Most nodes per offer that each limit alone allows."""
    limits, prices = problem.limits, problem.prices
    found = []
    for place, offer in enumerate(problem.offers):
        counts = [offer.most, MOST_NODES]
        if limits.capital < UNLIMITED:
            cheapest = min(decimal(tier.price) for tier in offer.tiers)
            outlay = cheapest * (1 + decimal(prices.installation))
            money = decimal(limits.capital) - decimal(prices.fixed_capital)
            counts.append(max(0, math.floor(money / outlay)))
        slots = np.flatnonzero(lay.slot_offer == place)
        base = float(lay.base_w[slots].min())
        bound = limits.liquid_w if offer.cooling == "liquid" else limits.air_w
        left = min(limits.it_power_w - problem.fixed_w, bound)
        if left < UNLIMITED and base > 0:
            counts.append(math.floor(max(0.0, left) / base * (1 + 1e-12)))
        if limits.racks < UNLIMITED and offer.nodes_per_rack is not None:
            counts.append(int(limits.racks) * offer.nodes_per_rack)
        most = min(counts)
        found.append(most if most >= offer.least else 0)
    return found


def useful_nodes(problem: Problem, lay: Layout) -> list[int]:
    """Most nodes per offer, none of those that another offer stands in for."""
    beaten = dominated(problem)
    return [
        0 if worse else most for most, worse in zip(most_nodes(problem, lay), beaten, strict=True)
    ]


class Program:
    """Builds one program; questions add their own rows and columns before :meth:`model`."""

    def __init__(
        self,
        problem: Problem,
        lay: Layout,
        cuts: Mapping[int, Sequence[Cut]],
        tangents: Mapping[int, Iterable[float]],
        goal: Goal = Goal.SCORE,
        *,
        constant: float = 0.0,
        most: list[int] | None = None,
        freed: Mapping[str, Freed] | None = None,
    ) -> None:
        self.problem, self.layout, self.goal = problem, lay, goal
        self._cuts, self._tangents = cuts, tangents
        self.columns = Columns()
        self.build = MilpBuilder(
            "max" if goal is Goal.SCORE else "min",
            name=f"procurement: {goal}",
            constant=constant + _constant(problem, goal),
        )
        self.most = useful_nodes(problem, lay) if most is None else most
        self._resources(freed or {})
        self._purchase()
        self._fabric()
        self._money()
        self._power()
        self._ratings()
        self._capabilities()
        self._risk()
        self._mandates()
        self._policy()

    def row(self, terms: Terms, *, lower: float = -math.inf, upper: float = math.inf) -> None:
        """Add one constraint."""
        columns = [column for column, _ in terms]
        values = [value for _, value in terms]
        self.build.add_rows([0] * len(terms), columns, values, lower=[lower], upper=[upper])

    def column(self, **options: float | bool) -> int:
        """Add one column."""
        return int(self.build.add_columns(1, **options)[0])  # type: ignore[arg-type]

    def _resources(self, freed: Mapping[str, Freed]) -> None:
        for name in RESOURCES:
            value = getattr(self.problem.limits, name) / self.problem.unit(name)
            if value == UNLIMITED:
                continue
            least, price = value, 0.0
            if name in freed:
                least = freed[name].present / self.problem.unit(name)
                price = freed[name].unit_price * self.problem.unit(name)
            self.columns.limit[name] = self.column(lower=least, upper=value, cost=price)

    def _cost(self, goal: Goal, value: float) -> float:
        return value if self.goal is goal else 0.0

    def _purchase(self) -> None:
        """Nodes per slot, price tiers, and which types are bought."""
        problem, lay, cols = self.problem, self.layout, self.columns
        most = np.array(self.most, dtype=np.float64)
        cols.nodes = self.build.add_columns(lay.slots, upper=most[lay.slot_offer], integer=True)
        buys = []
        for place, offer in enumerate(problem.offers):
            slots = np.flatnonzero(lay.slot_offer == place)
            count: Terms = [(int(cols.nodes[k]), 1.0) for k in slots]
            buys.append(self.column(upper=float(most[place] > 0), integer=True))
            self.row([*count, (buys[-1], -most[place])], upper=0.0)
            cols.offer_nodes.append(count)
            cols.offer_money.append(self._tiers(place, count, buys[-1]))
            if offer.least > 1 and most[place] > 0:
                self.row([*count, (buys[-1], -float(offer.least))], lower=0.0)
            if len(slots) > 1:
                self._one_cap(slots, buys[-1], most[place])
        cols.buys = np.array(buys, dtype=np.int64)

    def _tiers(self, place: int, count: Terms, buys: int) -> Terms:
        """Money for one type's nodes."""
        tiers = [t for t in self.problem.offers[place].tiers if t.first <= self.most[place]]
        if len(tiers) <= 1:
            price = tiers[0].price if tiers else 0.0
            return [(column, price / self.problem.money_unit) for column, _ in count]
        money: Terms = []
        total: Terms = [(column, -value) for column, value in count]
        chosen: Terms = [(buys, -1.0)]
        for tier in tiers:
            last = float(min(tier.last, self.most[place]))
            bought = self.column(upper=last, integer=True)
            inside = self.column(upper=1.0, integer=True)
            self.row([(bought, 1.0), (inside, -float(tier.first))], lower=0.0)
            self.row([(bought, 1.0), (inside, -last)], upper=0.0)
            money.append((bought, tier.price / self.problem.money_unit))
            total.append((bought, 1.0))
            chosen.append((inside, 1.0))
        self.row(total, lower=0.0, upper=0.0)
        self.row(chosen, lower=0.0, upper=0.0)
        return money

    def _one_cap(self, slots: Indices, buys: int, most: float) -> None:
        capped = self.build.add_columns(len(slots), upper=1.0, integer=True)
        for slot, one in zip(slots, capped, strict=True):
            self.row([(int(self.columns.nodes[slot]), 1.0), (int(one), -most)], upper=0.0)
        self.row([*((int(one), 1.0) for one in capped), (buys, -1.0)], upper=0.0)

    def _fabric(self) -> None:
        """Racks, switches and cables; money goes into ``hardware``, power into ``fabric_power``."""
        problem, cols = self.problem, self.columns
        cols.hardware = [term for money in cols.offer_money for term in money]
        places: Terms = []
        for place, offer in enumerate(problem.offers):
            if offer.nodes_per_rack is None or self.most[place] == 0:
                continue
            most = math.ceil(self.most[place] / offer.nodes_per_rack)
            racks = self.column(upper=float(most), integer=True)
            cols.racks[place] = racks
            fit = float(offer.nodes_per_rack)
            self.row([*cols.offer_nodes[place], (racks, -fit)], upper=0.0)
            places.append((racks, 1.0))
            cols.hardware.append((racks, problem.prices.rack / self.problem.money_unit))
        if "racks" in cols.limit:
            self.row([*places, (cols.limit["racks"], -1.0)], upper=0.0)
        self._switches()

    def _switches(self) -> None:
        network, cols = self.problem.network, self.columns
        if network is None:
            return
        ports: Terms = [
            (column, float(offer.ports))
            for offer, count in zip(self.problem.offers, cols.offer_nodes, strict=True)
            for column, _ in count
            if offer.ports
        ]
        all_ports = sum(o.ports * m for o, m in zip(self.problem.offers, self.most, strict=True))
        most = min(math.ceil(all_ports / network.leaf_node_ports), network.spine_ports)
        leaves = self.column(upper=float(most), integer=True)
        several = self.column(upper=float(most > 1), integer=True)
        uplinks = self.column(upper=float(most * network.leaf_uplinks))
        spines = self.column(
            upper=float(math.ceil(most * network.leaf_uplinks / network.spine_ports)), integer=True
        )
        up = float(network.leaf_uplinks)
        self.row([*ports, (leaves, -float(network.leaf_node_ports))], upper=0.0)
        self.row([(leaves, 1.0), (several, -float(most - 1))], upper=1.0)
        self.row([(uplinks, 1.0), (leaves, -up), (several, -up)], lower=-up)
        self.row([(spines, float(network.spine_ports)), (uplinks, -1.0)], lower=0.0)
        cols.hardware += [
            (leaves, network.leaf_price / self.problem.money_unit),
            (spines, network.spine_price / self.problem.money_unit),
            (uplinks, network.uplink_cable_price / self.problem.money_unit),
        ]
        cols.hardware += [
            (c, n * network.node_cable_price / self.problem.money_unit) for c, n in ports
        ]
        cols.fabric_power = [
            (leaves, network.leaf_w / self.problem.power_unit),
            (spines, network.spine_w / self.problem.power_unit),
        ]

    def _money(self) -> None:
        problem, cols, prices = self.problem, self.columns, self.problem.prices
        hardware = _summed(cols.hardware)
        outlay = [(c, v * (1 + prices.installation)) for c, v in hardware]
        if "capital" in cols.limit:
            self.row(
                [*outlay, (cols.limit["capital"], -1.0)],
                upper=-prices.fixed_capital / self.problem.money_unit,
            )
        weights = problem.energy_weight
        price = prices.expected_energy_price
        cost = [
            self._cost(Goal.COST, prices.annuity * w * self._energy_rate(price))
            + self._cost(Goal.POWER, float(w))
            for w in weights
        ]
        cols.added = self.build.add_columns(len(weights), cost=cost)
        year = [(c, v * prices.maintenance) for c, v in hardware]
        idle = self.idle_power()
        if "operating" in cols.limit:
            per_unit = self._energy_rate(prices.binding_energy_price)
            energy = [(c, v * per_unit) for c, v in idle]
            energy += [
                (int(a), float(w) * per_unit) for a, w in zip(cols.added, weights, strict=True)
            ]
            fixed = (
                prices.staff / self.problem.money_unit
                + problem.fixed_w / self.problem.power_unit * per_unit
            )
            self.row(_summed([*year, *energy, (cols.limit["operating"], -1.0)]), upper=-fixed)
        if self.goal is Goal.COST:
            self._as_cost(outlay, 1.0)
            self._as_cost(year, prices.annuity)
            self._as_cost(idle, prices.annuity * self._energy_rate(price))
        if self.goal is Goal.POWER:
            self._as_cost(idle, 1.0)

    def _as_cost(self, terms: Terms, factor: float) -> None:
        """Put a linear expression into the objective, through a column that equals it."""
        total = self.column(cost=factor, lower=-math.inf)
        self.row([*_summed(terms), (total, -1.0)], lower=0.0, upper=0.0)

    def _energy_rate(self, price: float) -> float:
        """Money per year of one unit of mean power, both in the program's units."""
        problem = self.problem
        return problem.prices.energy_per_w(price) * problem.power_unit / problem.money_unit

    def idle_power(self) -> Terms:
        """IT power of idle nodes and switches, without the fixed part."""
        idle: Terms = [
            (column, offer.idle_w / self.problem.power_unit)
            for offer, count in zip(self.problem.offers, self.columns.offer_nodes, strict=True)
            for column, _ in count
        ]
        return _summed([*idle, *self.columns.fabric_power])

    def base_power(self, group: int) -> Terms:
        """Power of all installed nodes in one power row; with switches in the total."""
        member = (
            power_groups(self.problem, self.layout)[group]
            * self.layout.base_w
            / self.problem.power_unit
        )
        terms = [(int(c), float(v)) for c, v in zip(self.columns.nodes, member, strict=True) if v]
        return terms + (self.columns.fabric_power if group == 0 else [])

    def _power(self) -> None:
        for group, name in enumerate(POWER_RESOURCES):
            if getattr(self.problem.limits, name) < UNLIMITED:
                fixed = self.problem.fixed_w / self.problem.power_unit if group == 0 else 0.0
                limit = (self.columns.limit[name], -1.0)
                self.row([*self.base_power(group), limit], upper=-fixed)

    def _ratings(self) -> None:
        problem, cols = self.problem, self.columns
        count = len(problem.demand)
        cols.theta = self.build.add_columns(
            count, lower=problem.least_rating * (1 + MANDATE_MARGIN)
        )
        cols.log = self.build.add_columns(count, lower=-math.inf)
        unlimited = np.array(
            [getattr(problem.limits, name) == UNLIMITED for name in POWER_RESOURCES]
        )
        base = [dict(self.base_power(group)) for group in range(3)]
        for rating in range(count):
            for each in self._cuts.get(rating, ()):
                if not (each.power[unlimited] > 0).any():
                    self._cut_row(rating, each, base)
            for point in sorted(self._tangents.get(rating, ())):
                theta, log = int(cols.theta[rating]), int(cols.log[rating])
                self.row([(log, 1.0), (theta, -1 / point)], upper=_rounded_up(math.log(point) - 1))

    def _cut_row(self, rating: int, found: Cut, base: list[dict[int, float]]) -> None:
        cols = self.columns
        terms: Terms = [(int(cols.theta[rating]), 1.0)]
        terms += [(int(c), -float(v)) for c, v in zip(cols.nodes, found.nodes, strict=True) if v]
        fixed = 0.0
        for group, name in enumerate(POWER_RESOURCES):
            weight = float(found.power[group]) * self.problem.power_unit
            if weight > 0:
                terms += [(c, weight * v) for c, v in base[group].items()]
                terms.append((cols.limit[name], -weight))
                fixed += (
                    weight * self.problem.fixed_w / self.problem.power_unit if group == 0 else 0.0
                )
        if found.energy > 0:
            terms.append((int(cols.added[rating]), -found.energy * self.problem.power_unit))
        self.row(_summed(terms), upper=_rounded_up(-fixed))

    def _capabilities(self) -> None:
        problem, lay, cols = self.problem, self.layout, self.columns
        for place, _ in enumerate(problem.capabilities):
            options = lay.partitions[place]
            at = self.build.add_columns(len(options), upper=1.0, integer=True)
            cols.at.append(at)
            self.row([(int(c), 1.0) for c in at], lower=1.0, upper=1.0)
            slots = [int(lay.mode_slot[each.mode]) for each in options]
            for slot in sorted(set(slots)):
                held: Terms = [
                    (int(c), float(each.nodes))
                    for c, each, s in zip(at, options, slots, strict=True)
                    if s == slot
                ]
                self.row([*held, (int(cols.nodes[slot]), -1.0)], upper=0.0)
            self._partition_power(at, options)

    def _partition_power(self, at: Indices, options: Sequence[Partition]) -> None:
        groups = power_groups(self.problem, self.layout)
        step_power = self.layout.step_w / self.problem.power_unit
        for group, name in enumerate(POWER_RESOURCES):
            step: Terms = [
                (
                    int(c),
                    each.nodes * float(step_power[each.mode]),
                )
                for c, each in zip(at, options, strict=True)
                if groups[group, self.layout.mode_slot[each.mode]]
                and self.layout.step_w[each.mode] > 0
            ]
            if step and getattr(self.problem.limits, name) < UNLIMITED:
                fixed = self.problem.fixed_w / self.problem.power_unit if group == 0 else 0.0
                limit = (self.columns.limit[name], -1.0)
                self.row([*self.base_power(group), *step, limit], upper=-fixed)

    def _risk(self) -> None:
        problem, cols = self.problem, self.columns
        scenarios, weight = len(problem.probability), problem.cvar_weight
        mean = [self._cost(Goal.SCORE, (1 - weight) * float(p)) for p in problem.probability]
        cols.score = self.build.add_columns(scenarios, cost=mean, lower=-math.inf)
        for s in range(scenarios):
            terms: Terms = [(int(cols.score[s]), -1.0)]
            terms += [
                (int(cols.log[r]), float(w)) for r, w in enumerate(problem.rating_weight[s]) if w
            ]
            for c, capability in enumerate(problem.capabilities):
                share = float(problem.capability_weight[s, c])
                options = self.layout.partitions[c]
                terms += [
                    (int(col), share * math.log(capability.reference_time_s / each.time_s))
                    for col, each in zip(cols.at[c], options, strict=True)
                    if share
                ]
            self.row(terms, lower=0.0, upper=0.0)
        if weight > 0:
            self._tail(scenarios, weight)

    def _tail(self, scenarios: int, weight: float) -> None:
        cols, chance = self.columns, self.problem.probability
        share = 1 / (1 - self.problem.cvar_level)
        tail = self.column(cost=self._cost(Goal.SCORE, weight), lower=-math.inf)
        cost = [self._cost(Goal.SCORE, -weight * float(p) * share) for p in chance]
        below = self.build.add_columns(scenarios, cost=cost)
        for s in range(scenarios):
            self.row([(int(below[s]), 1.0), (tail, -1.0), (int(cols.score[s]), 1.0)], lower=0.0)
        self._risk_terms: Terms = [(tail, weight)]
        self._risk_terms += [
            (int(b), -weight * float(p) * share) for b, p in zip(below, chance, strict=True)
        ]

    def require_score(self, least: float) -> None:
        """Demand a risk measure of log S of at least so much."""
        weight = self.problem.cvar_weight
        terms: Terms = [
            (int(c), (1 - weight) * float(p))
            for c, p in zip(self.columns.score, self.problem.probability, strict=True)
        ]
        self.row(terms + (self._risk_terms if weight > 0 else []), lower=least)

    def require_cost(self, most: float) -> None:
        """Demand a total cost of ownership of at most so much."""
        problem, prices, cols = self.problem, self.problem.prices, self.columns
        per_unit = prices.annuity * self._energy_rate(prices.expected_energy_price)
        factor = 1 + prices.installation + prices.annuity * prices.maintenance
        terms = [(c, v * factor) for c, v in cols.hardware]
        terms += [(c, v * per_unit) for c, v in self.idle_power()]
        terms += [
            (int(a), float(w) * per_unit)
            for a, w in zip(cols.added, problem.energy_weight, strict=True)
        ]
        self.row(_summed(terms), upper=most / problem.money_unit - _constant(problem, Goal.COST))

    def _mandates(self) -> None:
        problem, cols = self.problem, self.columns
        every: Terms = [term for count in cols.offer_nodes for term in count]
        if problem.least_nodes:
            self.row(every, lower=float(problem.least_nodes))
        if problem.least_memory_gb:
            memory = [
                (column, offer.memory_gb)
                for offer, count in zip(problem.offers, cols.offer_nodes, strict=True)
                for column, _ in count
            ]
            self.row(memory, lower=problem.least_memory_gb)
        for share in problem.shares:
            parts = cols.offer_nodes if share.of == "nodes" else self._quoted_money()
            chosen = [
                (o.kind == share.kind) if share.kind is not None else (o.vendor == share.vendor)
                for o in problem.offers
            ]
            for bound, sign in ((share.least, 1.0), (share.most, -1.0)):
                if (sign > 0 and bound > 0) or (sign < 0 and bound < 1):
                    terms = [
                        (column, sign * value * (float(mine) - bound))
                        for part, mine in zip(parts, chosen, strict=True)
                        for column, value in part
                    ]
                    self.row(_summed(terms), lower=0.0)

    def _quoted_money(self) -> list[Terms]:
        """Money for each type's nodes at quoted prices."""
        return [
            [(column, value * offer.quoted) for column, value in money]
            for offer, money in zip(self.problem.offers, self.columns.offer_money, strict=True)
        ]

    def _policy(self) -> None:
        problem, cols = self.problem, self.columns
        if problem.most_node_types is not None:
            self.row([(int(b), 1.0) for b in cols.buys], upper=float(problem.most_node_types))
        if problem.most_vendors is None:
            return
        vendors = sorted({offer.vendor for offer in problem.offers})
        chosen = self.build.add_columns(len(vendors), upper=1.0, integer=True)
        for buys, offer in zip(cols.buys, problem.offers, strict=True):
            vendor = int(chosen[vendors.index(offer.vendor)])
            self.row([(int(buys), 1.0), (vendor, -1.0)], upper=0.0)
        self.row([(int(v), 1.0) for v in chosen], upper=float(problem.most_vendors))


def _constant(problem: Problem, goal: Goal) -> float:
    """What no choice changes: fixed outlay, staff, and the fixed part's power."""
    prices = problem.prices
    if goal is Goal.POWER:
        return problem.fixed_w / problem.power_unit
    if goal is not Goal.COST:
        return 0.0
    energy = problem.fixed_w * prices.energy_per_w(prices.expected_energy_price)
    return (prices.fixed_capital + prices.annuity * (prices.staff + energy)) / problem.money_unit


def _summed(terms: Terms) -> Terms:
    total: dict[int, float] = {}
    for column, value in terms:
        total[column] = total.get(column, 0.0) + value
    return list(total.items())


def _rounded_up(value: float) -> float:
    """A little above, so that rounding to 15 digits cuts nothing off."""
    return value + 1e-12 * max(1.0, abs(value))
