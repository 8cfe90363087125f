"""Pairs and groups that are chosen on measured pairs, scored on the hidden law of shared nodes.

``python -m benchmarks.studies.colocation.scored`` draws 24 jobs of the twelve applications for each
of 20 seeds, measures every pair once, chooses by every policy, and scores the choice on the law. It
stores the results in ``scored.json`` next to this file and prints them as a table. It takes some
six minutes.

Law: that of POPPA's nodes, with two ranks per socket and job, so that up to four jobs fit on a node
and a job has the same cores in every group. A measured pair is one run with random occurrences; the
law is the mean of ``TRUE_RUNS`` others. Nothing is fitted or tuned here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

import solvers
from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.groups import speeds_of
from planner.sharing_nodes.pairs.policies import first_fit, greedy, random_plans
from planner.sharing_nodes.pairs.problem import PairingProblem
from scenarios.pairs.pair_table import Floats, Indices
from scenarios.simulated.shared_node.applications import TWELVE
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.truth import truth
from solvers.model.milp import MilpBuilder

SEEDS, JOBS, LARGEST, TRUE_RUNS = 20, 24, 4, 3
MEASURED_FROM = 1_000
"""Seed of the first measurement; the law's runs have the seeds 0 to ``TRUE_RUNS - 1``."""
SETTINGS = NodeSettings(ranks_per_socket=2)
GAP = 0.005
"""Groups are chosen to within this share of the proven limit; closing it takes hours at times."""
STORED = Path(__file__).with_suffix(".json")
Group = tuple[int, ...]
"""Applications by number, in ascending order."""
Row = dict[str, float | str | int]


def run(kinds: Group, seed: int) -> Floats:
    """Relative speeds of jobs of these applications on one node, in one run of each."""
    return truth([TWELVE[kind] for kind in kinds], SETTINGS, seed=seed).performance


@cache
def true_speeds(kinds: Group) -> Floats:
    """Relative speeds by the law: the mean of some runs; equal applications have equal speeds."""
    mean = np.mean([run(kinds, seed) for seed in range(TRUE_RUNS)], axis=0)
    return np.array([mean[[k for k, other in enumerate(kinds) if other == kind]].mean()
                     for kind in kinds])  # fmt: skip


def measured_problem(kinds: Indices, seed: int) -> PairingProblem:
    """Return the jobs with one run of each pair of applications."""
    number = len(TWELVE)
    speed, own = np.ones((number, number)), np.ones((number, 2))
    for a, b in combinations_with_replacement(range(number), 2):
        first, second = run((a, b), MEASURED_FROM + seed)
        if a == b:
            own[a] = first, second
            speed[a, a] = (first + second) / 2
        else:
            speed[a, b], speed[b, a] = first, second
    return PairingProblem(tuple(TWELVE[k].name for k in kinds), kinds, speed, own)


def true_problem(kinds: Indices) -> PairingProblem:
    """Return the jobs with the speeds of the law."""
    number = len(TWELVE)
    speed, own = np.ones((number, number)), np.ones((number, 2))
    for a, b in combinations_with_replacement(range(number), 2):
        speed[a, b], speed[b, a] = true_speeds((a, b))
        if a == b:
            own[a] = speed[a, a]
    return PairingProblem(tuple(TWELVE[k].name for k in kinds), kinds, speed, own)


def best_groups(
    available: Indices, size: int, speeds: Callable[[Group], Floats]
) -> tuple[tuple[Group, ...], float]:
    """Groups of applications with the greatest gain, to within ``GAP``, and its proven limit.

    Jobs of one application are alike, so the program counts groups of applications. A program of
    the single jobs has many equal plans, and HiGHS then takes hours for some queues.
    """
    counts = {group: np.bincount(group, minlength=len(available)) for group in all_groups(size)}
    gains = {group: float(speeds(group).sum()) - 1.0
             for group, count in counts.items() if (count <= available).all()}  # fmt: skip
    groups = [group for group, gain in gains.items() if gain > 0]
    used = np.array([counts[group] for group in groups])
    column, row = np.nonzero(used)
    build = MilpBuilder("max", name="groups of applications")
    cost = np.array([gains[group] for group in groups])
    columns = build.add_columns(len(groups), cost=cost, upper=float(JOBS), integer=True)
    build.add_rows(row, columns[column], used[column, row].astype(float), upper=available * 1.0)
    result = solvers.solve(build.model(), proof="never", gap=GAP)
    limit = result.certificate.bound
    if result.x is None or limit is None:
        raise RuntimeError(f"groups of up to {size} were not found: {result.certificate.status}")
    often = np.rint(result.x).astype(int)
    chosen = (group for group, times in zip(groups, often, strict=True) for _ in range(times))
    return tuple(chosen), limit


