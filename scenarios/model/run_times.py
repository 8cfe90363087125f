"""Run time of an application over the node count: a line, or a table of measurements."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from scenarios.fields import SMALLEST, Count, Group, Identifier, Positive, Signed, Text

NodeRange = Annotated[tuple[Count, Count], Field(strict=False)]


class LinearTime(Group):
    """Run time as a straight line over the node count: ``slope x nodes + intercept``."""

    kind: Literal["linear"] = Field(description="Run time as a straight line.")
    node_type: Identifier = Field(description="Node type on which it was measured.")
    slope_s_per_node: Signed = Field(
        description="Slope m, in seconds per node; negative if more nodes are faster."
    )
    intercept_s: Positive = Field(description="Intercept c, in seconds.")
    measured_nodes: NodeRange = Field(
        description="Smallest and largest measured node count; the line is valid between them."
    )
    declared_nodes: Count | None = Field(
        default=None,
        description="Largest node count for which the authors of the line declare it valid.",
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        low, high = self.measured_nodes
        if low > high:
            raise ValueError(
                f"measured_nodes = [{low}, {high}] is in the wrong order; put the smaller number "
                "first"
            )
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

    kind: Literal["table"] = Field(description="Run time as a table of measurements.")
    node_type: Identifier = Field(description="Node type on which it was measured.")
    file: Text | None = Field(
        default=None,
        description="CSV file in the scenario's folder, columns nodes and time_s; "
        "instead of the two lists.",
    )
    nodes: Annotated[tuple[Count, ...], Field(strict=False, max_length=10000)] = Field(
        default=(), description="Node counts, in ascending order."
    )
    time_s: Annotated[tuple[Positive, ...], Field(strict=False, max_length=10000)] = Field(
        default=(), description="Best run time at each node count, in seconds."
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.nodes:
            raise ValueError("there are no measurements; give nodes and time_s, or a file")
        if len(self.nodes) != len(self.time_s):
            raise ValueError(
                f"nodes holds {len(self.nodes)} counts but time_s {len(self.time_s)} times; "
                "give one time each"
            )
        for before, after in zip(self.nodes, self.nodes[1:], strict=False):
            if after <= before:
                raise ValueError(
                    f"nodes lists {after} after {before}; list each once, in ascending order"
                )
        return self

    @property
    def measured_nodes(self) -> tuple[int, int]:
        """Smallest and largest measured node count."""
        return self.nodes[0], self.nodes[-1]


TimeModel = Annotated[LinearTime | TableTime, Field(discriminator="kind")]
