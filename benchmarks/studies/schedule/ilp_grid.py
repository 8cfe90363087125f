"""ILP schedulers on a stated part of the grid of ``thesis-rmap``, with stored results.

The cases are 2 bounds x 4 logs of 30 jobs x 5 seeds, at an offered load of 0.7 (simulated,
predicted table). The engine and HiGHS run on all of them, CBC on the first seed alone. Budgets are
counted in nodes of branch and bound, so runs repeat; only seconds differ.

    python -m benchmarks.studies.schedule.ilp_grid [WORKERS]

runs all cells, writes ``ilp_grid.json`` next to this module, and prints the table of the page
docs/power-ilp.md with the cells that are missing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from planner.formatting import plural
from planner.scheduling.power.grid import run_grid
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.results.paired import ratio_of
from planner.scheduling.power.results.result import PolicyOutcome
from scenarios import Scenario
from scenarios.catalogue import load

STORED = Path(__file__).with_suffix(".json")
OFFERED_LOAD = 0.7
BOUNDS_W = (6500.0, 10_000.0)
LOGS = ("small", "large", "random-1", "random-2")
SEEDS = (0, 1, 2, 3, 4)
CBC_SEEDS = (0,)
BASELINE = "traditional"
GREEDY = (BASELINE, "adaptive")
ILP = tuple(
    f"ilp-{kind}-any{fair}"
    for kind in ("engine", "highs", "cbc", "slots-highs", "slots-cbc")
    for fair in ("", "-unfair")
)
POLICIES = (*GREEDY, *ILP)
CBC = tuple(name for name in ILP if "cbc" in name)
REPEATED = (
    "mean_turnaround_s", "fairness", "energy_j", "rounded", "rejected", "bound_violations",
    "decisions", "fallbacks", "largest_gap",
)  # fmt: skip
"""What a run has again on every machine, if the solvers are of the same versions."""

Key = tuple[str, float, str, int]
"""Policy, bound [W], log and seed."""


@dataclass(frozen=True)
class Cell:
    """One policy on one log, under one bound, with one seed.

    Attributes
    ----------
    values
        By the names of ``REPEATED``.
    seconds
        That the policy took to decide the whole log.
    """

    key: Key
    values: Mapping[str, float | None]
    seconds: float

    @property
    def policy(self) -> str:
        """Name of the policy."""
        return self.key[0]

    def count(self, name: str) -> float:
        """Return a value that every run has."""
        return self.values[name] or 0.0


def scenario() -> Scenario:
    """``thesis-rmap`` with the study's load, bounds and seeds."""
    known = load("thesis-rmap")
    schedule = schedule_of(known)
    logs = tuple(log.model_copy(update={"offered_load": OFFERED_LOAD}) for log in schedule.logs)
    changed = {"logs": logs, "bounds_w": BOUNDS_W, "seeds": 1}
    return known.model_copy(update={"schedule": schedule.model_copy(update=changed)})


def cells(
    policies: Sequence[str],
    seeds: Iterable[int],
    *,
    bounds_w: Sequence[float] = BOUNDS_W,
    logs: Sequence[str] = LOGS,
    workers: int = 1,
) -> list[Cell]:
    """Run policies on cases of the grid."""
    base, made = scenario(), list[Cell]()
    schedule = schedule_of(base)
    for seed in seeds:
        changed = {"bounds_w": tuple(bounds_w), "first_seed": seed}
        part = base.model_copy(update={"schedule": schedule.model_copy(update=changed)})
        made += map(_cell, run_grid(part, policies, logs=logs, workers=workers))
    return made


def _cell(outcome: PolicyOutcome) -> Cell:
    key = (outcome.policy, outcome.bound_w, outcome.log, outcome.seed)
    values = {name: getattr(outcome, name) for name in REPEATED}
    return Cell(key, values, outcome.decision_seconds)


def stated() -> set[Key]:
    """Cells that the study runs."""
    return {
        (policy, bound_w, log, seed)
        for policy in POLICIES
        for bound_w in BOUNDS_W
        for log in LOGS
        for seed in (CBC_SEEDS if policy in CBC else SEEDS)
    }


def missing(known: Iterable[Cell]) -> list[str]:
    """Cells of the whole grid that have no result, in a sentence for each policy."""
    have = {cell.key for cell in known}
    sentences = []
    for policy in POLICIES:
        absent = {
            seed: count
            for seed in SEEDS
            if (count := sum((policy, b, log, seed) not in have for b in BOUNDS_W for log in LOGS))
        }
        if absent:
            seeds = ", ".join(map(str, absent))
            total = plural(sum(absent.values()), "cell")
            sentences.append(f"{policy}: {total} of seeds {seeds}")
    return sentences


def write(made: Sequence[Cell]) -> None:
    """Store the results."""
    plain = [
        {"policy": policy, "bound_w": bound_w, "log": log, "seed": seed}
        | dict(cell.values)
        | {"seconds": round(cell.seconds, 4)}
        for cell in made
        for policy, bound_w, log, seed in [cell.key]
    ]
    lines = ",\n".join(json.dumps(one) for one in plain)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def stored() -> list[Cell]:
    """Give the stored results."""
    return [_read(one) for one in json.loads(STORED.read_text(encoding="utf-8"))]


def _read(one: Mapping[str, Any]) -> Cell:
    key = (one["policy"], one["bound_w"], one["log"], one["seed"])
    return Cell(key, {name: one[name] for name in REPEATED}, one["seconds"])


def table(known: Sequence[Cell]) -> list[str]:
    """Return one line of the page for each policy."""
    base = {cell.key[1:]: cell.count("mean_turnaround_s") for cell in known if _is_base(cell)}
    return [_line(name, [one for one in known if one.policy == name], base) for name in POLICIES]


def _is_base(cell: Cell) -> bool:
    return cell.policy == BASELINE


def _line(policy: str, mine: Sequence[Cell], base: Mapping[tuple[Any, ...], float]) -> str:
    by_seed: dict[int, list[float]] = {}
    for one in mine:
        paired = one.count("mean_turnaround_s") / base[one.key[1:]]
        by_seed.setdefault(one.key[3], []).append(paired)
    ratio = ratio_of([float(np.exp(np.log(ratios).mean())) for ratios in by_seed.values()])
    if ratio is None:
        return f"| `{policy}` | no cell |"
    interval = "" if ratio.low is None else f"{ratio.low:.3f} to {ratio.high:.3f}"
    decisions = sum(one.count("decisions") for one in mine)
    fallbacks = sum(one.count("fallbacks") for one in mine)
    fairness = np.mean([one.count("fairness") for one in mine])
    seconds = [one.seconds for one in mine]
    mean_time = f"{1000 * sum(seconds) / decisions:.1f} ms" if decisions else ""
    return (
        f"| `{policy}` | {len(mine)} | {ratio.mean:.3f} | {interval} | {fairness:.3f} | "
        f"{decisions:,.0f} | {fallbacks:,.0f} | {mean_time} | {max(seconds):.2f} s |"
    )


def main() -> None:
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    others = [name for name in POLICIES if name not in CBC]
    made = cells(others, SEEDS, workers=workers) + cells(CBC, CBC_SEEDS, workers=workers)
    write(made)
    print("\n".join(table(made)))
    print("Missing:", *missing(made), sep="\n  ")


if __name__ == "__main__":
    main()
