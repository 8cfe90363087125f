"""Node types named as a vendor's sheet names them, where a scenario or a table refers to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.formatting import entries
from scenarios.model.quote_fields import short_name


def settle_names(raw: Mapping[str, Any]) -> None:
    """Replace ``NL Zen`` by ``NL-Zen`` where a quote got this name from that cell's text.

    A name that is some node type's own stays as it is; so does one that fits none.
    """
    types = entries(raw, "node_types")
    known = {entry.get("name") for entry in types if isinstance(entry.get("name"), str)}
    quoted = {entry.get("name") for entry in types if "origin" in entry} & known
    for holder in _referring(raw):
        given = holder.get("node_type")
        if isinstance(given, str) and given not in known and short_name(given) in quoted:
            holder["node_type"] = short_name(given)


def _referring(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for workload in entries(raw, "workloads"):
        model = workload.get("performance")
        if isinstance(model, dict):
            yield from entries(model, "rows")
            runs = (run.get("time") for run in entries(model, "runs"))
            yield from (time for time in runs if isinstance(time, dict))
