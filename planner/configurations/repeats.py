"""How far repetitions of the same configuration lie apart, over all configurations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.configurations.table import groups
from scenarios.measurements.runs import Floats, Runs


@dataclass(frozen=True, eq=False)
class Repeats:
    """Repetitions of all configurations of one application.

    Attributes
    ----------
    application
        Whose.
    configurations
        How many were run at all.
    slowdown
        Slowest run over the fastest, less 1, of each configuration that was run more than once,
        ascending, shape ``(repeated,)``.
    power
        Largest power over the least, less 1, of the same, ascending.
    """

    application: str
    configurations: int
    slowdown: Floats
    power: Floats

    @property
    def repeated(self) -> int:
        """Configurations that were run more than once."""
        return len(self.slowdown)

    def quantiles(self, *shares: float) -> tuple[float, ...]:
        """Quantiles of the slowdown; there must be something repeated."""
        return tuple(float(value) for value in np.quantile(self.slowdown, shares))


def repeats(runs: Runs) -> Repeats:
    """Compare the repetitions of each configuration.

    Examples
    --------
    >>> twice = Runs("a", np.array([2, 2, 4]), np.array([8, 8, 8]), np.full(3, 115.0),
    ...     np.array([1, 2, 1]), np.array([10.0, 12.0, 6.0]), np.array([300.0, 303.0, 600.0]))
    >>> found = repeats(twice)
    >>> found.configurations, found.repeated, [round(float(each), 3) for each in found.slowdown]
    (2, 1, [0.2])
    """
    of_configuration = groups(runs)
    repeated = [group for group in of_configuration if len(group) > 1]
    power = runs.power_w
    slowdown = np.array([runs.time_s[g].max() / runs.time_s[g].min() - 1 for g in repeated])
    powers = np.array([power[g].max() / power[g].min() - 1 for g in repeated])
    return Repeats(runs.application, len(of_configuration), np.sort(slowdown), np.sort(powers))
