"""What overprovisioning gains: the best plan under each power regime."""

from __future__ import annotations

from planner.formatting import DASH, money, power
from planner.procurement.findings import bought, gains, interval, spent, undecided
from planner.procurement.gains import gain
from planner.procurement.outcome import Outcome
from planner.procurement.problem import REGIME_NAMES, Regime
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.numbers import fixed
from reports.units import gap_words

_OURS: Regime = "overprovisioned"


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Three regimes on one catalogue."""
    if not study.regimes:
        return None
    return Page(
        "What does overprovisioning gain?",
        f"{gains(study)}.",
        (
            text(
                "The same quotes, site and money are planned under three ways to provision power. "
                "Static caps show the gain of capping alone. Overprovisioning adds nodes that may "
                f"idle, and caps that follow the work. {spent(study)}"
            ),
            *figures(pictures, "regimes", _note(study)),
            grid(_regimes(study), "The best plan of each regime, with its certificate"),
            grid(_gains(study), "Gain of overprovisioning, as a certain interval"),
            grid(_machines(study), "What each regime buys"),
        ),
    )


def _note(study: ProcurementStudy) -> str:
    open_ = any(outcome.gap and outcome.gap > 2e-3 for outcome in study.regimes.values())
    return "Black: from the plan found to its proven limit." if open_ else ""


def _regimes(study: ProcurementStudy) -> Table:
    columns = (
        ("Regime", False), ("Score", True), ("log S", True), ("Proven limit", True), ("Gap", True),
        ("Capital", True), ("IT power", True), ("Status", False), ("Level", False),
    )  # fmt: skip
    currency, rows = study.problem.prices.currency, []
    for name, outcome in study.regimes.items():
        plan = outcome.plan
        rows.append(
            (
                REGIME_NAMES[name],
                fixed(plan.score if plan else None, 4),
                fixed(outcome.objective, 5),
                fixed(outcome.bound, 5, "up"),
                DASH if outcome.gap is None else gap_words(outcome.gap),
                money(plan.bill.capital, currency) if plan else DASH,
                power(plan.it_power_w) if plan else DASH,
                outcome.status.value,
                outcome.certificate.level.value,
            )
        )
    return table(columns, (1.7, 0.8, 0.9, 0.9, 0.8, 1.3, 1.1, 0.9, 0.9), rows)


def _gains(study: ProcurementStudy) -> Table:
    rows = []
    others: tuple[Regime, ...] = ("worst-case", "static")
    for than in others:
        regime_gain = gain(study.regimes, than)
        words = "no plan to compare with"
        if any(undecided(study.regimes[name]) for name in (than, _OURS)):
            words = "not decided in time"
        certain = ""
        if regime_gain is not None:
            words = interval(regime_gain.low, regime_gain.high)
            certain = "yes" if regime_gain.sign else "no: contains zero"
        rows.append((REGIME_NAMES[than], words, certain))
    columns = (("Over", False), ("Gain in score", True), ("Certain", False))
    return table(columns, (2, 1.4, 1.2), rows)


def _bought(study: ProcurementStudy, outcome: Outcome) -> str:
    if outcome.plan is None:
        return "not decided in time" if undecided(outcome) else "no plan"
    return bought(study.problem, outcome.plan)


def _machines(study: ProcurementStudy) -> Table:
    rows = [
        (
            REGIME_NAMES[name],
            f"{sum(purchase.nodes for purchase in outcome.plan.purchases):,}"
            if outcome.plan
            else "0",
            _bought(study, outcome),
        )
        for name, outcome in study.regimes.items()
    ]
    columns = (("Regime", False), ("Nodes", True), ("Bought", False))
    return table(columns, (1.4, 0.6, 4), rows)
