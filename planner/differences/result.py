"""Two runs compared: what was given differently, and what came out differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from planner.differences.values import ValueChange, leaves
from scenarios.faults import printable

_NOT_A_QUANTITY = (
    "source", "name", "label", "title", "description", "format", "origin", "date", "version",
)  # fmt: skip
"""Keys of an input that describe it and decide nothing."""

_ENTRY = 3
"""Keys that name an entry of a list in the input: ``inputs``, ``node_types``, its name."""

_RESULTS = (
    "decision.plan.score", "decision.plan.purchases.*.nodes", "decision.plan.packages.*.total",
    "decision.design", "decision.mix_speedup", "overprovisioning.*.speedup",
    "cost.capital", "cost.total_cost", "cost.operating_per_year_expected",
    "decision.plan.it_power_w", "cost.energy_kwh_per_year", "cost.carbon_t_per_year",
    "cost_per_core_hour.cost_per_core_hour", "cost_per_core_hour",
)  # fmt: skip
"""Results that matter most, in this order; a star is any name."""

_MOST_OF_ONE = 3
"""Values that are shown of one result, such as the nodes of several types."""

_FURTHER = (
    "overprovisioning.*.speedup", "overprovisioning.*.time_worst_case_s",
    "overprovisioning.*.time_overprovisioned_s", "decision.plan.purchases.*.nodes",
    "decision.plan.packages.*.total", "cost",
    "cost_per_core_hour", "overprovisioning_gains.*.value", "mandates.*.reached",
)  # fmt: skip
"""Where further results of interest are; certificates and programs are not."""

_NO_RESULTS = ("currency", "machine", "energy_stated", "lifetime_years")
"""Values among the results that only repeat the input."""

LARGEST = 1e300
"""Numbers beyond are none that a plan has."""


@dataclass(frozen=True, repr=False)
class DifferenceResult:
    """What differs between two runs.

    Attributes
    ----------
    first, second
        What the runs are called: their folders or files as given.
    plans
        The data of both runs.
    changes
        Every value that differs, inputs first.
    """

    first: str
    second: str
    plans: tuple[Mapping[str, Any], Mapping[str, Any]]
    changes: tuple[ValueChange, ...]

    @cached_property
    def names(self) -> tuple[str, str]:
        """Short names of the runs: the ends of their paths, as long as it takes to differ."""
        return _short_names(self.first, self.second)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """What people call the types of nodes, by their names in the data."""
        types = [
            node_type
            for plan in self.plans
            for node_type in _listed(plan.get("inputs"), "node_types")
            if isinstance(node_type, Mapping)
        ]
        return {
            str(each.get("name")): printable(str(each["label"]))
            for each in types
            if each.get("label")
        }

    @property
    def inputs(self) -> tuple[ValueChange, ...]:
        """Quantities of the input that differ."""
        return tuple(
            change
            for change in self.changes
            if change.keys[0] == "inputs" and not change.keys[-1].endswith(_NOT_A_QUANTITY)
        )

    @property
    def given(self) -> int:
        """How many quantities differ; an entry that only one run has counts once."""
        single = added_or_removed(self.inputs, *self.plans)
        return len(single) + sum(change.keys[:_ENTRY] not in single for change in self.inputs)

    @property
    def results(self) -> tuple[ValueChange, ...]:
        """Results of interest that differ, the most important first."""
        chosen = [
            change for key in _RESULTS for change in _within(key, self.changes)[:_MOST_OF_ONE]
        ]
        further = [change for key in _FURTHER for change in _within(key, self.changes)]
        every = {change.keys: change for change in (*chosen, *further)}.values()
        return tuple(change for change in every if change.keys[-1] not in _NO_RESULTS)

    @property
    def currency(self) -> str:
        """The only currency of both runs; empty if they have none, or two."""
        currencies = {_currency(plan) for plan in self.plans} - {""}
        return currencies.pop() if len(currencies) == 1 else ""

    def pair(self, *path: str) -> tuple[float, float] | None:
        """A number of both runs; ``None`` where one has none."""
        first, second = (number_at(plan, *path) for plan in self.plans)
        return None if first is None or second is None else (first, second)

    @property
    def nodes(self) -> tuple[dict[str, int] | None, dict[str, int] | None]:
        """Nodes by the name of their type; ``None`` where a run decides no purchase."""
        return bought(self.plans[0]), bought(self.plans[1])

    @property
    def designs(self) -> tuple[str, str] | None:
        """The designs that both runs choose; ``None`` where one compares none."""
        chosen = [_text_at(plan, "decision", "design") for plan in self.plans]
        return None if "" in chosen else (chosen[0], chosen[1])

    @property
    def statuses(self) -> tuple[str, str]:
        """How good each plan is, by its solver; empty where the run does not say."""
        first, second = (_text_at(plan, "decision", "status") for plan in self.plans)
        return first, second


def bought(plan: Mapping[str, Any]) -> dict[str, int] | None:
    """Nodes of each type that a run buys, by the name of the type."""
    rows = _at(plan, "decision", "plan", "purchases")
    if not isinstance(rows, list):
        return None
    nodes: dict[str, int] = {}
    for row in rows:
        count = number_at(row, "nodes")
        if count is not None:
            name = printable(str(row.get("name")))
            nodes[name] = nodes.get(name, 0) + round(count)
    return nodes


def added_or_removed(
    changes: Iterable[ValueChange], first: Mapping[str, Any], second: Mapping[str, Any]
) -> dict[tuple[str, ...], str]:
    """Entries of lists that only one run has, such as a node type: ``added`` or ``removed``.

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


