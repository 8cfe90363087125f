"""The command ``headroom share``: one configuration per job, nodes and watts shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from planner.cli_edges import a_number, explained, json_option, json_text, show_table

if TYPE_CHECKING:
    from planner.sharing.problem import Job, Plan
    from planner.sharing.share import Shared
    from scenarios.measurements import Measurements

_POSITIVE = click.FloatRange(0, 1e12, min_open=True)
_ROWS = 24


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--bound-w",
    type=_POSITIVE,
    callback=a_number,
    required=True,
    help="Power bound [W] of all jobs together.",
)
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
@click.option(
    "--repetition",
    type=click.Choice(["best", "median", "worst"]),
    default="best",
    show_default=True,
    help="Which repetition speaks for a configuration.",
)
@click.option(
    "--guard",
    type=click.FloatRange(0, 99),
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
@click.option("--column", "columns", multiple=True, metavar="NAME=HEADING")
@click.option("--sheet", help="Sheet of a workbook.")
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def share(file: str, *, as_json: bool, quiet: bool, **asked: Any) -> None:
    """Share nodes and watts among jobs that run at once.

    FILE holds measured runs, as for `headroom configure`; every job runs as one of the
    configurations that were measured of its application.
    """
    with explained():
        from planner.cli_configure import pairs
        from planner.configuration.selection import Bound
        from planner.sharing.problem import Problem
        from planner.sharing.share import share_and_compare
        from scenarios.measurement_reader import read_measurements

        headings = pairs(asked["columns"], "--column")
        table = read_measurements(file, columns=headings, sheet=asked["sheet"])
        bound = Bound(asked["bound_w"], asked["guard"] / 100)
        jobs = _jobs(table, asked["jobs"], asked["repetition"])
        found = share_and_compare(
            Problem(jobs, bound, asked["nodes"]),
            goal="makespan" if asked["goal"] == "makespan" else "weighted time",
            method=asked["method"],
            gap=asked["gap"],
            time_limit_s=asked["time_limit"],
            seed=asked["seed"],
        )
        if as_json:
            click.echo(json_text(_head(table, bound.bound_w, bound.guard) | found.to_dict()))
        elif not quiet:
            _show(found)


def _jobs(table: Measurements, texts: tuple[str, ...], repetition: Any) -> tuple[Job, ...]:
    from planner.configuration.table import table_of
    from planner.errors import InputError
    from planner.sharing.problem import Job
    from scenarios.wording import nearest

    tables = {name: table_of(runs, repetition) for name, runs in table.runs.items()}
    jobs = []
    for text in texts or tuple(tables):
        name, weight = _weighted(text, tables)
        if name not in tables:
            raise InputError(
                f"{table.name} has no application {name!r}; {nearest(name, [*tables])}"
            )
        jobs.append(Job(name, tables[name], weight))
    return tuple(jobs)


def _weighted(text: str, known: Any) -> tuple[str, float]:
    """Take a job apart into its application, which may hold an equals sign, and its weight."""
    name, equals, weight = text.rpartition("=")
    if text in known or not equals:
        return text, 1.0
    try:
        return name, float(weight)
    except ValueError:
        message = f"the weight {weight!r} of {name} is no number"
        raise click.BadParameter(message, param_hint="--job") from None


def _head(table: Measurements, bound_w: float, guard: float) -> dict[str, Any]:
    from planner.version import FORMAT, headroom_version

    return {
        "format": FORMAT,
        "headroom": headroom_version(),
        "measurements": {"name": table.name, "sha256": table.sha256},
        "bound_w": bound_w,
        "guard": guard,
    }


def _show(found: Shared) -> None:
    plan = found.plan
    jobs = list(zip(plan.problem.jobs, plan.configurations, strict=True))
    rows = [
        (job.name, f"{job.weight:g}", str(each), f"{each.time_s:,.4g} s", f"{each.power_w:,.0f} W")
        for job, each in jobs[:_ROWS]
    ]
    show_table(("job", "weight", "nodes x cores, cap", "time", "power"), rows)
    if len(jobs) > _ROWS:
        click.echo(f"... and {len(jobs) - _ROWS} more jobs (--json lists them).")
    beside = [_row(plan), *(_row(rule) for rule in found.rules.values())]
    beside += [(name, reason, "-", "-", "-", "-") for name, reason in found.refused.items()]
    headings = ("method", "weighted time", "makespan", "power", "nodes", "gap")
    show_table(headings, beside)


def _row(plan: Plan) -> tuple[str, ...]:
    certificate = plan.certificate
    gap = "no bound" if certificate is None or certificate.gap_relative is None else ""
    if certificate is not None and not gap:
        gap = f"{certificate.gap_relative:.1e} ({certificate.level})"
    return (
        plan.method,
        f"{plan.weighted_time_s:,.6g} s",
        f"{plan.makespan_s:,.6g} s",
        f"{plan.power_w:,.0f} W",
        f"{plan.nodes:,}",
        gap,
    )
