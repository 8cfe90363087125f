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
"""Kinds of synthetic log: jobs of at most 24 nodes, of at least 40, of 8 to 64."""

_PROGRAMS = (
    "engine", "highs", "cbc", "reserved-engine", "reserved-highs", "reserved-cbc", "slots-highs",
    "slots-cbc",
)  # fmt: skip
"""Integer programs and their solvers."""

POLICIES = (
    "traditional", "naive", "adaptive", "adaptive-any", "traditional-conservative",
    "adaptive-conservative", "adaptive-best-fit", "adaptive-lending",
    "adaptive-lending-measured", "adaptive-efficient", "self-tuning",
    *(f"ilp-{program}{late}{fair}" for program in _PROGRAMS for late in ("", "-any")
      for fair in ("", "-unfair")),
)  # fmt: skip
"""Policies that a scenario may name; planner.scheduling.power.registry makes them."""

BY_PERCENT = re.compile(
    rf"(adaptive-[0-9]{{1,4}}|ilp-({'|'.join(_PROGRAMS)})-[0-9]{{1,4}}(-unfair)?)"
)
"""A policy that tolerates this percentage of slowdown, as in ``adaptive-20``, ``ilp-highs-20``."""

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

    nodes: Annotated[int, Field(ge=1, le=MOST_NODES)] = Field(
        description="Number of nodes, N_cluster."
    )
    cores_per_node: Count = Field(default=16, description="Cores of one node.")
    idle_node_w: NotNegative = Field(
        default=0.0,
        description="Power of a node in addition to packages and memory, running or not, in "
        "watts. With charge = 'node' it is subtracted from the bound for all nodes.",
    )
    variability: bool = Field(
        default=True,
        description=(
            "Whether the sockets of simulated nodes differ; each seed gives other differences."
        ),
    )
    noise: bool = Field(
        default=True,
        description=(
            "Whether simulated run times vary from run to run, for measured runs and for jobs."
        ),
    )


class ScheduleConfiguration(Group):
    """One configuration of an application: a row of the job details table."""

    nodes: Count = Field(description="Nodes.")
    cores_per_node: Count = Field(description="Cores per node.")
    package_cap_w: Positive = Field(description="Package cap, in watts.")
    time_s: Annotated[float, Field(ge=0.001, le=1e9)] = Field(description="Run time, in seconds.")
    power_w: Annotated[float, Field(gt=0, le=1e12)] = Field(
        description="Power charged to the job over all its nodes, in watts."
    )


class SchedulePhase(Group):
    """A part of a job's work with watts of its own."""

    work_share: Annotated[float, Field(gt=0, le=1)] = Field(
        description="Share of the job's work; the shares of all phases must sum to 1."
    )
    power_share: Annotated[float, Field(gt=0, le=10)] = Field(
        description="Power in this phase, divided by that of the configuration; above 1 the job "
        "draws more than it is charged."
    )


def _whole(phases: tuple[SchedulePhase, ...]) -> tuple[SchedulePhase, ...]:
    """Phases that cover the whole work, or none."""
    total = sum(phase.work_share for phase in phases)
    if phases and abs(total - 1) > WHOLE_WORK:
        raise ValueError(f"the work shares sum to {total:.6g}, not to 1; correct them")
    return phases


Phases = Annotated[
    tuple[SchedulePhase, ...], Field(strict=False, max_length=100), AfterValidator(_whole)
]
"""Phases in their order."""


class ScheduleApplication(Group):
    """An application that jobs run."""

    name: Label = Field(
        description=(
            "Name of the application; for a simulated one a name from "
            "docs/evidence/simulated-cluster.md."
        )
    )
    problem: Literal["C", "D"] | None = Field(
        default=None, description="Problem class of the input; only for simulated applications."
    )
    configurations: Annotated[
        tuple[ScheduleConfiguration, ...], Field(strict=False, max_length=20_000)
    ] = Field(
        default=(), description="Configurations of the application, each with time and power."
    )
    priority: Annotated[float, Field(gt=0, le=1000)] = Field(
        default=1.0, description="w_prio: factor on its jobs' fair share of the power bound."
    )
    phases: Phases = Field(
        default=(), description="Power phases of its jobs, in their order; by default none."
    )


