"""A service level: a statistic of what jobs see, and the most that it may be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from planner.errors import InputError
from planner.formatting import telling
from planner.scheduling.simulation.job_measures import bounded_slowdown, slowdown, turnaround_s
from planner.scheduling.simulation.measures import JobSpread
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.wait_text import one_unit
from scenarios.formatting import nearest, short

STATISTICS = {
    "mean": "mean",
    "median": "median",
    "p90": "p90",
    "p95": "p95",
    "p99": "p99",
    "max": "largest",
}
"""Names on the command line, and the parts of a
:class:`~planner.scheduling.simulation.measures.JobSpread`."""

MEASURES: dict[str, Callable[[JobSchedule], ArrayLike]] = {
    "wait": lambda schedule: schedule.wait_s,
    "turnaround": turnaround_s,
    "slowdown": slowdown,
    "bounded-slowdown": bounded_slowdown,
}
"""Measures of the jobs that started, as ``headroom simulate`` defines them."""

_KEYS = {
    "wait": "wait_s",
    "turnaround": "turnaround_s",
    "slowdown": "slowdown",
    "bounded-slowdown": "bounded_slowdown",
}
_SECONDS = {"": 1, "s": 1, "min": 60, "h": 3600, "d": 86400}
_FORM = re.compile(r"([a-z0-9]+)-([a-z-]+?)\s*(<=|≤)\s*(-?[0-9.e+]+(?:e-[0-9]+)?)\s*([a-z]*)")

_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(?![0-9,])")
"""Digits with commas between thousands."""


@dataclass(frozen=True)
class ServiceLevel:
    """A service level for all jobs of a log together.

    Attributes
    ----------
    statistic, measure
        Names of ``STATISTICS`` and ``MEASURES``.
    limit
        Largest value that the statistic may have; times in seconds.
    """

    statistic: str
    measure: str
    limit: float

    def __post_init__(self) -> None:
        """Refuse names that are not there, and limits that are none."""
        for name, allowed, meaning in (
            (self.statistic, STATISTICS, "statistic"),
            (self.measure, MEASURES, "measure"),
        ):
            if name not in allowed:
                listed = ", ".join(allowed)
                raise InputError(
                    f"{short(name)} is not a {meaning} of a service level; choose one of {listed}"
                )
        allowed_range = "at least 0" if self.is_wait else "above 0"
        wrong = self.limit < 0 or (self.limit == 0 and not self.is_wait)
        if wrong or not math.isfinite(self.limit):
            raise InputError(
                f"the limit {self.limit:g} of {self.name} is not a number {allowed_range}; correct "
                "it"
            )

    @property
    def is_wait(self) -> bool:
        """Return whether the level limits waits; then a limit of 0 is valid: jobs start at once."""
        return self.measure == "wait"

    @property
    def is_time(self) -> bool:
        """Whether values are seconds."""
        return self.measure in ("wait", "turnaround")

    @property
    def unit(self) -> str:
        """Unit of its values."""
        return "s" if self.is_time else "ratio"

    @property
    def name(self) -> str:
        """The statistic of the measure, as on the command line."""
        return f"{self.statistic}-{self.measure}"

    @property
    def heading(self) -> str:
        """The same above a column."""
        return f"{self.statistic} {self.measure.replace('-', ' ')}"

    @property
    def key(self) -> str:
        """The same number's key in the JSON of ``headroom simulate``."""
        return f"{self.statistic}_{_KEYS[self.measure]}"

    @property
    def words(self) -> str:
        """In a sentence.

        Examples
        --------
        >>> slowdown = ServiceLevel("p95", "bounded-slowdown", 20)
        >>> slowdown.words, ServiceLevel("mean", "wait", 600).words
        ('a 95th percentile of the bounded slowdown of at most 20', 'a mean wait of at most 10 min')
        """
        return f"a {self.quantity.removeprefix('the ')} of at most {self.limit_text}"

    @property
    def limit_text(self) -> str:
        """The limit as a person says it.

        Examples
        --------
        >>> [ServiceLevel("mean", "wait", limit).limit_text for limit in (600, 7200, 45, 3601)]
        ['10 min', '2 h', '45 s', '3,601 s']
        """
        if not self.is_time:
            return telling(self.limit)
        for unit, least_step_s in (("h", 360), ("min", 6)):
            if self.limit >= _SECONDS[unit] and self.limit % least_step_s == 0:
                return f"{self.limit / _SECONDS[unit]:,g} {unit}"
        return f"{telling(self.limit)} s"

    @property
    def quantity(self) -> str:
        """The statistic and its measure in words."""
        measure = self.measure.replace("-", " ")
        if self.statistic.startswith("p"):
            return f"the {self.statistic[1:]}th percentile of the {measure}"
        word = "largest" if self.statistic == "max" else self.statistic
        return f"the {word} {measure}"

    def text(self, value: float | None) -> str:
        """A value of the statistic in words, with digits enough to see whether it is kept.

        Examples
        --------
        >>> level = ServiceLevel("p95", "bounded-slowdown", 20)
        >>> level.text(19.69), level.text(20.004), level.text(1234.5)
        ('19.69', '20.004', '1,234')
        >>> ServiceLevel("mean", "wait", 7200).text(7200.5), ServiceLevel("mean", "wait", 0).text(0)
        ('2.0001 h', '0 s')
        """
        if value is None:
            return "not defined"
        number, _, unit = self._rounded(value).partition(" ")
        if not number[0].isdigit():  # less than 0.01 s
            return f"{number} {unit}"
        size = _SECONDS[unit] if self.is_time else 1.0
        # Digits are added until the text is on the same side of the limit as the value.
        for places in range(1, 12):
            if self.keeps(float(number.replace(",", "")) * size) == self.keeps(value):
                break
            number = f"{value / size:,.{places}f}"
        return f"{number} {unit}".strip()

    def _rounded(self, value: float) -> str:
        """A value with few digits; of times, those that are compared with the limit."""
        if not self.is_time:
            return telling(value)
        return one_unit(value, self.limit)[0] if value else "0 s"

    def value(self, counted: JobSchedule) -> float | None:
        """The statistic over jobs that started; ``None`` without any, or where one is infinite."""
        spread = JobSpread.of(MEASURES[self.measure](counted))
        return None if spread is None else float(getattr(spread, STATISTICS[self.statistic]))

    def keeps(self, value: float | None) -> bool:
        """Return whether a value is within the limit."""
        return value is not None and value <= self.limit


