"""Rules that make a job log fit to be simulated, each counted: nothing is dropped silently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

import numpy as np

from scenarios.faults import Fault, ScenarioError, printable
from scenarios.job_logs.held_nodes import BELOW_NODES
from scenarios.job_logs.job_log import (
    KEPT,
    LEFT_OUT,
    MISSING,
    NO_JOB,
    READ,
    Codes,
    Integers,
    JobLog,
    Mask,
)
from scenarios.job_logs.pbs_processors import ALLOCATED, LARGER
from scenarios.job_logs.raw_jobs import (
    CANCELLED,
    FAILED,
    LAST_FAILED,
    OTHER_STATUS,
    PARTIAL,
    RawJobs,
    refusal,
)
from scenarios.job_logs.time_rules import ENDED_EARLY, HOUR_TWICE, ROUNDED, STARTED_EARLY, never_set
from scenarios.job_logs.unused import NOT_SIMULATED, unused_counts
from scenarios.remark import Remark, remark
from scenarios.tables.cell_text import one_line

KILLED = "run cut at the requested time"
RAISED = "requested time raised to the run time"
NO_REQUEST = "no requested time: the run time taken"
SORTED = "submitted before the job above: sorted"
UNNUMBERED = "no number: one behind all others given"
AGAIN = "a number that was used before: another job"
UNKNOWN_STATE = "a state that Headroom does not know: taken as a job that ran"
DUPLICATE = f"{LEFT_OUT}its number and submit time are listed twice"
_FEW = 5
"""Jobs with a limit from which on their share beyond it says something of the whole log."""

_MONTH_S = 31 * 86_400
_LONGEST_STATE, _MOST_STATES = 40, 5
_AGAIN = 10**17
_MOST_AGAIN = 90


@dataclass(frozen=True)
class Cleaning:
    """What is done with jobs that a simulator cannot take as they are.

    A job is left out by the first rule that meets it, in the order of the attributes. Always left
    out are lines of partial executions (status 2, 3 and 4: the job has a line of its own for the
    whole), and jobs without a run time.

    Attributes
    ----------
    no_submit
        Jobs whose submit time is missing or negative.
    no_processors
        Jobs without processors, requested or allocated.
    zero_run
        Jobs that ran for less than a second.
    cancelled
        Cancelled jobs (status 5) that have run: they held processors, so they are kept.
    failed
        Failed jobs (status 0), likewise.
    overruns
        Runs beyond the requested time: ``kill`` cuts them there, as a scheduler with hard limits
        does; ``keep`` raises the requested time to the run time; ``leave out`` drops such jobs.
    duplicates
        Jobs with the number and the submit time of a job that is kept: an error, or only the first
        or last is kept. Jobs with a number that was used before are other jobs.
    unreadable
        Lines that cannot be read as a job: an error, or left out.
    """

    no_submit: Literal["leave out", "fault"] = "leave out"
    no_processors: Literal["leave out", "fault"] = "leave out"
    zero_run: Literal["leave out", "keep"] = "leave out"
    cancelled: Literal["keep", "leave out"] = "keep"
    failed: Literal["keep", "leave out"] = "keep"
    overruns: Literal["kill", "keep", "leave out"] = "kill"
    duplicates: Literal["fault", "first", "last"] = "fault"
    unreadable: Literal["fault", "leave out"] = "fault"

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(Cleaning).items():
            if getattr(self, name) not in get_args(kind):
                choices = ", ".join(map(repr, get_args(kind)))
                message = f"is {getattr(self, name)!r}; give one of {choices}"
                raise ScenarioError([Fault("cleaning", 0, name, message)])


def cleaned(
    raw: RawJobs,
    rules: Cleaning,
    *,
    file_name: str,
    name: str,
    header: Mapping[str, str] | None = None,
    machine_processors: int | None = None,
    sha256: str = "",
    file: str = "",
) -> JobLog:
    """Apply the rules, and put the jobs into the order of their submission.

    Jobs of the same second keep the order of the file. Jobs larger than the machine are kept: the
    simulation knows the machine.

    Raises
    ------
    ScenarioError
        No job is left, or a rule reports what it finds as an error.
    """
    counts = {READ: len(raw) + sum(n for w, n in raw.counts.items() if w.startswith(LEFT_OUT))}
    counts[KEPT] = 0
    counts |= raw.counts
    remaining = np.ones(len(raw), dtype=np.bool_)
    for words, meets, remedy in _rules(raw, rules):
        met = meets & remaining
        much = int(np.count_nonzero(met))
        if much and remedy:
            raise _faults(raw, file_name, met, words, remedy)
        if much:
            counts[LEFT_OUT + words] = much
            remaining &= ~met
    counts |= _without_duplicates(raw, rules, file_name, remaining)
    counts[KEPT] = int(np.count_nonzero(remaining))
    if not counts[KEPT]:
        raise _nothing_left(file_name, counts)
    counts |= _altered(raw, remaining)
    order, disorder = _order(raw.submit_s, remaining)
    if disorder:
        counts[SORTED] = disorder
    number, unnumbered = _numbered(raw.number[order])
    if unnumbered:
        counts[UNNUMBERED] = unnumbered
    long = bool((number >= _AGAIN).any())
    number, again, most = _own_numbers(number)
    if again:
        counts[AGAIN] = again
    if most > _MOST_AGAIN or (again and long):
        message = f"a number is used by {most + 1:,} jobs; give each job a number of its own"
        raise refusal(file_name, [Fault(file_name, 0, "number", message)])
    wait = raw.wait_s[order]
    if early := int(np.count_nonzero(wait < MISSING)):
        counts[STARTED_EARLY] = counts.get(STARTED_EARLY, 0) + early
    requested, run, killed, missing = _within_request(raw, rules, order, counts)
    if unknown := int(np.count_nonzero(raw.status[order] == OTHER_STATUS)):
        counts[UNKNOWN_STATE] = unknown
    bits = np.zeros(1, np.int8) if raw.unused is None else raw.unused[order]
    counts |= unused_counts(bits, header or {})
    return JobLog(
        name=name,
        number=number,
        submit_s=raw.submit_s[order],
        run_s=run,
        processors=raw.processors[order],
        requested_s=requested,
        user=_taken_codes(raw.user, order),
        group=_taken_codes(raw.group, order),
        queue=_taken_codes(raw.queue, order),
        partition=_taken_codes(raw.partition, order),
        wait_s=np.where(wait < MISSING, 0, wait),
        names=raw.names,
        header=header or {},
        machine_processors=machine_processors,
        counts=in_order(counts),
        sha256=sha256,
        remarks=(*raw.remarks, *_remarks(raw, counts, remaining)),
        killed=killed,
        energy_j=None if raw.energy_j is None else raw.energy_j[order],
        file=file,
        no_limit=missing,
        columns=raw.columns,
    )


def _altered(raw: RawJobs, remaining: Mask) -> dict[str, int]:
    """How many of the jobs that are kept each rule of the reader altered."""
    much = {words: int(np.count_nonzero(mask & remaining)) for words, mask in raw.marks.items()}
    return {words: jobs for words, jobs in much.items() if jobs}


_COUNTED = {
    ROUNDED: "log-rounded",
    SORTED: "log-sorted",
    AGAIN: "log-number-again",
    STARTED_EARLY: "log-started-early",
    ENDED_EARLY: "log-ended-early",
    HOUR_TWICE: "log-hour-twice",
    ALLOCATED: "log-allocated",
    LARGER: "log-ncpus-larger",
    BELOW_NODES: "log-below-nodes",
}
"""Remarks that say how many jobs a rule met."""


def _remarks(raw: RawJobs, counts: Mapping[str, int], remaining: Mask) -> Iterator[Remark]:
    for words, kind in _COUNTED.items():
        if much := counts.get(words, 0):
            yield remark(kind, jobs=(much, "job"))
    if much := counts.get(UNKNOWN_STATE, 0):
        first = int(raw.line[remaining & (raw.status == OTHER_STATUS)][0])
        of_job = {"jobs": (much, "job"), "line": (first, "id")}
        if listed := tuple(_unknown_states(raw, remaining)):
            yield remark("log-unknown-state", states=(listed, "text"), **of_job)
        else:  # a number of the Standard Workload Format
            yield remark("log-unknown-status", **of_job)
    run, requested = raw.run_s[remaining], raw.requested_s[remaining]
    stated = requested > 0
    beyond, limited = int(np.count_nonzero(stated & (run > requested))), int(stated.sum())
    if limited >= _FEW and 2 * beyond > limited:
        yield remark("log-beyond-limits", jobs=((beyond, limited), "of:job"))
    if much := int(np.count_nonzero(run > _MONTH_S)):
        yield remark("log-long-runs", jobs=(much, "job"), longest=(int(run.max()), "s"))


def _unknown_states(raw: RawJobs, remaining: Mask) -> list[str]:
    """The first unknown states of the jobs that are kept, each with its first line."""
    first: dict[str, int] = {}
    for row, text in sorted(raw.unknown_states.items()):
        if remaining[row]:
            first.setdefault(printable(one_line(text))[:_LONGEST_STATE], int(raw.line[row]))
    return [f"{word} ({line})" for word, line in first.items()][:_MOST_STATES]


def _numbered(number: Integers) -> tuple[Integers, int]:
    """Numbers behind all others for jobs without one, and how many these are."""
    absent = number < 0
    much = int(np.count_nonzero(absent))
    if not much:
        return number, 0
    given = number.copy()
    given[absent] = max(int(number.max()), 0) + np.arange(1, much + 1)
    return given, much


def _own_numbers(number: Integers) -> tuple[Integers, int, int]:
    """Numbers of which each is there once, and how often one was used before.

    Given are the numbers, the jobs whose number was used before, and the most such uses of one.
    """
    order = np.argsort(number, kind="stable")
    same = number[order[1:]] == number[order[:-1]]
    if not same.any():
        return number, 0, 0
    group = np.concatenate([[0], np.cumsum(~same)])
    first = np.flatnonzero(np.concatenate([[True], ~same]))
    further = np.arange(len(number)) - first[group]
    own = number.copy()
    own[order] += np.minimum(further, _MOST_AGAIN) * _AGAIN
    return own, int(np.count_nonzero(further)), int(further.max())


Order = slice | Integers
"""All jobs in their present order, without a copy; or their rows."""


def in_order(counts: Mapping[str, int]) -> dict[str, int]:
    """Read and kept, then lines that are not jobs, left out, altered, and not simulated."""
    ranks = {
        words: (
            words not in (READ, KEPT),
            not words.startswith(NO_JOB),
            not words.startswith(LEFT_OUT),
            words.startswith(NOT_SIMULATED),
        )
        for words in counts
    }
    return {words: counts[words] for words in sorted(counts, key=ranks.__getitem__)}


def _rules(raw: RawJobs, rules: Cleaning) -> Iterator[tuple[str, Mask, str]]:
    """Yield the words of each rule, the jobs that it applies to, and the fix for an error."""
    parts = (raw.status >= PARTIAL) & (raw.status <= LAST_FAILED)
    yield "part of a job that was interrupted", parts, ""
    remedy = "correct it, or leave out these jobs with --clean {}=leave-out"
    fault = remedy.format("no_submit") if rules.no_submit == "fault" else ""
    yield "no submit time", raw.submit_s < 0, fault
    fault = remedy.format("no_processors") if rules.no_processors == "fault" else ""
    yield "no processors", raw.processors <= 0, fault
    yield "a start that was not set", never_set(raw.wait_s), ""
    yield "no run time", raw.run_s < 0, ""
    if rules.zero_run == "leave out":
        yield "a run time of 0", raw.run_s == 0, ""
    if rules.cancelled == "leave out":
        yield "cancelled", raw.status == CANCELLED, ""
    if rules.failed == "leave out":
        yield "failed", raw.status == FAILED, ""
    if rules.overruns == "leave out":
        met = (raw.requested_s > 0) & (raw.run_s > raw.requested_s)
        yield "ran beyond the requested time", met, ""


def _faults(raw: RawJobs, file_name: str, met: Mask, words: str, remedy: str) -> ScenarioError:
    rows = np.flatnonzero(met)[:101]
    return refusal(
        file_name,
        [
            Fault(file_name, int(raw.line[row]), f"job {raw.number[row]}", f"{words}; {remedy}")
            for row in rows
        ],
    )


def _without_duplicates(
    raw: RawJobs, rules: Cleaning, file_name: str, remaining: Mask
) -> dict[str, int]:
    """Strike out of ``remaining`` all but one job of a number and submit time."""
    rows = np.flatnonzero(remaining)
    number = raw.number if len(rows) == len(raw) else raw.number[rows]
    if (number[1:] > number[:-1]).all():
        return {}
    submit_s = raw.submit_s[rows]
    order = np.lexsort((submit_s, number))
    same = number[order[1:]] == number[order[:-1]]
    same &= number[order[1:]] >= 0
    again = np.flatnonzero(same & (submit_s[order[1:]] == submit_s[order[:-1]]))
    if not len(again):
        return {}
    earlier, later = rows[order[again]], rows[order[again + 1]]
    if rules.duplicates == "fault":
        raise refusal(
            file_name,
            [
                Fault(
                    file_name,
                    int(raw.line[second]),
                    f"job {raw.number[second]}",
                    f"is already in line {raw.line[first]}; delete one, or keep one with "
                    "--clean duplicates=first or --clean duplicates=last",
                )
                for first, second in zip(earlier[:101], later[:101], strict=True)
            ],
        )
    remaining[later if rules.duplicates == "first" else earlier] = False
    return {DUPLICATE: len(again)}


def _nothing_left(file_name: str, counts: Mapping[str, int]) -> ScenarioError:
    prefix = LEFT_OUT if counts[READ] else NO_JOB
    met = [f"{much} {w.removeprefix(prefix)}" for w, much in counts.items() if w.startswith(prefix)]
    why = f" ({', '.join(met)})" if met else ""
    message = f"all {counts[READ]} jobs were left out{why}; change the cleaning rules, or the log"
    if not counts[READ]:
        message = f"contains no jobs{why}; give a job log"
    return ScenarioError([Fault(file_name, 0, "", message)])


def _order(submit_s: Integers, remaining: Mask) -> tuple[Order, int]:
    """Return the kept jobs by submission, and how many follow one that was submitted later."""
    everything = bool(remaining.all())
    times = submit_s if everything else submit_s[remaining]
    disorder = int(np.count_nonzero(times[1:] < times[:-1]))
    if not disorder:
        return (slice(None) if everything else np.flatnonzero(remaining)), 0
    return np.flatnonzero(remaining)[np.argsort(times, kind="stable")], disorder


def _taken_codes(values: Codes, order: Order) -> Codes:
    """Return the codes, with -1 for each negative one."""
    taken: Codes = values[order]
    return np.maximum(taken, -1)


def _within_request(
    raw: RawJobs, rules: Cleaning, order: Order, counts: dict[str, int]
) -> tuple[Integers, Integers, Mask | None, Mask | None]:
    """Requested and run times; which runs were cut, and which jobs have no request."""
    run, requested = raw.run_s[order], raw.requested_s[order]
    absent = requested <= 0
    missing = absent if absent.any() else None
    if missing is not None:
        counts[NO_REQUEST] = int(np.count_nonzero(missing))
        requested = np.where(missing, run, requested)
    over = run > requested
    much = int(np.count_nonzero(over))
    if not much:
        return requested, run, None, missing
    if rules.overruns == "keep":
        counts[RAISED] = much
        return np.maximum(run, requested), run, None, missing
    counts[KILLED] = much
    return requested, np.minimum(run, requested), over, missing
