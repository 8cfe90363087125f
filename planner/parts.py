"""Parts that users write: policies, heuristics, placement algorithms and predictors.

A part is given by the name of a built-in one, as ``package.module:NAME`` or as ``file.py:NAME``.
It is a class, which is made without arguments, an object, or a function. A scenario file cannot
name one: only the command line and Python run the code of a user.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

from planner.dependences import files as part_files
from planner.errors import InputError, PlanError
from scenarios.formatting import clipped, nearest

T = TypeVar("T")

_OURS = frozenset({"planner", "reports", "scenarios", "solvers"})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 +._-]{0,39}")


@dataclass(frozen=True)
class _Loaded:
    """A file that was run: its path, the folder of its imports, and its SHA-256 at that time."""

    path: Path
    folder: Path
    sha256: str


_LOADED: dict[str, _Loaded] = {}
"""By the name of the module."""


@dataclass(frozen=True)
class PartKind(Generic[T]):
    """What a part is for, and what it needs.

    Attributes
    ----------
    noun
        What it is called in messages.
    protocol
        The Protocol that it meets. One with ``__call__`` is met by a function.
    remedy
        How to write one.
    confused
        Base classes of another kind of part with the same methods, by name: what such a class is.
    """

    noun: str
    protocol: object
    remedy: str = "see docs/own-parts.md"
    confused: Mapping[str, str] = field(default_factory=dict)


def load_part(text: str, known: Mapping[str, T], kind: PartKind[T]) -> T:
    """Return a built-in part by its name, or load one of the user's.

    Parameters
    ----------
    text
        A name, ``package.module:NAME`` or ``file.py:NAME``.
    known
        The built-in parts by name.
    kind
        What the part has to be.

    Raises
    ------
    InputError
        There is no such part, its code fails, or it lacks what its kind needs.
    """
    return known[text] if text in known else own_part(text, kind, known)


def own_part(text: str, kind: PartKind[T], taken: Collection[str] = ()) -> T:
    """Load a part of the user's own.

    Parameters
    ----------
    text
        ``package.module:NAME`` or ``file.py:NAME``.
    kind
        What the part has to be.
    taken
        Names of the built-in parts; where there are none, every comparison has them.

    Raises
    ------
    InputError
        As :func:`load_part`.
    """
    source, colon, name = text.rpartition(":")
    if not colon or not source or not name:
        raise InputError(unknown(text, taken, kind.noun))
    module = _of_file(Path(source)) if source.endswith(".py") else _of_name(source)
    if not hasattr(module, name):
        remedy = nearest(name, _public(module))
        raise InputError(f"{source} does not define {clipped(name)}; {remedy}")
    loaded = _LOADED.get(module.__name__)
    with nullcontext() if loaded is None else part_files.running(loaded.folder):
        part = cast("T", _made(getattr(module, name), text, kind))
    check_part(part, kind)
    _refuse_built_in_name(part, kind, taken)
    return part


def given_part(given: T | type[T] | str, kind: PartKind[T], taken: Collection[str] = ()) -> T:
    """Return a part of the user's own that a Python function was given.

    Parameters
    ----------
    given
        An object or a function; a class, which is made without arguments; or the text of
        :func:`own_part`.
    kind, taken
        As in :func:`own_part`. A built-in object keeps its name.

    Raises
    ------
    InputError
        As :func:`load_part`.
    """
    if isinstance(given, str):
        return own_part(given, kind, taken)
    part = _made(given, _label(given), kind)
    check_part(part, kind)
    if is_own(part):
        _refuse_built_in_name(part, kind, taken)
    return cast("T", part)


def unknown(text: str, known: Iterable[str], noun: str) -> str:
    """Say that there is no such part, with the nearest name and how a user's own is given."""
    if text.endswith(".py"):
        return f"{text} is a file; add the name of the class or function: {text}:NAME"
    own = "give your own as file.py:NAME or package.module:NAME"
    names = list(known)
    remedy = f"{nearest(text, names)} ({own})" if names else own
    return f"there is no {noun} {clipped(text)!r}; {remedy}"


