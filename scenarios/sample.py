"""The commented sample that ``headroom init`` writes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from scenarios import catalogue
from scenarios.faults import Fault, ScenarioError
from scenarios.files import written_whole
from scenarios.formatting import nearest
from scenarios.reading.reader import read_scenario

_SCENARIOS = Path(__file__).parent / "data"
_SAMPLE = _SCENARIOS / "sample"
_RUNS = "runs.csv"
_REMARKS = (
    "Simulated runs of four applications on up to 32 nodes with two sockets, three repetitions",
    "each, for `headroom configure` and `headroom share`. Replace them by your own. Package caps",
    "are per socket (115 W means no cap); power is the sum over all sockets of all nodes.",
)


def write_sample(directory: Path) -> list[Path]:
    """Write the sample's files into a directory, which is made if it is missing.

    Raises
    ------
    ScenarioError
        One of the files is there already, or the directory cannot be made.
    """
    sources = sorted(_SAMPLE.iterdir())
    _make_room(directory, (*(source.name for source in sources), _RUNS))
    written = [_copy(source, directory) for source in sources]
    _write_runs(directory / _RUNS)
    return [*written, directory / _RUNS]


def write_bundled(name: str, directory: Path) -> list[Path]:
    """Write a bundled scenario into a directory, with every file that it names, to be changed.

    Raises
    ------
    ScenarioError
        There is no such scenario, one of the files exists already, or the directory cannot be made.
    """
    scenario = _SCENARIOS / f"{name}.toml"
    if not scenario.is_file():
        message = f"is not a bundled scenario; {nearest(name, catalogue.names())}"
        raise ScenarioError([Fault(name, 0, "", message)])
    named = (Path(path) for path in read_scenario(scenario).provenance.paths)
    sources = [scenario, *sorted({path for path in named if path.name != scenario.name})]
    _make_room(directory, [source.name for source in sources])
    return [_copy(source, directory) for source in sources]


def _make_room(directory: Path, names: Iterable[str]) -> None:
    """Make the directory, in which none of these names may be taken."""
    for name in names:
        if os.path.lexists(directory / name):
            message = "already exists; choose another directory, or move it away"
            raise ScenarioError([Fault(str(directory / name), 0, "", message)])
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "is a file" if isinstance(error, FileExistsError) else error.strerror
        message = f"cannot be created as a directory: {reason}; choose another"
        raise ScenarioError([Fault(str(directory), 0, "", message)]) from error


def _copy(source: Path, directory: Path) -> Path:
    target = directory / source.name
    with written_whole(target) as stream:
        stream.write(source.read_bytes())
    return target


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
