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


INTERACTIVE = LublinJobClass(
    name="interactive",
    serial=0.1541,
    power_of_two=0.625,
    low=1.0,
    medium=3.0,
    high=5.5,
    first_stage=0.705,
    shape_1=3.8351,
    scale_1=0.6605,
    shape_2=7.073,
    scale_2=0.6856,
    slope=-0.0118,
    level=0.9156,
    gap_shape=6.5510,
    gap_scale=0.6621,
    rush_ratio=0.9797,
    day_shape=8.9186,
    day_scale=3.6680,
)
BATCH = LublinJobClass(
    name="batch",
    serial=0.2927,
    power_of_two=0.6686,
    low=1.2,
    medium=5.0,
    high=7.0,
    first_stage=0.875,
    shape_1=6.57,
    scale_1=0.823,
    shape_2=639.1,
    scale_2=0.0156,
    slope=-0.003,
    level=0.6986,
    gap_shape=6.0415,
    gap_scale=0.8531,
    rush_ratio=1.0519,
    day_shape=6.1271,
    day_scale=5.2740,
)
ALL_JOBS = LublinJobClass(
    name="all",
    serial=0.244,
    power_of_two=0.576,
    low=0.8,
    medium=4.5,
    high=7.0,
    first_stage=0.86,
    shape_1=4.2,
    scale_1=0.94,
    shape_2=312.0,
    scale_2=0.03,
    slope=-0.0054,
    level=0.78,
    gap_shape=10.2303,
    gap_scale=0.4871,
    rush_ratio=1.0225,
    day_shape=8.1737,
    day_scale=3.9631,
)
