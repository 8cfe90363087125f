"""Communication of a message-passing program: what each pair of ranks exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scenarios.remark import Remark

if TYPE_CHECKING:
    import networkx as nx

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_RANKS = 1 << 20
MOST_RECORDS = 1 << 24
"""Directed records of one program: a full matrix of 4,096 ranks."""


class Sizes(NamedTuple):
    """How many messages of which size a pair exchanged, without the zeros.

    Bin 0 holds messages of no bytes, bin i > 0 those of 2^(i-1) to 2^i - 1 bytes. Each pair and
    bin is there once, ordered by both.

    Attributes
    ----------
    pair
        Index of the pair.
    bin
        Index of the bin.
    messages
        How many, above 0.
    """

    pair: Integers
    bin: Integers
    messages: Integers


@dataclass(frozen=True, eq=False)
class Communication:
    """What unordered pairs of ranks exchanged in both directions together.

    Arrays of pairs have the shape ``(pairs,)`` and hold each pair that exchanged anything once,
    ordered by ``low``, then ``high``; arrays of ranks have the shape ``(ranks,)``.

    Attributes
    ----------
    name
        What to call it.
    ranks
        How many there are, silent ones included.
    low, high
        Ranks of the pair, ``low < high``, from 0.
    bytes
        Sum of both directions.
    messages
        Sum of both directions; ``None`` where the file has none.
    self_bytes
        What each rank sent to itself; in no pair.
    self_messages
        The same in messages; ``None`` where the file has none.
    sent_bytes, received_bytes
        To and from other ranks; ``None`` where the file tells no directions.
    sizes
        Histogram of message sizes; ``None`` where the file has none.
    form
        Format of the file.
    sha256
        SHA-256 of the file, packed as it is; for several files, the hash of their hashes.
    remarks
        What was read and may not have been meant.
    """

    name: str
    ranks: int
    low: Integers
    high: Integers
    bytes: Floats
    self_bytes: Floats
    messages: Floats | None = None
    self_messages: Floats | None = None
    sent_bytes: Floats | None = None
    received_bytes: Floats | None = None
    sizes: Sizes | None = None
    form: str = ""
    sha256: str = ""
    remarks: tuple[Remark, ...] = ()

    @property
    def pairs(self) -> int:
        """Pairs that exchanged anything."""
        return len(self.low)

    @property
    def total_bytes(self) -> float:
        """Between different ranks."""
        return float(self.bytes.sum())

    @property
    def silent(self) -> Integers:
        """Ranks that exchanged nothing with any other."""
        heard = np.zeros(self.ranks, dtype=bool)
        heard[self.low] = True
        heard[self.high] = True
        return np.flatnonzero(~heard).astype(np.int64)

    def to_networkx(self) -> nx.Graph[int]:
        """Ranks as nodes, and an edge for each pair that exchanged anything.

        Attributes of an edge: ``weight``, bytes of both directions; ``messages``, the same in
        messages, where they are known. What a rank sent to itself is an edge to itself. The graph
        has the attribute ``name``.
        """
        import networkx as nx

        graph = nx.Graph(name=self.name)
        graph.add_nodes_from(range(self.ranks))
        loops = np.flatnonzero(
            self.self_bytes if self.self_messages is None else self.self_messages
        )
        ends = (np.r_[self.low, loops].tolist(), np.r_[self.high, loops].tolist())
        weights = np.r_[self.bytes, self.self_bytes[loops]].tolist()
        graph.add_weighted_edges_from(zip(*ends, weights, strict=True))
        if self.messages is not None and self.self_messages is not None:
            messages = np.r_[self.messages, self.self_messages[loops]].tolist()
            for u, v, many in zip(*ends, messages, strict=True):
                graph.edges[u, v]["messages"] = many
        return graph


class Directed(NamedTuple):
    """Records of one direction; the same source and target may come more than once.

    Attributes
    ----------
    source, target
        Ranks from 0.
    bytes
        Sent.
    messages
        Sent; ``None`` where they are not known.
    sizes
        Histogram, ``pair`` being the index of the record.
    """

    source: Integers
    target: Integers
    bytes: Floats
    messages: Floats | None = None
    sizes: Sizes | None = None


def joined(
    name: str,
    ranks: int,
    records: Directed,
    *,
    directions: bool = True,
    form: str = "",
    sha256: str = "",
    remarks: Sequence[Remark] = (),
) -> Communication:
    """Add up the records of each unordered pair; those of a rank with itself are separate.

    Parameters
    ----------
    name, form, sha256, remarks
        As in ``Communication``.
    ranks
        Above every source and target, at most ``MOST_RANKS``.
    records
        In any order.
    directions
        Whether source and target mean sender and receiver.

    Examples
    --------
    >>> two = Directed(np.array([0, 2, 1]), np.array([2, 0, 1]), np.array([5.0, 7.0, 9.0]))
    >>> found = joined("small", 4, two)
    >>> found.low, found.high, found.bytes, found.self_bytes, found.silent
    (array([0]), array([2]), array([12.]), array([0., 9., 0., 0.]), array([1, 3]))
    """
    apart = records.source == records.target
    source, target = records.source[~apart], records.target[~apart]
    key = np.minimum(source, target) * ranks + np.maximum(source, target)
    much = records.bytes[~apart]
    many = None if records.messages is None else records.messages[~apart]
    pair_key, pair = _occurring(key, much if many is None else much + many)
    return Communication(
        name=name,
        ranks=ranks,
        low=pair_key // max(ranks, 1),
        high=pair_key % max(ranks, 1),
        bytes=_sums(pair, much, len(pair_key)),
        self_bytes=_sums(records.source[apart], records.bytes[apart], ranks),
        messages=None if many is None else _sums(pair, many, len(pair_key)),
        self_messages=None
        if records.messages is None
        else _sums(records.source[apart], records.messages[apart], ranks),
        sent_bytes=_sums(source, much, ranks) if directions else None,
        received_bytes=_sums(target, much, ranks) if directions else None,
        sizes=None if records.sizes is None else _by_pair(records.sizes, apart, pair),
        form=form,
        sha256=sha256,
        remarks=tuple(remarks),
    )


def _occurring(key: Integers, much: Floats) -> tuple[Integers, Integers]:
    """Keys of which anything was sent, ascending, and each record's index among them or -1."""
    result = np.unique(key[much > 0])
    position = np.searchsorted(result, key)
    position[position == len(result)] = 0
    there = result[position] == key if len(result) else np.zeros(len(key), dtype=bool)
    return result, np.where(there, position, -1).astype(np.int64)


def _sums(index: Integers, weights: Floats, length: int) -> Floats:
    there = index >= 0
    sums = np.bincount(index[there], weights=weights[there], minlength=length)
    return sums.astype(np.float64)


def _by_pair(sizes: Sizes, apart: NDArray[np.bool_], pair: Integers) -> Sizes:
    """The histogram of pairs from that of records; messages to oneself are left out."""
    of_record = np.full(len(apart), -1, dtype=np.int64)
    of_record[~apart] = pair
    selected = of_record[sizes.pair] >= 0
    bins = int(sizes.bin.max(initial=0)) + 1
    key = of_record[sizes.pair[selected]] * bins + sizes.bin[selected]
    result, inverse = np.unique(key, return_inverse=True)
    count = np.zeros(len(result), dtype=np.int64)
    np.add.at(count, inverse, sizes.messages[selected])
    return Sizes(result // bins, result % bins, count)
