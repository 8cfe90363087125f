"""Names of ILP schedulers: family, solver, what of the requested time a job may exceed, fair share.

``ilp-highs`` starts jobs by a knapsack, ``ilp-reserved-highs`` by a knapsack with a reservation for
the first waiting job, and ``ilp-slots-highs`` plans the queue in slots. A configuration has to end
within the requested time; ``-20`` allows 20 % more, as in ``adaptive-20``, and ``-any`` allows any
run time. ``-unfair`` drops the fair share, and is always last: ``ilp-slots-cbc-any-unfair``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

Family = Literal["knapsack", "reserved", "slots"]
SolverName = Literal["engine", "highs", "cbc"]

SOLVERS: dict[Family, tuple[SolverName, ...]] = {
    "knapsack": ("engine", "highs", "cbc"),
    "reserved": ("engine", "highs", "cbc"),
    "slots": ("highs", "cbc"),
}
"""Solvers of each family."""

_NAME = re.compile(r"ilp-(?:(reserved|slots)-)?(engine|highs|cbc)(?:-(any|[0-9]{1,4}))?(-unfair)?")


@dataclass(frozen=True)
class IlpName:
    """What the name of an ILP scheduler says.

    Attributes
    ----------
    family, solver
        The program, and what solves it.
    threshold
        Share of the requested time that a configuration may take longer; ``None`` for any time.
    fair_share
        Whether no job gets more than its fair share of the bound.
    """

    family: Family
    solver: SolverName
    threshold: float | None = 0.0
    fair_share: bool = True

    def __str__(self) -> str:
        """Return the one name of such a policy.

        Examples
        --------
        >>> str(IlpName("slots", "cbc", 0.2)), str(IlpName("reserved", "engine", None, False))
        ('ilp-slots-cbc-20', 'ilp-reserved-engine-any-unfair')
        """
        family = "" if self.family == "knapsack" else f"{self.family}-"
        late = "-any" if self.threshold is None else f"-{100 * self.threshold:g}"
        fair = "" if self.fair_share else "-unfair"
        return f"ilp-{family}{self.solver}{'' if self.threshold == 0 else late}{fair}"


def ilp_name(text: str) -> IlpName | None:
    """Return what a name says; ``None`` where it is not that of an ILP scheduler.

    Examples
    --------
    >>> ilp_name("ilp-highs-20-unfair")
    IlpName(family='knapsack', solver='highs', threshold=0.2, fair_share=False)
    >>> str(ilp_name("ilp-highs-00")), ilp_name("ilp-slots-engine")
    ('ilp-highs', None)
    """
    parts = _NAME.fullmatch(text)
    if parts is None:
        return None
    family = cast("Family", parts[1] or "knapsack")
    solver = cast("SolverName", parts[2])
    if solver not in SOLVERS[family]:
        return None
    threshold = None if parts[3] == "any" else int(parts[3] or 0) / 100
    return IlpName(family, solver, threshold, not parts[4])


def ilp_names() -> tuple[str, ...]:
    """Return every name but those with a percentage."""
    thresholds: tuple[float | None, ...] = (0.0, None)
    return tuple(
        str(IlpName(family, solver, threshold, fair_share))
        for family, solvers in SOLVERS.items()
        for threshold in thresholds
        for solver in solvers
        for fair_share in (True, False)
    )
