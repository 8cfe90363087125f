"""Mutants of every reader's input: each is read or refused in our words, soon, in little memory.

``python -m tests.robustness.campaign --write`` runs 10,000 mutants of each reader and writes the
table of docs/evidence/robustness.md; names of readers may follow. Without ``--write`` it prints the
results as JSON, a line for each reader.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from types import FrameType, SimpleNamespace

import click

from planner.cli.edges import WRONG_INPUT, explained
from scenarios.tables import limited_child
from tests.robustness.limited import Shared, address_space
from tests.robustness.readers import READERS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "evidence" / "robustness.md"
SEED = 2026
MUTANTS = 10_000
CPU_S = 10.0
"""Processor time that reading one mutant may take."""
PATIENCE_S = 3600.0
"""Time that all mutants of a reader may take."""
MEMORY = 1 << 30
"""Bytes of address space that all mutants of a reader may take beyond what is there before."""
MOST_FAILURES = 20
MOST_WORDS = 50_000
"""Characters of a refusal: a hundred faults."""
HEADINGS = "| reader | mutants | seed | digest of the mutants | read | other exceptions |"


class Late(BaseException):
    """Reading took too long."""


@dataclass
class Outcome:
    """What became of a reader's mutants.

    Attributes
    ----------
    digest
        Of all mutants in their order: the same seed gives the same ones.
    failures
        Number, kind and last lines of the traceback of those that were neither read nor refused.
    slowest_s
        Processor time of the slowest.
    """

    reader: str
    seed: int
    mutants: int = 0
    read: int = 0
    refused: int = 0
    digest: str = ""
    slowest_s: float = 0.0
    failures: list[tuple[int, str, str]] = field(default_factory=list)
    failed: int = 0


def mutant(reader: str, number: int, seed: int) -> bytes:
    """The mutant of this number; some numbers have the same, or one that is whole."""
    result = READERS[reader]
    random = Random(f"{seed} {reader} {number}")
    return result.damage(random.choice(result.seeds), random)


def different(reader: str, mutants: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """So many damaged inputs, no two of them alike, with their numbers."""
    seen = {hashlib.sha256(item).digest() for item in READERS[reader].seeds}
    whole = len(seen)
    for number in itertools.count():
        data = mutant(reader, number, seed)
        digest = hashlib.sha256(data).digest()
        if digest not in seen:
            seen.add(digest)
            yield number, data
        if len(seen) == whole + mutants:
            return


def attempt(reader: str, data: bytes, folder: Path) -> bool:
    """Read a mutant as a command does; whether it was accepted.

    Raises
    ------
    AssertionError
        The refusal is not one that a user can be shown.
    """
    try:
        with explained():
            READERS[reader].read(folder, data)
    except click.ClickException as error:
        refusal = error
    else:
        return True
    message = refusal.format_message()
    assert message.strip(), "the refusal says nothing"
    assert all(line.isprintable() for line in message.split("\n")), f"steers: {message[:200]!r}"
    assert len(message) < MOST_WORDS, "the refusal is endless"
    status = refusal.exit_code
    assert status == WRONG_INPUT or message.startswith("no plan:"), f"{status}: {message[:200]}"
    return False


def run(reader: str, mutants: int, seed: int, progress: int) -> Outcome:
    """Read all mutants of a reader; the file ``progress`` holds the number of the one at work."""
    outcome = Outcome(reader, seed, mutants)
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for number, data in different(reader, mutants, seed):
            digest.update(hashlib.sha256(data).digest())
            os.pwrite(progress, f"{number:10d} {reader}".ljust(80).encode(), 0)
            _read_one(outcome, number, data, Path(folder))
    outcome.digest = digest.hexdigest()[:16]
    return outcome


def _read_one(outcome: Outcome, number: int, data: bytes, folder: Path) -> None:
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, CPU_S)
    try:
        accepted = attempt(outcome.reader, data, folder)
    except (Exception, Late) as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        outcome.failed += 1
        if len(outcome.failures) < MOST_FAILURES:
            message = f"{type(error).__name__}: {error}"[:300]
            where = traceback.format_tb(error.__traceback__)[-3:]
            outcome.failures.append((number, message, "".join(where)))
    else:
        outcome.read += accepted
        outcome.refused += not accepted
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    outcome.slowest_s = max(outcome.slowest_s, time.process_time() - began)


def _late(_signal: int, _frame: FrameType | None) -> None:
    raise Late(f"more than {CPU_S:g} s of processor time")


def child(readers: Iterable[str], mutants: int, seed: int, progress: int) -> Iterator[Outcome]:
    """Run readers in this process, under limits, with warnings as errors."""
    names = ("PIPE", "DEVNULL", "TimeoutExpired")
    inner = SimpleNamespace(Popen=Shared, **{name: getattr(subprocess, name) for name in names})
    setattr(limited_child, "subprocess", inner)  # noqa: B010 - for this process alone
    warnings.simplefilter("error")
    signal.signal(signal.SIGPROF, _late)
    readers = list(readers)
    with tempfile.TemporaryDirectory() as folder:  # imports what is imported late
        for reader in readers:
            attempt(reader, READERS[reader].seeds[0], Path(folder))
    most = address_space() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
    for reader in readers:
        yield run(reader, mutants, seed, progress)


def campaign(readers: Sequence[str], mutants: int, seed: int, patience_s: float) -> list[Outcome]:
    """Run readers in a process of their own.

    Raises
    ------
    AssertionError
        The process died or hung; the message names the mutant.
    """
    command = [sys.executable, "-m", "tests.robustness.campaign", "--mutants", str(mutants)]
    with tempfile.NamedTemporaryFile() as progress:
        handle = progress.fileno()
        command += ["--seed", str(seed), "--progress", str(handle), "--", *readers]
        try:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, pass_fds=(handle,), timeout=patience_s,
                check=False,
            )  # fmt: skip
            ended, out, err = f"status {done.returncode}", done.stdout, done.stderr
        except subprocess.TimeoutExpired as error:
            ended, out, err = f"more than {patience_s:g} s", error.stdout or b"", b""
        last = os.pread(handle, 80, 0).decode().strip()
    results = [Outcome(**json.loads(line)) for line in out.splitlines()]
    assert len(results) == len(readers), f"{ended} at mutant {last}: {err.decode()[-3000:]}"
    return results


def row(found: Outcome) -> str:
    """The reader's line in the table of docs/evidence/robustness.md."""
    return (
        f"| {found.reader} | {found.mutants:,} | {found.seed} | {found.digest} | "
        f"{100 * found.read / found.mutants:.0f} % | {found.failed} |"
    )


