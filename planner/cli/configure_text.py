"""What ``headroom configure`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.cli.edges import json_text, show_columns, show_table
from planner.formatting import given, percent, plural, run_times, spanned, watts
from planner.worded_table import Column

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


def show(study: ConfigurationStudy) -> None:
    """Print the answers."""
    from planner.configurations.provisioning import OTHER_NAMES, PACKED_MAX
    from planner.configurations.study import warnings_of

    printed: list[str] = []
    for answer, spread in zip(study.answers, study.spreads, strict=True):
        if answer is not study.answers[0]:
            click.echo()
        elif len(study.answers) > 1:
            click.echo(f"{study.headline} {PACKED_MAX}\n")
        _show_decision(answer, names=PACKED_MAX if len(study.answers) == 1 else "")
        warnings = warnings_of(answer)
        for warning in warnings:
            click.echo(f"Warning: {warning}")
        printed += warnings
        _show_answer(answer, names=OTHER_NAMES if answer is study.answers[0] else "")
        if spread.known:
            click.echo(f"Repetitions: {' '.join(f'{line}.' for line in spread.findings())}")
    if study.mix_degree is not None:
        mix = f"the mix of {len(study.answers)} applications"
        click.echo(f"\nNodes for {mix}: {_nodes_line(study.mix_degree)}")
    if study.prediction is not None:
        from planner.configurations.prediction.findings import of_models, of_runs

        click.echo(f"Models: {of_models(study.prediction)}")
        click.echo(f"Runs: {of_runs(study.prediction)}")
    for warning in study.warnings:
        if warning not in printed:
            click.echo(f"Warning: {warning}")
    if study.measurements.simulated:
        click.echo(study.measurements.simulated_text)


def _show_decision(answer: ConfigurationAnswer, names: str) -> None:
    """Print the decision, and below it what packed-max means where the word is new."""
    click.echo(answer.headline)
    if names:
        click.echo(names)
    click.echo(" ".join(answer.details))
    if answer.decided is not None and answer.decided.proof:
        click.echo(answer.decided.proof)
    if answer.socket_power is not None:
        click.echo(answer.socket_power.summary)
    if answer.question.bound.guard:
        click.echo(f"The guard keeps {given(answer.question.bound.guard)} of the bound free.")
    if answer.of_model:
        click.echo(_predicted_line(answer))


def _predicted_line(answer: ConfigurationAnswer) -> str:
    predicted = answer.predictions
    measured = len(answer.table) - predicted
    line = f"Grid: {plural(measured, 'configuration')} measured, {predicted:,} predicted."
    guard = answer.question.prediction_guard
    free = f" Predicted ones keep {given(guard)} of the bound free." if guard else ""
    return f"{line}{free}"


def _show_answer(answer: ConfigurationAnswer, names: str) -> None:
    """Print the tables of one application, and below the first what its ``names`` mean."""
    from planner.configurations.risk import other_run
    from planner.configurations.study import STAR

    heading, _ = other_run(answer.question.repetition)
    shown = [row.configuration for row in answer.compared if row.configuration]
    other_s = {configuration: _other_s(answer, configuration) for configuration in shown}
    times_s = [configuration.time_s for configuration in shown]
    every_s = [*times_s, *(time_s for time_s in other_s.values() if time_s is not None)]
    alike = dict(zip(every_s, run_times(*every_s), strict=True))

    def other(configuration: Configuration) -> str:
        time_s = other_s[configuration]
        return "predicted" if time_s is None else alike[time_s]

    columns = (
        Column("name", "configuration"),
        Column(_short, "nodes x cores, cap"),
        Column("configuration.time_s", "time", lambda time_s: alike[time_s]),
        Column("configuration", heading, other),
        Column("configuration.power_w", "power", watts),
        Column("unused", "unused", percent),
        Column(lambda choice: _gains(answer, choice), "speed-up of best"),
    )
    show_columns(columns, answer.compared)
    if any("*" in (_gains(answer, choice) or "") for choice in answer.compared):
        click.echo(STAR)
    if names:
        click.echo(names)
    near = [
        (
            str(near_best.configuration),
            percent(near_best.slowdown),
            watts(near_best.configuration.power_w),
        )
        for near_best in answer.near_optimal[:_ROWS]
    ]
    more = len(answer.near_optimal) - len(near)
    if len(near) > 1:
        show_table(
            (f"within {100 * answer.question.tolerance:.3g} % of the best", "slower by", "power"),
            near,
        )
    if more > 0:
        click.echo(f"... and {more} more (--json lists them).")
    click.echo(f"Nodes: {_nodes_line(answer.degree)}")
    click.echo(_curve_line(answer))
    if answer.risk is not None:
        click.echo(_risk_line(answer.risk))


def _other_s(answer: ConfigurationAnswer, configuration: Configuration) -> float | None:
    """Return the time of the run next to the one that decides, where it was run [s]."""
    from planner.configurations.risk import other_run

    _, time_s = other_run(answer.question.repetition)
    seen = answer.risk_of(configuration)
    return None if seen is None else time_s(seen)


def _fitting(nodes: int) -> str:
    """State how many nodes fit at rated power."""
    return f"{plural(nodes, 'node')} {'fits' if nodes == 1 else 'fit'} at rated power"


def _nodes_line(degree: Degree) -> str:
    rated = degree.worst_case_nodes
    fastest = degree.fastest_nodes
    verb = "runs" if fastest == 1 else "run"
    known = degree.rating_within_measured and rated < fastest
    more = f" ({fastest / rated:.2f} times as many)" if known else ""
    text = f"{_fitting(rated)}; {plural(fastest, 'node')}{more} {verb} fastest."
    if degree.marginal_nodes < degree.largest_nodes:
        text += (
            f" Beyond {plural(degree.marginal_nodes, 'node')}, each further node saves less than "
            f"{given(degree.least_gain)} of the run time."
        )
    elif fastest == degree.largest_nodes:
        text += " Larger counts within the bound were not measured."
    if degree.money_nodes is not None:
        text += (
            f" A result costs least (run time x price of the machine) with "
            f"{plural(degree.money_nodes, 'node')}."
        )
    return text


def _curve_line(answer: ConfigurationAnswer) -> str:
    winners, low, high = answer.curve.winners, answer.curve.from_w[0], answer.curve.from_w[-1]
    if len(winners) == 1:
        return f"The same configuration is best at every bound from {watts(low)} on."
    changes = plural(len(winners) - 1, "time")
    of_cores = plural(len(answer.curve.core_changes), "time")
    return (
        f"Between {watts(low)} and {watts(high)} the best configuration changes {changes}, "
        f"{of_cores} with a different core count (--json and -o list them)."
    )


def _risk_line(risk: Risk) -> str:
    if risk.repetitions == 1:
        return "The best configuration was run once, so its spread is not known."
    fastest, slowest = run_times(risk.best_s, risk.worst_s)
    return (
        f"The best configuration was run {risk.repetitions} times: "
        f"{spanned(fastest, slowest)}, at most "
        f"{watts(risk.largest_power_w)}."
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
    runs = suggestions(
        table, bound_w, count, applications=applications, grid=grid, processor=processor
    )
    if as_json:
        click.echo(json_text({"bound_w": bound_w, "next_runs": [run.to_dict() for run in runs]}))
        return
    headings = ("application", "nodes", "cores per node", "cap", "why")
    rows = [
        (e.application, str(e.nodes), str(e.cores_per_node), f"{e.package_cap_w:g} W", e.why)
        for e in runs
    ]
    if rows:
        show_table(headings, rows)
    for name in applications or table.runs:
        own = sum(run.application == name for run in runs)
        least_w = float(table.runs[name].power_w.min())
        if least_w > bound_w:
            click.echo(
                f"{name}: no run so far fits {watts(bound_w)}; the least power measured is "
                f"{watts(least_w)}."
            )
        if own < count:
            click.echo(
                f"{name}: {own} of {count} runs are suggested. The rest of the grid was run "
                "already, or is not expected to beat the best run. Widen the grid with --grid."
            )


def _short(compared: ComparedConfiguration) -> str:
    return compared.configuration.short if compared.configuration else compared.reason


def _gains(answer: ConfigurationAnswer, compared: ComparedConfiguration) -> str | None:
    """Return how much faster the best is, in both conventions; nothing for the best itself."""
    if compared.gain is None:
        return "" if compared.configuration else None
    saved = compared.gain.time_reduction
    more = (
        "equal time"
        if percent(abs(saved)) == "0 %"
        else (f"{percent(abs(saved))} {'less' if saved > 0 else 'more'} time")
    )
    star = "*" if answer.unsteady(compared.configuration) else ""
    return f"{compared.gain.speedup:.2f} x{star}, {more}"