def number_at(plan: Any, *path: str) -> float | None:
    """A number in the data of a run; ``None`` where there is none."""
    value = _at(plan, *path)
    return float(value) if is_number(value) else None


def is_number(value: Any) -> bool:
    """Whether a value is a number that a plan may have."""
    return isinstance(value, int | float) and not isinstance(value, bool) and (
        abs(value) <= LARGEST
    )  # fmt: skip


def _text_at(plan: Any, *path: str) -> str:
    value = _at(plan, *path)
    return printable(value) if isinstance(value, str) else ""


def _at(plan: Any, *path: str) -> Any:
    for name in path:
        plan = plan.get(name) if isinstance(plan, Mapping) else None
    return plan


def _currency(plan: Mapping[str, Any]) -> str:
    return _text_at(plan, "cost", "currency") or _text_at(plan, "cost_per_core_hour", "currency")


def _within(key: str, changes: Sequence[ValueChange]) -> list[ValueChange]:
    """Changes of a result, or of the values inside it."""
    names = key.split(".")
    return [
        change
        for change in changes
        if len(change.keys) >= len(names)
        and all(name in ("*", own) for name, own in zip(names, change.keys, strict=False))
    ]


def _listed(plan: Any, key: str) -> Sequence[Any]:
    """A list in the data of a run; empty if it has none."""
    entries = plan.get(key) if isinstance(plan, Mapping) else None
    return entries if isinstance(entries, list) else ()


def _short_names(first: str, second: str) -> tuple[str, str]:
    """The last folders of two runs, or as many of them as make the names differ.

    Examples
    --------
    >>> _short_names("out/a/plan.json", "out/b"), _short_names("may/out/a", "june/out/a")
    (('a', 'b'), ('may/out/a', 'june/out/a'))
    >>> _short_names("a", "a/plan.json")
    ('first run', 'second run')
    """
    paths = [Path(name) for name in (first, second)]
    parts = [(path.parent if path.name == "plan.json" else path).parts for path in paths]
    for count in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-count:]).replace("//", "/") for part in parts]
        if names[0] != names[1] and all(names):
            return names[0], names[1]
    return "first run", "second run"
