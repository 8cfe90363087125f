"""What one configuration gains over another, in both conventions that papers mix."""

from __future__ import annotations

from dataclasses import dataclass

from planner.configurations.table import Configuration


@dataclass(frozen=True)
class ConfigurationGain:
    """The speed-up and the saved time of one configuration over another.

    Attributes
    ----------
    speedup
        Old time over new time: 2.63.
    time_reduction
        1 less new time over old time: 62 %, for the same pair.
    """

    speedup: float
    time_reduction: float


def gain(old: Configuration, new: Configuration) -> ConfigurationGain:
    """Compute the gain of the new configuration over the old one.

    Examples
    --------
    >>> old = Configuration(20, 16, 115.0, 9.1, 3240.0)
    >>> new = Configuration(26, 12, 80.0, 3.6, 3497.0)
    >>> found = gain(old, new)
    >>> f"{found.speedup:.2f} {found.time_reduction:.0%}"
    '2.53 60%'
    """
    return ConfigurationGain(old.time_s / new.time_s, 1 - new.time_s / old.time_s)
