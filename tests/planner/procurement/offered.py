"""Small tenders whose workloads have their performance from figures of packages.

The same tender is written again without such figures: every package has node types of its own, and
every figure is a table of figures of merit by cap, worked out here.
"""

from __future__ import annotations

import copy

import numpy as np

from tests.planner.procurement.catalogues import Document
from tests.planner.procurement.tenders import tender

BASES = ("committed", "measured", "projected")


def offered_tender(seed: int) -> Document:
    """A tender of which some workloads run on figures of packages alone."""
    rng = np.random.default_rng([23, seed])
    raw = tender(seed)
    raw["procurement"]["use"] = "committed" if rng.random() < 0.4 else "all"
    for package in raw["packages"]:
        _one_type(package)
    rates = [each for each in raw["workloads"] if "rating" not in each]
    for workload in rates[: int(rng.integers(1, len(rates) + 1))]:
        model: Document = {"kind": "offered", "reference_figure_of_merit": 2.5}
        if rng.random() < 0.6:
            model |= {"clock_bound": float(rng.integers(0, 11)) / 10}
        if "clock_bound" in model and rng.random() < 0.5:
            model["power_intensity"] = 0.75
        if rng.random() < 0.3:
            model["figure"] = "HPL"
        workload["performance"] = model
        workload["kinds"] = [["cpu"], ["gpu"], []][
            int(rng.integers(3)) if rng.random() < 0.3 else 2
        ]
    names = {figure_name(each) for each in rates if each["performance"]["kind"] == "offered"}
    for package in raw["packages"]:
        package["figures"] = [
            {"name": name, "value": float(rng.integers(1, 80)) / 10, "basis": basis, "nodes": 1}
            for name in sorted(names)
            for basis in BASES
            if rng.random() < 0.6
        ]
    return raw


def figure_name(workload: Document) -> str:
    return str(workload["performance"].get("figure", workload["name"]))


def _one_type(package: Document) -> None:
    """A package with one line of nodes at most, and what follows it."""
    nodes = [line for line in package["lines"] if line["kind"] == "node"]
    for extra in nodes[1:]:
        package["lines"] = [
            line
            for line in package["lines"]
            if line is not extra and line.get("per") != f"node:{extra['name']}"
        ]


def as_tables(raw: Document) -> Document:
    """The same tender with tables of figures of merit; ``None`` rows mean that nothing runs."""
    plain = copy.deepcopy(raw)
    types = {entry["name"]: entry for entry in plain["node_types"]}
    used = plain["procurement"].pop("use")
    sold: list[Document] = []
    copies: dict[str, list[str]] = {name: [] for name in types}
    rows: dict[str, list[Document]] = {each["name"]: [] for each in plain["workloads"]}
    for package in plain["packages"]:
        figures = package.pop("figures")
        for line in package["lines"]:
            if line["kind"] == "node":
                own = types[line["name"]] | {"name": f"{line['name']}-{package['name']}"}
                sold.append(own)
                copies[line["name"]].append(own["name"])
                _rename(package, line["name"], own["name"])
                for workload in plain["workloads"]:
                    if workload["performance"]["kind"] == "offered":
                        value = _stated(figures, figure_name(workload), used)
                        if value is not None:
                            merit = value / line["quantity"]
                            rows[workload["name"]] += _by_cap(workload["performance"], own, merit)
    plain["node_types"] = [t for t in types.values() if not copies[t["name"]]] + sold
    for workload in plain["workloads"]:
        model = workload["performance"]
        if model["kind"] == "offered":
            workload["performance"] = {
                "kind": "table", "rows": rows[workload["name"]],
                "reference_figure_of_merit": model["reference_figure_of_merit"],
            }  # fmt: skip
        elif model["kind"] == "table":
            model["rows"] = [
                row | {"node_type": name}
                for row in model["rows"]
                for name in copies[row["node_type"]] or [row["node_type"]]
            ]
        elif model["kind"] == "times":
            model["runs"] = [
                run | {"time": run["time"] | {"node_type": name}}
                for run in model["runs"]
                for name in copies[run["time"]["node_type"]] or [run["time"]["node_type"]]
            ]
    return plain


def _rename(package: Document, old: str, new: str) -> None:
    for line in package["lines"]:
        if line.get("name") == old and line["kind"] == "node":
            line["name"] = new
        if line.get("per") == f"node:{old}":
            line["per"] = f"node:{new}"


def _stated(figures: list[Document], name: str, used: str) -> float | None:
    for basis in BASES[:1] if used == "committed" else BASES:
        for figure in figures:
            if (figure["name"], figure["basis"]) == (name, basis):
                return float(figure["value"])
    return None


def _by_cap(model: Document, node: Document, merit: float) -> list[Document]:
    """Rows of one node type: all caps where the clock is known, else the highest one."""
    caps: list[float | None] = list(node["package_caps_w"]) or [None]
    share = model.get("clock_bound")
    if share is None:
        return [{"node_type": node["name"], "cap_w": caps[-1], "figure_of_merit": merit}]
    rows = []
    for cap in caps:
        allowed = node["peak_w"] - (0.0 if cap is None else caps[-1] - cap)  # type: ignore[operator]
        span = model.get("power_intensity", 1.0) * (node["peak_w"] - node["idle_w"])
        clock = min(1.0, max(0.0, (allowed - node["idle_w"]) / span)) ** (
            1 / node["clock_exponent"]
        )
        if clock > 0:
            rows.append({
                "node_type": node["name"], "cap_w": cap,
                "figure_of_merit": merit / (share / clock + 1 - share),
                "drawn_w": min(allowed, node["idle_w"] + span),
            })  # fmt: skip
    return rows
