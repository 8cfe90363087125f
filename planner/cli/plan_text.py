"""What ``headroom plan`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_table
from solvers.portable import exp

if TYPE_CHECKING:
    from planner.procurement.study import ProcurementStudy


_MOST_QUOTES = 24
"""Quotes listed in the terminal."""


def show_procurement(study: ProcurementStudy) -> None:
    """Print the decision, what it rests on, its risks, and the plans and quotes that lost."""
    from planner.formatting import money, power
    from planner.procurement.summary import remarks

    notes = remarks(study) if study.plan is not None else []
    listed = set(study.unbuyable) if study.not_bought else set()
    for line in (study.headline, study.confidence, *notes):
        if line:
            click.echo(line)
    for warning in study.warnings:
        if warning not in listed:
            click.echo(f"Warning: {warning}")
    if study.diagnosis is not None:
        for line in study.diagnosis.sentences(study.problem):
            click.echo(line)
    currency = study.problem.prices.currency
    largest = max((compared.plan.it_power_w for compared in study.compared), default=0.0)
    rows: list[tuple[str, ...]] = [
        (
            compared.plan.method,
            f"{compared.plan.score:.4f}",
            money(compared.plan.bill.capital, currency),
            power(compared.plan.it_power_w, like=largest),
            _first_of(compared.wrong) or "meets all requirements",
        )
        for compared in study.compared
    ]
    rows += [(refusal.method, "-", "-", "-", _first_of(refusal.wrong)) for refusal in study.refused]
    show_solvers(study)
    if rows:
        show_table(("plan", "score", "capital", "IT power", "requirements and limits"), rows)
    show_not_bought(study)
    if study.stopped_by_time:
        click.echo("The search stopped at its time limit, so a repeated run may differ.")


def show_not_bought(study: ProcurementStudy) -> None:
    """Print why each quote is not bought."""
    every = study.not_bought
    rows = [(quote.label, quote.vendor or "-", quote.reason) for quote in every[:_MOST_QUOTES]]
    if rows:
        show_table(("quote not bought", "vendor", "why"), rows)
    if len(every) > _MOST_QUOTES:
        click.echo(f"... and {len(every) - _MOST_QUOTES:,} more quotes; --json has all.")


def show_solvers(study: ProcurementStudy) -> None:
    """Print the decision by each solver, where more than one ran."""
    rows = [
        (
            solved.solver,
            _score(solved.outcome.objective),
            _score(solved.outcome.bound),
            solved.outcome.status.value,
            f"{solved.outcome.certificate.nodes:,}",
            f"{solved.outcome.certificate.cpu_s:,.2g} s",
        )
        for solved in study.by_solver
    ]
    if rows:
        headings = (
            "solver",
            "score",
            "solver's limit",
            "status",
            "search nodes",
            "CPU time, last solve",
        )
        show_table(headings, rows)


def _score(log: float | None) -> str:
    return "-" if log is None else f"{exp(log):.5f}"


def _first_of(lines: tuple[str, ...]) -> str:
    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
    return lines[0] + more if lines else ""
