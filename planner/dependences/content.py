"""What a file or a folder holds, as a digest, and which of them no result depends on."""

from __future__ import annotations

import hashlib
import os
import site
import stat
import sysconfig
import threading
from functools import lru_cache
from pathlib import Path

MISSING = ""
ROOT = Path(__file__).resolve().parents[2]
_OURS = tuple(str(ROOT / name) for name in ("planner", "reports", "scenarios", "solvers"))
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

_SYSTEM = ("/proc", "/sys", "/dev", "/run")
_CACHED_CODE = (".nbi", ".nbc")
"""Endings of numba's compiled functions, which follow from their sources."""

HASHING = threading.local()
"""``now`` is set while this package itself opens files."""


def is_of_library(path: str) -> bool:
    """Whether the version of Headroom, of Python or of a library identifies a file."""
    return _is_within(path, (*_LIBRARIES, *_OURS)) or path == str(ROOT / "headroom.py")


def is_no_input(path: str) -> bool:
    """Whether nothing depends on a file: it is a library's, the system's, or in a cache."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - called for every file that is opened
    return (
        is_of_library(path)
        or _is_within(path, (*_SYSTEM, os.path.realpath(caches)))
        or path.endswith(_CACHED_CODE)
        or f"{os.sep}__pycache__{os.sep}" in path
    )


def _is_within(path: str, folders: tuple[str, ...]) -> bool:
    return any(path.startswith(f"{folder}{os.sep}") for folder in folders)


def digest_of(path: str) -> str:
    """SHA-256 of a file, or of the names in a folder whose path ends with a separator.

    Empty if there is none, and for a pipe or device, which must not be read.
    """
    return _quiet(path, known=False)


def digest_now(path: str) -> str:
    """As :func:`digest_of`, but read again only if size, time or place of the file changed."""
    return _quiet(path, known=True)


def _quiet(path: str, *, known: bool) -> str:
    quiet = getattr(HASHING, "now", False)
    HASHING.now = True
    try:
        if path.endswith(os.sep):
            names = sorted(name for name in os.listdir(path) if name != "__pycache__")  # noqa: PTH208 - called for every folder that is listed
            return hashlib.sha256("\0".join(names).encode(errors="surrogateescape")).hexdigest()
        facts = os.stat(path)  # noqa: PTH116 - the same
        if not stat.S_ISREG(facts.st_mode):
            return MISSING
        if not known:
            return _read(path)
        return _read_once(
            path, facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns
        )
    except (OSError, ValueError):
        return MISSING
    finally:
        HASHING.now = quiet


@lru_cache(maxsize=10_000)
def _read_once(path: str, *_facts: int) -> str:
    return _read(path)


def _read(path: str) -> str:
    with open(path, "rb") as stream:  # noqa: PTH123 - within the hook of open
        return hashlib.file_digest(stream, "sha256").hexdigest()
