"""The arrays of tables of a raw scenario, each found once for all checks between groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from scenarios.model.node_types import NodeType, whole_node_types

Model = TypeVar("Model", bound=BaseModel)
Rows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class Groups:
    """Raw values, and their arrays of tables; an array that is missing or wrong is empty.

    Attributes
    ----------
    raw
        All values, which may still be wrong in other ways.
    node_types, workloads, demands
        Arrays of the scenario itself.
    energy_prices, shares
        Arrays of ``budget`` and of ``requirements``.
    rows, runs
        Arrays of ``performance``, one list for each workload.
    schedule
        The group of this name; empty if it is not a table.
    occupied, applications, logs
        Arrays of ``schedule``.
    jobs
        One list for each of ``logs``.
    """

    raw: Mapping[str, Any]
    node_types: Rows
    workloads: Rows
    demands: Rows
    energy_prices: Rows
    shares: Rows
    rows: list[Rows]
    runs: list[Rows]
    schedule: Mapping[str, Any]
    occupied: Rows
    applications: Rows
    logs: Rows
    jobs: list[Rows]

    @cached_property
    def whole_node_types(self) -> dict[str, NodeType]:
        """Node types without an error of their own, by name."""
        return whole_node_types(self.node_types)


def groups_of(raw: Mapping[str, Any]) -> Groups:
    """Find the arrays of tables in values that may be anything."""
    workloads, schedule = entries(raw, "workloads"), table_of(raw, "schedule")
    models, logs = [table_of(each, "performance") for each in workloads], entries(schedule, "logs")
    return Groups(
        raw=raw,
        node_types=entries(raw, "node_types"),
        workloads=workloads,
        demands=entries(raw, "demands"),
        energy_prices=entries(table_of(raw, "budget"), "energy_prices"),
        shares=entries(table_of(raw, "requirements"), "shares"),
        rows=[entries(model, "rows") for model in models],
        runs=[entries(model, "runs") for model in models],
        schedule=schedule,
        occupied=entries(schedule, "occupied"),
        applications=entries(schedule, "applications"),
        logs=logs,
        jobs=[entries(log, "jobs") for log in logs],
    )


def entries(raw: Mapping[str, Any], key: str) -> Rows:
    """Return the tables of an array of tables, on data that may be anything."""
    value = raw.get(key)
    if not isinstance(value, list):
        return []
    return [entry if isinstance(entry, dict) else {} for entry in value]


def texts_of(rows: Rows, key: str) -> list[str]:
    """Return the different texts that the tables of an array have under a key, in their order."""
    values = (entry.get(key) for entry in rows)
    return list(dict.fromkeys(value for value in values if isinstance(value, str)))


def whole(model: type[Model], given: Any) -> Model | None:
    """Return a value as its group; ``None`` if it has an error, which validation reports."""
    try:
        return model.model_validate(given)
    except ValidationError:
        return None


def table_of(raw: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a table on data that may be anything; one that is missing or wrong is empty."""
    value = raw.get(key)
    return value if isinstance(value, dict) else {}
