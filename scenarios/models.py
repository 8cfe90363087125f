"""What a scenario may say: every field with its unit, range and default.

Later studies add groups and optional fields; the format stays one.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from scenarios.fields import (
    LARGEST,
    SMALLEST,
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
    Text,
)


class Power(Group):
    """The power feed."""

    bound_w: Positive = Field(
        description="Power bound P_sys of the compute part, in watts; idle and running nodes "
        "together may not draw more."
    )


class Budget(Group):
    """Money, once and per year."""

    currency: Currency = Field(default="USD", description="ISO 4217 code; all prices share it.")
    capital: Positive | None = Field(default=None, description="Acquisition budget or price paid.")
    lifetime_years: Positive = Field(default=4.0, description="Years of service, for depreciation.")
    maintenance_fraction_per_year: Fraction01 = Field(
        default=0.0, description="Maintenance and support per year, as a fraction of capital."
    )
    staff_per_year: NotNegative = Field(default=0.0, description="Staff cost per year.")
    energy_price_per_kwh: NotNegative = Field(default=0.0, description="Price of one kWh.")
    energy_per_year: NotNegative | None = Field(
        default=None,
        description="Power and cooling per year as stated; by default price x power x 8760 h.",
    )


class Machine(Group):
    """A machine that stands, or is on offer as a whole."""

    name: Label = Field(description="Its name.")
    cores: Count = Field(description="Cores in all.")
    utilisation: Annotated[float, Field(gt=0, le=1)] = Field(
        description="Share of core-hours that are used."
    )
    power_provisioned_w: Positive | None = Field(
        default=None, description="Power that was provisioned, in watts."
    )
    power_used_w: Positive | None = Field(
        default=None, description="Power that is really drawn, in watts."
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


class NodeType(Group):
    """One kind of node that can be bought."""

    name: Identifier = Field(description="Short name, used in files and references.")
    label: Label | None = Field(default=None, description="Name to show; by default the name.")
    price: Positive | None = Field(default=None, description="Price of one node.")
    cores: Count | None = Field(default=None, description="Cores of one node.")
    sockets: Count | None = Field(default=None, description="Sockets of one node; not used yet.")
    idle_w: NotNegative | None = Field(
        default=None, description="Least power of a node that is on (P_n_min), in watts."
    )
    peak_w: Positive | None = Field(
        default=None, description="Largest power of a node (P_n_max), in watts."
    )
    package_caps_w: Annotated[tuple[Positive, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Permitted caps per socket, in watts."
    )
    benchmark_score: Positive | None = Field(
        default=None, description="Score of one node in a common benchmark; more is faster."
    )

    @model_validator(mode="after")
    def _idle_below_peak(self) -> Self:
        if self.idle_w is not None and self.peak_w is not None and self.peak_w < self.idle_w:
            raise ValueError(
                f"peak_w = {self.peak_w:g} is below idle_w = {self.idle_w:g}; swap or correct them"
            )
        return self

    @property
    def title(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name


class Rack(Group):
    """A rack and what it needs beside nodes and switches."""

    nodes: Count = Field(description="Nodes that fit in one rack.")
    price: NotNegative = Field(default=0.0, description="Empty rack, power supplies and so on.")


class Switch(Group):
    """The switch of a rack."""

    price: NotNegative = Field(description="Price of one switch.")
    per_rack: Count = Field(default=1, description="Switches in each rack.")
    ports: Count | None = Field(default=None, description="Ports of one switch; not used yet.")
    power_w: NotNegative | None = Field(default=None, description="Power of one switch, in watts.")


NodeRange = Annotated[tuple[Count, Count], Field(strict=False)]


class LinearTime(Group):
    """Run time as a straight line over the node count: ``slope x nodes + intercept``."""

    kind: Literal["linear"] = Field(description="A straight line.")
    node_type: Identifier = Field(description="The node type that it was measured on.")
    slope_s_per_node: Annotated[float, Field(ge=-LARGEST, le=LARGEST)] = Field(
        description="Slope m, in seconds per node; negative where more nodes are faster."
    )
    intercept_s: Positive = Field(description="Intercept c, in seconds.")
    measured_nodes: NodeRange = Field(
        description="Smallest and largest node count that was measured; the line is known there."
    )
    declared_nodes: Count | None = Field(
        default=None, description="Largest node count for which its authors declare it valid."
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        low, high = self.measured_nodes
        if low > high:
            raise ValueError(f"measured_nodes = [{low}, {high}] is reversed; put the smaller first")
        for nodes in (low, high):
            time_s = self.slope_s_per_node * nodes + self.intercept_s
            if time_s < SMALLEST:
                raise ValueError(
                    f"the line gives {time_s:g} s at {nodes} nodes, inside measured_nodes; "
                    "correct slope_s_per_node, intercept_s or the range"
                )
        return self


class TableTime(Group):
    """Run time as measured, node count by node count; straight lines between the points."""

    kind: Literal["table"] = Field(description="A table of measurements.")
    node_type: Identifier = Field(description="The node type that it was measured on.")
    file: Text | None = Field(
        default=None,
        description="CSV file in the scenario's folder, columns nodes and time_s; "
        "instead of the two lists.",
    )
    nodes: Annotated[tuple[Count, ...], Field(strict=False, max_length=10000)] = Field(
        default=(), description="Node counts, ascending."
    )
    time_s: Annotated[tuple[Positive, ...], Field(strict=False, max_length=10000)] = Field(
        default=(), description="Best run time at each node count, in seconds."
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.nodes:
            raise ValueError("no measurements; give nodes and time_s, or a file")
        if len(self.nodes) != len(self.time_s):
            raise ValueError(
                f"nodes holds {len(self.nodes)} counts but time_s {len(self.time_s)} times; "
                "give one time each"
            )
        for before, after in zip(self.nodes, self.nodes[1:], strict=False):
            if after <= before:
                raise ValueError(f"nodes lists {after} after {before}; list each once, ascending")
        return self

    @property
    def measured_nodes(self) -> tuple[int, int]:
        """Smallest and largest measured node count."""
        return self.nodes[0], self.nodes[-1]


TimeModel = Annotated[LinearTime | TableTime, Field(discriminator="kind")]


class Workload(Group):
    """One application of the mix."""

    name: Label = Field(description="Name of the application.")
    weight: Positive = Field(default=1.0, description="Share in the mix, relative to the others.")
    time: TimeModel = Field(description="Run time over the node count.")


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

    high_end: Identifier = Field(description="Node type of the worst-case provisioned design.")
    older: Identifier = Field(description="Node type of the overprovisioned design.")
    performance_fraction: Annotated[float, Field(ge=0, le=100)] = Field(
        description="r_p: the high-end node is faster by this fraction (0.27 for 27 %); below 1 "
        "unless speed_ratio is '1/(1 + r_p)'."
    )
    cost_ratio_from: Literal["given", "racks"] = Field(
        default="given",
        description="'given': cost_ratio; 'racks': what really can be bought, rack by rack, "
        "from prices, racks and switches.",
    )
    cost_ratio: CostRatio | None = Field(
        default=None, description="r_c: effective cost per node, high-end over older."
    )
    speed_ratio: Literal["1 - r_p", "1/(1 + r_p)"] = Field(
        default="1 - r_p",
        description="Time on high-end nodes over time on older ones. The thesis prints the first; "
        "'27 % faster' means the second.",
    )
    outside_measured: Literal["refuse", "clamp", "extrapolate"] = Field(
        default="refuse",
        description="At node counts that were not measured: refuse, take the nearest measured "
        "count, or continue the curve while it stays positive (flagged).",
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
    """A number that a source prints, to be shown beside ours."""

    quantity: Text = Field(
        description="Where ours stands in plan.json, as in overprovisioning.SPhot.speedup."
    )
    value: Annotated[float, Field(ge=-LARGEST, le=LARGEST)] = Field(description="As printed.")
    tolerance: NotNegative = Field(
        default=0.0, description="Half a unit of the last printed digit: agreement within rounding."
    )
    note: Text = Field(default="", description="Why they differ, where they do.")


class Provenance(BaseModel):
    """The files that a scenario was read from."""

    model_config = ConfigDict(frozen=True)

    files: tuple[tuple[str, str], ...] = Field(default=(), description="(name, SHA-256) of each.")


class Scenario(Group):
    """Everything that is given before anybody decides."""

    format: Literal[1] = Field(description="Version of this format.")
    name: Identifier = Field(description="Short name; the results go to a folder of this name.")
    title: Label = Field(description="Title of the report.")
    description: Text = Field(default="", description="What it is about, for the report.")
    power: Power | None = Field(default=None, description="The power feed.")
    budget: Budget | None = Field(default=None, description="Money.")
    machine: Machine | None = Field(default=None, description="A machine that stands.")
    node_types: Annotated[tuple[NodeType, ...], Field(strict=False, max_length=1000)] = Field(
        default=(), description="The catalogue."
    )
    rack: Rack | None = Field(default=None, description="Racks.")
    switch: Switch | None = Field(default=None, description="Switches.")
    workloads: Annotated[tuple[Workload, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="The applications."
    )
    overprovisioning: Overprovisioning | None = Field(
        default=None, description="Ask for the comparison of the two designs."
    )
    printed: Annotated[tuple[Printed, ...], Field(strict=False, max_length=1000)] = Field(
        default=(), description="Published numbers to compare with."
    )

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
