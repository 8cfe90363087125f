"""Compilation of the shared node, whose functions make no arrays and pass six.

Numba counts the references to each array at each use, with atomic operations. Without these counts,
which no array that is only written to needs, the loops take a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from scenarios.compiled import INNER, kept_on_disk

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled_entry(function: _Function) -> _Function:
    """Compile with numba on first use, for functions that make no arrays and that Python calls."""
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False)


def compiled(function: _Function) -> _Function:
    """As :func:`compiled_entry`, for functions that compiled functions alone call."""
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False, **INNER)


def inlined(function: _Function) -> _Function:
    """As :func:`compiled_entry`, into the caller: a call costs more than most of these."""
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False, inline="always")
