"""How fast four cores of a node are, by what the law is fitted to.

The numbers of section 3.3 and Table 4.2 leave it open for the codes that wait for memory: with
another assumed `Application.service` of LU-MZ, and its work left free, they are met about as
well, and four cores come out at other speeds. That is why two numbers of 3.4.1 are fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.simulated.calibrate import Fit, fit
from benchmarks.studies.simulated.printed import CALIBRATED, FOUR_CORES, SINGLE_NODE_AND_TABLE
from benchmarks.studies.simulated.readings import Readings
from scenarios.simulated.cluster import SimulatedCluster

SERVICES = (1.0, 0.7, 0.5, 0.35, 0.25)


@dataclass(frozen=True)
class Refit:
    """A fit of the law's parameters with one assumed value.

    Attributes
    ----------
    service
        Of LU-MZ.
    fitted
        To how many printed numbers.
    quality
        Of section 3.3 and Table 4.2: root mean square of the errors over their tolerances.
    four_cores
        Simulated values of the two numbers of 3.4.1, fitted or not.
    """

    service: float
    fitted: int
    quality: float
    four_cores: tuple[float, ...]


def refits(services: Sequence[float] = SERVICES) -> tuple[Refit, ...]:
    """Fit the law for each value, without the numbers of 3.4.1 and with them: ten take minutes."""
    refits = []
    for service in services:
        for quantities in (SINGLE_NODE_AND_TABLE, CALIBRATED):
            part = fit(quantities=quantities, service={"LU-MZ": service})
            refits.append(_refit(service, part))
    return tuple(refits)


def _refit(service: float, part: Fit) -> Refit:
    readings = Readings(SimulatedCluster.typical(32, part.machine), part.applications)
    errors = part.errors[: len(SINGLE_NODE_AND_TABLE)]
    return Refit(
        service,
        len(part.errors),
        float(np.sqrt(np.mean(errors**2))),
        tuple(q.evaluate(readings) for q in FOUR_CORES),
    )


def refits_as_markdown(refits: Sequence[Refit]) -> str:
    """Write the fits as a table in Markdown."""
    names = " | ".join(f"{q.name}: printed {q.printed:g}" for q in FOUR_CORES)
    rows = [
        f"| `service` of LU-MZ | fitted to | error of 3.3 and Table 4.2 | {names} |",
        f"|---:|---:|---:|{'---:|' * len(FOUR_CORES)}",
    ]
    for refit in refits:
        shown = " | ".join(f"{value:.3g}" for value in refit.four_cores)
        rows.append(
            f"| {refit.service:g} | {refit.fitted} numbers | {refit.quality:.3f} | {shown} |"
        )
    return "\n".join(rows) + "\n"
