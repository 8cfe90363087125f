"""What a comparison states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from planner.comparison.method import MethodKind
from planner.comparison.outcomes import BREAKS, MethodOutcome, exact
from planner.figure import Figure
from planner.finding import Fact, Finding, finding, risks_of
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, columns, filled, table

if TYPE_CHECKING:
    from planner.comparison.result import ComparisonResult, Summary

MOST_MISSING = 6
"""Methods in the table of gaps by instance."""
EXPLAINED = (
    "reference (CBC)", "reference (HiGHS)", "greedy", "equal shares", "greedy per money",
    "greedy per watt", "best single type", "order", "kl", "networkx-kl", "multilevel", "metis",
)  # fmt: skip
"""Methods of a known name: what they do is in the catalogue."""


def study_of(result: ComparisonResult) -> Study:
    """The study of a comparison."""
    more = (Fact(name, str(value), "text") for name, value in result.more_settings.items())
    return stated(
        result, _headline, _confidence, _facts, _risks, _next_steps, _questions, _tables, _figures,
        command="compare",
        title=finding("note", "question", decision=(result.decision.title, "decision")),
        data=_data(result),
        provenance=provenance_of(result.command, result.inputs, *more),
    )  # fmt: skip


def _judged(result: ComparisonResult, summary: Summary) -> tuple[tuple[int, int], str]:
    """On how many of all instances a method has a gap."""
    return (summary.judged, summary.instances), f"of:{result.decision.case}"


def _headline(result: ComparisonResult) -> Finding:
    if result.heuristics:
        first = result.heuristics[0]
        method, judged = (first.method, "exact"), _judged(result, first)
        if all(s.at_limit for s in result.summaries if not exact(s.kind)):
            count = (first.instances, result.decision.case)
            return finding("headline", "all-at-limit", instances=count)
        if first.worst_gap == 0:
            return finding("headline", "best-at-limit", method=method, judged=judged)
        gap = (first.worst_gap, "share at most")
        return finding("headline", "best-heuristic", method=method, gap=gap, judged=judged)
    known = [s for s in result.summaries if s.worst_gap is not None]
    if known:
        closest = min(known, key=lambda each: each.rank)
        return finding(
            "headline", "best-method", method=(closest.method, "exact"),
            gap=(closest.worst_gap, "share at most"), judged=_judged(result, closest),
        )  # fmt: skip
    if any(s.solved for s in result.summaries):
        return finding("headline", "no-limit")
    return finding("headline", "no-plan")


def _confidence(result: ComparisonResult) -> Finding:
    """Whether the exact methods agree, and at which level of their certificates."""
    case = result.decision.case
    if result.disagreements:
        part = (len({each.instance for each in result.disagreements}), len(result.instances))
        return finding("confidence", "at-odds", part=(part, f"of:{case}"))
    finished = [s.method for s in result.summaries if s.always_optimal]
    proving = tuple(s.method for s in result.summaries if s.always_optimal and s.always_proved)
    if not finished:
        return finding("confidence", "none-optimal")
    values: dict[str, Any] = {"methods": (tuple(finished), "exact")}
    if len(finished) > 1:
        values["instances"] = (len(result.instances), case)
        if proving:
            return finding("confidence", "agree-proved", **values, proving=(proving, "exact"))
        return finding("confidence", "agree", **values)
    if proving:
        return finding("confidence", "alone-proved", method=(finished[0], "exact"))
    return finding("confidence", "alone", method=(finished[0], "exact"))


def _facts(result: ComparisonResult) -> Iterator[Fact]:
    case, every = result.decision.case, len(result.instances)
    counted = f"interval:{result.decision.size.removesuffix('s')}"
    sizes = ((result.sizes[0], result.sizes[-1]), counted)
    of = finding("note", "sizes", sizes=sizes)
    if result.seeds:
        seeds = ((result.seeds[0], result.seeds[-1]), "interval:count")
        of = finding("note", "sizes-seeds", sizes=sizes, seeds=seeds)
    yield Fact("instances", every, case, of)
    heuristics = (s for s in result.summaries if not exact(s.kind))
    if at_limit := tuple(s.method for s in heuristics if s.at_limit):
        yield Fact("at_limit", at_limit, "exact")
    gaps = [o for o in result.outcomes if not exact(o.kind) and o.gap is not None]
    if gaps:
        worst = max(gaps, key=lambda each: each.gap or 0.0)
        where = finding("note", "where", method=(worst.method, "exact"),
                        instance=(worst.instance, "text"))  # fmt: skip
        yield Fact("largest_gap", worst.gap, "share at most", where)
    if result.heuristics:
        best = max(result.heuristics, key=lambda each: each.best_of_all)
        by = finding("note", "by", method=(best.method, "exact"))
        yield Fact("best_plan", (best.best_of_all, every), f"of:{case}", by)
    optimal = [each for each in result.outcomes if each.status == "optimal"]
    proved = [each for each in optimal if each.level == "proved"]
    for key, found in (("optimal", optimal), ("proved", proved)):
        yield Fact(key, (len({each.instance for each in found}), every), f"of:{case}")


def _risks(result: ComparisonResult) -> Iterator[Finding]:
    """Contradictions, and plans of exact methods that break a rule."""
    yield from risks_of(result.remarks)
    kind = "below-bound" if result.decision.minimised else "above-bound"
    for each in result.disagreements:
        yield finding(
            "risk", kind, instance=(each.instance, "text"), method=(each.method, "exact"),
            value=(f"{each.value:.10g}", "exact"), bound=(f"{each.bound:.10g}", "exact"),
            other=(each.other, "exact"),
        )  # fmt: skip
    for outcome in result.outcomes:
        if outcome.status == BREAKS and exact(outcome.kind):
            yield finding(
                "risk", "broken", instance=(outcome.instance, "text"),
                method=(outcome.method, "exact"), why=(outcome.note, "message"),
            )  # fmt: skip
    if len(result.instances) == 1:
        yield finding("risk", "one-instance")


def _next_steps(result: ComparisonResult) -> Iterator[Finding]:
    if result.disagreements:
        yield finding("next step", "report")
        return
    finished = [s for s in result.summaries if s.always_optimal]
    proving = [s for s in finished if s.always_proved]
    first = result.heuristics[0] if result.heuristics else None
    if first is not None and first.at_limit:
        yield finding("next step", "use-heuristic", method=(first.method, "exact"))
    elif finished:
        best, kind = (proving[0], "use-proved") if proving else (finished[0], "use-optimal")
        yield finding("next step", kind, method=(best.method, "exact"))
    elif first is not None and {*result.instances} - result.optimum_known:
        yield finding("next step", "more-time")


def _questions(result: ComparisonResult) -> tuple[Question, ...]:
    goal = "minimised" if result.decision.minimised else "maximised"
    objective = Fact(goal, result.decision.objective, "objective")
    return (
        Question("methods", facts=(objective,), tables=("explained",)),
        Question("growth", tables=("growth",)),
        Question("missing", tables=("missing",), texts=("missing",)),
        Question("answers", tables=("answers",), texts=("answers",)),
        Question("method", texts=("method",)),
    )


def _row(summary: Summary) -> dict[str, Any]:
    return {field.name: getattr(summary, field.name) for field in fields(summary)
            if field.name not in ("instances", "judged")}  # fmt: skip


def _tables(result: ComparisonResult) -> tuple[Table, ...]:
    labels = {"instance": result.decision.case, "size": result.decision.size, "nodes": "steps"}
    unknown = () if result.seeds else ("seed",)
    if not any(each.note for each in result.outcomes):
        unknown = (*unknown, "note")
    return filled((
        table("methods", {"method": "exact", "kind": "kind", "solved": "count", "optimal": "count",
              "proved": "count", "level": "level", "tolerance": "exact", "best_of_all": "count",
              "median_gap": "share", "worst_gap": "share at most"}, at="/methods"),
        table("growth", {"method": "exact", "kind": "kind", "size": "count", "instances": "count",
              "solved": "count", "mean_gap": "share", "worst_gap": "share at most"},
              at="/growth" if _varies(result) else "", labels=labels),
        table("explained", {"method": "exact", "level": "level", "does": "does"},
              ({"method": each.method, "level": each.level, "does": _does(result, each)}
               for each in result.summaries)),
        _missing(result),
        table("answers", {"instance": "text", "size": "count", "seed": "id", "method": "exact",
              "status": "answered", "level": "level", "objective": "value", "bound": "value",
              "gap": "share at most", "tolerance": "exact", "nodes": "count", "note": "message"},
              at="/answers", labels=labels, hidden=unknown),
    ))  # fmt: skip


def _varies(result: ComparisonResult) -> bool:
    return len(result.sizes) > 1 and any(not _reaches(each) for each in result.outcomes)


def _reaches(outcome: MethodOutcome) -> bool:
    return outcome.gap == 0


def _growth(result: ComparisonResult) -> list[dict[str, Any]]:
    """The gap at each size of the methods that miss the limit somewhere."""
    off = {each.method for each in result.outcomes if not _reaches(each)}
    return [asdict(row) for row in result.growth if row.method in off]


def _does(result: ComparisonResult, summary: Summary) -> str:
    """What a method does, by its name or its kind."""
    if summary.kind in (MethodKind.OWN, MethodKind.ROUNDING):
        return summary.kind
    if summary.method == "closed form":
        return f"closed form: {result.decision.title}"
    if summary.kind == MethodKind.HEURISTIC and summary.method.startswith("always "):
        return "always"
    return summary.method if summary.method in EXPLAINED else summary.kind


def _missing(result: ComparisonResult) -> Table:
    """Gaps of the methods that miss the limit somewhere, by instance."""
    off = [s.method for s in result.summaries if not s.at_limit][:MOST_MISSING]
    gaps = {(each.instance, each.method): each.gap for each in result.outcomes}
    rows = tuple(
        {"instance": instance, **{name: gaps.get((instance, name)) for name in off}}
        for instance in result.instances
    )
    several = off and len(rows) > 1
    shown = {"instance": "text", **dict.fromkeys(off, "share at most")}
    return Table("missing", columns(rows, shown), rows if several else ())


def _figures(result: ComparisonResult) -> Iterator[Figure]:
    off = tuple(s.method for s in result.summaries if s.worst_gap)
    if not off:
        return
    missing = finding("note", "off", methods=(off, "exact"))
    if _varies(result):
        yield Figure("growth", "lines", "growth", "size", ("mean_gap",), series="method",
                     scale={"x": "log"}, finding=missing)  # fmt: skip
    else:
        yield Figure("gaps", "intervals", "methods", "method", ("median_gap",), high="worst_gap",
                     finding=missing)  # fmt: skip


def _data(result: ComparisonResult) -> dict[str, Any]:
    """The members of compare.json besides the study."""
    growth = {"growth": _growth(result)} if _varies(result) else {}
    return {
        "settings": dict(result.settings),
        "methods": [_row(each) for each in result.summaries],
        **growth,
        "answers": result.answers(),
        "inputs": [{"name": name, "sha256": digest} for name, digest in result.inputs],
    }
