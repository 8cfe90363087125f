"""What parts that users write depend on: their modules and the files that their code reads.

While the code of a part runs, an audit hook of Python notes each file that it opens to read and
each module that it imports, whether at once or late. A file is identified by the SHA-256 that it
had then. A file that was sought in vain counts too: the result differs once it is there.
"""

from __future__ import annotations

import hashlib
import os
import site
import sys
import sysconfig
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import source_from_cache
from pathlib import Path
from types import ModuleType
from typing import Any

Files = Mapping[str, str]
"""SHA-256 by path, relative to the folder of the part if it lies in there; empty if missing."""

_ROOT = Path(__file__).resolve().parents[2]
_OURS = tuple(str(_ROOT / name) for name in ("planner", "reports", "scenarios", "solvers"))
_PATHS = sysconfig.get_paths()
_LIBRARIES = tuple(
    os.path.realpath(path)
    for path in (
        *(_PATHS[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *site.getsitepackages(),
        site.getusersitepackages(),
    )
)
"""Folders of what the versions of Python and of the libraries identify."""

_CODE = (".py", ".so")
_SCRIPTS = ("__main__", "__mp_main__")
_MISSING = ""


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
    """

    path: Path
    files: dict[str, str] = field(default_factory=dict)
    modules: dict[str, ModuleType] = field(default_factory=dict)
    sought: set[str] = field(default_factory=set)


_FOLDERS: dict[Path, _Folder] = {}
_RUNNING: list[_Folder] = []
_HASHING = threading.local()
_HOOKED = threading.Event()


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
    _RUNNING.append(known)
    try:
        yield
    finally:
        _RUNNING.remove(known)
        with suppress(ValueError):
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index(name)]
        if len(known.sought) > before:
            known.modules.update(_modules_in(known.path))
        sys.modules.update(hidden)


def forget_if_changed(folder: Path) -> bool:
    """Forget the modules of a folder if one of its files changed; the next part loads them anew."""
    known = _known(folder)
    if all(_digest(path) == digest for path, digest in known.files.items()):
        return False
    for name, module in known.modules.items():
        if sys.modules.get(name) is module:
            del sys.modules[name]
    _FOLDERS.pop(known.path)
    return True


def files_read(folder: Path) -> dict[str, str]:
    """Return the files in a folder that its parts have read so far, modules included."""
    needed = _relative(folder, _known(folder).files)
    return {
        name: digest for name, digest in needed.items() if digest and not Path(name).is_absolute()
    }


def learn(folder: Path, files: Files) -> None:
    """Take over what the parts of a folder needed in another process, or in an earlier one."""
    known = _known(folder)
    for name, digest in files.items():
        known.files.setdefault(os.path.join(known.path, name), digest)  # noqa: PTH118 - an absolute path stays


def files_needed(folder: Path, elsewhere: Files | None = None) -> dict[str, str]:
    """Return all on which the parts of a folder depend so far, also what they sought in vain.

    Parameters
    ----------
    folder
        That of the parts.
    elsewhere
        What :func:`sources_elsewhere` returns, where it is known.
    """
    known = _known(folder)
    files = dict(known.files)
    for name in known.sought - sys.modules.keys() - known.modules.keys():
        for path in _candidates(known.path, name):
            files.setdefault(path, _digest(path))
    files = {**(sources_elsewhere() if elsewhere is None else elsewhere), **files}
    files.pop(_script(), None)
    return _relative(folder, files)


def _relative(folder: Path, files: Files) -> dict[str, str]:
    known = _known(folder)
    inner = f"{known.path}{os.sep}"
    return {path.removeprefix(inner): files[path] for path in sorted(files)}


def unchanged(folder: Path, files: Files) -> bool:
    """Return whether all files of a part's folder are as they were."""
    real = os.path.realpath(folder)
    return all(_digest(os.path.join(real, path)) == digest for path, digest in files.items())  # noqa: PTH118 - an absolute path stays


def _known(folder: Path) -> _Folder:
    if not _HOOKED.is_set():
        _HOOKED.set()
        sys.addaudithook(_heard)
    path = Path(os.path.realpath(folder))
    return _FOLDERS.setdefault(path, _Folder(path))


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what running parts open and import; an error here would become the part's."""
    if not _RUNNING or event not in ("open", "import") or getattr(_HASHING, "now", False):
        return
    _HASHING.now = True
    try:
        with suppress(Exception):
            if event == "import":
                _imported(*arguments[:2])
            elif _is_reading(*arguments[1:3]) and isinstance(
                arguments[0], str | bytes | os.PathLike
            ):
                _opened(os.fsdecode(arguments[0]))
    finally:
        _HASHING.now = False


def _imported(name: str, file: str | None) -> None:
    for folder in _RUNNING:
        folder.sought.add(name)
    if file is not None:  # a compiled module, which is not opened
        _opened(file)


def _is_reading(mode: str | None, flags: int) -> bool:
    if isinstance(mode, str):
        return not set(mode) & set("awx+")
    return not flags & (os.O_WRONLY | os.O_RDWR)


def _opened(path: str) -> None:
    if path.endswith(".pyc"):
        path = source_from_cache(path)
    elif f"{os.sep}__pycache__{os.sep}" in path:
        return
    shown, path = os.path.abspath(path), os.path.realpath(path)  # noqa: PTH100 - called for every file that is opened
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - the same
        return
    code = path.endswith(_CODE)
    for folder in _RUNNING:
        inner = f"{folder.path}{os.sep}"
        if not code and shown != path and shown.startswith(inner):
            folder.files[shown] = _digest(path)  # a link may lead elsewhere another time
        within = path.startswith(inner)
        if not _is_of_library(path) and (within or code) and not (code and path in folder.files):
            folder.files[path] = _digest(path)
            if code and within:  # a package of the same name would take its place
                package = os.path.join(path.removesuffix(".py"), "__init__.py")  # noqa: PTH118
                folder.files.setdefault(package, _digest(package))


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
        and not _is_of_library(os.path.realpath(file))
        and name not in _SCRIPTS
        and not name.startswith("headroom_part_")
    }


def sources_elsewhere() -> dict[str, str]:
    """Return the sources of loaded modules that no version identifies, wherever they lie."""
    files: dict[str, str] = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(_CODE):
            path = os.path.realpath(file)
            if not _is_of_library(path) and not name.startswith("headroom_part_"):
                files.setdefault(path, _digest(path))
    return files


def _script() -> str:
    """Return the program that runs: a function of it counts by its text, not by the whole file.

    In a worker it is imported under another name.
    """
    modules = (sys.modules.get(name) for name in reversed(_SCRIPTS))
    files = [file for module in modules if (file := getattr(module, "__file__", None))]
    return os.path.realpath(files[0]) if files else ""


def _is_of_library(path: str) -> bool:
    return any(path.startswith(f"{folder}{os.sep}") for folder in (*_LIBRARIES, *_OURS)) or (
        path == str(_ROOT / "headroom.py")
    )


def _digest(path: str) -> str:
    """SHA-256 of a file; empty if there is none."""
    quiet = getattr(_HASHING, "now", False)
    _HASHING.now = True
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - within the hook of open
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):
        return _MISSING
    finally:
        _HASHING.now = quiet
