"""What each compared method does, in a sentence that a reader of the report needs no other for."""

from __future__ import annotations

from collections.abc import Mapping

from planner.comparison.method import MethodKind

KINDS: Mapping[str, str] = {
    MethodKind.REFERENCE: "states the decision as an integer program and gives a limit",
    MethodKind.ENGINE: "is Headroom's own fast method, which also gives a limit",
    MethodKind.ROUNDING: "solves the program with fractions allowed, then rounds to whole numbers",
    MethodKind.HEURISTIC: "is a rule without a limit",
    MethodKind.OWN: "is a heuristic of the user, without a limit",
}
"""By kind, for methods that have no sentence of their own."""

_METHODS: Mapping[str, str] = {
    "reference (CBC)": "states the decision as an integer program; the solver CBC gives a limit",
    "reference (HiGHS)": "states the decision as an integer program; HiGHS gives a limit",
    "greedy": "starts with the smallest configurations and adds what saves most time per watt and "
    "node",
    "equal shares": "gives all jobs equal nodes and equal power, takes its fastest configuration",
    "greedy per money": "gives each workload's share of the money to its best type per money",
    "greedy per watt": "gives each workload's share of the money to its best type per watt",
    "best single type": "tries each node type alone, as many nodes as fit",
    "order": "puts consecutive ranks on a node",
    "kl": "swaps pairs of ranks between nodes while this helps (Kernighan-Lin)",
    "networkx-kl": "is Kernighan-Lin as the library networkx has it",
    "multilevel": "merges ranks that exchange most, divides the small graph and refines it",
    "metis": "is the multilevel partitioner METIS",
}
_CLOSED_FORM = {
    "What to buy": "buys one node type, as many nodes as money and power allow by formula",
    "High-end or overprovisioned design": "computes both designs by formula and takes the faster",
}


def explained(decision: str, method: str, kind: str) -> str:
    """Return what a method does.

    Examples
    --------
    >>> explained("What to buy", "my rule", "own")
    'is a heuristic of the user, without a limit'
    >>> explained("High-end or overprovisioned design", "always older nodes", "heuristic")
    'always buys older nodes'
    """
    if method == "closed form":
        return _CLOSED_FORM.get(decision, KINDS[MethodKind.HEURISTIC])
    if kind == MethodKind.HEURISTIC and method.startswith("always "):
        return f"always buys {method.removeprefix('always ')}"
    known = kind not in (MethodKind.OWN, MethodKind.ROUNDING)
    return _METHODS.get(method, KINDS[kind]) if known else KINDS[kind]
