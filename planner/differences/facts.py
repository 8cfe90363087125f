"""What a comparison of two runs states: its facts, findings, tables and figure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from planner.differences.result import added_or_removed, is_number
from planner.figure import Figure
from planner.finding import Fact, Finding, Value, cell, finding
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table
from scenarios.faults import printable

if TYPE_CHECKING:
    from planner.differences.result import DifferenceResult
    from planner.differences.values import ValueChange

_MOST_TILES = 6
_FIRST_ROWS = 10
"""Results on the first page and in its figure."""
_LARGEST = 10.0
"""Next to a larger change, the others would be too short to compare."""
_PURCHASES = ("decision", "plan", "purchases")
_PACKAGES = ("decision", "plan", "packages")
_PHYSICAL = {"embodied_t": "t", "_w": "W", "_s": "s", "_kwh_per_year": "kWh", "_t_per_year": "t"}
_NO_MONEY = ("cores", "core_hours_per_year", "utilisation")
"""Values among the costs that are not in a currency."""
_MONEY_OF_PLAN = ("capital", "total_cost", "operating_per_year_binding")
_TILES = (
    ("score", ("decision", "plan", "score"), "score"),
    ("capital", ("cost", "capital"), "money"),
    ("life", ("cost", "total_cost"), "money"),
    ("operating", ("cost", "operating_per_year_expected"), "money"),
    ("power", ("decision", "plan", "it_power_w"), "W"),
    ("speedup", ("decision", "mix_speedup"), "factor"),
    ("core_hour", ("cost_per_core_hour", "cost_per_core_hour"), "price"),
)
"""Results that both runs may have: key, path and unit."""


def study_of(result: DifferenceResult) -> Study:
    """The study of a comparison."""
    first, second = map(printable, result.names)
    data = _data(result)
    return stated(
        result, _headline, _confidence, tuple(_facts(result))[:_MOST_TILES],
        [finding("next step", "read-risks")], _questions, _tables(), _figures(data),
        command="diff",
        title=finding("note", "question", first=(first, "text"), second=(second, "text")),
        data=data,
        decision="results" if data["results"] else "",
        provenance=provenance_of(("diff", result.first, result.second), ()),
    )  # fmt: skip


def _headline(result: DifferenceResult) -> Finding:
    if not result.changes:
        return finding("headline", "agree")
    before, after = result.nodes
    if before is not None and after is not None:
        return _nodes(result, before, after)
    if before is not None and result.statuses[1]:
        return finding("headline", "first-only")
    if after is not None and result.statuses[0]:
        return finding("headline", "second-only")
    if result.designs is not None:
        earlier, design = result.designs
        if earlier == design:
            return finding("headline", "design-same", design=(design, "design"))
        return finding("headline", "design-other", design=(design, "design"),
                       before=(earlier, "design"))  # fmt: skip
    counts = {"inputs": (result.given, "input"), "others": (len(result.changes)
              - len(result.inputs), "value-count")}  # fmt: skip
    return finding("headline", "values", **counts)


def _nodes(result: DifferenceResult, before: dict[str, int], after: dict[str, int]) -> Finding:
    """Nodes more and nodes fewer, each with their types, the largest step first."""
    values: dict[str, tuple[Value, str]] = {}
    for kind, steps in zip(("more", "fewer"), _steps(before, after), strict=True):
        if steps:
            largest = sorted(steps.items(), key=lambda pair: -pair[1])
            types = tuple(result.labels.get(name, name) for name, _ in largest)
            values |= {kind: (sum(steps.values()), "node"), f"{kind}_types": (types, "text")}
    kinds = [str(kind) for kind in ("more", "fewer") if kind in values] or ["same"]
    return finding("headline", f"nodes-{'other' if len(kinds) > 1 else kinds[0]}", **values)


def _steps(before: dict[str, int], after: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Nodes more and nodes fewer by type."""
    steps = {name: after.get(name, 0) - before.get(name, 0) for name in {**before, **after}}
    more = {name: step for name, step in steps.items() if step > 0}
    return more, {name: -step for name, step in steps.items() if step < 0}


