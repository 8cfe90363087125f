"""What a choice of configurations states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.configurations import answers, rows
from planner.configurations.command import command, digest_of
from planner.configurations.doubts import of_answer, of_spreads
from planner.configurations.methods import HEURISTICS
from planner.configurations.risk import of_chosen
from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, cell, finding, noted, risks_of
from planner.formatting import unit_of_times
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, columns, table
from scenarios.measurements.runs import counts_memory, power_counts

if TYPE_CHECKING:
    from planner.configurations.best_configuration import ConfigurationAnswer
    from planner.configurations.degree import Degree
    from planner.configurations.result import ConfigurationResult
    from planner.configurations.table import Configuration
    from solvers import Certificate

Names = tuple[tuple[str, ...], str]


def study_of(result: ConfigurationResult) -> Study:
    """The study of a choice."""
    measured, one = result.measurements, len(result.answers) == 1
    bound, first = _bound(result), (result.answers[0].application, "text")
    title = finding("note", "question", application=first, bound=bound)
    if not one:
        title = finding("note", "question-many", applications=_count(result), bound=bound)
    seeds = () if result.prediction is None else (Fact("seeds", result.prediction.seeds, "id"),)
    return stated(
        result, _headline, _confidence, _asides, _risks, _next_steps, _questions, _tables, _figures,
        command="configure",
        title=title,
        data=_data(result),
        decision="choices" if one else "applications",
        provenance=provenance_of(command(result), digest_of(measured), *seeds),
    )  # fmt: skip


def _bound(result: ConfigurationResult) -> tuple[float, str]:
    return result.question.bound.bound_w, "W given"


def _of_runs(result: ConfigurationResult) -> str:
    """The unit of the run times of what was measured: that of the choices."""
    return unit_of_times(*(answer.chosen.time_s for answer in result.answers))


def _count(result: ConfigurationResult) -> tuple[int, str]:
    return len(result.answers), "application"


def _speedup(answer: ConfigurationAnswer, other: Configuration | None) -> float | None:
    """Time of another configuration over the best time."""
    gained = answer.gain_over(other)
    return None if gained is None else gained.speedup


def _headline(result: ConfigurationResult) -> Finding:
    if len(result.answers) > 1:
        return _headline_of_many(result)
    answer = result.answers[0]
    best, rule = answer.best, answer.by_rule
    who: dict[str, Any] = {
        "bound": (answer.question.bound.bound_w, "W given"),
        "application": (answer.application, "text"),
    }
    if rule is not None:
        chosen = rule.configuration
        who |= {"rule": (rule.method, "exact"), "chosen": (chosen.short, "exact"),
                "time": (chosen.time_s, "s")}  # fmt: skip
        if rule.slower:
            return finding("headline", "by-rule", **who, slower=(1 + rule.slower, "factor"))
        return finding("headline", "by-rule-fastest", **who)
    who |= {"best": (best.short, "exact"), "time": (best.time_s, "s")}
    packed, speedup = answer.packed_max, _speedup(answer, answer.packed_max)
    if best.predicted:
        return finding("headline", "predicted-best", **who)
    if packed is None or speedup is None:
        return finding("headline", "fastest", **who)
    if packed == best:
        return finding("headline", "is-packed", **who)
    if speedup == 1:
        return finding("headline", "as-packed", **who)
    return finding("headline", "faster", **who, speedup=(speedup, "multiple"))


def _headline_of_many(result: ConfigurationResult) -> Finding:
    bound, count = _bound(result), _count(result)
    if result.answers[0].by_rule is not None:
        rule = (result.answers[0].by_rule.method, "exact")
        slower = max(a.by_rule.slower for a in result.answers if a.by_rule is not None)
        values: dict[str, Any] = {"bound": bound, "applications": count, "rule": rule}
        if not slower:
            return finding("headline", "rule-fastest-of-many", **values)
        return finding("headline", "rule-of-many", **values, slower=(1 + slower, "factor up"))
    every = [(a, s) for a in result.answers if (s := _speedup(a, a.packed_max)) is not None]
    if not every:
        return finding("headline", "many", bound=bound, applications=count)
    if max(speedup for _, speedup in every) <= 1:
        fitting = ((len(every), count[0]), "of:application")
        return finding("headline", "packed-of-many", bound=bound, fitting=fitting)
    sure = [speedup for answer, speedup in every if not answer.unsteady(answer.packed_max)]
    speedups = sure if max(sure, default=0) > 1 else [speedup for _, speedup in every]
    values = {"bound": bound, "speedups": ((min(speedups), max(speedups)), "interval:multiple")}
    fitting = ((len(speedups), count[0]), "of:application")
    if result.predictions[1]:
        return finding("headline", "predicted-of-many", **values, fitting=fitting)
    nodes = [answer.best.nodes for answer in result.answers]
    cores = [answer.best.cores_per_node for answer in result.answers]
    values |= {"nodes": ((min(nodes), max(nodes)), "interval:node"),
               "cores": ((min(cores), max(cores)), "interval:core")}  # fmt: skip
    if len(speedups) == count[0]:
        return finding("headline", "faster-of-all", **values)
    return finding("headline", "faster-of-many", **values, fitting=fitting)


def _certificates(result: ConfigurationResult) -> Iterator[tuple[str, Certificate]]:
    """Those of the reference formulations, by the name of the solver."""
    for answer in result.answers:
        if answer.decided is not None and answer.decided.method not in HEURISTICS:
            yield from answer.decided.choice.certificates


def _confidence(result: ConfigurationResult) -> Iterator[Finding]:
    agreed = dict.fromkeys(
        (solver, certificate.status.value, certificate.level.value)
        for solver, certificate in _certificates(result)
    )
    for solver, status, level in agreed:
        yield finding("confidence", "reference-agrees", solver=(solver, "exact"),
                      status=(status, "status"), level=(level, "level"))  # fmt: skip
    yield answers.counted(result.runs, result.measurements.simulated, "confidence")
    every, predicted = result.predictions
    if not predicted:
        return
    model = (result.model, "model")
    yield finding(
        "confidence", "predicted", part=((predicted, every), "of:configuration"), model=model
    )
    guard = result.question.prediction_guard or result.question.bound.guard
    if guard:
        yield finding("confidence", "guarded", guard=(guard, "share given"))
    else:
        yield finding("confidence", "unguarded")
    run_first = any(answer.chosen.predicted for answer in result.answers)
    yield finding("confidence", "run-first" if run_first else "best-measured")


def _asides(result: ConfigurationResult) -> Iterator[Finding]:
    """Why, what else, and on which assumptions."""
    yield from answers.reasons(result)
    yield from answers.fastest_instead(result)
    yield from answers.saved(result, "alternative", answers.MOST_SAVED)
    if result.answers[0].by_rule is None:  # else it would be an alternative to itself
        yield from answers.least_lost(result, "alternative")
    yield finding("assumption", "alone")
    counts = "memory" if counts_memory(result.runs) else "packages"
    yield finding("assumption", "mean-power", counts=(counts, "counts"))
    yield finding("assumption", "counts-with",
                  repetition=(result.question.repetition, "repetition"))  # fmt: skip


def _risks(result: ConfigurationResult) -> Iterator[Finding]:
    """What may make the choice wrong."""
    yield from result.doubtful
    yield from risks_of(result.measurements.remarks)
    yield from (stated for _, stated in result.refused)
    for answer in result.answers:
        yield from of_answer(answer)
    best = [(answer.application, answer.best) for answer in result.answers]
    touched = dict.fromkeys(each.application for each in of_chosen(result.spreads, best))
    if touched:
        yield finding("risk", "slow-best", applications=(tuple(touched), "text"))
    yield from answers.overlapping(result)
    yield from of_spreads(result.spreads, result.measurements.simulated)


def _next_steps(result: ConfigurationResult) -> Iterator[Finding]:
    answers = result.answers
    if any(answer.chosen.predicted for answer in answers):
        yield finding("next step", "run-predicted")
        return
    if len(answers) == 1:
        chosen = answers[0].chosen
        yield finding(
            "next step", "use", nodes=(chosen.nodes, "node"), cores=(chosen.cores_per_node, "core"),
            cap=(chosen.package_cap_w, "W given"),
        )  # fmt: skip
    else:
        yield finding("next step", "use-table")
    once = _names(a for a in answers if a.risk is not None and a.risk.repetitions == 1)
    if once[0]:
        yield finding("next step", "repeat", applications=once)
    largest = [a for a in answers if a.best.nodes == int(a.table.nodes.max())]
    several = [a for a in largest if len(a.node_curve.nodes) > 1]
    single = _names(a for a in largest if len(a.node_curve.nodes) == 1)
    pays = _names(a for a in several if a.degree.fastest_pays)
    flat = _names(a for a in several if not a.degree.fastest_pays)
    if single[0]:
        yield finding("next step", "measure-other", applications=single)
    if pays[0]:
        yield finding("next step", "measure-more", applications=pays)
    if flat[0]:
        least = (result.question.least_gain, "share given")
        yield finding("next step", "little-more", applications=flat, gain=least)


def _names(answers: Iterator[ConfigurationAnswer]) -> Names:
    return tuple(answer.application for answer in answers), "text"


def _questions(result: ConfigurationResult) -> tuple[Question, ...]:
    one = len(result.answers) == 1
    predicted = ("predicted",) if result.predictions[1] else ("chosen",)
    degree = result.mix_degree if result.mix_degree is not None else result.answers[0].degree
    repeated = any(spread.known for spread in result.spreads)
    unsure, space = answers.is_unsure(result), rows.space(result)
    others = any(len(answer.near_optimal) > 1 for answer in result.answers)
    last = any("until_w" not in row for row in answers.ranges(result))
    return (
        Question("choices", tables=("choices" if one else "applications",), texts=("choices",)),
        Question("gains", findings=(*answers.gained(result), *answers.changes(result)),
                 tables=("at_bounds" if one else "around", "ranges"),
                 figures=("gains", "winners"),
                 texts=("gains", *(("gains-unsure",) if unsure else ()),
                        *(("ranges",) if last else ()))),
        Question("canonical", findings=tuple(answers.least_lost(result, "note")),
                 tables=() if one else ("losses",),
                 texts=("canonical", "canonical-unsure",
                        *(("canonical-grid",) if result.model else ()))),
        Question("near", findings=tuple(answers.near(result)), facts=tuple(_of_cap(result)),
                 tables=("near_optimal",) if others else (), figures=("space",),
                 texts=("near",) if len(space) > 1 else ()),
        Question("nodes", facts=tuple(_money(degree)), figures=("nodes",),
                 findings=(*_degree(degree, "fastest-nodes" if one else "mix-nodes"),
                           *answers.lines(result)),
                 tables=() if one else ("degree",), texts=("nodes", *_explained(result))),
        Question("models", tables=("model_errors", "model_decisions", "verified_decisions"),
                 figures=("models",), texts=("models",)),
        Question("runs", tables=("needed",), figures=("runs",), texts=("runs",)),
        Question("repetitions", findings=tuple(_variation(result)),
                 facts=(*answers.slow(result.spreads), *answers.slow_best(result)),
                 tables=("best runs", "repetitions", answers.slow_table(result.spreads)),
                 texts=("repetitions",) if repeated else ()),
        Question("measured", tables=("measured",),
                 findings=(answers.counted(result.runs, result.measurements.simulated, "note"),)),
        Question("limits", texts=("limits", "limits-predicted" if result.predictions[1]
                                  else "limits-measured")),
        Question("method", findings=noted(certificate for _, certificate in _certificates(result)),
                 facts=tuple(_rules(result)), texts=("method", *predicted),
                 equations=("best-configuration",)),
    )  # fmt: skip


def _explained(result: ConfigurationResult) -> Iterator[str]:
    """Texts on the nodes of several applications, or on the figure of one."""
    if len(result.answers) == 1:
        if len(result.answers[0].node_curve.nodes) > 1:
            yield "nodes-one"
        return
    yield "mix"
    yield "degree"
    degrees = [answer.degree for answer in result.answers]
    if any(each.marginal_nodes == each.largest_nodes for each in degrees):
        yield "no-knee"


def _of_cap(result: ConfigurationResult) -> Iterator[Fact]:
    socket = result.answers[0].socket_power
    if len(result.answers) == 1 and socket is not None:
        yield Fact("of_cap", socket.share, "share")


def _degree(degree: Degree, kind: str) -> Iterator[Finding]:
    """How many nodes pay."""
    yield finding("note", kind,
                  nodes=(degree.fastest_nodes, "node"), rated=(degree.worst_case_nodes, "count"),
                  )  # fmt: skip
    if degree.marginal_nodes < degree.largest_nodes:
        yield finding("note", "knee", knee=(degree.marginal_nodes, "node"),
                      gain=(degree.least_gain, "share given"))  # fmt: skip


def _money(degree: Degree) -> Iterator[Fact]:
    if degree.money_nodes is not None:
        yield Fact("money_nodes", degree.money_nodes, "node")


def _variation(result: ConfigurationResult) -> Iterator[Finding]:
    """By how much runs of the same configuration differ."""
    repeated = [each.slowdown for each in result.repeats if each.repeated]
    if repeated:
        every = np.concatenate(repeated)
        yield finding("note", "variation", median=(float(np.median(every)), "share"),
                      most=(float(every.max()), "share at most"))  # fmt: skip


def _rules(result: ConfigurationResult) -> Iterator[Fact]:
    question, node = result.question, result.question.node
    yield Fact("bound", *_bound(result))
    yield Fact("guard", question.bound.guard, "share given")
    if result.model:
        yield Fact("model", result.model, "model")
        yield Fact("prediction_guard", question.prediction_guard, "share given")
    yield Fact("repetition", question.repetition, "repetition")
    yield Fact("tolerance", question.tolerance, "share given")
    yield Fact("counts", "memory" if counts_memory(result.runs) else "packages", "counts")
    yield Fact("sockets", node.sockets, "count")
    yield Fact("socket_tdp", node.tdp_w, "W given")
    yield Fact("socket_memory", node.dram_max_w, "W given")
    yield Fact("node_maximum", node.power_w, "W given")
    if question.method != "engine":
        yield Fact("method", question.method, "exact")
    if result.mix is not None and len({*result.weights.values()} | {1.0}) > 1:
        weights = tuple(f"{a.application} {result.weights.get(a.application, 1.0):g}"
                        for a in result.answers)  # fmt: skip
        yield Fact("weights", weights, "text")


_CONFIGURATION = {"nodes": "count", "cores_per_node": "count", "package_cap_w": "W given"}
_CHOICES = {"packed_max": "packed-max", "packed_min": "packed-min", "spread_max": "spread-max",
            "spread_min": "spread-min", "worst_case": "worst case by rating"}  # fmt: skip
"""Common choices by the keys of their columns."""
_MEASURED = {**_CONFIGURATION, "time_s": "s", "power_w": "W in W"}


def _tables(result: ConfigurationResult) -> Iterator[Table]:
    one = len(result.answers) == 1
    who: dict[str, str] = {} if one else {"application": "text"}
    every = rows.tables(result)
    every["around"] = [] if one else answers.around(result, every.get("at_bounds", []))
    unsure = {"unsure": "flag"} if answers.is_unsure(result) else {}
    over = any(row["runs_over_bound"] for row in every.get("best runs", ()))
    at_bounds = {**who, "bound_w": "W given", "best": "exact", "best_time_s": "s",
                 "packed_max": "exact", "packed_max_time_s": "s",
                 "over_packed_max_speedup": "factor", "over_worst_case_speedup": "factor",
                 **unsure}  # fmt: skip
    again = {} if rows.all_repeated(result.repeats) else {"repeated": "count"}
    shown: dict[str, dict[str, str]] = {
        "compared": {**who, "what": "choice", "configuration": "exact", "time_s": "s",
                     "power_w": "W in W", "unused_fraction": "share",
                     "best_gains_speedup": "factor",
                     "best_gains_time_reduction": "change", "unsure": "flag", "reason": "reason"},
        "canonical": {**who, "bound_w": "W given", "what": "choice", "configuration": "exact",
                      "relative_performance": "share", "time_s": "s", "power_w": "W in W"},
        "at_bounds": at_bounds,
        "around": at_bounds,
        "near_optimal": {**who, "configuration": "exact", "time_s": "s", "slowdown": "share",
                         "power_w": "W in W", "unused_w": "W in W"},
        "nodes": {**who, "bound_w": "W given", **_MEASURED, "at_most_s": "s"},
        "degree": {**who, "fastest_nodes": "count", "fastest_degree": "factor", "knee": "count",
                   "money_nodes": "count"},
        "lines": {**who, "bound_w": "W given", "from_nodes": "count", "to_nodes": "count",
                  "slope_s_per_node": "number", "intercept_s": "number",
                  "largest_error": "share"},
        "winners": {**who, "from_w": "W in W", "configuration": "exact", "time_s": "s",
                    "power_w": "W in W"},
        "configurations": {**who, **_MEASURED, "within_bound": "flag"},
        "mix": {"nodes": "count", "relative_time": "ratio", "relative_at_most": "ratio"},
        "repetitions": {**who, "configurations": "count", **again,
                        "slowdown_median": "share", "slowdown_p90": "share",
                        "slowdown_largest": "share", "power_spread_largest": "share"},
        "best runs": {**who, "configuration": "exact", "runs": "count", "best_s": "s",
                      "median_s": "s", "worst_s": "s", "largest_power_w": "W in W up",
                      **({"runs_over_bound": "count"} if over else {})},
        "slow runs": {**who, "repeated_runs": "count", "slow_runs": "count",
                      "slower_by": "interval:share"},
        "stragglers": {**who, **_CONFIGURATION, "repetition": "id", "time_s": "s",
                       "best_time_s": "s", "ratio": "ratio"},
        "model_errors": {**who, "model": "model", "training": "exact", "time_median": "share",
                         "time_quartile_3": "share", "time_most": "share",
                         "power_median": "share", "power_most": "share"},
        "model_decisions": {**who, "model": "model", "guard": "share given",
                            "regret_mean": "share", "violations": "share",
                            "worst_excess": "share", "no_answer": "share"},
        "verified_decisions": {**who, "runs": "number", "regret_mean": "share",
                               "regret_most": "share", "violations": "share",
                               "worst_excess": "share", "no_answer": "share"},
        "verified_at_bounds": {**who, "bound_w": "W given", "regret": "share"},
        "runs_needed": {**who, "strategy": "strategy", "runs": "count",
                        "regret_median": "share", "violations": "share"},
        "needed": {**who, "strategy": "strategy", "runs": "count", "most_runs": "count",
                   "violations": "share"},
        "measured": rows.MEASURED | {"times_s": f"interval:{_of_runs(result)}"},
    }  # fmt: skip
    for name, units in shown.items():
        if found := every.get(name):
            seen = columns(
                found, units, bounded="flag", requested="flag", model="model", reason="reason"
            )
            yield Table(name, seen, tuple(found[: rows.MOST_ROWS]), total=len(found))
    compared = every["compared"]
    unknown = {key for key in ("unsure", "reason") if not any(row.get(key) for row in compared)}
    yield table("choices", {"what": "choice", "configuration": "exact", "time_s": "s",
                "power_w": "W in W", "unused_fraction": "share", "best_gains_speedup": "factor",
                "unsure": "flag", "reason": "reason"}, compared if one else (),
                hidden=unknown)  # fmt: skip
    best = [] if one else list(rows.applications(result))
    yield table("applications", {"application": "text", "best": "exact", **_CONFIGURATION,
                "time_s": "s",
                "power_w": "W in W", "unused_fraction": "share", "over_packed_max": "factor",
                "over_worst_case": "factor", "unsure": "flag"}, best,
                hidden={"best", *(() if any(row["unsure"] for row in best) else ("unsure",))},
                )  # fmt: skip
    yield table("losses", {"application": "text", **dict.fromkeys(_CHOICES, "factor")},
                [] if one else _losses(result))  # fmt: skip
    yield table("line spread", {"application": "text", "lines": "count",
                "bounds_w": "interval:W in W", "slopes_s_per_node": "interval:number",
                "intercepts_s": "interval:number"}, answers.line_rows(result))  # fmt: skip
    yield table("ranges", {"application": "text", "best": "exact", "from_w": "W in W",
                "until_w": "W in W", "then": "exact", "then_time_s": "s"},
                answers.ranges(result))  # fmt: skip
    yield from _drawn(result)


def _losses(result: ConfigurationResult) -> Iterator[dict[str, Any]]:
    for row in answers.losses(result):
        yield {"application": row["application"]} | {
            key: row[name] for key, name in _CHOICES.items()
        }


def _drawn(result: ConfigurationResult) -> Iterator[Table]:
    """The tables of figures."""
    yield table("gains drawn", {"application": "text", "bound_w": "W given", "speedup": "factor"},
                rows.gains(result))  # fmt: skip
    one = len(result.answers) == 1
    time, labels = ("s", {}) if one else ("ratio", {"time": "relative"})
    yield table("nodes drawn", {"series": "exact", "nodes": "count", "time": time},
                rows.time_over_nodes(result), labels=labels)  # fmt: skip
    yield table("space drawn", {"power_w": "W in W", "time_s": "s", "class": "class"},
                rows.space(result))  # fmt: skip
    yield table("models drawn", {"name": "exact", "median": "share", "most": "share"},
                rows.models(result))  # fmt: skip
    yield table("runs drawn", {"strategy": "strategy", "runs": "count", "regret": "share"},
                rows.regrets(result))  # fmt: skip


def _figures(result: ConfigurationResult) -> Iterator[Figure]:
    one = len(result.answers) == 1
    gains = [row["speedup"] for row in rows.gains(result)]
    if len(gains) > 1:
        span = ((min(gains), max(gains)), "interval:multiple")
        yield Figure("gains", "lines", "gains drawn", "bound_w", ("speedup",),
                     series="application", limits=(Limit("x", _bound(result)[0]),),
                     finding=finding("note", "speedups", speedups=span))  # fmt: skip
    if len({row["nodes"] for row in rows.time_over_nodes(result)}) > 1:
        yield Figure("nodes", "lines", "nodes drawn", "nodes", ("time",),
                     series="series" if one else "")  # fmt: skip
    if one and len(result.answers[0].table) > 1:
        answer = result.answers[0]
        inside = int(result.question.bound.holds(answer.table.charged_w).sum())
        part = ((inside, len(answer.table)), "of:configuration")
        yield Figure("space", "scatter", "space drawn", "power_w", ("time_s",), series="class",
                     finding=finding("note", "inside", configurations=part))  # fmt: skip
    if one and len(result.answers[0].curve.winners) > 1:
        yield Figure("winners", "lines", "winners", "from_w", ("time_s",), series="application")
    if result.prediction is not None:
        yield Figure("models", "intervals", "models drawn", "name", ("median",), high="most")
        yield Figure("runs", "lines", "runs drawn", "runs", ("regret",), series="strategy")


def _data(result: ConfigurationResult) -> dict[str, Any]:
    """The members of configure.json besides the study."""
    node = result.question.node
    plain: dict[str, Any] = {
        "measurements": {
            "name": result.measurements.name,
            "sha256": result.measurements.sha256,
            "runs": {name: len(runs) for name, runs in result.measurements.runs.items()},
        },
        "bound_w": result.question.bound.bound_w,
        "power_counts": power_counts(result.runs),
        "node_maximum": {
            "sockets": node.sockets,
            "tdp_w": node.tdp_w,
            "dram_max_w": node.dram_max_w,
            "power_w": node.power_w,
        },
        "model": result.model or None,
        "growth_rule": "grid" if result.model else "measured",
        "repetitions": [rows.spread_row(spread) for spread in result.spreads],
        "prediction": None if result.prediction is None else asdict(result.prediction),
    }
    if len(result.answers) == 1 and not result.refused:
        return plain | result.answers[0].to_dict()
    return plain | {
        "applications": {answer.application: answer.to_dict() for answer in result.answers},
        "refused": {name: cell(stated) for name, stated in result.refused},
        "weights": {a.application: result.weights.get(a.application, 1.0) for a in result.answers},
        "mix_of": [answer.application for answer in result.answers],
        "mix": None if result.mix is None else result.mix.to_dicts(),
        "mix_degree": None if result.mix_degree is None else result.mix_degree.to_dict(),
    }
