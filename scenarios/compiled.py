"""Compilation of the hot loops of readers, kept on disk where the disk allows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile with numba on first use.

    The result is cached beside the module, in the user's cache folder or in
    ``NUMBA_CACHE_DIR``; where none of these can be written, it is compiled anew in each process.
    The twin of ``solvers.choice.compiled``: neither package may import the other.
    """
    try:
        made = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # numba finds no folder that it may write
        made = numba.njit(nogil=True, error_model="numpy")(function)
    return cast("_Function", made)
