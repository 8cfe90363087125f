"""What a scenario may say: every field with its unit, range and default.

Later studies add groups and optional fields; the format stays one.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from scenarios.fields import (
    CostRatio,
    Count,
    Currency,
    Fraction01,
    Group,
    Identifier,
    Label,
    NotNegative,
    PerformanceFraction,
    Positive,
    Signed,
    Text,
)
from scenarios.model.node_types import NodeType
from scenarios.model.price import Price
from scenarios.model.procurement import (
    Demand,
    EnergyPrice,
    Facility,
    Network,
    Performance,
    Procurement,
    Reference,
    Requirements,
    sums_to_one,
)
from scenarios.model.quote_mapping import QuoteTable
from scenarios.model.run_times import TimeModel
from scenarios.model.schedule import Schedule
from scenarios.model.scheme import Scheme
from scenarios.model.tender import Lot, Package, VendorTerms
from scenarios.remark import Remark
from scenarios.understood import ReadSheet


class Power(Group):
    """The power feed."""

    bound_w: Positive = Field(
        description="Power bound P_sys of the compute nodes, in watts, idle and running "
        "together. With side = 'facility' it is the bound of everything that the "
        "feed supplies."
    )
    side: Literal["it", "facility"] = Field(
        default="it", description="Where the bound applies: at the IT equipment, or at the feed."
    )
    pue: Annotated[float, Field(ge=1, le=10)] = Field(
        default=1.0,
        description=(
            "Power usage effectiveness: power of the feed divided by IT power, without losses."
        ),
    )
    conversion_loss: PerformanceFraction = Field(
        default=0.0, description="Share of the power that is lost between feed and IT equipment."
    )
    fixed_w: NotNegative = Field(
        default=0.0,
        description="IT power of storage and service nodes, in watts; drawn all the time.",
    )
    available_on: dt.date | None = Field(
        default=None, description="Day from which the feed supplies this power."
    )
    carbon_g_per_kwh: NotNegative = Field(
        default=0.0,
        description="Carbon intensity of electricity, in grams of CO2 equivalent per kWh.",
    )

    @property
    def it_share(self) -> float:
        """IT power over feed power."""
        return (1 - self.conversion_loss) / self.pue

    @property
    def it_bound_w(self) -> float:
        """The bound as IT power, in watts."""
        return self.bound_w * (self.it_share if self.side == "facility" else 1.0)


class Budget(Group):
    """Money, once and per year."""

    currency: Currency = Field(
        default="USD", description="ISO 4217 code of the currency of all prices."
    )
    capital: Positive | None = Field(
        default=None, description="Acquisition budget, or the price paid for an existing machine."
    )
    lifetime_years: Positive = Field(default=4.0, description="Years of service, for depreciation.")
    maintenance_fraction_per_year: Fraction01 = Field(
        default=0.0,
        description="Maintenance and support per year, as a fraction of the hardware price "
        "(procurement) or of the capital ([machine]).",
    )
    staff_per_year: NotNegative = Field(default=0.0, description="Staff cost per year.")
    energy_price_per_kwh: NotNegative = Field(default=0.0, description="Price of one kWh.")
    energy_per_year: NotNegative | None = Field(
        default=None,
        description=(
            "Cost of power and cooling per year, if it is stated; by default price x power x "
            "8,760 h."
        ),
    )
    operating_per_year: Positive | None = Field(
        default=None, description="Operating budget per year, for maintenance, staff and energy."
    )
    energy_prices: Annotated[tuple[EnergyPrice, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Scenarios of the energy price, instead of a single price."
    )
    operating_holds: Literal["expected", "every"] = Field(
        default="expected",
        description="Whether the operating budget must hold in expectation over the energy "
        "prices, or at each of them.",
    )
    discount_rate: PerformanceFraction = Field(
        default=0.0, description="Discount rate for later years."
    )
    installation_fraction: Fraction01 = Field(
        default=0.0, description="Cost of installation, as a fraction of the hardware price."
    )
    fixed_capital: NotNegative = Field(
        default=0.0,
        description=(
            "Storage, software and other expenses that do not depend on the choice of nodes."
        ),
    )
    utilisation: Annotated[float, Field(gt=0, le=1)] = Field(
        default=1.0,
        description="Share of the time in which nodes run jobs; otherwise they are idle.",
    )

    @model_validator(mode="after")
    def _probabilities(self) -> Self:
        total = sum(energy_price.probability for energy_price in self.energy_prices)
        if self.energy_prices and not sums_to_one(total):
            raise ValueError(
                f"the probabilities of energy_prices sum to {total:g}, not to 1; correct them"
            )
        return self


class Machine(Group):
    """An existing machine, or one that is on offer as a whole."""

    name: Label = Field(description="Its name.")
    cores: Count = Field(description="Total number of cores.")
    utilisation: Annotated[float, Field(gt=0, le=1)] = Field(
        description="Share of core-hours that are used."
    )
    power_provisioned_w: Positive | None = Field(
        default=None, description="Power provisioned for the machine, in watts."
    )
    power_used_w: Positive | None = Field(
        default=None, description="Power that the machine draws in operation, in watts."
    )

    @model_validator(mode="after")
    def _used_within_provisioned(self) -> Self:
        used, provisioned = self.power_used_w, self.power_provisioned_w
        if used is not None and provisioned is not None and used > provisioned:
            raise ValueError(
                f"power_used_w = {used:g} exceeds power_provisioned_w = {provisioned:g}; "
                "correct one of them"
            )
        return self


class Rack(Group):
    """A rack, and what it needs in addition to nodes and switches."""

    nodes: Count = Field(description="Nodes that fit in one rack.")
    price: NotNegative = Field(
        default=0.0, description="Price of an empty rack with power distribution."
    )


class Switch(Group):
    """The switch of a rack."""

    price: NotNegative = Field(description="Price of one switch.")
    per_rack: Count = Field(default=1, description="Switches in each rack.")
    ports: Count | None = Field(default=None, description="Ports of one switch (not used yet).")
    power_w: NotNegative | None = Field(default=None, description="Power of one switch, in watts.")


class Workload(Group):
    """One application of the mix."""

    name: Label = Field(description="Name of the application.")
    weight: NotNegative = Field(
        default=1.0,
        description="Share in the mix, relative to the others; 0 for a benchmark that must only "
        "meet its requirement.",
    )
    time: TimeModel | None = Field(
        default=None, description="Run time as a function of the node count."
    )
    rating: Literal["throughput", "time_to_solution"] = Field(
        default="throughput",
        description="'throughput': work done by the whole machine (capacity). "
        "'time_to_solution': run time of one job on one partition (capability).",
    )
    performance: Performance | None = Field(
        default=None, description="Performance by node type and cap."
    )
    kinds: Annotated[tuple[Identifier, ...], Field(strict=False, max_length=100)] = Field(
        default=(),
        description=(
            "Kinds of node that can run it; by default all for which a performance is given."
        ),
    )

    @property
    def run_time(self) -> TimeModel:
        """The run time over the node count.

        Raises
        ------
        ValueError
            None was given.
        """
        if self.time is None:
            raise ValueError(f"{self.name} has no run time as a function of the node count")
        return self.time

    @model_validator(mode="after")
    def _ratable(self) -> Self:
        if self.rating == "throughput" or self.performance is None:
            return self
        if self.performance.kind == "offered":
            raise ValueError(
                "rating = 'time_to_solution' needs run times, and figures of packages have none; "
                "give run times or a roofline"
            )
        if self.performance.kind == "table":
            raise ValueError(
                "rating = 'time_to_solution' needs run times, and a table of figures of merit has "
                "none; give run times or a roofline"
            )
        if self.performance.kind == "roofline" and (
            self.performance.reference_time_s is None or not self.performance.partitions
        ):
            raise ValueError(
                "rating = 'time_to_solution' of a roofline needs reference_time_s and partitions"
            )
        return self


class Sweep(Group):
    """Values at which the sensitivity tables are computed."""

    cost_ratios: Annotated[tuple[CostRatio, ...], Field(strict=False, max_length=50)] = Field(
        default=(1.5, 1.75, 2.0, 2.25), description="Effective cost ratios r_c."
    )
    power_bounds_w: Annotated[tuple[Positive, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Power bounds P_sys; by default 70 to 130 % of the bound."
    )
    performance_fractions: Annotated[
        tuple[PerformanceFraction, ...], Field(strict=False, max_length=50)
    ] = Field(default=(0.1, 0.2, 0.4), description="Performance parameters r_p.")


class Overprovisioning(Group):
    """Few high-end nodes at full power, or many older ones for the same money and power: which."""

    high_end: Identifier = Field(
        description="Node type of the design provisioned for peak power (worst case)."
    )
    older: Identifier = Field(description="Node type of the overprovisioned design.")
    performance_fraction: Annotated[float, Field(ge=0, le=100)] = Field(
        description="r_p: fraction by which the high-end node is faster (0.27 for 27 %); below 1 "
        "unless speed_ratio is '1/(1 + r_p)'."
    )
    cost_ratio_from: Literal["given", "racks"] = Field(
        default="given",
        description="'given': use cost_ratio. 'racks': calculate what can be bought, rack by "
        "rack, from the prices of nodes, racks and switches.",
    )
    cost_ratio: CostRatio | None = Field(
        default=None,
        description="r_c: effective cost of a high-end node, divided by that of an older node.",
    )
    speed_ratio: Literal["1 - r_p", "1/(1 + r_p)"] = Field(
        default="1 - r_p",
        description="Run time on high-end nodes, divided by that on older ones. The thesis "
        "prints the first form; '27 % faster' means the second.",
    )
    outside_measured: Literal["refuse", "clamp", "extrapolate"] = Field(
        default="refuse",
        description="What to do at node counts that were not measured: refuse, take the nearest "
        "measured count, or extrapolate while the time stays positive (flagged).",
    )
    sweep: Sweep = Field(default=Sweep(), description="Values of the sensitivity tables.")

    @model_validator(mode="after")
    def _ratio_given(self) -> Self:
        if self.cost_ratio_from == "given" and self.cost_ratio is None:
            raise ValueError("cost_ratio is missing; give it, or set cost_ratio_from = 'racks'")
        if self.speed_ratio == "1 - r_p" and self.performance_fraction >= 1:
            raise ValueError(
                f"performance_fraction = {self.performance_fraction:g} leaves no run time; write "
                "0.35 for 35 %, or set speed_ratio = '1/(1 + r_p)'"
            )
        if self.high_end == self.older:
            raise ValueError(f"high_end and older are both {self.older!r}; name two node types")
        return self


class Printed(Group):
    """A published number, for comparison with Headroom's."""

    quantity: Text = Field(
        description="Path of Headroom's number in plan.json, as in overprovisioning.SPhot.speedup."
    )
    value: Signed = Field(description="The number as printed.")
    tolerance: NotNegative = Field(
        default=0.0,
        description="Half a unit of the last printed digit; smaller differences are rounding.",
    )
    note: Text = Field(default="", description="Why the numbers differ, if they do.")


