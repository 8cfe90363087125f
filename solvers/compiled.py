"""Compilation of hot loops, kept in the user's cache folder.

Compiled objects are looked for in two places: the user's cache folder, and the folder ``objects``
of the function's package, where a wheel made for this platform holds them. Such files are pickles,
so no other folder is read. Their names hold a stamp of all that a function reaches: no object is
taken for other sources, and sources that changed in comments alone are not compiled again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np
import platformdirs

_log = logging.getLogger(__name__)
_told = logging.getLogger("headroom.compiling")
_Function = TypeVar("_Function", bound=Callable[..., Any])

INNER = {"no_cpython_wrapper": True}
"""Options of functions that compiled functions alone call: half of a compilation is the wrapper."""

MOST_INTERPRETED = 4000
"""Units of work (starts of jobs) that a process interprets: compiling would take longer."""

_interpreted: ContextVar[bool] = ContextVar("interpreted", default=False)
_units = 0.0

SHIPPED_FOR = "x86-64-v2" if platform.machine() in {"x86_64", "AMD64"} else "generic"
"""The processor that the objects of a wheel are made for: that of every x86 server since 2009."""


def compiled_entry(function: _Function) -> _Function:
    """Compile with numba on first use, for functions that make no arrays and that Python calls.

    Numba counts the references to each array at each use, with atomic operations, which no array
    that is only read and written needs. Without them loops take down to a tenth of the time. An
    array that is made or returned all the same is an error when numba compiles.
    """
    # With numpy's error model a zero divisor raises no error, so each loop excludes it by itself.
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False)


def compiled(function: _Function) -> _Function:
    """As :func:`compiled_entry`, for functions that compiled functions alone call.

    A call from Python is an error.
    """
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False, **INNER)


def counted_entry(function: _Function) -> _Function:
    """As :func:`compiled_entry`, for functions that make or return arrays.

    Functions that do not count references may not call them: arrays would never be freed.
    """
    # Said, since numba otherwise takes the option from whichever caller compiles the function.
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=True)


def counted(function: _Function) -> _Function:
    """As :func:`counted_entry`, for functions that compiled functions alone call."""
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=True, **INNER)


def kept_on_disk(function: _Function, **options: Any) -> _Function:
    """Compile with numba on first use, and keep the result in the user's cache folder.

    If nothing can be written there, each process compiles anew. Damaged files are compiled again,
    with a warning. Options that this version of numba does not know are left out.
    """
    return cast("_Function", Kernel(function, options | {"no_cfunc_wrapper": True}))


@contextmanager
def interpreted(units: float) -> Iterator[None]:
    """Run what is small without compiling, while all that ran so in this process is small.

    Parameters
    ----------
    units
        Work of the block, in units of which a process interprets at most ``MOST_INTERPRETED``.
    """
    global _units  # noqa: PLW0603 - what this process has interpreted
    units = max(units, 1)
    small = _units + units <= MOST_INTERPRETED
    _units += units if small else 0
    token = _interpreted.set(small)
    try:
        yield
    finally:
        _interpreted.reset(token)


class Kernel:
    """A function that numba compiles at its first call, unless the call is interpreted.

    Attributes
    ----------
    py_func
        The function itself.
    options
        Those of numba.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self.options = function, options
        self._inner = INNER.keys() <= options.keys()

    def __call__(self, *args: Any) -> Any:
        """Interpret or compile, with equal results.

        Raises
        ------
        TypeError
            Python calls what compiled functions alone call.
        """
        if _interpreted.get():
            return self.py_func(*args)
        dispatcher = self.dispatcher
        if self._inner and dispatcher is not self.py_func:
            raise TypeError(
                f"{self.py_func.__name__} is for compiled code alone: mark it compiled_entry"
            )
        return dispatcher(*args)

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    @property
    def _numba_type_(self) -> Any:
        """What numba takes the function for where compiled code calls it."""
        return self.dispatcher._numba_type_

    @cached_property
    def dispatcher(self) -> Any:
        """What numba makes of the function: itself where compilation is switched off."""
        import numba

        known = {name: value for name, value in self.options.items() if _is_known(name, value)}
        made = numba.njit(**known)(self.py_func)
        if made is not self.py_func:
            with suppress(AttributeError, ImportError):  # another numba
                made._cache = _Objects(self)  # noqa: SLF001 - numba has no other way in
                _one_signature(made)
            if self.options.get("_nrt") is False:
                _refuse_arrays(made)
        return made


