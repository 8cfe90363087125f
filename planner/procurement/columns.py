"""What a program optimises, and the positions of its variables."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]

Terms = list[tuple[int, float]]
"""A linear expression: columns with their coefficients."""


class Goal(StrEnum):
    """What the program optimises."""

    SCORE = "score"
    COST = "cost"
    POWER = "power"
    GIVEN = "given"  # the caller sets it when it extends the program


@dataclass
class Columns:
    """Positions of the variables."""

    limit: dict[str, int] = field(default_factory=dict)
    nodes: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    buys: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    racks: dict[int, int] = field(default_factory=dict)
    theta: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    log: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    added: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    score: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    at: list[Indices] = field(default_factory=list)
    offer_nodes: list[list[tuple[int, float]]] = field(default_factory=list)
    offer_money: list[list[tuple[int, float]]] = field(default_factory=list)
    package_totals: list[list[tuple[int, float]]] = field(default_factory=list)
    package_capital: list[tuple[int, float]] = field(default_factory=list)
    package_year: list[tuple[int, float]] = field(default_factory=list)
    package_racks: list[tuple[int, float]] = field(default_factory=list)
    hardware: list[tuple[int, float]] = field(default_factory=list)
    fabric_power: list[tuple[int, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Freed:
    """A resource that may grow: what there is now, and the price of one more unit."""

    present: float
    unit_price: float


def summed(terms: Terms) -> Terms:
    """The same with one coefficient per column."""
    total: dict[int, float] = {}
    for column, value in terms:
        total[column] = total.get(column, 0.0) + value
    return list(total.items())


def rounded_up(value: float) -> float:
    """A little above, so that rounding to 15 digits cuts nothing off."""
    return value + 1e-12 * max(1.0, abs(value))
