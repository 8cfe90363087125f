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
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from scenarios.communication.matrix import Communication, Floats, Integers, Sizes
from scenarios.communication.ping_pong import PingPong, Sharing

Weight = Literal["bytes", "messages", "signed", "paper"]
WEIGHTS: tuple[Weight, ...] = get_args(Weight)

LEAST_DIFFERENCE_US = 1e-3
"""Below a nanosecond no ping-pong tells two times apart."""

MICROSECOND_S = 1e-6


@dataclass(frozen=True, eq=False)
class PairTimes:
    """Time that the messages of each pair take, one after the other.

    Attributes
    ----------
    ranks
        Tasks, silent ones included.
    low, high
        Of the pair; shape ``(pairs,)``.
    intra_us
        If they are together: by default, share a node and nothing closer [us].
    inter_us
        If they are apart: by default, on different nodes [us].
    warnings
        What may mislead.
    """

    ranks: int
    low: Integers
    high: Integers
    intra_us: Floats
    inter_us: Floats
    warnings: tuple[str, ...] = ()

    @property
    def apart(self) -> NDArray[np.bool_]:
        """Which pairs favour being apart: ``t_intra > t_inter``."""
        return self.intra_us > self.inter_us


@dataclass(frozen=True, eq=False)
class PairCosts:
    """Cost of parting each pair; pairs that are not here cost nothing.

    Attributes
    ----------
    weight
        Which of ``WEIGHTS``.
    unit
        Of the costs; empty where they have none.
    ranks, low, high
        As in ``PairTimes``.
    cost
        Of the pair on different nodes; below 0 only if ``signed``.
    warnings
        What may mislead.
    """

    weight: Weight
    unit: str
    ranks: int
    low: Integers
    high: Integers
    cost: Floats
    warnings: tuple[str, ...] = ()


def by_bytes(communication: Communication) -> PairCosts:
    """Bytes of both directions."""
    return _costs("bytes", "B", communication, communication.bytes, communication.warnings)


def by_messages(communication: Communication) -> PairCosts:
    """Messages of both directions.

    Raises
    ------
    InputError
        They are not known.
    """
    if communication.messages is None:
        raise InputError(
            f"{communication.name} has no numbers of messages; take bytes (--cost bytes), or give "
            "messages as well: a second matrix (--messages), a column of a list, or a profile"
        )
    messages = communication.messages
    return _costs("messages", "messages", communication, messages, communication.warnings)


def pair_times(
    communication: Communication,
    table: PingPong,
    *,
    message_bytes: float | None = None,
    within: Sharing = "node",
    between: Sharing = "network",
) -> PairTimes:
    """Times of each pair's messages together, by default within a node at worst, and apart.

    Where sizes are known by bins, each bin's messages have one size: the middle of the bin, moved
    within it by one factor per pair so that the pair's bytes come out. Otherwise all messages of a
    pair have its mean size.

    Parameters
    ----------
    communication
        Of the program.
    table
        Times by size.
    message_bytes
        Mean size of a message, above 0; needed where numbers of messages are not known.
    within, between
        What two tasks share that are together, and apart. Where the table has no times for it,
        those of what is farther count, or else of what is nearest.

    Raises
    ------
    InputError
        Neither messages nor their size are known, or the size is not above 0.
    """
    pair, size, messages = _messages(communication, message_bytes)
    both = (table.known(within), table.known(between))
    intra_us, inter_us = (
        _sums(pair, messages * table.time_us(sharing, size), communication.pairs)
        for sharing in both
    )
    warnings = [*communication.warnings, *table.warnings]
    if table.assumed:
        warnings.append(f"times of messages are assumed ({table.name}); measure your own")
    outside = max(table.outside(each, size) for each in both)
    if outside:
        warnings.append(
            f"{outside} of {len(size)} sizes of messages lie outside the ping-pong table: latency "
            "holds below it, and the last bandwidth above"
        )
    low, high = communication.low, communication.high
    return PairTimes(communication.ranks, low, high, intra_us, inter_us, tuple(warnings))


