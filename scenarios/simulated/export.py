"""Files of simulated runs, for programs that read measurements."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scenarios.files import written_whole
from scenarios.measurements.runs import Runs

JOB_DETAILS = ("id", "job_id", "nodes", "cores", "pkg_cap", "exec_time", "tot_pkg")
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


def write_job_details(path: str | Path, runs: Mapping[str, Runs]) -> None:
    """Write runs in the layout of the thesis's ``job_details_table``.

    ``tot_pkg`` is the power of the packages alone, summed over all sockets of all nodes [W]:
    memory is not in it, measured or not. Repetitions follow each other under ids of their own.

    Raises
    ------
    ValueError
        No runs.
    OSError
        The file cannot be written.

    References
    ----------
    Patki (2015), Table 5.3; 5.4.1 for packages alone.
    """
    rows = (
        (name, n, c, f"{p:g}", repr(t), repr(w))
        for name, application_runs in runs.items()
        for n, c, p, t, w in zip(
            application_runs.nodes.tolist(),
            application_runs.cores_per_node.tolist(),
            application_runs.package_cap_w.tolist(),
            application_runs.time_s.tolist(),
            application_runs.package_power_w.tolist(),
            strict=True,
        )
    )
    _write(path, JOB_DETAILS, [(i, *row) for i, row in enumerate(rows, start=1)])


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
    _write(path, MEASUREMENTS, rows, remarks)


def _write(
    name: str | Path,
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    remarks: Sequence[str] = (),
) -> None:
    rows, path = list(rows), Path(name)
    if not rows:
        raise ValueError(f"{path.name}: no runs to write; give at least one application's")
    with written_whole(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        text.writelines(f"# {remark}\n" for remark in remarks)
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
        text.flush()
        text.detach()
