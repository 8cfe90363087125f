"""Measures of schedules in words, for the command line and for the reports alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from planner.formatting import durations, own_unit, plural

FEWEST_FOR_P99 = 100

if TYPE_CHECKING:
    from planner.replications.batch_means import MeanInterval
    from planner.scheduling.simulation.measures import JobSpread
    from scenarios.job_logs.job_log import JobLog


def slowdown(value: float) -> str:
    """A bounded slowdown.

    Examples
    --------
    >>> slowdown(1.0), slowdown(2413.618)
    ('1.00', '2,413.62')
    """
    return f"{value:,.2f}"


def share(value: float) -> str:
    """A utilisation, with the digits that tell policies apart.

    Examples
    --------
    >>> share(0.46403)
    '46.40 %'
    """
    return f"{100 * value:.2f} %"


def apart(one_s: float, other_s: float) -> str:
    """By how much two times differ, in the unit and digits in which they are shown together.

    Examples
    --------
    >>> apart(1568.4, 5660.6), apart(6.049, 5.0), apart(20_498.2, 20_498.4)
    ('68.2 min', '1.05 s', '0.20 s')
    """
    return one_unit(round(abs(one_s - other_s), 9))[0]


def one_unit(*times_s: float, least_places: int = 0) -> tuple[str, ...]:
    """Times in one unit with equal digits; a time that this would show as 0 has its own unit.

    Examples
    --------
    >>> one_unit(3600.0, 48_240.0), one_unit(0.5, 48_240.0)
    (('1.0 h', '13.4 h'), ('0.50 s', '13.4 h'))
    """
    pairs = zip(durations(*times_s, least_places=least_places), times_s, strict=True)
    return tuple(own_unit(time_s) if time_s and _nothing(text) else text for text, time_s in pairs)


def alike(times_s: Iterable[float]) -> Callable[[float], str]:
    """Return how a column of times is written: in the unit of its largest.

    They have two decimals if the smallest is below one of that unit, so that it can be compared.
    Only a time that would read as nothing has its own unit.

    Examples
    --------
    >>> [alike([36.0, 48_240.0])(time_s) for time_s in (0, 36.0, 3600.0)]
    ['0 s', '0.01 h', '1.00 h']
    >>> [alike([26_530.0, 27_180.0, 1_342_800.0])(time_s) for time_s in (26_530.0, 1_342_800.0)]
    ['7.4 h', '373.0 h']
    """
    every_s = [time_s for time_s in times_s if time_s]
    largest_s = max(every_s, default=0.0)
    least = durations(min(every_s, default=0.0), largest_s, least_places=1)[0]
    places = 2 if least.startswith("0.") else 1

    def text(time_s: float) -> str:
        return one_unit(time_s, largest_s, least_places=places)[0] if time_s else own_unit(0)

    return text


def _nothing(text: str) -> bool:
    return not any(digit in "123456789" for digit in text)


def interval_ends(interval: MeanInterval, unit: str = "s") -> tuple[str, str]:
    """Between what a difference lies, without a sign that could be overlooked.

    Examples
    --------
    >>> from planner.replications.batch_means import MeanInterval
    >>> interval_ends(MeanInterval(36.7, 598.8, 0.95, 20, 99, None, ""))
    ('9.4 min less', '10.6 min more')
    """
    ends = (interval.low, interval.high)
    sizes = tuple(map(abs, ends))
    texts = one_unit(*sizes) if unit == "s" else tuple(map(slowdown, sizes))
    low, high = (
        text if end == 0 else f"{text} {'more' if end > 0 else 'less'}"
        for text, end in zip(texts, ends, strict=True)
    )
    return low, high


def longest(wait: JobSpread, count: int) -> str:
    """How long the longest waits are, by a percentile only where there are jobs enough for it."""
    if wait.largest == 0:
        return "no job waits"
    if count < FEWEST_FOR_P99:
        return f"the longest wait is {own_unit(wait.largest)}"
    return f"one in a hundred waits {own_unit(wait.p99)} or longer"


def source(log: JobLog) -> str:
    """The file of the log, or its model and seed; no file says that its jobs are real."""
    from scenarios.formatting import clipped
    from scenarios.job_logs.origin import synthetic_words  # reads pydantic, which help need not

    synthetic = synthetic_words(log.header)
    if log.sha256:
        called = f", which its header calls synthetic ({synthetic})" if synthetic else ""
        return f"simulated on the log in {clipped(log.file or log.name)}{called}"
    if synthetic:
        return f"simulated on a synthetic log ({synthetic})"
    return "simulated on a log that was made in Python"


def jobs(count: int) -> str:
    """A count of jobs."""
    return plural(count, "job")
