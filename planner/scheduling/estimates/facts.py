"""What a study of estimates states: its facts, findings, tables and figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, finding
from planner.formatting import unit_of_times
from planner.replications.spread import SeedSpread, spread
from planner.scheduling.estimates import rows
from planner.scheduling.estimates.claims import claims
from planner.scheduling.estimates.predictors.registry import BY_USER, ORACLES
from planner.scheduling.estimates.settings import AS_GIVEN, WEIGHTS
from planner.scheduling.estimates.tools import BoundedErrorOracle
from planner.scheduling.policies.maui import names_without_jobs
from planner.scheduling.simulation.log_facts import log_inputs, log_remarks, log_source, source
from planner.scheduling.simulation.maui_settings import maui_facts, maui_tables
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table
from scenarios.job_logs.origin import synthetic_words
from scenarios.job_logs.time_limits import without_limit
from scenarios.maui.reader import bundled_maui

if TYPE_CHECKING:
    from planner.scheduling.estimates.result import EstimateResult, Measure, Remains
    from scenarios.maui.settings import MauiConfiguration

FEW_SEEDS = 10
MUCH_LONGER = 0.05
"""Rise of the mean wait from which killing jobs counts as a risk."""
MUCH_OF_GAIN = 0.5
"""Share of the gain below which other weights leave so little that this is a risk."""


def study_of(result: EstimateResult) -> Study:
    """The study of a log without and with tools."""
    log, seeds = result.workload.log, Fact("seeds", result.settings.seeds, "id")
    return stated(
        result, _headline, _confidence, _facts, _reasons, _alternatives, _assumptions, _risks,
        _next_steps, _questions, _tables, _figures,
        command="estimate",
        decision="predictors" if real_predictors(result) else "few cells",
        title=finding("note", "question", log=(log.name, "text")),
        data=_data(result),
        provenance=provenance_of(result.command, (*log_inputs(log), *result.files), seeds),
    )  # fmt: skip


def _most(result: EstimateResult) -> tuple[float, float]:
    """The largest uptake and error, for which the answer is."""
    return max(result.settings.uptakes), max(result.settings.errors)


def _answer(result: EstimateResult) -> SeedSpread | None:
    return spread(result.gains(*_most(result)))


def _wait(result: EstimateResult) -> tuple[str, str]:
    """Whose wait it is: that of all jobs where all users are sampled."""
    return "mean of all" if result.everybody_sampled else "mean of sampled", "wait"


def real_predictors(result: EstimateResult) -> list[Remains]:
    """The real predictors, the one that gains most first; none where nobody waits."""
    real = (each for each in result.remains if each.tool.predictor not in ORACLES)
    return [each for each in real if not math.isnan(each.gain)]


def weights_assumed(configuration: MauiConfiguration) -> bool:
    """Whether the weights are the bundled ones, which are assumed."""
    return _weights(configuration) == _weights(bundled_maui())


def _weights(configuration: MauiConfiguration) -> list[float]:
    parts = [(getattr(configuration.priority, component), name) for component, name in WEIGHTS]
    return [part.weight * getattr(part, name) for part, name in parts]


def _units(result: EstimateResult) -> tuple[str, str]:
    """The units of mean and of longest waits, throughout the report."""
    whole = result.no_tool.everybody
    return unit_of_times(whole.mean_s or 0.0), unit_of_times(whole.max_s or 0.0)


def _headline(result: EstimateResult) -> Finding:
    """The best real predictor, if any was simulated; else what the oracle gains."""
    bare, real = result.no_tool.everybody.mean_s, real_predictors(result)
    if not real or bare is None:
        return _with_oracle(result, "headline")
    ends = _ends_of_groups(result, real[0])
    if real[0].gain > 0 and ends is not None:
        return finding("headline", "predict-range", range=(ends, "interval:change"),
                       **_tool(real[0]))  # fmt: skip
    kind = "predict" if real[0].gain > 0 else "keep-requests"
    return finding("headline", kind, before=(bare, _units(result)[0]), **_tool(real[0]))


def _tool(of: Remains) -> dict[str, Any]:
    """A predictor, what follows if a job exceeds it, and how it changes the mean wait."""
    return {
        "predictor": (of.tool.predictor, "predictor"),
        "strategy": (rows.strategy(of), "strategy"),
        "change": (rows.change(of.gain), "change"),
    }  # fmt: skip


def _with_oracle(result: EstimateResult, severity: Severity) -> Finding:
    """What the sampled users gain at the largest uptake and error."""
    (uptake, error), gain, bare = _most(result), _answer(result), result.without_tool
    if gain is None or bare is None:
        return finding(severity, "nobody-waits")
    values: dict[str, Any] = {
        "uptake": (uptake, "share given"), "wait": _wait(result),
        "change": (rows.change(gain.mean), "change"), "before": (bare.mean, _units(result)[0]),
    }  # fmt: skip
    if error:
        values["error"] = (error, "share given")
    return finding(severity, "oracle" if error else "exact", **values)


def _confidence(result: EstimateResult) -> Iterator[Finding]:
    yield log_source(result.workload.log)
    real = real_predictors(result)
    if real:
        yield _over_groups(result, real[0])
        return
    yield from _of_seeds(result)


def _over_groups(result: EstimateResult, of: Remains) -> Finding:
    """That a predictor's change may be chance, and how it differs between groups of users."""
    ends, groups = _ends_of_groups(result, of), of.groups
    if ends is None or groups is None:
        return finding("confidence", "single")
    number = (groups.seeds, "count")
    if of.gain > 0:  # the headline has the range
        return finding("confidence", "groups", groups=number)
    return finding("confidence", "groups-range", range=(ends, "interval:change"), groups=number)


