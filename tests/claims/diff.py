"""What `headroom diff` states, counted again from the data of both runs.

Written from docs/diff.md.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from planner.differences.study import DifferenceStudy
from planner.differences.values import difference
from tests.claims.values import always, same

Plan = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Case:
    """Two runs, as their files hold them."""

    first: Plan
    second: Plan

    @cached_property
    def answer(self) -> DifferenceStudy:
        plans = (self.first, self.second)
        return DifferenceStudy("out/first", "out/second", plans, difference(*plans))

    @property
    def plans(self) -> tuple[Plan, Plan]:
        return self.first, self.second


def purchase(**changes: Any) -> Plan:
    """The data of a run that buys."""
    plan: Plan = {
        "format": 2, "headroom": "1.0", "scenario": {"name": "a"}, "options": {"gap": 1e-4},
        "inputs": {
            "power": {"bound_w": 1000.0, "source": "read"}, "budget": {"capital": 5000},
            "node_types": [
                {"name": "a", "label": "Type A", "price": 10.0, "idle_w": 5.0},
                {"name": "b", "price": 20.0, "idle_w": 6.0},
            ],
        },
        "decision": {
            "status": "optimal",
            "plan": {
                "score": 1.25, "it_power_w": 900.0, "capital": 120.0,
                "purchases": [{"name": "a", "nodes": 4}, {"name": "b", "nodes": 4}],
            },
        },
        "bill_of_materials": [
            {"item": "Type A", "vendor": "V", "quantity": 4}, {"item": "b", "vendor": "W",
                                                                "quantity": 4},
            {"item": "rack", "vendor": "", "quantity": 1},
        ],
        "cost": {
            "currency": "EUR", "capital": 120.0, "total_cost": 300.0,
            "operating_per_year_expected": 45.0, "cores": 64,
        },
    }  # fmt: skip
    return changed(plan, changes)


def changed(plan: Plan, changes: dict[str, Any]) -> Plan:
    """A copy with other values; keys are paths, and ``None`` takes a member away."""
    found = copy.deepcopy(plan)
    for path, value in changes.items():
        *outer, last = path.split("__")
        inner: Any = found
        for key in outer:
            inner = inner[int(key)] if isinstance(inner, list) else inner[key]
        if value is None:
            del inner[last]
        elif isinstance(inner, list):
            inner[int(last)] = value
        else:
            inner[last] = value
    return found


def planless(**changes: Any) -> Plan:
    """The data of a run without a plan."""
    none = {"bill_of_materials": None, "cost": None, "decision__plan": None,
            "decision__status": "infeasible"}  # fmt: skip
    return changed(changed(purchase(), none), changes)


def designs(design: str, speedup: float, core_hour: float = 0.05) -> Plan:
    """The data of a run that compares designs."""
    return {
        "format": 2, "headroom": "1.0", "scenario": {"name": "d"},
        "inputs": {"power": {"bound_w": 7000.0}},
        "decision": {"design": design, "mix_speedup": speedup},
        "overprovisioning": [{"application": "app", "speedup": speedup, "nodes_worst_case": 8}],
        "cost_per_core_hour": {"currency": "USD", "cost_per_core_hour": core_hour},
    }  # fmt: skip


def cases() -> Iterator[Case]:
    """Runs by hand, then random ones."""
    base = purchase()
    more = {"bill_of_materials__0__quantity": 5, "decision__plan__purchases__0__nodes": 5}
    fewer = {"bill_of_materials__1__quantity": 3, "decision__plan__purchases__1__nodes": 3}
    yield Case(base, purchase())
    yield Case(base, purchase(inputs__power__bound_w=1100.0))
    yield Case(base, purchase(inputs__power__bound_w=1100.0, inputs__budget__capital=6000, **more))
    yield Case(base, purchase(inputs__power__source="other", **fewer))
    yield Case(base, purchase(**more, **fewer, decision__plan__score=1.5))
    yield Case(purchase(decision__plan__score=0.0), purchase(decision__plan__score=1.0))
    yield Case(base, planless())
    yield Case(planless(), base)
    yield Case(planless(), planless(inputs__power__bound_w=1200.0))
    yield Case(base, purchase(headroom="1.1", decision__plan__it_power_w=905.0))
    yield Case(base, purchase(options__gap=1e-3, decision__status="feasible", cost__capital=110.0))
    yield Case(base, purchase(inputs__budget__capital="much"))
    yield Case(purchase(inputs__budget__capital="a"), purchase(inputs__budget__capital="b"))
    yield Case(base, purchase(cost__currency="USD", cost__capital=130.0))
    yield Case(designs("worst-case", 0.9), designs("worst-case", 0.95))
    yield Case(designs("worst-case", 0.9), designs("overprovisioned", 1.2, 0.06))
    yield Case(base, designs("overprovisioned", 1.2))


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    yield Case(_drawn(rng), _drawn(rng))


def _drawn(rng: np.random.Generator) -> Plan:
    """A purchase with some values drawn from few."""
    nodes = [int(rng.integers(0, 4)) for _ in "ab"]
    return purchase(
        inputs__power__bound_w=float(rng.choice([1000.0, 1100.0])),
        inputs__budget__capital=int(rng.choice([5000, 6000])),
        decision__plan__score=float(rng.choice([0.0, 0.5, 1.25, 1e-4])),
        decision__plan__it_power_w=float(rng.choice([0.0, 900.0, 900.0000001])),
        cost__capital=float(rng.choice([0.0, 120.0, 1.2e7])),
        cost__total_cost=float(rng.choice([300.0, 310.0])),
        bill_of_materials__0__quantity=nodes[0], bill_of_materials__1__quantity=nodes[1],
        decision__plan__purchases__0__nodes=nodes[0], decision__plan__purchases__1__nodes=nodes[1],
    )  # fmt: skip


def bought(plan: Plan) -> dict[str, int] | None:
    decided = (plan.get("decision") or {}).get("plan")
    if not decided:
        return None
    return {row["name"]: row["nodes"] for row in decided["purchases"]}


def steps(case: Case) -> tuple[int, int] | None:
    """Nodes more and fewer; ``None`` where a run buys nothing at all."""
    first, second = map(bought, case.plans)
    if first is None or second is None:
        return None
    moved = [second.get(name, 0) - first.get(name, 0) for name in {*first, *second}]
    return sum(step for step in moved if step > 0), -sum(step for step in moved if step < 0)


def moved_types(case: Case) -> tuple[list[str], list[str]]:
    """What people call the types of which the second run buys more, and fewer."""
    first, second = (bought(plan) or {} for plan in case.plans)
    types = {each["name"]: each for plan in case.plans for each in plan["inputs"]["node_types"]}
    labels = {name: types.get(name, {}).get("label", name) for name in {*first, *second}}
    steps = {name: second.get(name, 0) - first.get(name, 0) for name in labels}
    more, fewer = (
        sorted(labels[name] for name, step in steps.items() if sign * step > 0) for sign in (1, -1)
    )
    return more, fewer


def flat(plan: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every value by its path; entries of lists by their names."""
    if isinstance(plan, dict):
        pairs = [(str(key), value) for key, value in plan.items()]
    elif isinstance(plan, list):
        pairs = [(str(each.get("name") or each.get("application") or each.get("item")), each)
                 for each in plan]  # fmt: skip
    else:
        return {path: plan}
    found: dict[tuple[str, ...], Any] = {}
    for key, value in pairs:
        found |= flat(value, (*path, key))
    return found


