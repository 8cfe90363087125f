"""What is wrong or doubtful between the rows of a table of measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import Fault
from scenarios.measurements.runs import Floats, Indices, Runs
from scenarios.measurements.table import MOST_FAULTS, RunTable

MOST_SOCKETS = 8
"""Most sockets of one node, if nothing says how many there are."""

LEAST_NODE_W = 5.0
"""Least plausible power of a node; a lower number is one socket's, or one node's of many."""

_WIDER, _LEAST_GROWTH = 1.5, 0.35
_MOST_LISTED = 5
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


def plausibility_warnings(
    table: RunTable, runs: Mapping[str, Runs], values: Mapping[str, Floats]
) -> list[str]:
    """Return what was read and may not have been meant, or leaves a question open."""
    warnings = []
    if "dram_power_w" not in values:
        warnings.append("the column dram_power_w is missing or blank: power is that of packages")
    nodes, power = values["nodes"], values["package_power_w"]
    least_w = nodes * LEAST_NODE_W
    warnings += _outliers(
        table,
        np.flatnonzero(power < least_w),
        lambda run: (
            f"package_power_w = {power[run]:g} W on {nodes[run]:g} nodes is less than "
            f"{LEAST_NODE_W:g} W per node; is it the power of one socket or node? give the sum "
            "over all sockets of all nodes"
        ),
    )
    most_w = nodes * MOST_SOCKETS * values["package_cap_w"]
    warnings += _outliers(
        table,
        np.flatnonzero(power > most_w),
        lambda run: (
            f"package_power_w = {power[run]:g} W is more than {nodes[run]:g} nodes of "
            f"{MOST_SOCKETS} sockets draw at a cap of {values['package_cap_w'][run]:g} W; check "
            "the units of power and cap"
        ),
    )
    warnings += [warning for run in runs.values() for warning in _not_summed(run)]
    return [*warnings, *_total_cores(values), *_lone_runs(runs)]


def _not_summed(runs: Runs) -> list[str]:
    """Return whether power does not grow with the nodes: it is that of one node or one socket.

    Over all pairs of neighbouring node counts with equal cores and cap, of which the larger count
    is at least half as large again: a sum grows nearly as the nodes do, seldom as their root.
    """
    order = np.lexsort((runs.nodes, runs.package_cap_w, runs.cores_per_node))
    nodes, power = runs.nodes[order], runs.package_power_w[order]
    alike = (np.diff(runs.cores_per_node[order]) == 0) & (np.diff(runs.package_cap_w[order]) == 0)
    pairs = np.flatnonzero(alike & (nodes[1:] >= _WIDER * nodes[:-1]))
    if not len(pairs):
        return []
    growth = np.log(power[pairs + 1] / power[pairs]) / np.log(nodes[pairs + 1] / nodes[pairs])
    if float(np.median(growth)) > _LEAST_GROWTH:
        return []
    first = int(pairs[0])
    message = (
        f"package_power_w of {runs.application!r} does not grow with nodes ({power[first]:g} W on "
        f"{nodes[first]:g}, {power[first + 1]:g} W on {nodes[first + 1]:g}); is it the power of "
        "one node or socket? give the sum over all sockets of all nodes"
    )
    return [message]


def commented(table: RunTable) -> str:
    """Say which rows were left out as comments though they look like runs; empty if none were."""
    if not table.commented:
        return ""
    first, *others = map(table.line_position, table.commented[: 1 + _MOST_LISTED])
    more = len(table.commented) - 1 - len(others)
    alike = f" (as do {', '.join(others)}{f', and {more} more' if more else ''})" if others else ""
    quotes = " or put it in quotation marks" if table.delimiter else ""
    return (
        f"{first} begins with #{alike} and was ignored as a comment, but looks like a run; if it "
        f"is one, change its first cell{quotes}"
    )


def _outliers(table: RunTable, rows: Indices, message: Callable[[int], str]) -> list[str]:
    if not len(rows):
        return []
    others = [table.position(int(run)) for run in rows[1 : 1 + _MOST_LISTED]]
    more = f", and {len(rows) - 1 - len(others)} more" if len(rows) > 1 + len(others) else ""
    alike = f" (as in {', '.join(others)}{more})" if others else ""
    return [f"{table.position(int(rows[0]))}: {message(int(rows[0]))}{alike}"]


def _total_cores(values: Mapping[str, Floats]) -> list[str]:
    """Return whether the cores seem to be those of all nodes: they grow with these."""
    nodes, cores = values["nodes"], values["cores_per_node"]
    quotient, rest = np.divmod(cores, nodes)
    few = len(np.unique(quotient)) < len(np.unique(cores))
    if len(np.unique(nodes)) < 3 or rest.any() or not few:
        return []
    return ["cores_per_node grows with nodes in all rows; give the cores of one node, not of all"]


def _lone_runs(runs: Mapping[str, Runs]) -> list[str]:
    """Return whether numbers of jobs were taken for applications."""
    if len(runs) > _MOST_LISTED and all(len(run) == 1 for run in runs.values()):
        return ["each run is an application of its own; is job_id the number of a job?"]
    return []
