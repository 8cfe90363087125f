"""A user's own power-aware policy cannot change its inputs; state and foresight are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power import own_policy
from planner.scheduling.power.checked_run import checked_run
from planner.scheduling.power.checking.checker import violations
from planner.scheduling.power.checking.requests import Latest
from planner.scheduling.power.events.event_driven import Choice, PowerEventDriven, PowerMoment
from planner.scheduling.power.events.moment import PowerJob
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.own_policy import (
    _some_jobs,
    refuse_foreknowledge,
    refuse_other_run,
)
from planner.scheduling.power.policy import PowerRun, SchedulerDecision
from planner.scheduling.power.policy_texts import OWN, policy_text
from planner.scheduling.power.problem import JobDetails, PowerProblem, PowerSchedule
from planner.scheduling.power.registry import find_power_policy
from planner.scheduling.power.rmap import adaptive_policy
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.truth import PowerTruth
from tests.planner.scheduling.power.literal import BACKFILLS, LiteralPolicy
from tests.planner.scheduling.power.random_problems import random_problem

TABLE = "thesis-table-5-2"


class Honest(PowerEventDriven):
    """In order of submission, each job in its fastest configuration that fits."""

    @property
    def name(self) -> str:
        return "mine"

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return list(started(now, now.waiting))


def started(
    now: PowerMoment, jobs: Iterable[PowerJob], best: Callable[..., int] = min
) -> Iterable[Choice]:
    nodes, watts, details = now.free_nodes, now.free_mw, now.details
    for job in jobs:
        rows = details.rows(job.application)
        fits = [
            row
            for row in range(rows.start, rows.stop)
            if details.nodes[row] <= nodes and details.charge_mw[row] <= watts
        ]
        if fits:
            row = best(fits, key=lambda row: details.time_ms[row])
            nodes, watts = nodes - details.nodes[row], watts - details.charge_mw[row]
            yield Choice(job, row)


def writes(now: PowerMoment) -> None:
    now.details.charge_mw[:] = 0


def makes_writable(now: PowerMoment) -> None:
    now.details.charge_mw.setflags(write=True)


def makes_its_base_writable(now: PowerMoment) -> None:
    base: Any = now.details.time_ms.base
    base.setflags(write=True)


def changes_a_job(now: PowerMoment) -> None:
    object.__setattr__(now.waiting[0], "nodes", 1)


def puts_another_table(now: PowerMoment) -> None:
    object.__setattr__(now.details, "charge_mw", np.zeros(len(now.details), np.int64))


def pretends_free_watts(now: PowerMoment) -> None:
    object.__setattr__(now, "free_mw", 10**9)


TAMPERING: list[tuple[Callable[[PowerMoment], None], str]] = [
    (writes, "mine fails: ValueError: .*inputs cannot be changed: change a copy"),
    (makes_writable, "mine fails: ValueError: .*inputs cannot be changed: change a copy"),
    (makes_its_base_writable, "mine fails: AttributeError: 'bytes' object"),
    (changes_a_job, "mine fails: AttributeError"),
    (puts_another_table, r"mine starts .* W, where [\d.,]+ W of [\d.,]+ W are free"),
    (pretends_free_watts, r"mine starts .* W, where [\d.,]+ W of [\d.,]+ W are free"),
]


@pytest.mark.parametrize(("tamper", "words"), TAMPERING)
def test_a_policy_that_tampers_is_the_one_that_is_named(
    tamper: Callable[[PowerMoment], None], words: str
) -> None:
    class Tampering(Honest):
        def decide(self, now: PowerMoment) -> Iterable[Choice]:
            tamper(now)
            return super().decide(now)

    with pytest.raises(InputError, match=rf"test_own_policy\.py:\d+: {words}"):
        schedule(TABLE, policies=[Tampering(), "adaptive"], bounds_w=[7750.0])


class Quiet(Honest):
    """Tries everything, hides every failure, and decides as if nothing had happened."""

    def schedule(self, problem: PowerProblem) -> PowerRun:
        run = super().schedule(problem)
        for part in (problem, problem.jobs, problem.details, problem.truth):
            for field in fields(part):
                _spoil(part, field.name)
        return run

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        choices = list(super().decide(now))
        for field in fields(now.details):
            _write(getattr(now.details, field.name))
        for part in (now, *now.waiting, *now.running):
            for name in getattr(part, "_fields", ("nodes", "free_nodes", "free_mw", "waiting")):
                _spoil(part, name)
        return choices


def _write(value: object) -> None:
    if isinstance(value, np.ndarray):
        with suppress(ValueError):
            value.setflags(write=True)
            value[:] = 1


def _spoil(part: object, name: str) -> None:
    _write(getattr(part, name))
    with suppress(AttributeError):
        object.__setattr__(part, name, 1)


def test_the_policies_beside_one_that_tampers_secretly_keep_their_results() -> None:
    def outcomes(*policies: Any) -> list[dict[str, Any]]:
        study = schedule(TABLE, policies=policies, bounds_w=[7750.0, 9000.0])
        return [outcome.to_dict() for outcome in study.outcomes if outcome.policy != "mine"]

    others = outcomes("traditional", Quiet(), "adaptive", "naive")
    assert others == outcomes("traditional", "adaptive", "naive")
    quiet, honest = (schedule(TABLE, policies=[own]).outcomes[0] for own in (Quiet(), Honest()))
    assert quiet.jobs == honest.jobs


def test_an_answer_cannot_be_changed_after_the_check() -> None:
    answers: list[PowerRun] = []

    class Later(Honest):
        def schedule(self, problem: PowerProblem) -> PowerRun:
            answers.append(super().schedule(problem))
            return answers[-1]

    run = checked_run(Later(), random_problem(3), "a log")
    first = run.schedule.end_ms.copy()
    answers[-1].schedule.end_ms[:] = 0
    assert (run.schedule.end_ms == first).all()
    with pytest.raises(ValueError, match="WRITEABLE"):
        run.schedule.end_ms.setflags(write=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("row", [0.5]),
        ("start_ms", None),
        ("start_ms", [[1], [1, 2]]),
        ("lent", [1, 2]),
        ("killed", [1]),
    ],
)
def test_a_schedule_of_other_arrays_is_named(name: str, value: object) -> None:
    class Odd(Honest):
        def schedule(self, problem: PowerProblem) -> PowerRun:
            run = super().schedule(problem)
            object.__setattr__(run.schedule, name, value)
            return run

    with pytest.raises(InputError, match=f"{name} of the schedule by mine is an array of"):
        schedule(TABLE, policies=[Odd()])


@pytest.mark.parametrize(
    "taken",
    ["adaptive", "Adaptive-30", "adaptive-any", "self-tuning", "ilp-highs-20",
     "ilp-reserved-cbc-5-unfair", "ILP-slots-highs"],
)  # fmt: skip
def test_a_name_that_a_built_in_policy_could_have_is_refused(taken: str, tmp_path: Path) -> None:
    class Namesake(Honest):
        name = taken

    words = rf":\d+: a built-in power-aware policy has the same name, {taken}; give yours a name of"
    with pytest.raises(InputError, match=r"test_own_policy\.py" + words):
        schedule(TABLE, policies=[Namesake()])
    with pytest.raises(InputError, match=r"test_own_policy\.py" + words):
        schedule(TABLE, policies=["traditional", Namesake])
    file = tmp_path / "own.py"
    file.write_text(f"from {__name__} import Honest\nclass Own(Honest):\n    name = {taken!r}\n")
    with pytest.raises(InputError, match=r"own\.py" + words):
        schedule(TABLE, policies=[f"{file}:Own"])


def test_a_subclass_of_a_built_in_policy_gives_itself_a_name() -> None:
    class Derived(KnapsackPolicy):
        """Decides as it likes."""

        decide = Honest.decide  # type: ignore[assignment]

    class Named(Derived):
        name = "derived"

    with pytest.raises(InputError, match=r"the same name, ilp-\w+; .* derived from a built-in one"):
        schedule(TABLE, policies=[Derived()])
    (own,) = schedule(TABLE, policies=[Named()]).outcomes
    (honest,) = schedule(TABLE, policies=[Honest()]).outcomes
    assert own.jobs == honest.jobs


def test_only_a_built_in_policy_promises_what_its_name_says() -> None:
    class Namesake(Honest):
        name = "ilp-engine"

        def decide(self, now: PowerMoment) -> Iterable[Choice]:
            return list(started(now, now.waiting, max))

    problem = noisy()
    for policy in (Namesake(), adaptive_policy(None, "ilp-engine")):
        run = checked_run(policy, problem, "a log")
        assert violations(run.schedule, problem, may_reject=True, latest=Latest(0.0))


@pytest.mark.parametrize("text", ["adaptive-२०", "ilp-highs-२०"])
def test_a_percentage_is_of_plain_digits(text: str) -> None:
    with pytest.raises(InputError, match="there is no power-aware policy"):
        find_power_policy(text)
    assert policy_text(text) == OWN


def test_lists_and_other_classes_are_made_the_plain_run_that_they_say() -> None:
    @dataclass(frozen=True, eq=False)
    class MyRun(PowerRun):
        note: str = ""

    class Lists(Honest):
        def schedule(self, problem: PowerProblem) -> PowerRun:
            schedule = super().schedule(problem).schedule
            lists: list[Any] = [
                getattr(schedule, field.name).tolist() for field in fields(schedule)
            ]
            return MyRun(PowerSchedule(*lists), 1, [DECISION], note="mine")  # type: ignore[arg-type]

    problem = noisy()
    run, honest = (checked_run(policy, problem, "a log") for policy in (Lists(), Honest()))
    assert (type(run), run.seconds, run.decisions) == (PowerRun, 1.0, (DECISION,))
    for field in fields(PowerSchedule):
        mine, other = (getattr(each.schedule, field.name) for each in (run, honest))
        assert mine.dtype == other.dtype
        assert np.array_equal(mine, other)


DECISION = SchedulerDecision(0, 1, "optimal", 0.0, 0.0, "mine")
WRONG: tuple[dict[str, Any], ...] = ({"gap": "1"}, {"status": 1})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seconds": None}, "seconds of the run by mine is None; give the policy's own time"),
        ({"seconds": np.nan}, "seconds of the run by mine is nan"),
        ({"seconds": -1.0}, "seconds of the run by mine is -1"),
        ({"decisions": None}, "decisions of the run by mine is None; give a tuple"),
        ({"decisions": ["x"]}, "decisions of the run by mine has 'x'; give objects of Scheduler"),
        ({"decisions": [replace(DECISION, **WRONG[0])]}, "gap of a decision by mine is '1'"),
        ({"decisions": [replace(DECISION, gap=np.inf)]}, "gap of a decision by mine is inf"),
        ({"decisions": [replace(DECISION, **WRONG[1])]}, "status of a decision by mine is 1"),
        ({"deadlines_ms": [[1], [1, 2]]}, "deadlines_ms of the run by mine is an array of object"),
        ({"deadlines_ms": [1.5]}, r"deadlines_ms of the run by mine is an array of float64 of sh"),
        ({"schedule": None}, r"schedule\(\) of mine returns NoneType, not a PowerSchedule in"),
    ],
)  # fmt: skip
def test_a_run_of_other_parts_is_named(changed: dict[str, Any], words: str) -> None:
    class Odd(Honest):
        def schedule(self, problem: PowerProblem) -> PowerRun:
            return replace(super().schedule(problem), **changed)

    with pytest.raises(InputError, match=rf"test_own_policy\.py:\d+: {words}"):
        schedule(TABLE, policies=[Odd()])


def test_a_policy_that_takes_another_name_is_named() -> None:
    class Renamed(Honest):
        called: ClassVar[str] = "mine"

        @property
        def name(self) -> str:
            return self.called

        def decide(self, now: PowerMoment) -> Iterable[Choice]:
            Renamed.called = "adaptive"
            return super().decide(now)

    with pytest.raises(InputError, match=r"test_own_policy.*mine calls itself adaptive now; keep"):
        schedule(TABLE, policies=[Renamed()])


class Remembers(Honest):
    """Every second run begins with the last job."""

    runs: ClassVar[list[int]] = []

    def schedule(self, problem: PowerProblem) -> PowerRun:
        self.runs.append(len(problem.jobs))
        return super().schedule(problem)

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return list(started(now, now.waiting[:: 1 - 2 * (len(self.runs) % 2)]))


class Chance(Honest):
    """Starts the jobs in an order of chance."""

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        order = np.random.default_rng().permutation(len(now.waiting))
        return list(started(now, [now.waiting[place] for place in order]))


class FixedChance(Honest):
    """As before, but each run has the same chance."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(1)

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        order = self.rng.permutation(len(now.waiting))
        return list(started(now, [now.waiting[place] for place in order]))