def inputs(case: Case) -> dict[tuple[str, ...], tuple[Any, Any]]:
    """Quantities of the input that differ, with both values."""
    first, second = (flat(plan["inputs"]) for plan in case.plans)
    return {
        path: (first.get(path), second.get(path))
        for path in {**first, **second}
        if first.get(path) != second.get(path)
        and path[-1] not in ("source", "name", "label", "title")
    }


def given(case: Case) -> int:
    """How many inputs differ, where an entry that only one run has is one."""
    has = [{path[:2] for path in flat(plan["inputs"]) if len(path) > 2} for plan in case.plans]
    mine: dict[tuple[str, ...], int] = {}
    for path in inputs(case):
        is_whole = len(path) > 2 and not all(path[:2] in each for each in has)
        key = path[:2] if is_whole else path
        mine[key] = mine.get(key, 0) + 1
    return len(mine)


def number(plan: Plan, *path: str) -> float | None:
    value: Any = plan
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, int | float) else None


def pair(case: Case, *path: str) -> tuple[float, float]:
    first, second = (number(plan, *path) for plan in case.plans)
    if first is None or second is None:
        raise LookupError(path)
    return first, second


def differ(case: Case) -> bool:
    first, second = map(flat, case.plans)
    return first != second


def designs_of(case: Case) -> list[str | None]:
    return [plan["decision"].get("design") for plan in case.plans]


def are_bought(case: Case) -> list[bool]:
    return [bought(plan) is not None for plan in case.plans]


_PATHS = {
    "score": ("decision", "plan", "score"), "capital": ("cost", "capital"),
    "life": ("cost", "total_cost"), "operating": ("cost", "operating_per_year_expected"),
    "power": ("decision", "plan", "it_power_w"), "speedup": ("decision", "mix_speedup"),
    "core_hour": ("cost_per_core_hour", "cost_per_core_hour"),
}  # fmt: skip


