"""Files of simulated runs, for programs that read measurements."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from scenarios.measurements.runs import Runs
from scenarios.tables.inert import inert
from scenarios.writing import written_whole

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


def write_measurements(
    path: str | Path, runs: Mapping[str, Runs], *, remarks: Sequence[str] = ()
) -> None:
    """Write runs with all that was measured; the last column is empty where memory was not.

    ``remarks`` are written above the header, each after a ``#``.

    Raises
    ------
    ValueError
        No runs.
    OSError
        The file cannot be written.
    """
    _save(Path(path), measurements_text(runs, remarks))


def measurements_text(runs: Mapping[str, Runs], remarks: Sequence[str] = ()) -> str:
    """Return the text of :func:`write_measurements`."""
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
    return _text(MEASUREMENTS, rows, remarks)


def _text(
    header: Sequence[str], rows: Sequence[Sequence[object]], remarks: Sequence[str] = ()
) -> str:
    if not rows:
        raise ValueError("no runs to write; give at least one application's")
    text = io.StringIO(newline="")
    text.writelines(f"# {remark}\n" for remark in remarks)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(inert, row) for row in rows)
    return text.getvalue()


def _save(path: Path, text: str) -> None:
    with written_whole(path) as stream:
        stream.write(text.encode())
