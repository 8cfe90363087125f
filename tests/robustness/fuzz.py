"""Whole commands and claims on edge inputs without end: ``make fuzz`` goes on where it stopped.

``python -m tests.robustness.fuzz --cpu 1000`` runs that many CPU seconds from the first seed that
has not run; ``--seed 17`` repeats the cases of one seed, ``--kind share`` those of one kind. The
folder ``.fuzz`` keeps what has run in all, and the files of every failure.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import signal
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from tests.claims.statements import STUDIES, check
from tests.planner.cli.test_commands import here
from tests.robustness import oracles
from tests.robustness.whole_commands import KINDS, Case, drawn

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".fuzz"
CLAIMS = {f"claims {name}": module for name, module in STUDIES.items()}
"""Kinds whose cases are requests of a study: every statement of it is claimed."""
CPU_S = 300.0
"""Processor time that one case may take."""


class Late(BaseException):
    """A command took too long."""


def attempt(kind: str, case: Case, folder: Path) -> int:
    """Run a case in an empty folder; the status with which the command ends.

    Raises
    ------
    AssertionError
        An oracle is not content.
    """
    for name, content in case.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    first, second = (here(*case.words, "--json", folder=folder) for _ in range(2))
    text = here(*case.words, folder=folder)
    for ran in (first, second, text):
        oracles.ended(ran)
    oracles.same_twice(first, second)
    assert first.status == text.status, f"--json ends with {first.status}, text {text.status}"
    answer = oracles.read(first.out) if first.out or not first.status else {}
    if not first.status:
        oracles.headline(answer, text)
        if kind in oracles.ORACLES:
            oracles.ORACLES[kind](case, answer, folder)
    return first.status


def tried(kind: str, seed: int) -> int:
    """Run the case of a kind and seed in a folder of its own, or claim what it states."""
    if kind in CLAIMS:
        for request in CLAIMS[kind].drawn(seed):
            check(CLAIMS[kind], request, Counter(), changed_of_a_kind=0)
        return 0
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        return attempt(kind, drawn(kind, seed), Path(folder))


def cpu_s() -> float:
    """Processor time so far, with solvers in processes of their own that have ended."""
    own, others = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def keep_failure(folder: Path, kind: str, seed: int, error: BaseException) -> None:
    """Write the input files, the command and what is wrong, and say so."""
    case = Case(()) if kind in CLAIMS else drawn(kind, seed)
    own = folder / f"{kind.replace(' ', '-')}-{seed}"
    for name, content in case.files.items():
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_bytes(content)
    again = f"python -m tests.robustness.fuzz --seed {seed} --kind {shlex.quote(kind)}"
    message = f"{again}\nheadroom {shlex.join(case.words)}\n{type(error).__name__}: {error}\n"
    own.mkdir(parents=True, exist_ok=True)
    (own / "failure.txt").write_text(message, encoding="utf-8")
    sys.stdout.write(f"\nFAILED, files in {own}\n{message[:3000]}\n")


def run_seed(seed: int, kinds: Iterable[str], folder: Path) -> tuple[Counter[str], int]:
    """Run all kinds of a seed: how often which status came, and how many failed."""
    counts, failed = Counter[str](), 0
    for kind in kinds:
        signal.setitimer(signal.ITIMER_PROF, CPU_S)
        try:
            counts[f"{kind}: {tried(kind, seed)}"] += 1
        except (Exception, Late) as error:
            failed += 1
            keep_failure(folder, kind, seed, error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return counts, failed


def _late(_signal: int, _frame: FrameType | None) -> None:
    raise Late(f"more than {CPU_S:g} s of processor time")


def _end_solver() -> None:
    """End the solver's process, so that its processor time is counted."""
    from solvers.process.client import WORKER

    WORKER.close()


def remaining_state(folder: Path) -> dict[str, float]:
    """What has run in all, and the next seed."""
    try:
        stored: dict[str, float] = json.loads((folder / "state.json").read_text(encoding="ascii"))
    except FileNotFoundError:
        return {"next_seed": 0, "cpu_s": 0.0, "cases": 0, "failed": 0}
    return stored


def store(folder: Path, state: dict[str, float]) -> None:
    """Keep what has run; a kill in between leaves the old or the new."""
    folder.mkdir(exist_ok=True)
    (folder / "state.new").write_text(json.dumps(state), encoding="ascii")
    (folder / "state.new").replace(folder / "state.json")


def run_on(cpu: float, kinds: list[str], folder: Path) -> int:
    """Run seeds after seeds for so many CPU seconds, at least one; how many cases failed."""
    began, failures, counts = cpu_s(), 0, Counter[str]()
    state = remaining_state(folder)
    first = int(state["next_seed"])
    used = 0.0
    while used < cpu:
        ended, failed = run_seed(int(state["next_seed"]), kinds, folder)
        _end_solver()
        counts += ended
        failures += failed
        state["next_seed"] += 1
        before, used = used, cpu_s() - began
        state["cpu_s"] += used - before
        state["cases"] += len(kinds)
        state["failed"] += failed
        store(folder, state)
    lines = [f"  {name}, {number} times" for name, number in sorted(counts.items())]
    last = int(state["next_seed"]) - 1
    lines += [f"Seeds {first} to {last}: {failures} of {len(kinds) * (last + 1 - first)} failed."]
    lines.append(
        f"In all: seeds 0 to {last}, {state['cases']:.0f} cases, {state['cpu_s']:,.0f} CPU "
        f"seconds, {state['failed']:.0f} failed."
    )
    sys.stdout.write("\n".join([*lines, ""]))
    return failures


def main() -> None:
    """Run as the command line says."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--cpu", type=float, default=1000.0, help="CPU seconds")
    words.add_argument("--seed", type=int, help="repeat this seed")
    words.add_argument("--kind", choices=[*KINDS, *CLAIMS], help="only this kind")
    words.add_argument("--keep", type=Path, default=KEPT, help="folder of state and failures")
    settings = words.parse_args()
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    warnings.simplefilter("error")
    signal.signal(signal.SIGPROF, _late)
    kinds = [settings.kind] if settings.kind else [*KINDS, *CLAIMS]
    if settings.seed is None:
        failed = run_on(settings.cpu, kinds, settings.keep)
    else:
        counts, failed = run_seed(settings.seed, kinds, settings.keep)
        sys.stdout.write("\n".join([*counts, ""]))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
