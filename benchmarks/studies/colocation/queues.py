"""What co-location on queues gains: logs and synthetic logs, 20 seeds, all laws.

``python -m benchmarks.studies.colocation.queues TRACES [CASE ...]`` runs the cases, stores their
results in ``queues.json`` next to this file, and prints the tables of
docs/evidence/colocate-queues.md. Each case takes minutes. Rules were tried on seeds from 100 on,
and on the first mapping of SDSC-SP2.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from planner.sharing_nodes.pairs.settings import LEAST_GAIN, LEAST_SPEED
from planner.sharing_nodes.queue_gains.colocate_log import ALPHA, colocate_log, rules_of
from planner.sharing_nodes.queue_gains.laws import CORES_LAWS, SharingLaw, law_of
from planner.sharing_nodes.queues.replications import (
    QueueReplications,
    replicate,
    synthetic_problems,
)

SEEDS = 20
HALVES, SAME_CORES = "poppa-12-codes", "tangram-eight-node"
IDLE_CYCLES = f"{SAME_CORES}, idle-cycles"
LAWS = (
    (HALVES, "half sockets"),
    (SAME_CORES, "same cores"),
    (IDLE_CYCLES, "same cores, idle cycles"),
)
FIRST_SEED = {HALVES: 0, SAME_CORES: 200, IDLE_CYCLES: 200}
"""On the same cores the error of a prediction was changed after seeds 0 to 19 had been scored."""
LOADS = (0.7, 0.9)
JOBS, NODES = 1_000, 128
FIRST_JOBS = 5_000
STORED = Path(__file__).with_suffix(".json")
KEPT = (
    "mean_wait_s", "longest_wait_s", "mean_turnaround_s", "mean_bounded_slowdown", "throughput",
    "energy_kwh", "jobs", "shared_jobs", "floors_broken", "users_sooner", "users_later",
    "revenue: state of practice", "revenue: fair price", "revenue: oracle",
    "pays more: state of practice", "pays more: fair price", "pays more: oracle",
)  # fmt: skip


def of_log(
    traces: Path,
    name: str,
    law: str,
    processors_per_node: int = 1,
    first_jobs: int = FIRST_JOBS,
) -> QueueReplications:
    """Return a log with users spread anew over the applications by each seed."""
    study = colocate_log(
        cached_law(law),
        traces / f"{name}.swf.gz",
        seeds=SEEDS,
        processors_per_node=processors_per_node,
        first_jobs=first_jobs,
        first_seed=FIRST_SEED[law],
    )
    return study.first.replications


def synthetic(traces: Path, law: str, load: float) -> QueueReplications:
    """Logs of the Lublin-Feitelson model, one for each seed."""
    del traces
    tables = cached_law(law)
    rules = rules_of(tables, LEAST_SPEED, {}, LEAST_GAIN, ALPHA, matched=True)
    seeds = range(FIRST_SEED[law], FIRST_SEED[law] + SEEDS)
    problems = synthetic_problems(
        tables.true,
        seeds,
        jobs=JOBS,
        nodes=NODES,
        load=load,
        halves_per_node=tables.halves_per_node,
    )
    return replicate(problems, seeds, rules, watts=tables.watts)


@cache
def cached_law(name: str) -> SharingLaw:
    """Return a bundled law; the law of shared cores may follow its name."""
    source, _, cores_law = name.partition(", ")
    return law_of(source, cores_law=cores_law or CORES_LAWS[0])


CASES: dict[str, Callable[[Path], QueueReplications]] = {
    **{
        f"{name}, {text}": partial(of_log, name=name, law=law, processors_per_node=processors)
        for name, processors in (("SDSC-SP2", 1), ("SDSC-BLUE", 8))
        for law, text in LAWS
    },
    **{
        f"synthetic, load {load}, {text}": partial(synthetic, law=law, load=load)
        for load in LOADS
        for law, text in LAWS
    },
}


def as_stored(replications: QueueReplications) -> dict[str, Any]:
    """The results that are stored, rounded, so that another machine's logarithm does not matter."""
    rules: dict[str, Any] = {}
    for one in replications.changes:
        if one.quantity in KEPT:
            values = (one.before, one.after, one.ratio, one.low, one.high)
            row = [None if value is None else float(f"{value:.6g}") for value in values]
            rules.setdefault(one.rule, {})[one.quantity] = row
    return {
        "seeds": len(replications.seeds),
        "late_starts": dict(replications.late_starts),
        "rules": rules,
    }


def line(case: str, rule: str, row: dict[str, Any]) -> str:
    """Return a line of the page's table."""
    wait, shared = row["mean_wait_s"], row["shared_jobs"]
    broken = row["floors_broken"][1] / shared[1] if shared[1] else 0.0
    span = "-" if wait[2] is None else f"{wait[2]:.2f} ({wait[3]:.2f} to {wait[4]:.2f})"
    energy, slowdown = row["energy_kwh"][2], row["mean_bounded_slowdown"][2]
    return (
        f"| {case} | {rule} | {span} | {slowdown:.2f} | {row['throughput'][1]:.3f} | {energy:.3f} "
        f"| {shared[1] / row['jobs'][1]:.0%} | {broken:.2%} "
        f"| {row['longest_wait_s'][1] / row['longest_wait_s'][0]:.2f} |"
    )


def main(traces: str, *chosen: str) -> None:
    """Run cases, store and print them."""
    for case in chosen or CASES:
        began = time.perf_counter()
        result = as_stored(CASES[case](Path(traces)))
        stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
        STORED.write_text(json.dumps(stored | {case: result}, indent=1) + "\n", encoding="utf-8")
        for rule, row in result["rules"].items():
            sys.stdout.write(line(case, rule, row) + "\n")
        sys.stdout.write(f"{case}: {time.perf_counter() - began:.0f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
