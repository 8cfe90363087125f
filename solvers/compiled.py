"""Compilation of the hot loops, kept on disk where the disk allows it."""

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

    The result is cached beside the module, in the user's cache folder or in
    ``NUMBA_CACHE_DIR``; where none of these can be written, it is compiled anew in each process.

    Numba compiles again when the module of a function has changed, but not when that of a function
    which it calls has. So what lies on disk is marked with all modules of the function's folder.
    """
    folder = Path(function.__code__.co_filename).parent
    try:
        made: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        made._cache._cache_file._source_stamp = _all_modules(folder)  # noqa: SLF001 - there is no other way
    except (AttributeError, RuntimeError):  # another numba, or no folder that it may write
        made = numba.njit(nogil=True, error_model="numpy")(function)
    return cast("_Function", made)


@cache
def _all_modules(folder: Path) -> bytes:
    """What tells the sources of a folder from others."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()
