"""What the model leaves out."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, bullets


def page(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Limits that apply to this scenario."""
    lines = [
        (
            "Performance and power of a node come from tables, curves or a roofline with caps; "
            "what a code really does on a machine that does not stand yet is uncertain."
        ),
        (
            "Nodes at work are shared out as a fluid: queues, fragmentation, failures and the "
            "time to start jobs are not modelled."
        ),
        (
            "The power bound is kept on average over nodes at work, by caps; how fast caps follow "
            "the work is not modelled."
        ),
        (
            "The network is priced as a two-level tree and its power counted; contention on it is "
            "not modelled."
        ),
        (
            "Heat of switches and of storage counts as IT power, but neither against liquid nor "
            "against air cooling."
        ),
        (
            "Cost per core-hour and per unit of score divide discounted money by output that is "
            "not discounted."
        ),
        "Prices are as quoted; a negotiation may change them, as may the exchange rate.",
        "One delivery is planned; phased installation and resale are not.",
    ]
    if len(study.problem.prices.energy_prices) == 1:
        lines.append("One energy price is assumed for the whole life.")
    if study.problem.cvar_weight > 0:
        lines.append(
            "Expectation and CVaR are over the demand scenarios given; their probabilities are an "
            "input, and no scenario beyond them is weighed."
        )
    if any(each.embodied_kg is None for each in study.problem.offers):
        lines.append("Not every quote states the carbon of making a node; it is then left out.")
    if study.plan is not None and not study.full:
        lines.append(
            "This is the short form: alternatives, losing quotes, the budget-power plane, "
            "sensitivity and simulated regret come with --full."
        )
    if study.plan is None:
        lines.append(
            "A repair raises one resource, or a pair of them, with all others hard; raising more "
            "at once may cost less."
        )
    return Page("What does the model leave out?", "", (bullets(lines),))
