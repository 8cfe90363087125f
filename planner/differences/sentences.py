"""Three sentences on two runs: the input, the decision, and what the change is worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from planner.differences.values import ValueChange, leaves
from planner.formatting import capitalised, clipped, money, percent, plural, telling, words
from planner.key_words import heading

_NOT_A_QUANTITY = ("source", "name", "title", "description", "format", "origin", "date", "version")
"""Keys of an input that describe it and decide nothing."""

_ENTRY = 3
"""Keys that name an entry of a list in the input: ``inputs``, ``node_types``, its name."""

_NAMED_CHANGES = 3
_LONGEST_VALUE = 40
_LONGEST_STATUS = 200
_LARGEST = 1e300
"""Numbers beyond are none that a plan has."""


def of_the_input(
    changes: Sequence[ValueChange], first: Mapping[str, Any], second: Mapping[str, Any]
) -> str:
    """Say which quantities of the input differ, the first of them with both values."""
    inputs = [change for change in changes if decides(change)]
    if not inputs:
        return "The input is the same."
    verbs = added_or_removed(inputs, first, second)
    phrases = [f"{_entry(entry)} {verb}" for entry, verb in verbs.items()]
    single = [change for change in inputs if change.keys[:_ENTRY] not in verbs]
    phrases += [_step(change) for change in single]
    further = len(phrases) - _NAMED_CHANGES
    listed = [*phrases[:_NAMED_CHANGES], *([f"{further:,} further changes"] if further > 0 else [])]
    return f"Input: {words(listed)}."


def decides(change: ValueChange) -> bool:
    """Whether a change is one of a quantity of the input."""
    return change.where.startswith("inputs.") and not change.where.endswith(_NOT_A_QUANTITY)


def added_or_removed(
    changes: Iterable[ValueChange], first: Mapping[str, Any], second: Mapping[str, Any]
) -> dict[tuple[str, ...], str]:
    """Entries of lists that only one run has, such as a node type, and what happened to them.

    An entry that both runs have is not among them, even if only one run gives some of its values.
    """
    before, after = _entries(first), _entries(second)
    changed = Counter(change.keys[:_ENTRY] for change in changes if len(change.keys) > _ENTRY)
    several = [entry for entry, number in changed.items() if number > 1]
    added = {entry: "added" for entry in several if entry not in before}
    removed = {entry: "removed" for entry in several if entry not in after}
    return added | removed


def _entries(plan: Mapping[str, Any]) -> set[tuple[str, ...]]:
    """Entries of the input that have at least one key."""
    return {keys[:_ENTRY] for keys, _ in leaves(plan) if len(keys) > _ENTRY}


def of_the_decision(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Say what is bought more or less, or that the decision is the same.

    Empty where both runs only compute the cost of a core-hour, which decides nothing.
    """
    before, after = _bought(first), _bought(second)
    if before is None or after is None:
        if before is not None and status_of(second):
            return "Decision: the first run has a plan, the second has none."
        if after is not None and status_of(first):
            return "Decision: the second run has a plan, the first has none."
        if _differ_in_core_hours(first, second):
            return ""
        return _of_designs(first, second) or _of_summaries(first, second)
    steps = {name: after.get(name, 0) - before.get(name, 0) for name in {**before, **after}}
    moved = [(name, step) for name, step in steps.items() if step]
    if not moved:
        return "Decision: the same nodes are bought."
    more = [f"{step:,} more of '{name}'" for name, step in moved if step > 0]
    fewer = [f"{-step:,} fewer of '{name}'" for name, step in moved if step < 0]
    return f"Decision: {words([*more, *fewer])}."


def status_of(plan: Mapping[str, Any]) -> str:
    """How good a plan is, by its solver; empty where the run does not say."""
    decision = plan.get("decision")
    status = decision.get("status") if isinstance(decision, Mapping) else None
    return clipped(status, _LONGEST_STATUS) if isinstance(status, str) else ""


