"""Choosing a pattern: equation 5 by hand, memory, ranks, joules, and power from meters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from planner.aggregation.communication import Tables, Times
from planner.aggregation.grouping import rank_order
from planner.aggregation.ipc import IpcModel, Setting
from planner.aggregation.patterns import Pattern, patterns
from planner.aggregation.placements import Nearness
from planner.aggregation.power import Metered, PowerModel, fit_power
from planner.aggregation.selection import (
    Candidate,
    Predictor,
    by_joules,
    by_rank,
    feasible,
    tolerable,
)
from planner.errors import InputError, PlanError
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Program, Sample, Traffic

EIGHT = patterns(Layout(2, 2, 2))
SIZE = 8192.0


@dataclass(frozen=True)
class KnownIpc(IpcModel):
    """Answers with given numbers."""

    known: dict[int, float]

    def predict(self, samples: object, pattern: int) -> float:
        return self.known[pattern]


def predictor(ipc: dict[int, float]) -> Predictor:
    """A machine of 1 GHz whose messages take 1 ms within a node and 2 ms between nodes."""
    kinds: tuple[Nearness, ...] = ("die", "processor", "node", "network")
    alone = {
        kind: Times(np.array([8.0, SIZE]), np.full(2, 2e-3 if kind == "network" else 1e-3))
        for kind in kinds
    }
    times = {(p.layout, kind): each for p in EIGHT for kind, each in alone.items()}
    return Predictor(
        ipc=KnownIpc(Setting(1e-3, 1), {}, {}, ipc),
        power=PowerModel(np.array([100.0, 0.0, 0.0, 10.0, 0.0])),
        tables=Tables((), times, alone, {}, 8),
        group=rank_order,
        clock_ghz=1.0,
        memory_gb=8.0,
    )


def program(memory_gb: float = 1.0) -> Program:
    """Eight tasks; each even one sends one message to the next; 1e8 instructions."""
    source = np.arange(0, 8, 2)
    ones = np.ones(4)
    return Program(
        name="pairs",
        problem="",
        samples={s: Sample(1.0, (0.0,) * 4) for s in (4, 5)},
        instructions=1e8,
        iterations=10,
        memory_gb=memory_gb,
        traffic=Traffic(8, source, source + 1, SIZE * ones, ones, 0.0),
    )


def test_equation_5_by_hand() -> None:
    # pattern 1: 1e8 / (2 x 1e9) = 50 ms and 2 ms between nodes; pattern 2 keeps the pairs together:
    # at IPC 2 50 + 1 ms, -1.9 %; pattern 8 at IPC 1.6: 62.5 + 1 ms: +22 %
    ipc = dict.fromkeys(range(1, 9), 2.0) | {8: 1.6}
    result = {c.pattern.id: c for c in predictor(ipc).candidates(program(), EIGHT)}
    assert result[1].slowdown == 0
    assert result[1].time_s == pytest.approx(0.052)
    assert result[2].slowdown == pytest.approx(-1 / 52)
    assert result[8].slowdown == pytest.approx(11.5 / 52)
    # 8 nodes x (100 + 10) W x 10 x 52 ms; 1 node x 180 W x 10 x 63.5 ms
    assert result[1].energy_j == pytest.approx(8 * 110 * 0.52)
    assert result[8].energy_j == pytest.approx(180 * 0.635)
    # 8 is too slow, so the rule takes 7
    assert by_rank(tuple(result.values())).pattern.id == 7


def test_memory_and_division_bound_the_patterns() -> None:
    assert [p.id for p in feasible(program(1.0), EIGHT, 8.0)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [p.id for p in feasible(program(1.1), EIGHT, 8.0)] == [1, 2, 3, 4, 5, 6, 7]
    made = program(1.1)
    twelve = replace(made, traffic=replace(made.traffic, tasks=12))
    six = feasible(twelve, patterns(Layout(1, 1, 6)), 6.6)
    assert [p.tasks for p in six] == [1, 2, 3, 4, 6]  # six times 1.1 in floats is above 6.6
    assert [p.id for p in feasible(program(4.1), EIGHT, 8.0)] == [1]
    three = patterns(Layout(1, 1, 3))
    assert [p.tasks for p in feasible(program(), three, 8.0)] == [1, 2]


def made(pattern: Pattern, slowdown: float, energy_j: float) -> Candidate:
    return Candidate(pattern, np.zeros((1, 1), dtype=np.int64), 1.0, 1.0, 0.0, slowdown, energy_j)


def test_five_per_cent_is_tolerated_and_more_is_not() -> None:
    candidates = [made(p, 0.01 * p.id, 1.0) for p in EIGHT]
    assert [c.pattern.id for c in tolerable(candidates)] == [1, 2, 3, 4, 5]
    assert by_rank(candidates).pattern.id == 5
    assert by_rank(candidates, threshold=0.02).pattern.id == 2
    assert by_rank(candidates, threshold=-1).pattern.id == 1


def test_joules_may_disagree_with_the_rank() -> None:
    energy = {1: 8.0, 2: 4.0, 3: 3.5, 4: 3.6, 5: 1.9, 6: 2.0, 7: 2.1, 8: 1.0}
    candidates = [made(p, 0.2 if p.id == 8 else 0.0, energy[p.id]) for p in EIGHT]
    assert by_rank(candidates).pattern.id == 7
    assert by_joules(candidates).pattern.id == 5


def test_equal_joules_go_to_the_rank() -> None:
    assert by_joules([made(p, 0.0, 1.0) for p in EIGHT]).pattern.id == 8


def test_power_is_learnt_from_meters() -> None:
    def watts(layout: Layout, ipc: float) -> float:
        dies = layout.processors * layout.dies
        return 180 + 8 * layout.processors + 4 * dies + layout.tasks * (4 + 5 * ipc)

    runs = [Metered(p.layout, ipc, watts(p.layout, ipc)) for p in EIGHT for ipc in (0.5, 1.5)]
    model = fit_power(runs, Layout(2, 2, 2))
    assert model.coefficients == pytest.approx([180, 8, 4, 4, 5])
    assert model.predict(Layout(2, 2, 2), 1.0) == pytest.approx(180 + 16 + 16 + 72)
    with pytest.raises(InputError, match="cannot separate idle, socket, die, core and IPC"):
        fit_power(runs[:2], Layout(2, 2, 2))


def test_what_cannot_be_predicted_is_refused() -> None:
    good = dict.fromkeys(range(1, 9), 2.0)
    with pytest.raises(InputError, match="does not fit into a node of 8 GB; use more tasks"):
        predictor(good).candidates(program(9.0), EIGHT)
    with pytest.raises(PlanError, match=r"predicted IPC under pattern 3 is -1"):
        predictor(good | {3: -1.0}).candidates(program(), EIGHT)
    unsampled = program()
    unsampled.samples.pop(5)
    with pytest.raises(InputError, match="no sample under pattern 5"):
        predictor(good).candidates(unsampled, EIGHT)


def test_a_power_that_is_none_is_refused() -> None:
    known = predictor(dict.fromkeys(range(1, 9), 1.0))
    wrong = replace(known, power=PowerModel(np.array([5.0, 0.0, 0.0, -1.0, 0.0])))
    with pytest.raises(PlanError, match=r"predicted power of a node under pattern 8 is -3 W"):
        wrong.candidates(program(), EIGHT)
