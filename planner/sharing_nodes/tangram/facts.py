"""What a study of gates states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding
from planner.sharing_nodes.tangram import rows, rules
from planner.sharing_nodes.tangram.border import COUNTERS, IO, Border, best_border, hindsight
from planner.sharing_nodes.tangram.laws import ALL, compared, gates_by_law
from planner.sharing_nodes.tangram.scores import BORDER
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, in_data, table

if TYPE_CHECKING:
    from planner.sharing_nodes.tangram.result import TangramResult

EASY = ("CV", "(I)")
"""Tests in which the gate knows most pairs at other rank counts."""
_LEARN = (BORDER, "logistic", "Tangram")
_SEEDS = {"least": "ratio", "most": "ratio"}
"""Columns of the spread over seeds."""


def study_of(result: TangramResult) -> Study:
    """The study of gates on a simulated system."""
    data, tables = in_data(_tables(result), *_IN_DATA)
    return stated(
        result, _headline, _confidence, _facts, _risks, _next_steps, _questions, tables, _figures,
        command="colocate",
        texts="colocate-tangram",
        title=finding("note", "question", system=(result.runs.system, "text")),
        data={"settings": dict(result.settings), **data},
        decision="gates",
        provenance=provenance_of(result.command, ()),
    )  # fmt: skip


def _headline(result: TangramResult) -> Finding:
    gate, test, border = result.chosen, result.strictest, hindsight(result.runs)
    scored: dict[str, tuple[Any, str]] = {
        "test": (test, "test"),
        "changes": (tuple(each.mean(test, gate) - 1 for each in result.by_law), "change"),
        "laws": (tuple(each.law for each in result.by_law), "law"),
    }  # fmt: skip
    if gate != BORDER or border is None:
        return finding("headline", "answer", gate=(gate, "gate"), **scored)
    names = _always_shared(result, border)
    pairs = {"pairs": (names, "text")} if names else {}
    return finding("headline", "share-pairs" if names else "share",
                   **_of_border(border), **pairs, **scored)  # fmt: skip


def _always_shared(result: TangramResult, border: Border) -> tuple[str, ...]:
    """Applications of which the fixed rule shares every pair, if these are all it shares."""
    every = {rules.always_shared(runs, border) for runs in result.campaigns}
    return every.pop() if len(every) == 1 else ()


def _confidence(result: TangramResult) -> Iterator[Finding]:
    """What the answer rests on."""
    runs = result.runs
    yield finding(
        "confidence", "simulated", seeds=(len(result.by_seed), "count"),
        runs=(len(runs), "count"), pairs=(len(np.unique(runs.pair)), "pair"),
        ranks=(tuple(int(ranks) for ranks in np.unique(runs.ranks)), "count"),
        applications=(len(runs.applications), "application"),
    )  # fmt: skip
    yield finding("confidence", "strictest", test=(result.strictest, "test"))
    if result.other is None:
        yield finding("confidence", "one-law", law=(result.law, "law"))


def _facts(result: TangramResult) -> Iterator[Fact]:
    border = hindsight(result.runs)
    for number, row in enumerate(rules.fixed_rule(result)):
        rule = _of_border(border) if border is not None and not number else {}
        note = finding("note", "rule" if rule else "of-law", law=(row["law"], "law"), **rule)
        yield Fact("shared_other" if number else "shared", row["shared"], "of:co-run", note)
    for key, each in zip(("anywhere", "anywhere_other"), result.by_law, strict=False):
        yield Fact(key, each.worst(result.chosen), "factor", _traced(each, result.chosen))


def _of_border(border: Border) -> dict[str, tuple[Any, str]]:
    return {"counter": (border.counter, "counter"), "side": (border.side, "side"),
            "value": (border.value, "exact")}  # fmt: skip


def _traced(result: TangramResult, gate: str) -> Finding:
    """Which pair of which seed has the longest makespan of a gate."""
    seed, score = result.worst_admitted(gate)
    law = (result.law, "law")
    if score.worst_pair is None:
        return finding("note", "of-law", law=law)
    a, b, ranks = score.worst_pair
    return finding("note", "traced", law=law, a=(a, "text"), b=(b, "text"),
                   ranks=(ranks, "rank"), seed=(seed, "id"))  # fmt: skip


def _of_admitted(result: TangramResult) -> Fact:
    faster = finding("note", "faster", gate=(result.chosen, "gate"),
                     decisions=(_admitted(result, "oracle"), "of:count"))  # fmt: skip
    return Fact("admitted", _admitted(result, result.chosen), "of:decision", faster)


def _over_seeds(result: TangramResult) -> Iterator[Fact]:
    means = [score.makespan - 1 for score in result.scores(result.strictest, result.chosen)]
    if len(means) > 1:
        yield Fact("range", (min(means), max(means)), "interval:change")


def _admitted(result: TangramResult, gate: str) -> tuple[int, int]:
    """Decisions of the strictest test that admit a pair, and all of them, over all seeds."""
    scores = result.scores(result.strictest, gate)
    return sum(one.admitted for one in scores), sum(one.tested for one in scores)


def _risks(result: TangramResult) -> Iterator[Finding]:
    """What limits the answer."""
    gate, tests = result.chosen, [split.name for split in result.splits]
    yield from _by_law(result)
    for each in result.by_law:
        ends = {other: each.difference(other) for other in rows.SHOWN[:-1]}
        if tied := tuple(name for name, one in ends.items() if one and one[0] <= 0 <= one[1]):
            yield finding("risk", "tie", law=(each.law, "law"),
                          gates=((each.chosen, *tied), "gate"))  # fmt: skip
    if better := tuple(name for name in tests if _another_is_better(result, name)):
        yield finding("risk", "another-better", gate=(gate, "gate"),
                      tests=(better, "test"))  # fmt: skip
    yield from _against_the_paper(result)
    number = len(result.runs.applications)
    yield finding("risk", "few-applications", applications=(number, "application"),
                  least=(1 / (number + 1), "share at most"))  # fmt: skip
    idle = tuple(name for name in tests
                 if not any(one.admitted for one in result.scores(name, "Tangram")))  # fmt: skip
    if idle:
        yield finding("risk", "idle", tests=(idle, "test"))
    if result.runs.gains.all():
        yield finding("risk", "all-gain")
    if not result.runs.gains.any():
        yield finding("risk", "none-gain")


def _by_law(result: TangramResult) -> Iterator[Finding]:
    """Other choices of a law, what sharing every pair saves, and a gain that the sum has not."""
    gate, test = result.chosen, result.strictest
    for each in result.by_law:
        choice, every = (each.mean(test, one) - 1 for one in (each.chosen, ALL))
        if each.chosen != gate or every < choice:
            yield finding("risk", "choice-by-law", law=(each.law, "law"),
                          gate=(each.chosen, "gate"), change=(choice, "change"),
                          every=(every, "change"))  # fmt: skip
        if each.arithmetic(test, gate) > 1 > each.mean(test, gate):
            summed = tuple(each.arithmetic(test, one) - 1 for one in (gate, ALL))
            yield finding("risk", "summed", law=(each.law, "law"), gates=((gate, ALL), "gate"),
                          changes=(summed, "change"))  # fmt: skip


def _another_is_better(result: TangramResult, test: str) -> bool:
    """Whether another gate that learns has a smaller mean makespan in a test."""
    means = {gate: round(result.mean(test, gate), 3) for gate in _LEARN}
    return min(means.values()) < means[result.chosen]


def _against_the_paper(result: TangramResult) -> Iterator[Finding]:
    """How far each law is from the paper, and turnarounds that gain here but not there."""
    misses = [each.largest_miss("Tangram", ALL) for each in result.by_law]
    if len(misses) > 1 and None not in misses:
        worst, other_worst = (each.worst_of_the_paper for each in result.by_law)
        yield finding("risk", "misses", miss=(misses[0], "index"), law=(result.law, "law"),
                      other=(misses[1], "index"), other_law=(result.by_law[1].law, "law"),
                      worst=(worst[0], "index"), other_worst=(other_worst[0], "index"),
                      printed=(worst[1], "index"))  # fmt: skip
    turnaround = [row for row in result.table_two
                  if (row.gate, row.measure) == ("Tangram", "turnaround")]  # fmt: skip
    ours = [row.ours_mean for row in turnaround]
    printed = [row.printed_mean for row in turnaround]
    if turnaround and min(ours) < 1 <= max(printed):
        yield finding("risk", "turnaround", law=(result.law, "law"),
                      ours=((min(ours), max(ours)), "interval:index"),
                      printed=((min(printed), max(printed)), "interval:index"))  # fmt: skip


def _other_side(result: TangramResult) -> Iterator[Finding]:
    for each in result.by_law:
        if each.reversals:
            means = (len(each.reversals), len(each.table_two))
            yield finding("limit", "other-side", law=(each.law, "law"), means=(means, "of:mean"))


def _next_steps(result: TangramResult) -> Iterator[Finding]:
    border = hindsight(result.runs)
    if result.border_is_best and border is not None:
        yield finding("next step", "try-rule", counter=(border.counter, "counter"),
                      alike=((border.low, border.high), "inside:number"))  # fmt: skip
    if any(each.worst(result.chosen) > 1 for each in result.by_law):
        yield finding("next step", "guarantee")
    yield finding("next step", "real-nodes")


def _questions(result: TangramResult) -> tuple[Question, ...]:
    paper = result.of_the_paper
    tests = tuple(split.name for split in result.splits if split.name in EASY)
    easy = (finding("limit", "easy-tests", tests=(tests, "test")),) if tests else ()
    laws = Question("laws", tables=("gates by law", "laws"), texts=("laws",))
    return (
        Question("pairs", figures=("matrix", "pairs"), tables=("fixed rule", "learned rules"),
                 texts=("pairs",)),
        Question("tests", findings=easy, facts=(*_over_seeds(result), _of_admitted(result)),
                 figures=("scores",), tables=("by test",), texts=("makespan", "gates", "tests")),
        *((laws,) if result.other is not None else ()),
        Question("errors", tables=("errors",), texts=("errors",)),
        Question("method", texts=("method",)),
        Question("paper", findings=tuple(_other_side(result)),
                 facts=tuple(_from_the_paper(result)), tables=("table_two",), texts=("paper",)),
        Question("system", tables=("simulated_system",), texts=("system",) if paper else ()),
    )  # fmt: skip


def _from_the_paper(result: TangramResult) -> Iterator[Fact]:
    """How far mean makespans are from the printed ones at most."""
    for each, behind in zip(result.by_law, ("", "_other"), strict=False):
        for key, gate in (("off", "Tangram"), ("off_all", ALL)):
            miss = each.largest_miss(gate)
            if miss is not None:
                law = finding("note", "of-law", law=(each.law, "law"))
                yield Fact(key + behind, miss, "index", law)


def _scores(
    name: str,
    units: Mapping[str, str],
    found: Iterable[Any],
    hidden: Collection[str] = (),
    labels: Mapping[str, str] | None = None,
) -> Table:
    """A table in which digits of ratios tell gain from loss."""
    ratios = [key for key, unit in units.items() if unit.endswith("ratio")]
    if name in ("pairs", "points"):
        labels = {key: f"{key} of a pair" for key in ratios}
    limits = dict.fromkeys(ratios, 1.0)
    return table(name, units, found, hidden=hidden, labels=labels or {}, limits=limits)


def _hidden(result: TangramResult) -> Collection[str]:
    """Columns that say nothing of one seed."""
    return _SEEDS if len(result.by_seed) == 1 else ()


def _tables(result: TangramResult) -> Iterator[Table]:
    keys = {"test": "test", "gate": "gate"}
    score = {
        "makespan": "ratio",
        "arithmetic": "ratio",
        "worst": "ratio",
        "turnaround": "ratio",
        "regret": "share",
    }
    pair = {"a": "text", "b": "text", "ranks": "count"} | dict.fromkeys(COUNTERS, "number")
    wrong = {"wrongly_admitted": "count", "wrongly_refused": "count"}
    means = {**keys, "measure": "measure", "printed_mean": "ratio", "ours_mean": "ratio"}
    yield _scores("strictest_test", {"gate": "gate", "admitted": "number", **score},
                  rows.strictest(result))  # fmt: skip
    yield _scores("scores", {**keys, "tested": "count", "admitted": "number", "makespan": "ratio",
                  "arithmetic": "ratio", **_SEEDS, "worst": "ratio", "turnaround": "ratio",
                  "regret": "share"}, rows.scores(result))  # fmt: skip
    second = ("other_mean", "other_max", "other_min") if result.other is not None else ()
    yield _scores("table_two", {**means, **dict.fromkeys(second[:1], "ratio"),
                  "printed_max": "ratio", "ours_max": "ratio",
                  **dict.fromkeys(second[1:2], "ratio"), "note": "note of Table II",
                  "printed_min": "ratio", "ours_min": "ratio",
                  **dict.fromkeys(second[2:], "ratio")}, result.table_two,
                  hidden={"printed_min", "ours_min", "other_min"},
                  labels={key: f"{key} by law" for key in ("ours_mean", "ours_max", "ours_min")
                          if second})  # fmt: skip
    yield _scores("first_seed", {**keys, "admitted": "count", "makespan": "ratio", "low": "ratio",
                  "high": "ratio", "makespan_max": "ratio", "makespan_min": "ratio",
                  "turnaround": "ratio", "turnaround_max": "ratio", "turnaround_min": "ratio",
                  "regret": "share"}, result.by_seed[0])  # fmt: skip
    yield _scores("applications", {"left_out": "text", "tested": "count", "admitted": "count",
                  **wrong, "makespan": "ratio", "oracle": "ratio", "worst": "ratio"},
                  rows.records(result.left_out))  # fmt: skip
    yield _scores("pairs", {**pair, "makespan": "ratio", "turnaround": "ratio"}, rows.pairs(result))
    yield table("simulated_system", {"name": "quotation", "value": "quotation",
                "origin": "origin", "reason": "quotation"},
                rows.numbers(result))  # fmt: skip
    yield _scores("gates", {"gate": "gate", "makespan": "ratio", **_SEEDS,
                  "difference": "interval:change", "arithmetic": "ratio", "worst": "ratio",
                  "turnaround": "ratio", "regret": "share"}, rows.gates(result),
                  hidden={"regret", *_hidden(result)},
                  )  # fmt: skip
    yield from _of_rules(result)
    by_test = list(rows.by_test(result))
    of_gates = dict.fromkeys((key for key in by_test[0] if " " in key), "ratio")
    yield _scores("by test", {"test": "test", "tested": "count", **of_gates}, by_test)
    yield table("drawn", {**keys, "regret": "share"}, rows.drawn(result))
    if errors := list(rows.errors(result)):
        yield _scores("errors", {"left_out": "text", "gate": "gate", "tested": "count", **wrong,
                      "worst": "ratio", "makespan": "ratio", "oracle": "ratio",
                      "admitted": "count"}, errors, hidden={"admitted"})  # fmt: skip
    if statements := list(compared(result)):
        held = {"statement": "statement", "first": "number", "second": "number", "unit": "id"}
        yield table("laws", held, statements, hidden={"unit"},
                    units_at=dict.fromkeys(("first", "second"), "unit"))  # fmt: skip
        gates = tuple(row["gate"] for row in rows.gates(result))
        each = ("makespan", "arithmetic", "worst",
                "other_makespan", "other_arithmetic", "other_worst")  # fmt: skip
        yield table("gates by law", {"gate": "gate", **dict.fromkeys(each, "ratio")},
                    gates_by_law(result, gates), limits=dict.fromkeys(each, 1.0),
                    labels={key: f"{key} by law" for key in each[:3]})  # fmt: skip
    yield _scores("points", pair | {"makespan": "ratio", "together": "together"},
                  rows.points(result))  # fmt: skip
    if result.reversals:
        yield _scores("reversals", means, result.reversals)


def _of_rules(result: TangramResult) -> Iterator[Table]:
    """Rules of one counter, and what each pair gains."""
    yield _scores("fixed rule", {"law": "law", "shared": "of:count", "refused": "of:count",
                  "makespan": "ratio", **_SEEDS, "worst": "ratio"},
                  rules.fixed_rule(result),
                  hidden=_hidden(result))  # fmt: skip
    yield table("learned rules", {"law": "law", "counter": "counter", "side": "side",
                "folds": "of:count", "least": "given", "most": "given"}, rules.learned(result),
                labels={"least": "threshold", "most": "last_threshold"})  # fmt: skip
    laws = [each.law for each in result.by_law]
    labels = dict.fromkeys("ab", "application") | dict(zip(laws, laws, strict=True))
    yield table("matrix", {"a": "text", "b": "text", **dict.fromkeys(laws, "change"),
                "shares": "flag"}, rules.matrix(result), labels=labels)  # fmt: skip


_IN_DATA = ("strictest_test", "scores", "table_two", "first_seed", "applications", "pairs",
            "simulated_system")  # fmt: skip


def _figures(result: TangramResult) -> Iterator[Figure]:
    if len(result.runs.applications) <= rules.MOST_APPLICATIONS:
        yield Figure("matrix", "map", "matrix", "a", tuple(each.law for each in result.by_law),
                     across="b", marked="shares", scale={"colour": "log"})  # fmt: skip
    yield Figure("scores", "dots", "drawn", "test", ("regret",), series="gate")
    best, border = best_border(result.runs), hindsight(result.runs)
    x = COUNTERS[IO] if best is None else best.counter
    limits = (Limit("x", border.value, "border"),) if border is not None else ()
    yield Figure("pairs", "scatter", "points", x, ("makespan",), series="together",
                 limits=(Limit("y", 1.0, "one-after-the-other"), *limits),
                 scale={"y": "log"})  # fmt: skip
