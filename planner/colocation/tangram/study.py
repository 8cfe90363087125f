"""Tangram's gate in the tests of the paper and in stricter ones, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.colocation.command_row import command_row
from planner.colocation.tangram.metrics import First
from planner.colocation.tangram.pair_runs import PairRuns
from planner.colocation.tangram.printed import printed_rows, table_two
from planner.colocation.tangram.scores import GateScore, LeftOutTest
from planner.colocation.tangram.splits import Split
from planner.formatting import capitalised, percent, plural, telling, words
from planner.study import Explanation, TabledStudy
from planner.table import Column, Table


@dataclass(frozen=True, eq=False, repr=False)
class TangramStudy(TabledStudy):
    """Decisions of gates on one simulated system, scored by its co-runs.

    Attributes
    ----------
    system, nodes
        Name of the system, and its nodes.
    first
        Which job starts first where jobs do not share cores (D4).
    splits
        The tests, in the order of the tables.
    runs
        Co-runs of the first seed.
    by_seed
        Scores of all tests and gates, for each seed.
    left_out
        Tangram on each application that was left out, first seed.
    law_numbers
        Numbers of the simulated systems, with name, value, origin and reason.
    of_the_paper
        Whether the applications are the six of the paper, so that its numbers can be compared.
    command
        Words of the command; empty from Python.
    """

    system: str
    nodes: int
    first: First
    splits: Sequence[Split]
    runs: PairRuns
    by_seed: Sequence[Sequence[GateScore]]
    left_out: Sequence[LeftOutTest]
    law_numbers: Sequence[Any]
    of_the_paper: bool = True
    command: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        return f"Which jobs may share cores? A learned gate on the {self.runs.system}"

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        return {
            "system": self.system,
            "applications": ", ".join(self.runs.applications),
            "ranks": ", ".join(str(ranks) for ranks in np.unique(self.runs.ranks)),
            "co_runs": len(self.runs),
            "tests": ", ".join(split.name for split in self.splits),
            "starts_first": self.first,
            "seeds": len(self.by_seed),
        }

    @property
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """The command."""
        return (command_row(self.command),)

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

    def worst(self, gate: str, test: str = "") -> float:
        """Longest makespan of a pair that a gate admits, over all seeds; of all tests by default.

        A pair that does not share counts 1.
        """
        tests = [test] if test else [split.name for split in self.splits]
        return max(score.makespan_max for one in tests for score in self.scores(one, gate))

    @property
    def logistic_is_better(self) -> bool:
        """Whether logistic regression beats Tangram in the strictest test, and risks no more."""
        test = self.splits[-1].name
        mean, other = (round(self.mean(test, gate), 3) for gate in ("logistic", "Tangram"))
        return mean < min(1.0, other) and self.worst("logistic", test) <= self.worst(
            "Tangram", test
        )

    @property
    def left_out_split(self) -> Split:
        """The test whose decisions are shown by what was left out."""
        named = (split for split in self.splits if split.name == "leave-app-out")
        return next(named, self.splits[-1])

    @property
    def headline(self) -> str:
        """What the best learned gate gains in the strictest test."""
        test = self.splits[-1].name
        ours, worst = self.mean(test, "Tangram"), self.worst("Tangram", test)
        if self.logistic_is_better:
            other = self.mean(test, "logistic")
            than = f"{percent(1 - ours)} ({worst:.2f})" if ours < 1 else "nothing"
            return (
                f"Logistic regression saves {percent(1 - other)} of the time (worst pair: "
                f"{self.worst('logistic', test):.2f} times as long); Tangram's gate saves {than}."
            )
        change = "saves" if ours < 1 else "costs"
        risk = f"its worst pair takes {worst:.2f} times as long" if worst > 1 else "no pair loses"
        return (
            f"Tangram's gate {change} {percent(abs(1 - ours))} of the time; perfect knowledge "
            f"would save {percent(1 - self.mean(test, 'oracle'))}. {capitalised(risk)}."
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        return (
            f"Simulated, {plural(len(self.by_seed), 'seed')}, strictest test: the gate does not "
            f"know {self.splits[-1].meaning}. {len(self.runs)} co-runs of "
            f"{plural(len(self.runs.applications), 'application')}; one parameter was fitted, to "
            "the largest makespan. No real node was measured."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What limits the figures."""
        count = len(self.runs.applications)
        few = f"{plural(count, 'application')} cannot certify a risk below 1 in {count}"
        lines = [f"{few}. An unknown application may have a worse pair than any here."]
        easy = [split.meaning for split in self.splits if split.name in _EASY]
        if easy:
            tests = " and ".join(f"'{meaning}'" for meaning in easy)
            which = f"test {tests} is" if len(easy) == 1 else f"tests {tests} are"
            lines.append(
                f"The {which} too easy: the gate knows most pairs at other rank counts. Judge it "
                "by unknown pairs or applications."
            )
        idle = [
            f"'{split.meaning}'"
            for split in self.splits
            if all(score.admitted == 0 for score in self.scores(split.name, "Tangram"))
        ]
        if idle:
            lines.append(
                f"The gate admits no pair if it does not know {words(idle)}, so it saves nothing."
            )
        if self.runs.gains.all() or not self.runs.gains.any():
            lines.append("Either all pairs gain or all lose, so the gate has nothing to learn.")
        return tuple(lines)

    @property
    def explanation(self) -> Explanation:
        """What the gate admits in the strictest test, other gates, and the spread over seeds."""
        test = self.splits[-1].name
        rows = {row["gate"]: row for row in self._spread() if row["test"] == test}
        ours = rows["Tangram"]
        return Explanation(
            reasons=tuple(self._reasons(ours, rows["oracle"])),
            alternatives=[
                f"{name}: mean makespan {rows[gate]['makespan']:.2f}, worst pair "
                f"{rows[gate]['worst']:.2f}."
                for gate, name in (
                    ("Tangram", "Tangram's gate, a support vector machine"),
                    ("logistic", "Logistic regression, a simpler gate"),
                    ("all co-located", "Every pair shares"),
                )
                if gate in rows and (gate == "all co-located" or gate != self._best_gate)
            ],
            robustness=[
                f"Over {len(self.by_seed)} seeds, the mean makespan is {rows[gate]['least']:.3f} "
                f"to {rows[gate]['most']:.3f} with {name}."
                for gate, name in (("logistic", "logistic regression"), ("Tangram", "Tangram"))
                if len(self.by_seed) > 1 and gate in rows
            ],
            assumptions=("Real applications are as different as the tested ones.",),
            next_steps=tuple(self._next_steps()),
        )

    @property
    def _best_gate(self) -> str:
        return "logistic" if self.logistic_is_better else "Tangram"

    def _reasons(self, ours: Mapping[str, Any], oracle: Mapping[str, Any]) -> Iterator[str]:
        test, tested = self.splits[-1].name, ours["tested"]
        yield (
            "A gate decides before the start, from profiles of each job alone, whether two jobs "
            "share cores. Tangram is the published gate."
        )
        yield "Makespan is the time until both jobs of a pair end, relative to one after the other."
        twice = (
            f" The {len(self.runs)} co-runs give {tested:,} decisions: one for each application "
            "that may be unknown."
            if tested > len(self.runs)
            else ""
        )
        yield (
            f"Tangram admits {telling(ours['admitted'])} of {plural(tested, 'pair')} on average; "
            f"{telling(oracle['admitted'])} are faster together.{twice}"
        )
        yield (
            f"Its pairs take {percent(ours['regret'])} longer than with perfect knowledge, which "
            f"would save {percent(1 - oracle['makespan'])}."
        )
        here, anywhere = self.worst("Tangram", test), self.worst("Tangram")
        if f"{anywhere:.2f}" != f"{here:.2f}":
            yield (
                f"Tangram's worst pair takes {here:.2f} times as long in this test, and "
                f"{anywhere:.2f} times in any test."
            )

    def _next_steps(self) -> Iterator[str]:
        if self.logistic_is_better:
            yield (
                "Use logistic regression instead of the support vector machine: it saves more and "
                "its worst pair is no worse."
            )
        if self.worst(self._best_gate) > 1:
            yield (
                "If a bad co-run costs much, use the gate that limits it: headroom colocate "
                f"{self.system} --limit 1.1"
            )
        else:
            yield "Test the gate on real nodes before jobs share cores."

    @property
    def shown(self) -> tuple[Table, ...]:
        """Scores, Table II, spread over seeds, applications, pairs, printed numbers, the law."""
        seeds = plural(len(self.by_seed), "seed")
        spread = list(self._spread())
        last = spread[-1]["test"] if spread else ""
        return (
            Table(
                "strictest_test",
                f"Gates in the strictest test, unknown {self.splits[-1].meaning}: times relative "
                f"to one job after the other (simulated, {seeds})",
                _STRICTEST,
                [row for row in spread if row["test"] == last],
            ),
            Table(
                "scores",
                f"All tests: makespan and turnaround relative to one job after the other "
                f"(simulated, means over {seeds})",
                _SCORES,
                spread,
            ),
            Table(
                "table_two",
                f"Table II of the paper compared with Headroom (simulated, {seeds})",
                _TABLE_TWO,
                table_two(self.nodes, self.by_seed) if self.of_the_paper else (),
            ),
            Table(
                "first_seed",
                "First seed: makespan with 95 % intervals over pairs (simulated)",
                _FIRST,
                self.by_seed[0],
            ),
            Table(
                "applications",
                "Tangram's gate by what it did not know (simulated, first seed)",
                _LEFT_OUT,
                self.left_out,
            ),
            Table(
                "pairs",
                "Co-runs, worst first (simulated, first seed; counters are sums of both jobs)",
                _PAIRS,
                list(self._pairs()),
            ),
            Table(
                "printed",
                "Other numbers of the paper, recomputed or simulated, and its contradictions",
                _PRINTED,
                printed_rows(self.nodes, self.runs) if self.of_the_paper else (),
            ),
            Table(
                "simulated_system",
                "Parameters of the simulated systems: fitted, published or assumed",
                _NUMBERS,
                self.law_numbers,
            ),
        )

    def _spread(self) -> Iterator[dict[str, Any]]:
        for one in self.by_seed[0]:
            seeds = self.scores(one.test, one.gate)
            means = [score.makespan for score in seeds]
            yield {
                "test": one.test,
                "gate": one.gate,
                "tested": one.tested,
                "admitted": float(np.mean([score.admitted for score in seeds])),
                "makespan": float(np.mean(means)),
                "least": min(means),
                "most": max(means),
                "worst": max(score.makespan_max for score in seeds),
                "turnaround": float(np.mean([score.turnaround for score in seeds])),
                "regret": float(np.mean([score.regret for score in seeds])),
            }

    def _pairs(self) -> Iterator[dict[str, Any]]:
        runs = self.runs
        for index in np.argsort(-runs.makespan, kind="stable"):
            cpu, memory, io = runs.features[index]
            yield {
                "a": runs.applications[runs.a[index]],
                "b": runs.applications[runs.b[index]],
                "ranks": int(runs.ranks[index]),
                "cpu_intensity": float(cpu),
                "memory_intensity": float(memory),
                "io_intensity": float(io),
                "makespan": float(runs.makespan[index]),
                "turnaround": float(runs.turnaround[index]),
            }


