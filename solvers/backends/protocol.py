"""What every back end is given and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from solvers.model.milp import Floats, Milp
from solvers.model.result import Status, Stop


@dataclass(frozen=True)
class Limits:
    """How far a back end may go.

    Attributes
    ----------
    time_limit_s
        Wall seconds; results are then no longer repeatable.
    node_limit
        Branch-and-bound nodes: the repeatable way to stop early.
    gap
        Relative gap at which the back end may stop.
    seed
        Random seed of the back end.
    presolve
        Off for a second opinion.
    heuristics
        Whether the back end may look for points by smaller programs of its own.
    """

    time_limit_s: float | None = None
    node_limit: int | None = None
    gap: float = 1e-9
    seed: int = 0
    presolve: bool = True
    heuristics: bool = True


@dataclass(frozen=True, eq=False)
class Claim:
    """A back end's answer, before anybody checked it.

    ``x`` exists only where the back end says that it holds a feasible point; ``bound`` is in
    the user's sense. ``duals``: of the rows of a linear program, shape ``(rows,)``, the change of
    the objective per unit of the row's bound.
    """

    status: Status
    stop: Stop
    solver: str
    x: Floats | None = None
    bound: float | None = None
    nodes: int = 0
    options: dict[str, str | int | float | bool] = field(default_factory=dict)
    message: str = ""
    duals: Floats | None = None


class Backend(Protocol):
    """One LP/MILP engine. It runs in the child process and is listed in ``BACKENDS``."""

    def __call__(self, model: Milp, limits: Limits, start: Floats | None) -> Claim:
        """Solve; ``start`` is a full assignment to begin with, shape ``(columns,)``."""
        ...


BACKENDS = ("highs", "cbc")
"""Names of the back ends: each is a module next to this one, whose ``solve`` is the `Backend`."""
