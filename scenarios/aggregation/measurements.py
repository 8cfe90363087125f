"""Measurements of a node, of training codes on it, of its messages, and of one program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Program
from scenarios.communication.ping_pong import Sharing
from scenarios.remark import Remark

ALONE = "alone"
"""Stands for a pattern where a message is the only one."""

NODE, PROGRAM, SAMPLES, TRAINING, TRAFFIC, MESSAGES, EXCHANGES = (
    "node.csv", "program.csv", "samples.csv", "training.csv", "traffic.csv", "message-times.csv",
    "exchange-times.csv",
)  # fmt: skip
FILES = (NODE, PROGRAM, SAMPLES, TRAINING, TRAFFIC, MESSAGES, EXCHANGES)
"""Files of a folder of measurements; the last three only if the program communicates so."""


@dataclass(frozen=True)
class TrainingRun:
    """A phase of a training code under one pattern.

    Attributes
    ----------
    code, problem
        Which phase; problem sets of one code share its name.
    pattern
        Id of the pattern.
    ipc
        Instructions per cycle of the nominal clock, mean over tasks.
    events
        Rates of the counted events, per cycle; empty where they were not counted.
    power_w
        Mean power of a used node, or None.
    line
        In its file; 0 without one.
    """

    code: str
    problem: str
    pattern: int
    ipc: float
    events: tuple[float, ...]
    power_w: float | None
    line: int = 0


@dataclass(frozen=True)
class MessageTime:
    """One message, one way.

    Attributes
    ----------
    pattern
        Whose other tasks send at the same time; None where the message is alone.
    noise
        Tells apart ways in which the others send.
    sharing
        What the two cores share.
    size_b, time_s
        Size and time of the message.
    line
        In its file; 0 without one.
    """

    pattern: int | None
    noise: str
    sharing: Sharing
    size_b: float
    time_s: float
    line: int = 0


@dataclass(frozen=True)
class ExchangeTime:
    """One all-to-all exchange of all tasks under a pattern, by bytes to each other task."""

    pattern: int
    size_b: float
    time_s: float
    line: int = 0


@dataclass(frozen=True, eq=False)
class NodeMeasurements:
    """A choice uses these measurements.

    Attributes
    ----------
    folder
        As the user named it; empty where nothing was read.
    source
        Where the numbers are from, as the files say after ``# source:``; may be empty.
    node, clock_ghz, memory_gb
        Processors, dies of each, cores of each; nominal clock and main memory.
    events
        Names of the counted events.
    program
        The program to place.
    training, messages, exchanges
        The rows of the files.
    lines
        Line of each sampled pattern in its file.
    sha256
        SHA-256 of each file, by its name.
    remarks
        What was read and may not have been meant.
    law
        Contention law of a simulated node; empty for numbers that were read from files.
    """

    folder: str
    source: str
    node: Layout
    clock_ghz: float
    memory_gb: float
    events: tuple[str, ...]
    program: Program
    training: tuple[TrainingRun, ...]
    messages: tuple[MessageTime, ...]
    exchanges: tuple[ExchangeTime, ...]
    lines: Mapping[int, int] = field(default_factory=dict)
    sha256: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    law: str = ""

    def shown(self, file: str) -> str:
        """What a file is called in messages."""
        return str(Path(self.folder) / file)

    @property
    def simulated(self) -> bool:
        """Whether the files say that nothing of this was measured."""
        return self.source.lower().startswith("simulated")
