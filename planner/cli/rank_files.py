"""Rank files as commands write them, and what they say of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import click

from planner.cli.files import refuse_target
from planner.cli.runner import Run
from planner.cli.typed import WrittenPath, option
from planner.cli.written_model import refuse_model_file
from planner.errors import InputError

if TYPE_CHECKING:
    from planner.placement.layout import Layout
    from planner.placement.rank_files import FileForm

FORMS = ("openmpi-4", "openmpi-5", "slurm", "mpich", "csv")
"""Names of :data:`planner.placement.rank_files.FileForm`, which is slow to import."""

OPENINGS: Mapping[str, bytes] = {
    "openmpi-4": b"rank 0=",
    "openmpi-5": b"rank 0=",
    "slurm": b"",
    "mpich": b"",
    "csv": b"rank,host,",
}
"""How every rank file of a form begins; a list of hosts begins as any text may."""


rank_file_option = partial(option, "--write-rank-file", type=WrittenPath())
rank_file_form_option = partial(
    option,
    "--rank-file-form",
    type=click.Choice(FORMS),
    default="openmpi-5",
    help="Format of the rank file.",
)
host_option = partial(
    option,
    "--host",
    listed=True,
    help="Host names of all nodes in order: n01,n02.  [default: node0,node1,...]",
)


def refuse_targets(rank_file: str | None, form: FileForm, model: str | None, run: Run) -> None:
    """Ask before the work whether the rank file and the model can be written.

    Raises
    ------
    InputError
        One cannot, or it would replace an input, a result, or the other.
    """
    refuse_target("--write-rank-file", rank_file, run.inputs, run.output.out, OPENINGS[form])
    refuse_model_file(model, run, [("--write-rank-file", rank_file)])


def rank_file_written(layout: Layout, path: str, form: FileForm) -> tuple[str, ...]:
    """Write the rank file; how to start a program with it.

    Raises
    ------
    InputError
        It cannot be written.
    """
    from planner.cli.check_inputs import remarked
    from planner.placement.launching import launch
    from planner.placement.rank_files import write_rank_file

    try:
        write_rank_file(path, form, layout)
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}); give another file"
        raise InputError(message) from None
    how = launch(form, layout, path)
    words = [f"Rank file: {path}"]
    if how.command:
        words.append(f"Start with: {how.command} PROGRAM")
    return (*words, *(f"Note: {note}" for note in remarked(how.remarks, "place")))
