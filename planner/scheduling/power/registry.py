"""The power-aware policies by name, and those of users."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from planner.errors import InputError
from planner.parts import PartKind, own_part
from planner.scheduling.power.ilp.naming import IlpName, ilp_name, ilp_names
from planner.scheduling.power.policy import PowerPolicy
from planner.scheduling.power.rmap import adaptive_policy, naive_policy, traditional_policy

POWER_POLICY: PartKind[PowerPolicy] = PartKind(
    "power-aware policy",
    PowerPolicy,
    "derive it from headroom.PowerEventDriven; see docs/schedule.md",
    {"EventDriven": "an EventDriven policy, which works with headroom simulate only"},
)


def _program(name: IlpName) -> PowerPolicy:
    """Return an ILP scheduler; its module is slow to import."""
    if name.family == "slots":
        from planner.scheduling.power.ilp.slot_policy import SlotPolicy

        return SlotPolicy(name.solver, name.fair_share, threshold=name.threshold)
    from planner.scheduling.power.ilp.knapsack import KnapsackPolicy

    reserved = name.family == "reserved"
    return KnapsackPolicy(name.solver, name.fair_share, threshold=name.threshold, reserved=reserved)


_MAKERS: Mapping[str, Callable[[], PowerPolicy]] = MappingProxyType(
    {
        "traditional": traditional_policy,
        "naive": naive_policy,
        "adaptive": adaptive_policy,
        "adaptive-any": lambda: adaptive_policy(None, "adaptive-any"),
        "traditional-conservative": lambda: traditional_policy(
            "traditional-conservative", backfill="conservative"
        ),
        "adaptive-conservative": lambda: adaptive_policy(
            name="adaptive-conservative", backfill="conservative"
        ),
        "adaptive-best-fit": lambda: adaptive_policy(name="adaptive-best-fit", best_fit=True),
        "adaptive-lending": lambda: adaptive_policy(name="adaptive-lending", lends="unallocated"),
        "adaptive-lending-measured": lambda: adaptive_policy(
            name="adaptive-lending-measured", lends="measured"
        ),
        "adaptive-efficient": lambda: adaptive_policy(
            name="adaptive-efficient", efficient_first=True
        ),
    }
)

LENDING = ("adaptive-lending", "adaptive-lending-measured")
"""Policies that lend running jobs the power that no job is charged."""

SELF_TUNING = "self-tuning"
"""Switches between Traditional and Adaptive; tuned on training seeds, so it needs a scenario."""

_THRESHOLD = re.compile(r"adaptive-([0-9]{1,4})")


def power_policy_names() -> tuple[str, ...]:
    """Return names of the built-in policies; ``adaptive-20`` tolerates a slowdown of 20 %.

    ``PERCENT`` may follow the solver of an ILP scheduler, too.
    """
    return (*_MAKERS, "adaptive-PERCENT", SELF_TUNING, *ilp_names())


def find_power_policy(text: str) -> PowerPolicy:
    """Return a built-in policy by its name, or one of the user's own (``file.py:Class``).

    ``adaptive-0`` is ``adaptive``, and ``adaptive-05`` is ``adaptive-5``; the same holds for
    ``ilp-highs-0``.

    Raises
    ------
    InputError
        There is no such policy.
    """
    threshold = _THRESHOLD.fullmatch(text)
    if threshold:
        return adaptive_policy(int(threshold[1]) / 100, adaptive_name(int(threshold[1])))
    program = ilp_name(text)
    if program:
        return _program(program)
    if text in _MAKERS:
        return _MAKERS[text]()
    return own_part(text, POWER_POLICY, BUILT_IN)


class _BuiltIn(Collection[str]):
    """The names of :func:`power_policy_names`, with every percentage; one of them is listed."""

    def __contains__(self, name: object) -> bool:
        text = str(name)
        return text in (*_MAKERS, SELF_TUNING) or bool(_THRESHOLD.fullmatch(text) or ilp_name(text))

    def __iter__(self) -> Iterator[str]:
        return iter((*_MAKERS, "adaptive-20", SELF_TUNING, *ilp_names()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


BUILT_IN = _BuiltIn()
"""Names that a policy of the user's own cannot have: results and reports tell policies by name."""


def adaptive_name(whole_percent: int) -> str:
    """Return the one name of Adaptive with a threshold."""
    return f"adaptive-{whole_percent}" if whole_percent else "adaptive"


def adaptive_names(thresholds: Sequence[float], *, unbounded: bool) -> tuple[str, ...]:
    """Return names of Adaptive with each threshold.

    Raises
    ------
    InputError
        A threshold is not a whole percentage.
    """
    names = []
    for threshold in thresholds:
        whole = round(threshold * 100)
        if abs(whole - threshold * 100) > 1e-9:
            raise InputError(
                f"threshold {threshold:g} is not a whole percentage; give 0.1 for 10 %"
            )
        names.append(adaptive_name(whole))
    return (*names, *(("adaptive-any",) if unbounded else ()))
