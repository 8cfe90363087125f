"""A reference formulation as a file for solvers outside Headroom, with what its names mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from planner.errors import InputError
from scenarios.tables.inert import csv_text
from scenarios.writing import write_all
from solvers import Milp, from_pulp
from solvers.model.model_file import CONSTANT, ENDINGS, model_file

if TYPE_CHECKING:
    import pulp

Legend = Sequence[tuple[str, str, str]]
"""What the numbers in the names of variables and constraints mean: index, number, meaning."""

NAMES = ".names.csv"
"""Ending of the file with the legend."""


LEGEND = ("index", "number", "meaning")
"""Headings of that file."""


@dataclass(frozen=True)
class NamedModel:
    """A reference formulation that can be written.

    Attributes
    ----------
    formulate
        Builds it; raises :class:`~planner.errors.TooLargeError`.
    legend
        What the numbers in its names mean, and in its last row what its objective counts.
    """

    formulate: Callable[[], pulp.LpProblem]
    legend: Legend


def model_texts(model: NamedModel, endings: Iterable[str] = ENDINGS) -> dict[str, str]:
    """The files of a model, by their endings: the model in each format, and its legend."""
    built = from_pulp(model.formulate())
    texts = {ending: model_file(built, ending) for ending in endings}
    *names, objective = model.legend
    return texts | {NAMES: csv_text([LEGEND, *names, *_conventions(built), objective])}


def _conventions(model: Milp) -> Legend:
    """What the formats add to a model or change in it."""
    rows = []
    if model.sense == "max":
        meaning = "is maximised; an .mps file minimises its negative, which its first line says"
        rows.append(("sense of the objective", "", meaning))
    if model.constant:
        rows.append((CONSTANT, "", "column fixed at 1, with the constant of the objective"))
    return rows


def model_paths(path: Path) -> tuple[Path, Path]:
    """The file of a model, and that of its names.

    Raises
    ------
    InputError
        Another ending than ``.lp`` or ``.mps``.
    """
    if path.suffix not in ENDINGS or not path.stem:
        raise InputError(f"{path}: the name of a model file must end with .lp or .mps")
    return path, path.with_suffix(NAMES)


def write_texts(texts: Mapping[Path, str], remedy: str) -> None:
    """Write files: all, or none.

    Parameters
    ----------
    remedy
        What to do where a file cannot be written.

    Raises
    ------
    InputError
        A file exists with other content, or cannot be written.
    """
    try:
        write_all({path: text.encode() for path, text in texts.items()})
    except OSError as error:
        raise InputError(
            f"{error.filename} cannot be written ({error.strerror}); {remedy}"
        ) from None
