"""Distances of the levels: what a byte or message costs by how little its ends share."""

from __future__ import annotations

from planner.errors import InputError
from scenarios.formatting import nearest

_TEN = 10.0


def distances_of(levels: tuple[str, ...], given: dict[str, float]) -> dict[str, float]:
    """Distance of each level, outermost first; those that are not given are assumed.

    Parameters
    ----------
    levels
        Names, outermost first.
    given
        Distances by name, from 0 to 1e9, smaller further in.

    Raises
    ------
    InputError
        A distance is of no level, outside its range, or not above that of the level inside.

    Examples
    --------
    >>> distances_of(("network", "node", "pack"), {"pack": 2.0})
    {'network': 200.0, 'node': 20.0, 'pack': 2.0}
    """
    for name, value in given.items():
        if name not in levels:
            raise InputError(f"distance {name}: unknown level; {nearest(name, [*levels])}")
        if not 0 <= value <= 1e9:
            raise InputError(f"distance {name} = {value:g}; give a number from 0 to 1e9")
    distances: dict[str, float] = {}
    flat = len(levels) == 2
    inner = 0.0
    for name in reversed(levels):
        # Without a hierarchy nothing is known of distances within nodes: they cost nothing.
        value = given.get(name, float(name == "network") if flat else max(1.0, _TEN * inner))
        if value < inner or (name == "network" and value == inner):
            raise InputError(
                f"distance {name} = {value:g} is not above that of what lies inside ({inner:g}); "
                "an outer level needs a larger distance"
            )
        distances[name] = inner = value
    return dict(reversed(distances.items()))


def assumed_distances(known: dict[str, float], given: dict[str, float]) -> tuple[str, ...]:
    """Return the levels whose distance is assumed; none where nodes have no levels within."""
    return () if len(known) == 2 else tuple(name for name in known if name not in given)
