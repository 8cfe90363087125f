"""What real predictors, which do not know true run times, gain."""

from __future__ import annotations

from planner.formatting import DASH, capitalised, duration, percent
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.predictors.registry import ORACLES
from planner.scheduling.estimates.result import Remains
from planner.scheduling.estimates.study import EstimateStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.compact import compact
from reports.estimates.figures.predictors import counted, label, marks, strategy_of
from reports.estimates.gain_text import exact_gain, in_table, number_or_none, ranges
from reports.estimates.predictor_texts import MEANINGS, STRATEGY
from reports.grid import Table, table

_USED = (
    "All users use the predictor. It predicts when the scheduler reads the job, from jobs that "
    "have ended by then in the simulation, and from nothing else."
)


def page(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """Bars, rules, and the table with everything; nothing where no predictor was simulated."""
    if not study.remains:
        return None
    heading = "Do real predictors shorten waits?"
    if not study.no_tool.everybody.mean_s:
        blocks: tuple[Block, ...] = (
            text("No job waits without a tool, so nothing can be gained."),
            grid(_table(study), "Predictors, simulated", small=True),
        )
        return Page(heading, _nothing(study), blocks)
    simulated = "Simulated." if study.one_user else f"Simulated, {seeds(study)}."
    source = (
        f"0: no tool; dashed: exact estimates for all.{marks(study)} {simulated} "
        f"{' '.join(_meanings(study))}"
    )
    blocks = (
        *figures(drawings, "predictors", source, title="Gain and kills by predictor"),
        bullets([_USED, *_strategies(study)]),
        *compact(
            _table(study),
            "All users with a predictor: all jobs, simulated",
            small=True,
            keep=("Gain", "Jobs killed", "Work lost"),
        ),
    )
    return Page(heading, f"{counted(study)}.", blocks)


def _meanings(study: EstimateStudy) -> list[str]:
    """A sentence for each predictor that was simulated and is not the user's own."""
    names = dict.fromkeys(remains.tool.predictor for remains in study.remains)
    return [f"{capitalised(name)}: {MEANINGS[name]}" for name in names if name in MEANINGS]


def _strategies(study: EstimateStudy) -> list[str]:
    """What becomes of jobs that exceed their prediction, and why an oracle may lengthen waits."""
    strategies = dict.fromkeys(strategy_of(r) for r in study.remains)
    lines = [STRATEGY[strategy] for strategy in STRATEGY if strategy in strategies]
    losing = any(r.tool.predictor in ORACLES and r.gain < 0 for r in study.remains)
    if losing:
        lines.append(
            "Even an oracle can lengthen waits: other estimates change which jobs are backfilled, "
            "and each result is a single schedule."
        )
    return lines


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
    every = study.remains
    gains = [in_table(remains.gain) for remains in every]
    spans = ranges(gains, [remains.groups for remains in every])
    rows = [
        ("none", _wait(bare.mean_s), _wait(bare.max_s), *[DASH] * 6),
        (
            "exact estimates", _wait(exact.mean_s), _wait(exact.max_s), in_table(exact_gain(study)),
            "100 %" if exact_gain(study) > 0 else DASH, *[DASH] * 4,
        ),
        *(_row(remains, span) for remains, span in zip(every, spans, strict=True)),
    ]  # fmt: skip
    return table(columns, (1.9, 1.05, 1.15, 1.3, 0.75, 1.75, 0.75, 0.75, 0.85), rows)


def _label(remains: Remains) -> str:
    """The tool as in the figure; an oracle, which is never exceeded, by its name alone."""
    oracle = remains.tool.predictor in ORACLES
    return remains.tool.words if oracle else label(remains, strategy_of(remains))


def _row(remains: Remains, span: str) -> tuple[str, ...]:
    whole = remains.outcome
    share = number_or_none(remains.share)
    return (
        _label(remains),
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
