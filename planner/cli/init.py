"""The command ``headroom init``: commented samples of every input."""

from __future__ import annotations

from dataclasses import dataclass

import click

from planner.cli.edges import explained
from planner.cli.typed import WrittenPath, argument, command


@dataclass(frozen=True, kw_only=True)
class InitOptions:
    """Of ``headroom init``."""

    directory: str = argument(type=WrittenPath())


@command(InitOptions)
def init(options: InitOptions) -> None:
    """Write commented sample scenarios, quotes and runs into DIRECTORY."""
    from pathlib import Path

    from scenarios.sample import write_sample

    with explained():
        folder = Path(options.directory)
        for path in write_sample(folder):
            click.echo(f"wrote {path}")
        click.echo(f"Then: headroom configure {folder / 'runs.csv'} --bound-w 3500")
        click.echo(f"Next: headroom plan {folder / 'procurement.toml'}")
