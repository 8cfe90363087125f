"""Accuracy of predictors of run times, on the schedule of EASY by requested times.

    python -m benchmarks.studies.estimates.predictors [--boost] [--log NAME]...

Accuracy counts jobs in the order of events; the schedule is made with requested times and stays as
it is. Boosting a log of more than 60,000 jobs takes ten minutes: ``--boost``.
"""

from __future__ import annotations

import argparse

from benchmarks.simulation_cases import trace
from benchmarks.studies.estimates.boosting import MEDIAN, Boosting
from benchmarks.studies.estimates.linear import Linear
from benchmarks.studies.estimates.replay import accuracy, replay
from planner.scheduling.estimates.predictors.margin import with_margin
from planner.scheduling.estimates.predictors.predictor import RunTimePredictor
from planner.scheduling.estimates.predictors.quantile import Quantile
from planner.scheduling.estimates.predictors.refining_oracle import RefiningOracle
from planner.scheduling.estimates.predictors.registry import PREDICTORS
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.simulate import simulate

LOGS = ("SDSC-SP2", "SDSC-BLUE")
BOOSTED_JOBS = 60_000
FAST = (*PREDICTORS.values(), Linear())
SLOW = (Boosting(), MEDIAN)
VARIANTS = (
    with_margin(PREDICTORS["last-two"], 2.0),
    Quantile(0.9, name="quantile, 0.9"),
    Linear(0.1, name="linear, under 0.1"),
    Linear(too_long=1.0, name="linear, symmetric loss"),
    Linear(0.1, too_long=1.0, name="linear, symmetric, under 0.1"),
)


def show(name: str, *, boost: bool) -> None:
    """Print a row for each predictor on a log."""
    log = trace(name)
    schedule = simulate(log, find_policy("easy")).schedule
    ran = schedule.started
    run, requested, user = schedule.run_s[ran], log.requested_s[ran], log.user[ran]
    print(f"\n{name}, EASY by requested times, {ran.sum():,} jobs")
    print("| predictor | too short | accuracy | error | over-estimate | left | request | users |")
    print("|---|---|---|---|---|---|---|---|")
    slow = SLOW if boost or len(log) <= BOOSTED_JOBS else ()
    oracle: RunTimePredictor = RefiningOracle(log.run_s, name="refining (oracle)")
    for predictor in (*FAST, *slow, *VARIANTS, oracle):
        result = accuracy(replay(predictor, log, schedule).predicted_s[ran], run, requested, user)
        print(
            f"| `{predictor.name}` | {result.under_predicted:.1%} "
            f"| {result.accuracy_mean:.3f}, {result.accuracy_median:.3f} "
            f"| {result.absolute_error_s / 60:,.0f} min "
            f"| {_per(result.over_estimate_mean)}, {_per(result.over_estimate_median)} "
            f"| {_per(result.over_estimate_left)} | {result.at_request:.1%} "
            f"| {' '.join(f'{share:.2f}' for share in result.users_accuracy or ())} |",
            flush=True,
        )


def _per(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boost", action="store_true", help="also boost long logs")
    parser.add_argument("--log", action="append", help="instead of SDSC-SP2 and SDSC-BLUE")
    given = parser.parse_args()
    for name in given.log or LOGS:
        show(name, boost=given.boost)


if __name__ == "__main__":
    main()
