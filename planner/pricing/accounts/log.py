"""The log of measurements: jobs that begin, rounds of the shutter, time that passes, jobs that end.

Sums are kept in memory. They are written in one transaction as soon as they span ``flush_us``, and
when a job ends. A program that is killed loses the measurements since then and nothing else. A call
that fails changes nothing, in the file or in memory: it can be made again.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from planner.errors import InputError
from planner.pricing.accounts.arguments import file_of, items, whole
from planner.pricing.accounts.clocks import Before, JobClock, check_time
from planner.pricing.accounts.jobs import NewJob, checked, end_jobs, insert, remove, resumed
from planner.pricing.accounts.ledger import balance
from planner.pricing.accounts.measured_rows import add_to_minute, add_to_totals
from planner.pricing.accounts.policies import FROM_RAW
from planner.pricing.accounts.schema import (
    END_RULES,
    Transaction,
    rule_of,
    settings_of,
    transaction,
)
from planner.pricing.accounts.sums import (
    PLACE,
    JobSample,
    SummationRule,
    Sums,
    add_sample,
    add_to,
    checked_sample,
    empty,
    packed,
    sample_of,
)
from planner.pricing.accounts.units import MINUTE_US, su_text
from planner.pricing.controller import Round
from planner.pricing.overhead import Shutter
from scenarios.formatting import short

_SHARED, _LONE, _GAP = PLACE["shared_us"], PLACE["lone_us"], PLACE["gap_us"]
_BACKWARDS = PLACE["clock_backwards"]
_ROW_BYTES = 40


def raw_bytes(shutter: Shutter, jobs: int, seconds: float) -> int:
    """Size of raw samples, to be shown before they are switched on.

    Parameters
    ----------
    shutter
        S, P and K.
    jobs
        n, jobs on the node.
    seconds
        How long they run.

    Returns
    -------
    int
        Bytes of one node.

    Examples
    --------
    >>> raw_bytes(Shutter(), 2, 86400) // 10**6  # MB a day and node
    92
    """
    rounds = seconds * 1e6 / replace(shutter, jobs=jobs).round_us
    return round(rounds * jobs * (_ROW_BYTES + 8 * (6 * shutter.repeats + 3)))


class MeasurementLog:
    """Writes what one node measures.

    Parameters
    ----------
    connection
        An open log, of ``create`` or ``opened``.
    node
        Number of the node; a job on several nodes has sums on each.
    longest_step_us
        A longer time between two measurements is a gap: nobody knows what happened in it.
    flush_us
        Measurements that span this time are written [us]: a kill loses at most this much of them.
        0 writes at every call.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        node: int = 0,
        longest_step_us: int = MINUTE_US,
        flush_us: int = MINUTE_US,
    ) -> None:
        file_of(connection)
        self.connection = connection
        self.settings = settings_of(connection)
        self._rule: SummationRule = rule_of(self.settings)
        self.node = whole(node, "node")
        self.longest_step_us = whole(longest_step_us, "longest_step_us", 0)
        self.flush_us = whole(flush_us, "flush_us", 0)
        self._clocks: dict[int, JobClock] = {}
        self._pending: dict[tuple[int, int], Sums] = defaultdict(empty)
        self._latest_us: dict[tuple[int, int], int] = {}
        """Last measurement in each pending minute."""
        self._raw: list[tuple[int, int, int, int, int, int, bytes]] = []
        self._next_number: dict[int, int] = {}
        self._before = Before(0, 0)
        self.late = 0
        """Minutes of jobs that had ended, or were withdrawn, when they were written: left out."""

    def begin(self, job: NewJob) -> int:
        """Enter a job; its number in the log.

        A job that the log has, with the same values and not ended, goes on: the time since its last
        measurement is a gap.

        Raises
        ------
        InputError
            The user has no account or nothing left on it, the rate is not above 0, another job
            has this name, or the policy needs raw samples that the log does not keep.
        """
        job = checked(job)
        if job.policy in FROM_RAW and not self.settings.raw:
            raise InputError(
                f"policy {job.policy!r} needs raw samples, and this log keeps sums only; make one "
                "with raw = True, or take another policy"
            )
        with self._writing():
            left = balance(self.connection, job.user)
            known = self.connection.execute(
                "SELECT job, user, cores, rate, policy, start_us, last_us, end_us FROM jobs"
                " WHERE name = ?",
                (job.name,),
            ).fetchone()
            if known is None:
                number, start_us, last_us = self._insert(job, left), job.start_us, job.start_us
            else:
                number, start_us, last_us = resumed(job, known)
                last_us = self._last_us(number, start_us)
            rounds = self._rounds_of(number)
        self._clocks[number] = JobClock(start_us, last_us, last_us, last_us, last_us > start_us)
        self._next_number[number] = rounds
        return number

    def _rounds_of(self, job: int) -> int:
        row = self.connection.execute(
            "SELECT number FROM rounds WHERE job = ? AND node = ?"
            " ORDER BY minute DESC, number DESC LIMIT 1",
            (job, self.node),
        ).fetchone()
        return 0 if row is None else int(row[0]) + 1

    def _last_us(self, job: int, start_us: int) -> int:
        """The last measurement on this node; another node may have measured later."""
        row = self.connection.execute(
            "SELECT last_us FROM minutes WHERE job = ? AND node = ? ORDER BY minute DESC LIMIT 1",
            (job, self.node),
        ).fetchone()
        return start_us if row is None else int(row[0])

    def _insert(self, job: NewJob, left: int) -> int:
        if left <= 0 and self.settings.overdraft == "book":
            message = f"user {job.user!r} has {su_text(left)} SU left and cannot start a job"
            raise InputError(f"{message}; add a credit")
        return insert(self.connection, job)

    def passed(self, now_us: int, jobs: Iterable[int]) -> None:
        """Time has passed for the jobs on the node: shared if there are several, else alone."""
        present = [whole(job, "job") for job in items(jobs, "jobs")]
        now_us = whole(now_us, "now_us")
        with self._adding():
            for job in present:
                self._account(job, now_us, _SHARED if len(present) > 1 else _LONE)
            self._flush_if_due()

    def add(self, measured: Round, numbers: Mapping[int, int]) -> None:
        """Add one round.

        Parameters
        ----------
        measured
            What the Controller yields.
        numbers
            The log's number of each of the machine's jobs; others are left out.
        """
        time_us = round(measured.time_us)
        with self._adding():
            for job in measured.jobs:
                if job in numbers:
                    self._add(whole(numbers[job], "job"), time_us, sample_of(measured, job))
            self._flush_if_due()

    def add_sample(self, job: int, time_us: int, sample: JobSample) -> None:
        """Add what one round says of one job.

        The time since the job's last measurement was shared, because a job that has the node for
        itself has no rounds. No call of ``passed`` is needed for it.

        Parameters
        ----------
        time_us
            When the round began [us].
        """
        with self._adding():
            self._add(whole(job, "job"), whole(time_us, "time_us"), checked_sample(sample))
            self._flush_if_due()

    def _add(self, job: int, time_us: int, sample: JobSample) -> None:
        sums = self._account(job, time_us, _SHARED)
        if sums is None:
            return
        add_sample(sums, sample, self._rule)
        if self.settings.raw:
            number = self._next_number[job]
            self._before.numbers.setdefault(job, number)
            self._next_number[job] = number + 1
            minute = self._clocks[job].last_us // MINUTE_US
            row = (job, self.node, minute, number, time_us, sample.kind, packed(sample))
            self._raw.append(row)

    def _account(self, job: int, now_us: int, place: int) -> Sums | None:
        """Add the time since the job's last measurement; the sums of its minute.

        ``None`` for a job that has ended: its measurements are counted and left out.
        """
        clock = self._clocks.get(job)
        if clock is None:
            if self._runs(job) is not False:
                message = f"job {job} was not begun in this program"
                raise InputError(f"{message}; call begin, which also continues a job of the log")
            self.late += 1
            return None
        before = self._before
        if job not in before.clocks:
            before.clocks[job] = replace(clock)
        step, backwards = clock.advance(job, now_us)
        key = job, clock.last_us // MINUTE_US
        if key not in before.minutes:
            known = self._pending.get(key)
            before.minutes[key] = known and [*known], self._latest_us.get(key)
        self._latest_us[key] = clock.last_us
        sums = self._pending[key]
        sums[_BACKWARDS] += backwards
        sums[_GAP if step > self.longest_step_us else place] += step
        return sums

    def _flush_if_due(self) -> None:
        if any(clock.unwritten_us() >= self.flush_us for clock in self._clocks.values()):
            self.flush()

    def flush(self) -> None:
        """Write what was added, all in one transaction."""
        with self._writing():
            pass

    def end(self, job: int, end_us: int, rule: str = "seen") -> None:
        """Write what was added and end a job.

        Parameters
        ----------
        end_us
            When it ended [us]. An end before the job's last measurement, on any node, is moved
            there, and its rule becomes ``clock``.
        rule
            How the end is known: ``seen``, or ``lost`` where the program was not there.

        Raises
        ------
        InputError
            The log has no such job, or the end is more than a hundred years after its start.
        """
        job, end_us = whole(job, "job"), whole(end_us, "end_us")
        if rule not in END_RULES:
            raise InputError(f"rule = {short(rule)} is unknown; give {' or '.join(END_RULES)}")
        with self._writing():
            self._write_gap_before(job, end_us)
            end_jobs(self.connection, [(job, end_us, rule)])
        self._forget(job)

    def _write_gap_before(self, job: int, end_us: int) -> None:
        """Write the time from a job's last measurement to its end, if that is a gap."""
        clock = self._clocks.get(job)
        if clock is None or not clock.measured or not self._runs(job):
            return
        check_time(job, clock.start_us, end_us)
        step = end_us - clock.last_us
        if step > self.longest_step_us:
            sums = empty()
            sums[_GAP] = step
            add_to_totals(self.connection, job, self.node, sums)
            key = job, self.node, clock.last_us // MINUTE_US
            add_to_minute(self.connection, key, clock.last_us, sums)

    def end_unseen(self, job: int) -> None:
        """End a job that ended while no program was there, at its last measurement (``lost``)."""
        with self._writing():
            end_jobs(self.connection, [(whole(job, "job"), None, "lost")])
        self._forget(job)

    @contextmanager
    def _adding(self) -> Iterator[None]:
        """Everything inside is kept in memory, or nothing: a call that failed can be repeated.

        Once it is written it stays, even if the call is then interrupted.
        """
        self._before = Before(len(self._raw), self.late)
        try:
            yield
        except BaseException:
            if not self._before.written:
                self._take_back(self._before)
            raise

    def _take_back(self, before: Before) -> None:
        self._clocks |= before.clocks
        self._next_number |= before.numbers
        for key, (sums, latest_us) in before.minutes.items():
            if sums is None or latest_us is None:
                self._pending.pop(key, None)
                self._latest_us.pop(key, None)
            else:
                self._pending[key], self._latest_us[key] = sums, latest_us
        del self._raw[before.raw :]
        self.late = before.late

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that first writes what was added: what is inside finds it in the file."""
        late, state = self.late, Transaction()
        try:
            with transaction(self.connection, state):
                self._write()
                yield
        finally:
            if state.committed:
                self._wrote()
            else:
                self.late = late

    def _wrote(self) -> None:
        """Forget what is in the file now."""
        self._before.written = True
        self._pending.clear()
        self._latest_us.clear()
        self._raw.clear()
        for clock in self._clocks.values():
            clock.written_us = clock.now_us

    def _write(self) -> None:
        by_job: dict[int, Sums] = defaultdict(empty)
        running = {job for job in {job for job, _ in self._pending} if self._runs(job)}
        for (job, _), sums in self._pending.items():
            if job in running:
                add_to(by_job[job], sums)
            else:
                self.late += 1
        for job, sums in by_job.items():  # first, because minutes refer to them
            add_to_totals(self.connection, job, self.node, sums)
        self.connection.executemany(
            "INSERT INTO rounds VALUES (?, ?, ?, ?, ?, ?, ?)",
            [row for row in self._raw if row[0] in running],
        )
        for (job, minute), sums in self._pending.items():
            if job in running:
                key = job, self.node, minute
                add_to_minute(self.connection, key, self._latest_us[job, minute], sums)
        # Several nodes may write one job: none takes back what another has measured later.
        self.connection.executemany(
            "UPDATE jobs SET last_us = max(last_us, ?) WHERE job = ? AND end_us IS NULL",
            [(clock.last_us, job) for job, clock in self._clocks.items()],
        )

    def _runs(self, job: int) -> bool | None:
        """Whether a job has not ended; ``None`` if the log has no such job.

        A price follows from the log as it was at the end.
        """
        row = self.connection.execute("SELECT end_us FROM jobs WHERE job = ?", (job,)).fetchone()
        return None if row is None else row[0] is None

    def _forget(self, job: int) -> None:
        self._clocks.pop(job, None)
        self._next_number.pop(job, None)

    def withdraw(self, job: int) -> bool:
        """Take back a job that could not start; one that has measurements stays as it is.

        Returns
        -------
        bool
            Whether it was taken back.
        """
        with self._writing():
            removed = remove(self.connection, whole(job, "job"))
        if removed:
            self._forget(job)
        return removed

    def leave(self, job: int) -> None:
        """Write what was added and forget a job, which another node of it will end."""
        self.flush()
        self._forget(job)
