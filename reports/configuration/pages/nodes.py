"""How many nodes pay under a bound: the degree of overprovisioning."""

from __future__ import annotations

from collections.abc import Sequence

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.degree import Degree
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, clipped, given, plural
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, partly, text
from reports.configuration.figures.nodes import in_words, one_count
from reports.configuration.summary import answers, bound, leading, left_out, listed, name
from reports.grid import Table, table
from reports.numbers import fixed, shown

_MOST_ROWS = 8
_SOURCE = (
    "Each point is the best configuration with exactly that number of nodes. 'rating': nodes that "
    "fit at rated power; 'knee': as in the text."
)


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """Time over nodes, and what is read off it."""
    blocks: list[Block] = []
    flat = [answer.application for answer in study.answers if one_count(answer)]
    if flat and len(study.answers) > 1:
        blocks.append(
            text(
                f"Only one node count was {'run or predicted' if study.model else 'run'} "
                f"for {listed(flat, 8)}."
            )
        )
    blocks.append(
        text(
            "The degree of overprovisioning is the number of nodes divided by the number that fits "
            f"at rated power ({bound(study.question.node.power_w)} each). A larger machine may "
            "leave nodes unused, so each size counts with its best time on at most that many "
            f"nodes. Beyond the knee, further nodes save less than "
            f"{given(study.question.least_gain)} of the run time each.{_money(study)}"
        )
    )
    if len(flat) < len(study.answers) and len(study.answers) > 1:
        blocks.append(grid(_degrees(study), _caption(study)))
    elif not flat:
        blocks.append(bullets(_one(study.answers[0].degree)))
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
    degrees = [answer.degree for answer in study.answers if not one_count(answer)]
    if not degrees:
        return f"{name(study.answers[0])} {in_words(study.answers[0])}."
    fastest = _ends([degree.fastest_nodes for degree in degrees])
    whose = f" for {plural(len(degrees), 'application')}" if len(study.answers) > 1 else ""
    if all(degree.fastest_pays for degree in degrees):
        more = "larger counts within the bound are not in the table"
    else:
        knee = _ends([degree.marginal_nodes for degree in degrees])
        share = given(study.question.least_gain)
        more = f"beyond the knee at {knee}, further nodes save less than {share} of the time each"
    return f"Fastest: {fastest} nodes{whose}; {more}."


def _ends(counts: Sequence[int]) -> str:
    return " to ".join(dict.fromkeys((f"{min(counts):,}", f"{max(counts):,}")))


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
        ("Application", False), ("Nodes at rated power", True), ("Fastest: nodes", True),
        ("Degree", True), ("Knee: nodes", True), ("Degree", True),
        *((("Cheapest per result: nodes", True), ("Degree", True)) if _priced(study) else ()),
    )  # fmt: skip
    every = [answer.degree for answer in _in_table(study)]
    if study.mix_degree is not None:
        every.append(study.mix_degree)
    widths = (1.6, 0.9, 0.8, 0.75, 0.9, 0.75, 1, 0.75)[: len(columns)]
    return table(columns, widths, [_row(degree)[: len(columns)] for degree in every])


def _priced(study: ConfigurationStudy) -> bool:
    return study.question.fixed_cost_nodes is not None


def _money(study: ConfigurationStudy) -> str:
    """Explain at which size a result is cheapest; empty where no prices were given."""
    fixed_cost = study.question.fixed_cost_nodes
    if fixed_cost is None:
        return ""
    more = f" and as much as {fixed_cost:g} further ones" if fixed_cost else ""
    return (
        " A result is cheapest where run time x price of the machine is least. The machine costs "
        f"its nodes{more}."
    )


def _one(degree: Degree) -> list[str]:
    """The row of a single application as a list."""
    names = [("At rated power", degree.worst_case_nodes), ("Fastest", degree.fastest_nodes)]
    names.append(("Knee", degree.marginal_nodes))
    if degree.money_nodes is not None:
        names.append(("Cheapest per result", degree.money_nodes))
    return [
        f"{name}: {plural(nodes, 'node')}"
        + ("" if degree.degree(nodes) is None else f", a degree of {_degree(degree, nodes)}")
        + "."
        for name, nodes in names
    ]


def _row(degree: Degree) -> tuple[str, ...]:
    money = degree.money_nodes
    return (
        clipped(degree.name, 40),
        f"{degree.worst_case_nodes:,}",
        f"{degree.fastest_nodes:,}",
        _degree(degree, degree.fastest_nodes),
        f"{degree.marginal_nodes:,}",
        _degree(degree, degree.marginal_nodes),
        DASH if money is None else shown(money),
        DASH if money is None else _degree(degree, money),
    )


def _degree(degree: Degree, nodes: int) -> str:
    return fixed(degree.degree(nodes), 2)
