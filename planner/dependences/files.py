"""What parts that users write depend on: their modules and the files that their code reads.

While the code of a part runs, an audit hook of Python notes each file that it opens to read, each
folder that it lists and each module that it imports, whether at once or late. On Linux the part's
folder is watched too, for readers in C. A file is identified by the SHA-256 that it had then, a
folder by that of its names. A file that was sought in vain counts too: the result differs once it
is there. What the code itself made does not count.
"""

from __future__ import annotations

import importlib
import logging
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import source_from_cache
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

from planner.dependences.content import (
    HASHING,
    digest_now,
    digest_of,
    is_no_input,
    is_of_library,
)
from planner.dependences.watch import AVAILABLE, FolderWatch

_log = logging.getLogger(__name__)

Files = Mapping[str, str]
"""SHA-256 by path, relative to the folder of the part if it lies in there; empty if missing. The
path of a folder whose names count ends with a separator."""

_CODE = (".py", ".so")
_IMPORTING = (os.path.dirname(importlib.__file__), pkgutil.__file__)  # noqa: PTH120 - a prefix
_SCRIPTS = ("__main__", "__mp_main__")
_CHANGED = "changed while it was used"
_UNSEEN = "not every file that is read can be seen"
"""In place of a SHA-256; a result that needs one of these is never used again."""


@dataclass(eq=False)
class _Folder:
    """What the parts of one folder loaded and read.

    Attributes
    ----------
    files
        SHA-256 of each file by its real path.
    modules
        Modules that lie in the folder, by name.
    sought
        Names of modules that were imported, whether or not they were found.
    watch
        Hears what other code than Python's opens.
    """

    path: Path
    files: dict[str, str] = field(default_factory=dict)
    modules: dict[str, ModuleType] = field(default_factory=dict)
    sought: set[str] = field(default_factory=set)
    watch: FolderWatch | None = None


_FOLDERS: dict[Path, _Folder] = {}
_FORGOTTEN: dict[Path, set[str]] = {}
"""Files of each folder that changed after they were read."""
_RUNNING: list[_Folder] = []
_HOOKED = Event()
_MADE: set[str] = set()
"""Files and folders that the running code made or emptied: what they hold is its own."""
_APPENDED: set[str] = set()
"""Files that it opened only to write."""
_TEMPORARY = f"{os.path.realpath(tempfile.gettempdir())}{os.sep}"


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """Run code of a part: what it imports is found in its folder too, behind everything else.

    Modules of the folder are the part's own: a part of another folder may have others of the same
    names.
    """
    known = _known(folder)
    name, before = str(known.path), len(known.sought)
    hidden = {
        module: found
        for other in _FOLDERS.values()
        if other is not known
        for module, found in other.modules.items()
        if sys.modules.get(module) is found
    }
    for module in hidden:
        del sys.modules[module]
    sys.modules.update(known.modules)
    sys.path.append(name)
    if known not in _RUNNING:
        _watch(known)
    _RUNNING.append(known)
    try:
        yield
    finally:
        _take_watched(known)
        _RUNNING.remove(known)
        if not _RUNNING:
            _MADE.intersection_update({path for path in _MADE if path.startswith(_TEMPORARY)})
            _APPENDED.clear()
        with suppress(ValueError):
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index(name)]
        if len(known.sought) > before:
            known.modules.update(_modules_in(known.path))
        sys.modules.update(hidden)


def forget_if_changed(folder: Path) -> bool:
    """Forget the modules of a folder if one of its files changed; the next part loads them anew.

    A result that is being computed still depends on what they read before (:func:`begin`).
    """
    known = _known(folder)
    changed = {path for path, digest in known.files.items() if digest_of(path) != digest}
    if not changed:
        return False
    for name, module in known.modules.items():
        if sys.modules.get(name) is module:
            del sys.modules[name]
    _FOLDERS[known.path] = _Folder(known.path, watch=known.watch)
    _FORGOTTEN.setdefault(known.path, set()).update(changed)
    return True


