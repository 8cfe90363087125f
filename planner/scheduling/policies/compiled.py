"""Compilation of the loops of the simulator.

``U(place)`` makes a place in an array unsigned: numba then leaves out the test for negative ones,
which makes the loops a third faster. To everybody else it is an ``int``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from solvers.compiled import compiled, compiled_entry

if TYPE_CHECKING:
    U = int
else:
    from numpy import uint64 as U  # noqa: N812

__all__ = ["U", "compiled", "compiled_entry", "fixed", "fixed_array"]

_Arrays = TypeVar("_Arrays", bound=tuple[Any, ...])


def fixed(arrays: _Arrays) -> _Arrays:
    """A named tuple with its arrays read-only and in one piece, as loops are compiled for."""
    kind: Any = type(arrays)
    same: _Arrays = kind(*map(fixed_array, arrays))
    return same


def fixed_array(value: Any) -> Any:
    """An array, read-only and in one piece; any other value as it is."""
    if not isinstance(value, np.ndarray):
        return value
    # Numba's type of an array holds its layout and whether it is writeable: others compile anew.
    view = np.ascontiguousarray(value).view()
    view.flags.writeable = False
    return view
