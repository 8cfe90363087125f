"""Tables of docs/evidence/schedule.md and docs/power-ilp.md from the stored results of the grid.

    python -m benchmarks.studies.schedule.ilp_tables

prints them from ``ilp_grid.json`` and ``ilp_guards.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from benchmarks.studies.schedule import ilp_grid, ilp_guards
from benchmarks.studies.schedule.ilp_grid import (
    COUNTS,
    KNOWN,
    SOLVERS,
    WINDOWS,
    ExpectedFrom,
    NodeCounts,
    part_name,
)
from planner.formatting import duration, percent
from planner.formatting import power as in_watts
from planner.replications.ratios import PairedRatio, differs_from_one, ratio_of

REFERENCE = "adaptive"
MACHINE_COLUMNS = (
    "traditional", "adaptive-20", "adaptive-any", "ilp-engine", "ilp-engine-20",
    "ilp-reserved-engine", "ilp-engine-any",
)  # fmt: skip

Cells = Mapping[str, Sequence[Mapping[str, Any]]]
"""Cells of each policy, in one order of logs and bounds."""


def line_of(*cells: str) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def rule(columns: int) -> str:
    """Return the line below the headings."""
    return "|" + "---|" * columns


def cells_of(name: str) -> dict[str, list[dict[str, Any]]]:
    """Return the stored cells of a part by policy."""
    by_policy: dict[str, list[dict[str, Any]]] = {}
    for cell in _stored()[name]["cells"]:
        by_policy.setdefault(cell["policy"], []).append(cell)
    return by_policy


@cache
def _stored() -> dict[str, Any]:
    """Read the stored parts once: tables look into them dozens of times."""
    return ilp_grid.stored()


def values(cells: Iterable[Mapping[str, Any]], key: str) -> np.ndarray:
    """Return a value of every cell and seed, shape ``(cells, seeds)``."""
    return np.array([cell[key] for cell in cells], float)


def ratio(
    cells: Cells, policy: str, key: str = "mean_turnaround_s", over: str = REFERENCE
) -> PairedRatio:
    """Return a policy over another one: in each seed the geometric mean over logs and bounds."""
    logs = np.log(values(cells[policy], key) / values(cells[over], key))
    found = ratio_of(np.exp(logs.mean(axis=0)).tolist())
    if found is None:
        raise ValueError("there are no seeds")
    return found


RULES = (
    ("within the requested time", "adaptive", "ilp-engine", "ilp-reserved-engine"),
    ("within 1.2 times of it", "adaptive-20", "ilp-engine-20", "ilp-reserved-engine-20"),
    ("any", "adaptive-any", "ilp-engine-any", "ilp-reserved-engine-any"),
)
"""A rule on run times, the greedy policy and the programs that have it."""


def pairs() -> list[str]:
    """Return turnaround of programs over that of the greedy policy with the same rule."""
    lines = [
        line_of("run times", "node counts", "greedy", "knapsack", "with a reservation"),
        rule(5),
    ]
    for words, greedy, *programs in RULES:
        for counts in COUNTS:
            cells = cells_of(f"synthetic-{counts}")
            found = (ratio(cells, program, over=greedy) for program in programs)
            texts = (f"{one.mean:.3f} ({one.low:.3f} to {one.high:.3f})" for one in found)
            lines.append(line_of(words, NODE_COUNTS[counts], f"`{greedy}`", *texts))
    return lines


NODE_COUNTS: dict[NodeCounts, str] = {"thesis": "8 to 64", "every": "every one"}


def synthetic(counts: NodeCounts) -> list[str]:
    """Return the table of the synthetic logs: a line for each policy.

    ``*`` marks ratios that differ from 1 (Holm, 5 %, over the policies of the table).
    """
    cells = cells_of(f"synthetic-{counts}")
    others = [policy for policy in cells if policy != REFERENCE]
    ratios = {policy: ratio(cells, policy) for policy in others}
    differs = dict(zip(others, differs_from_one([*ratios.values()]), strict=True))
    lines = [
        line_of(
            "policy",
            "mean turnaround",
            "95 % interval",
            "95th percentile",
            "largest",
            "longest wait",
            "slowdown",
            "beyond request",
            "fairness",
            "runs above",
            "time above",
        ),
        rule(11),
    ]
    for policy, mine in cells.items():
        jobs = 30 * values(mine, "makespan_s").size
        above = values(mine, "bound_violations") > 0
        mean, interval, tail = "1", "", "1"
        if policy in ratios:
            mean = f"{ratios[policy].mean:.3f}{'*' if differs[policy] else ''}"
            interval = f"{ratios[policy].low:.3f} to {ratios[policy].high:.3f}"
            tail = f"{ratio(cells, policy, 'p95_turnaround_s').mean:.3f}"
        row = (
            f"`{policy}`",
            mean,
            interval,
            tail,
            duration(values(mine, "largest_turnaround_s").max()),
            duration(values(mine, "longest_wait_s").max()),
            f"{values(mine, 'mean_bounded_slowdown').mean():.2f}",
            percent(values(mine, "jobs_beyond_request").sum() / jobs),
            f"{values(mine, 'fairness').mean():.3f}",
            f"{above.sum()} of {above.size}",
            duration(values(mine, "violation_s").sum()),
        )
        lines.append(line_of(*row))
    return lines


def windows(known: ExpectedFrom) -> list[Cells]:
    """Return the cells of every window and table, where run times are known in one way."""
    return [cells_of(part_name(window, kind, known)) for window, _, _ in WINDOWS for kind in COUNTS]


def machines(known: ExpectedFrom) -> list[str]:
    """Return the table of the machines' logs: turnaround over Adaptive, by window and table."""
    names = (f"`{policy}`" for policy in MACHINE_COLUMNS)
    lines = [line_of("log", "table", *names), rule(2 + len(MACHINE_COLUMNS))]
    places = [(window, kind) for window, _, _ in WINDOWS for kind in COUNTS]
    for (window, kind), cells in zip(places, windows(known), strict=True):
        ratios = (f"{ratio(cells, policy).mean:.3f}" for policy in MACHINE_COLUMNS)
        lines.append(line_of(window, kind, *ratios))
    means = [
        np.exp(np.mean([np.log(ratio(cells, policy).mean) for cells in windows(known)]))
        for policy in MACHINE_COLUMNS
    ]
    lines.append(line_of("geometric mean", "", *(f"{mean:.3f}" for mean in means)))
    return lines


