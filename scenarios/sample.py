"""The commented sample that ``headroom init`` writes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from scenarios import catalogue
from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import nearest
from scenarios.reading.reader import read_scenario
from scenarios.writing import write_all

_SCENARIOS = Path(__file__).parent / "data"
_SAMPLE = _SCENARIOS / "sample"
_RUNS = "runs.csv"
_BUNDLED = {
    "schedule.toml": "thesis-table-5-2.toml", "price.toml": "poppa-12-codes.toml",
    "ping-pong.csv": "ping-pong.csv",
}  # fmt: skip
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
    sources = {source.name: source for source in _SAMPLE.iterdir()}
    sources |= {name: _SCENARIOS / bundled for name, bundled in _BUNDLED.items()}
    files = {name: source.read_bytes() for name, source in sources.items()} | _runs()
    return _written(directory, dict(sorted(files.items())))


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
    return _written(directory, {source.name: source.read_bytes() for source in sources})


def _written(directory: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Make the directory and write all files, or none."""
    made = [path for path in (directory, *directory.parents) if not path.exists()]
    files = {directory / name: content for name, content in contents.items()}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        write_all(files)
    except OSError as error:
        for path in made:
            with suppress(OSError):
                path.rmdir()
        raise ScenarioError([_fault(directory, error)]) from None
    return [*files]


def _fault(directory: Path, error: OSError) -> Fault:
    if directory.is_dir() or error.filename != str(directory):
        message = f"cannot be written: {error.strerror}; choose another directory"
        return Fault(str(error.filename or directory), 0, "", message)
    reason = "is a file" if isinstance(error, FileExistsError) else error.strerror
    message = f"cannot be created as a directory: {reason}; choose another"
    return Fault(str(directory), 0, "", message)


def _runs() -> dict[str, bytes]:
    from scenarios.simulated import (
        REAL,
        SimulatedCluster,
        campaign,
        find_application,
        grid,
        measurements_text,
    )

    cluster = SimulatedCluster.build(nodes=32, seed=1)
    runs = {
        name: campaign(cluster, find_application(name), grid(), repetitions=3, seed=seed)
        for seed, name in enumerate(REAL)
    }
    return {_RUNS: measurements_text(runs, _REMARKS).encode()}
