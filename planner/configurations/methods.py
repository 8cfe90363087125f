"""Who chooses a configuration: the engine, the readable program, or a rule of thumb.

The engine sorts all configurations within the bound by time. So the least time is always known,
and a rule of thumb is shown next to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planner import formulations
from planner.configurations.provisioning import CANONICAL, Canonical, WorstCase
from planner.configurations.selection import Bound, violations
from planner.configurations.table import Configuration, ConfigurationTable
from planner.errors import ContradictionError, PlanError
from planner.finding import Finding, finding
from planner.formatting import watts
from planner.formulations.by_method import (
    ENGINE,
    REFERENCE,
    CertifiedChoice,
    by_reference,
    check_method,
)

WORST_CASE = "worst-case"
HEURISTICS = (*CANONICAL, WORST_CASE)
"""Rules of thumb that choose a configuration by themselves."""


@dataclass(frozen=True)
class MethodChoice:
    """A choice by another method than the engine, compared with the least time.

    Attributes
    ----------
    method
        ``reference``, or one of :data:`HEURISTICS`.
    choice
        The configuration, with the certificate of each solver that was used.
    slower
        How much longer it takes than the fastest configuration within the bound, as a share.
    """

    method: str
    choice: CertifiedChoice[Configuration]
    slower: float

    @property
    def configuration(self) -> Configuration:
        """Return the chosen configuration."""
        return self.choice.plan

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "method": self.method,
            "configuration": self.configuration.to_dict(),
            "slower_than_best": self.slower,
            "certificates": {
                name: certificate.to_dict() for name, certificate in self.choice.certificates
            },
        }


def decided(
    table: ConfigurationTable,
    bound: Bound,
    best: Configuration,
    rules: Mapping[str, Canonical],
    method: str,
    solver: str = "cbc",
) -> MethodChoice | None:
    """Choose by another method; ``None`` for the engine, whose choice is the best.

    Parameters
    ----------
    best
        The fastest configuration within the bound.
    rules
        What each of :data:`HEURISTICS` chooses; see :func:`rules_of_thumb`.
    method
        ``engine``, ``reference`` or one of :data:`HEURISTICS`.
    solver
        Solver of the reference: ``cbc``, ``highs``, or ``both``, which must agree.

    Raises
    ------
    InputError
        An unknown method or solver.
    PlanError
        The rule has no configuration or breaks the bound, the model is too large, or the
        reference and the engine contradict each other.
    """
    check_method(method, HEURISTICS)
    if method == ENGINE:
        return None
    name = table.application
    if method == REFERENCE:
        choice = _by_reference(table, bound, solver)
        if choice.plan != best:
            raise ContradictionError(
                f"{name}: the reference formulation chooses {choice.plan}, the engine {best}. One "
                "of them is wrong; please report this case"
            )
    else:
        chosen = rules[method].configuration
        if chosen is None:
            why = rules[method].reason or "over-bound"
            within = f"within {watts(bound.usable_w)} ({why.replace('-', ' ')})"
            text = f"{name}: {method} has no configuration {within}; use --method engine"
            raise PlanError(text, _no_rule(name, method, why))
        choice = CertifiedChoice(chosen)
    broken = violations(table, bound, choice.plan)
    if broken:
        text = f"{name}: {method}: {'; '.join(broken)}; use --method engine"
        raise PlanError(text, _no_rule(name, method, "over-bound"))
    return MethodChoice(method, choice, choice.plan.time_s / best.time_s - 1)


def _no_rule(application: str, rule: str, why: str) -> Finding:
    return finding("risk", "no-rule", application=(application, "text"), rule=(rule, "exact"),
                   why=(why, "reason"))  # fmt: skip


def rules_of_thumb(every: Iterable[Canonical], rated: WorstCase) -> dict[str, Canonical]:
    """Return canonical configurations and provisioning by rating, by their names as methods."""
    rules = {rule.name: rule for rule in every}
    return rules | {WORST_CASE: Canonical(WORST_CASE, rated.configuration, rated.reason)}


def _by_reference(
    table: ConfigurationTable, bound: Bound, solver: str
) -> CertifiedChoice[Configuration]:
    best = formulations.configuration.best
    return by_reference(lambda name: best(table, bound, solver=name), solver)
