"""The appendix on method of the document on power-aware scheduling."""

from __future__ import annotations

from collections.abc import Iterator

from planner.formatting import capitalised, given, plural, telling, words
from planner.scheduling.power.explanation import ARRIVALS, CHARGES, SOURCES
from planner.scheduling.power.few_jobs import job_text, load_text, single_job
from planner.scheduling.power.ilp.budget import DecisionBudget
from planner.scheduling.power.policy_texts import OBJECTIVES
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.study import ScheduleStudy
from reports.blocks import Drawn, Page, grid, text
from reports.grid import table
from scenarios.job_logs.poisson import MEAN_GAP_S, NODES
from scenarios.model.schedule import ScheduleLog


def method(study: ScheduleStudy, drawings: Drawn) -> Page:
    """Return how the logs, the schedules and the measures were made."""
    del drawings
    settings = schedule_of(study.scenario)
    rows = (
        ("Logs", _logs(study)),
        *_requests(study),
        *_applications(study),
        ("Run times and power", _source(study)),
        ("Charged power", CHARGES[settings.charge]),
        *_programs(study),
        *(item for item in _RULES.items() if item[0] not in _leave_out(study)),
        *(_TESTS.items() if study.seeds > 1 else ()),
    )
    columns = (("Part", False), ("How it is done", False))
    return Page("Appendix: method", "", (text(_SUMMARY), grid(table(columns, (1, 3.2), rows),
                                                              "Method")))  # fmt: skip


def _logs(study: ScheduleStudy) -> str:
    """Return how many jobs the logs have, and how many nodes synthetic jobs request."""
    alone = job_text(schedule_of(study.scenario))
    if alone:
        return f"{capitalised(study.logs[0])}: {alone[:1].lower()}{alone[1:]}"
    jobs = [len(outcome.jobs) for outcome in study.outcomes]
    least, most = min(jobs), max(jobs)
    each = plural(most, "job") if least == most else f"{least:,} to {plural(most, 'job')}"
    kinds = [
        f"{log.name}: {NODES[log.kind][0]} to {NODES[log.kind][1]} nodes"
        for log in schedule_of(study.scenario).logs
        if log.name in study.logs and log.kind in NODES
    ]
    requests = f" Requests of synthetic jobs: {'; '.join(kinds)}. {ARRIVALS}" if kinds else ""
    every = " each" if len(study.logs) > 1 else ""
    return f"{capitalised(words(study.logs))}, {each}{every}.{requests}"


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
        yield "Other work", f"{load} Use of the bound includes it; energy is that of the jobs."


def _rate(log: ScheduleLog) -> str:
    if log.offered_load is None:
        return f"mean gap between jobs {telling(log.mean_gap_s or MEAN_GAP_S, 3)} s"
    return (
        f"jobs bring {given(log.offered_load)} of the node-hours that the cluster has, with all "
        "cores and no caps"
    )


def _applications(study: ScheduleStudy) -> Iterator[tuple[str, str]]:
    """Yield the simulated applications, each with what it is if it is a known one."""
    simulated = [
        application.name
        for application in schedule_of(study.scenario).applications
        if application.problem is not None
    ]
    known = {
        kind: [name for name in simulated if _KINDS.get(name) == kind] for kind in _KINDS.values()
    }
    parts = [f"{words(found)} ({kind})" for kind, found in known.items() if found]
    others = [name for name in simulated if name not in _KINDS]
    equal = " Each job of a synthetic log runs any of them, equally likely."
    if parts:
        every = f"{'; '.join([*parts, *others])}."
        yield "Applications", f"{every}{equal if study.synthetic else ''}"


_MULTI_ZONE = "NAS multi-zone benchmarks"
_KINDS = {
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
    families = ["ilp-slots" if name.startswith("ilp-slots-") else "ilp"
                for name in study.policies if name.startswith("ilp-")]  # fmt: skip
    budget = DecisionBudget()
    for family in dict.fromkeys(families):
        stop = (
            f"It stops at a gap of {given(budget.gap)} or after {budget.node_limit:,} "
            "branch-and-bound nodes, without a time limit."
        )
        name = "Integer program" if family == "ilp" else "Integer program in slots"
        yield name, f"{OBJECTIVES[family]} {stop}"


def _leave_out(study: ScheduleStudy) -> tuple[str, ...]:
    """Return rules that say nothing about one job in one case."""
    return ("Ratios", "Overtaking") if single_job(study.outcomes) else ()


_SUMMARY = (
    "An event-driven simulation calls the policy whenever a job is submitted or ends. All policies "
    "get the same jobs, and the same table of run times and power of every configuration."
)
_RULES = {
    "Fair share": "A job without a configuration within its fair share gets the cheapest one, and "
    "is counted. A job is charged the power of its configuration, not its fair share.",
    "Overtaking": "Unless the policy says otherwise, the first waiting job has a reserved start. "
    "Others may overtake it if they do not delay this start by the expected run times.",
    "Truth": "Schedules are scored on true run times and true power, which no policy sees. An "
    "independent checker verifies every schedule; it shares no code with the policies.",
    "Ratios": "Mean turnaround is the mean over the jobs of a log that ran. The ratio of a policy "
    "is the geometric mean of its ratios over logs and bounds.",
    "Use of the bound": "Mean true power from the first submission to the last end (the makespan), "
    "divided by the power that jobs may use.",
}
_TESTS = {
    "Intervals": "95 % intervals and tests of ratios are Student's, paired by seed.",
    "Significance": "It is corrected for all comparisons of a table (Holm's procedure, 5 %).",
}
