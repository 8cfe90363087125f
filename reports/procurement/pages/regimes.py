"""What overprovisioning gains: the best plan under each power regime."""

from __future__ import annotations

from planner.formatting import DASH, money, power
from planner.procurement import summary
from planner.procurement.findings import bought, gains, interval, undecided
from planner.procurement.gains import gain
from planner.procurement.outcome import Outcome
from planner.procurement.problem import REGIME_NAMES, Regime
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, bullets, figures, text
from reports.compact import compact
from reports.grid import Table, table
from reports.numbers import fixed

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
                "The same quotes, site and money are planned under three ways to provide power. A "
                "power cap limits each package: a processor or an accelerator, not the whole node."
            ),
            bullets(
                [
                    "Worst-case provisioning: there is power for every node at its peak.",
                    "Static caps: each node type has one fixed cap; all nodes may run at once.",
                    "Overprovisioning: nodes may idle, and each workload gets its own caps.",
                ]
            ),
            *figures(pictures, "regimes", _note(study)),
            *compact(
                _regimes(study),
                "The best plan of each regime, and the gain of overprovisioning if the solvers' "
                f"limits are right{_caps(study)}",
                small=True,
            ),
        ),
    )


def _note(study: ProcurementStudy) -> str:
    """What the figure needs on the first page: terms that no reason there explains, and lines."""
    language = study.scenario.language
    others: tuple[Regime, ...] = ("worst-case", "static")
    gains_over = [gain(study.regimes, name) for name in others]
    lines = []
    if not all(over is not None and over.sign for over in gains_over):
        lines.append(summary.regime_meanings(language))
    if any(outcome.gap and outcome.gap > 2e-3 for outcome in study.regimes.values()):
        lines.append(_BLACK[language])
    return " ".join(lines)


_BLACK = {
    "en": "Black: from the plan found to its proven limit.",
    "de": "Schwarz: vom gefundenen Plan bis zu seiner bewiesenen Grenze.",
}


def _regimes(study: ProcurementStudy) -> Table:
    columns = (
        ("Regime", False), ("Score", True), ("Gain of overprovisioning", True), ("Capital", True),
        ("IT power", True), ("Nodes", True), ("Bought", False),
    )  # fmt: skip
    currency, rows = study.problem.prices.currency, []
    for name, outcome in study.regimes.items():
        plan = outcome.plan
        rows.append(
            (
                REGIME_NAMES[name],
                fixed(plan.score if plan else None, 4),
                DASH if name == _OURS else _gain_over(study, name),
                money(plan.bill.capital, currency) if plan else DASH,
                power(plan.it_power_w) if plan else DASH,
                f"{sum(purchase.nodes for purchase in plan.purchases):,}" if plan else "0",
                _bought(study, outcome),
            )
        )
    return table(columns, (1.25, 0.65, 1.3, 1.0, 0.9, 0.65, 2.6), rows)


def _gain_over(study: ProcurementStudy, than: Regime) -> str:
    """The gain over a regime as an interval, or why there is none."""
    if any(undecided(study.regimes[name]) for name in (than, _OURS)):
        return "not decided in time"
    regime_gain = gain(study.regimes, than)
    if regime_gain is None:
        return "no plan to compare with"
    words = interval(regime_gain.low, regime_gain.high)
    return words if regime_gain.sign else f"none certain ({words})"


def _caps(study: ProcurementStudy) -> str:
    """What the watts behind a node type are; empty where no plan states any."""
    plans = [outcome.plan for outcome in study.regimes.values() if outcome.plan is not None]
    capped = any(purchase.cap_w for plan in plans for purchase in plan.purchases)
    return "; watts: the cap of each package" if capped else ""


def _bought(study: ProcurementStudy, outcome: Outcome) -> str:
    if outcome.plan is None:
        return "not decided in time" if undecided(outcome) else "no plan"
    return bought(study.problem, outcome.plan)
