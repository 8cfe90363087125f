"""The command ``headroom plan``: what to buy, with a report."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from planner.cli.answer import tell, write_report
from planner.cli.check import described
from planner.cli.edges import (
    NO_ANSWER,
    explained,
    json_option,
    json_text,
    progress,
    refuse_unwritable_folder,
)
from planner.cli.options import option, quiet_option
from planner.cli.own_parts import heuristic_option
from planner.cli.plan_text import show_designs, show_procurement

if TYPE_CHECKING:
    from pathlib import Path

    from planner.designs.study import DesignStudy
    from planner.procurement.own import Heuristic
    from planner.procurement.study import ProcurementStudy
    from scenarios.models import Scenario


@click.command()
@click.argument("scenario")
@option("-o", "--out", type=click.Path(), help="Folder for the results; by default out/SCENARIO.")
@json_option
@option("--solver", type=click.Choice(["highs", "cbc", "both"]), default="highs")
@option("--seed", type=click.IntRange(0, 2**31 - 1), default=0)
@option(
    "--gap",
    type=click.FloatRange(0, 1),
    help="Relative gap that is good enough; by default 1e-6, for a procurement 1e-4.",
)
@option(
    "--time-limit",
    type=click.FloatRange(0, 1e6, min_open=True),
    help="Seconds per solve; results may then differ from run to run.",
)
@heuristic_option("procurement heuristic")
@option("--full", is_flag=True, help="For a procurement, answer the long questions too.")
@option("--no-report", is_flag=True, help="Only print the answer; write no files.")
@option("--dry-run", is_flag=True, help="Check and say what would be done; write nothing.")
@quiet_option
def plan(
    *,
    scenario: str,
    out: str | None,
    as_json: bool,
    solver: str,
    seed: int,
    gap: float | None,
    time_limit: float | None,
    heuristics: tuple[str, ...],
    full: bool,
    no_report: bool,
    dry_run: bool,
    quiet: bool,
) -> None:
    """Decide what to buy; report, figures, workbook and data go to out/SCENARIO.

    SCENARIO is a TOML file or a bundled name: rfp-center, rfp-money-bound,
    thesis-7kw, hopper-2010.
    """
    with explained():
        from pathlib import Path

        from scenarios import load

        if no_report and out:
            raise click.UsageError("--no-report writes no files; leave out -o or --no-report")
        loaded = load(scenario)
        folder = None if no_report else Path(out) if out else Path("out") / loaded.name
        inputs = loaded.provenance.paths
        if folder:
            refuse_unwritable_folder(folder, "plan", inputs)
        own = _own(heuristics, loaded)
        if dry_run:
            _show_dry_run(loaded, folder, as_json=as_json, quiet=quiet)
            return
        began = time.perf_counter()
        import planner

        asked = loaded.procurement is not None
        with progress(_steps(full=full) if asked else 0, quiet=quiet) as say:
            study = planner.plan(
                loaded,
                solver=solver,
                seed=seed,
                gap=gap,
                time_limit_s=time_limit,
                full=full,
                heuristics=own,
                progress=say,
            )
            report = write_report(study, folder, began=began, inputs=inputs, progress=say)
        tell(study, _show, report, as_json=as_json, quiet=quiet)
        if getattr(study, "diagnosis", None) is not None:
            raise click.exceptions.Exit(NO_ANSWER)


def _own(texts: tuple[str, ...], scenario: Scenario) -> list[Heuristic]:
    """Heuristics of the user's own."""
    if texts and scenario.procurement is None:
        message = f"--heuristic is for a procurement, and {scenario.name} asks for none"
        raise click.UsageError(f"{message}; leave it out")
    if not texts:
        return []
    from planner.parts import own_part
    from planner.procurement.own import HEURISTIC

    return [own_part(text, HEURISTIC) for text in texts]


def _show_dry_run(loaded: Scenario, folder: Path | None, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        target = str(folder) if folder else None
        click.echo(json_text({"valid": True, "name": loaded.name, "would_write": target}))
    elif not quiet:
        target = f"Would write to {folder}/" if folder else "Would write no files"
        click.echo(f"{described(loaded)}\n{target}")


def _steps(*, full: bool) -> int:
    from planner.procurement.procure import steps

    return steps(full=full) + 3  # figures, report, workbook


def _show(study: DesignStudy | ProcurementStudy) -> None:
    from planner.designs.study import DesignStudy

    if isinstance(study, DesignStudy):
        show_designs(study)
    else:
        show_procurement(study)
