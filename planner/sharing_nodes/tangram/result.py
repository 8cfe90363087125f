"""Decisions of gates on one simulated system, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from planner.replications.batch_means import over_replications
from planner.sharing_nodes.tangram.pair_runs import PairRuns
from planner.sharing_nodes.tangram.printed import TableTwoRow, table_two
from planner.sharing_nodes.tangram.scores import BORDER, GateScore, LeftOutTest
from planner.sharing_nodes.tangram.splits import Split

LEARNED_GATES = ("logistic", "Tangram")
"""Gates that learn from all counters."""
GAINS = 0.999
"""Largest mean makespan, in three decimals, that is a gain."""

Gate = Literal["one counter", "logistic", "Tangram"]


@dataclass(frozen=True, eq=False, repr=False)
class TangramResult:
    """Decisions of gates on one simulated system, scored by its co-runs.

    Attributes
    ----------
    system, nodes
        Name of the system, and its nodes.
    splits
        The tests, in the order of the tables.
    campaigns
        Co-runs of each seed.
    by_seed
        Scores of all tests and gates, for each seed.
    left_out
        Tangram on each application that was left out, first seed.
    law_numbers
        Numbers of the simulated system, with name, value, origin and reason.
    errors
        Gates that learn, on what the strictest test leaves out, first seed.
    of_the_paper
        Whether the applications are the six of the paper, so that its numbers can be compared.
    law
        The law of shared cores.
    other
        The same tests under the other law; ``None`` if only one law was run.
    command
        Words of the command; empty from Python.
    """

    system: str
    nodes: int
    splits: Sequence[Split]
    campaigns: Sequence[PairRuns]
    by_seed: Sequence[Sequence[GateScore]]
    left_out: Sequence[LeftOutTest]
    law_numbers: Sequence[Any]
    errors: Mapping[str, Sequence[LeftOutTest]] = field(default_factory=dict)
    of_the_paper: bool = True
    law: str = "slowest-rank"
    other: TangramResult | None = None
    command: tuple[str, ...] = ()

    @property
    def runs(self) -> PairRuns:
        """Co-runs of the first seed."""
        return self.campaigns[0]

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        return {
            "system": self.system,
            "law": self.law if self.other is None else f"{self.law}, {self.other.law}",
            "applications": ", ".join(self.runs.applications),
            "ranks": ", ".join(str(ranks) for ranks in np.unique(self.runs.ranks)),
            "co_runs": len(self.runs),
            "tests": "; ".join(f"{split.name}: {split.meaning}" for split in self.splits),
            "seeds": len(self.by_seed),
        }

    @property
    def by_law(self) -> tuple[TangramResult, ...]:
        """The results under each law, that of the answer first."""
        return (self,) if self.other is None else (self, self.other)

    @property
    def strictest(self) -> str:
        """Name of the strictest test."""
        return self.splits[-1].name

    def scores(self, test: str, gate: str) -> tuple[GateScore, ...]:
        """Scores of a gate in a test, one for each seed."""
        return tuple(
            score
            for scores in self.by_seed
            for score in scores
            if (score.test, score.gate) == (test, gate)
        )

    def mean(self, test: str, gate: str) -> float:
        """Mean over seeds of the geometric mean of the makespan."""
        return float(np.mean([score.makespan for score in self.scores(test, gate)]))

    def arithmetic(self, test: str, gate: str) -> float:
        """Mean over seeds of the arithmetic mean of the makespan."""
        return float(np.mean([score.arithmetic for score in self.scores(test, gate)]))

    def worst(self, gate: str, test: str = "") -> float:
        """Longest makespan of a pair that a gate admits, over all seeds; of all tests by default.

        A pair that does not share counts 1.
        """
        tests = [test] if test else [split.name for split in self.splits]
        return max(score.makespan_max for one in tests for score in self.scores(one, gate))

    def worst_admitted(self, gate: str) -> tuple[int, GateScore]:
        """Seed and score of the test with the longest makespan of a gate, the first of several."""
        scores = [
            (seed, score) for split in self.splits
            for seed, score in enumerate(self.scores(split.name, gate))
        ]  # fmt: skip
        return max(scores, key=lambda one: one[1].makespan_max)

    def difference(self, gate: str) -> tuple[float, float] | None:
        """95 % interval of a gate's makespan against the answer's; ``None`` for that gate."""
        return None if gate == self.chosen else self.paired(gate, self.chosen)

    def paired(self, gate: str, other: str) -> tuple[float, float] | None:
        """95 % interval of a gate's makespan against another's, paired over seeds; less 1.

        ``None`` for one seed, and for a gate that was not tested.
        """
        both = [self.scores(self.strictest, each) for each in (gate, other)]
        if len(both[0]) < 2:
            return None
        makespan, others = (np.log([score.makespan for score in each]) for each in both)
        interval = over_replications(makespan - others)
        return float(np.expm1(interval.low)), float(np.expm1(interval.high))

    @property
    def logistic_is_better(self) -> bool:
        """Whether logistic regression beats Tangram in the strictest test, and risks no more."""
        mean, other = (round(self.mean(self.strictest, gate), 3) for gate in LEARNED_GATES)
        risk, other_risk = (self.worst(gate, self.strictest) for gate in LEARNED_GATES)
        return mean < min(1.0, other) and risk <= other_risk

    @property
    def better_gate(self) -> Literal["logistic", "Tangram"]:
        """The better gate that learns from all counters."""
        return "logistic" if self.logistic_is_better else "Tangram"

    @property
    def border_makespan(self) -> tuple[float, float] | None:
        """Mean and worst makespan of a border of one counter in the strictest test."""
        if not self.scores(self.strictest, BORDER):
            return None
        return self.mean(self.strictest, BORDER), self.worst(BORDER, self.strictest)

    @property
    def border_is_best(self) -> bool:
        """Whether a border of one counter gains, and is no worse than the better learned gate."""
        found = self.border_makespan
        if found is None or self.runs.gains.all() or not self.runs.gains.any():
            return False
        best = self.better_gate
        mean, worst = found
        other = round(self.mean(self.strictest, best), 3)
        return round(mean, 3) <= min(other, GAINS) and worst <= self.worst(best, self.strictest)

    @property
    def chosen(self) -> Gate:
        """The gate of the answer."""
        return "one counter" if self.border_is_best else self.better_gate

    @property
    def table_two(self) -> tuple[TableTwoRow, ...]:
        """Table II of the paper next to the means under each law; empty for other applications."""
        second = self.other.by_seed if self.other else ()
        return table_two(self.nodes, self.by_seed, second) if self.of_the_paper else ()

    @property
    def reversals(self) -> tuple[TableTwoRow, ...]:
        """Means of the paper that say gain where ours say loss, or the reverse."""
        return tuple(
            row for row in self.table_two if (row.printed_mean - 1) * (row.ours_mean - 1) < 0
        )

    @property
    def worst_of_the_paper(self) -> tuple[float, float]:
        """Longest makespan with Tangram's gate in the paper's tests, here and in the paper."""
        rows = [row for row in self.table_two if (row.gate, row.measure) == ("Tangram", "makespan")]
        return max(row.ours_max for row in rows), max(row.printed_max for row in rows)

    def largest_miss(self, *gates: str) -> float | None:
        """Largest difference of the mean makespans of gates from the paper; ``None`` without it."""
        rows = [row for row in self.table_two if row.measure == "makespan" and row.gate in gates]
        return max((abs(row.ours_mean - row.printed_mean) for row in rows), default=None)
