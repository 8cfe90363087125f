"""Scores of all estimators on pairs of a simulated node.

    python -m benchmarks.studies.pricing.scores synthetic --seeds 2
    python -m benchmarks.studies.pricing.scores twelve --seeds 10 --law second

The constants of the estimators were chosen with ``synthetic --seeds 2``: ten applications of seed
1. ``twelve`` scores the twelve codes of the paper. Simulated; counter noise 5 % by default.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from planner.pricing.month import draw_favourites, draw_month, next_month
from planner.pricing.scoring import HiddenTimes, hidden_times, policies, score
from planner.pricing.trial import Trial, TrialSettings, run_trial
from scenarios.simulated.shared_node.applications import TWELVE
from scenarios.simulated.shared_node.second_law import SensitivityAndPressure
from scenarios.simulated.shared_node.synthetic import synthetic_applications

MONTHS = 40


def show_scores(trial: Trial, hidden: HiddenTimes) -> None:
    count = len(trial.applications)
    for row in score(trial, hidden):
        method = trial.method(row.estimator, row.polling_error)
        errors = hidden.perf[:, :count] / trial.perf[:, method, :, :count] - 1
        print(
            f"{row.estimator:13s} polling error {row.polling_error:4.0%}: mean absolute error "
            f"{row.mean_absolute_error:6.2%} (seeds +- {row.spread:.2%}), worst cell "
            f"{row.largest_error:+7.2%}, worst run {np.abs(errors).max():6.2%}, bias "
            f"{row.bias:+6.2%}, phantom {row.phantom_discount:+6.2%}, price error "
            f"{row.price_error:6.2%}, covered {row.coverage:5.1%}, prices covered "
            f"{row.price_coverage:5.1%}, half-width {row.half_width:5.2%}"
        )
        by_name = zip(trial.applications, row.by_application, strict=True)
        print("    " + ", ".join(f"{name} {error:.1%}" for name, error in by_name))


def show_policies(trial: Trial, hidden: HiddenTimes) -> None:
    for name, outcome in policies(trial, hidden, trial.method("spin", 0.1)).items():
        print(
            f"{name:18s} discount mean {outcome.mean_discount:+6.1%}, 95th percentile "
            f"{outcome.p95_discount:+6.1%}, largest {outcome.largest_discount:+6.1%}; Jain "
            f"{outcome.jain:.4f}; envy mean {outcome.mean_envy:.1%}, "
            f"largest {outcome.largest_envy:.1%}; phantom {outcome.phantom_discount:+.2%}; "
            f"price error {outcome.price_error:.2%}; revenue "
            f"{outcome.revenue_ratio:.3f} of that alone"
        )


def show_months(trial: Trial, hidden: HiddenTimes) -> None:
    """Revenue of a month under the tariff of the month before, over pairs of months."""
    rng = np.random.default_rng(1)
    estimated = trial.perf[:, trial.method("spin", 0.1)]
    off = []
    for _ in range(MONTHS):
        taste = draw_favourites(rng, len(trial.applications))
        first, second = (
            draw_month(rng, hidden.perf, estimated, favourites=taste) for _ in range(2)
        )
        off.append(next_month(first, second).next_ratio - 1)
    values = np.array(off)
    print(
        f"next month's revenue, {MONTHS} pairs of months: mean {values.mean():+.2%}, typical "
        f"{np.median(np.abs(values)):.2%}, largest {np.abs(values).max():.2%}, within 1 % in "
        f"{np.mean(np.abs(values) < 0.01):.0%}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("applications", choices=["synthetic", "twelve"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--law", choices=["first", "second"], default="first")
    parser.add_argument("--noise", type=float, default=0.05)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    law = SensitivityAndPressure() if given.law == "second" else None
    settings = TrialSettings(law=law, counter_noise=given.noise)
    chosen = TWELVE if given.applications == "twelve" else synthetic_applications(10, 1)
    began = time.perf_counter()
    hidden = hidden_times(chosen, settings, workers=given.workers)
    discount = 1 - hidden.perf[:, : len(chosen)]
    trial = run_trial(chosen, range(given.seeds), settings, workers=given.workers)
    print(
        f"{len(chosen)} applications, {given.seeds} seeds, {given.law} law, counter noise "
        f"{given.noise:.1%}; hidden degradation mean {discount.mean():.1%}, largest "
        f"{discount.max():.1%}; {time.perf_counter() - began:.0f} s"
    )
    show_scores(trial, hidden)
    show_policies(trial, hidden)
    show_months(trial, hidden)


if __name__ == "__main__":
    main()
