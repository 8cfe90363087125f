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

if TYPE_CHECKING:
    from planner.configuration.answer import ConfigurationAnswer
    from planner.configuration.study import ConfigurationStudy
    from planner.configuration.table import Configuration

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
        question = Question(
            Bound(bound_w, (guard or 0.0) / 100),
            NodeMaximum(
                sockets, tdp_w, (30.0 if memory else 0.0) if dram_max_w is None else dram_max_w
            ),
            next(each for each in REPETITIONS if each == repetition),
            tolerance / 100,
            fixed_cost_nodes=fixed_cost_nodes,
        )
        if out:
            refuse_unwritable_folder(Path(out))
        began = time.perf_counter()
        shares = {name: _number(text, name) for name, text in pairs(weights, "--weight").items()}
        found = study(table, question, applications=applications, weights=shares)
        if out:
            found = replace(found, reading=_reading(columns, sheet))
            with progress(0, quiet=quiet) as say:
                import reports

                planned_s = time.perf_counter() - began
                written = reports.write(found, out, planned_s=planned_s, progress=say)
        if as_json:
            click.echo(json_text(found.to_dict()))
        elif not quiet:
            _show(found)
            if out:
                click.echo(f"\nReport: {written.report}")


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


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(
            f"{text!r} of {name} is no number", param_hint="--weight"
        ) from None


def _show(found: ConfigurationStudy) -> None:
    for answer, spread in zip(found.answers, found.spreads, strict=True):
        click.echo(answer.sentence)
        _show_answer(answer)
        if spread.known:
            click.echo(f"Repetitions: {'; '.join(spread.sentences())}.")
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
        (str(each.configuration), f"+{each.slowdown:.1%}", f"{each.configuration.power_w:,.0f} W")
        for each in answer.near_optimal[:_ROWS]
    ]
    more = len(answer.near_optimal) - len(near)
    if len(near) > 1:
        show_table(
            (f"within {100 * answer.question.tolerance:.3g} % of the best", "time", "power"), near
        )
    if more > 0:
        click.echo(f"... and {more} more (--json lists them).")
    click.echo(_nodes_line(answer))


def _row(name: str, found: Configuration, bound: float, gains: str) -> tuple[str, ...]:
    return (
        name,
        str(found),
        f"{found.time_s:,.4g} s",
        f"{found.power_w:,.0f} W",
        f"{1 - found.power_w / bound:.1%}",
        gains,
    )


def _beside(
    answer: ConfigurationAnswer, name: str, other: Configuration | None, reason: str
) -> tuple[str, ...]:
    gain = answer.gain_over(other)
    if other is None or gain is None:
        return (name, reason, "-", "-", "-", "-")
    gains = f"{gain.speedup:.2f} x, {gain.time_reduction:.0%} less time"
    return _row(name, other, answer.question.bound.bound_w, gains)


def _nodes_line(answer: ConfigurationAnswer) -> str:
    found = answer.degree
    rated = found.worst_case_nodes
    text = f"Nodes: {rated} by rating; fastest with {found.fastest_nodes}"
    if rated:
        text += f" ({found.fastest_nodes / rated:.2f} times as many)"
    text += f"; beyond {found.marginal_nodes} a node saves less than {found.least_gain:.0%} each"
    if found.money_nodes is not None:
        text += f"; time x money is least with {found.money_nodes}"
    return text + "."
