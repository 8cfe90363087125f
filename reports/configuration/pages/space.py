"""All configurations, and those that are nearly as fast as the best."""

from __future__ import annotations

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.study import ConfigurationStudy
from planner.formatting import given, percent, plural, seconds, watts
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.configuration.summary import bound, leading, left_out, name
from reports.grid import Table, table

_SOURCE = (
    "One line per configuration. Lines at the same nodes, cores or cap are shifted slightly, with "
    "the fastest lowest. As in the thesis's Figure 3.6, with parallel axes."
)
_MOST = 14


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """The space as lines, then the near-optimal set."""
    blocks: list[Block] = []
    for index, answer in enumerate(leading(study)):
        source = _SOURCE if index == 0 else ""
        blocks += figures(pictures, f"space {answer.application}", source)
        near = answer.near_optimal
        if len(near) > 1:
            share = given(answer.question.tolerance)
            caption = f"{name(answer)}: configurations within {share} of the best"
            count = min(len(near), _MOST if len(study.answers) == 1 else _MOST // 2)
            caption = partly(caption, count, len(near), "configure.xlsx")
            blocks.append(grid(_near(answer, count), caption, small=True))
    if left_out(study):
        blocks.append(text(left_out(study)))
    return Page("Which other configurations are nearly as fast?", _finding(study), tuple(blocks))


def _finding(study: ConfigurationStudy) -> str:
    bound = study.question.bound
    every = sum(len(answer.table) for answer in study.answers)
    inside = sum(int(bound.holds(answer.table.charged_w).sum()) for answer in study.answers)
    near = sum(len(answer.near_optimal) for answer in study.answers)
    whose = "the best" if len(study.answers) == 1 else "the best of the same application"
    share, others = given(study.question.tolerance), near - len(study.answers)
    nearly = (
        f"{others:,} {'is' if others == 1 else 'are'} at most {share} slower than {whose}"
        if others
        else f"none is within {share} of {whose}"
    )
    fit = "fits" if inside == 1 else "fit"
    made = " (measured or predicted)" if study.model else ""
    return f"{inside:,} of {plural(every, 'configuration')} {fit} {_bound(study)}{made}; {nearly}."


def _bound(study: ConfigurationStudy) -> str:
    return bound(study.question.bound.bound_w)


def _near(answer: ConfigurationAnswer, limit_rows: int) -> Table:
    columns = (
        ("Configuration", False), ("Time", True), ("Slower by", True), ("Power", True),
        ("Unused", True), ("Unused share", True),
    )  # fmt: skip
    limit = answer.question.bound.bound_w
    rows = [
        (
            str(near.configuration),
            seconds(near.configuration.time_s),
            percent(near.slowdown),
            watts(near.configuration.power_w),
            watts(near.unused_w),
            percent(near.unused_w / limit),
        )
        for near in answer.near_optimal[:limit_rows]
    ]
    return table(columns, (1.6, 1, 1, 1, 1, 1), rows)
