"""The procurement problem as arrays, made from a scenario.

Indices: o offers (node types on offer), m modes (an offer under a cap), w capacity workloads,
c capability workloads, s demand scenarios, r ratings. A *rating* is one allocation of the whole
machine: with shared workloads one per demand scenario, else one per workload.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError, PlanError
from planner.procurement.performance import (
    Mode,
    Partition,
    modes_of,
    partitions,
    rated,
    reference_time_s,
    running,
)
from scenarios.models import Budget, Power, Scenario, Workload
from scenarios.node_types import NodeType
from scenarios.procurement import Facility, Network, Procurement, Reference, ShareLimit

Floats = NDArray[np.float64]
Regime = Literal["worst-case", "static", "overprovisioned"]
REGIMES: tuple[Regime, ...] = ("worst-case", "static", "overprovisioned")
HOURS_PER_YEAR = 8760.0
UNLIMITED = math.inf
LEAST_RATING = 1e-4
"""Every plan does this share of the reference machine's work: one that does none is no plan."""


@dataclass(frozen=True)
class Tier:
    """A range of quantities with one price per node, which holds for all of them."""

    first: int
    last: int
    price: float


@dataclass(frozen=True)
class Offer:
    """A node type on offer, with what the model needs of it."""

    name: str
    title: str
    vendor: str
    kind: str
    tiers: tuple[Tier, ...]
    idle_w: float
    peak_w: float
    nodes_per_rack: int | None
    ports: int
    memory_gb: float
    cores: int
    cooling: Literal["air", "liquid"]
    as_bid: int
    embodied_kg: float | None
    quoted: float = 1.0  # quoted price over price: a what-if changes the price, not the quote

    def price(self, nodes: int) -> float:
        """Price per node when that many are bought.

        Raises
        ------
        PlanError
            That many are not on offer.
        """
        for tier in self.tiers:
            if tier.first <= nodes <= tier.last:
                return tier.price
        raise PlanError(f"{self.name}: {nodes} nodes are not on offer")

    @property
    def least(self) -> int:
        """Least number sold, if any."""
        return self.tiers[0].first

    @property
    def most(self) -> int:
        """Largest number on offer."""
        return self.tiers[-1].last


@dataclass(frozen=True)
class Excluded:
    """A quote that cannot be bought at all, and why."""

    name: str
    vendor: str
    reason: str


@dataclass(frozen=True)
class Limits:
    """Resources of the site; infinite where nothing binds.

    Attributes
    ----------
    it_power_w, liquid_w, air_w
        IT power in all, and by cooling, in watts.
    capital, operating
        Money once, and per year.
    racks
        Rack places.
    """

    it_power_w: float = UNLIMITED
    liquid_w: float = UNLIMITED
    air_w: float = UNLIMITED
    capital: float = UNLIMITED
    operating: float = UNLIMITED
    racks: float = UNLIMITED


RESOURCES = ("it_power_w", "liquid_w", "air_w", "capital", "operating", "racks")
POWER_RESOURCES = RESOURCES[:3]


@dataclass(frozen=True)
class Prices:
    """Everything that costs money beside the nodes, and how years are counted."""

    currency: str
    rack: float
    fixed_capital: float
    installation: float
    maintenance: float
    staff: float
    energy_prices: tuple[tuple[float, float], ...]  # (price per kWh, probability)
    every_price: bool
    lifetime_years: float
    discount_rate: float
    utilisation: float
    feed_per_it: float
    carbon_g_per_kwh: float

    @property
    def annuity(self) -> float:
        """Present value of one unit a year over the lifetime."""
        if self.discount_rate == 0:
            return self.lifetime_years
        shrunk = float((1 + self.discount_rate) ** -self.lifetime_years)
        return (1 - shrunk) / self.discount_rate

    @property
    def expected_energy_price(self) -> float:
        """Mean price of one kWh."""
        return sum(price * probability for price, probability in self.energy_prices)

    @property
    def binding_energy_price(self) -> float:
        """The price of one kWh that the operating budget must bear."""
        if self.every_price:
            return max(price for price, _ in self.energy_prices)
        return self.expected_energy_price

    def energy_per_w(self, price: float) -> float:
        """Cost per year of one watt of mean IT power."""
        return price * self.feed_per_it * HOURS_PER_YEAR / 1000


@dataclass(frozen=True)
class Capability:
    """A workload rated by its time to solution."""

    name: str
    reference_time_s: float
    options: tuple[Partition, ...]


