"""The command ``headroom report``: what a run found, written again without finding it again."""

from __future__ import annotations

from dataclasses import dataclass

import click

from planner.cli.edges import Failure, WrongInput, progress
from planner.cli.options import force_option, quiet_option
from planner.cli.typed import argument, command, option

FORMATS = ("png", "svg", "xlsx", "pdf", "html")
"""Those of :data:`reports.folder.FORMATS`, which is slow to import."""


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """The options of ``headroom report``."""

    folder: str = argument(type=click.Path(file_okay=False))
    only: tuple[str, ...] = option(
        "--only",
        listed=True,
        type=click.Choice(FORMATS),
        help="Write these again; by default what is missing.",
    )
    force: bool = force_option()
    quiet: bool = quiet_option()


@command(ReportOptions)
def report(options: ReportOptions) -> None:
    """Write what is missing in the folder of a run, or some formats again, from its data file.

    FOLDER is the folder that -o of another command named.
    """
    from reports.folder import complete
    from reports.publish import IncompleteReportError

    with progress(quiet=options.quiet) as say:
        try:
            written = complete(options.folder, only=options.only, progress=say)
        except IncompleteReportError as error:
            raise Failure(f"failed: {error}") from None
        except OSError as error:
            raise WrongInput(f"headroom: {error.filename}: {error.strerror}") from None
    if not options.quiet:
        click.echo(f"Report: {written.report}")
