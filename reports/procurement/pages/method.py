"""How the answer was found, in words and formulas."""

from __future__ import annotations

from planner.formatting import given
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, formulas, text

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
        "can pass is shown beside every score.",
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
