"""What a scenario may say of power-aware scheduling: cluster, bounds, applications and logs."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from scenarios.fields import (
    Count,
    Group,
    Identifier,
    Label,
    NotNegative,
    PerformanceFraction,
    Positive,
    Text,
)

MOST_NODES = 10_000
MOST_SEEDS = 1000
DRAWN = ("small", "large", "random")
"""Kinds of log that are drawn: jobs of at most 24 nodes, of at least 40, of 8 to 64."""

POLICIES = (
    "traditional", "naive", "adaptive", "adaptive-any", "traditional-conservative",
    "adaptive-conservative", "adaptive-best-fit", "adaptive-lending",
    "adaptive-lending-measured", "adaptive-efficient", "self-tuning", "ilp-engine", "ilp-highs",
    "ilp-cbc", "ilp-engine-unfair", "ilp-highs-unfair", "ilp-cbc-unfair", "ilp-slots-highs",
    "ilp-slots-cbc", "ilp-slots-highs-unfair", "ilp-slots-cbc-unfair",
)  # fmt: skip
"""Policies that a scenario may name; planner.scheduling.power.registry makes them."""

ADAPTIVE_BY_PERCENT = re.compile(r"adaptive-[0-9]{1,4}")
"""A policy that tolerates so many percent of slowdown, as in ``adaptive-20``."""

WHOLE_WORK = 1e-6
"""How far the work shares of all phases together may be from 1."""

LogKind = Literal["small", "large", "random", "file", "listed"]

_FIELDS_OF = {
    "file": ("file", "first_job", "processors_per_node", "expected_from", "job_count"),
    "listed": ("jobs",),
    **dict.fromkeys(DRAWN, ("job_count", "mean_gap_s", "offered_load", "estimate_factor")),
}
"""Keys that only some kinds of log have."""


class ScheduleCluster(Group):
    """The cluster on which jobs run."""

    nodes: Annotated[int, Field(ge=1, le=MOST_NODES)] = Field(description="Nodes, N_cluster.")
    cores_per_node: Count = Field(default=16, description="Cores of a node.")
    idle_node_w: NotNegative = Field(
        default=0.0,
        description="What a node draws in addition to packages and memory, running or not, in "
        "watts. With charge = 'node' it is taken off the bound, for all nodes.",
    )
    variability: bool = Field(
        default=True,
        description="Whether the sockets of simulated nodes differ, drawn anew with every seed.",
    )
    noise: bool = Field(
        default=True,
        description="Whether simulated runs, measured ones and those of jobs, scatter from run "
        "to run.",
    )


class ScheduleConfiguration(Group):
    """One configuration of an application: a row of the job details table."""

    nodes: Count = Field(description="Nodes.")
    cores_per_node: Count = Field(description="Cores per node.")
    package_cap_w: Positive = Field(description="Cap of one package, in watts.")
    time_s: Annotated[float, Field(ge=0.001, le=1e9)] = Field(description="Run time, in seconds.")
    power_w: Annotated[float, Field(gt=0, le=1e12)] = Field(
        description="What the job is charged, in watts, over all its nodes."
    )


class SchedulePhase(Group):
    """A part of a job's work with watts of its own."""

    work_share: Annotated[float, Field(gt=0, le=1)] = Field(
        description="Share of the job's work; the shares of all its phases add up to 1."
    )
    power_share: Annotated[float, Field(gt=0, le=10)] = Field(
        description="Watts in this phase over those of the configuration; above 1 the job draws "
        "more than it is charged."
    )


def _whole(phases: tuple[SchedulePhase, ...]) -> tuple[SchedulePhase, ...]:
    """Phases that cover the whole work, or none."""
    total = sum(phase.work_share for phase in phases)
    if phases and abs(total - 1) > WHOLE_WORK:
        raise ValueError(f"the work shares add up to {total:.6g}; correct them to 1")
    return phases


Phases = Annotated[
    tuple[SchedulePhase, ...], Field(strict=False, max_length=100), AfterValidator(_whole)
]
"""Phases in their order."""