@dataclass(frozen=True, eq=False)
class Problem:
    """One procurement decision.

    Attributes
    ----------
    merit, drawn_w
        Shape ``(modes, workloads)``: figure of merit per node, relative to a reference node
        (0 where the workload does not run), and watts drawn.
    demand
        Shape ``(ratings, workloads)``: shares of the reference machine, each row sums to 1.
    rating_weight, capability_weight
        Shapes ``(scenarios, ratings)`` and ``(scenarios, capabilities)``; rows sum to 1 together.
    probability
        Shape ``(scenarios,)``.
    least_rating
        Shape ``(ratings,)``: mandatory throughput.
    energy_weight
        Shape ``(ratings,)``: share of the year spent in each rating.
    """

    name: str
    regime: Regime
    offers: tuple[Offer, ...]
    excluded: tuple[Excluded, ...]
    modes: tuple[Mode, ...]
    workloads: tuple[str, ...]
    capabilities: tuple[Capability, ...]
    scenario_names: tuple[str, ...]
    rating_names: tuple[str, ...]
    merit: Floats
    drawn_w: Floats
    demand: Floats
    rating_weight: Floats
    capability_weight: Floats
    probability: Floats
    least_rating: Floats
    energy_weight: Floats
    reference_nodes: int
    cvar_weight: float
    cvar_level: float
    limits: Limits
    fixed_w: float
    prices: Prices
    network: Network | None
    least_nodes: int
    least_memory_gb: float
    shares: tuple[ShareLimit, ...]
    most_vendors: int | None
    most_node_types: int | None

    @cached_property
    def mode_offer(self) -> NDArray[np.int64]:
        """Offer of each mode, shape ``(modes,)``."""
        return np.array([mode.offer for mode in self.modes], dtype=np.int64)

    @cached_property
    def mode_w(self) -> Floats:
        """Whole-node watts of each mode, shape ``(modes,)``."""
        return np.array([mode.node_w for mode in self.modes])

    @cached_property
    def money_unit(self) -> float:
        """Money in which programs count: a power of ten, so that budgets are some 10,000."""
        return _unit(self.limits.capital, 4)

    @cached_property
    def power_unit(self) -> float:
        """Watts in which programs count: a power of ten, so that bounds are some 1,000."""
        return _unit(self.limits.it_power_w, 3)

    def unit(self, resource: str) -> float:
        """How much of a resource is one in a program."""
        if resource == "racks":
            return 1.0
        return self.power_unit if resource in POWER_RESOURCES else self.money_unit

    def under(self, regime: Regime) -> Problem:
        """The same catalogue and site under another power regime."""
        return replace(self, regime=regime)

    def limited(self, **changes: float) -> Problem:
        """The same with other limits."""
        return replace(self, limits=replace(self.limits, **changes))

    def without_mandates(self) -> Problem:
        """The same with nothing mandatory."""
        return replace(
            self,
            least_rating=np.full_like(self.least_rating, LEAST_RATING),
            least_nodes=0,
            least_memory_gb=0.0,
            shares=tuple(each for each in self.shares if each.least == 0),
        )

    def offer_index(self, name: str) -> int:
        """Place of an offer.

        Raises
        ------
        KeyError
            It is not on offer.
        """
        for place, offer in enumerate(self.offers):
            if offer.name == name:
                return place
        raise KeyError(f"{name!r} is not on offer")


def _unit(size: float, digits: int) -> float:
    if not 0 < size < UNLIMITED:
        return 1000.0
    return float(10.0 ** (math.floor(math.log10(size)) - digits))


