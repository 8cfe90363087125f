"""The printed numbers to which the law was fitted: section 3.3, Table 4.2, and two of 3.4.1.

They are read off the simulated machine as the thesis reads them off the real one. What the
thesis says of most codes (80 to 90 W at 16 cores) is asked of each that it does not single out.
The two of 3.4.1 say how fast four cores of a node are for the codes that wait for memory, which
the others leave open (`benchmarks.studies.simulated.four_cores`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from benchmarks.studies.simulated.readings import Readings

Kind = Literal["calibrated", "checked", "free"]
Setting = Literal["C", "D", "sockets"]


@dataclass(frozen=True)
class Quantity:
    """A number of the simulated machine, beside the printed one if there is any.

    Attributes
    ----------
    name, where
        What it is, and the section that prints it.
    kind
        *calibrated*: the law was fitted to it; *checked*: printed but not fitted; *free*: the
        thesis has no such number.
    printed
        Its value; NaN where it is free.
    evaluate
        Reads it off the simulated machine.
    tolerance
        Relative error that counts as one in the fit.
    setting
        Where: class C on 32 nodes, class D on 64, or the sockets of the variability study.
    """

    name: str
    where: str
    kind: Kind
    printed: float
    evaluate: Callable[[Readings], float]
    tolerance: float = 0.03
    setting: Setting = "C"


def _time(app: str, n: int, c: int, cap: float, value: float) -> Quantity:
    name = f"{app} ({n}x{c},{cap:g}) time [s]"
    return Quantity(
        name, "Table 4.2", "calibrated", value, lambda r: r.time_s(app, n, c, cap), 0.015
    )


def _power(app: str, n: int, c: int, cap: float, value: float) -> Quantity:
    name = f"{app} ({n}x{c},{cap:g}) power [W]"
    return Quantity(
        name, "Table 4.2", "calibrated", value, lambda r: r.power_w(app, n, c, cap), 0.02
    )


def _package(
    app: str, cores: int, value: float, tolerance: float = 0.03, note: str = ""
) -> Quantity:
    name = f"{app} one node, {cores} cores, package power of a socket [W]{note}"
    return Quantity(
        name, "3.3", "calibrated", value, lambda r: r.package_w(app, 1, cores, 115), tolerance
    )


def _dram(app: str, cores: int, value: float) -> Quantity:
    name = f"{app} one node, {cores} cores, memory power of a socket [W]"
    return Quantity(name, "3.3", "calibrated", value, lambda r: r.dram_w(app, 1, cores, 115), 0.05)


def _dram_share(app: str, value: float, tolerance: float) -> Quantity:
    def share(r: Readings) -> float:
        dram = r.dram_w(app, 1, 16, 115)
        return dram / (dram + r.package_w(app, 1, 16, 115))

    name = f"{app} one node, 16 cores, memory's share of the socket's power"
    return Quantity(name, "3.3", "calibrated", value, share, tolerance)


def _cap_effect(app: str, value: float) -> Quantity:
    def gain(r: Readings) -> float:
        return 1 - r.time_s(app, 1, 16, 85) / r.time_s(app, 1, 16, 51)

    name = f"{app} one node, 16 cores, time saved from 51 W to 85 W"
    return Quantity(name, "3.3", "calibrated", value, gain, 0.1)


def _four_cores(app: str, slow: int, fast: int, value: float) -> Quantity:
    name = f"{app} (32x{slow},115) over (32x{fast},115), times"
    return Quantity(
        name,
        "3.4.1",
        "calibrated",
        value,
        lambda r: r.time_s(app, 32, slow, 115) / r.time_s(app, 32, fast, 115),
    )


_TABLE = {
    "SPhot": [(12, 16, 115, 74.3, 2183), (18, 16, 115, 49.5, 3264), (32, 16, 51, 39.8, 3478)],
    "SP-MZ": [(12, 16, 115, 13.9, 1975), (20, 16, 115, 9.1, 3240), (26, 12, 80, 3.6, 3497)],
    "BT-MZ": [(12, 16, 115, 9.9, 2398), (16, 16, 115, 7.3, 3232), (30, 14, 51, 6.1, 3418)],
    "LU-MZ": [(12, 16, 115, 25.3, 2228), (18, 16, 115, 16.5, 3308), (32, 8, 95, 9.4, 3497)],
}

SINGLE_NODE_AND_TABLE: tuple[Quantity, ...] = (
    *(
        make(app, n, c, cap, value)
        for app, rows in _TABLE.items()
        for n, c, cap, time, power in rows
        for make, value in ((_time, time), (_power, power))
    ),
    _package("SPhot", 4, 44.6),
    _package("SPhot", 16, 82.1),
    _package("BT-MZ", 4, 54.5),
    _package("BT-MZ", 16, 105.7),
    *(
        _package(app, 16, 85.0, 0.04, ", 80 to 90")
        for app in ("SP-MZ", "LU-MZ", "SC", "NSC", "SM", "NSM")
    ),
    _dram("SPhot", 4, 4.9),
    _dram("SPhot", 16, 5.7),
    _dram_share("SP-MZ", 0.103, 0.05),
    _dram_share("BT-MZ", 0.075, 0.07),
    _dram_share("LU-MZ", 0.075, 0.07),
    Quantity(
        "BT-MZ one node, memory power from 4 to 16 cores, times",
        "3.3",
        "calibrated",
        1.31,
        lambda r: r.dram_w("BT-MZ", 1, 16, 115) / r.dram_w("BT-MZ", 1, 4, 115),
        0.05,
    ),
    _cap_effect("SPhot", 0.171),
    _cap_effect("SP-MZ", 0.213),
)

FOUR_CORES: tuple[Quantity, ...] = (
    _four_cores("LU-MZ", 4, 8, 1.17),
    _four_cores("SP-MZ", 16, 4, 1.15),
)
"""Unlimited power: LU-MZ's best is 17 % faster than spread-max, SP-MZ's spread-max 15 % faster than
packed-max."""

CALIBRATED: tuple[Quantity, ...] = (*SINGLE_NODE_AND_TABLE, *FOUR_CORES)
