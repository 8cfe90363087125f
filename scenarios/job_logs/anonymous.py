"""An anonymous log has numbers, in the order of their first appearance, in place of names.

The numbers are not random: jobs stay in order of submission, so anybody could put random numbers
back into the order of their first appearance.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from scenarios.job_logs.job_log import MISSING, Codes, JobLog
from scenarios.job_logs.origin import SYNTHETIC, synthetic_words

REMOVED = (
    "names of users, groups, queues and partitions, job numbers, dates, and all other comments"
)
"""What is not in an anonymous log; executables are in no log that Headroom writes."""

KEPT = (
    "times from the first submission, run times, waits, processors, requested times, and which "
    "jobs share a user, group, queue or partition"
)
"""What is in an anonymous log, and may still tell somebody who knows the site whose a job is."""

_MODEL = re.compile(r"(?:Lublin-Feitelson|Poisson) model[A-Za-z ]{0,40}, seed [0-9]+")


def anonymous(log: JobLog) -> JobLog:
    """Return the same jobs without what names people, programs, places and dates.

    Removed are the names of users, groups, queues and partitions, which become numbers from 1 in
    the order of their first appearance; job numbers, which become 1, 2, ...; the date of the first
    submission, which becomes 0 s; and every line of the header but the size of the machine and, of
    a synthetic log, that it is one. Kept are all times from the first submission, run times, waits,
    processors and requested times: patterns in them may still show somebody who knows the site
    whose a job is.

    Returns
    -------
    JobLog
        A copy; the log itself does not change.
    """
    first = int(log.submit_s[0]) if len(log) else 0
    header = {"Note": f"anonymous; removed: {REMOVED}\nkept: {KEPT}"}
    if synthetic := synthetic_words(log.header):
        model = _MODEL.match(synthetic)
        header[SYNTHETIC] = model[0] if model is not None else "origin removed"
    return replace(
        log,
        name="anonymous",
        file="",
        number=np.arange(1, len(log) + 1),
        submit_s=log.submit_s - first,
        user=_numbered(log.user),
        group=_numbered(log.group),
        queue=_numbered(log.queue),
        partition=_numbered(log.partition),
        names={},
        header=header,
        remarks=(),
        columns=(),
        energy_j=None,
    )


def _numbered(codes: Codes) -> Codes:
    """Codes from 1 in the order of their first appearance; ``MISSING`` stays."""
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(np.where(distinct == MISSING, len(codes), first), kind="stable")
    numbers = np.empty(len(distinct), np.int32)
    numbers[order] = np.arange(1, len(distinct) + 1, dtype=np.int32)
    numbers[distinct == MISSING] = MISSING
    return numbers[inverse].astype(np.int32)
