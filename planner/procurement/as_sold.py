"""Node types as they are sold: those of packages at the prices and terms of their lines.

A node type that several packages offer becomes one node type for each of them, named
``TYPE.PACKAGE``. What is measured on the type counts for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scenarios.model.node_types import NodeType
from scenarios.model.procurement import MeasuredTimes, Merits
from scenarios.model.scenario import Scenario, Workload
from scenarios.model.tender import Package, PackageLine
from scenarios.package_bill import exact, to_budget

_LONGEST_NAME, _LONGEST_LABEL = 64, 120

Names = Mapping[str, Mapping[str, str]]
"""Name of a node type as it is sold, by its own name and the name of the package."""


def as_sold(scenario: Scenario) -> Scenario:
    """The scenario with node types as they are sold; the same one where there is no package.

    It is a scenario of the same meaning: nothing changes if this is done twice.
    """
    if not scenario.packages:
        return scenario
    names = _names(scenario)
    types = [each for each in scenario.node_types if each.name not in names]
    types += [
        _sold(scenario.node_type(line.name or ""), package, line, names)
        for package in scenario.packages
        for line in package.node_lines
    ]
    return scenario.model_copy(
        update={
            "node_types": tuple(types),
            "packages": tuple(_renamed(package, names) for package in scenario.packages),
            "workloads": tuple(_measured(workload, names) for workload in scenario.workloads),
        }
    )


def _names(scenario: Scenario) -> dict[str, dict[str, str]]:
    used: dict[str, list[str]] = {}
    for package in scenario.packages:
        for line in package.node_lines:
            used.setdefault(line.name or "", []).append(package.name)
    taken = {each.name for each in scenario.node_types} | {each.name for each in scenario.packages}
    names: dict[str, dict[str, str]] = {}
    for name, packages in used.items():
        names[name] = dict.fromkeys(packages, name)
        for package_name in packages if len(packages) > 1 else ():
            sold = f"{name}.{package_name}"[:_LONGEST_NAME]
            number = 1
            while sold in taken:
                number += 1
                sold = f"{name}.{package_name}"[: _LONGEST_NAME - 4] + f"-{number}"
            taken.add(sold)
            names[name][package_name] = sold
    return names


def _sold(node_type: NodeType, package: Package, line: PackageLine, names: Names) -> NodeType:
    name = names[node_type.name][package.name]
    least, most = package.limits(line)
    change: dict[str, Any] = {
        "name": name,
        "price": float(exact(line.price) * to_budget(package)),
        "vendor": package.vendor,
        "as_bid_quantity": int(line.quantity),
        "discounts": (),
        "minimum_quantity": max(1, least),
        "maximum_quantity": most,
    }
    if package.delivery_weeks is not None:
        change["lead_weeks"] = package.delivery_weeks
    if name != node_type.name:
        change["label"] = f"{node_type.title} ({package.title})"[:_LONGEST_LABEL]
    return node_type.model_copy(update=change)


def _renamed(package: Package, names: Names) -> Package:
    return package.model_copy(
        update={"lines": tuple(_line(line, package.name, names) for line in package.lines)}
    )


def _line(line: PackageLine, package: str, names: Names) -> PackageLine:
    if line.kind == "node":
        return line.model_copy(update={"name": names[line.name or ""][package]})
    kind, _, followed = (line.per or "").partition(":")
    if kind == "node" and package in names.get(followed, {}):
        return line.model_copy(update={"per": f"node:{names[followed][package]}"})
    return line


def _measured(workload: Workload, names: Names) -> Workload:
    """What is measured on a node type, for each of the types that are sold of it."""
    model = workload.performance
    if isinstance(model, Merits):
        rows = tuple(
            row.model_copy(update={"node_type": name})
            for row in model.rows
            for name in _every(row.node_type, names)
        )
        return workload.model_copy(update={"performance": model.model_copy(update={"rows": rows})})
    if isinstance(model, MeasuredTimes):
        runs = tuple(
            run.model_copy(update={"time": run.time.model_copy(update={"node_type": name})})
            for run in model.runs
            for name in _every(run.time.node_type, names)
        )
        return workload.model_copy(update={"performance": model.model_copy(update={"runs": runs})})
    return workload


def _every(name: str, names: Names) -> Iterator[str]:
    sold: Iterable[str] = names[name].values() if name in names else (name,)
    yield from dict.fromkeys(sold)
