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
        "Appendix: method",
        "A mixed-integer program chooses whole nodes, racks and switches; every score is shown "
        "with its proven limit.",
        (
            text(
                "The score S compares a machine with the reference, which scores 1. In each demand "
                "scenario s it is the weighted geometric mean of throughputs and of speedups of "
                f"single runs. {mode} {risk}"
            ),
            formulas(),
            text(
                f"The plan is {_REGIMES[problem.regime]}. The two other regimes are solved on the "
                "same catalogue, so that each gain has one cause."
            ),
            text(
                "A linear program rates how much work a given machine does in a demand scenario. "
                "Tangents bound logarithms from above and are added where the solution lies, so "
                "the proven limit holds for the true score. A partition is the set of nodes of one "
                "run. Each partition of a workload rated by time to solution is one binary "
                "variable. The gap is in log S: a gap of "
                f"{study.options.gap:g} means that at most {given(study.options.gap)} of "
                "performance is missing. Among plans of the best score the cheapest is chosen, "
                "then the one with the least power. The same model rates heuristics and quoted "
                "systems, and an independent checker judges them."
            ),
        ),
    )


def limits(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Limits that apply to this scenario."""
    lines = [
        (
            "Performance and power of a node come from measured tables, run-time curves or a "
            "roofline model. The performance of an application on a machine that does not exist "
            "yet is uncertain."
        ),
        (
            "Nodes are shared out in fractions: queues, fragmentation, failures and the time to "
            "start jobs are not modelled."
        ),
        (
            "Caps keep the power bound on average over the nodes in use; how fast caps follow the "
            "work is not modelled."
        ),
        (
            "The network is priced as a two-level tree and its power counted; contention on it is "
            "not modelled."
        ),
        ("Heat of switches and storage counts as IT power, but not against liquid or air cooling."),
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
            "Only the given demand scenarios are considered; their probabilities are an input."
        )
    if any(offer.embodied_kg is None for offer in study.problem.offers):
        lines.append("Not every quote states the carbon of making a node; it is then left out.")
    if study.plan is not None and not study.full:
        lines.append(
            "A run of the plan with all questions adds alternatives and the discount that each "
            "losing quote would need. It also adds the grid of budget and power, sensitivity and "
            "simulated regret."
        )
    if study.plan is None:
        lines.append(
            "A repair raises one resource or a pair and keeps all other limits; raising more at "
            "once may cost less."
        )
    return Page("What does the model leave out?", "", (bullets(lines),))
