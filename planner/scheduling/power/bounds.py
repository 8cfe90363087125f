"""Bounds under which no job can run: there is nothing to compare then."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.errors import PlanError
from planner.scheduling.power.inputs.build import Replication
from planner.scheduling.power.problem import MS


def refuse_bounds(replication: Replication, logs: Sequence[str] = ()) -> None:
    """See that every bound lets at least one job of each log run.

    Parameters
    ----------
    replication
        The first one. With another seed a predicted table may differ; then the jobs are rejected
        and counted.
    logs
        Names of the logs that are run; by default all.

    Raises
    ------
    PlanError
        A bound is below the idle power of the cluster, or below every configuration.
    """
    question = replication.schedule
    idle_w = question.cluster.nodes * question.cluster.idle_node_w
    idle_w = idle_w if question.charge == "node" else 0.0
    for bound_w in sorted(question.bounds_w):
        for log in logs or replication.logs:
            least_w = idle_w + _least_charge_w(replication, log)
            if bound_w < least_w:
                idle = f" ({idle_w:,.1f} W of it for idle nodes)" if idle_w else ""
                raise PlanError(
                    f"under a bound of {bound_w:,.1f} W no job of log {log} can run; its cheapest "
                    f"configuration needs {least_w:,.1f} W{idle}; raise the bound to at least "
                    "that, or leave it out"
                )


def _least_charge_w(replication: Replication, log: str) -> float:
    """Return the least charge of a configuration that a job of the log may use [W]."""
    details = replication.details
    applications = np.unique(replication.logs[log].jobs.application)
    charges = [details.charge_mw[details.rows(code)].min() for code in applications.tolist()]
    return int(min(charges)) / MS
