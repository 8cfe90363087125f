"""How many nodes pay under a bound: the degree of overprovisioning."""

from __future__ import annotations

from collections.abc import Sequence

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.degree import Degree
from planner.configurations.study import ConfigurationStudy
from planner.formatting import DASH, clipped, given, plural
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, partly, text
from reports.compact import captioned, compact, without_constants
from reports.configuration.figures.nodes import in_words, one_count
from reports.configuration.summary import answers, bound, leading, left_out, listed, name
from reports.grid import Table, table
from reports.numbers import fixed, shown

_MOST_ROWS = 8
_SOURCE = "Each point is the best configuration with exactly that number of nodes."


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
            f"nodes. {_knee(study)}{_money(study)}"
        )
    )
    if len(flat) < len(study.answers) and len(study.answers) > 1:
        blocks += _table_of(_degrees(study), _caption(study))
    elif not flat:
        blocks.append(bullets(_one(study.answers[0].degree)))
    mix = study.mix
    if mix is not None:
        blocks += figures(
            pictures, "nodes of the mix",
            f"{_mean(study)} of the applications' best times on at most that many nodes, each "
            f"relative to {int(mix.nodes[0])} nodes. {_lines_read([study.mix_degree], study)}",
        )  # fmt: skip
    for index, answer in enumerate(leading(study)):
        read = _lines_read([each.degree for each in answers(study)], study)
        source = f"{_SOURCE} {_other_bounds(study)}{read}" if index == 0 else ""
        blocks += figures(pictures, f"nodes {answer.application}", source)
    if left_out(study):
        blocks.append(text(left_out(study)))
    return Page("How many nodes pay under this bound?", _finding(study), tuple(blocks))


def _other_bounds(study: ConfigurationStudy) -> str:
    """Say where the line of another bound is missing; empty where no bound has neighbours."""
    others = (
        neighbour.bound_w
        for answer in answers(study)
        for neighbour in answer.neighbours
        if not neighbour.requested
    )
    if all(bound_w is None for bound_w in others):
        return ""
    return (
        "The line of another bound is missing where it coincides with that of the requested "
        "bound, or where nothing fits. "
    )


def _mean(study: ConfigurationStudy) -> str:
    """Say what mean the mix is, with the weights if they differ."""
    weights = {a.application: study.weights.get(a.application, 1.0) for a in study.answers}
    if len(set(weights.values())) == 1:
        return "Mix: geometric mean, with equal weights,"
    listed_weights = ", ".join(
        f"{clipped(a.application, 24)} {weights[a.application]:g}" for a in answers(study)
    )
    return f"Mix: weighted geometric mean ({listed_weights})"


def _finding(study: ConfigurationStudy) -> str:
    degrees = [answer.degree for answer in study.answers if not one_count(answer)]
    if not degrees:
        return f"{name(study.answers[0])} {in_words(study.answers[0])}."
    fastest = _ends([degree.fastest_nodes for degree in degrees])
    whose = f" for {plural(len(degrees), 'application')}" if len(study.answers) > 1 else ""
    kneed = [degree for degree in degrees if not degree.fastest_pays]
    if not kneed:
        most = "the largest count" if len(degrees) == 1 else "the largest counts"
        return f"Fastest: {fastest} nodes{whose}, {most} in the table; the last nodes still pay."
    knee = _ends([degree.marginal_nodes for degree in kneed])
    share = given(study.question.least_gain)
    text = (
        f"Fastest: {fastest} nodes{whose}. Beyond the knee at {knee}, further nodes save less "
        f"than {share} of the time each"
    )
    mix = study.mix_degree
    still = [degree.name for degree in degrees if degree.fastest_pays]
    still += ["the mix"] if mix is not None and mix.fastest_pays else []
    return f"{text}; no knee was found for {listed(still)}." if still else f"{text}."


def _knee(study: ConfigurationStudy) -> str:
    """Say what the knee is, and where none was found."""
    share = given(study.question.least_gain)
    text = f"Beyond the knee, further nodes save less than {share} of the run time each."
    every = [each.degree for each in study.answers if not one_count(each)]
    if any(degree.fastest_pays for degree in every):
        text += " Where even the last nodes save more, there is no knee up to the largest count."
    return text


def _lines_read(degrees: Sequence[Degree | None], study: ConfigurationStudy) -> str:
    """Say what the vertical lines of a figure are, of those that it has."""
    text = "'rating': nodes that fit at rated power."
    if all(degree is None or degree.fastest_pays for degree in degrees):
        return text
    share = given(study.question.least_gain)
    return f"{text} 'knee': beyond it, a further node saves less than {share} of the time."


def _ends(counts: Sequence[int]) -> str:
    return " to ".join(dict.fromkeys((f"{min(counts):,}", f"{max(counts):,}")))


def _in_table(study: ConfigurationStudy) -> list[ConfigurationAnswer]:
    """Return the applications of the table; of many, those that gain most."""
    every = [answer for answer in answers(study) if not one_count(answer)]
    if len(every) <= _MOST_ROWS:
        return every
    return [answer for answer in leading(study) if answer in every][:_MOST_ROWS]


def _table_of(rows: Table, caption: str) -> list[Block]:
    """The rows, in a sentence where there is one or where all are the same."""
    if len(rows["rows"]) == 1:
        return compact(rows, caption)
    varying, same = without_constants(rows)
    if len(varying["columns"]) > 1:
        return [grid(varying, captioned(caption, same))]
    return [text(f"{listed([row[0] for row in rows['rows']], _MOST_ROWS + 1)}: {same}.")]


def _caption(study: ConfigurationStudy) -> str:
    total = sum(not one_count(answer) for answer in study.answers)
    return partly("How many nodes pay", len(_in_table(study)), total, "configure.xlsx")


def _degrees(study: ConfigurationStudy) -> Table:
    priced = (("Cheapest per result: nodes", True), ("Degree at cheapest", True))
    columns = (
        ("Application", False), ("Nodes at rated power", True), ("Fastest: nodes", True),
        ("Degree at fastest", True), ("Knee: nodes", True), ("Degree at knee", True),
        *(priced if _priced(study) else ()),
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
    """The row of a single application as a list; the answer says where there is no knee."""
    names = [("Fastest", degree.fastest_nodes)]
    names += [] if degree.fastest_pays else [("Knee", degree.marginal_nodes)]
    if degree.money_nodes is not None:
        names.append(("Cheapest per result", degree.money_nodes))
    lines = [
        f"{name}: {plural(nodes, 'node')}"
        + ("" if degree.degree(nodes) is None else f", a degree of {_degree(degree, nodes)}")
        + "."
        for name, nodes in names
    ]
    return [f"At rated power: {plural(degree.worst_case_nodes, 'node')}.", *lines]


def _row(degree: Degree) -> tuple[str, ...]:
    money = degree.money_nodes
    return (
        clipped(degree.name, 40),
        f"{degree.worst_case_nodes:,}",
        f"{degree.fastest_nodes:,}",
        _degree(degree, degree.fastest_nodes),
        f"none up to {degree.largest_nodes:,}" if degree.fastest_pays
        else f"{degree.marginal_nodes:,}",
        DASH if degree.fastest_pays else _degree(degree, degree.marginal_nodes),
        DASH if money is None else shown(money),
        DASH if money is None else _degree(degree, money),
    )  # fmt: skip


def _degree(degree: Degree, nodes: int) -> str:
    return fixed(degree.degree(nodes), 2)