def _confidence(result: DifferenceResult) -> Iterator[Finding]:
    """What was given differently, how good both plans are, and what else may be the cause."""
    first, second = result.plans
    if result.changes:
        yield _input(result)
    statuses = result.statuses
    if all(statuses):
        yield finding("confidence", "statuses", first=(statuses[0], "status"),
                      second=(statuses[1], "status"))  # fmt: skip
    versions_differ = first.get("headroom") != second.get("headroom")
    options_differ = first.get("options") != second.get("options")
    if versions_differ:
        yield finding("confidence", "versions-differ")
    if options_differ:
        yield finding("confidence", "options-differ")
    if not versions_differ and not options_differ:
        yield finding("confidence", "same-program")


def _input(result: DifferenceResult) -> Finding:
    changes = result.inputs
    if not changes:
        return finding("confidence", "input-same")
    if len(changes) > 1:
        return finding("confidence", "input-many", inputs=(result.given, "input"))
    row = _input_row(changes[0])
    return finding(
        "confidence", "input-one", where=(row["where"], "text"), first=(row["first"], row["unit"]),
        second=(row["second"], row["unit"]),
    )  # fmt: skip


def _facts(result: DifferenceResult) -> Iterator[Fact]:
    """Results of the second run, each next to the first."""
    for key, path, unit in _TILES:
        pair = result.pair(*path)
        of_money = unit in ("money", "price")
        if pair is None or (of_money and not result.currency):
            continue
        named = f"{unit} {result.currency}" if of_money else unit
        was: dict[str, tuple[Value, str]] = {"first": (pair[0], named)}
        if pair[0] == pair[1]:
            yield Fact(key, pair[1], named, finding("note", "as-first"))
            continue
        change = relative(*pair)
        if change is None:
            yield Fact(key, pair[1], named, finding("note", "was", **was))
        else:
            note = finding("note", "was-changed", **was, change=(change, "change"))
            yield Fact(key, pair[1], named, note)


def relative(first: float, second: float) -> float | None:
    """The change as a share of the size of the first value; ``None`` where that says nothing."""
    if not first or first * second < 0:
        return None
    change = math.copysign(second / first - 1, second - first)
    return change if math.isfinite(change) else None


def _questions(result: DifferenceResult) -> Iterator[Question]:
    given = (Fact("inputs", result.given, "count"),) if result.given else ()
    yield Question("inputs", facts=given, tables=("entries", "inputs"))
    yield Question("nodes", facts=tuple(_bought(result)), tables=("nodes",))
    yield Question("results", tables=("further",), figures=("results",))
    counted = Fact("changes", len(result.changes), "count")
    yield Question("method", facts=(counted,), texts=("method",))


def _bought(result: DifferenceResult) -> Iterator[Fact]:
    """How many nodes the second run buys, and how that differs."""
    before, after = result.nodes
    if before is None or after is None:
        return
    yield Fact("nodes", sum(after.values()), "count")
    for key, steps in zip(("more_nodes", "fewer_nodes"), _steps(before, after), strict=True):
        yield Fact(key, sum(steps.values()), "count")


def _tables() -> Iterator[Table]:
    values = {"first": "number", "second": "number", "difference": "number"}
    units = {"unit": "id", "unit_of_change": "id"}
    units_at = {"first": "unit", "second": "unit", "difference": "unit_of_change"}
    for name in ("results", "further"):
        yield table(name, {"what": "finding", **values, "change": "change", **units},
                    at=f"/{name}", hidden=units, units_at=units_at)  # fmt: skip
    yield table("nodes", {"type": "text"} | dict.fromkeys(values, "count"), at="/nodes",
                summed=tuple(values))  # fmt: skip
    yield table("entries", {"entry": "text", "happened": "happened"}, at="/entries")
    yield table("inputs", {"where": "text", **values, **units}, at="/inputs", hidden=units,
                units_at=units_at)  # fmt: skip
    yield table("changes", {"where": "text", "first": "text", "second": "text",
                "difference": "number", "ratio": "number"}, at="/changes")  # fmt: skip


