"""The export for Slurm from a scenario with ``[schedule]``: cluster and job details table."""

from __future__ import annotations

import math

from planner.configurations.table import Configuration
from planner.errors import InputError
from planner.question import schedule_of
from planner.scheduling.power.inputs.build import replicate
from planner.scheduling.power.problem import MS, JobDetails
from planner.scheduling.slurm.export import Fallback, Rule, SlurmExport
from scenarios.model.scenario import Scenario


def slurm_export(
    scenario: Scenario,
    bound_w: float | None = None,
    rule: Rule = "naive",
    fallback: Fallback = "reject",
) -> SlurmExport:
    """Give a scenario's cluster, one of its bounds and what its scheduler knows to Slurm.

    Parameters
    ----------
    bound_w
        Power bound of the system [W]; by default the scenario's, where it has one.

    Raises
    ------
    InputError
        The scenario asks nothing about scheduling, has several bounds and none is given, holds
        what Slurm cannot use, or has a bound under which Slurm would refuse every job.
    """
    schedule = schedule_of(scenario)
    if bound_w is None:
        if len(schedule.bounds_w) != 1:
            bounds = ", ".join(f"{bound:g}" for bound in schedule.bounds_w)
            raise InputError(
                f"{scenario.name} has the bounds {bounds} W; choose one with --power-bound"
            )
        bound_w = schedule.bounds_w[0]
    reserved_w = schedule.cluster.nodes * schedule.cluster.idle_node_w
    if schedule.charge == "node" and bound_w <= reserved_w:
        raise InputError(
            f"the bound of {bound_w:,.10g} W is not above the idle power of all nodes "
            f"({reserved_w:,.10g} W); raise it"
        )
    details = replicate(scenario, schedule.first_seed).details
    names = enumerate(details.applications)
    export = SlurmExport(
        cluster=scenario.name,
        nodes=schedule.cluster.nodes,
        cores_per_node=schedule.cluster.cores_per_node,
        bound_w=bound_w - (reserved_w if schedule.charge == "node" else 0.0),
        applications={name: _configurations(details, index) for index, name in names},
        rule=rule,
        fallback=fallback,
        threshold=min(schedule.thresholds, default=0.0),
    )
    if len(fitting_nowhere(export)) == len(export.applications):
        least_w = min(map(export.least_charge_w, export.applications))
        raise InputError(_no_job_runs(export, bound_w, least_w))
    return export


def fitting_nowhere(export: SlurmExport) -> tuple[str, ...]:
    """Return the applications of which every job would be refused, because the bound is too low."""
    return tuple(
        name for name in export.applications if export.least_charge_w(name) > export.licences
    )


def _no_job_runs(export: SlurmExport, bound_w: float, least_w: float) -> str:
    """Say that Slurm would refuse every job, and which bound lets one run."""
    if least_w == math.inf:
        return (
            f"no configuration has at most {export.nodes} nodes, the size of the cluster, so Slurm "
            "would refuse every job; measure smaller node counts"
        )
    reserved_w = bound_w - export.bound_w
    least = f"{math.ceil(least_w + reserved_w):,} W"
    rows = "configuration" if export.rule != "traditional" else "configuration at full power"
    idle = f", with the idle power of all nodes ({reserved_w:,.10g} W)" if reserved_w else ""
    return (
        f"the power bound of {bound_w:,.10g} W is below the {least} that the smallest {rows} "
        f"needs{idle}, so Slurm would refuse every job; set --power-bound to at least {least}, and "
        "check its unit (9kW is 9,000 W)"
    )


def _configurations(details: JobDetails, application: int) -> tuple[Configuration, ...]:
    part = details.rows(application)
    columns = (
        details.nodes[part].tolist(),
        details.cores_per_node[part].tolist(),
        details.package_cap_w[part].tolist(),
        (details.time_ms[part] / MS).tolist(),
        (details.charge_mw[part] / MS).tolist(),
    )
    return tuple(Configuration(*row) for row in zip(*columns, strict=True))
