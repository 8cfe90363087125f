"""Reader of the public multiple-choice multi-dimensional instances (Khan's I01 to I13)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from solvers.choice import Choice


def read_public(path: Path) -> Choice:
    """Numbers of groups, items and resources; budgets; per group an index and its items.

    What some files add at their end (other people's solutions) is left unread.
    """
    numbers: Iterator[float] = map(float, _numbers(path.read_text(encoding="ascii")))
    groups, items, resources = (int(next(numbers)) for _ in range(3))
    budgets = [next(numbers) for _ in range(resources)]
    values, weights = [], []
    for _ in range(groups):
        next(numbers)
        for _ in range(items):
            values.append(next(numbers))
            weights.append([next(numbers) for _ in range(resources)])
    starts = np.arange(groups + 1) * items
    return Choice(starts, np.array(values), np.array(weights), np.array(budgets), "max", path.name)


def _numbers(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if any(letter.isalpha() for letter in line):
            return
        yield from line.split()
