"""The tables of docs/evidence/shared-node.md, made from the simulated node.

``python -m benchmarks.studies.shared_node.docs_tables`` prints them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.studies.shared_node.overheads import Case, cases
from scenarios.simulated.shared_node import (
    NUMBERS,
    TWELVE,
    SensitivityAndPressure,
    degradation_matrix,
)


def as_markdown() -> str:
    """Return all tables."""
    parts = (_numbers(), _codes(), _discounts(), _overheads(cases()))
    return "\n".join("\n".join(part) + "\n" for part in parts)


def _numbers() -> Iterator[str]:
    yield "| number | value | origin | reason |"
    yield "|---|---|---|---|"
    for number in NUMBERS:
        yield f"| {number.name} | {number.value} | {number.origin} | {number.reason} |"


def _codes() -> Iterator[str]:
    yield "| code | phases: ms alone, IPC, stall, bandwidth, cache | waiting | imbalance | reason |"
    yield "|---|---|---:|---:|---|"
    for code in TWELVE:
        phases = "; ".join(
            f"{phase.solo_ms:g}, {phase.ipc:g}, {phase.stall_share:g}, "
            f"{phase.bandwidth_share:g}, {phase.llc_share:g}"
            for phase in code.phases
        )
        yield (
            f"| {code.name} | {phases} | {code.waiting_share:.0%} | {code.imbalance_share:.0%} | "
            f"{code.reason} |"
        )


def _discounts() -> Iterator[str]:
    first, second = degradation_matrix(TWELVE), degradation_matrix(TWELVE, law=_SECOND)
    yield "| code | mean discount of the oracle | largest | second law: mean | largest |"
    yield "|---|---:|---:|---:|---:|"
    for code, one, other in zip(TWELVE, first, second, strict=True):
        yield (
            f"| {code.name} | {one.mean():.1%} | {one.max():.1%} | {other.mean():.1%} | "
            f"{other.max():.1%} |"
        )
    yield (
        f"| all | {first.mean():.1%} | {first.max():.1%} | {second.mean():.1%} | "
        f"{second.max():.1%} |"
    )


def _overheads(cases: Iterator[Case]) -> Iterator[str]:
    yield "| codes | jobs | S | equation 10 | faster alone | refill | base cost | total | seeds |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for case in cases:
        yield (
            f"| {case.group} | {case.jobs} | {case.length_us:,} us | {case.equation:.3%} | "
            f"{case.speed_up:+.3%} | {case.refill:+.3%} | {case.base_cost:+.3%} | "
            f"{case.total:.3%} | {case.spread:.3%} |"
        )


_SECOND = SensitivityAndPressure()


def main() -> None:
    """Print the tables."""
    sys.stdout.write(as_markdown())


if __name__ == "__main__":
    main()
