"""The command ``headroom configure``: the best configuration under a power bound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from planner.cli.choices import in_any_capitals
from planner.cli.completion import ApplicationName
from planner.cli.configure_next import suggest
from planner.cli.edges import costing_no_answer, progress
from planner.cli.methods import method_option, reference_solver_option, refuse_idle_solver
from planner.cli.options import GUARD as GUARD_SHARE
from planner.cli.options import POWER, OutputOptions, bound_option, seed_option
from planner.cli.quantities import Quantity, Share
from planner.cli.reading import ReadingOptions, repetition_option
from planner.cli.runner import start
from planner.cli.typed import argument, command, group, option
from planner.cli.values import grid_of, weighted
from planner.cli.written_model import model_written, refuse_model_file, write_model_option

if TYPE_CHECKING:
    from planner.configurations.best_configuration import Question
    from planner.configurations.prediction.model import Model
    from planner.configurations.provisioning import NodeMaximum
    from planner.configurations.study import ConfigurationStudy
    from planner.configurations.table import Repetition
    from planner.formulations.model_files import NamedModel
    from scenarios.measurements.runs import Measurements

MODELS = ("log-polynomial", "physical", "physical+process")
"""Names of :data:`planner.configurations.prediction.families.MODELS`, which is slow to import."""

HEURISTICS = ("packed-max", "packed-min", "spread-max", "spread-min", "worst-case")
"""Names of :data:`planner.configurations.methods.HEURISTICS`, which is slow to import."""

GUARD = 0.03
"""Guard band of configurations whose power is predicted."""


@dataclass(frozen=True, kw_only=True)
class ConfigureOptions:
    """Options of ``headroom configure``."""

    given: frozenset[str]
    file: str = argument(type=click.Path())
    bound_w: float = bound_option("nodes")
    applications: tuple[str, ...] = option(
        "-A",
        "--application",
        listed=True,
        type=ApplicationName(),
        help="Which applications; by default all in the file.",
    )
    sockets: int = option(type=click.IntRange(1, 64), default=2)
    tdp_w: float = option(
        "--socket-tdp",
        type=POWER,
        default=115.0,
        help="Thermal design power of one socket.",
    )
    dram_max_w: float | None = option(
        "--socket-dram-power",
        type=Quantity("power", "W", 0, 1e6),
        help="Largest memory power of one socket; by default 30 W, or 0 if FILE has no memory "
        "power.",
    )
    guard: float | None = option(
        type=GUARD_SHARE,
        help="Share of the bound to keep free; by default 0% for measured power, 3% for predicted "
        "power.",
    )
    repetition: Repetition = repetition_option()
    tolerance: float = option(
        type=Share(0, 10, percent=True),
        default=5.0,
        help="How much slower than the best still counts as near-optimal, as in 5%.",
    )
    weights: tuple[str, ...] = option(
        "--weight",
        listed=True,
        metavar="APPLICATION=W",
        help="Weight of an application in the mix; by default 1.",
    )
    fixed_cost_nodes: float | None = option(
        type=click.FloatRange(0, 1e9),
        help="Cost of the machine without its nodes, in node prices; shows how many nodes pay.",
    )
    method: str = method_option(HEURISTICS, "the engine, which sorts all configurations")
    solver: str = reference_solver_option()
    model: str | None = option(
        type=click.Choice(MODELS),
        help="Model that predicts configurations that were not run; physical+process is the most "
        "accurate.",
    )
    axes: tuple[str, ...] = option(
        "--grid",
        multiple=True,
        metavar="AXIS=VALUES",
        help="With --model or --next: values to choose from, as nodes=8:32:2 or caps=51,65. By "
        "default all measured values.",
    )
    suggestions: int | None = option(
        "--next",
        type=click.IntRange(1, 100),
        help="Suggest this number of runs to make next, and stop.",
    )
    full: bool = option(
        is_flag=True,
        help="Also test how well models predict FILE and how many runs they need; takes minutes.",
    )
    seed: int = seed_option()
    write_model: str | None = write_model_option()
    reading: ReadingOptions = group(ReadingOptions)
    output: OutputOptions = group(OutputOptions)


@command(ConfigureOptions)
def configure(options: ConfigureOptions) -> None:
    """Find the best nodes x cores x package cap under a power bound.

    FILE holds measured runs (CSV, XLSX or Parquet): application, nodes, cores_per_node,
    package_cap_w, repetition, time_s, package_power_w, dram_power_w.

    The best is compared with packed-max: most cores per node and highest cap, on as many nodes as
    the bound allows.
    """
    from planner.configurations.study import study

    output = options.output
    table = options.reading.read(options.file)
    grid = grid_of(options.axes)
    refuse_idle_solver(options.method, options.given)
    if options.suggestions and (output.out or options.full or options.model or options.write_model):
        raise click.UsageError(
            "--next only suggests runs; drop --out, --full, --model and --write-model"
        )
    if grid is not None and not (options.model or options.suggestions):
        message = "--grid needs --model or --next: without them only measured runs are chosen from"
        raise click.UsageError(message)
    names = tuple(in_any_capitals(name, table.runs) for name in options.applications)
    node = _node(options, table)
    if options.suggestions:
        suggest(
            table,
            names,
            options.bound_w,
            grid,
            options.suggestions,
            node,
            output,
        )
        return
    question = _question(options, node)
    run = start("configure", options)
    if options.write_model is not None:
        _refuse_several(names or tuple(table.runs))
    refuse_model_file(options.write_model, run)
    result = study(
        table,
        question,
        applications=names,
        weights=_weights(options, table),
        model=_model(options.model, node),
        grid=grid,
    )
    with progress(quiet=output.quiet) as say:
        if options.full:
            from planner.configurations.prediction.own_runs import on_own_runs

            result = replace(
                result, prediction=on_own_runs(result, seed=options.seed, progress=say)
            )
        result = replace(result, reading=options.reading.words())
        lines: tuple[str, ...] = ()
        with costing_no_answer():
            lines = model_written(options.write_model, lambda: _program(result))
    run.finish(result, lines)


def _weights(options: ConfigureOptions, table: Measurements) -> dict[str, float]:
    weights: dict[str, float] = {}
    for text in options.weights:
        given, weight = weighted(text, table.runs, "--weight")
        name = in_any_capitals(given, table.runs)
        if name in weights:
            raise click.BadParameter(f"{name} is given twice; keep one", param_hint="--weight")
        weights[name] = weight
    return weights


def _refuse_several(applications: tuple[str, ...]) -> None:
    count = len(set(applications))
    if count != 1:
        raise click.UsageError(
            f"--write-model writes the program of one application, not of {count}; name one with -A"
        )


def _program(result: ConfigurationStudy) -> NamedModel:
    from planner.formulations.configuration import formulate
    from planner.formulations.legends import of_configuration
    from planner.formulations.model_files import NamedModel

    table, bound = result.answers[0].table, result.question.bound
    return NamedModel(lambda: formulate(table, bound)[0], of_configuration(table))


def _node(options: ConfigureOptions, table: Measurements) -> NodeMaximum:
    """Return the rated maximum of a node."""
    from planner.configurations.provisioning import DRAM_MAX_W, NodeMaximum

    dram_max_w = options.dram_max_w
    if dram_max_w is None:
        memory = any(runs.dram_power_w is not None for runs in table.runs.values())
        dram_max_w = DRAM_MAX_W if memory else 0.0
    return NodeMaximum(options.sockets, options.tdp_w, dram_max_w)


def _question(options: ConfigureOptions, node: NodeMaximum) -> Question:
    from planner.configurations.best_configuration import Question
    from planner.configurations.selection import Bound

    return Question(
        Bound(options.bound_w, (options.guard or 0.0) / 100),
        node,
        options.repetition,
        options.tolerance / 100,
        fixed_cost_nodes=options.fixed_cost_nodes,
        prediction_guard=GUARD if options.model and options.guard is None else 0.0,
        method=options.method,
        solver=options.solver,
    )


def _model(name: str | None, node: NodeMaximum) -> Model | None:
    """Return the model, for nodes of these sockets and this TDP."""
    if name is None:
        return None
    from planner.configurations.prediction.families import model_named
    from planner.configurations.prediction.processor import of_node

    return model_named(name, of_node(node))
