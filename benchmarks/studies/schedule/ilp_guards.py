"""ILP and greedy schedulers whose true power is above the bound for equally long.

Where power is predicted, an optimiser picks what is predicted too low. Its shorter turnarounds are
then bought with power above the bound. A guard leaves a share of each charge free. Here each policy
has its own guard, so that the time above the bound is that of Adaptive without one.

The guard is chosen on seeds 100 to 119, by interpolation between guards of ``GUARDS``, and scored
on seeds 0 to 19: ``thesis-rmap`` at an offered load of 0.7, 2 bounds, 4 logs of 30 jobs.

    python -m benchmarks.studies.schedule.ilp_guards [WORKERS] [thesis] [every]

writes ``ilp_guards.json`` next to this module; ``ilp_tables`` prints the table of the page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.studies.schedule.ilp_grid import BOUNDS_W, COUNTS, OFFERED_LOAD, NodeCounts
from benchmarks.studies.schedule.thesis_grid import scenario_at
from planner.question import schedule_of
from planner.scheduling.power.grid import run_grid
from planner.scheduling.power.results.result import PolicyOutcome

STORED = Path(__file__).with_suffix(".json")
POLICIES = ("traditional", "adaptive", "ilp-engine", "ilp-reserved-engine", "ilp-engine-any")
GUARDS = (0.0, 0.02, 0.05, 0.1)
CHOICE, SCORE = (100, 20), (0, 20)
"""First seed and number of seeds."""
RESAMPLES = 2000

Floats = NDArray[np.float64]


def run(
    policies: Sequence[str], guard: float, seeds: tuple[int, int], counts: NodeCounts, workers: int
) -> tuple[PolicyOutcome, ...]:
    """Run policies with a guard."""
    scenario = scenario_at(OFFERED_LOAD, "model", seeds[1], node_counts=counts)
    schedule = schedule_of(scenario)
    details = schedule.details.model_copy(update={"guard": guard})
    changes = {"bounds_w": BOUNDS_W, "first_seed": seeds[0], "details": details}
    guarded = scenario.model_copy(update={"schedule": schedule.model_copy(update=changes)})
    return run_grid(guarded, policies, workers=workers)


def by_seed(outcomes: Sequence[PolicyOutcome], policy: str) -> list[dict[str, float]]:
    """Return time above the bound, all time, runs above and turnaround of each seed."""
    seeds: dict[int, list[PolicyOutcome]] = {}
    for outcome in outcomes:
        if outcome.policy == policy:
            seeds.setdefault(outcome.seed, []).append(outcome)
    return [
        {
            "above_s": round(sum(one.violation_s for one in runs), 3),
            "span_s": round(sum(one.makespan_s for one in runs), 3),
            "runs_above": sum(one.bound_violations > 0 for one in runs),
            "runs": len(runs),
            "largest_w": max(one.largest_violation_w for one in runs),
            "turnaround_s": round(
                float(np.exp(np.mean([np.log(one.mean_turnaround_s or np.nan) for one in runs]))), 6
            ),
        }
        for runs in seeds.values()
    ]


def chosen(above_s: Floats, limit_s: float) -> float:
    """Return the smallest guard at which the time above the bound is at most a limit.

    The logarithm of the time is interpolated between the guards that were run, or the time itself
    where it is 0. The largest guard is returned if none suffices.

    Parameters
    ----------
    above_s
        Time above the bound with each of ``GUARDS``.

    Examples
    --------
    >>> chosen(np.array([100.0, 25.0]), 50.0), chosen(np.array([100.0, 0.0]), 50.0)
    (0.025, 0.025)
    """
    for index in range(len(GUARDS)):
        if above_s[index] <= limit_s:
            if index == 0:
                return GUARDS[0]
            more, less, limit = above_s[index - 1], above_s[index], limit_s
            if less > 0:
                more, less, limit = np.log([more, less, limit])
            part = (more - limit) / (more - less)
            return float(round(GUARDS[index - 1] + part * (GUARDS[index] - GUARDS[index - 1]), 9))
    return GUARDS[-1]


def choices(above_s: Mapping[str, Floats]) -> dict[str, dict[str, float]]:
    """Return the guard of each policy, with its 95 % interval over resampled seeds.

    Parameters
    ----------
    above_s
        Time above the bound, shape ``(guards, seeds)``, by policy.
    """
    rng = np.random.default_rng(0)
    seeds = above_s["adaptive"].shape[1]
    samples = [np.arange(seeds), *rng.integers(seeds, size=(RESAMPLES, seeds))]
    found = {}
    for policy, above in above_s.items():
        guards = [
            chosen(above[:, sample].sum(axis=1), float(above_s["adaptive"][0, sample].sum()))
            for sample in samples
        ]
        low, high = np.percentile(guards[1:], [2.5, 97.5])
        found[policy] = {"guard": round(guards[0], 4), "low": round(float(low), 4),
                         "high": round(float(high), 4)}  # fmt: skip
    return found


def study(counts: NodeCounts, workers: int) -> dict[str, Any]:
    """Choose the guards on some seeds, and score them on others."""
    tried: dict[str, list[list[float]]] = {policy: [] for policy in POLICIES}
    for guard in GUARDS:
        outcomes = run(POLICIES, guard, CHOICE, counts, workers)
        for policy in POLICIES:
            tried[policy].append([seed["above_s"] for seed in by_seed(outcomes, policy)])
        print(f"{counts}: guard {guard:g} tried", flush=True)
    guards = choices({policy: np.array(above) for policy, above in tried.items()})
    without = run(POLICIES, 0.0, SCORE, counts, workers)
    rows = []
    for policy in POLICIES:
        guard = guards[policy]["guard"]
        guarded = run([policy], guard, SCORE, counts, workers) if guard else without
        result = {"policy": policy} | guards[policy] | {"tried_s": tried[policy]}
        rows.append(
            result | {"without": by_seed(without, policy), "with": by_seed(guarded, policy)}
        )
        print(f"{counts}: {policy} scored", flush=True)
    return {"guards": list(GUARDS), "policies": rows}


def stored() -> dict[str, Any]:
    """Return the stored results by the node counts of the table."""
    if not STORED.exists():
        return {}
    known: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return known


def main() -> None:
    """Run and store."""
    words = sys.argv[1:]
    workers = int(words.pop(0)) if words and words[0].isdigit() else 1
    for counts in COUNTS:
        if not words or counts in words:
            results = stored() | {counts: study(counts, workers)}
            lines = []
            for name, part in results.items():
                rows = ",\n".join(json.dumps(row) for row in part["policies"])
                head = json.dumps({"guards": part["guards"]})[:-1]
                lines.append(f'{json.dumps(name)}: {head}, "policies": [\n{rows}]}}')
            STORED.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
