"""Measures of schedules in words, for the command line and for the reports alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import plural, seconds

FEWEST_FOR_P99 = 100

if TYPE_CHECKING:
    from planner.scheduling.simulation.batch_means import MeanInterval
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
    """By how much two times differ, as a reader works it out from how they are shown.

    Examples
    --------
    >>> apart(1568.4, 5660.6), apart(6.049, 5.0), apart(20_498.2, 20_498.4)
    ('4,093 s', '1.049 s', '0.2 s')
    """
    texts = [seconds(time_s).removesuffix(" s").replace(",", "") for time_s in (one_s, other_s)]
    places = max(len(text.partition(".")[2]) for text in texts)
    much = round(abs(float(texts[0]) - float(texts[1])), places)
    if much == 0 or any("e" in text for text in texts):
        return seconds(round(abs(one_s - other_s), 6))
    text = f"{much:,.{places}f}"
    return f"{text.rstrip('0').rstrip('.') if places else text} s"


def interval_ends(interval: MeanInterval, unit: str = "s") -> tuple[str, str]:
    """Between what a difference lies, without a sign that could be overlooked.

    Examples
    --------
    >>> from planner.scheduling.simulation.batch_means import MeanInterval
    >>> interval_ends(MeanInterval(36.7, 598.8, 0.95, 20, 99, None, ""))
    ('562.1 s less', '635.5 s more')
    """

    def end(value: float) -> str:
        much = seconds(abs(value)) if unit == "s" else slowdown(abs(value))
        return much if value == 0 else f"{much} {'more' if value > 0 else 'less'}"

    return end(interval.low), end(interval.high)


def longest(wait: JobSpread, count: int) -> str:
    """How long the longest waits are, by a percentile only where there are jobs enough for it."""
    if wait.largest == 0:
        return "no job waits"
    if count < FEWEST_FOR_P99:
        return f"the longest wait is {seconds(wait.largest)}"
    return f"one in a hundred waits {seconds(wait.p99)} or longer"


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
