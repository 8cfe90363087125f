"""One node under POPPA: Execution Managers, Controller, log, Pricer and Account Manager."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field

from planner.errors import InputError
from planner.pricing.accounts.jobs import NewJob
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.pricer import settle
from planner.pricing.controller import Controller, Round
from planner.pricing.execution import JobGoneError, Node, QueuedJob


@dataclass(frozen=True)
class Refusal:
    """A job that was not started, and why."""

    job: QueuedJob
    reason: str


@dataclass
class Monitor:
    """Runs a node: starts jobs, measures, logs, prices those that end, and deducts.

    Attributes
    ----------
    node
        The Execution Managers.
    controller
        The shutter on the same machine.
    log
        Where measurements go.
    policy
        Name of the policy that prices the jobs.
    price_ended
        The Pricer's hook: called after jobs have ended and their log is complete. The default books
        every ended job.
    """

    node: Node
    controller: Controller
    log: MeasurementLog
    policy: str = "poppa"
    price_ended: Callable[[sqlite3.Connection], int] = settle
    refusals: list[Refusal] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    booked: int = 0

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Work until the queue and the node are empty, or ``until`` says so.

        Jobs that run then stay in the log as running.
        """
        self.price_ended(self.log.connection)  # what an earlier run left behind
        for job in self.node.queue.refuse(self.node.host.cores):
            message = f"needs {job.cores} cores; the node has {self.node.host.cores}"
            self.refusals.append(Refusal(job, message))
        try:
            self._work(until)
        finally:
            self.log.flush()

    def _work(self, until: Callable[[], bool]) -> None:
        self._start()
        while self.node.running and not until():
            self.round()
            self.node.host.sleep_us(self.controller.shutter.gap_us)
            self._pass()
            self._end()
            self._start()

    def round(self) -> Round | None:
        """Measure once, and log it."""
        measured = self.controller.step()
        if measured is not None:
            self.log.add(measured, self.numbers)
        return measured

    def _start(self) -> None:
        """Launch jobs; one that the log refuses is not launched.

        A job that the machine refuses leaves the log again, unless an earlier run measured it. If
        such a job is gone, it ended unseen: it is ended at its last measurement and priced.
        """
        while len(self.node.running) < self.node.most_jobs:
            job = self.node.queue.take(self.node.free_cores())
            if job is None:
                return
            start_us = round(self.node.host.clock_us)
            try:
                number = self.log.begin(self._new(job, start_us))
            except InputError as error:
                self.refusals.append(Refusal(job, str(error)))
                continue
            self._pass()
            try:
                self.numbers[self.node.launch(job).number] = number
            except InputError as error:
                removed = self.log.withdraw(number)
                self.refusals.append(Refusal(job, str(error)))
                if isinstance(error, JobGoneError) and not removed:
                    self.log.end_unseen(number)
                    self.ended.append(job.name)
                    self.booked += self.price_ended(self.log.connection)

    def _new(self, job: QueuedJob, start_us: int) -> NewJob:
        return NewJob(job.name, job.user, job.charged_cores, job.rate, self.policy, start_us)

    def _pass(self) -> None:
        now_us = round(self.node.host.clock_us)
        self.log.passed(now_us, [self.numbers[run.number] for run in self.node.running])

    def _end(self) -> None:
        """Write the log of ended jobs, then have them priced and booked."""
        ended = self.node.collect()
        for each in ended:
            self.log.end(self.numbers.pop(each.number), round(each.end_us))
            self.ended.append(each.job.name)
        if ended:
            self.booked += self.price_ended(self.log.connection)
