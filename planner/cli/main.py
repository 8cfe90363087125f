"""The command ``headroom``: all commands of the registry, each imported when it is used."""

from __future__ import annotations

import click

from planner import registry
from planner.cli.help_page import HelpfulCommand
from planner.cli.numbers import plain_numbers
from planner.registry import loaded, named

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """The registered commands."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Their names, as the registry orders them."""
        return [command.name for command in registry.COMMANDS]

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Import one command; ``None`` if there is none of this name."""
        if name not in self.commands:
            try:
                entry = named(name)
            except LookupError:
                return None
            function = entry.module.rpartition(".")[2]
            command = plain_numbers(loaded(f"{entry.module}:{function}"))
            if isinstance(command, HelpfulCommand):
                command.examples = entry.examples
            self.add_command(command, name)
        return self.commands[name]

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(command.name, command.summary) for command in registry.COMMANDS])


@click.group(cls=Commands, context_settings=_CONTEXT)
@click.version_option(package_name="headroom-planner", message="headroom %(version)s")
def main() -> None:
    """Plan power-bounded clusters: what to buy, with a certificate and a report."""
