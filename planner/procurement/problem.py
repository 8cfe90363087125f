"""The procurement problem as arrays, made from a scenario.

Indices: o offers (node types on offer), m modes (an offer under a cap), w capacity workloads,
c capability workloads, s demand scenarios, r ratings. A *rating* is one allocation of the whole
machine: with shared workloads one per demand scenario, else one per workload.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import PlanError
from planner.procurement.performance import (
    Mode,
    Partition,
)
from scenarios.model.procurement import Network, ShareLimit, Stated
from scenarios.model.tender import Lot, OfferedFigure, Package, VendorTerms
from solvers.portable import order_of_ten, power, ten_to_the

Floats = NDArray[np.float64]
Regime = Literal["worst-case", "static", "overprovisioned"]
REGIMES: tuple[Regime, ...] = ("worst-case", "static", "overprovisioned")
REGIME_NAMES: dict[Regime, str] = {
    "worst-case": "worst-case provisioning",
    "static": "static caps",
    "overprovisioned": "overprovisioning",
}
HOURS_PER_YEAR = 8760.0
UNLIMITED = math.inf
MANDATE_TOLERANCE = 1e-6
"""A mandatory throughput is met where this share of it is missing: the solvers' own tolerance."""


EXPIRED, LATE = "terms: validity", "requirement: delivery"
NODE_MEMORY, RACK_POWER = "requirement: node memory", "site: rack power"
UNSTATED = "terms: unstated"
"""Rules that exclude a quote; the last is a gap in the quote that no decision can waive."""


@dataclass(frozen=True)
class Tier:
    """A range of quantities with one price per node, which holds for all of them."""

    first: int
    last: int
    price: float


@dataclass(frozen=True)
class Offer:
    """A node type on offer, with what the model needs of it.

    Attributes
    ----------
    sold_in
        Multiples in which nodes are sold.
    package
        Index of the package in which alone it is sold; ``None`` on free sale.
    carrier
        Whether this stands for the package itself: one "node" that does nothing and costs what the
        package costs, so that node counts say which packages are bought.
    """

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
    rack_room: int | None = None  # nodes that a rack has room for, apart from power
    barred: tuple[str, ...] = ()  # rules that exclude it: none is sold while one of them holds
    sold_in: int = 1
    package: int | None = None
    carrier: bool = False
    attributes: Mapping[str, Stated] = field(default_factory=dict)

    def price(self, nodes: int) -> float:
        """Price per node when that many are bought.

        Raises
        ------
        PlanError
            That many are not on offer.
        """
        for tier in self.tiers:
            if tier.first <= nodes <= tier.last and nodes % self.sold_in == 0:
                return tier.price
        raise PlanError(f"{self.name}: {nodes} nodes are not on offer")

    @property
    def least(self) -> int:
        """Least number sold, if any."""
        return self.tiers[0].first

    @property
    def most(self) -> int:
        """Largest number on offer."""
        return 0 if self.barred else self.tiers[-1].last


