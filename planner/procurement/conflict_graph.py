"""Why there is no plan, as a graph of networkx: which rules clash, and what would undo it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planner.formatting import capitalised, words
from planner.procurement.giving_way import Way
from planner.procurement.infeasible import Diagnosis
from planner.procurement.problem import Problem
from planner.procurement.repairs import Repair
from planner.procurement.rules import amount, in_words

if TYPE_CHECKING:
    import networkx as nx

_KINDS = {
    "limit": "limit",
    "requirement": "requirement",
    "share": "requirement",
    "policy": "policy",
    "network": "limit",
    "site": "limit",
    "terms": "term of quotes",
}
"""What a rule is, by the first word of its name."""


def conflict_graph(problem: Problem, diagnosis: Diagnosis) -> nx.Graph[str]:
    """The rules of a diagnosis, their conflicts, and the remedies that were worked out.

    Parameters
    ----------
    problem, diagnosis
        A problem without a plan, and why.

    Returns
    -------
    networkx.Graph
        Every edge has a rule at one end. Nodes have these attributes:

        ==========  ============================================================================
        ``kind``    ``"rule"``, ``"conflict"`` or ``"remedy"``
        ``words``   the same in a phrase or a sentence
        ``rule``    of rules: ``"limit"``, ``"requirement"``, ``"policy"`` or ``"term of quotes"``
        ``score``   of remedies: that of the best plan that they allow (reference machine = 1)
        ==========  ============================================================================

        Rules are called as in :mod:`planner.procurement.rules`. Edges have ``relation``:
        ``"clashes"`` to a conflict, ``"gives way"`` to a remedy, then with ``change`` in words. A
        conflict is irreducible: its rules cannot be met together, and without any one of them the
        others can. There may be more conflicts than are known here.
    """
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    for number, rules in enumerate(_conflicts(diagnosis), start=1):
        together = " together" if rules[1:] else ""
        clash = words(in_words(problem, rule) for rule in rules)
        conflict = f"conflict {number}"
        graph.add_node(conflict, kind="conflict", words=f"{clash} cannot be met{together}")
        for rule in rules:
            _add_rule(graph, problem, rule)
            graph.add_edge(conflict, rule, relation="clashes")
    for number, (message, score, changes) in enumerate(_remedies(problem, diagnosis), start=1):
        remedy = f"remedy {number}"
        graph.add_node(remedy, kind="remedy", words=message, score=score)
        for rule, change in changes.items():
            _add_rule(graph, problem, rule)
            graph.add_edge(remedy, rule, relation="gives way", change=change)
    return graph


def _conflicts(diagnosis: Diagnosis) -> list[tuple[str, ...]]:
    """The irreducible set, and every requirement that no machine meets, each set once."""
    every = [diagnosis.clashing, *((name,) for name in diagnosis.impossible)]
    return [name for name in dict.fromkeys(every) if name]


def _remedies(problem: Problem, diagnosis: Diagnosis) -> list[tuple[str, float, dict[str, str]]]:
    """What would make a plan: in words, its score, and the change of each rule."""
    remedies = []
    for repair in diagnosis.repairs:
        changes = _growth(problem, repair)
        message = f"{words(changes.values())} would suffice"
        remedies.append((message, repair.plan.score, changes))
    for way in diagnosis.ways:
        changes = {} if way.grown is None else _growth(problem, way.grown)
        for change in way.changes:
            before = changes.get(change.rule)
            changes[change.rule] = (
                change.words if before is None else f"{before} and {change.words}"
            )
        message = f"{_way_words(problem, way)} would suffice"
        remedies.append((message, way.plan.score, changes))
    return remedies


def _way_words(problem: Problem, way: Way) -> str:
    """The changes of a way in words, a capital in front."""
    parts = [change.words for change in way.changes]
    if way.grown is not None and way.grown.added:
        added = (amount(problem, *addition, "up") for addition in way.grown.added)
        parts.append(f"{' and '.join(added)} more")
    return capitalised(" and ".join(parts))


def _growth(problem: Problem, repair: Repair) -> dict[str, str]:
    return {
        f"limit: {name}": f"{amount(problem, name, more, 'up')} more" for name, more in repair.added
    }


def _add_rule(graph: nx.Graph[Any], problem: Problem, rule: str) -> None:
    words = in_words(problem, rule)
    graph.add_node(rule, kind="rule", rule=_KINDS[rule.partition(":")[0]], words=words)
