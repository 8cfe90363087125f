"""The names of all files that a report consists of: one list for checking, writing and clearing."""

from __future__ import annotations

import re
from functools import cache

from planner import registry
from planner.registry import Command

RUN_FILE = "run.json"
LIST_FILE = ".headroom-files.json"
"""It lists what is ours while :data:`RUN_FILE` is away."""

PAGE = "report.html"
"""Written on request."""

FIGURES = "figures"
_FIGURE = re.compile(r"\d+-[^/]+\.(png|svg)")
_PICTURE = re.compile(rf"{FIGURES}/[^/]+\.(png|svg)")


def certain(command: Command) -> tuple[str, ...]:
    """Return the files that every report of this command has; figures depend on the results."""
    return ("report.pdf", f"{command.name}.xlsx", f"{command.name}.json", *command.further_files())


def folders(command: Command) -> tuple[str, ...]:
    """Folders that a report of this command has."""
    inner = {name.rpartition("/")[0] for name in certain(command)} - {""}
    return (FIGURES, *sorted(inner))


def is_figure(name: str) -> bool:
    """Return whether a file in the folder of figures is called as one of ours."""
    return _FIGURE.fullmatch(name) is not None


def can_be_ours(name: str) -> bool:
    """Return whether any report can have a file of this name."""
    if (
        name == "report.html"
        or name in _every((*registry.COMMANDS, *registry.OF_OPTIONS))
        or _PICTURE.fullmatch(name) is not None
    ):
        return True
    return "/" in name and _kind(name) in _kinds(registry.COMMANDS)


@cache
def _every(commands: tuple[Command, ...]) -> frozenset[str]:
    return frozenset(name for command in commands if command.answers for name in certain(command))


@cache
def _kinds(commands: tuple[Command, ...]) -> frozenset[tuple[str, str]]:
    """Folder and ending of further files: an earlier version may have called one otherwise."""
    return frozenset(_kind(name) for name in _every(commands) if "/" in name)


def _kind(name: str) -> tuple[str, str]:
    folder, _, file = name.rpartition("/")
    return folder, file.rpartition(".")[2]
