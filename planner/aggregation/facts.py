"""What a choice of a pattern states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from planner.aggregation.explained import explained
from planner.aggregation.methods import HEURISTICS
from planner.aggregation.power import told_apart
from planner.aggregation.rows import left_out_codes, pattern_rows
from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding, risks_of
from planner.formulations.by_method import ENGINE, REFERENCE
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table

if TYPE_CHECKING:
    from planner.aggregation.result import AggregationResult
    from planner.aggregation.selection import Candidate

FEW_CODES = 8
"""Training codes below which models of IPC, and what is known of their errors, are poor."""
MOST_BARS = 12
"""Patterns in the figure; of more the first and those of the largest predicted savings."""


def study_of(result: AggregationResult) -> Study:
    """The study of a choice."""
    measured, ranks = result.measured, (result.measured.program.traffic.tasks, "rank")
    source = measured.source or PurePath(measured.folder).name
    return stated(
        result, _headline, _confidence, _facts, _risks, _next_steps, _questions, _tables, _figures,
        command="aggregate",
        title=finding("note", "question", ranks=ranks, program=(measured.program.name, "text")),
        data=_data(result),
        provenance=provenance_of(result.command, measured.sha256, Fact("source", source, "text"),
                          Fact("seed", result.settings.seed, "id")),
    )  # fmt: skip


def _ranks(candidate: Candidate) -> tuple[int, str]:
    return candidate.pattern.tasks, "rank"


def _nodes(result: AggregationResult, candidate: Candidate) -> tuple[int, str]:
    return result.nodes(candidate.pattern), "node"


def _limit(result: AggregationResult) -> tuple[float, str]:
    return result.settings.threshold, "share given"


def _headline(result: AggregationResult) -> Finding:
    chosen, method = result.chosen, result.decided.method
    nodes = _nodes(result, chosen)
    if method in HEURISTICS:
        rule = (method, "rule")
        return finding("headline", "by-rule", ranks=_ranks(chosen), nodes=nodes, rule=rule)
    if chosen is result.reference:
        if len(result.candidates) == 1:
            return finding("headline", "one-only", nodes=nodes)
        if result.tolerable - {chosen.pattern.id}:
            return finding("headline", "one-saves", nodes=nodes, limit=_limit(result))
        return finding("headline", "one-fast", nodes=nodes, limit=_limit(result))
    kind = "least-energy" if result.least_energy else "fewest-nodes"
    limit = _limit(result)
    return finding("headline", kind, ranks=_ranks(chosen), nodes=nodes, limit=limit)


def _confidence(result: AggregationResult) -> Iterator[Finding]:
    tried, choice, decided = result.learnt.tried[0], result.choice, result.decided
    if decided.method == REFERENCE:
        for solver, certificate in decided.choice.certificates:
            yield finding(
                "confidence", "reference-agrees", solver=(solver, "exact"),
                status=(certificate.status.value, "status"),
                level=(certificate.level.value, "level"),
            )  # fmt: skip
    elif decided.method != ENGINE:
        best = (decided.best.pattern.id, "id")
        if decided.plan is decided.best:
            yield finding("confidence", "rule-is-best")
        elif decided.more_energy is None:
            yield finding("confidence", "rule-missed", best=best)
        else:
            more = (decided.more_energy, "change")
            yield finding("confidence", "rule-costs", best=best, more=more)
    if result.fills_nodes and result.chosen is not result.reference:
        yield finding("confidence", "already")
    if choice is None:
        yield finding(
            "confidence", "ipc-error",
            mean=(tried.mean_error, "share"), most=(tried.most_error, "share"),
        )  # fmt: skip
        return
    slowdown, best = (choice.slowdown, "change"), (choice.best, "id")
    yield finding("confidence", "truth", slowdown=slowdown, best=best, limit=_limit(result))


def _facts(result: AggregationResult) -> Iterator[Fact]:
    chosen, base, tried = result.chosen, result.compared, result.learnt.tried[0]
    layout = (_layout(chosen), "exact")
    yield Fact("pattern", chosen.pattern.id, "id", finding("note", "layout", layout=layout))
    before = finding("note", "instead-of", nodes=_nodes(result, base), base=(base.pattern.id, "id"))
    yield Fact("nodes", *_nodes(result, chosen), before)
    if chosen.energy_j is not None and base.energy_j is not None:
        change = (chosen.energy_j / base.energy_j - 1, "change")
        note = finding("note", "against", change=change, base=(base.pattern.id, "id"))
        yield Fact("energy", chosen.energy_j, "J", note)
    yield Fact(
        "slowdown", chosen.slowdown, "change", finding("note", "within", limit=_limit(result))
    )
    most = finding("note", "at-most", most=(tried.most_error, "share"))
    yield Fact("ipc_error", tried.mean_error, "share", most)
    if result.choice is not None and result.choice.best_saving > 0:
        best = (result.choice.best_saving, "share")
        note = finding("note", "best-saves", best=(result.choice.best, "id"), saving=best)
        yield Fact("true_share", result.choice.share, "share", note)


def _layout(candidate: Candidate) -> str:
    return "x".join(map(str, candidate.pattern.layout))


def _risks(result: AggregationResult) -> Iterator[Finding]:
    """What may make the choice wrong."""
    measured, choice = result.measured, result.choice
    if measured.simulated:
        yield finding("risk", "simulated", source=(measured.source, "text"))
    elif not measured.source:
        yield finding("risk", "no-source")
    yield from risks_of(measured.remarks)
    traffic = measured.program.traffic
    if measured.messages and not len(traffic.source) and not traffic.block_b:
        yield finding("risk", "no-messages")
    yield from _unsure(result)
    if result.freed:
        yield finding("risk", "freed", nodes=(result.freed, "node"))
    if choice is not None and not choice.tolerable:
        slowdown = (choice.slowdown, "change")
        yield finding("risk", "truly-slow", slowdown=slowdown, limit=_limit(result))
    if not result.metered:
        yield _no_energy(result)
    if result.other is not None and result.other is not result.chosen:
        other = (result.other.pattern.id, "id")
        by = "rank" if result.settings.choose == "joules" else "joules"
        yield finding("risk", "other-choice", by=(by, "choose"), other=other)
    untried = tuple(p for p, why in result.refused.items() if why.startswith("no training"))
    if untried:
        yield finding("risk", "not-offered", patterns=(untried, "id"))


def _no_energy(result: AggregationResult) -> Finding:
    """Why power, and so energy, is not known."""
    runs, known = result.learnt.metered_runs, told_apart(result.measured.node)
    if not runs:
        return finding("risk", "no-energy")
    parts = tuple(part for part, is_apart in zip(_PARTS, known, strict=True) if is_apart)
    return finding("risk", "few-metered", runs=(runs, "run"), parts=(parts, "part"))


def _unsure(result: AggregationResult) -> Iterator[Finding]:
    """Errors of IPC that are not small against what is tolerated, and too little to know them."""
    tried, tolerated = result.learnt.tried[0], result.settings.threshold
    mean, most = (tried.mean_error, "share"), (tried.most_error, "share")
    if tried.mean_error > tolerated / 2 > 0:
        yield finding("risk", "cannot-tell", mean=mean, limit=_limit(result))
    elif tried.most_error > tolerated:
        yield finding("risk", "most-above", most=most, limit=_limit(result))
    codes = len({run.code for run in result.measured.training})
    if codes < FEW_CODES:
        yield finding("risk", "few-codes", codes=(codes, "count"))


def _next_steps(result: AggregationResult) -> Iterator[Finding]:
    if result.measured.simulated:
        yield finding("next step", "measure-own")
    else:
        other = (result.compared.pattern.id, "id")
        yield finding("next step", "time-both", other=other)
    if result.chosen.pattern.tasks > 1:
        yield finding("next step", "rank-file")
    if len({run.code for run in result.measured.training}) < FEW_CODES:
        yield finding("next step", "more-codes")


def _compared(result: AggregationResult) -> Iterator[Fact]:
    """The chosen pattern against one rank per node and the baseline, and what the limit costs."""
    chosen, base, one = result.chosen, result.baseline, result.reference
    note = None if chosen is one else finding("note", "one-takes", time=(one.time_s, "s"))
    yield Fact("iteration", chosen.time_s, "s", note)
    if chosen.energy_j is not None and one.energy_j is not None and chosen is not one:
        yield Fact("against_one", chosen.energy_j / one.energy_j - 1, "change")
    slower = (result.slower(chosen), "change")
    note = None if chosen is base else finding("note", "time-against", change=slower)
    yield Fact("baseline", base.pattern.id, "id", note)
    less = tuple(
        each.pattern.id
        for each in result.candidates
        if each.energy_j is not None and chosen.energy_j is not None
        and each.energy_j < chosen.energy_j and each.pattern.id not in result.tolerable
    )  # fmt: skip
    if less:
        yield Fact("less_energy", less, "id")


def _sharing(result: AggregationResult) -> Iterator[Fact]:
    """What groups are made for, and how much that weighs."""
    traffic, chosen = result.measured.program.traffic, result.chosen
    ends = zip(traffic.source.tolist(), traffic.target.tolist(), strict=True)
    pairs = {(min(pair), max(pair)) for pair in ends if pair[0] != pair[1]}
    node = {rank: k for k, group in enumerate(chosen.groups.tolist()) for rank in group}
    if pairs:
        together = sum(node[one] == node[other] for one, other in pairs)
        yield Fact("together", (together, len(pairs)), "of:pair")
    yield Fact("message_share", chosen.communication_s / chosen.time_s, "share")
    yield Fact("grouping", result.settings.grouping, "grouping")


def _errors(result: AggregationResult) -> Iterator[Fact]:
    """What errors of IPC do to the slowdown, and errors of this program where they are known."""
    tried, chosen, one = result.learnt.tried[0], result.chosen, result.reference
    yield Fact("codes", len({run.code for run in result.measured.training}), "count")
    for key, error in (("slow_mean", tried.mean_error), ("slow_most", tried.most_error)):
        high, low = (0.0 if each.pattern.id in result.sampled else error for each in (chosen, one))
        if chosen is not one and error < 1:
            slower = chosen.compute_s * (1 + high) + chosen.communication_s
            first = one.compute_s * (1 - low) + one.communication_s
            note = finding("note", "within", limit=_limit(result))
            yield Fact(key, slower / first - 1, "change", note)
    if result.truths is not None:
        true, runs = result.truths.outcomes, result.measured.program.iterations
        pairs = [(each, true[each.pattern.id]) for each in result.candidates]
        yield Fact("own_error", max(abs(each.ipc / run.ipc - 1) for each, run in pairs), "share")
        times = (abs(each.time_s * runs / run.time_s - 1) for each, run in pairs)
        yield Fact("time_error", max(times), "share")


def _questions(result: AggregationResult) -> tuple[Question, ...]:
    measured, settings, values = result.measured, result.settings, explained(result)
    program, chosen = measured.program, result.chosen
    node = (
        Fact("ranks", program.traffic.tasks, "rank"),
        Fact("memory", program.memory_gb, "GB"),
        Fact("node", "x".join(map(str, measured.node)), "exact"),
        Fact("node_memory", measured.memory_gb, "GB"),
        Fact("clock", measured.clock_ghz, "GHz"),
    )
    steps = (
        Fact("instructions", program.instructions, "number"),
        Fact("iterations", program.iterations, "count"),
        Fact("compute", chosen.compute_s, "s"),
        Fact("messages", chosen.communication_s, "s"),
        Fact("iteration", chosen.time_s, "s"),
        Fact("mean_ipc", values.mean_ipc, "ratio"),
        Fact("pairs", values.pairs, "count"),
        Fact("apart", values.apart, "count"),
        *((Fact("constant", values.constant, "number"),) if values.apart else ()),
        Fact("choose", settings.choose, "choose"),
        Fact("threshold", *_limit(result)),
        Fact("grouping", settings.grouping, "grouping"),
        Fact("objective", settings.objective, "objective"),
        *((Fact("law", measured.law, "law"),) if measured.law else ()),
    )
    ranked = settings.choose == "rank" and result.decided.method not in HEURISTICS
    truth = ("in truth",) if result.truths is not None else ()
    groups = ("groups",) if chosen.pattern.tasks > 1 else ()
    return (
        Question("patterns", facts=tuple(_compared(result)), tables=("predicted", *truth),
                 texts=("patterns",)),
        Question("groups", facts=tuple(_sharing(result)) if groups else (), tables=groups,
                 texts=groups),
        Question("errors", facts=tuple(_errors(result)), tables=("left_out",), figures=("errors",),
                 texts=("errors",)),
        Question("assumed", (finding("assumption", "no-overlap"),), node,
                 texts=("assumed", *(("by-rank",) if ranked else ()))),
        Question(
            "method", facts=steps, tables=("terms", "power", "settings"), texts=("method",),
            equations=("ipc", "weights", "cost", "slowdown"),
        ),
    )  # fmt: skip


def _tables(result: AggregationResult) -> Iterator[Table]:
    seen = {"pattern": "id", "layout": "exact"}
    more = {"saving": "change", "processors": "count", "dies": "count", "cores": "count",
            "feasible": "flag", "tolerable": "flag", "chosen": "flag", "ipc_sampled": "flag",
            "ipc": "ratio", "compute_s": "s", "communication_bound_s": "s", "slowdown_s": "s",
            "run_s": "s", "slower_than_baseline": "change"}  # fmt: skip
    if result.truths is not None:
        more |= {"true_ipc": "ratio", "true_compute_s": "s", "true_communication_s": "s",
                 "true_run_s": "s", "true_slowdown": "change", "true_energy_j": "J",
                 "true_saving": "change", "true_energy_ratio": "factor",
                 "true_best": "flag"}  # fmt: skip
    yield table("patterns", {**seen, "tasks_per_node": "count", "nodes": "node", "energy_j": "J",
                "energy_ratio": "factor", "slowdown": "change", "choice": "choice",
                "why_not": "text", **more}, at="/patterns", hidden=more)  # fmt: skip
    yield table("predicted", {**seen, "ipc": "ratio", "ipc_sampled": "flag", "compute_s": "s",
                "communication_bound_s": "s", "slowdown": "change", "energy_j": "J",
                "run_s": "s"}, _of(result, "feasible"))  # fmt: skip
    yield table("in truth", {**seen, "ipc": "ratio", "true_communication_s": "s",
                "slowdown": "change", "energy_j": "J", "energy_ratio": "factor", "best": "flag"},
                _in_truth(result))  # fmt: skip
    yield table("drawn", {**seen, "energy_ratio": "factor", "slowdown": "change",
                "choice": "choice"}, _drawn(result))  # fmt: skip
    groups = enumerate(result.chosen.groups.tolist())
    yield table("groups", {"node": "count", "tasks": "exact"},
                ({"node": node, "tasks": " ".join(map(str, group))}
                 for node, group in groups))  # fmt: skip
    errors = {"mean_error": "share", "most_error": "share"}
    left_out = left_out_codes(result)
    alike = len({row["predictions"] for row in left_out}) == 1
    yield table("left_out", {"code": "text", "predictions": "count", **errors, "bias": "change"},
                left_out, hidden={"predictions"} if alike else set())  # fmt: skip
    yield table("settings", {"ridge": "number", "events": "count", **errors},
                ({"ridge": each.setting.ridge, "events": each.setting.events,
                  "mean_error": each.mean_error, "most_error": each.most_error}
                 for each in result.learnt.tried))  # fmt: skip
    yield table("terms", {"regressor": "text", "value": "number", "adds": "number"},
                ({"regressor": term.name, "value": term.value, "adds": term.adds}
                 for term in explained(result).terms), summed=("adds",))  # fmt: skip
    yield table("power", {"part": "part", "watts": "W"}, _power(result))


def _power(result: AggregationResult) -> Iterator[dict[str, Any]]:
    power = result.learnt.predictor.power
    if power is not None:
        known = told_apart(result.measured.node)
        parts = zip(_PARTS, power.coefficients.tolist(), known, strict=True)
        yield from ({"part": part, "watts": watts} for part, watts, is_apart in parts if is_apart)


_PARTS = ("idle", "socket", "die", "rank", "rank_ipc")
"""What each coefficient of the power of a node multiplies."""


def _of(result: AggregationResult, flag: str) -> Iterator[dict[str, Any]]:
    return (row for row in pattern_rows(result) if row[flag])


def _in_truth(result: AggregationResult) -> Iterator[dict[str, Any]]:
    """The true runs under the names of the predictions, so that a figure has both."""
    if result.truths is None:
        return
    for row in _of(result, "feasible"):
        yield {
            "pattern": row["pattern"], "layout": row["layout"], "ipc": row["true_ipc"],
            "true_communication_s": row["true_communication_s"], "best": row["true_best"],
            "slowdown": row["true_slowdown"], "energy_j": row["true_energy_j"],
            "energy_ratio": row["true_energy_ratio"],
        }  # fmt: skip


def _drawn(result: AggregationResult) -> list[dict[str, Any]]:
    """All patterns, or of many the reference and those of the largest predicted savings."""
    rows = pattern_rows(result)
    if len(rows) <= MOST_BARS:
        return rows
    kept = {result.reference.pattern.id, result.chosen.pattern.id}
    others = (each for each in result.candidates if each.pattern.id not in kept)
    most = sorted(others, key=lambda each: -result.gain(each))[: MOST_BARS - len(kept)]
    kept |= {each.pattern.id for each in most}
    return [row for row in rows if row["pattern"] in kept]


def _figures(result: AggregationResult) -> tuple[Figure, ...]:
    chosen, tried = result.chosen, result.learnt.tried[0]
    pattern, slowdown = (chosen.pattern.id, "id"), (chosen.slowdown, "change")
    says = finding("note", "bars", pattern=pattern, slowdown=slowdown)
    if chosen is result.reference:
        says = finding("note", "bars-one", pattern=pattern)
    worst = max(left_out_codes(result), key=lambda row: float(row["most_error"]))
    off = finding(
        "note", "worst-code",
        mean=(tried.mean_error, "share"), most=(float(worst["most_error"]), "share"),
        code=(str(worst["code"]), "text"),
    )  # fmt: skip
    limit = Limit("y", result.settings.threshold)
    return (
        Figure(
            "patterns", "bars", "drawn", "layout",
            ("energy_ratio", "slowdown") if result.metered else ("slowdown",), series="choice",
            dots="in truth" if result.truths is not None else "", limits=(limit,), finding=says,
        ),
        Figure(
            "errors", "intervals", "left_out", "code", ("mean_error",), high="most_error",
            limits=(Limit("x", result.settings.threshold),), finding=off,
        ),
    )  # fmt: skip


def _data(result: AggregationResult) -> dict[str, Any]:
    """The members of aggregate.json besides the study."""
    program, settings, choice = result.measured.program, result.settings, result.choice
    setting = result.learnt.tried[0]
    return {
        "program": program.name,
        "tasks": program.traffic.tasks,
        "simulated": result.measured.simulated,
        "source": result.measured.source,
        "chosen": result.chosen.pattern.id,
        "tasks_per_node": result.chosen.pattern.tasks,
        "nodes": result.nodes(result.chosen.pattern),
        "slowdown": result.chosen.slowdown,
        "baseline": result.baseline.pattern.id,
        "saving": result.saving(result.chosen),
        "slower_than_baseline": result.slower(result.chosen),
        "choose": settings.choose,
        **result.decided.to_dict(),
        "energy_known": result.metered,
        "other_choice": None if result.other is None else result.other.pattern.id,
        "threshold": settings.threshold,
        "grouping": settings.grouping,
        "objective": settings.objective,
        "seed": settings.seed,
        "groups": result.chosen.groups.tolist(),
        "patterns": pattern_rows(result),
        "true": None
        if choice is None
        else {
            "against": result.reference.pattern.id,
            "slowdown": choice.slowdown,
            "saving": choice.saving,
            "tolerable": choice.tolerable,
            "best": choice.best,
            "best_saving": choice.best_saving,
            "share_of_best_saving": choice.share,
        },
        "ipc_model": {
            "ridge": setting.setting.ridge,
            "events": setting.setting.events,
            "left_out_mean_error": setting.mean_error,
            "left_out_most_error": setting.most_error,
        },
        "sha256": dict(result.measured.sha256),
    }
