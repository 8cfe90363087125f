"""Names of values in words: ``mean_wait_s`` is ``Mean wait [s]``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from planner.formatting import capitalised

_UNITS = {
    "s": "s", "ms": "ms", "us": "µs", "h": "h", "hours": "h", "weeks": "weeks",
    "w": "W", "kw": "kW", "mw": "MW", "j": "J", "kj": "kJ", "wh": "Wh", "kwh": "kWh",
    "gb": "GB", "mb": "MB", "kb": "kB", "bytes": "bytes", "gb_s": "GB/s", "su": "SU",
    "kg_co2e": "kg CO2e", "percent": "%",
}  # fmt: skip
"""Units that the name of a value ends with."""

_WORDS = {
    "p05": "5th percentile of", "p90": "90th percentile of", "p95": "95th percentile of",
    "p99": "99th percentile of", "max": "largest", "min": "smallest", "it": "IT", "cpu": "CPU",
    "gpu": "GPU", "io": "I/O", "ipc": "IPC", "mpi": "MPI", "dram": "DRAM", "id": "id", "su": "SU",
}  # fmt: skip


def heading(key: str) -> str:
    """The name of a value in words, with its unit.

    Examples
    --------
    >>> heading("mean_wait_s"), heading("p95_wait_s"), heading("bandwidth_gb_s")
    ('Mean wait [s]', '95th percentile of wait [s]', 'Bandwidth [GB/s]')
    >>> heading("nodes"), heading("IT power [W]"), heading("price_per_kwh")
    ('Nodes', 'IT power [W]', 'Price per kWh')
    """
    if not re.fullmatch(r"[a-z0-9_.]+", key):  # in part written by people
        return sheet_title(key.replace(".", ": "))
    name, unit = key.replace(".", "_"), ""
    for ending in sorted(_UNITS, key=len, reverse=True):
        if name.endswith(f"_{ending}") and not name.endswith(f"_per_{ending}"):
            name, unit = name.removesuffix(f"_{ending}"), f" [{_UNITS[ending]}]"
            break
    words = [_WORDS.get(word, _UNITS.get(word, word) if after else word)
             for after, word in _with_per(name.split("_"))]  # fmt: skip
    text = " ".join(words)
    return f"{capitalised(text)}{unit}" if text else key


def unit_of(key: str) -> str:
    """The unit that the name of a value ends with; empty if it has none.

    Examples
    --------
    >>> unit_of("bound_w"), unit_of("bandwidth_gb_s"), unit_of("capital")
    ('w', 'gb_s', '')
    """
    endings = sorted(_UNITS, key=len, reverse=True)
    return next((unit for unit in endings if key.endswith(f"_{unit}")), "")


def sheet_title(name: str) -> str:
    """The name of a sheet in words.

    Examples
    --------
    >>> sheet_title("bill_of_materials"), sheet_title("by run time")
    ('Bill of materials', 'By run time')
    """
    return capitalised(name).replace("_", " ")


def _with_per(words: list[str]) -> Iterable[tuple[bool, str]]:
    """Each word, and whether it follows ``per``, so that it is a unit."""
    return zip((False, *(word == "per" for word in words)), words, strict=False)
