"""How the program is started: the rank file's first lines, and what goes before the program."""

from __future__ import annotations

import re

from planner.formatting import capitalised, clipped
from planner.placement.bundle import FOLDER, launcher, path_of, started
from planner.placement.findings import better_one
from planner.placement.launching import BINDING
from planner.placement.rank_files import FILE_FORMS, rank_file
from planner.placement.study import PlacementStudy
from reports.blocks import Block, Drawn, Page, bullets, code, grid, subheading, text
from reports.grid import Table, table

TITLE = "How to start the program"
_LINES = 6
_WIDEST = 96


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """The launch line, an excerpt of the file, and the files of all launchers."""
    form = study.settings.form
    how = started(form, study.layout)
    blocks: list[Block] = []
    if how.command:
        blocks += [
            text("Run this in the folder of the report:"),
            code(typed(f"{how.command} PROGRAM")),
        ]
    if how.remarks:
        blocks.append(bullets([f"{capitalised(remark)}." for remark in how.remarks]))
    if form != "slurm" and (slurm := started("slurm", study.layout).command):
        blocks += [
            text("Or with Slurm; what must hold for it is in launch.txt:"),
            code(typed(f"{slurm} PROGRAM")),
        ]
    blocks += [
        subheading(f"First lines of {path_of(form)}"),
        code(excerpt(study)),
        grid(_files(study), f"Files in {FOLDER}"),
    ]
    return Page(TITLE, _answer(study), tuple(block for block in blocks if block))


def started_with(study: PlacementStudy) -> str:
    """The launcher of the selected format; empty where it is for none."""
    form = study.settings.form
    return launcher(form) if started(form, study.layout).command else ""


def _answer(study: PlacementStudy) -> str:
    who = started_with(study)
    with_file = f"Use {path_of(study.settings.form)}" + (f" with {who}." if who else ".")
    best = better_one(study)
    if best is not None:
        return f"Not with this rank file: the method {best.name} found a better placement."
    if study.placement.moved_by_pins:
        return with_file
    if study.slight:
        return "As before: the rank file gains less than 1 %."
    if study.comparison in ("silent", "same"):
        return "As before: a rank file gains nothing. For reference, this is how to use it."
    if study.comparison == "worse":
        return "Without a rank file: the one found here is worse than the default mapping."
    return with_file


def typed(command: str, widest: int = _WIDEST) -> str:
    r"""A command over several lines, as a shell takes it: each but the last ends with a backslash.

    Examples
    --------
    >>> print(typed("srun --cpu-bind=map_cpu:0,1,2,3,4,5 PROGRAM", 26))
    srun --cpu-bind=map_cpu:\
    0,1,2,3,4,5 PROGRAM
    """
    lines, line = [], ""
    for piece in re.findall(r"[^ ,:]*[ ,:]?", command):
        if len(line) + len(piece) >= widest:
            lines.append(line + "\\")
            line = ""
        line += piece
    return "\n".join([*lines, line])


def excerpt(study: PlacementStudy, lines: int = _LINES) -> str:
    """The first lines of the rank file, and how many follow."""
    every = rank_file(study.settings.form, study.layout).splitlines()
    shown = [clipped(line, _WIDEST) for line in every[:lines]]
    remaining = len(every) - lines
    return "\n".join([*shown, *([f"... and {remaining:,} more lines"] if remaining > 0 else [])])


def _files(study: PlacementStudy) -> Table:
    rows = [
        (path_of(form).removeprefix(f"{FOLDER}/"), launcher(form),
         f"{len(rank_file(form, study.layout).splitlines()):,}")
        for form in FILE_FORMS
    ]  # fmt: skip
    rows.append((BINDING, "binding where a launcher takes one core list for all nodes", ""))
    rows.append(("launch.txt", "start commands for every launcher", ""))
    columns = (("File", False), ("For", False), ("Lines", True))
    return table(columns, (1, 1.6, 0.6), rows, exact=True)