def cache_folder() -> Path:
    """Where compiled objects of this user lie, unless ``NUMBA_CACHE_DIR`` names another folder."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given)
    of_user = platformdirs.user_cache_path("headroom")
    # A user without a home has the relative folder "~": whose it is depends on where he works.
    return (of_user if of_user.is_absolute() else Path(os.devnull)) / "compiled"


def reached(function: Callable[..., Any]) -> dict[str, bytes]:
    """What a compiled function depends on: the code and the constants of all that it reaches.

    Returns
    -------
    dict
        By the full name of each function that it calls, itself first: a digest of its bytecode, its
        options and the values of the names that it reads.
    """
    digests: dict[str, bytes] = {}
    waiting: list[Any] = [function]
    while waiting:
        each = waiting.pop()
        options = sorted(getattr(each, "options", {}).items())
        each = getattr(each, "py_func", each)
        name = f"{each.__module__}.{each.__qualname__}"
        if name in digests:
            continue
        parts: list[Any] = [options, each.__defaults__, each.__kwdefaults__]
        for value in _values(each):
            if isinstance(value, FunctionType) or hasattr(value, "py_func"):
                waiting.append(value)
            elif isinstance(value, ModuleType):
                parts.append(value.__name__)
            elif isinstance(value, type):
                parts.append((value.__module__, value.__qualname__, _members(value)))
            elif isinstance(value, np.ndarray):
                parts.append((value.dtype, value.shape, value.tobytes()))
            else:
                parts.append(value)
        code = [_code(part, each.__doc__) for part in _codes(each.__code__)]
        digests[name] = hashlib.sha256(repr((code, parts)).encode()).digest()
    return digests


def _values(function: FunctionType) -> Iterator[Any]:
    """The values of the names that a function and those within it read.

    Attributes of a module follow it if it is in the same package.
    """
    for cell in function.__closure__ or ():
        yield cell.cell_contents
    names = dict.fromkeys(name for code in _codes(function.__code__) for name in code.co_names)
    for name in names:
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        yield value
        if isinstance(value, ModuleType) and _package(value.__name__) == _package(
            function.__module__
        ):
            yield from (getattr(value, each) for each in names if hasattr(value, each))


def _package(module: str) -> str:
    return module.partition(".")[0]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _code(code: CodeType, docstring: str | None) -> tuple[Any, ...]:
    """All that decides what bytecode does; lines and docstrings do not."""
    constants = [
        sorted(map(repr, each)) if isinstance(each, frozenset) else repr(each)
        for each in code.co_consts
        if not isinstance(each, CodeType) and (each is None or each != docstring)
    ]
    names = (code.co_names, code.co_freevars, code.co_cellvars)
    return (code.co_code, code.co_exceptiontable, names, constants)


def _members(value: type) -> tuple[str, ...]:
    """Fields of a named tuple and values of an enumeration."""
    enumerated = getattr(value, "__members__", {})
    return (*getattr(value, "_fields", ()), *map(repr, enumerated.values()))


def _fields(types: Sequence[Any]) -> list[Any]:
    """Fields of the named tuples among numba's types, whose names do not hold them."""
    found = []
    for each in types:
        within = getattr(each, "types", None) or ([each.dtype] if hasattr(each, "dtype") else ())
        found.append((getattr(each, "fields", ()), _fields(within)))
    return found


