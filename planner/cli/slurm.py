"""The command ``headroom slurm``: a power bound and configurations for an unmodified Slurm."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.completion import NameOrPath, scenario_names
from planner.cli.edges import WrongInput, explained
from planner.cli.options import POWER
from planner.cli.typed import WrittenPath, argument, command, option

if TYPE_CHECKING:
    from planner.scheduling.slurm.export import Fallback, Rule


@dataclass(frozen=True, kw_only=True)
class SlurmOptions:
    """Of ``headroom slurm``."""

    action: str = argument(type=click.Choice(["export"]))
    scenario: str = argument(type=NameOrPath(scenario_names))
    out: str = option(
        "-o", "--out", type=WrittenPath(), default="slurm", help="Folder for the files; a new one."
    )
    bound_w: float | None = option(
        "--power-bound",
        older=("--bound-w",),
        type=POWER,
        help="Power bound of the system; by default the scenario's only one.",
    )
    rule: Rule = option(
        "--policy",
        type=click.Choice(["traditional", "naive", "adaptive"]),
        default="naive",
        help="How a job's configuration is chosen.",
    )
    fallback: Fallback = option(
        type=click.Choice(["reject", "cheapest"]),
        default="reject",
        help="What happens to a job whose share of the bound is below every configuration.",
    )


@command(SlurmOptions)
def slurm(options: SlurmOptions) -> None:
    """Write what an unmodified Slurm needs to keep a power bound.

    `headroom slurm export SCENARIO` writes lines for slurm.conf, a submission
    script, the job details table that it reads, and how to install them. Slurm
    then keeps the charged watts within the bound; it sets no caps.
    """
    with explained():
        from planner.scheduling.slurm.files import slurm_files, write_slurm_files
        from planner.scheduling.slurm.from_scenario import slurm_export
        from scenarios import load

        export = slurm_export(
            load(options.scenario), options.bound_w, options.rule, options.fallback
        )
        folder = Path(options.out)
        for name in slurm_files(export):
            if (folder / name).exists() or (folder / name).is_symlink():
                raise WrongInput(f"{folder / name} exists; give another folder, or move it away")
        try:
            paths = write_slurm_files(export, folder)
        except OSError as error:
            message = f"{folder} cannot be written ({error.strerror}); give another folder"
            raise WrongInput(message) from None
    for path in paths:
        click.echo(f"wrote {path}")
    click.echo(f"Then: {folder / 'README.md'} says how to install them.")
