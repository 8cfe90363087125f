"""Features of a job for models: its request, its time, and what similar jobs did. Compiled.

A job has four *owners* of past jobs: the user; the user's jobs with as many processors and the same
request; the queue; everybody. Features summarise an owner's ended jobs in logarithms. Some use the
share of its request that each job used, others its run time over this job's request. Without ended
jobs, a feature comes from the next wider owner. If no job has ended, it is 0: the request.

``FEATURES`` names the columns. They are filled in when the job's run time is predicted, or when the
job has ended without a prediction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.estimates.predictors.predictor import Integers, Known, Rows, joint_codes
from planner.scheduling.policies.compiled import compiled, compiled_entry

Floats = NDArray[np.float64]

FEATURES = (
    "one",
    "log request",
    "log processors",
    "sine of the day",
    "cosine of the day",
    "sine of the week",
    "cosine of the week",
    "log of the user's jobs that have not ended, and one",
    "log of the user's jobs that have ended, and one",
    "user without ended jobs",
    "share of the user's last job",
    "share of the one before",
    "run time of the user's last job",
    "mean run time of the user's last two jobs, at most the request",
    "mean of the user's shares",
    "mean of the user's run times",
    "like jobs none of which has ended",
    "share of the last like job",
    "mean of the shares of like jobs",
    "mean of the shares in the queue",
    "mean of everybody's shares",
    "spread of the user's shares",
    "spread of the shares of like jobs",
)
"""Shares and run times as logarithms; run times less the logarithm of the job's request."""

SEEN, ASKED = 0, 1
_DAY_S, _WEEK_S = 86_400, 604_800

ENDED, LAST, BEFORE, MEAN, LAST_RUN, BEFORE_RUN, MEAN_RUN, SPREAD = range(8)
"""Columns of a past: how many have ended; shares; run times; mean distance of a share from the mean
before it."""

RECENT, RECENT_OF_MANY = 0.2, 0.01
"""Least weight of the last value in a mean: of about the last 5 jobs, and of 100 in a queue or of
everybody, as windows of the field are; chosen before any log was scored."""


class Past(NamedTuple):
    """Arrays of a pass.

    Attributes
    ----------
    features
        Features of each job, by ``FEATURES``; shape ``(jobs, features)``.
    owners
        Owners of each job: user, like jobs, queue, everybody, as rows of ``ended``; and how many
        jobs the user submitted before. Shape ``(jobs, 5)``.
    ended
        Pasts; shape ``(owners, 8)``.
    """

    features: Floats
    owners: Integers
    ended: Floats


def nothing_past(known: Known) -> Past:
    """Before anybody has ended; what is known at submission is filled in."""
    features = np.zeros((len(known.submit_s), len(FEATURES)))
    features[:, ASKED] = np.log(np.maximum(known.requested_s, 1))
    features[:, 2] = np.log(np.maximum(known.processors, 1))
    for column, period in ((3, _DAY_S), (5, _WEEK_S)):
        angle = (known.submit_s % period) * (2 * math.pi / period)
        features[:, column], features[:, column + 1] = np.sin(angle), np.cos(angle)
    user = joint_codes(known.user)
    alike = joint_codes(known.user, known.processors, known.requested_s)
    queue = joint_codes(known.queue)
    everybody = np.zeros_like(user)
    owners = np.column_stack((user, alike, queue, everybody, _jobs_before(user)))
    for level in range(1, 4):
        owners[:, level] += owners[:, level - 1].max(initial=0) + 1
    return Past(features, owners, np.zeros((int(owners[:, 3].max(initial=0)) + 1, 8)))


def _jobs_before(user: Integers) -> Integers:
    """Return how many jobs of the same user come before each one."""
    order = np.argsort(user, kind="stable")
    places = np.arange(len(user))
    begins = np.concatenate(([True], user[order][1:] != user[order][:-1]))[: len(user)]
    before = np.empty_like(places)
    before[order] = places - np.maximum.accumulate(np.where(begins, places, 0))
    return before