def all_groups(size: int) -> list[Group]:
    """Return every group of two to ``size`` applications."""
    return [group for count in range(2, size + 1)
            for group in combinations_with_replacement(range(len(TWELVE)), count)]  # fmt: skip


def predicted_speeds(problem: PairingProblem, group: Group) -> Floats:
    """Speeds of a group as ``headroom colocate`` predicts them from pairs."""
    alone = replace(problem, names=("",) * len(group), kind=np.array(group))
    return np.array(speeds_of(alone, range(len(group))))


def choices(seed: int) -> Iterator[tuple[str, tuple[Group, ...], float, float]]:
    """By policy: its groups, their gain as predicted, and the proven limit of gains by the law."""
    kinds = np.random.default_rng(seed).integers(len(TWELVE), size=JOBS)
    problem, exact = measured_problem(kinds, seed), true_problem(kinds)
    best = sum(matched(exact)[0].gains)
    pairings = (
        next(iter(random_plans(problem, 1, seed))), first_fit(problem), greedy(problem),
        matched(problem)[0],
    )  # fmt: skip
    for plan in pairings:
        yield plan.method, of_kinds(kinds, plan.pairs), sum(plan.gains), best
    available = np.bincount(kinds, minlength=len(TWELVE))
    predict = partial(predicted_speeds, problem)
    for size in (3, LARGEST):
        chosen, _ = best_groups(available, size, predict)
        gain = sum(float(predict(group).sum()) - 1.0 for group in chosen)
        _, limit = best_groups(available, size, true_speeds)
        yield f"groups of up to {size}", chosen, gain, limit


def of_kinds(kinds: Indices, pairs: Sequence[tuple[int, int]]) -> tuple[Group, ...]:
    """Return the applications of pairs of jobs."""
    return tuple(tuple(sorted((int(kinds[a]), int(kinds[b])))) for a, b in pairs)


def scored(seed: int) -> list[Row]:
    """Return one row for each policy: predicted gain, gain by the law, loss, and worst slowdown."""
    rows = list[Row]()
    for policy, groups, predicted, limit in choices(seed):
        by_law = [true_speeds(group) for group in groups]
        gain = sum(float(speeds.sum()) - 1.0 for speeds in by_law)
        rows.append({
            "seed": seed,
            "policy": policy,
            "predicted_gain": _short(predicted),
            "gain": _short(gain),
            "limit": _short(limit),
            "loss": _short(1 - gain / limit),
            "worst_slowdown": _short(max((1 / float(one.min()) for one in by_law), default=1.0)),
        })  # fmt: skip
    return rows


def _short(value: float) -> float:
    return round(float(value), 6)


def stored() -> list[Row]:
    """Return what was stored: rows of all seeds."""
    rows: list[Row] = json.loads(STORED.read_text(encoding="utf-8"))
    return rows


def table(rows: Sequence[Row]) -> str:
    """Means over seeds as a table, with two standard errors of the loss."""
    lines = [
        "| policy | gain as predicted | gain by the law | below the limit | largest slowdown |",
        "|---|---:|---:|---:|---:|",
    ]
    for policy in dict.fromkeys(row["policy"] for row in rows):
        mine = [row for row in rows if row["policy"] == policy]

        def column(key: str, own: Sequence[Row] = mine) -> Floats:
            return np.array([row[key] for row in own], np.float64)

        loss = 100 * column("loss")
        error = 2 * loss.std(ddof=1) / np.sqrt(len(loss))
        lines.append(
            f"| {policy} | {column('predicted_gain').mean():.2f} | {column('gain').mean():.2f} "
            f"| {loss.mean():.1f} % ({error:.1f} %) | {column('worst_slowdown').max():.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Score all seeds, store the rows and print the table."""
    rows = list[Row]()
    for seed in range(SEEDS):
        rows += scored(seed)
        sys.stderr.write(f"{seed + 1} of {SEEDS} seeds\n")
    STORED.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
