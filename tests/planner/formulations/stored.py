"""Evidence that is stored: measured sharing cases by every method, and growth to where each stops.

    HEADROOM_DATA=... python -m tests.planner.formulations.stored

writes tests/data/formulations/measured_sharing.json and growth.json anew; that takes some minutes.
Times are in neither. The test compares what a machine of any speed must find again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.bench_formulations_graphs import NODE, program
from planner.comparison import partition, sharing
from planner.comparison.compare import compare_sharing
from planner.comparison.method import ComparedDecision, Instance, MethodKind
from planner.comparison.outcomes import MethodOutcome, outcomes
from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import Goal, SharedJob, SharingProblem
from planner.configurations.table import table_of
from solvers.mapping.warm import warm
from tests.planner.configurations.rzmerl import rzmerl

FOLDER = Path(__file__).parents[2] / "data" / "formulations"
MEASURED, GROWTH = FOLDER / "measured_sharing.json", FOLDER / "growth.json"
APPLICATIONS = ("BT-MZ", "SM", "NSM", "SC", "NSC")
GOALS: tuple[Goal, ...] = ("weighted time", "makespan")
SIZES, SEEDS = (2, 3, 4, 6, 8), 2
LIMIT_S = 60.0
"""Wall seconds after which an exact method counts as stopped."""
JOBS = (8, 16, 32, 64, 128, 256, 1024)
RANKS = (8, 12, 16, 20, 24, 28, 40, 64, 128, 256)


@dataclass(frozen=True)
class Row:
    """One answer. ``objective`` is ``None`` where another run may end elsewhere."""

    instance: str
    size: int
    method: str
    status: str
    objective: float | None


def measured() -> SharingProblem:
    """A job of each measured application; watts for the 30th percentile of each table's power."""
    jobs = tuple(SharedJob(name, table_of(rzmerl(name))) for name in APPLICATIONS)
    watts = sum(float(np.percentile(job.table.power_w, 30)) for job in jobs)
    nodes = sum(int(np.percentile(job.table.nodes, 70)) for job in jobs)
    return SharingProblem(jobs, Bound(round(watts, 1)), nodes)


def sharing_rows() -> list[Row]:
    """Twenty cases by CBC, HiGHS, the engine and every heuristic, without a time limit."""
    result = []
    for goal in GOALS:
        study = compare_sharing(measured(), goal=goal, sizes=SIZES, seeds=SEEDS)
        if study.disagreements:
            raise AssertionError(study.disagreements)
        result += [_row(outcome, f"{goal}: ") for outcome in study.outcomes]
    return result


def growth_rows(limit_s: float = LIMIT_S, only: Sequence[Row] = ()) -> list[Row]:
    """Both decisions at growing sizes; a method that has stopped is not tried on larger ones.

    Parameters
    ----------
    only
        Ask again for these rows alone.
    """
    stored_pairs = {(row.instance, row.method) for row in only}
    warm()  # a time limit then counts work alone
    of_jobs = (
        sharing.instance(name, problem, "weighted time", seed=seed, time_limit_s=limit_s)
        for name, problem, seed in sharing.resampled(measured(), JOBS, [0])
    )
    of_ranks = (
        partition.instance(f"{count} ranks", program(count), NODE, time_limit_s=limit_s)
        for count in RANKS
    )
    return [
        *_grown(sharing.decision("weighted time"), of_jobs, limit_s, stored_pairs),
        *_grown(partition.DECISION, of_ranks, limit_s, stored_pairs),
    ]


def _grown(
    decision: ComparedDecision,
    instances: Iterator[Instance],
    limit_s: float,
    only: Collection[tuple[str, str]],
) -> Iterator[Row]:
    stopped: set[str] = set()
    for instance in instances:
        remaining = tuple(
            method
            for method in instance.methods
            if method.name not in stopped and (not only or (instance.name, method.name) in only)
        )
        tried = Instance(instance.name, instance.size, instance.seed, remaining)
        for outcome in outcomes(decision, tried):
            row = _row(outcome)
            usable = outcome.solved and outcome.seconds < limit_s
            if outcome.kind in (MethodKind.REFERENCE, MethodKind.ENGINE):
                usable &= outcome.status == "optimal"
            if not usable:
                stopped.add(outcome.method)
                row = Row(row.instance, row.size, row.method, _why(outcome), None)
            yield row


def _why(each: MethodOutcome) -> str:
    """Why a method stops here, without numbers that hang on the machine."""
    refused = "would have" in each.note or "does not suit" in each.note
    return "refused: too large" if refused else f"stopped: {each.status}"


def _row(each: MethodOutcome, before: str = "") -> Row:
    return Row(f"{before}{each.instance}", each.size, each.method, each.status, each.objective)


def usable_to(rows: Sequence[Row]) -> dict[str, int]:
    """The largest size at which each method was usable."""
    result: dict[str, int] = {}
    for row in rows:
        if row.objective is not None:
            result[row.method] = max(result.get(row.method, 0), row.size)
    return result


def read(path: Path) -> list[Row]:
    """Rows of a stored file."""
    return [Row(**fields) for fields in json.loads(path.read_text())]


def write(path: Path, rows: Sequence[Row]) -> None:
    """A row a line."""
    lines = ",\n".join(json.dumps(asdict(row)) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def main() -> None:
    """Write both files, and say where each method stops."""
    write(MEASURED, sharing_rows())
    grown = growth_rows()
    write(GROWTH, grown)
    for unit in ("jobs", "ranks"):
        here = usable_to([row for row in grown if unit in row.instance])
        sys.stdout.write(f"{unit}: {here}\n")


if __name__ == "__main__":
    main()
