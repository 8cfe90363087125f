"""The title page: the decision, the warnings, and the plan beside the rules of thumb."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from planner.configurations.sharing.problem import SharingPlan
from planner.configurations.sharing.study import SharingStudy
from planner.formatting import DASH, clipped, given, percent, plural, total_seconds, watts
from reports.configuration.summary import bound
from reports.grid import Table, table
from reports.report import Facts
from reports.sharing.summary import above, against, jobs, label
from reports.skeleton import first_sheet, title_page
from reports.units import gap_words


def front(study: SharingStudy) -> dict[str, Any]:
    """What the title page shows."""
    return title_page(
        study,
        title(study),
        file_name(study),
        description=_description(study),
        summary=_summary(study),
        table=methods(study),
        makespan=study.plan.goal == "makespan",
    )


def title(study: SharingStudy) -> str:
    """How many jobs, and what they share."""
    problem = study.problem
    return (
        f"{jobs(len(problem.jobs))} under {bound(problem.bound.bound_w)} on "
        f"{plural(problem.nodes, 'node')}"
    )


def file_name(study: SharingStudy) -> str:
    """The file without its folders, which are nobody's business."""
    return clipped(PurePath(study.measurements.name).name, 80)


def pairs(study: SharingStudy) -> Facts:
    """The first sheet of the workbook."""
    bound_w, settings = study.problem.bound, study.settings
    rows = [
        (f"SHA-256 of {file_name(study)}", study.measurements.sha256),
        ("power bound (W)", bound_w.bound_w),
        ("guard (share of the bound)", bound_w.guard),
        ("nodes of the machine", study.problem.nodes),
        ("goal", settings.goal),
        ("method", settings.method),
        ("gap that is good enough", settings.gap),
        ("power counts", study.power_counts),
        ("repetition that speaks", settings.repetition),
        ("best bound of the goal (s)", study.shared.bound),
    ]
    return first_sheet(study, title(study), rows)


def _description(study: SharingStudy) -> str:
    guard = study.problem.bound.guard
    guarded = f" A guard of {given(guard)} of the bound is left free." if guard else ""
    runs = sum(len(run) for run in study.runs.values())
    return (
        f"Each job as one of the configurations measured of its application, in "
        f"{plural(runs, 'run')} in {file_name(study)}. Power is that of {study.power_counts} of "
        f"all nodes together.{guarded}"
    )


def _summary(study: SharingStudy) -> list[str]:
    plan, problem = study.plan, study.problem
    other = "weighted time" if plan.goal == "makespan" else "makespan"
    value = plan.weighted_time_s if plan.goal == "makespan" else plan.makespan_s
    free_w = max(0.0, problem.bound.usable_w - plan.power_w)
    free = f"{watts(free_w)} ({percent(free_w / problem.bound.bound_w)} of the bound)"
    lines = [
        f"{_asked(study)}; the {other} of the plan is {total_seconds(value)}.",
        study.sockets_summary,
        f"Left free: {free} and {plural(problem.nodes - plan.nodes, 'node')}.",
    ]
    within = plan.within_deadline
    if within is not None and within.gap_relative is not None:
        lines.append(
            f"Of the choices with this makespan, the weighted time is least to a gap of "
            f"{gap_words(within.gap_relative)} ({within.status.value}, {within.level.value})."
        )
    comparison = against(study)
    if comparison:
        lines.append(f"Compared with the plan's {plan.goal}, {comparison}.")
    lines += [f"No plan by {name}: {reason}." for name, reason in study.shared.refused.items()]
    largest = study.largest_power_w
    if largest <= problem.bound.bound_w:
        lines.append(
            f"If every job drew as much as its hungriest repetition, together they would draw "
            f"{watts(largest)}: still within the bound."
        )
    return lines


def _asked(study: SharingStudy) -> str:
    if study.plan.goal == "makespan":
        return "The last job is to end early, and of equal choices the weighted time to be least"
    return "The sum of the jobs' times, each by its weight, is to be least"


def methods(study: SharingStudy) -> Table:
    """The plan and the rules of thumb, one row each."""
    columns = (
        ("Method", False), ("Weighted time", True), ("Makespan", True), ("Power", True),
        ("Of the bound", True), ("Nodes", True), ("Above the bound", True),
    )  # fmt: skip
    rows = [_row(study, plan) for plan in study.plans]
    rows += [(name, "no plan", *[DASH] * 5) for name in study.shared.refused]
    return table(columns, (1.5, 1.15, 1.05, 0.9, 0.75, 0.6, 1.0), rows)


def _row(study: SharingStudy, plan: SharingPlan) -> tuple[str, ...]:
    name = label(study, plan)
    return (
        f"{name} ({plan.method})" if name == "plan" else name,
        total_seconds(plan.weighted_time_s),
        total_seconds(plan.makespan_s),
        watts(plan.power_w),
        percent(plan.power_w / plan.problem.bound.bound_w, "down"),
        f"{plan.nodes:,}",
        above(study, plan),
    )
