"""What pairings gain on shared cores, under both laws of oversubscription.

``python -m benchmarks.studies.colocation.shared_cores`` runs 20 seeds on both systems, stores the
results in ``shared_cores.json`` next to this file, and prints the table of
docs/evidence/shared-cores.md. It takes some seconds.

A pairing has 24 jobs of the six applications. It is chosen from the pairs as two campaigns measured
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
from scenarios.simulated.oversubscription import LAWS, SIX, SYSTEMS, OversubscribedSystem, under

SEEDS, JOBS = 20, 24
STORED = Path(__file__).with_suffix(".json")
Row = dict[str, Any]


def pairings(system: OversubscribedSystem) -> Iterator[Row]:
    """Gains of each policy over the seeds: of 24 jobs, in nodes of work."""
    true = true_oversubscribed_speeds(system).pair
    gains: dict[str, list[float]] = {}
    for seed in range(SEEDS):
        kinds = np.random.default_rng(seed).integers(len(SIX), size=JOBS)
        measured, _ = measured_oversubscribed_speeds(system, (2 * seed, 2 * seed + 1))
        problem = _problem(kinds, measured.pair)
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


def stored() -> list[Row]:
    """Return what was stored."""
    rows: list[Row] = json.loads(STORED.read_text(encoding="utf-8"))
    return rows


def all_pairings() -> list[Row]:
    """Rows of both systems under both laws."""
    return [row for system in SYSTEMS for law in LAWS for row in pairings(under(system, law))]


def table(rows: list[Row]) -> str:
    """Gains by policy, with two standard errors, a column for each system and law."""
    columns = list(dict.fromkeys((row["system"], row["law"]) for row in rows))
    heads = [f"{system}, {law}" for system, law in columns]
    lines = [f"| policy | {' | '.join(heads)} |", "|---|" + "---:|" * len(columns)]
    for policy in dict.fromkeys(row["policy"] for row in rows):
        mine = [row for row in rows if row["policy"] == policy]
        cells = [f"{row['gain']:.2f} ({row['two_errors']:.2f})" for row in mine]
        lines.append(f"| {policy} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Run, store and print all pairings."""
    rows = all_pairings()
    STORED.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
