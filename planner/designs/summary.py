"""What a comparison of designs says on its first page and in the terminal, in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from planner.designs.phrases import TEMPLATES, decision_text, faster, reversal_text
from planner.formatting import run_times, telling
from planner.phrases import counted, listed, phrase
from planner.stop_warning import nodes_warning
from solvers.model.result import Status, Stop

if TYPE_CHECKING:
    from planner.designs.result import DesignResult

_t = partial(phrase, TEMPLATES)

_MOST_NAMED = 4
"""Applications named as exceptions; more are counted."""


def headline(study: DesignResult, language: str = "en") -> str:
    """The decision, or the cost of a core-hour, in one sentence."""
    decision, cost = study.decision, study.core_hour
    if decision is not None:
        names = node_titles(study, language)
        mix = decision.mix_speedup
        return decision_text(
            decision.design,
            study.overprovisioning,
            names,
            mix,
            language,
            readings=decision.readings,
        )
    if cost is None:
        return _t(language, "no question")
    results = (
        cost.cost_per_core_hour,
        cost.cost_per_core_hour_provisioned,
        cost.cost_per_core_hour_used,
    )
    low, high, now = (
        telling(value, 3)
        for value in (*_ends([c for c in results if c is not None]), cost.cost_per_core_hour)
    )
    facts = {"machine": cost.machine, "currency": cost.currency}
    if low == high:
        return _t(language, "core-hour", cost=now, **facts)
    about = telling(cost.cost_per_core_hour, 2)
    return _t(language, "core-hour about", cost=about, low=low, high=high, **facts)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def node_titles(study: DesignResult, language: str = "en") -> tuple[str, str]:
    """Titles of the high-end and the older node type."""
    scenario, question = study.scenario, study.scenario.overprovisioning
    if question is None:
        return _t(language, "high-end title"), _t(language, "older title")
    return scenario.node_type(question.high_end).title, scenario.node_type(question.older).title


def certificate(study: DesignResult, language: str = "en") -> str:
    """What would reverse the decision; empty if nothing near does."""
    decision = study.decision
    if decision is None:
        return ""
    return reversal_text(
        decision.readings,
        study.cases[0],
        study.overprovisioning,
        narrow=decision.narrow,
        language=language,
    )


def exceptions(study: DesignResult, language: str = "en") -> str:
    """Which applications would be faster with the other design; empty where none would."""
    if study.decision is None:
        return ""
    compared, by_more = study.overprovisioning, study.decision.design == "overprovisioned"
    others = [c for c in compared if c.beneficial != by_more]
    if len(compared) == 1 or not others:
        return ""
    if len(others) > _MOST_NAMED:
        return _t(language, "many exceptions", count=len(others), total=len(compared))
    parts = [f"{c.application} {faster(c.speedup, language)}" for c in others]
    name = "exception" if len(others) == 1 else "exceptions"
    return _t(language, name, listed=listed(parts, language))


def warnings(study: DesignResult, language: str = "en") -> tuple[str, ...]:
    """What a board must know before it trusts the numbers."""
    messages = []
    for origin in ("clamped", "extrapolated"):
        names = [
            c.application
            for c in study.overprovisioning
            if origin in (c.worst_case_origin, c.overprovisioned_origin)
        ]
        if names:
            how = _t(language, origin)
            messages.append(_t(language, "not measured", names=", ".join(names), how=how))
    messages += _money_warnings(study, language)
    stopped = sum(
        check.certificate.stop is Stop.NODES and check.certificate.status is not Status.OPTIMAL
        for check in study.designs
    )
    messages += nodes_warning(stopped, language)
    for check in study.designs:
        plan, closed = check.plan, check.closed_form
        if check.design == "free" or plan.time_s >= closed.time_s * (1 - 1e-9):
            continue
        fast, slow = run_times(plan.time_s, closed.time_s)
        messages.append(
            _t(
                language,
                "rises",
                application=check.application,
                fast=fast,
                slow=slow,
                fewer=counted(TEMPLATES, language, f"on {check.design} node", plan.nodes),
                nodes=f"{closed.nodes:,}",
            )
        )
    return tuple(dict.fromkeys(messages))  # solvers say the same


def _money_warnings(study: DesignResult, language: str) -> Sequence[str]:
    """Warn where the stated capital does not pay for the design that sets the budget."""
    budget, question = study.scenario.budget, study.scenario.overprovisioning
    if budget is None or budget.capital is None or question is None:
        return ()
    price = study.scenario.node_type(question.high_end).price
    if price is None or not study.overprovisioning:
        return ()
    nodes = study.overprovisioning[0].nodes_worst_case
    money = nodes * price
    if money <= budget.capital:
        return ()
    warning = _t(
        language,
        "too little capital",
        capital=f"{budget.capital:,.15g}",
        currency=budget.currency,
        nodes=f"{nodes:,}",
        money=f"{money:,.15g}",
    )
    return (warning,)
