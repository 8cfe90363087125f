"""Columns of a workbook: headings in words with units, and the format of their numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

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
_SHARES = ("share", "fraction", "utilisation", "gap", "discount", "probability", "efficiency")
_PLACES = 4
"""Significant digits that a number shows; the cell holds all of them."""


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
    return f"{text[0].upper()}{text[1:]}{unit}" if text else key


def sheet_title(name: str) -> str:
    """The name of a sheet in words.

    Examples
    --------
    >>> sheet_title("bill_of_materials"), sheet_title("by run time")
    ('Bill of materials', 'By run time')
    """
    return name[:1].upper() + name[1:].replace("_", " ")


def _with_per(words: list[str]) -> Iterable[tuple[bool, str]]:
    """Each word, and whether it follows ``per``, so that it is a unit."""
    return zip((False, *(word == "per" for word in words)), words, strict=False)


def number_format(key: str, values: Iterable[Any]) -> str:
    """The format of a column's numbers: thousands separated, four digits, shares in per cent.

    Examples
    --------
    >>> number_format("nodes", [12, 40_000]), number_format("utilisation", [0.4804])
    ('#,##0', '0.0%')
    >>> number_format("time_s", [1.25, 14.0]), number_format("energy_kwh", [123_456.7])
    ('#,##0.00', '#,##0')
    """
    numbers = [abs(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    finite = [number for number in numbers if math.isfinite(number)]
    if key.rsplit("_", 1)[-1] in _SHARES and finite and max(finite) <= 1:
        return "0.0%"
    if all(number == int(number) for number in finite):
        return "#,##0"
    largest = max(finite)
    places = max(0, _PLACES - 1 - math.floor(math.log10(largest))) if largest else 0
    return "#,##0" + ("." + "0" * min(places, 2 + (largest < 1) * 4) if places else "")
