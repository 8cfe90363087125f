"""A request for proposals adds terms of quotes, site, requirements, demand and policy."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from scenarios.fields import (
    Count,
    Fraction01,
    Group,
    Identifier,
    Label,
    NotNegative,
    Positive,
    Signed,
    Text,
)
from scenarios.model.run_times import TimeModel

Probability = Annotated[float, Field(ge=0, le=1)]
PROBABILITY_TOLERANCE = 1e-9
Share = Fraction01


Stated = Label | Signed | bool
"""What a vendor states of a package or a node type: a text, a number, or yes and no."""


class Discount(Group):
    """A quantity discount: from that many nodes on, every node costs less."""

    from_quantity: Count = Field(description="Minimum number of nodes of this type.")
    fraction: Annotated[float, Field(ge=0, lt=1)] = Field(
        description="Discount on the price of every node of this type, as a fraction."
    )


class Facility(Group):
    """Room and cooling of the site."""

    racks: Count | None = Field(
        default=None, description="Number of racks that fit in the room; by default unlimited."
    )
    rack_w: Positive | None = Field(
        default=None,
        description="Power that the feed of one rack carries, in watts. A rack holds only as "
        "many nodes as can all run at peak power.",
    )
    liquid_w: Positive | None = Field(
        default=None, description="Capacity of liquid cooling, in watts of IT power."
    )
    air_w: Positive | None = Field(
        default=None, description="Capacity of air cooling, in watts of IT power."
    )


class Network(Group):
    """A two-level fat tree: leaf switches at the nodes, spine switches above them."""

    leaf_node_ports: Count = Field(description="Ports of a leaf switch that connect to nodes.")
    leaf_uplinks: Count = Field(
        description="Ports of a leaf switch that connect to spine switches."
    )
    spine_ports: Count = Field(
        description="Ports of a spine switch, and so the maximum number of leaf switches."
    )
    leaf_price: NotNegative = Field(description="Price of a leaf switch.")
    spine_price: NotNegative = Field(description="Price of a spine switch.")
    leaf_w: NotNegative = Field(default=0.0, description="Power of a leaf switch, in watts.")
    spine_w: NotNegative = Field(default=0.0, description="Power of a spine switch, in watts.")
    node_cable_price: NotNegative = Field(
        default=0.0, description="Price of cable and transceivers for one node port."
    )
    uplink_cable_price: NotNegative = Field(
        default=0.0, description="Price of cable and transceivers for one uplink."
    )


class EnergyPrice(Group):
    """One scenario of the price of electricity."""

    name: Label = Field(description="Name.")
    price_per_kwh: NotNegative = Field(description="Price of one kWh.")
    probability: Probability = Field(
        description="Probability; all must sum to 1. At 0 it counts only if the operating budget "
        "must hold at every price."
    )


class Demand(Group):
    """One scenario of demand: how the mix of work may shift."""

    name: Label = Field(description="Name.")
    probability: Probability = Field(
        description="Probability; all must sum to 1. At 0 only the requirements apply to it."
    )
    factors: dict[Label, NotNegative] = Field(
        default={},
        description="Factor on the weight of each workload, by its name; by default 1. Weights "
        "are normalised afterwards.",
    )


_ABBREVIATIONS = {"apu", "cpu", "fpga", "gpu"}


def _shown(value: Stated) -> str:
    """A stated value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else value


class ShareLimit(Group):
    """How much of what is bought is, or may be, of one kind."""

    kind: Identifier | None = Field(
        default=None,
        description="Kind of node, as written in the quotes; give this, vendor or where.",
    )
    vendor: Label | None = Field(
        default=None, description="Vendor, as written in the quotes; give this, kind or where."
    )
    where: dict[Identifier, Stated] = Field(
        default={},
        description="Attributes of the node types that count, as in { origin = 'EU' }; give this, "
        "kind or vendor.",
    )
    of: Literal["spend", "nodes"] = Field(
        default="spend", description="Quantity of which the share is taken."
    )
    least: Share = Field(default=0.0, description="Minimum share.")
    most: Share = Field(default=1.0, description="Maximum share.")

    @property
    def subject(self) -> str:
        """The share in words, such as ``GPU share of spend``."""
        kind = self.kind.upper() if self.kind in _ABBREVIATIONS else self.kind
        stated = ", ".join(f"{name} {_shown(value)}" for name, value in self.where.items())
        return f"{kind or self.vendor or stated} share of {self.of}"

    def counts(self, kind: str, vendor: str, attributes: Mapping[str, Stated]) -> bool:
        """Whether nodes of a type are among those whose share is taken."""
        if self.kind is not None:
            return kind == self.kind
        if self.vendor is not None:
            return vendor == self.vendor
        return all(
            name in attributes
            and isinstance(attributes[name], bool) == isinstance(value, bool)
            and attributes[name] == value
            for name, value in self.where.items()
        )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if sum((self.kind is not None, self.vendor is not None, bool(self.where))) != 1:
            raise ValueError("give either kind, vendor or where")
        if self.least > self.most:
            raise ValueError(
                f"least = {self.least:g} is above most = {self.most:g}; swap or correct them"
            )
        return self


