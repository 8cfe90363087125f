"""Which column of a table of jobs holds what, by its heading or by the user's word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import nearest
from scenarios.tables.cell_text import CellError, quoted
from scenarios.tables.columns import unit_at_end
from scenarios.tables.heading_words import other_quantity, unsure_unit
from scenarios.tables.headings import heading_text, split_unit
from scenarios.tables.units import dimension_of, factor

Known = Mapping[str, tuple[str, ...]]
"""Headings by what the column holds; of several, the first goes before."""

MOST_COLUMNS = 1000
_UNITS = {
    **dict.fromkeys(("submit_s", "start_s", "end_s", "run_s"), "s"),
    "requested_s": "min",
    "energy_j": "J",
    "processors": "",
}
"""Units of Slurm's numbers, by what a column holds."""

_SIGNS = re.compile(r"[\W_]+")


def key(heading: str) -> str:
    """Return a heading without unit, capitals, blanks and signs.

    Examples
    --------
    >>> key("Run_Time [s]"), key("run_s")
    ('runtime', 'runs')
    """
    return _SIGNS.sub("", split_unit(heading)[0]).lower()


def find_columns(
    headings: Sequence[str],
    known: Known,
    columns: Mapping[str, str] | None,
    file_name: str,
    line: int,
) -> dict[str, list[int]]:
    """Return the indices of the columns by what they hold, in order of precedence.

    Raises
    ------
    ScenarioError
        The user's mapping names a missing column, or a heading occurs twice.
    """
    texts = [key(heading_text(heading)) for heading in headings]
    faults = []
    if len(texts) > MOST_COLUMNS:
        message = f"{len(texts)} columns, more than {MOST_COLUMNS}; delete some"
        raise ScenarioError([Fault(file_name, line, "", message)])
    candidates = {**known}
    for target, heading in (columns or {}).items():
        if target not in known:
            message = f"there is no column {quoted(target)}; {nearest(target, [*known])}"
            faults.append(Fault(file_name, 0, "columns", message))
        elif not key(heading) or key(heading) not in texts:
            remedy = nearest(heading, [candidate for candidate in headings if candidate.strip()])
            faults.append(
                Fault(
                    file_name, line, "columns", f"there is no heading {quoted(heading)}; {remedy}"
                )
            )
        else:
            candidates[target] = (heading,)
            if message := _other_unit(target, headings[texts.index(key(heading))]):
                faults.append(Fault(file_name, line, "columns", message))
    places: dict[str, list[int]] = {}
    for target, names in candidates.items():
        for name in dict.fromkeys(map(key, names)):
            indices = [index for index, text in enumerate(texts) if text == name]
            if len(indices) > 1:
                message = "is the heading of two columns; rename one of them"
                faults.append(Fault(file_name, line, headings[indices[1]], message))
            places.setdefault(target, []).extend(indices[:1])
    if faults:
        raise ScenarioError(list(dict.fromkeys(faults)))
    return {target: indices for target, indices in places.items() if indices}


def _other_unit(target: str, heading: str) -> str:
    """Return what is wrong with a heading whose unit is not that in which a column is read."""
    if target not in _UNITS:
        return ""
    own = _UNITS[target]
    unit = split_unit(heading)[1] or unsure_unit(heading) or unit_at_end(heading)
    if not unit:
        other = other_quantity(heading, dimension_of(own))
        message = f"{quoted(heading)} names {quoted(other)}, not {target}; choose another column"
        return message if other else ""
    with suppress(CellError):
        if own and factor(unit, dimension_of(own), "") == factor(own, dimension_of(own), ""):
            return ""
    wanted = f"is read in {own}" if own else "has no unit"
    return f"{quoted(heading)} is in {quoted(unit)}, but {target} {wanted}; choose another column"


def missing_column(
    target: str, headings: Sequence[str], file_name: str, line: int, remedy: str
) -> Fault:
    """Return the error of a required column that is missing."""
    listed = ", ".join(quoted(heading) for heading in headings[:20] if heading.strip()) or "none"
    message = f"there is no column {target} (columns: {listed}); {remedy}"
    return Fault(file_name, line, "", message)
