"""The fit of the law's free parameters to section 3.3, Table 4.2 and two numbers of 3.4.1.

``python -m benchmarks.studies.simulated.calibrate`` logs the fitted values, which were then stored
in ``scenarios/data/simulated``, to four digits. Nothing else of the thesis is fitted.

The program: least squares with a soft L1 loss over the logarithms of the parameters. Residuals
are relative errors over their tolerance, and the distance of each parameter from its
assumed value over its freedom: there are hardly more numbers than parameters, and what no number
touches stays where it was assumed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.studies.simulated.printed import CALIBRATED, Quantity
from benchmarks.studies.simulated.readings import Readings
from scenarios.simulated.applications import Application, load_applications
from scenarios.simulated.cluster import SimulatedCluster
from scenarios.simulated.machine import Floats, SimulatedMachine, load_machine

log = logging.getLogger(__name__)

MACHINE = {
    ("cap", "utilisation"): (0.97, 0.003),
    ("power", "uncore_nf"): (1.2, 0.3),
    ("power", "spinning_nf"): (1.0, 0.2),
    ("power", "dram_idle_w"): (4.6, 0.1),
    ("power", "dram_w_per_gb_s"): (0.13, 0.2),
}
ASSUMED: dict[str, dict[str, tuple[float, float]]] = {
    "SPhot": {"gigacycles": (42000, 0.3), "active_nf": (1.9, 0.3), "stream_gb": (0.15, 0.5)},
    "BT-MZ": {
        "gigacycles": (4500, 0.5),
        "serial": (0.004, 0.5),
        "active_nf": (2.6, 0.3),
        "stalled_nf": (1.5, 0.2),
        "stream_gb": (0.6, 0.5),
        "reuse_gb": (0.6, 0.5),
        "row_conflicts": (0.3, 0.5),
        "crowding": (0.1, 0.5),
        "halo_gb": (0.05, 0.7),
    },
    "SP-MZ": {
        "gigacycles": (1500, 0.5),
        "serial": (0.004, 0.5),
        "active_nf": (2.3, 0.3),
        "stalled_nf": (0.8, 0.3),
        "stream_gb": (1.5, 0.5),
        "reuse_gb": (0.2, 0.5),
        "row_conflicts": (0.5, 0.5),
        "crowding": (5.0, 0.5),
        "halo_gb": (0.05, 0.3),
    },
    "LU-MZ": {
        "gigacycles": (1300, 0.5),
        "active_nf": (3.0, 0.2),
        "stalled_nf": (1.5, 0.2),
        "stream_gb": (6.0, 0.3),
        "reuse_gb": (0.3, 0.3),
        "row_conflicts": (0.2, 0.2),
        "halo_gb": (0.02, 0.5),
    },
    "SC": {"active_nf": (1.8, 0.5)},
    "NSC": {"active_nf": (1.8, 0.5)},
    "SM": {"active_nf": (2.5, 0.5)},
    "NSM": {"active_nf": (2.5, 0.5)},
}
"""Assumed value of each fitted parameter, and its freedom (standard deviation of the logarithm)."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A machine and its applications, and how well they meet the calibrated numbers."""

    machine: SimulatedMachine
    applications: Mapping[str, Application]
    errors: Floats

    @property
    def quality(self) -> float:
        """Root mean square of the errors over their tolerances."""
        return float(np.sqrt(np.mean(self.errors**2)))


def errors(
    machine: SimulatedMachine,
    applications: Mapping[str, Application],
    quantities: Sequence[Quantity] = CALIBRATED,
) -> Floats:
    """Relative errors of the calibrated numbers, each over its tolerance."""
    readings = Readings(SimulatedCluster.typical(32, machine), applications)
    return np.array(
        [np.log(max(q.evaluate(readings), 1e-6) / q.printed) / q.tolerance for q in quantities]
    )


def stored_fit() -> Fit:
    """Return the bundled parameters and their errors."""
    machine, applications = load_machine(), load_applications("C")
    return Fit(machine, applications, errors(machine, applications))


def fit(
    evaluations: int = 60,
    quantities: Sequence[Quantity] = CALIBRATED,
    service: Mapping[str, float] | None = None,
) -> Fit:
    """Fit all free parameters from their assumed values.

    Parameters
    ----------
    evaluations
        At most so many, derivatives apart.
    quantities
        The numbers to which it is fitted.
    service
        By application, another `Application.service` than the stored one.
    """
    from scipy.optimize import least_squares

    names = _names()
    held = service or {}
    centre = np.log([_assumed(name)[0] for name in names])
    freedom = np.array([_assumed(name)[1] for name in names])

    def residuals(z: Floats) -> Floats:
        values = dict(zip(names, np.exp(centre + freedom * z), strict=True))
        return np.concatenate([errors(*_with(values, held), quantities), 0.3 * z])

    optimum = least_squares(
        residuals,
        np.zeros(len(names)),
        loss="soft_l1",
        bounds=(-3, 3),
        max_nfev=evaluations,
        diff_step=1e-4,
    )
    values = dict(zip(names, np.exp(centre + freedom * optimum.x), strict=True))
    machine, applications = _with(values, held)
    return Fit(machine, applications, errors(machine, applications, quantities))


Name = tuple[str, str]


def _names() -> list[Name]:
    return [*MACHINE, *((app, key) for app, keys in ASSUMED.items() for key in keys)]


def _assumed(name: Name) -> tuple[float, float]:
    return MACHINE[name] if name in MACHINE else ASSUMED[name[0]][name[1]]


def _with(
    values: Mapping[Name, float], service: Mapping[str, float]
) -> tuple[SimulatedMachine, dict[str, Application]]:
    machine = load_machine()
    applications = dict(load_applications("C"))
    for name, share in service.items():
        applications[name] = replace(applications[name], service=share)
    for (group, key), value in values.items():
        if (group, key) in MACHINE:
            change: dict[str, Any] = {group: replace(getattr(machine, group), **{key: value})}
            machine = replace(machine, **change)
        else:
            change = {key: value}
            applications[group] = replace(applications[group], **change)
    return machine, applications


def main() -> None:
    """Log the fitted parameters, and each calibrated number beside its simulated value."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    fitted = fit()
    for group, key in _names():
        is_machine = (group, key) in MACHINE
        source = getattr(fitted.machine, group) if is_machine else fitted.applications[group]
        log.info("%s.%s = %.5g", group, key, getattr(source, key))
    for quantity, error in zip(CALIBRATED, fitted.errors, strict=True):
        simulated = quantity.printed * np.exp(error * quantity.tolerance)
        log.info("%-60s %8.4g %8.4g", quantity.name, quantity.printed, simulated)
    log.info("quality %.3f", fitted.quality)


if __name__ == "__main__":
    main()
