"""How good a choice is after runs of the program, on seeds and a law that nothing was chosen by.

``python -m benchmarks.studies.aggregation.tried_runs`` prints the tables of docs/aggregation.md and
docs/evidence/aggregation.md in about ten minutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from planner.aggregation.engine import Engine
from planner.aggregation.learning import Learnt, learnt
from planner.aggregation.measured import gathered, profiled
from planner.aggregation.selection import Candidate
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
