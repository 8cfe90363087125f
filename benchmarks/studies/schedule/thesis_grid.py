"""Run the thesis's policies on its logs and bounds at several offered loads, and store what came.

The thesis gives no arrival rate (D17), so it is swept. All policies have the same job details
table: predicted by a model that a tenth of the configurations trained, or known exactly. It has the
node counts of the thesis, from 8 on, or every node count.

    python -m benchmarks.studies.schedule.thesis_grid [workers] [method-counts...]

writes ``thesis_grid.json`` next to this file, all of it or the named tables (``model-every``).

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

from planner.question import schedule_of
from planner.scheduling.power.grid import run_grid
from planner.scheduling.power.results.comparisons import rows_of
from planner.scheduling.power.results.result import PolicyOutcome
from planner.scheduling.power.schedule import default_policies
from scenarios import Scenario
from scenarios.catalogue import load

STORED = Path(__file__).with_name("thesis_grid.json")
LOADS = (0.1, 0.3, 0.7)
"""Offered loads: sparse arrivals, some queue, and a long one."""

Method = Literal["model", "oracle"]
NodeCounts = Literal["thesis", "every"]
TABLES: tuple[tuple[Method, NodeCounts], ...] = (
    ("model", "thesis"), ("oracle", "thesis"), ("model", "every"),
)  # fmt: skip
"""Job details tables: where they are from, and which node counts they have."""


def scenario_at(
    offered_load: float,
    method: Method,
    seeds: int | None = None,
    *,
    node_counts: NodeCounts = "thesis",
) -> Scenario:
    """Return the bundled scenario of chapter 5 at another offered load, or with another table."""
    scenario = load("thesis-rmap")
    question = schedule_of(scenario)
    logs = tuple(
        log.model_copy(update={"offered_load": offered_load}) if log.drawn else log
        for log in question.logs
    )
    details = question.details
    if method == "oracle":
        details = type(details)(method="oracle")
    details = details.model_copy(update={"node_counts": node_counts})
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
    """Run everything; some 20 minutes on two cores."""
    names = sys.argv[1:]
    workers = int(names.pop(0)) if names and names[0].isdigit() else 1
    parts = {_key(part): part for part in stored()["parts"]} if STORED.exists() else {}
    for method, node_counts in TABLES:
        for offered_load in LOADS if not names or f"{method}-{node_counts}" in names else ():
            scenario = scenario_at(offered_load, method, node_counts=node_counts)
            outcomes = run_grid(scenario, default_policies(scenario), workers=workers)
            part = {"load": offered_load, "method": method, "node_counts": node_counts}
            parts[_key(part)] = part | {"cells": cells(outcomes)}
            print(*_key(part), f"{len(outcomes):,} runs", flush=True)
            write(parts.values())


def _key(part: Mapping[str, Any]) -> tuple[str, str, float]:
    return part["method"], part["node_counts"], part["load"]


if __name__ == "__main__":
    main()