def extremes(known: ExpectedFrom) -> list[str]:
    """Return the longest run relative to its request, longest turnaround and wait, by policy."""
    lines = [
        line_of(
            "policy",
            "longest run relative to its request",
            "largest turnaround",
            "longest wait",
            "jobs beyond request",
        ),
        rule(5),
    ]
    for policy in ("adaptive", *MACHINE_COLUMNS[3:]):
        mine = [cell for cells in windows(known) for cell in cells[policy]]
        jobs = ilp_grid.WINDOW_JOBS * values(mine, "makespan_s").size
        row = (
            f"`{policy}`",
            f"{values(mine, 'most_times_request').max():.1f} times",
            duration(values(mine, "largest_turnaround_s").max()),
            duration(values(mine, "longest_wait_s").max()),
            percent(values(mine, "jobs_beyond_request").sum() / jobs),
        )
        lines.append(line_of(*row))
    return lines


def solvers() -> list[str]:
    """Return turnaround over Adaptive's, by program and solver; seed 0."""
    lines = [
        line_of("policy", "table", "mean turnaround", "decisions", "fallbacks", "largest gap"),
        rule(6),
    ]
    for kind in COUNTS:
        base = cells_of(f"synthetic-{kind}")[REFERENCE]
        for policy in SOLVERS:
            mine = cells_of(f"solvers-{kind}")[policy]
            logs = [np.log(cell["mean_turnaround_s"][0] / of_base["mean_turnaround_s"][0])
                    for cell, of_base in zip(mine, base, strict=True)]  # fmt: skip
            decisions = values(mine, "decisions").sum()
            row = (
                f"`{policy}`",
                kind,
                f"{np.exp(np.mean(logs)):.3f}",
                f"{decisions:,.0f}",
                f"{values(mine, 'fallbacks').sum():,.0f}",
                percent(float(np.nanmax(values(mine, "largest_gap")))),
            )
            lines.append(line_of(*row))
    return lines


