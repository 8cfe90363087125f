"""What the paper prints of its three logs: requests, and errors of estimates.

References
----------
Smith, Hammond and Jarvis, "The effect of an application performance modelling tool", UKPEW 2011:
Tables 1 to 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

DOUBTS = (
    (
        "Section 3: the mean error is a little under half of the range. This holds for Blue "
        "Horizon "
        "(0.41 to 0.44), not for Intrepid at 40 % (0.516) or Francesca (a third)."
    ),
    "Section 1: lower maximum queue times. Section 5 reports higher ones for two of three logs.",
    "Section 6: 24 users. There were 24, 47 and 93.",
    "Section 3: oblivious of the workload. A job's class is chosen by its actual run time.",
)
"""Contradictions in the paper that do not depend on the log."""


@dataclass(frozen=True)
class PublishedLog:
    """The paper's numbers of one log, as printed.

    Attributes
    ----------
    name
        The machine and its site.
    jobs
        Table 1.
    power_of_two_percent, serial_percent
        Shares of all jobs; Table 1. Serial jobs count as a power of two.
    square_percent, even_percent, multiple_of_4_percent, multiple_of_10_percent
        Shares of the jobs whose number of processors is not a power of two; Table 2.
    mean_error_percent
        Mean error of the estimates where it is at most 10, 20, ..., 100 %; Table 3. The text
        speaks of "between 0% and 100%"; 0 % is not in it.
    notes
        Doubts about the log's published numbers.
    """

    name: str
    jobs: int
    power_of_two_percent: float
    serial_percent: float
    square_percent: float
    even_percent: float
    multiple_of_4_percent: float
    multiple_of_10_percent: float
    mean_error_percent: tuple[float, ...]
    notes: tuple[str, ...] = ()


PUBLISHED: Mapping[str, PublishedLog] = MappingProxyType(
    {
        "blue-horizon": PublishedLog(
            name="Blue Horizon (SDSC)",
            jobs=223_810,
            power_of_two_percent=92.13,
            serial_percent=0.0004,
            square_percent=1.45,
            even_percent=99.99,
            multiple_of_4_percent=99.99,
            multiple_of_10_percent=31.59,
            mean_error_percent=(4.22, 8.82, 12.94, 17.40, 21.68, 26.18, 29.90, 34.06, 37.61, 41.07),
            notes=(
                "The filter that leaves 223,810 jobs is not stated.",
                "April 2000 to January 2003 is called almost 2 years, but is 2.75 years.",
            ),
        ),
        "intrepid": PublishedLog(
            name="Intrepid (ANL)",
            jobs=68_936,
            power_of_two_percent=99.89,
            serial_percent=0.001,
            square_percent=1.26,
            even_percent=98.73,
            multiple_of_4_percent=98.73,
            multiple_of_10_percent=93.67,
            mean_error_percent=(4.40, 8.56, 13.70, 20.64, 24.14, 25.07, 25.07, 34.66, 35.11, 39.71),
            notes=("60 % and 70 % have the same mean error: a plateau, or a mistake.",),
        ),
        "francesca": PublishedLog(
            name="Francesca (Warwick)",
            jobs=32_016,
            power_of_two_percent=95.88,
            serial_percent=72.30,
            square_percent=5.30,
            even_percent=68.27,
            multiple_of_4_percent=40.32,
            multiple_of_10_percent=30.20,
            mean_error_percent=(3.71, 7.35, 10.37, 13.85, 17.49, 19.12, 23.75, 24.78, 27.58, 30.76),
            notes=(
                "The log is private.",
                ("Section 2: 95.88 % of all jobs are serial. In Table 1 this is powers of two."),
            ),
        ),
    }
)
