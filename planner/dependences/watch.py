"""Files of a part's folder that any code opens: Python's, compiled code's, and other programs'.

Python's audit hook hears only what Python itself opens. Linux tells of every file in a folder that
is opened (inotify), so a reader in C, such as that of Parquet, is heard there too.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress

from planner.dependences.content import is_of_library

MOST = 5_000
"""Folders and links that are watched; a system allows a user about 8,000 or more."""
AVAILABLE = sys.platform == "linux"

_OPEN, _MOVED_TO, _CREATE = 0x20, 0x80, 0x100
_OVERFLOW, _IS_FOLDER = 0x4000, 0x40000000
_HEAD = struct.Struct("iIII")
_PART = 1 << 16
_SKIPPED = frozenset(("__pycache__", ".git", ".hg", ".svn"))


class FolderWatch:
    """Hears which files in a folder are opened.

    Attributes
    ----------
    process
        Number of the process that made it: a forked one would take events from it.
    trouble
        Why it may miss a file; empty if it misses none.
    """

    def __init__(self, folder: str) -> None:
        self.process = os.getpid()
        self.trouble = ""
        self._paths: dict[int, str] = {}
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle: int = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._handle < 0:
            self._failed(folder)
        self._add_tree(folder)

    def opened(self) -> tuple[set[str], set[str]]:
        """Return the files that were opened since the last call, and those that were made."""
        files, made = set(), set()
        for place, mask, name in self._events():
            path = os.path.join(self._paths[place], name) if name else self._paths[place]  # noqa: PTH118 - many events
            if mask & (_CREATE | _MOVED_TO):
                if mask & _IS_FOLDER or os.path.islink(path):  # noqa: PTH114 - the same
                    self._add_tree(path)
                if mask & _CREATE:
                    made.add(path)
            if mask & _OPEN and not mask & _IS_FOLDER:
                files.add(path)
        return files, made

    def _events(self) -> Iterator[tuple[int, int, str]]:
        while True:
            try:
                part = os.read(self._handle, _PART)
            except OSError:  # nothing more, or no watch at all
                return
            start = 0
            while start < len(part):
                place, mask, _, length = _HEAD.unpack_from(part, start)
                start += _HEAD.size + length
                if mask & _OVERFLOW:
                    self.trouble = self.trouble or "too many files were opened at once"
                elif place in self._paths:
                    name = part[start - length : start].split(b"\0", 1)[0]
                    yield place, mask, os.fsdecode(name)

    def _add_tree(self, top: str) -> None:
        """Watch a folder, those in it, and what its links lead to; or one link."""
        waiting, seen = [top], set()
        while waiting and not self.trouble:
            folder = waiting.pop()
            real = os.path.realpath(folder)
            if real in seen or is_of_library(f"{real}{os.sep}"):
                continue
            seen.add(real)
            self._add(folder)
            with suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir():
                        if entry.name not in _SKIPPED:
                            waiting.append(entry.path)
                    elif entry.is_symlink() and entry.is_file():
                        self._add(entry.path)

    def _add(self, path: str) -> None:
        if len(self._paths) >= MOST:
            self.trouble = self.trouble or f"the folder holds more than {MOST:,} folders and links"
            return
        mask = _OPEN | _MOVED_TO | _CREATE
        place = self._libc.inotify_add_watch(self._handle, os.fsencode(path), mask)
        if place >= 0:
            self._paths[place] = path
        elif os.path.exists(path):  # noqa: PTH110 - many folders
            self._failed(path)

    def _failed(self, path: str) -> None:
        reason = os.strerror(ctypes.get_errno())
        self.trouble = self.trouble or f"{path} cannot be watched ({reason})"
