"""Which prediction makes a choice go wrong: choices with one of the two replaced by the truth.

``python -m benchmarks.studies.aggregation.error_attribution`` prints the counts of
docs/evidence/aggregation.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchmarks.studies.aggregation.validation import trained
from planner.aggregation.grouping import Group, rank_order
from planner.aggregation.measured import profiled
from planner.aggregation.patterns import REFERENCE, patterns
from planner.aggregation.selection import Candidate, by_rank
from planner.aggregation.truths import Truths, true_runs
from scenarios.simulated.aggregation import FAMILIES, load_hardware, npb_code


@dataclass(frozen=True)
class ErrorAttribution:
    """Choices by rank that are not the best, and how many the truth would mend.

    Attributes
    ----------
    cases, wrong
        Choices, and those that are not the best.
    by_computation, by_communication
        Wrong ones that are the best with true computation, or with true communication.
    """

    cases: int
    wrong: int
    by_computation: int
    by_communication: int


def choice_knowing(
    candidates: Sequence[Candidate], true: Truths, *, computation: bool, communication: bool
) -> int:
    """Pattern by rank with one part of each prediction, or both, replaced by the truth."""
    known = [
        replace(
            c,
            compute_s=true.outcomes[c.pattern.id].compute_s if computation else c.compute_s,
            communication_s=true.outcomes[c.pattern.id].communication_s
            if communication
            else c.communication_s,
        )
        for c in candidates
    ]
    (reference,) = (c.time_s for c in known if c.pattern.id == REFERENCE)
    return by_rank([replace(c, slowdown=c.time_s / reference - 1) for c in known]).pattern.id


def attribute_errors(
    seeds: Iterable[int],
    families: Sequence[str] = FAMILIES,
    codes: Sequence[str] = ("lu", "bt", "sp", "ft", "cg"),
    group: Group = rank_order,
) -> ErrorAttribution:
    """Count over laws, seeds and codes; MG, whose runs take longest, is left out by default."""
    hardware = load_hardware()
    rows = []
    for seed in seeds:
        for family in families:
            known = trained(hardware, family, seed, group).classes
            for code in codes:
                true = true_runs(hardware, family, code, 16, seed, known)
                program = profiled(hardware, family, npb_code(code, seed=seed), seed)
                candidates = known.candidates(program, patterns(hardware.layout))
                rows.append(
                    [
                        choice_knowing(candidates, true, computation=a, communication=b)
                        == true.best
                        for a, b in ((False, False), (True, False), (False, True))
                    ]
                )
    wrong = [row for row in rows if not row[0]]
    return ErrorAttribution(
        len(rows), len(wrong), sum(r[1] for r in wrong), sum(r[2] for r in wrong)
    )


if __name__ == "__main__":
    sys.stdout.write(f"{attribute_errors(range(4))}\n")
