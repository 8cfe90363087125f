"""Compilation of hot loops, kept on disk where the disk allows it.

The twin of ``solvers.compiled``: neither package may import the other.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

_log = logging.getLogger(__name__)
_Function = TypeVar("_Function", bound=Callable[..., Any])


INNER = {"no_cpython_wrapper": True}
"""Options of functions that compiled functions alone call: half of a compilation is the wrapper."""


def compiled_entry(function: _Function) -> _Function:
    """Compile with numba on first use, for functions that Python calls."""
    return kept_on_disk(function, nogil=True, error_model="numpy")


def compiled(function: _Function) -> _Function:
    """Compile with numba on first use, for functions that compiled functions alone call.

    A call from Python is an error.
    """
    return kept_on_disk(function, nogil=True, error_model="numpy", **INNER)


def kept_on_disk(function: _Function, **options: Any) -> _Function:
    """Compile with numba on first use, and keep the result next to the module if possible.

    Otherwise numba keeps it in the user's cache folder or in ``NUMBA_CACHE_DIR``. If numba can
    write none of these, each process compiles anew. Numba compiles a damaged file again, with a
    warning. Options that this version of numba does not know are left out.

    Numba compiles again when the module of a function has changed, but not when the module of a
    function that it calls has. Files on disk therefore carry a mark of all modules of the
    function's folder.
    """
    folder = Path(function.__code__.co_filename).parent
    options |= {"no_cfunc_wrapper": True}  # nobody calls it from C
    known = {name: value for name, value in options.items() if _is_known(name, value)}
    try:
        made = numba.njit(cache=True, **known)(function)
        made._cache._cache_file._source_stamp = sources_of(folder)  # noqa: SLF001 - there is no other way
        _forgive_damage(made._cache)  # noqa: SLF001 - numba has no other way in
    except (AttributeError, RuntimeError):  # another numba, or no folder that it may write
        made = numba.njit(**known)(function)
    if made is not function:  # as it is where numba's compilation is switched off
        with suppress(AttributeError):  # another numba
            _one_signature(made)
        if INNER.keys() <= known.keys():
            _refuse_python(made)
    return cast("_Function", made)


def _refuse_python(made: Any) -> None:
    """Raise an error where Python calls a function without a wrapper, which would end the process.

    Numba's table of what Python may call stays empty, so that a call asks for a compilation.
    """

    def refuse(*_args: Any, **_kws: Any) -> Any:
        raise TypeError(
            f"{made.py_func.__name__} is for compiled code alone: mark it compiled_entry"
        )

    made._insert = lambda *_args, **_kws: None  # noqa: SLF001 - numba has no other way in
    made._compile_for_args = refuse  # noqa: SLF001 - as above


def _one_signature(made: Any) -> None:
    """Let compiled code pass every signed integer as int64, so that a function is compiled once.

    A constant has a type of its own for numba, as do numbers of narrow arrays.
    """
    of_types = made.get_call_template
    integers: Any = numba.types.Integer

    def widened(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        wide = [
            numba.int64 if isinstance(each, integers) and each.signed else each for each in args
        ]
        return of_types(tuple(wide), kws)

    made.get_call_template = widened


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
    except Exception:  # a damaged file can raise any error
        return False


@cache
def _is_known(name: str, value: Any) -> bool:
    """Whether numba takes an option: it refuses others only at the first call, by a KeyError."""
    probe: Any = numba.njit(**{name: value})(_nothing)
    try:
        from numba.core.compiler import Flags

        flags = Flags()  # type: ignore[no-untyped-call]
        probe.targetdescr.options.parse_as_flags(flags, {name: value})
    except (KeyError, TypeError, ValueError):
        return False
    except (AttributeError, ImportError):  # this version of numba has no such flags
        return True
    return True


def _nothing() -> None:
    """What options are tried on; it is never compiled."""


def _forgive_damage(cache: Any) -> None:
    """Have what cannot be read or written compiled again, instead of ending the command."""
    load, save = cache.load_overload, cache.save_overload

    def load_or_forget(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # a damaged file can raise any error
            _say_damaged(cache.cache_path)
        try:
            cache.flush()
        except OSError:
            cache.disable()
        return None

    def save_or_leave(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError:  # a full disk, or a file where none may be written
            cache.disable()

    cache.load_overload, cache.save_overload = load_or_forget, save_or_leave


@cache
def _say_damaged(folder: str) -> None:
    """Once for each folder and process."""
    _log.warning("compiled code in %s is damaged or unreadable; it is compiled again", folder)
