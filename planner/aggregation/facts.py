"""What a choice of a pattern states: its facts, findings, tables and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.aggregation.communication import upper_bound_s
from planner.aggregation.explained import explained
from planner.aggregation.methods import HEURISTICS
from planner.aggregation.patterns import REFERENCE
from planner.aggregation.power import parts_of, told_apart
from planner.aggregation.rows import (
    CERTAIN,
    expected_rows,
    left_out_codes,
    pattern_rows,
    tried_rows,
)
from planner.aggregation.selection import by_joules, by_rank, tolerable
from planner.aggregation.used_cores import numbers
from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, finding, noted, risks_of
from planner.formulations.by_method import ENGINE
from planner.formulations.by_method import REFERENCE as BY_PROGRAM
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table

if TYPE_CHECKING:
    from planner.aggregation.result import AggregationResult, NextRun
    from planner.aggregation.selection import Candidate

FEW_CODES = 8
"""Training codes below which models of IPC, and what is known of their errors, are poor."""
_LEAST_GAIN = 1e-3
"""Share of the time of messages below which groups gain nothing over rank order."""
MOST_BARS = 12
"""Patterns up to which the first page lists all, and those in the figure: of more the first, and
those of the largest predicted savings."""


def study_of(result: AggregationResult) -> Study:
    """The study of a choice."""
    measured, ranks = result.measured, (result.measured.program.traffic.tasks, "rank")
    source = measured.source or PurePath(measured.folder).name
    return stated(
        result, _headline, _facts, _confidence, _reasons, _alternatives, _assumptions, _risks,
        _next_steps, _questions, _tables, _figures, command="aggregate",
        title=finding("note", "question", ranks=ranks, program=(measured.program.name, "text")),
        data=_data(result),
        decision="decisive" if _is_long(result) else "patterns",
        provenance=provenance_of(result.command, measured.sha256, Fact("source", source, "text"),
                                 Fact("seed", result.settings.seed, "id"), *_given(result)),
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
        return _one_rank(result)
    run = {"ranks": _ranks(chosen), "nodes": nodes, "limit": _limit(result),
           "time": (chosen.slowdown, "change")}  # fmt: skip
    energy = _more(chosen, result.reference)
    if result.confirmed:
        own = next(each for each in result.runs if each.pattern == chosen.pattern.id)
        run["runs"] = (len(own.times_s), "run")
        run["reference"] = (len(result.runs[0].times_s), "run")  # of pattern 1, the first
        if energy is None:
            return finding("headline", "confirmed", **run)
        metered = {run.pattern for run in result.runs if run.energy_j is not None}
        basis = "measured" if {chosen.pattern.id, REFERENCE} <= metered else "corrected"
        return finding("headline", "confirmed-energy", **run, energy=(energy, "change"),
                       basis=(basis, "meter"))  # fmt: skip
    if energy is None:
        return finding("headline", "fewest-nodes", **run)
    kind = "least-energy" if result.settings.choose == "joules" else "fewest-nodes-energy"
    return finding("headline", kind, **run, energy=(energy, "change"))


def _one_rank(result: AggregationResult) -> Finding:
    """Why one rank per node is the answer."""
    nodes, limit = _nodes(result, result.reference), _limit(result)
    if result.gives_up:
        failed = (tuple(sorted(result.failed)), "id")
        return finding("headline", "one-failed", nodes=nodes, limit=limit, failed=failed)
    if len(result.candidates) == 1:
        return finding("headline", "one-only", nodes=nodes)
    if result.tolerable - {REFERENCE}:
        return finding("headline", "one-saves", nodes=nodes, limit=limit)
    return finding("headline", "one-fast", nodes=nodes, limit=limit)


def _more(candidate: Candidate, base: Candidate) -> float | None:
    """Predicted energy over that of another pattern, less 1; None where it is not known."""
    if candidate.energy_j is None or base.energy_j is None:
        return None
    return candidate.energy_j / base.energy_j - 1


def _facts(result: AggregationResult) -> Iterator[Fact]:
    """Node-hours, energy if freed nodes idle, and the simulated ground truth."""
    chosen, one, choice = result.chosen, result.reference, result.choice
    hours, before = ((result.nodes(each.pattern) * result.run_s(each) / 3600, "number")
                     for each in (chosen, one))  # fmt: skip
    note = None if chosen is one else finding("note", "hours-of-one", hours=before)
    yield Fact("node_hours", *hours, note=note)
    idle = result.idle_change(chosen)
    if result.freed and idle is not None:
        yield Fact("idle_energy", idle, "change", finding(
            "note", "freed-idle", nodes=(result.freed, "node"), power=(result.idle_w, "W"),
            off=(_more(chosen, one), "change"),
        ))  # fmt: skip
    if choice is not None:
        best = finding("note", "truth", best=(choice.best, "id"), limit=_limit(result))
        yield Fact("true_slowdown", choice.slowdown, "change", best)


def _confidence(result: AggregationResult) -> Iterator[Finding]:
    tried, decided = result.learnt.tried[0], result.decided
    if decided.method == BY_PROGRAM:
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
    if result.runs and result.chosen is not result.reference:
        yield _interval(result)
    if result.choice is None or not result.runs:
        mean, most = (tried.mean_error, "share"), (tried.most_error, "share")
        yield finding("confidence", "ipc-error", mean=mean, most=most)


def _interval(result: AggregationResult) -> Finding:
    """What is expected of the chosen pattern after the runs."""
    pattern = result.chosen.pattern.id
    row = next(row for row in expected_rows(result) if row["pattern"] == pattern)
    return finding(
        "confidence", "interval", pattern=(pattern, "id"), low=(row["low"], "change"),
        high=(row["high"], "change"), within=(row["within"], "share chance"),
    )  # fmt: skip


def _reasons(result: AggregationResult) -> Iterator[Finding]:
    """By what rule the pattern is chosen, and what it saves against other patterns."""
    chosen, settings, base = result.chosen, result.settings, result.baseline
    if result.confirmed:
        within = (tuple(sorted(result.confirmed)), "id")
        choose = (settings.choose, "choose")
        yield finding("reason", "selected-confirmed", within=within, choose=choose)
        less = tuple(each.pattern.id for each in result.candidates
                     if each.pattern.id in result.tolerable - result.confirmed - {REFERENCE}
                     and (_more(each, chosen) or 0) < 0)  # fmt: skip
        if less:
            yield finding("reason", "less-not-confirmed", patterns=(less, "id"))
    elif result.decided.method not in HEURISTICS and not result.gives_up:
        within = (tuple(sorted(result.tolerable)), "id")
        choose = (settings.choose, "choose")
        yield finding("reason", "selected", within=within, limit=_limit(result), choose=choose)
        if settings.choose == "rank" and result.least_energy and len(within[0]) > 1:
            yield finding("reason", "also-least")
    if result.least_if_idle is chosen and len(result.tolerable) > 1:
        yield finding("reason", "least-if-idle")
    energy = _more(chosen, base)
    if settings.baseline not in {"packed", "one"} and energy is not None and chosen is not base:
        yield finding(
            "reason", "against-base", base=(base.pattern.id, "id"), ranks=_ranks(base),
            energy=(energy, "change"), time=(result.slower(chosen), "change"),
        )  # fmt: skip


def _alternatives(result: AggregationResult) -> Iterator[Finding]:
    """The next pattern by the same rule, a likely one, and those of less energy, too slow."""
    following, likely = _next_within(result), _likely(result)
    if following is not None:
        yield _alternative(result, "next-within", following)
    known = {each.pattern.id for each in (result.chosen, following) if each is not None}
    if likely is not None and likely.candidate.pattern.id not in known:
        yield _alternative(result, "next-within", likely.candidate)
    yield from _if_idle(result)
    for each in _above(result):
        yield _alternative(result, "above-limit", each)
    yield from _energy_off(result)


def _if_idle(result: AggregationResult) -> Iterator[Finding]:
    """The pattern of least energy if freed nodes idle, where that is another one."""
    least, chosen = result.least_if_idle, result.chosen
    if least is not None and least is not chosen:
        energy = result.idle_energy_j(least) / result.idle_energy_j(chosen) - 1  # type: ignore[operator]
        yield finding("alternative", "if-idle", pattern=(least.pattern.id, "id"),
                      energy=(energy, "change"),
                      time=(least.time_s / chosen.time_s - 1, "change"))  # fmt: skip


def _next_within(result: AggregationResult) -> Candidate | None:
    """What would be chosen without the chosen pattern."""
    others = tuple(
        each
        for each in result.candidates
        if each is not result.chosen and each.pattern.id not in result.failed
    )
    if not tolerable(others, result.settings.threshold):
        return None
    choose = by_rank if result.settings.choose == "rank" else by_joules
    return choose(others, result.settings.threshold)


def _likely(result: AggregationResult) -> NextRun | None:
    """The run of the largest expected saving among those that are likely to confirm one."""
    likely = (each for each in result.next_runs if each.within >= CERTAIN)
    return max(likely, key=lambda each: each.share, default=None) if result.runs else None


def _above(result: AggregationResult) -> list[Candidate]:
    """The fastest pattern above the limit with less energy, and the one of least energy."""
    less = [each for each in result.candidates
            if each.pattern.id not in result.tolerable
            and (_more(each, result.chosen) or 0) < 0]  # fmt: skip
    if not less:
        return []
    fastest = min(less, key=lambda each: each.slowdown)
    least = min(less, key=lambda each: (each.energy_j or 0.0, each.slowdown))
    return [fastest] if fastest is least else [fastest, least]


def _alternative(result: AggregationResult, kind: str, other: Candidate) -> Finding:
    """Another pattern against the chosen one; those above the limit are known by their energy."""
    run = {"pattern": (other.pattern.id, "id"),
           "time": (other.time_s / result.chosen.time_s - 1, "change")}  # fmt: skip
    energy = _more(other, result.chosen)
    if energy is None:
        return finding("alternative", "next-within-time", **run)
    within = {row["pattern"]: row["within"] for row in pattern_rows(result)}[other.pattern.id]
    if kind == "next-within" and within is not None:
        run["chance"], kind = (within, "share chance"), "next-within-chance"
    return finding("alternative", kind, **run, energy=(energy, "change"))


def _assumptions(result: AggregationResult) -> Iterator[Finding]:
    """What would change the numbers."""
    if result.metered and not result.freed:
        yield finding("assumption", "used-nodes")
    if not result.runs:
        yield finding("assumption", "no-overlap")


def _risks(result: AggregationResult) -> Iterator[Finding]:
    """What may make the choice wrong."""
    measured, choice = result.measured, result.choice
    if choice is not None and not choice.tolerable:
        slowdown = (choice.slowdown, "change")
        yield finding("risk", "truly-slow", slowdown=slowdown, limit=_limit(result))
    if result.freed and result.idle_change(result.chosen) is None:
        yield finding("risk", "freed", nodes=(result.freed, "node"))
    wrong = _if_wrong(result, "risk")
    if wrong is not None and wrong.values.get("most", math.inf) > _limit(result)[0]:  # type: ignore[operator]
        yield wrong
    if once := _once(result):
        yield finding("risk", "once", patterns=(once, "id"))
    yield from _unsure(result)
    yield from _scattered(result)
    if measured.simulated:
        yield finding("risk", "simulated", source=(measured.source, "text"))
    elif not measured.source:
        yield finding("risk", "no-source")
    yield from risks_of(measured.remarks)
    traffic = measured.program.traffic
    if measured.messages and not len(traffic.source) and not traffic.block_b:
        yield finding("risk", "no-messages")
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
    if result.gives_up:
        pass
    elif tried.mean_error > tolerated / 2 > 0 and not result.confirmed:
        yield finding("risk", "cannot-tell", mean=mean, limit=_limit(result))
    elif tried.most_error > tolerated:
        known = {*result.sampled, *(run.pattern for run in result.runs)}
        others = (each.pattern.id for each in result.candidates if each.pattern.id not in known)
        if patterns := tuple(others):
            yield finding("risk", "most-above", most=most, limit=_limit(result),
                          patterns=(patterns, "id"))  # fmt: skip
    codes = len({run.code for run in result.measured.training})
    if codes < FEW_CODES:
        yield finding("risk", "few-codes", codes=(codes, "count"))


def _once(result: AggregationResult) -> tuple[int, ...]:
    """Patterns behind a confirmed answer that ran only once."""
    behind = {result.chosen.pattern.id, REFERENCE} if result.confirmed else set()
    single = (run.pattern for run in result.runs if len(run.times_s) == 1)
    return tuple(pattern for pattern in single if pattern in behind)


def _scattered(result: AggregationResult) -> Iterator[Finding]:
    """Runs of one pattern that differ by more than the tolerated slowdown."""
    for run in result.runs:
        if run.spread > result.settings.threshold:
            yield finding("risk", "runs-differ", pattern=(run.pattern, "id"),
                          spread=(run.spread, "share"), runs=(len(run.times_s), "run"))  # fmt: skip


def _next_steps(result: AggregationResult) -> Iterator[Finding]:
    if result.measured.simulated:
        yield finding("next step", "measure-own")
    if once := _once(result):
        yield finding("next step", "repeat", patterns=(once, "id"))
    if result.runs or not result.measured.simulated:
        yield from _to_run(result)
    yield from _truly_above(result)
    grouped, order = _message_bounds_us(result)
    if grouped < order * (1 - _LEAST_GAIN):
        yield finding("next step", "rank-file")
    elif result.chosen.pattern.tasks > 1:
        cores = numbers(result.chosen.pattern.layout, result.measured.node)
        yield finding("next step", "bind", cores=(",".join(map(str, cores)), "exact"))
    if len({run.code for run in result.measured.training}) < FEW_CODES:
        yield finding("next step", "more-codes")


def _to_run(result: AggregationResult) -> Iterator[Finding]:
    """The next run, and the reference if a run cannot be confirmed without it."""
    following = result.next_run
    if following is not None:
        run = {"pattern": (following.candidate.pattern.id, "id"),
               "chance": (following.within, "share chance"),
               "against": (following.against.pattern.id, "id")}  # fmt: skip
        if following.saved_j is None:
            yield finding("next step", "run-next-nodes", **run)
        else:
            yield finding("next step", "run-next", **run, saved=(following.saved_j, "J"))
    likely = _likely(result)
    if likely is not None and likely is not following and likely.saved_j is not None:
        yield finding("next step", "run-likely", pattern=(likely.candidate.pattern.id, "id"),
                      chance=(likely.within, "share chance"),
                      saved=(likely.saved_j, "J"))  # fmt: skip
    ran = {run.pattern for run in result.runs}
    if REFERENCE not in ran and (ran or following is not None):
        yield finding("next step", "run-reference")


def _truly_above(result: AggregationResult) -> Iterator[Finding]:
    """Patterns within the limit, or proposed, that are above it in truth."""
    run, truths = result.next_run, result.truths
    named = result.tolerable | ({run.candidate.pattern.id} if run and result.runs else set())
    slow = {each: truths.slowdown(each) for each in sorted(named - {result.chosen.pattern.id})
            if truths and truths.slowdown(each) > result.settings.threshold}  # fmt: skip
    if slow:
        yield finding("next step" if result.runs else "alternative", "truly-above",
                      patterns=(tuple(slow), "id"),
                      slowdowns=(tuple(slow.values()), "change"))  # fmt: skip


def _message_bounds_us(result: AggregationResult) -> tuple[float, float]:
    """Longest messages of an iteration [us]: with the groups, and in rank order."""
    traffic, chosen = result.measured.program.traffic, result.chosen
    known, layout = result.learnt.predictor.tables, chosen.pattern.layout
    in_order = np.arange(traffic.tasks).reshape(chosen.groups.shape)
    grouped, order = (1e6 * upper_bound_s(known, traffic, layout, groups)
                      for groups in (chosen.groups, in_order))  # fmt: skip
    return grouped, order


def _sharing(result: AggregationResult) -> Iterator[Finding]:
    """Message times with the groups, and in rank order."""
    if len(result.measured.program.traffic.source):
        grouped, order = _message_bounds_us(result)
        yield finding("note", "groups-against-order", grouped=(grouped, "us"),
                      order=(order, "us"), time=(result.chosen.time_s, "s"))  # fmt: skip


def _if_wrong(result: AggregationResult, severity: Severity) -> Finding | None:
    """The slowdown if errors of IPC below 100 % go against a choice before any run."""
    tried, chosen, one = result.learnt.tried[0], result.chosen, result.reference
    slower = {}
    for key, error in (("mean", tried.mean_error), ("most", tried.most_error)):
        if chosen is one or error >= 1 or result.runs:
            continue
        high, low = (0.0 if each.pattern.id in result.sampled else error for each in (chosen, one))
        time_s = chosen.compute_s * (1 + high) + chosen.communication_s
        first_s = one.compute_s * (1 - low) + one.communication_s
        slower[key] = (time_s / first_s - 1, "change")
    kind = "if-wrong" if "most" in slower else "if-wrong-mean"
    return finding(severity, kind, **slower, limit=_limit(result)) if slower else None


def _worked(result: AggregationResult) -> Iterator[Finding]:
    """How the time and the energy of the chosen pattern follow from what they are made of."""
    chosen, measured = result.chosen, result.measured
    bound_us, _ = _message_bounds_us(result)
    pattern, time_s = (chosen.pattern.id, "id"), result.run_s(chosen)
    yield finding(
        "note", "time-sum", pattern=pattern,
        instructions=(measured.program.instructions, "number"), ipc=_digits(chosen.ipc, 6),
        clock=(measured.clock_ghz, "GHz"), compute=_digits(chosen.compute_s, 6),
        share=_digits(1e6 * chosen.communication_s / bound_us if bound_us else 1.0, 3),
        messages=(bound_us, "us"), iterations=(measured.program.iterations, "count"),
        time=_digits(time_s, 7),
    )  # fmt: skip
    if chosen.energy_j is not None:
        nodes = result.nodes(chosen.pattern)
        yield finding(
            "note", "energy-sum", pattern=pattern, nodes=(nodes, "node"), time=_digits(time_s, 7),
            power=_digits(chosen.energy_j / nodes / time_s, 5), energy=(chosen.energy_j, "J"),
        )  # fmt: skip


def _digits(value: float, digits: int) -> tuple[float, str]:
    """A factor of a worked line: exact, with digits enough to give what is printed."""
    return float(f"{value:.{digits}g}"), "exact"


def _energy_off(result: AggregationResult) -> Iterator[Finding]:
    """The largest error of energy, which is known of simulated runs alone."""
    truths = result.truths
    off = [abs(each.energy_j / truths.outcomes[each.pattern.id].energy_j - 1)
           for each in result.candidates if truths and each.energy_j is not None]  # fmt: skip
    if off:
        yield finding("alternative", "energy-off", most=(max(off), "share"))


def _given(result: AggregationResult) -> Iterator[Fact]:
    """The settings."""
    settings = result.settings
    if result.measured.law:
        yield Fact("law", result.measured.law, "law")
    if settings.method not in HEURISTICS:
        yield Fact("choose", settings.choose, "choose")
    yield Fact("threshold", *_limit(result))
    yield Fact("grouping", settings.grouping, "grouping")
    yield Fact("objective", settings.objective, "objective")


def _inputs(result: AggregationResult) -> Iterator[Fact]:
    """The program and the node."""
    measured, values = result.measured, explained(result)
    program = measured.program
    yield Fact("ranks", program.traffic.tasks, "rank")
    yield Fact("memory", program.memory_gb, "GB")
    yield Fact("instructions", program.instructions, "number")
    yield Fact("iterations", program.iterations, "count")
    yield Fact("node", "x".join(map(str, measured.node)), "exact")
    yield Fact("sampled", result.sampled, "id")
    yield Fact("node_memory", measured.memory_gb, "GB")
    yield Fact("clock", measured.clock_ghz, "GHz")
    yield Fact("codes", len({run.code for run in measured.training}), "count")
    yield Fact("mean_ipc", values.mean_ipc, "ratio")
    yield Fact("pairs", values.pairs, "count")
    yield Fact("apart", values.apart, "count")
    if values.apart:
        yield Fact("constant", values.constant, "number")


def _questions(result: AggregationResult) -> tuple[Question, ...]:
    settings, chosen = result.settings, result.chosen
    wrong = _if_wrong(result, "note")
    every = ("patterns",) if _is_long(result) and result.refused else ()
    ranked = settings.choose == "rank" and result.decided.method not in HEURISTICS
    by_runs = bool(result.confirmed) or result.gives_up
    ignores = ranked and result.metered and not by_runs and not result.least_energy
    limited = ("messages-fitted" if result.runs else "messages",)
    messages = limited if result.truths is None else ("truth",)
    idle = ("if-idle",) if result.idle_w else ()
    paper = settings.objective == "paper"
    groups = ("groups",) if chosen.pattern.tasks > 1 else ()
    tried: tuple[Question, ...] = ()
    if result.runs:
        tried = (Question("tried", tables=("tried", "expected"),
                          texts=("tried",)),)  # fmt: skip
    return (
        *tried,
        Question("patterns", tuple(_worked(result)), tables=(*every, "predicted"),
                 texts=("patterns", *idle, *messages)),
        Question("groups", tuple(_sharing(result)) if groups else (), tables=groups),
        Question("errors", () if wrong is None else (wrong,), figures=("errors",),
                 texts=("errors",) if wrong is None else ("against", "errors")),
        Question("assumed", texts=(*(() if result.runs else ("added",)), "assumed",
                                   *(("by-rank",) if ignores else ()))),
        Question(
            "method", noted(dict(result.decided.choice.certificates).values()),
            tuple(_inputs(result)), tables=("terms", "power"),
            texts=("method", *(("method-cost",) if paper else ()), "method-slowdown"),
            equations=("ipc", "weights", *(("cost",) if paper else ()), "slowdown"),
        ),
    )  # fmt: skip


def _tables(result: AggregationResult) -> Iterator[Table]:
    seen = {"pattern": "id", "layout": "exact"}
    more = {"saving": "change", "processors": "count", "dies": "count", "cores": "count",
            "feasible": "flag", "tolerable": "flag", "chosen": "flag", "ipc_sampled": "flag",
            "ipc": "ratio", "compute_s": "s", "communication_bound_s": "s", "slowdown_s": "s",
            "run_s": "number", "slower_than_baseline": "change",
            "energy_ratio": "factor", "low": "change", "high": "change"}  # fmt: skip
    if result.truths is not None:
        more |= {"true_ipc": "ratio", "true_compute_s": "s", "true_communication_s": "s",
                 "true_run_s": "number", "true_slowdown": "change", "true_energy_j": "J",
                 "true_energy_error": "change", "true_saving": "change",
                 "true_energy_ratio": "factor", "true_best": "flag"}  # fmt: skip
    main = {**seen, "tasks_per_node": "count", "nodes": "node", "energy_j": "J",
            "energy_change": "change", "idle_energy_change": "change", "slowdown": "change",
            "basis": "basis",
            "within": "share chance", "choice": "choice", "why_not": "text"}  # fmt: skip
    # The layout says how many ranks share a node; after runs the page has no room for both.
    unseen = {"tasks_per_node"} if result.runs else {"basis", "within"}
    unseen |= set() if result.idle_w else {"idle_energy_change"}
    yield table("patterns", main | more, at="/patterns", hidden={*more, *unseen})
    if _is_long(result):
        yield table("decisive", main, _decisive(result), hidden=unseen)
    alone = _is_long(result) and not result.refused
    hidden: tuple[str, ...] = () if alone else ("slowdown", "energy_j")
    true: dict[str, str] = {}
    if result.truths is not None:
        hidden = ("compute_s", "communication_bound_s", "true_ipc")
        true = {"true_ipc": "ratio", "true_run_s": "number", "true_slowdown": "change",
                "true_energy_j": "J", "true_energy_error": "change"}  # fmt: skip
    yield table("predicted", {**seen, "ipc": "ratio", "ipc_sampled": "flag", "compute_s": "s",
                "communication_bound_s": "s", "run_s": "number", "slowdown": "change",
                "energy_j": "J", **true}, _of(result, "feasible"), hidden=hidden,
                labels={"communication_bound_s": "messages_fitted"} if result.runs else {},
                )  # fmt: skip
    yield table("in truth", {**seen, "ipc": "ratio", "true_communication_s": "s",
                "slowdown": "change", "energy_j": "J", "energy_ratio": "factor", "best": "flag"},
                _in_truth(result))  # fmt: skip
    yield table("drawn", {**seen, "energy_j": "J", "slowdown": "change", "low": "change",
                "high": "change", "choice": "choice"}, _drawn(result))  # fmt: skip
    groups = enumerate(result.chosen.groups.tolist())
    if result.runs:
        yield table("tried", {**seen, "runs": "count", "measured_s": "number", "spread": "share",
                    "measured_j": "J", "slowdown": "change", "predicted_s": "number",
                    "outcome": "outcome"}, tried_rows(result), hidden={"slowdown"})  # fmt: skip
        yield table("expected", {**seen, "slowdown": "change", "low": "change",
                    "high": "change", "within": "share chance", "saved_j": "J", "energy_j": "J"},
                    expected_rows(result), hidden={"energy_j"})  # fmt: skip
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
    yield table("power", {"part": "part", "watts": "W", "times": "number", "sum_w": "W"},
                _power(result), summed=("sum_w",))  # fmt: skip


def _is_long(result: AggregationResult) -> bool:
    """Whether the first page has the decisive patterns alone."""
    return len(pattern_rows(result)) > MOST_BARS


def _decisive(result: AggregationResult) -> Iterator[dict[str, Any]]:
    """The chosen pattern, all that the first page names, and those that ran."""
    shown = [result.chosen, result.reference, result.baseline, *_above(result)]
    following, run = _next_within(result), result.next_run
    shown += [] if following is None else [following]
    shown += [] if result.least_if_idle is None else [result.least_if_idle]
    shown += [] if run is None else [run.candidate]
    kept = {each.pattern.id for each in shown} | {run.pattern for run in result.runs}
    kept |= set() if result.choice is None else {result.choice.best}
    return (row for row in pattern_rows(result) if row["pattern"] in kept)


def _power(result: AggregationResult) -> Iterator[dict[str, Any]]:
    power = result.learnt.predictor.power
    if power is not None:
        known = told_apart(result.measured.node)
        times = parts_of(result.chosen.pattern.layout, result.chosen.ipc).tolist()
        parts = zip(_PARTS, power.coefficients.tolist(), times, known, strict=True)
        yield from ({"part": part, "watts": watts, "times": many, "sum_w": many * watts}
                    for part, watts, many, is_apart in parts if is_apart)  # fmt: skip


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
    """All patterns, or of many the reference and those of the largest predicted savings.

    The reference looks like others within the limit.
    """
    rows = [row | {"choice": "within"} if row["choice"] == "reference" else row
            for row in pattern_rows(result)]  # fmt: skip
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
    if result.confirmed:
        says = finding("note", "bars-run", pattern=pattern, slowdown=slowdown)
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
            "patterns", "bars", "drawn", "pattern",
            ("energy_j", "slowdown") if result.metered else ("slowdown",), series="choice",
            low="low", high="high",
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
        "answer": result.answer,
        "tried": tried_rows(result),
        "next_run": None
        if result.next_run is None
        else {
            "pattern": result.next_run.candidate.pattern.id,
            "within_limit": result.next_run.within,
            "saved_j": result.next_run.saved_j,
            "against": result.next_run.against.pattern.id,
        },
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
