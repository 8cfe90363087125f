"""The two numbers of the law that were fitted, and where all others come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BANDWIDTH_SCALE = 0.7563
MISS_SCALE = 0.3946

Origin = Literal["fitted", "published", "assumed"]


@dataclass(frozen=True)
class Number:
    """A number of the simulated node.

    Attributes
    ----------
    name
        What it is.
    value
        With its unit.
    origin
        *fitted* to a printed number, *published* in the paper or a specification, or *assumed*.
    reason
        To what, where, or why.
    """

    name: str
    value: str
    origin: Origin
    reason: str


NUMBERS = (
    Number(
        "bandwidth scale",
        f"{BANDWIDTH_SCALE}",
        "fitted",
        "mean discount of the oracle over 144 pairs, 11.5 % (POPPA, 8.4); misfit below 0.01 points",
    ),
    Number(
        "miss scale",
        f"{MISS_SCALE}",
        "fitted",
        "largest discount of the oracle, 38.3 % (POPPA, 8.4); misfit below 0.01 points",
    ),
    Number(
        "parameters of the twelve applications",
        "5 per phase, 6 per application",
        "assumed",
        "public knowledge about each code; set before the fit and not changed by it",
    ),
    Number(
        "exponent of misses against cache",
        "0.5",
        "published",
        "square-root rule (Hartstein et al., 2006)",
    ),
    Number(
        "delay of a loaded memory",
        "1 + D²/(1 - D)",
        "assumed",
        "grows as the mean length of a queue with one server; D: share of the bandwidth in use",
    ),
    Number(
        "uneven share",
        "0.1",
        "assumed",
        "ranks suffer unequally; the average rank waits a tenth of the added time",
    ),
    Number(
        "cores, clock",
        "2 x 8 cores, 2.6 GHz",
        "published",
        "POPPA, section 7",
    ),
    Number(
        "fills of the cache per ms",
        "2",
        "assumed",
        "40 GB/s sustained over 20 MB; the cache is published in POPPA, section 7",
    ),
    Number(
        "cost of signals and readings",
        "0.025 and 0.04 ms per job",
        "assumed",
        "a pause of 0.13 ms and a round of 0.45 ms; POPPA, 8.1: means of at most 0.13 and 0.5 ms",
    ),
    Number(
        "counter noise, sampler noise",
        "1.5 %, 2 points",
        "assumed",
        "usual relative noise of an IPC; a sampler of 8 ranks over some ms",
    ),
)
"""For the table of fitted and free numbers in a report."""
