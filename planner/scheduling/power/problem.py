"""The problem of a power-aware scheduler, and the hidden truth that scores its schedule.

Times are whole milliseconds and watts whole milliwatts, so that sums of charges are exact: no
bound is kept or broken by rounding.

References
----------
Patki (2015), sections 5.1 to 5.3: the bound of a job, the policies and the job details table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.power.truth import PowerTruth

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Charge = Literal["package", "node"]
"""``package``: package power of the running jobs counts against the bound, as in the thesis.
``node``: package and DRAM power count, and the idle watts of all nodes are taken off first."""

MS = 1000
"""Milliseconds of a second, and milliwatts of a watt."""

SLACK_MS = 1e-6
"""What a product may exceed a whole millisecond by before it is rounded up [ms]."""


@dataclass(frozen=True, eq=False)
class JobDetails:
    """The job details table: configurations of each application, as the scheduler knows them.

    Rows of one application follow each other: those of application ``a`` are
    ``first[a]`` to ``first[a + 1]``. Arrays are read-only, of shape ``(rows,)``.

    Attributes
    ----------
    applications
        Names.
    first
        Shape ``(applications + 1,)``.
    nodes, cores_per_node
        Nodes, and cores per node, of each configuration.
    package_cap_w
        Cap of one package [W].
    time_ms
        Run time as measured, predicted or known [ms].
    charge_mw
        What a job in this configuration counts against the bound [mW].
    source
        Where times and watts are from: ``measured``, ``model`` or ``oracle``.

    References
    ----------
    Patki (2015), Table 5.3.
    """

    applications: tuple[str, ...]
    first: Integers
    nodes: Integers
    cores_per_node: Integers
    package_cap_w: Floats
    time_ms: Integers
    charge_mw: Integers
    source: str = "measured"

    def __post_init__(self) -> None:
        for name in ("first", "nodes", "cores_per_node", "time_ms", "charge_mw"):
            _freeze(self, name, np.int64)
        _freeze(self, "package_cap_w", np.float64)
        rows = len(self.nodes)
        lengths = {len(getattr(self, name)) for name in _ROWS}
        if lengths != {rows} or len(self.first) != len(self.applications) + 1:
            raise InputError("the job details table has columns of different lengths")
        if self.first[0] != 0 or self.first[-1] != rows or (np.diff(self.first) < 0).any():
            raise InputError("the rows of the job details table are not grouped by application")
        if rows and (self.nodes.min() < 1 or self.time_ms.min() < 1 or self.charge_mw.min() < 0):
            raise InputError(
                "a configuration of the job details table has no nodes, no run time or watts "
                "below 0; give at least 1 node, 1 ms and 0 W"
            )

    def rows(self, application: int) -> slice:
        """Return rows of an application."""
        return slice(int(self.first[application]), int(self.first[application + 1]))

    def __len__(self) -> int:
        return len(self.nodes)


_ROWS = ("nodes", "cores_per_node", "package_cap_w", "time_ms", "charge_mw")


@dataclass(frozen=True, eq=False)
class PowerJobs:
    """Jobs in order of submission; read-only arrays of shape ``(jobs,)``.

    Attributes
    ----------
    number
        As the log numbers them.
    submit_ms
        Submit times [ms].
    application
        Index into the job details table.
    nodes
        Requested nodes, ``n_req``.
    requested_ms
        Requested time, ``t_req`` [ms].
    weight
        Priority, ``w_prio``: factor of the job's fair share of the bound.
    time_scale
        How many times the table's run time the job takes, as its input is larger or smaller; by
        default 1. See :meth:`expected_ms`.
    """

    number: Integers
    submit_ms: Integers
    application: Integers
    nodes: Integers
    requested_ms: Integers
    weight: Floats
    time_scale: Floats = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        if not len(self.time_scale):
            object.__setattr__(self, "time_scale", np.ones(len(self.number)))
        for name in ("number", "submit_ms", "application", "nodes", "requested_ms"):
            _freeze(self, name, np.int64)
        _freeze(self, "weight", np.float64)
        _freeze(self, "time_scale", np.float64)
        lengths = {len(getattr(self, name)) for name in self.__dataclass_fields__}
        if len(lengths) != 1:
            raise InputError("the jobs have columns of different lengths")
        if (np.diff(self.submit_ms) < 0).any():
            raise InputError("the jobs are not in order of submission; sort them by submit time")
        if not ((self.time_scale > 0) & np.isfinite(self.time_scale)).all():
            raise InputError("a job has a time scale that is not above 0; give 1 for the table's")

    def expected_ms(self, job: int, time_ms: Integers) -> Integers:
        """Expected time of a job, from the times of rows of the table: rounded up to ms."""
        scaled: Integers = np.ceil(time_ms * self.time_scale[job] - SLACK_MS).astype(np.int64)
        return np.maximum(scaled, 1)

    def __len__(self) -> int:
        return len(self.number)


@dataclass(frozen=True)
class Occupied:
    """Nodes and watts that are in use when the log begins, as by a job that already runs.

    Attributes
    ----------
    nodes
        How many; the first ones of the cluster, one entry after the other.
    charge_mw
        Charged watts [mW].
    end_ms
        When they become free [ms]; known to the scheduler.
    """

    nodes: int
    charge_mw: int
    end_ms: int


@dataclass(frozen=True, eq=False)
class PowerProblem:
    """A log on a cluster under a power bound.

    Attributes
    ----------
    nodes
        Nodes of the cluster, ``N_cluster``.
    bound_mw
        Power bound of the system, ``P_cluster`` [mW].
    jobs
        The jobs.
    details
        What the scheduler knows of the applications.
    truth
        What happens; no policy sees it.
    charge
        What counts against the bound.
    idle_mw
        What a node draws in addition to packages and memory, running or not [mW].
    occupied
        What is in use when the log begins.
    node_w
        What each node drew in a calibration run, all of them alike [W]; empty where there was none.

    Raises
    ------
    InputError
        The bound is not above the idle power, or more is in use than there is.
    """

    nodes: int
    bound_mw: int
    jobs: PowerJobs
    details: JobDetails
    truth: PowerTruth
    charge: Charge = "package"
    idle_mw: int = 0
    occupied: Sequence[Occupied] = ()
    node_w: Floats = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        if self.jobs_mw <= 0:
            raise InputError(
                f"the bound of {self.bound_mw / MS:,.1f} W is not above the idle power of "
                f"{self.nodes:,} nodes ({self.nodes * self.idle_mw / MS:,.1f} W); raise the bound "
                "or take fewer nodes"
            )
        nodes = sum(use.nodes for use in self.occupied)
        charge = sum(use.charge_mw for use in self.occupied)
        if nodes > self.nodes or charge > self.jobs_mw:
            raise InputError(
                f"at the start {nodes:,} nodes and {charge / MS:,.1f} W are in use, where jobs may "
                f"use {self.nodes:,} nodes and {self.jobs_mw / MS:,.1f} W"
            )

    @property
    def jobs_mw(self) -> int:
        """Largest charge of all running jobs together [mW]."""
        reserved = self.nodes * self.idle_mw if self.charge == "node" else 0
        return self.bound_mw - reserved

    @property
    def fair_share_mw(self) -> Integers:
        """``P_job = w_prio n_req / N_cluster P_cluster`` of each job, at most the bound [mW].

        References
        ----------
        Patki (2015), section 5.1.
        """
        jobs = self.jobs
        # A whole share may be a rounding error too small: without the slack it would lose 1 mW.
        share = np.floor(jobs.weight * jobs.nodes * self.jobs_mw / self.nodes + 1e-6)
        return np.minimum(share, self.jobs_mw).astype(np.int64)


NEVER = -1
"""Start and row of a job that does not run."""


@dataclass(frozen=True, eq=False)
class PowerSchedule:
    """Decisions of a policy and their true outcome; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    start_ms, end_ms
        True start and end [ms]; ``NEVER`` for a rejected job.
    row
        Configuration at the start: row of the job details table, or ``NEVER``.
    node_first, node
        Nodes of job ``j`` are ``node[node_first[j]:node_first[j + 1]]``, from 0 on.
    rounded
        Jobs without a configuration within their fair share, which got the one of least charge.
    killed
        Jobs that were ended at their deadline.
    lent
        Changes of a running job's package cap: rows of ``(job, time_ms, row)``, shape
        ``(changes, 3)``, in order of time.
    """

    start_ms: Integers
    end_ms: Integers
    row: Integers
    node_first: Integers
    node: Integers
    rounded: NDArray[np.bool_]
    killed: NDArray[np.bool_]
    lent: Integers

    @property
    def runs(self) -> NDArray[np.bool_]:
        """Jobs that ran."""
        ran: NDArray[np.bool_] = self.start_ms != NEVER
        return ran


def _freeze(table: object, name: str, kind: type[np.generic]) -> None:
    array = np.array(getattr(table, name), dtype=kind)
    array.setflags(write=False)
    object.__setattr__(table, name, array)
