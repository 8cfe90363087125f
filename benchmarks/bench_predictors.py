"""Predictors of run times: speed compared with plain Python.

Speed is CPU of one core with loops warm, jobs submitted and ended one to three at a
time, as an online simulation asks; the rival is the prediction from the last two jobs on Python's
lists and dictionaries, through the same interface, whose predictions are asserted to be ours.

    python benchmarks/bench_predictors.py [small | full] [--trace NAME]...

``small`` takes a drawn log, and so does a machine without the traces. Boosting long logs takes
minutes: ``full``. Accuracy: :mod:`benchmarks.studies.estimates.predictors`.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from benchmarks.simulation_cases import have_traces, synthetic_log, trace
from benchmarks.studies.estimates.predictors import BOOSTED_JOBS, FAST, LOGS, SLOW
from benchmarks.studies.estimates.replay import replay
from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Known,
    Predicting,
    Rows,
    RunTimePredictor,
    known_of,
)
from planner.scheduling.estimates.predictors.registry import PREDICTORS
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.job_log import JobLog

DRAWN_JOBS, DRAWN_LOAD, USERS = 20_000, 0.7, 50
TARGET_S, TARGET_JOBS = 3.0, 232_542
"""For last-two, quantile and linear."""


@dataclass
class PlainLastTwo:
    """The rival: Tsafrir's prediction as one would write it without arrays."""

    name: str = "last-two, plain Python"
    requested_s: list[int] = field(default_factory=list)
    user: list[int] = field(default_factory=list)
    last: dict[int, list[int]] = field(default_factory=dict)

    def begin(self, known: Known, seed: int = 0) -> Predicting:  # noqa: ARG002 - nothing is drawn
        """Return a pass over a log."""
        return PlainLastTwo(
            self.name, np.maximum(known.requested_s, 1).tolist(), known.user.tolist()
        )

    def predict(self, rows: Rows) -> Integers:
        """Half the sum of the last two."""
        predictions = []
        for job in rows.tolist():
            requested = self.requested_s[job]
            ran = self.last.get(self.user[job], [])
            predictions.append(
                requested if len(ran) < 2 else max(1, min((ran[0] + ran[1]) // 2, requested))
            )
        return np.array(predictions, np.int64)

    def learn(self, rows: Rows, run_s: Integers) -> None:
        """Keep the last two."""
        for job, run in zip(rows.tolist(), run_s.tolist(), strict=True):
            self.last[self.user[job]] = [*self.last.get(self.user[job], [])[-1:], run]


def scheduled(name: str) -> tuple[JobLog, JobSchedule]:
    log = of_users(synthetic_log(DRAWN_JOBS, DRAWN_LOAD)) if name == "drawn" else trace(name)
    return log, simulate(log, find_policy("easy")).schedule


def of_users(log: JobLog) -> JobLog:
    """Return a drawn log, which has no users, with some who have no habits."""
    log.user[:] = np.random.default_rng(0).integers(0, USERS, len(log))
    return log


def affordable(name: str, *, full: bool) -> tuple[RunTimePredictor, ...]:
    boosts = full or name == "drawn" or len(trace(name)) <= BOOSTED_JOBS
    return (*FAST, *SLOW) if boosts else FAST


def speed(name: str, predictors: tuple[RunTimePredictor, ...]) -> None:
    log, schedule = scheduled(name)
    plain = PlainLastTwo()
    same = replay(plain, log, schedule), replay(PREDICTORS["last-two"], log, schedule)
    if not np.array_equal(same[0].predicted_s, same[1].predicted_s):
        raise SystemExit(f"failed: the plain predictions are not ours on {name}")
    theirs = seconds(plain, log)
    print(f"\nspeed: {name}, {len(log):,} jobs, batches of 1 to 3; target {TARGET_S:g} s for")
    print(f"{TARGET_JOBS:,} jobs; {plain.name}: {theirs:.2f} s")
    print("| predictor | seconds | per job | of the rival's time |")
    print("|---|---|---|---|")
    for predictor in predictors:
        took = seconds(predictor, log)
        print(
            f"| `{predictor.name}` | {took:.2f} | {1e6 * took / len(log):.1f} µs "
            f"| {took / theirs:.2f} |",
            flush=True,
        )


def seconds(predictor: RunTimePredictor, log: JobLog) -> float:
    """Asking for one to three jobs and then telling the ends of as many, to the end of the log."""
    ends = np.cumsum(np.random.default_rng(1).integers(1, 4, len(log)))
    bounds = [0, *ends[ends < len(log)].tolist(), len(log)]
    rows = np.arange(len(log))
    batches = [rows[a:b] for a, b in pairwise(bounds)]
    runs = [log.run_s[batch] for batch in batches]
    warm = predictor.begin(known_of(log))
    warm.learn(batches[0], runs[0])
    warm.predict(batches[0])
    passing = predictor.begin(known_of(log))
    began = time.process_time()
    for batch, run in zip(batches, runs, strict=True):
        passing.predict(batch)
        passing.learn(batch, run)
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="?", choices=["small", "full"])
    parser.add_argument("--trace", action="append", help="instead of SDSC-SP2 and SDSC-BLUE")
    given = parser.parse_args()
    names = given.trace or list(LOGS)
    if given.size == "small" or not have_traces():
        names = ["drawn"]
    for name in names:
        speed(name, affordable(name, full=given.size == "full"))


if __name__ == "__main__":
    main()
