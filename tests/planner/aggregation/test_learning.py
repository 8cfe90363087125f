"""What is learnt from measurements, by hand; and every measurement that is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.studies.aggregation.validation import trained
from planner.aggregation.grouping import rank_order
from planner.aggregation.learning import learnt, metered_of, phases_of, tables_of
from planner.aggregation.measured import gathered
from planner.aggregation.measurement_check import check, needed, offered
from planner.aggregation.patterns import SAMPLES, patterns
from planner.aggregation.placements import NEARNESS, placements
from scenarios.aggregation import ExchangeTime, MessageTime, NodeMeasurements
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Sample
from scenarios.faults import ScenarioError
from scenarios.simulated.aggregation import load_hardware
from tests.scenarios.aggregation.folders import XEON, ipc, synthetic

Change = Callable[[NodeMeasurements], NodeMeasurements]


def test_phases_are_codes_with_their_problem_sets() -> None:
    result = phases_of(synthetic().training, SAMPLES)
    assert [p.code for p in result] == [f"code-{c}" for c in range(4) for _ in range(3)]
    # code 1, problem set 2: IPC 1.3 and a slope of 0.05; two tasks on a die, and one on each die
    four, five = result[5].samples
    assert four.ipc == pytest.approx(1.3 / (1 + 0.05 + 0.015))
    assert five.ipc == pytest.approx(1.3 / (1 + 0.045))
    assert four.events == (0.01 * 0.05 * 2, 0.1 / 1.3)
    assert result[5].ipc[8] == ipc(1.3, 0.05, XEON)


def test_power_is_learnt_from_the_metered_runs() -> None:
    runs = synthetic().training
    metered = metered_of([replace(runs[0], power_w=None), *runs[1:]], patterns(XEON))
    assert len(metered) == len(runs) - 1
    model = learnt(synthetic(), rank_order).predictor.power
    assert model is not None
    assert model.coefficients == pytest.approx([180, 8, 4, 4, 5])


def test_repetitions_count_by_their_median_and_noise_by_its_worst() -> None:
    rows = [
        MessageTime(7, noise, "die", 8.0, time)
        for noise, times in (("a", (3.0, 1.0, 2.0)), ("b", (1.5, 1.6, 9.0)), ("c", (1.0,)))
        for time in times
    ]
    rows += [
        MessageTime(None, "", "network", size, time) for size, time in ((8, 5), (4, 7), (8, 9))
    ]
    exchanges = (ExchangeTime(5, 8.0, 4.0), ExchangeTime(5, 8.0, 2.0))
    made = replace(synthetic(), messages=tuple(rows), exchanges=exchanges)
    result = tables_of(made)
    worst = result.worst[Layout(1, 2, 2), "die"]
    assert (worst.sizes_b.tolist(), worst.times_s.tolist()) == ([8], [2.0])
    alone = result.alone["network"]
    assert (alone.sizes_b.tolist(), alone.times_s.tolist()) == ([4, 8], [7, 7])
    assert result.exchange[Layout(2, 2, 1)].times_s.tolist() == [3.0]
    assert result.tasks == 8


def test_from_what_is_gathered_the_same_is_learnt_as_by_the_study() -> None:
    hardware = load_hardware()
    made = gathered(hardware, "queue", "lu", 16, 3)
    ours, study = learnt(made, rank_order), trained(hardware, "queue", 3, rank_order)
    assert ours.tried[0] == study.setting
    assert ours.predictor.power is not None
    assert study.classes.power is not None
    assert ours.predictor.power.coefficients.tolist() == study.classes.power.coefficients.tolist()
    theirs = study.classes.tables
    assert ours.predictor.tables.worst.keys() == theirs.worst.keys()
    for key, times in theirs.worst.items():
        assert np.array_equal(ours.predictor.tables.worst[key].times_s, times.times_s)
    for kind, times in theirs.alone.items():
        assert np.array_equal(ours.predictor.tables.alone[kind].times_s, times.times_s)
    offers = patterns(hardware.layout)
    mine = ours.predictor.candidates(made.program, offers)
    his = study.classes.candidates(made.program, offers)
    assert [(c.slowdown, c.energy_j) for c in mine] == [(c.slowdown, c.energy_j) for c in his]


def test_left_out_codes_have_the_errors_that_chose_the_setting() -> None:
    result = learnt(synthetic(), rank_order)
    errors = [abs(prediction.error) for prediction in result.left_out]
    assert np.mean(errors) == pytest.approx(result.tried[0].mean_error)
    assert max(errors) == result.tried[0].most_error
    assert len(errors) == 12 * 6  # phases, and patterns that were not sampled
    assert result.tried[0].mean_error == min(t.mean_error for t in result.tried)


@pytest.mark.parametrize("layout", [p.layout for p in patterns(XEON)])
def test_times_are_needed_where_tasks_can_lie(layout: Layout) -> None:
    assert needed(layout) == tuple(kind for kind in NEARNESS if placements(layout, kind))


def test_whole_measurements_have_no_fault() -> None:
    check(synthetic())
    check(synthetic(exchange_b=100.0))
    check(gathered(load_hardware(), "cliff", "ft", 16, 0))


def without_runs(*patterns_: int) -> Change:
    return lambda m: replace(m, training=tuple(r for r in m.training if r.pattern not in patterns_))


def without_times(pattern: int | None, sharing: str) -> Change:
    return lambda m: replace(
        m, messages=tuple(x for x in m.messages if (x.pattern, x.sharing) != (pattern, sharing))
    )


def samples(**changed: Sample | None) -> Change:
    def change(m: NodeMeasurements) -> NodeMeasurements:
        selected = dict(m.program.samples)
        for key, sample in changed.items():
            if sample is None:
                selected.pop(int(key[1:]))
            else:
                selected[int(key[1:])] = sample
        lines = {pattern: 3 + index for index, pattern in enumerate(selected)}
        return replace(m, program=replace(m.program, samples=selected), lines=lines)

    return change


def first_run(**changed: object) -> Change:
    return lambda m: replace(
        m,
        training=(replace(m.training[0], line=3, **changed), *m.training[1:]),  # type: ignore[arg-type]
    )


LACKING: list[tuple[Change, str]] = [
    (
        lambda m: replace(m, node=Layout(1, 1, 2)),
        "node.csv: a node of 1 x 1 x 2 has 2 patterns, two of which are sampled; at least three",
    ),
    (first_run(pattern=9), "training.csv:3: pattern 9 does not exist: the node has 8 patterns"),
    (
        lambda m: replace(m, messages=(replace(m.messages[-1], pattern=12, line=7),)),
        "message-times.csv:7: pattern 12 does not exist: the node has 8 patterns",
    ),
    (samples(p5=None), "samples.csv: has no row for pattern 5; run the program under it"),
    (
        samples(p7=Sample(1.0, (0.0, 0.0))),
        "samples.csv:5: pattern 7 is not sampled; give patterns 4 and 5 only",
    ),
    (without_runs(1), "training.csv: no training code ran under pattern 1; run all codes under it"),
    (
        lambda m: replace(m, training=tuple(r for r in m.training if r.code < "code-2")),
        "training.csv: has 2 codes; cross-validation needs at least three",
    ),
    (
        lambda m: replace(m, training=tuple(replace(r, power_w=None) for r in m.training)),
        "training.csv: no power is metered; fill power_w (best in every row)",
    ),
    (
        lambda m: replace(m, training=m.training[:2] + m.training[3:]),
        "training.csv: code-0 set 0 was not run under pattern 3, unlike others; run it there, or",
    ),
    (
        first_run(pattern=4, events=(), problem="new"),
        "training.csv:3: the event rates of pattern 4 are missing; count them",
    ),
    (without_times(None, "network"), "message-times.csv: has no lone message between nodes"),
    (
        lambda m: replace(
            m, messages=tuple(x for x in m.messages if x.pattern or x.sharing == "network")
        ),
        "message-times.csv: has no lone message within a node; time one",
    ),
    (
        without_times(6, "node"),
        "message-times.csv: has no message between sockets under pattern 6; time one",
    ),
    (
        lambda m: replace(m, messages=m.messages[:-1]),
        "message-times.csv: messages between nodes under pattern 8 have different sizes under",
    ),
    (
        lambda m: replace(synthetic(exchange_b=8.0), exchanges=(ExchangeTime(1, 8.0, 1.0),)),
        "exchange-times.csv: has no exchange under pattern 2, which the program needs; time it",
    ),
]


@pytest.mark.parametrize(("change", "expected"), LACKING, ids=[e[:60] for _, e in LACKING])
def test_what_is_missing_is_named(change: Change, expected: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        check(change(synthetic()))
    assert any(line.startswith(expected) for line in str(caught.value).splitlines())


def test_patterns_that_nobody_ran_are_not_offered() -> None:
    made = without_runs(6, 8)(synthetic())
    assert [p.id for p in offered(made)] == [1, 2, 3, 4, 5, 7]
    check(without_times(8, "die")(made))  # nor are their messages needed


def test_without_messages_none_need_be_timed() -> None:
    made = synthetic(exchange_b=8.0)
    empty = replace(
        made.program.traffic,
        source=np.zeros(0, dtype=np.int64),
        target=np.zeros(0, dtype=np.int64),
        size_b=np.zeros(0),
        count=np.zeros(0),
    )
    check(replace(made, messages=(), program=replace(made.program, traffic=empty)))
