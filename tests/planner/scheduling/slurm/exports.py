"""Exports for tests: the example of the thesis, and random ones with many equals."""

from __future__ import annotations

import numpy as np

from planner.configurations.table import Configuration
from planner.scheduling.slurm.export import FALLBACKS, RULES, SlurmExport

C1 = Configuration(6, 16, 115.0, 447.9, 796.4)
C2 = Configuration(8, 12, 65.0, 415.3, 783.8)
C3 = Configuration(8, 10, 80.0, 439.2, 738.2)
RUNNING = Configuration(5, 16, 115.0, 900.0, 1250.0)
"""Job A of the example: it leaves 750 of 2,000 W and 10 of 15 nodes."""


def table_5_2(rule: str = "adaptive", threshold: float = 0.0) -> SlurmExport:
    """Table 5.2 of the thesis: 6 of 15 nodes under 2,000 W have a share of 800 W."""
    tables = {"sp": [C1, C2, C3], "a": [RUNNING]}
    return SlurmExport("thesis", 15, 16, 2000.0, tables, rule, threshold=threshold)  # type: ignore[arg-type]


def random_export(seed: int) -> SlurmExport:
    """A cluster with tables whose times and powers often tie, and some beyond bound or cluster."""
    rng = np.random.default_rng(seed)
    nodes, cores = int(rng.integers(1, 40 if seed % 2 else 5)), int(rng.integers(1, 17))
    names = ["lu", "1e3", "sp-mz.C", "x"][: int(rng.integers(1, 5))]
    tables = {name: _rows(rng, nodes, cores) for name in names}
    return SlurmExport(
        "random", nodes, cores, _some(rng, 400) * nodes, tables,
        RULES[seed % len(RULES)], FALLBACKS[seed // len(RULES) % len(FALLBACKS)],
        default_application=names[0] if rng.random() < 0.5 else None,
    )  # fmt: skip


def _rows(rng: np.random.Generator, nodes: int, cores: int) -> list[Configuration]:
    configurations = {(int(rng.integers(1, nodes + 3)), cores, 115.0) for _ in range(nodes)}
    configurations |= {
        (int(rng.integers(1, nodes + 3)), int(rng.integers(1, cores + 1)), cap)
        for cap in (51.0, 65.5, 80.0)
        for _ in range(6)
    }
    return [
        Configuration(n, c, cap, _some(rng, 5000), _some(rng, 400) * n)
        for n, c, cap in sorted(configurations)
    ]


def _some(rng: np.random.Generator, largest: float) -> float:
    """Half of the values lie on a coarse grid, so that they tie; others have all their digits."""
    value = float(rng.uniform(0.2, 1)) * largest
    return value if rng.random() < 0.5 else max(1.0, round(value / largest * 8) * largest / 8)