class ScheduleDetails(Group):
    """Where the job details table is from, which is what the scheduler knows."""

    method: Literal["measured", "model", "oracle"] = Field(
        default="measured",
        description="'measured': runs of every configuration. 'model': a log-polynomial "
        "regression of degree 2, trained on few of them. 'oracle': the true values.",
    )
    file: Text | None = Field(
        default=None, description="File of measured runs of applications, in the scenario's folder."
    )
    repetitions: Annotated[int, Field(ge=1, le=100)] = Field(
        default=3, description="Number of runs of each configuration on the simulated cluster."
    )
    repetition: Literal["median", "best", "worst"] = Field(
        default="median", description="Which of the repeated runs represents a configuration."
    )
    training_share: Annotated[float, Field(gt=0, le=1)] = Field(
        default=0.1, description="Share of the configurations on which the model is trained."
    )
    guard: PerformanceFraction = Field(
        default=0.0,
        description="Safety margin of predicted power: a configuration is charged its power / (1 "
        "- guard).",
    )
    node_counts: Literal["thesis", "every"] = Field(
        default="thesis",
        description="Node counts of simulated applications: those of the thesis (class C: 8 to "
        "32 in steps of 2; class D: 8 to 64 in steps of 4), or all from 1.",
    )

    @model_validator(mode="after")
    def _of_the_model(self) -> Self:
        for key in ("training_share", "guard"):
            if key in self.model_fields_set and self.method != "model":
                raise ValueError(
                    f"{key} applies only to method = 'model'; delete it for method = "
                    f"{self.method!r}"
                )
        return self


class ScheduleCalibration(Group):
    """How the nodes of a simulated cluster are measured for policies that choose among them."""

    application: Label | None = Field(
        default=None,
        description="Simulated application that is run on each single node; by default the first.",
    )
    cores_per_node: Count = Field(default=16, description="Cores in use, an even number.")
    package_cap_w: Positive = Field(
        default=115.0,
        description="Cap of each of the two packages, in watts; the highest means no cap.",
    )
    repetitions: Annotated[int, Field(ge=1, le=100)] = Field(
        default=3, description="Number of runs on each node; their median counts."
    )


class ScheduleOccupied(Group):
    """What is in use when the logs begin, as by a job that already runs."""

    nodes: Count = Field(description="Nodes.")
    power_w: NotNegative = Field(description="Power charged to the running jobs, in watts.")
    until_s: Annotated[float, Field(gt=0, le=1e9)] = Field(
        description="Time at which they become free, in seconds."
    )


class ScheduleJob(Group):
    """One job of a listed log."""

    application: Label = Field(description="Name of the application.")
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
        default=(), description="Power phases of the job; by default those of the application."
    )


