"""The command ``headroom schema``: the JSON Schema of the scenario."""

from __future__ import annotations

import click

from planner.cli.edges import json_text


@click.command()
def schema() -> None:
    """Print the JSON Schema of the scenario, for editors."""
    import scenarios

    click.echo(json_text(scenarios.schema()))
