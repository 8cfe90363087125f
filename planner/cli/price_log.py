"""Replay of a pricing log, and the live program: the output of ``headroom price`` on both."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import Message
from planner.cli.message_table import Column, Table
from planner.formatting import duration, plural

if TYPE_CHECKING:
    from planner.pricing.live.run import LiveJob, LiveResult, LiveSettings
    from planner.pricing.replay import ReplayResult

_MICRO = 1e-6
_POLICIES = {
    "state-of-practice": "by run time, as today",
    "poppa": "POPPA",
    "headroom": "Headroom",
}
"""Pricing rules of a log as people read them."""


def replayed(path: str, head: str | None) -> tuple[Message, bool]:
    """Recompute all prices of a pricing log; the message, and whether all agree."""
    from planner.pricing.replay import replay

    result = replay(path, head=head)
    return _replay_message(result), result.matches


def _replay_message(result: ReplayResult) -> Message:
    jobs = plural(len(result.jobs) - result.unbooked, "booked job")
    agree = (
        f"All prices of {jobs} match the bookings exactly (to 1e-6 SU); the chain is intact."
        if result.matches
        else f"The log is inconsistent: {plural(len(result.differences), 'recorded value')} "
        f"{_verb(len(result.differences), 'differs', 'differ')} from what the rest of it says."
    )
    warnings = []
    if result.unbooked:
        warnings.append(f"{plural(result.unbooked, 'job')} ended without a booking so far.")
    if result.running:
        warnings.append(
            f"{plural(result.running, 'job')} without an end: running, or left behind by a program "
            "that was killed (end_lost in docs/pricing-log.md)."
        )
    plain = {
        "log": result.path,
        "matches": result.matches,
        "jobs": [asdict(job) for job in result.jobs],
        "running": result.running,
        "balances_micro_su": dict(result.balances),
        "differences": [asdict(row) for row in result.differences],
        "counts": dict(result.counts),
        "links": result.links,
        "head": result.head,
        "broken_links": {str(number): text for number, text in result.broken.items()},
        "kept_link": result.kept_link,
    }
    tables = (
        Table("Chain of digests over all final rows", _CHAIN, _chain(result)),
        Table("Inconsistent values", _DIFFERENCES, result.differences),
        Table("Jobs, with prices in SU", _JOBS, result.jobs),
        Table(
            "Events in the replay",
            _COUNTS,
            [
                {"rule": rule.replace("_", " "), "times": times}
                for rule, times in sorted(result.counts.items())
                if times
            ],
        ),
    )
    head = f"Head of the chain (keep it elsewhere; --head checks it later):\n{result.head}"
    return Message(plain, agree, tuple(warnings), tables, head)


def _chain(result: ReplayResult) -> list[dict[str, str]]:
    rows = {
        "Links": f"{result.links:,}",
        "Digest of --head": f"link {result.kept_link:,}" if result.kept_link else "",
        "First broken link": result.first_broken,
    }
    return [{"label": label, "value": value} for label, value in rows.items() if value]


def live_jobs(texts: tuple[str, ...], rate: float) -> tuple[LiveJob, ...]:
    """Return jobs from ``NAME,USER,CORES,PID[,PID...]``.

    Raises
    ------
    click.UsageError
        A text has another form.
    """
    from planner.pricing.accounts.units import micro_su
    from planner.pricing.execution import QueuedJob
    from planner.pricing.live.linux import Target
    from planner.pricing.live.run import LiveJob

    jobs = []
    for text in texts:
        name, user, *numbers = (part.strip() for part in f"{text},,".split(",")[:-2])
        if not user or len(numbers) < 2 or not all(part.isdecimal() for part in numbers):
            raise click.UsageError(f"--live-job {text!r}: write NAME,USER,CORES,PID[,PID...]")
        cores, *pids = map(int, numbers)
        job = QueuedJob(name, user, cores, cores, micro_su(rate, "rate"))
        jobs.append(LiveJob(job, Target(pids=tuple(pids))))
    return tuple(jobs)


def live_settings(
    log: str,
    jobs: tuple[LiveJob, ...],
    run_s: float,
    shutter_us: float | None,
    gap_us: float | None,
) -> LiveSettings:
    """Settings of the live program."""
    from planner.pricing.live.run import LiveSettings
    from planner.pricing.overhead import Shutter

    usual = Shutter()
    shutter = Shutter(
        usual.measure_us if shutter_us is None else shutter_us,
        usual.gap_us if gap_us is None else gap_us,
        jobs=max(2, len(jobs)),
    )
    return LiveSettings(Path(log), jobs, run_s, shutter)


def live_message(result: LiveResult) -> Message:
    """Return the result of the live program."""
    measured = plural(len(result.counters), "job")
    headline = (
        f"Measured {measured} in {plural(result.rounds, 'round')} over {duration(result.seconds)}; "
        f"stopped by: {result.stopped_by}."
    )
    warnings = [
        f"{refusal.job.name} ended while no program was there; its price is that of its last "
        "measurement."
        if refusal.job.name in result.ended
        else f"{refusal.job.name} was not measured: {refusal.reason}"
        for refusal in result.refusals
    ]
    if result.overlong_pauses:
        warnings.append(
            f"{plural(result.overlong_pauses, 'pause')} exceeded the watchdog's limit of "
            f"{result.watchdog_s:g} s; these windows were not measured."
        )
    table = Table(
        "Counters",
        (Column("job", "job"), Column("counter", "counter")),
        [{"job": job, "counter": counter} for job, counter in result.counters.items()],
    )
    return Message(
        asdict(result),
        headline,
        tuple(warnings),
        (table,),
        "This run tests the measurement; it does not show how accurate the prices are.",
    )


def _verb(count: int, one: str, several: str) -> str:
    return one if count == 1 else several


def _su(micro: int) -> str:
    return f"{micro * _MICRO:,.6f}"


_CHAIN = (Column("label", "part"), Column("value", "value"))
_DIFFERENCES = (
    Column("what", "item"),
    Column("name", "name"),
    Column("recorded", "recorded"),
    Column("recomputed", "recomputed"),
)
_JOBS = (
    Column("name", "job"),
    Column("user", "user"),
    Column("policy", "pricing rule", lambda name: _POLICIES.get(name, name)),
    Column("time_us", "run time", lambda value: duration(value * _MICRO)),
    Column("todays_price", "price by run time", _su),
    Column("price", "recomputed price", _su),
    Column("booked", "booked price", _su),
)
_COUNTS = (Column("rule", "event"), Column("times", "times"))
