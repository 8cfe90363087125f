"""Claims about power, caps and the making of sockets, on one node each."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.studies.simulated.checks import one_socket, relative_spread
from benchmarks.studies.simulated.claim import Claim, above, below, within
from benchmarks.studies.simulated.readings import Readings
from scenarios.simulated.applications import NAMES

ONE_NODE = "3.3"


def _saved(r: Readings, name: str, cap_w: float, over_w: float) -> float:
    return 1 - r.time_s(name, 1, 16, cap_w) / r.time_s(name, 1, 16, over_w)


def _full_w(r: Readings, name: str) -> float:
    return r.package_w(name, 1, 16, 115)


def _rise(read: Callable[[str, int, int, float], float], name: str) -> float:
    return read(name, 1, 16, 115) / read(name, 1, 4, 115)


_POWER = (
    Claim("SPhot and SP-MZ on 4 cores draw less than the lowest cap, turbo off", ONE_NODE,
          "package power of a socket at a cap of 100 W, larger of two [W]", below(51),
          lambda r: max(r.package_w(n, 1, 4, 100) for n in ("SPhot", "SP-MZ"))),
    Claim("A cap of 51 W slows SPhot and SP-MZ on 4 cores by 1 to 2 % only", "3.3, calibrated",
          "time at 51 W over that at 100 W less 1, larger of two", within(0.01, 0.02),
          lambda r: max(r.time_s(n, 1, 4, 51) / r.time_s(n, 1, 4, 100) - 1
                        for n in ("SPhot", "SP-MZ"))),
    *(
        Claim(f"{name} on 16 cores: 51 to 85 W saves 17 to 21 % of the time", "3.3, calibrated",
              "time saved, a half per cent to either side", within(0.165, 0.215),
              lambda r, name=name: _saved(r, name, 85, 51))  # type: ignore[misc]
        for name in ("SPhot", "SP-MZ")
    ),
    Claim("From 51 to 85 W SP-MZ gains more than SPhot", "3.3, calibrated",
          "time saved, difference", above(0),
          lambda r: _saved(r, "SP-MZ", 85, 51) - _saved(r, "SPhot", 85, 51)),
    Claim("By turbo SPhot gains more than SP-MZ", ONE_NODE,
          "time saved from 95 W to turbo, difference", above(0),
          lambda r: _saved(r, "SPhot", 115, 95) - _saved(r, "SP-MZ", 115, 95)),
    Claim("No code draws its rated power on 16 cores", ONE_NODE,
          "package power of a socket, largest of eight [W]", below(115),
          lambda r: max(_full_w(r, n) for n in NAMES)),
    Claim("BT-MZ draws most", "3.3, calibrated",
          "above the next of eight [W]", above(0),
          lambda r: _full_w(r, "BT-MZ") - max(_full_w(r, n) for n in NAMES if n != "BT-MZ")),
    Claim("From 4 to 16 cores package power grows more than memory power", "3.3, calibrated",
          "growth over growth, lesser of SPhot and BT-MZ", above(1),
          lambda r: min(_rise(r.package_w, n) / _rise(r.dram_w, n) for n in ("SPhot", "BT-MZ"))),
)  # fmt: skip

_MAKING = (
    Claim("Sockets without caps differ in power by about 23 %", "7.3.1, calibrated",
          "spread over 2,386 sockets", within(0.21, 0.25),
          lambda r: relative_spread(one_socket(r, 115).package_power_w), "sockets"),
    Claim("Sockets without caps do not differ in time", "7.3.1",
          "spread over 2,386 sockets", below(0.001),
          lambda r: relative_spread(one_socket(r, 115).compute_s), "sockets"),
    Claim("Sockets capped at 65 W differ in time", "7.3.1",
          "spread over 2,386 sockets", above(0.01),
          lambda r: relative_spread(one_socket(r, 65).compute_s), "sockets"),
    Claim("Sockets capped at 65 W differ in time by about 10 %", "7.3.1",
          "spread over 2,386 sockets", within(0.08, 0.12),
          lambda r: relative_spread(one_socket(r, 65).compute_s), "sockets"),
)  # fmt: skip

SINGLE_NODE: tuple[Claim, ...] = (*_POWER, *_MAKING)
