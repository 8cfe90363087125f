"""Pairs and groups that are chosen on measured pairs, scored on the hidden law of shared nodes.

``python -m benchmarks.studies.colocation.scored`` draws 24 jobs of the twelve applications for each
of 20 seeds, measures every pair once, chooses by every policy, and scores the choice on the law. It
stores the results in ``scored.json`` next to this file and prints them as a table. It
takes minutes.

Law: that of POPPA's nodes, with two ranks per socket and job, so that up to four jobs fit on a node
and a job has the same cores in every group. A measured pair is one run with random occurrences; the
law is the mean of ``TRUE_RUNS`` others. Nothing is fitted or tuned here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np

from planner.colocation.decide import matched
from planner.colocation.groups import Rules, grouped, grouped_on
from planner.colocation.policies import first_fit, greedy, random_plans
from planner.colocation.problem import Problem
from scenarios.pairs.pair_table import Floats, Indices
from scenarios.simulated.shared_node.applications import TWELVE
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.truth import truth

SEEDS, JOBS, LARGEST, TRUE_RUNS = 20, 24, 4, 3
MEASURED_FROM = 1_000
"""Seed of the first measurement; the law's runs have the seeds 0 to ``TRUE_RUNS - 1``."""
SETTINGS = NodeSettings(ranks_per_socket=2)
STORED = Path(__file__).with_suffix(".json")
Group = tuple[int, ...]


def run(kinds: Group, seed: int) -> Floats:
    """Relative speeds of jobs of these applications on one node, in one run of each."""
    return truth([TWELVE[kind] for kind in kinds], SETTINGS, seed=seed).performance


@cache
def true_speeds(kinds: Group) -> Floats:
    """Relative speeds by the law: the mean of some runs; equal applications have equal speeds."""
    mean = np.mean([run(kinds, seed) for seed in range(TRUE_RUNS)], axis=0)
    return np.array([mean[[k for k, other in enumerate(kinds) if other == kind]].mean()
                     for kind in kinds])  # fmt: skip


def speeds_by_law(kinds: Indices, group: Sequence[int]) -> Floats:
    """Relative speed of each job of a group."""
    order = sorted(group, key=lambda job: kinds[job])
    speeds = true_speeds(tuple(int(kinds[job]) for job in order))
    return speeds[[order.index(job) for job in group]]


def measured_problem(kinds: Indices, seed: int) -> Problem:
    """The jobs with one run of each pair of applications."""
    number = len(TWELVE)
    speed, own = np.ones((number, number)), np.ones((number, 2))
    for a, b in combinations_with_replacement(range(number), 2):
        first, second = run((a, b), MEASURED_FROM + seed)
        if a == b:
            own[a] = first, second
            speed[a, a] = (first + second) / 2
        else:
            speed[a, b], speed[b, a] = first, second
    return Problem(tuple(TWELVE[k].name for k in kinds), kinds, speed, own)


def true_problem(kinds: Indices) -> Problem:
    """The jobs with the speeds of the law."""
    number = len(TWELVE)
    speed, own = np.ones((number, number)), np.ones((number, 2))
    for a, b in combinations_with_replacement(range(number), 2):
        speed[a, b], speed[b, a] = true_speeds((a, b))
        if a == b:
            own[a] = speed[a, a]
    return Problem(tuple(TWELVE[k].name for k in kinds), kinds, speed, own)


def all_groups(kinds: Indices, size: int) -> tuple[Indices, Floats]:
    """Every group of up to ``size`` jobs that gains by the law: members and speeds, padded."""
    members, speeds = [], []
    for count in range(2, size + 1):
        for group in combinations(range(len(kinds)), count):
            of_group = speeds_by_law(kinds, group)
            if of_group.sum() > 1.0:
                padding = size - count
                members.append((*group, *(-1,) * padding))
                speeds.append((*of_group, *(0.0,) * padding))
    return np.array(members, np.int64), np.array(speeds)


def choices(seed: int) -> Iterator[tuple[str, tuple[Group, ...], float, tuple[Group, ...]]]:
    """By policy: its groups, their gain as predicted, and the best groups by the law."""
    kinds = np.random.default_rng(seed).integers(len(TWELVE), size=JOBS)
    problem, exact = measured_problem(kinds, seed), true_problem(kinds)
    best = matched(exact)[0].pairs
    pairings = (
        next(iter(random_plans(problem, 1, seed))), first_fit(problem), greedy(problem),
        matched(problem)[0],
    )  # fmt: skip
    for plan in pairings:
        yield plan.method, plan.pairs, sum(plan.gains), best
    for size in (3, LARGEST):
        rules = Rules(size=size)
        chosen = grouped(problem, rules)
        members, speeds = all_groups(kinds, size)
        of_law = grouped_on(exact, rules, members, speeds).groups
        yield f"groups of up to {size}", chosen.groups, chosen.gain, of_law


def scored(seed: int) -> list[dict[str, float | str | int]]:
    """One row for each policy: predicted gain, gain by the law, loss, and worst slowdown."""
    kinds = np.random.default_rng(seed).integers(len(TWELVE), size=JOBS)
    rows: list[dict[str, float | str | int]] = []
    for policy, groups, predicted, of_law in choices(seed):
        by_law = [speeds_by_law(kinds, group) for group in groups]
        gain = sum(float(speeds.sum()) - 1.0 for speeds in by_law)
        best = sum(float(speeds_by_law(kinds, group).sum()) - 1.0 for group in of_law)
        rows.append({
            "seed": seed,
            "policy": policy,
            "predicted_gain": predicted,
            "gain": gain,
            "best_gain": best,
            "loss": 1 - gain / best,
            "worst_slowdown": max((1 / float(speeds.min()) for speeds in by_law), default=1.0),
        })  # fmt: skip
    return rows


def table(rows: Sequence[dict[str, float | str | int]]) -> str:
    """Means over seeds as a table, with two standard errors of the loss."""
    lines = [
        "| policy | gain as predicted | gain by the law | lost against the best | worst |",
        "|---|---:|---:|---:|---:|",
    ]
    for policy in dict.fromkeys(row["policy"] for row in rows):
        mine = [row for row in rows if row["policy"] == policy]

        def column(key: str, own: Sequence[dict[str, float | str | int]] = mine) -> Floats:
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
    rows = [row for seed in range(SEEDS) for row in scored(seed)]
    STORED.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
