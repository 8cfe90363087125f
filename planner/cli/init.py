"""The command ``headroom init``: commented samples of every input."""

from __future__ import annotations

from dataclasses import dataclass

import click

from planner.cli.options import force_option
from planner.cli.typed import WrittenPath, argument, command, option


@dataclass(frozen=True, kw_only=True)
class InitOptions:
    """The options of ``headroom init``."""

    directory: str = argument(type=WrittenPath())
    bundled: str | None = option(
        "--from", metavar="NAME", help="Copy this bundled scenario and its files instead."
    )
    force: bool = force_option()


@command(InitOptions)
def init(options: InitOptions) -> None:
    """Write a commented sample of every input into DIRECTORY."""
    from pathlib import Path

    from scenarios.sample import write_bundled, write_sample

    folder = Path(options.directory)
    if options.bundled is None:
        written = write_sample(folder)
        following = [
            f"plan {folder / 'procurement.toml'}",
            f"configure {folder / 'runs.csv'} --power-bound 3.5kW",
            f"simulate {folder / 'jobs.swf'}",
            f"place {folder / 'matrix.csv'} --nodes 2",
            f"colocate {folder / 'pairs.csv'}",
        ]
    else:
        written = write_bundled(options.bundled, folder)
        following = [f"check {written[0]}"]
    for path in written:
        click.echo(f"wrote {path}")
    for words in following:
        click.echo(f"Next: headroom {words}")
