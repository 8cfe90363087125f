"""What it costs to put two tasks on different nodes.

Sets: pairs {i, j} that exchanged messages. Parameters: ``t_intra`` and ``t_inter``, the time of all
their messages if they share a node, and if they do not. A pair with t_intra > t_inter favours being
apart: its messages are faster over the network. A partition of tasks costs the sum of the costs
of the pairs that it parts.

References
----------
Power-aware MPI task aggregation, section IV, equation 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from planner.errors import InputError
from planner.finding import Finding, finding, risks_of
from planner.placement.message_times import PairTimes
from scenarios.communication.matrix import Communication, Floats, Integers
from solvers.partition.graph import Graph

Weight = Literal["bytes", "messages", "signed", "paper"]
WEIGHTS: tuple[Weight, ...] = get_args(Weight)

LEAST_DIFFERENCE_US = 1e-3
"""Below a nanosecond no ping-pong tells two times apart."""

MICROSECOND_S = 1e-6


@dataclass(frozen=True, eq=False)
class PairCosts:
    """Cost of parting each pair; pairs that are not here cost nothing.

    Attributes
    ----------
    weight
        Which of ``WEIGHTS``.
    unit
        Unit of the costs; empty where they have none.
    ranks, low, high
        As in ``PairTimes``.
    cost
        Cost of the pair on different nodes; below 0 only if ``signed``.
    findings
        What may mislead.
    """

    weight: Weight
    unit: str
    ranks: int
    low: Integers
    high: Integers
    cost: Floats
    findings: tuple[Finding, ...] = ()

    @cached_property
    def graph(self) -> Graph:
        """These costs as a graph of the ranks."""
        return Graph.from_edges(self.ranks, self.low, self.high, self.cost)


def by_bytes(communication: Communication) -> PairCosts:
    """Bytes of both directions.

    Returns
    -------
    PairCosts
        Bytes of each pair, shape ``(pairs,)``.
    """
    return _costs("bytes", "B", communication, communication.bytes)


def by_messages(communication: Communication) -> PairCosts:
    """Messages of both directions.

    Returns
    -------
    PairCosts
        Messages of each pair, shape ``(pairs,)``.

    Raises
    ------
    InputError
        They are not known.
    """
    if communication.messages is None:
        raise InputError(
            f"{communication.name} has no message counts; use --objective bytes, or give counts as "
            "a second "
            "matrix (--messages), a column of a list, or a profile"
        )
    messages = communication.messages
    return _costs("messages", "messages", communication, messages)


def signed(times: PairTimes) -> PairCosts:
    """What parting changes: ``w = t_inter - t_intra`` [us], below 0 where apart is better.

    The least sum of these is the true objective: the time of all messages but for a constant.

    Returns
    -------
    PairCosts
        Microseconds of each pair, shape ``(pairs,)``.
    """
    return PairCosts(
        "signed",
        "us",
        times.ranks,
        times.low,
        times.high,
        times.inter_us - times.intra_us,
        times.findings,
    )


def paper(
    times: PairTimes,
    tasks_per_node: int,
    *,
    unit_s: float = MICROSECOND_S,
    least_difference_us: float = LEAST_DIFFERENCE_US,
) -> PairCosts:
    """Costs that are never below 0, as published: ``1 / d`` apart, ``C + d`` together.

    With k tasks per node and d = ``|t_intra - t_inter|`` in one unit: ``1 / d`` where
    ``t_intra > t_inter``, otherwise ``C + d``. Here ``C = k^2 Delta``, and Delta is the largest of
    the former (0 where there is none). Two groups of k tasks have at most k^2 edges between them.
    So all edges between them that favour being apart cost at most C together, no more than one of
    the others.

    Departures: d is at least ``least_difference_us`` in ``1 / d``. Otherwise C could grow so large
    that rounding loses ``d`` in ``C + d``. The sum of 1/time and time has no unit, and which of two
    partitions costs less depends on the unit of time. So the unit is a parameter.

    Parameters
    ----------
    times
        Times of each pair.
    tasks_per_node
        k, at least 1.
    unit_s
        The unit of time in both terms [s], above 0; by default a microsecond.
    least_difference_us
        Floor of d in ``1 / d`` [us], above 0.

    Returns
    -------
    PairCosts
        Costs of each pair, shape ``(pairs,)``, in no unit.

    Raises
    ------
    InputError
        A parameter is outside its range.
    """
    for name, value in (("unit_s", unit_s), ("least_difference_us", least_difference_us)):
        if not 0 < value < np.inf:
            raise InputError(f"{name} = {value} is not above 0; give a time")
    if tasks_per_node < 1:
        raise InputError(f"tasks_per_node = {tasks_per_node} is below 1; give at least 1")
    in_unit = MICROSECOND_S / unit_s
    difference = np.abs(times.intra_us - times.inter_us)
    apart = times.apart
    inverse = 1.0 / (np.maximum(difference, least_difference_us) * in_unit)
    largest = float(tasks_per_node) ** 2 * float(inverse[apart].max(initial=0.0))
    together = largest + difference * in_unit
    cost = np.where(apart, inverse, together)
    floored = int(np.count_nonzero(apart & (difference < least_difference_us)))
    lost = int(np.count_nonzero(~apart & (difference > 0) & (together == largest)))
    found = list(times.findings)
    if floored:
        least = (least_difference_us, "us")
        found.append(finding("risk", "floored", pairs=(floored, "count"), least=least))
    if lost:
        constant = (largest, "number")
        found.append(finding("risk", "lost", pairs=(lost, "count"), constant=constant))
    weight: Weight = "paper"
    return PairCosts(weight, "", times.ranks, times.low, times.high, cost, tuple(found))


def _costs(weight: Weight, unit: str, of: Communication, cost: Floats) -> PairCosts:
    found = tuple(risks_of(of.remarks))
    return PairCosts(weight, unit, of.ranks, of.low, of.high, cost, found)
