"""What the decision depends on: one input at a time, and all at once by chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.formatting import given, percent, percent_range, spanned, words
from planner.procurement.findings import no_plan
from planner.procurement.sensitivity import Bar, MonteCarlo, quantiles
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import Table, table
from reports.numbers import fixed
from reports.procurement.figures import regret
from reports.procurement.figures import tornado as bars

_MOST = 60


def tornado(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """One input lowered and raised at a time."""
    if not study.full or not study.tornado:
        return None
    return Page(
        "Which input matters most?",
        f"{bars.finding(study)}.",
        (
            text(
                "One input is lowered and raised while all others stay, and the best plan is found "
                "again. Inputs of the site are its limits, the energy prices together, the PUE "
                "(at least 1) and the probability of each demand. Inputs of every quote, bought or "
                "not, are price, power above idle, performance, and the efficiency where stated. "
                "The decision kept buys the same nodes, or as many in the same proportion as fit."
            ),
            *figures(pictures, "tornado", bars.listed(study)),
        ),
    )


def inputs_varied(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """The numbers behind the bars: every input that moves a score, the others by name."""
    if not study.full or not study.tornado:
        return None
    moving = [bar for bar in study.tornado if _moves(study, bar)]
    still = [bar for bar in study.tornado if not _moves(study, bar)]
    blocks: list[Block] = []
    if moving:
        caption = partly("Best score, and score of the decision kept", _MOST, len(moving))
        blocks.append(grid(_bars(study, moving), caption, small=True))
    if still:
        names = [
            bars.parameter_words(study.problem, bar).partition(" ±")[0] for bar in still[:_MOST]
        ]
        blocks.append(
            text(f"These inputs change neither score in the digits shown: {words(names)}.")
        )
    return Page("Appendix: each input lowered and raised", f"{bars.finding(study)}.", tuple(blocks))


def _moves(study: ProcurementStudy, bar: Bar) -> bool:
    """Whether a row of numbers says more than the score of the plan."""
    score = fixed(study.plan.score if study.plan else None, 4)
    cells = (bar.score_low, bar.score_high, bar.kept_low, bar.kept_high)
    return bar.types_change or any(cell is None or fixed(cell, 4) != score for cell in cells)


def monte_carlo(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Everything uncertain at once."""
    simulation = study.monte_carlo
    if not study.full or simulation is None:
        return None
    return Page(
        "Does the decision hold?",
        f"{regret.finding(simulation)}.",
        (
            text(
                f"All numbers in this section are simulated: {simulation.draws} cases, seed "
                f"{simulation.seed}. Prices, power above idle and performance of every "
                f"node type vary independently and uniformly by ±{given(simulation.price)}, "
                f"±{given(simulation.power)} and ±{given(simulation.performance)}. Energy price, "
                "PUE, limits and demand stay. Regret is the share of the best score that is lost "
                "by keeping the decision, in the cases in which it breaks no rule. The decision "
                "holds if it breaks no rule, and the best plan buys the same node types or is not "
                "better."
            ),
            *figures(
                pictures,
                "regret",
                "One tick per case.",
            ),
            grid(_spread(simulation), "Spread of the simulated cases"),
        ),
    )


def _bars(study: ProcurementStudy, moving: Sequence[Bar]) -> Table:
    columns = (
        ("Input", False), ("Lowered", True), ("Raised", True), ("Kept, lowered", True),
        ("Kept, raised", True), ("Other types", False),
    )  # fmt: skip
    none = no_plan(study, "tornado")
    rows = [
        (
            bars.parameter_words(study.problem, bar),
            none if bar.score_low is None else fixed(bar.score_low, 4),
            none if bar.score_high is None else fixed(bar.score_high, 4),
            _kept(bar.kept_low),
            _kept(bar.kept_high),
            "yes" if bar.types_change else "no",
        )
        for bar in moving[:_MOST]
    ]
    return table(columns, (3.4, 0.8, 0.8, 1, 1, 0.9), rows)


def _kept(score: float | None) -> str:
    return "breaks a rule" if score is None else fixed(score, 4)


def _spread(simulation: MonteCarlo) -> Table:
    low, wide = simulation.holds_interval
    rows = [
        (
            "The decision holds",
            (
                f"{percent(simulation.same_types)} "
                f"(95 % interval {percent_range(low, wide, outward=False)})"
            ),
        ),
        ("The decision breaks a rule, but another plan does not", percent(simulation.broken)),
        ("No plan was found", percent(simulation.without_plan)),
        *_regrets(simulation),
    ]
    return table((("Simulated", False), ("Value", True)), (2, 2), rows)


def _regrets(simulation: MonteCarlo) -> list[tuple[str, str]]:
    if not simulation.regrets:
        return []
    middle, high, top = quantiles(simulation.regrets)
    low_score, mid_score, high_score = np.quantile(simulation.scores, [0.05, 0.5, 0.95])
    return [
        ("Regret, mean", percent(float(np.mean(simulation.regrets)))),
        ("Regret, median", percent(middle)),
        ("Regret, 90th percentile", percent(high)),
        ("Regret, 99th percentile", percent(top)),
        ("Regret, largest", percent(max(simulation.regrets))),
        (
            "Best score, 5th to 95th percentile",
            f"{spanned(fixed(low_score, 3), fixed(high_score, 3))}, median {fixed(mid_score, 3)}",
        ),
    ]
