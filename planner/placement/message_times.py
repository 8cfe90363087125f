"""How long the messages of each pair of ranks take, by what the two share.

References
----------
Power-aware MPI task aggregation, section IV: times by size of the message, from a ping-pong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.finding import Finding, finding, risks_of
from scenarios.communication.matrix import Communication, Floats, Integers, Sizes
from scenarios.communication.ping_pong import PingPong, Sharing


@dataclass(frozen=True, eq=False)
class PairTimes:
    """Time that the messages of each pair take, one after the other.

    Attributes
    ----------
    ranks
        Tasks, silent ones included.
    low, high
        Lower and higher rank of the pair; shape ``(pairs,)``.
    intra_us
        If they are together: by default, share a node and nothing closer [us].
    inter_us
        If they are apart: by default, on different nodes [us].
    findings
        What may mislead.
    """

    ranks: int
    low: Integers
    high: Integers
    intra_us: Floats
    inter_us: Floats
    findings: tuple[Finding, ...] = ()

    @property
    def apart(self) -> NDArray[np.bool_]:
        """Which pairs favour being apart: ``t_intra > t_inter``."""
        return self.intra_us > self.inter_us


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
        Communication of the program.
    table
        Times by size.
    message_bytes
        Mean size of a message, above 0; needed where numbers of messages are not known.
    within, between
        What two tasks share that are together, and apart. Where the table has no times for it,
        those of what is farther count, or else of what is nearest.

    Returns
    -------
    PairTimes
        Times of each pair [us], shape ``(pairs,)``.

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
    found = [*risks_of(communication.remarks), *risks_of(table.remarks)]
    if table.assumed:
        found.append(finding("risk", "times-assumed", table=(table.name, "text")))
    outside = max(table.outside(each, size) for each in both)
    if outside:
        found.append(finding("risk", "sizes-outside", sizes=((outside, len(size)), "of:count")))
    low, high = communication.low, communication.high
    return PairTimes(communication.ranks, low, high, intra_us, inter_us, tuple(found))


def _messages(
    communication: Communication, message_bytes: float | None
) -> tuple[Integers, Floats, Floats]:
    """Index of the pair, size, and number of messages of that size."""
    if message_bytes is not None and not 0 < message_bytes < np.inf:
        raise InputError(f"message_bytes = {message_bytes} is not above 0; give a size")
    if message_bytes is not None and communication.messages is not None:
        raise InputError(
            f"{communication.name} has message counts, which give the mean size; omit "
            "message_bytes (--message-size)"
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
                f"{communication.name} has no message counts, which message times need; give "
                "them as a "
                "second matrix (--messages), or give a mean size (--message-size)"
            )
        return pairs, np.full(len(pairs), float(message_bytes)), communication.bytes / message_bytes
    # Bytes come in one message at least, also where bytes and messages are of two files.
    many = np.where(communication.bytes > 0, np.maximum(messages, 1.0), messages)
    return pairs, communication.bytes / np.maximum(many, 1.0), many


def _sums(pair: Integers, values: Floats, pairs: int) -> Floats:
    return np.bincount(pair, values, pairs).astype(np.float64)


def _sizes_of_bins(communication: Communication, sizes: Sizes) -> Floats:
    least = np.where(sizes.bin > 0, np.ldexp(0.5, sizes.bin), 0.0)
    middle = 1.5 * least
    sums = _sums(sizes.pair, middle * sizes.messages, communication.pairs)
    ratio = communication.bytes / np.where(sums > 0, sums, 1.0)
    factor = ratio[sizes.pair]
    most = np.maximum(2 * least - 1, least)
    moved: Floats = np.clip(middle * factor, least, most)
    return moved
