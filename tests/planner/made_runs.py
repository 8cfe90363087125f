"""Tables of runs by a plain formula, for tests that need a file and not the truth."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

HEADER = (
    "application,nodes,cores_per_node,package_cap_w,repetition,time_s,package_power_w,dram_power_w"
)


def rows(application: str, *, serial: float = 0.1, repetitions: int = 3) -> list[str]:
    """75 configurations: 4 to 20 nodes, 4 to 16 cores, 51 to 115 W."""
    lines = []
    grid = itertools.product(range(4, 21, 4), (4, 10, 16), (51, 65, 80, 95, 115))
    for (n, c, p), repetition in itertools.product(grid, range(1, repetitions + 1)):
        drawn = min(p, 20 + 5.6 * c)
        speed = n * c ** (1 - serial) * drawn**0.5
        time = 10 * serial + 20000 / speed * (1 + 0.004 * repetition)
        lines.append(
            f"{application},{n},{c},{p},{repetition},{time:.6f},"
            f"{2 * n * drawn:.3f},{2 * n * (3 + 0.2 * c):.3f}"
        )
    return lines


def write_runs(path: Path, applications: Sequence[str] = ("solver",)) -> Path:
    """A CSV file of some applications, each less scalable than the one before."""
    lines = [HEADER]
    for index, name in enumerate(applications):
        lines += rows(name, serial=0.1 + 0.2 * index)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
