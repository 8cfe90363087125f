"""The configuration of a Maui-like scheduler: priorities, fairshare, backfilling, throttles.

References
----------
Smith, Hammond and Jarvis (2011). The effect of an application performance modelling tool. UKPEW,
section 4. Jackson, Snell and Clement (2001). Core algorithms of the Maui scheduler. JSSPP.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, field_validator, model_validator

from scenarios.fields import Count, Fraction01, Group, Identifier, Label
from scenarios.formatting import dotted
from scenarios.maui.check import ITERATION_S, WINDOW_S, maui_faults
from scenarios.model.scenario import Provenance

Weight = Annotated[float, Field(ge=-1e9, le=1e9)]
Party = Literal["user", "group", "queue"]
PARTIES: tuple[Party, ...] = ("user", "group", "queue")


class Service(Group):
    """What a job has suffered."""

    weight: Weight = Field(default=1.0, description="Weight of the component.")
    queue_time: Weight = Field(default=0.0, description="Weight of each minute in the queue.")
    expansion_factor: Weight = Field(
        default=0.0,
        description="Weight of the expansion factor, (queue time + estimate) / estimate.",
    )
    bypass: Weight = Field(
        default=0.0, description="Weight of each job that was backfilled before this one."
    )


class Resource(Group):
    """What a job asks for."""

    weight: Weight = Field(default=1.0, description="Weight of the component.")
    processors: Weight = Field(default=0.0, description="Weight of each processor.")
    wall_time: Weight = Field(default=0.0, description="Weight of each second of the estimate.")


class FairshareWeights(Group):
    """Target less share of the machine used, of the job's user, group and queue."""

    weight: Weight = Field(default=1.0, description="Weight of the component.")
    user: Weight = Field(default=0.0, description="Weight of the user's share, from 0 to 1.")
    group: Weight = Field(default=0.0, description="Per unit of share.")
    queue: Weight = Field(default=0.0, description="Per unit of share.")


class Credential(Group):
    """Fixed priorities by name; a log without names has numbers, as "12"."""

    weight: Weight = Field(default=1.0, description="Weight of the component.")
    user: dict[Label, Weight] = Field(default_factory=dict, description="Priority of each user.")
    group: dict[Label, Weight] = Field(default_factory=dict, description="Priority of each group.")
    queue: dict[Label, Weight] = Field(default_factory=dict, description="Priority of each queue.")


class Priority(Group):
    """Sum over components of weight times the sum of weighted subcomponents."""

    service: Service = Service()
    resource: Resource = Resource()
    fairshare: FairshareWeights = FairshareWeights()
    credential: Credential = Credential()


class Fairshare(Group):
    """How the use of the machine is remembered: windows, the newest weighted most."""

    windows: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=30, description="Number of windows, n; the current one is the first."
    )
    window_s: Count = Field(
        default=WINDOW_S,
        description="Length l of each window, in seconds; a multiple of iteration_s.",
    )
    decay: Annotated[float, Field(gt=0, le=1)] = Field(
        default=1.0, description="Decay: window i has the weight decay ** i."
    )
    user: dict[Label, Fraction01] = Field(
        default_factory=dict, description="Target share of each user."
    )
    group: dict[Label, Fraction01] = Field(
        default_factory=dict, description="Target share of each group."
    )
    queue: dict[Label, Fraction01] = Field(
        default_factory=dict, description="Target share of each queue."
    )


class Backfill(Group):
    """Who may overtake a job that cannot start."""

    policy: Literal["first-fit", "best-fit", "none"] = Field(
        default="first-fit",
        description=(
            "Order of backfilling. first-fit: by priority; best-fit: the job with the most "
            "processors first."
        ),
    )
    depth: Count | None = Field(
        default=None,
        description="Number of jobs behind the reserved ones that are considered; by default all.",
    )
    reservations: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=1, description="Number of jobs at the head of the queue that must not be delayed."
    )


class MauiThrottle(Group):
    """Limits of one user, group or queue, or of each that has none of its own."""

    of: Party = Field(description="What is limited: user, group or queue.")
    name: Label | None = Field(
        default=None, description="Name of the user, group or queue; by default each one."
    )
    max_jobs: Count | None = Field(default=None, description="Maximum number of running jobs.")
    max_processors: Count | None = Field(
        default=None, description="Maximum number of processors in use."
    )
    max_idle_jobs: Count | None = Field(
        default=None,
        description=(
            "Maximum number of waiting jobs that are considered; further jobs gain no queue time."
        ),
    )


class MauiConfiguration(Group):
    """A Maui-like scheduler."""

    format: Literal[1] = 1
    name: Identifier
    iteration_s: Annotated[int, Field(ge=1, le=86_400)] = Field(
        default=ITERATION_S, description="Length of a scheduling iteration, in seconds."
    )
    priority: Priority = Priority()
    fairshare: Fairshare = Fairshare()
    backfill: Backfill = Backfill()
    throttles: Annotated[tuple[MauiThrottle, ...], Field(strict=False)] = ()

    _provenance: Provenance = PrivateAttr(default=Provenance())

    @field_validator("format", mode="before")
    @classmethod
    def _known_format(cls, value: object) -> object:
        if type(value) is not int or value != 1:  # true and 1.0 equal 1 as well
            raise ValueError("this version of Headroom reads format = 1; correct it")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        faults = [f"{dotted(where)}: {fault}" for where, fault in maui_faults(self.model_dump())]
        if faults:
            raise ValueError("; ".join(faults))
        return self

    @property
    def provenance(self) -> Provenance:
        """The file that this configuration was read from, with its hash; none if from Python."""
        return self._provenance

    def with_provenance(self, provenance: Provenance) -> Self:
        """Copy the configuration into one that knows its file."""
        copy = self.model_copy()
        copy._provenance = provenance  # noqa: SLF001 - a copy of this very class
        return copy
