"""Which configuration a job gets: exactly as ``headroom.lua`` decides, and as the agent does."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from planner.configurations.table import Configuration
from planner.scheduling.slurm.export import SlurmExport, charge_w

Note = Literal["fits", "truncated", "raised"]
Refusal = Literal[
    "unknown application", "no application", "too many nodes", "not measured", "above the bound",
    "below the cheapest", "beyond the partition",
]  # fmt: skip

_MARK = "application="
_BLANKS = re.compile("[ \t\n\v\f\r,;]+")
_MINUTE_S = 60


@dataclass(frozen=True)
class PartitionLimits:
    """The sizes and time limits of jobs that a partition starts; beyond them a job waits for ever.

    Attributes
    ----------
    least_nodes, most_nodes
        Nodes of a job, and at most those that the partition has.
    most_minutes
        Longest time limit; infinity without one.
    most_cpus
        CPUs of a node that its jobs may hold; infinity without a limit. A job holds whole nodes, so
        it starts only where all cores of a node are within the limit, however few it works on.
    """

    least_nodes: int
    most_nodes: int
    most_minutes: float = math.inf
    most_cpus: float = math.inf


@dataclass(frozen=True)
class SlurmRequest:
    """A user's request: an application, nodes, and a time limit in Slurm's whole minutes.

    Attributes
    ----------
    partitions
        Limits of the partitions in which the job may start; none where they are not known.
    """

    application: str
    nodes: int
    minutes: int
    partitions: tuple[PartitionLimits, ...] = ()

    def minutes_of(self, row: Configuration) -> int:
        """Return time enough for the expected run, and at least the requested one."""
        return max(self.minutes, math.ceil(row.time_s / _MINUTE_S))

    def taken(self, nodes: int, minutes: int, node_cores: int) -> bool:
        """Whether a partition of the job starts a job of this size, all cores of its nodes."""
        return not self.partitions or any(
            limits.least_nodes <= nodes <= limits.most_nodes
            and minutes <= limits.most_minutes
            and node_cores <= limits.most_cpus
            for limits in self.partitions
        )


@dataclass(frozen=True)
class SlurmChoice:
    """The configuration and the time limit that a job gets.

    Attributes
    ----------
    configuration
        Nodes x cores per node and package cap, with time [s] and power [W].
    minutes
        Time limit after which Slurm ends the job.
    note
        ``truncated``: Traditional took fewer nodes, since full power breaks the bound.
        ``raised``: the share of the bound was rounded up to the cheapest configuration.
    """

    configuration: Configuration
    minutes: int
    note: Note = "fits"

    @property
    def charge_w(self) -> int:
        """Licences that it holds while it runs [W]."""
        return charge_w(self.configuration)


def application_of(export: SlurmExport, comment: str | None, job_name: str | None) -> str | Refusal:
    """Return the application of a job: from its comment, else its name, else the default.

    Parameters
    ----------
    export
        Its applications are known.
    comment
        ``application=NAME``, alone or among other words; the first one counts. An unknown name is
        refused, since another application's configurations would be wrong.
    job_name
        Counts where it equals the name of an application.
    """
    for word in _BLANKS.split(comment or ""):
        if word.startswith(_MARK):
            name = word.removeprefix(_MARK)
            return name if name in export.applications else "unknown application"
    if job_name in export.applications:
        return str(job_name)
    return export.default_application or "no application"


def decide(export: SlurmExport, request: SlurmRequest) -> SlurmChoice | Refusal:
    """Return the configuration at submission; Adaptive begins as Naive.

    Parameters
    ----------
    export
        Tables, bound and rule.
    request
        Its application is known.

    References
    ----------
    Patki, chapter 5, policies Traditional and Naive. Traditional refuses node counts that were not
    measured, and Naive has a named fallback where no configuration is within the job's share.
    """
    if request.nodes > export.nodes:
        return "too many nodes"
    decider = _traditional if export.rule == "traditional" else _naive
    return decider(export, request)


def adapt(
    export: SlurmExport, request: SlurmRequest, available_w: int, free_nodes: int
) -> SlurmChoice | None:
    """Return Adaptive's choice to start a waiting job now; ``None`` if it waits with Naive's.

    Parameters
    ----------
    export
        Tables, bound and threshold.
    request
        The request as the user submitted it, without later changes.
    available_w
        Free licences [W].
    free_nodes
        Idle nodes.

    References
    ----------
    Patki, section 5.2.3, Algorithm 1. Line 2 counts free nodes too, which node-level backfill
    implies.
    """
    # Algorithm 1, line 1: the share is free, so Slurm starts the job as Naive decided.
    if export.fair_share_w(request.nodes) <= available_w:
        return None
    rows = export.applications[request.application]
    # Line 2. Free licences are whole watts, so a power within them is also charged within them.
    fit = [
        row
        for row in rows
        if row.power_w <= available_w
        and row.nodes <= free_nodes
        and request.taken(row.nodes, request.minutes_of(row), export.cores_per_node)
    ]
    if not fit:
        return None
    best = min(fit, key=_fastest)
    # Line 5: the requested time is Slurm's, in whole minutes.
    if best.time_s > (1 + export.threshold) * (request.minutes * _MINUTE_S):
        return None
    return _until_done(best, request)


def _traditional(export: SlurmExport, request: SlurmRequest) -> SlurmChoice | Refusal:
    full = {
        row.nodes: row
        for row in export.applications[request.application]
        if (row.cores_per_node, row.package_cap_w) == (export.cores_per_node, export.full_cap_w)
    }
    row = full.get(request.nodes)
    if row is None:
        return "not measured"
    if row.power_w <= export.licences:
        taken = request.taken(row.nodes, request.minutes, export.cores_per_node)
        return SlurmChoice(row, request.minutes) if taken else "beyond the partition"
    possible = _possible(export, full.values())
    allowed = [
        row for row in possible if request.taken(row.nodes, request.minutes, export.cores_per_node)
    ]
    if not allowed:
        return "beyond the partition" if possible else "above the bound"
    # Section 5.2.1: n_max, the largest measured count within the bound (and the partition).
    largest = max(allowed, key=lambda row: row.nodes)
    return SlurmChoice(largest, request.minutes, "truncated")


def _naive(export: SlurmExport, request: SlurmRequest) -> SlurmChoice | Refusal:
    possible = _possible(export, export.applications[request.application])
    allowed = [
        row
        for row in possible
        if request.taken(row.nodes, request.minutes_of(row), export.cores_per_node)
    ]
    share_w = export.fair_share_w(request.nodes)
    best = min((row for row in allowed if row.power_w <= share_w), key=_fastest, default=None)
    if best is not None:
        return _until_done(best, request)
    # D15: the thesis lets such a job wait for ever; here it is refused or rounded up.
    if export.fallback == "reject":
        elsewhere = any(row.power_w <= share_w for row in possible)
        return "beyond the partition" if elsewhere else "below the cheapest"
    if not allowed:
        return "beyond the partition" if possible else "above the bound"
    return _until_done(min(allowed, key=_cheapest), request, "raised")


def _possible(export: SlurmExport, rows: Iterable[Configuration]) -> list[Configuration]:
    return [row for row in rows if row.nodes <= export.nodes and row.power_w <= export.licences]


def _until_done(row: Configuration, request: SlurmRequest, note: Note = "fits") -> SlurmChoice:
    """Choose a row with time enough for the expected run, at least the request."""
    return SlurmChoice(row, request.minutes_of(row), note)


def _fastest(row: Configuration) -> tuple[float, ...]:
    """Least time; among equals least power, then fewest nodes and cores, then the lowest cap."""
    # The order of ties in headroom.lua: both must choose the same row.
    return row.time_s, row.power_w, row.nodes, row.cores_per_node, row.package_cap_w


def _cheapest(row: Configuration) -> tuple[float, ...]:
    return row.power_w, row.time_s, row.nodes, row.cores_per_node, row.package_cap_w