class ScheduleLog(Group):
    """Jobs and when they are submitted: drawn, read from a file, or listed."""

    name: Identifier = Field(description="Name of the log in tables.")
    kind: LogKind = Field(
        description=(
            "'small', 'large' or 'random': a synthetic log; 'file': a job log; 'listed': jobs "
            "listed here."
        )
    )
    job_count: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None,
        description="Number of jobs; by default 30 for a synthetic log, and all jobs of a file.",
    )
    mean_gap_s: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None,
        description="Mean time between submissions, in seconds (Poisson arrivals). The default "
        "of 300 is an assumption; the thesis gives no value.",
    )
    offered_load: Annotated[float, Field(gt=0, le=100)] | None = Field(
        default=None,
        description="Instead of mean_gap_s: node-seconds submitted per second, divided by the "
        "nodes of the cluster, with 16 cores per node and no caps.",
    )
    estimate_factor: Annotated[float, Field(ge=1, le=100)] = Field(
        default=1.2,
        description="Requested time divided by the true run time on n_req nodes, with all cores "
        "and no caps.",
    )
    file: Text | None = Field(default=None, description="A job log in the scenario's folder.")
    first_job: Count = Field(default=1, description="First job to use, counted from 1.")
    processors_per_node: Positive | None = Field(
        default=None,
        description="Number of the log's processors that make one node; by default its machine's "
        "processors divided by the nodes of the cluster.",
    )
    expected_from: Literal["run_time", "requested_time"] = Field(
        default="run_time",
        description="How the scheduler knows the input size of a job from a file: by its run "
        "time (known input) or by its requested time.",
    )
    jobs: Annotated[tuple[ScheduleJob, ...], Field(strict=False, max_length=100_000)] = Field(
        default=(), description="The jobs of a listed log."
    )

    @property
    def drawn(self) -> bool:
        """Whether the log is synthetic, so that every seed gives a new one."""
        return self.kind in DRAWN

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        known = _FIELDS_OF[self.kind]
        others = {key for keys in _FIELDS_OF.values() for key in keys} - set(known)
        for key in sorted(others & self.model_fields_set):
            kinds = " or ".join(repr(kind) for kind, keys in _FIELDS_OF.items() if key in keys)
            raise ValueError(
                f"{key} applies only to kind = {kinds}; delete it for kind = {self.kind!r}"
            )
        if self.kind == "file" and self.file is None:
            raise ValueError("a log of kind = 'file' needs a file; add the key file")
        if self.kind == "listed" and not self.jobs:
            raise ValueError("a log of kind = 'listed' needs jobs; add the key jobs")
        if self.mean_gap_s is not None and self.offered_load is not None:
            raise ValueError(
                "mean_gap_s and offered_load both set the rate of submissions; keep one of them"
            )
        return self


class Schedule(Group):
    """Ask how policies schedule logs under power bounds."""

    cluster: ScheduleCluster = Field(description="The cluster.")
    bounds_w: Annotated[tuple[Positive, ...], Field(strict=False, min_length=1, max_length=100)] = (
        Field(description="Power bounds P_cluster of the system, in watts; each is simulated.")
    )
    charge: Literal["package", "node"] = Field(
        default="package",
        description="What counts against the bound. 'package': the packages of running jobs, as "
        "in the thesis. 'node': packages and memory, with the idle power of all "
        "nodes.",
    )
    applications: Annotated[
        tuple[ScheduleApplication, ...], Field(strict=False, max_length=200)
    ] = Field(default=(), description="The applications; by default all those in details.file.")
    details: ScheduleDetails = Field(
        default=ScheduleDetails(), description="What the scheduler knows about the applications."
    )
    calibration: ScheduleCalibration = Field(
        default=ScheduleCalibration(),
        description="How nodes of a simulated cluster are measured, for adaptive-efficient.",
    )
    logs: Annotated[tuple[ScheduleLog, ...], Field(strict=False, min_length=1, max_length=50)] = (
        Field(description="The job logs; each is simulated.")
    )
    occupied: Annotated[tuple[ScheduleOccupied, ...], Field(strict=False, max_length=1000)] = Field(
        default=(), description="Nodes and power in use when the logs begin."
    )
    unmeasured: Literal["round", "reject"] = Field(
        default="round",
        description="How to treat requests for a node count without a configuration: 'round' to "
        "the next larger count (or the largest), or 'reject'. Both are counted. "
        "Requests for more nodes than the cluster has are always rejected.",
    )
    policies: Annotated[
        tuple[Identifier, ...], Field(strict=False, min_length=1, max_length=50)
    ] = Field(
        default=("traditional", "naive", "adaptive"),
        description="The scheduling policies; each is simulated.",
    )
    thresholds: Annotated[
        tuple[Annotated[float, Field(ge=0, le=99.99)], ...], Field(strict=False, max_length=20)
    ] = Field(
        default=(0.0,),
        description="Thresholds th of the policy adaptive, in whole percent. With 0.1 a job may "
        "start if its expected time is at most 10 % longer than its requested time.",
    )
    unbounded_threshold: bool = Field(
        default=False,
        description="Whether to simulate the policy adaptive without a threshold too.",
    )
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = Field(
        default=1,
        description="Number of replications; nodes, runs and synthetic logs differ between them.",
    )
    first_seed: Annotated[int, Field(ge=0, le=10**9 - MOST_SEEDS)] = Field(
        default=0,
        description="Seed of the first replication; the next ones use the following numbers.",
    )
