"""Commands that are killed at random moments: what they leave, and what they must not touch.

A series kills one command again and again in the same folders, in which foreign files with
tempting names lie. Now and then the command runs to its end, and must leave what it leaves in a
folder where nothing was ever killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.planner.cli.test_commands import environment, files
from tests.planner.cli.test_interrupts import MARK, eventually, processes

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
PATIENCE_S = 600.0
BETWEEN = 9
"""Kills after which the command runs to its end."""

LIST_FILE = ".headroom-files.json"
"""It says what an unfinished run may replace, and stays where a run was cut off."""
OUT, BESIDE, TEMPORARY = "out", "beside", "temporary"
CLOCK_FILE = "times.csv"
"""Seconds that decisions took: no two runs have the same."""
_OF_A_DEAD_PROCESS = f".headroom-{platform.node()}-4194399-abcdefgh/keep.txt"
FOREIGN = {
    OUT: (
        "notes.txt", "report.pdf.bak", "plan.xlsx~", "figures/mine.png", "rank-files/mine.txt",
        ".headroom-notes/keep.txt", ".headroom-mine", _OF_A_DEAD_PROCESS,
        "headroom-2026-11-20/report.pdf", "estimate.json.old", ".run.json-0",
    ),
    BESIDE: (
        ".schedule.csv-abcdefgh", "schedule.csv.bak", "headroom-1-x/jobs.swf", "cases/mine.json",
    ),
    TEMPORARY: (
        "headroom-2026-11-20/report.pdf", "headroom-4194399-x/plan.json", "headroom-1-1/run.json",
        "headroom-mine", "headroom/solver.lp", "tmpabcdefgh/model.mps", ".headroom-4194399-x/a",
    ),
}  # fmt: skip


@dataclass
class Series:
    """What a series of kills came to.

    Attributes
    ----------
    kills
        By the signal's name; only those that met a running command.
    before_the_end
        Runs that ended before their signal was due, and do not count.
    broken
        What was left half-written, left behind or lost, each with the kill that did it.
    """

    command: str
    seed: int
    kills: dict[str, int] = field(default_factory=dict)
    before_the_end: int = 0
    to_the_end: int = 0
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Place:
    """The folders of a series: results, files asked for by name, and temporary files."""

    root: Path

    def prepare(self) -> Place:
        """Make them, with the foreign files in them."""
        for name, inner in FOREIGN.items():
            for item in inner:
                path = self.root / name / item
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(_content(name, item))
        return self

    def lost(self) -> list[str]:
        """Foreign files that are gone or changed."""
        return [
            f"{name}/{item}"
            for name, inner in FOREIGN.items()
            for item in inner
            if not _holds(self.root / name / item, _content(name, item))
        ]

    def ours(self, name: str) -> dict[str, bytes]:
        """Files of a folder that are not foreign."""
        foreign = {str(Path(item)) for item in FOREIGN[name]}
        return {k: v for k, v in files(self.root / name).items() if k not in foreign}

    def results(self) -> dict[str, bytes]:
        """What the command left for people, by its path."""
        return {
            f"{name}/{k}": v
            for name in (OUT, BESIDE)
            for k, v in self.ours(name).items()
            if k != CLOCK_FILE
        }


def _content(name: str, each: str) -> bytes:
    return f"mine: {name}/{each}\n".encode()


def _holds(path: Path, content: bytes) -> bool:
    with contextlib.suppress(OSError):
        return path.read_bytes() == content
    return False


@dataclass(frozen=True)
class Command:
    """A command with its files in a folder.

    Attributes
    ----------
    name
        What it is called in the table.
    words
        Its arguments; OUT and BESIDE are replaced by the folders of the series.
    folder
        Where it is started.
    """

    name: str
    words: Sequence[str]
    folder: Path

    def start(self, place: Place, mark: str) -> subprocess.Popen[bytes]:
        """Start it."""
        folders = {OUT: place.root / OUT, BESIDE: place.root / BESIDE}
        words = [word.format(**folders) for word in self.words]
        more = {MARK: mark, "TMPDIR": str(place.root / TEMPORARY)}
        return subprocess.Popen(
            [sys.executable, "-m", "planner", *words],
            cwd=self.folder,
            env=environment(**more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )

    def to_the_end(self, place: Place) -> tuple[int, str, float]:
        """Run it; status, errors and seconds."""
        began = time.monotonic()
        process = self.start(place, uuid.uuid4().hex)
        _, message = process.communicate(timeout=PATIENCE_S)
        return process.returncode, message.decode(), time.monotonic() - began


@dataclass(frozen=True)
class Moment:
    """When a signal is sent.

    Attributes
    ----------
    share
        Of the time that the command takes; 0 where it is after a change of the results.
    change
        Which change of the folders of results is waited for.
    wait_s
        After that change.
    to_all
        Whether the signal goes to the children too, as a terminal sends it.
    """

    number: signal.Signals
    share: float
    change: int
    wait_s: float
    to_all: bool


def moments(command: str, seed: int) -> Iterator[Moment]:
    """Moments without end: half of them at any time, half while results are written."""
    random = Random(f"{seed} {command}")
    while True:
        number = random.choice(SIGNALS)
        timed = random.random() < 0.5
        yield Moment(
            number,
            random.uniform(0.0, 1.0) if timed else 0.0,
            random.randint(1, 8),
            random.choice((0.0, random.uniform(0, 0.02), random.uniform(0, 0.5))),
            number == signal.SIGINT and random.random() < 0.5,
        )


def _wait(process: subprocess.Popen[bytes], moment: Moment, place: Place, takes_s: float) -> bool:
    """Wait for a moment; whether the command still runs then."""
    if moment.share:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(moment.share * takes_s)
        return process.poll() is None
    changes, last = 0, _state(place)
    while changes < moment.change and process.poll() is None:
        time.sleep(0.0005)
        now = _state(place)
        changes, last = changes + (now != last), now
    time.sleep(moment.wait_s)
    return process.poll() is None


def _state(place: Place) -> tuple[int, ...]:
    folders = (place.root / OUT, place.root / BESIDE, place.root / BESIDE / "cases")
    return tuple(folder.stat().st_mtime_ns for folder in folders)


def run(command: Command, kills: int, seed: int, root: Path) -> Series:
    """Kill a command so many times."""
    series = Series(command.name, seed)
    reference = Place(root / "reference").prepare()
    status, message, takes_s = command.to_the_end(reference)
    assert status == 0, message
    whole = reference.results()
    index = Place(root / "killed").prepare()
    for moment in moments(command.name, seed):
        if sum(series.kills.values()) == kills:
            break
        if not _killed(command, moment, index, whole, takes_s, series):
            series.before_the_end += 1
        done = sum(series.kills.values())
        if (done and done % BETWEEN == 0) or done == kills:
            _end(command, index, whole, series)
    return series


def _killed(
    command: Command,
    moment: Moment,
    place: Place,
    whole: Mapping[str, bytes],
    takes_s: float,
    series: Series,
) -> bool:
    """Kill the command once and look at what it left; whether the kill met it running."""
    mark, before = uuid.uuid4().hex, place.results()
    process = command.start(place, mark)
    met = _wait(process, moment, place, takes_s)
    if met:
        with contextlib.suppress(ProcessLookupError):
            send = os.killpg if moment.to_all else os.kill
            send(process.pid, moment.number)
    _, message = process.communicate(timeout=PATIENCE_S)
    where = f"{moment.number.name} {sum(series.kills.values()) + 1}"
    may_leave = None if moment.number == signal.SIGKILL else {*before, f"{OUT}/{LIST_FILE}"}
    series.broken += [f"{where}: {item}" for item in _left(place, whole, mark, may_leave)]
    status, number = process.returncode, moment.number
    if status not in {0, -number, 128 + number}:
        series.broken.append(f"{where}: ended with status {status}: {message.decode()[-300:]}")
    if b"Traceback" in message and status != -number:
        series.broken.append(f"{where}: printed a traceback: {message.decode()[-600:]}")
    if met and status != 0:
        series.kills[number.name] = series.kills.get(number.name, 0) + 1
    return met and status != 0


def _left(
    place: Place, whole: Mapping[str, bytes], mark: str, may_leave: Container[str] | None
) -> Iterator[str]:
    """What a kill broke; ``may_leave`` are hidden files that may be there, or ``None`` for any."""
    if not eventually(lambda: not processes(mark)):
        yield f"orphans: {len(processes(mark))}"
    yield from (f"lost: {name}" for name in place.lost())
    result = place.results()
    for name, content in result.items():
        hidden = any(part.startswith(".") for part in Path(name).parts)
        if name == f"{OUT}/run.json":
            yield from _listed_but_not_whole(content, place.ours(OUT))
        elif not hidden and content != whole.get(name):
            yield f"half-written or strange: {name}"
        elif hidden and may_leave is not None and name not in may_leave:
            yield f"left behind: {name}"


def _listed_but_not_whole(content: bytes, found: Mapping[str, bytes]) -> Iterator[str]:
    """Files that run.json lists, and that are other files, or lost where nothing is missing."""
    try:
        run = json.loads(content)
    except ValueError:
        yield "half-written: run.json"
        return
    for name, listed in run["sha256"].items():
        digests = listed if isinstance(listed, list) else [listed]
        if name in found:
            if hashlib.sha256(found[name]).hexdigest() not in digests:
                yield f"run.json vouches for another {name}"
        elif not run["missing"]:
            yield f"run.json lists {name}, which is lost"


def _end(command: Command, place: Place, whole: Mapping[str, bytes], series: Series) -> None:
    """Run the command to its end: it leaves what it leaves where nothing was ever killed."""
    series.to_the_end += 1
    where = f"to the end after {sum(series.kills.values())} kills"
    status, message, _ = command.to_the_end(place)
    if status != 0:
        series.broken.append(f"{where}: status {status}: {message[-600:]}")
    result = place.results()
    series.broken += [f"{where}: missing {name}" for name in sorted(set(whole) - set(result))]
    series.broken += [f"{where}: left over {name}" for name in sorted(set(result) - set(whole))]
    run_file = f"{OUT}/run.json"
    series.broken += [
        f"{where}: other bytes in {name}"
        for name in sorted(set(result) & set(whole) - {run_file})
        if result[name] != whole[name]
    ]
    broken = _listed_but_not_whole(result.get(run_file, b"{}"), place.ours(OUT))
    series.broken += [f"{where}: {item}" for item in broken]
    series.broken += [f"{where}: lost {name}" for name in place.lost()]
    eventually(lambda: not place.ours(TEMPORARY))
    remaining = sorted(place.ours(TEMPORARY))
    series.broken += [f"{where}: temporary file {name}" for name in remaining]
