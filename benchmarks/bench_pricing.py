"""A whole study of pairs on the simulated node: wall time in two processes, loops warm.

python -m benchmarks.bench_pricing [small]
"""

from __future__ import annotations

import argparse
import time

from planner.pricing.scoring import hidden_times, score
from planner.pricing.trial import TrialSettings, run_trial
from scenarios.simulated.shared_node.applications import TWELVE


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
    whole_study(1 if small else 10, 2)


if __name__ == "__main__":
    main()
