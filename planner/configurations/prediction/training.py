"""Which runs a model is trained on: drawn at random, or spread over the configurations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from planner.configurations.table import groups
from planner.errors import InputError
from scenarios.measurements.runs import Floats, Indices, Runs

Unit = Literal["configurations", "runs"]


@dataclass(frozen=True)
class Training:
    """The amount of training data: a number of runs or of configurations.

    Attributes
    ----------
    count
        How many, drawn without replacement, each as likely.
    unit
        ``configurations``: each with all its repetitions. ``runs``: single runs of any.
    """

    count: int
    unit: Unit = "configurations"

    def __str__(self) -> str:
        if self.unit == "runs":
            return f"{self.count} single runs"
        return f"{self.count} configurations, all repetitions"

    def rows(self, runs: Runs, rng: np.random.Generator) -> Indices:
        """Return indices of the runs to train on.

        Raises
        ------
        InputError
            The number is below 1, or above the number of runs or configurations.
        """
        of_configuration = groups(runs)
        available = len(runs) if self.unit == "runs" else len(of_configuration)
        if not 1 <= self.count <= available:
            raise InputError(
                f"{runs.application}: training on {self} is not possible, as there are {available} "
                f"{self.unit}; give 1 to {available}"
            )
        sample = np.sort(rng.choice(available, self.count, replace=False))
        if self.unit == "runs":
            return sample
        return np.concatenate([of_configuration[i] for i in sample])


def joined(parts: Sequence[Runs]) -> Runs:
    """Runs of one application as one, in order; memory power only where every part has it."""
    dram = [part.dram_power_w for part in parts if part.dram_power_w is not None]

    def column(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return Runs(
        parts[0].application,
        column("nodes"),
        column("cores_per_node"),
        column("package_cap_w"),
        column("repetition"),
        column("time_s"),
        column("package_power_w"),
        np.concatenate(dram) if len(dram) == len(parts) else None,
    )


def spread_out(points: Floats, count: int, taken: Indices | None = None) -> Indices:
    """Rows far from each other, one at a time: each the farthest from all before it.

    Begins at the row nearest to the lower corner, then at the far one, so corners come early.
    Columns are scaled to their ranges. Ties go to the earlier row.

    Parameters
    ----------
    points
        Shape ``(rows, inputs)``.
    count
        How many rows; all where there are fewer.
    taken
        Rows chosen before, which are kept away from and not returned.

    References
    ----------
    R. W. Kennard and L. A. Stone, "Computer aided design of experiments", Technometrics 11(1),
    1969.
    """
    width = np.ptp(points, axis=0)
    scaled = (points - points.min(axis=0)) / np.where(width > 0, width, 1.0)
    chosen = [] if taken is None else taken.tolist()
    new: list[int] = []
    while len(new) < min(count, len(points) - (0 if taken is None else len(taken))):
        if chosen:
            gaps = np.linalg.norm(scaled[:, None] - scaled[chosen][None], axis=2).min(axis=1)
            gaps[chosen] = -1.0
            row = int(np.argmax(gaps))
        else:
            row = int(np.argmin(scaled.sum(axis=1)))
        chosen.append(row)
        new.append(row)
    return np.array(new, dtype=np.int64)