def _ends_of_groups(
    result: EstimateResult, of: Remains
) -> tuple[float | None, float | None] | None:
    """The range of a predictor's change over groups of sampled users, if there are several."""
    groups = of.groups
    if groups is None or groups.seeds < 2 or result.one_user:
        return None
    return rows.change(groups.most), rows.change(groups.least)


def _of_seeds(result: EstimateResult) -> Iterator[Finding]:
    """How far the gain of the sampled users can be relied on."""
    gain = _answer(result) if _most(result)[0] > 0 else None
    workload = result.workload
    if result.one_user:
        if gain is not None:
            yield finding("confidence", "single")
        return
    sampled = ((workload.group_size(workload.seed_group), workload.users), "of:user")
    seeds = (len(result.settings.seeds), "count")
    yield finding("confidence", "samples", seeds=seeds, sampled=sampled)
    if gain is None:
        return
    if gain.deviation is None:
        yield finding("confidence", "one-seed")
    elif gain.least == gain.most:
        yield finding("confidence", "alike")
    else:
        spread_of = (gain.deviation, "share")
        if result.one_schedule:
            yield finding("confidence", "one-schedule", deviation=spread_of)
        else:
            clear = abs(gain.mean) > 2 * gain.deviation
            yield finding("confidence", "clear" if clear else "unclear", deviation=spread_of)


def _facts(result: EstimateResult) -> Iterator[Fact]:
    workload = result.workload
    users = finding("note", "users", users=(workload.users, "count"),
                    processors=(workload.problem.processors, "processor"))  # fmt: skip
    yield Fact("jobs", len(workload.log), "count", users)
    whole, exact = result.no_tool.everybody, result.exact.everybody
    if whole.mean_s is not None:
        most = finding("note", "longest", longest=(whole.max_s, _units(result)[1]))
        yield Fact("wait", whole.mean_s, _units(result)[0], most)
    exact_change, real = rows.change(result.gain_of(result.exact)), real_predictors(result)
    if exact_change is None:
        return
    if real:
        values = _tool(real[0])
        note = finding("note", "predicted-by", predictor=values["predictor"],
                       strategy=values["strategy"], exact=(exact_change, "change"))  # fmt: skip
        yield Fact("predicted", values["change"][0], "change", note)
    else:
        note = finding("note", "exact-wait", wait=(exact.mean_s, _units(result)[0]))
        yield Fact("exact", exact_change, "change", note)


def _reasons(result: EstimateResult) -> Iterator[Finding]:
    """How much of what is possible the best real predictor gains, and how robust that is."""
    real = real_predictors(result)
    if real:
        best = real[0]
        exact = rows.change(result.gain_of(result.exact))
        if best.gain > 0 and best.share is not None and exact is not None:
            yield finding("reason", "share-of-exact", share=(best.share, "share"),
                          exact=(exact, "change"))  # fmt: skip
        yield _shortening(result, "reason")
    if (range_of := _weights_range(result)) is not None:
        yield replace(range_of, severity="reason")


