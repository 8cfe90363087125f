"""Time limits of jobs whose log names none: ``UNLIMITED``, ``Partition_Limit``, -1 or blank.

Without a rule such a job is planned with its own run time, which no scheduler knows: waits come out
shorter than they would be. A rule gives them the limit that the machine had.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import nearest
from scenarios.job_logs.cell_values import duration
from scenarios.job_logs.cleaning import NO_REQUEST, in_order
from scenarios.job_logs.job_log import LATEST_S, MISSING, JobLog, Mask
from scenarios.tables.cell_text import CellError, quoted

GIVEN = "no requested time: the limit of a rule taken"
OUTRAN = "no requested time, and ran beyond the limit of the rule: the run time taken"
_UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86_400}
_WITH_UNIT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?) ?(s|min|h|d)")

Limits = Mapping[str, int]
"""Limits [s] by the partition's name, or its number where the log has no names; "" for others."""


def parse_limit(text: str) -> tuple[str, int]:
    """Read ``24h``, ``1-12:00:00`` or, for one partition, ``gpu=2d``; a bare number is refused.

    Raises
    ------
    CellError
        It is none of these.

    Examples
    --------
    >>> parse_limit("24h"), parse_limit("gpu=1-12:00:00")
    (('', 86400), ('gpu', 129600))
    """
    partition, equals, value = text.rpartition("=")
    value = value.strip()
    if (equals and not partition.strip()) or not value:
        raise CellError(f"{quoted(text)} is not [PARTITION=]TIME; write 24h or gpu=2d")
    matched = _WITH_UNIT.fullmatch(value)
    if matched is not None:
        seconds = float(matched[1]) * _UNITS[matched[2]]
    elif ":" in value or "-" in value:
        seconds = float(duration(value))
    else:
        message = f"{quoted(value)} has no unit; write 90s, 30min, 24h, 2d or 1-12:00:00"
        raise CellError(message)
    if not 1 <= seconds < LATEST_S:
        raise CellError(
            f"{quoted(value)} is not a valid time limit; give 1 s or more, below 2**38 s"
        )
    return partition.strip(), int(seconds)


def with_limits(log: JobLog, limits: Limits) -> JobLog:
    """Give jobs without a requested time the limit of their partition, or the general one.

    A job that ran longer than the rule says had another limit: its run time is taken, as without a
    rule, and it still counts as a job without a limit.

    Parameters
    ----------
    log
        The jobs.
    limits
        Limit [s] by the partition's name, or its number where the log has no names; ``""`` for
        all others.

    Returns
    -------
    JobLog
        A copy in which ``requested_s`` of these jobs is the limit.

    Raises
    ------
    ScenarioError
        A rule names a partition of which the log has no jobs.
    """
    if not limits:
        return log
    names = _partition_names(log)
    unknown = [name for name in limits if name and name not in names]
    if unknown:
        remedy = nearest(unknown[0], sorted(names))
        message = f"there are no jobs of a partition {quoted(unknown[0])}; {remedy}"
        raise ScenarioError([Fault(log.file or log.name, 0, "--default-limit", message)])
    if log.no_limit is None:
        return log
    limit = np.full(len(log), limits.get("", MISSING), np.int64)
    for name, seconds in limits.items():
        if name:
            limit[log.partition == names[name]] = seconds
    ruled = log.no_limit & (limit != MISSING)
    limited: Mask = ruled & (limit >= log.run_s)
    unlimited: Mask = log.no_limit & ~limited
    much = {
        GIVEN: int(limited.sum()),
        OUTRAN: int((ruled & ~limited).sum()),
        NO_REQUEST: int((log.no_limit & ~ruled).sum()),
    }
    counts = {words: count for words, count in log.counts.items() if words != NO_REQUEST}
    counts |= {words: count for words, count in much.items() if count}
    return replace(
        log,
        requested_s=np.where(limited, limit, log.requested_s),
        no_limit=unlimited if unlimited.any() else None,
        counts=in_order(counts),
    )


def without_limit(log: JobLog) -> int:
    """Jobs that are planned with their own run time, since nothing says what they requested."""
    return 0 if log.no_limit is None else int(log.no_limit.sum())


def _partition_names(log: JobLog) -> dict[str, int]:
    """Codes of the partitions that have jobs, by name."""
    names = log.names.get("partition", ())
    codes = np.unique(log.partition[log.partition != MISSING]).tolist()
    return {names[code] if names else str(code): code for code in codes}