def problem_from(scenario: Scenario) -> Problem:
    """Everything that the procurement decision needs, from a scenario.

    Raises
    ------
    InputError
        The scenario does not ask, or what it gives cannot make a decision.
    PlanError
        No quote can be bought.
    """
    question, reference = scenario.procurement, scenario.reference
    if question is None or scenario.power is None or reference is None:
        raise InputError("a procurement needs [procurement], [power] and [reference]; add them")
    facility = scenario.facility or Facility()
    bought, excluded = _on_offer(scenario, question, facility)
    if not bought:
        reasons = "; ".join(f"{each.name}: {each.reason}" for each in excluded)
        raise PlanError(f"no quote can be bought. {reasons}")
    modes = tuple(mode for place, each in enumerate(bought) for mode in modes_of(place, each))
    capacity, capability = rated(scenario, "throughput"), rated(scenario, "time_to_solution")
    merit = np.zeros((len(modes), len(capacity)))
    drawn = np.tile(np.array([mode.node_w for mode in modes])[:, None], (1, len(capacity)))
    for row, mode in enumerate(modes):
        for column, workload in enumerate(capacity):
            found = running(workload, bought[mode.offer], mode, reference)
            if found is not None:
                merit[row, column], drawn[row, column] = found.merit, found.drawn_w
    _all_run(capacity, merit)
    mixes = _mixes(scenario, [w.name for w in capacity + capability])
    demands = tuple(each.name for each in scenario.demands) or ("mix",)
    shape = _ratings(question, [w.name for w in capacity], mixes[:, : len(capacity)], demands)
    least = _least_ratings(scenario, [w.name for w in capacity], shape.demand)
    probability = np.array([each.probability for each in scenario.demands] or [1.0])
    energy = probability @ shape.weight
    return Problem(
        name=scenario.name,
        regime=question.regime,
        offers=tuple(_offer(each, facility, scenario) for each in bought),
        excluded=tuple(excluded),
        modes=modes,
        workloads=tuple(w.name for w in capacity),
        capabilities=tuple(_capability(w, scenario, bought, modes, reference) for w in capability),
        scenario_names=demands,
        rating_names=shape.names,
        merit=merit,
        drawn_w=drawn,
        demand=shape.demand,
        rating_weight=shape.weight,
        capability_weight=mixes[:, len(capacity) :],
        probability=probability,
        least_rating=least,
        energy_weight=_shares(energy),
        reference_nodes=reference.nodes,
        cvar_weight=question.cvar_weight,
        cvar_level=question.cvar_level,
        limits=_limits(scenario.power, facility, scenario.budget),
        fixed_w=scenario.power.fixed_w,
        prices=_prices(scenario),
        network=scenario.network,
        least_nodes=scenario.requirements.nodes,
        least_memory_gb=scenario.requirements.total_memory_gb,
        shares=scenario.requirements.shares,
        most_vendors=question.most_vendors,
        most_node_types=question.most_node_types,
    )


def _shares(weights: Floats) -> Floats:
    """Weights that sum to 1; even ones where all are zero."""
    if not weights.any():
        weights = np.ones_like(weights)
    return np.asarray(weights / weights.sum() if len(weights) else weights, dtype=np.float64)


def _on_offer(
    scenario: Scenario, question: Procurement, facility: Facility
) -> tuple[list[NodeType], list[Excluded]]:
    """Quotes that can be bought, and the others with the reason."""
    bought, excluded = [], []
    for node_type in scenario.node_types:
        reason = _reason_against(node_type, scenario, question, facility)
        if reason:
            excluded.append(Excluded(node_type.name, node_type.vendor or "", reason))
        else:
            bought.append(node_type)
    return bought, excluded


def _reason_against(
    node_type: NodeType, scenario: Scenario, question: Procurement, facility: Facility
) -> str:
    mandate, today = scenario.requirements, question.decided_on
    for key in ("price", "idle_w", "peak_w", "vendor"):
        if getattr(node_type, key) is None:
            return f"{key} is not stated"
    if today and node_type.valid_until and node_type.valid_until < today:
        return f"the bid ended on {node_type.valid_until}, before the decision on {today}"
    delivery = delivery_day(node_type, today)
    if mandate.delivered_by and delivery and delivery > mandate.delivered_by:
        return f"delivery on {delivery} is later than {mandate.delivered_by}"
    if mandate.node_memory_gb > (node_type.memory_gb or 0.0):
        return (
            f"{node_type.memory_gb or 0:g} GB of memory are less than the "
            f"{mandate.node_memory_gb:g} GB that every node needs"
        )
    if facility.rack_w is not None and (node_type.peak_w or 0.0) > facility.rack_w:
        return f"one node's peak exceeds the {facility.rack_w:g} W of a rack"
    return ""


def delivery_day(node_type: NodeType, decided_on: dt.date | None) -> dt.date | None:
    """Day of delivery, where both the order's day and the lead time are known."""
    if decided_on is None or node_type.lead_weeks is None:
        return None
    return decided_on + dt.timedelta(weeks=node_type.lead_weeks)


def _offer(node_type: NodeType, facility: Facility, scenario: Scenario) -> Offer:
    peak_w = node_type.peak_w or 0.0
    fit = node_type.nodes_per_rack or (scenario.rack.nodes if scenario.rack else None)
    if fit is not None and facility.rack_w is not None:
        fit = min(fit, math.floor(facility.rack_w / peak_w))
    return Offer(
        name=node_type.name,
        title=node_type.title,
        vendor=node_type.vendor or "",
        kind=node_type.kind or "",
        tiers=_tiers(node_type),
        idle_w=node_type.idle_w or 0.0,
        peak_w=peak_w,
        nodes_per_rack=fit,
        ports=node_type.ports,
        memory_gb=node_type.memory_gb or 0.0,
        cores=node_type.cores or 0,
        cooling=node_type.cooling,
        as_bid=node_type.as_bid_quantity,
        embodied_kg=node_type.embodied_kg_co2e,
    )


