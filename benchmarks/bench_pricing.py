"""Prices from running sums against prices from blocks, and a whole study of pairs.

All prices from sums equal those from blocks, which is asserted. CPU of this process; the study with
its processes in wall time, loops warm.

    python benchmarks/bench_pricing.py [small]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.studies.pricing.stationary import iid_blocks
from planner.pricing.estimators.estimator import Observation
from planner.pricing.estimators.registry import find_estimator
from planner.pricing.filtered import literal_prediction
from planner.pricing.prices import Usage, by_perf, unbiased
from planner.pricing.scoring import hidden_times, score
from planner.pricing.sums import algorithm4_of, spin_of, stacked, sums_of
from planner.pricing.trial import TrialSettings, run_trial
from scenarios.simulated.shared_node.applications import TWELVE

BLOCKS = 100
KINDS = 200


def sums_against_blocks(jobs: int) -> None:
    rng = np.random.default_rng(0)
    kinds = [iid_blocks(rng, perf, 0.05, BLOCKS) for perf in rng.uniform(0.6, 1.0, KINDS)]
    repeat = jobs // KINDS
    sums = stacked([sums_of(blocks) for blocks in kinds] * repeat)
    usage = Usage(1e-4, np.full(KINDS * repeat, 16.0), rng.uniform(60, 6e4, KINDS * repeat))

    began = time.process_time()
    poppa = algorithm4_of(sums)
    ours = spin_of(sums, np.full(KINDS * repeat, 1.6), 0.012)
    prices = by_perf(usage, poppa.perf), unbiased(usage, ours.perf, ours.variance)
    from_sums_s = time.process_time() - began

    began = time.process_time()
    estimates = [find_estimator("algorithm-4").estimate(Observation(kind)).perf for kind in kinds]
    from_blocks_s = (time.process_time() - began) * repeat
    if not np.allclose(np.tile(estimates, repeat), poppa.perf, rtol=1e-12):
        raise RuntimeError("prices from sums are not those from blocks")

    lists = [
        [(mean[:1].tolist(), mean[1:2].tolist(), mean[2:].tolist()) for mean in blocks.means]
        for blocks in kinds[:20]
    ]
    began = time.process_time()
    for blocks in lists:
        literal_prediction(blocks)
    literal_s = (time.process_time() - began) * len(usage.co_s) / len(lists)
    print(
        f"  {len(usage.co_s):,} jobs of {BLOCKS} blocks, priced by two policies from sums in "
        f"{from_sums_s:.2f} s ({prices[0].sum():.6g} and {prices[1].sum():.6g} SU); from blocks "
        f"{from_blocks_s / from_sums_s:.0f} times as long, by the literal algorithm "
        f"{literal_s / from_sums_s:.0f} times"
    )


def whole_study(seeds: int, workers: int) -> None:
    settings = TrialSettings()
    run_trial(TWELVE[:2], (0,), TrialSettings(iterations=1), workers=workers)
    began = time.perf_counter()
    trial = run_trial(TWELVE, range(seeds), settings, workers=workers)
    played_s = time.perf_counter() - began
    scores = score(trial, hidden_times(TWELVE, settings, workers=workers))
    total_s = time.perf_counter() - began
    by_name = {(row.estimator, row.polling_error): row for row in scores}
    print(
        f"  12 x 12 pairs and the busy loop, {seeds} seeds, {len(scores)} estimators: "
        f"{played_s:.0f} s in {workers} processes, {total_s:.0f} s with hidden run times; "
        f"mean absolute error {by_name['algorithm-4', 0.0].mean_absolute_error:.2%} "
        f"by Algorithm 4, {by_name['spin', 0.1].mean_absolute_error:.2%} by ours at 10 % "
        "error of the polling IPC"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="?", choices=["small"])
    small = parser.parse_args().size == "small"
    sums_against_blocks(2_000 if small else 100_000)
    whole_study(1 if small else 10, 2)


if __name__ == "__main__":
    main()
