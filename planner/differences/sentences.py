"""Three sentences on two runs: the input, the decision, and what the change is worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planner.differences.values import ValueChange
from planner.formatting import clipped, money, percent, words
from planner.key_words import heading

_NOT_A_QUANTITY = ("source", "name", "title", "description", "format", "origin", "date", "version")
"""Keys of an input that describe it and decide nothing."""

_NAMED_CHANGES = 3
_LONGEST_VALUE = 40
_LARGEST = 1e300
"""Numbers beyond are none that a plan has."""


def of_the_input(changes: Sequence[ValueChange]) -> str:
    """Say which quantities of the input differ, the first of them with both values."""
    inputs = [change for change in changes if decides(change)]
    if not inputs:
        return "The input is the same."
    phrases: list[str] = []
    groups = added_or_removed(inputs)
    for group, verb in groups.items():
        phrases.append(f"{_entry(group)} {verb}")
    single = [c for c in inputs if not any(c.where.startswith(f"{group}.") for group in groups)]
    phrases += [f"{in_words(c.where)} from {_value(c.first)} to {_value(c.second)}" for c in single]
    further = len(phrases) - _NAMED_CHANGES
    listed = [*phrases[:_NAMED_CHANGES], *([f"{further:,} further changes"] if further > 0 else [])]
    return f"Input: {words(listed)}."


def decides(change: ValueChange) -> bool:
    """Whether a change is one of a quantity of the input."""
    return change.where.startswith("inputs.") and not change.where.endswith(_NOT_A_QUANTITY)


def added_or_removed(changes: Iterable[ValueChange]) -> dict[str, str]:
    """Entries of lists that only one run has, such as a node type, and what happened to them."""
    by_entry: dict[str, list[ValueChange]] = {}
    for change in changes:
        parts = change.where.split(".")
        if len(parts) > 3:
            by_entry.setdefault(".".join(parts[:3]), []).append(change)
    verbs = {}
    for entry, members in by_entry.items():
        if len(members) > 1 and all(change.first is None for change in members):
            verbs[entry] = "added"
        elif len(members) > 1 and all(change.second is None for change in members):
            verbs[entry] = "removed"
    return verbs


def of_the_decision(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Say what is bought more or less, or that the decision is the same."""
    before, after = _bought(first), _bought(second)
    if before is None or after is None:
        if first.get("summary") == second.get("summary"):
            return "Decision: no change."
        return f"Decision: {second.get('summary', '')}"
    steps = {name: after.get(name, 0) - before.get(name, 0) for name in {**before, **after}}
    moved = [(name, step) for name, step in steps.items() if step]
    if not moved:
        return "Decision: the same nodes are bought."
    more = [f"{step:,} more of '{name}'" for name, step in moved if step > 0]
    fewer = [f"{-step:,} fewer of '{name}'" for name, step in moved if step < 0]
    return f"Decision: {words([*more, *fewer])}."


def _bought(plan: Mapping[str, Any]) -> dict[str, int] | None:
    """Nodes by the label of their type; ``None`` where the run decides no purchase."""
    rows = plan.get("bill_of_materials")
    if not isinstance(rows, list):
        return None
    nodes: dict[str, int] = {}
    for row in rows:
        quantity = _number(row, "quantity")
        if quantity is not None and math.isfinite(quantity) and row.get("vendor"):
            item = clipped(str(row.get("item")), _LONGEST_VALUE)
            nodes[item] = nodes.get(item, 0) + round(quantity)
    return nodes


def of_the_worth(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Say how score, capital and power change; empty where the runs have none of them."""
    sentences = []
    scores = (
        _number(first, "decision", "plan", "score"),
        _number(second, "decision", "plan", "score"),
    )
    if None not in scores and scores[0]:
        rise = scores[1] / scores[0] - 1  # type: ignore[operator]
        direction = "rises" if rise > 0 else "falls"
        sentences.append(
            f"the score {direction} by {percent(abs(rise))} (from {scores[0]:.4g} to "
            f"{scores[1]:.4g})"
            if rise
            else f"the score stays {scores[0]:.4g}"
        )
    for name, path in _MONEY:
        costs = _number(first, *path), _number(second, *path)
        if costs[0] is not None and costs[1] is not None and costs[0] != costs[1]:
            step, currency = costs[1] - costs[0], _currency(first)
            verb = "rise" if step > 0 else "fall"
            sentences.append(f"{name} {verb} by {money(abs(step), currency)}")
    speedups = _speedup(first), _speedup(second)
    if None not in speedups and speedups[0] != speedups[1]:
        sentences.append(
            f"the speed-up of overprovisioning changes from {speedups[0]:.3g} to {speedups[1]:.3g}"
        )
    if not sentences:
        return ""
    text = words(sentences)
    return f"{text[0].upper()}{text[1:]}."


_MONEY = (
    ("capital costs", ("cost", "capital")),
    ("yearly costs", ("cost", "operating_per_year_expected")),
    ("costs of a core-hour", ("cost_per_core_hour", "cost_per_core_hour")),
)


def _currency(plan: Mapping[str, Any]) -> str:
    cost = plan.get("cost") or plan.get("cost_per_core_hour")
    return str(cost.get("currency", "")) if isinstance(cost, Mapping) else ""


def _speedup(plan: Mapping[str, Any]) -> float | None:
    return _number(plan, "decision", "mix_speedup")


def _number(plan: Any, *path: str) -> float | None:
    value: Any = plan
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= _LARGEST else None


def _entry(group: str) -> str:
    """An entry of a list by its kind and name, as in ``node type ivy-bridge``."""
    kind = group.split(".")[1].removesuffix("s").replace("_", " ")
    name = group.split(".", 2)[2]
    return f"{kind} {clipped(name, _LONGEST_VALUE)}"


def in_words(where: str) -> str:
    """A path in words, the innermost name first.

    Examples
    --------
    >>> in_words("inputs.power.bound_w"), in_words("cost.capital"), in_words("decision.plan.score")
    ('Bound [W] (power)', 'Capital (cost)', 'Score (decision, plan)')
    """
    *outer, name = where.removeprefix("inputs.").split(".")
    around = f" ({', '.join(part.replace('_', ' ') for part in outer)})" if outer else ""
    return f"{heading(name)}{around}"


def _value(value: Any) -> str:
    if value is None:
        return "(not given)"
    text = f"{value:,.10g}" if isinstance(value, float) else str(value)
    return clipped(text, _LONGEST_VALUE)