def slots() -> list[str]:
    """Return the programs in slots over Adaptive, by node counts."""
    lines = [
        line_of("policy", "table", "mean turnaround", "95 % interval", "decisions", "fallbacks"),
        rule(6),
    ]
    for kind in COUNTS:
        cells = cells_of(f"slots-{kind}")
        for policy in ilp_grid.SLOTS:
            found, mine = ratio(cells, policy), cells[policy]
            row = (
                f"`{policy}`",
                kind,
                f"{found.mean:.3f}",
                f"{found.low:.3f} to {found.high:.3f}",
                f"{values(mine, 'decisions').sum():,.0f}",
                f"{values(mine, 'fallbacks').sum():,.0f}",
            )
            lines.append(line_of(*row))
    return lines


def guards(counts: NodeCounts) -> list[str]:
    """Return the table of equal violations: a line for each policy."""
    rows = {row["policy"]: row for row in ilp_guards.stored()[counts]["policies"]}
    base = np.array([seed["turnaround_s"] for seed in rows[REFERENCE]["with"]])
    lines = [
        line_of(
            "policy",
            "turnaround without guards",
            "runs above",
            "time above",
            "guard",
            "its 95 % interval",
            "turnaround with guards",
            "95 % interval",
            "runs above",
            "time above",
            "largest excess",
        ),
        rule(11),
    ]
    for policy, row in rows.items():
        without, guarded = (_against(row[key], base) for key in ("without", "with"))
        cells = (
            f"`{policy}`",
            f"{without.mean:.3f}",
            *_above(row["without"])[:2],
            percent(row["guard"]),
            f"{percent(row['low'])} to {percent(row['high'])}",
            f"{guarded.mean:.3f}",
            "" if policy == REFERENCE else f"{guarded.low:.3f} to {guarded.high:.3f}",
            *_above(row["with"]),
        )
        lines.append(line_of(*cells))
    return lines


def _against(seeds: Sequence[Mapping[str, float]], base: np.ndarray) -> PairedRatio:
    found = ratio_of((np.array([seed["turnaround_s"] for seed in seeds]) / base).tolist())
    if found is None:
        raise ValueError("there are no seeds")
    return found


def _above(seeds: Sequence[Mapping[str, float]]) -> tuple[str, str, str]:
    runs, above = (sum(int(seed[key]) for seed in seeds) for key in ("runs", "runs_above"))
    return (
        f"{above} of {runs}",
        duration(sum(seed["above_s"] for seed in seeds)),
        in_watts(max(seed["largest_w"] for seed in seeds)),
    )


def main() -> None:
    """Print every table of which the results are stored."""
    known, guarded = ilp_grid.stored(), ilp_guards.stored()
    for kind in COUNTS:
        if f"synthetic-{kind}" in known:
            print(f"synthetic logs, {kind}", *synthetic(kind), "", sep="\n")
        if kind in guarded:
            print(f"equal violations, {kind}", *guards(kind), "", sep="\n")
    for how in KNOWN:
        print(f"logs of machines, {how}", *machines(how), "", *extremes(how), "", sep="\n")
    print("programs in slots", *slots(), "", sep="\n")
    if all(f"{part}-{kind}" in known for part in ("solvers", "synthetic") for kind in COUNTS):
        print("equal rules", *pairs(), "", "solvers", *solvers(), sep="\n")


if __name__ == "__main__":
    main()
