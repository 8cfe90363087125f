"""How many nodes pay under a bound: the degree of overprovisioning."""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.degree import Degree
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, clipped, given
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.configuration.figures.nodes import in_words, one_count, reading
from reports.configuration.summary import answers, bound, leading, left_out, listed, name
from reports.grid import Table, table
from reports.numbers import fixed, shown

_MOST_ROWS = 8
_SOURCE = (
    "Each point is the best configuration with exactly that number of nodes. 'rating': nodes that "
    "fit at rated power; 'knee': larger machines save less than the stated share of time per node."
)


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """Time over nodes, and what is read off it."""
    blocks: list[Block] = []
    flat = [answer.application for answer in study.answers if one_count(answer)]
    if flat and len(study.answers) > 1:
        blocks.append(
            text(
                f"Only one node count was {'measured or predicted' if study.model else 'measured'} "
                f"for {listed(flat, 8)}."
            )
        )
    blocks.append(
        text(
            "The degree of overprovisioning is the number of nodes divided by the number that fits "
            f"at rated power ({bound(study.question.node.power_w)} each). A larger machine may "
            "leave nodes unused, so each size counts with its best time on at most that many nodes."
        )
    )
    if len(flat) < len(study.answers):
        blocks.append(grid(_degrees(study), _caption(study)))
    mix = study.mix
    if mix is not None:
        weights = ", ".join(
            f"{clipped(a.application, 24)} {study.weights.get(a.application, 1.0):g}"
            for a in answers(study)
        )
        blocks += figures(
            pictures, "nodes of the mix",
            "Weighted geometric mean of the best times on that many nodes or fewer, each relative "
            f"to {int(mix.nodes[0])} nodes. Weights: {weights}.",
        )  # fmt: skip
    for index, answer in enumerate(leading(study)):
        source = _SOURCE if index == 0 else ""
        blocks += figures(pictures, f"nodes {answer.application}", source)
    if left_out(study):
        blocks.append(text(left_out(study)))
    return Page("How many nodes pay under this bound?", _finding(study), tuple(blocks))


def _finding(study: ConfigurationStudy) -> str:
    if study.mix_degree is not None:
        return f"The mix runs {reading(study.mix_degree)}."
    return f"{name(study.answers[0])} {in_words(study.answers[0])}."


def _in_table(study: ConfigurationStudy) -> list[ConfigurationAnswer]:
    """Return the applications of the table; of many, those that gain most."""
    every = [answer for answer in answers(study) if not one_count(answer)]
    if len(every) <= _MOST_ROWS:
        return every
    return [answer for answer in leading(study) if answer in every][:_MOST_ROWS]


def _caption(study: ConfigurationStudy) -> str:
    total = sum(not one_count(answer) for answer in study.answers)
    return partly("How many nodes pay", len(_in_table(study)), total, "configure.xlsx")


def _degrees(study: ConfigurationStudy) -> Table:
    columns = (
        ("Application", False), ("At rated power", True), ("Fastest", True), ("Degree", True),
        (f"Knee ({given(study.question.least_gain)} per node)", True), ("Degree", True),
        ("Least time x money", True), ("Degree", True),
    )  # fmt: skip
    every = [answer.degree for answer in _in_table(study)]
    if study.mix_degree is not None:
        every.append(study.mix_degree)
    return table(
        columns, (1.6, 0.8, 0.8, 0.75, 0.9, 0.75, 1, 0.75), [_row(degree) for degree in every]
    )


def _row(degree: Degree) -> tuple[str, ...]:
    money = degree.money_nodes
    return (
        clipped(degree.name, 40),
        f"{degree.worst_case_nodes:,}",
        f"{degree.fastest_nodes:,}",
        _degree(degree, degree.fastest_nodes),
        f"{degree.marginal_nodes:,}",
        _degree(degree, degree.marginal_nodes),
        "no price" if money is None else shown(money),
        DASH if money is None else _degree(degree, money),
    )


def _degree(degree: Degree, nodes: int) -> str:
    return fixed(degree.degree(nodes), 2)
