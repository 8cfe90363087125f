"""True run time and true power of jobs on the nodes that they got.

The engines look here what happens; no policy does. The checker recomputes it on its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.problem import MS, SLACK_MS, PowerProblem
from planner.scheduling.power.truth import NodeLaw

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Placed(NamedTuple):
    """Runs: a job in a configuration on nodes.

    Attributes
    ----------
    job, row
        Shape ``(runs,)``.
    node_first, node
        Nodes of run ``r`` are ``node[node_first[r]:node_first[r + 1]]``: rank ``i`` on the
        ``i``-th. Every run has as many as its row.
    """

    job: Integers
    row: Integers
    node_first: Integers
    node: Integers


def true_times_ms(problem: PowerProblem, placed: Placed) -> Integers:
    """True run times, rounded up to whole milliseconds and at least 1; shape ``(runs,)``."""
    truth = problem.truth
    if truth.law is None:
        time_ms = truth.time_ms[placed.row].astype(np.float64)
    else:
        time_ms = _law_times_s(truth.law, placed) * MS
    time_ms = time_ms * problem.jobs.time_scale[placed.job]
    if len(truth.time_factor):
        time_ms = time_ms * truth.time_factor[placed.job]
    return np.maximum(np.ceil(time_ms - SLACK_MS), 1).astype(np.int64)


def true_powers_mw(problem: PowerProblem, placed: Placed) -> Integers:
    """Return the true powers, rounded to whole milliwatts; phases excepted; shape ``(runs,)``."""
    truth = problem.truth
    if truth.law is None:
        power_mw = truth.power_mw[placed.row].astype(np.float64)
    else:
        power_mw = _law_powers_w(truth.law, placed) * MS
    if len(truth.power_factor):
        power_mw = power_mw * truth.power_factor[placed.job]
    return np.rint(power_mw).astype(np.int64)


def _law_times_s(law: NodeLaw, placed: Placed) -> Floats:
    """``max_i(compute_s[row, v_i] * load[i]) + messages_s[row]``."""
    if not len(placed.job):
        return np.empty(0)
    row, load = _by_rank(law, placed)
    busy = law.compute_s[row, placed.node] * load
    longest: Floats = np.maximum.reduceat(busy, placed.node_first[:-1])
    return longest + law.messages_s[placed.row]


def _law_powers_w(law: NodeLaw, placed: Placed) -> Floats:
    """``sum_i(spinning_w[row, v_i]) + sum_i(load[i] * extra_j[row, v_i]) / time``."""
    if not len(placed.job):
        return np.empty(0)
    row, load = _by_rank(law, placed)
    spinning = np.add.reduceat(law.spinning_w[row, placed.node], placed.node_first[:-1])
    extra = np.add.reduceat(load * law.extra_j[row, placed.node], placed.node_first[:-1])
    watts: Floats = spinning + extra / _law_times_s(law, placed)
    return watts


def _by_rank(law: NodeLaw, placed: Placed) -> tuple[Integers, Floats]:
    """Return the row and load of every rank, in the order of ``node``."""
    run = np.repeat(np.arange(len(placed.job)), np.diff(placed.node_first))
    rank = np.arange(len(placed.node)) - placed.node_first[run]
    row = placed.row[run]
    return row, law.load[law.load_first[row] + rank]