def _differ_in_core_hours(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Whether both runs compute nothing but the cost of a core-hour, in one currency."""
    if first.get("decision") or second.get("decision"):
        return False
    before, after = _core_hours(first, second)
    return bool(before and after) and before != after and common_currency(first, second) is not None


def _of_summaries(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """The second answer, if it is another one."""
    if first.get("summary") == second.get("summary"):
        return "Decision: no change."
    return f"Decision: {second.get('summary', '')}"


def _of_designs(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Which design is chosen in both runs, with its nodes; empty if one compares no designs."""
    before, after = _chosen(first), _chosen(second)
    if before is None or after is None:
        return ""
    (design, nodes), (other, others) = before, after
    if design != other:
        return f"Decision: the {other} design ({others}) instead of the {design} design ({nodes})."
    if nodes == others:
        return f"Decision: still the {design} design ({nodes})."
    return f"Decision: still the {design} design, with {others} instead of {nodes}."


_NODES = {
    "worst-case": ("nodes_worst_case", "high-end node"),
    "overprovisioned": ("nodes_overprovisioned", "older node"),
}
"""Where the nodes of each design are, and what they are called."""


def _chosen(plan: Mapping[str, Any]) -> tuple[str, str] | None:
    """The design that a run chooses, and its nodes."""
    decision, compared = plan.get("decision"), plan.get("overprovisioning")
    design = decision.get("design") if isinstance(decision, Mapping) else None
    if not isinstance(design, str) or design not in _NODES:
        return None
    key, noun = _NODES[design]
    nodes = _number(compared[0], key) if isinstance(compared, list) and compared else None
    return None if nodes is None else (design, plural(round(nodes), noun))


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
    before = _number(first, "decision", "plan", "score")
    after = _number(second, "decision", "plan", "score")
    if before and after is not None:
        rise = after / before - 1
        direction = "rises" if rise > 0 else "falls"
        sentences.append(
            f"the score {direction} by {percent(abs(rise))}{_from_to(before, after)}"
            if rise
            else f"the score stays {telling(before)}"
        )
    currency = common_currency(first, second)
    if currency is not None:
        sentences += _of_the_money(first, second, currency)
    speedups = _speedup(first), _speedup(second)
    if None not in speedups and speedups[0] != speedups[1]:
        sentences.append(
            "the speedup of overprovisioning (above 1: faster) changes from "
            f"{speedups[0]:.3g} to {speedups[1]:.3g}"
        )
    if not sentences:
        return ""
    text = words(sentences)
    return f"{capitalised(text)}."


def _of_the_money(
    first: Mapping[str, Any], second: Mapping[str, Any], currency: str
) -> Iterator[str]:
    for name, path in _MONEY:
        before, after = _number(first, *path), _number(second, *path)
        if before is not None and after is not None and before != after:
            verb = "rise" if after > before else "fall"
            yield f"{name} {verb} by {money(abs(after - before), currency)}"
    before, after = _core_hours(first, second)
    if before and after and before != after:
        share = after / before - 1
        verb = "rises" if share > 0 else "falls"
        yield (
            f"the cost of a core-hour {verb} by {percent(abs(share))}"
            f"{_from_to(before, after, f' {currency}'.rstrip())}"
        )


def _from_to(before: float, after: float, unit: str = "") -> str:
    """Return both values in parentheses; nothing where they differ only in digits not shown."""
    first, second = telling(before), telling(after)
    return "" if first == second else f" (from {first} to {second}{unit})"


_MONEY = (
    ("capital costs", ("cost", "capital")),
    ("yearly costs", ("cost", "operating_per_year_expected")),
)


def _core_hours(
    first: Mapping[str, Any], second: Mapping[str, Any]
) -> tuple[float | None, float | None]:
    """What a core-hour costs in each run."""
    path = ("cost_per_core_hour", "cost_per_core_hour")
    return _number(first, *path), _number(second, *path)


def common_currency(first: Mapping[str, Any], second: Mapping[str, Any]) -> str | None:
    """The only currency of both runs, perhaps empty; ``None`` if they have two."""
    currencies = {_currency(first), _currency(second)} - {""}
    return None if len(currencies) > 1 else next(iter(currencies), "")


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


def _entry(keys: tuple[str, ...]) -> str:
    """An entry of a list by its kind and name, as in ``node type ivy-bridge``."""
    _, kinds, name = keys
    kind = kinds.removesuffix("s").replace("_", " ")
    return f"{kind} {clipped(name, _LONGEST_VALUE)}"


def in_words(keys: tuple[str, ...]) -> str:
    """A path in words, the innermost name first.

    Examples
    --------
    >>> in_words(("inputs", "power", "bound_w")), in_words(("decision", "plan", "score"))
    ('Bound [W] (power)', 'Score (decision, plan)')
    """
    *outer, name = keys[1:] if keys[0] == "inputs" and len(keys) > 1 else keys
    around = f" ({', '.join(part.replace('_', ' ') for part in outer)})" if outer else ""
    return f"{_NAMES.get(name) or heading(name)}{around}"


_NAMES = {
    "energy_kwh_per_year": "Energy [kWh per year]",
    "carbon_t_per_year": "Carbon [t per year]",
    "operating_per_year_expected": "Operating cost per year, expected",
    "operating_per_year_highest": "Operating cost per year, highest",
    "embodied_t": "Embodied carbon [t]",
    "mix_speedup": "Speedup of overprovisioning over the mix",
    "nodes_worst_case": "Nodes of the worst-case design",
    "nodes_overprovisioned": "Nodes of the overprovisioned design",
    "time_worst_case_s": "Run time, worst-case design [s]",
    "time_overprovisioned_s": "Run time, overprovisioned design [s]",
    "cost_per_core_hour": "Cost of a core-hour",
    "cost_per_core_hour_provisioned": "Cost of a core-hour, provisioned power",
    "cost_per_core_hour_used": "Cost of a core-hour, used power",
    "per_core_hour": "Cost of a core-hour",
    "core_hours_per_year": "Core-hours used per year",
    "energy_per_year": "Power and cooling per year",
    "energy_provisioned_per_year": "Power and cooling per year, provisioned power",
    "energy_used_per_year": "Power and cooling per year, used power",
    "per_score_year": "Cost per unit of score and year",
}
"""Values whose keys do not read well in words."""


def _step(change: ValueChange) -> str:
    """A changed input, as in ``power bound from 250,000 W to 25,000 W``."""
    *outer, name = change.keys[1:]
    bare, _, unit = heading(name).partition(" [")
    around = " ".join(part.replace("_", " ") for part in outer)
    first, second = _value(change.first), _value(change.second)
    if unit:
        unit = f" {unit.removesuffix(']')}"
        first, second = (
            f"{text}{unit if isinstance(value, int | float) else ''}"
            for text, value in ((first, change.first), (second, change.second))
        )
    quantity = bare[:1].lower() + bare[1:] if bare[1:2].islower() else bare
    quantity = f"{around} {quantity}" if around else quantity
    return f"{quantity} from {first} to {second}"


def _value(value: Any) -> str:
    if value is None:
        return "(not given)"
    text = f"{value:,.10g}" if isinstance(value, float) else str(value)
    return clipped(text, _LONGEST_VALUE)
