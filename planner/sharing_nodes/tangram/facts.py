"""What a study of gates states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding
from planner.sharing_nodes.tangram import rows
from planner.sharing_nodes.tangram.border import best_border
from planner.sharing_nodes.tangram.laws import compared, gates_by_law
from planner.sharing_nodes.tangram.scores import BORDER
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, in_data, table

if TYPE_CHECKING:
    from planner.sharing_nodes.tangram.result import TangramResult

EASY = ("CV", "(I)")
"""Tests in which the gate knows most pairs at other rank counts."""
_LEARN = (BORDER, "logistic", "Tangram")
_COUNTERS = ("cpu_intensity", "memory_intensity", "io_intensity")
_MEMORY, _IO = 1, 2


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
    gate, test, other = result.chosen, result.strictest, result.other
    if other is not None:
        return finding(
            "headline", "answers", gate=(gate, "gate"),
            change=(result.mean(test, gate) - 1, "change"), law=(result.law, "law"),
            other=(other.mean(test, gate) - 1, "change"), other_law=(other.law, "law"),
        )  # fmt: skip
    return finding(
        "headline", "answer", gate=(gate, "gate"), worst=(result.worst(gate, test), "factor"),
        change=(result.mean(test, gate) - 1, "change"), law=(result.law, "law"),
    )  # fmt: skip


def _confidence(result: TangramResult) -> Iterator[Finding]:
    """What the answer rests on."""
    applications = (len(result.runs.applications), "application")
    yield finding("confidence", "simulated", seeds=(len(result.by_seed), "count"),
                  runs=(len(result.runs), "count"), applications=applications)  # fmt: skip
    yield finding("confidence", "strictest", test=(result.strictest, "test"))
    rows = list(compared(result))
    if both := tuple(row["statement"] for row in rows if row["first"] and row["second"]):
        yield finding("confidence", "both-laws", statements=(both, "statement"))
    if not rows:
        yield finding("confidence", "one-law", law=(result.law, "law"))


def _facts(result: TangramResult) -> Iterator[Fact]:
    yield _of_admitted(result)
    yield Fact("anywhere", result.worst(result.chosen), "factor")
    border = best_border(result.runs)
    if border is not None and result.runs.gains.any() and not result.runs.gains.all():
        rule = finding("note", "rule", counter=(_COUNTERS[border.feature], "counter"),
                       side=(border.side, "side"), value=(border.value, "exact"))  # fmt: skip
        yield Fact("border", (border.right, border.of), "of:co-run", rule)


def _of_admitted(result: TangramResult) -> Fact:
    faster = finding("note", "faster", share=(_admitted(result, "oracle"), "share"))
    return Fact("admitted", _admitted(result, result.chosen), "share", faster)


def _admitted(result: TangramResult, gate: str) -> float:
    """Share of the decisions of the strictest test that admit a pair, over all seeds."""
    scores = result.scores(result.strictest, gate)
    return sum(one.admitted for one in scores) / sum(one.tested for one in scores)


def _risks(result: TangramResult) -> Iterator[Finding]:
    """What limits the answer."""
    number = len(result.runs.applications)
    yield finding("risk", "few-applications", applications=(number, "application"),
                  least=(1 / (number + 1), "share at most"))  # fmt: skip
    tests = [split.name for split in result.splits]
    if easy := tuple(name for name in tests if name in EASY):
        yield finding("risk", "easy-tests", tests=(easy, "test"))
    if better := tuple(name for name in tests if _another_is_better(result, name)):
        yield finding("risk", "another-better", gate=(result.chosen, "gate"),
                      tests=(better, "test"))  # fmt: skip
    if one := tuple(row["statement"] for row in compared(result) if row["first"] != row["second"]):
        yield finding("risk", "one-law-only", statements=(one, "statement"))
    for each in (result, result.other):
        if each is not None and each.reversals:
            means = (len(each.reversals), len(each.table_two))
            yield finding("risk", "other-side", law=(each.law, "law"), means=(means, "of:mean"))
    idle = tuple(name for name in tests
                 if not any(one.admitted for one in result.scores(name, "Tangram")))  # fmt: skip
    if idle:
        yield finding("risk", "idle", tests=(idle, "test"))
    if result.runs.gains.all():
        yield finding("risk", "all-gain")
    if not result.runs.gains.any():
        yield finding("risk", "none-gain")


def _another_is_better(result: TangramResult, test: str) -> bool:
    """Whether another gate that learns has a smaller mean makespan in a test."""
    means = {gate: round(result.mean(test, gate), 3) for gate in _LEARN}
    return min(means.values()) < means[result.chosen]


def _next_steps(result: TangramResult) -> Iterator[Finding]:
    border = best_border(result.runs)
    if result.border_is_best and border is not None:
        yield finding("next step", "try-rule", counter=(_COUNTERS[border.feature], "counter"),
                      side=(border.side, "side"), value=(border.value, "exact"))  # fmt: skip
    if result.logistic_is_better:
        yield finding("next step", "prefer-logistic")
    if result.worst(result.chosen) > 1:
        yield finding("next step", "guarantee")
    yield finding("next step", "real-nodes")


def _questions(result: TangramResult) -> tuple[Question, ...]:
    paper = result.of_the_paper
    admitted = (_of_admitted(result),) if any(rows.errors(result)) else ()
    laws = Question("laws", tables=("laws", "gates by law"), texts=("laws",))
    return (
        Question("tests", facts=tuple(_over_seeds(result)), tables=("strictest_test", "by test"),
                 texts=("makespan", "gates", "tests")),
        *((laws,) if result.other is not None else ()),
        Question("errors", facts=admitted, tables=("errors",), texts=("errors",)),
        Question("pairs", facts=tuple(_of_pairs(result)), figures=("pairs",), texts=("pairs",)),
        Question("method", texts=("method",)),
        Question("paper", facts=tuple(_from_the_paper(result)),
                 tables=("table_two", "reversals") if paper else ("table_two",),
                 texts=("paper",)),
        Question("co-runs", tables=("pairs",), texts=("co-runs",)),
        Question("system", tables=("simulated_system",), texts=("system",) if paper else ()),
    )  # fmt: skip


def _over_seeds(result: TangramResult) -> Iterator[Fact]:
    means = [score.makespan - 1 for score in result.scores(result.strictest, result.chosen)]
    if len(means) > 1:
        yield Fact("range", (min(means), max(means)), "interval:change")
    yield Fact("anywhere", result.worst(result.chosen), "factor")


def _of_pairs(result: TangramResult) -> Iterator[Fact]:
    runs = result.runs
    yield Fact("gains", (int(runs.gains.sum()), len(runs)), "of:co-run")
    index = int(runs.makespan.argmax())
    names = (runs.applications[runs.a[index]], runs.applications[runs.b[index]])
    yield Fact("longest", float(runs.makespan[index]), "factor",
               finding("note", "pair", a=(names[0], "text"), b=(names[1], "text")))  # fmt: skip


def _from_the_paper(result: TangramResult) -> Iterator[Fact]:
    """How far mean makespans are from the printed ones at most."""
    for key, gate in (("off", "Tangram"), ("off_all", "all co-located")):
        gaps = [
            abs(row.ours_mean - row.printed_mean)
            for row in (result.table_two if result.of_the_paper else ())
            if (row.measure, row.gate) == ("makespan", gate)
        ]
        if gaps:
            yield Fact(key, max(gaps), "ratio")


def _scores(
    name: str, units: Mapping[str, str], found: Iterable[Any], hidden: Collection[str] = ()
) -> Table:
    """A table in which digits of ratios tell gain from loss."""
    ratios = [key for key, unit in units.items() if unit == "ratio" and key != "oracle"]
    labels = {key: f"{key} of a pair" for key in ratios} if name == "pairs" else {}
    limits = dict.fromkeys(ratios, 1.0)
    return table(name, units, found, hidden=hidden, labels=labels, limits=limits)


def _tables(result: TangramResult) -> Iterator[Table]:
    paper, keys = result.of_the_paper, {"test": "test", "gate": "gate"}
    score = {"makespan": "ratio", "worst": "ratio", "turnaround": "ratio", "regret": "share"}
    pair = {"a": "text", "b": "text", "ranks": "count"} | dict.fromkeys(_COUNTERS, "number")
    wrong = {"wrongly_admitted": "count", "wrongly_refused": "count"}
    means = {**keys, "measure": "measure", "printed_mean": "ratio", "ours_mean": "ratio"}
    yield _scores("strictest_test", {"gate": "gate", "admitted": "number", **score},
                  rows.strictest(result))  # fmt: skip
    yield _scores("scores", {**keys, "tested": "count", "admitted": "number", "makespan": "ratio",
                  "least": "ratio", "most": "ratio", "worst": "ratio", "turnaround": "ratio",
                  "regret": "share"}, rows.scores(result))  # fmt: skip
    second = ("other_mean", "other_max", "other_min") if result.other is not None else ()
    yield _scores("table_two", {**means, **dict.fromkeys(second[:1], "ratio"),
                  "printed_max": "ratio", "ours_max": "ratio",
                  **dict.fromkeys(second[1:2], "ratio"), "note": "note of Table II",
                  "printed_min": "ratio", "ours_min": "ratio",
                  **dict.fromkeys(second[2:], "ratio")}, result.table_two if paper else (),
                  hidden={"printed_min", "ours_min", "other_min"})  # fmt: skip
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
                rows.records(result.law_numbers))  # fmt: skip
    yield _scores("gates", {"gate": "gate", **score}, rows.gates(result))
    by_test = list(rows.by_test(result))
    of_gates = dict.fromkeys((key for key in by_test[0] if " " in key), "ratio")
    yield _scores("by test", {"test": "test", "tested": "count", **of_gates}, by_test)
    yield table("drawn", {**keys, "makespan": "ratio"}, rows.drawn(result))
    if errors := list(rows.errors(result)):
        yield _scores("errors", {"left_out": "text", "gate": "gate", "tested": "count", **wrong,
                      "worst": "ratio", "makespan": "ratio", "oracle": "ratio",
                      "admitted": "count"}, errors, hidden={"admitted"})  # fmt: skip
    if statements := list(compared(result)):
        held = {"statement": "statement", "first": "flag", "second": "flag"}
        yield table("laws", held, statements)
        gates = tuple(row["gate"] for row in rows.gates(result))
        each = ("makespan", "worst", "other_makespan", "other_worst")
        yield _scores("gates by law", {"gate": "gate", **dict.fromkeys(each, "ratio")},
                      gates_by_law(result, gates))  # fmt: skip
    yield table("points", pair | {"together": "together"}, rows.points(result))
    if result.reversals:
        yield _scores("reversals", means, result.reversals)


_IN_DATA = ("strictest_test", "scores", "table_two", "first_seed", "applications", "pairs",
            "simulated_system")  # fmt: skip


def _figures(result: TangramResult) -> Iterator[Figure]:
    yield Figure("scores", "dots", "drawn", "test", ("makespan",), series="gate",
                 limits=(Limit("x", 1.0, "one-after-the-other"),))  # fmt: skip
    border, gains = best_border(result.runs), result.runs.gains
    y = _IO if border is None else border.feature
    x = _IO if y == _MEMORY else _MEMORY
    known = border is not None and gains.any() and not gains.all()
    limits = (Limit("y", border.value, "border"),) if border is not None and known else ()
    yield Figure("pairs", "scatter", "points", _COUNTERS[x], (_COUNTERS[y],), series="together",
                 limits=limits)  # fmt: skip
