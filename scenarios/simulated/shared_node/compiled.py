"""Compilation of the shared node, whose functions are small and pass six arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from scenarios.compiled import kept_on_disk

_Function = TypeVar("_Function", bound=Callable[..., Any])


def inlined(function: _Function) -> _Function:
    """Compile into the caller, without reference counts: a call costs more than most of these."""
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False, inline="always")
