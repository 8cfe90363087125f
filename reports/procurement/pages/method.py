"""How the answer was found, in words and formulas."""

from __future__ import annotations

from planner.formatting import given, words
from planner.procurement.findings import undecided
from planner.procurement.repairs import REPAIRED_GAP
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
    weight, level, timed = problem.cvar_weight, problem.cvar_level, bool(problem.capabilities)
    risk = (
        f"The risk measure gives {given(weight)} of the weight to the mean of the worst "
        f"{given(1 - level)} of demand (CVaR), the rest to the expectation."
        if weight > 0
        else "The risk measure is the expectation over demand."
    )
    rated = f"{_PROGRAM}{_TIMED if timed else ''}"
    sentences = (rated, _ending(study)) if study.plan is not None else (_ending(study), rated)
    program = text(" ".join(sentences))
    parts = [
        text(
            "The score S compares a machine with the reference, which scores 1. In each demand "
            "scenario s it is the weighted geometric mean of throughputs"
            f"{' and of speedups of single runs' if timed else ''}. {mode} {risk}"
        ),
        formulas() | {"timed": timed},
        text(f"A plan is {_REGIMES[problem.regime]}.{_other_regimes(study)}"),
    ]
    # Without a plan, how its absence was found comes first; else what follows from the formulas.
    parts = [*parts, program] if study.plan is not None else [program, *parts]
    answer = "A mixed-integer program chooses whole nodes, racks and switches"
    answer += ", with a proven limit." if study.plan is not None else "."
    return Page("Appendix: method", answer, tuple(parts))


_PROGRAM = (
    "A linear program rates how much work a given machine does in a demand scenario. Tangents "
    "bound logarithms from above and are added where the solution lies, so the proven limit holds "
    "for the true score."
)
_TIMED = (
    " A partition is the set of nodes of one run. Each partition of a workload rated by time to "
    "solution is one binary variable."
)


def _other_regimes(study: ProcurementStudy) -> str:
    if len(study.regimes) < 2:
        return ""
    return (
        " The other ways to provide power are solved on the same catalogue, so that each gain has "
        "one cause."
    )


def _ending(study: ProcurementStudy) -> str:
    """What follows the search for a plan, or for the reasons why there is none."""
    gap = study.options.gap
    if undecided(study.optimum):
        return "The search ended before it found a plan or ruled out every plan."
    if study.plan is None:
        return (
            "No plan exists: the program has no solution. Rules are then given up one by one, to "
            "find those that clash. Each repair minimises what must be added; then the best score "
            f"under the raised limit is sought to a gap of {given(REPAIRED_GAP)}."
        )
    lines = [
        (
            f"The gap is in log S: a gap of {gap:g} means that at most {given(gap)} of performance "
            "is missing. Among plans of the best score the cheapest is chosen, then the one with "
            "the least power."
        )
    ]
    if study.heuristics:
        lines.append("The same model rates simpler methods and quoted systems.")
    lines.append("An independent checker recomputes every machine and rule.")
    return " ".join(lines)


def _origins(study: ProcurementStudy) -> str:
    """Where the performance of nodes comes from, as far as the workloads use it."""
    models = {
        getattr(workload.performance, "kind", "times") for workload in study.scenario.workloads
    }
    names = {
        "table": "measured tables",
        "times": "measured run-time curves",
        "roofline": "a roofline model (time for computation plus time for memory traffic)",
    }
    used = [name for kind, name in names.items() if kind in models]
    return f"Performance comes from {words(used)}."


def _network(study: ProcurementStudy) -> str:
    if study.problem.network is None:
        return "The network is not planned."
    return (
        "The network has two levels of switches: leaf switches connect nodes, spine switches "
        "connect leaf switches. Its price and power count; contention is not modelled."
    )


def limits(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Limits that apply to this scenario."""
    lines = [
        (
            f"{_origins(study)} The performance of an application on a machine that does not "
            "exist yet is uncertain."
        ),
        (
            "Nodes are shared out in fractions, and caps keep the power bound on average. Queues, "
            "failures, start-up of jobs and the speed of caps are not modelled."
        ),
        (
            f"{_network(study)} Heat of switches and storage does not count against liquid or air "
            "cooling."
        ),
        (
            "Prices are as quoted and may change by negotiation or exchange rates. One delivery "
            "is planned, without phases or resale."
        ),
    ]
    if study.cost is not None:
        lines.append(
            "Cost per core-hour and per unit of score divide discounted money by output that is "
            "not discounted."
        )
    if len(study.problem.prices.energy_prices) == 1:
        lines.append("One energy price is assumed for the whole life.")
    if study.problem.cvar_weight > 0:
        lines.append(
            "Only the given demand scenarios are considered; their probabilities are an input."
        )
    if any(offer.embodied_kg is None for offer in study.problem.offers):
        lines.append("Not every quote states the carbon of making a node; it is then left out.")
    if study.plan is None:
        lines.append(
            "A repair raises one resource or a pair and keeps all other limits; raising more at "
            "once may cost less."
        )
    blocks = [bullets(lines)]
    if study.plan is not None and not study.full:
        blocks.append(
            text(
                "This is the short study. The full study adds other machines nearly as good, and "
                "the discount at which each other quote would be bought. It plans for other "
                "budgets and powers, and it shows how often the decision holds if prices and "
                "performance differ at random (simulated)."
            )
        )
    return Page("What does the model leave out?", "", tuple(blocks))