class ScheduleApplication(Group):
    """An application that jobs run."""

    name: Label = Field(description="Its name; of a simulated one as in docs/simulated-cluster.md.")
    problem: Literal["C", "D"] | None = Field(
        default=None, description="Class of the input: the application is a simulated one."
    )
    configurations: Annotated[
        tuple[ScheduleConfiguration, ...], Field(strict=False, max_length=20_000)
    ] = Field(default=(), description="Its configurations, each with time and power.")
    priority: Annotated[float, Field(gt=0, le=1000)] = Field(
        default=1.0, description="w_prio of its jobs: factor of their fair share of the bound."
    )
    phases: Phases = Field(
        default=(), description="Power phases of its jobs in their order; by default none."
    )


class ScheduleDetails(Group):
    """Where the job details table is from, which is what the scheduler knows."""

    method: Literal["measured", "model", "oracle"] = Field(
        default="measured",
        description="'measured': runs of every configuration; 'model': a log-polynomial "
        "regression of degree 2, trained on few of them; 'oracle': the truth itself.",
    )
    file: Text | None = Field(
        default=None, description="Measured runs of applications, in the scenario's folder."
    )
    repetitions: Annotated[int, Field(ge=1, le=100)] = Field(
        default=3, description="Runs of each configuration on the simulated cluster."
    )
    repetition: Literal["median", "best", "worst"] = Field(
        default="median", description="Which run speaks for a configuration."
    )
    training_share: Annotated[float, Field(gt=0, le=1)] = Field(
        default=0.1, description="Share of the configurations that the model is trained on."
    )
    guard: PerformanceFraction = Field(
        default=0.0,
        description="Share of its watts that a predicted configuration leaves free: it is "
        "charged power / (1 - guard).",
    )
    node_counts: Literal["thesis", "every"] = Field(
        default="thesis",
        description="Node counts of simulated applications: those of the thesis (class C: 8 to "
        "32 in steps of 2, class D: 8 to 64 in steps of 4), or every one from 1 on.",
    )

    @model_validator(mode="after")
    def _of_the_model(self) -> Self:
        for key in ("training_share", "guard"):
            if key in self.model_fields_set and self.method != "model":
                raise ValueError(
                    f"{key} is for method = 'model'; leave it out of method = {self.method!r}"
                )
        return self


class ScheduleCalibration(Group):
    """How the nodes of a simulated cluster are measured for policies that choose among them."""

    application: Label | None = Field(
        default=None,
        description="Simulated application that runs on each node by itself; by default the first.",
    )
    cores_per_node: Count = Field(default=16, description="Cores, an even number.")
    package_cap_w: Positive = Field(
        default=115.0, description="Cap of both packages, in watts; the highest is none."
    )
    repetitions: Annotated[int, Field(ge=1, le=100)] = Field(
        default=3, description="Runs of each node, of which the median counts."
    )


class ScheduleOccupied(Group):
    """What is in use when the logs begin, as by a job that already runs."""

    nodes: Count = Field(description="Nodes.")
    power_w: NotNegative = Field(description="Charged watts.")
    until_s: Annotated[float, Field(gt=0, le=1e9)] = Field(
        description="When they become free, in seconds."
    )


class ScheduleJob(Group):
    """One job of a listed log."""

    application: Label = Field(description="Name of its application.")
    nodes: Count = Field(description="Requested nodes, n_req.")
    requested_s: Annotated[float, Field(ge=0.001, le=1e9)] = Field(
        description="Requested time t_req, in seconds."
    )
    submit_s: Annotated[float, Field(ge=0, le=1e9)] = Field(
        default=0.0, description="Submit time, in seconds."
    )
    priority: Annotated[float, Field(gt=0, le=1000)] | None = Field(
        default=None, description="w_prio; by default that of the application."
    )
    phases: Phases = Field(
        default=(), description="Its power phases; by default those of the application."
    )


