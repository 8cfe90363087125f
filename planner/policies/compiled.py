"""Compilation of the loops of the simulator, kept on disk where the disk allows it.

``U(place)`` makes a place in an array unsigned: numba then leaves out the test for negative ones,
which makes the loops a third faster. To everybody else it is an ``int``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba

if TYPE_CHECKING:
    U = int
else:
    from numpy import uint64 as U  # noqa: N812

__all__ = ["U", "compiled", "on_disk"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile with numba on first use, for functions that make no arrays.

    Without numba's reference counts, which no array that is only written to needs, the loops are
    half as fast again. The result is cached beside the module, in the user's cache folder or in
    ``NUMBA_CACHE_DIR``; where none of these can be written, it is compiled anew in each process.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
    try:
        made = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba finds no folder that it may write
        made = numba.njit(**options)(function)
    return cast("_Function", made)


def on_disk(function: Callable[..., Any]) -> bool:
    """Whether a compiled function lies on disk and need not be compiled again."""
    try:
        return bool(function._cache._cache_file._load_index())  # type: ignore[attr-defined]  # noqa: SLF001 - numba has no other way to ask
    except (AttributeError, OSError):
        return False