class Provenance(BaseModel):
    """The files that a scenario was read from, what was replaced since, and what is doubted."""

    model_config = ConfigDict(frozen=True)

    files: tuple[tuple[str, str], ...] = Field(
        default=(), description="Name and SHA-256 of each file."
    )
    paths: tuple[str, ...] = Field(default=(), description="Absolute path of each file.")
    sheets: tuple[ReadSheet, ...] = Field(
        default=(), description="What was taken from the columns of each attached sheet."
    )
    of_sheets: tuple[Remark, ...] = Field(
        default=(), description="Remarks on the attached sheets, each with its place."
    )
    of_values: tuple[Remark, ...] = Field(
        default=(),
        description="Remarks on values that are valid but probably wrong, each with its place.",
    )
    changes: tuple[tuple[str, str], ...] = Field(
        default=(),
        description="Key path and value (as JSON) of each value that was replaced after reading.",
    )


class Scenario(Group):
    """Everything that is given before anybody decides."""

    format: Literal[1] = Field(description="Version of this format.")
    name: Identifier = Field(
        description="Short name; results are written to a folder of this name."
    )
    title: Label = Field(description="Title of the report.")
    description: Text = Field(
        default="", description="Description of the scenario, for the report."
    )
    date: dt.date | None = Field(
        default=None, description="Date of this version of the scenario; the report has this date."
    )
    version: Label | None = Field(default=None, description="Version of the scenario, as in 2.1.")
    language: Literal["en", "de"] = Field(
        default="en",
        description="Language of the report and of its decimal mark.",
    )
    power: Power | None = Field(default=None, description="The power feed.")
    budget: Budget | None = Field(default=None, description="Money.")
    machine: Machine | None = Field(
        default=None, description="An existing machine, for its cost per core-hour."
    )
    node_types: Annotated[tuple[NodeType, ...], Field(strict=False, max_length=1000)] = Field(
        default=(), description="The node types on offer."
    )
    rack: Rack | None = Field(default=None, description="Racks.")
    switch: Switch | None = Field(default=None, description="Switches.")
    workloads: Annotated[tuple[Workload, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="The applications."
    )
    overprovisioning: Overprovisioning | None = Field(
        default=None,
        description="Compare two designs: few new nodes, or more older ones under a power bound.",
    )
    procurement: Procurement | None = Field(
        default=None, description="Decide which nodes to buy from which vendor."
    )
    schedule: Schedule | None = Field(
        default=None, description="Compare policies that schedule job logs under a power bound."
    )
    price: Price | None = Field(
        default=None, description="Find fair prices for jobs that share nodes."
    )
    quotes: Annotated[tuple[QuoteTable, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Tables of vendors' quotes; each row becomes a node type."
    )
    quotes_file: Text = Field(
        default="",
        description="File in the scenario's folder with more [[quotes]] and [[packages]], as "
        "`headroom check --propose` writes it.",
    )
    facility: Facility | None = Field(
        default=None, description="Racks and cooling capacity of the room."
    )
    network: Network | None = Field(default=None, description="Network of leaf and spine switches.")
    reference: Reference | None = Field(
        default=None, description="Machine to which all performance is compared."
    )
    requirements: Requirements = Field(
        default=Requirements(), description="Mandatory requirements."
    )
    demands: Annotated[tuple[Demand, ...], Field(strict=False, max_length=200)] = Field(
        default=(),
        description="Scenarios of demand; by default one, with the weights of the workloads.",
    )
    lots: Annotated[tuple[Lot, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Lots of the tender, in their published order."
    )
    packages: Annotated[tuple[Package, ...], Field(strict=False, max_length=500)] = Field(
        default=(), description="Vendors' offers for the lots."
    )
    vendor_terms: Annotated[tuple[VendorTerms, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Terms of vendors on the sum of their packages."
    )
    scheme: Scheme | None = Field(
        default=None, description="Award scheme, by which packages are judged."
    )
    printed: Annotated[tuple[Printed, ...], Field(strict=False, max_length=1000)] = Field(
        default=(), description="Published numbers with which the results are compared."
    )

    @model_validator(mode="after")
    def _some_weight(self) -> Self:
        if self.workloads and not any(workload.weight > 0 for workload in self.workloads):
            raise ValueError(
                "the weights of all workloads are 0; give at least one of them a weight"
            )
        return self

    @model_validator(mode="after")
    def _demand_probabilities(self) -> Self:
        total = sum(demand.probability for demand in self.demands)
        if self.demands and not sums_to_one(total):
            raise ValueError(
                f"the probabilities of demands sum to {total:g}, not to 1; correct them"
            )
        return self

    _provenance: Provenance = PrivateAttr(default=Provenance())

    @field_validator("format", mode="before")
    @classmethod
    def _known_format(cls, value: object) -> object:
        if type(value) is not int or value != 1:  # true and 1.0 equal 1 as well
            raise ValueError("this version of Headroom reads format = 1; correct it")
        return value

    @property
    def provenance(self) -> Provenance:
        """The files that this scenario was read from, with their hashes."""
        return self._provenance

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What was read and is doubted: kind, place and values of each."""
        return self._provenance.of_sheets + self._provenance.of_values

    def with_provenance(self, provenance: Provenance) -> Scenario:
        """Copy the scenario into one that knows its files."""
        copy = self.model_copy()
        copy._provenance = provenance  # noqa: SLF001 - a copy of this very class
        return copy

    def node_type(self, name: str) -> NodeType:
        """Find the node type of that name.

        Raises
        ------
        KeyError
            There is none.
        """
        for node_type in self.node_types:
            if node_type.name == name:
                return node_type
        raise KeyError(f"no node type {name!r}; there are {[n.name for n in self.node_types]}")