def check_part(part: object, kind: PartKind[Any]) -> None:
    """See that a part has what its kind needs.

    Raises
    ------
    InputError
        It has not; says what is missing, and where the part is defined.
    """
    if inspect.isclass(part):
        raise InputError(
            f"{locate(part)}: {_label(part)} is a class, where a {kind.noun} is needed; give an "
            f"object of it: {_label(part)}()"
        )
    for base in type(part).__mro__[1:]:
        if base.__name__ in kind.confused and base.__module__.partition(".")[0] in _OURS:
            raise InputError(
                f"{locate(part)}: {_label(part)} is {kind.confused[base.__name__]}; "
                f"a {kind.noun} is needed: {kind.remedy}"
            )
    for member, needed in _members(kind.protocol):
        attribute = getattr(part, member, None)
        written = _call(member, needed)
        if attribute is None or (inspect.isfunction(needed) and not callable(attribute)):
            raise InputError(
                f"{locate(part)}: {_label(part)} has no {written}, which a {kind.noun} needs; "
                f"{kind.remedy}"
            )
        called = part if member == "__call__" else attribute
        if inspect.isfunction(needed) and not _takes(called, needed):
            raise InputError(
                f"{locate(part)}: {_label(part)} does not accept the arguments of {written}, "
                f"as a {kind.noun} must; {kind.remedy}"
            )
    if not _NAME.fullmatch(name_of(part)):
        raise InputError(
            f"{locate(part)}: the {kind.noun} {clipped(name_of(part))!r} has a name that "
            "cannot be part of a file name; use up to 40 letters, digits, blanks and + . _ -"
        )


def _refuse_built_in_name(part: object, kind: PartKind[Any], taken: Collection[str]) -> None:
    """See that tables can tell a part from a built-in one; they may write names in capitals."""
    name = name_of(part)
    if name in taken or name.lower() in taken:
        raise InputError(
            f"{locate(part)}: a built-in {kind.noun} has the same name, {name}; give yours a name "
            "of its own, also where it is derived from a built-in one"
        )


def is_own(part: object) -> bool:
    """Return whether a part is a user's own, and not built in."""
    return _module_name(part).partition(".")[0] not in _OURS


def refuse_namesakes(names: Sequence[str], noun: str) -> None:
    """See that no two of several parts are called the same.

    Raises
    ------
    InputError
        Two are.
    """
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two {noun}s have the name {name}; give yours another name")


def name_of(part: object) -> str:
    """The name under which tables show a part: its ``name``, or that of the function or class."""
    name = getattr(part, "name", None) or getattr(part, "__name__", type(part).__name__)
    return str(name)


def locate(part: object) -> str:
    """File and line of the class or function; the module where these are not known."""
    definition = part if inspect.isfunction(part) or inspect.isclass(part) else type(part)
    try:
        return f"{inspect.getsourcefile(definition)}:{inspect.getsourcelines(definition)[1]}"
    except (OSError, TypeError):
        return _module_name(part)


def files_of(parts: Iterable[object]) -> tuple[tuple[str, str], ...]:
    """Name and SHA-256 of the files that own parts were read from or have read, each once.

    Names are relative to the folder of the part, with its name where two would be called the same.
    """
    digests: dict[str, str] = {}
    for part in filter(is_own, parts):
        loaded = loaded_from(part)
        if loaded is None:
            continue
        own = {loaded.path.name: loaded.sha256}
        for name, digest in (own | part_files.files_read(loaded.folder) | own).items():
            taken = digests.get(name, digest) != digest
            digests[f"{loaded.folder.name}/{name}" if taken else name] = digest
    return tuple(digests.items())


def loaded_from(part: object) -> _Loaded | None:
    """Return the file of an own part; ``None`` where it has none, as in a notebook."""
    name = _module_name(part)
    if name not in _LOADED:
        path = Path(getattr(sys.modules.get(name), "__file__", None) or "")
        if not path.is_file():
            return None
        _LOADED[name] = _Loaded(path, path.parent.resolve(), _sha256(path.read_bytes()))
    return _LOADED[name]


def every_loaded() -> tuple[_Loaded, ...]:
    """Return the files of own parts that this process has run."""
    return tuple(_LOADED.values())


@contextmanager
def calling(part: object) -> Iterator[None]:
    """Turn every failure of a user's part into a message with its file and line.

    Raises
    ------
    InputError
        The part is a user's own, and its code fails, answers wrongly or takes another name.
    """
    name = name_of(part)
    loaded = loaded_from(part) if is_own(part) else None
    try:
        with nullcontext() if loaded is None else part_files.running(loaded.folder):
            yield
    except InputError as error:
        raise InputError(f"{locate(part)}: {error}" if is_own(part) else str(error)) from None
    except PlanError:
        raise
    except Exception as error:
        if not is_own(part):
            raise
        path = _file_of(part if inspect.isfunction(part) else type(part))
        where = _line_in(error, path) or locate(part)
        raise InputError(f"{where}: {name} fails: {_reason(error)}; {_remedy(error)}") from error
    if name_of(part) != name:
        other = clipped(name_of(part))
        raise InputError(f"{locate(part)}: {name} calls itself {other} now; keep one name")


