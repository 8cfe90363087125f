"""A base class for a user's own policies that react to events.

Such a policy receives what a scheduler knows; it never sees a run time before the job has ended.
Each pass checks its answer. It runs in plain Python, at about 10,000 events a second if the queue
is short. A policy for a million jobs should implement the Protocol ``Policy`` directly, as the
built-in policies do.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import insort
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

import numpy as np

from planner.errors import InputError, PlanError, StalledError
from planner.formatting import plural
from planner.scheduling.policies.problem import SchedulingProblem, Starts, refuse_predictions
from planner.scheduling.policies.running import LATEST


class Job(NamedTuple):
    """A job as it is known when it is submitted; nobody can change it.

    Attributes
    ----------
    id
        From 0 on, in order of submission.
    processors
        How many it needs.
    estimate_s
        Estimate of its run time [s], at least 1 and never below the run time.
    user
        Number of its user, from 0 on.
    submit_s
        Submit time [s].
    """

    id: int
    processors: int
    estimate_s: int
    user: int
    submit_s: int


class Started(NamedTuple):
    """A job that runs, its start and its end by the estimate [s].

    Attributes
    ----------
    job
        The job.
    start_s
        Its start [s].
    expected_end_s
        Its end by the estimate [s].
    """

    job: Job
    start_s: int
    expected_end_s: int


class Reservation(NamedTuple):
    """When a job can start by the estimates [s], and how many processors are left over then.

    Attributes
    ----------
    time_s
        Earliest start [s].
    spare
        Processors that are then left over.
    """

    time_s: int
    spare: int


@dataclass(frozen=True, slots=True)
class Moment:
    """The state that a scheduler sees in a pass.

    Attributes
    ----------
    time_s
        Now [s].
    processors, free
        Processors of the machine, and those that no job uses.
    waiting
        Jobs that wait, in order of submission.
    running
        Jobs that run, by their expected ends, the earliest first.
    """

    time_s: int
    processors: int
    free: int
    waiting: tuple[Job, ...]
    running: tuple[Started, ...]

    def reservation(self, processors: int) -> Reservation:
        """Earliest time at which the processors are free, if running jobs end as estimated.

        All jobs that are expected to end at that instant count.
        """
        time_s, free = self.time_s, self.free
        # Ends equal to the one found are added too: the loop breaks only at a later one.
        for running in self.running:
            if free >= processors and running.expected_end_s > time_s:
                break
            time_s, free = running.expected_end_s, free + running.job.processors
        return Reservation(time_s, free - processors)

    def after(self, job: Job) -> Moment:
        """Return the same moment with one of the waiting jobs started."""
        waiting = tuple(other for other in self.waiting if other is not job)
        running = list(self.running)
        _run(running, Started(job, self.time_s, self.time_s + job.estimate_s))
        free = self.free - job.processors
        return Moment(self.time_s, self.processors, free, waiting, tuple(running))


class EventDriven(Protocol):
    """A policy that decides at each event which jobs start now.

    Derive a class from this one, write :meth:`decide`, and set ``name``. Each simulation uses a
    fresh copy of the object, so attributes on ``self`` start anew.

    Notes
    -----
    :meth:`decide` receives a ``Moment``.

    - ``time_s``: now [s].
    - ``processors``, ``free``: processors of the machine, and those that no job uses.
    - ``waiting``: jobs that wait, in order of submission.
    - ``running``: jobs that run, the earliest expected end first. Each has ``job``, ``start_s`` and
      ``expected_end_s``.
    - ``reservation(processors)``: the earliest time ``time_s`` at which these are free by the
      estimates, and how many more are ``spare`` then.
    - ``after(job)``: the same moment with one of the waiting jobs started.

    A ``Job`` has these fields. Its run time is never visible.

    - ``id``: its number, from 0 on, in order of submission.
    - ``processors``: how many it needs.
    - ``estimate_s``: estimate of its run time [s], never below the run time.
    - ``user``: number of its user, from 0 on.
    - ``submit_s``: submit time [s].

    Examples
    --------
    >>> class Widest(EventDriven):
    ...     def decide(self, now):
    ...         fitting = [job for job in now.waiting if job.processors <= now.free]
    ...         return sorted(fitting, key=lambda job: -job.processors)[:1]
    >>> Widest().name
    'Widest'
    """

    @property
    def name(self) -> str:
        """What tables call it; by default the name of the class."""
        return type(self).__name__

    def submitted(self, job: Job, time_s: int) -> None:
        """Take note of a job that is being submitted; a pass follows."""
        del job, time_s

    def ended(self, started: Started, time_s: int) -> None:
        """Take note of a job that ends; a pass follows."""
        del started, time_s

    @abstractmethod
    def decide(self, now: Moment) -> Iterable[Job]:
        """Return the jobs that start now, of those that wait."""
        ...

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        StalledError
            Jobs wait for ever; they have the start -1 in its answer.
        InputError
            A job is started that does not wait or does not fit.
        PlanError
            The problem asks for predictions, or has outages or reservations.
        """
        refuse_predictions(problem, self.name)
        if problem.unavailable:
            raise PlanError(
                f"{self.name} does not plan around outages and reservations; remove them, or "
                "use the policy conservative"
            )
        play = _Play.of(deepcopy(self), problem)
        starts = Starts(np.array(play.starts(), np.int64), problem.jobs.run)
        if play.waiting:
            first, waiting = next(iter(play.waiting.values())), len(play.waiting)
            raise StalledError(
                f"{self.name} never starts {_described(first)}: {waiting:,} wait, nothing runs, "
                "and no event will come; start a job that fits the empty machine",
                starts,
            )
        return starts


