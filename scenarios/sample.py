"""The commented sample that ``headroom init`` writes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from scenarios.faults import Fault, ScenarioError

_SAMPLE = Path(__file__).parent / "data" / "sample"


def write_sample(directory: Path) -> list[Path]:
    """Copy the sample's files into a directory, which is made if it is missing.

    Raises
    ------
    ScenarioError
        One of the files is there already, or the directory cannot be made.
    """
    sources = sorted(_SAMPLE.iterdir())
    for source in sources:
        if (directory / source.name).exists():
            message = "exists already; choose another directory or move it away"
            raise ScenarioError([Fault(str(directory / source.name), 0, "", message)])
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot be made a directory: {error.strerror}"
        raise ScenarioError([Fault(str(directory), 0, "", message)]) from error
    written = []
    for source in sources:
        target = directory / source.name
        handle, temporary = tempfile.mkstemp(prefix=f".{source.name}-", dir=directory)
        with os.fdopen(handle, "wb") as stream:
            stream.write(source.read_bytes())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
        written.append(target)
    return written
