"""Own measurements as the gate's inputs: a table of pairs, and a table of counters."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.colocation.gate.inputs import Pairs, run_variance
from planner.colocation.tangram.metrics import Floats, makespan_ratio
from planner.errors import InputError
from scenarios.pairs.listed import COLUMNS

if TYPE_CHECKING:
    import pandas as pd

NAME, SPREAD = "application", "run_spread"
_MOST_BYTES = 50_000_000


def own_pairs(pairs: Any, profiles: Any) -> Pairs:
    """Measured pairs, and all pairs of new applications with measured ones.

    Parameters
    ----------
    pairs
        A frame, or the path of a CSV file, with the columns
        ``a, b, solo_a_s, solo_b_s, co_a_s, co_b_s`` [s], one co-run per row.
    profiles
        A frame or a CSV file with the column ``application``, counters of solo runs in further
        columns, and as an option ``run_spread``, the standard deviation of the logarithm of the
        application's run times. Applications without a measured pair are new.

    Raises
    ------
    InputError
        A column, an application or a number is missing or wrong.
    """
    measured = _frame(pairs, COLUMNS, "pairs")
    table = _frame(profiles, (NAME,), "profiles")
    names = [str(name) for name in table[NAME]]
    _check_names(names, measured)
    counters = [str(name) for name in table.columns if name not in {NAME, SPREAD}]
    if not counters:
        raise InputError("profiles has no counter; add a column such as instructions per cycle")
    values = np.column_stack([_numbers(table, name, "profiles") for name in counters])
    spread = np.zeros(len(names))
    if SPREAD in table:
        spread = _numbers(table, SPREAD, "profiles", least=0.0)
    times = [_numbers(measured, name, "pairs", least=0.0, above=True) for name in COLUMNS[2:]]
    place = {name: number for number, name in enumerate(names)}
    a = np.array([place[str(name)] for name in measured["a"]], dtype=np.int64)
    b = np.array([place[str(name)] for name in measured["b"]], dtype=np.int64)
    return _with_new(names, values, spread, a, b, times)


def _with_new(
    names: Sequence[str], values: Floats, spread: Floats, a: Any, b: Any, times: list[Floats]
) -> Pairs:
    """Measured rows, then a row for each new application with each measured one."""
    known = np.unique(np.concatenate([a, b]))
    new = np.setdiff1d(np.arange(len(names)), known)
    first, second = (each.ravel() for each in np.meshgrid(new, known, indexing="ij"))
    share = np.concatenate([times[0] / (times[0] + times[1]), np.full(len(first), 0.5)])
    both_a, both_b = np.concatenate([a, first]), np.concatenate([b, second])
    makespan = np.concatenate([makespan_ratio(*times), np.full(len(first), np.nan)])
    return Pairs(
        tuple(names), both_a, both_b, values, values[both_a], values[both_b],
        np.ones(len(both_a), dtype=np.int64), makespan,
        run_variance(spread[both_a], spread[both_b], share, both_a == both_b),
    )  # fmt: skip


def _frame(source: Any, needed: Sequence[str], what: str) -> pd.DataFrame:
    import pandas as pd

    if isinstance(source, str | os.PathLike):
        source = _read(Path(source), what)
    if not isinstance(source, pd.DataFrame):
        raise InputError(f"{what} is a {type(source).__name__}; give a pandas frame or a CSV file")
    missing = [name for name in needed if name not in source.columns]
    if missing:
        raise InputError(f"{what} has no column {missing[0]!r}; it needs {', '.join(needed)}")
    if not len(source):
        raise InputError(f"{what} has no row; give at least one")
    return source


def _read(path: Path, what: str) -> pd.DataFrame:
    import pandas as pd

    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path} is larger than 50 MB; give fewer rows")
        return pd.read_csv(path, skipinitialspace=True)
    except OSError as error:
        raise InputError(f"{what}: {path} cannot be read ({error.strerror})") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise InputError(f"{what}: {path} is no CSV table ({error}); save it as CSV") from None


def _check_names(names: list[str], measured: pd.DataFrame) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"profiles has {twice[0]!r} twice; give one row for each application")
    for side in ("a", "b"):
        for row, name in enumerate(measured[side], 1):
            if str(name) not in names:
                raise InputError(
                    f"pairs, row {row}: {name!r} has no profile; add a row to profiles"
                )


def _numbers(
    table: pd.DataFrame, name: str, what: str, *, least: float = -np.inf, above: bool = False
) -> Floats:
    import pandas as pd

    numbers = pd.to_numeric(table[name], errors="coerce").to_numpy(dtype=float)
    wrong = ~np.isfinite(numbers) | (numbers < least) | (above & (numbers <= least))
    if wrong.any():
        row = int(np.argmax(wrong))
        wanted = "a number" if least < 0 else f"a number {'above' if above else 'of at least'} 0"
        raise InputError(
            f"{what}, row {row + 1}, {name}: {table[name].iloc[row]!r} is not {wanted}; correct it"
        )
    return numbers
