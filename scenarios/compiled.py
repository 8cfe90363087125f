"""Compilation of hot loops, kept on disk where the disk allows it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile with numba on first use.

    The twin of ``solvers.compiled``: neither package may import the other.
    """
    return kept_on_disk(function, nogil=True, error_model="numpy")


def kept_on_disk(function: _Function, **options: Any) -> _Function:
    """Compile with numba on first use; kept beside the module, or where numba may write.

    That is the user's cache folder or ``NUMBA_CACHE_DIR``; where none of these can be written, it
    is compiled anew in each process.

    Numba compiles again when the module of a function has changed, but not when that of a function
    which it calls has. So what lies on disk is marked with all modules of the function's folder.
    """
    folder = Path(function.__code__.co_filename).parent
    try:
        made = numba.njit(cache=True, **options)(function)
        made._cache._cache_file._source_stamp = sources_of(folder)  # noqa: SLF001 - there is no other way
    except (AttributeError, RuntimeError):  # another numba, or no folder that it may write
        made = numba.njit(**options)(function)
    return cast("_Function", made)


@cache
def sources_of(folder: Path) -> bytes:
    """What tells the sources of a folder from others."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def on_disk(function: Callable[..., Any]) -> bool:
    """Whether a compiled function lies on disk and need not be compiled again."""
    try:
        return bool(function._cache._cache_file._load_index())  # type: ignore[attr-defined]  # noqa: SLF001 - numba has no other way to ask
    except (AttributeError, OSError):
        return False
