"""Pairs of jobs: seconds of the proved matching against networkx, and the bottleneck's trade.

Every matching is proved optimal by dual values that are checked in whole numbers, and networkx and
rustworkx must have the same weight. Seconds are of the processor; compilation is not counted.
Ratios above 1: the rival takes longer.

    python benchmarks/bench_matching.py [100 200 500 1000 2000] [--rival 500]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import TypeVar

import numpy as np

from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.problem import PairingProblem
from planner.sharing_nodes.pairs.throughput import balanced, throughput
from solvers.matching.check import matching_violations
from solvers.matching.duals import proved
from solvers.matching.engines import found_by
from solvers.matching.solve import match
from solvers.matching.weights import Weights

SEED = 21
TABLES = 20
T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.process_time()
    return work(), time.process_time() - began


def demand(met: bool, what: str) -> None:  # noqa: FBT001 - like assert
    if not met:
        raise RuntimeError(f"not optimal: {what}")


def speeds(count: int, seed: int, kind: str) -> np.ndarray:
    """Relative speeds of two stated kinds, which nothing of Headroom was tuned on.

    *independent*: each speed uniform from 0.4 to 1. *pressure*: ``exp(-s_a p_b e)`` with
    sensitivity and pressure drawn from beta(1.2, 2) and a lognormal factor of 0.2.
    """
    rng = np.random.default_rng([seed, count])
    if kind == "independent":
        return rng.uniform(0.4, 1.0, (count, count))
    sensitive, heavy = rng.beta(1.2, 2.0, count), rng.beta(1.2, 2.0, count)
    return np.exp(-np.outer(sensitive, heavy) * rng.lognormal(0.0, 0.2, (count, count)))


def problem(count: int, seed: int, kind: str, applications: int = 0) -> PairingProblem:
    rng = np.random.default_rng([seed, 1])
    speed = speeds(applications or count, seed, kind)
    kinds = rng.integers(0, applications, count) if applications else np.arange(count)
    own = np.stack([np.diag(speed), np.diag(speed)], axis=1)
    return PairingProblem(tuple(map(str, kinds)), kinds, speed, own)


def race(counts: list[int], rival: int) -> None:
    fast = find_spec("rustworkx") is not None
    print("jobs  kind         built-in s  whole proof s  rustworkx s  ratio  networkx s  ratio")
    for count in counts:
        for kind in ("independent", "pressure"):
            weights = Weights(problem(count, SEED, kind).gain.clip(min=0.0))
            _ = weights.whole
            (pairs, _), own_s = timed(lambda w=weights: proved(w))  # type: ignore[misc]
            matching, all_s = timed(lambda w=weights: match(w))  # type: ignore[misc]
            demand(matching.certificate.status == "optimal", str(matching.certificate))
            total = weights.pair_weight(pairs)
            times = {}
            for name in ("rustworkx", "networkx"):
                if (name == "rustworkx" and fast) or (name == "networkx" and count <= rival):
                    theirs, times[name] = timed(lambda n=name, w=weights: found_by(n, w))  # type: ignore[misc]
                    demand(not matching_violations(weights, theirs), name)
                    demand(abs(weights.pair_weight(theirs) - total) < 1e-9 * total, name)
            slow = times.get("networkx")
            cells = [f"{count:5d} {kind:12s} {own_s:10.3f} {all_s:14.3f}"]
            quick = times.get("rustworkx")
            cells.append("            -      -" if quick is None else f" {quick:12.3f} "
                         + (f"{slow / quick:6.0f}" if slow else "     -"))  # fmt: skip
            cells.append(
                "          -      -" if slow is None else f" {slow:11.1f} {slow / own_s:6.0f}"
            )
            print("".join(cells), flush=True)


def trade(count: int, kind: str, applications: int) -> None:
    cuts, ratios, gains = [], [], []
    for seed in range(TABLES):
        case = problem(count, seed, kind, applications)
        best, _ = matched(case, engine="built-in")
        spared = balanced(case, best, "slowdown")
        cuts.append(1 - spared.largest_discount / best.largest_discount)
        ratios.append(throughput(spared, best.nodes) / throughput(best, best.nodes))
        gains.append(spared.gain / best.gain)
    enough = sum(cut >= 0.35 for cut in cuts)
    of = f"{applications} applications" if applications else "all different"
    print(f"{count:5d} {of:16s} {kind:12s} cut of the largest discount: median "
          f"{statistics.median(cuts):5.1%}, least {min(cuts):5.1%}, most {max(cuts):5.1%}; "
          f"at least 35 %: {enough} of {TABLES}; throughput kept >= {min(ratios):.3%}, "
          f"gain kept >= {min(gains):.2%}", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("counts", type=int, nargs="*", default=[100, 200, 500, 1000, 2000])
    parser.add_argument("--rival", type=int, default=500, help="most jobs for networkx")
    arguments = parser.parse_args()
    match(Weights(np.ones((4, 4))), engine="built-in")
    race(arguments.counts, arguments.rival)
    for kind in ("independent", "pressure"):
        for count, applications in ((20, 0), (60, 12), (100, 0), (300, 0), (300, 30)):
            trade(count, kind, applications)


if __name__ == "__main__":
    main()
