"""Power of a node from what it runs, learnt from metered training runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from scenarios.task_layout import Layout

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Metered:
    """A training run: its layout, IPC of a task, and the node's mean power [W]."""

    layout: Layout
    ipc: float
    power_w: float


@dataclass(frozen=True, eq=False)
class PowerModel:
    """Idle, processors, dies, tasks, and tasks by their IPC: five coefficients [W]."""

    coefficients: Floats

    def predict(self, layout: Layout, ipc: float) -> float:
        """Mean power of a used node while it computes."""
        return float(_parts(layout, ipc) @ self.coefficients)


def _parts(layout: Layout, ipc: float) -> Floats:
    dies = layout.processors * layout.dies
    return np.array([1.0, layout.processors, dies, layout.tasks, layout.tasks * ipc])


def fit_power(runs: Sequence[Metered]) -> PowerModel:
    """Least squares over metered runs.

    Raises
    ------
    InputError
        Runs under too few layouts to tell the parts apart.
    """
    rows = np.array([_parts(run.layout, run.ipc) for run in runs]).reshape(len(runs), 5)
    if np.linalg.matrix_rank(rows) < rows.shape[1]:
        raise InputError(
            f"{len(runs)} metered runs cannot tell idle, processor, die and core apart; "
            "meter codes of different IPC under every pattern"
        )
    power = np.array([run.power_w for run in runs])
    return PowerModel(np.linalg.lstsq(rows, power, rcond=None)[0])
