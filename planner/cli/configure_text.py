"""What ``headroom configure`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.cli.edges import json_text, show_columns, show_table
from planner.formatting import plural, seconds, watts
from planner.table import Column

if TYPE_CHECKING:
    from planner.configurations.best_configuration import ComparedConfiguration, ConfigurationAnswer
    from planner.configurations.degree import Degree
    from planner.configurations.prediction.predicted import Grid
    from planner.configurations.provisioning import NodeMaximum
    from planner.configurations.risk import Risk
    from planner.configurations.study import ConfigurationStudy
    from planner.configurations.table import Configuration
    from scenarios.measurements.runs import Measurements

_ROWS = 8


def show(found: ConfigurationStudy) -> None:
    """Print the answers."""
    from planner.configurations.study import warnings_of

    shown: list[str] = []
    for answer, spread in zip(found.answers, found.spreads, strict=True):
        if answer is not found.answers[0]:
            click.echo()
        _show_decision(answer)
        said = warnings_of(answer)
        for warning in said:
            click.echo(f"Warning: {warning}")
        shown += said
        _show_answer(answer)
        if spread.known:
            click.echo(f"Repetitions: {'; '.join(spread.sentences())}.")
    if found.mix_degree is not None:
        click.echo(f"\nNodes for the mix of {len(found.answers)}: {_nodes_line(found.mix_degree)}")
    if found.prediction is not None:
        from planner.configurations.prediction.findings import of_models, of_runs

        click.echo(f"Models: {of_models(found.prediction)}")
        click.echo(f"Runs: {of_runs(found.prediction)}")
    for warning in found.warnings:
        if warning not in shown:
            click.echo(f"Warning: {warning}")


def _show_decision(answer: ConfigurationAnswer) -> None:
    click.echo(answer.headline)
    if answer.decided is not None and answer.decided.proof:
        click.echo(answer.decided.proof)
    if answer.socket_power is not None:
        click.echo(answer.socket_power.summary)
    if answer.question.bound.guard:
        click.echo(f"Of the bound {100 * answer.question.bound.guard:g} % are left free.")
    if answer.of_model:
        click.echo(_predicted_line(answer))


def _predicted_line(answer: ConfigurationAnswer) -> str:
    predicted = answer.predictions
    measured = len(answer.table) - predicted
    line = f"Of the grid {plural(measured, 'configuration')} measured, {predicted:,} predicted"
    guard = answer.question.prediction_guard
    free = f"; predictions leave {100 * guard:g} % of the bound free" if guard else ""
    return f"{line}{free}."


def _show_answer(answer: ConfigurationAnswer) -> None:
    from planner.configurations.risk import other_run

    heading, _ = other_run(answer.question.repetition)
    columns = (
        Column("name", "configuration"),
        Column(_short, "nodes x cores, cap"),
        Column("configuration.time_s", "time", seconds),
        Column("configuration", heading, lambda found: _other_time(answer, found)),
        Column("configuration.power_w", "power", watts),
        Column("unused", "unused", "{:.1%}".format),
        Column(_gains, "speed-up of best"),
    )
    show_columns(columns, answer.compared)
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


def _other_time(answer: ConfigurationAnswer, found: Configuration) -> str:
    """The time of the run next to the one that speaks, where it was run."""
    from planner.configurations.risk import other_run

    _, time_s = other_run(answer.question.repetition)
    seen = answer.risk_of(found)
    return "predicted" if seen is None else seconds(time_s(seen))


def _nodes_line(found: Degree) -> str:
    rated = found.worst_case_nodes
    text = f"{rated} fit by rating; fastest with {found.fastest_nodes}"
    if rated:
        text += f" ({found.fastest_nodes / rated:.2f} times as many)"
    if found.marginal_nodes < found.largest_nodes:
        text += f"; beyond {found.marginal_nodes} each node saves less than {found.least_gain:.0%}"
    elif found.fastest_nodes == found.largest_nodes:
        text += "; more within the bound are not in the table"
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


def suggest(
    table: Measurements,
    applications: tuple[str, ...],
    bound_w: float,
    grid: Grid | None,
    count: int,
    node: NodeMaximum,
    *,
    as_json: bool,
) -> None:
    """Print which runs to make next."""
    from planner.configurations.prediction.next_runs import suggestions
    from planner.configurations.prediction.processor import of_node

    processor = of_node(node)
    found = suggestions(
        table, bound_w, count, applications=applications, grid=grid, processor=processor
    )
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
        own = sum(each.application == name for each in found)
        least_w = float(table.runs[name].power_w.min())
        if least_w > bound_w:
            click.echo(
                f"{name}: no run so far keeps to {watts(bound_w)}; the least, {watts(least_w)}."
            )
        if own < count:
            click.echo(
                f"{name}: {own} of {count} runs are suggested; of the rest of the grid all was "
                "run, or nothing is expected to beat the best run. Widen it with --grid."
            )


def _short(each: ComparedConfiguration) -> str:
    return each.configuration.short if each.configuration else each.reason


def _gains(each: ComparedConfiguration) -> str | None:
    """How much faster the best is, in both conventions; nothing for the best itself."""
    if each.gain is None:
        return "" if each.configuration else None
    change = f"{-each.gain.time_reduction:+.0%}"
    return f"{each.gain.speedup:.2f} x, {'equal' if change[1:] == '0%' else change} time"