@dataclass(eq=False)
class _Play:
    """A log while it is simulated.

    ``ends`` is a heap of true ends; ``running`` is ordered by expected ones.
    """

    policy: EventDriven
    problem: SchedulingProblem
    jobs: list[Job]
    run_s: list[int]
    free: int
    start_s: list[int]
    waiting: dict[int, Job] = field(default_factory=dict)
    running: list[Started] = field(default_factory=list)
    ends: list[tuple[int, int, Started]] = field(default_factory=list)
    arrived: int = 0
    begun: int = 0

    @classmethod
    def of(cls, policy: EventDriven, problem: SchedulingProblem) -> _Play:
        arrays = problem.jobs
        columns = (arrays.processors, arrays.estimate, problem.user, arrays.submit)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        jobs = [Job(number, *row) for number, row in enumerate(rows)]
        return cls(policy, problem, jobs, arrays.run.tolist(), problem.processors, [-1] * len(jobs))

    def starts(self) -> list[int]:
        batch = self.problem.event_order == "batch"
        while self.ends or self.arrived < len(self.jobs):
            time_s = min(self._next_end, self._next_submission)
            # What ends by its estimate now is free in all passes of this instant.
            self._release(time_s)
            if batch:
                while self._next_end == time_s:
                    self._end(time_s)
                while self._next_submission == time_s:
                    self._submit(time_s)
            elif self._next_submission == time_s:
                self._submit(time_s)
            else:
                self._end(time_s)
            self._pass(time_s)
        return self.start_s

    @property
    def _next_end(self) -> int:
        return self.ends[0][0] if self.ends else LATEST

    @property
    def _next_submission(self) -> int:
        return self.jobs[self.arrived].submit_s if self.arrived < len(self.jobs) else LATEST

    def _release(self, time_s: int) -> None:
        """Free what is expected to end by now: no estimate is too short, so it does end now."""
        while self.running and self.running[0].expected_end_s <= time_s:
            self.free += self.running.pop(0).job.processors

    def _submit(self, time_s: int) -> None:
        job = self.jobs[self.arrived]
        self.arrived += 1
        self.waiting[job.id] = job
        self.policy.submitted(job, time_s)

    def _end(self, time_s: int) -> None:
        started = heappop(self.ends)[2]
        if started.expected_end_s > time_s:
            self.running.remove(started)
            self.free += started.job.processors
        self.policy.ended(started, time_s)

    def _pass(self, time_s: int) -> None:
        if not self.waiting:
            return
        waiting, running = tuple(self.waiting.values()), tuple(self.running)
        moment = Moment(time_s, self.problem.processors, self.free, waiting, running)
        # The whole answer before any start: a generator must not see the machine change.
        for job in tuple(self.policy.decide(moment)):
            self._start(job, time_s)

    def _start(self, job: Job, time_s: int) -> None:
        # Identity, not equality: a job that the policy has made itself is refused.
        if not isinstance(job, Job) or self.waiting.get(job.id) is not job:
            raise InputError(
                f"{self.policy.name} starts {_described(job)} at {time_s} s, which does not wait "
                "then; return jobs of now.waiting, each once"
            )
        if job.processors > self.free:
            raise InputError(
                f"{self.policy.name} starts {_described(job)} at {time_s} s on "
                f"{plural(job.processors, 'processor')}, where {self.free} of "
                f"{self.problem.processors} are free; subtract each start from now.free"
            )
        del self.waiting[job.id]
        self.free -= job.processors
        self.start_s[job.id] = time_s
        started = Started(job, time_s, time_s + job.estimate_s)
        _run(self.running, started)
        # Of equal ends the one that began first comes first, and no two jobs are ever compared.
        heappush(self.ends, (time_s + self.run_s[job.id], self.begun, started))
        self.begun += 1


def _run(running: list[Started], started: Started) -> None:
    """Add a job to those that run, behind all that end with it or sooner."""
    insort(running, started, key=lambda running_job: running_job.expected_end_s)


def _described(job: object) -> str:
    """A job in an error: by its place in the order of submission, from 0 on."""
    return f"the job of id {job.id}" if isinstance(job, Job) else f"{job!r:.60}"
