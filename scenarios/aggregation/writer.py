"""A folder of measurements, written so that reading it gives the same numbers."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scenarios.aggregation.measurements import (
    ALONE,
    EXCHANGES,
    FILES,
    MESSAGES,
    NODE,
    PROGRAM,
    SAMPLES,
    TRAFFIC,
    TRAINING,
    NodeMeasurements,
)
from scenarios.aggregation.reader import COUNTED, FIELDS
from scenarios.faults import Fault, ScenarioError
from scenarios.tables.inert import inert
from scenarios.writing import forced, how_to_force, write_all

_Cells = Sequence[str | int | float]


def write_measurements(measured: NodeMeasurements, folder: Path | str) -> tuple[Path, ...]:
    """Write the files that the measurements have rows for; the folder is made.

    Raises
    ------
    ScenarioError
        The folder holds measurements already.
    OSError
        The folder cannot be made or written.
    """
    folder = Path(folder)
    contents = {}
    for name, rows in _rows(measured).items():
        if not rows:
            continue
        events = measured.events if name in COUNTED else ()
        headings = [*(field.name for field in FIELDS[name]), *events]
        contents[folder / name] = _text(measured.source, headings, rows).encode()
    if there := [name for name in FILES if _is_of_others(folder / name, contents)]:
        message = f"is there already and would be lost; give another folder, or {how_to_force()}"
        raise ScenarioError([Fault(str(folder / name), 0, "", message) for name in there])
    folder.mkdir(parents=True, exist_ok=True)
    write_all(contents)
    return tuple(contents)


def _is_of_others(path: Path, contents: Mapping[Path, bytes]) -> bool:
    """Return whether a file is of other measurements, also one that these do not have."""
    if forced() or not os.path.lexists(path):
        return False
    return path not in contents or not path.is_file() or path.read_bytes() != contents[path]


def _text(source: str, headings: Sequence[str], rows: Iterable[_Cells]) -> str:
    text = io.StringIO()
    if source:
        text.write(f"# source: {source}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(map(inert, row) for row in rows)
    return text.getvalue()


def _rows(measured: NodeMeasurements) -> dict[str, list[_Cells]]:
    program = measured.program
    traffic = program.traffic
    sent = zip(
        traffic.source.tolist(),
        traffic.target.tolist(),
        traffic.size_b.tolist(),
        traffic.count.tolist(),
        strict=True,
    )
    return {
        NODE: [(*measured.node, measured.clock_ghz, measured.memory_gb)],
        PROGRAM: [
            (
                program.name,
                traffic.tasks,
                program.instructions,
                program.iterations,
                program.memory_gb,
                traffic.block_b,
            )
        ],
        SAMPLES: [(key, s.ipc, *s.events) for key, s in program.samples.items()],
        TRAINING: [
            (
                run.code,
                run.problem,
                run.pattern,
                run.ipc,
                "" if run.power_w is None else run.power_w,
                *(run.events or ("",) * len(measured.events)),
            )
            for run in measured.training
        ],
        TRAFFIC: [*sent],
        MESSAGES: [
            (ALONE if m.pattern is None else m.pattern, m.noise, m.sharing, m.size_b, m.time_s)
            for m in measured.messages
        ],
        EXCHANGES: [(e.pattern, e.size_b, e.time_s) for e in measured.exchanges],
    }
