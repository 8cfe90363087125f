"""What a scenario may say of prices for shared nodes: shutters, counters, applications."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from scenarios.fields import Group, Label, PerformanceFraction, Positive

MOST_SEEDS = 1000
MOST_APPLICATIONS = 64

Microseconds = Annotated[float, Field(ge=1, le=1e9)]


class PriceShutter(Group):
    """When all jobs of a node but one are paused, so that the remaining one is measured alone."""

    shutter_us: Microseconds = Field(
        default=3200.0, description="S: length of one measurement, in microseconds."
    )
    gap_us: Microseconds = Field(
        default=200_000.0, description="P: time between two rounds of measurement, in microseconds."
    )
    repeats: Annotated[int, Field(ge=1, le=100)] = Field(
        default=1, description="K: consecutive measurements before, during and after a shutter."
    )
    windows: Literal["parallel", "sequential"] = Field(
        default="parallel",
        description="'parallel' measures all jobs in the same window, as equation 9 assumes; "
        "'sequential' measures them one after the other, as Algorithm 3 is printed.",
    )
    placebo_share: PerformanceFraction = Field(
        default=0.1,
        description="Share of the rounds in which no job is paused; they show the bias of a "
        "filter. POPPA has no such rounds.",
    )


class PriceCounters(Group):
    """How well hardware counters and samplers read."""

    noise: Annotated[float, Field(ge=0, le=0.15)] = Field(
        default=0.05, description="Relative standard deviation of the IPC of one measurement."
    )
    polling_errors: Annotated[
        tuple[Annotated[float, Field(ge=0, le=1)], ...],
        Field(strict=False, min_length=1, max_length=20),
    ] = Field(
        default=(0.0, 0.1, 0.2, 0.3),
        description="Relative errors of the known IPC while a rank polls for messages. Each is "
        "tried, with a random sign for each application.",
    )
    sampler_noise: Annotated[float, Field(ge=0, le=0.15)] = Field(
        default=0.02,
        description="Standard deviation of the measured share of time in which a job waits.",
    )


class PriceJobClass(Group):
    """Jobs of the site's mix that are alike, for the choice of S, P and K."""

    run_s: Annotated[float, Field(gt=0, le=1e9)] = Field(description="Run time, in seconds.")
    performance: Annotated[float, Field(gt=0, le=1)] = Field(
        default=0.9, description="Run time alone, divided by the run time together."
    )
    phase_us: Microseconds = Field(description="Mean length of a phase, in microseconds.")
    phase_variation: Annotated[float, Field(ge=0, le=10)] = Field(
        default=0.2, description="Variation of the IPC over phases, relative to its mean."
    )
    spread: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.05, description="Standard deviation of the degradation over phases."
    )
    weight: Positive = Field(default=1.0, description="Weight in the mix, relative to the others.")


class Price(Group):
    """Ask what users pay for jobs that share nodes."""

    rate_su_per_core_hour: Positive = Field(
        default=1.0, description="L: service units charged for one core-hour."
    )
    jobs_per_node: Annotated[int, Field(ge=2, le=4)] = Field(
        default=2, description="n: number of jobs that share a node."
    )
    cores_per_node: Annotated[int, Field(ge=2, le=1024)] = Field(
        default=16, description="Cores of a node; each job has an equal part of every socket."
    )
    law: Literal["contention", "sensitivity"] = Field(
        default="contention",
        description="How simulated jobs slow each other down. 'contention' models cache, "
        "bandwidth and progress; 'sensitivity' is a curve for each job over the "
        "pressure of the others.",
    )
    applications: Annotated[
        tuple[Label, ...], Field(strict=False, max_length=MOST_APPLICATIONS)
    ] = Field(default=(), description="Names of the simulated applications; by default all twelve.")
    synthetic: Annotated[int, Field(ge=0, le=MOST_APPLICATIONS)] = Field(
        default=0, description="Number of further applications, sampled from stated distributions."
    )
    iterations: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=5,
        description="Number of runs that each job of a group completes before the group ends.",
    )
    shutter: PriceShutter = Field(
        default=PriceShutter(), description="How jobs are paused for measurement."
    )
    counters: PriceCounters = Field(
        default=PriceCounters(), description="Errors of the counter readings."
    )
    estimators: Annotated[tuple[Label, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Estimators of the degradation; by default all."
    )
    overhead_budget: Annotated[float, Field(gt=0, lt=1)] = Field(
        default=0.01, description="Largest measurement overhead that the site accepts."
    )
    run_times_s: Annotated[
        tuple[Annotated[float, Field(gt=0, le=1e9)], ...],
        Field(strict=False, min_length=1, max_length=20),
    ] = Field(
        default=(60.0, 600.0, 3600.0, 14_400.0),
        description="Run times of the site's mix, in seconds, for the choice of S, P and K. Each "
        "run time has the phases found in the samples of the applications.",
    )
    mix: Annotated[tuple[PriceJobClass, ...], Field(strict=False, max_length=200)] = Field(
        default=(), description="The site's mix of jobs, instead of run_times_s."
    )
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = Field(
        default=10, description="Number of replications; counters and phases differ between them."
    )
    first_seed: Annotated[int, Field(ge=0, le=10**9 - MOST_SEEDS)] = Field(
        default=0,
        description="Seed of the first replication; the next ones use the following numbers.",
    )

    @model_validator(mode="after")
    def _named_once(self) -> Self:
        twice = sorted({name for name in self.applications if self.applications.count(name) > 1})
        if twice:
            raise ValueError(f"applications name {twice[0]!r} twice; list it once")
        return self
