"""The agent of Adaptive: gives waiting jobs the configuration with which they could start now.

``python -m planner.scheduling.slurm.agent FOLDER`` runs it next to an unmodified Slurm. It keeps
nothing between passes: each pass asks the controller, decides for all waiting jobs, and changes
those whose configuration differs. Slurm starts jobs and keeps the bound, with or without it.
"""

from __future__ import annotations

import logging
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from planner.errors import InputError
from planner.scheduling.slurm.controller import (
    ControllerState,
    Run,
    WaitingJob,
    run_command,
    state_of,
    update,
)
from planner.scheduling.slurm.data_files import read_export
from planner.scheduling.slurm.decision import SlurmChoice, adapt, decide
from planner.scheduling.slurm.export import SlurmExport, configuration_key
from scenarios.faults import ScenarioError

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ConfigurationChange:
    """Another configuration for a waiting job; ``note`` is ``adapted`` or Naive's own."""

    job: WaitingJob
    choice: SlurmChoice
    note: str


def changes(export: SlurmExport, state: ControllerState) -> Iterator[ConfigurationChange]:
    """Yield what one pass changes.

    Jobs are decided in order of priority. A job whose configuration fits takes its watts and nodes
    from those after it, since Slurm starts it first. A job that no longer gains goes back to
    Naive's configuration.

    Parameters
    ----------
    export
        Tables, bound and threshold; its rule is ``adaptive``.
    state
        What the controller said.
    """
    available_w, free_nodes = state.available_w, state.free_nodes
    for job in state.waiting:
        change = _next_change(export, job, available_w, free_nodes)
        if change is None:
            continue
        row = change.choice.configuration
        if configuration_key(row) != job.configuration:
            yield change
        # A job that does not fit takes nothing: backfill may start those behind it first.
        if change.choice.charge_w <= available_w and row.nodes <= free_nodes:
            available_w -= change.choice.charge_w
            free_nodes -= row.nodes


def _next_change(
    export: SlurmExport, job: WaitingJob, available_w: int, free_nodes: int
) -> ConfigurationChange | None:
    """Return a job's next change; ``None`` where the tables have changed and now refuse it."""
    if job.request.application not in export.applications:
        return None
    adapted = adapt(export, job.request, available_w, free_nodes)
    if adapted is not None:
        return ConfigurationChange(job, adapted, "adapted")
    naive = decide(export, job.request)
    return None if isinstance(naive, str) else ConfigurationChange(job, naive, naive.note)


def pass_over(export: SlurmExport, run: Run = run_command) -> int:
    """Ask, decide and change once; returns how many jobs were changed.

    A change that the controller refuses, as it does when the job has started meanwhile, is logged.

    Raises
    ------
    subprocess.SubprocessError, OSError
        The controller does not answer.
    LookupError
        It has no licence ``watt``.
    """
    return sum(_made(change, run) for change in [*changes(export, state_of(run))])


def _made(change: ConfigurationChange, run: Run) -> bool:
    words = update(change.job, change.choice, change.note)
    try:
        run(words)
    except subprocess.CalledProcessError as error:
        _LOG.info("job %s is unchanged: %s", change.job.job_id, (error.stderr or "").strip())
        return False
    _LOG.info("job %s: %s", change.job.job_id, words[-1])
    return True


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--interval", default=5.0, show_default=True, type=click.FloatRange(0.05),
              help="Time between two passes [s].")  # fmt: skip
@click.option("--once", is_flag=True, help="Run one pass, then stop.")
def main(folder: Path, interval: float, *, once: bool) -> None:
    """Change waiting jobs of Slurm as Adaptive decides, by the tables in FOLDER."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    try:
        export = read_export(folder)
    except (InputError, ScenarioError) as error:
        raise click.UsageError(str(error)) from error
    if export.rule != "adaptive":
        raise click.UsageError(f"{folder} has policy {export.rule}; the agent needs adaptive")
    while True:
        _pass_or_log(export)
        if once:
            return
        time.sleep(interval)


def _pass_or_log(export: SlurmExport) -> None:
    """Run a pass; log a controller that is down, as the agent waits for it."""
    try:
        pass_over(export)
    except (subprocess.SubprocessError, OSError, LookupError) as error:
        _LOG.warning("Slurm does not answer: %s", error)


if __name__ == "__main__":
    main()
