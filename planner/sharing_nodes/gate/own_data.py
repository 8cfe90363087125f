"""Own measurements as the gate's inputs: a table of pairs, and a table of counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.sharing_nodes.gate.inputs import GatePairs, run_variance
from planner.sharing_nodes.gate.own_tables import Headings, OwnTable, Range, read_table
from planner.sharing_nodes.tangram.metrics import Floats, makespan_ratio
from scenarios.formatting import short
from scenarios.pairs.cells import LEAST, MOST
from scenarios.pairs.listed import COLUMNS

NAME, SPREAD = "application", "run_spread"
_TIMES = Range(LEAST, MOST, f"a number above 0 and at most {MOST:g}")
_COUNTERS = Range(-1e15, 1e15, "a number from -1e15 to 1e15")
_SPREADS = Range(0.0, 10.0, "a number of at least 0 and at most 10")


Basis = Literal["job", "step"]
"""What the times of a co-run are: run times of whole jobs, or seconds per step or iteration."""


Digests = tuple[tuple[str, str], ...]
"""Name of each file that was read, and the SHA-256 of its content."""


def own_pairs(
    pairs: Any,
    profiles: Any,
    basis: Basis = "job",
    sheet: str | None = None,
    profiles_sheet: str | None = None,
) -> tuple[GatePairs, float, Digests]:
    """Measured pairs, and all pairs of new applications with measured ones.

    Parameters
    ----------
    pairs
        A frame, or the path of a CSV or XLSX file, with the columns
        ``a, b, solo_a_s, solo_b_s, co_a_s, co_b_s`` [s], one co-run per row.
    profiles
        A frame or such a file with the column ``application``, counters of solo runs in further
        columns, and as an option ``run_spread``, the standard deviation of the logarithm of the
        application's run times. Applications without a measured pair are new.
    basis
        What the times are. With steps only the slowdown counts: both jobs are taken to last equally
        long alone.
    sheet, profiles_sheet
        Sheets of the two files, if they are workbooks with several.

    Returns
    -------
    tuple
        The pairs, the largest time of all over the smallest, and the digests of the files.

    Raises
    ------
    InputError
        A column, an application or a number is missing or wrong.
    """
    measured = read_table(pairs, Headings(COLUMNS, names=COLUMNS[:2]), "pairs", sheet)
    known = Headings((NAME,), (SPREAD,), others=True, names=(NAME,))
    table = read_table(profiles, known, "profiles", profiles_sheet, "--profiles-sheet")
    names = table.names(NAME)
    index = _numbered(names, table)
    counters = [name for name in table.columns if name not in {NAME, SPREAD}]
    if not counters:
        raise InputError(
            f"{table.shown} has no counter; add a column such as instructions per cycle"
        )
    values = np.column_stack([table.numbers(name, _COUNTERS) for name in counters])
    spread = np.zeros(len(names))
    if SPREAD in table.columns:
        spread = table.numbers(SPREAD, _SPREADS)
    times = [measured.numbers(name, _TIMES) for name in COLUMNS[2:]]
    a, b = (_applications(measured, side, index, table.shown) for side in ("a", "b"))
    ratio = max(float(each.max()) for each in times) / min(float(each.min()) for each in times)
    if basis == "step":
        alone = np.ones(len(a))
        times = [alone, alone, times[2] / times[0], times[3] / times[1]]
    files = ((Path(one.shown).name, one.sha256) for one in (measured, table) if one.sha256)
    return _with_new(names, values, spread, a, b, times), ratio, tuple(dict.fromkeys(files))


def _with_new(
    names: Sequence[str], values: Floats, spread: Floats, a: Any, b: Any, times: list[Floats]
) -> GatePairs:
    """Measured rows, then a row for each new application with each measured one."""
    known = np.unique(np.concatenate([a, b]))
    new = np.setdiff1d(np.arange(len(names)), known)
    first, second = (grid.ravel() for grid in np.meshgrid(new, known, indexing="ij"))
    share = np.concatenate([times[0] / (times[0] + times[1]), np.full(len(first), 0.5)])
    both_a, both_b = np.concatenate([a, first]), np.concatenate([b, second])
    makespan = np.concatenate([makespan_ratio(*times), np.full(len(first), np.nan)])
    return GatePairs(
        tuple(names), both_a, both_b, values, values[both_a], values[both_b],
        np.ones(len(both_a), dtype=np.int64), makespan,
        run_variance(spread[both_a], spread[both_b], share, both_a == both_b),
    )  # fmt: skip


def _numbered(names: Sequence[str], profiles: OwnTable) -> dict[str, int]:
    """The number of each application by its name."""
    index = {name: number for number, name in enumerate(names)}
    for number, name in enumerate(names):
        if index[name] != number:
            raise InputError(
                f"{profiles.shown} has {short(name)} twice; give one row for each application"
            )
    return index


def _applications(
    pairs: OwnTable, side: str, place: Mapping[str, int], profiles: str
) -> NDArray[np.int64]:
    """The number of the application in each row of a column."""
    names = pairs.names(side)
    for row, name in enumerate(names):
        if name not in place:
            raise pairs.refusal(row, f"{short(name)} has no profile; add a row to {profiles}")
    return np.array([place[name] for name in names], dtype=np.int64)
