"""A result is a solver's answer, with a certificate that says how far one can trust it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from solvers.model.milp import Floats, Milp
from solvers.model.note import Note


class Status(StrEnum):
    """What is known of the model."""

    OPTIMAL = "optimal"  # a feasible point and a bound within the requested gap
    FEASIBLE = "feasible"  # a feasible point, its gap still open
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    UNKNOWN = "unknown"


class Level(StrEnum):
    """How the certificate was reached.

    *Claimed*: the solver's word. *Verified*: rows, bounds and objective of the point were
    recomputed with numpy after rounding the integers (for "infeasible" and "unbounded": a
    second, independent opinion agrees); the bound is still the solver's word. *Proved*: the
    point holds exactly in rational arithmetic and the bound follows, in fractions, from dual
    multipliers over a complete branching.
    """

    CLAIMED = "claimed"
    VERIFIED = "verified"
    PROVED = "proved"


class Stop(StrEnum):
    """Why the search ended."""

    FINISHED = "finished"
    TIME = "time limit"
    NODES = "node limit"
    ERROR = "solver error"

    @property
    def remedy(self) -> str:
        """What lets the search go on; a time limit of the caller replaces the default of nodes."""
        if self is Stop.TIME:
            return "raise the time limit"
        return "give a time limit, which replaces the node limit" if self is Stop.NODES else ""


@dataclass(frozen=True)
class Certificate:
    """A certificate holds the evidence for a result.

    Attributes
    ----------
    objective, bound
        In the user's sense; ``None`` where there is none. ``bound`` is the best value that any
        feasible point could have, as far as shown.
    gap_absolute, gap_relative
        Distance of the two; relative to the objective (:func:`relative_gap`).
    max_violation
        Largest violation of a row or bound by the point (0.0 when proved).
    nodes
        Branch-and-bound nodes: of the solver, and of the proof.
    notes
        Every disagreement that was noticed and what was done about it.
    wall_s, cpu_s
        Times; kept out of repeatable output.
    """

    status: Status
    level: Level
    stop: Stop
    objective: float | None
    bound: float | None
    gap_absolute: float | None
    gap_relative: float | None
    max_violation: float | None
    solver: str
    options: dict[str, Any]
    seed: int
    model: str
    model_digest: str
    nodes: int = 0
    proof_nodes: int = 0
    notes: tuple[Note, ...] = ()
    wall_s: float = field(default=0.0, compare=False)
    cpu_s: float = field(default=0.0, compare=False)

    def to_dict(self, *, timings: bool = False) -> dict[str, Any]:
        """Plain values for JSON; times only when asked for, since they never repeat."""
        plain = asdict(self)
        plain["notes"] = list(plain["notes"])
        if not timings:
            del plain["wall_s"], plain["cpu_s"]
        return plain


@dataclass(frozen=True, eq=False)
class Result:
    """A certificate with the point that it speaks of (``None`` if there is none).

    ``duals`` belong to a linear program that HiGHS solved: per row the change of the objective per
    unit of the row's bound, shape ``(rows,)``. They are the solver's word; a caller that builds on
    them must check them.

    Attributes
    ----------
    certificate
        Objective, bound, gap, status and level.
    x
        Value of each column, shape ``(columns,)``.
    model
        What was solved.
    duals
        Shape ``(rows,)``; ``None`` where there are none.
    """

    certificate: Certificate
    x: Floats | None
    model: Milp = field(repr=False)
    duals: Floats | None = field(default=None, repr=False)

    @property
    def status(self) -> Status:
        """Shorthand for ``certificate.status``."""
        return self.certificate.status

    @property
    def objective(self) -> float | None:
        """Shorthand for ``certificate.objective``."""
        return self.certificate.objective

    def value(self, column: str | int) -> float:
        """Value of one column, by name or index.

        Raises
        ------
        LookupError
            There is no point, or no such column.
        """
        if self.x is None:
            raise LookupError(f"{self.model.name} has no point: its status is {self.status}")
        if isinstance(column, str):
            names = self.model.column_names or tuple(f"x{i}" for i in range(self.model.columns))
            if column not in names:
                raise LookupError(f"{self.model.name} has no column {column!r}")
            column = names.index(column)
        return float(self.x[column])


def gaps(objective: float | None, bound: float | None) -> tuple[float | None, float | None]:
    """Absolute and relative gap, ``None`` where either side is missing or infinite."""
    if objective is None or bound is None or not np.isfinite(bound):
        return None, None
    return abs(objective - bound), relative_gap(objective, bound)


def relative_gap(objective: float, bound: float) -> float:
    """Distance of objective and bound as a share of the objective, however small that is.

    Where the objective is zero it is a share of the bound: 1, unless both are zero.
    """
    absolute = abs(objective - bound)
    return absolute / (abs(objective) or abs(bound)) if absolute else 0.0
