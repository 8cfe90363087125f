"""True runs of a code on the simulated node: no choice sees them, all are compared with them."""

from __future__ import annotations

from dataclasses import dataclass

from planner.aggregation.grouping import grouped
from planner.aggregation.measured import profiled
from planner.aggregation.patterns import REFERENCE, patterns
from planner.aggregation.selection import THRESHOLD, Predictor, Progress, feasible
from scenarios.simulated.aggregation import Hardware, SimulatedOutcome, npb_code, truth


@dataclass(frozen=True)
class Truths:
    """True runs of a code, by pattern."""

    family: str
    seed: int
    code: str
    tasks: int
    outcomes: dict[int, SimulatedOutcome]

    def slowdown(self, pattern: int) -> float:
        """Against one task per node."""
        return self.outcomes[pattern].time_s / self.outcomes[REFERENCE].time_s - 1

    def saving(self, pattern: int, baseline: int = REFERENCE) -> float:
        """Energy saved against a baseline, by default one task per node."""
        return 1 - self.outcomes[pattern].energy_j / self.outcomes[baseline].energy_j

    def slower(self, pattern: int, baseline: int) -> float:
        """Time over that of a baseline, less 1."""
        return self.outcomes[pattern].time_s / self.outcomes[baseline].time_s - 1

    @property
    def best(self) -> int:
        """Pattern of least energy within the paper's tolerated slowdown, by trying all."""
        return self.best_within(THRESHOLD)

    def best_within(self, threshold: float) -> int:
        """Pattern of least energy within a tolerated slowdown; the reference always counts."""
        outcomes = [p for p in self.outcomes if p == REFERENCE or self.slowdown(p) <= threshold]
        return min(outcomes, key=lambda p: self.outcomes[p].energy_j)


def true_runs(
    hardware: Hardware,
    family: str,
    name: str,
    tasks: int,
    seed: int,
    known: Predictor,
    *,
    progress: Progress | None = None,
) -> Truths:
    """Run a test code under every pattern that fits, with the groups that would be used."""
    code = npb_code(name, tasks, seed)
    program = profiled(hardware, family, code, seed)
    outcomes = {}
    fits = feasible(program, patterns(hardware.layout), hardware.memory_gb)
    for done, p in enumerate(fits, start=1):
        groups = grouped(known.tables, program.traffic, p.layout, known.group, known.objective)
        outcomes[p.id] = truth(hardware, family, code, p.layout, groups, seed)
        if progress is not None:
            progress(done, len(fits))
    return Truths(family, seed, name, tasks, outcomes)
