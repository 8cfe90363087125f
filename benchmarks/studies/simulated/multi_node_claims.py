"""Claims about the best and the canonical configurations under power bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.studies.simulated.checks import BOUNDS_W, UNLIMITED, apart
from benchmarks.studies.simulated.claim import Claim, above, below, within
from benchmarks.studies.simulated.readings import Form, Readings
from scenarios.simulated.applications import NAMES, REAL

MANY_NODES = "3.4.1"
BOUNDS = BOUNDS_W["C"]
FIGURE = (2500.0, 3500.0, UNLIMITED)
"""Bounds that figure 3.5 shows in detail."""

PACKED: tuple[Form, ...] = ("packed-max", "packed-min")
SPREAD: tuple[Form, ...] = ("spread-max", "spread-min")
NODE_TDP_W = 2 * (115 + 30)
"""Packages and memory of a node at their ratings, by which the absolute worst case counts."""


def _at(bounds: Sequence[float]) -> str:
    finite = [f"{bound:g}" for bound in bounds if bound < UNLIMITED]
    if len(finite) == len(bounds) > 1:
        return f"{', '.join(finite[:-1])} and {finite[-1]} W"
    shown = [", ".join(finite) + " W"] if finite else []
    return " and ".join([*shown, "unlimited power"] if len(finite) < len(bounds) else shown)


def _printed(name: str, bounds: Sequence[float]) -> str:
    """Return where spread stands against packed; of one code at unlimited power it was fitted."""
    fitted = name == "SP-MZ" and tuple(bounds) == (UNLIMITED,)
    return f"{MANY_NODES}, calibrated" if fitted else MANY_NODES


def _different(values: Sequence[object]) -> int:
    return len(set(values))


def _best_s(r: Readings, name: str, bound_w: float) -> float:
    return r.time_s(name, *r.best(name, bound_w))


def _cores(r: Readings, name: str, bounds: Sequence[float]) -> list[int]:
    return [r.best(name, bound)[1] for bound in bounds]


def _mean_gain(r: Readings, bound_w: float) -> float:
    return float(np.mean([r.speedup(name, bound_w) for name in REAL])) - 1


def _between(r: Readings, name: str) -> int:
    """Bounds of figure 3.5 at which the best uses neither all cores of a node nor the fewest."""
    return sum(4 < cores < 16 for cores in _cores(r, name, FIGURE))


def _worst_case_s(r: Readings, name: str, bound_w: float) -> float:
    return r.time_s(name, int(bound_w // NODE_TDP_W), 16, 115)


def _not_packed_max(r: Readings) -> int:
    return sum(r.best(n, UNLIMITED) != r.canonical(n, "packed-max", UNLIMITED) for n in NAMES)


_BEST = (
    Claim("The best configuration differs by code at each bound", MANY_NODES,
          f"different ones among four codes, least of {_at(BOUNDS)}", within(2),
          lambda r: min(_different([r.best(n, b) for n in REAL]) for b in BOUNDS)),
    *(
        Claim(f"{name}: the best configuration differs by bound", MANY_NODES,
              f"different ones at {_at(BOUNDS)}", within(2),
              lambda r, name=name: _different([r.best(name, b) for b in BOUNDS]))  # type: ignore[misc]
        for name in REAL
    ),
    Claim("The best is not always one of the canonical four", MANY_NODES,
          "codes of eight at 2500 W whose best is none", within(1),
          lambda r: sum(r.fastest_s(n, 2500) > _best_s(r, n, 2500) for n in NAMES)),
    *(
        Claim(f"{name} at 2500 W: the best is not canonical", MANY_NODES,
              "fastest canonical over best, times", above(1),
              lambda r, name=name: r.fastest_s(name, 2500) / _best_s(r, name, 2500))  # type: ignore[misc]
        for name in ("BT-MZ", "SP-MZ", "LU-MZ", "NSM")
    ),
    Claim("Cores per node of the best change with the bound for some code", MANY_NODES,
          f"codes of four, {_at(BOUNDS)}", within(1),
          lambda r: sum(_different(_cores(r, n, BOUNDS)) > 1 for n in REAL)),
    *(
        Claim(f"{name}: cores per node of the best change from 2500 to 3500 W", source,
              "core counts at the two", within(2),
              lambda r, name=name: _different(_cores(r, name, (2500, 3500))))  # type: ignore[misc]
        for name, source in (("SP-MZ", MANY_NODES), ("LU-MZ", "not printed"))
    ),
    Claim("SP-MZ at 2500 W: the best takes a cap above the lowest", MANY_NODES,
          "cap of the best [W]", above(51), lambda r: r.best("SP-MZ", 2500)[2]),
)  # fmt: skip

_PACKED = (
    *(
        Claim(f"{name}, which computes: packed is faster than spread at each bound", MANY_NODES,
              f"fastest spread over fastest packed, least of {_at((*BOUNDS, UNLIMITED))}",
              above(1),
              lambda r, name=name: min(  # type: ignore[misc]
                  r.fastest_s(name, b, SPREAD) / r.fastest_s(name, b, PACKED)
                  for b in (*BOUNDS, UNLIMITED)))
        for name in ("SPhot", "BT-MZ")
    ),
    Claim("SPhot and BT-MZ: the best uses 14 or 16 cores a node at each bound", MANY_NODES,
          f"least of both codes, {_at((*BOUNDS, UNLIMITED))}", within(14, 16),
          lambda r: min(c for n in ("SPhot", "BT-MZ") for c in _cores(r, n, (*BOUNDS, UNLIMITED)))),
    Claim("SPhot at 2500 W: packed-max is slower than packed-min", MANY_NODES,
          "packed-max over packed-min, times", above(1),
          lambda r: r.ratio("SPhot", "packed-max", "packed-min", 2500)),
    Claim("SC at 2500 W: spread-min takes more than twice as long as packed-min", MANY_NODES,
          "spread-min over packed-min, times", above(2),
          lambda r: r.ratio("SC", "spread-min", "packed-min", 2500)),
    Claim("NSC at 2500 W: spread-max is slower than packed-max", MANY_NODES,
          "spread-max over packed-max, times", above(1),
          lambda r: r.ratio("NSC", "spread-max", "packed-max", 2500)),
)  # fmt: skip

_SPREAD = (
    *(
        Claim(f"{name}, which waits for memory, at {_at((bound,))}: spread is faster than packed",
              _printed(name, (bound,)), "fastest packed over fastest spread, times", above(1),
              lambda r, name=name, bound=bound: (  # type: ignore[misc]
                  r.fastest_s(name, bound, PACKED) / r.fastest_s(name, bound, SPREAD)))
        for name in ("SP-MZ", "LU-MZ")
        for bound in FIGURE
    ),
    *(
        Claim(f"{name}: spread-max is faster than packed-max at {_at(bounds)}",
              _printed(name, bounds), "packed-max over spread-max, least, times", above(1),
              lambda r, name=name, bounds=bounds: min(  # type: ignore[misc]
                  r.ratio(name, "packed-max", "spread-max", b) for b in bounds))
        for name in ("SP-MZ", "LU-MZ")
        for bounds in ((2500.0, 3500.0), (UNLIMITED,))
    ),
    *(
        Claim(f"LU-MZ at {bound:g} W: spread is close to the best", MANY_NODES,
              "fastest spread over best, times", within(1, 1.1),
              lambda r, bound=bound: (  # type: ignore[misc]
                  r.fastest_s("LU-MZ", bound, SPREAD) / _best_s(r, "LU-MZ", bound)))
        for bound in (2500.0, 3500.0)
    ),
    *(
        Claim(f"{name}: spread-max and spread-min hardly differ at 2500 and 3500 W", MANY_NODES,
              "their difference, larger of two", below(0.05),
              lambda r, name=name: max(apart(r, name, b) for b in (2500, 3500)))  # type: ignore[misc]
        for name in ("SP-MZ", "BT-MZ")
    ),
    Claim("LU-MZ: spread-max and spread-min differ more at 3500 W than at 2500 W", MANY_NODES,
          "difference at 3500 over that at 2500 W", above(1),
          lambda r: apart(r, "LU-MZ", 3500) / apart(r, "LU-MZ", 2500)),
    *(
        Claim(f"{name}: the best uses neither all cores of a node nor the fewest", MANY_NODES,
              f"bounds of {_at(FIGURE)}", within(3),
              lambda r, name=name: _between(r, name))  # type: ignore[misc]
        for name in ("SP-MZ", "LU-MZ", "NSC", "NSM")
    ),
    Claim("LU-MZ unlimited: 8 cores a node are more than twice as fast as 16", MANY_NODES,
          "(32x16,115) over (32x8,115), times", above(2),
          lambda r: r.time_s("LU-MZ", 32, 16, 115) / r.time_s("LU-MZ", 32, 8, 115)),
    Claim("LU-MZ unlimited: 8 cores a node are faster than 16", MANY_NODES,
          "(32x16,115) over (32x8,115), times", above(1),
          lambda r: r.time_s("LU-MZ", 32, 16, 115) / r.time_s("LU-MZ", 32, 8, 115)),
)  # fmt: skip

_GAINS = (
    Claim("Overprovisioning beats packed-max for four codes at each bound", MANY_NODES,
          f"packed-max over best, least of {_at(BOUNDS)}, times", above(1),
          lambda r: min(r.speedup(n, b) for n in REAL for b in BOUNDS)),
    *(
        Claim(f"Overprovisioning beats the absolute worst case for {many} codes at each bound",
              source, f"{NODE_TDP_W} W a node over best, least of {_at(BOUNDS)}, times", above(1),
              lambda r, names=names: min(  # type: ignore[misc]
                  _worst_case_s(r, n, b) / _best_s(r, n, b) for n in names for b in BOUNDS))
        for many, source, names in (("four", "4.2", REAL), ("eight", "not printed", NAMES))
    ),
    Claim("The mean gain of four codes over packed-max is smaller at 4000 than at 2500 W",
          MANY_NODES, "gain at 4000 over that at 2500 W", below(1),
          lambda r: _mean_gain(r, 4000) / _mean_gain(r, 2500)),
    Claim("The gain of each of them over packed-max is smaller at 4000 than at 2500 W",
          "not printed", "speedup at 2500 less that at 4000 W, least of four", above(0),
          lambda r: min(r.speedup(n, 2500) - r.speedup(n, 4000) for n in REAL)),
    Claim("The mean gain shrinks at each step of the bound", "fails in 3.4.1",
          f"steps of three with a fall, {_at(BOUNDS)}", within(3),
          lambda r: sum(_mean_gain(r, b) > _mean_gain(r, b + 500) for b in BOUNDS[:-1])),
    Claim("The mean gain rises once, from 3000 to 3500 W", MANY_NODES,
          "gain at 3500 over that at 3000 W", above(1),
          lambda r: _mean_gain(r, 3500) / _mean_gain(r, 3000)),
    Claim("SP-MZ at 4500 W: the best is more than twice as fast as packed-max", "fig. 3.6",
          "packed-max over best, times", above(2), lambda r: r.speedup("SP-MZ", 4500)),
    Claim("Unlimited, packed-max is not the best of three codes or more", MANY_NODES,
          "codes of eight", within(3), _not_packed_max),
    Claim("Unlimited, packed-max is not the best of three codes and no more", MANY_NODES,
          "codes of eight", within(3, 3), _not_packed_max),
)  # fmt: skip

MULTI_NODE: tuple[Claim, ...] = (*_BEST, *_PACKED, *_SPREAD, *_GAINS)
