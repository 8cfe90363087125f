"""Files of simulated runs, for programs that read measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.measurements.runs import Runs
from scenarios.tables.inert import csv_text

MEASUREMENTS = (
    "application",
    "nodes",
    "cores_per_node",
    "package_cap_w",
    "repetition",
    "time_s",
    "package_power_w",
    "dram_power_w",
)


def measurements_text(runs: Mapping[str, Runs], remarks: Sequence[str] = ()) -> str:
    """Return runs with all that was measured; the last column is empty where memory was not.

    ``remarks`` come above the header, each after a ``#``.

    Raises
    ------
    ValueError
        No runs.
    """
    rows: list[Sequence[object]] = []
    for name, application_runs in runs.items():
        dram = (
            [""] * len(application_runs)
            if application_runs.dram_power_w is None
            else map(repr, application_runs.dram_power_w.tolist())
        )
        rows += zip(
            [name] * len(application_runs),
            application_runs.nodes.tolist(),
            application_runs.cores_per_node.tolist(),
            (f"{p:g}" for p in application_runs.package_cap_w.tolist()),
            application_runs.repetition.tolist(),
            map(repr, application_runs.time_s.tolist()),
            map(repr, application_runs.package_power_w.tolist()),
            dram,
            strict=True,
        )
    if not rows:
        raise ValueError("no runs to write; give at least one application's")
    return csv_text([MEASUREMENTS, *rows], remarks)