@pytest.mark.parametrize(
    "policy", [Remembers(), Chance()], ids=lambda policy: type(policy).__name__
)
def test_state_between_runs_and_chance_are_named(policy: PowerEventDriven) -> None:
    problem = noisy()
    run = checked_run(policy, problem, "a log")
    with pytest.raises(InputError, match=r"test_own_policy\.py:\d+: mine is not repeatable: two"):
        refuse_other_run(policy, problem, run)


class Learner(Honest):
    """The slowest configuration in a class's first run, the fastest from then on."""

    runs: ClassVar[list[int]] = []

    def schedule(self, problem: PowerProblem) -> PowerRun:
        self.runs.append(len(problem.jobs))
        return super().schedule(problem)

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return super().decide(now) if len(self.runs) > 1 else list(started(now, now.waiting, max))


def test_schedule_repeats_the_first_run() -> None:
    with pytest.raises(InputError, match="mine is not repeatable"):
        schedule(TABLE, policies=["adaptive", Learner], bounds_w=[9000.0])


class Seer(Honest):
    """Shortest first, by the true times."""

    truth: PowerTruth

    def schedule(self, problem: PowerProblem) -> PowerRun:
        self.truth = problem.truth
        return super().schedule(problem)

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return list(started(now, sorted(now.waiting, key=lambda job: self.time(now, job))))

    def time(self, now: PowerMoment, job: PowerJob) -> float:
        return float(self.truth.time_ms[now.details.rows(job.application)].min())


