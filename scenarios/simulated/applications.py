"""The eight applications of the thesis, and the one that its variability study ran."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from scenarios.simulated.machine import DATA

NAMES = ("SPhot", "BT-MZ", "SP-MZ", "LU-MZ", "SC", "NSC", "SM", "NSM")
REAL = NAMES[:4]
Problem = Literal["C", "D"]


@dataclass(frozen=True)
class Application:
    """What one application asks of the machine.

    Attributes
    ----------
    name, problem
        Its name, and the size of its input: class C (chapter 3) or D (chapter 5).
    gigacycles
        Work: billions of core cycles without a wait for memory.
    serial
        Share of a rank's work that one thread does while the others spin.
    active_nf, stalled_nf
        Switched capacitance of a core while it computes and while it waits for memory: watts
        per V^2 GHz.
    stream_gb, reuse_gb
        Memory traffic of a billion cycles [GB]: always, and where the caches do not hold it.
    working_set_gb
        Data of the whole problem; 0 where the caches never hold it.
    service, row_conflicts
        Share of the memory channels' rate that the access pattern leaves, and its loss at eight
        waiting cores.
    crowding
        Stretch of the computing time while the system's threads want more cores than are free.
    zones, zone_ratio
        Pieces that are not divided among ranks (0: any division), and the largest over the
        smallest.
    steps, halo_gb, reductions
        Time steps; data that a step exchanges, per rank at one rank [GB]; reductions a step.
    exchanges, block_mb
        All-to-all exchanges of the whole run; block to each partner [MB].
    """

    name: str
    problem: Problem
    gigacycles: float
    serial: float
    active_nf: float
    stalled_nf: float
    stream_gb: float
    reuse_gb: float
    working_set_gb: float
    service: float
    row_conflicts: float
    crowding: float
    zones: int
    zone_ratio: float
    steps: int
    halo_gb: float
    reductions: int
    exchanges: int
    block_mb: float


@cache
def load_applications(problem: Problem = "C") -> MappingProxyType[str, Application]:
    """Read the bundled applications, by name; class D changes what its input changes."""
    document = tomllib.loads((DATA / "applications.toml").read_text(encoding="utf-8"))
    applications = {}
    for name, table in document.items():
        larger = table.pop("D", {})
        values = _larger(table, larger) if problem == "D" else table
        applications[name] = Application(name=name, problem=problem, **values)
    return MappingProxyType(applications)


def _larger(table: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return values of the larger input: replaced, or multiplied where the key says so."""
    values = dict(table)
    for key, change in changes.items():
        plain = key.removesuffix("_times")
        values[plain] = change if plain == key else table[plain] * change
    return values


def find_application(name: str, problem: Problem = "C") -> Application:
    """Find one application by name.

    Raises
    ------
    ValueError
        No application of that name.
    """
    applications = load_applications(problem)
    if name in applications:
        return applications[name]
    close = difflib.get_close_matches(name, applications, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(applications)}"
    raise ValueError(f"no simulated application is named {name!r}; {hint}")
