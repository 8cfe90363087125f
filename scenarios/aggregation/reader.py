"""Read a whole folder of measurements, and report all errors of all files at once.

The files and their headings are described in docs/aggregation.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

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
    ExchangeTime,
    MessageTime,
    NodeMeasurements,
    TrainingRun,
)
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Program, Sample, Traffic
from scenarios.alike import alike
from scenarios.communication.ping_pong import SHARINGS
from scenarios.faults import Fault, ScenarioError, foremost
from scenarios.formatting import short
from scenarios.remark import Remark, remark
from scenarios.tables.csv_cells import open_csv
from scenarios.tables.field import Field
from scenarios.tables.field_table import FieldTable, Values, field_table, heading_counter

MOST_TASKS = 4096
_MOST_PARTS = 16
_MOST_PATTERN = 10_000
_MOST_EVENTS = 30
_MOST_IPC = 100.0
_MOST_RATE = 1e3
_MOST_BYTES = 1e15
_MOST_TIME_S = 1e6
_MOST_ROWS = 200_000
_LONGEST = 100
_LARGEST_FILE = 256 << 20

_PATTERN = Field("pattern", "Id of the pattern", "whole", least=1, most=_MOST_PATTERN)
_IPC = Field("ipc", "Instructions per cycle, mean over tasks", above=True, most=_MOST_IPC)
_SIZE = Field("bytes", "Size of the message", unit="B", above=True, most=_MOST_BYTES)
_TIME = Field("time_s", "Time of the message or exchange", unit="s", above=True, most=_MOST_TIME_S)

FIELDS: Mapping[str, tuple[Field, ...]] = {
    NODE: (
        Field("processors", "Processors of a node", "whole", least=1, most=_MOST_PARTS),
        Field("dies", "Dies of a processor", "whole", least=1, most=_MOST_PARTS),
        Field("cores", "Cores of a die", "whole", least=1, most=_MOST_PARTS),
        Field("clock_ghz", "Nominal clock", unit="GHz", above=True, most=1e3),
        Field("memory_gb", "Main memory of a node", unit="GB", above=True, most=1e6),
    ),
    PROGRAM: (
        Field("name", "Name of the program", "text", least=1, most=_LONGEST),
        Field("tasks", "MPI tasks of the program", "whole", least=1, most=MOST_TASKS),
        Field("instructions", "Instructions of a task", above=True, most=1e18),
        Field("iterations", "Iterations of the program", "whole", least=1, most=10**12),
        Field("memory_gb", "Memory of a task", unit="GB", above=True, most=1e6),
        Field(
            "exchange_bytes",
            "Bytes that each task sends to each other one in an exchange of all",
            unit="B",
            most=_MOST_BYTES,
        ),
    ),
    SAMPLES: (_PATTERN, _IPC),
    TRAINING: (
        Field("code", "Name of the training code", "text", least=1, most=_LONGEST),
        Field("problem", "Name of its problem set", "text", most=_LONGEST),
        _PATTERN,
        _IPC,
        Field(
            "power_w",
            "Mean power of a used node",
            unit="W",
            above=True,
            most=1e7,
            blank="not measured",
        ),
    ),
    TRAFFIC: (
        Field("source", "Task that sends", "whole", most=MOST_TASKS - 1),
        Field("target", "Task that receives", "whole", most=MOST_TASKS - 1),
        Field("bytes", "Bytes of a message", unit="B", most=_MOST_BYTES),
        Field("count", "Messages in an iteration", above=True, most=_MOST_BYTES),
    ),
    MESSAGES: (
        Field(
            "pattern",
            "Pattern whose other tasks send too, or alone",
            "whole",
            least=1,
            most=_MOST_PATTERN,
            choices=(ALONE,),
        ),
        Field("noise", "Name of the way in which the others send", "text", most=_LONGEST),
        Field("sharing", "What the two cores share", "choice", choices=SHARINGS),
        _SIZE,
        _TIME,
    ),
    EXCHANGES: (_PATTERN, _SIZE, _TIME),
}
"""Fields of each file, in the order in which they are written; events follow in two files."""

COUNTED = (SAMPLES, TRAINING)
"""Files whose further headings are events."""

NEEDED = (NODE, PROGRAM, SAMPLES, TRAINING)
"""Files without which no program can be placed."""

_Made = TypeVar("_Made")
_Sent = tuple[int, int, float, float]
"""Tasks that send and receive, bytes of a message, and how often."""

Further = Callable[[NodeMeasurements, frozenset[str]], Iterable[Fault]]
"""What does not go together in measurements, with the names of the files that are read whole."""


def read_measurements(folder: Path | str, further: Further | None = None) -> NodeMeasurements:
    """Read a folder of measurements.

    Parameters
    ----------
    further
        Called to find more errors, even if some are known, so that all are reported at once. It is
        not called if the node is not known.

    Raises
    ------
    ScenarioError
        The folder cannot be used; each error has its file and line.
    """
    folder = Path(folder)
    faults: list[Fault] = []
    files = _files(folder, faults)
    events = _events(files, faults)

    def made(name: str, make: Callable[[int, Values], _Made | None]) -> tuple[_Made, ...]:
        if name not in files:
            return ()
        made = [make(line, row) for line, row in files[name].rows()]
        faults.extend(files[name].faults)
        return tuple(each for each in made if each is not None)

    node = made(NODE, _node)
    head = made(PROGRAM, _head)
    samples = made(SAMPLES, partial(_sample, events))
    training = made(TRAINING, partial(_training_run, events, files))
    most = head[0].tasks if head else MOST_TASKS
    sent = made(TRAFFIC, partial(_sent, most, files))
    messages = made(MESSAGES, _message_time)
    exchanges = made(EXCHANGES, _exchange_time)
    for name, keys in (
        (SAMPLES, [(line, f"pattern {pattern}") for line, pattern, _ in samples]),
        (TRAINING, [(r.line, f"{r.code} {r.problem}, pattern {r.pattern},") for r in training]),
    ):
        faults += [
            Fault(files[name].text.file.name, line, "", f"{key} is measured twice; give one mean")
            for line, key in _repeated(keys)
        ]
    faults += [
        Fault(
            files[TRAINING].text.file.name,
            each.position,
            "",
            each.message(f"line {each.earlier_position}"),
        )
        for names in (
            [(run.code, run.line) for run in training],
            [(f"{run.code} {run.problem}", run.line) for run in training],
        )
        for each in alike(names)
    ]
    if not node:
        raise ScenarioError(foremost(faults, str(folder)))
    layout, clock_ghz, memory_gb = node[0]
    selected = [each for _, each in sent if each[0] != each[1]]
    measurements = NodeMeasurements(
        folder=str(folder),
        source=_source({file.source for file in files.values() if file.source}),
        node=layout,
        clock_ghz=clock_ghz,
        memory_gb=memory_gb,
        events=events,
        program=_program(
            head[0] if head else _UNKNOWN, {pattern: s for _, pattern, s in samples}, selected
        ),
        training=training,
        messages=messages,
        exchanges=exchanges,
        lines={pattern: line for line, pattern, _ in samples},
        sha256={name: files[name].text.file.sha256 for name in FILES if name in files},
        remarks=_remarks([line for line, (source, target, *_) in sent if source == target]),
    )
    faulty = {Path(fault.file).name for fault in faults}
    if further is not None:
        faults += further(measurements, frozenset(FILES) - faulty)
    if faults:
        raise ScenarioError(foremost(faults, str(folder)))
    return measurements


def _files(folder: Path, faults: list[Fault]) -> dict[str, FieldTable]:
    if not folder.is_dir():
        said = "is not a folder" if folder.exists() else "does not exist"
        message = f"{said}; give a folder of measurements"
        raise ScenarioError([Fault(str(folder), 0, "", message)])
    files: dict[str, FieldTable] = {}
    for name in FILES:
        path = folder / name
        if name not in NEEDED and not os.path.lexists(path):
            continue
        try:
            files[name] = _file(path, name)
        except ScenarioError as error:
            faults += error.faults
    return files


def _file(path: Path, name: str) -> FieldTable:
    """A file whose headings are right.

    Raises
    ------
    ScenarioError
        They are not, or the file cannot be read.
    """
    kind = f"a folder with {', '.join(NEEDED)}"
    known = heading_counter(FIELDS[name])
    text = open_csv(path, str(path), known, most=_LARGEST_FILE, kind=kind)
    blank = "not counted" if name == TRAINING else ""

    def event(heading: str) -> Field:
        return Field(heading.lower(), "Rate of the event, per cycle", most=_MOST_RATE, blank=blank)

    table = field_table(text, FIELDS[name], others=event if name in COUNTED else False)
    if name in (NODE, PROGRAM) and len(table.records) > 1:
        table.fault(table.records[1][0], "is a second row; give one")
        del table.records[1:]
    if len(table.records) > _MOST_ROWS:
        table.fault(0, f"has more than {_MOST_ROWS:,} rows; give fewer")
    if not table.records or len(table.records) > _MOST_ROWS:
        raise ScenarioError(foremost(table.faults, str(path)))
    return table


def _events(files: Mapping[str, FieldTable], faults: list[Fault]) -> tuple[str, ...]:
    """The headings beyond the known ones, which both files must have."""
    if not all(name in files for name in COUNTED):
        return ()
    ours, theirs = (
        tuple(field.name for field in files[name].fields if field not in FIELDS[name])
        for name in COUNTED
    )
    for name, has, other in ((SAMPLES, ours, theirs), (TRAINING, theirs, ours)):
        if missing := [each for each in other if each not in has]:
            message = (
                f"the event {short(missing[0])} is missing, although the "
                "other file has it; count it"
            )
            faults.append(Fault(files[name].text.file.name, 0, "", message))
    if not ours and not theirs:
        message = "no event is counted; add a column such as l2_misses with its rate per cycle"
        faults.append(Fault(files[SAMPLES].text.file.name, 0, "", message))
    if len(ours) > _MOST_EVENTS:
        message = f"has {len(ours)} events; give at most {_MOST_EVENTS}"
        faults.append(Fault(files[SAMPLES].text.file.name, 0, "", message))
    return tuple(name for name in ours if name in theirs)


def _node(_line: int, row: Values) -> tuple[Layout, float, float]:
    layout = Layout(*(row[name] for name in Layout._fields))
    return layout, row["clock_ghz"], row["memory_gb"]


@dataclass(frozen=True)
class _Head:
    name: str
    tasks: int
    instructions: float
    iterations: int
    memory_gb: float
    exchange_b: float


def _head(_line: int, row: Values) -> _Head:
    return _Head(**{name.replace("bytes", "b"): value for name, value in row.items()})


_UNKNOWN = _Head("", 1, 1.0, 1, 0.0, 0.0)
"""Stands for a program whose file is faulty, which is said."""


def _program(
    head: _Head,
    samples: dict[int, Sample],
    sent: Sequence[_Sent],
) -> Program:
    columns = np.array(sent, dtype=np.float64).reshape(-1, 4).T
    traffic = Traffic(
        tasks=head.tasks,
        source=columns[0].astype(np.int64),
        target=columns[1].astype(np.int64),
        size_b=columns[2],
        count=columns[3],
        block_b=head.exchange_b,
    )
    return Program(
        name=head.name,
        problem="",
        samples=samples,
        instructions=head.instructions,
        iterations=head.iterations,
        memory_gb=head.memory_gb,
        traffic=traffic,
    )


def _sample(events: Sequence[str], line: int, row: Values) -> tuple[int, int, Sample]:
    rates = tuple(row[event] for event in events)
    return line, row["pattern"], Sample(row["ipc"], rates)


def _training_run(
    events: Sequence[str], files: Mapping[str, FieldTable], line: int, row: Values
) -> TrainingRun | None:
    """Events may be left out together: they are needed under the sampled patterns only."""
    rates = tuple(row[event] for event in events)
    missing = [event for event, rate in zip(events, rates, strict=True) if rate is None]
    if missing and len(missing) < len(rates):
        files[TRAINING].fault(line, "is blank; fill it in, or leave out all events", missing[0])
        return None
    return TrainingRun(
        code=row["code"],
        problem=row["problem"],
        pattern=row["pattern"],
        ipc=row["ipc"],
        events=() if missing else rates,
        power_w=row["power_w"],
        line=line,
    )


def _sent(
    tasks: int, files: Mapping[str, FieldTable], line: int, row: Values
) -> tuple[int, _Sent] | None:
    for end in ("source", "target"):
        if row[end] >= tasks:
            message = f"'{row[end]}' is not from 0 to {tasks - 1}, the program's tasks; correct it"
            files[TRAFFIC].fault(line, message, end)
            return None
    return line, (row["source"], row["target"], row["bytes"], row["count"])


def _message_time(line: int, row: Values) -> MessageTime:
    return MessageTime(
        pattern=None if row["pattern"] == ALONE else row["pattern"],
        noise=row["noise"],
        sharing=row["sharing"],
        size_b=row["bytes"],
        time_s=row["time_s"],
        line=line,
    )


def _exchange_time(line: int, row: Values) -> ExchangeTime:
    return ExchangeTime(row["pattern"], row["bytes"], row["time_s"], line)


_Key = TypeVar("_Key", bound=Hashable)


def _repeated(keys: Sequence[tuple[int, _Key]]) -> list[tuple[int, _Key]]:
    """Those that were there before."""
    seen: set[_Key] = set()
    result = []
    for line, key in keys:
        if key in seen:
            result.append((line, key))
        seen.add(key)
    return result


def _source(sources: set[str]) -> str:
    """All of them; one that says simulated comes first."""
    return "; ".join(sorted(sources, key=lambda s: (not s.lower().startswith("simulated"), s)))


def _remarks(to_self: Sequence[int]) -> tuple[Remark, ...]:
    if not to_self:
        return ()
    return (remark("tasks-to-itself", rows=(len(to_self), "row"), line=(to_self[0], "id")),)