class Requirements(Group):
    """Every plan must meet these requirements."""

    capacity: NotNegative = Field(
        default=0.0,
        description="Minimum throughput of every workload rated by throughput, as a multiple of "
        "the reference machine's at the same share of the mix. 'throughput' can "
        "require more of one workload.",
    )
    throughput: dict[Label, Positive] = Field(
        default={},
        description="Minimum throughput of each workload, by its name, as a multiple of the "
        "reference machine's at the same share of the mix.",
    )
    time_to_solution_s: dict[Label, Positive] = Field(
        default={},
        description="Maximum time to solution of each workload, by its name, in seconds.",
    )
    node_memory_gb: NotNegative = Field(
        default=0.0, description="Minimum memory of every node, in GB."
    )
    total_memory_gb: NotNegative = Field(
        default=0.0, description="Minimum total memory of the machine, in GB."
    )
    nodes: Annotated[int, Field(ge=0, le=10**9)] = Field(
        default=0, description="Minimum number of nodes."
    )
    shares: Annotated[tuple[ShareLimit, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Minimum and maximum shares of node kinds or vendors."
    )
    delivered_by: dt.date | None = Field(
        default=None, description="Latest delivery date; quotes with a later delivery are excluded."
    )


class Reference(Group):
    """The machine against which performance is stated."""

    name: Label = Field(description="Name.")
    nodes: Count = Field(description="Number of nodes.")
    compute_rate: Positive | None = Field(
        default=None, description="Compute rate of one node, in the unit of the quotes."
    )
    bandwidth_gb_s: Positive | None = Field(
        default=None, description="Memory bandwidth of one node, in GB/s."
    )


class Procurement(Group):
    """What to buy from whom: the question, and how it is judged."""

    workload_mode: Literal["shared", "one_at_a_time"] = Field(
        default="shared",
        description="'shared': all capacity workloads run at the same time, in the proportions "
        "of the mix. 'one_at_a_time': each is rated on the whole machine (SSI, SSNI).",
    )
    regime: Literal["worst-case", "static", "overprovisioned"] = Field(
        default="overprovisioned", description="How power is provisioned in the plan."
    )
    cvar_weight: Fraction01 = Field(
        default=0.0, description="lambda: weight of the CVaR of log S against its expectation."
    )
    cvar_level: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.9,
        description="alpha: the CVaR is the mean over the worst 1 - alpha of the demand scenarios.",
    )
    use: Literal["all", "committed"] = Field(
        default="all",
        description="Figures of packages that count for workloads of kind 'offered'. 'committed': "
        "only what the vendor must deliver; a package without such a figure cannot run the "
        "workload. 'all': of one name the committed figure, else the measured, else the projected.",
    )
    most_vendors: Count | None = Field(default=None, description="Maximum number of vendors.")
    most_node_types: Count | None = Field(default=None, description="Maximum number of node types.")
    decided_on: dt.date | None = Field(
        default=None,
        description="Day of the order. Quotes that have expired by then are excluded, and lead "
        "times count from it.",
    )
    repair_prices: dict[
        Literal["it_power_w", "liquid_w", "air_w", "capital", "operating", "racks"], Positive
    ] = Field(
        default={},
        description="Cost of one more unit of each resource (a watt of IT power, a rack, a unit "
        "of money). With it, Headroom finds the cheapest repair of a scenario "
        "without a plan.",
    )
    weights: dict[Literal["performance", "total cost", "energy", "delivery"], NotNegative] = Field(
        default={},
        description=(
            "Weights of the criteria by which offers are evaluated; by default 50, 20, 20 and 10 %."
        ),
    )
    alternatives_within: Annotated[float, Field(gt=0, lt=1)] = Field(
        default=0.02,
        description="Loss of performance that is accepted for an alternative, as a fraction.",
    )
    uncertain_price: Fraction01 = Field(
        default=0.1, description="Uncertainty of a price (half width), as a fraction."
    )
    uncertain_power: Fraction01 = Field(
        default=0.1,
        description="Uncertainty of a node's power above idle (half width), as a fraction.",
    )
    uncertain_performance: Fraction01 = Field(
        default=0.1,
        description="Uncertainty of a node type's performance (half width), as a fraction.",
    )

    @model_validator(mode="after")
    def _some_weight(self) -> Self:
        if self.weights and not any(self.weights.values()):
            raise ValueError(
                "all weights are 0; give at least one criterion a weight, or delete them"
            )
        return self


