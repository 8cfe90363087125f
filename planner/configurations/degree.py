"""How far to overprovision: the best time over the number of nodes, and where more stop paying.

References
----------
Thesis, section 4.2: at a fixed power bound the best configuration of every node count; the degree
of overprovisioning is the number of nodes over that of absolute worst-case provisioning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.configurations.selection import Bound, allowed
from planner.configurations.table import Configuration, ConfigurationTable
from planner.errors import InputError
from scenarios.measurements.runs import Floats, Indices
from solvers.portable import exp, log

_LARGEST_WEIGHT = 1e9
LEAST_GAIN_PER_NODE = 0.01
"""Below this share of run time saved per node added, more nodes are said to stop paying."""

_ROUNDING = 1e-13
"""Tolerance for rounding: a saving of exactly ``least_gain`` per node still pays."""


@dataclass(frozen=True, eq=False)
class NodeCurve:
    """Best time over the node count at one bound.

    Attributes
    ----------
    name
        An application, or the mix.
    bound_w
        Power bound [W].
    nodes
        Node counts at which a configuration keeps to the bound, ascending, shape ``(counts,)``.
    time_s
        Best time with exactly this number of nodes [s]. For a mix: the weighted geometric mean
        relative to the fewest nodes that serve all applications, without unit.
    at_most_s
        Best time with at most this number of nodes: what a machine of that size offers.
    best
        The configuration behind each ``time_s``; empty for a mix.
    """

    name: str
    bound_w: float
    nodes: Indices
    time_s: Floats
    best: tuple[Configuration, ...] = ()

    @property
    def at_most_s(self) -> Floats:
        """Return the best time with at most each number of nodes [s]."""
        return np.minimum.accumulate(self.time_s)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row per node count, for JSON."""
        names = ("time_s", "at_most_s") if self.best else ("relative_time", "relative_at_most")
        rows = zip(self.nodes.tolist(), self.time_s.tolist(), self.at_most_s.tolist(), strict=True)
        plain = [{"nodes": n, names[0]: t, names[1]: m} for n, t, m in rows]
        for row, configuration in zip(plain, self.best, strict=bool(self.best)):
            row |= {
                k: v for k, v in configuration.to_dict().items() if k not in ("nodes", "time_s")
            }
        return plain


def node_curve(table: ConfigurationTable, bound: Bound) -> NodeCurve:
    """Find the best configuration within the bound at every measured node count.

    Raises
    ------
    PlanError
        No configuration keeps to the bound.
    """
    inside = allowed(table, bound)
    order = inside[np.argsort(table.nodes[inside], kind="stable")]  # the fastest of each first
    nodes, first = np.unique(table.nodes[order], return_index=True)
    chosen = order[first]
    rows = table.rows(chosen)
    return NodeCurve(table.application, bound.bound_w, nodes, table.time_s[chosen], rows)


def mix_curve(curves: Sequence[NodeCurve], weights: Mapping[str, float]) -> NodeCurve:
    """Average the applications' times (weighted geometric mean), relative to the fewest nodes.

    What a machine of ``n`` nodes offers to each application counts (``at_most_s``), at the node
    counts at which every application has some configuration; the smallest of these is the
    reference.

    Raises
    ------
    InputError
        A weight is missing, negative, or all are nought.
    PlanError
        No node count serves all.
    """
    names = [curve.name for curve in curves]
    own = {name: weight for name, weight in weights.items() if name in names}
    check_weights(own, names)
    shares = np.array([own.get(name, 1.0) for name in names])
    shares = shares / shares.sum()
    first = max(int(curve.nodes[0]) for curve in curves)
    nodes = np.unique(np.concatenate([curve.nodes for curve in curves]))
    nodes = nodes[nodes >= first]
    logs = np.zeros(len(nodes))
    for share, curve in zip(shares, curves, strict=True):
        indices = np.searchsorted(curve.nodes, nodes, side="right") - 1
        times = curve.at_most_s[indices]
        logs += share * log(times / times[0])
    return NodeCurve("mix", curves[0].bound_w, nodes, exp(logs))


def check_weights(weights: Mapping[str, float], names: Sequence[str]) -> None:
    """Refuse weights that do not define a mix of these applications.

    Raises
    ------
    InputError
        A weight is of another application, negative or not finite, or all are 0.
    """
    for name, value in weights.items():
        if name not in names:
            raise InputError(
                f"--weight names {name}, which is not selected; select it with -A or drop it"
            )
        if not 0 <= value <= _LARGEST_WEIGHT:
            raise InputError(f"the weight of {name} is {value:g}; give 0 to {_LARGEST_WEIGHT:g}")
    if names and not any(weights.get(name, 1.0) for name in names):
        raise InputError("all weights of the mix are 0; give at least one above 0")


