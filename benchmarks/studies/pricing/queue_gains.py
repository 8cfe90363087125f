"""What first fit gains on whole logs: mean wait and throughput of shared nodes over whole ones.

``python -m benchmarks.studies.pricing.queue_gains SDSC-SP2.swf.gz`` prints the table of
docs/evidence/shared-queue.md. Twenty mappings of the log's users to the twelve applications, and
twenty synthetic logs; the gate admits pairs whose true gain is above 5 %.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from planner.sharing_nodes.queues.problem import SharedProblem
from planner.sharing_nodes.queues.replications import (
    QueueReplications,
    mapped_problems,
    replicate,
    synthetic_problems,
)
from planner.sharing_nodes.queues.rules import admitted_by_gain, gate_of, sharing
from planner.sharing_nodes.queues.simulated import true_speeds
from scenarios.job_logs.reader import read_job_log
from scenarios.simulated.shared_node.applications import TWELVE

SEEDS = range(20)
LEAST_GAIN = 0.05


def main(path: str) -> None:
    """Print a line for each log and rule."""
    speeds = true_speeds(TWELVE)
    log = read_job_log(path)
    cases: tuple[tuple[str, Iterable[SharedProblem]], ...] = (
        (f"{log.name}, {len(SEEDS)} mappings", mapped_problems(log, speeds, SEEDS)),
        (f"synthetic, load 0.8, {len(SEEDS)} seeds", synthetic_problems(speeds, SEEDS, load=0.8)),
    )
    gate = gate_of(speeds, admitted_by_gain(speeds, least_gain=LEAST_GAIN), partner="best")
    rules = (sharing(gate, "spread"), sharing(gate, "wait"))
    for name, problems in cases:
        replications = replicate(problems, SEEDS, rules)
        for rule in rules:
            _say(name, rule.name, replications)


def _say(name: str, rule: str, replications: QueueReplications) -> None:
    wait, work = replications.change(rule, "mean_wait_s"), replications.change(rule, "throughput")
    ratio: Sequence[float | None] = (wait.ratio, wait.low, wait.high)
    shown = ", ".join("-" if bound is None else f"{bound:.3f}" for bound in ratio)
    late = replications.late_starts[rule]
    sys.stdout.write(f"{name} | {rule} | {shown} | {work.after:.3f} | late starts {late}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
