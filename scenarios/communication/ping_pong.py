"""Ping-pong tables: how long one message takes, by its size and by what the two cores share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from scenarios.communication.numbered_text import NumberedText, amount
from scenarios.faults import Fault, ScenarioError
from scenarios.tables.delimiters import delimiter_of
from scenarios.wording import nearest, short

Floats = NDArray[np.float64]

Sharing = Literal["die", "processor", "node", "network"]
SHARINGS: tuple[Sharing, ...] = get_args(Sharing)
"""Two cores share a die; a processor and no die; a node and no processor; nothing."""

BUNDLED = Path(__file__).parents[1] / "data" / "ping-pong.csv"
MOST_TIME_US = 1e12

_TIMES: dict[str, float] = {"time_ns": 1e-3, "time_us": 1.0, "time_ms": 1e3, "time_s": 1e6}

_HEADINGS = frozenset({"sharing", "bytes", *_TIMES})


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
        found = np.interp(sizes, self.bytes, self.time_us)
        beyond = sizes > self.bytes[-1]
        slope = (self.time_us[-1] - self.time_us[-2]) / (self.bytes[-1] - self.bytes[-2])
        further = (sizes - self.bytes[-1]) * max(float(slope), 0.0)
        return np.asarray(np.where(beyond, self.time_us[-1] + further, found), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PingPong:
    """Times of messages between two cores.

    Attributes
    ----------
    name
        Of the file.
    curves
        By sharing; ``network`` and at least one within the node.
    source
        Where the times are from, as the file says after ``# source:``.
    sha256
        Of the file.
    warnings
        What was read and may not have been meant.
    """

    name: str
    curves: Mapping[Sharing, Curve]
    source: str = ""
    sha256: str = ""
    warnings: tuple[str, ...] = ()

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
        """Times of messages of so many bytes each; ``Curve.at`` says what holds between points."""
        return self.curves[sharing].at(np.asarray(sizes, dtype=np.float64))

    def outside(self, sharing: Sharing, sizes: Floats) -> int:
        """How many of the sizes lie outside the measured ones."""
        measured = self.curves[sharing].bytes
        return int(np.count_nonzero((sizes < measured[0]) | (sizes > measured[-1])))


def bundled_ping_pong() -> PingPong:
    """An assumed table, for trying things out."""
    return read_ping_pong(BUNDLED, "the bundled ping-pong table")


def read_ping_pong(path: Path | str, shown: str = "") -> PingPong:
    """Read a table with the headings sharing, bytes, and time_us (or _ns, _ms, _s).

    Where a size was measured more than once, the median counts. A line ``# source: ...`` tells
    where the times are from.

    Raises
    ------
    ScenarioError
        The file cannot be used; each fault with its line.
    """
    path = Path(path)
    text = NumberedText(path, shown or str(path), "a ping-pong table")
    points: dict[Sharing, dict[float, list[float]]] = {}
    columns: tuple[str, ...] = ()
    source = ""
    delimiter = delimiter_of(text.beginning(), lambda cells: len(_HEADINGS & {*cells}))
    for number, line in text:
        if not line.strip() or line.startswith("#"):
            key, _, value = line.lstrip("# ").partition(":")
            source = value.strip() if key.strip().lower() == "source" and not source else source
            continue
        cells = [each.strip() for each in line.split(delimiter)]
        if not columns:
            columns = _columns(text, number, cells)
            continue
        try:
            sharing, size, time_us = _point(columns, cells)
        except ValueError as error:
            text.fault(number, str(error))
        else:
            points.setdefault(sharing, {}).setdefault(size, []).append(time_us)
    text.settle()
    _check(text.shown, points)
    curves = {each: _curve(points[each]) for each in SHARINGS if each in points}
    return PingPong(path.name, curves, source, text.sha256, _warnings(points, curves))


def _columns(text: NumberedText, number: int, cells: list[str]) -> tuple[str, ...]:
    columns = tuple(cell.lower() for cell in cells)
    wanted = {"sharing", "bytes"}
    times = [column for column in columns if column in _TIMES]
    if not wanted <= set(columns) or len(times) != 1 or len(set(columns)) != len(columns):
        message = f"{short(','.join(cells))} are no headings; write sharing,bytes,time_us"
        text.fault(number, message)
        text.settle()
    return columns


def _point(columns: tuple[str, ...], cells: list[str]) -> tuple[Sharing, float, float]:
    if len(cells) != len(columns):
        raise ValueError(f"has {len(cells)} cells under {len(columns)} headings; make them equal")
    found = dict(zip(columns, cells, strict=True))
    heading = next(column for column in columns if column in _TIMES)
    sharing = next((each for each in SHARINGS if each == found["sharing"].lower()), None)
    if sharing is None:
        remedy = nearest(found["sharing"], [*SHARINGS])
        raise ValueError(f"{short(found['sharing'])} is nothing that cores share; {remedy}")
    time_us = amount(found[heading]) * _TIMES[heading]
    if not 0 < time_us <= MOST_TIME_US:
        raise ValueError(f"{heading} {short(found[heading])} is no time of a message; check it")
    return sharing, amount(found["bytes"]), time_us


def _check(shown: str, points: Mapping[Sharing, Mapping[float, list[float]]]) -> None:
    faults = []
    if "network" not in points:
        faults.append("has no times of network; measure between two nodes")
    if not points.keys() - {"network"}:
        faults.append("has no times within a node; measure node, processor or die")
    for sharing, times in points.items():
        if len(times) < 2:
            faults.append(f"has {len(times)} size of {sharing}; measure at least two")
    if faults:
        raise ScenarioError([Fault(shown, 0, "", fault) for fault in faults])


def _curve(times: Mapping[float, list[float]]) -> Curve:
    sizes = sorted(times)
    return Curve(np.array(sizes), np.array([float(np.median(times[size])) for size in sizes]))


def _warnings(
    points: Mapping[Sharing, Mapping[float, list[float]]], curves: Mapping[Sharing, Curve]
) -> tuple[str, ...]:
    warnings = []
    repeated = sum(len(time) > 1 for times in points.values() for time in times.values())
    if repeated:
        warnings.append(f"{repeated} sizes were measured more than once: the median counts")
    warnings += [
        f"times of {sharing} fall between {curve.bytes[-2]:.0f} and {curve.bytes[-1]:.0f} bytes: "
        "larger messages count as the last"
        for sharing, curve in curves.items()
        if curve.time_us[-1] < curve.time_us[-2]
    ]
    return tuple(warnings)