class SeerOfJobs(Seer):
    """Those first that take longer than others of their application."""

    def time(self, now: PowerMoment, job: PowerJob) -> float:
        del now
        factor = self.truth.time_factor
        return -float(factor[job.id]) if len(factor) else 0.0


class SeerOfNodes(Honest):
    """Fast nodes first."""

    def schedule(self, problem: PowerProblem) -> PowerRun:
        law = problem.truth.law
        self.node_order = [] if law is None else np.argsort(law.compute_s[0]).tolist()
        return super().schedule(problem)


class SeerOfPhases(Seer):
    """Those first that end in a phase of low power."""

    def time(self, now: PowerMoment, job: PowerJob) -> float:
        del now
        sequence = self.truth.sequence_of(np.array([job.application]))
        own = sequence[job.id] if len(self.truth.phase_of) else sequence[0]
        return float(self.truth.phase_intensity[self.truth.phase_first[own + 1] - 1])


class Prophet(Honest):
    """Starts nobody before the last job of the log has been submitted."""

    latest_ms = 0

    def accepts(self, job: PowerJob, details: JobDetails, nodes: int, bound_mw: int) -> bool:
        del details, nodes, bound_mw
        self.latest_ms = max(self.latest_ms, job.submit_ms)
        return True

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return super().decide(now) if now.time_ms >= self.latest_ms else []


