"""Compilation of the loops of the simulator.

``U(place)`` makes a place in an array unsigned: numba then leaves out the test for negative ones,
which makes the loops a third faster. To everybody else it is an ``int``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from scenarios.compiled import kept_on_disk

if TYPE_CHECKING:
    U = int
else:
    from numpy import uint64 as U  # noqa: N812

__all__ = ["U", "compiled"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile with numba on first use, for functions that make no arrays.

    Without numba's reference counts, which no array that is only written to needs, the loops are
    half as fast again.
    """
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False)
