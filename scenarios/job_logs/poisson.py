"""Traces of a few jobs with Poisson arrivals, as in chapter 5 of the thesis.

The thesis gives the number of jobs, their sizes and the law of arrivals. It gives neither the rate
of arrivals nor the run times apart from its applications: those are assumed here and can be given.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import nearest
from scenarios.job_logs.job_log import MISSING, MOST_JOBS, JobLog
from scenarios.job_logs.origin import SYNTHETIC
from scenarios.job_logs.requested_times import requested_times
from solvers.portable import exp, log

Kind = Literal["small", "large", "random"]

NODES = {"small": (8, 24), "large": (40, 64), "random": (8, 64)}
"""Fewest and most nodes of a job; the thesis measured from 8 to 64 nodes in steps of 4."""

STEP = 4
MACHINE_NODES = 64
MEAN_GAP_S = 300.0
"""Assumed. The expected load is then 0.41 for small, 0.93 for random and 1.35 for large jobs."""

RUN_S = (200, 1000)
"""Assumed: the thesis prints times from 415 to 1000 s for single jobs."""


def poisson_log(
    kind: Kind,
    seed: int,
    *,
    jobs: int = 30,
    mean_gap_s: float = MEAN_GAP_S,
    run_s: tuple[int, int] = RUN_S,
    estimate_factor: float = 0.0,
) -> JobLog:
    """Make a synthetic log for 64 nodes; a processor is a node.

    Parameters
    ----------
    kind
        ``"small"``: 8 to 24 nodes; ``"large"``: 40 to 64; ``"random"``: 8 to 64; all sizes in
        steps of 4 are equally likely.
    seed
        Seed of the random numbers; the same seed gives the same arrays.
    jobs
        How many.
    mean_gap_s
        Mean of the exponential gaps between submissions [s]; assumed. The first job comes at 0.
    run_s
        Least and greatest run time [s]; log-uniform between them; assumed.
    estimate_factor
        Requests are uniform from the run time to (1 + factor) times it; 0 for exact ones.

    Returns
    -------
    JobLog
        Jobs without users, in order of submission, times in seconds.

    Raises
    ------
    ScenarioError
        The kind is unknown, or the numbers make no log.

    References
    ----------
    Chapter 5 of the thesis, section 5.4: 30 jobs per trace, Poisson arrivals.
    """
    if kind not in NODES:
        raise _fault("kind", f"{kind!r} is unknown; {nearest(str(kind), list(get_args(Kind)))}")
    if not 1 <= jobs <= MOST_JOBS:
        raise _fault("jobs", f"{jobs} is outside 1 to {MOST_JOBS}; the thesis has 30")
    if not 0 < mean_gap_s <= 1e6:
        message = f"{mean_gap_s:g} is outside 0 to 1e6; give seconds such as {MEAN_GAP_S:g}"
        raise _fault("mean_gap_s", message)
    shortest_s, longest_s = run_s
    if not 1 <= shortest_s <= longest_s <= 10**8:
        message = (
            f"{shortest_s} to {longest_s} is not a range of run times; give one such as {RUN_S}"
        )
        raise _fault("run_s", message)
    rng = np.random.default_rng(seed)
    gaps, sizes, lengths, estimates = rng.spawn(4)
    few, many = NODES[kind]
    submit = np.cumsum(gaps.exponential(mean_gap_s, jobs))
    run = exp(lengths.uniform(log(shortest_s), log(longest_s), jobs))
    run_times = np.clip(np.floor(run).astype(np.int64), shortest_s, longest_s)
    missing = np.full(jobs, MISSING, np.int64)
    codes = missing.astype(np.int32)
    return JobLog(
        name=f"Poisson, {kind}, seed {seed}",
        number=np.arange(1, jobs + 1),
        submit_s=np.floor(submit - submit[0]).astype(np.int64),
        run_s=run_times,
        processors=sizes.integers(few // STEP, many // STEP, jobs, endpoint=True) * STEP,
        requested_s=requested_times(run_times, estimate_factor, estimates),
        user=codes,
        group=codes,
        queue=codes,
        partition=codes,
        wait_s=missing,
        header={
            "MaxProcs": str(MACHINE_NODES),
            SYNTHETIC: f"Poisson model of {kind} jobs, seed {seed}; gaps assumed",
        },
        machine_processors=MACHINE_NODES,
    )


def _fault(where: str, message: str) -> ScenarioError:
    return ScenarioError([Fault("Poisson trace", 0, where, message)])
