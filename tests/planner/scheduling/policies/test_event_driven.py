"""Policies that react to events: EASY written so equals the built-in one, start by start."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

import pytest

from planner.errors import InputError, PlanError
from planner.scheduling.policies.event_driven import EventDriven, Job, Moment, Started
from planner.scheduling.policies.problem import EventOrder, SchedulingProblem, Unavailable
from planner.scheduling.policies.registry import POLICIES
from tests.planner.scheduling.policies.tasks import problem_of, random_rows
from tests.sizes import few

ORDERS = get_args(EventOrder)


class Easy(EventDriven):
    """EASY backfilling."""

    name = "my-easy"

    def decide(self, now: Moment) -> list[Job]:
        started: list[Job] = []
        while now.waiting and now.waiting[0].processors <= now.free:
            started.append(now.waiting[0])
            now = now.after(now.waiting[0])
        if now.waiting:
            reserved, spare = now.reservation(now.waiting[0].processors)
            for job in now.waiting[1:]:
                in_time = now.time_s + job.estimate_s <= reserved
                if job.processors <= now.free and (in_time or job.processors <= spare):
                    spare -= 0 if in_time else job.processors
                    started.append(job)
                    now = now.after(job)
        return started


class Fcfs(EventDriven):
    """First come, first served; it writes down what it is given."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, int]] = []

    def submitted(self, job: Job, time_s: int) -> None:
        self.seen.append(("submitted", job.id, time_s))

    def ended(self, started: Started, time_s: int) -> None:
        self.seen.append(("ended", started.job.id, time_s))

    def decide(self, now: Moment) -> Iterable[Job]:
        SEEN[:] = self.seen
        while now.waiting and now.waiting[0].processors <= now.free:
            yield now.waiting[0]
            now = now.after(now.waiting[0])


SEEN: list[tuple[str, int, int]] = []


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["easy", "fcfs"])
def test_it_equals_the_built_in_policy_on_random_jobs(name: str, order: EventOrder) -> None:
    own: EventDriven = Easy() if name == "easy" else Fcfs()
    for seed in range(few(200)):
        rng = random.Random(seed)
        machine = rng.choice([1, 4, 16])
        estimates = rng.choice(["user", "perfect"])
        problem = problem_of(machine, random_rows(rng, machine), order, estimates)
        theirs = POLICIES[name].schedule(problem).start_s
        assert own.schedule(problem).start_s.tolist() == theirs.tolist(), seed


BOTH: tuple[tuple[EventOrder, list[tuple[str, int, int]]], ...] = (
    ("reference", [("submitted", 2, 5), ("ended", 0, 5)]),
    ("batch", [("ended", 0, 5), ("submitted", 2, 5)]),
)


def test_it_is_told_of_events_in_their_order_and_begins_anew() -> None:
    # Jobs 0 and 1 fill the machine until 5 s and 7 s; job 2, submitted as job 0 ends, starts then.
    rows = [(0, 5, 1, 9, 0), (0, 7, 1, 7, 0), (5, 1, 1, 1, 0)]
    policy = Fcfs()
    submitted = [("submitted", 0, 0), ("submitted", 1, 0)]
    for order, last in BOTH:
        starts = policy.schedule(replace(problem_of(2, rows), event_order=order))
        assert starts.start_s.tolist() == [0, 0, 5]
        assert [*submitted, *last] == SEEN
    assert policy.seen == []
    assert policy.name == "Fcfs"


def test_a_moment_tells_estimates_and_never_run_times() -> None:
    moments: list[Moment] = []

    class Watching(Easy):
        def decide(self, now: Moment) -> list[Job]:
            moments.append(now)
            return super().decide(now)

    Watching().schedule(problem_of(4, [(0, 5, 3, 50, 7), (1, 9, 2, 20, 8), (2, 9, 4, 30, 8)]))
    now = moments[2]
    assert (now.time_s, now.processors, now.free) == (2, 4, 1)
    assert [item.expected_end_s for item in now.running] == [50]
    assert [(job.id, job.estimate_s, job.user) for job in now.waiting] == [(1, 20, 8), (2, 30, 8)]
    assert now.reservation(1) == (2, 0)
    assert now.reservation(4) == (50, 0)
    assert "run_s" not in {*Job._fields, *Started._fields, *Moment.__slots__}


class Twice(EventDriven):
    def decide(self, now: Moment) -> list[Job]:
        return [now.waiting[0], now.waiting[0]]


class Forged(EventDriven):
    def decide(self, now: Moment) -> list[Job]:
        return [Job(0, 1, 1, 0, 0)]


class All(EventDriven):
    def decide(self, now: Moment) -> tuple[Job, ...]:
        return now.waiting


class Nobody(EventDriven):
    def decide(self, now: Moment) -> list[Job]:
        del now
        return []


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Twice(), "Twice starts the job of id 0 at 0 s, which does not wait then; return jobs of"),
        (Forged(), "Forged starts the job of id 0 at 0 s, which does not wait then"),
        (
            All(),
            "All starts the job of id 1 at 1 s on 3 processors, where 2 of 4 are free",
        ),
        (Nobody(), "Nobody never starts the job of id 0: 2 wait, nothing runs"),
    ],
)
def test_a_wrong_answer_is_refused(policy: EventDriven, words: str) -> None:
    with pytest.raises(InputError, match=words):
        policy.schedule(problem_of(4, [(0, 5, 2, 5, 0), (1, 5, 3, 5, 0)]))


def test_what_it_does_not_see_is_refused() -> None:
    problem: SchedulingProblem = problem_of(4, [(0, 5, 2, 5, 0)])
    with pytest.raises(PlanError, match="does not plan with predictions"):
        Easy().schedule(replace(problem, predicts=True))
    with pytest.raises(PlanError, match="my-easy does not plan around outages"):
        Easy().schedule(replace(problem, unavailable=(Unavailable(0, 9, 1),)))