def _of_file(path: Path) -> ModuleType:
    """Return the module of a file; one file is run once."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; give the path of a Python file") from None
    digest, folder = _sha256(source), path.parent.resolve()
    if part_files.forget_if_changed(folder):
        for name in [name for name, loaded in _LOADED.items() if loaded.folder == folder]:
            sys.modules.pop(name, None)
    name = f"headroom_part_{path.stem}_{_sha256(str(path.resolve()).encode() + source)[:12]}"
    if name not in sys.modules:
        module = ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        try:
            with _running(str(path), folder):
                exec(compile(source, str(path), "exec"), module.__dict__)  # noqa: S102 - it is the user's own
        except BaseException:
            del sys.modules[name]
            raise
        _LOADED[name] = _Loaded(path, folder, digest)
    return sys.modules[name]


def _of_name(name: str) -> ModuleType:
    folder = Path.cwd()
    with _running(name, folder):
        module = importlib.import_module(name)
    path = Path(getattr(module, "__file__", None) or "")
    if name not in _LOADED and path.is_file():
        _LOADED[name] = _Loaded(path, folder, _sha256(path.read_bytes()))
    return module


@contextmanager
def _running(file: str, folder: Path) -> Iterator[None]:
    """Run a user's module; its errors become messages."""
    try:
        with part_files.running(folder):
            yield
    except SyntaxError as error:
        reason = f"{error.msg}; correct the Python code"
        raise InputError(f"{error.filename or file}:{error.lineno or 1}: {reason}") from None
    except (Exception, SystemExit) as error:
        where = _line_in(error, file) or file
        remedy = "install or correct the imported module" if isinstance(error, ImportError) else ""
        raise InputError(f"{where}: {_reason(error)}; {remedy or 'correct it'}") from error


def _made(definition: object, text: str, kind: PartKind[Any]) -> object:
    """Return the part itself: an object of a class, which is made without arguments."""
    if not inspect.isclass(definition):
        return definition
    try:
        return definition()
    except (Exception, SystemExit) as error:
        path = _file_of(definition) or text
        where = _line_in(error, path) or locate(definition)
        remedy = f"a {kind.noun} is created without arguments; give its parameters defaults"
        raise InputError(f"{where}: {definition.__name__}(): {_reason(error)}; {remedy}") from error


def _file_of(definition: Any) -> str:
    """File of a class or function; empty where it has none, as one that was typed in."""
    try:
        return inspect.getsourcefile(definition) or ""
    except (OSError, TypeError):
        return ""


def _members(protocol: object) -> Iterator[tuple[str, object]]:
    """Yield names and values of what a Protocol asks for."""
    for name, value in vars(protocol).items():
        if name == "__call__" or not name.startswith("_"):
            yield name, value


def _call(member: str, needed: object) -> str:
    """Return a member as people write it: ``name``, ``schedule(task)`` or a call ``(problem)``."""
    if not inspect.isfunction(needed):
        return member
    names = ", ".join(list(inspect.signature(needed).parameters)[1:])
    return f"call with ({names})" if member == "__call__" else f"{member}({names})"


def _takes(function: Any, needed: Any) -> bool:
    """Return whether a function can be called with the arguments that the Protocol's has."""
    required = list(inspect.signature(needed).parameters.values())[1:]
    try:
        inspect.signature(function).bind(
            *(parameter.name for parameter in required if parameter.default is parameter.empty)
        )
    except TypeError:
        return False
    except ValueError:  # compiled functions may have no signature
        return True
    return True


def _public(module: ModuleType) -> list[str]:
    """Classes and functions that a module defines itself."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]


def _line_in(error: BaseException, path: str) -> str:
    """Return the last line of a file that an error came through; empty if it came through none."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path
    ]
    return f"{path}:{lines[-1]}" if lines else ""


def _reason(error: BaseException) -> str:
    text = clipped(" ".join(str(error).split()))
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _remedy(error: BaseException) -> str:
    """What to do about code that fails; numpy says both of these of arrays that are sealed."""
    sealed = isinstance(error, ValueError) and ("read-only" in str(error) or "WRITE" in str(error))
    return "inputs cannot be changed: change a copy" if sealed else "correct it"


def _label(part: object) -> str:
    return str(getattr(part, "__name__", type(part).__name__))


def _module_name(part: object) -> str:
    definition = part if inspect.isroutine(part) else type(part)
    return str(getattr(definition, "__module__", "") or "")


def _sha256(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()