_EASY = ("CV", "(I)")
"""Tests in which the gate knows most pairs at other rank counts."""


def _two(value: float) -> str:
    return f"{value:.2f}"


def _three(value: float) -> str:
    return f"{value:.3f}"


def _share(value: float) -> str:
    return percent(value, places=1)


_STRICTEST = (
    Column("gate", "gate", width=2.2),
    Column("admitted", "pairs admitted", lambda value: f"{value:.1f}", number=True, width=1.2),
    Column("makespan", "mean makespan", _three, number=True, width=1.3),
    Column("worst", "worst pair", _two, number=True),
    Column("turnaround", "mean turnaround", _two, number=True, width=1.4),
    Column("regret", "above the oracle", _share, number=True),
)
_SCORES = (
    Column("test", "test", width=1.8),
    Column("gate", "gate", width=1.8),
    Column("tested", "tested", number=True),
    Column("admitted", "admitted", lambda value: f"{value:.1f}", number=True, width=1.25),
    Column("makespan", "makespan", _three, number=True, width=1.3),
    Column("least", "lowest of seeds", _three, number=True),
    Column("most", "highest of seeds", _three, number=True),
    Column("worst", "worst pair", _two, number=True),
    Column("turnaround", "turnaround", _two, number=True, width=1.45),
    Column("regret", "above the oracle", _share, number=True),
)
_TABLE_TWO = (
    Column("test", "test"),
    Column("gate", "gate", width=1.4),
    Column("measure", "measure", width=1.2),
    Column("printed_mean", "mean, paper", _two, number=True),
    Column("ours_mean", "mean, Headroom", _two, number=True),
    Column("printed_max", "largest, paper", _two, number=True),
    Column("ours_max", "largest, Headroom", _two, number=True),
    Column("printed_min", "smallest, paper", _two, number=True),
    Column("ours_min", "smallest, Headroom", _two, number=True),
    Column("note", "note", width=2.2),
)
_FIRST = (
    Column("test", "test", width=1.8),
    Column("gate", "gate", width=1.8),
    Column("admitted", "admitted", number=True, width=1.25),
    Column("makespan", "makespan", _three, number=True, width=1.3),
    Column("low", "95 % from", _three, number=True),
    Column("high", "to", _three, number=True),
    Column("makespan_max", "largest", _two, number=True, width=1.3),
    Column("makespan_min", "smallest", _two, number=True, shown=False),
    Column("turnaround", "turnaround", _two, number=True, width=1.45),
    Column("turnaround_max", "largest", _two, number=True, shown=False),
    Column("turnaround_min", "smallest", _two, number=True, shown=False),
    Column("regret", "above the oracle", _share, number=True),
)
_LEFT_OUT = (
    Column("left_out", "left out", width=1.6),
    Column("tested", "tested", number=True),
    Column("admitted", "admitted", number=True, width=1.25),
    Column("wrongly_admitted", "admitted, but lose", number=True),
    Column("wrongly_refused", "refused, but gain", number=True),
    Column("makespan", "makespan", _three, number=True, width=1.3),
    Column("oracle", "oracle", _three, number=True),
    Column("worst", "worst pair", _two, number=True),
)
_PAIRS = (
    Column("a", "job"),
    Column("b", "job"),
    Column("ranks", "ranks", number=True),
    Column("cpu_intensity", "instructions per cycle", _two, number=True, width=1.4),
    Column("memory_intensity", "misses per 1,000 instr.", _two, number=True, width=1.5),
    Column("io_intensity", "I/O intensity", _two, number=True, width=1.1),
    Column("makespan", "makespan", _two, number=True, width=1.3),
    Column("turnaround", "turnaround", _two, number=True, width=1.45),
)
_PRINTED = (
    Column("place", "section of the paper"),
    Column("quantity", "quantity", width=2.2),
    Column("printed", "paper", width=1.6),
    Column("ours", "Headroom", width=1.6),
    Column("kind", "kind"),
    Column("note", "note", width=2.2),
)
_NUMBERS = (
    Column("name", "parameter", width=1.6),
    Column("value", "value", width=1.4),
    Column("origin", "origin"),
    Column("reason", "reason", width=2.6),
)
