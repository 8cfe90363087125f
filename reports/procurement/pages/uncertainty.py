"""What the decision hangs on: one input at a time, and all at once by chance."""

from __future__ import annotations

import numpy as np

from planner.formatting import given, percent
from planner.procurement.findings import no_plan
from planner.procurement.sensitivity import MonteCarlo, quantiles
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, figures, grid, partly, text
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
                "One input is lowered and raised, all others as given; the program is solved "
                "anew. Inputs are all limits of the site, the prices of energy together, the PUE "
                "(which never falls below 1), the probability of each demand, the efficiency of "
                "each kind of node whose quotes state one, and price, power above idle and "
                "performance of every quote, bought or not. The decision kept buys the same "
                "nodes, or as many in the same proportion as then still fit."
            ),
            *figures(pictures, "tornado", bars.listed(study)),
            grid(
                _bars(study),
                partly("Best score and score of the decision kept", _MOST, len(study.tornado)),
                small=True,
            ),
        ),
    )


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
                f"All figures of this page are simulated: {simulation.draws} draws from seed "
                f"{simulation.seed}. Prices, power above idle and performance of every "
                f"node type vary independently and uniformly by ±{given(simulation.price)}, "
                f"±{given(simulation.power)} and "
                f"±{given(simulation.performance)}. For each draw the best plan is compared "
                "with the decision kept; regret is the fraction of the score that keeping it gives "
                "up. The decision holds where it breaks no rule and the best plan found buys the "
                "same node types or is no better. Energy price, PUE, limits and demand do not vary "
                "here. Regret counts the draws in which it breaks none."
            ),
            *figures(
                pictures,
                "regret",
                f"{simulation.draws} draws, seed {simulation.seed}; ticks: the draws.",
            ),
            grid(_spread(simulation), "Spread of the simulated draws"),
        ),
    )


def _bars(study: ProcurementStudy) -> Table:
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
        for bar in study.tornado[:_MOST]
    ]
    return table(columns, (2.6, 0.9, 0.9, 1, 1, 0.8), rows)


def _kept(score: float | None) -> str:
    return "breaks a rule" if score is None else fixed(score, 4)


def _spread(simulation: MonteCarlo) -> Table:
    low, wide = simulation.holds_interval
    rows = [
        (
            "The decision holds",
            f"{percent(simulation.same_types)} (95 % interval {percent(low)} to {percent(wide)})",
        ),
        ("It breaks a rule, though some plan breaks none", percent(simulation.broken)),
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
            f"{fixed(low_score, 3)} to {fixed(high_score, 3)}, median {fixed(mid_score, 3)}",
        ),
    ]
