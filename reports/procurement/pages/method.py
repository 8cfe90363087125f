"""How the answer was found, in words and formulas."""

from __future__ import annotations

from planner.formatting import given
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, bullets, formulas, text

_REGIMES = {
    "worst-case": "worst-case provisioned: every installed node counts at its peak",
    "static": "statically capped: every node of a type counts under the type's one cap",
    "overprovisioned": (
        "overprovisioned: idle nodes count at idle, working nodes under the cap of their work"
    ),
}


def page(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Formulas, and what is solved how."""
    problem, question = study.problem, study.scenario.procurement
    shared = question is None or question.workload_mode == "shared"
    mode = (
        "All capacity workloads share the machine: throughput at the mix of each demand scenario."
        if shared
        else "Each capacity workload is rated alone on the whole machine."
    )
    weight, level = problem.cvar_weight, problem.cvar_level
    risk = (
        f"The risk measure gives {given(weight)} of the weight to the mean of the worst "
        f"{given(1 - level)} of demand (CVaR), the rest to the expectation."
        if weight > 0
        else "The risk measure is the expectation over demand."
    )
    return Page(
        "How was this found?",
        "A mixed-integer program chooses whole nodes, racks and switches; a bound that no plan "
        "can pass is shown with every score.",
        (
            text(
                "The score S compares with the reference machine: the weighted geometric mean of "
                "throughputs and of speedups of time to solution, over each demand scenario s. "
                f"{mode} {risk}"
            ),
            formulas(),
            text(
                f"The plan is {_REGIMES[problem.regime]}. The two other regimes are solved on the "
                "same catalogue, so that each gain goes to what earns it."
            ),
            text(
                "A rating (how much work a given machine does in a demand scenario) is a linear "
                "program. Logarithms are cut from above by tangents, added where the solution "
                "lies, so the bound holds for the true score; partitions for times to solution "
                "are exact, one binary each. The gap is in log S, and so is the fraction of "
                f"performance that may be missing: {study.options.gap:g} is "
                f"{given(study.options.gap)}. Among plans of the best score the cheapest is "
                "taken, among those the one that draws least. Heuristics and systems as bid are "
                "rated by the same model and judged by a checker of its own."
            ),
        ),
    )


def limits(study: ProcurementStudy, _drawn: Drawn) -> Page:
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
    if any(offer.embodied_kg is None for offer in study.problem.offers):
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
