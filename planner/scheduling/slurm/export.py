"""The export for Slurm: a cluster, a power bound, tables of configurations and a rule."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from planner.configurations.table import Configuration
from planner.errors import InputError
from scenarios.formatting import short

Rule = Literal["traditional", "naive", "adaptive"]
RULES: tuple[Rule, ...] = get_args(Rule)

Fallback = Literal["reject", "cheapest"]
FALLBACKS: tuple[Fallback, ...] = get_args(Fallback)

MOST_WATTS = 2**32 - 3
"""Slurm counts licences in 32 bits, and keeps the two largest numbers for itself."""

MOST_TIME_S = 366 * 86_400
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}", re.ASCII)
_UIDS = 2**32 - 2


@dataclass(frozen=True)
class SlurmExport:
    """A cluster under a power bound, as the files of :func:`slurm_files` describe it to Slurm.

    Attributes
    ----------
    cluster
        Name of the cluster.
    nodes, cores_per_node
        Counts; all nodes are alike, and a job has whole nodes.
    bound_w
        Power bound of the system [W]. Slurm counts whole watts, so it is rounded down.
    applications
        Configurations by application, at least one each. Power is that of all nodes of a
        configuration [W], time is in seconds.
    rule
        ``traditional``: all cores of the requested nodes at the highest cap of all tables.
        ``naive``: least time within the job's share of the bound. ``adaptive``: as ``naive`` at
        submission; the agent then changes waiting jobs.
    fallback
        For a job whose share of the bound is below its cheapest configuration: ``reject`` it, or
        round its share up to the ``cheapest`` configuration. The paper's text leaves such a job
        waiting for ever.
    default_application
        For jobs that name none; ``None``: such a job is refused.
    threshold
        Threshold of Adaptive: a job may take this share longer than its requested time, 0.1 for 10
        %.
    agent_uid
        User number of the agent. Only it and root may change the configuration of a job.
    backfill_interval_s
        Seconds between two passes of Slurm's backfill; Slurm's default is 30.

    Raises
    ------
    InputError
        A value that Slurm or the rule cannot use; the message names it.

    References
    ----------
    Patki, *The Case for Hardware Overprovisioned Supercomputers*, chapter 5 (RMAP).
    """

    cluster: str
    nodes: int
    cores_per_node: int
    bound_w: float
    applications: Mapping[str, Sequence[Configuration]]
    rule: Rule = "naive"
    fallback: Fallback = "reject"
    default_application: str | None = None
    threshold: float = 0.0
    agent_uid: int = 0
    backfill_interval_s: int = 30

    def __post_init__(self) -> None:
        tables = {name: tuple(rows) for name, rows in self.applications.items()}
        object.__setattr__(self, "applications", tables)
        for fault in _faults(self):
            raise InputError(fault)

    @property
    def licences(self) -> int:
        """The bound in whole watts, rounded down: what Slurm may charge at any moment."""
        return math.floor(self.bound_w)

    @property
    def full_cap_w(self) -> float:
        """The highest package cap of all tables: full power [W]."""
        return max(row.package_cap_w for rows in self.applications.values() for row in rows)

    def least_charge_w(self, application: str) -> float:
        """Return the fewest licences of a configuration that the rule may choose; else infinity."""
        full = self.cores_per_node, self.full_cap_w
        return min(
            (
                charge_w(row)
                for row in self.applications[application]
                if row.nodes <= self.nodes
                and (self.rule != "traditional" or (row.cores_per_node, row.package_cap_w) == full)
            ),
            default=math.inf,
        )

    def fair_share_w(self, nodes: int) -> float:
        """``P_job = n_req / N_cluster * P_cluster`` (section 5.2), of whole watts [W]."""
        return nodes * self.licences / self.nodes


def charge_w(configuration: Configuration) -> int:
    """Licences of a configuration: its power in whole watts, rounded up, so the bound is kept."""
    return math.ceil(configuration.power_w)


def configuration_key(row: Configuration) -> tuple[int, int, float]:
    """Return nodes, cores per node and package cap [W]: what tells configurations apart."""
    return row.nodes, row.cores_per_node, row.package_cap_w


def _faults(export: SlurmExport) -> Iterator[str]:
    yield from _wrong_names(export)
    yield from _wrong_cluster(export)
    yield from _wrong_choices(export)
    for name, rows in export.applications.items():
        yield from _wrong_rows(export, name, rows)
    if export.rule == "traditional":
        yield from _no_full_power(export)


def _wrong_names(export: SlurmExport) -> Iterator[str]:
    if not export.applications:
        yield "applications is empty; give at least one application with its configurations"
    named = [("cluster", export.cluster), *(("application", name) for name in export.applications)]
    for kind, name in named:
        if not _NAME.fullmatch(name):
            yield (
                f"{kind} {short(name)} cannot be written for Slurm; use 1 to 40 letters, "
                "digits and . _ + -, beginning with a letter or digit"
            )
    default = export.default_application
    if default is not None and default not in export.applications:
        names = ", ".join(sorted(export.applications))
        yield f"default_application {short(default)} has no table; choose one of {names}"


def _wrong_cluster(export: SlurmExport) -> Iterator[str]:
    for name in ("nodes", "cores_per_node", "backfill_interval_s"):
        if getattr(export, name) < 1:
            yield f"{name} = {getattr(export, name)} is below 1; give a positive whole number"
    if not 1 <= export.bound_w <= MOST_WATTS:
        yield f"bound_w = {export.bound_w:g} is outside 1 to {MOST_WATTS:,}, which Slurm can count"


def _wrong_choices(export: SlurmExport) -> Iterator[str]:
    if export.rule not in RULES:
        yield f"rule {short(export.rule)} is unknown; choose one of {', '.join(RULES)}"
    if export.fallback not in FALLBACKS:
        fallback = short(export.fallback)
        yield f"fallback {fallback} is unknown; choose one of {', '.join(FALLBACKS)}"
    if not 0 <= export.threshold < math.inf:
        yield f"threshold = {export.threshold:g} is not a share; 0.1 allows 10 % longer run times"
    if not 0 <= export.agent_uid < _UIDS:
        yield f"agent_uid = {export.agent_uid} is not a user number; `id -u NAME` prints it"


def _wrong_rows(export: SlurmExport, name: str, rows: Sequence[Configuration]) -> Iterator[str]:
    if not rows:
        yield f"application {name} has no configuration; give at least one, or leave it out"
    for row in rows:
        at = f"application {name}, configuration {row.short}"
        if row.nodes < 1 or not 1 <= row.cores_per_node <= export.cores_per_node:
            yield f"{at}: give at least 1 node, and 1 to {export.cores_per_node} cores per node"
        if not 0 < row.package_cap_w < math.inf:
            yield f"{at}: the cap must be positive; write the rated power for no cap"
        if not 0 < row.time_s <= MOST_TIME_S:
            yield f"{at}: time_s = {row.time_s:g} is outside 0 to {MOST_TIME_S:,} (a year)"
        if not 0 < row.power_w <= MOST_WATTS:
            yield f"{at}: power_w = {row.power_w:g} is outside 0 to {MOST_WATTS:,}"
    for earlier, later in pairwise(sorted(rows, key=configuration_key)):
        if configuration_key(earlier) == configuration_key(later):
            yield f"application {name} has configuration {earlier.short} twice; keep one of them"


def _no_full_power(export: SlurmExport) -> Iterator[str]:
    cores, cap_w = export.cores_per_node, export.full_cap_w
    for name, rows in export.applications.items():
        if not any((row.cores_per_node, row.package_cap_w) == (cores, cap_w) for row in rows):
            yield (
                f"application {name} has no configuration with all {cores} cores at the highest "
                f"cap of all tables ({cap_w:g} W), which rule traditional needs; add it"
            )
