"""The procurement decision as a mixed-integer program over cuts.

Sets
    k slots (see :mod:`planner.procurement.layout`), o offers, t price tiers of an offer, v vendors,
    r ratings, s demand scenarios, c capability workloads, i partitions of c, g power rows
    (total, liquid, air)
Variables (power and money in the problem's units: numbers of one size make better programs)
    nodes_k          installed nodes, integer
    bought_o_t       nodes bought in price tier t, integer; in_tier_o_t binary
    buys_o, from_v   binaries: the type, the vendor is bought from
    cap_o_i          binary, statically capped only: the one cap of a type
    racks_o, leaves, spines, uplinks   integers; several binary: more than one leaf switch
    at_c_i           binary: capability workload c runs on partition i
    theta_r          throughput over the reference machine's, in units of the rating
    log_r            at most its logarithm, by tangents
    added_r          mean power that working nodes add in rating r
    score_s          log S; tail, below_s for CVaR
    limit_x          each resource, fixed at its value: a question may free it
    outlay, year, idle   parts of the objective, where it is a cost or a power
Objective
    score            (1 - lambda) sum pi_s score_s + lambda (tail - sum pi_s below_s / (1 - alpha))
    cost             total cost of ownership
    power            mean IT power
Constraints
    rated_r_j          theta_r <= sum v_k nodes_k + sum mu_g headroom_g + nu added_r   (every cut j)
    rated_r_w          theta_r <= work done of w over its share in the mix   (allocated, no cuts)
    busy_r_k           nodes in use in slot k <= nodes_k                     (allocated)
    g_rating_r, energy_r, mandatory_r_w   what they draw and do, within its limit (allocated)
    tangent_r_j        log_r <= ln a + (theta_r - a)/a                     (every point a)
    mix_s              score_s = sum w_sr log_r + sum w_sc ln(t_ref/t_i) at_c_i
    short_s            below_s >= tail - score_s
    g_installed        base of all nodes, switches and the fixed part <= limit, for each g
    g_partition_c      the same plus the partition's step <= limit
    holds_c_k          nodes of the partition <= nodes_k;  one_partition_c: one each
    if_bought_o        nodes <= most buys_o;  least_order_o: nodes >= least buys_o
    first_o_t, last_o_t, all_tiers_o, one_tier_o   nodes are bought in one price tier
    capped_k, one_cap_o   nodes_k <= most cap_o_i, and one cap of a type that is bought
    in_racks_o, rack_places, ports, one_leaf, wired, spine_ports   racks and switches
    capital, operating, least_nodes, least_memory, share_least_i, share_most_i, node_types,
    vendor_o, vendors, least_score, most_cost   as named; all_x: the part x of the objective

Names of one are without a number: ``tangent_3`` where rating 3 has one tangent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from planner.procurement.columns import Columns, Freed, Goal, Indices, Terms, rounded_up, summed
from planner.procurement.layout import Layout
from planner.procurement.package_rows import add_packages, add_share
from planner.procurement.performance import Partition
from planner.procurement.problem import (
    MANDATE_TOLERANCE,
    POWER_RESOURCES,
    RESOURCES,
    UNLIMITED,
    Floats,
    Problem,
)
from planner.procurement.purchase import add_nodes, add_racks
from planner.procurement.quantities import rating_units, useful_nodes
from planner.procurement.rating import Cut, mandated_work, power_groups
from solvers import MilpBuilder
from solvers.portable import log

SMALLEST_RATING = 0.1
"""In its unit, so a ten-thousandth of its size: every plan does some of all work."""


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
        allocated: bool = False,
    ) -> None:
        self.problem, self.layout, self.goal = problem, lay, goal
        self._cuts, self._tangents = cuts, tangents
        self._allocated = allocated
        self.columns = Columns()
        self.build = MilpBuilder(
            "max" if goal is Goal.SCORE else "min",
            name=f"procurement: {goal}",
            constant=constant + _constant(problem, goal),
        )
        self.most = useful_nodes(problem, lay) if most is None else most
        self._given = constant, dict(freed or {})
        self._groups = power_groups(problem, lay)
        self._extensions: list[Callable[[Program], None]] = []
        self.rating_unit = rating_units(problem, self.most)
        self._resources(freed or {})
        add_nodes(self)
        add_packages(self)
        add_racks(self)
        self._money()
        self._power()
        self._ratings()
        self._capabilities()
        self._risk()
        self._mandates()
        self._policy()
        if allocated:
            self._allocations()

    def with_room(self) -> Program:
        """The same with room for twice the nodes of each offer."""
        constant, freed = self._given
        offers = self.problem.offers
        maximum = [
            min(o.most, 2 * n + 1) if n else 0 for o, n in zip(offers, self.most, strict=True)
        ]
        roomy = Program(
            self.problem, self.layout, self._cuts, self._tangents, self.goal,
            constant=constant, most=maximum, freed=freed, allocated=self._allocated,
        )  # fmt: skip
        for extend in self._extensions:
            roomy.extended(extend)
        return roomy

    def extended(self, extend: Callable[[Program], None]) -> None:
        """Let a question add its own columns and rows."""
        extend(self)
        self._extensions.append(extend)

    def row(
        self, label: str, terms: Terms, *, lower: float = -math.inf, upper: float = math.inf
    ) -> None:
        """Add one constraint by its name."""
        columns = [column for column, _ in terms]
        values = [value for _, value in terms]
        self.build.add_row(columns, values, lower=lower, upper=upper, label=label)

    def column(
        self,
        label: str,
        *,
        cost: float = 0.0,
        lower: float = 0.0,
        upper: float = math.inf,
        integer: bool = False,
    ) -> int:
        """Add one variable by its name."""
        return self.build.add_column(
            cost=cost, lower=lower, upper=upper, integer=integer, label=label
        )

    def _resources(self, freed: Mapping[str, Freed]) -> None:
        for name in RESOURCES:
            value = getattr(self.problem.limits, name) / self.problem.unit(name)
            if value == UNLIMITED:
                continue
            minimum, price = value, 0.0
            if name in freed:
                minimum = freed[name].present / self.problem.unit(name)
                price = freed[name].unit_price * self.problem.unit(name)
            self.columns.limit[name] = self.column(
                f"limit_{name}", lower=minimum, upper=value, cost=price
            )

    def _cost(self, goal: Goal, value: float) -> float:
        return value if self.goal is goal else 0.0

    def _money(self) -> None:
        problem, cols, prices = self.problem, self.columns, self.problem.prices
        hardware = summed(cols.hardware)
        outlay = [(c, v * (1 + prices.installation)) for c, v in hardware]
        outlay = summed([*outlay, *cols.package_capital])
        if "capital" in cols.limit:
            self.row(
                "capital",
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
        cols.added = self.build.add_columns(len(weights), cost=cost, label="added")
        year = [(c, v * prices.maintenance) for c, v in hardware]
        year = summed([*year, *cols.package_year])
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
            spent = summed([*year, *energy, (cols.limit["operating"], -1.0)])
            self.row("operating", spent, upper=-fixed)
        if self.goal is Goal.COST:
            self._as_cost("outlay", outlay, 1.0)
            self._as_cost("year", year, prices.annuity)
            self._as_cost("idle", idle, prices.annuity * self._energy_rate(price))
        if self.goal is Goal.POWER:
            self._as_cost("idle", idle, 1.0)

    def _as_cost(self, name: str, terms: Terms, factor: float) -> None:
        """Put a linear expression into the objective, through a column that equals it."""
        total = self.column(name, cost=factor, lower=-math.inf)
        self.row(f"all_{name}", [*summed(terms), (total, -1.0)], lower=0.0, upper=0.0)

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
        return summed([*idle, *self.columns.fabric_power])

    def base_power(self, group: int) -> Terms:
        """Power of all installed nodes in one power row; with switches in the total."""
        member = self._groups[group] * self.layout.base_w / self.problem.power_unit
        nodes = zip(self.columns.nodes.tolist(), member.tolist(), strict=True)
        terms = [(column, watts) for column, watts in nodes if watts]
        return terms + (self.columns.fabric_power if group == 0 else [])

    def _power(self) -> None:
        self._base = [self.base_power(group) for group in range(len(POWER_RESOURCES))]
        self._base_arrays = [
            (np.array([c for c, _ in base], dtype=np.int64), np.array([v for _, v in base]))
            for base in self._base
        ]
        for group, name in enumerate(POWER_RESOURCES):
            if getattr(self.problem.limits, name) < UNLIMITED:
                self._power_row(group, name, "installed", [])

    def _power_row(self, group: int, name: str, state: str, step: Terms) -> None:
        """What is installed, and a step beyond it, within one limit."""
        fixed = self.problem.fixed_w / self.problem.power_unit if group == 0 else 0.0
        limit = (self.columns.limit[name], -1.0)
        self.row(f"{name}_{state}", [*self._base[group], *step, limit], upper=-fixed)

    def _ratings(self) -> None:
        problem, cols = self.problem, self.columns
        count = len(problem.demand)
        cols.theta = self.build.add_columns(count, lower=self.least_theta(), label="theta")
        cols.log = self.build.add_columns(count, lower=-math.inf, label="log")
        unlimited = np.array(
            [getattr(problem.limits, name) == UNLIMITED for name in POWER_RESOURCES]
        )
        for rating in range(count):
            cuts = () if self._allocated else self._cuts.get(rating, ())
            self._cut_rows(rating, [c for c in cuts if not (c.power[unlimited] > 0).any()])
            self._tangent_rows(rating, sorted(self._tangents.get(rating, ())))

    def _allocations(self) -> None:
        """Every rating in full, with what works on what as columns: then no cut is needed."""
        sold = np.array(self.most)[self.layout.slot_offer] > 0
        for rating in range(len(self.problem.demand)):
            demanded = self.problem.demand[rating, self.layout.pair_workload] > 0
            self._put_to_work(rating, np.flatnonzero(demanded & sold[self.layout.pair_slot]))

    def _put_to_work(self, rating: int, pairs: Indices) -> None:
        problem, lay, cols = self.problem, self.layout, self.columns
        work = self.build.add_columns(len(pairs), label=f"work_{rating}")
        slot, workload = lay.pair_slot[pairs], lay.pair_workload[pairs]
        unit = problem.demand[rating] * problem.reference_nodes * self.rating_unit[rating]
        mandatory = mandated_work(problem, rating)
        for w in np.flatnonzero(problem.demand[rating] > 0).tolist():
            own = np.flatnonzero(workload == w)
            done = _terms(work[own], lay.pair_merit[pairs[own]])
            theta = (int(cols.theta[rating]), 1.0)
            rated = [theta, *((column, -merit / unit[w]) for column, merit in done)]
            self.row(f"rated_{rating}_{w}", rated, upper=0.0)
            if mandatory[w] > 0:
                shares = [(column, merit / mandatory[w]) for column, merit in done]
                self.row(f"mandatory_{rating}_{w}", shares, lower=1.0)
        for k in np.flatnonzero(np.bincount(slot, minlength=lay.slots)).tolist():
            busy = _terms(work[slot == k], np.ones(int((slot == k).sum())))
            self.row(f"busy_{rating}_{k}", [*busy, (int(cols.nodes[k]), -1.0)], upper=0.0)
        for group, name in enumerate(POWER_RESOURCES):
            if name in cols.limit:
                watts = self._groups[group, slot] * lay.pair_step_w[pairs] / problem.power_unit
                self._power_row(group, name, f"rating_{rating}", _terms(work, watts))
        energy = _terms(work, lay.pair_energy_w[pairs] / problem.power_unit)
        self.row(f"energy_{rating}", [*energy, (int(cols.added[rating]), -1.0)], upper=0.0)

    def least_theta(self) -> Floats:
        """Mandatory ratings, and some of all work, in the program's units; ``(ratings,)``."""
        minimum = self.problem.least_rating * (1 - MANDATE_TOLERANCE / 2)
        return np.maximum(minimum / self.rating_unit, SMALLEST_RATING)

    def _cut_rows(self, rating: int, cuts: Sequence[Cut]) -> None:
        """The rows of a rating's cuts, as one block."""
        if not cuts:
            return
        problem, cols = self.problem, self.columns
        rated = np.array([cut.rated for cut in cuts])
        unit = np.where(rated, self.rating_unit[rating], 1.0)
        weight = np.array([cut.power for cut in cuts]) / unit[:, None] * problem.power_unit
        weight = np.where(weight > 0, weight, 0.0)
        per_watt = np.array([cut.energy for cut in cuts]) / unit
        rows = np.zeros((len(cuts), self.build.columns))
        rows[:, cols.theta[rating]] = rated
        rows[:, cols.nodes] = -np.array([cut.nodes for cut in cuts]) / unit[:, None]
        for group, name in enumerate(POWER_RESOURCES):
            columns, values = self._base_arrays[group]
            rows[:, columns] += weight[:, group, None] * values
            if name in cols.limit:
                rows[:, cols.limit[name]] = -weight[:, group]
        rows[:, cols.added[rating]] = -np.maximum(per_watt, 0.0) * problem.power_unit
        fixed = weight[:, 0] * problem.fixed_w / problem.power_unit
        sides = -fixed - np.array([cut.mandatory for cut in cuts]) / unit
        row, column = np.nonzero(rows)
        upper = [rounded_up(side) for side in sides.tolist()]
        self.build.add_rows(row, column, rows[row, column], upper=upper, label=f"rated_{rating}")

    def _tangent_rows(self, rating: int, points: Sequence[float]) -> None:
        """The rows that keep a rating's logarithm below its tangents, as one block."""
        if not points:
            return
        count, cols = len(points), self.columns
        slope = self.rating_unit[rating] / np.array(points)
        self.build.add_rows(
            np.repeat(np.arange(count), 2),
            np.tile([cols.log[rating], cols.theta[rating]], count),
            np.column_stack((np.ones(count), -slope)).ravel(),
            upper=[rounded_up(log(point) - 1) for point in points],
            label=f"tangent_{rating}",
        )

    def _capabilities(self) -> None:
        problem, lay, cols = self.problem, self.layout, self.columns
        for capability_index, _ in enumerate(problem.capabilities):
            options = lay.partitions[capability_index]
            at = self.build.add_columns(
                len(options), upper=1.0, integer=True, label=f"at_{capability_index}"
            )
            cols.at.append(at)
            first = [(int(c), 1.0) for c in at]
            self.row(f"one_partition_{capability_index}", first, lower=1.0, upper=1.0)
            slots = [int(lay.mode_slot[option.mode]) for option in options]
            for slot in sorted(set(slots)):
                held_nodes: Terms = [
                    (int(c), float(option.nodes))
                    for c, option, s in zip(at, options, slots, strict=True)
                    if s == slot
                ]
                installed = (int(cols.nodes[slot]), -1.0)
                self.row(f"holds_{capability_index}_{slot}", [*held_nodes, installed], upper=0.0)
            self._partition_power(capability_index, at, options)

    def _partition_power(
        self, capability_index: int, at: Indices, options: Sequence[Partition]
    ) -> None:
        groups = self._groups
        step_power = self.layout.step_w / self.problem.power_unit
        for group, name in enumerate(POWER_RESOURCES):
            step: Terms = [
                (
                    int(c),
                    option.nodes * float(step_power[option.mode]),
                )
                for c, option in zip(at, options, strict=True)
                if groups[group, self.layout.mode_slot[option.mode]]
                and self.layout.step_w[option.mode] > 0
            ]
            if step and getattr(self.problem.limits, name) < UNLIMITED:
                self._power_row(group, name, f"partition_{capability_index}", step)

    def _risk(self) -> None:
        problem, cols = self.problem, self.columns
        scenarios, weight = len(problem.probability), problem.cvar_weight
        mean = [self._cost(Goal.SCORE, (1 - weight) * float(p)) for p in problem.probability]
        cols.score = self.build.add_columns(scenarios, cost=mean, lower=-math.inf, label="score")
        for s in range(scenarios):
            terms: Terms = [(int(cols.score[s]), -1.0)]
            terms += [
                (int(cols.log[r]), float(w)) for r, w in enumerate(problem.rating_weight[s]) if w
            ]
            for c, capability in enumerate(problem.capabilities):
                share = float(problem.capability_weight[s, c])
                options = self.layout.partitions[c]
                terms += [
                    (int(col), share * log(capability.reference_time_s / option.time_s))
                    for col, option in zip(cols.at[c], options, strict=True)
                    if share
                ]
            self.row(f"mix_{s}", terms, lower=0.0, upper=0.0)
        if weight > 0:
            self._tail(scenarios, weight)

    def _tail(self, scenarios: int, weight: float) -> None:
        cols, chance = self.columns, self.problem.probability
        share = 1 / (1 - self.problem.cvar_level)
        tail = self.column("tail", cost=self._cost(Goal.SCORE, weight), lower=-math.inf)
        cost = [self._cost(Goal.SCORE, -weight * float(p) * share) for p in chance]
        below = self.build.add_columns(scenarios, cost=cost, label="below")
        for s in range(scenarios):
            terms = [(int(below[s]), 1.0), (tail, -1.0), (int(cols.score[s]), 1.0)]
            self.row(f"short_{s}", terms, lower=0.0)
        self._risk_terms: Terms = [(tail, weight)]
        self._risk_terms += [
            (int(b), -weight * float(p) * share) for b, p in zip(below, chance, strict=True)
        ]

    def require_score(self, minimum: float) -> None:
        """Require that the risk measure of log S is at least ``minimum``."""
        weight = self.problem.cvar_weight
        terms: Terms = [
            (int(c), (1 - weight) * float(p))
            for c, p in zip(self.columns.score, self.problem.probability, strict=True)
        ]
        self.row("least_score", terms + (self._risk_terms if weight > 0 else []), lower=minimum)

    def require_cost(self, maximum: float) -> None:
        """Require that the total cost of ownership is at most ``maximum``."""
        problem, prices, cols = self.problem, self.problem.prices, self.columns
        per_unit = prices.annuity * self._energy_rate(prices.expected_energy_price)
        factor = 1 + prices.installation + prices.annuity * prices.maintenance
        terms = [(c, v * factor) for c, v in cols.hardware]
        terms += cols.package_capital
        terms += [(c, v * prices.annuity) for c, v in cols.package_year]
        terms += [(c, v * per_unit) for c, v in self.idle_power()]
        terms += [
            (int(a), float(w) * per_unit)
            for a, w in zip(cols.added, problem.energy_weight, strict=True)
        ]
        remaining = maximum / problem.money_unit - _constant(problem, Goal.COST)
        self.row("most_cost", summed(terms), upper=remaining)

    def _mandates(self) -> None:
        problem, cols = self.problem, self.columns
        types = [i for i, offer in enumerate(problem.offers) if not offer.carrier]
        every: Terms = [term for index in types for term in cols.offer_nodes[index]]
        if problem.least_nodes:
            self.row("least_nodes", every, lower=float(problem.least_nodes))
        if problem.least_memory_gb:
            memory = [
                (column, offer.memory_gb)
                for offer, count in zip(problem.offers, cols.offer_nodes, strict=True)
                for column, _ in count
            ]
            self.row("least_memory", memory, lower=problem.least_memory_gb)
        for i, share in enumerate(problem.shares):
            add_share(self, share, types, f"{i}")

    def _policy(self) -> None:
        problem, cols = self.problem, self.columns
        if problem.most_node_types is not None:
            pairs = zip(cols.buys, problem.offers, strict=True)
            types = [(int(b), 1.0) for b, offer in pairs if not offer.carrier]
            self.row("node_types", types, upper=float(problem.most_node_types))
        if problem.most_vendors is None:
            return
        vendors = sorted({offer.vendor for offer in problem.offers})
        chosen = self.build.add_columns(len(vendors), upper=1.0, integer=True, label="from")
        for index, (buys, offer) in enumerate(zip(cols.buys, problem.offers, strict=True)):
            vendor = int(chosen[vendors.index(offer.vendor)])
            self.row(f"vendor_{index}", [(int(buys), 1.0), (vendor, -1.0)], upper=0.0)
        self.row("vendors", [(int(v), 1.0) for v in chosen], upper=float(problem.most_vendors))


def _terms(columns: Indices, values: Floats) -> Terms:
    """Columns with their coefficients, zeros left out."""
    return [(c, v) for c, v in zip(columns.tolist(), values.tolist(), strict=True) if v]


def _constant(problem: Problem, goal: Goal) -> float:
    """Constant part of the objective: fixed outlay, staff, and the fixed part's power."""
    prices = problem.prices
    if goal is Goal.POWER:
        return problem.fixed_w / problem.power_unit
    if goal is not Goal.COST:
        return 0.0
    energy = problem.fixed_w * prices.energy_per_w(prices.expected_energy_price)
    return (prices.fixed_capital + prices.annuity * (prices.staff + energy)) / problem.money_unit