class ScheduleLog(Group):
    """Jobs and when they are submitted: drawn, read from a file, or listed."""

    name: Identifier = Field(description="Its name in tables.")
    kind: LogKind = Field(
        description="'small', 'large' or 'random': drawn; 'file': a job log; 'listed': jobs."
    )
    job_count: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="Jobs: of a drawn log by default 30, of a file all."
    )
    mean_gap_s: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None,
        description="Mean time between submissions, in seconds (Poisson arrivals); by default "
        "300, which is assumed: the thesis gives none.",
    )
    offered_load: Annotated[float, Field(gt=0, le=100)] | None = Field(
        default=None,
        description="Instead of mean_gap_s: node-seconds that are submitted in a second, with 16 "
        "cores per node and without caps, over the nodes of the cluster.",
    )
    estimate_factor: Annotated[float, Field(ge=1, le=100)] = Field(
        default=1.2,
        description="Requested time over the true run time at n_req nodes, with all cores and "
        "without caps.",
    )
    file: Text | None = Field(default=None, description="A job log in the scenario's folder.")
    first_job: Count = Field(default=1, description="First job that is taken, counted from 1.")
    processors_per_node: Positive | None = Field(
        default=None,
        description="Processors of the log that become one node; by default those of its machine "
        "over the nodes of the cluster.",
    )
    expected_from: Literal["run_time", "requested_time"] = Field(
        default="run_time",
        description="What tells the scheduler how large the input of a job from a file is: its "
        "run time (the input is known), or its requested time.",
    )
    jobs: Annotated[tuple[ScheduleJob, ...], Field(strict=False, max_length=100_000)] = Field(
        default=(), description="The jobs of a listed log."
    )

    @property
    def drawn(self) -> bool:
        """Whether the log is drawn anew with every seed."""
        return self.kind in DRAWN

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        known = _FIELDS_OF[self.kind]
        others = {key for keys in _FIELDS_OF.values() for key in keys} - set(known)
        for key in sorted(others & self.model_fields_set):
            kinds = " or ".join(repr(kind) for kind, keys in _FIELDS_OF.items() if key in keys)
            raise ValueError(f"{key} is for kind = {kinds}; leave it out of kind = {self.kind!r}")
        if self.kind == "file" and self.file is None:
            raise ValueError("a log of kind = 'file' needs one; add file")
        if self.kind == "listed" and not self.jobs:
            raise ValueError("a log of kind = 'listed' needs jobs; add them")
        if self.mean_gap_s is not None and self.offered_load is not None:
            raise ValueError("mean_gap_s and offered_load say the same; keep one of them")
        return self


class Schedule(Group):
    """Ask how policies schedule logs under power bounds."""

    cluster: ScheduleCluster = Field(description="The cluster.")
    bounds_w: Annotated[tuple[Positive, ...], Field(strict=False, min_length=1, max_length=100)] = (
        Field(description="Power bounds P_cluster of the system, in watts; each is tried.")
    )
    charge: Literal["package", "node"] = Field(
        default="package",
        description="What counts against the bound: 'package', the packages of running jobs, as "
        "in the thesis; 'node', packages and memory, with the idle watts of all nodes.",
    )
    applications: Annotated[
        tuple[ScheduleApplication, ...], Field(strict=False, max_length=200)
    ] = Field(default=(), description="The applications; by default all of details.file.")
    details: ScheduleDetails = Field(
        default=ScheduleDetails(), description="What the scheduler knows of them."
    )
    calibration: ScheduleCalibration = Field(
        default=ScheduleCalibration(),
        description="How nodes of a simulated cluster are measured, for adaptive-efficient.",
    )
    logs: Annotated[tuple[ScheduleLog, ...], Field(strict=False, min_length=1, max_length=50)] = (
        Field(description="The logs; each is tried.")
    )
    occupied: Annotated[tuple[ScheduleOccupied, ...], Field(strict=False, max_length=1000)] = Field(
        default=(), description="What is in use when the logs begin."
    )
    unmeasured: Literal["round", "reject"] = Field(
        default="round",
        description="Requests for a node count that no configuration has: 'round' to the next "
        "larger count, or to the largest; or 'reject'. Both are counted. Requests for more nodes "
        "than the cluster has are always rejected.",
    )
    policies: Annotated[
        tuple[Identifier, ...], Field(strict=False, min_length=1, max_length=50)
    ] = Field(
        default=("traditional", "naive", "adaptive"), description="The policies; each is tried."
    )
    thresholds: Annotated[
        tuple[Annotated[float, Field(ge=0, le=99.99)], ...], Field(strict=False, max_length=20)
    ] = Field(
        default=(0.0,),
        description="Thresholds th of the policy adaptive, in whole percent: 0.1 lets a job start "
        "whose expected time is up to 10 % longer than its requested time.",
    )
    unbounded_threshold: bool = Field(
        default=False, description="Also try the policy adaptive without a threshold."
    )
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = Field(
        default=1, description="Replications: nodes, runs and drawn logs differ between them."
    )
    first_seed: Annotated[int, Field(ge=0, le=10**9 - MOST_SEEDS)] = Field(
        default=0, description="Seed of the first replication; the others count on from it."
    )