def stored() -> dict[str, str]:
    """The lines of the table by the readers' names, as stored."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = lines.index(HEADINGS) + 2
    table = itertools.takewhile(lambda line: line.startswith("|"), lines[first:])
    return {line.split("|")[1].strip(): line for line in table}


def write(found: Iterable[Outcome], order: Iterable[str]) -> None:
    """Store results in the table; those of other readers stay."""
    remaining = stored()
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(HEADINGS + "\n", 1)
    rule, *rest = after.split("\n")
    rest = rest[len(remaining) :]
    remaining |= {item.reader: row(item) for item in found}
    lines = [HEADINGS, rule, *(remaining[name] for name in order if name in remaining), *rest]
    PAGE.write_text(before + "\n".join(lines), encoding="utf-8")


def main() -> None:
    """Run the campaign as the command line says."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("readers", nargs="*", default=list(READERS))
    words.add_argument("--mutants", type=int, default=MUTANTS)
    words.add_argument("--seed", type=int, default=SEED)
    words.add_argument("--progress", type=int)
    words.add_argument("--write", action="store_true")
    settings = words.parse_args()
    if settings.write:
        for reader in settings.readers:
            write(campaign([reader], settings.mutants, settings.seed, PATIENCE_S), READERS)
        return
    with contextlib.ExitStack() as stack:
        progress = settings.progress
        if progress is None:
            progress = stack.enter_context(tempfile.TemporaryFile()).fileno()
        for outcome in child(settings.readers, settings.mutants, settings.seed, progress):
            sys.stdout.write(json.dumps(asdict(outcome)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
