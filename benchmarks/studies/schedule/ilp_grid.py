"""ILP schedulers against greedy ones under equal rules, with stored results.

Synthetic logs: ``thesis-rmap`` at an offered load of 0.7 with a predicted table, 2 bounds, 4 logs
of 30 jobs, 20 seeds. The node counts are those of the thesis (8 to 64), or all. HiGHS and CBC solve
the same knapsacks as the engine, so they run on seed 0 alone. Programs in slots with all node
counts run on 5 seeds.

Logs of machines: two windows of 400 jobs each of SDSC-SP2 and SDSC-BLUE on as many simulated nodes
as the machine had, both node counts, 2 bounds, seed 0: their jobs are not drawn. The scheduler
knows the run time of a job, or its requested time.

Budgets are counted in nodes of branch and bound, so runs repeat; only seconds differ.

    python -m benchmarks.studies.schedule.ilp_grid [WORKERS] [PART...]

runs all parts, or those that are named, and stores each in ``ilp_grid.json`` next to this module.
``python -m benchmarks.studies.schedule.ilp_tables`` prints the tables of the pages from it.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.studies.schedule.thesis_grid import scenario_at
from planner.question import schedule_of
from planner.scheduling.power.grid import run_grid
from planner.scheduling.power.results.result import PolicyOutcome
from scenarios import Scenario
from scenarios.reading.reader import read_scenario
from scenarios.simulated import NAMES
from tests.shared_data import TRACES

STORED = Path(__file__).with_suffix(".json")
OFFERED_LOAD = 0.7
BOUNDS_W = (6500.0, 10_000.0)
LOGS = ("small", "large", "random-1", "random-2")
NodeCounts = Literal["thesis", "every"]
ExpectedFrom = Literal["run_time", "requested_time"]
COUNTS: tuple[NodeCounts, NodeCounts] = ("thesis", "every")
KNOWN: tuple[ExpectedFrom, ExpectedFrom] = ("run_time", "requested_time")
SEEDS = 20
SLOTS_SEEDS: dict[NodeCounts, int] = {"thesis": 20, "every": 20}

GREEDY = ("traditional", "adaptive", "adaptive-20", "adaptive-any", "adaptive-lending")
ENGINE = (
    "ilp-engine", "ilp-engine-20", "ilp-engine-any", "ilp-engine-unfair", "ilp-engine-any-unfair",
    "ilp-reserved-engine", "ilp-reserved-engine-20", "ilp-reserved-engine-any",
)  # fmt: skip
SLOTS = ("ilp-slots-highs", "ilp-slots-highs-any")
SOLVERS = tuple(
    name.replace("engine", solver)
    for name in ("ilp-engine", "ilp-engine-any", "ilp-reserved-engine", "ilp-engine-unfair")
    for solver in ("engine", "highs", "cbc")
)
ON_MACHINES = (
    "traditional", "adaptive", "adaptive-20", "adaptive-any", "ilp-engine", "ilp-engine-20",
    "ilp-engine-any", "ilp-reserved-engine", "ilp-reserved-engine-20",
)  # fmt: skip
WINDOWS = (
    ("SP2-1", "SDSC-SP2", 20_001), ("SP2-2", "SDSC-SP2", 40_001),
    ("BLUE-1", "SDSC-BLUE", 80_001), ("BLUE-2", "SDSC-BLUE", 160_001),
)  # fmt: skip
"""Name, log and first job of each window, chosen before any run."""
WINDOW_JOBS = 400
MACHINE_NODES = {"SDSC-SP2": 128, "SDSC-BLUE": 144}
"""Simulated nodes: one for each node of the machine."""
THESIS_NODES = 64
"""``BOUNDS_W`` are for so many nodes; a window has as many watts a node."""

VALUES = (
    "mean_turnaround_s", "fairness", "energy_j", "bound_violations", "largest_violation_w",
    "violation_s", "makespan_s", "rounded", "rejected", "decisions", "fallbacks", "largest_gap",
)  # fmt: skip
TAILS = (
    "p95_turnaround_s", "largest_turnaround_s", "longest_wait_s", "mean_bounded_slowdown",
    "jobs_beyond_request",
)  # fmt: skip
MEANS = ("mean_nodes", "mean_requested_nodes", "most_times_request")
COLUMNS = (*VALUES, *TAILS, *MEANS)
"""What a run has again on every machine, if the solvers are of the same versions."""


@dataclass(frozen=True)
class GridPart:
    """Runs that share a scenario.

    Attributes
    ----------
    name
        In the stored results.
    policies, seeds
        Which run, and how many seeds, from 0 on.
    node_counts
        Of the job details table.
    window
        Name of a window of a machine's log; empty for the synthetic logs.
    expected_from
        How the scheduler knows the input size of a job of the window.
    """

    name: str
    policies: tuple[str, ...]
    seeds: int
    node_counts: NodeCounts
    window: str = ""
    expected_from: ExpectedFrom = "run_time"


def parts() -> tuple[GridPart, ...]:
    """Return every part."""
    solvers = [GridPart(f"solvers-{kind}", SOLVERS, 1, kind) for kind in COUNTS]
    synthetic = [GridPart(f"synthetic-{kind}", (*GREEDY, *ENGINE), SEEDS, kind) for kind in COUNTS]
    slots = [
        GridPart(f"slots-{kind}", ("adaptive", *SLOTS), SLOTS_SEEDS[kind], kind) for kind in COUNTS
    ]
    machines = [
        GridPart(part_name(window, kind, known), ON_MACHINES, 1, kind, window, known)
        for known in KNOWN
        for kind in COUNTS
        for window, _, _ in WINDOWS
    ]
    return (*solvers, *synthetic, *machines, *slots)


def part_name(window: str, node_counts: NodeCounts, expected_from: ExpectedFrom) -> str:
    """Return the name of a window's part in the stored results."""
    return f"{window}-{node_counts}" + ("-requested" if expected_from == "requested_time" else "")


