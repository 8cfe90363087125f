"""The self-tuning manager: the best candidate of its training logs, which are not scored on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from planner.errors import InputError
from planner.question import schedule_of
from planner.scheduling.power import tuning
from planner.scheduling.power.inputs.build import replicate
from planner.scheduling.power.rmap import Greedy
from scenarios.catalogue import load
from scenarios.model.schedule import MOST_SEEDS
from scenarios.reading.replaced import with_values

BOUND_W = 8000.0


@pytest.fixture(autouse=True)
def one_training_seed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(tuning, "TRAINING_SEEDS", 1)
    yield
    tuning._tuned.cache_clear()
    tuning._training.cache_clear()


def test_the_manager_is_the_best_candidate_on_its_training_logs() -> None:
    scenario = with_values(load("thesis-rmap"), {"schedule.logs.random-2": None})
    chosen = tuning.self_tuned(scenario, BOUND_W)
    replication = replicate(scenario, tuning.FIRST_TRAINING_SEED)
    problems = [replication.problem(BOUND_W, log) for log in replication.logs]
    best = min(tuning.score(outcome, problems) for outcome in tuning.candidates(64))
    assert isinstance(chosen, Greedy)
    assert tuning.score(chosen, problems) == pytest.approx(best)


def test_no_scenario_can_have_a_training_seed() -> None:
    latest = with_values(
        load("thesis-rmap"),
        {"schedule.first_seed": 10**9 - MOST_SEEDS, "schedule.seeds": MOST_SEEDS},
    )
    question = schedule_of(latest)
    assert question.first_seed + question.seeds - 1 < tuning.FIRST_TRAINING_SEED
    with pytest.raises(ValueError, match="first_seed"):
        with_values(latest, {"schedule.first_seed": 10**9 - MOST_SEEDS + 1})
    with pytest.raises(ValueError, match="seeds"):
        with_values(latest, {"schedule.seeds": MOST_SEEDS + 1})
    with pytest.raises(ValueError, match="first_seed"):
        with_values(load("thesis-rmap"), {"schedule.first_seed": tuning.FIRST_TRAINING_SEED})


def test_without_a_drawn_log_there_is_nothing_to_train_on() -> None:
    with pytest.raises(InputError, match="has no synthetic log for training self-tuning"):
        tuning.self_tuned(load("thesis-table-5-2"), BOUND_W)
