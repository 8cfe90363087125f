"""Which applications of a table are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from planner.errors import InputError
from scenarios.formatting import nearest
from scenarios.measurements.runs import Measurements


def check_known(measurements: Measurements, names: Iterable[str]) -> None:
    """Refuse names that the table does not have.

    Raises
    ------
    InputError
        Names the nearest ones.
    """
    known = list(measurements.runs)
    for name in names:
        if name not in known:
            remedy = nearest(name, known)
            raise InputError(f"{measurements.name} has no application {name!r}; {remedy}")
