"""What a comparison of power-aware policies states: its facts, findings, tables and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, finding, risks_of
from planner.scheduling.power import rows
from planner.scheduling.power.few_jobs import room_at_submission, single_job
from planner.scheduling.power.ilp.naming import ilp_name
from planner.scheduling.power.registry import LENDING
from planner.scheduling.power.result import EQUAL
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table
from scenarios.job_logs.poisson import MEAN_GAP_S, NODES

if TYPE_CHECKING:
    from planner.scheduling.power.result import ScheduleResult

SCARCE = 0.8
"""Charged share of a power bound from which on power counts as scarce."""
IDLE = 0.2
"""Mean use of the bound, under every policy, below which a cluster counts as mostly idle."""
FEW_SEEDS = 5
"""Seeds that a difference needs at the least."""
MOST_NAMED = 6
"""Policies that a headline on several seeds names."""
MOST_ALTERNATIVES = 2
"""Policies behind the best one on the first page; the reference is one more."""
MOST_ON_PAGE, MOST_ON_PAPER = 12, 40
"""Rows of a table on the page of its question, and on paper."""


def study_of(result: ScheduleResult) -> Study:
    """The study of a comparison."""
    data, few = rows.tables(result), rows.choices(result)
    tables = tuple(_tables(result, data, few))
    jobs, left_out = rows.runs(result)
    seeds = Fact("seeds", tuple(sorted({run.seed for run in result.outcomes})), "id")
    settings = {"settings": dict(result.settings)}
    return stated(
        result, _headline, _confidence, _facts, _reasons, _alternatives, _assumptions, _risks,
        _next_steps,
        _questions(result, tables, data, few=bool(few)), tables, _figures(result, tables),
        command="schedule",
        title=finding("note", "title", title=(result.title, "text")),
        data=settings | data | {"policies": jobs, "jobs_left_out": left_out},
        decision="choices" if few else "policies_overall",
        provenance=provenance_of(
            result.command, (*result.scenario.provenance.files, *result.files), seeds
        ),
    )  # fmt: skip


def _headline(result: ScheduleResult) -> Finding:
    """The policy of the shortest turnaround, as far as that is shown."""
    ranking, tied, reference = result.ranking, result.tied, (result.reference, "policy")
    if len(ranking) < 2:
        return _uncompared(result)
    (best, ratio), (second, next_ratio) = ranking[:2]
    several, many = result.seeds > 1, result.seeds > 1 and len(tied) > MOST_NAMED
    values: dict[str, Any] = {"policies": (tied, "policy")}
    if result.reference in tied and len(tied) > 1:
        if not several:
            return finding("headline", "equal-chance" if result.by_chance else "equal", **values)
        seeds = (result.seeds, "seed")
        if math.isclose(ratio.mean, 1.0, rel_tol=EQUAL):
            return finding("headline", "keep", reference=reference, seeds=seeds)
        return finding("headline", "provisional", best=(best, "policy"), seeds=seeds,
                       more=(_more_seeds(result), "count"),
                       change=(ratio.mean - 1, "change"))  # fmt: skip
    is_reference = best == result.reference
    mean = 1 / next_ratio.mean if is_reference else ratio.mean
    if many:
        values = {"number": (len(tied), "policies")}
    values["change"] = (mean - 1, "change")
    values["other"] = (second, "policy") if is_reference else reference
    if many:
        return finding("headline", "shortest-many", best=(best, "policy"), **values)
    kind = "shortest-tied" if several and len(tied) > 1 else "shortest"
    return finding("headline", "shortest-chance" if result.by_chance else kind, **values)


def _more_seeds(result: ScheduleResult) -> int:
    """Seeds that may tell policies apart which tie now."""
    return max(FEW_SEEDS, 2 * result.seeds)


def _uncompared(result: ScheduleResult) -> Finding:
    """That no job ran, or none under two policies."""
    reference = (result.reference, "policy")
    if len(result.ranking) == len(result.policies):
        return finding("headline", "alone", policy=reference)
    if result.ranking:
        return finding("headline", "none-both", reference=reference)
    if any(run.mean_turnaround_s is not None for run in result.outcomes):
        return finding("headline", "none-under", reference=reference)
    return finding("headline", "none-ran")


def _confidence(result: ScheduleResult) -> Iterator[Finding]:
    """Seeds, tests and checks that the figures rest on."""
    yield finding(
        "confidence", "simulated", seeds=(result.seeds, "count"), logs=(len(result.logs), "count"),
        bounds=(len(result.bounds_w), "count"),
    )  # fmt: skip
    if result.by_chance:
        yield finding("confidence", "one-seed")
    elif result.seeds > 1 and not result.varies:
        yield finding("confidence", "no-chance")
    elif result.seeds > 1 and len(result.ranking) > 1:
        yield finding("confidence", "tested")


def _facts(result: ScheduleResult) -> Iterator[Fact]:
    """The tiles: the best policy next to the reference, or the only one."""
    policy = result.subject
    mine, alone, name = result.of(policy), policy == result.reference, (policy, "policy")
    under = finding("note", "under", policy=name)
    if not alone and mine.ratio is not None:
        note = finding("note", "against", policy=name, reference=(result.reference, "policy"))
        if mine.low is not None and mine.high is not None:
            ends = ((mine.low - 1, mine.high - 1), "interval:change")
            note = finding("note", "against-within", policy=name, interval=ends,
                           reference=(result.reference, "policy"))  # fmt: skip
        yield Fact("turnaround", mine.ratio - 1, "change", note)
    value, other = _longest_wait(result, policy), _longest_wait(result, result.reference)
    if value is not None:
        note = under
        if not alone and other is not None:
            note = finding("note", "next-to", policy=name, reference=(result.reference, "policy"),
                           value=(other, "s"))  # fmt: skip
        yield Fact("longest_wait_s", value, "s", note)
    note = under
    if not alone:
        note = finding("note", "next-to-above", policy=name, reference=(result.reference, "policy"),
                       runs=(_above(result, result.reference), "of:run"))  # fmt: skip
    yield Fact("above", _above(result, policy), "of:run", note)


def _above(result: ScheduleResult, policy: str) -> tuple[int, int]:
    """Runs of a policy in which true power exceeds the bound, and all."""
    mine = [run for run in result.outcomes if run.policy == policy]
    return sum(run.bound_violations > 0 for run in mine), len(mine)


def _longest_wait(result: ScheduleResult, policy: str) -> float | None:
    """The longest wait under a policy over all its runs."""
    waits = (run.tails.longest_wait_s for run in result.outcomes if run.policy == policy)
    return max((wait for wait in waits if wait is not None), default=None)


def _reasons(result: ScheduleResult) -> Iterator[Finding]:
    """What the best policy does, and where, how often and with what confidence it is ahead."""
    if len(result.ranking) < 2:
        return
    best = result.ranking[0][0]
    rule = next(row["rule"] for row in rows.rules(result) if row["policy"] == best)
    yield finding("reason", "rule", policy=(best, "policy"), rule=(rule, "quotation"))
    if len(result.bounds_w) > 1 and (ends := _ends(result)) is not None:
        yield replace(ends, severity="reason")
    yield from (replace(each, severity="reason") for each in (*_moved(result), *_differing(result)))


def _alternatives(result: ScheduleResult) -> Iterator[Finding]:
    """The next two policies, and the reference."""
    if len(result.ranking) < 2:
        return
    (_, ratio), *others = result.ranking
    for place, (name, mine) in enumerate(others):
        if place < MOST_ALTERNATIVES or name == result.reference:
            tied = result.seeds > 1 and name in result.tied
            yield finding(
                "alternative", "next-tied" if tied else "next", policy=(name, "policy"),
                change=(mine.mean / ratio.mean - 1, "change"),
            )  # fmt: skip


def _assumptions(result: ScheduleResult) -> Iterator[Finding]:
    yield finding("assumption", "no-cost")
    yield finding("assumption", "decide-on", details=(result.schedule.details.method, "details"))
    if result.synthetic:
        drawn = tuple(log.name for log in result.schedule.logs
                      if log.drawn and log.name in result.logs)  # fmt: skip
        yield finding("assumption", "synthetic-logs", logs=(drawn, "text"))


def _risks(result: ScheduleResult) -> Iterator[Finding]:
    """Unused bounds, runs above the bound, rejected jobs, large charges, and fallbacks."""
    used = [row.power_utilisation for row in result.overall]
    if 0 < max(used) < IDLE:
        yield finding("risk", "idle", share=((min(used), max(used)), "interval:share"))
    yield from risks_of((*result.scenario.remarks, *result.remarks))
    runs = result.outcomes
    if result.broken:
        worst = max(runs, key=lambda run: run.largest_violation_w)
        yield finding(
            "risk", "exceeds", runs=((result.broken, len(runs)), "of:run"),
            excess=(worst.largest_violation_w, "W up"), policy=(worst.policy, "policy"),
            log=(worst.log, "text"), bound=(worst.bound_w, "W given"),
        )  # fmt: skip
    lending = [run for run in runs if run.policy in LENDING]
    above = [run for run in lending if run.bound_violations]
    if above and result.schedule.details.method == "model":
        excess = (max(run.largest_violation_w for run in above), "W up")
        yield finding("risk", "lending", runs=((len(above), len(lending)), "of:run"),
                      excess=excess)  # fmt: skip
    yield from _vanishing(result)
    yield from _never_scarce(result)
    yield from _changed_jobs(result)
    fallbacks = sum(run.fallbacks for run in runs)
    if fallbacks:
        decisions = sum(run.decisions for run in runs)
        yield finding("risk", "fallbacks", decisions=((fallbacks, decisions), "of:decision"))


def _vanishing(result: ScheduleResult) -> Iterator[Finding]:
    """The bounds under which the best policy is no better than the reference."""
    ratio = result.of(result.subject).ratio
    if len(result.bounds_w) < 2 or result.subject == result.reference:
        return
    lost = tuple(
        row["bound_w"] for row in rows.by_bound(result)
        if row["policy"] == result.subject and row["ratio"] is not None and row["ratio"] >= 1
    )  # fmt: skip
    if lost and ratio is not None and ratio < 1:
        yield finding("risk", "vanishes", policy=(result.subject, "policy"),
                      reference=(result.reference, "policy"), bounds=(lost, "W given"))  # fmt: skip


def _changed_jobs(result: ScheduleResult) -> Iterator[Finding]:
    """Job runs without a configuration, and those charged more than their fair share."""
    for kind in ("rejected", "rounded"):
        jobs = sum(getattr(run, kind) for run in result.outcomes)
        if jobs:
            yield finding("risk", kind, jobs=((jobs, result.jobs), "of:job run"))


def _never_scarce(result: ScheduleResult) -> Iterator[Finding]:
    """Where no job is ever charged so much that power becomes scarce."""
    peaks: dict[tuple[str, str], float] = {}
    for run in result.outcomes:
        if run.mean_turnaround_s is not None:
            case = (run.log, run.policy)
            peaks[case] = max(peaks.get(case, 0.0), run.peak_charged_share)
    calm = [peak for peak in peaks.values() if peak < SCARCE]
    if calm:
        yield finding(
            "risk", "never-scarce", pairs=((len(calm), len(peaks)), "of:pair"),
            scarce=(SCARCE, "share given"), least=(min(calm), "share"),
        )  # fmt: skip


def _next_steps(result: ScheduleResult) -> Iterator[Finding]:
    compared = len(result.ranking) > 1
    if result.by_chance and result.repeatable and compared:
        yield finding("next step", "five-seeds", seeds=(FEW_SEEDS, "count"))
    elif result.seeds > 1 and result.varies and compared and len(result.tied) > 1:
        yield finding("next step", "more-seeds", seeds=(_more_seeds(result), "count"))
    if result.broken:
        yield finding("next step", "guard")
    if result.errors and result.errors[-1].power_lowest > 0:
        yield finding("next step", "measure", low=(result.errors[-1].power_lowest, "share"))
    if result.synthetic:
        yield finding("next step", "own-log")


def _questions(
    result: ScheduleResult,
    tables: tuple[Table, ...],
    data: dict[str, list[rows.Row]],
    *,
    few: bool,
) -> tuple[Question, ...]:
    """The pages; tables by log, bound and policy are on theirs, in the appendix or in the book."""
    families = dict.fromkeys(
        found.family for name in result.policies if (found := ilp_name(name)) is not None
    )
    alone, single = result.subject == result.reference, single_job(result.outcomes)
    each = {name: len(data.get(name, ())) for name in
            ("turnaround_by_policy", "turnaround", "users", "power", "counts")}  # fmt: skip
    short_of = {name: (name,) if each[name] <= MOST_ON_PAGE else () for name in each}
    middle = tuple(name for name in ("turnaround_by_policy", "turnaround", "power")
                   if MOST_ON_PAGE < each[name] <= MOST_ON_PAPER)  # fmt: skip
    overall = ("policies_overall",) if few else ()
    events = ("requests", *short_of["counts"])
    changed = any(data.get(name) for name in events)
    return (
        Question("rules", findings=tuple(_compared(result)), tables=("rules",), texts=("terms",)),
        Question(
            "turnaround", findings=(*_differing(result), *_binding(result)),
            tables=(*overall, *short_of["turnaround"], *short_of["turnaround_by_policy"], "tails"),
            figures=("overall", "turnaround"),
            texts=() if alone else ("turnaround", *_alike(result, tables, "turnaround drawn")),
        ),
        Question("choices", facts=tuple(_other_work(result)),
                 texts=("choices",) if few and result.schedule.occupied else ()),
        *(() if single else (
            Question("jobs", findings=tuple(_moved(result)), tables=short_of["users"],
                     figures=("gains",), texts=("jobs", *_alike(result, tables, "gains drawn"))),
        )),
        Question("power", findings=tuple(_powers(result)),
                 tables=("above_bound", *short_of["power"]), figures=("watts", "above"),
                 texts=("power", *_alike(result, tables, "above drawn"),
                        *(("occupied",) if result.schedule.occupied else ()))),
        Question("fairness", figures=("fairness",),
                 texts=("fairness", *_alike(result, tables, "fairness drawn"))),
        Question("details", findings=tuple(_errors(result)), tables=("details",),
                 texts=("details",)),
        Question("hindsight", findings=tuple(_hindsight(result)), tables=("hindsight",),
                 texts=("hindsight",)),
        Question("events", findings=tuple(_changed_jobs(result)) if changed else (),
                 tables=events),
        Question(
            "method", facts=tuple(_method(result)), tables=("applications", "programs"),
            texts=("method", result.schedule.charge, *(("ilp",) if families else ()),
                   *(f"ilp-{each}" for each in families),
                   *(("tests",) if result.seeds > 1 else ())),
        ),
        Question("cases", tables=middle, texts=("cases",) if each["power"] > MOST_ON_PAGE else ()),
    )  # fmt: skip


def _alike(result: ScheduleResult, tables: tuple[Table, ...], name: str) -> tuple[str, ...]:
    """The note on policies that the figure of a table leaves out, if it leaves out any."""
    drawn = {row["policy"] for each in tables if each.name == name for row in each.rows}
    return ("alike",) if drawn and {*result.policies} - drawn - {result.reference} else ()


def _moved(result: ScheduleResult) -> Iterator[Finding]:
    """Shares of the job runs that end sooner, and later, than under the reference."""
    if result.subject == result.reference or single_job(result.outcomes):
        return
    sooner, later, jobs = rows.moved(result, result.bounds_w)
    if jobs:
        yield finding("note", "moved", policy=(result.subject, "policy"),
                      reference=(result.reference, "policy"),
                      sooner=(sooner / jobs, "share"), later=(later / jobs, "share"))  # fmt: skip


def _differing(result: ScheduleResult) -> Iterator[Finding]:
    """In how many pairs of log and bound the best policy differs significantly."""
    mine = [row for row in result.rows if row.policy == result.subject and row.ratio is not None]
    if result.seeds < 2 or result.subject == result.reference or not mine:
        return
    shorter, longer = (
        ((sum(row.difference == key for row in mine), len(mine)), "of:count")
        for key in ("shorter", "longer")
    )
    yield finding("note", "differs", policy=(result.subject, "policy"), shorter=shorter,
                  reference=(result.reference, "policy"), longer=longer)  # fmt: skip


def _binding(result: ScheduleResult) -> Iterator[Finding]:
    """That the lowest bound binds, as jobs end sooner under the next one.

    How much of a bound is used does not say whether it binds; only another bound does.
    """
    if len(result.bounds_w) < 2:
        return
    lowest, higher = (
        [run for run in result.outcomes if run.policy == result.subject and run.bound_w == bound_w]
        for bound_w in result.bounds_w[:2]
    )
    times = [[run.mean_turnaround_s for run in each if run.mean_turnaround_s is not None]
             for each in (lowest, higher)]  # fmt: skip
    low_s, high_s = map(sum, times)
    if times[0] and len(times[0]) == len(times[1]) and high_s < low_s * (1 - EQUAL):
        used = sum(run.power_utilisation for run in lowest) / len(lowest)
        yield finding(
            "limit", "binds", bound=(result.bounds_w[0], "W given"), used=(used, "share"),
            next=(result.bounds_w[1], "W given"), policy=(result.subject, "policy"),
        )  # fmt: skip


def _compared(result: ScheduleResult) -> Iterator[Finding]:
    """What is compared, on how many jobs."""
    jobs = [len(run.jobs) for run in result.outcomes]
    if len(result.policies) > 1:
        yield finding(
            "note", "compared", policies=(len(result.policies), "policies"),
            reference=(result.reference, "policy"), jobs=((min(jobs), max(jobs)), "interval:job"),
        )  # fmt: skip


def _powers(result: ScheduleResult) -> Iterator[Finding]:
    """Runs within the bound, the bound from which on all are, and the share that is used."""
    every = len(result.outcomes)
    yield finding("note", "kept", runs=((every - result.broken, every), "of:run"))
    if result.broken:
        highest = max(run.bound_w for run in result.outcomes if run.bound_violations)
        calm = [bound_w for bound_w in result.bounds_w if bound_w > highest]
        if calm:
            yield finding("note", "calm", bound=(calm[0], "W given"))
    uses = _range(result, "uses", "power_utilisation", "share")
    if uses is not None:
        yield uses


def _errors(result: ScheduleResult) -> Iterator[Finding]:
    """How far predictions are from the truth, over all applications."""
    if result.errors:
        yield finding("note", "errors", time=(result.errors[-1].time_mean, "share"),
                      power=(result.errors[-1].power_lowest, "share"))  # fmt: skip


def _hindsight(result: ScheduleResult) -> Iterator[Finding]:
    """How far the best policy is from the proven limit on average."""
    gaps = [run.gap for run in result.outcomes
            if run.policy == result.subject and run.gap is not None]  # fmt: skip
    if gaps:
        yield finding("note", "distance", policy=(result.subject, "policy"),
                      distance=(sum(gaps) / len(gaps), "share"))  # fmt: skip


def _range(result: ScheduleResult, kind: str, key: str, unit: str) -> Finding | None:
    """The least and the largest value of a measure, with their policies; ratios of the others."""
    own = {"reference": (result.reference, "policy")} if key == "ratio" else {}
    known = [(value, row.policy) for row in result.overall
             if (value := getattr(row, key)) is not None
             and not (own and row.policy == result.reference)]  # fmt: skip
    if len({value for value, _ in known}) < 2:
        return None
    (least, lowest), (most, highest) = (
        pick(known, key=lambda pair: pair[0]) for pick in (min, max)
    )
    return finding("note", kind, least=(least, unit), lowest=(lowest, "policy"),
                   most=(most, unit), highest=(highest, "policy"), **own)  # fmt: skip


def _ends(result: ScheduleResult) -> Finding | None:
    """The ratio of the best policy under the lowest and the highest bound."""
    mine = [row for row in rows.by_bound(result) if row["policy"] == result.subject]
    if result.subject == result.reference or any(row["ratio"] is None for row in mine):
        return None
    first, last = mine[0], mine[-1]
    return finding(
        "note", "ends", policy=(result.subject, "policy"), reference=(result.reference, "policy"),
        first=(first["ratio"], "index"), lowest=(first["bound_w"], "W given"),
        last=(last["ratio"], "index"), highest=(last["bound_w"], "W given"),
    )  # fmt: skip


def _other_work(result: ScheduleResult) -> Iterator[Fact]:
    """What other work occupies at the start, and what it leaves to the only job."""
    schedule, occupied = result.schedule, result.schedule.occupied
    if not occupied:
        return
    nodes = sum(use.nodes for use in occupied)
    yield Fact("occupied_nodes", (nodes, schedule.cluster.nodes), "of:node")
    yield Fact("occupied_power", sum(use.power_w for use in occupied), "W given")
    until = sorted({use.until_s for use in occupied})
    yield Fact("occupied_until", (until[0], until[-1]), "interval:s")
    room = room_at_submission(
        schedule, [bound_w - result.reserved_w for bound_w in result.bounds_w]
    )
    if room is not None:
        yield Fact("free_nodes", room[0], "node")
        yield Fact("free_power", room[1], "W given")


def _method(result: ScheduleResult) -> Iterator[Fact]:
    """How the jobs and the numbers that policies see were made."""
    details, cluster = result.schedule.details, result.schedule.cluster
    yield Fact("nodes", cluster.nodes, "node")
    yield Fact("cores_per_node", cluster.cores_per_node, "count")
    if cluster.idle_node_w:
        yield Fact("idle_node", cluster.idle_node_w, "W given")
    yield Fact("bounds", result.bounds_w, "W given")
    yield Fact("reference", result.reference, "policy")
    yield Fact("logs", result.logs, "text")
    logs = [log for log in result.schedule.logs if log.name in result.logs]
    drawn = [log for log in logs if log.drawn]
    by_gap = [log.mean_gap_s or MEAN_GAP_S for log in drawn if log.offered_load is None]
    ranges: dict[str, tuple[list[Any], str]] = {
        "jobs": ([len(run.jobs) for run in result.outcomes], "job"),
        "drawn_nodes": ([end for log in drawn for end in NODES.get(log.kind, ())], "node"),
        "estimate_factor": ([log.estimate_factor for log in drawn], "factor"),
        "offered_load": ([log.offered_load for log in drawn if log.offered_load], "share given"),
        "mean_gap": (by_gap, "s given"),
    }
    for key, (values, unit) in ranges.items():
        if values:
            yield Fact(key, (min(values), max(values)), f"interval:{unit}")
    if files := [log for log in logs if log.kind == "file"]:
        yield Fact("files", tuple(str(log.file) for log in files), "text")
        yield Fact("first_job", tuple(log.first_job for log in files), "id")
    yield Fact("details", details.method, "details")
    if details.method == "model":
        yield Fact("training_share", details.training_share, "share given")
        yield Fact("guard", details.guard, "share given")


def _tables(
    result: ScheduleResult, data: dict[str, list[rows.Row]], few: list[rows.Row]
) -> Iterator[Table]:
    """The tables that have rows: columns of one value for all are for the workbook alone."""
    constant = {
        name for name, values in (("log", result.logs), ("bound_w", result.bounds_w))
        if len(values) == 1
    }  # fmt: skip
    if len(result.policies) == 1:
        constant |= {"ratio", "low", "high", "difference"}
    if single_job(result.outcomes):
        constant |= {"better", "fairness"}
    if not result.broken:
        constant |= {"above", "bound_violations", "largest_violation_w", "violation_s"}
    if len(result.bounds_w) == 1:
        constant |= {"normalised"}
    fair = rows.drawn_by_bound(result, "fairness")
    every = {
        "choices": few,
        **data,
        "by bound": list(rows.by_bound(result)),
        "above drawn": rows.drawn_by_bound(result, "above") if result.broken else [],
        "fairness drawn": [] if single_job(result.outcomes) else fair,
        "turnaround drawn": [
            row for row in rows.drawn_by_bound(result, "ratio") if row["policy"] != result.reference
        ],
        "rules": rows.rules(result),
        "applications": rows.applications(result),
        "programs": list(rows.programs(result)),
        "gains drawn": list(rows.gains(result)),
        "watts drawn": list(rows.watts(result)),
    }
    others = [policy for policy in result.policies if policy != result.reference]
    ratios = {rows.key(policy): policy for policy in others[: rows.MOST_POLICIES]}
    kept = {name: f"/{name}" for name in data}
    alike = {key for key, policy in ratios.items() if policy not in rows.representatives(result)}
    for name, found in every.items():
        if name == "turnaround_by_policy":
            units = {"log": "text", "bound_w": "W given", "reference_s": "s"}
            yield table(name, units | dict.fromkeys(ratios, "ratio"), at=kept[name],
                        hidden=constant | alike, labels=ratios,
                        limits=dict.fromkeys(ratios, 1.0))  # fmt: skip
        elif found:
            yield _table(name, constant, found, kept.get(name, ""))


_UNITS: dict[str, dict[str, str]] = {
    **rows.UNITS,
    "choices": {
        "log": "text", "bound_w": "W given", "job": "id", "policy": "policy", "nodes": "count",
        "cores_per_node": "count", "package_cap_w": "W given", "charged_w": "W given",
        "fair_share_w": "W given", "wait_s": "s", "turnaround_s": "s", "energy_j": "J",
    },
    "by bound": {
        "bound_w": "W given", "policy": "policy", "ratio": "ratio", "low": "ratio",
        "high": "ratio", "power_utilisation": "share", "fairness": "number", "above": "share",
    },
    "above drawn": {"bound_w": "W given", "policy": "policy", "above": "share"},
    "fairness drawn": {"bound_w": "W given", "policy": "policy", "fairness": "number"},
    "turnaround drawn": {"bound_w": "W given", "policy": "policy", "ratio": "ratio"},
    "rules": {"policy": "policy", "rule": "quotation"},
    "applications": {
        "application": "text", "kind": "application", "configurations": "count",
        "nodes": "interval:count", "cores_per_node": "interval:count",
        "package_cap_w": "interval:W given", "priority": "number",
    },
    "programs": {
        "program": "program", "gap": "share given", "node_limit": "count", "slot_s": "s given",
        "window": "job", "decisions": "count", "fallbacks": "count",
    },
    "gains drawn": {"policy": "policy", "jobs_share": "share given", "ratio": "ratio"},
    "watts drawn": {"policy": "policy", "time_s": "s", "true_w": "W", "charged_w": "W"},
}  # fmt: skip
_LIMITS = {**dict.fromkeys(("ratio", "low", "high", "normalised"), 1.0), "energy_j": 0.0}
"""Ratios tell on which side of 1 they are, and energies have four digits each."""
_LABELS = {"above_bound": {"above": "runs_above"}, "counts": {"largest_gap": "ilp_gap"}}


def _table(name: str, constant: set[str], found: list[rows.Row], at: str) -> Table:
    """A table; of counts people see those that are not all 0."""
    hidden = constant - {"above", "largest_violation_w", "violation_s"}
    if name != "above_bound":
        hidden = constant
    if name == "applications" and all(row["priority"] == 1 for row in found):
        hidden = constant | {"priority"}
    if name == "counts":
        hidden = constant | {key for key in found[0] if not any(row[key] for row in found)}
    return table(
        name, _UNITS[name], () if at else found, at=at, hidden=hidden, limits=_LIMITS,
        labels=_LABELS.get(name, {}),
    )  # fmt: skip


def _figures(result: ScheduleResult, tables: tuple[Table, ...]) -> Iterator[Figure]:
    named = {table.name for table in tables}
    one = (Limit("y", 1.0),)
    if len(result.ranking) > 1:
        yield Figure("overall", "intervals", "policies_overall", "policy", ("ratio",), low="low",
                     high="high", limits=(Limit("x", 1.0),),
                     finding=_range(result, "ratios", "ratio", "index"))  # fmt: skip
    if "turnaround drawn" in named and len(result.ranking) > 1:
        yield Figure("turnaround", "lines", "turnaround drawn", "bound_w", ("ratio",),
                     series="policy", limits=one, finding=_ends(result))  # fmt: skip
    if "gains drawn" in named and not single_job(result.outcomes):
        yield Figure("gains", "lines", "gains drawn", "jobs_share", ("ratio",), series="policy",
                     limits=one, scale={"y": "log"})  # fmt: skip
    if "watts drawn" in named:
        run, _ = rows.drawn_runs(result)[0]
        yield Figure(
            "watts", "stairs", "watts drawn", "time_s", ("true_w", "charged_w"), series="policy",
            limits=(Limit("y", run.bound_w - result.reserved_w, "bound"),),
            finding=finding("note", "watts-of", log=(run.log, "text"), seed=(run.seed, "id"),
                            bound=(run.bound_w, "W given")),
        )  # fmt: skip
    if "above drawn" in named:
        yield Figure("above", "lines", "above drawn", "bound_w", ("above",),
                     series="policy")  # fmt: skip
    if "fairness drawn" in named and any(row.fairness is not None for row in result.uses):
        yield Figure("fairness", "lines", "fairness drawn", "bound_w", ("fairness",),
                     series="policy",
                     finding=_range(result, "fair", "fairness", "index"))  # fmt: skip
