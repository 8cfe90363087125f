"""What the proposed mapping of a layout reads, compared with what the layout states."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scenarios.model.quote_fields import short_name
from scenarios.proposal.proposal import propose
from scenarios.proposal.understood import understood
from tests.scenarios.proposal.layouts import FIELDS

_TOLERANCE = 1e-6


def lines_to_correct(path: Path, truth: Mapping[str, Mapping[str, Any]], vendor: str) -> list[str]:
    """Fields that a person would have to correct in the proposed file; each is one line of it.

    A wrong set of node types counts as every field of theirs.
    """
    proposal = propose([path], path.parent)
    found: dict[str, dict[str, Any]] = {}
    for each in understood(proposal.mappings, path.parent, "quotes.toml").values:
        found.setdefault(each.node_type, {})[each.field] = each.value
    wanted = {short_name(name): dict(facts) for name, facts in truth.items()}
    for facts in wanted.values():
        facts.setdefault("vendor", vendor)
        facts.pop("part_number", None)
    fields = {field for facts in wanted.values() for field in facts}
    if found.keys() != wanted.keys():
        return ["rows", *sorted(fields)]
    extra = {field for facts in found.values() for field in facts} & set(FIELDS) - fields
    stated_by_notes = {"valid_until", "lead_weeks"}
    wrong = sorted(extra - stated_by_notes)
    for field in sorted(fields):
        pairs = ((found[name].get(field), facts.get(field)) for name, facts in wanted.items())
        if not all(_same(value, true) for value, true in pairs if true is not None):
            wrong.append(field)
    return wrong


def _same(value: Any, true: Any) -> bool:
    if isinstance(true, int | float) and isinstance(value, int | float):
        return abs(value - true) <= _TOLERANCE * max(1.0, abs(true))
    if isinstance(true, list) and isinstance(true[0], tuple | list):
        stated = [(each["from_quantity"], each["fraction"]) for each in value or ()]
        return len(stated) == len(true) and all(
            start == first and abs(share - part) < _TOLERANCE
            for (start, share), (first, part) in zip(stated, true, strict=True)
        )
    return bool(value == true)
