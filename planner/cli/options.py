"""Options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from planner.cli.quantities import Quantity, Share
from planner.cli.typed import WrittenPath, option

POSITIVE = click.FloatRange(0, 1e12, min_open=True)
POWER = Quantity("power", "W", 0, 1e12, above=True)
GUARD = Share(0, 0.99, percent=True)
PROCESSORS = click.IntRange(1, 10**9)


def json_option() -> Any:
    """Whether one JSON object is printed."""
    return option("--json", is_flag=True, recorded=False, help="One JSON object on stdout.")


def quiet_option() -> Any:
    """Whether nothing is printed."""
    return option("-q", "--quiet", is_flag=True, recorded=False, help="Print nothing but errors.")


def force_option() -> Any:
    """Whether files with other content are replaced."""
    return option(
        "--force",
        is_flag=True,
        recorded=False,
        help="Replace existing files, also those that Headroom did not write; never an input.",
    )


def seed_option(help: str | None = None) -> Any:  # noqa: A002 - click's word
    """A seed."""
    return option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, help=help)


def time_limit_option() -> Any:
    """Seconds per solve, by default without a limit."""
    return option(
        "--time-limit",
        type=Quantity("time", "s", 0, 1e6, above=True),
        help="Time for each solve, as in 90s or 5min; results may then differ from run to run.",
    )


def out_option(help: str) -> Any:  # noqa: A002 - click's word
    """Folder for the results."""
    return option("-o", "--out", type=WrittenPath(), help=help)


def workers_option(help: str | None = None) -> Any:  # noqa: A002 - click's word
    """How many simulations run at once."""
    return option("--workers", type=click.IntRange(1, 256), default=1, recorded=False, help=help)


def keep_option() -> Any:
    """Folder that stores finished parts of a run."""
    return option(
        "--keep",
        type=WrittenPath(),
        metavar="FOLDER",
        recorded=False,
        help="Save finished parts in FOLDER, so that an interrupted run can continue.",
    )


def bound_option(of: str) -> Any:
    """The power bound of what is named."""
    return option(
        "--power-bound",
        type=POWER,
        required=True,
        help=f"Power bound of all {of} together, as in 3.5kW; a bare number is in watts.",
    )


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """Where the report goes, in which formats, and what is printed."""

    out: str | None = out_option(
        "Folder for a report with figures, workbook and data; without it none is made."
    )
    force: bool = force_option()
    as_json: bool = json_option()
    quiet: bool = quiet_option()
    html: bool = option(
        "--html", is_flag=True, recorded=False, help="Write report.html, too, for a browser."
    )
