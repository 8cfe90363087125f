"""Scheduling with shared nodes: SDSC-SP2 against the present EASY loops, in one run.

SDSC-SP2 (54,006 jobs) runs on 128 nodes. Its users are spread over the applications of a shared
node (simulated; seed 0). Printed are ratios of the time of the compiled loops, alternated five
times, and the time of pricing. Asserted: with sharing off and all speeds 1 the starts are those of
EASY, and schedules keep nodes, work and promises.

    HEADROOM_DATA=... python benchmarks/bench_shared_queue.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from planner.scheduling.policies.registry import find_policy
from planner.scheduling.power.rmap import traditional_policy
from planner.scheduling.simulation.simulate import simulate
from planner.sharing_nodes.queues.bills import bills, oracle
from planner.sharing_nodes.queues.checker import violations
from planner.sharing_nodes.queues.engine import schedule
from planner.sharing_nodes.queues.logs import shared_problem
from planner.sharing_nodes.queues.meetings import meetings_of
from planner.sharing_nodes.queues.problem import SharedProblem
from planner.sharing_nodes.queues.rules import WHOLE, SharingRule, gate_of, sharing
from planner.sharing_nodes.queues.simulated import true_speeds
from planner.sharing_nodes.queues.speeds import Speeds, speeds_of
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.simulated.shared_node.applications import TWELVE
from tests.planner.scheduling.power.test_rmap import easy_problem
from tests.shared_data import TRACES

ROUNDS = 5
LOG = TRACES / "SDSC-SP2.swf.gz"


def alternated(*runs: Callable[[], float]) -> list[float]:
    """Median seconds of each of some runs that take turns."""
    times = np.array([[run() for run in runs] for _ in range(ROUNDS)])
    return [float(median) for median in np.median(times, axis=0)]


def without_sharing(log: JobLog) -> None:
    """The three loops on the same log and the same rule."""
    problem = shared_problem(log, speeds_of(["any"], [[1.0]]))
    reference = simulate(log, find_policy("easy")).schedule
    own = schedule(problem).schedule
    ours, theirs = np.argsort(log.number), np.argsort(reference.number)
    if (own.start_ms[ours] // 1000 != reference.start_s[theirs]).any():
        raise SystemExit("starts without sharing are not those of EASY")
    bounded, power = easy_problem(log, problem.nodes), traditional_policy()
    shared, easy, watts = alternated(
        lambda: schedule(problem).seconds,
        lambda: simulate(log, find_policy("easy")).seconds,
        lambda: power.schedule(bounded).seconds,
    )
    print(
        f"EASY without sharing: {1e3 * shared:.0f} ms, {shared / easy:.1f} x the loop of easy, "
        f"{shared / watts:.2f} x that of power-aware scheduling"
    )


def timed(problem: SharedProblem, rule: SharingRule) -> Callable[[], float]:
    """Return a run of a rule, which answers with the seconds of its loop."""
    return lambda: schedule(problem, rule).seconds


def with_sharing(log: JobLog, speeds: Speeds) -> None:
    """Each rule against whole nodes."""
    problem = shared_problem(log, speeds)
    gate = gate_of(speeds, np.ones_like(speeds.pair), partner="best")
    for rule in (
        sharing(gate, "spread"),
        sharing(gate, "wait"),
        sharing(gate, "wait", fill=True),
    ):
        shared, whole = alternated(timed(problem, rule), timed(problem, WHOLE))
        own = schedule(problem, rule).schedule
        if violations(own, problem, rule, reservations=False):
            raise SystemExit(f"{rule.name} breaks a rule")
        began = time.perf_counter()
        meetings = meetings_of(own)
        bills(own, problem, meetings, oracle(speeds))
        pricing = time.perf_counter() - began
        print(
            f"{rule.name}: {len(problem.jobs) / shared:,.0f} jobs/s, {shared / whole:.2f} x the "
            f"loop without sharing; {len(meetings) // 2:,} meetings priced in {pricing:.2f} s"
        )


def main() -> None:
    log = read_job_log(LOG)
    without_sharing(log)
    with_sharing(log, true_speeds(TWELVE))


if __name__ == "__main__":
    main()