def _shortening(result: EstimateResult, severity: Severity) -> Finding:
    """Which real predictors shorten the mean wait."""
    shorter = [each for each in real_predictors(result) if each.gain > 0]
    if not shorter:
        return finding(severity, "none-shorter")
    names = tuple(rows.tool_name(each) for each in shorter)
    return finding(severity, "predictors-shorter", tools=(names, "tool"))


def _weights_range(result: EstimateResult) -> Finding | None:
    weights = [row["change"] for row in rows.weights(result) if row["change"] is not None]
    if len(weights) < 2:
        return None
    return finding("note", "weights-range", change=((min(weights), max(weights)),
                                                    "interval:change"))  # fmt: skip


def _alternatives(result: EstimateResult) -> Iterator[Finding]:
    """The next real predictor, and what an oracle would gain."""
    real = real_predictors(result)
    if len(real) > 1:
        yield finding("alternative", "next-predictor", **_tool(real[1]))
    oracle = _with_oracle(result, "alternative")
    if real and oracle.kind != "nobody-waits" and _most(result)[0] > 0:
        yield oracle


def _assumptions(result: EstimateResult) -> Iterator[Finding]:
    if real_predictors(result):
        yield finding("assumption", "everyone")
    yield finding("assumption", "no-reaction")
    yield finding("assumption", "no-cost")
    if weights_assumed(result.configuration):
        yield finding("assumption", "assumed")


def _counts(result: EstimateResult, row: dict[str, Any]) -> bool:
    """Whether all sampled users have the tool in a cell, and a gain is known."""
    return "change" in row and row["uptake"] >= result.workload.seed_group


def _risks(result: EstimateResult) -> Iterator[Finding]:
    """What may make the answer wrong."""
    yield from _fragile(result)
    workload, log = result.workload, result.workload.log
    yield from log_remarks(
        log, given=workload.problem.processors, larger=workload.rejected, limits=False,
        remedy="own-study",
    )  # fmt: skip
    if guessed := without_limit(log):
        yield finding("risk", "no-request", jobs=(guessed, "count"))
    if strangers := names_without_jobs(result.configuration, workload.problem):
        yield finding("risk", "strangers", names=(tuple(strangers), "text"))
    if workload.rejected:
        yield finding("risk", "too-large", jobs=(workload.rejected, "count"))
    yield from _of_kills(result)
    yield from _of_users(result)
    if log.killed is not None and log.killed.any():
        yield finding("risk", "cut", runs=(int(log.killed.sum()), "count"))
        if (log.wait_s >= 0).any():
            yield finding("risk", "cut-waits")


def _least_gain(result: EstimateResult) -> tuple[float, tuple[str, ...]] | None:
    """The change by exact run times under the weights with the least gain, and these."""
    every = rows.weights(result)
    known = {row["weights"]: float(row["change"]) for row in every if row["change"] is not None}
    if len(every) < 2 or not known:
        return None
    least = max(known.values())
    return least, tuple(name for name, change in known.items() if change == least)


def _fragile(result: EstimateResult) -> Iterator[Finding]:
    """That other weights leave little of the gain."""
    given, least = rows.change(result.gain_of(result.exact)), _least_gain(result)
    if given is not None and given < 0 and least is not None and least[0] > MUCH_OF_GAIN * given:
        yield finding("risk", "fragile", given=(given, "change"), least=(least[0], "change"),
                      variants=(least[1], "variant"))  # fmt: skip


def _of_kills(result: EstimateResult) -> Iterator[Finding]:
    """How much longer waits are at the worst where jobs that exceed a prediction are killed.

    Nothing if the rise is small, or waits of a group of sampled users are not longer.
    """
    kills = [each for each in real_predictors(result) if each.outcome.jobs_killed]
    if not kills:
        return
    worst = kills[-1]
    if worst.gain <= -MUCH_LONGER and worst.groups is not None and worst.groups.most < 0:
        yield finding("risk", "killing", jobs=(worst.outcome.jobs_killed, "count"),
                      **_tool(worst))  # fmt: skip


