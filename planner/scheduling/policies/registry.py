"""The policies by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from planner.errors import InputError
from planner.parts import PartKind, load_part
from planner.scheduling.policies.conservative import Conservative
from planner.scheduling.policies.easy import Easy
from planner.scheduling.policies.easy_plus_plus import EasyPlusPlus
from planner.scheduling.policies.fcfs import Fcfs
from planner.scheduling.policies.maui import Maui
from planner.scheduling.policies.moldable import Moldable
from planner.scheduling.policies.ordered import Ordered, by_estimate, by_processors
from planner.scheduling.policies.problem import Policy
from planner.scheduling.policies.speedup import Speedup

POLICY: PartKind[Policy] = PartKind(
    "policy",
    Policy,
    "derive it from planner.scheduling.policies.event_driven.EventDriven, or see docs/own-parts.md",
    {"PowerEventDriven": "a PowerEventDriven policy, which works with headroom schedule only"},
)

_ALL: tuple[Policy, ...] = (
    Fcfs(),
    Easy(),
    EasyPlusPlus(),
    EasyPlusPlus(passes_at_corrections=True, name="easy++-pass"),
    Conservative(),
    Ordered("sjf", by_estimate),
    Ordered("sjf-easy", by_estimate, reservations=1),
    Ordered("largest", by_processors),
    Ordered("largest-easy", by_processors, reservations=1),
    Maui(),
    Moldable(),
)

POLICIES: Mapping[str, Policy] = MappingProxyType({policy.name: policy for policy in _ALL})


def find_policy(
    name: str, reservations: int | None = None, speedup: Speedup | None = None
) -> Policy:
    """A policy by its name, or of the user's own: ``file.py:NAME`` or ``package.module:NAME``.

    ``reservations`` is for those that backfill around the first jobs; ``speedup`` is the model of
    moldable jobs, which no other policy asks for.

    Parameters
    ----------
    name
        ``easy``, ``fcfs``, ``conservative``, ..., or where your own policy is.
    reservations
        Waiting jobs with a reservation, of policies that backfill around the first jobs.
    speedup
        Model of run times of ``moldable``, as ``speedup_of`` gives it.

    Returns
    -------
    Policy
        An object with ``name`` and ``schedule``.

    Raises
    ------
    InputError
        There is no such policy, or it has no reservations to choose.
    """
    policy = load_part(name, POLICIES, POLICY)
    if speedup is not None and isinstance(policy, Moldable):
        policy = replace(policy, speedup=speedup)
    if reservations is None:
        return policy
    if not isinstance(policy, Easy | Ordered) or policy.reservations < 0:
        raise InputError(
            f"{name} has no number of reservations; remove --reservations, or choose easy, "
            "sjf-easy "
            "or largest-easy"
        )
    return replace(policy, reservations=reservations)
