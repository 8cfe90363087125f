"""The export for Slurm from a scenario with ``[schedule]``: cluster and job details table."""

from __future__ import annotations

from planner.configurations.table import Configuration
from planner.errors import InputError
from planner.scheduling.power.inputs.build import replicate
from planner.scheduling.power.problem import MS, JobDetails
from planner.scheduling.power.question import schedule_of
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
        The scenario asks nothing about scheduling, has several bounds and none is given, or holds
        what Slurm cannot use.
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
    return SlurmExport(
        cluster=scenario.name,
        nodes=schedule.cluster.nodes,
        cores_per_node=schedule.cluster.cores_per_node,
        bound_w=bound_w - (reserved_w if schedule.charge == "node" else 0.0),
        applications={name: _configurations(details, index) for index, name in names},
        rule=rule,
        fallback=fallback,
        threshold=min(schedule.thresholds, default=0.0),
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