class _Objects:
    """The compiled objects of one function, as numba's dispatcher asks for them."""

    def __init__(self, kernel: Kernel) -> None:
        from numba.core.compiler import CompileResult
        from numba.core.serialize import dumps

        self._kernel = kernel
        self._rebuilt: Any = CompileResult._rebuild  # noqa: SLF001 - as numba does
        self._dumps: Any = dumps
        function = kernel.py_func
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<locals>", "")
        package = sys.modules.get(function.__module__.partition(".")[0])
        self._shipped = Path(package.__file__ or "").parent / "objects" if package else None

    @property
    def cache_path(self) -> str:
        """Where new objects go."""
        return str(cache_folder())

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The object of a signature, or ``None``: numba then compiles."""
        context.refresh()
        here = context.codegen().magic_tuple()
        paths = [cache_folder() / self._file(signature, here)]
        if self._shipped:
            paths.append(self._shipped / self._file(signature, (here[0], SHIPPED_FOR, "")))
        for path in paths:
            try:
                return self._rebuilt(context, *pickle.loads(path.read_bytes()))  # noqa: S301
            except (FileNotFoundError, NotADirectoryError):
                continue
            except Exception:  # a damaged file can raise any error
                _say_damaged(str(path.parent))
        functions = len(self._stamps)
        _told.info("compiling %s", self._what(functions - 1), extra={"functions": functions})
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what numba compiled, if the disk allows it."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        folder = cache_folder()
        here = result.target_context.codegen().magic_tuple()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f"{uuid.uuid4().hex}.part"
            try:
                part.write_bytes(self._dumps(result._reduce()))  # noqa: SLF001 - as numba does
                part.replace(folder / self._file(signature, here))
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            _say_unkept(str(folder), error.strerror)

    def _file(self, signature: Any, processor: tuple[str, ...]) -> str:
        import numba

        key = (numba.__version__, np.__version__.split(".")[0], sys.version_info[:2], processor)
        types = (str(signature), _fields(getattr(signature, "args", signature)))
        stamp = repr((key, types, self._stamps)).encode()
        return f"{self._name}-{hashlib.sha256(stamp).hexdigest()[:24]}.nbc"

    def _what(self, others: int) -> str:
        name = self._kernel.py_func.__name__.strip("_")
        return f"{name} and {others} functions that it calls" if others else name

    @cached_property
    def _stamps(self) -> list[tuple[str, bytes]]:
        return sorted(reached(self._kernel).items())


@cache
def _say_unkept(folder: str, reason: str | None) -> None:
    """Once for each folder and process."""
    _log.warning(
        "compiled code cannot be kept in %s (%s): each run compiles again; "
        "set NUMBA_CACHE_DIR to a folder that can be written",
        folder,
        reason,
    )


def _one_signature(made: Any) -> None:
    """Let compiled code pass every signed integer as int64, so that a function is compiled once.

    A constant has a type of its own for numba, as do numbers of narrow arrays.
    """
    import numba

    of_types = made.get_call_template
    integers: Any = numba.types.Integer

    def widened(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        wide = [
            numba.int64 if isinstance(each, integers) and each.signed else each for each in args
        ]
        return of_types(tuple(wide), kws)

    made.get_call_template = widened


def _refuse_arrays(made: Any) -> None:
    """Make it an error to return arrays without reference counts, in tuples too.

    Python would get the whole array in place of a part of it, and a caller that counts would free
    an array that is still in use. Numba itself refuses parts of arrays that are returned alone.
    """
    add = made.add_overload

    def checked(result: Any) -> None:
        if "array(" in str(result.signature.return_type).lower():
            raise TypeError(f"{made.__name__} returns arrays: mark it counted")
        add(result)

    made.add_overload = checked


@cache
def _is_known(name: str, value: Any) -> bool:
    """Whether numba takes an option: it refuses others only at the first call, by a KeyError."""
    import numba

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


@cache
def _say_damaged(folder: str) -> None:
    """Once for each folder and process."""
    _log.warning("compiled code in %s is damaged or unreadable; it is compiled again", folder)
