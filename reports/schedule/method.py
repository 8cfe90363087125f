"""The appendix on method of the document on power-aware scheduling."""

from __future__ import annotations

from collections.abc import Iterator

from planner.formatting import capitalised, given, plural, power, telling, watts, words
from planner.question import schedule_of
from planner.scheduling.power.explanation import CHARGES, SOURCES, described
from planner.scheduling.power.few_jobs import job_text, load_text, single_job
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.ilp.naming import Family, ilp_name
from planner.scheduling.power.ilp.slot_policy import SlotPolicy
from planner.scheduling.power.inputs.simulated import simulated_rows
from planner.scheduling.power.policy_texts import objective_text, policy_text
from planner.scheduling.power.study import ScheduleStudy
from reports.blocks import Drawn, Page, grid, text
from reports.grid import table
from scenarios.job_logs.poisson import MEAN_GAP_S, NODES
from scenarios.model.schedule import ScheduleLog
from scenarios.simulated import find_application


def method(study: ScheduleStudy, drawings: Drawn) -> Page:
    """Return how the logs, the schedules and the measures were made."""
    del drawings
    settings = schedule_of(study.scenario)
    rows = (
        ("Cluster", _cluster(study)),
        *([("Logs", logs_text(study))] if single_job(study.outcomes) else []),
        *_requests(study),
        *_applications(study),
        ("Run times and power", _source(study)),
        ("Charged power", CHARGES[settings.charge]),
        *_programs(study),
        *_fair_share(study),
        *(item for item in _RULES.items() if item[0] not in _leave_out(study)),
        *(_TESTS.items() if study.seeds > 1 else ()),
    )
    columns = (("Part", False), ("How it is done", False))
    method = {**table(columns, (1, 3.2), rows), "breakable": True}
    return Page("Appendix: method", "", (text(_SUMMARY), grid(method, "Method")))


def _cluster(study: ScheduleStudy) -> str:
    """Return nodes, power bounds, and what differs by chance."""
    cluster = schedule_of(study.scenario).cluster
    chance = [word for word, on in (("socket power", cluster.variability),
                                    ("run times", cluster.noise)) if on]  # fmt: skip
    simulated = any(application.problem is not None
                    for application in schedule_of(study.scenario).applications)  # fmt: skip
    drawn = f" Each seed draws its own random variation in {words(chance)}."
    differ = drawn if chance and simulated else ""
    idle = f" Idle power of a node: {watts(cluster.idle_node_w)}." if cluster.idle_node_w else ""
    return (
        f"{plural(cluster.nodes, 'node')} with {plural(cluster.cores_per_node, 'core')} each. "
        f"Power bound{'' if len(study.bounds_w) == 1 else 's'}: "
        f"{words(map(power, study.bounds_w))}.{idle}{differ}"
    )


def logs_text(study: ScheduleStudy) -> str:
    """Return how many jobs the logs have, and how many nodes synthetic jobs request."""
    alone = job_text(schedule_of(study.scenario))
    if alone:
        return f"{capitalised(study.logs[0])}: {alone[:1].lower()}{alone[1:]}"
    jobs = [len(outcome.jobs) for outcome in study.outcomes]
    least, most = min(jobs), max(jobs)
    each = plural(most, "job") if least == most else f"{least:,} to {plural(most, 'job')}"
    ranges: dict[str, list[str]] = {}
    for log in schedule_of(study.scenario).logs:
        if log.name in study.logs and log.kind in NODES:
            low, high = NODES[log.kind]
            ranges.setdefault(f"{low} to {high} nodes", []).append(log.name)
    kinds = [
        nodes + (f" ({words(names)})" if len(study.logs) > 1 else "")
        for nodes, names in ranges.items()
    ]
    schedule = schedule_of(study.scenario)
    files = [
        f"{log.name} has jobs {log.first_job:,} to {log.first_job + most - 1:,} of {log.file}"
        for log in schedule.logs
        if log.name in study.logs and log.kind == "file" and least == most
    ]
    origin = f" {capitalised('; '.join(files))}." if files else ""
    requests = f" Synthetic jobs request {words(kinds)}." if kinds else ""
    every = " each" if len(study.logs) > 1 else ""
    names = f"Log{'s' if len(study.logs) > 1 else ''} {words(study.logs)}"
    return f"{names}: {each}{every}.{origin}{requests}"


