"""Compilation of the loops of the simulator, kept on disk where the disk allows it.

``U(place)`` makes a place in an array unsigned: numba then leaves out the test for negative ones,
which makes the loops a third faster. To everybody else it is an ``int``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
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

    Numba compiles again when the module of a function has changed, but not when that of a function
    which it calls has. So what lies on disk is marked with all modules of this folder.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
    try:
        made = numba.njit(cache=True, **options)(function)
        made._cache._cache_file._source_stamp = _all_modules()  # noqa: SLF001 - there is no other way
    except (AttributeError, RuntimeError):  # another numba, or no folder that it may write
        made = numba.njit(**options)(function)
    return cast("_Function", made)


@cache
def _all_modules() -> bytes:
    """What tells the sources of this folder from others."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def on_disk(function: Callable[..., Any]) -> bool:
    """Whether a compiled function lies on disk and need not be compiled again."""
    try:
        return bool(function._cache._cache_file._load_index())  # type: ignore[attr-defined]  # noqa: SLF001 - numba has no other way to ask
    except (AttributeError, OSError):
        return False