def _of_users(result: EstimateResult) -> Iterator[Finding]:
    workload, seeds = result.workload, len(result.settings.seeds)
    if workload.nameless:
        yield finding("risk", "nameless", jobs=(workload.nameless, "count"))
    if result.one_user:
        yield finding("risk", "one-user")
        names = {each.tool.predictor for each in result.remains} & {*BY_USER}
        if names:
            yield finding("risk", "from-anyone", predictors=(tuple(sorted(names)), "predictor"))
    else:
        sizes = {workload.group_size(uptake) for uptake in result.settings.uptakes}
        if len(sizes) < len({*result.settings.uptakes}):
            yield finding("risk", "few-users", users=(workload.users, "count"))
        if seeds < FEW_SEEDS:
            yield finding("risk", "few-seeds", seeds=(seeds, "count"))


def _next_steps(result: EstimateResult) -> Iterator[Finding]:
    if not result.one_user and len({*result.settings.seeds}) < FEW_SEEDS:
        yield finding("next step", "more-seeds")
    if not result.remains:
        yield finding("next step", "real-predictors")
    if not result.settings.weights:
        yield finding("next step", "vary-weights")
    if synthetic_words(result.workload.log.header):
        yield finding("next step", "own-log")
    elif not (result.workload.log.wait_s >= 0).any():
        yield finding("next step", "recorded-waits")
    if weights_assumed(result.configuration):
        yield finding("next step", "own-weights")


def _questions(result: EstimateResult) -> tuple[Question, ...]:
    checked = result.validation is not None
    one, real = "one-user" if result.one_user else "users", bool(real_predictors(result))
    return (
        Question("predictors", findings=(_shortening(result, "note"),) if real else (),
                 tables=("predictors",), figures=("predictors",),
                 texts=("predictors",) if result.remains else ()),
        Question("cells", findings=tuple(_sampled(result)) if real else (), tables=("few cells",),
                 figures=("mean",), texts=("cells",)),
        Question("longest", figures=("longest",), texts=("longest",)),
        *((Question("groups", findings=tuple(_of_groups(result)), figures=("groups",),
                    texts=("groups",)),) if _draws_groups(result) else ()),
        Question("weights", findings=tuple(_over_weights(result)), tables=("weights",),
                 figures=("weights",), texts=("weights",) if result.settings.weights else ()),
        Question("validation", facts=tuple(_left_out(result)), tables=("validation",),
                 figures=("completions",), texts=("validation",) if checked else ()),
        Question(
            "method", facts=(*maui_facts(result.configuration), *_simulated(result)),
            tables=("weights of the priority", "target shares"), texts=("method", one),
        ),
        Question("limits", texts=("limits",)),
        Question("claims", tables=("claims",), texts=("claims",)),
    )  # fmt: skip


def _full_gain(result: EstimateResult) -> tuple[SeedSpread | None, tuple[float, float]]:
    """The gain of the sampled users at the largest uptake and the least error, and these."""
    at = (max(result.settings.uptakes), min(result.settings.errors))
    return (spread(result.gains(*at)) if at[0] else None), at


def _sampled(result: EstimateResult) -> Iterator[Finding]:
    """What an oracle gains for the sampled users, and whether that is certain."""
    oracle = _with_oracle(result, "note")
    if oracle.kind != "nobody-waits":
        yield oracle
        yield from (replace(each, severity="note") for each in _of_seeds(result)
                    if each.kind != "single")  # fmt: skip


def _of_groups(result: EstimateResult) -> Iterator[Finding]:
    """How the waits of the sampled users change at the least error."""
    gain, (uptake, error) = _full_gain(result)
    if gain is not None and not result.one_user:
        yield finding(
            "note", "groups-change", change=(rows.change(gain.mean), "change"),
            uptake=(uptake, "share given"), error=(error, "share given"),
        )  # fmt: skip


def _over_weights(result: EstimateResult) -> Iterator[Finding]:
    """Under which weights exact estimates gain least, and which weights do not matter."""
    every = len(rows.weights(result))
    if every < 2:
        return
    if (least := _least_gain(result)) is not None and len(least[1]) < every:
        yield finding("note", "gains-least", variants=(least[1], "variant"),
                      change=(least[0], "change"))  # fmt: skip
    if idle := rows.idle_weights(result):
        yield finding("note", "idle", weights=(idle, "weight"))
    if weights_assumed(result.configuration):
        yield finding("note", "assumed")


