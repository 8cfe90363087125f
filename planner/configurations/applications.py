"""Check the names of requested applications against a table of measurements."""

from __future__ import annotations

from collections.abc import Iterable

from planner.errors import InputError
from scenarios.formatting import nearest
from scenarios.measurements.runs import Measurements


def check_applications(measurements: Measurements, names: Iterable[str]) -> None:
    """Refuse names that the table does not have.

    Raises
    ------
    InputError
        Names the nearest ones.
    """
    measured = list(measurements.runs)
    for name in names:
        if name not in measured:
            remedy = nearest(name, measured)
            raise InputError(f"{measurements.name} has no application {name!r}; {remedy}")
