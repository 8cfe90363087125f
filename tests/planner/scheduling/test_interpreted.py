"""What is small runs without compiling, and gives the same."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.power import grid, tuning
from planner.scheduling.power.schedule import schedule
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.study import _work, study
from scenarios.job_logs.lublin import lublin_log
from solvers import compiled
from tests.sizes import few

RULES = [
    SimulationSettings(),
    SimulationSettings(estimates="tsafrir"),
    SimulationSettings(node_processors=4, event_order="batch"),
]


def interpret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_INTERPRETED", math.inf)


@pytest.fixture
def little_tuning(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Self-tuning learns from one seed, which of three managers is the best."""
    candidates = tuning.candidates
    monkeypatch.setattr(tuning, "TRAINING_SEEDS", 1)
    monkeypatch.setattr(tuning, "candidates", lambda nodes: candidates(nodes)[::16])
    forget_tuning()
    yield
    forget_tuning()


def forget_tuning() -> None:
    tuning._tuned.cache_clear()
    tuning._training.cache_clear()


@pytest.mark.parametrize("seed", range(few(24)))
def test_simulations_are_those_of_compiled_loops(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    load = (0.5, 0.9, 1.5, None)[seed % 4]
    log = lublin_log(150, 32, seed, load=load, estimate_factor=seed % 5)
    rules = RULES[seed % 3]
    predicting = rules.estimates == "tsafrir"
    names = ("easy", "easy++") if predicting else tuple(POLICIES)
    policies = [POLICIES[name] for name in names]
    expected = study(log, policies, rules)
    interpret(monkeypatch)
    found = study(log, policies, rules, workers=1 + seed % 2)
    for one, other in zip(expected.simulations, found.simulations, strict=True):
        assert one.schedule.start_s.tolist() == other.schedule.start_s.tolist()
    assert expected.study == found.study


@pytest.mark.usefixtures("little_tuning")
def test_power_aware_runs_are_those_of_compiled_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("traditional", "naive", "adaptive", "adaptive-20", "self-tuning")
    expected = schedule("thesis-rmap", policies=names, seeds=1, bounds_w=(6500, 9000))
    interpret(monkeypatch)
    forget_tuning()
    found = schedule("thesis-rmap", policies=names, seeds=1, bounds_w=(6500, 9000))
    assert [run.to_dict() for run in found.outcomes] == [run.to_dict() for run in expected.outcomes]


def test_jobs_that_queue_are_more_work() -> None:
    log = lublin_log(300, 64, 3, load=0.7)
    burst = dataclasses.replace(log, submit_s=np.zeros_like(log.submit_s))
    names = ("easy", "conservative")
    easy, conservative = (_work(log, [POLICIES[name]], RULES[0]) for name in names)
    easy_burst, conservative_burst = (_work(burst, [POLICIES[name]], RULES[0]) for name in names)
    assert 300 <= easy < 400
    assert easy < conservative
    assert easy_burst > 1.2 * easy
    assert conservative_burst > 4 * conservative


@pytest.mark.usefixtures("little_tuning")
def test_drawn_jobs_count_and_searches_are_never_interpreted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    units: list[float] = []

    @contextmanager
    def noted(work: float) -> Iterator[None]:
        units.append(work)
        yield

    monkeypatch.setattr(grid, "interpreted", noted)
    schedule("thesis-rmap", policies=("adaptive",), seeds=1, bounds_w=(6500,), logs=("small",))
    assert units == [pytest.approx(30)]
    schedule("thesis-rmap", policies=("self-tuning",), seeds=1, bounds_w=(6500,), logs=("small",))
    assert units[-1] == float("inf")