class Chooser(Seer):
    """Rejects the jobs that will take long."""

    def accepts(self, job: PowerJob, details: JobDetails, nodes: int, bound_mw: int) -> bool:
        del nodes, bound_mw
        rows = details.rows(job.application)
        return bool(self.truth.time_ms[rows].min() <= details.time_ms[rows].min())

    decide = Honest.decide


class Pairs(Honest):
    """Starts jobs only while another one of the same application waits, or after 12 starts."""

    def __init__(self) -> None:
        self.count = 0

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        several = Counter(job.application for job in now.waiting)
        chosen = [job for job in now.waiting if several[job.application] > 1 or self.count > 12]
        choices = list(started(now, chosen))
        self.count += len(choices)
        return choices


def test_a_policy_that_waits_for_jobs_that_a_replay_leaves_out_is_honest() -> None:
    ran = stalled = 0
    for seed in range(20):
        problem = noisy(seed)
        try:
            run = checked_run(Pairs(), problem, "a log")
        except InputError:
            continue
        refuse_other_run(Pairs(), problem, run)
        refuse_foreknowledge(Pairs(), problem, seed)
        ran += 1
        part = _some_jobs(problem, slice(1))
        stalled += len(checked_run(Pairs(), part, "a part", part=True).waiting)
        with pytest.raises(InputError, match="mine never starts the job of id 0: 1 wait"):
            checked_run(Pairs(), part, "a log")
    assert ran > 1
    assert stalled == ran


def test_a_policy_that_waits_for_jobs_beyond_the_replayed_stretch_is_honest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(own_policy, "JOBS", 2)
    refuse_foreknowledge(Pairs(), noisy())


def test_a_policy_that_waits_for_jobs_and_foresees_is_found() -> None:
    class ProphetOfPairs(Prophet):
        """Starts no job that is alone in its application unless it knows of a later one."""

        def decide(self, now: PowerMoment) -> Iterable[Choice]:
            return [] if len(now.waiting) < 2 and now.time_ms < self.latest_ms else Honest.decide(
                self, now)  # fmt: skip

    with pytest.raises(InputError, match="mine uses information from the future"):
        refuse_foreknowledge(ProphetOfPairs(), noisy(240))


