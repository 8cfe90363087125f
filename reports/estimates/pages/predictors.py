"""What is left of the gain when nobody knows true run times."""

from __future__ import annotations

from planner.formatting import DASH, percent, seconds
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.result import Remains
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.estimates.figures.predictors import finding
from reports.estimates.gain_text import ends, exact_gain, in_table, number_or_none
from reports.grid import Table, table

_RULES = (
    (
        "All users use the predictor. It is made at the iteration that reads the job and learns "
        "from jobs that have ended by then, in the simulation, and from nothing else."
    ),
    (
        "Extended: the job goes on and its estimate grows step by step. Killed: it ends at the "
        "prediction, its work is lost, and it queues again with twice the estimate, at most the "
        "request, or with the request. Its queue time is from the first submission to the start "
        "of the run that was not killed."
    ),
    (
        "A tool that is called an oracle knows true run times; it is there to compare with, and is "
        "no predictor."
    ),
)


def page(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """Bars, rules, and the table with everything; nothing where no predictor was played."""
    if not study.remains:
        return None
    heading = "What remains with honest predictors?"
    if not study.no_tool.everybody.mean_s:
        blocks: tuple[Block, ...] = (
            text("Nobody waits without a tool, so no share of a gain can be told."),
            grid(_table(study), "Predictors, simulated", small=True),
        )
        return Page(heading, _nothing(study), blocks)
    several = len(set(study.settings.seeds)) > 1
    black = " Black: the seed groups alone, from the least to the most; arrow: beyond the axis."
    black = black if several else ""
    source = (
        "0: no tool; dashed: exact estimates for all. A bar that ends with a white gap is cut, its "
        f"number is not.{black} Simulated; the seed groups are those of {seeds(study)}."
    )
    blocks = (
        *figures(drawings, "predictors", source),
        grid(_table(study), "All users with a predictor: all jobs, simulated", small=True),
        bullets(_RULES),
    )
    return Page(heading, f"{finding(study)}.", blocks)


def _nothing(study: EstimateStudy) -> str:
    worst = max(study.remains, key=lambda remains: remains.outcome.everybody.mean_s or 0.0)
    wait = worst.outcome.everybody.mean_s
    if not wait:
        return "There is nothing to gain, and nobody waits with a predictor either."
    return (
        f"There is nothing to gain; with {worst.tool.words}, jobs wait {seconds(wait)} on average."
    )


def _table(study: EstimateStudy) -> Table:
    columns = (
        ("Tool", False), ("Mean wait", True), ("Longest", True), ("Gain", True), ("Of exact", True),
        ("Seed groups", True), ("Jobs killed", True), ("Kills", True), ("Work lost", True),
    )  # fmt: skip
    bare, exact = study.no_tool.everybody, study.exact.everybody
    rows = [
        ("none", _wait(bare.mean_s), _wait(bare.max_s), *[DASH] * 6),
        (
            "exact estimates", _wait(exact.mean_s), _wait(exact.max_s), in_table(exact_gain(study)),
            "100 %" if exact_gain(study) > 0 else DASH, *[DASH] * 4,
        ),
        *(_row(remains) for remains in study.remains),
    ]  # fmt: skip
    return table(columns, (1.9, 1.05, 1.15, 1.3, 0.75, 1.75, 0.75, 0.75, 0.7), rows)


def _row(remains: Remains) -> tuple[str, ...]:
    whole = remains.outcome
    share = number_or_none(remains.share)
    return (
        remains.tool.words,
        _wait(whole.everybody.mean_s),
        _wait(whole.everybody.max_s),
        in_table(remains.gain),
        DASH if share is None else percent(share) if share > 0 else "nothing",
        ends(remains.groups),
        f"{whole.jobs_killed:,}",
        f"{whole.kills:,}",
        percent(remains.outcome.lost_share),
    )


def _wait(value: float | None) -> str:
    return DASH if value is None else seconds(value)
