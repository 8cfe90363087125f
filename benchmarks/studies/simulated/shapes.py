"""Which shapes of the thesis the simulated machine shows: on how many seeds, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.simulated.comparison import settings
from benchmarks.studies.simulated.multi_node_claims import MULTI_NODE
from benchmarks.studies.simulated.single_node_claims import SINGLE_NODE

CLAIMS = (*MULTI_NODE, *SINGLE_NODE)


@dataclass(frozen=True)
class Shape:
    """One claim over all seeds.

    Attributes
    ----------
    claim, source
        A sentence, and the section that says it.
    holds, seeds
        On how many of how many machines it is true.
    quantity, condition
        The number that decides, and what it must be.
    median, low, high
        Of that number over the machines: median, least and largest.
    """

    claim: str
    source: str
    holds: int
    seeds: int
    quantity: str
    condition: str
    median: float
    low: float
    high: float


def shapes(seeds: Sequence[int] = range(20)) -> tuple[Shape, ...]:
    """Put every claim to one simulated machine per seed.

    Raises
    ------
    ValueError
        No seeds.

    References
    ----------
    Patki (2015), sections 3.3, 3.4.1, 4.2 and 7.3.1.
    """
    if not len(seeds):
        raise ValueError("no seeds; give one per machine")
    values = np.empty((len(seeds), len(CLAIMS)))
    for row, seed in enumerate(seeds):
        readings = settings(seed)
        values[row] = [claim.evaluate(readings[claim.setting]) for claim in CLAIMS]
    return tuple(
        Shape(
            claim.claim,
            claim.source,
            sum(map(claim.condition.met, column.tolist())),
            len(seeds),
            claim.quantity,
            claim.condition.text,
            float(np.median(column)),
            float(column.min()),
            float(column.max()),
        )
        for claim, column in zip(CLAIMS, values.T, strict=True)
    )


def shapes_as_markdown(shapes: Sequence[Shape]) -> str:
    """Write the shapes as a table in Markdown; what does not hold on all seeds stands out."""
    rows = [
        "| shape | where | holds on | quantity | must be | simulated | least to largest |",
        "|---|---|---:|---|---|---:|---:|",
    ]
    for shape in shapes:
        held = f"{shape.holds} of {shape.seeds}"
        cells = (
            shape.claim,
            shape.source,
            held if shape.holds == shape.seeds else f"**{held}**",
            shape.quantity,
            shape.condition,
            f"{shape.median:.4g}",
            f"{shape.low:.4g} to {shape.high:.4g}",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
