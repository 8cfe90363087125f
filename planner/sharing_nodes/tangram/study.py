"""Tangram's gate in the tests of the paper and in stricter ones, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from planner.command_row import command_row
from planner.formatting import capitalised, percent, plural, telling, words
from planner.sharing_nodes.tangram.border import best_border
from planner.sharing_nodes.tangram.pair_runs import PairRuns
from planner.sharing_nodes.tangram.printed import TableTwoRow, printed_rows, table_two
from planner.sharing_nodes.tangram.scores import BORDER, GateScore, LeftOutTest
from planner.sharing_nodes.tangram.splits import Split
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Column, Table

LEARNED_GATES = {"logistic": "logistic regression", "Tangram": "Tangram's gate"}
"""Gates that learn from counters, as people read them."""
_SEPARATES = 0.9
"""Share of right decisions from which one counter is a rule."""


@dataclass(frozen=True, eq=False, repr=False)
class TangramStudy(TabledStudy):
    """Decisions of gates on one simulated system, scored by its co-runs.

    Attributes
    ----------
    system, nodes
        Name of the system, and its nodes.
    splits
        The tests, in the order of the tables.
    runs
        Co-runs of the first seed.
    by_seed
        Scores of all tests and gates, for each seed.
    left_out
        Tangram on each application that was left out, first seed.
    law_numbers
        Numbers of the simulated system, with name, value, origin and reason.
    errors
        Learned gates on what the strictest test leaves out, first seed.
    of_the_paper
        Whether the applications are the six of the paper, so that its numbers can be compared.
    command
        Words of the command; empty from Python.
    """

    system: str
    nodes: int
    splits: Sequence[Split]
    runs: PairRuns
    by_seed: Sequence[Sequence[GateScore]]
    left_out: Sequence[LeftOutTest]
    law_numbers: Sequence[Any]
    errors: Mapping[str, Sequence[LeftOutTest]] = field(default_factory=dict)
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
            "tests": "; ".join(f"{split.name}: {split.meaning}" for split in self.splits),
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
    def headline(self) -> str:
        """What the best learned gate gains in the strictest test."""
        if self.border_is_best:
            return self._border_headline
        test = self.splits[-1].name
        ours, worst = self.mean(test, "Tangram"), self.worst("Tangram", test)
        if self.logistic_is_better:
            other = self.mean(test, "logistic")
            saved = [percent(1 - mean) for mean in (other, ours)]
            if saved[0] == saved[1]:
                saved = [percent(1 - mean, places=1) for mean in (other, ours)]
            than = f"{saved[1]} ({worst:.2f})" if ours < 1 else "nothing"
            return (
                f"Logistic regression saves {saved[0]} of the time (worst pair: "
                f"{self.worst('logistic', test):.2f} times as long); Tangram's gate saves {than}."
            )
        change = "saves" if ours < 1 else "costs"
        risk = f"its worst pair takes {worst:.2f} times as long" if worst > 1 else "no pair loses"
        return (
            f"Tangram's gate {change} {percent(abs(1 - ours))} of the time; perfect knowledge "
            f"would save {percent(1 - self.mean(test, 'oracle'))}. {capitalised(risk)}."
        )

    @property
    def _border_headline(self) -> str:
        """What a border of one counter gains, and what the other learned gates do."""
        test, border = self.splits[-1].name, best_border(self.runs)
        gates = [BORDER, *(("logistic", "Tangram") if self.logistic_is_better else
                           ("Tangram", "logistic"))]  # fmt: skip
        means = [self.mean(test, gate) for gate in gates]
        whole = [percent(1 - mean, places=0) for mean in means if mean < 1]
        places = 1 if len(set(whole)) < len(whole) or "0 %" in whole else 0
        saved = [percent(1 - mean, places=places) if mean < 1 else "nothing" for mean in means]
        worst = [f"{self.worst(gate, test):.2f}" for gate in gates]
        counter = "one counter" if border is None else f"{border.name} {border.side} a threshold"
        return (
            f"Pairs with {counter} may share: this rule saves {saved[0]} of the time (worst pair: "
            f"{worst[0]} times as long). {capitalised(LEARNED_GATES[gates[1]])} saves {saved[1]} "
            f"({worst[1]}), {LEARNED_GATES[gates[2]]} {saved[2]} ({worst[2]})."
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        return (
            f"Simulated, {plural(len(self.by_seed), 'seed')}, strictest test: the gate does not "
            f"know {self.splits[-1].meaning}. {len(self.runs)} co-runs of "
            f"{plural(len(self.runs.applications), 'application')}; one parameter was fitted, to "
            "the largest makespan of the paper. No real node was measured."
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
        lines += [*self._reversed_test(), *self._reversed_paper()]
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
        best = BORDER if self.border_is_best else self._best_gate
        return Explanation(
            reasons=tuple(self._reasons(rows[best], rows["oracle"])),
            alternatives=[
                *(
                    f"{name}: mean makespan {rows[gate]['makespan']:.3f}, worst pair "
                    f"{rows[gate]['worst']:.2f}{self._anywhere(gate)}."
                    for gate, name in (
                        ("Tangram", "Tangram's gate, a support vector machine"),
                        ("logistic", "Logistic regression, a simpler gate"),
                        ("all co-located", "Every pair shares, strictest test"),
                    )
                    if gate in rows and gate != best
                ),
            ],
            robustness=tuple(self._robustness(rows)),
            assumptions=("Real applications are as different as the tested ones.",),
            next_steps=tuple(self._next_steps()),
        )

    @property
    def _best_gate(self) -> str:
        return "logistic" if self.logistic_is_better else "Tangram"

    def _anywhere(self, gate: str) -> str:
        """The worst pair of a gate in any test, where it is not that of the strictest one."""
        worst = f"{self.worst(gate):.2f}"
        here = f"{self.worst(gate, self.splits[-1].name):.2f}"
        return "" if worst == here else f" ({worst} in any test)"

    @property
    def rule(self) -> str:
        """Which pairs should share, in hindsight, by the counter that separates them best."""
        runs, border = self.runs, best_border(self.runs)
        if runs.gains.all():
            return "All pairs: each ends sooner together."
        if not runs.gains.any():
            return "None: each pair ends sooner one after the other."
        if border is None:
            return "The counters do not tell pairs that gain from pairs that lose."
        right = f"right for {border.right:,} of {plural(border.of, 'co-run')}"
        if border.right < _SEPARATES * border.of:
            return (
                "No counter alone separates them. The best rule in hindsight, "
                f"{border.text}, is {right}."
            )
        return f"{capitalised(border.text)}: in hindsight, this is {right}."

    def _reversed_test(self) -> Iterator[str]:
        """Yield the tests in which the gate of the headline is not the better one."""
        if not self.logistic_is_better:
            return
        means = {
            split.meaning: [round(self.mean(split.name, gate), 3) for gate in LEARNED_GATES]
            for split in self.splits
        }
        turned = {meaning: pair for meaning, pair in means.items() if pair[1] < pair[0]}
        if turned:
            meaning = max(turned, key=lambda name: turned[name][0] - turned[name][1])
            simple, paper = turned[meaning]
            yield (
                f"Tangram's gate has the smaller mean makespan in {len(turned)} of "
                f"{plural(len(means), 'test')}: with '{meaning}' unknown, it is {paper:.3f} "
                f"(logistic regression: {simple:.3f})."
            )

    @property
    def reversals(self) -> tuple[TableTwoRow, ...]:
        """Means of the paper that say gain where ours say loss, or the reverse."""
        rows = table_two(self.nodes, self.by_seed) if self.of_the_paper else ()
        return tuple(row for row in rows if (row.printed_mean - 1) * (row.ours_mean - 1) < 0)

    def _reversed_paper(self) -> Iterator[str]:
        turned = self.reversals
        if turned:
            most = max(turned, key=lambda row: abs(row.printed_mean - row.ours_mean))
            where = "if all pairs share" if most.gate == "all co-located" else "with Tangram's gate"
            unknown = next(one.meaning for one in self.splits if one.name == most.test)
            count = len(table_two(self.nodes, self.by_seed))
            yield (
                f"In {len(turned)} of {count} means, simulation and paper disagree on whether "
                f"sharing gains. {capitalised(where)}, mean {most.measure} in the test "
                f"'{unknown}' is {most.ours_mean:.2f} here and {most.printed_mean:.2f} in the "
                "paper (below 1: gain)."
            )

    def _reasons(self, ours: Mapping[str, Any], oracle: Mapping[str, Any]) -> Iterator[str]:
        tested, gate = ours["tested"], ours["gate"]
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
            f"{capitalised(_NAMED[gate])} admits {telling(ours['admitted'])} of "
            f"{plural(tested, 'pair')} on average; {telling(oracle['admitted'])} are faster "
            f"together.{twice}"
        )
        yield (
            f"Its mean makespan is {ours['makespan']:.3f}, its worst pair {ours['worst']:.2f}"
            f"{self._anywhere(gate)}. Perfect knowledge (the oracle) would give "
            f"{oracle['makespan']:.3f}."
        )
        if not self.border_is_best:
            yield f"Which pairs gain? {self.rule}{self._meaning}"

    @property
    def border_makespan(self) -> tuple[float, float] | None:
        """Mean and worst makespan of a border of one counter in the strictest test."""
        test = self.splits[-1].name
        if not self.scores(test, BORDER):
            return None
        return self.mean(test, BORDER), self.worst(BORDER, test)

    @property
    def border_is_best(self) -> bool:
        """Whether a border of one counter is at least as good as the gate of the headline."""
        test, found = self.splits[-1].name, self.border_makespan
        if found is None or self.runs.gains.all() or not self.runs.gains.any():
            return False
        mean, worst = found
        best = self._best_gate
        return round(mean, 3) <= min(round(self.mean(test, best), 3), 0.999) and (
            worst <= self.worst(best, test)
        )

    def _robustness(self, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
        if len(self.by_seed) > 1:
            ranges = words(
                f"{rows[gate]['least']:.3f} to {rows[gate]['most']:.3f} with {name}"
                for gate, name in _NAMED.items()
                if gate in rows
            )
            yield f"Over {len(self.by_seed)} seeds, the mean makespan is {ranges}."

    @property
    def _meaning(self) -> str:
        """What I/O intensity is, where the rule names it."""
        named = "I/O intensity" in self.rule
        what = "I/O intensity is the share of time in which a job waits for input and output."
        return f" {what}" if named else ""

    def _next_steps(self) -> Iterator[str]:
        if self.border_is_best:
            yield (
                f"Try the simple rule first. {self.rule}{self._meaning} Learn counter and "
                "threshold from your own co-runs."
            )
        use = "Else use" if self.border_is_best else "Use"
        if self.logistic_is_better:
            yield (
                f"{use} logistic regression instead of the support vector machine: in this "
                "simulation it saves more, and its worst pair is no worse."
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
                "Parameters of the simulated system: fitted, published or assumed",
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


_NAMED = {**LEARNED_GATES, BORDER: "the rule of one counter"}
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
    Column("cpu_intensity", "instr. per cycle, all ranks", _two, number=True, width=1.5),
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
