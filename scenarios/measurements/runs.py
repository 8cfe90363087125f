"""Measured runs of applications: who ran on what, how long it took, and the power that it drew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenarios.remark import Remark
from scenarios.understood import ReadColumn

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of one application, one entry per run, in the order of the file.

    Every repetition is kept as it was measured. Arrays are read-only, of shape ``(runs,)``.

    Attributes
    ----------
    application
        Its name.
    nodes, cores_per_node
        What it ran on.
    package_cap_w
        Cap of one package (socket) [W].
    repetition
        Number of the repetition of its configuration, as in the file, or counted from 1.
    time_s
        Run time [s].
    package_power_w
        Mean package power, summed over all sockets of all nodes [W].
    dram_power_w
        The same of the memory; ``None`` where it was not measured.

    Raises
    ------
    ValueError
        Arrays of different lengths, or none.
    """

    application: str
    nodes: Indices
    cores_per_node: Indices
    package_cap_w: Floats
    repetition: Indices
    time_s: Floats
    package_power_w: Floats
    dram_power_w: Floats | None = None

    def __post_init__(self) -> None:
        lengths = set()
        for name, kind in _ARRAYS.items():
            values = getattr(self, name)
            if values is None:
                continue
            array = np.array(values, dtype=kind)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
            lengths.add(array.shape)
        if len(lengths) != 1 or lengths == {(0,)}:
            raise ValueError(f"runs of {self.application}: arrays of the shapes {lengths}")

    def __len__(self) -> int:
        return len(self.time_s)

    @property
    def power_w(self) -> Floats:
        """What counts against a power bound: packages, and memory where it was measured [W].

        Rounded to nanowatts, so that 5,541.604 W and 64.055 W are 5,605.659 W.
        """
        if self.dram_power_w is None:
            return self.package_power_w
        total: Floats = np.round(self.package_power_w + self.dram_power_w, 9)
        return total

    def take(self, rows: NDArray[Any]) -> Runs:
        """Some of the runs, by index or mask."""
        present = {name: getattr(self, name) for name in _ARRAYS}
        return replace(self, **{n: a[rows] for n, a in present.items() if a is not None})


def counts_memory(runs: Iterable[Runs]) -> bool:
    """Return whether the power of all of these runs includes memory."""
    return all(run.dram_power_w is not None for run in runs)


def power_counts(runs: Iterable[Runs]) -> str:
    """Return what the power of all of these runs is of, in words."""
    return "packages and memory" if counts_memory(runs) else "packages"


_ARRAYS: dict[str, type[np.generic]] = {
    "nodes": np.int64,
    "cores_per_node": np.int64,
    "package_cap_w": np.float64,
    "repetition": np.int64,
    "time_s": np.float64,
    "package_power_w": np.float64,
    "dram_power_w": np.float64,
}


@dataclass(frozen=True, eq=False)
class Measurements:
    """A table of measured runs.

    Attributes
    ----------
    name
        The file, as the user named it.
    sha256
        Its hash.
    runs
        Runs by application, in the order in which the file first names them.
    remarks
        What was read and may not have been meant.
    simulated
        The comment of the file that says that its runs are simulated; empty if none does.
    columns
        What was read from which column.
    """

    name: str
    sha256: str
    runs: Mapping[str, Runs]
    remarks: tuple[Remark, ...] = ()
    simulated: str = ""
    columns: tuple[ReadColumn, ...] = ()
