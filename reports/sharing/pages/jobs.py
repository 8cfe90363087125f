"""How each job runs, and how much power it draws."""

from __future__ import annotations

from planner.configurations.sharing.study import SharingStudy
from planner.formatting import clipped, percent, seconds, used_share, watts
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.compact import compact
from reports.grid import Table, table
from reports.numbers import typed
from reports.sharing.figures.watts import MOST_PARTS, coloured_jobs
from reports.sharing.groups import JobGroup, groups, jobs_in
from reports.sharing.pages.each_job import LONGEST_NAME, each_job, total_row
from reports.sharing.summary import BOOK, jobs, jobs_first, one_by_one

_MOST_GROUPS = 30
_SOURCE = "Each part is as wide as its power; white is unused."


def page(study: SharingStudy, pictures: Drawn) -> Page:
    """Every job where they are few, else those that are alike in one row."""
    in_plan = groups(study.plan)
    blocks: list[Block] = [*figures(pictures, "watts", _source(study))]
    if jobs_first(study):
        blocks.append(text(study.sockets_summary))
        return Page("How is the power shared?", _finding(study), tuple(blocks))
    if one_by_one(study):
        several = len(study.problem.jobs) > 1
        blocks += compact(each_job(study), "Each job", small=True, total=several)
    else:
        caption = "Groups of equal jobs, by power"
        if len(in_plan) > _MOST_GROUPS:
            caption += f": {_MOST_GROUPS} of {len(in_plan):,} groups, every job in {BOOK}"
        else:
            caption += f"; every job in {BOOK}"
        blocks.append(grid(_alike(study, in_plan), caption, small=True))
    return Page("How does each job run?", _finding(study), tuple(blocks))


def _finding(study: SharingStudy) -> str:
    """State which application draws most power, and which least."""
    power_w = study.power_by_application
    bound_w = study.problem.bound.bound_w
    ranked = sorted(power_w, key=lambda name: -power_w[name])
    most, least = ranked[0], ranked[-1]
    shares = {name: used_share(power_w[name] / bound_w) for name in (most, least)}
    if most == least:
        count = jobs(len(study.problem.jobs))
        return f"{clipped(most)} uses {shares[most]} of the bound in {count}."
    return (
        f"{clipped(most)} draws most, {shares[most]} of the bound, and {clipped(least)} least, "
        f"{shares[least]}."
    )


def _source(study: SharingStudy) -> str:
    if coloured_jobs(study):
        return f"{_SOURCE} Numbers are job numbers."
    alone = " in one configuration" if len(groups(study.plan)) <= MOST_PARTS else ""
    return f"{_SOURCE} A part is all jobs of an application{alone}; numbers count jobs."


def _alike(study: SharingStudy, in_plan: list[JobGroup]) -> Table:
    columns = (
        ("Jobs", True), ("Application", False), ("Weight", True), ("Nodes x cores, cap", False),
        ("Time each", True), ("Power each", True), ("Share of the bound", True),
    )  # fmt: skip
    bound_w = study.problem.bound.bound_w
    rows: list[tuple[str, ...]] = [
        (
            f"{group.jobs:,}", clipped(group.name, LONGEST_NAME), _ends(group.weights),
            str(group.configuration), seconds(group.configuration.time_s),
            watts(group.configuration.power_w), percent(group.power_w / bound_w),
        )
        for group in in_plan[:_MOST_GROUPS]
    ]  # fmt: skip
    rest = in_plan[_MOST_GROUPS:]
    if rest:
        power_w = sum(group.power_w for group in rest)
        nodes = sum(group.nodes for group in rest)
        rows.append(
            (f"{jobs_in(rest):,}", f"in {len(rest):,} further groups", "", f"{nodes:,} nodes", "",
             f"{watts(power_w)} in all", percent(power_w / bound_w))
        )  # fmt: skip
    rows.append(total_row(study))
    return table(columns, (0.45, 2.2, 0.6, 1.5, 0.9, 1.0, 0.8), rows)


def _ends(weights: tuple[float, ...]) -> str:
    """The least and the largest, where they differ."""
    return " to ".join(dict.fromkeys((typed(min(weights)), typed(max(weights)))))
