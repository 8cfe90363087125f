"""How far canonical configurations are from the best.

References
----------
Thesis, Figure 3.5: canonical configurations normalised to the best at several bounds.
"""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.neighbours import AtNeighbour
from planner.configurations.provisioning import CANONICAL, Canonical
from planner.configurations.study import ConfigurationStudy
from planner.configurations.table import Configuration
from planner.formatting import DASH, clipped, percent, plural, seconds, watts
from reports.blocks import Block, Drawn, Page, grid, subheading, text
from reports.configuration.pages.front import compared
from reports.configuration.summary import bound, leading, left_out, name
from reports.grid import Table, table
from reports.numbers import fixed


def page(study: ConfigurationStudy, _pictures: Drawn) -> Page:
    """Show a table for each application.

    If there are several, a second table compares all choices at the requested bound.
    """
    several, rule = len(study.answers) > 1, study.growth_rule
    blocks: list[Block] = [
        text(f"Names: {rule} The first number of each cell is the speed relative to the best.")
    ]
    for answer in leading(study):
        if several:
            blocks.append(subheading(name(answer)))
        caption = f"{name(answer)}: relative speed, configuration, time and power"
        blocks.append(grid(_canonical_table(answer), caption, small=True))
        if several:
            at = bound(answer.question.bound.bound_w)
            caption = f"{name(answer)}: what each choice gives up under {at}"
            blocks.append(grid(compared(answer), caption, small=True))
    if left_out(study):
        blocks.append(text(left_out(study)))
    heading = "How far are common choices from the best?"
    return Page(heading, f"{_finding(study)}.", tuple(blocks))


def _finding(study: ConfigurationStudy) -> str:
    """Return how close canonical configurations come to the best at the requested bound."""
    nearest = [
        (max(relatives), answer)
        for answer in study.answers
        if (relatives := _relatives(_asked(answer)))
    ]
    if not nearest:
        return "No canonical configuration fits"
    share, answer = min(nearest, key=lambda pair: pair[0])
    at = bound(answer.question.bound.bound_w)
    if len(study.answers) == 1:
        if share >= 1:
            return f"A canonical configuration is the best at {at}"
        speed = f"{percent(share)} of the best speed"
        return f"The fastest canonical configuration reaches {speed} at {at}"
    same = sum(share >= 1 for share, _ in nearest)
    count = plural(len(nearest), "application")
    text = f"A canonical configuration is the best at {at} for {same} of {count}"
    if share < 1:
        who = clipped(answer.application)
        text += f"; for {who} the fastest one reaches only {percent(share)} of the best speed"
    return text


def _asked(answer: ConfigurationAnswer) -> AtNeighbour:
    return next(neighbour for neighbour in answer.neighbours if neighbour.requested)


def _relatives(at: AtNeighbour) -> list[float]:
    relatives = (at.relative(rule.configuration) for rule in at.canonical)
    return [relative for relative in relatives if relative is not None]


def _canonical_table(answer: ConfigurationAnswer) -> Table:
    columns = (("Bound", False), ("Best", False), *((rule, False) for rule in CANONICAL))
    rows = [
        (
            bound(at.bound_w) + (" (requested)" if at.requested else ""),
            _cell("1.00", at.best),
            *(_canonical(at, rule) for rule in at.canonical),
        )
        for at in answer.neighbours
    ]
    return table(columns, (0.75, 1, 1, 1, 1, 1), rows)


def _canonical(at: AtNeighbour, rule: Canonical) -> str:
    relative = at.relative(rule.configuration)
    if rule.configuration is None or relative is None:
        return f"{DASH}\n{rule.reason}"
    return _cell(fixed(relative, 2), rule.configuration)


def _cell(relative: str, configuration: Configuration) -> str:
    time, power = seconds(configuration.time_s), watts(configuration.power_w)
    return f"{relative}\n{configuration}\n{time}, {power}"
