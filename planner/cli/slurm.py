"""The command ``headroom slurm``: a power bound and configurations for an unmodified Slurm."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.edges import WrongInput
from planner.cli.options import POWER, force_option, scenario_argument
from planner.cli.typed import WrittenPath, argument, command, option

if TYPE_CHECKING:
    from planner.scheduling.slurm.export import Fallback, Rule, SlurmExport


@dataclass(frozen=True, kw_only=True)
class SlurmOptions:
    """Options of ``headroom slurm``."""

    action: str = argument(type=click.Choice(["export"]))
    scenario: str = scenario_argument()
    out: str = option(
        "-o", "--out", type=WrittenPath(), default="slurm", help="New folder for the files."
    )
    force: bool = force_option()
    bound_w: float | None = option(
        "--power-bound",
        type=POWER,
        help="Power bound of the system; by default the scenario's only one.",
    )
    rule: Rule = option(
        "--policy",
        type=click.Choice(["traditional", "naive", "adaptive"]),
        default="naive",
        help="Policy that chooses the configuration of each job.",
    )
    fallback: Fallback = option(
        type=click.Choice(["reject", "cheapest"]),
        default="reject",
        help="What to do with a job whose power share is below every configuration.",
    )


@command(SlurmOptions)
def slurm(options: SlurmOptions) -> None:
    """Write the files that make an unmodified Slurm keep a power bound.

    `headroom slurm export SCENARIO` writes lines for slurm.conf, a submission
    script, its job details table, and a README on how to install them. Slurm
    then keeps the charged power within the bound; it does not set package caps.
    """
    from planner.scheduling.slurm.files import write_slurm_files
    from planner.scheduling.slurm.from_scenario import fitting_nowhere, slurm_export
    from scenarios import load

    export = slurm_export(load(options.scenario), options.bound_w, options.rule, options.fallback)
    folder = Path(options.out)
    try:
        paths = write_slurm_files(export, folder)
    except OSError as error:
        name = error.filename or folder
        message = f"{name} cannot be written ({error.strerror}); choose another folder"
        raise WrongInput(message) from None
    for name in fitting_nowhere(export):
        click.echo(_refused(export, name), err=True)
    for path in paths:
        click.echo(f"Wrote {path}")
    click.echo(f"{folder / 'README.md'} explains how to install them.")


def _refused(export: SlurmExport, name: str) -> str:
    """Warn that Slurm will refuse every job of an application."""
    least_w = export.least_charge_w(name)
    reason = (
        f"none of its configurations has at most {export.nodes} nodes"
        if least_w == float("inf")
        else f"its smallest configuration needs {least_w:,.0f} W, and Slurm can charge at most "
        f"{export.licences:,} W"
    )
    return f"Warning: Slurm will refuse every job of {name}: {reason}"
