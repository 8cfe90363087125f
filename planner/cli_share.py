"""The command ``headroom share``: one configuration per job, nodes and watts shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from planner.cli_edges import a_number, explained, json_option, json_text, progress, show_table
from planner.cli_options import PERCENT, bound_option, reading_options, repetition_option
from planner.configuration.wording import seconds, watts

if TYPE_CHECKING:
    from planner.configuration.selection import Bound
    from planner.configuration.table import Repetition
    from planner.sharing.problem import Job, Plan
    from planner.sharing.share import Shared
    from scenarios.measurements import Measurements

_ROWS = 24


@click.command()
@click.argument("file", type=click.Path())
@bound_option("jobs")
@click.option("--nodes", type=click.IntRange(1, 10**9), required=True, help="Nodes of the machine.")
@click.option(
    "--job",
    "jobs",
    multiple=True,
    metavar="APPLICATION[=WEIGHT]",
    help="A job; repeat it for more. By default one of each application in FILE.",
)
@click.option(
    "--goal",
    type=click.Choice(["weighted-time", "makespan"]),
    default="weighted-time",
    show_default=True,
    help="What to minimise.",
)
@click.option(
    "--method",
    type=click.Choice(["lagrangian", "highs", "cbc", "both"]),
    default="lagrangian",
    show_default=True,
)
@repetition_option
@click.option(
    "--guard",
    type=PERCENT,
    callback=a_number,
    default=0.0,
    show_default=True,
    help="Percent of the bound to leave free.",
)
@click.option(
    "--gap",
    type=click.FloatRange(0, 1),
    callback=a_number,
    default=1e-6,
    show_default=True,
    help="Relative gap that is good enough.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, 1e6, min_open=True),
    callback=a_number,
    help="Seconds per solve; results may then differ from run to run.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@reading_options
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def share(file: str, *, as_json: bool, quiet: bool, **asked: Any) -> None:
    """Share nodes and watts among jobs that run at once.

    FILE holds measured runs, as for `headroom configure`; every job runs as one of the
    configurations that were measured of its application.
    """
    with explained():
        from planner.cli_values import pairs
        from planner.configuration.selection import Bound
        from planner.sharing.problem import Problem
        from planner.sharing.share import share_and_compare
        from scenarios.measurement_reader import read_measurements

        headings = pairs(asked["columns"], "--column")
        table = read_measurements(file, columns=headings, sheet=asked["sheet"])
        bound = Bound(asked["bound_w"], asked["guard"] / 100)
        problem = Problem(_jobs(table, asked["jobs"], asked["repetition"]), bound, asked["nodes"])
        with progress(0, quiet=quiet) as say:
            say("sharing (the first time on a machine, compiling takes some seconds)")
            found = share_and_compare(
                problem,
                goal="makespan" if asked["goal"] == "makespan" else "weighted time",
                method=asked["method"],
                gap=asked["gap"],
                time_limit_s=asked["time_limit"],
                seed=asked["seed"],
            )
        warnings = _warnings(table, found.plan, asked["gap"])
        if as_json:
            head = _head(table, bound) | {"warnings": warnings}
            click.echo(json_text(head | found.to_dict()))
        elif not quiet:
            _show(found)
            for each in warnings:
                click.echo(f"Warning: {each}")


def _jobs(table: Measurements, texts: tuple[str, ...], repetition: Repetition) -> tuple[Job, ...]:
    from planner.cli_values import weighted
    from planner.configuration.asked import check_known
    from planner.configuration.table import table_of
    from planner.sharing.problem import Job

    tables = {name: table_of(runs, repetition) for name, runs in table.runs.items()}
    jobs = []
    for text in texts:
        name, weight = weighted(text, tables, "--job", needed=False)
        check_known(table, [name])
        jobs.append(Job(name, tables[name], weight))
    return tuple(jobs) or tuple(Job(name, each) for name, each in tables.items())


def _warnings(table: Measurements, plan: Plan, gap: float) -> list[str]:
    """What a reader must know before believing the plan."""
    from planner.configuration.risk import doubts, risk
    from scenarios.measurement_spread import spread
    from solvers import Status

    found = list(table.warnings)
    bound_w = plan.problem.bound.bound_w
    for name in dict.fromkeys(job.name for job in plan.problem.jobs):
        measured = spread(table.runs[name])
        found += [] if measured.known else measured.sentences()
    for job, chosen in zip(plan.problem.jobs, plan.configurations, strict=True):
        seen = risk(table.runs[job.name], chosen, bound_w)
        found += doubts(job.name, chosen, seen, bound_w)
    certificate = plan.certificate
    if certificate is not None and certificate.status is not Status.OPTIMAL:
        left = certificate.gap_relative
        how = "no bound is known" if left is None else f"a gap of {left:.1e} is left"
        found.append(
            f"{how}, above the {gap:g} that was asked for; give more time, or --method both"
        )
    return list(dict.fromkeys(found))


def _head(table: Measurements, bound: Bound) -> dict[str, Any]:
    from planner.version import FORMAT, headroom_version
    from scenarios.measurements import power_counts

    return {
        "format": FORMAT,
        "headroom": headroom_version(),
        "measurements": {"name": table.name, "sha256": table.sha256},
        "bound_w": bound.bound_w,
        "guard": bound.guard,
        "power_counts": power_counts(table.runs.values()),
    }


def _show(found: Shared) -> None:
    plan = found.plan
    jobs = list(zip(plan.problem.jobs, plan.configurations, strict=True))
    rows = [
        (job.name, f"{job.weight:g}", str(each), seconds(each.time_s), watts(each.power_w))
        for job, each in jobs[:_ROWS]
    ]
    show_table(("job", "weight", "nodes x cores, cap", "time", "power"), rows)
    if len(jobs) > _ROWS:
        click.echo(f"... and {len(jobs) - _ROWS} more jobs (--json lists them).")
    beside = [_row(found, plan), *(_row(found, rule) for rule in found.rules.values())]
    beside += [(name, reason, "-", "-", "-", "-") for name, reason in found.refused.items()]
    headings = ("method", "weighted time", "makespan", "power", "nodes", "above the bound")
    show_table(headings, beside)
    within = plan.within_deadline
    if within is not None and within.gap_relative is not None:
        click.echo(
            f"Of the choices with this makespan, the weighted time is least to a gap of "
            f"{within.gap_relative:.1e} ({within.status}, {within.level})."
        )


def _row(found: Shared, plan: Plan) -> tuple[str, ...]:
    above = found.above_bound(plan)
    if above is None:
        gap = "no bound"
    elif plan is found.plan and plan.certificate is not None:
        gap = f"{above:.1e} ({plan.certificate.status}, {plan.certificate.level})"
    else:
        gap = f"{above:.1e}"
    return (
        plan.method,
        f"{plan.weighted_time_s:,.6g} s",
        f"{plan.makespan_s:,.6g} s",
        watts(plan.power_w),
        f"{plan.nodes:,}",
        gap,
    )
