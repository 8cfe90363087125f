"""What a sharing states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from planner.configurations.answers import ALIKE, counted, slow, slow_table
from planner.configurations.command import digest_of
from planner.configurations.doubts import of_runs, of_socket, of_spreads
from planner.configurations.risk import of_chosen
from planner.configurations.rows import MEASURED, all_repeated, measured
from planner.configurations.sharing import rows
from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, finding, noted, risks_of
from planner.formatting import unit_of_times
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table, wide
from scenarios.measurements.runs import counts_memory, power_counts
from solvers import Status

if TYPE_CHECKING:
    from planner.configurations.sharing.result import SharingResult

MOST_ON_FIRST = 12
"""Jobs in the table of the first page."""
MOST_RULES = 2
"""Rules of thumb among the alternatives of the first page."""
TINY = 1e-5
"""Below a thousandth of a per cent, gaps are all alike."""


def study_of(result: SharingResult) -> Study:
    """The study of a sharing."""
    problem, settings = result.problem, result.settings
    jobs = (len(problem.jobs), "job")
    return stated(
        result, _headline, _confidence, _asides, _risks, _next_steps, _questions, _tables, _figures,
        command="share",
        title=finding("note", "question", bound=_bound(result), nodes=(problem.nodes, "node"),
                      jobs=jobs),
        data=_data(result),
        decision="jobs" if len(problem.jobs) <= MOST_ON_FIRST else "methods",
        provenance=provenance_of(
            command(result), digest_of(result.measurements) | dict(result.files),
            Fact("seed", settings.seed, "id"), Fact("gap", settings.gap, "share given"),
            *_limit(result),
        ),
    )  # fmt: skip


def _limit(result: SharingResult) -> Iterator[Fact]:
    if result.settings.time_limit_s is not None:
        yield Fact("time_limit", result.settings.time_limit_s, "s given")


def _bound(result: SharingResult) -> tuple[float, str]:
    return result.problem.bound.bound_w, "W given"


def command(result: SharingResult) -> tuple[str, ...]:
    """Words behind ``headroom``, with every option that matters spelled out."""
    problem, settings = result.problem, result.settings
    words = ["share", PurePath(result.measurements.name).name]
    words += ["--power-bound", f"{problem.bound.bound_w:.12g}", "--nodes", str(problem.nodes)]
    words += ["--objective", settings.goal.replace(" ", "-"), "--method", settings.method]
    words += ["--sockets", str(settings.sockets)]
    words += ["--repetition", settings.repetition, "--guard", f"{100 * problem.bound.guard:.12g}%"]
    words += ["--gap", f"{settings.gap:.12g}", "--seed", str(settings.seed)]
    if settings.time_limit_s is not None:
        words += ["--time-limit", f"{settings.time_limit_s:.12g}"]
    weights = [(job.name, job.weight) for job in problem.jobs]
    if weights != [(name, 1.0) for name in result.measurements.runs]:  # else as by default
        for name, weight in weights:
            words += ["--job", name if weight == 1 else f"{name}={weight:.12g}"]
    return (*words, *result.reading, "-o", "DIR")


def _unit(result: SharingResult) -> str:
    """The unit of the objective, throughout the report."""
    return unit_of_times(result.plan.value)


def _of_runs(result: SharingResult) -> str:
    """The unit of run times, throughout the report."""
    return unit_of_times(result.plan.makespan_s)


def _headline(result: SharingResult) -> Finding:
    values: dict[str, Any] = {
        "jobs": (len(result.problem.jobs), "job"), "value": (result.plan.value, _unit(result)),
        "bound": _bound(result),
    }  # fmt: skip
    kind = _minimised(result)
    worse = _worse(result)
    if not worse:
        return finding("headline", kind, **values)
    span = ((min(worse.values()), max(worse.values())), "interval:change")
    return finding("headline", f"{kind}-compared", **values, worse=span)


def _minimised(result: SharingResult) -> str:
    if result.plan.goal == "makespan":
        return "makespan"
    return "sum" if result.equal_weights else "weighted"


def _confidence(result: SharingResult) -> Iterator[Finding]:
    yield from _certainty(result)
    yield finding(
        "confidence", "power", power=(result.plan.power_w, "W in W"), bound=_bound(result)
    )


def _certainty(result: SharingResult) -> Iterator[Finding]:
    """How far the plan may be above the least possible."""
    own, above = result.plan.certificate, result.shared.above_bound(result.plan)
    if above is None:
        yield finding("confidence", "unknown")
        return
    best = next(each for each in result.certificates.values()
                if each.bound == result.shared.bound)  # fmt: skip
    level, more = (best.level.value, "level"), (max(above, TINY), "share at most")
    if above == 0:
        yield finding("confidence", "optimal", level=level)
    elif own is not None and own.status is Status.OPTIMAL:
        yield finding("confidence", "nearly", above=more, level=level)
    else:
        yield finding("confidence", "not-optimal", above=more, level=level)
    within = result.plan.within_deadline
    if within is not None and within.gap_relative is not None:
        gap = (max(within.gap_relative, TINY), "share at most")
        yield finding("confidence", "within-makespan", gap=gap)


def _asides(result: SharingResult) -> Iterator[Finding]:
    """Why, what else, and on which assumptions."""
    plan = result.plan
    yield _used(result, "reason")
    if plan.goal != "makespan":
        last = dict.fromkeys(name for name, each in result.chosen
                             if each.time_s == plan.makespan_s)  # fmt: skip
        yield finding("reason", "ends-last", applications=(tuple(last), "text"),
                      makespan=(plan.makespan_s, _of_runs(result)))  # fmt: skip
    worse = _worse(result)
    for name in sorted(worse, key=lambda each: worse[each])[:MOST_RULES]:
        yield _of_rule(result, name, "alternative")
    yield finding("assumption", "together")
    yield finding("assumption", "alone")
    counts = "memory" if counts_memory(result.runs.values()) else "packages"
    yield finding("assumption", "mean-power", counts=(counts, "counts"))


def _used(result: SharingResult, severity: Severity) -> Finding:
    """What the plan uses of power and nodes, and which of them limits it."""
    plan, problem = result.plan, result.problem
    bind = ("unknown",) if result.binding_limits is None else result.binding_limits or ("none",)
    return finding(
        severity, "binding", limits=(bind, "limit"), bound=_bound(result),
        share=(plan.power_w / problem.bound.bound_w, "share used"),
        nodes=((plan.nodes, problem.nodes), "of:node"),
    )  # fmt: skip


def _slowest(result: SharingResult) -> float:
    """The objective if every job takes its longest run."""
    worst = [seen.worst_s for seen in result.risks]
    if result.plan.goal == "makespan":
        return max(worst)
    pairs = zip(result.problem.jobs, worst, strict=True)
    return sum(job.weight * time_s for job, time_s in pairs)


def _worse(result: SharingResult) -> dict[str, float]:
    """How much more the objective of each rule of thumb is than that of the plan."""
    value = result.plan.value
    return {name: rule.value / value - 1 for name, rule in result.shared.rules.items() if value}


def _of_rule(result: SharingResult, name: str, severity: Severity) -> Finding:
    """How a rule of thumb compares with the plan."""
    rule = result.shared.rules[name]
    slower, most = rows.slowed(result.plan, rule)
    values: dict[str, Any] = {
        "rule": (name, "exact"), "worse": (_worse(result)[name], "change"),
        "minimised": (_minimised(result), "minimised"),
    }  # fmt: skip
    if not slower:
        return finding(severity, "rule", **values)
    return finding(severity, "rule-slower", **values, slower=(slower, "text"),
                   most=(most, "share at most"))  # fmt: skip


def _slow_jobs(result: SharingResult) -> Iterator[Fact]:
    """The applications of jobs whose configuration has a slow run."""
    if any(spread.stragglers for spread in result.spreads):
        slowed = {
            (s.application, s.configuration) for s in of_chosen(result.spreads, result.chosen)
        }
        touched = dict.fromkeys(
            name
            for name, each in result.chosen
            if (name, (each.nodes, each.cores_per_node, each.package_cap_w)) in slowed
        )
        if touched:
            yield Fact("slow_jobs", tuple(touched))


def _risks(result: SharingResult) -> Iterator[Finding]:
    """What may make the plan wrong."""
    yield from risks_of(result.measurements.remarks)
    bound_w = result.problem.bound.bound_w
    for (name, chosen), seen in dict(zip(result.chosen, result.risks, strict=True)).items():
        yield from of_runs(name, chosen, seen, bound_w)
    largest = result.problem.largest_power_w
    if result.problem.bound.never_limits(largest):
        yield finding("risk", "limits-nothing", bound=_bound(result), most=(largest, "W in W up"))
    if result.may_exceed:
        most = (result.largest_power_w, "W in W up")
        yield finding("risk", "may-exceed", most=most, bound=_bound(result))
    for name, chosen, power in result.socket_powers:
        yield from of_socket(name, chosen, power)
    certificate = result.plan.certificate
    if certificate is not None and certificate.status is not Status.OPTIMAL:
        yield finding("risk", "gap", requested=(result.settings.gap, "share given"))
    yield from result.shared.refused.values()
    yield from of_spreads(result.spreads, result.measurements.simulated)


def _next_steps(result: SharingResult) -> Iterator[Finding]:
    if result.may_exceed:
        yield finding("next step", "worst")
    yield finding("next step", "start")
    if any(seen.repetitions == 1 for seen in result.risks):
        yield finding("next step", "repeat")


def _questions(result: SharingResult) -> tuple[Question, ...]:
    few = len(result.problem.jobs) <= rows.MOST_SINGLE
    first = len(result.problem.jobs) <= MOST_ON_FIRST
    shown = () if first else ("jobs",) if few else ("alike",)
    goal = result.plan.goal
    by_bisection = goal == "makespan" and not result.settings.method.startswith("reference")
    repeated, runs = any(spread.known for spread in result.spreads), [*result.runs.values()]
    return (
        Question("jobs", tables=shown, figures=("times",) if result.shared.rules else ("watts",),
                 texts=("jobs",)),
        Question("rules",
                 tables=("methods",) if first else (),
                 texts=("rules",
                        *(() if _at_limit(result) else ("rules-limit",)),
                        *(("rules-mean",) if result.shared.rules and not few else ()))),
        Question("limits_of_power", findings=(_used(result, "note"),),
                 facts=tuple(_of_caps(result)), figures=("watts",), texts=("binding",)),
        Question("repetitions", findings=(_worst(result), *_variation(result)),
                 facts=(*_run_once(result), *slow(result.spreads), *_slow_jobs(result)),
                 tables=("chosen", "repetitions", slow_table(result.spreads)),
                 texts=("repetitions",) if repeated else ()),
        Question("measured", tables=("measured",),
                 findings=(counted(runs, result.measurements.simulated, "note"),)),
        Question("limits", texts=("limits",)),
        Question(
            "method", findings=noted(result.certificates.values()),
            facts=tuple(_rules(result)), tables=("certificates",),
            texts=("method", *(("bisection",) if by_bisection else ())),
            equations=("share-makespan" if goal == "makespan" else "share-time", "share-limits"),
        ),
    )  # fmt: skip


def _of_caps(result: SharingResult) -> Iterator[Fact]:
    """How far the caps of sockets are used."""
    shares = [(power.share, name, chosen) for name, chosen, power in result.socket_powers]
    for key, pick in (("least_of_cap", min), ("most_of_cap", max)):
        share, name, chosen = pick(shares, key=lambda each: each[0])
        note = finding("note", "of", application=(name, "text"),
                       configuration=(chosen.short, "exact"))  # fmt: skip
        yield Fact(key, share, "share", note)


def _worst(result: SharingResult) -> Finding:
    """What the plan takes if each job has its worst run."""
    values: dict[str, Any] = {
        "power": (result.largest_power_w, "W in W up"), "bound": _bound(result),
        "makespan": (max(seen.worst_s for seen in result.risks), _of_runs(result)),
    }  # fmt: skip
    if result.plan.goal == "makespan" or not result.plan.value:
        return finding("note", "worst-makespan", **values)
    worse = _slowest(result) / result.plan.value - 1
    minimised = (_minimised(result), "minimised")
    return finding("note", "worst-time", **values, worse=(worse, "change"), minimised=minimised)


def _variation(result: SharingResult) -> Iterator[Finding]:
    """By how much runs of the chosen configurations differ."""
    repeated = [seen for seen in result.risks if seen.repetitions > 1]
    if repeated:
        most = max(seen.worst_s / seen.best_s - 1 for seen in repeated)
        yield finding("note", "variation", most=(most, "share at most"))


def _run_once(result: SharingResult) -> Iterator[Fact]:
    pairs = zip(result.chosen, result.risks, strict=True)
    once = dict.fromkeys(name for (name, _), seen in pairs if seen.repetitions == 1)
    if once:
        yield Fact("run_once", tuple(once))


def _at_limit(result: SharingResult) -> bool:
    """Whether the plan is at the proven limit: then plan and limit compare alike."""
    return result.shared.above_bound(result.plan) == 0


def _rules(result: SharingResult) -> Iterator[Fact]:
    settings, bound = result.settings, result.problem.bound
    yield Fact("goal", settings.goal, "goal")
    yield Fact("method", settings.method, "method")
    yield Fact("bound", *_bound(result))
    yield Fact("guard", bound.guard, "share given")
    yield Fact("repetition", settings.repetition, "repetition")
    memory = counts_memory(result.runs.values())
    yield Fact("counts", "memory" if memory else "packages", "counts")
    yield Fact("sockets", settings.sockets, "count")
    if result.shared.bound is not None:
        yield Fact("proven_limit", result.shared.bound, _unit(result))


def _tables(result: SharingResult) -> Iterator[Table]:
    every = rows.tables(result)
    weight = {} if result.equal_weights else {"weight": "number"}
    run, objective = _of_runs(result), _unit(result)
    of_run = {"time_s": run, "power_w": "W in W", "share_of_bound": "share"}
    job = {
        "job": "id",
        "application": "text",
        **weight,
        "configuration": "exact",
        "nodes": "count",
        **of_run,
    }
    of_jobs = {name: job for name in every if name == "jobs" or name.startswith("jobs by ")}
    shown: dict[str, dict[str, str]] = {
        **of_jobs,
        "methods": {"method": "exact",
                    "weighted_time_s": unit_of_times(result.plan.weighted_time_s),
                    "makespan_s": run, "power_w": "W in W", "nodes": "count",
                    **({} if _at_limit(result) else {"above_the_bound": "share"}),
                    "worse": "change",
                    "slower": "count", "faster": "count", "largest_slowdown": "share at most",
                    "reason": "reason"},
        "certificates": {"what": "exact", "value": objective, "bound": objective,
                         "gap_relative": "share at most", "status": "status", "level": "level"},
        "repetitions": {"application": "text", "configurations": "count",
                        **({} if all_repeated(result.repeats) else {"repeated": "count"}),
                        "slowdown_median": "share", "slowdown_largest": "share"},
        "slow runs": {"application": "text", "repeated_runs": "count", "slow_runs": "count",
                      "slower_by": "interval:share"},
        "stragglers": {"application": "text", "nodes": "count", "cores_per_node": "count",
                       "package_cap_w": "W given", "time_s": run, "best_time_s": run,
                       "ratio": "ratio"},
    }  # fmt: skip
    sums = {"jobs": ("nodes", "power_w", "share_of_bound")}
    every["certificates"] = [row for row in every.get("certificates", ())
                             if row["what"].endswith(": plan")]  # fmt: skip
    for name, units in shown.items():
        if every.get(name):
            found = wide(name, every[name], units, above_the_bound="share")
            yield replace(found, summed=sums.get(name, ()))
    chosen = {"application": "text", "configuration": "exact"}
    many = len(result.problem.jobs) > rows.MOST_SINGLE
    risks = rows.risks(result)
    within = not any(row["runs_over_bound"] for row in risks)
    yield table("alike", {**chosen, "jobs": "count", **of_run},
                rows.alike(result.plan) if many else (),
                summed=("jobs", "power_w", "share_of_bound"))  # fmt: skip
    yield table("chosen", {**chosen, "runs": "count", "best_s": run, "median_s": run,
                "worst_s": run, "largest_power_w": "W in W up", "runs_over_bound": "count"},
                risks, hidden={"runs_over_bound"} if within else ())  # fmt: skip
    yield wide("measured", map(measured, result.runs.values()),
               MEASURED | {"times_s": f"interval:{run}"})  # fmt: skip
    yield table("times drawn", {"method": "exact", "job": "text", "time_s": run},
                rows.times(result))  # fmt: skip
    yield table("watts drawn", {"method": "exact", "part": "text", "power_w": "W in W"},
                rows.watts(result))  # fmt: skip


def _figures(result: SharingResult) -> Iterator[Figure]:
    if result.shared.rules:
        yield Figure("times", "dots", "times drawn", "job", ("time_s",), series="method",
                     finding=_objectives(result))  # fmt: skip
    yield Figure("watts", "stacks", "watts drawn", "method", ("power_w",), series="part",
                 limits=(Limit("x", result.problem.bound.bound_w, "bound"),),
                 finding=_draws(result))  # fmt: skip


def _objectives(result: SharingResult) -> Finding:
    """The objective of the plan and of each rule of thumb."""
    values = {"plan": result.plan.value} | {
        name: rule.value for name, rule in result.shared.rules.items()
    }
    return finding(
        "note", "objectives", minimised=(_minimised(result), "minimised"),
        methods=(tuple(values), "exact"), values=(tuple(values.values()), _unit(result)),
    )  # fmt: skip


def _draws(result: SharingResult) -> Finding:
    """Which applications draw most, and the share of the bound of each."""
    power_w: dict[str, float] = {}
    for name, configuration in result.chosen:
        power_w[name] = power_w.get(name, 0.0) + configuration.power_w
    most_w = max(power_w.values())
    most = tuple(name for name, each_w in power_w.items() if each_w >= most_w * (1 - ALIKE))
    share = (most_w / result.problem.bound.bound_w, "share")
    return finding("note", "draws-most", applications=(most, "text"), share=share)


def _data(result: SharingResult) -> dict[str, Any]:
    """The members of share.json besides the study."""
    bound = result.problem.bound
    return {
        "measurements": {"name": result.measurements.name, "sha256": result.measurements.sha256},
        "bound_w": bound.bound_w,
        "guard": bound.guard,
        "nodes": result.problem.nodes,
        "power_counts": power_counts(result.runs.values()),
        "asked": asdict(result.settings),
        "largest_power_w": result.largest_power_w,
        "of_runs": result.of_runs,
        **({"files": dict(result.files)} if result.files else {}),
        **result.shared.to_dict(),
    }