def run(part: GridPart, workers: int = 1, **changes: Any) -> tuple[PolicyOutcome, ...]:
    """Run a part; ``changes`` are of its schedule."""
    with _scenario(part) as base:
        schedule = schedule_of(base).model_copy(update={"seeds": part.seeds} | changes)
        scenario = base.model_copy(update={"schedule": schedule})
        return run_grid(scenario, part.policies, workers=workers)


@contextmanager
def _scenario(part: GridPart) -> Iterator[Scenario]:
    if part.window:
        with tempfile.TemporaryDirectory() as folder:
            yield _of_machine(part, Path(folder))
    else:
        base = scenario_at(OFFERED_LOAD, "model", part.seeds, node_counts=part.node_counts)
        schedule = schedule_of(base).model_copy(update={"bounds_w": BOUNDS_W})
        yield base.model_copy(update={"schedule": schedule})


def _of_machine(part: GridPart, folder: Path) -> Scenario:
    """Return a window of a machine's log on simulated nodes; its file is copied into the folder."""
    ((_, log, first_job),) = [window for window in WINDOWS if window[0] == part.window]
    file = f"{log}.swf.gz"
    nodes = MACHINE_NODES[log]
    bounds_w = [bound_w * nodes / THESIS_NODES for bound_w in BOUNDS_W]
    shutil.copy(TRACES / file, folder / file)
    applications = "\n".join(
        f'[[schedule.applications]]\nname = "{name}"\nproblem = "C"' for name in NAMES
    )
    (folder / "window.toml").write_text(
        f"""format = 1
name = "window"
title = "{part.name}"
[schedule]
bounds_w = {bounds_w}
[schedule.cluster]
nodes = {nodes}
[schedule.details]
method = "model"
training_share = 0.1
node_counts = "{part.node_counts}"
{applications}
[[schedule.logs]]
name = "{part.window}"
kind = "file"
file = "{file}"
first_job = {first_job}
job_count = {WINDOW_JOBS}
expected_from = "{part.expected_from}"
""",
        encoding="utf-8",
    )
    return read_scenario(folder / "window.toml", "window.toml")


def cells(outcomes: Sequence[PolicyOutcome]) -> list[dict[str, Any]]:
    """Return a row for each log, bound and policy; every value as a list over the seeds."""
    groups: dict[tuple[str, float, str], list[PolicyOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.log, outcome.bound_w, outcome.policy), []).append(outcome)
    return [
        {"log": log, "bound_w": bound_w, "policy": policy}
        | {name: [_value(one, name) for one in group] for name in COLUMNS}
        | {"seconds": [round(one.decision_seconds, 3) for one in group]}
        for (log, bound_w, policy), group in groups.items()
    ]


def _value(outcome: PolicyOutcome, name: str) -> float | int | None:
    value = _measured(outcome, name)
    return float(f"{value:.9g}") if isinstance(value, float) else value


def _measured(outcome: PolicyOutcome, name: str) -> Any:
    if name in VALUES:
        return getattr(outcome, name)
    if name in TAILS:
        return getattr(outcome.tails, name)
    ran = [job for job in outcome.jobs if job.start_s is not None and job.end_s is not None]
    if name == "mean_nodes":
        return sum(job.nodes or 0 for job in ran) / len(ran)
    if name == "mean_requested_nodes":
        return sum(job.requested_nodes for job in ran) / len(ran)
    return max(((job.end_s or 0) - (job.start_s or 0)) / job.requested_s for job in ran)


def stored() -> dict[str, Any]:
    """Return the stored parts by name."""
    if not STORED.exists():
        return {}
    known: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return known


def write(results: Mapping[str, Any]) -> None:
    """Store all parts, a cell on each line."""
    lines = []
    for name, part in results.items():
        rows = ",\n".join(json.dumps(cell) for cell in part["cells"])
        lines.append(f'{json.dumps(name)}: {{"seeds": {part["seeds"]}, "cells": [\n{rows}]}}')
    STORED.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def main() -> None:
    """Run and store."""
    words = sys.argv[1:]
    workers = int(words.pop(0)) if words and words[0].isdigit() else 1
    for part in parts():
        if not words or part.name in words:
            outcomes = run(part, workers)
            write(stored() | {part.name: {"seeds": part.seeds, "cells": cells(outcomes)}})
            print(f"{part.name}: {len(outcomes):,} runs", flush=True)


if __name__ == "__main__":
    main()
