"""Options that several commands share, each defined once; a command may give another help."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from planner.cli.completion import NameOrPath, log_models, scenario_names
from planner.cli.quantities import Quantity, Share
from planner.cli.typed import WrittenPath, argument, option
from planner.compiling import tell_compiling

if TYPE_CHECKING:
    from planner.configurations.sharing.problem import Goal

POSITIVE = click.FloatRange(0, 1e12, min_open=True)
POWER = Quantity("power", "W", 0, 1e12, above=True)
TIME_LIMIT = Quantity("time", "s", 0, 1e6, above=True)
GUARD = Share(0, 0.99, percent=True)
PROCESSORS = click.IntRange(1, 10**9)

scenario_argument = partial(argument, type=NameOrPath(scenario_names))
log_argument = partial(argument, type=NameOrPath(log_models))
out_option = partial(option, "-o", "--out", type=WrittenPath())
json_option = partial(
    option, "--json", is_flag=True, recorded=False, help="One JSON object on stdout."
)


def _quiet(_context: click.Context, _option: click.Parameter, quiet: bool) -> bool:  # noqa: FBT001
    tell_compiling(told=not quiet)
    return quiet


quiet_option = partial(
    option,
    "-q",
    "--quiet",
    is_flag=True,
    recorded=False,
    callback=_quiet,
    help="Print nothing but errors.",
)
force_option = partial(
    option,
    "--force",
    is_flag=True,
    recorded=False,
    help="Replace existing files, also those that Headroom did not write; never an input.",
)
seed_option = partial(option, "--seed", type=click.IntRange(0, 2**31 - 1), default=0)
time_limit_option = partial(
    option,
    "--time-limit",
    type=TIME_LIMIT,
    help="Time for each solve, as in 90s or 5min; results may then differ from run to run.",
)
workers_option = partial(
    option, "--workers", type=click.IntRange(1, 256), default=1, recorded=False
)
keep_option = partial(
    option,
    "--keep",
    type=WrittenPath(),
    metavar="FOLDER",
    recorded=False,
    help="Save finished parts in FOLDER, so that an interrupted run can continue.",
)
goal_option = partial(
    option,
    "--objective",
    type=click.Choice(["weighted-time", "makespan"]),
    default="weighted-time",
)
processors_option = partial(
    option,
    "--processors",
    type=PROCESSORS,
    help="Number of processors of the machine; by default from the log.",
)
nodes_option = partial(
    option,
    "--nodes",
    type=click.IntRange(1, 1_000_000),
    help="Nodes of the machine; by default as LOG says.",
)
node_cores_option = partial(
    option,
    "--node-cores",
    type=click.IntRange(1, 100_000),
    default=1,
    help="Processors of LOG that make one node.",
)
column_option = partial(
    option,
    "--column",
    multiple=True,
    metavar="NAME=HEADING",
    help="Heading of a column of LOG, such as run_s='Elapsed [s]'; may be given several times.",
)


def bound_option(of: str) -> Any:
    """The power bound of what is named."""
    return option(
        "--power-bound",
        type=POWER,
        required=True,
        help=f"Power bound of all {of} together, as in 3.5kW; a bare number is in watts.",
    )


def goal_of(text: str) -> Goal:
    """Return the goal that ``--objective`` names."""
    return "makespan" if text == "makespan" else "weighted time"


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """Where the report goes, in which formats, and what is printed."""

    out: str | None = out_option(
        help="Folder for a report with figures, workbook and data; without it none is made."
    )
    force: bool = force_option()
    as_json: bool = json_option()
    quiet: bool = quiet_option()
    html: bool = option(
        "--html", is_flag=True, recorded=False, help="Write report.html, too, for a browser."
    )