def _left_out(result: EstimateResult) -> Iterator[Fact]:
    if result.validation is not None and result.validation.jobs_left_out:
        yield Fact("left_out", result.validation.jobs_left_out, "count")


def _simulated(result: EstimateResult) -> Iterator[Fact]:
    """How many simulations there are of each kind."""
    kinds: Counter[str] = Counter()
    for case in result.outcomes:
        if case.tool is None:
            kinds["without"] += 1
        else:
            kinds["oracle" if isinstance(case.tool, BoundedErrorOracle) else "predictor"] += 1
    yield Fact("simulations", len(result.outcomes), "count")
    yield Fact("without_tool", kinds["without"], "count")
    yield Fact("with_oracle", kinds["oracle"], "count")
    if kinds["predictor"]:
        yield Fact("with_predictor", kinds["predictor"], "count")
    varied = sum(case.variant != AS_GIVEN for case in result.outcomes)
    if varied:
        yield Fact("with_weights", varied, "count")


def _tables(result: EstimateResult) -> Iterator[Table]:
    several = len(result.settings.seeds) > 1 and not result.one_user
    single = set() if several else {"change_low", "change_high"}
    cell = {"uptake": "share given", "error": "share given"}
    change = {"change": "change", "change_low": "change", "change_high": "change"}
    spread = {"gain_deviation": "share", "agreed": "flag"}
    mean, longest = _units(result)
    more = {"seeds": "count", "median_s": "s", "least_s": "s", "most_s": "s",
            "gain_mean": "change", "gain_median": "change", "gain_least": "change",
            "gain_most": "change"}  # fmt: skip
    yield table("few cells", {**cell, "mean_s": mean, **change, "everybody_s": mean,
                "longest_s": longest, "longest_change": "change"}, rows.few_cells(result),
                hidden=single,
                labels={"mean_s": "sampled_mean", "everybody_s": "all_mean"})  # fmt: skip
    every = {**cell, "mean_s": "s", "deviation_s": "s", **change, **spread, **more}
    hidden = more.keys() | (() if several else {"deviation_s", *change, *spread} - {"change"})
    for name in ("mean queue time", "maximum queue time"):
        yield table(name, every, at=f"/tables/{name}", hidden=hidden)
    yield table("groups", cell | {f"{group}_s": mean for group in rows.GROUPS}, at="/tables/groups",
                hidden={"error"})  # fmt: skip
    further = {"max_wait_s": "s", "kills": "count", "corrections": "count", "tool": "exact",
               "gain": "change", "gain_groups_least": "change",
               "gain_groups_most": "change"}  # fmt: skip
    yield table("predictors", {"predictor": "predictor", "strategy": "strategy",
                "mean_wait_s": mean, **change, "groups_range": "interval:change",
                "share_of_exact": "share", "jobs_killed": "count",
                "lost_share_of_work": "share", **further}, at="/tables/predictors",
                hidden=further.keys() | {"share_of_exact", "change_low", "change_high"}
                | (set() if several else {"groups_range"}),
                labels={"change_low": "groups_low", "change_high": "groups_high"})  # fmt: skip
    yield table("weights", {"weights": "variant", "mean_wait_s": mean, "mean_wait_exact_s": mean,
                "change": "change", "max_wait_s": longest, "max_wait_exact_s": longest,
                "gain": "change"},
                at="/tables/weights", hidden={"gain"})  # fmt: skip
    yield table("validation", _VALIDATION, at="/tables/validation", hidden={*_FURTHER})
    yield table("claims", {"claim": "claim", "holds": "holds", "counted": "counted",
                "held": "of:count", "change": "change", "range": "interval:change",
                "correlation": "number"}, rows.claims(result))  # fmt: skip
    yield from maui_tables(result.configuration)
    maps: dict[str, Measure] = {"map of means": "mean_s", "map of longest": "max_s"}
    for name, measure in maps.items():
        yield table(name, {**cell, "change": "change", **spread}, rows.drawn(result, measure))
    yield table("waits by uptake", {"uptake": "share given", "group": "group", "wait_s": "s"},
                () if result.one_user else rows.waits_by_uptake(result))  # fmt: skip
    yield table("drawn predictors", {"name": "tool", "change": "change"},
                rows.drawn_predictors(result))  # fmt: skip
    yield table("more completed", {"schedule": "schedule", "days": "number", "more": "count"},
                rows.more_completed(result))  # fmt: skip


