"""Power of a node from what it runs, learnt from metered training runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.formatting import plural
from scenarios.aggregation.task_layout import Layout
from solvers.dense import one_thread

Floats = NDArray[np.float64]


_NAMES = ("idle", "socket", "die", "core", "IPC")


@dataclass(frozen=True)
class Metered:
    """A training run: its layout, IPC of a task, and the node's mean power [W]."""

    layout: Layout
    ipc: float
    power_w: float


@dataclass(frozen=True, eq=False)
class PowerModel:
    """Idle, processors, dies, tasks, and tasks by their IPC: five coefficients [W].

    Those of parts that the node does not tell apart are 0; others hold them.
    """

    coefficients: Floats

    def predict(self, layout: Layout, ipc: float) -> float:
        """Mean power of a used node while it computes."""
        return float(parts_of(layout, ipc) @ self.coefficients)


def parts_of(layout: Layout, ipc: float) -> Floats:
    """What each coefficient multiplies."""
    dies = layout.processors * layout.dies
    return np.array([1.0, layout.processors, dies, layout.tasks, layout.tasks * ipc])


def told_apart(node: Layout) -> tuple[bool, ...]:
    """Which of the five parts some patterns of a node tell apart.

    With one processor a node its power is in that of an idle node, with one die a processor that of
    the die is in the processor's, with one core a die that of the die (and of a processor of one
    such die) is in the task's: no measurement parts them, nor does any prediction need it.

    Examples
    --------
    >>> told_apart(Layout(2, 1, 4)), told_apart(Layout(1, 2, 4))
    ((True, True, False, True, True), (True, False, True, True, True))
    """
    processors = node.processors > 1 and node.dies * node.cores > 1
    dies = node.dies > 1 and node.cores > 1
    return True, processors, dies, True, True


@one_thread()
def fit_power(runs: Sequence[Metered], node: Layout) -> PowerModel:
    """Least squares over metered runs; parts that nothing on the node tells apart become one.

    Parameters
    ----------
    node
        Processors of a node, dies of a processor, cores of a die.

    Raises
    ------
    InputError
        Runs under too few layouts to tell the parts apart.
    """
    selected = np.array(told_apart(node))
    rows = np.array([parts_of(run.layout, run.ipc) for run in runs]).reshape(
        len(runs), len(selected)
    )
    rows = rows[:, selected]
    if np.linalg.matrix_rank(rows) < rows.shape[1]:
        names = [name for name, is_kept in zip(_NAMES, selected, strict=True) if is_kept]
        raise InputError(
            f"{plural(len(runs), 'metered run')} cannot separate {', '.join(names[:-1])} and "
            f"{names[-1]}; "
            "meter codes of different IPC under every pattern"
        )
    power = np.array([run.power_w for run in runs])
    coefficients = np.zeros(len(selected))
    coefficients[selected] = np.linalg.lstsq(rows, power, rcond=None)[0]
    return PowerModel(coefficients)
