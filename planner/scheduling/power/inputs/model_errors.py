"""How far the job details table is from the truth, application by application.

References
----------
Patki (2015), section 5.4.2: errors of run times, and how often power is predicted too low.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.scheduling.power.problem import Floats, JobDetails
from planner.scheduling.power.truth import PowerTruth

MOST_LOW = 0.10
"""Share by which power may be predicted too low without being counted (5.4.2)."""


@dataclass(frozen=True)
class ModelErrors:
    """Errors over the configurations of one application, or of all, as shares of the truth.

    Attributes
    ----------
    application
        Its name; ``all`` for the rows of all applications together.
    rows
        Configurations, those of training too.
    time_mean, time_median, time_third_quartile, time_max
        Absolute error of the run time.
    power_within
        Share of the rows whose power is at most 10 % below the truth; above it counts as within.
    power_lowest
        Largest share by which power is below the truth; 0 where it never is.
    charged_low
        Share of the rows that are charged less than they draw, guard included.
    """

    application: str
    rows: int
    time_mean: float
    time_median: float
    time_third_quartile: float
    time_max: float
    power_within: float
    power_lowest: float
    charged_low: float


ALL = "all"


def model_errors(
    details: JobDetails, truth: PowerTruth, guard: float = 0.0
) -> tuple[ModelErrors, ...]:
    """Compare the table with the truth on typical nodes: each application, then all rows.

    Parameters
    ----------
    guard
        Share of the charge that was left free; predicted power is charge x (1 - guard).
    """
    time = np.abs(details.time_ms / truth.time_ms - 1)
    charged = details.charge_mw / truth.power_mw
    parts = [
        (name, np.arange(len(details))[details.rows(index)])
        for index, name in enumerate(details.applications)
    ]
    parts.append((ALL, np.arange(len(details))))
    return tuple(_errors(name, time[rows], charged[rows], guard) for name, rows in parts)


def _errors(name: str, time: Floats, charged: Floats, guard: float) -> ModelErrors:
    low = np.maximum(1 - charged * (1 - guard), 0.0)
    median, third = np.quantile(time, (0.5, 0.75))
    return ModelErrors(
        application=name,
        rows=len(time),
        time_mean=float(time.mean()),
        time_median=float(median),
        time_third_quartile=float(third),
        time_max=float(time.max()),
        power_within=float((low <= MOST_LOW).mean()),
        power_lowest=float(low.max()),
        charged_low=float((charged < 1).mean()),
    )
