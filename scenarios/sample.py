"""The commented sample that ``headroom init`` writes."""

from __future__ import annotations

import os
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.files import written_whole

_SAMPLE = Path(__file__).parent / "data" / "sample"
_RUNS = "runs.csv"
_REMARKS = (
    "Simulated runs of four codes on 32 nodes of two sockets, three repetitions each, for",
    "`headroom configure` and `headroom share`: replace them by your own. Package caps are of one",
    "socket, 115 W is turbo without a cap; powers are summed over all sockets.",
)


def write_sample(directory: Path) -> list[Path]:
    """Write the sample's files into a directory, which is made if it is missing.

    Raises
    ------
    ScenarioError
        One of the files is there already, or the directory cannot be made.
    """
    sources = sorted(_SAMPLE.iterdir())
    for name in (*(source.name for source in sources), _RUNS):
        if os.path.lexists(directory / name):
            message = "exists already; choose another directory or move it away"
            raise ScenarioError([Fault(str(directory / name), 0, "", message)])
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "is no directory" if isinstance(error, FileExistsError) else error.strerror
        message = f"cannot be made a directory: {reason}; choose another"
        raise ScenarioError([Fault(str(directory), 0, "", message)]) from error
    written = []
    for source in sources:
        target = directory / source.name
        with written_whole(target) as stream:
            stream.write(source.read_bytes())
        written.append(target)
    _write_runs(directory / _RUNS)
    return [*written, directory / _RUNS]


def _write_runs(path: Path) -> None:
    from scenarios.simulated import (
        REAL,
        SimulatedCluster,
        campaign,
        find_application,
        grid,
        write_measurements,
    )

    cluster = SimulatedCluster.build(nodes=32, seed=1)
    runs = {
        name: campaign(cluster, find_application(name), grid(), repetitions=3, seed=seed)
        for seed, name in enumerate(REAL)
    }
    write_measurements(path, runs, remarks=_REMARKS)
