"""The command ``headroom configure``: the best configuration under a power bound."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from planner.cli.answer import tell, write_report
from planner.cli.configure_text import show, suggest
from planner.cli.edges import (
    explained,
    json_option,
    progress,
    refuse_unwritable_folder,
)
from planner.cli.files import read_files
from planner.cli.options import (
    PERCENT,
    POSITIVE,
    bound_option,
    option,
    out_option,
    quiet_option,
    reading_options,
    reading_words,
    repetition_option,
)
from planner.cli.values import grid_of, pairs, weighted

if TYPE_CHECKING:
    from planner.configurations.prediction.model import Model
    from planner.configurations.prediction.predicted import Grid
    from planner.configurations.provisioning import NodeMaximum
    from planner.configurations.table import Repetition

MODELS = ("log-polynomial", "physical", "gaussian-process", "physical+process")
"""Names of :data:`planner.configurations.prediction.families.MODELS`, which is slow to import."""

GUARD = 0.03
"""Guard band of configurations whose power is predicted."""


@click.command()
@click.argument("file", type=click.Path())
@bound_option("nodes")
@option(
    "-A",
    "--application",
    "applications",
    multiple=True,
    help="Which application; may be repeated. By default all in the file.",
)
@option("--sockets", type=click.IntRange(1, 64), default=2)
@option("--tdp-w", type=POSITIVE, default=115.0, help="Thermal design power of one package [W].")
@option(
    "--dram-max-w",
    type=click.FloatRange(0, 1e6),
    help="Largest power of the memory of one socket [W]; by default 30, or 0 where the file has "
    "no memory power.",
)
@option(
    "--guard",
    type=PERCENT,
    help="Percent of the bound to leave free; by default 0 by measured power, 3 by predicted "
    "power.",
)
@repetition_option
@option(
    "--tolerance",
    type=click.FloatRange(0, 1000),
    default=5.0,
    help="Percent slower than the best that still is near-optimal.",
)
@option(
    "--weight",
    "weights",
    multiple=True,
    metavar="APPLICATION=W",
    help="Weight of an application in the mix; by default 1.",
)
@option(
    "--fixed-cost-nodes",
    type=click.FloatRange(0, 1e9),
    help="What the machine costs without its nodes, in prices of one node: how many nodes pay.",
)
@option(
    "--model",
    type=click.Choice(MODELS),
    help="Predict by a model, fitted to FILE, what was not run, and choose among that too; "
    "physical+process is the best known.",
)
@option(
    "--grid",
    "axes",
    multiple=True,
    metavar="AXIS=VALUES",
    help="With --model or --next, what to choose among: nodes=8:32:2, cores=4:16:2, caps=51,65. "
    "By default all combinations of what was measured.",
)
@option(
    "--next",
    "suggestions",
    type=click.IntRange(1, 100),
    help="Suggest so many runs to make next, and stop.",
)
@option(
    "--full",
    is_flag=True,
    help="Ask too how well models would do on FILE, and how many runs they need; minutes.",
)
@option("--seed", type=click.IntRange(0, 2**31 - 1), default=0)
@reading_options
@out_option
@json_option
@quiet_option
def configure(
    file: str,
    *,
    bound_w: float,
    applications: tuple[str, ...],
    sockets: int,
    tdp_w: float,
    dram_max_w: float | None,
    guard: float | None,
    repetition: Repetition,
    tolerance: float,
    weights: tuple[str, ...],
    fixed_cost_nodes: float | None,
    model: str | None,
    axes: tuple[str, ...],
    suggestions: int | None,
    full: bool,
    seed: int,
    columns: tuple[str, ...],
    sheet: str | None,
    group_by: tuple[str, ...],
    ignore: tuple[str, ...],
    out: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find the best nodes x cores x package cap under a power bound.

    FILE holds measured runs (CSV, XLSX or Parquet): application, nodes, cores_per_node,
    package_cap_w, repetition, time_s, package_power_w, dram_power_w.
    """
    with explained():
        from dataclasses import replace
        from pathlib import Path

        from planner.configurations.answer import Question
        from planner.configurations.provisioning import DRAM_MAX_W, NodeMaximum
        from planner.configurations.selection import Bound
        from planner.configurations.study import study
        from scenarios.measurement_reader import read_measurements

        headings = pairs(columns, "--column")
        table = read_measurements(
            file, columns=headings, sheet=sheet, group_by=group_by, ignore=ignore
        )
        if dram_max_w is None:
            memory = any(runs.dram_power_w is not None for runs in table.runs.values())
            dram_max_w = DRAM_MAX_W if memory else 0.0
        grid = grid_of(axes)
        if suggestions and (out or full or model):
            raise click.UsageError("--next only suggests runs; leave --out, --full, --model out")
        _check_predicting(model, suggestions, grid)
        node = NodeMaximum(sockets, tdp_w, dram_max_w)
        if suggestions:
            suggest(table, applications, bound_w, grid, suggestions, node, as_json=as_json)
            return
        question = Question(
            Bound(bound_w, (guard or 0.0) / 100),
            node,
            repetition,
            tolerance / 100,
            fixed_cost_nodes=fixed_cost_nodes,
            prediction_guard=GUARD if model and guard is None else 0.0,
        )
        if out:
            refuse_unwritable_folder(Path(out), "configure", read_files())
        began = time.perf_counter()
        shares = dict(weighted(text, table.runs, "--weight") for text in weights)
        found = study(
            table,
            question,
            applications=applications,
            weights=shares,
            model=_model(model, node),
            grid=grid,
        )
        with progress(0, quiet=quiet) as say:
            if full:
                from planner.configurations.prediction.own_runs import on_own_runs

                found = replace(found, prediction=on_own_runs(found, seed=seed, progress=say))
            found = replace(found, reading=reading_words(columns, sheet, group_by, ignore))
            report = write_report(found, out, began=began, progress=say)
        tell(found, show, report, as_json=as_json, quiet=quiet)


def _model(name: str | None, node: NodeMaximum) -> Model | None:
    """The model, for nodes of these sockets and this TDP."""
    if name is None:
        return None
    from planner.configurations.prediction.families import model_named
    from planner.configurations.prediction.processor import of_node

    return model_named(name, of_node(node))


def _check_predicting(model: str | None, suggestions: int | None, grid: Grid | None) -> None:
    """Refuse options that would have no effect."""
    if grid is not None and not (model or suggestions):
        raise click.UsageError("--grid is for --model or --next; measured runs are as they are")