def begin(folder: Path) -> None:
    """Say that a new result is computed, which depends on no file that was forgotten before."""
    if not _RUNNING:
        _FORGOTTEN.pop(_known(folder).path, None)


def files_read(folder: Path) -> dict[str, str]:
    """Return the files in a folder that its parts have read so far, modules included."""
    needed = _relative(folder, _known(folder).files)
    return {
        name: digest
        for name, digest in needed.items()
        if digest and name and not name.endswith(os.sep) and not Path(name).is_absolute()
    }


def learn(folder: Path, files: Files) -> None:
    """Take over what the parts of a folder needed in another process, or in an earlier one."""
    known = _known(folder)
    for name, digest in files.items():
        known.files.setdefault(os.path.join(known.path, name), digest)  # noqa: PTH118 - an absolute path stays


def files_needed(folder: Path) -> dict[str, str]:
    """Return all on which the parts of a folder depend so far.

    Also what they sought in vain, and sources that this process loaded from anywhere else.
    """
    known = _known(folder)
    files = dict(known.files)
    for name in known.sought - sys.modules.keys() - known.modules.keys():
        for path in _candidates(known.path, name):
            files.setdefault(path, digest_of(path))
    for path in _sources_elsewhere():
        files.setdefault(path, digest_of(path))
    files.pop(_script(), None)
    files |= dict.fromkeys(_FORGOTTEN.get(known.path, ()), _CHANGED)
    if known.watch is not None and known.watch.trouble:
        _log.warning("%s: results are not used again: %s", known.path, known.watch.trouble)
        files[str(known.path)] = _UNSEEN
    return _relative(folder, files)


def _relative(folder: Path, files: Files) -> dict[str, str]:
    known = _known(folder)
    inner = f"{known.path}{os.sep}"
    return {path.removeprefix(inner): files[path] for path in sorted(files)}


def unchanged(folder: Path, files: Files) -> bool:
    """Return whether all files of a part's folder are as they were."""
    real = os.path.realpath(folder)
    return all(digest_of(os.path.join(real, path)) == digest for path, digest in files.items())  # noqa: PTH118 - an absolute path stays


def _known(folder: Path) -> _Folder:
    if not _HOOKED.is_set():
        _HOOKED.set()
        sys.addaudithook(_heard)
    path = Path(os.path.realpath(folder))
    return _FOLDERS.setdefault(path, _Folder(path))


def _watch(known: _Folder) -> None:
    """Begin to hear, and leave out what was opened before."""
    if AVAILABLE and (known.watch is None or known.watch.process != os.getpid()):
        known.watch = FolderWatch(str(known.path))
    if known.watch is not None:
        known.watch.opened()


def _take_watched(known: _Folder) -> None:
    """Note files that were opened by other code than Python's."""
    if known.watch is None:
        return
    files, made = known.watch.opened()
    for path in files - known.files.keys():
        temporary = path in made and not os.path.lexists(path)
        if not temporary and os.path.realpath(path) not in _APPENDED:
            _read(path)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what running parts open, list and import; an error here would become the part's."""
    if not _RUNNING or event not in _EVENTS or getattr(HASHING, "now", False):
        return
    HASHING.now = True
    try:
        with suppress(Exception):
            _EVENTS[event](*arguments)
    finally:
        HASHING.now = False


def _imported(name: str, file: str | None, *_: object) -> None:
    for folder in _RUNNING:
        folder.sought.add(name)
    if file is not None:  # a compiled module, which is not opened
        _read(file)


def _opened(file: object, _mode: str | None, flags: int) -> None:
    if not isinstance(file, str | bytes | os.PathLike) or flags & _UNNAMED == _UNNAMED:
        return
    path = os.fsdecode(file)
    new = flags & os.O_CREAT and flags & os.O_EXCL and not os.path.lexists(path)
    if new or flags & os.O_TRUNC:
        _MADE.add(os.path.realpath(path))
    elif flags & (os.O_WRONLY | os.O_RDWR) == os.O_WRONLY:
        _APPENDED.add(os.path.realpath(path))
    else:
        _read(path)


