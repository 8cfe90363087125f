"""A kind of node that can be bought: what it costs, draws, holds and under which terms."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from scenarios.fields import Count, Group, Identifier, Label, NotNegative, Positive
from scenarios.procurement import Discount


class NodeType(Group):
    """One kind of node that can be bought."""

    name: Identifier = Field(description="Short name, used in files and references.")
    label: Label | None = Field(default=None, description="Name to show; by default the name.")
    price: Positive | None = Field(default=None, description="Price of one node.")
    cores: Count | None = Field(default=None, description="Cores of one node.")
    sockets: Count | None = Field(default=None, description="Sockets of one node.")
    idle_w: NotNegative | None = Field(
        default=None, description="Least power of a node that is on (P_n_min), in watts."
    )
    peak_w: Positive | None = Field(
        default=None, description="Largest power of a node (P_n_max), in watts."
    )
    package_caps_w: Annotated[tuple[Positive, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Permitted caps per socket or accelerator, in watts."
    )
    capped_packages: Count | None = Field(
        default=None, description="Packages of a node under the cap; by default its sockets."
    )
    vendor: Label | None = Field(default=None, description="Who offers it.")
    kind: Identifier | None = Field(default=None, description="Kind of node, as in cpu or gpu.")
    minimum_quantity: Count = Field(default=1, description="Least number sold, if any.")
    maximum_quantity: Count | None = Field(default=None, description="Largest number on offer.")
    as_bid_quantity: Annotated[int, Field(ge=0, le=10**9)] = Field(
        default=0, description="Nodes of this type in the system that the vendor proposes."
    )
    discounts: Annotated[tuple[Discount, ...], Field(strict=False, max_length=20)] = Field(
        default=(), description="Quantity discounts, ascending."
    )
    nodes_per_rack: Count | None = Field(
        default=None, description="Nodes that fit in one rack; by default those of [rack]."
    )
    ports: Annotated[int, Field(ge=0, le=10**6)] = Field(
        default=1, description="Network ports of one node."
    )
    memory_gb: Positive | None = Field(default=None, description="Memory of one node, in GB.")
    cooling: Literal["air", "liquid"] = Field(default="air", description="What takes its heat.")
    lead_weeks: NotNegative | None = Field(
        default=None, description="Weeks from order to delivery."
    )
    valid_until: dt.date | None = Field(default=None, description="Last day of the bid.")
    compute_rate: Positive | None = Field(
        default=None, description="Compute rate of one node: cores x GHz x relative vector width."
    )
    bandwidth_gb_s: Positive | None = Field(
        default=None, description="Peak memory bandwidth of one node, in GB/s."
    )
    efficiency: Annotated[float, Field(gt=0, le=10)] = Field(
        default=1.0, description="Share of the roofline that codes reach on it."
    )
    clock_exponent: Annotated[float, Field(ge=1, le=10)] = Field(
        default=1.2, description="Power above idle goes with this power of the clock."
    )
    embodied_kg_co2e: NotNegative | None = Field(
        default=None, description="Carbon of making one node, in kg of CO2 equivalent."
    )
    origin: Label | None = Field(default=None, description="Sheet and row that it was read from.")
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

    @model_validator(mode="after")
    def _quantities(self) -> Self:
        most = self.maximum_quantity
        if most is not None and most < self.minimum_quantity:
            raise ValueError(
                f"minimum_quantity = {self.minimum_quantity} is above maximum_quantity = {most}; "
                "correct one of them"
            )
        starts = [each.from_quantity for each in self.discounts]
        if any(after <= before for before, after in itertools.pairwise(starts)):
            raise ValueError("discounts are not ascending; list each from_quantity once")
        return self

    @model_validator(mode="after")
    def _caps_above_idle(self) -> Self:
        if self.peak_w is None or self.idle_w is None or not self.package_caps_w:
            return self
        least = self.capped_w(min(self.package_caps_w))
        if least < self.idle_w:
            raise ValueError(
                f"under the lowest of package_caps_w a node would draw {least:g} W, less than its "
                f"idle_w = {self.idle_w:g}; raise the cap or correct peak_w"
            )
        return self

    def capped_w(self, cap_w: float) -> float:
        """Whole-node watts under a package cap: the peak less what the cap takes away.

        What is not under the cap (memory, board, network) counts as at the peak.

        Raises
        ------
        ValueError
            The node type has no peak, or the cap is above the largest permitted.
        """
        if self.peak_w is None or not self.package_caps_w or cap_w > max(self.package_caps_w):
            raise ValueError(f"{self.name} has no cap of {cap_w:g} W")
        packages = self.capped_packages or self.sockets or 1
        return self.peak_w - packages * (max(self.package_caps_w) - cap_w)

    @property
    def title(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name
