"""What a pairing states: its facts, findings, tables and figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.figure import Figure
from planner.finding import Fact, Finding, Severity, finding, noted, risks_of
from planner.sharing_nodes.pairs import rows
from planner.sharing_nodes.pairs.frontier import rising
from planner.sharing_nodes.pairs.intervals import spread_of
from planner.sharing_nodes.pairs.problem import MOST_MATCHED
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, filled, in_data, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.sharing_nodes.pairs.frontier import FrontierPoint
    from planner.sharing_nodes.pairs.groups import GroupPlan
    from planner.sharing_nodes.pairs.problem import PairingProblem
    from planner.sharing_nodes.pairs.result import ColocationResult

NO_GAP = 1e-9
"""Relative distance to the proven limit that is rounding alone."""
LEAST_POINTS = 3
"""Limits on the slowdown from which they are drawn."""
MOST_STEPS = 3
"""Pairs to measure that are next steps."""


def study_of(result: ColocationResult) -> Study:
    """The study of a pairing."""
    read = result.pair_table
    data, tables = in_data(filled(_tables(result)), *_IN_DATA)
    return stated(
        result, _headline, _confidence, _facts, _reasons, _alternatives, _assumptions, _risks,
        _next_steps, _questions, tables, _figures, command="colocate",
        title=finding("note", "question"),
        data=_data(result, data),
        decision="pairs alike" if result.plan.pairs else "policies",
        provenance=provenance_of(result.command, {read.name: read.sha256}, *_settings(result)),
    )  # fmt: skip


def _settings(result: ColocationResult) -> Iterator[Fact]:
    settings, rules = result.pairing_settings, result.pairing_settings.rules
    yield Fact("share", settings.share, "share given")
    yield Fact("draws", settings.draws, "count")
    yield Fact("seed", settings.seed, "id")
    yield Fact("unmeasured", "predicted" if settings.predict else "never", "unmeasured")
    if rules is not None:
        yield Fact("size", rules.size, "job")
        yield Fact("balanced", rules.balanced, "flag")
        yield Fact("solver", settings.solver, "exact")
    yield Fact("jobs", result.plan.problem.jobs, "count")
    yield Fact("applications", len({*result.plan.problem.names}), "count")
    yield Fact("measured_pairs", result.pair_table.pairs, "count")
    yield Fact("least_gain", settings.least_gain, "share given")
    yield Fact("least_speed", settings.least_speed, "share given")
    for memory in settings.memories:
        name = "node_memory" if memory.kind == "memory" else "node_gpu_memory"
        yield Fact(name, memory.node_gb, "GB")


def _headline(result: ColocationResult) -> Finding:
    plan = result.plan
    if not plan.pairs:
        if plan.problem.too_large.any():
            return finding("headline", "alone-memory")
        if plan.problem.left_out:
            return finding("headline", "alone-limits")
        return finding("headline", "alone", basis=_basis(result))
    run = {"nodes": (len(plan.pairs), "node"), "more": (plan.gain / len(plan.pairs), "share"),
           "slowdown": _slowest(plan.max_slowdown)}  # fmt: skip
    first, *others = rows.alike(result)
    if not others:
        pair = {"a": (first["a"], "text"), "b": (first["b"], "text")}
        return finding("headline", "share-pair", **pair, **run)
    jobs = ((2 * len(plan.pairs), plan.problem.jobs), "of:job")
    return finding("headline", "share", jobs=jobs, **run)


def _slowest(slowdown: float) -> tuple[float, str]:
    """A slowdown that no job exceeds."""
    return slowdown, "factor up"


def _confidence(result: ColocationResult) -> Iterator[Finding]:
    """The certificate of the pairing, and what the limits leave out."""
    plan, certificate = result.plan, result.matching.certificate
    memory = bool(result.pairing_settings.memories)
    among = {"basis": _basis(result), "within": ("memory" if memory else "limits", "within")}
    if certificate.bound is None or (plan.pairs and certificate.gap_relative is None):
        yield finding("confidence", "unproved")
    elif plan.pairs and (certificate.gap_relative or 0.0) < NO_GAP:
        yield finding("confidence", "optimal", **among, gain=(plan.gain, "number"))
    elif plan.pairs:
        bound = (certificate.bound, "value")
        yield finding("confidence", "near", **among, gain=(plan.gain, "value"), bound=bound)
    if plan.problem.left_out and not plan.pairs:
        yield _left_out(result, "confidence")
    if not plan.pairs:
        yield from _too_large(result, "confidence")


def _basis(result: ColocationResult) -> tuple[str, str]:
    """The pairs among which jobs were matched."""
    return "predicted" if result.guesses.used else "measured", "basis"


def _left_out(result: ColocationResult, severity: Severity) -> Finding:
    """Pairs of applications that gain but break a limit, the largest gain first."""
    pairs = _named(result.plan.problem, result.plan.problem.excluded)
    return finding(severity, "left-out", pairs=(pairs, "text"), **_kept(result))


def _too_large(result: ColocationResult, severity: Severity) -> Iterator[Finding]:
    """Pairs of applications that gain but do not fit on a node, the largest gain first."""
    pairs = _named(result.plan.problem, result.plan.problem.too_large)
    if pairs:
        yield finding(severity, "too-large", pairs=(pairs, "text"))


def _named(problem: PairingProblem, pairs: NDArray[np.bool_]) -> tuple[str, ...]:
    names = [*dict.fromkeys(problem.names)]
    places = sorted(np.argwhere(pairs).tolist(),
                    key=lambda at: -problem.kind_gain[at[0], at[1]])  # fmt: skip
    return tuple(f"{names[a]}+{names[b]}" for a, b in places)


def _kept(result: ColocationResult) -> dict[str, tuple[float, str]]:
    """The limits of each pair."""
    settings = result.pairing_settings
    return {"gain": (settings.least_gain, "share given"),
            "speed": (settings.least_speed, "share given")}  # fmt: skip


def _facts(result: ColocationResult) -> Iterator[Fact]:
    plan = result.plan
    if not plan.pairs:
        yield Fact("alone", len(plan.alone), "job")
        return
    work = (len(plan.pairs) + plan.gain, "number")
    yield Fact("gain", plan.gain, "number",
               finding("note", "work", nodes=(len(plan.pairs), "node"), work=work))  # fmt: skip
    yield Fact("nodes", plan.nodes, "node",
               finding("note", "freed", nodes=(len(plan.pairs), "node")))  # fmt: skip


def _reasons(result: ColocationResult) -> Iterator[Finding]:
    """What each shared node gains, and why other jobs run alone."""
    plan = result.plan
    if not plan.pairs:
        return
    if len(plan.pairs) > 1:
        yield finding("reason", "each-gains", least=(min(plan.gains), "share at least"))
    alone = Counter(plan.problem.names[job] for job in plan.alone)
    if alone and all(plan.problem.names.count(name) == 1 for name in alone):
        yield finding("reason", "alone-each", names=(tuple(alone), "text"))
    elif alone:
        yield finding("reason", "applications-alone", names=(tuple(alone), "text"),
                      jobs=(tuple(alone.values()), "count"))  # fmt: skip
    if plan.problem.left_out:
        yield _left_out(result, "reason")
    yield from _excluded(result)
    yield from _too_large(result, "reason")


def _excluded(result: ColocationResult) -> Iterator[Finding]:
    """The pair of largest gain that breaks a limit, if it gains more than a chosen one."""
    problem = result.plan.problem
    names = [*dict.fromkeys(problem.names)]
    gains = np.where(problem.excluded, problem.kind_gain, -np.inf)
    a, b = (int(at) for at in np.unravel_index(gains.argmax(), gains.shape))
    if gains[a, b] > min(result.plan.gains):
        yield finding(
            "reason", "excluded", a=(names[a], "text"), b=(names[b], "text"),
            gain=(float(gains[a, b]), "share"),
            speed=(1 / float(problem.kind_slowdown[a, b]), "share"),
            least=(problem.least_speed, "share given"),
        )  # fmt: skip


def _alternatives(result: ColocationResult) -> Iterator[Finding]:
    """Simpler ways to pair, and the next lower limit on the slowdown."""
    plan = result.plan
    if not plan.pairs:
        return
    for kind, policy in (("first-fit", "first fit"), ("random-pairs", "random")):
        row = result.outcome(policy)
        if row is not None:
            yield finding(
                "alternative",
                kind,
                gain=(row.gain, "number"),
                own=(plan.gain, "number"),
                slowdown=_slowest(row.max_slowdown),
            )
    yield from _next_limit(result, "alternative")


def _assumptions(result: ColocationResult) -> Iterator[Finding]:
    """What would change the pairing."""
    yield finding("assumption", "as-measured")
    if not result.plan.problem.left_out:
        yield finding("assumption", "limits-kept", **_kept(result))


def _next_limit(result: ColocationResult, severity: Severity) -> Iterator[Finding]:
    limit = result.limited
    if limit is not None:
        at, share = _slowest(_printed_limit(limit)), (limit.share, "share")
        yield finding(severity, "next-limit", limit=at, share=share)


def _printed_limit(point: FrontierPoint) -> float:
    """A limit in three decimals; rounded down, it would exclude its own plan."""
    return math.ceil(1000 * point.limit) / 1000


def _risks(result: ColocationResult) -> Iterator[Finding]:
    """Doubtful input, predictions, and what was left out."""
    yield from risks_of(result.pair_table.remarks)
    used = {memory.kind for memory in result.pairing_settings.memories}
    if unused := tuple(kind for kind in result.pair_table.needs if kind not in used):
        yield finding("risk", "memory-unused", memories=(unused, "memory"))
    if result.matching.rejected:
        yield finding("risk", "rejected", engine=(result.matching.certificate.solver, "exact"),
                      why=(result.matching.rejected, "rejected"))  # fmt: skip
    predicted = sum(bool(row["predicted"]) for row in result.rows)
    if predicted and result.guesses.prediction is not None:
        error = (math.expm1(result.guesses.prediction.error), "share")
        yield finding("risk", "predicted", pairs=((predicted, len(result.rows)), "of:pair"),
                      error=error)  # fmt: skip
    if not any(row.policy.startswith("bottleneck") for row in result.outcomes):
        jobs = result.plan.problem.jobs
        parts = ("bottleneck", "limits", *(("next",) if jobs > MOST_MATCHED else ()))
        yield finding("risk", "too-many", jobs=(jobs, "job"), parts=(parts, "parts"))
    if result.guesses.used and result.guesses.prediction is None:
        yield finding("risk", "no-prediction")
    if result.groups is not None and result.groups.rules.size > 2:
        yield finding("risk", "groups-predicted")
    if result.plan.pairs and not result.guesses.used and spread_of(result.pair_table) is None:
        yield finding("risk", "measured-once-pairs")
    if result.plan.pairs and result.plan.max_slowdown > 1:
        yield finding("risk", "slower", slowdown=_slowest(result.plan.max_slowdown))


def _next_steps(result: ColocationResult) -> Iterator[Finding]:
    yield from _to_measure(result, MOST_STEPS)
    if result.plan.pairs:
        if result.plan.max_slowdown > 1:
            yield finding("next step", "tell-users")
        yield finding("next step", "compare")


def _to_measure(result: ColocationResult, most: int) -> Iterator[Finding]:
    for probe in result.guesses.probes[:most]:
        yield finding("next step", "measure", a=(probe.a, "text"), b=(probe.b, "text"),
                      most=(probe.could_add, "number up"))  # fmt: skip


def _of_pairs(result: ColocationResult) -> Iterator[Finding]:
    """How much slower jobs run that share."""
    if result.plan.pairs:
        times = [row[key] for row in result.rows for key in ("slowdown_a", "slowdown_b")]
        mean = (math.fsum(times) / len(times), "multiple")
        most = _slowest(result.plan.max_slowdown)
        yield finding("note", "jobs-take", mean=mean, most=most)
        gain = max(row["gain"] for row in result.rows)
        yield finding("note", "gain-means", gain=(gain, "number"), more=(gain, "share"))


def _at_limits(result: ColocationResult) -> Iterator[Finding]:
    """The only limit on the slowdown that leaves pairs, where there is but one."""
    points = rising(result.frontier)
    yield from _next_limit(result, "note")
    if len(points) == 1:
        limit = _slowest(_printed_limit(points[0]))
        yield finding("note", "one-limit", limit=limit, share=(points[0].share, "share"))


def _questions(result: ColocationResult) -> tuple[Question, ...]:
    policies = [f"way-{row.policy}" for row in result.outcomes if row.policy in _WAYS]
    predicted = ("predicted",) if result.guesses.used else ()
    grouped = ("groups",) if result.groups is not None else ()
    of_groups = None if result.groups is None else result.groups.certificate
    once = len(rows.alike(result)) == len(result.rows)
    gaps = result.plan.pairs and any(row["lost"] is None for row in rows.cells(result))
    several = len(rising(result.frontier)) > 1
    ways = _ways(result) if result.plan.pairs else None
    at_limits = tuple(_at_limits(result))
    return (
        Question("pairs", (*_of_pairs(result), *(() if several else at_limits)),
                 tables=("pairs alike" if once else "shared_nodes",), figures=("degradation",),
                 texts=("pairs", *(("gaps",) if gaps else ()))),
        Question("policies", () if ways is None else (ways,),
                 tables=("policies alike",) if result.plan.pairs else (), texts=tuple(policies)),
        Question("limits", at_limits if several else (), tables=("rising", "limited"),
                 figures=("frontier",), texts=("limits",) if several else ()),
        Question("groups", facts=tuple(_of_groups(result)), tables=("groups_of_jobs",)),
        Question("next", tuple(_to_measure(result, 1)), tables=("measure_next",),
                 texts=("next",)),
        Question("method", noted([result.matching.certificate, of_groups]),
                 texts=("method", *predicted, *grouped)),
    )  # fmt: skip


_WAYS = (
    "random", "first fit", "greedy best pair", "matching", "bottleneck: least slowdown",
    "bottleneck: greatest least gain", "robust",
)  # fmt: skip


def _of_groups(result: ColocationResult) -> Iterator[Fact]:
    groups = result.groups
    if groups is None:
        return
    yield Fact("groups_gain", groups.gain, "number")
    yield Fact("groups_status", groups.certificate.status.value, "status")
    if groups.certificate.gap_relative is not None:
        yield Fact("groups_gap", groups.certificate.gap_relative, "share at most")


def _tables(result: ColocationResult) -> Iterator[Table]:
    pair = {"a": "text", "b": "text"}
    point = {"limit": "factor", "gain": "number", "share": "share", "pairs": "count"}
    speeds = {"gain": "number", "slowdown_a": "factor", "slowdown_b": "factor", "predicted": "flag"}
    hidden = () if result.guesses.used else ("predicted",)
    rises = rising(result.frontier)
    alike = rows.alike(result)
    once = {"pairs"} if len(alike) == len(result.rows) else set()
    yield table("pairs alike", {**pair, "pairs": "count", **speeds}, alike,
                hidden={*hidden, *once}, summed=("pairs",))  # fmt: skip
    way = {"policy": "way", "gain": "number", "optimal_share": "share", "max_slowdown": "factor",
           "largest_discount": "share", "smallest_gain": "number", "pairs": "count",
           "nodes": "count", "note": "found"}  # fmt: skip
    unseen = {"note", "largest_discount"}
    yield table("policies", way, at="/policies", hidden=unseen)
    yield table("policies alike", {key: unit for key, unit in way.items() if key not in unseen},
                rows.policies_alike(result) if result.plan.pairs else ())  # fmt: skip
    yield table("shared_nodes", pair | speeds, result.rows, hidden=hidden)
    yield table("groups_of_jobs", {"jobs": "text", "gain": "number", "max_slowdown": "factor"},
                result.group_rows)  # fmt: skip
    yield table("frontier", point, result.frontier)
    yield table("rising", point, rises if len(rises) > 1 else ())
    yield table("limited", pair, _limited(result))
    yield table("measure_next", pair | {"predicted_gain": "number", "could_add": "number"},
                map(asdict, result.guesses.probes))  # fmt: skip
    yield table("cells", {"job": "text", "partner": "text", "lost": "share", "chosen": "flag"},
                rows.cells(result) if result.plan.pairs else ())  # fmt: skip


_IN_DATA = ("shared_nodes", "groups_of_jobs", "frontier", "measure_next")


def _limited(result: ColocationResult) -> Iterator[dict[str, Any]]:
    """The pairs at the next lower limit."""
    names = result.plan.problem.names
    if result.limited is not None:
        for a, b in result.limited.matches:
            yield {"a": names[a], "b": names[b]}


def _figures(result: ColocationResult) -> Iterator[Figure]:
    if not result.plan.pairs:
        return
    slowest = rows.alike(result)[0]
    worst = _slowest(max(slowest["slowdown_a"], slowest["slowdown_b"]))
    yield Figure(
        "degradation", "map", "cells", "partner", ("lost",), across="job", marked="chosen",
        finding=finding("note", "slowest-pair", a=(slowest["a"], "text"), b=(slowest["b"], "text"),
                        slowdown=worst),
    )  # fmt: skip
    if len(rising(result.frontier)) >= LEAST_POINTS:
        yield Figure("frontier", "lines", "rising", "limit", ("gain",))


def _ways(result: ColocationResult) -> Finding | None:
    """What the simple ways gain, where both were tried."""
    simple = {name: result.outcome(policy)
              for name, policy in (("first", "first fit"), ("random", "random"))}  # fmt: skip
    gains = {name: (row.gain, "number") for name, row in simple.items() if row is not None}
    if len(gains) < len(simple):
        return None
    return finding("note", "ways", gain=(result.plan.gain, "number"), **gains)


def _data(result: ColocationResult, rows_of_tables: dict[str, Any]) -> dict[str, Any]:
    """The members of colocate.json besides the study."""
    names, certificate = result.plan.problem.names, result.matching.certificate
    limited = result.limited
    return {
        "pairs": [[names[a], names[b]] for a, b in result.plan.pairs],
        "alone": [names[job] for job in result.plan.alone],
        "gain": result.plan.gain,
        "bound": certificate.bound,
        "gap": certificate.gap_relative,
        "policies": [asdict(row) for row in result.outcomes],
        "settings": {
            "pair table": result.pair_table.name,
            "jobs": result.plan.problem.jobs,
            "applications": len({*names}),
            "measured pairs": result.pair_table.pairs,
            **result.pairing_settings.words(),
        },
        **rows_of_tables,
        "max_slowdown": result.plan.max_slowdown,
        "least_gain": result.pairing_settings.least_gain,
        "least_speed": result.pairing_settings.least_speed,
        "pairs_left_out": result.plan.problem.left_out,
        **({} if limited is None else {"limited": {
            "limit": limited.limit, "pairs": [[names[a], names[b]] for a, b in limited.matches],
        }}),
        **({} if result.groups is None else {"groups": _groups(result.groups)}),
        "certificate": certificate.to_dict(),
        "table": {"name": result.pair_table.name, "sha256": result.pair_table.sha256},
    }  # fmt: skip


def _groups(plan: GroupPlan) -> dict[str, Any]:
    names, certificate = plan.problem.names, plan.certificate
    return {
        "groups": [[names[job] for job in group] for group in plan.groups],
        "alone": [names[job] for job in plan.alone],
        "gain": plan.gain,
        "bound": certificate.bound,
        "gap": certificate.gap_relative,
        "certificate": certificate.to_dict(),
    }
