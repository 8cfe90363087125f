"""What ``headroom simulate`` prints besides its study: why a job waited, broken rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from planner.formatting import own_unit, plural
from planner.scheduling.policies.display import in_prose

if TYPE_CHECKING:
    from planner.scheduling.simulation.explain import Explanation
    from planner.scheduling.violation import Violation

_MOST = 20


def explanation_lines(policy: str, explanation: Explanation) -> Iterator[str]:
    """Why a job waited, a line each."""
    yield (
        f"\nJob {explanation.job} under {in_prose(policy)}: submitted at {explanation.submit_s} s, "
        f"started at {explanation.start_s} s, waited {own_unit(explanation.wait_s)}; "
        f"{plural(explanation.processors, 'processor')}, estimated run time "
        f"{own_unit(explanation.estimate_s)}."
    )
    for period in explanation.periods[:_MOST]:
        last = (
            ""
            if period.looks == 1
            else f" to {period.last.time_s} s, checked {period.looks:,} times"
        )
        yield f"  {period.first.time_s} s{last}: {period.first.sentence}"
    if len(explanation.periods) > _MOST:
        more = len(explanation.periods) - _MOST
        yield f"  ... {more:,} more periods; --json lists every check"
    if explanation.overtaken_by:
        number = plural(len(explanation.overtaken_by), "job")
        yield f"  overtaken by {number} listed behind it:"
        for overtaker in explanation.overtaken_by[:_MOST]:
            yield (
                f"    job {overtaker.job} at {overtaker.start_s} s, "
                f"{plural(overtaker.processors, 'processor')}, expected to end by "
                f"{overtaker.expected_end_s} s"
            )
        if len(explanation.overtaken_by) > _MOST:
            yield f"    ... {len(explanation.overtaken_by) - _MOST:,} more; --json lists all"
    yield f"  started at {explanation.start_s} s: {explanation.started.sentence}"


def violation_lines(broken: Sequence[Violation]) -> list[str]:
    """Return what the checker found."""
    lines = [str(violation) for violation in broken[:_MOST]]
    unlisted = len(broken) - _MOST
    return lines if unlisted <= 0 else [*lines, f"... {unlisted:,} more; --json lists all"]
