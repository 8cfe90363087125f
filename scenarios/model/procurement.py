"""What a request for proposals adds: terms of quotes, site, mandates, demand and policy."""

from __future__ import annotations

import datetime as dt
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
    Text,
)
from scenarios.model.run_times import TimeModel

Probability = Annotated[float, Field(ge=0, le=1)]
PROBABILITY_TOLERANCE = 1e-9
Share = Fraction01


class Discount(Group):
    """A quantity discount: from that many nodes on, every node costs less."""

    from_quantity: Count = Field(description="Least number of nodes of this type.")
    fraction: Annotated[float, Field(ge=0, lt=1)] = Field(
        description="Off the price of every node of this type, as a fraction."
    )


class Facility(Group):
    """Room and cooling of the site."""

    racks: Count | None = Field(default=None, description="Rack places; by default unlimited.")
    rack_w: Positive | None = Field(
        default=None,
        description="Power that one rack's feed carries, in watts: a rack holds no more nodes "
        "than can all run at their peak.",
    )
    liquid_w: Positive | None = Field(
        default=None, description="Heat that liquid cooling removes, in watts of IT power."
    )
    air_w: Positive | None = Field(
        default=None, description="Heat that air cooling removes, in watts of IT power."
    )


class Network(Group):
    """A two-level fat tree: leaf switches at the nodes, spine switches above them."""

    leaf_node_ports: Count = Field(description="Ports of a leaf switch that go to nodes.")
    leaf_uplinks: Count = Field(description="Ports of a leaf switch that go to spine switches.")
    spine_ports: Count = Field(description="Ports of a spine switch; also the most leaf switches.")
    leaf_price: NotNegative = Field(description="Price of a leaf switch.")
    spine_price: NotNegative = Field(description="Price of a spine switch.")
    leaf_w: NotNegative = Field(default=0.0, description="Power of a leaf switch, in watts.")
    spine_w: NotNegative = Field(default=0.0, description="Power of a spine switch, in watts.")
    node_cable_price: NotNegative = Field(
        default=0.0, description="Cable and transceivers of one node port."
    )
    uplink_cable_price: NotNegative = Field(
        default=0.0, description="Cable and transceivers of one uplink."
    )


class EnergyPrice(Group):
    """One scenario of the price of electricity."""

    name: Label = Field(description="Its name.")
    price_per_kwh: NotNegative = Field(description="Price of one kWh.")
    probability: Probability = Field(
        description="Its probability; all sum to 1. At 0 it counts only where the operating budget "
        "holds at every price."
    )


class Demand(Group):
    """One scenario of demand: how the mix of work may shift."""

    name: Label = Field(description="Its name.")
    probability: Probability = Field(
        description="Its probability; all sum to 1. At 0 only requirements count in it."
    )
    factors: dict[Label, NotNegative] = Field(
        default={},
        description="Factor on the weight of a workload, by its name; 1 where none is given. "
        "Weights are normalised afterwards.",
    )


class ShareLimit(Group):
    """How much of what is bought is, or may be, of one kind."""

    kind: Identifier | None = Field(default=None, description="Kind of node, as in the quotes.")
    vendor: Label | None = Field(default=None, description="Or a vendor.")
    of: Literal["spend", "nodes"] = Field(default="spend", description="Share of what.")
    least: Share = Field(default=0.0, description="At least this share.")
    most: Share = Field(default=1.0, description="At most this share.")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if (self.kind is None) == (self.vendor is None):
            raise ValueError("kind or vendor: give one of them")
        if self.least > self.most:
            raise ValueError(
                f"least = {self.least:g} is above most = {self.most:g}; swap or correct them"
            )
        return self