@dataclass(frozen=True)
class Degree:
    """How many nodes to buy for a bound, by three readings.

    Attributes
    ----------
    name, bound_w
        Name and power bound of the curve.
    worst_case_nodes
        Nodes that fit by rating: the reference of the degree.
    fastest_nodes
        The fewest nodes with the least time.
    marginal_nodes
        The fewest nodes from which no larger machine saves ``least_gain`` of the run time per
        node added.
    money_nodes
        The nodes at which time x money is least; ``None`` where no prices were given.
    least_gain
        The share given.
    largest_nodes
        The most nodes at which something keeps to the bound.
    """

    name: str
    bound_w: float
    worst_case_nodes: int
    fastest_nodes: int
    marginal_nodes: int
    money_nodes: int | None
    least_gain: float
    largest_nodes: int

    def degree(self, nodes: int) -> float | None:
        """Return nodes over those of worst-case provisioning; ``None`` if that has none."""
        return nodes / self.worst_case_nodes if self.worst_case_nodes else None

    @property
    def fastest_pays(self) -> bool:
        """Whether the largest measured count is the fastest, and its last nodes still pay."""
        return self.fastest_nodes == self.largest_nodes == self.marginal_nodes

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "name": self.name,
            "bound_w": self.bound_w,
            "worst_case_nodes": self.worst_case_nodes,
            "fastest_nodes": self.fastest_nodes,
            "fastest_degree": self.degree(self.fastest_nodes),
            "marginal_nodes": self.marginal_nodes,
            "marginal_degree": self.degree(self.marginal_nodes),
            "money_nodes": self.money_nodes,
            "least_gain_per_node": self.least_gain,
            "largest_nodes": self.largest_nodes,
        }


def degree(
    curve: NodeCurve,
    worst_case_nodes: int,
    *,
    least_gain: float = LEAST_GAIN_PER_NODE,
    fixed_cost_nodes: float | None = None,
) -> Degree:
    """Read the number of nodes off a curve.

    Parameters
    ----------
    curve
        Best time over node count.
    worst_case_nodes
        Node count of :func:`planner.configurations.provisioning.worst_case`.
    least_gain
        Share of run time that a node added must save to count as paying.
    fixed_cost_nodes
        What the machine costs without its nodes (feed, building, storage), in prices of one node.
        The money per result is ``(fixed_cost_nodes + nodes) x time``; ``None``: no prices.

    Notes
    -----
    The marginal knee asks for the saving of every larger machine, not of the next measured one
    alone: times over node counts are not smooth, and one flat step must not end the search.
    """
    nodes, times = curve.nodes, curve.at_most_s
    fastest = int(nodes[int(np.argmin(times))])
    marginal = fastest
    for index in range(len(nodes) - 1):
        saved = 1 - times[index + 1 :] / times[index]
        added = nodes[index + 1 :] - nodes[index]
        if (saved < least_gain * added - _ROUNDING).all():
            marginal = int(nodes[index])
            break
    money = None
    if fixed_cost_nodes is not None:
        if not 0 <= fixed_cost_nodes < np.inf:
            raise InputError(f"the fixed cost is {fixed_cost_nodes:g} nodes; give 0 or more")
        money = int(nodes[int(np.argmin((fixed_cost_nodes + nodes) * times))])
    return Degree(
        curve.name,
        curve.bound_w,
        worst_case_nodes,
        fastest,
        marginal,
        money,
        least_gain,
        int(nodes[-1]),
    )


@dataclass(frozen=True)
class LineFit:
    """A straight line through best time over node count, as the cost model takes it.

    ``slope_s_per_node`` and ``intercept_s`` by least squares over ``from_nodes`` to ``to_nodes``;
    ``largest_error`` is the largest distance of a point from the line, over its own time. Two
    ``points`` always lie on a line.
    """

    bound_w: float
    from_nodes: int
    to_nodes: int
    slope_s_per_node: float
    intercept_s: float
    largest_error: float
    points: int


def line_fit(curve: NodeCurve, from_nodes: int) -> LineFit | None:
    """Fit a line from a node count on; ``None`` with fewer than two points.

    References
    ----------
    Thesis, section 4.4.3: ``t(n) = m n + c``, its coefficients said to differ by less than 2 %
    between bounds.
    """
    inside = curve.nodes >= from_nodes
    nodes, times = curve.nodes[inside], curve.time_s[inside]
    if len(nodes) < 2:
        return None
    apart = nodes - nodes.mean()
    slope = (apart * (times - times.mean())).sum() / (apart * apart).sum()
    intercept = times.mean() - slope * nodes.mean()
    error = float(np.abs((slope * nodes + intercept) / times - 1).max())
    ends = int(nodes[0]), int(nodes[-1])
    return LineFit(curve.bound_w, *ends, float(slope), float(intercept), error, len(nodes))
