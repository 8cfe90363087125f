"""The regression of equations 1 to 3: regressors by hand, recovery, classes and left-out codes."""

from __future__ import annotations

import numpy as np
import pytest

from planner.aggregation.ipc import (
    RIDGES,
    Phase,
    Setting,
    chosen_setting,
    correlated,
    fit,
    ipc_class,
    regressors,
)
from planner.errors import InputError
from scenarios.aggregation.task_samples import EVENTS, Sample


def drawn(count: int, seed: int, low: float = 0.3, high: float = 2.6) -> list[Phase]:
    """Phases whose IPC under patterns 1 and 8 obeys equation 1 with events 0 and 2."""
    rng = np.random.default_rng(seed)
    result = []
    for index in range(count):
        samples = tuple(
            Sample(rng.uniform(low, high), tuple(rng.uniform(0.1, 1, len(EVENTS))))
            for _ in range(2)
        )
        result.append(Phase(f"code-{index % 6}", samples, {1: law(samples), 8: -law(samples) + 9}))
    return result


def law(samples: tuple[Sample, ...]) -> float:
    a, b = samples
    alpha_a = 0.4 + 0.3 * a.events[0] - 0.2 * a.events[2]
    alpha_b = 0.5 - 0.1 * b.events[0] + 0.6 * b.events[2]
    crossed = 0.7 * a.events[0] * b.events[0] - 0.3 * a.events[2] * b.events[2]
    return a.ipc * alpha_a + b.ipc * alpha_b + crossed + 0.05 * a.ipc * b.ipc + 0.1


def test_regressors_by_hand() -> None:
    a = Sample(2.0, (0.1, 0.0, 0.5, 0.0))
    b = Sample(1.5, (0.2, 0.0, 0.4, 0.0))
    # IPC 4 and 5; IPC x events of 4, then of 5; products of the events; product of the IPCs
    expected = [2, 1.5, 0.2, 1.0, 0.3, 0.6, 0.02, 0.2, 3.0]
    assert regressors([(a, b)], (0, 2)).tolist() == [pytest.approx(expected)]


@pytest.mark.parametrize("events", [1, 2, 3])
def test_with_the_constant_there_are_3n_plus_4_coefficients(events: int) -> None:
    model = fit(drawn(40, 0), Setting(1e-3, events))
    assert len(model.models[1, -1].coefficients) == 3 * events + 4


def test_what_obeys_the_equations_is_recovered() -> None:
    model = fit(drawn(80, 1), Setting(1e-12, 4, classes=False))
    for phase in drawn(20, 2):
        assert model.predict(phase.samples, 1) == pytest.approx(phase.ipc[1], rel=1e-5)
        assert model.predict(phase.samples, 8) == pytest.approx(phase.ipc[8], rel=1e-5)


@pytest.mark.parametrize(
    ("ipc", "expected"),
    [((0.9, 1.0), 0), ((1.0, 1.0), 1), ((0.8, 1.9), 1), ((1.5, 1.5), 2), ((2.4, 1.6), 3)],
)
def test_the_mean_of_the_samples_decides_the_class(ipc: tuple[float, float], expected: int) -> None:
    assert ipc_class([Sample(i, (0.0,) * 4) for i in ipc]) == expected


def test_classes_have_models_of_their_own_if_phases_suffice() -> None:
    # 20 phases about IPC 0.4 with a constant 5, 20 about 2.4 with a constant 7, one at 1.2
    phases = []
    for index in range(41):
        level = 0.4 if index < 20 else 2.4 if index < 40 else 1.2
        made = drawn(1, index, level, level + 0.01)[0]
        phases.append(Phase(f"code-{index}", made.samples, {1: 5.0 if level < 1 else 7.0}))
    model = fit(phases, Setting(1e-3, 1))
    assert {key for key in model.models if key[1] >= 0} == {(1, 0), (1, 3)}
    assert model.predict(phases[0].samples, 1) == pytest.approx(5)
    assert model.predict(phases[30].samples, 1) == pytest.approx(7)
    middle = model.predict(phases[40].samples, 1)
    assert middle == float(
        model.models[1, -1].predict(regressors([phases[40].samples], model.events[1]))[0]
    )