def _was(case: Case, first: float, change: float | None = None) -> bool:
    """Some result was this in the first run, and changed by this share."""
    for path in _PATHS.values():
        try:
            before, after = pair(case, *path)
        except LookupError:
            continue
        share = after / before - 1 if before else None
        if (
            same(before, first)
            and before != after
            and (share is None if change is None else share is not None and same(share, change))
        ):
            return True
    return False


def _values(case: Case, inputs: int, others: int) -> bool:
    first, second = map(flat, case.plans)
    every = {path for path in {**first, **second} if first.get(path) != second.get(path)}
    mine = len(globals()["inputs"](case))
    return inputs == given(case) and others == len(every) - mine


def _input_one(case: Case, where: str, first: Any, second: Any) -> bool:
    found = inputs(case)
    ((path, values),) = found.items()
    plain = [None if value is None else value for value in values]
    if any(isinstance(value, str) for value in plain):
        plain = [None if value is None else str(value) for value in plain]
    return where == ".".join(path) and [first, second] == plain


def _of(case: Case, value: str, of: str | None = None) -> bool:
    """A result of this name differs, and belongs to this entry."""
    first, second = map(flat, case.plans)
    labels = {"a": "Type A", "b": "b"}
    for path in {**first, **second}:
        if first.get(path) == second.get(path) or path[-1] != value or path[0] == "inputs":
            continue
        entry: str | None = ".".join(path[1:-1]) or None
        if path[0] == "decision":
            entry = labels.get(path[3], path[3]) if "purchases" in path else None
        if entry == of:
            return True
    return False


def _second(path: tuple[str, ...]) -> Callable[[Case, Any], bool]:
    """Whether a value is that of the second run."""
    return lambda case, value: same(pair(case, *path)[1], value)


FINDINGS: dict[str, Callable[..., bool]] = {
    "question": lambda _, first, second: (first, second) == ("first", "second"),
    "agree": lambda case: not differ(case),
    "nodes-same": lambda case: differ(case) and steps(case) == (0, 0),
    "nodes-more": lambda case, more, more_types: (
        steps(case) == (more, 0) and more > 0 and moved_types(case) == (sorted(more_types), [])
    ),
    "nodes-fewer": lambda case, fewer, fewer_types: (
        steps(case) == (0, fewer) and fewer > 0 and moved_types(case) == ([], sorted(fewer_types))
    ),
    "nodes-other": lambda case, more, more_types, fewer, fewer_types: (
        steps(case) == (more, fewer) and more * fewer > 0
        and moved_types(case) == (sorted(more_types), sorted(fewer_types))
    ),
    "first-only": lambda case: are_bought(case) == [True, False],
    "second-only": lambda case: are_bought(case) == [False, True],
    "design-same": lambda case, design: designs_of(case) == [design, design],
    "design-other": lambda case, design, before: designs_of(case) == [before, design]
    and design != before,
    "values": _values,
    "input-same": lambda case: not inputs(case),
    "input-one": _input_one,
    "input-many": lambda case, inputs: (
        inputs == given(case) and len(globals()["inputs"](case)) > 1
    ),
    "statuses": lambda case, first, second: [first, second]
    == [plan["decision"]["status"] for plan in case.plans],
    "versions-differ": lambda case: case.first["headroom"] != case.second["headroom"],
    "options-differ": lambda case: case.first.get("options") != case.second.get("options"),
    "same-program": lambda case: all(
        case.first.get(key) == case.second.get(key) for key in ("headroom", "options")
    ),
    "as-first": lambda case: any(
        number(case.first, *path) == number(case.second, *path) is not None
        for path in _PATHS.values()
    ),
    "was": _was,
    "was-changed": _was,
    "read-risks": always,
    "value": _of,
    "value-of": _of,
}  # fmt: skip
FACTS: dict[str, Callable[..., bool]] = {
    **{key: _second(path) for key, path in _PATHS.items()},
    "inputs": lambda case, value: value == given(case) > 0,
    "nodes": lambda case, value: value == sum((bought(case.second) or {}).values()),
    "more_nodes": lambda case, value: (steps(case) or ("", ""))[0] == value,
    "fewer_nodes": lambda case, value: (steps(case) or ("", ""))[1] == value,
    "changes": lambda case, value: value == len(
        [path for path in {**flat(case.first), **flat(case.second)}
         if flat(case.first).get(path) != flat(case.second).get(path)]
    ),
}  # fmt: skip
NEVER_HERE = {"reference-agrees", "source-file", "source-marked", "source-synthetic",
              "source-python", "socket-low", "socket-high"}  # fmt: skip
DUE = {
    "agree": lambda case: not differ(case),
    "same-program": lambda case: all(
        case.first.get(key) == case.second.get(key) for key in ("headroom", "options")
    ),
}