class Roofline(Group):
    """Performance of a node from its compute rate and memory bandwidth, under a cap.

    Figure of merit relative to the reference node: ``1 / (c R0/R + (1 - c) B0/B)`` times the
    type's efficiency; at clock ratio r it changes by ``1 / (c/r + 1 - c)``, while the node
    draws ``idle + u (peak - idle) r^e``.
    """

    kind: Literal["roofline"] = Field(description="Compute rate, bandwidth and clock.")
    clock_bound: Fraction01 = Field(
        description="c: share of the run time that scales with the clock."
    )
    power_intensity: Annotated[float, Field(gt=0, le=1)] = Field(
        default=1.0,
        description="u: power above idle at full clock, divided by the peak power above idle.",
    )
    reference_time_s: Positive | None = Field(
        default=None, description="Time to solution on one reference node, in seconds."
    )
    serial_fraction: Fraction01 = Field(
        default=0.0, description="Serial share: part of that time that more nodes do not shorten."
    )
    partitions: Annotated[tuple[Count, ...], Field(strict=False, max_length=200)] = Field(
        default=(), description="Node counts on which the job can run, for a time to solution."
    )


class Merit(Group):
    """A measured figure of merit."""

    node_type: Identifier = Field(description="Node type.")
    cap_w: Positive | None = Field(
        default=None, description="Package cap, in watts; by default the highest permitted."
    )
    figure_of_merit: Positive = Field(description="Figure of merit of one node; higher is better.")
    drawn_w: Positive | None = Field(
        default=None,
        description=(
            "Power of a node in this run, in watts; by default the most that the cap allows."
        ),
    )
    origin: Label | None = Field(default=None, description="File and line from which it was read.")


class Merits(Group):
    """Figures of merit as a table."""

    kind: Literal["table"] = Field(description="Figures of merit by node type and cap.")
    reference_figure_of_merit: Positive = Field(
        description="Figure of merit of one reference node."
    )
    file: Text | None = Field(
        default=None,
        description="CSV file in the scenario's folder, instead of rows. Columns: node_type and "
        "figure_of_merit; optionally cap_w and drawn_w, and workload if the file "
        "serves several.",
    )
    rows: Annotated[tuple[Merit, ...], Field(strict=False, max_length=5000)] = Field(
        default=(), description="One row per node type and cap."
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.rows:
            raise ValueError("there are no figures of merit; add rows, or a file")
        return self


class MeasuredTime(Group):
    """Run time over the node count of one node type under one cap."""

    cap_w: Positive | None = Field(
        default=None, description="Package cap, in watts; by default the highest permitted."
    )
    drawn_w: Positive | None = Field(
        default=None,
        description=(
            "Power of a node in this run, in watts; by default the most that the cap allows."
        ),
    )
    time: TimeModel = Field(description="Run time as a function of the node count.")


class MeasuredTimes(Group):
    """Run times by node type, cap and partition size."""

    kind: Literal["times"] = Field(description="Run time as a function of the node count.")
    reference_time_s: Positive = Field(
        description="Time of the same job on the reference machine, in seconds."
    )
    reference_nodes: Count = Field(default=1, description="Number of nodes of that run.")
    runs: Annotated[tuple[MeasuredTime, ...], Field(strict=False, min_length=1, max_length=500)] = (
        Field(description="One per node type and cap.")
    )
    partitions: Annotated[tuple[Count, ...], Field(strict=False, max_length=200)] = Field(
        default=(),
        description="Node counts on which the job can run; by default the measured ones.",
    )


class Offered(Group):
    """Figures that vendors offer of their packages; nodes outside packages run nothing of it.

    Figure of merit of one node: the figure over the quoted nodes. With ``clock_bound`` it changes
    under a cap as that of a :class:`Roofline`.
    """

    kind: Literal["offered"] = Field(description="Figures of the packages.")
    figure: Label | None = Field(
        default=None, description="Name of the figure; by default that of the workload."
    )
    reference_figure_of_merit: Positive = Field(
        description="Figure of merit of one reference node."
    )
    clock_bound: Fraction01 | None = Field(
        default=None,
        description="c: share of the run time that scales with the clock; without it, the "
        "workload runs under the highest permitted cap only.",
    )
    power_intensity: Annotated[float, Field(gt=0, le=1)] = Field(
        default=1.0,
        description="u: power above idle at full clock, divided by the peak power above idle.",
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.clock_bound is None and "power_intensity" in self.model_fields_set:
            raise ValueError("power_intensity needs clock_bound; add it, or delete both")
        return self


Performance = Annotated[Roofline | Merits | MeasuredTimes | Offered, Field(discriminator="kind")]


def sums_to_one(total: float) -> bool:
    """Whether probabilities sum to 1, up to rounding."""
    return abs(total - 1) <= PROBABILITY_TOLERANCE
