"""Run the thesis's policies on its logs and bounds at several offered loads, and store what came.

The thesis gives no arrival rate (D17), so it is swept. All policies have the same job details
table: predicted by a model that a tenth of the configurations trained, or known exactly.

    python -m benchmarks.studies.schedule.thesis_grid [workers]

writes ``thesis_grid.json`` next to this file.

References
----------
Patki (2015), sections 5.4 and 5.6.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from planner.scheduling.power.grid import run_grid
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.results.comparisons import rows_of
from planner.scheduling.power.results.result import PolicyOutcome
from planner.scheduling.power.schedule import default_policies
from scenarios import Scenario
from scenarios.catalogue import load

STORED = Path(__file__).with_name("thesis_grid.json")
LOADS = (0.1, 0.3, 0.7)
"""Offered loads: sparse arrivals, some queue, and a long one."""

Method = Literal["model", "oracle"]
METHODS: tuple[Method, ...] = ("model", "oracle")


def scenario_at(offered_load: float, method: Method, seeds: int | None = None) -> Scenario:
    """Return the bundled scenario of chapter 5 at another offered load, or with the true table."""
    scenario = load("thesis-rmap")
    question = schedule_of(scenario)
    logs = tuple(
        log.model_copy(update={"offered_load": offered_load}) if log.drawn else log
        for log in question.logs
    )
    details = question.details
    if method == "oracle":
        details = type(details)(method="oracle")
    changed = {"logs": logs, "details": details, "seeds": seeds or question.seeds}
    return scenario.model_copy(update={"schedule": question.model_copy(update=changed)})


def cells(outcomes: Sequence[PolicyOutcome]) -> list[dict[str, Any]]:
    """Mean turnaround of each seed in ms, by log, bound and policy, with means over the seeds."""
    rows = []
    for row in rows_of(outcomes):
        case = (row.log, row.bound_w, row.policy)
        runs = [one for one in outcomes if (one.log, one.bound_w, one.policy) == case]
        rows.append(
            {
                "log": row.log,
                "bound_w": row.bound_w,
                "policy": row.policy,
                "turnaround_ms": [_whole_ms(one.mean_turnaround_s) for one in runs],
                "sooner": row.better,
                "later": row.worse,
                "above_bound": sum(one.bound_violations > 0 for one in runs),
                "rounded": sum(one.rounded for one in runs),
                "rejected": sum(one.rejected for one in runs),
            }
        )
    return rows


def _whole_ms(mean_s: float | None) -> int | None:
    return None if mean_s is None else round(mean_s * 1000)


def stored() -> Mapping[str, Any]:
    """Return what was stored."""
    results: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return results


def write(parts: Iterable[Mapping[str, Any]]) -> None:
    """Store every load and method, a cell on each line."""
    lines = []
    for part in parts:
        head = json.dumps({name: value for name, value in part.items() if name != "cells"})
        rows = ",\n".join(json.dumps(cell) for cell in part["cells"])
        lines.append(f'{head[:-1]}, "cells": [\n{rows}]}}')
    STORED.write_text('{"parts": [\n' + ",\n".join(lines) + "]}\n", encoding="utf-8")


def main() -> None:
    """Run everything; some 10 minutes on two cores."""
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    parts = []
    for method in METHODS:
        for offered_load in LOADS:
            scenario = scenario_at(offered_load, method)
            outcomes = run_grid(scenario, default_policies(scenario), workers=workers)
            parts.append({"load": offered_load, "method": method, "cells": cells(outcomes)})
            print(f"{method}, offered load {offered_load:g}: {len(outcomes):,} runs", flush=True)
            write(parts)


if __name__ == "__main__":
    main()
