"""What is wrong or doubtful between the rows of a table of measurements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import Fault
from scenarios.measurements.runs import Floats, Indices, Runs
from scenarios.measurements.table import MOST_FAULTS, RunTable
from scenarios.remark import Remark, remark

MOST_SOCKETS = 8
"""Most sockets of one node, if nothing says how many there are."""

LEAST_NODE_W = 5.0
"""Least plausible power of a node; a lower number is one socket's, or one node's of many."""

_WIDER, _LEAST_GROWTH = 1.5, 0.35
_MOST_LONE = 5
"""Applications that may have one run each."""
_CONFIGURATION = ("nodes", "cores_per_node", "package_cap_w")
_MEASURED = ("time_s", "package_power_w", "dram_power_w")


def repeated_faults(
    table: RunTable, names: Sequence[str], which: Indices, values: Mapping[str, Floats]
) -> list[Fault]:
    """Return an error for each repetition that occurs twice, with both lines."""
    order, same = _sorted(which, values, (*_CONFIGURATION, "repetition"))
    faults = []
    for before, run in _pairs(order, same):
        row = described(names[which[run]], values, run)
        message = (
            f"repetition {values['repetition'][run]:g} of {row} is already in "
            f"{table.position(before)}"
            "; number the repetitions, or delete one row"
        )
        faults.append(table.fault(run, "repetition", message))
    return faults


def numbered(
    table: RunTable, names: Sequence[str], which: Indices, values: Mapping[str, Floats]
) -> tuple[Indices, list[Fault]]:
    """Number the runs of each configuration in the order of the file.

    Without a column of repetitions, two rows that are wholly equal are one that was copied.
    """
    order, same = _sorted(which, values, _CONFIGURATION)
    starts = np.flatnonzero(~same)
    lengths = np.diff(np.append(starts, len(order)))
    repetition = np.empty(len(order), dtype=np.int64)
    repetition[order] = np.arange(len(order)) - np.repeat(starts, lengths) + 1
    measured = tuple(name for name in _MEASURED if name in values)
    faults = []
    for before, run in _pairs(*_sorted(which, values, (*_CONFIGURATION, *measured))):
        row = described(names[which[run]], values, run)
        message = (
            f"{row} is already in {table.position(before)} with the same values; delete one row"
        )
        faults.append(table.fault(run, "time_s", f"{message}, or add a column repetition"))
    return repetition, faults


def _sorted(
    which: Indices, values: Mapping[str, Floats], keys: Sequence[str]
) -> tuple[Indices, NDArray[np.bool_]]:
    """Order of the runs by application and keys, and whether each has the keys of the one before.

    Runs of equal keys stay in the order of the file.
    """
    columns = [which, *(values[key] for key in keys)]
    order = np.lexsort(columns[::-1]).astype(np.int64)
    same = np.zeros(len(order), dtype=np.bool_)
    same[1:] = np.all([column[order][1:] == column[order][:-1] for column in columns], axis=0)
    return order, same


def _pairs(order: Indices, same: NDArray[np.bool_]) -> list[tuple[int, int]]:
    later = np.flatnonzero(same)[: MOST_FAULTS + 1]
    return [(int(order[index - 1]), int(order[index])) for index in later]


def grouped(which: Indices, values: Mapping[str, Floats]) -> Indices:
    """Index of the configuration of each run: application, nodes, cores and cap."""
    order, same = _sorted(which, values, _CONFIGURATION)
    groups = np.empty(len(order), dtype=np.int64)
    groups[order] = np.cumsum(~same)
    return groups


def described(name: str, values: Mapping[str, Floats], run: int) -> str:
    """Return the configuration of a run in words."""
    nodes, cores, cap = (values[key][run] for key in _CONFIGURATION)
    return f"{name!r} on {nodes:g} nodes x {cores:g} cores at {cap:g} W"


def plausibility(
    table: RunTable, runs: Mapping[str, Runs], values: Mapping[str, Floats]
) -> Iterator[Remark]:
    """Remark on what was read and may not have been meant, or leaves a question open."""
    if "dram_power_w" not in values:
        yield remark("runs-packages-only")
    yield from _implausible_power(table, values)
    yield from _not_summed(runs)
    if _are_totals(values):
        yield remark("runs-total-cores")
    if len(runs) > _MOST_LONE and all(len(run) == 1 for run in runs.values()):
        yield remark("runs-lone", runs=(len(runs), "run"))


def _implausible_power(table: RunTable, values: Mapping[str, Floats]) -> tuple[Remark, ...]:
    """Remark on power that these nodes do not draw; of the first run the power that they may."""
    nodes, power = values["nodes"], values["package_power_w"]
    least_w, most_w = nodes * LEAST_NODE_W, nodes * MOST_SOCKETS * values["package_cap_w"]
    rows = np.flatnonzero((power < least_w) | (power > most_w))
    if not len(rows):
        return ()
    first = int(rows[0])
    return table.on_rows(
        "runs-power",
        [table.lines[run] for run in rows.tolist()],
        power=(float(power[first]), "W given"),
        nodes=(int(nodes[first]), "node"),
        plausible=((float(least_w[first]), float(most_w[first])), "interval:W given"),
    )


def _not_summed(runs: Mapping[str, Runs]) -> Iterator[Remark]:
    """Remark on power that does not grow with nodes: it is that of one node or one socket."""
    found = {
        name: grown for name, each in runs.items() if (grown := _without_growth(each)) is not None
    }
    if found:
        fewer, more = next(iter(found.values()))
        yield remark(
            "runs-power-flat",
            applications=(tuple(found), "text"),
            nodes=(fewer[0], "node"),
            power=(fewer[1], "W given"),
            more_nodes=(more[0], "node"),
            more_power=(more[1], "W given"),
        )


def _without_growth(runs: Runs) -> tuple[tuple[int, float], tuple[int, float]] | None:
    """Nodes and power of two runs, if power does not grow with the nodes.

    Over all pairs of neighbouring node counts with equal cores and cap, of which the larger count
    is at least half as large again: a sum grows nearly as the nodes do, seldom as their root.
    """
    order = np.lexsort((runs.nodes, runs.package_cap_w, runs.cores_per_node))
    nodes, power = runs.nodes[order], runs.package_power_w[order]
    alike = (np.diff(runs.cores_per_node[order]) == 0) & (np.diff(runs.package_cap_w[order]) == 0)
    pairs = np.flatnonzero(alike & (nodes[1:] >= _WIDER * nodes[:-1]))
    if not len(pairs):
        return None
    growth = np.log(power[pairs + 1] / power[pairs]) / np.log(nodes[pairs + 1] / nodes[pairs])
    if float(np.median(growth)) > _LEAST_GROWTH:
        return None
    first = int(pairs[0])
    fewer, more = ((int(nodes[at]), float(power[at])) for at in (first, first + 1))
    return fewer, more


def _are_totals(values: Mapping[str, Floats]) -> bool:
    """Whether the cores seem to be those of all nodes: they grow with these."""
    nodes, cores = values["nodes"], values["cores_per_node"]
    quotient, rest = np.divmod(cores, nodes)
    few = len(np.unique(quotient)) < len(np.unique(cores))
    return len(np.unique(nodes)) > 2 and not rest.any() and few