def signed(times: PairTimes) -> PairCosts:
    """What parting changes: ``w = t_inter - t_intra`` [us], below 0 where apart is better.

    The least sum of these is the true objective: the time of all messages but for a constant.
    """
    return PairCosts(
        "signed",
        "us",
        times.ranks,
        times.low,
        times.high,
        times.inter_us - times.intra_us,
        times.warnings,
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
    ``t_intra > t_inter``, otherwise ``C + d``, with ``C = k^2 Delta`` and Delta the largest of the
    former (0 where there is none). Two groups of k tasks have at most k^2 edges between them, so
    all edges between them that favour being apart cost at most C together, no more than one of
    the others.

    Departures: d is at least ``least_difference_us`` in ``1 / d``, else C grows without bounds and
    rounding loses ``d`` beside it. The sum of 1/time and time has no unit, and which of two
    partitions costs less depends on the unit taken: it is a parameter.

    Parameters
    ----------
    times
        Of each pair.
    tasks_per_node
        k, at least 1.
    unit_s
        The unit of time in both terms [s], above 0; by default a microsecond.
    least_difference_us
        Floor of d in ``1 / d`` [us], above 0.

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
    warnings = list(times.warnings)
    if floored:
        warnings.append(
            f"pairs that are less than {least_difference_us:g} us better apart count as that much: "
            f"{floored:,}"
        )
    if lost:
        who = "1 pair gains" if lost == 1 else f"{lost} pairs gain"
        warnings.append(
            f"compared with C = {largest:.3g} rounding loses what {who} together; take a "
            "smaller unit of time"
        )
    weight: Weight = "paper"
    return PairCosts(weight, "", times.ranks, times.low, times.high, cost, tuple(warnings))


def _costs(
    weight: Weight, unit: str, of: Communication, cost: Floats, warnings: tuple[str, ...]
) -> PairCosts:
    return PairCosts(weight, unit, of.ranks, of.low, of.high, cost, warnings)


def _messages(
    communication: Communication, message_bytes: float | None
) -> tuple[Integers, Floats, Floats]:
    """Index of the pair, size, and number of messages of that size."""
    if message_bytes is not None and not 0 < message_bytes < np.inf:
        raise InputError(f"message_bytes = {message_bytes} is not above 0; give a size")
    if message_bytes is not None and communication.messages is not None:
        raise InputError(
            f"{communication.name} has numbers of messages, which tell their sizes; leave "
            "message_bytes (--message-bytes) out"
        )
    sizes = communication.sizes
    if sizes is not None and communication.pairs:
        known = np.bincount(sizes.pair, minlength=communication.pairs) > 0
        if bool(known.all()):
            return sizes.pair, _sizes_of_bins(communication, sizes), sizes.messages.astype(float)
    pairs = np.arange(communication.pairs, dtype=np.int64)
    messages = communication.messages
    if messages is None:
        if message_bytes is None:
            raise InputError(
                f"{communication.name} has no numbers of messages, which times need; "
                "give them as a second matrix (--messages), or a mean size (--message-bytes)"
            )
        return pairs, np.full(len(pairs), float(message_bytes)), communication.bytes / message_bytes
    # Bytes come in one message at least, also where bytes and messages are of two files.
    many = np.where(communication.bytes > 0, np.maximum(messages, 1.0), messages)
    return pairs, communication.bytes / np.maximum(many, 1.0), many


def _sums(pair: Integers, values: Floats, pairs: int) -> Floats:
    return np.bincount(pair, values, pairs).astype(np.float64)


def _sizes_of_bins(communication: Communication, sizes: Sizes) -> Floats:
    least = np.where(sizes.bin > 0, np.exp2(sizes.bin - 1.0), 0.0)
    middle = 1.5 * least
    sums = _sums(sizes.pair, middle * sizes.messages, communication.pairs)
    ratio = communication.bytes / np.where(sums > 0, sums, 1.0)
    factor = ratio[sizes.pair]
    most = np.maximum(2 * least - 1, least)
    moved: Floats = np.clip(middle * factor, least, most)
    return moved