def _tiers(node_type: NodeType) -> tuple[Tier, ...]:
    least, most = node_type.minimum_quantity, node_type.maximum_quantity or 10**9
    starts = [(1, 0.0)] + [(each.from_quantity, each.fraction) for each in node_type.discounts]
    ends = [start - 1 for start, _ in starts[1:]] + [most]
    return tuple(
        Tier(max(first, least), min(last, most), (node_type.price or 0.0) * (1 - fraction))
        for (first, fraction), last in zip(starts, ends, strict=True)
        if max(first, least) <= min(last, most)
    )


def _all_run(workloads: Sequence[Workload], merit: Floats) -> None:
    for column, workload in enumerate(workloads):
        if not merit[:, column].any():
            raise InputError(
                f"no node type that can be bought runs {workload.name}; give its performance on "
                "one, widen kinds, or leave it out"
            )


def _mixes(scenario: Scenario, names: list[str]) -> Floats:
    """Weights of all workloads in each demand scenario, shape ``(scenarios, workloads)``."""
    weight = {w.name: w.weight for w in scenario.workloads}
    rows = [
        [weight[name] * demand.factors.get(name, 1.0) for name in names]
        for demand in scenario.demands
    ] or [[weight[name] for name in names]]
    mixes = np.array(rows)
    totals = mixes.sum(axis=1)
    if not (totals > 0).all():
        raise InputError("a demand scenario asks for nothing at all; correct its factors")
    return np.asarray(mixes / totals[:, None], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Ratings:
    names: tuple[str, ...]
    demand: Floats
    weight: Floats


def _ratings(
    question: Procurement, names: list[str], mixes: Floats, demands: tuple[str, ...]
) -> _Ratings:
    if question.workload_mode == "one_at_a_time":
        return _Ratings(tuple(names), np.eye(len(names)), mixes)
    totals = mixes.sum(axis=1)
    kept = totals > 0
    demand = mixes[kept] / totals[kept][:, None]
    weight = np.zeros((len(mixes), int(kept.sum())))
    weight[np.flatnonzero(kept), np.arange(int(kept.sum()))] = totals[kept]
    return _Ratings(tuple(demands[i] for i in np.flatnonzero(kept)), demand, weight)


def _least_ratings(scenario: Scenario, names: list[str], demand: Floats) -> Floats:
    """Mandatory throughputs as bounds on ratings: within a rating all workloads move together."""
    least = np.full(len(demand), LEAST_RATING)
    for name, value in scenario.requirements.throughput.items():
        if name not in names:
            raise InputError(f"requirements.throughput names {name!r}, which is no throughput")
        asked = demand[:, names.index(name)] > 0
        least[asked] = np.maximum(least[asked], value)
    return least


def _capability(
    workload: Workload,
    scenario: Scenario,
    bought: Sequence[NodeType],
    modes: tuple[Mode, ...],
    reference: Reference,
) -> Capability:
    most = scenario.requirements.time_to_solution_s.get(workload.name, math.inf)
    every = partitions(workload, tuple(bought), modes, reference)
    options = [each for each in every if each.time_s <= most]
    return Capability(workload.name, reference_time_s(workload), tuple(options))


def _limits(power: Power, facility: Facility, budget: Budget | None) -> Limits:
    def or_none(value: float | None) -> float:
        return UNLIMITED if value is None else float(value)

    return Limits(
        it_power_w=power.it_bound_w,
        liquid_w=or_none(facility.liquid_w),
        air_w=or_none(facility.air_w),
        capital=or_none(budget.capital if budget else None),
        operating=or_none(budget.operating_per_year if budget else None),
        racks=or_none(facility.racks),
    )


def _prices(scenario: Scenario) -> Prices:
    budget, power = scenario.budget or Budget(), scenario.power
    energy = tuple((e.price_per_kwh, e.probability) for e in budget.energy_prices)
    return Prices(
        currency=budget.currency,
        rack=scenario.rack.price if scenario.rack else 0.0,
        fixed_capital=budget.fixed_capital,
        installation=budget.installation_fraction,
        maintenance=budget.maintenance_fraction_per_year,
        staff=budget.staff_per_year,
        energy_prices=energy or ((budget.energy_price_per_kwh, 1.0),),
        every_price=budget.operating_holds == "every",
        lifetime_years=budget.lifetime_years,
        discount_rate=budget.discount_rate,
        utilisation=budget.utilisation,
        feed_per_it=1 / power.it_share if power else 1.0,
        carbon_g_per_kwh=power.carbon_g_per_kwh if power else 0.0,
    )