def test_sampled_patterns_answer_with_what_was_measured() -> None:
    phase = drawn(1, 5)[0]
    model = fit(drawn(40, 0), Setting(1e-3, 1))
    assert model.predict(phase.samples, 4) == phase.samples[0].ipc
    assert model.predict(phase.samples, 5) == phase.samples[1].ipc


def test_events_are_those_that_correlate_with_the_target() -> None:
    rng = np.random.default_rng(0)
    rates = rng.random((300, len(EVENTS)))
    phases = [Phase("c", (Sample(1.0, tuple(r)), Sample(1.0, tuple(r))), {}) for r in rates]
    ipc = 2 - 3 * rates[:, 3] + 2 * rates[:, 1]
    assert correlated(phases, ipc, 1) == (3,)
    assert correlated(phases, ipc, 2) == (1, 3)


def test_a_left_out_code_is_not_learnt_from() -> None:
    """A code that one event gives away: easy to learn, and not to be known without it."""

    def marked(sample: Sample, rate: float) -> Sample:
        return Sample(sample.ipc, (*sample.events[:3], rate))

    phases = [
        Phase(p.code, tuple(marked(s, 0.0) for s in p.samples), {1: p.ipc[1]}) for p in drawn(60, 3)
    ]
    odd = [
        Phase("odd", tuple(marked(s, 1.0) for s in p.samples), {1: p.ipc[1] + 5})
        for p in drawn(10, 4)
    ]
    setting = Setting(1e-9, 4, classes=False)
    assert np.mean(errors(phases, setting)) < 1e-3
    assert max(errors([*phases, *odd], setting)) > 0.5
    known = fit([*phases, *odd], setting)
    assert known.predict(odd[0].samples, 1) == pytest.approx(odd[0].ipc[1], rel=1e-3)


def test_the_setting_of_the_least_error_on_training_codes_is_first() -> None:
    tried = chosen_setting(drawn(60, 3), classes=False)
    mean_errors = [t.mean_error for t in tried]
    assert mean_errors == sorted(mean_errors)
    assert len({t.setting for t in tried}) == 3 * len(RIDGES)
    for each in tried:
        found = errors(drawn(60, 3), each.setting)
        assert (each.mean_error, each.most_error) == (float(np.mean(found)), max(found))


def errors(phases: list[Phase], setting: Setting) -> list[float]:
    """Relative errors of the phases of each code, by a model fitted to all other codes."""
    return [
        abs(model.predict(phase.samples, target) / phase.ipc[target] - 1)
        for code in sorted({phase.code for phase in phases})
        for model in [fit([phase for phase in phases if phase.code != code], setting)]
        for phase in phases
        if phase.code == code
        for target in model.events
    ]


def test_a_ridge_shrinks_towards_the_mean() -> None:
    phases = drawn(60, 3)
    mean = np.mean([p.ipc[1] for p in phases])
    strong = fit(phases, Setting(1e9, 2, classes=False))
    assert strong.predict(phases[0].samples, 1) == pytest.approx(mean)


def test_a_ridge_is_as_strong_for_twice_the_phases() -> None:
    phases, setting = drawn(40, 3), Setting(0.1, 2, classes=False)
    once = fit(phases, setting).predict(phases[0].samples, 1)
    assert fit(phases * 2, setting).predict(phases[0].samples, 1) == pytest.approx(once, rel=1e-9)


def test_too_little_to_learn_from_is_refused() -> None:
    with pytest.raises(InputError, match="training phases are missing"):
        fit([], Setting(1e-3, 1))
    with pytest.raises(InputError, match="share only the sampled patterns"):
        fit([Phase("a", drawn(1, 0)[0].samples, {4: 1.0})], Setting(1e-3, 1))
    with pytest.raises(InputError, match="fewer than three"):
        chosen_setting([p for p in drawn(60, 0) if p.code in {"code-0", "code-1"}])
    with pytest.raises(InputError, match="pattern 7 has no IPC model; use one of 1, 8"):
        fit(drawn(40, 0), Setting(1e-3, 1)).predict(drawn(1, 0)[0].samples, 7)