@compiled_entry
def observe(rows: Rows, features: Floats, owners: Integers, ended: Floats) -> None:
    """Fill in what is known at this time."""
    for i in range(len(rows)):
        observe_one(rows[i], features, owners, ended)


@compiled
def observe_one(job: int, features: Floats, owners: Integers, ended: Floats) -> None:
    """Fill in what is known of one job at this time."""
    user, alike, queue, everybody = (
        owners[job, 0],
        owners[job, 1],
        owners[job, 2],
        owners[job, 3],
    )
    requested = features[job, ASKED]
    count = ended[user, ENDED]
    features[job, SEEN] = 1.0
    features[job, 7] = math.log1p(max(owners[job, 4] - count, 0.0))
    features[job, 8] = math.log1p(count)
    features[job, 9] = 1.0 if count == 0 else 0.0
    of_all = ended[everybody, MEAN]
    in_queue = ended[queue, MEAN] if ended[queue, ENDED] > 0 else of_all
    wider = in_queue
    features[job, 19], features[job, 20] = in_queue, of_all
    if count == 0:
        for column in range(10, 16):
            features[job, column] = wider
    else:
        one = BEFORE if count > 1 else LAST
        last, before = ended[user, LAST_RUN], ended[user, one + LAST_RUN - LAST]
        mean = math.log(max((math.exp(last) + math.exp(before)) / 2, 1.0)) - requested
        wider = ended[user, MEAN]
        features[job, 10] = ended[user, LAST]
        features[job, 11] = ended[user, one]
        features[job, 12] = last - requested
        features[job, 13] = min(mean, 0.0)
        features[job, 14] = wider
        features[job, 15] = ended[user, MEAN_RUN] - requested
    alone = ended[alike, ENDED] == 0
    features[job, 16] = 1.0 if alone else 0.0
    features[job, 17] = wider if alone else ended[alike, LAST]
    features[job, 18] = wider if alone else ended[alike, MEAN]
    spread = ended[everybody, SPREAD]
    if ended[queue, ENDED] > 1:
        spread = ended[queue, SPREAD]
    if count > 1:
        spread = ended[user, SPREAD]
    features[job, 21] = spread
    features[job, 22] = ended[alike, SPREAD] if ended[alike, ENDED] > 1 else spread


@compiled_entry
def remember(
    rows: Rows, run_s: Integers, features: Floats, owners: Integers, ended: Floats
) -> None:
    """Take in jobs that have ended."""
    for i in range(len(rows)):
        if features[rows[i], SEEN] == 0:
            observe_one(rows[i], features, owners, ended)
        remember_one(rows[i], run_s[i], features, owners, ended)


@compiled
def remember_one(job: int, run_s: int, features: Floats, owners: Integers, ended: Floats) -> None:
    """Take in one job that has ended."""
    run = math.log(max(run_s, 1))
    share = min(run - features[job, ASKED], 0.0)
    for level in range(4):
        owner = owners[job, level]
        ended[owner, ENDED] += 1
        least_weight = RECENT if level < 2 else RECENT_OF_MANY
        weight = max(1 / ended[owner, ENDED], least_weight)
        ended[owner, BEFORE], ended[owner, LAST] = ended[owner, LAST], share
        ended[owner, BEFORE_RUN], ended[owner, LAST_RUN] = ended[owner, LAST_RUN], run
        if ended[owner, ENDED] > 1:
            distance = abs(share - ended[owner, MEAN])
            recent = max(1 / (ended[owner, ENDED] - 1), least_weight)
            ended[owner, SPREAD] += recent * (distance - ended[owner, SPREAD])
        ended[owner, MEAN] += weight * (share - ended[owner, MEAN])
        ended[owner, MEAN_RUN] += weight * (run - ended[owner, MEAN_RUN])