class Requirements(Group):
    """What is mandatory: a plan that misses one of these is no plan."""

    capacity: NotNegative = Field(
        default=0.0,
        description="Least throughput of every workload that is rated by it, as a multiple of the "
        "reference machine's at the same share of the mix; throughput may ask for more of one.",
    )
    throughput: dict[Label, Positive] = Field(
        default={},
        description="Least throughput of a workload, by its name, as a multiple of the reference "
        "machine's at the same share of the mix.",
    )
    time_to_solution_s: dict[Label, Positive] = Field(
        default={}, description="Largest time to solution of a workload, by its name, in seconds."
    )
    node_memory_gb: NotNegative = Field(default=0.0, description="Least memory of every node.")
    total_memory_gb: NotNegative = Field(default=0.0, description="Least memory of the machine.")
    nodes: Annotated[int, Field(ge=0, le=10**9)] = Field(default=0, description="Least nodes.")
    shares: Annotated[tuple[ShareLimit, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Shares of node kinds or vendors."
    )
    delivered_by: dt.date | None = Field(
        default=None, description="Latest delivery; later quotes are excluded."
    )


class Reference(Group):
    """The machine against which performance is stated."""

    name: Label = Field(description="Its name.")
    nodes: Count = Field(description="Its nodes.")
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
        description="'shared': all capacity workloads run side by side, throughput at the mix; "
        "'one_at_a_time': each is rated on the whole machine (SSI, SSNI).",
    )
    regime: Literal["worst-case", "static", "overprovisioned"] = Field(
        default="overprovisioned", description="How power is provisioned in the plan to be made."
    )
    cvar_weight: Fraction01 = Field(
        default=0.0, description="lambda: weight of CVaR against expectation, of log S."
    )
    cvar_level: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.9, description="alpha: CVaR is the mean of the worst 1 - alpha of demand."
    )
    most_vendors: Count | None = Field(default=None, description="Largest number of vendors.")
    most_node_types: Count | None = Field(default=None, description="Largest number of types.")
    decided_on: dt.date | None = Field(
        default=None,
        description="Day of the order: bids that are no longer valid are excluded, and lead "
        "times count from it.",
    )
    repair_prices: dict[
        Literal["it_power_w", "liquid_w", "air_w", "capital", "operating", "racks"], Positive
    ] = Field(
        default={},
        description="What one more unit of a resource would cost (a watt of IT power, a rack, a "
        "unit of money), for the cheapest repair of a scenario without a plan.",
    )
    weights: dict[Literal["performance", "total cost", "energy", "delivery"], NotNegative] = Field(
        default={},
        description="Evaluation weights of the offers; by default 50, 20, 20 and 10 %.",
    )
    alternatives_within: Annotated[float, Field(gt=0, lt=1)] = Field(
        default=0.02, description="Performance given up for an alternative, as a fraction."
    )
    uncertain_price: Fraction01 = Field(
        default=0.1, description="Half width of the uncertainty of a price, as a fraction."
    )
    uncertain_power: Fraction01 = Field(
        default=0.1, description="The same of a node's power above idle."
    )
    uncertain_performance: Fraction01 = Field(
        default=0.1, description="The same of a node type's performance."
    )

    @model_validator(mode="after")
    def _some_weight(self) -> Self:
        if self.weights and not any(self.weights.values()):
            raise ValueError("weights: all are 0; give one criterion a weight, or leave them out")
        return self


class Roofline(Group):
    """Performance of a node from its compute rate and memory bandwidth, under a cap.

    Figure of merit relative to the reference node: ``1 / (c R0/R + (1 - c) B0/B)`` times the
    type's efficiency; at clock ratio r it changes by ``1 / (c/r + 1 - c)``, while the node
    draws ``idle + u (peak - idle) r^e``.
    """

    kind: Literal["roofline"] = Field(description="Compute rate, bandwidth and clock.")
    clock_bound: Fraction01 = Field(description="c: share of the time that scales with the clock.")
    power_intensity: Annotated[float, Field(gt=0, le=1)] = Field(
        default=1.0, description="u: power above idle at full clock, over that of the peak."
    )
    reference_time_s: Positive | None = Field(
        default=None, description="Time to solution on one reference node, in seconds."
    )
    serial_fraction: Fraction01 = Field(
        default=0.0, description="Share of that time that more nodes do not shorten."
    )
    partitions: Annotated[tuple[Count, ...], Field(strict=False, max_length=200)] = Field(
        default=(), description="Admissible partition sizes for a time to solution."
    )


class Merit(Group):
    """A measured figure of merit."""

    node_type: Identifier = Field(description="Node type.")
    cap_w: Positive | None = Field(
        default=None, description="Package cap, in watts; by default the largest permitted."
    )
    figure_of_merit: Positive = Field(description="Per node; more is better.")
    drawn_w: Positive | None = Field(
        default=None, description="Power of a node in this run; by default all that the cap lets."
    )
    origin: Label | None = Field(default=None, description="File and line that it was read from.")


class Merits(Group):
    """Figures of merit as a table."""

    kind: Literal["table"] = Field(description="Figures of merit by node type and cap.")
    reference_figure_of_merit: Positive = Field(
        description="Figure of merit of one reference node."
    )
    file: Text | None = Field(
        default=None,
        description="CSV file in the scenario's folder, columns node_type and figure_of_merit, "
        "where needed cap_w and drawn_w, and workload if it serves several; instead of rows.",
    )
    rows: Annotated[tuple[Merit, ...], Field(strict=False, max_length=5000)] = Field(
        default=(), description="One row per node type and cap."
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.rows:
            raise ValueError("no figures of merit; give rows, or a file")
        return self


class MeasuredTime(Group):
    """Run time over the node count of one node type under one cap."""

    cap_w: Positive | None = Field(
        default=None, description="Package cap, in watts; by default the largest permitted."
    )
    drawn_w: Positive | None = Field(
        default=None, description="Power of a node in this run; by default all that the cap lets."
    )
    time: TimeModel = Field(description="Run time over the node count.")


class MeasuredTimes(Group):
    """Run times by node type, cap and partition size."""

    kind: Literal["times"] = Field(description="Run times over the node count.")
    reference_time_s: Positive = Field(
        description="Time of the same job on the reference machine, in seconds."
    )
    reference_nodes: Count = Field(default=1, description="Nodes that it took there.")
    runs: Annotated[tuple[MeasuredTime, ...], Field(strict=False, min_length=1, max_length=500)] = (
        Field(description="One per node type and cap.")
    )
    partitions: Annotated[tuple[Count, ...], Field(strict=False, max_length=200)] = Field(
        default=(), description="Admissible partition sizes; by default the measured ones."
    )


Performance = Annotated[Roofline | Merits | MeasuredTimes, Field(discriminator="kind")]


def sums_to_one(total: float) -> bool:
    """Whether probabilities sum to 1, up to rounding."""
    return abs(total - 1) <= PROBABILITY_TOLERANCE
