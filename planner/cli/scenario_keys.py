"""Options that do not exist, but are keys of a scenario file: where the file has them."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

from planner.formatting import words

_MAIN = {"budget": "capital", "power": "bound_w"}
"""The key that somebody means who names a table."""
_MOST = 3
_UNITS = (
    "s", "ms", "us", "h", "hours", "weeks", "w", "kw", "mw", "j",
    "kj", "wh", "kwh", "gb", "mb", "kb", "bytes", "gb_s", "su", "kg_co2e", "percent",
)  # fmt: skip
"""Units that the name of a value ends with."""


def place_of_key(option: str) -> str:
    """Say which key of a scenario file an option means; empty if none.

    Examples
    --------
    >>> place_of_key("--budget")
    'set capital in [budget] of the scenario file'
    >>> place_of_key("--power-bound"), place_of_key("--no-such-key")
    ('set bound_w in [power] of the scenario file', '')
    """
    name = option.lstrip("-").replace("-", "_").lower()
    tables = dict(_tables())
    places = _places(tables, name, unit=True)
    if not places and name in tables:
        keys, many = tables[name]
        main = [key for key in keys if key == _MAIN.get(name)] or keys
        more = ", ..." if len(main) > _MOST else ""
        places = [f"{', '.join(main[:_MOST])}{more} in {_bracketed(name, many=many)}"]
    places = places or _places(tables, name, unit=False)
    if not places:
        return ""
    return f"set {words(places[:_MOST]).replace(' and ', ' or ')} of the scenario file"


def _places(tables: dict[str, tuple[list[str], bool]], name: str, *, unit: bool) -> list[str]:
    """Where a key is, called by itself or behind its table, with its unit or without it."""
    places = []
    for table, (keys, many) in tables.items():
        for key in keys:
            called = key if unit else key.removesuffix(f"_{_unit_of(key)}")
            if name in (called, f"{table}_{called}"):
                places.append(f"{key} in {_bracketed(table, many=many)}")
    return places


def _bracketed(table: str, *, many: bool) -> str:
    return f"[[{table}]]" if many else f"[{table}]"


def _tables() -> Iterator[tuple[str, tuple[list[str], bool]]]:
    """Yield every table of a scenario with its keys, and whether there may be several of it."""
    from scenarios.fields import Group
    from scenarios.model.scenario import Scenario

    for table, field in Scenario.model_fields.items():
        for kind, many in _kinds(field.annotation, many=False):
            if issubclass(kind, Group):
                yield table, ([key for key in kind.model_fields if key != "source"], many)


def _kinds(annotation: Any, *, many: bool) -> Iterator[tuple[type, bool]]:
    """Yield the classes that a type is made of, and whether it has several of them."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        yield annotation, many
    for part in typing.get_args(annotation):
        yield from _kinds(part, many=many or typing.get_origin(annotation) is tuple)


def _unit_of(key: str) -> str:
    """The unit that the name of a value ends with; empty if it has none.

    Examples
    --------
    >>> _unit_of("bound_w"), _unit_of("bandwidth_gb_s"), _unit_of("capital")
    ('w', 'gb_s', '')
    """
    endings = sorted(_UNITS, key=len, reverse=True)
    return next((unit for unit in endings if key.endswith(f"_{unit}")), "")