class AtRequest(Honest):
    """Ends jobs when their requested time is over."""

    kill = "deadline"

    def deadline_ms(self, job: PowerJob, row: int, details: JobDetails) -> int:
        del row, details
        return job.requested_ms


class Impatient(AtRequest):
    """Gives every job 1 ms less than the one before: its deadlines depend on what happened."""

    def __init__(self) -> None:
        self.started = 0

    def deadline_ms(self, job: PowerJob, row: int, details: JobDetails) -> int:
        self.started += 1
        return super().deadline_ms(job, row, details) - self.started


class SeerOfEnds(Seer):
    """Ends at once the jobs that take long."""

    kill = "deadline"
    decide = Honest.decide

    def deadline_ms(self, job: PowerJob, row: int, details: JobDetails) -> int:
        return 1 if self.truth.time_ms[row] > details.time_ms[row] else 1 << 70


@pytest.mark.parametrize("policy", [AtRequest(), Impatient()])
def test_the_deadlines_of_a_policy_are_those_that_it_says(policy: PowerEventDriven) -> None:
    killed = 0
    for seed in range(0, 90, 30):
        problem = noisy(seed)
        run = checked_run(policy, problem, "a log")
        refuse_other_run(policy, problem, run)
        refuse_foreknowledge(policy, problem, seed)
        killed += int(run.schedule.killed.sum())
    assert killed
    assert checked_run(Honest(), problem, "a log").deadlines_ms is None


def test_a_job_that_is_ended_before_the_deadline_of_its_policy_is_found() -> None:
    class Early(AtRequest):
        def schedule(self, problem: PowerProblem) -> PowerRun:
            run = super().schedule(problem)
            end_ms = run.schedule.end_ms - run.schedule.killed
            return replace(run, schedule=replace(run.schedule, end_ms=end_ms))

    with pytest.raises(InputError, match=r"mine breaks a rule .* is killed after .*, but its dead"):
        checked_run(Early(), noisy(), "a log")


def noisy(seed: int = 0, **options: Any) -> PowerProblem:
    """Many jobs that wait and take other times than the table says."""
    draws = range(seed, seed + 1000)
    return next(
        problem
        for problem in (random_problem(k, most_jobs=40, exact=False, **options) for k in draws)
        if len(problem.truth.time_factor) and len(problem.jobs) > 30
        and len(problem.details.applications) > 2 and problem.jobs.submit_ms[-1] > 0
    )  # fmt: skip


@pytest.mark.parametrize("policy", [Seer(), SeerOfJobs(), SeerOfNodes(), SeerOfPhases(),
                                    SeerOfEnds(), Prophet(), Chooser()],
                         ids=lambda policy: type(policy).__name__)  # fmt: skip
def test_foreknowledge_is_found_by_replays(policy: PowerEventDriven) -> None:
    words = r"test_own_policy\.py:\d+: mine uses information from the future: events after [\d.,]+ "
    with pytest.raises(InputError, match=words):
        refuse_foreknowledge(policy, noisy(law=True, phases=True))


def test_schedule_replays() -> None:
    with pytest.raises(InputError, match="mine uses information from the future"):
        schedule("thesis-rmap", policies=[Prophet], bounds_w=[8000.0], logs=["small"], seeds=1)


@pytest.mark.parametrize("seed", range(6))
def test_honest_policies_and_built_in_ones_pass(seed: int) -> None:
    by_node = noisy(30 * seed, law=True, phases=True)
    for problem in (noisy(30 * seed), by_node, random_problem(seed, most_jobs=30)):
        literal = LiteralPolicy(backfill=BACKFILLS[seed % 3], kill="deadline")
        lending = find_power_policy("adaptive-lending-measured")
        for policy in (Honest(), FixedChance(), literal, lending):
            run = checked_run(policy, problem, "a log")
            refuse_other_run(policy, problem, run)
            refuse_foreknowledge(policy, problem, seed)


def test_a_class_is_made_to_an_object() -> None:
    (of_class,) = schedule(TABLE, policies=[Honest]).outcomes
    (of_object,) = schedule(TABLE, policies=[Honest()]).outcomes
    assert of_class.jobs == of_object.jobs
    assert of_class.policy == "mine"


def test_a_class_that_needs_arguments_is_refused() -> None:
    class Needs(Honest):
        def __init__(self, share: float) -> None:
            self.share = share

    words = r"test_own_policy\.py:\d+: Needs\(\): TypeError: .*; a power-aware policy is cre"
    with pytest.raises(InputError, match=words):
        schedule(TABLE, policies=[Needs])
