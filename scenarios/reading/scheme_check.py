"""What an award scheme needs from the packages, and whether the points of people fit both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from scenarios.formatting import nearest, short
from scenarios.positions import KeyPath
from scenarios.reading.groups import entries, table_of


def scheme_faults(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Check a scheme, on data that may still be wrong in other ways."""
    if not isinstance(raw.get("scheme"), dict):
        return
    for key in ("lots", "packages"):
        if not entries(raw, key):
            yield ("scheme",), f"there are no {key} to judge; add [[{key}]]"
    yield from _lots(raw, table_of(raw, "scheme"))
    yield from _evaluations(raw, table_of(raw, "scheme"))


def _lots(raw: Mapping[str, Any], scheme: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Each criterion judges known lots, and each lot has one, also the one that decides."""
    known = [str(each.get("name")) for each in entries(raw, "lots")]
    judged: dict[str, list[str]] = {lot: [] for lot in known}
    for index, each in enumerate(entries(scheme, "criteria")):
        lots = each.get("lots")
        for lot in lots if isinstance(lots, list) else ():
            if isinstance(lot, str) and lot not in judged:
                message = f"there is no lot {short(lot)}; {nearest(lot, known)}"
                yield ("scheme", "criteria", index, "lots"), message
        for lot in lots or known if lots is None or isinstance(lots, list) else ():
            judged.get(str(lot), []).append(str(each.get("name")))
    decides = scheme.get("decides")
    for lot, names in judged.items():
        if not names:
            yield ("scheme",), f"no criterion judges lot {short(lot)}; add one, or extend its lots"
        elif isinstance(decides, str) and decides not in (*names, "points"):
            yield ("scheme", "decides"), f"{short(decides)} does not judge lot {short(lot)}"


def _evaluations(
    raw: Mapping[str, Any], scheme: Mapping[str, Any]
) -> Iterator[tuple[KeyPath, str]]:
    packages = [str(each.get("name")) for each in entries(raw, "packages")]
    most = {
        str(each.get("name")): each.get("points")
        for each in entries(scheme, "criteria")
        if each.get("value_from") == "people"
    }
    seen: dict[tuple[Any, ...], str] = {}
    for index, row in enumerate(entries(scheme, "evaluations")):
        where: KeyPath = ("scheme", "evaluations", index)
        package, criterion = row.get("package"), row.get("criterion")
        if isinstance(package, str) and package not in packages:
            message = f"there is no package {short(package)}; {nearest(package, packages)}"
            yield (*where, "package"), message
        if isinstance(criterion, str) and criterion not in most:
            message = f"{short(criterion)} is not a criterion whose points people give"
            yield (*where, "criterion"), f"{message}; {nearest(criterion, [*most])}"
        limit, points = most.get(str(criterion)), row.get("points")
        if _is_number(points) and _is_number(limit) and not 0 <= points <= limit:
            message = f"{points:g} points are outside 0 to {limit:g}, those of {short(criterion)}"
            yield (*where, "points"), f"{message}; correct them"
        key = (package, criterion, row.get("evaluator"))
        if key in seen:
            message = f"a second row of evaluator {short(row.get('evaluator'))} for the same"
            remedy = f"the first is {seen[key]}; delete one of them"
            yield (*where, "evaluator"), f"{message} package and criterion; {remedy}"
        else:
            seen[key] = str(row.get("origin") or f"entry {index + 1}")


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
