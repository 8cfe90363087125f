"""Gates and pairings on shared cores, under both laws of oversubscription.

``python -m benchmarks.studies.colocation.shared_cores gates|pairings`` runs 20 seeds on both
systems, stores the results in ``shared_cores.json`` next to this file, and prints the tables of
docs/evidence/shared-cores.md. The gates take some ten minutes, the pairings some seconds.

A pairing has 24 jobs of the six applications. It is chosen from the pairs as one campaign measured
them, and scored by the law without noise, at the largest number of ranks. Nothing is fitted here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.policies import first_fit, greedy, random_plans
from planner.sharing_nodes.pairs.problem import PairingProblem
from planner.sharing_nodes.queues.simulated import (
    measured_oversubscribed_speeds,
    true_oversubscribed_speeds,
)
from planner.sharing_nodes.queues.speeds import Floats
from planner.sharing_nodes.tangram.evaluate import tangram
from scenarios.simulated.oversubscription import LAWS, SIX, SYSTEMS, OversubscribedSystem, under

SEEDS, JOBS = 20, 24
GATES = ("Tangram", "logistic", "one counter", "all co-located", "oracle")
STORED = Path(__file__).with_suffix(".json")
Row = dict[str, Any]


def gates(system: str, law: str) -> Iterator[Row]:
    """Rows of Table II, and of each gate in each test."""
    study = tangram(system, seeds=SEEDS, law=law)
    for row in study.table_two:
        yield {
            "system": system, "law": law, "test": row.test, "gate": row.gate,
            "measure": row.measure, "printed": row.printed_mean, "mean": _short(row.ours_mean),
            "printed_worst": row.printed_max, "worst": _short(row.ours_max), "note": row.note,
        }  # fmt: skip
    for split in study.splits:
        for gate in GATES:
            yield {
                "system": system, "law": law, "test": split.name, "gate": gate,
                "mean": _short(study.mean(split.name, gate)),
                "worst": _short(study.worst(gate, split.name)),
            }  # fmt: skip


def pairings(system: OversubscribedSystem) -> Iterator[Row]:
    """Gains of each policy over the seeds: of 24 jobs, in nodes of work."""
    true = true_oversubscribed_speeds(system).pair
    gains: dict[str, list[float]] = {}
    for seed in range(SEEDS):
        kinds = np.random.default_rng(seed).integers(len(SIX), size=JOBS)
        problem = _problem(kinds, measured_oversubscribed_speeds(system, (seed,))[0].pair)
        plans = {
            "random": next(iter(random_plans(problem, 1, seed))),
            "first fit": first_fit(problem),
            "greedy": greedy(problem),
            "matching": matched(problem)[0],
            "best by the law": matched(_problem(kinds, true))[0],
        }
        for policy, plan in plans.items():
            gains.setdefault(policy, []).append(
                sum(true[kinds[a], kinds[b]] + true[kinds[b], kinds[a]] - 1 for a, b in plan.pairs)
            )
    for policy, values in gains.items():
        yield {
            "system": system.name, "law": system.law, "policy": policy,
            "gain": _short(float(np.mean(values))),
            "two_errors": _short(2 * float(np.std(values, ddof=1)) / SEEDS**0.5),
        }  # fmt: skip


def _problem(kinds: np.ndarray[Any, Any], pair: Floats) -> PairingProblem:
    own = np.column_stack([np.diag(pair), np.diag(pair)])
    return PairingProblem(tuple(SIX[kind].name for kind in kinds), kinds, pair, own)


def _short(value: float) -> float:
    return round(float(value), 4)


def stored() -> dict[str, list[Row]]:
    """Return what was stored: rows of gates and of pairings."""
    rows: dict[str, list[Row]] = json.loads(STORED.read_text(encoding="utf-8"))
    return rows


def main(what: str) -> None:
    """Run both laws on both systems, store and print the rows."""
    each = [under(system, law) for system in SYSTEMS for law in LAWS]
    rows = [
        row
        for system in each
        for row in (pairings(system) if what == "pairings" else gates(system.name, system.law))
    ]
    known = stored() if STORED.exists() else {}
    STORED.write_text(json.dumps(known | {what: rows}, indent=1) + "\n", encoding="utf-8")
    for row in rows:
        sys.stdout.write("| " + " | ".join(str(value) for value in row.values()) + " |\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
