"""Numbers to which the law was not fitted: what the thesis prints besides, and what it does not.

They tell how far the law carries. Winners (which configuration is fastest) stand apart: they are
right or wrong, and no distance measures that. Two calibrated numbers stand here because single
constants of the machine were set to them apart from the fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.simulated.per_socket import SocketTimes, socket_times
from benchmarks.studies.simulated.printed import Quantity, Setting
from benchmarks.studies.simulated.readings import FORMS, Readings
from scenarios.simulated.applications import NAMES, REAL
from scenarios.simulated.configurations import Configuration

UNLIMITED = float("inf")
BOUNDS_W = {"C": (2500.0, 3000.0, 3500.0, 4000.0), "D": (6500.0, 8000.0, 10000.0, 12000.0, 14720.0)}


@dataclass(frozen=True)
class Winner:
    """The fastest configuration under a bound, or a canonical one.

    Attributes
    ----------
    name, where
        What it is, and the section that prints it.
    printed
        The configuration; ``None`` where the thesis does not name it.
    evaluate
        Reads it off the simulated machine.
    """

    name: str
    where: str
    printed: Configuration | None
    evaluate: Callable[[Readings], Configuration]


def _checked(
    name: str,
    where: str,
    printed: float,
    evaluate: Callable[[Readings], float],
    setting: Setting = "C",
) -> Quantity:
    return Quantity(name, where, "checked", printed, evaluate, setting=setting)


def _mean_gain(bound_w: float) -> Callable[[Readings], float]:
    return lambda r: float(np.mean([r.speedup(name, bound_w) for name in REAL])) - 1


def _over_best_canonical(r: Readings, name: str, bound_w: float) -> float:
    return r.fastest_s(name, bound_w) / r.time_s(name, *r.best(name, bound_w)) - 1


def apart(r: Readings, name: str, bound_w: float) -> float:
    """Relative difference of the times of spread-max and spread-min."""
    return abs(r.ratio(name, "spread-max", "spread-min", bound_w) - 1)


def _not_canonical(r: Readings, bound_w: float) -> int:
    forms = {name: {r.canonical(name, form, bound_w) for form in FORMS} for name in NAMES}
    return sum(r.best(name, bound_w) not in forms[name] for name in NAMES)


def _saved(r: Readings) -> list[float]:
    return [1 - 1 / r.speedup(name, bound) for name in REAL for bound in BOUNDS_W["D"]]


def _full_package_w(r: Readings) -> list[float]:
    return [r.package_w(name, 64, 16, 115) for name in NAMES]


def one_socket(r: Readings, cap_w: float) -> SocketTimes:
    """EP on every socket alone, eight cores busy: of its times only the ratios mean anything."""
    sockets = np.arange(r.cluster.leakage.size)
    return socket_times(r.cluster, r.applications["EP"], sockets, 16, cap_w)


def relative_spread(values: np.ndarray) -> float:
    """Largest over least, less 1."""
    return float(values.max() / values.min()) - 1


CHECKED: tuple[Quantity, ...] = (
    *(
        _checked(f"mean speedup of four codes at {bound:g} W", "3.4.1", gain, _mean_gain(bound))
        for bound, gain in zip(BOUNDS_W["C"], (0.738, 0.556, 0.672, 0.509), strict=True)
    ),
    _checked("codes of eight whose best at 2500 W is not canonical (at least)", "3.4.1", 4,
             lambda r: _not_canonical(r, 2500)),
    _checked("SP-MZ at 3500 W: packed-max over best, times", "3.4.1", 2.49,
             lambda r: r.speedup("SP-MZ", 3500)),
    _checked("BT-MZ (32x16,115) power [W]", "3.4", 6350, lambda r: r.power_w("BT-MZ", 32, 16, 115)),
    _checked("SP-MZ at 2500 W: best over fastest canonical", "3.4.1", 0.22,
             lambda r: _over_best_canonical(r, "SP-MZ", 2500)),
    _checked("SP-MZ at 2500 W: packed-max over spread-max, times", "3.4.1", 2.16,
             lambda r: r.ratio("SP-MZ", "packed-max", "spread-max", 2500)),
    _checked("SPhot at 2500 W: spread-min over packed-min", "3.4.1", 0.645,
             lambda r: r.ratio("SPhot", "spread-min", "packed-min", 2500) - 1),
    _checked("SPhot at 2500 W: packed-max over packed-min", "3.4.1", 0.298,
             lambda r: r.ratio("SPhot", "packed-max", "packed-min", 2500) - 1),
    _checked("SC at 2500 W: spread-min over packed-min, times (more than)", "3.4.1", 2.0,
             lambda r: r.ratio("SC", "spread-min", "packed-min", 2500)),
    _checked("NSC at 2500 W: spread-max over packed-max, times", "3.4.1", 2.36,
             lambda r: r.ratio("NSC", "spread-max", "packed-max", 2500)),
    _checked("LU-MZ at 2500 W: spread-max and spread-min apart", "3.4.1", 0.08,
             lambda r: apart(r, "LU-MZ", 2500)),
    _checked("LU-MZ at 3500 W: spread-max and spread-min apart", "3.4.1", 0.16,
             lambda r: apart(r, "LU-MZ", 3500)),
    _checked("SP-MZ unlimited: fastest canonical over best", "3.4.1", 0.72,
             lambda r: _over_best_canonical(r, "SP-MZ", UNLIMITED)),
    _checked("LU-MZ: (32x16,115) over (32x8,115), times (more than)", "3.4.1", 2.0,
             lambda r: r.time_s("LU-MZ", 32, 16, 115) / r.time_s("LU-MZ", 32, 8, 115)),
    _checked("the same, a slow node in the allocation of (32x16,115)", "3.4.1", 2.0,
             lambda r: r.straggling_s("LU-MZ", 32, 16, 115) / r.time_s("LU-MZ", 32, 8, 115)),
    _checked("class D, 64 nodes: package power of a socket, mean of eight codes [W]", "5.4.1", 81,
             lambda r: float(np.mean(_full_package_w(r))), "D"),
    _checked("class D, 64 nodes: least of the eight (NSC) [W]", "5.4.1", 66,
             lambda r: min(_full_package_w(r)), "D"),
    _checked("class D, 64 nodes: NSC [W]", "5.4.1", 66,
             lambda r: r.package_w("NSC", 64, 16, 115), "D"),
    _checked("class D, 64 nodes: SP-MZ [W]", "5.4.1", 93,
             lambda r: r.package_w("SP-MZ", 64, 16, 115), "D"),
    _checked("class D, four codes, five bounds: time saved, largest", "fig. 5.3", 0.34,
             lambda r: max(_saved(r)), "D"),
    _checked("class D, four codes, five bounds: time saved, mean", "fig. 5.3", 0.11,
             lambda r: float(np.mean(_saved(r))), "D"),
    Quantity("SP-MZ one node, 4 cores: time at 51 W over 100 W", "3.3", "calibrated", 0.015,
             lambda r: r.time_s("SP-MZ", 1, 4, 51) / r.time_s("SP-MZ", 1, 4, 100) - 1),
    Quantity("EP on 2,386 sockets, no cap: spread of power", "7.3.1", "calibrated", 0.23,
             lambda r: relative_spread(one_socket(r, 115).package_power_w), setting="sockets"),
    _checked("EP on 2,386 sockets, no cap: spread of time", "7.3.1", 0.0,
             lambda r: relative_spread(one_socket(r, 115).compute_s), "sockets"),
    _checked("EP on 2,386 sockets, 65 W: spread of time", "7.3.1", 0.10,
             lambda r: relative_spread(one_socket(r, 65).compute_s), "sockets"),
)  # fmt: skip

FREE: tuple[Quantity, ...] = tuple(
    Quantity(
        f"{name} at 3500 W: packed-max over best, times",
        "",
        "free",
        float("nan"),
        lambda r, name=name: r.speedup(name, 3500),  # type: ignore[misc]
    )
    for name in NAMES[4:]
)


def _best(name: str, bound_w: float, printed: Configuration | None) -> Winner:
    at = f"{bound_w:g} W" if bound_w < UNLIMITED else "unlimited"
    where = ("Table 4.2" if bound_w == 3500 else "3.4.1") if printed else ""
    return Winner(f"{name} {at}: best", where, printed, lambda r: r.best(name, bound_w))


WINNERS: tuple[Winner, ...] = (
    _best("SPhot", 2500, None),
    _best("SPhot", 3500, (32, 16, 51.0)),
    _best("BT-MZ", 2500, None),
    _best("BT-MZ", 3500, (30, 14, 51.0)),
    _best("SP-MZ", 2500, (22, 8, 80.0)),
    _best("SP-MZ", 3500, (26, 12, 80.0)),
    _best("SP-MZ", UNLIMITED, (32, 14, 115.0)),
    _best("LU-MZ", 2500, None),
    _best("LU-MZ", 3500, (32, 8, 95.0)),
    _best("LU-MZ", UNLIMITED, (32, 8, 115.0)),
    Winner("SP-MZ 2500 W: packed-max", "3.4.1", (12, 16, 115.0),
           lambda r: r.canonical("SP-MZ", "packed-max", 2500)),
    Winner("SP-MZ 2500 W: spread-min", "3.4.1", (28, 4, 51.0),
           lambda r: r.canonical("SP-MZ", "spread-min", 2500)),
    *(
        Winner(f"{name} 3500 W: packed-max", "Table 4.2", (nodes, 16, 115.0),
               lambda r, name=name: r.canonical(name, "packed-max", 3500))  # type: ignore[misc]
        for name, nodes in zip(REAL, (18, 16, 20, 18), strict=True)
    ),
)  # fmt: skip
