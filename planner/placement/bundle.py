"""Rank files for every launcher, and how to start a program with each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from planner.finding import Finding
from planner.placement.launching import BINDING, Launch, launch
from planner.placement.layout import Layout
from planner.placement.rank_files import FILE_FORMS, FileForm, binding, rank_file

FOLDER = "rank-files"
_NAMES: Mapping[FileForm, str] = {
    "openmpi-4": "openmpi-4.txt",
    "openmpi-5": "openmpi-5.txt",
    "slurm": "slurm.txt",
    "mpich": "mpich.txt",
    "csv": "ranks.csv",
}
_LAUNCHERS: Mapping[FileForm, str] = {
    "openmpi-4": "Open MPI 4",
    "openmpi-5": "Open MPI 5",
    "slurm": "Slurm",
    "mpich": "MPICH",
    "csv": "spreadsheets",
}
_STARTS = "launch.txt"
NAMES = (*_NAMES.values(), BINDING, _STARTS)
"""Names of all files in the folder."""
FILES = tuple(f"{FOLDER}/{name}" for name in NAMES)
"""Their paths in the folder of a report."""


def path_of(form: FileForm) -> str:
    """Where a form lies, as seen from the folder that holds all of them."""
    return f"{FOLDER}/{_NAMES[form]}"


def launcher(form: FileForm) -> str:
    """Who reads a form."""
    return _LAUNCHERS[form]


def started(form: FileForm, layout: Layout) -> Launch:
    """How to start a program, from within the folder that holds all of them."""
    return launch(form, layout, path_of(form), f"{FOLDER}/{BINDING}")


Said = Callable[[Iterable[Finding]], Iterable[str]]
"""What makes sentences of findings."""


def bundle(layout: Layout, said: Said) -> dict[str, bytes]:
    """Every file by its path, each form once, and the commands that start a program with each.

    Parameters
    ----------
    layout
        Hosts and cores of the ranks.
    said
        Makes sentences of the notes on the commands.
    """
    files = {path_of(form): rank_file(form, layout).encode("ascii") for form in FILE_FORMS}
    files[f"{FOLDER}/{BINDING}"] = binding(layout).encode("ascii")
    files[f"{FOLDER}/{_STARTS}"] = _starts(layout, said).encode("ascii")
    return files


def _starts(layout: Layout, said: Said) -> str:
    """Commands for a shell whose folder is the one above."""
    parts = []
    for form in FILE_FORMS:
        how = started(form, layout)
        if how.command:
            notes = [f"# {note}" for note in said(how.remarks)]
            parts.append("\n".join([f"# {launcher(form)}", *notes, f"{how.command} PROGRAM"]))
    return "\n\n".join(parts) + "\n"
