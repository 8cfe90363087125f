"""Runs of applications alone, with their counters, and of pairs of them on the same cores."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SoloRun:
    """A run alone, as a profiler and ``time`` saw it.

    Attributes
    ----------
    application, ranks
        What ran.
    ranks_per_node
        Ranks on a node, on average.
    time_s
        Run time, ``real`` of ``time`` [s].
    core_time_s
        ``user`` and ``sys`` of ``time``, summed over the ranks of one node [s].
    instructions_per_cycle
        Instructions per cycle of each rank, summed over the ranks of one node.
    misses_per_kinstr
        Misses of the last-level cache per 1,000 instructions, over one node.
    """

    application: str
    ranks: int
    ranks_per_node: float
    time_s: float
    core_time_s: float
    instructions_per_cycle: float
    misses_per_kinstr: float

    def __post_init__(self) -> None:
        if not 0 < self.time_s < float("inf"):
            raise ValueError(f"time_s = {self.time_s} of {self.application}; give more than 0 s")
        if self.ranks < 1 or not 0 < self.ranks_per_node <= self.ranks:
            raise ValueError(
                f"ranks = {self.ranks} with {self.ranks_per_node} on a node of "
                f"{self.application}; give at least one rank in total, and on a node at most that "
                "number"
            )


@dataclass(frozen=True)
class CoRun:
    """A run of two jobs of equally many ranks that start at once on the same cores.

    Attributes
    ----------
    a, b
        The applications; the same one twice is a self pair.
    ranks
        Ranks of each job.
    time_a_s, time_b_s
        Run times together [s].
    """

    a: str
    b: str
    ranks: int
    time_a_s: float
    time_b_s: float

    def __post_init__(self) -> None:
        if not (0 < self.time_a_s < float("inf") and 0 < self.time_b_s < float("inf")):
            raise ValueError(
                f"times of {self.a} with {self.b} are {self.time_a_s} and {self.time_b_s}; "
                "give more than 0 s"
            )


@dataclass(frozen=True)
class CoRuns:
    """All runs of a measurement campaign on one system.

    Attributes
    ----------
    system
        Its name, as people read it.
    applications, ranks
        What was run, at which rank counts.
    solo, together
        The runs.
    """

    system: str
    applications: tuple[str, ...]
    ranks: tuple[int, ...]
    solo: tuple[SoloRun, ...]
    together: tuple[CoRun, ...]
