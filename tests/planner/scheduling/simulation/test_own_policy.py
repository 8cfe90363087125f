"""A policy of the user's own is checked: what it answers, what the machine holds, what it knew."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import headroom as hr
from planner.cli.main import main
from planner.errors import InputError
from planner.scheduling.policies.event_driven import EventDriven, Job, Moment
from planner.scheduling.policies.problem import Policy, SchedulingProblem, Starts, some_jobs
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.policies.running import LATEST
from planner.scheduling.replayed_stretch import busiest_stretch
from planner.scheduling.simulation import own_policy
from planner.scheduling.simulation.simulate import problem_of, simulate
from planner.scheduling.simulation.study import study
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log


@pytest.fixture(scope="module")
def log() -> JobLog:
    return lublin_log(600, 128, 1, load=0.9, estimate_factor=3.0)


@dataclass(frozen=True)
class Wrapped:
    """EASY under another name."""

    name: str = "wrapped"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        return POLICIES["easy"].schedule(problem)


class Crowding(Wrapped):
    """Starts every job at once."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        return Starts(problem.jobs.submit, problem.jobs.run)


class Hasty(Wrapped):
    """EASY, one second early."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        return Starts(super().schedule(problem).start_s - 1, problem.jobs.run)


class Seer(Wrapped):
    """EASY that plans with true run times."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        known = problem.jobs._replace(estimate=np.maximum(problem.jobs.run, 1))
        return super().schedule(replace(problem, jobs=known))


class Prophet(Wrapped):
    """FCFS that starts nobody before the last job has been submitted."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        at_last = problem.jobs._replace(
            submit=np.full_like(problem.jobs.submit, problem.jobs.submit[-1])
        )
        return POLICIES["fcfs"].schedule(replace(problem, jobs=at_last))


class Meddler(Wrapped):
    """FCFS that makes every job short while it can."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        problem.jobs.run[:] = 1
        return POLICIES["fcfs"].schedule(problem)


class Opener(Wrapped):
    """Makes the run times writable first."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        problem.jobs.run.setflags(write=True)
        return super().schedule(problem)


class Widener(Wrapped):
    """Gives the frozen problem twice the processors."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        object.__setattr__(problem, "processors", 2 * problem.processors)
        return super().schedule(problem)


class Shrinker(EventDriven):
    """Makes each job small while it waits."""

    @property
    def name(self) -> str:
        return "shrinker"

    def decide(self, now: Moment) -> list[Job]:
        for job in now.waiting:
            object.__setattr__(job, "processors", 1)
        return list(now.waiting)


class Learner(Wrapped):
    """FCFS once, and EASY from then on."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        name = "easy" if len(problem.jobs.submit) in LENGTHS else "fcfs"
        LENGTHS.add(len(problem.jobs.submit))
        return POLICIES[name].schedule(problem)


LENGTHS: set[int] = set()


class Fickle(Wrapped):
    """Another order each time."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        CALLS.append(1)
        return POLICIES["sjf" if len(CALLS) % 2 else "fcfs"].schedule(problem)


CALLS: list[int] = []


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Crowding(), r"test_own_policy\.py:\d+: the schedule of wrapped is impossible: .* in use"),
        (Hasty(), r"impossible: .* starts 1 s before it is submitted.*more\); correct the policy"),
        (Seer(), r"test_own_policy\.py:\d+: wrapped uses information from the future: .*estimates"),
        (Prophet(), "wrapped uses information from the future"),
        (Meddler(), r"test_own_policy\.py:\d+: wrapped fails: .* cannot be changed: change a copy"),
        (Opener(), r"test_own_policy\.py:\d+: wrapped fails: .* cannot be changed: change a copy"),
        (Widener(), "the schedule of wrapped is impossible"),
        (Shrinker(), r"test_own_policy\.py:\d+: shrinker fails: AttributeError"),
        (Fickle(), "wrapped is not repeatable"),
        (Learner(), "wrapped is not repeatable"),
    ],
)
def test_a_policy_that_cheats_is_refused(log: JobLog, policy: Policy, words: str) -> None:
    with pytest.raises(InputError, match=words):
        study(log, [POLICIES["fcfs"], policy])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "schedule returns NoneType; return Starts"),
        (
            Starts(np.zeros(3), np.zeros(3, int)),  # type: ignore[arg-type]
            r"start_s is an array of float64 of shape \(3,\)",
        ),
        (Starts(np.zeros(2, int), np.zeros(3, int)), r"start_s .* give whole seconds of shape"),
        (Starts(None, None), r"start_s is an array of object of shape \(\)"),  # type: ignore[arg-type]
        (Starts(*[np.zeros(3, int)] * 4), "it changes the jobs' processors"),
    ],
)
def test_an_answer_of_another_shape_is_refused(log: JobLog, answer: Starts, words: str) -> None:
    class Odd(Wrapped):
        def schedule(self, problem: SchedulingProblem) -> Starts:
            del problem
            return answer

    with pytest.raises(InputError, match=words):
        simulate(log.take(np.arange(3)), Odd())


class Spoiler(Wrapped):
    """EASY, which then tries to change all that it got, and hides that it failed."""

    def schedule(self, problem: SchedulingProblem) -> Starts:
        starts = super().schedule(problem)
        for array in (*problem.jobs, problem.user):
            with suppress(ValueError):
                array.setflags(write=True)
                array[:] = 1
        object.__setattr__(problem, "jobs", None)
        return starts


