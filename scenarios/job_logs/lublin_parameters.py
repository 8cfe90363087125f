"""Parameters of the Lublin-Feitelson model, as fitted by its authors to three machines' logs.

References
----------
Lublin and Feitelson, "The workload on parallel supercomputers: modeling the characteristics of
rigid jobs", Journal of Parallel and Distributed Computing 63(11), 2003: sizes in section 3, run
times in section 4, arrivals in section 5. The numbers are those of the authors' own generator,
``m_lublin99.c`` in the Parallel Workloads Archive; the port in GridSim holds the same.
"""

from __future__ import annotations

from dataclasses import dataclass

FITTED_PROCESSORS = 128
"""Size of the machine at which the published size parameters hold."""


@dataclass(frozen=True)
class LublinJobClass:
    """Parameters of one class of jobs.

    Attributes
    ----------
    name
        Name of the class.
    serial, power_of_two
        Share of jobs of one processor, and of jobs whose log2 of the size is rounded.
    low, medium, high
        Limits of the two stages of the uniform distribution of log2 of the size, at
        ``FITTED_PROCESSORS``.
    first_stage
        Share of parallel jobs between ``low`` and ``medium``.
    shape_1, scale_1, shape_2, scale_2
        Shapes and scales of the two gamma distributions of the natural logarithm of the run time
        [s].
    slope, level
        Share of the first gamma: slope times size plus level, cut to 0 and 1.
    gap_shape, gap_scale
        Shape and scale of the gamma distribution of the natural logarithm of the gap in rush hours
        [s].
    rush_ratio
        Times ``gap_shape`` for gaps over the whole day.
    day_shape, day_scale
        Shape and scale of the gamma distribution of arrivals over the half-hours of the day.
    """

    name: str
    serial: float
    power_of_two: float
    low: float
    medium: float
    high: float
    first_stage: float
    shape_1: float
    scale_1: float
    shape_2: float
    scale_2: float
    slope: float
    level: float
    gap_shape: float
    gap_scale: float
    rush_ratio: float
    day_shape: float
    day_scale: float


_FITTED = {
    "serial": (0.1541, 0.2927, 0.244),
    "power_of_two": (0.625, 0.6686, 0.576),
    "low": (1.0, 1.2, 0.8),
    "medium": (3.0, 5.0, 4.5),
    "high": (5.5, 7.0, 7.0),
    "first_stage": (0.705, 0.875, 0.86),
    "shape_1": (3.8351, 6.57, 4.2),
    "scale_1": (0.6605, 0.823, 0.94),
    "shape_2": (7.073, 639.1, 312.0),
    "scale_2": (0.6856, 0.0156, 0.03),
    "slope": (-0.0118, -0.003, -0.0054),
    "level": (0.9156, 0.6986, 0.78),
    "gap_shape": (6.5510, 6.0415, 10.2303),
    "gap_scale": (0.6621, 0.8531, 0.4871),
    "rush_ratio": (0.9797, 1.0519, 1.0225),
    "day_shape": (8.9186, 6.1271, 8.1737),
    "day_scale": (3.6680, 5.2740, 3.9631),
}
"""Each parameter, fitted to interactive jobs, to batch jobs and to all jobs together."""

INTERACTIVE, BATCH, ALL_JOBS = (
    LublinJobClass(name, **{key: fitted[place] for key, fitted in _FITTED.items()})
    for place, name in enumerate(("interactive", "batch", "all"))
)
