"""What one node of each type does under each cap: figures of merit, watts drawn, run times.

A *mode* is a node type under one package cap. Figures of merit are per node and relative to one
node of the reference machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planner.designs.run_time import run_time
from planner.errors import InputError
from scenarios.model.node_types import NodeType
from scenarios.model.procurement import (
    MeasuredTime,
    MeasuredTimes,
    Merits,
    Offered,
    Reference,
    Roofline,
)
from scenarios.model.scenario import Scenario, Workload
from scenarios.reading.drawn_check import drawn_fault
from solvers.portable import power

MOST_PARTITIONS = 2_000
"""A line is looked at node by node; beyond it, sizes must be listed."""
_NONE: Mapping[tuple[str, str], float] = MappingProxyType({})


@dataclass(frozen=True)
class Mode:
    """A node type under one package cap.

    Attributes
    ----------
    offer
        Index of the node type among those on offer.
    cap_w
        Package cap in watts; ``None`` where the type has none.
    node_w
        What a node may draw under it, in watts: every capped package at its cap, the rest as at
        the peak.
    """

    offer: int
    cap_w: float | None
    node_w: float


@dataclass(frozen=True)
class Running:
    """One workload on one node in one mode: relative figure of merit and watts drawn."""

    merit: float
    drawn_w: float


@dataclass(frozen=True)
class Partition:
    """One way to run a capability workload: on a number of nodes of one mode."""

    mode: int
    nodes: int
    time_s: float


def modes_of(offer: int, node_type: NodeType) -> list[Mode]:
    """Every permitted cap of one type, ascending; the last is the uncapped node."""
    peak_w = node_type.peak_w or 0.0
    caps = sorted(set(node_type.package_caps_w))
    if not caps:
        return [Mode(offer, None, peak_w)]
    return [Mode(offer, cap, node_type.capped_w(cap)) for cap in caps]


def clock_ratio(node_type: NodeType, intensity: float, node_w: float) -> float:
    """Clock under a cap over the full clock, from ``idle + u (peak - idle) r^e = node_w``."""
    idle_w, peak_w = node_type.idle_w or 0.0, node_type.peak_w or 0.0
    span = intensity * (peak_w - idle_w)
    if node_w >= idle_w + span:
        return 1.0
    return power(max(0.0, (node_w - idle_w) / span), 1 / node_type.clock_exponent)


def roofline(model: Roofline, node_type: NodeType, reference: Reference, node_w: float) -> Running:
    """Figure of merit and power of a roofline workload under a cap.

    Raises
    ------
    InputError
        A compute rate or bandwidth is missing.

    Examples
    --------
    >>> node = NodeType(name="a", idle_w=100.0, peak_w=500.0, compute_rate=8.0, bandwidth_gb_s=4.0)
    >>> ref = Reference(name="r", nodes=1, compute_rate=2.0, bandwidth_gb_s=2.0)
    >>> roofline(Roofline(kind="roofline", clock_bound=0.5), node, ref, 500.0)
    Running(merit=2.6666666666666665, drawn_w=500.0)
    """
    rates = (node_type.compute_rate, node_type.bandwidth_gb_s)
    base = (reference.compute_rate, reference.bandwidth_gb_s)
    if None in rates or None in base:
        message = (
            f"{node_type.name}: a roofline needs compute_rate and bandwidth_gb_s of the type and "
            "of [reference]; add them"
        )
        if node_type.compute_rate is None and "clock_ghz" in node_type.attributes:
            clock = f"clock_ghz = {node_type.attributes['clock_ghz']:g}"
            message += f" (the sheet states {clock}; cores and vector_bits give compute_rate)"
        raise InputError(message)
    compute, bandwidth = (b / r for b, r in zip(base, rates, strict=True) if b and r)
    share = model.clock_bound
    full = node_type.efficiency / (share * compute + (1 - share) * bandwidth)
    return _clocked(full, share, model.power_intensity, node_type, node_w)


def _clocked(
    full: float, share: float, intensity: float, node_type: NodeType, node_w: float
) -> Running:
    """A workload under a cap, of which a share of the run time scales with the clock."""
    ratio = clock_ratio(node_type, intensity, node_w)
    slowed = 1 / (share / ratio + 1 - share) if ratio > 0 else 0.0
    idle_w, peak_w = node_type.idle_w or 0.0, node_type.peak_w or 0.0
    drawn_w = min(node_w, idle_w + intensity * (peak_w - idle_w))
    return Running(full * slowed, drawn_w)


def running(
    workload: Workload,
    node_type: NodeType,
    mode: Mode,
    reference: Reference,
    offered: Mapping[tuple[str, str], float] = _NONE,
) -> Running | None:
    """One capacity workload on one node in one mode; ``None`` where it does not run.

    ``offered`` has the figure of merit of one node by the names of workload and node type, where
    packages state it.
    """
    model = workload.performance
    if model is None or (workload.kinds and node_type.kind not in workload.kinds):
        return None
    if isinstance(model, Offered):
        figure = offered.get((workload.name, node_type.name))
        return None if figure is None else _as_offered(model, figure, node_type, mode)
    if isinstance(model, Roofline):
        return roofline(model, node_type, reference, mode.node_w)
    if isinstance(model, Merits):
        return _tabled(model, node_type, mode)
    return _from_times(model, node_type, mode)


def _as_offered(model: Offered, figure: float, node_type: NodeType, mode: Mode) -> Running | None:
    """A workload whose figure of merit on one uncapped node a vendor states."""
    full = figure / model.reference_figure_of_merit
    if model.clock_bound is not None:
        return _clocked(full, model.clock_bound, model.power_intensity, node_type, mode.node_w)
    return Running(full, mode.node_w) if _same_cap(None, mode, node_type) else None


def may_run(
    workload: Workload, node_type: NodeType, offered: Mapping[tuple[str, str], float]
) -> bool:
    """Whether a workload has a performance on this type at all, under any cap."""
    model = workload.performance
    if isinstance(model, Offered):
        return (workload.name, node_type.name) in offered
    if model is None or (workload.kinds and node_type.kind not in workload.kinds):
        return False
    if isinstance(model, Roofline):
        return True
    rows = model.rows if isinstance(model, Merits) else [run.time for run in model.runs]
    return any(row.node_type == node_type.name for row in rows)


def _tabled(model: Merits, node_type: NodeType, mode: Mode) -> Running | None:
    for row in model.rows:
        if row.node_type == node_type.name and _same_cap(row.cap_w, mode, node_type):
            merit = row.figure_of_merit / model.reference_figure_of_merit
            return Running(merit, _drawn_w(node_type, mode, row.drawn_w))
    return None


def _drawn_w(node_type: NodeType, mode: Mode, stated_w: float | None) -> float:
    """Watts of a measured run: as stated, or all that the cap lets.

    Raises
    ------
    InputError
        Less than the idle node draws, or more than the cap lets.
    """
    if stated_w is None:
        return mode.node_w
    wrong = drawn_fault(stated_w, node_type, mode.cap_w)
    if wrong:
        raise InputError(wrong)
    return min(mode.node_w, stated_w)  # they may differ by rounding


def _from_times(model: MeasuredTimes, node_type: NodeType, mode: Mode) -> Running | None:
    """Jobs per node-second, on the partition that does most work per node."""
    from_times = [
        Running(
            model.reference_time_s * model.reference_nodes / (time_s * nodes),
            _drawn_w(node_type, mode, run.drawn_w),
        )
        for run, nodes, time_s in _timed(model, node_type, mode)
    ]
    return max(from_times, key=lambda rate: rate.merit, default=None)


def _timed(
    model: MeasuredTimes, node_type: NodeType, mode: Mode
) -> Iterator[tuple[MeasuredTime, int, float]]:
    """Every measured run of this type and cap, on every admissible partition."""
    for run in model.runs:
        if run.time.node_type != node_type.name or not _same_cap(run.cap_w, mode, node_type):
            continue
        low, high = run.time.measured_nodes
        if run.time.kind == "linear" and not model.partitions and high - low > MOST_PARTITIONS:
            raise InputError(
                f"a line over {low} to {high} nodes has more than {MOST_PARTITIONS:,} partition "
                "sizes; list the admissible ones in partitions"
            )
        table = run.time.nodes if run.time.kind == "table" else range(low, high + 1)
        for nodes in model.partitions or table:
            if low <= nodes <= high:
                yield run, nodes, run_time(run.time, nodes, "refuse").time_s


def _same_cap(cap_w: float | None, mode: Mode, node_type: NodeType) -> bool:
    largest = max(node_type.package_caps_w, default=None)
    return (largest if cap_w is None else cap_w) == mode.cap_w


def partitions(
    workload: Workload,
    node_types: tuple[NodeType, ...],
    modes: tuple[Mode, ...],
    reference: Reference,
) -> list[Partition]:
    """Every way to run a capability workload.

    A roofline's time on m nodes is ``t_ref (f + (1 - f)/m) / merit`` with serial fraction f.
    """
    model, options = workload.performance, []
    for mode_index, mode in enumerate(modes):
        node_type = node_types[mode.offer]
        if workload.kinds and node_type.kind not in workload.kinds:
            continue
        if isinstance(model, Roofline):
            merit = roofline(model, node_type, reference, mode.node_w).merit
            if merit <= 0:
                continue
            for nodes in model.partitions:
                scaled = model.serial_fraction + (1 - model.serial_fraction) / nodes
                options.append(
                    Partition(
                        mode_index, nodes, (model.reference_time_s or math.inf) * scaled / merit
                    )
                )
        elif isinstance(model, MeasuredTimes):
            options += [
                Partition(mode_index, nodes, time_s)
                for _, nodes, time_s in _timed(model, node_type, mode)
            ]
    return options


def reference_time_s(workload: Workload) -> float:
    """Time to solution on the reference machine, on its stated partition.

    Raises
    ------
    InputError
        The workload has no times.
    """
    model = workload.performance
    if isinstance(model, MeasuredTimes):
        return model.reference_time_s
    if isinstance(model, Roofline) and model.reference_time_s is not None:
        serial = model.serial_fraction
        return model.reference_time_s * (serial + (1 - serial) / max(model.partitions))
    raise InputError(f"{workload.name} has no time to solution; give reference_time_s")


def reference_partition(workload: Workload) -> int | None:
    """Nodes of the reference machine that the reference time is of; ``None`` without one."""
    model = workload.performance
    if isinstance(model, MeasuredTimes):
        return model.reference_nodes
    return max(model.partitions, default=None) if isinstance(model, Roofline) else None


def rated(scenario: Scenario, rating: str) -> list[Workload]:
    """The workloads of one rating that have a performance."""
    return [w for w in scenario.workloads if w.performance is not None and w.rating == rating]
