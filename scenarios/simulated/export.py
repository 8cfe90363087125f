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
        for name, one in runs.items()
        for n, c, p, t, w in zip(
            one.nodes.tolist(),
            one.cores_per_node.tolist(),
            one.package_cap_w.tolist(),
            one.time_s.tolist(),
            one.package_power_w.tolist(),
            strict=True,
        )
    )
    _write(path, JOB_DETAILS, [(i, *row) for i, row in enumerate(rows, start=1)])


def write_measurements(
    path: str | Path, runs: Mapping[str, Runs], *, remarks: Sequence[str] = ()
) -> None:
    """Write runs with all that was measured; the last column is empty where memory was not.

    ``remarks`` stand above the header, each behind a ``#``.

    Raises
    ------
    ValueError
        No runs.
    OSError
        The file cannot be written.
    """
    rows: list[Sequence[object]] = []
    for name, one in runs.items():
        dram = [""] * len(one) if one.dram_power_w is None else map(repr, one.dram_power_w.tolist())
        rows += zip(
            [name] * len(one),
            one.nodes.tolist(),
            one.cores_per_node.tolist(),
            (f"{p:g}" for p in one.package_cap_w.tolist()),
            one.repetition.tolist(),
            map(repr, one.time_s.tolist()),
            map(repr, one.package_power_w.tolist()),
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
