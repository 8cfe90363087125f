"""What a user's own power-aware policy returns: checked, and rebuilt from plain values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.power.policy import PowerPolicy, PowerRun, SchedulerDecision
from planner.scheduling.power.problem import PowerSchedule
from planner.sealed import sealed

_FLAGS = ("rounded", "killed")
_KINDS: dict[str, tuple[type, ...]] = {
    "time_ms": (Integral,),
    "queue": (Integral,),
    "status": (str,),
    "gap": (Real, type(None)),
    "seconds": (Real,),
    "solver": (str,),
    "slot_error": (Real, type(None)),
}
"""Types of the fields of a decision."""


def plain_run(policy: PowerPolicy, answer: object) -> PowerRun:
    """Return a copy of the answer that the policy cannot reach, of plain types.

    Raises
    ------
    InputError
        It is not a run, or a part of it has another type.
    """
    schedule: object = answer.schedule if isinstance(answer, PowerRun) else answer
    if not isinstance(answer, PowerRun) or not isinstance(schedule, PowerSchedule):
        is_run = isinstance(answer, PowerRun)
        expected = "a PowerSchedule in its PowerRun" if is_run else "a PowerRun"
        raise InputError(
            f"schedule() of {policy.name} returns {type(schedule).__name__}, not {expected}; "
            "return it, or derive the policy from PowerEventDriven and write decide() only "
            "(docs/schedule.md)"
        )
    arrays: list[Any] = [_array(policy, schedule, field.name) for field in fields(PowerSchedule)]
    return sealed(
        PowerRun(
            PowerSchedule(*arrays),
            _seconds(policy, answer),
            _decisions(policy, answer),
            _deadlines_ms(policy, answer),
        )
    )


def _array(policy: PowerPolicy, schedule: PowerSchedule, name: str) -> NDArray[np.int64]:
    flags = name in _FLAGS
    try:
        array = np.asarray(getattr(schedule, name))
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    shape = (len(array), 3) if name == "lent" and array.ndim else (array.size,)
    if array.size == 0 and array.shape == (0,):  # an empty list has no type
        array = array.astype(np.bool_ if flags else np.int64)
        array, shape = (array.reshape(0, 3), (0, 3)) if name == "lent" else (array, (0,))
    if array.dtype.kind not in ("b" if flags else "iu") or array.shape != shape:
        raise InputError(
            f"{name} of the schedule by {policy.name} is an array of {array.dtype} of shape "
            f"{array.shape}; give {'truth values' if flags else 'whole numbers'} as "
            "PowerSchedule says"
        )
    return array.astype(np.bool_ if flags else np.int64)


def _seconds(policy: PowerPolicy, run: PowerRun) -> float:
    seconds: object = run.seconds
    if not isinstance(seconds, Real) or not 0 <= float(seconds) < math.inf:
        raise InputError(
            f"seconds of the run by {policy.name} is {seconds!r:.60}; give the policy's own time "
            "in seconds, or 0"
        )
    return float(seconds)


def _deadlines_ms(policy: PowerPolicy, run: PowerRun) -> NDArray[np.int64] | None:
    if run.deadlines_ms is None:
        return None
    jobs = len(run.schedule.start_ms)
    try:
        array = np.asarray(run.deadlines_ms)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    if array.shape != (jobs,) or array.dtype.kind not in "iu":
        raise InputError(
            f"deadlines_ms of the run by {policy.name} is an array of {array.dtype} of shape "
            f"{array.shape}; give whole milliseconds of shape ({jobs},), or None"
        )
    return array.astype(np.int64)


def _decisions(policy: PowerPolicy, run: PowerRun) -> tuple[SchedulerDecision, ...]:
    decisions: object = run.decisions
    if not isinstance(decisions, Iterable):
        raise InputError(
            f"decisions of the run by {policy.name} is {decisions!r:.60}; give a tuple of "
            "SchedulerDecision, which may be empty"
        )
    return tuple(_decision(policy, decision) for decision in decisions)


def _decision(policy: PowerPolicy, decision: object) -> SchedulerDecision:
    if not isinstance(decision, SchedulerDecision):
        raise InputError(
            f"decisions of the run by {policy.name} has {decision!r:.60}; give objects of "
            "SchedulerDecision, or an empty tuple"
        )
    for name, kinds in _KINDS.items():
        value = getattr(decision, name, "missing")
        if not isinstance(value, kinds) or (isinstance(value, Real) and not math.isfinite(value)):
            wanted = " or ".join(_WORDS[kind] for kind in kinds)
            raise InputError(
                f"{name} of a decision by {policy.name} is {value!r:.60}; give {wanted}"
            )
    return SchedulerDecision(
        int(decision.time_ms),
        int(decision.queue),
        str(decision.status),
        None if decision.gap is None else float(decision.gap),
        float(decision.seconds),
        str(decision.solver),
        None if decision.slot_error is None else float(decision.slot_error),
    )


_WORDS = {Integral: "a whole number", Real: "a finite number", str: "a text", type(None): "None"}
