"""The option ``--write-model``: the readable program of a decision, for solvers outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cli.edges import refuse_unwritable_file
from planner.cli.files import refuse_replaced, taken_by
from planner.cli.runner import Run
from planner.cli.typed import WrittenPath, option
from planner.errors import InputError

if TYPE_CHECKING:
    from planner.formulations.model_files import NamedModel

_REMEDY = "give another file for --write-model"


write_model_option = partial(
    option,
    "--write-model",
    type=WrittenPath(),
    metavar="FILE.lp|FILE.mps",
    help="Write the model for other solvers, and FILE.names.csv, which explains its names. "
    "Files with other content are replaced with --force only.",
)


def refuse_model_file(
    path: str | None, run: Run, others: Iterable[tuple[str, str | None]] = ()
) -> None:
    """Ask before the work whether the model can be written.

    Parameters
    ----------
    others
        Further options with the file that each writes.

    Raises
    ------
    InputError
        Its name has another ending, another file has it or that of its names, or it cannot be
        written.
    """
    if path is None:
        return
    from planner.formulations.model_files import LEGEND, model_paths

    paths = model_paths(Path(path))
    targets = [(option, Path(other)) for option, other in others if other is not None]
    targets += [("--write-model", path) for path in paths]
    refuse_replaced(targets, taken_by(run.inputs), run.output.out)
    first = {".lp": (b"Min", b"Max", b"\\"), ".mps": (b"NAME", b"*")}
    openings: tuple[bytes | tuple[bytes, ...], ...] = (
        first[paths[0].suffix],
        ",".join(LEGEND).encode(),
    )
    for target, opening in zip(paths, openings, strict=True):
        refuse_unwritable_file(target, opening)


def model_written(path: str | None, model: Callable[[], NamedModel]) -> tuple[str, ...]:
    """Write the model if that was asked for; the lines that say where it is.

    Parameters
    ----------
    model
        Makes the model.

    Raises
    ------
    InputError
        A file exists with other content, or cannot be written; or the model is too large for plain
        algebra.
    """
    if path is None:
        return ()
    from planner.errors import TooLargeError
    from planner.formulations.model_files import NAMES, model_paths, model_texts, write_texts

    file, names = model_paths(Path(path))
    named = model()
    try:
        texts = model_texts(named, (file.suffix,))
    except TooLargeError as error:
        reason = str(error).partition(";")[0]
        raise InputError(f"{reason}; leave --write-model out") from None
    write_texts({file: texts[file.suffix], names: texts[NAMES]}, _REMEDY)
    return (f"Model: {file}; {names.name} explains its names.",)
