"""The first page: the decision, why, and the plan compared with the rules of thumb."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from planner.configurations.provisioning import power_assumption
from planner.configurations.sharing.binding import NODES, POWER
from planner.configurations.sharing.study import SharingStudy
from planner.formatting import (
    capitalised,
    clipped,
    gap_words,
    given,
    plural,
    run_times,
    seconds,
    used_share,
    watts,
)
from reports.configuration.summary import bound
from reports.first_page import FirstPage
from reports.report import Facts
from reports.sharing.figures.times import finding
from reports.sharing.pages.each_job import each_job
from reports.sharing.pages.rules import RULES, methods
from reports.sharing.summary import MOST_JOBS, against, jobs, jobs_first
from reports.skeleton import first_sheet, title_page
from reports.warning_boxes import boxed

MOST_RISKS = 4
"""Warnings on the title page."""


def front(study: SharingStudy) -> dict[str, Any]:
    """What the title page shows."""
    return title_page(
        study,
        title(study),
        file_name(study),
        description=_description(study),
        first=FirstPage(
            reasons=_reasons(study),
            alternatives=_alternatives(study),
            risks=boxed(study.warnings, MOST_RISKS),
            limits=_limits(study),
            robustness=_robustness(study),
            assumptions=_assumptions(study),
            next_steps=_next_steps(study),
            table=each_job(study) if jobs_first(study) else methods(study),
            balanced=True,
        ),
        makespan=study.plan.goal == "makespan",
    )


def title(study: SharingStudy) -> str:
    """How many jobs, and what they share."""
    problem = study.problem
    return (
        f"Sharing {bound(problem.bound.bound_w)} and {plural(problem.nodes, 'node')} among "
        f"{jobs(len(problem.jobs))}"
    )


def file_name(study: SharingStudy) -> str:
    """The file without its folders, which may be private."""
    return clipped(PurePath(study.measurements.name).name, 80)


def pairs(study: SharingStudy) -> Facts:
    """The first sheet of the workbook."""
    bound_w, settings = study.problem.bound, study.settings
    rows = [
        (f"SHA-256 of {file_name(study)}", study.measurements.sha256),
        ("power bound (W)", bound_w.bound_w),
        ("guard (share of the bound)", bound_w.guard),
        ("nodes of the machine", study.problem.nodes),
        ("objective", settings.goal),
        ("method", settings.method),
        ("gap at which the search stops", settings.gap),
        ("power counts", study.power_counts),
        ("representative run", settings.repetition),
        ("proven limit of the objective (s)", study.shared.bound),
    ]
    return first_sheet(study, title(study), rows)


def _description(study: SharingStudy) -> str:
    runs = sum(len(run) for run in study.runs.values())
    return (
        f"Chosen from {plural(runs, study.measurements.run_word)} in {file_name(study)}. "
        "(n x c, p W): n nodes, c cores per node, cap of p W per package."
    )


def _reasons(study: SharingStudy) -> list[str]:
    plan = study.plan
    other = "weighted time" if plan.goal == "makespan" else "makespan"
    value = plan.weighted_time_s if plan.goal == "makespan" else plan.makespan_s
    meaning = "" if plan.goal == "makespan" else " (the end of the last job)"
    lines = [study.details, f"Its {other}{meaning} is {seconds(value)}. {_objective(study)}"]
    within = plan.within_deadline
    if within is not None and within.gap_relative is not None:
        lines.append(
            "Among the choices with this makespan, the weighted time is within "
            f"{gap_words(within.gap_relative)} of the least ({within.status.value}, "
            f"{within.level.value})."
        )
    return lines


def _objective(study: SharingStudy) -> str:
    optimal = study.shared.above_bound(study.plan) == 0
    if study.plan.goal == "makespan":
        early = "as early as possible" if optimal else "at the earliest time that was found"
        return f"The plan ends the last job {early}; ties go to less weighted time."
    least = "is possible" if optimal else "was found"
    return f"The plan has the least weighted time that {least}."


def _alternatives(study: SharingStudy) -> list[str]:
    lines = [f"{finding(study)}.", *_ends_earlier(study), RULES] if against(study) else []
    return lines + [f"No plan by {name}: {why}." for name, why in study.shared.refused.items()]


def _ends_earlier(study: SharingStudy) -> list[str]:
    """Name the rules whose last job ends before that of the plan."""
    plan = study.plan
    lines = []
    for name, rule in study.shared.rules.items():
        if plan.goal != "makespan" and rule.makespan_s < plan.makespan_s:
            theirs, ours = run_times(rule.makespan_s, plan.makespan_s)
            lines.append(
                f"The last job of {name} ends earlier: after {theirs}, in the plan after {ours}."
            )
    return lines


def _limits(study: SharingStudy) -> list[str]:
    """State how far the limits that bind are used, or that none binds."""
    plan, problem = study.plan, study.problem
    free_w = max(0.0, problem.bound.usable_w - plan.power_w)
    used = used_share(plan.power_w / problem.bound.bound_w)
    of_bound = f"{used} of {bound(problem.bound.bound_w)} is used"
    of_nodes = f"{plan.nodes:,} of {plural(problem.nodes, 'node')} are used"
    lines = {
        POWER: f"Power: {of_bound}; {watts(free_w)} stays unused.",
        NODES: f"Nodes: {of_nodes}.",
    }
    shown = [lines[name] for name in study.binding_limits]
    return shown or [f"None: {of_bound}, and {of_nodes}."]


def _robustness(study: SharingStudy) -> list[str]:
    largest, bound_w = study.largest_power_w, study.problem.bound.bound_w
    lines = []
    if largest <= bound_w:
        lines.append(
            f"At the highest power of all runs of every job, the jobs draw {watts(largest)}: "
            "still within the bound."
        )
    if any(seen.wide for seen in study.risks):
        lines.append(_slowest(study))
    once = sum(seen.repetitions == 1 for seen in study.risks)
    if once:
        total = jobs(len(study.risks))
        lines.append(f"{once:,} of {total} use a configuration that was run once.")
    return lines


def _slowest(study: SharingStudy) -> str:
    """State what the plan takes if every job is as slow as its slowest run."""
    worst_s = [seen.worst_s for seen in study.risks]
    weighted = sum(
        job.weight * time_s for job, time_s in zip(study.problem.jobs, worst_s, strict=True)
    )
    return (
        f"If every job took as long as its slowest run, the makespan would be "
        f"{seconds(max(worst_s))} and the weighted time {seconds(weighted)}."
    )


def _assumptions(study: SharingStudy) -> list[str]:
    guard = study.problem.bound.guard
    lines = [
        "All jobs start together and keep their nodes and watts until they end.",
        power_assumption(study.power_counts),
    ]
    if study.measurements.simulated:
        lines.append(study.measurements.simulated_text)
    return [*lines, f"A guard of {given(guard)} of the bound is kept free."] if guard else lines


def _next_steps(study: SharingStudy) -> list[str]:
    where = "the table below" if jobs_first(study) else "the table 'Each job'"
    start = f"start each job with the nodes, cores and cap of {where}."
    if len(study.problem.jobs) > MOST_JOBS:
        start = "start each job with its nodes, cores and cap, which share.xlsx lists."
    again = "If the bound is hard, plan again with --repetition worst; otherwise "
    lines = [again + start if study.may_exceed else capitalised(start)]
    if any(seen.repetitions == 1 for seen in study.risks):
        lines.append("Repeat the runs that were made once, to learn their variation.")
    return lines
