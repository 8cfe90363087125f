"""The policies that ``headroom simulate`` is asked for, and what the scheduler maui reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.typed import option
from planner.errors import InputError

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.policies.speedup import Speedup
    from scenarios.maui.settings import MauiConfiguration

MAUI = "maui"


maui_option = partial(
    option,
    "--maui",
    type=click.Path(),
    metavar="FILE",
    help="Configuration of the policy maui, from headroom init. Default: the bundled one.",
)


@dataclass(frozen=True)
class ChosenPolicies:
    """The requested policies, and name and SHA-256 of the file that configures one of them."""

    policies: tuple[Policy, ...]
    configured: tuple[tuple[str, str], ...] = ()

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """All files that they were read from, or have read so far."""
        from planner.parts import files_of

        return (*self.configured, *files_of(self.policies))


def policies_of(
    names: Sequence[str], reservations: int | None, maui: str | None, speedup: Speedup | None = None
) -> ChosenPolicies:
    """Return the policies by their names; ``maui`` is the configuration file of policy ``maui``.

    ``speedup`` is the speed-up that moldable jobs are assumed to have on more processors.

    Raises
    ------
    InputError
        The number of reservations cannot be chosen for one of the policies.
    ScenarioError
        The configuration file has errors.
    """
    from planner.scheduling.policies.registry import find_policy

    if maui is not None and MAUI not in names:
        raise click.UsageError("--maui is for --policy maui; add that, or remove --maui")
    if MAUI not in names:
        chosen = tuple(find_policy(name, reservations, speedup) for name in names)
        return ChosenPolicies(chosen)
    if reservations is not None:
        raise InputError(
            "maui takes its number of reservations from its file; set backfill.reservations "
            "there and remove --reservations"
        )
    configuration, files = configuration_of(maui)
    from planner.scheduling.policies.maui import Maui

    policies = tuple(
        Maui(configuration) if name == MAUI else find_policy(name, None, speedup) for name in names
    )
    return ChosenPolicies(policies, files)


def configuration_of(maui: str | None) -> tuple[MauiConfiguration, tuple[tuple[str, str], ...]]:
    """Return the configuration in a file, or the bundled one; and the file's name and SHA-256.

    Raises
    ------
    ScenarioError
        The file has errors.
    """
    from scenarios.maui.reader import bundled_maui, read_maui

    configuration = bundled_maui() if maui is None else read_maui(Path(maui))
    whose = ", bundled" if maui is None else ""
    return configuration, tuple(
        (f"{name}{whose}", digest) for name, digest in configuration.provenance.files
    )
