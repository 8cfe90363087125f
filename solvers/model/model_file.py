"""A model as a file that any solver reads: LP or MPS, with the names of its columns and rows."""

from __future__ import annotations

import re

import numpy as np

from solvers.model.milp import Milp, MilpBuilder, ModelError
from solvers.model.mps import lp_text, mps_text

ENDINGS = (".lp", ".mps")
"""Formats by the ending of the file."""

CONSTANT = "constant"
"""Column fixed at 1 that carries the constant of the objective: not every reader takes one."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.()]{0,254}")
_NUMBER = re.compile(r"[eE][0-9]*")
_KEYWORDS = {
    *("min", "max", "minimize", "maximize", "minimise", "maximise", "st", "s.t.", "subject"),
    *("to", "such", "that", "bound", "bounds", "free", "inf", "infinity", "int", "integer"),
    *("integers", "general", "generals", "gen", "bin", "binary", "binaries", "semi", "sec"),
    *("sos", "end", "obj"),
}


def model_file(model: Milp, ending: str) -> str:
    """The text of a file with the model, with every digit of its numbers.

    Parameters
    ----------
    model
        What to write. A constant of the objective becomes a column that is fixed at 1. In MPS a
        maximisation is negated, since few readers know its sense; the first line says so.
    ending
        ``".lp"`` or ``".mps"``.

    Raises
    ------
    ModelError
        Another ending, a name that the LP format cannot hold, or a model without columns.
    """
    if model.columns == 0:
        raise ModelError("a model without columns cannot be written; add one")
    if ending not in ENDINGS:
        raise ModelError(f"a model cannot be written as {ending!r}; use .lp or .mps")
    plain = _without_constant(model)
    columns = [plain.column_name(column) for column in range(plain.columns)]
    rows = [plain.row_name(row) for row in range(plain.rows)]
    for name in (*columns, *rows):
        refuse_name(name)
    text = lp_text if ending == ".lp" else mps_text
    return text(plain, columns, rows)


def refuse_name(name: str) -> None:
    """Refuse a name that the LP format cannot hold.

    Raises
    ------
    ModelError
        It is empty, too long, a keyword, a number, or has other letters than A-Z, digits, ``_``,
        ``.``, ``(`` and ``)``.
    """
    if _NAME.fullmatch(name) and not _NUMBER.fullmatch(name) and name.lower() not in _KEYWORDS:
        return
    raise ModelError(
        f"the LP format cannot hold the name {name!r}; use letters, digits, _ . ( ), at most 255, "
        "no keyword of the format, and no number such as e1"
    )


def _without_constant(model: Milp) -> Milp:
    if not model.constant:
        return model
    build = MilpBuilder(model.sense, name=model.name)
    build.add_columns(
        model.columns + 1,
        cost=np.r_[model.cost, model.constant],
        lower=np.r_[model.column_lower, 1.0],
        upper=np.r_[model.column_upper, 1.0],
        integer=np.r_[model.is_integer, False],
        names=(*model.column_names, CONSTANT) if model.column_names else (),
    )
    build.add_rows(
        model.row_of_nonzero,
        model.column_indices,
        model.coefficients,
        lower=model.row_lower,
        upper=model.row_upper,
        names=model.row_names,
    )
    return build.model()