def _requests(study: ScheduleStudy) -> Iterator[tuple[str, str]]:
    """Yield arrivals and requested times of synthetic logs, and other work at the start."""
    schedule = schedule_of(study.scenario)
    logs = [log for log in schedule.logs if log.name in study.logs and log.drawn]
    if logs:
        rates = dict.fromkeys(map(_rate, logs))
        factors = dict.fromkeys(f"{log.estimate_factor:g}" for log in logs)
        yield "Arrivals", f"Poisson. {capitalised('; '.join(rates))}."
        rule = "times the true run time on the requested nodes, with all cores and no caps"
        yield "Requested time", f"{' or '.join(factors)} {rule}."
    load = load_text(schedule, [bound_w - study.reserved_w for bound_w in study.bounds_w])
    if load:
        included = "Use of the bound includes it; energy is that of the jobs."
        yield "Other work", included if single_job(study.outcomes) else f"{load} {included}"


def _rate(log: ScheduleLog) -> str:
    if log.offered_load is None:
        return f"mean gap between jobs {telling(log.mean_gap_s or MEAN_GAP_S, 3)} s"
    return (
        f"offered load {given(log.offered_load)}: node-hours of jobs (all cores, no caps) over "
        "those of the cluster"
    )


def _applications(study: ScheduleStudy) -> Iterator[tuple[str, str]]:
    """Yield the simulated applications, each with what it is if it is a known one."""
    simulated = [
        application.name
        for application in schedule_of(study.scenario).applications
        if application.problem is not None
    ]
    known = {
        kind: [name for name in simulated if KINDS.get(name) == kind] for kind in KINDS.values()
    }
    parts = [f"{words(found)} ({kind})" for kind, found in known.items() if found]
    others = [name for name in simulated if name not in KINDS]
    equal = " Each job of a synthetic log runs any of them, equally likely."
    if parts:
        every = f"{'; '.join([*parts, *others])}."
        yield "Applications", f"{every}{equal if study.synthetic else ''}"
        yield from _grid(study)


def _grid(study: ScheduleStudy) -> Iterator[tuple[str, str]]:
    """Yield the configurations of simulated applications, where all have the same."""
    schedule = schedule_of(study.scenario)
    rows = [
        simulated_rows(find_application(application.name, application.problem),
                       schedule.cluster.nodes, every=schedule.details.node_counts == "every")
        for application in schedule.applications
        if application.problem is not None
    ]  # fmt: skip
    ends = dict.fromkeys(
        f"{len(row)} of each application: {row.nodes.min()} to {row.nodes.max()} nodes, "
        f"{row.cores_per_node.min()} to {row.cores_per_node.max()} cores per node, package caps of "
        f"{row.package_cap_w.min():g} to {row.package_cap_w.max():g} W."
        for row in rows
    )
    if len(ends) == 1:
        yield "Configurations", next(iter(ends))


_MULTI_ZONE = "NAS multi-zone benchmarks"
KINDS = {
    "SPhot": "Monte Carlo photon transport",
    "BT-MZ": _MULTI_ZONE,
    "SP-MZ": _MULTI_ZONE,
    "LU-MZ": _MULTI_ZONE,
    "SC": "synthetic, scalable, CPU-bound",
    "NSC": "synthetic, not scalable, CPU-bound",
    "SM": "synthetic, scalable, memory-bound",
    "NSM": "synthetic, not scalable, memory-bound",
}
"""Applications of the simulated cluster (thesis, sections 3.2 and 5.4)."""


def _source(study: ScheduleStudy) -> str:
    """Return where run times and power come from, with the size of the training of a model."""
    details = schedule_of(study.scenario).details
    if details.method != "model":
        return SOURCES[details.method]
    runs = f", {plural(details.repetitions, 'run')} of each" if not details.file else ""
    return (
        "A regression predicts both: a polynomial of degree 2 in the logarithms of nodes, cores "
        f"and cap. It is trained on {given(details.training_share)} of the configurations of an "
        f"application, chosen at random{runs}."
    )