def multiples(tiers: tuple[Tier, ...], sold_in: int) -> tuple[Tier, ...]:
    """Tiers that begin and end with a multiple; those without any are left out."""
    every = (
        replace(
            tier, first=-(-tier.first // sold_in) * sold_in, last=tier.last // sold_in * sold_in
        )
        for tier in tiers
    )
    return tuple(tier for tier in every if tier.first <= tier.last)


def nodes_in_a_rack(room: int | None, rack_w: float, peak_w: float) -> int | None:
    """Nodes that one rack holds, at their peak; ``None`` where nobody says what it has room for."""
    if room is None or rack_w == UNLIMITED:
        return room
    return min(room, math.floor(rack_w / peak_w))


@dataclass(frozen=True, eq=False)
class PackageOffer:
    """A package on sale.

    Attributes
    ----------
    package
        What the vendor offers. Its lines of nodes have the names of the offers.
    lot
        Index of its lot.
    carrier, nodes
        Index of the offer that stands for it, and of the offer of each of its lines of nodes.
    bears_installation, bears_maintenance
        Whether the site's fractions for installation and maintenance count on its total. They do
        not where a line of the package is an installation, or a service of every year.
    """

    package: Package
    lot: int
    carrier: int
    nodes: tuple[int, ...]

    @property
    def bears_installation(self) -> bool:
        """Whether installation of the site is paid on its total."""
        return all(line.kind != "installation" for line in self.package.lines)

    @property
    def bears_maintenance(self) -> bool:
        """Whether maintenance of the site is paid on its total."""
        return not any(line.kind == "service" and line.per_year for line in self.package.lines)


@dataclass(frozen=True)
class OfferedMerit:
    """A figure of a package that is the performance of a workload on one of its node types.

    Attributes
    ----------
    workload, offer, package
        Indices of the workload, of the offer of nodes, and of the package.
    figure
        As the package states it.
    """

    workload: int
    offer: int
    package: int
    figure: OfferedFigure


@dataclass(frozen=True)
class Excluded:
    """A quote that cannot be bought at all, and why."""

    name: str
    vendor: str
    reason: str
    rules: tuple[str, ...] = ()  # that exclude it, as in Offer.barred


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
    """Everything that costs money apart from the nodes, and how years are counted."""

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
        shrunk = power(1 + self.discount_rate, -self.lifetime_years)
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
    """A workload rated by its time to solution, on one of the partitions that are fast enough."""

    name: str
    reference_time_s: float
    partitions: tuple[Partition, ...]
    largest_time_s: float = math.inf

    @cached_property
    def options(self) -> tuple[Partition, ...]:
        """Partitions that meet the largest time to solution."""
        return tuple(
            partition for partition in self.partitions if partition.time_s <= self.largest_time_s
        )


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
    least_work
        Shape ``(ratings, workloads)``: mandatory throughput over the reference machine's at the
        same share of the mix; 0 where there is none. Every plan does some of all work.
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
    least_work: Floats
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
    rack_w: float = UNLIMITED
    lots: tuple[Lot, ...] = ()
    packages: tuple[PackageOffer, ...] = ()
    vendor_terms: tuple[VendorTerms, ...] = ()
    offered: tuple[OfferedMerit, ...] = ()

    @cached_property
    def free_offers(self) -> tuple[int, ...]:
        """Offers of which any number on sale can be bought without a package."""
        return tuple(index for index, offer in enumerate(self.offers) if offer.package is None)

    @cached_property
    def types(self) -> tuple[Offer, ...]:
        """Offers of nodes: all but those that stand for packages."""
        return tuple(offer for offer in self.offers if not offer.carrier)

    def terms_of(self, vendor: str) -> VendorTerms | None:
        """Terms of a vendor on the sum of its packages; ``None`` where it states none."""
        return next((terms for terms in self.vendor_terms if terms.vendor == vendor), None)

    @cached_property
    def least_rating(self) -> Floats:
        """Ratings that follow from requirements on all workloads of a mix, shape ``(ratings,)``."""
        minimum = np.where(self.demand > 0, self.least_work, math.inf).min(axis=1, initial=math.inf)
        return np.where(np.isfinite(minimum), minimum, 0.0)

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
            least_work=np.zeros_like(self.least_work),
            least_nodes=0,
            least_memory_gb=0.0,
            shares=_without_least(self.shares),
            lots=tuple(
                lot.model_copy(
                    update={
                        "optional": True,
                        "nodes": 0,
                        "total_memory_gb": 0.0,
                        "shares": _without_least(lot.shares),
                    }
                )
                for lot in self.lots
            ),
        )

    def offer_index(self, name: str) -> int:
        """Place of an offer.

        Raises
        ------
        KeyError
            It is not on offer.
        """
        for offer_index, offer in enumerate(self.offers):
            if offer.name == name:
                return offer_index
        raise KeyError(f"{name!r} is not on offer")


def _without_least(shares: tuple[ShareLimit, ...]) -> tuple[ShareLimit, ...]:
    return tuple(share.model_copy(update={"least": 0.0}) for share in shares if share.most < 1)


def _unit(size: float, digits: int) -> float:
    if not 0 < size < UNLIMITED:
        return 1000.0
    return ten_to_the(order_of_ten(size) - digits)
