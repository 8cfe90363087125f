"""Ping-pong tables: how long one message takes, by its size and by what the two cores share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from scenarios.communication.numbered_text import LARGEST_AMOUNT
from scenarios.faults import Fault, ScenarioError, foremost
from scenarios.remark import Remark, remark
from scenarios.tables.csv_cells import open_csv
from scenarios.tables.field import Field
from scenarios.tables.field_table import field_table, heading_counter

Floats = NDArray[np.float64]

Sharing = Literal["die", "processor", "node", "network"]
SHARINGS: tuple[Sharing, ...] = get_args(Sharing)
"""Two cores share a die; a processor and no die; a node and no processor; nothing."""

LARGEST_BYTES = 256 << 20
BUNDLED = Path(__file__).parents[1] / "data" / "ping-pong.csv"
FIELDS = (
    Field("sharing", "What the two cores share", "choice", choices=SHARINGS),
    Field("bytes", "Size of the message", unit="B", most=LARGEST_AMOUNT),
    Field("time_us", "Time of the message, one way", unit="us", above=True, most=1e12),
)


class Curve(NamedTuple):
    """Times of one sharing.

    Attributes
    ----------
    bytes
        Sizes of messages, ascending, at least two.
    time_us
        From the call to send until the message has arrived: half a round trip [us], above 0.
    """

    bytes: Floats
    time_us: Floats

    def at(self, sizes: Floats) -> Floats:
        """Times of messages of any size, linear between measured sizes.

        Below the least measured size its time holds: latency. Above the largest the last
        segment goes on, or its time holds if that falls: bandwidth.
        """
        result = np.interp(sizes, self.bytes, self.time_us)
        beyond = sizes > self.bytes[-1]
        slope = (self.time_us[-1] - self.time_us[-2]) / (self.bytes[-1] - self.bytes[-2])
        further = (sizes - self.bytes[-1]) * max(float(slope), 0.0)
        return np.asarray(np.where(beyond, self.time_us[-1] + further, result), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PingPong:
    """Times of messages between two cores.

    Attributes
    ----------
    name
        Name of the file.
    curves
        By sharing; ``network`` and at least one within the node.
    source
        Where the times are from, as the file says after ``# source:``.
    sha256
        SHA-256 of the file.
    remarks
        What was read and may not have been meant.
    """

    name: str
    curves: Mapping[Sharing, Curve]
    source: str = ""
    sha256: str = ""
    remarks: tuple[Remark, ...] = ()

    @property
    def assumed(self) -> bool:
        """Whether the file says that its times are assumed, not measured."""
        return self.source.lower().startswith("assumed")

    def known(self, sharing: Sharing) -> Sharing:
        """The sharing itself, or what stands for it: the next farther one, else the farthest.

        References
        ----------
        Grouping on nodes takes the worst time within a node, since cores are chosen later.
        """
        if sharing == "network":
            return sharing
        inside = [each for each in SHARINGS if each != "network" and each in self.curves]
        farther = [each for each in inside if SHARINGS.index(each) >= SHARINGS.index(sharing)]
        return farther[0] if farther else inside[-1]

    def time_us(self, sharing: Sharing, sizes: Floats) -> Floats:
        """Return times of messages of these sizes [B]; ``Curve.at`` covers sizes between points."""
        return self.curves[sharing].at(np.asarray(sizes, dtype=np.float64))

    def outside(self, sharing: Sharing, sizes: Floats) -> int:
        """How many of the sizes lie outside the measured ones."""
        measured = self.curves[sharing].bytes
        return int(np.count_nonzero((sizes < measured[0]) | (sizes > measured[-1])))


def bundled_ping_pong() -> PingPong:
    """An assumed table, for trying things out.

    Returns
    -------
    PingPong
        All its times are assumed, not measured.
    """
    return read_ping_pong(BUNDLED, "the bundled ping-pong table")


def read_ping_pong(path: Path | str, shown: str = "") -> PingPong:
    """Read a table of the fields :data:`FIELDS`, in any order.

    If a size was measured more than once, the median counts. A line ``# source: ...`` says where
    the times are from.

    Parameters
    ----------
    path
        A CSV file, plain or gzipped.
    shown
        Name of the file in messages; by default its path.

    Returns
    -------
    PingPong
        One curve of times [us] over sizes [bytes] for each level that two cores share.

    Raises
    ------
    ScenarioError
        The file cannot be used; each error has its line.
    """
    path = Path(path)
    kind = "a ping-pong table"
    text = open_csv(
        path, shown or str(path), heading_counter(FIELDS), most=LARGEST_BYTES, kind=kind
    )
    table = field_table(text, FIELDS, what="times")
    points: dict[Sharing, dict[float, list[float]]] = {}
    for _, row in table.rows():
        sizes = points.setdefault(row["sharing"], {})
        sizes.setdefault(row["bytes"], []).append(row["time_us"])
    if table.faults:
        raise ScenarioError(foremost(table.faults, text.file.name))
    _check(text.file.name, points)
    curves = {sharing: _curve(points[sharing]) for sharing in SHARINGS if sharing in points}
    remarks = tuple(_remarks(points, curves))
    return PingPong(path.name, curves, table.source, text.file.sha256, remarks)


def _check(shown: str, points: Mapping[Sharing, Mapping[float, list[float]]]) -> None:
    faults = []
    if "network" not in points:
        faults.append("has no times for network; measure between two nodes")
    if not points.keys() - {"network"}:
        faults.append("has no times within a node; measure node, processor or die")
    for sharing, times in points.items():
        if len(times) < 2:
            faults.append(f"has {len(times)} size for {sharing}; measure at least two")
    if faults:
        raise ScenarioError([Fault(shown, 0, "", fault) for fault in faults])


def _curve(times: Mapping[float, list[float]]) -> Curve:
    sizes = sorted(times)
    return Curve(np.array(sizes), np.array([float(np.median(times[size])) for size in sizes]))


def _remarks(
    points: Mapping[Sharing, Mapping[float, list[float]]], curves: Mapping[Sharing, Curve]
) -> Iterator[Remark]:
    repeated = sum(len(time) > 1 for times in points.values() for time in times.values())
    if repeated:
        yield remark("times-repeated", sizes=(repeated, "size"))
    for sharing, curve in curves.items():
        if curve.time_us[-1] < curve.time_us[-2]:
            sizes = (float(curve.bytes[-2]), float(curve.bytes[-1])), "interval:B"
            yield remark("times-falling", sharing=(sharing, "id"), sizes=sizes)
