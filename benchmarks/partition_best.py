"""Best known cuts of the benchmark's graphs, kept in a file that updates only improve.

Each program gets equal processor time for each of some seeds. One that ends earlier begins anew
with the next seed. Rivals' parts are repaired to exact sizes.

    python benchmarks/partition_best.py [--sets 16 128] [--seconds 60] [--seeds 10] [--only WORD]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TypedDict

from benchmarks.partition_cases import SETS, Case, cases
from benchmarks.partition_rivals import RIVALS
from benchmarks.partition_runs import ours, rival, warm

STORE = Path(__file__).with_name("partition_best.json")


class Best(TypedDict):
    """Least cut that anybody found, and how."""

    cut: float
    by: str
    seconds: float
    seeds: int
    command: str


def best_known() -> dict[str, Best]:
    """Read the store."""
    records: dict[str, Best] = json.loads(STORE.read_text("utf-8")) if STORE.exists() else {}
    return records


def least(case: Case, name: str, seconds: float, seeds: int) -> float:
    """Best cut of one program over all seeds; infinite if it never answers."""
    best = float("inf")
    for seed in range(seeds):
        if name == "ours":
            best = min(best, ours(case, seed, seconds).weight)
            continue
        run = rival(case, name, seed, max(20.0, 5 * seconds), seconds)
        if run is None:
            break
        best = min(best, run.weight)
    return best


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("--sets", nargs="*", default=["16", "128"], choices=list(SETS))
    asks.add_argument("--seconds", type=float, default=60.0)
    asks.add_argument("--seeds", type=int, default=10)
    asks.add_argument("--only", nargs="*", default=[""], help="words of the cases' names")
    arguments = asks.parse_args()
    command = f"python benchmarks/{Path(sys.argv[0]).name} {' '.join(sys.argv[1:])}".strip()
    warm()
    store = best_known()
    chosen = [case for name in arguments.sets for case in cases(name)]
    for case in [case for case in chosen if any(word in case.key for word in arguments.only)]:
        for name in ("ours", *(name for name in RIVALS if name != "networkx")):
            weight = least(case, name, arguments.seconds, arguments.seeds)
            if weight < store.get(case.key, {"cut": float("inf")})["cut"]:
                store[case.key] = Best(
                    cut=weight,
                    by=name,
                    seconds=arguments.seconds,
                    seeds=arguments.seeds,
                    command=command,
                )
        print(case.key, store[case.key]["cut"], store[case.key]["by"], flush=True)
        STORE.write_text(json.dumps(store, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
