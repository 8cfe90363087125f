"""The command ``headroom init``: commented samples of every input."""

from __future__ import annotations

import click

from planner.cli.edges import explained


@click.command()
@click.argument("directory", type=click.Path())
def init(directory: str) -> None:
    """Write commented sample scenarios, quotes and runs into DIRECTORY."""
    from pathlib import Path

    from scenarios.sample import write_sample

    with explained():
        for path in write_sample(Path(directory)):
            click.echo(f"wrote {path}")
        click.echo(f"Then: headroom configure {Path(directory) / 'runs.csv'} --bound-w 3500")
        click.echo(f"Next: headroom plan {Path(directory) / 'procurement.toml'}")
