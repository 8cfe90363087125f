"""Settings of a shared node apart from the law: counters, size, and what measuring costs."""

from __future__ import annotations

from dataclasses import dataclass

MOST_JOBS = 4
CORES_PER_SOCKET = 8
_MOST_NOISE = 0.15
"""Beyond it a counter could go backwards."""


@dataclass(frozen=True)
class NodeSettings:
    """A shared node.

    Attributes
    ----------
    counter_noise
        Standard deviation of the IPC between two readings, over its mean: half of the variance
        from instructions, half from cycles. 0.01 to 0.02 is usual, 0.05 is for a stress test.
    sampler_noise
        Standard deviation of the sampled waiting share between two readings, in shares of time.
    refill
        Whether a job that continues has lost cache lines, and fetches them again.
    base_cost
        Whether signals and readings take time.
    signal_us
        Time to stop or continue all threads of one job [us].
    read_us
        Time to read the counters of one job [us]. With two jobs a shutter then costs 130 us and a
        round 450 us, within the paper's means of at most 130 and 500 us.
    iterations
        Runs that each job completes before the measurement may stop.
    restart
        Whether a job begins again as soon as it ends, until every job has completed its iterations;
        otherwise it leaves the node after its last one.
    ranks_per_socket
        Ranks of each job on a socket; None for an equal division of the cores.
    cores_per_socket, sockets
        Cores of each socket, and sockets of the node.
    ghz
        Clock of the cores.
    llc_fills_per_ms
        How often the sustained bandwidth of a socket fills its last-level cache in 1 ms: 40 GB/s
        over 20 MB.
    uneven_share
        Share of the time added by interference that an average rank waits for the rank that suffers
        most.
    """

    counter_noise: float = 0.015
    sampler_noise: float = 0.02
    refill: bool = True
    base_cost: bool = True
    signal_us: float = 25.0
    read_us: float = 40.0
    iterations: int = 5
    restart: bool = True
    ranks_per_socket: int | None = None
    cores_per_socket: int = CORES_PER_SOCKET
    sockets: int = 2
    ghz: float = 2.6
    llc_fills_per_ms: float = 2.0
    uneven_share: float = 0.1

    def __post_init__(self) -> None:
        for name in ("counter_noise", "sampler_noise"):
            if not 0 <= getattr(self, name) <= _MOST_NOISE:
                message = f"{name} = {getattr(self, name)}; give 0 to {_MOST_NOISE}"
                raise ValueError(message)
        if not 0 <= self.uneven_share < 1:
            raise ValueError(f"uneven_share = {self.uneven_share}; give a share from 0 to below 1")
        for name in ("signal_us", "read_us"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} = {getattr(self, name)}; give 0 us or more")
        for name in ("ghz", "llc_fills_per_ms"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name} = {getattr(self, name)}; give a number above 0")
        if min(self.iterations, self.sockets, self.cores_per_socket) < 1:
            raise ValueError("iterations, sockets and cores per socket are at least 1")

    def ranks_of(self, jobs: int) -> int:
        """Ranks per socket of each of some jobs.

        Raises
        ------
        ValueError
            No job, more than four, or more ranks than cores.

        Examples
        --------
        >>> [NodeSettings().ranks_of(jobs) for jobs in (1, 2, 3, 4)]
        [4, 4, 2, 2]
        """
        if not 1 <= jobs <= MOST_JOBS:
            raise ValueError(f"{jobs} jobs on one node; give 1 to {MOST_JOBS}")
        ranks = self.ranks_per_socket
        if ranks is None:
            ranks = self.cores_per_socket // max(2, jobs)
        if not 1 <= ranks <= self.cores_per_socket // jobs:
            raise ValueError(
                f"{jobs} jobs with {ranks} ranks per socket do not fit on "
                f"{self.cores_per_socket} cores; give fewer"
            )
        return ranks
