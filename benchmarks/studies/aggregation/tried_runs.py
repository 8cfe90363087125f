"""How good a choice is after runs of the program, on seeds and a law that nothing was chosen by.

``python -m benchmarks.studies.aggregation.tried_runs`` prints the table of
docs/evidence/aggregation.md in about ten minutes; docs/aggregation.md has two of its methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np

from benchmarks.studies.aggregation.validation import Decision, FamilySummary, summarised
from planner.aggregation.engine import Engine
from planner.aggregation.learning import Learnt, learnt
from planner.aggregation.measured import gathered, profiled
from planner.aggregation.patterns import REFERENCE
from planner.aggregation.result import AggregationResult, AggregationSettings
from planner.aggregation.selection import Candidate
from planner.aggregation.tried import TriedRun
from planner.aggregation.truths import Truths, true_runs
from scenarios.aggregation import NodeMeasurements
from scenarios.aggregation.task_layout import Layout
from scenarios.simulated.aggregation import (
    FAMILIES,
    HELD_OUT,
    TEST_CODES,
    load_hardware,
    npb_code,
)

SEEDS = range(1000, 1007)
"""Of the scores; seeds below 1000 served to write the method."""
NODES = (Layout(2, 2, 2), Layout(2, 1, 4), Layout(1, 2, 2))
CODES = {16: TEST_CODES, 32: tuple(code for code in TEST_CODES if code != "mg")}
"""By number of ranks; true runs of mg on 32 ranks would take half of the time of the study."""


@dataclass(frozen=True, eq=False)
class Case:
    """A program on a node, with what is learnt of both, and its true runs.

    Attributes
    ----------
    measured, learnt, candidates
        What a choice is made of.
    truths
        What it is scored by.
    """

    measured: NodeMeasurements
    learnt: Learnt
    candidates: tuple[Candidate, ...]
    truths: Truths


def cases(
    seeds: Iterable[int] = SEEDS,
    families: Sequence[str] = (*FAMILIES, HELD_OUT),
    nodes: Sequence[Layout] = NODES,
    codes: Mapping[int, Sequence[str]] = CODES,
) -> Iterator[Case]:
    """Every code on every node under every law; groups are in rank order."""
    for seed in seeds:
        for node in nodes:
            hardware = replace(load_hardware(), layout=node)
            for tasks in codes:
                for family in families:
                    # ft exchanges with all ranks, so its measurements serve all codes
                    measured = gathered(hardware, family, "ft", tasks, seed)
                    known = learnt(measured, Engine("order"))
                    for code in codes[tasks]:
                        program = profiled(hardware, family, npb_code(code, tasks, seed), seed)
                        yield Case(
                            replace(measured, program=program),
                            known,
                            known.predictor.candidates(program, known.offered),
                            true_runs(hardware, family, code, tasks, seed, known.predictor),
                        )


METHODS = (
    "predicted",
    "reference run",
    "one confirming run",
    "two confirming runs",
    "three confirming runs",
    "two, reference not run",
)
"""The paper's choice; then the loop: one rank per node is run, and as many confirming runs as the
method says; last two confirming runs against a reference that is predicted only."""
_CONFIRMING = (0, 0, 1, 2, 3, 2)
RUN_SCATTER = 0.004
"""Of the log of the time of a run: that of the simulated node's counters."""


def decided(case: Case) -> Iterator[Decision]:
    """The choice of each method, and its score."""
    true = case.truths
    for method, confirming in zip(METHODS, _CONFIRMING, strict=True):
        first = () if method in {METHODS[0], METHODS[-1]} else (REFERENCE,)
        chosen = loop(case, first, confirming).chosen.pattern.id
        yield Decision(
            family=true.family,
            seed=true.seed,
            code=true.code,
            tasks=true.tasks,
            method=method,
            chosen=chosen,
            best=true.best,
            slowdown=true.slowdown(chosen),
            saving=true.saving(chosen),
            best_saving=true.saving(true.best),
        )


def loop(case: Case, first: Sequence[int], confirming: int) -> AggregationResult:
    """The answer after the first runs, and up to so many more that each answer proposes."""
    tried = [_run(case, pattern) for pattern in first]
    answer = _answer(case, tried)
    for _ in range(confirming):
        if answer.next_run is None:
            break
        tried.append(_run(case, answer.next_run.candidate.pattern.id))
        answer = _answer(case, tried)
    return answer


def _run(case: Case, pattern: int) -> TriedRun:
    """A run with its scatter, the same whenever it is made."""
    true, node = case.truths, case.measured.node
    own = crc32(f"{true.family} {true.code} {true.tasks} {node} {pattern}".encode())
    scatter = RUN_SCATTER * np.random.default_rng([true.seed, 5, own]).standard_normal()
    return TriedRun(pattern, true.outcomes[pattern].time_s * float(np.exp(scatter)))


def _answer(case: Case, tried: Sequence[TriedRun]) -> AggregationResult:
    before = AggregationResult(
        case.measured, AggregationSettings(tried=tried), case.learnt, case.candidates
    )
    if not tried:
        return before
    return replace(before, candidates=before.posterior.candidates, predicted=case.candidates)


def table(rows: Sequence[FamilySummary]) -> Iterator[str]:
    """The table in Markdown, laws as they come."""
    yield "| law | choice | share of best saving | seeds | best found | too slow | worst slowdown |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for r in rows:
        yield (
            f"| {r.family} | {r.method} | {r.share:.1%} | {r.share_least_seed:.1%} to "
            f"{r.share_most_seed:.1%} | {r.best_found:.0%} | {r.too_slow:.1%} | "
            f"{r.worst_slowdown:.1%} |"
        )


def main() -> None:
    """Print the table."""
    decisions = [decision for case in cases() for decision in decided(case)]
    print("\n".join(table(summarised(decisions, METHODS))))


if __name__ == "__main__":
    main()
