"""A kind of node that can be bought: what it costs, draws, holds and under which terms."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from scenarios.fields import LONGEST_LEAD, Count, Group, Identifier, Label, NotNegative, Positive
from scenarios.model.procurement import Discount, Stated


class NodeType(Group):
    """One kind of node that can be bought."""

    name: Identifier = Field(description="Short name, used in files and references.")
    label: Label | None = Field(
        default=None, description="Name shown in reports; by default the name."
    )
    price: Positive | None = Field(default=None, description="Price of one node.")
    cores: Count | None = Field(default=None, description="Cores of one node.")
    sockets: Count | None = Field(default=None, description="Sockets of one node.")
    idle_w: NotNegative | None = Field(
        default=None, description="Power of an idle node that is switched on (P_n_min), in watts."
    )
    peak_w: Positive | None = Field(
        default=None, description="Peak power of a node (P_n_max), in watts."
    )
    package_caps_w: Annotated[tuple[Positive, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Permitted caps per socket or accelerator, in watts."
    )
    capped_packages: Count | None = Field(
        default=None,
        description=(
            "Number of packages of a node to which the cap applies; by default its sockets."
        ),
    )
    vendor: Label | None = Field(default=None, description="Name of the vendor.")
    part_number: Label | None = Field(default=None, description="The vendor's part number.")
    kind: Identifier | None = Field(
        default=None, description="Kind of node, for example cpu or gpu."
    )
    minimum_quantity: Count = Field(default=1, description="Minimum order quantity, if any.")
    maximum_quantity: Count | None = Field(default=None, description="Maximum quantity on offer.")
    sold_in: Count = Field(
        default=1,
        description="Nodes of one unit in which the type is sold, as 4 for a chassis of 4 nodes; "
        "only multiples of it can be bought.",
    )
    as_bid_quantity: Annotated[int, Field(ge=0, le=10**9)] = Field(
        default=0, description="Number of nodes of this type in the system as quoted by the vendor."
    )
    discounts: Annotated[tuple[Discount, ...], Field(strict=False, max_length=20)] = Field(
        default=(), description="Quantity discounts, in ascending order."
    )
    nodes_per_rack: Count | None = Field(
        default=None, description="Nodes that fit in one rack; by default the value of [rack]."
    )
    ports: Annotated[int, Field(ge=0, le=10**6)] = Field(
        default=1, description="Network ports of one node."
    )
    memory_gb: Positive | None = Field(default=None, description="Memory of one node, in GB.")
    cooling: Literal["air", "liquid"] = Field(
        default="air", description="Cooling of the node: air or liquid."
    )
    lead_weeks: Annotated[float, Field(ge=0, le=LONGEST_LEAD)] | None = Field(
        default=None, description="Weeks from order to delivery."
    )
    valid_until: dt.date | None = Field(
        default=None, description="Last day on which the quote is valid."
    )
    compute_rate: Positive | None = Field(
        default=None, description="Compute rate of one node: cores x GHz x relative vector width."
    )
    bandwidth_gb_s: Positive | None = Field(
        default=None, description="Peak memory bandwidth of one node, in GB/s."
    )
    efficiency: Annotated[float, Field(gt=0, le=10)] = Field(
        default=1.0, description="Fraction of the roofline that applications reach on it."
    )
    clock_exponent: Annotated[float, Field(ge=1, le=10)] = Field(
        default=1.2, description="Exponent of the clock in the power above idle."
    )
    embodied_kg_co2e: NotNegative | None = Field(
        default=None, description="Carbon from manufacturing one node, in kg of CO2 equivalent."
    )
    attributes: dict[Identifier, Stated] = Field(
        default={},
        description="Anything else that a quote states and a share or requirement judges, as in "
        "{ origin = 'EU' }.",
    )
    origin: Label | None = Field(default=None, description="Sheet and row from which it was read.")
    benchmark_score: Positive | None = Field(
        default=None, description="Score of one node in a common benchmark; higher is faster."
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
        bid = self.as_bid_quantity
        if most is not None and bid > most:
            raise ValueError(
                f"as_bid_quantity = {bid} is above maximum_quantity = {most}; correct one of them"
            )
        if 0 < bid < self.minimum_quantity:
            raise ValueError(
                f"as_bid_quantity = {bid} is below minimum_quantity = {self.minimum_quantity}; "
                "correct one of them"
            )
        if bid % self.sold_in:
            raise ValueError(
                f"as_bid_quantity = {bid} is no multiple of sold_in = {self.sold_in}; correct one "
                "of them"
            )
        least = -(-self.minimum_quantity // self.sold_in) * self.sold_in
        if most is not None and most < least:
            raise ValueError(
                f"maximum_quantity = {most} is below {least}, the least multiple of sold_in = "
                f"{self.sold_in} on sale; correct one of them"
            )
        starts = [discount.from_quantity for discount in self.discounts]
        if any(after <= before for before, after in itertools.pairwise(starts)):
            raise ValueError("discounts are not ascending; list each from_quantity once")
        return self

    @model_validator(mode="after")
    def _caps_above_idle(self) -> Self:
        if self.peak_w is None or self.idle_w is None or not self.package_caps_w:
            return self
        wrong = caps_fault(self.package_caps_w, self.packages, self.idle_w, self.peak_w)
        if wrong:
            raise ValueError(wrong)
        return self

    @property
    def packages(self) -> int:
        """Packages of a node under the cap."""
        return self.capped_packages or self.sockets or 1

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
        return self.peak_w - self.packages * (max(self.package_caps_w) - cap_w)

    @property
    def title(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name


def caps_fault(caps_w: Sequence[float], packages: int, idle_w: float, peak_w: float) -> str:
    """What is wrong where the lowest cap takes a node below its idle power; empty if it does not.

    The highest cap is to blame where the packages under it would draw more than the whole node.

    Examples
    --------
    >>> caps_fault((280.0, 4000.0), 2, 235.0, 1120.0)[:68]
    'the highest of package_caps_w, 4000 W on each of 2 packages, is more'
    >>> caps_fault((280.0, 400.0), 2, 235.0, 1120.0)
    ''
    """
    low, high = min(caps_w), max(caps_w)
    least = peak_w - packages * (high - low)
    if least >= idle_w:
        return ""
    if packages * high > peak_w:
        on = f"on each of {packages} packages" if packages > 1 else "on one package"
        return (
            f"the highest of package_caps_w, {high:g} W {on}, is more "
            f"than the whole node's peak_w = {peak_w:g}; correct that cap, capped_packages or "
            "peak_w"
        )
    return (
        f"the lowest of package_caps_w, {low:g} W, takes {packages} x {high - low:g} W from "
        f"peak_w = {peak_w:g}: a node would draw {least:g} W, less than its idle_w = {idle_w:g}; "
        "raise that cap, or correct capped_packages or peak_w"
    )


def whole_node_types(entries: Iterable[Mapping[str, Any]]) -> dict[str, NodeType]:
    """Those of raw node types that are valid, by name; the first of each name."""
    types: dict[str, NodeType] = {}
    for entry in entries:
        try:
            node_type = NodeType.model_validate(entry)
        except ValidationError:
            continue
        types.setdefault(node_type.name, node_type)
    return types