def _figures(data: dict[str, Any]) -> Iterator[Figure]:
    comparable = [row for row in data["results"] if row["change"] is not None]
    if comparable and all(abs(row["change"]) <= _LARGEST for row in comparable):
        yield Figure("results", "intervals", "results", "what", ("change",))


def _data(result: DifferenceResult) -> dict[str, Any]:
    """The members of diff.json besides the study."""
    single = added_or_removed(result.inputs, *result.plans)
    inputs = [change for change in result.inputs if change.keys[:3] not in single]
    named = [_row(result, change) for change in result.results]
    return {
        "first": result.first,
        "second": result.second,
        "results": named[:_FIRST_ROWS],
        "further": named[_FIRST_ROWS:],
        "nodes": _node_rows(result),
        "entries": [
            {"entry": printable(".".join(keys[1:])), "happened": what}
            for keys, what in single.items()
        ],
        "inputs": [_input_row(change) for change in inputs],
        "changes": [change.to_dict() for change in result.changes],
    }


def _node_rows(result: DifferenceResult) -> list[dict[str, Any]]:
    before, after = result.nodes
    if before is None or after is None:
        return []
    return [
        {
            "type": result.labels.get(name, name),
            "first": before.get(name, 0), "second": after.get(name, 0),
            "difference": after.get(name, 0) - before.get(name, 0),
        }
        for name in {**before, **after}
    ]  # fmt: skip


def _input_row(change: ValueChange) -> dict[str, Any]:
    unit = _unit(change.keys, "") if _is_number(change) else "text"
    return {"where": printable(".".join(change.keys[1:])), **_values(change, unit)}


def _row(result: DifferenceResult, change: ValueChange) -> dict[str, Any]:
    unit = _unit(change.keys, result.currency) if _is_number(change) else "text"
    return {"what": cell(_named(result, change.keys)), **_values(change, unit)}


def _is_number(change: ValueChange) -> bool:
    known = [value for value in (change.first, change.second) if value is not None]
    return all(map(is_number, known))


def _values(change: ValueChange, unit: str) -> dict[str, Any]:
    share = None
    if change.difference is not None and unit != "text":
        share = relative(float(change.first), float(change.second))
    first, second = (
        value if unit != "text" or value is None else printable(str(value))
        for value in (change.first, change.second)
    )
    return {
        "first": first, "second": second,
        "difference": None if unit == "text" else change.difference, "change": share,
        "unit": unit, "unit_of_change": unit,
    }  # fmt: skip


def _named(result: DifferenceResult, keys: Sequence[str]) -> Finding:
    """A result by its key, and the entry that it belongs to."""
    if tuple(keys[:3]) in (_PURCHASES, _PACKAGES) and len(keys) > len(_PURCHASES) + 1:
        of = result.labels.get(keys[3], keys[3])
    else:
        of = ".".join(keys[1:-1]) if keys[0] != "decision" else ""
    name = (printable(keys[-1]), "result")
    if of:
        return finding("reason", "value-of", value=name, of=(printable(of), "text"))
    return finding("reason", "value", value=name)


def _unit(keys: Sequence[str], currency: str) -> str:
    """The unit of a number, by its path and by the end of its key."""
    last = keys[-1]
    if keys[0] == "overprovisioning_gains":
        return "share"
    if last == "score":
        return "score"
    for ending, unit in _PHYSICAL.items():
        if last.endswith(ending):
            return unit
    if not currency or last in _NO_MONEY:
        return "value"
    if last in ("cost_per_core_hour", "per_core_hour") or last.startswith("cost_per_core_hour"):
        return f"price {currency}"
    of_plan = tuple(keys[:2]) == ("decision", "plan") and last in _MONEY_OF_PLAN
    of_plan |= tuple(keys[:3]) == _PACKAGES and last in ("total", "per_year")
    return f"money {currency}" if keys[0].startswith("cost") or of_plan else "value"
