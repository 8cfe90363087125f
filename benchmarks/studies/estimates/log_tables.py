"""Tables 1 to 3 of Smith, Hammond and Jarvis for any job log, next to the printed ones.

    python -m benchmarks.studies.estimates.log_tables LOG... [--published NAME]

Whether a log is one of the paper's is never guessed from a file name; the caller says so. The last
columns of Table 3 are the mean and the largest absolute deviation from the printed row [points].
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks.studies.estimates.placements import MOST_ERROR_PERCENT, closed_form, mean_errors
from benchmarks.studies.estimates.published import DOUBTS, PUBLISHED, PublishedLog
from scenarios.job_logs.job_log import Integers, JobLog
from scenarios.job_logs.reader import read_job_log

_SHARES = ("power of two", "serial", "square", "even", "multiple of 4", "multiple of 10")


@dataclass(frozen=True)
class ProcessorRequests:
    """Processors that jobs request; shares of no jobs are ``None``.

    Attributes
    ----------
    jobs
        Number of jobs.
    power_of_two_percent, serial_percent
        Shares of all jobs; one processor is a power of two. Table 1.
    others
        Number of jobs whose number of processors is not a power of two.
    square_percent, even_percent, multiple_of_4_percent, multiple_of_10_percent
        Shares of these others. Table 2.
    """

    jobs: int
    power_of_two_percent: float | None
    serial_percent: float | None
    others: int
    square_percent: float | None
    even_percent: float | None
    multiple_of_4_percent: float | None
    multiple_of_10_percent: float | None


def requests(processors: Integers) -> ProcessorRequests:
    """Shares of jobs by what their processors are, shape ``(jobs,)``, each at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> found = requests(np.array([1, 8, 9, 20]))
    >>> found.power_of_two_percent, found.square_percent, found.multiple_of_4_percent
    (50.0, 50.0, 50.0)
    """
    power = (processors & (processors - 1)) == 0
    others = processors[~power]
    roots = np.rint(np.sqrt(others)).astype(np.int64)
    return ProcessorRequests(
        jobs=len(processors),
        power_of_two_percent=_percent(power),
        serial_percent=_percent(processors == 1),
        others=len(others),
        square_percent=_percent(roots * roots == others),
        even_percent=_percent(others % 2 == 0),
        multiple_of_4_percent=_percent(others % 4 == 0),
        multiple_of_10_percent=_percent(others % 10 == 0),
    )


def _percent(meets: np.ndarray[Any, np.dtype[np.bool_]]) -> float | None:
    return 100 * float(meets.mean()) if len(meets) else None


def deviations(
    means: Sequence[float | None], published: PublishedLog
) -> tuple[float, float] | None:
    """Mean and largest deviation of mean errors from the printed ones, in percentage points.

    It is ``None`` if no job ran for a second.
    """
    pairs = zip(means, published.mean_error_percent, strict=True)
    off = [abs(ours - printed) for ours, printed in pairs if ours is not None]
    return (math.fsum(off) / len(off), max(off)) if off else None


def _show(log: JobLog, published: PublishedLog | None) -> None:
    print(f"\n| jobs of {log.name} | {' | '.join(_SHARES)} |")
    print("|---" * (1 + len(_SHARES)) + "|")
    _show_requests(asdict(requests(log.processors)))
    if published is not None:
        _show_requests(asdict(published))
    print(f"\n| mean error (%) | {' | '.join(map(str, MOST_ERROR_PERCENT))} | mean | largest |")
    print("|---" * (3 + len(MOST_ERROR_PERCENT)) + "|")
    if published is not None:
        print(f"| {published.name} | {_cells(published.mean_error_percent)} | | |")
    _show_errors("closed form", [closed_form(most) for most in MOST_ERROR_PERCENT], published)
    for error in mean_errors(log.run_s):
        _show_errors(error.placement, error.mean_error_percent, published)


def _show_requests(shares: dict[str, Any]) -> None:
    names = [f"{words.replace(' ', '_')}_percent" for words in _SHARES]
    print(f"| {shares['jobs']:,} | {' | '.join(_cell(shares[name], 4) for name in names)} |")


def _show_errors(words: str, means: Sequence[float | None], published: PublishedLog | None) -> None:
    off = None if published is None else deviations(means, published)
    print(f"| {words} | {_cells(means)} | {_cells(off or ('', ''))} |")


def _cells(values: Sequence[float | str | None]) -> str:
    return " | ".join(_cell(value, 2) for value in values)


def _cell(value: float | str | None, places: int) -> str:
    return f"{value:.{places}f}" if isinstance(value, float) else str(value or "-")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", metavar="LOG")
    parser.add_argument("--published", choices=[*PUBLISHED], help="the log that this one is")
    given = parser.parse_args()
    published = PUBLISHED.get(given.published)
    for path in given.logs:
        _show(read_job_log(path), published)
    if published is not None:
        print("\nDoubts about the printed numbers:")
        for doubt in (*published.notes, *DOUBTS):
            print(f"- {doubt}")


if __name__ == "__main__":
    main()