def _listed(file: object) -> None:
    # Imports list the folders of modules; what they look for there counts by its name.
    caller = sys._getframe(2).f_code.co_filename  # noqa: SLF001 - of an audited function
    if not (caller.startswith("<frozen importlib") or caller.startswith(_IMPORTING)):
        if isinstance(file, str | bytes | os.PathLike):
            _read(os.fsdecode(file))
        elif file is None:
            _read(os.curdir)


def _made(file: str | bytes, *_: object) -> None:
    if not os.path.lexists(file):
        _MADE.add(os.path.realpath(os.fsdecode(file)))


def _connected(file: str | bytes) -> None:
    """Note a database of SQLite, which is opened in C, with its log of changes."""
    path = os.fsdecode(file)
    path = unquote(urlsplit(path).path) if path.startswith("file:") else path
    if path not in ("", ":memory:"):
        _read(path)
        _read(f"{path}-wal")


def _linked(file: str | None) -> None:
    if file and os.sep in file:
        _read(file)


_UNNAMED = getattr(os, "O_TMPFILE", -1)
_EVENTS: Mapping[str, Callable[..., None]] = {
    "open": _opened,
    "import": _imported,
    "os.listdir": _listed,
    "os.scandir": _listed,
    "os.mkdir": _made,
    "sqlite3.connect": _connected,
    "ctypes.dlopen": _linked,
}


def _read(path: str) -> None:
    """Note a file that is read, or a folder that is listed, by its real path and by a link's."""
    if path.endswith(".pyc"):
        path = source_from_cache(path)
    given, real = os.path.join(os.getcwd(), path), os.path.realpath(path)  # noqa: PTH109, PTH118 - called for every file that is opened
    if any(real == made or real.startswith(f"{made}{os.sep}") for made in _MADE):
        return
    end = os.sep if os.path.isdir(real) else ""  # noqa: PTH112 - the same
    for folder in _RUNNING:
        if not is_no_input(f"{real}{end}"):
            _note(folder, f"{real}{end}")
        if os.path.normpath(given) != real and (
            not is_no_input(f"{real}{end}") or given.startswith(f"{folder.path}{os.sep}")
        ):
            _note(folder, f"{given.rstrip(os.sep)}{end}")


def _note(folder: _Folder, path: str) -> None:
    code = path.endswith(_CODE)
    if code and path in folder.files:
        return
    digest = digest_now(path)
    if folder.files.setdefault(path, digest) != digest:
        folder.files[path] = _CHANGED
    if code and path.startswith(f"{folder.path}{os.sep}"):
        package = os.path.join(path.removesuffix(".py"), "__init__.py")  # noqa: PTH118 - it would take the module's place
        folder.files.setdefault(package, digest_of(package))


def _candidates(folder: Path, name: str) -> tuple[str, str]:
    """Return where a module of this name would be found in a folder."""
    path = str(folder.joinpath(*name.split(".")))
    return f"{path}.py", f"{path}{os.sep}__init__.py"


def _modules_in(folder: Path) -> dict[str, ModuleType]:
    inner = f"{folder}{os.sep}"
    return {
        name: module
        for name, module in list(sys.modules.items())
        for file in (getattr(module, "__file__", None),)
        if isinstance(file, str)
        and os.path.realpath(file).startswith(inner)
        and not is_of_library(os.path.realpath(file))
        and name not in _SCRIPTS
        and not name.startswith("headroom_part_")
    }


def _sources_elsewhere() -> Iterator[str]:
    """Yield the sources of modules that no version identifies, wherever they lie."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(_CODE):
            path = os.path.realpath(file)
            if not is_of_library(path) and not name.startswith("headroom_part_"):
                yield path


def _script() -> str:
    """Return the program that runs: a function of it counts by its text, not by the whole file.

    In a worker it is imported under another name.
    """
    modules = (sys.modules.get(name) for name in reversed(_SCRIPTS))
    files = [file for module in modules if (file := getattr(module, "__file__", None))]
    return os.path.realpath(files[0]) if files else ""
