"""What the rules of thumb give up, and who was refused."""

from __future__ import annotations

from planner.configurations.sharing.problem import SharingPlan
from planner.configurations.sharing.study import SharingStudy
from planner.formatting import DASH, percent, seconds, used_share, watts
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, subheading, text
from reports.compact import compact
from reports.grid import Table, table
from reports.sharing.figures.times import finding, rows
from reports.sharing.summary import against, changes_by_rule, jobs_first, label, one_by_one

RULES = (
    "Greedy starts with the smallest configurations and adds what saves most time per watt and "
    "node. Equal shares gives all jobs equally many nodes and equal power."
)
"""How the rules of thumb choose."""
_MOST_BEFORE = 12
"""A figure of more rows needs most of a sheet: its table goes before it, to fill the last one."""


def page(study: SharingStudy, pictures: Drawn) -> Page:
    """The dots, what they say job by job, and why a rule has no plan."""
    selected, omitted = rows(study)
    source = "Above: the objective; below: time " + (
        "of every job." if one_by_one(study) else "of the jobs of each application (mean, range)."
    )
    source += " Markers of one row are shifted apart."
    if omitted:
        source += f" Not shown: {omitted}."
    seen: list[Block] = figures(pictures, "times", source)
    if study.shared.rules and jobs_first(study):
        limit = (
            "No choice has an objective below the proven limit. Jobs are compared with the plan."
        )
        seen = [text(limit), grid(_compared(study), "Methods compared"), *seen]
    elif study.shared.rules:
        caption = "Rules of thumb compared with the plan, job by job"
        counted = compact(_rules_table(study), caption, keep=("Jobs slower", "Jobs faster"))
        seen = [*seen, *counted] if len(selected) <= _MOST_BEFORE else [*counted, *seen]
    explained = [] if against(study) else [text(RULES)]  # else the first page explains them
    blocks = (*explained, *refused(study), *seen)
    return Page("How much worse are rules of thumb?", _finding(study), blocks)


def _finding(study: SharingStudy) -> str:
    """State how much worse each rule is, as the figure shows it."""
    return f"{finding(study)}."


def refused(study: SharingStudy) -> list[Block]:
    """Methods without a plan, with the reason."""
    lines = [f"No plan by {name}: {reason}." for name, reason in study.shared.refused.items()]
    return [subheading("Methods without a plan"), bullets(lines)] if lines else []


def _rules_table(study: SharingStudy) -> Table:
    columns = (
        ("Method", False), ("Jobs slower", True), ("Jobs faster", True),
        ("Largest slow\u00addown", True), ("Unused power", True), ("Unused nodes", True),
        ("Above proven limit", True),
    )  # fmt: skip
    body = [_row(study, rule) for rule in study.shared.rules.values()]
    return table(columns, (1.3, 0.9, 0.9, 1.1, 0.9, 0.9, 1.1), body)


def _row(study: SharingStudy, rule: SharingPlan) -> tuple[str, ...]:
    slower, faster, largest = changes_by_rule(study.plan, rule)
    return (
        rule.method, f"{slower:,}", f"{faster:,}", percent(max(0.0, largest)),
        watts(max(0.0, rule.problem.bound.usable_w - rule.power_w)),
        f"{rule.problem.nodes - rule.nodes:,}", study.shared.above_text(rule),
    )  # fmt: skip


def methods(study: SharingStudy) -> Table:
    """The plan and the rules of thumb, one row each."""
    columns = (
        ("Method", False), ("Weighted time", True), ("Makespan", True), ("Power", True),
        ("Share of bound", True), ("Nodes", True), ("Above proven limit", True),
    )  # fmt: skip
    rows = [_method_row(study, plan) for plan in study.plans]
    rows += [(name, "no plan", *[DASH] * 5) for name in study.shared.refused]
    return table(columns, (1.5, 1.15, 1.05, 0.9, 0.75, 0.6, 1.0), rows)


def _method_row(study: SharingStudy, plan: SharingPlan) -> tuple[str, ...]:
    return (
        label(study, plan),
        seconds(plan.weighted_time_s),
        seconds(plan.makespan_s),
        watts(plan.power_w),
        used_share(plan.power_w / plan.problem.bound.bound_w),
        f"{plan.nodes:,}",
        study.shared.above_text(plan),
    )


def _compared(study: SharingStudy) -> Table:
    """The table of methods, with how many jobs each rule changes."""
    columns = (
        ("Method", False), ("Weighted time", True), ("Makespan", True), ("Power", True),
        ("Nodes", True), ("Above proven limit", True), ("Jobs slower", True),
        ("Jobs faster", True), ("Largest slow\u00addown", True),
    )  # fmt: skip
    rows: list[tuple[str, ...]] = []
    for plan in study.plans:
        changed = (DASH, DASH, DASH)
        if plan is not study.plan:
            slower, faster, largest = changes_by_rule(study.plan, plan)
            changed = (f"{slower:,}", f"{faster:,}", percent(max(0.0, largest)))
        name, weighted, makespan, power, _, nodes, over = _method_row(study, plan)
        rows.append((name, weighted, makespan, power, nodes, over, *changed))
    rows += [(name, "no plan", *[DASH] * 7) for name in study.shared.refused]
    return table(columns, (1.25, 1, 1, 0.9, 0.65, 0.9, 0.75, 0.75, 0.9), rows)