def _programs(study: ScheduleStudy) -> Iterator[tuple[str, str]]:
    """Yield what the integer programs of the policies optimise, and when they stop."""
    families = [program.family for name in study.policies if (program := ilp_name(name))]
    for family in dict.fromkeys(families):
        slots = SlotPolicy()
        budget = slots.budget if family == "slots" else KnapsackPolicy().budget
        stop = (
            f"It stops within {given(budget.gap)} of the solver's proven limit (the gap), or after "
            f"{budget.node_limit:,} branch-and-bound nodes. {_greedy(study, family)} There is no "
            "time limit."
        )
        if family == "slots":
            stop = f"A slot is {slots.slot_s:g} s; {slots.window} jobs are planned. {stop}"
        yield _PROGRAMS[family], f"{objective_text(family, study.policies)} {stop}"


_PROGRAMS: dict[Family, str] = {
    "knapsack": "Integer program",
    "reserved": "Integer program with a reservation",
    "slots": "Integer program in slots",
}


def _greedy(study: ScheduleStudy, family: Family) -> str:
    """Return when Adaptive decides instead of a program, what it is, and how often it did."""
    mine = [
        outcome
        for outcome in study.outcomes
        if (program := ilp_name(outcome.policy)) and program.family == family
    ]
    decisions, fallbacks = (
        sum(getattr(outcome, name) for outcome in mine) for name in ("decisions", "fallbacks")
    )
    known = any(name.startswith("adaptive") for name in study.policies)
    is_ = "" if known else f" Adaptive is greedy: {policy_text('adaptive')}."
    often = f"; here in {fallbacks:,} of {plural(decisions, 'decision')}" if decisions else ""
    return f"Adaptive decides if the gap is then larger, or if no job would ever start{often}.{is_}"


def _fair_share(study: ScheduleStudy) -> Iterator[tuple[str, str]]:
    """Yield what a job without a configuration within its fair share gets, and how many there are.

    Policies without fair shares need no such rule.
    """
    shared = [does for does in described(study).values() if "without fair shares" not in does]
    greedy = any(outcome.fallbacks for outcome in study.outcomes)  # Adaptive, which has them
    if not greedy and not any("fair share" in does for does in shared):
        return
    jobs = sum(len(outcome.jobs) for outcome in study.outcomes)
    rounded = sum(outcome.rounded for outcome in study.outcomes)
    rule = (
        "A job without a configuration within its fair share gets the one of least power "
        f"(here {f'{rounded:,}' if rounded else 'none'} of {plural(jobs, 'job run')}). A job is "
        "charged the power of its configuration, not its fair share."
    )
    yield "Fair share", rule


def _leave_out(study: ScheduleStudy) -> tuple[str, ...]:
    """Return rules that say nothing about one job in one case."""
    return ("Ratios", "Overtaking") if single_job(study.outcomes) else ()


_SUMMARY = (
    "An event-driven simulation calls the policy whenever a job is submitted or ends. All policies "
    "get the same jobs, and the same table of run times and power of every configuration."
)
_RULES = {
    "Overtaking": "Unless the policy says otherwise, the first waiting job has a reserved start. "
    "Others may overtake it if they do not delay this start by the expected run times.",
    "Truth": "Schedules are scored on true run times and true power, which no policy sees. An "
    "independent checker verifies every schedule; it shares no code with the policies.",
    "Ratios": "Mean turnaround is the mean over the jobs of a log that ran. The ratio of a policy "
    "is the geometric mean of its ratios over logs and bounds.",
    "Use of the bound": "Mean true power, first submission to last end (makespan), as a share of "
    "power for jobs.",
}
_TESTS = {
    "Intervals and tests": "Student's t for ratios, paired by seed; 95 % intervals. Significance "
    "is corrected for all comparisons of a table (Holm's procedure, 5 %).",
}
