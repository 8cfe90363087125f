"""The tables of docs/evidence/aggregation.md, made from a study.

``python -m benchmarks.studies.aggregation.docs_tables`` prints them: ten seeds on 16 tasks,
more tasks, groups.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from benchmarks.studies.aggregation.findings import errors, shapes
from benchmarks.studies.aggregation.groupings import Grouped, compared, summarised_ways
from benchmarks.studies.aggregation.published import (
    PRINTED_DEVIATION,
    PRINTED_MEAN,
    PRINTED_MOST,
    PRINTED_TIME_ERROR,
)
from benchmarks.studies.aggregation.validation import METHODS, Study, study, summarised
from planner.aggregation.grouping import Group, rank_order

SEEDS = range(10)
SCALING_SEEDS = range(3)
SCALING_TASKS = (32, 64, 128)
GROUPED_SEEDS = range(5)


def as_markdown(small: Study, scaling: Sequence[Study], ways: Sequence[Grouped] = ()) -> str:
    """Return all tables; simulated, with the spread over seeds."""
    parts = (
        _decisions(small),
        _errors(small),
        _choices(small),
        _shapes(small),
        _scaling(scaling),
        _groupings(ways),
    )
    return "\n".join("\n".join(part) + "\n" for part in parts)


def _decisions(small: Study) -> Iterator[str]:
    yield "| law | method | best found | too slow | worst slowdown | saved | best | share | seeds |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|"
    for r in summarised(small.decisions):
        yield (
            f"| {r.family} | {r.method} | {r.best_found:.0%} | {r.too_slow:.0%} | "
            f"{r.worst_slowdown:.1%} | {r.saving:.1%} | {r.best_saving:.1%} | {r.share:.1%} | "
            f"{r.share_least_seed:.1%} to {r.share_most_seed:.1%} |"
        )


def _errors(small: Study) -> Iterator[str]:
    yield (
        "| law | IPC, mean | seeds | deviation | most | left out | time, mean | most | "
        "bound, point to point | bound, collective | slowdown |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    yield (
        f"| printed | {PRINTED_MEAN:.2f} % | | {PRINTED_DEVIATION:.2f} % | {PRINTED_MOST:.2f} % | "
        f"| {PRINTED_TIME_ERROR:.1f} % | | above 1 | about 1 | |"
    )
    for r in errors(small):
        yield (
            f"| {r.family} | {100 * r.ipc_mean:.2f} % | {100 * r.ipc_mean_least_seed:.2f} to "
            f"{100 * r.ipc_mean_most_seed:.2f} % | {100 * r.ipc_deviation:.2f} % | "
            f"{100 * r.ipc_most:.1f} % | {100 * r.left_out:.2f} % | {100 * r.time_mean:.1f} % | "
            f"{100 * r.time_most:.1f} % | {r.bound_point_to_point:.2f} | "
            f"{r.bound_collective:.2f} | {100 * r.slowdown_mean:.1f} points |"
        )


def _choices(small: Study) -> Iterator[str]:
    codes = list(dict.fromkeys(d.code for d in small.decisions))
    yield f"| law | pattern | {' | '.join(codes)} |"
    yield f"|---|---|{'---|' * len(codes)}"
    for family in sorted({d.family for d in small.decisions}):
        for what in ("chosen", "best"):
            cells = []
            for code in codes:
                rows = [
                    d
                    for d in small.decisions
                    if (d.family, d.code, d.method) == (family, code, METHODS[0])
                ]
                cells.append(_counts([getattr(d, what) for d in rows]))
            yield f"| {family} | {what} | {' | '.join(cells)} |"


def _counts(patterns: Sequence[int]) -> str:
    """Patterns with how often, most often first."""
    often = sorted(set(patterns), key=lambda p: (-patterns.count(p), p))
    return ", ".join(f"{p} ({patterns.count(p)})" for p in often)


def _shapes(small: Study) -> Iterator[str]:
    yield "| the paper says | where | holds |"
    yield "|---|---|---:|"
    for s in shapes(small):
        held = f"{s.held} of {s.of}"
        yield f"| {s.statement} | {s.where} | {held if s.held == s.of else f'**{held}**'} |"


def _scaling(scaling: Sequence[Study]) -> Iterator[str]:
    yield "| law | tasks | best | chosen | saved, best | saved, chosen | slowdown, pattern 8 |"
    yield "|---|---:|---|---|---:|---:|---:|"
    rows = [
        (family, validation)
        for family in sorted({d.family for s in scaling for d in s.decisions})
        for validation in scaling
    ]
    for family, validation in rows:
        chosen = [d for d in validation.decisions if (d.family, d.method) == (family, METHODS[0])]
        full = [t.slowdown(8) for t in validation.truths if t.family == family and 8 in t.outcomes]
        count = len(chosen)
        yield (
            f"| {family} | {chosen[0].tasks} | {_counts([d.best for d in chosen])} | "
            f"{_counts([d.chosen for d in chosen])} | "
            f"{sum(d.best_saving for d in chosen) / count:.1%} | "
            f"{sum(d.saving for d in chosen) / count:.1%} | {sum(full) / len(full):.1%} |"
        )


def _groupings(ways: Sequence[Grouped]) -> Iterator[str]:
    yield (
        "| law | grouping | changed | time over rank order | least | most | other choice | "
        "too slow | share | seeds |"
    )
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for r in summarised_ways(ways):
        yield (
            f"| {r.family} | {r.way} | {r.changed:.0%} | {r.ratio:.3f} | {r.least:.2f} | "
            f"{r.most:.2f} | {r.other_choice:.0%} | {r.too_slow:.0%} | {r.share:.1%} | "
            f"{r.share_least_seed:.1%} to {r.share_most_seed:.1%} |"
        )


def made(group: Group = rank_order) -> str:
    """Run the studies of the page, which takes minutes, and write its tables."""
    small = study(SEEDS, group=group)
    scaling = [study(SCALING_SEEDS, codes=("lu",), tasks=t, group=group) for t in SCALING_TASKS]
    return as_markdown(small, scaling, compared(GROUPED_SEEDS))


if __name__ == "__main__":
    sys.stdout.write(made())
