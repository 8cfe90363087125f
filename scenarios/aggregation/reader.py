"""A folder of measurements, read whole: every fault of every file at once.

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
from scenarios.aggregation.rows import Row, Rows, read_rows
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Program, Sample, Traffic
from scenarios.alike import alike
from scenarios.communication.ping_pong import SHARINGS
from scenarios.faults import Fault, ScenarioError, foremost
from scenarios.wording import nearest, short

MOST_TASKS = 4096
_MOST_PARTS = 16
_MOST_PATTERN = 10_000
_MOST_EVENTS = 30
_MOST_IPC = 100.0
_MOST_RATE = 1e3
_MOST_BYTES = 1e15
_MOST_TIME_S = 1e6

HEADINGS: Mapping[str, tuple[str, ...]] = {
    NODE: ("processors", "dies", "cores", "clock_ghz", "memory_gb"),
    PROGRAM: ("name", "tasks", "instructions", "iterations", "memory_gb", "exchange_bytes"),
    SAMPLES: ("pattern", "ipc"),
    TRAINING: ("code", "problem", "pattern", "ipc", "power_w"),
    TRAFFIC: ("source", "target", "bytes", "count"),
    MESSAGES: ("pattern", "noise", "sharing", "bytes", "time_s"),
    EXCHANGES: ("pattern", "bytes", "time_s"),
}
"""Of each file, in the order in which they are written; the events follow in two of them."""

COUNTED = (SAMPLES, TRAINING)
"""Files whose further headings are events."""

NEEDED = (NODE, PROGRAM, SAMPLES, TRAINING)
"""Files without which no program can be placed."""

_Made = TypeVar("_Made")


Further = Callable[[NodeMeasurements, frozenset[str]], Iterable[Fault]]
"""What does not go together in measurements, with the names of the files that are read whole."""


def read_measurements(folder: Path | str, further: Further | None = None) -> NodeMeasurements:
    """Read a folder of measurements.

    Parameters
    ----------
    further
        Asked for more faults, also where some are found already, so that all come at once; not
        where the node is not known.

    Raises
    ------
    ScenarioError
        The folder cannot be used; each fault with its file and line.
    """
    folder = Path(folder)
    faults: list[Fault] = []
    files = _files(folder, faults)
    events = _events(files, faults)

    def made(name: str, make: Callable[[Row], _Made]) -> tuple[_Made, ...]:
        return files[name].each(make, faults) if name in files else ()

    node = made(NODE, _node)
    head = made(PROGRAM, _head)
    samples = made(SAMPLES, partial(_sample, events))
    training = made(TRAINING, partial(_training_run, events))
    most = head[0].tasks if head else MOST_TASKS
    sent = made(TRAFFIC, partial(_sent, most))
    messages = made(MESSAGES, _message_time)
    exchanges = made(EXCHANGES, _exchange_time)
    for name, keys in (
        (SAMPLES, [(line, f"pattern {pattern}") for line, pattern, _ in samples]),
        (TRAINING, [(r.line, f"{r.code} {r.problem}, pattern {r.pattern},") for r in training]),
    ):
        faults += [
            Fault(files[name].shown, line, "", f"{key} is measured twice; give the mean")
            for line, key in _repeated(keys)
        ]
    faults += [
        Fault(files[TRAINING].shown, each.place, "", each.message(f"line {each.earlier_place}"))
        for names in (
            [(run.code, run.line) for run in training],
            [(f"{run.code} {run.problem}", run.line) for run in training],
        )
        for each in alike(names)
    ]
    if not node:
        raise ScenarioError(foremost(faults, str(folder)))
    layout, clock_ghz, memory_gb = node[0]
    kept = [each for each in sent if each[0] != each[1]]
    measurements = NodeMeasurements(
        folder=str(folder),
        source=_source({file.source for file in files.values() if file.source}),
        node=layout,
        clock_ghz=clock_ghz,
        memory_gb=memory_gb,
        events=events,
        program=_program(
            head[0] if head else _UNKNOWN, {pattern: s for _, pattern, s in samples}, kept
        ),
        training=training,
        messages=messages,
        exchanges=exchanges,
        lines={pattern: line for line, pattern, _ in samples},
        sha256={name: files[name].sha256 for name in FILES if name in files},
        warnings=_warnings(len(sent) - len(kept)),
    )
    faulty = {Path(fault.file).name for fault in faults}
    if further is not None:
        faults += further(measurements, frozenset(FILES) - faulty)
    if faults:
        raise ScenarioError(foremost(faults, str(folder)))
    return measurements


def _files(folder: Path, faults: list[Fault]) -> dict[str, Rows]:
    if not folder.is_dir():
        said = "is no folder" if folder.exists() else "does not exist"
        message = f"{said}; give a folder of measurements"
        raise ScenarioError([Fault(str(folder), 0, "", message)])
    files: dict[str, Rows] = {}
    for name in FILES:
        path = folder / name
        if name not in NEEDED and not os.path.lexists(path):
            continue
        try:
            files[name] = read_rows(
                path,
                f"a folder with {', '.join(NEEDED)}",
                HEADINGS[name],
                more=name in COUNTED,
                one=name in (NODE, PROGRAM),
            )
        except ScenarioError as error:
            faults += error.faults
        else:
            faults += files[name].faults
    return files


def _events(files: Mapping[str, Rows], faults: list[Fault]) -> tuple[str, ...]:
    """The headings beyond the known ones, which both files must have."""
    if not all(name in files for name in COUNTED):
        return ()
    known = set(HEADINGS[SAMPLES]) | set(HEADINGS[TRAINING])
    ours, theirs = (
        tuple(heading for heading in files[name].headings if heading not in known)
        for name in COUNTED
    )
    for name, has, other in ((SAMPLES, ours, theirs), (TRAINING, theirs, ours)):
        if missing := [each for each in other if each not in has]:
            message = (
                f"the event {short(missing[0])} is missing, which the other file has; count it"
            )
            faults.append(Fault(files[name].shown, 0, "", message))
    if not ours and not theirs:
        message = "no event is counted; add a column, as l2_misses, with its rate per cycle"
        faults.append(Fault(files[SAMPLES].shown, 0, "", message))
    if len(ours) > _MOST_EVENTS:
        message = f"has {len(ours)} events; give the {_MOST_EVENTS} that tell most"
        faults.append(Fault(files[SAMPLES].shown, 0, "", message))
    return tuple(name for name in ours if name in theirs)


def _node(row: Row) -> tuple[Layout, float, float]:
    layout = Layout(*(row.whole(field, 1, _MOST_PARTS) for field in Layout._fields))
    return layout, row.number("clock_ghz", 1e3), row.number("memory_gb", 1e6)


@dataclass(frozen=True)
class _Head:
    name: str
    tasks: int
    instructions: float
    iterations: int
    memory_gb: float
    exchange_b: float


def _head(row: Row) -> _Head:
    return _Head(
        row.text("name"),
        row.whole("tasks", 1, MOST_TASKS),
        row.number("instructions", 1e18),
        row.whole("iterations", 1, 10**12),
        row.number("memory_gb", 1e6),
        row.number("exchange_bytes", _MOST_BYTES, zero=True),
    )


_UNKNOWN = _Head("", 1, 1.0, 1, 0.0, 0.0)
"""Stands for a program whose file is faulty, which is said."""


def _program(
    head: _Head,
    samples: dict[int, Sample],
    sent: Sequence[tuple[int, int, float, float]],
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


def _rates(events: Sequence[str], row: Row) -> tuple[float, ...]:
    return tuple(row.number(event, _MOST_RATE, zero=True) for event in events)


def _sample(events: Sequence[str], row: Row) -> tuple[int, int, Sample]:
    ipc = row.number("ipc", _MOST_IPC)
    return row.line, row.whole("pattern", 1, _MOST_PATTERN), Sample(ipc, _rates(events, row))


def _training_run(events: Sequence[str], row: Row) -> TrainingRun:
    """Events may be left out together: they are needed under the sampled patterns only."""
    counted = any(row.cells[event] for event in events)
    return TrainingRun(
        code=row.text("code"),
        problem=row.text("problem", least=0),
        pattern=row.whole("pattern", 1, _MOST_PATTERN),
        ipc=row.number("ipc", _MOST_IPC),
        events=_rates(events, row) if counted else (),
        power_w=row.number("power_w", 1e7) if row.cells["power_w"] else None,
        line=row.line,
    )


def _sent(tasks: int, row: Row) -> tuple[int, int, float, float]:
    return (
        row.whole("source", 0, tasks - 1),
        row.whole("target", 0, tasks - 1),
        row.number("bytes", _MOST_BYTES, zero=True),
        row.number("count", _MOST_BYTES),
    )


def _message_time(row: Row) -> MessageTime:
    word = row.cells["sharing"].lower()
    sharing = next((each for each in SHARINGS if each == word), None)
    if sharing is None:
        remedy = nearest(word, [*SHARINGS])
        row.note(f"{short(row.cells['sharing'])} is nothing that cores share; {remedy}")
        sharing = SHARINGS[0]
    alone = row.cells["pattern"].lower() == ALONE
    return MessageTime(
        pattern=None if alone else row.whole("pattern", 1, _MOST_PATTERN),
        noise=row.text("noise", least=0),
        sharing=sharing,
        size_b=row.number("bytes", _MOST_BYTES),
        time_s=row.number("time_s", _MOST_TIME_S),
        line=row.line,
    )


def _exchange_time(row: Row) -> ExchangeTime:
    return ExchangeTime(
        row.whole("pattern", 1, _MOST_PATTERN),
        row.number("bytes", _MOST_BYTES),
        row.number("time_s", _MOST_TIME_S),
        row.line,
    )


_Key = TypeVar("_Key", bound=Hashable)


def _repeated(keys: Sequence[tuple[int, _Key]]) -> list[tuple[int, _Key]]:
    """Those that were there before."""
    seen: set[_Key] = set()
    found = []
    for line, key in keys:
        if key in seen:
            found.append((line, key))
        seen.add(key)
    return found


def _source(sources: set[str]) -> str:
    """All of them; one that says simulated comes first."""
    return "; ".join(sorted(sources, key=lambda s: (not s.lower().startswith("simulated"), s)))


def _warnings(to_self: int) -> tuple[str, ...]:
    if not to_self:
        return ()
    return (f"{to_self} rows of messages of a task to itself are left out",)
