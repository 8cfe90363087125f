"""What real predictors, which do not know true run times, gain."""

from __future__ import annotations

from planner.formatting import DASH, duration, percent
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.result import Remains
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.compact import compact
from reports.estimates.figures.predictors import finding
from reports.estimates.gain_text import exact_gain, in_table, number_or_none, ranges
from reports.grid import Table, table

_RULES = (
    (
        "All users use the predictor. It predicts when the scheduler reads the job, from jobs that "
        "have ended by then in the simulation, and from nothing else."
    ),
    (
        "Extended: the job goes on and its estimate grows in steps. Killed: the job ends at the "
        "prediction and loses its work. It queues again with its request, or with twice the "
        "estimate (at most the request). Its queue time lasts until the start of the run that is "
        "not killed."
    ),
    ("A tool called an oracle knows true run times; it serves as a reference, not as a predictor."),
)


def page(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """Bars, rules, and the table with everything; nothing where no predictor was simulated."""
    if not study.remains:
        return None
    heading = "Results with real predictors"
    if not study.no_tool.everybody.mean_s:
        blocks: tuple[Block, ...] = (
            text("No job waits without a tool, so nothing can be gained."),
            grid(_table(study), "Predictors, simulated", small=True),
        )
        return Page(heading, _nothing(study), blocks)
    several = len(set(study.settings.seeds)) > 1
    black = " Black: range over the groups of sampled users; arrow: beyond the axis."
    black = black if several else ""
    source = (
        "0: no tool; dashed: exact estimates for all. A bar with a white gap is cut; its number is "
        f"exact.{black} Simulated, {seeds(study)}."
    )
    blocks = (
        bullets(_RULES),
        *figures(drawings, "predictors", source, title="Gain and kills by predictor"),
        *compact(
            _table(study),
            "All users with a predictor: all jobs, simulated",
            small=True,
            keep=("Gain", "Jobs killed", "Work lost"),
        ),
    )
    return Page(heading, f"{finding(study)}.", blocks)


def _nothing(study: EstimateStudy) -> str:
    worst = max(study.remains, key=lambda remains: remains.outcome.everybody.mean_s or 0.0)
    wait = worst.outcome.everybody.mean_s
    if not wait:
        return "There is nothing to gain: no job waits without or with a predictor."
    return f"There is nothing to gain; with {worst.tool.words} the mean wait is {duration(wait)}."


def _table(study: EstimateStudy) -> Table:
    columns = (
        ("Tool", False), ("Mean wait", True), ("Longest", True), ("Gain", True),
        ("Share of exact", True),
        ("Sampled users", True), ("Jobs killed", True), ("Kills", True), ("Work lost", True),
    )  # fmt: skip
    bare, exact = study.no_tool.everybody, study.exact.everybody
    gains = [in_table(remains.gain) for remains in study.remains]
    spans = ranges(gains, [remains.groups for remains in study.remains])
    rows = [
        ("none", _wait(bare.mean_s), _wait(bare.max_s), *[DASH] * 6),
        (
            "exact estimates", _wait(exact.mean_s), _wait(exact.max_s), in_table(exact_gain(study)),
            "100 %" if exact_gain(study) > 0 else DASH, *[DASH] * 4,
        ),
        *(_row(remains, span) for remains, span in zip(study.remains, spans, strict=True)),
    ]  # fmt: skip
    return table(columns, (1.9, 1.05, 1.15, 1.3, 0.75, 1.75, 0.75, 0.75, 0.85), rows)


def _row(remains: Remains, span: str) -> tuple[str, ...]:
    whole = remains.outcome
    share = number_or_none(remains.share)
    return (
        remains.tool.words,
        _wait(whole.everybody.mean_s),
        _wait(whole.everybody.max_s),
        in_table(remains.gain),
        DASH if share is None else percent(share) if share > 0 else "none",
        span,
        f"{whole.jobs_killed:,}",
        f"{whole.kills:,}",
        percent(remains.outcome.lost_share),
    )


def _wait(value: float | None) -> str:
    return DASH if value is None else duration(value)
