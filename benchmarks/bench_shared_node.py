"""A shared node under a shutter: time of one measuring round, compiled against the literal node.

Pairs of the twelve codes, with phases from 3 ms (FT) to 850 ms (MiniFE), S and P of the paper, and
seed 0. A round lasts 209.6 ms on the node. The literal rival is `SharedNode` of the tests, which
Algorithms 1 to 3 drive call by call; both give the same numbers, which is asserted. Then the whole
study of 78 pairs with ten seeds is timed: five runs of each job under the shutter, and their true
run times.

    python benchmarks/bench_shared_node.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from scenarios.simulated.shared_node import (
    TWELVE,
    SharedApplication,
    ShutterSchedule,
    find_shared_application,
    play,
    truth,
)
from tests.scenarios.simulated.shared_node.driver import drive
from tests.scenarios.simulated.shared_node.node import SharedNode

PAIRS = (("FT", "FT"), ("FT", "CG"), ("POP", "LAMMPS"), ("MILC", "MiniFE"))
ROUNDS, LITERAL_ROUNDS, REPEATS, SEEDS = 1000, 50, 7, 10
MOST_US = 20.0


def seconds(run: Callable[[], object]) -> float:
    """CPU time of one call: the machine may have other work."""
    began = time.process_time()
    run()
    return time.process_time() - began


def one_round(codes: list[SharedApplication]) -> tuple[float, float]:
    """Median microseconds of a round, compiled and literal."""
    few = ShutterSchedule(most_rounds=LITERAL_ROUNDS)
    same = play(codes, few), drive(SharedNode(codes), few)
    if not np.array_equal(same[0].instructions, same[1].instructions, equal_nan=True):
        raise SystemExit("the compiled loop does not give the numbers of the literal node")
    many = ShutterSchedule(most_rounds=ROUNDS)
    ours = [seconds(lambda: play(codes, many)) / ROUNDS for _ in range(REPEATS)]
    theirs = [
        seconds(lambda: drive(SharedNode(codes), few)) / LITERAL_ROUNDS for _ in range(REPEATS)
    ]
    return 1e6 * float(np.median(ours)), 1e6 * float(np.median(theirs))


def study(seed: int) -> int:
    """Measure all pairs, and find their true run times; the number of rounds."""
    rounds = 0
    for number, one in enumerate(TWELVE):
        for other in TWELVE[number:]:
            rounds += len(play([one, other], seed=seed).time_us)
            truth([one, other], seed=seed)
    return rounds


def main() -> None:
    for names in PAIRS:
        compiled_us, literal_us = one_round([find_shared_application(name) for name in names])
        verdict = "" if compiled_us <= MOST_US else f" MORE THAN {MOST_US:g} us"
        print(
            f"{' and '.join(names)}: {compiled_us:.1f} us a round{verdict}; the literal node takes "
            f"{literal_us / compiled_us:.0f} times as long"
        )
    began = time.process_time()
    rounds = sum(study(seed) for seed in range(SEEDS))
    print(f"78 pairs, {SEEDS} seeds, {rounds:,} rounds: {time.process_time() - began:.1f} CPU s")


if __name__ == "__main__":
    main()
