"""The command ``headroom configure``: the best configuration under a power bound."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from planner.cli_edges import (
    a_number,
    explained,
    json_option,
    json_text,
    progress,
    refuse_unwritable_folder,
    show_table,
)
from planner.configuration.wording import plural, seconds, watts

if TYPE_CHECKING:
    from collections.abc import Container

    from planner.configuration.answer import ConfigurationAnswer
    from planner.configuration.degree import Degree
    from planner.configuration.risk import Risk
    from planner.configuration.study import ConfigurationStudy
    from planner.configuration.table import Configuration
    from planner.prediction.model import Model
    from planner.prediction.predicted import Grid
    from scenarios.measurements import Measurements

MODELS = ("log-polynomial", "physical", "gaussian-process", "physical+process")
"""Names of :data:`planner.prediction.families.MODELS`, which is slow to import."""

GUARD = 0.03
"""Guard band of a choice among predictions."""

_POSITIVE = click.FloatRange(0, 1e12, min_open=True)
_PERCENT = click.FloatRange(0, 99)
_ROWS = 8
DRAM_MAX_W = 30.0
"""Largest power of the memory of one socket on the thesis's machine (section 4.2) [W]."""


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--bound-w",
    type=_POSITIVE,
    callback=a_number,
    required=True,
    help="Power bound [W] of all nodes together.",
)
@click.option(
    "-A",
    "--application",
    "applications",
    multiple=True,
    help="Which application; may be repeated. By default all in the file.",
)
@click.option("--sockets", type=click.IntRange(1, 64), default=2, show_default=True)
@click.option(
    "--tdp-w",
    type=_POSITIVE,
    callback=a_number,
    default=115.0,
    show_default=True,
    help="Thermal design power of one package [W].",
)
@click.option(
    "--dram-max-w",
    type=click.FloatRange(0, 1e6),
    callback=a_number,
    help="Largest power of the memory of one socket [W]; by default 30, or 0 where the file has "
    "no memory power.",
)
@click.option(
    "--guard",
    type=_PERCENT,
    callback=a_number,
    help="Percent of the bound to leave free; by default 0 among measurements, 3 among "
    "predictions.",
)
@click.option(
    "--repetition",
    type=click.Choice(["best", "median", "worst"]),
    default="best",
    show_default=True,
    help="Which repetition speaks for a configuration.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0, 1000),
    callback=a_number,
    default=5.0,
    show_default=True,
    help="Percent slower than the best that still is near-optimal.",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="APPLICATION=W",
    help="Weight of an application in the mix; by default 1.",
)
@click.option(
    "--fixed-cost-nodes",
    type=click.FloatRange(0, 1e9),
    callback=a_number,
    help="What the machine costs without its nodes, in prices of one node: how many nodes pay.",
)
@click.option(
    "--model",
    type=click.Choice(MODELS),
    help="Choose among a model's predictions, fitted to FILE, instead of what was measured; "
    "physical+process is the best known.",
)
@click.option(
    "--grid",
    "axes",
    multiple=True,
    metavar="AXIS=VALUES",
    help="With --model or --next, what to choose among: nodes=8:32:2, cores=4:16:2, caps=51,65. "
    "By default all combinations of what was measured.",
)
@click.option(
    "--next",
    "suggestions",
    type=click.IntRange(1, 100),
    help="Suggest so many runs to make next, and stop.",
)
@click.option(
    "--full",
    is_flag=True,
    help="Ask too how well models would do on FILE, and how many runs they need; minutes.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="NAME=HEADING",
    help="Where a column has another heading: time_s='Wall clock [s]'.",
)
@click.option("--sheet", help="Sheet of a workbook.")
@click.option(
    "-o",
    "--out",
    type=click.Path(),
    help="Folder for a report with figures, workbook and data; without it none is made.",
)
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def configure(
    file: str,
    *,
    bound_w: float,
    applications: tuple[str, ...],
    sockets: int,
    tdp_w: float,
    dram_max_w: float | None,
    guard: float | None,
    repetition: str,
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

        from planner.configuration.answer import Question
        from planner.configuration.provisioning import NodeMaximum
        from planner.configuration.selection import Bound
        from planner.configuration.study import study
        from planner.configuration.table import REPETITIONS
        from scenarios.measurement_reader import read_measurements

        table = read_measurements(file, columns=pairs(columns, "--column"), sheet=sheet)
        if dram_max_w is None:
            memory = any(runs.dram_power_w is not None for runs in table.runs.values())
            dram_max_w = DRAM_MAX_W if memory else 0.0
        if axes and not (model or suggestions):
            raise click.UsageError("--grid is for --model or --next; measured runs are as they are")
        grid = grid_of(axes)
        if suggestions:
            _suggest(table, applications, bound_w, grid, suggestions, as_json=as_json)
            return
        if guard is None:
            guard = 100 * GUARD if model else 0.0
        question = Question(
            Bound(bound_w, guard / 100),
            NodeMaximum(sockets, tdp_w, dram_max_w),
            next(each for each in REPETITIONS if each == repetition),
            tolerance / 100,
            fixed_cost_nodes=fixed_cost_nodes,
        )
        if out:
            refuse_unwritable_folder(Path(out))
        began = time.perf_counter()
        shares = dict(weighted(text, table.runs, "--weight") for text in weights)
        found = study(
            table,
            question,
            applications=applications,
            weights=shares,
            model=_model(model),
            grid=grid,
        )
        with progress(0, quiet=quiet) as say:
            if full:
                from planner.prediction.own_runs import on_own_runs

                found = replace(found, prediction=on_own_runs(found, seed=seed, progress=say))
            if out:
                import reports

                found = replace(found, reading=_reading(columns, sheet))

                planned_s = time.perf_counter() - began
                written = reports.write(found, out, planned_s=planned_s, progress=say)
        if as_json:
            click.echo(json_text(found.to_dict()))
        elif not quiet:
            _show(found)
            if out:
                click.echo(f"\nReport: {written.report}")


def _model(name: str | None) -> Model | None:
    if name is None:
        return None
    from planner.prediction.families import MODELS as FAMILIES

    return FAMILIES[name]


def grid_of(texts: tuple[str, ...]) -> Grid | None:
    """Read axes as ``nodes=8:32:2`` or ``caps=51,65``; ``None`` without any."""
    if not texts:
        return None
    from planner.prediction.predicted import Grid

    axes = {name: _values(name, text) for name, text in pairs(texts, "--grid").items()}
    strange = [name for name in axes if name not in ("nodes", "cores", "caps")]
    if strange:
        message = f"there is no axis {strange[0]!r}; give nodes, cores or caps"
        raise click.BadParameter(message, param_hint="--grid")
    for name in ("nodes", "cores"):
        if any(value != int(value) for value in axes.get(name, ())):
            raise click.BadParameter(f"{name} are whole numbers", param_hint="--grid")
    nodes, cores = (tuple(int(v) for v in axes.get(name, ())) for name in ("nodes", "cores"))
    return Grid(nodes, cores, axes.get("caps", ()))


def _values(name: str, text: str) -> tuple[float, ...]:
    """Read a list, or first:last:step with both ends."""
    remedy = f"{text!r} of {name} is neither first:last:step nor a list of numbers above 0"
    try:
        parts = [float(part) for part in text.split(":")] if ":" in text else []
        listed = [] if parts else [float(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(remedy, param_hint="--grid") from None
    if parts:
        first, last, step = (*parts, 1.0)[:3]
        if len(parts) > 3 or not 0 < first <= last < 1e9 or not 1e-3 <= step < 1e9:
            raise click.BadParameter(remedy, param_hint="--grid")
        count = min(int((last - first) / step + 1e-9) + 1, 100_001)
        listed = [first + place * step for place in range(count)]
    if not all(0 < value < 1e9 for value in listed):
        raise click.BadParameter(remedy, param_hint="--grid")
    return tuple(listed)


def _suggest(
    table: Measurements,
    applications: tuple[str, ...],
    bound_w: float,
    grid: Grid | None,
    count: int,
    *,
    as_json: bool,
) -> None:
    """Print which runs to make next."""
    from planner.prediction.next_runs import suggestions

    found = suggestions(table, bound_w, count, applications=applications, grid=grid)
    if as_json:
        click.echo(json_text({"bound_w": bound_w, "next_runs": [each.to_dict() for each in found]}))
        return
    headings = ("application", "nodes", "cores per node", "cap", "why")
    rows = [
        (e.application, str(e.nodes), str(e.cores_per_node), f"{e.package_cap_w:g} W", e.why)
        for e in found
    ]
    if rows:
        show_table(headings, rows)
    for name in applications or table.runs:
        if name not in {each.application for each in found}:
            click.echo(
                f"{name}: no further run is suggested; of what was not run, nothing is expected to "
                f"beat the best run under {watts(bound_w)}."
            )


def pairs(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """NAME=VALUE texts as a mapping."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint=option)
        pairs[name.strip()] = value.strip()
    return pairs


def _reading(columns: tuple[str, ...], sheet: str | None) -> tuple[str, ...]:
    """The words of the command that say how the file was read."""
    words = [word for text in columns for word in ("--column", text)]
    return (*words, *(("--sheet", sheet) if sheet is not None else ()))


def weighted(text: str, known: Container[str], option: str) -> tuple[str, float]:
    """Take APPLICATION=WEIGHT apart; an application may hold an equals sign.

    A known application alone has the weight 1.
    """
    name, equals, weight = text.rpartition("=")
    if text in known:
        return text, 1.0
    if not equals or not name:
        raise click.BadParameter(f"{text!r} is not APPLICATION=WEIGHT", param_hint=option)
    try:
        return name, float(weight)
    except ValueError:
        message = f"the weight {weight!r} of {name} is no number"
        raise click.BadParameter(message, param_hint=option) from None


def _show(found: ConfigurationStudy) -> None:
    for answer, spread in zip(found.answers, found.spreads, strict=True):
        if answer is not found.answers[0]:
            click.echo()
        click.echo(answer.sentence)
        _show_answer(answer)
        if spread.known:
            click.echo(f"Repetitions: {'; '.join(spread.sentences())}.")
    if found.mix_degree is not None:
        click.echo(f"\nThe mix of {len(found.answers)}: {_nodes_line(found.mix_degree)}")
    if found.prediction is not None:
        from planner.prediction.findings import of_models, of_runs

        click.echo(f"Models: {of_models(found.prediction)}")
        click.echo(f"Runs: {of_runs(found.prediction)}")
    for warning in found.warnings:
        click.echo(f"Warning: {warning}")


def _show_answer(answer: ConfigurationAnswer) -> None:
    bound = answer.question.bound.bound_w
    rows = [_row("best", answer.best, bound, "")]
    rows += [_beside(answer, e.name, e.configuration, e.reason) for e in answer.canonical]
    rated = answer.worst_case
    rows.append(_beside(answer, "worst case by rating", rated.configuration, rated.reason))
    headings = ("configuration", "nodes x cores, cap", "time", "power", "unused", "best gains")
    show_table(headings, rows)
    near = [
        (str(each.configuration), f"+{each.slowdown:.1%}", watts(each.configuration.power_w))
        for each in answer.near_optimal[:_ROWS]
    ]
    more = len(answer.near_optimal) - len(near)
    if len(near) > 1:
        show_table(
            (f"within {100 * answer.question.tolerance:.3g} % of the best", "time", "power"), near
        )
    if more > 0:
        click.echo(f"... and {more} more (--json lists them).")
    click.echo(f"Nodes: {_nodes_line(answer.degree)}")
    click.echo(_curve_line(answer))
    if answer.risk is not None:
        click.echo(_risk_line(answer.risk))


def _row(name: str, found: Configuration, bound: float, gains: str) -> tuple[str, ...]:
    return (
        name,
        str(found),
        seconds(found.time_s),
        watts(found.power_w),
        f"{1 - found.power_w / bound:.1%}",
        gains,
    )


def _beside(
    answer: ConfigurationAnswer, name: str, other: Configuration | None, reason: str
) -> tuple[str, ...]:
    gain = answer.gain_over(other)
    if other is None or gain is None:
        return (name, reason, "-", "-", "-", "-")
    less = "less" if gain.time_reduction >= 0 else "more"
    gains = f"{gain.speedup:.2f} x, {abs(gain.time_reduction):.0%} {less} time"
    return _row(name, other, answer.question.bound.bound_w, gains)


def _nodes_line(found: Degree) -> str:
    rated = found.worst_case_nodes
    text = f"{rated} by rating; fastest with {found.fastest_nodes}"
    if rated:
        text += f" ({found.fastest_nodes / rated:.2f} times as many)"
    text += f"; beyond {found.marginal_nodes} a node saves less than {found.least_gain:.0%} each"
    if found.money_nodes is not None:
        text += f"; time x money is least with {found.money_nodes}"
    return text + "."


def _curve_line(answer: ConfigurationAnswer) -> str:
    winners, low, high = answer.curve.winners, answer.curve.from_w[0], answer.curve.from_w[-1]
    if len(winners) == 1:
        return f"Over all bounds: from {watts(low)} on the same configuration is best."
    return (
        f"Over all bounds: from {watts(low)} to {watts(high)} the best changes "
        f"{plural(len(winners) - 1, 'time')}, {len(answer.curve.core_changes)} of them with "
        "other cores per node (--json and -o list them)."
    )


def _risk_line(found: Risk) -> str:
    if found.repetitions == 1:
        return "The best was run once: its spread is not known."
    return (
        f"The best was run {found.repetitions} times: {seconds(found.best_s)} to "
        f"{seconds(found.worst_s)}, at most {watts(found.largest_power_w)}."
    )