def parse_level(text: str) -> ServiceLevel:
    """Read ``p95-bounded-slowdown<=20``, ``mean-wait<=600``, ``median-wait<=2h``.

    Times are in seconds, or have one of the units s, min, h, d.

    Raises
    ------
    InputError
        It has another form, or names a statistic or measure that is not there.

    Examples
    --------
    >>> parse_level("p90-wait <= 30min")
    ServiceLevel(statistic='p90', measure='wait', limit=1800.0)
    """
    matched = _FORM.fullmatch(text.strip().lower())
    try:
        limit = float(matched[4]) if matched else math.nan
    except ValueError:
        limit = math.nan
    if matched is None or limit != limit:  # noqa: PLR0124 - nan
        if grouped := _GROUPED.search(text):
            raise InputError(
                f"{short(text)} has a comma in its limit {grouped[0]}; write "
                f"{grouped[0].replace(',', '')}"
            )
        raise InputError(
            f"{short(text)} is not a service level; write STATISTIC-MEASURE<=LIMIT, such as "
            f"p95-bounded-slowdown<=20 or mean-wait<=600. Statistics: {', '.join(STATISTICS)}; "
            f"measures: {', '.join(MEASURES)}"
        )
    statistic, measure, _, _, unit = matched.groups()
    if unit and (unit not in _SECONDS or measure not in ("wait", "turnaround")):
        if measure in ("wait", "turnaround"):
            raise InputError(
                f"{unit!r} is not a unit of time; {nearest(unit, ['s', *_SECONDS][2:])}"
            )
        raise InputError(f"{measure} has no unit; remove {unit!r}")
    return ServiceLevel(statistic, measure, limit * _SECONDS[unit])