def test_a_policy_that_spoils_its_inputs_changes_no_other_result(log: JobLog) -> None:
    kept = log.run_s.copy()
    result = study(log, [Spoiler(), POLICIES["easy"], POLICIES["fcfs"]])
    alone = study(log, [POLICIES["easy"], POLICIES["fcfs"]])
    starts = [simulation.schedule.start_s for simulation in result.simulations]
    assert (starts[0] == starts[1]).all()
    for mine, other in zip(starts[1:], alone.simulations, strict=True):
        assert (mine == other.schedule.start_s).all()
    assert (log.run_s == kept).all()


def test_a_class_is_made_to_an_object(log: JobLog) -> None:
    by_class, by_object = (hr.simulate(log, ["easy", part]) for part in (Wrapped, Wrapped()))
    assert by_class.to_dict() == by_object.to_dict()
    with pytest.raises(InputError, match=r"Needy.*a policy is created without arguments"):
        hr.simulate(log, [Needy])


class Pairs(EventDriven):
    """Starts jobs only in pairs, while it has started fewer than 500."""

    name = "pairs"

    def __init__(self) -> None:
        self.count = 0

    def decide(self, now: Moment) -> list[Job]:
        chosen: list[Job] = []
        for job in now.waiting:
            if job.processors <= now.free and (len(now.waiting) > 1 or self.count > 500):
                chosen.append(job)
                now = now.after(job)
        self.count += len(chosen)
        return chosen


def test_a_policy_that_waits_for_jobs_that_a_replay_leaves_out_is_honest(log: JobLog) -> None:
    assert study(log, [Pairs()]).simulations
    with pytest.raises(InputError, match="pairs never starts the job of id 0: 1 wait"):
        simulate(log.take(np.arange(1)), Pairs())
    problem, _ = problem_of(log.take(np.arange(1)))
    assert own_policy.answer_of(Pairs(), problem, part=True).start_s.tolist() == [LATEST]
    sparse, _ = problem_of(lublin_log(200, 128, 3, load=0.02, estimate_factor=2.0))
    for seed in range(4):  # most moments have one job, which the whole log would start
        own_policy.refuse_foreknowledge(Pairs(), sparse, seed)


@pytest.mark.parametrize("taken", ["easy", "EASY", "fcfs"])
def test_a_policy_object_with_the_name_of_a_built_in_one_is_refused(
    log: JobLog, taken: str
) -> None:
    with pytest.raises(InputError, match=rf"a built-in policy has the same name, {taken}; give"):
        hr.simulate(log, [Wrapped(taken)])
    assert hr.simulate(log, [POLICIES["easy"]])


class Needy(Wrapped):
    def __init__(self, share: float) -> None:
        super().__init__(f"{share}")


def test_an_honest_policy_passes_and_equals_the_built_in_one(log: JobLog) -> None:
    result = study(log, [Wrapped(), POLICIES["easy"]])
    first, second = (simulation.schedule.start_s for simulation in result.simulations)
    assert (first == second).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*POLICIES} - {"moldable", "maui"}))
def test_no_built_in_policy_would_be_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_policy, "is_own", lambda _: True)
    for seed in range(20):
        busy = lublin_log(1000, 128, seed, load=0.95, estimate_factor=2.0)
        problem, _ = problem_of(busy)
        own_policy.refuse_foreknowledge(POLICIES[name], problem, seed)


def test_the_busiest_stretch_is_replayed() -> None:
    dense = lublin_log(600, 64, 0, load=2.0)
    sparse = lublin_log(600, 64, 0, load=0.2)
    problem, _ = problem_of(sparse)
    late = int(problem.jobs.submit[-1]) + 1
    joined = [
        np.concatenate(pair) for pair in zip(problem.jobs, problem_of(dense)[0].jobs, strict=True)
    ]
    joined[0][600:] += late
    whole = replace(problem, jobs=type(problem.jobs)(*joined), user=np.zeros(1200, np.int32),
                    group=None, queue=None)  # fmt: skip
    jobs = whole.jobs
    stretch = busiest_stretch(jobs.submit, jobs.run * jobs.processors, own_policy.JOBS)
    assert stretch.start >= 600
    assert len(some_jobs(whole, stretch).jobs.submit) == own_policy.JOBS


MINE = '''from planner.scheduling.policies.event_driven import EventDriven

class Mine(EventDriven):
    """The first job that fits starts; nothing is reserved."""
    name = "first-fit"
    def decide(self, now):
        for job in now.waiting:
            if job.processors <= now.free:
                yield job
                now = now.after(job)

class Broken(Mine):
    def decide(self, now):
        return now.queue
'''


def test_the_command_line_takes_it_from_a_file_and_names_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "lublin", "--jobs", "200", "--policy", "easy", "--policy"]
    own = f"{tmp_path}/mine.py:Mine"
    written = ["--write-schedule", "s.csv", "--check", "--json"]
    done = CliRunner().invoke(main, [*words, own, *written])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "s-first-fit.csv").exists()
    assert '"policy": "first-fit"' in done.output
    assert '"mine.py": "' in done.output
    assert str(tmp_path) not in done.output
    failed = CliRunner().invoke(main, [*words, "mine.py:Broken"])
    assert failed.exit_code == 2
    assert "mine.py:14: first-fit fails: AttributeError" in failed.output
    refused = CliRunner().invoke(main, [*words, own, "--write-log", "mine.py"])
    assert refused.exit_code == 2
    assert "mine.py: is also an input" in refused.output
    sized = CliRunner().invoke(main, ["size", "lublin", "--jobs", "200", "--resamples", "0",
                                      "--for", "mean-wait<=2h", "--policy", own])  # fmt: skip
    assert sized.exit_code == 0, sized.output
    assert "first-fit" in sized.output