_FURTHER = {
    "mean_lead_h": "number", "mean_wait_ratio": "ratio", "median_wait_error_s": "s",
    "jobs": "count", "most_processors": "count", "hours_over_machine": "number",
    "waiting_beside_room_percent": "number", "nearly_idle_hours": "number",
    "largest_gap_percent": "number", "largest_gap_at_s": "id", "mean_gap_jobs": "number",
    "mean_gap_percent": "number",
}  # fmt: skip
"""Measures of a schedule that people do not see."""
_VALIDATION = {
    "policy": "schedule", "mean_wait_s": "s", "median_wait_s": "s", "utilisation": "share",
    "area_h_per_job": "number", "largest_gap_jobs": "count", "mean_wait_error_s": "s",
    "wait_correlation": "number", "rank_correlation": "number", **_FURTHER,
}  # fmt: skip
"""Measures of a schedule, and its distance from the recorded one."""


def _draws_groups(result: EstimateResult) -> bool:
    """Whether there are enough uptakes, users and waits for a figure of them."""
    several = len({*result.settings.uptakes}) > 2 and not result.one_user
    return several and any(row["wait_s"] for row in rows.waits_by_uptake(result))


def _figures(result: EstimateResult) -> Iterator[Figure]:
    if len(rows.drawn_predictors(result)) > 1:
        yield Figure("predictors", "intervals", "drawn predictors", "name", ("change",),
                     limits=(Limit("x", 0.0, "no tool"),), scale={"x": "cut"})  # fmt: skip
    deviates = any(row.get("gain_deviation") for row in rows.drawn(result, "mean_s"))
    panels = ("change", "gain_deviation") if deviates else ("change",)
    maps: tuple[tuple[str, str, Measure], ...] = (
        ("mean", "map of means", "mean_s"), ("longest", "map of longest", "max_s"),
    )  # fmt: skip
    for name, of_map, measure in maps:
        cells = [row for row in rows.drawn(result, measure) if _counts(result, row)]
        if cells:
            shorter = ((sum(row["change"] < 0 for row in cells), len(cells)), "of:count")
            yield Figure(name, "map", of_map, "error", panels, across="uptake", marked="agreed",
                         finding=finding("note", f"{name}-shorter", cells=shorter))  # fmt: skip
    if _draws_groups(result):
        yield Figure("groups", "lines", "waits by uptake", "uptake", ("wait_s",), series="group")
    range_of = _weights_range(result)
    if range_of is not None:
        yield Figure("weights", "intervals", "weights", "weights", ("change",), finding=range_of,
                     limits=(Limit("x", 0.0, "no tool"),), scale={"x": "cut"})  # fmt: skip
    if result.validation is not None:
        ours = (result.validation.deviations[0].area_h_per_job * 3600, "s")
        yield Figure("completions", "lines", "more completed", "days", ("more",),
                     series="schedule", finding=finding("note", "off-by", area=ours))  # fmt: skip


def _data(result: EstimateResult) -> dict[str, Any]:
    """The members of estimate.json besides the study."""
    log = result.workload.log
    tables = {
        "mean queue time": rows.cells(result, "mean_s"),
        "maximum queue time": rows.cells(result, "max_s"),
        "claims": [asdict(claim) for claim in claims(result)],
        "predictors": rows.predictors(result),
        "groups": result.by_group,
        "weights": rows.weights(result),
        "validation": [] if result.validation is None else result.validation.rows(),
    }
    return {
        "log": log.name,
        "sha256": log.sha256,
        "source": source(log),
        "machine_processors": result.workload.problem.processors,
        "jobs": len(log),
        "counts": dict(log.counts),
        "users": result.workload.users,
        "seed_group_users": result.workload.group_size(result.workload.seed_group),
        "scheduler": result.configuration.name,
        "files": dict(result.files),
        "settings": result.settings.to_dict(),
        "no_tool": result.no_tool.to_dict(),
        "exact": result.exact.to_dict(),
        "tables": tables,
    }
