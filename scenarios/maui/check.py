"""What the parts of a Maui-like scheduler's configuration ask of each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from scenarios.fields import LARGEST
from scenarios.formatting import dotted, short
from scenarios.positions import KeyPath

ITERATION_S, WINDOW_S = 30, 86_400
"""Defaults of the two lengths, which must go together."""

_WHOSE = ("of", "name", "source")
_ROUNDING = 1e-5
"""Rounding error of targets that are written with six decimals."""


def maui_faults(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Check what every configuration must keep, on data that may still be wrong in other ways."""
    yield from _lengths(raw)
    fairshare = _table(raw, "fairshare")
    yield from _memory(fairshare)
    for kind in fairshare:
        yield from _targets(kind, _table(fairshare, kind))
    yield from _throttles(raw)


def written_in_vain(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield keys that other keys of the file make ineffective, which the user hardly meant."""
    backfill = _table(raw, "backfill")
    if backfill.get("policy") == "none":
        for key in ("reservations", "depth"):
            if key in backfill:
                message = (
                    "has no effect with policy = 'none', because no job overtakes another; "
                    "delete it"
                )
                yield ("backfill", key), message


def _lengths(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Windows begin and end at iterations."""
    fairshare = _table(raw, "fairshare")
    iteration, window = raw.get("iteration_s", ITERATION_S), fairshare.get("window_s", WINDOW_S)
    if not (_count(iteration) and _count(window)) or window % iteration == 0:
        return
    below = window - window % iteration
    near = " or ".join(str(length) for length in (below, below + iteration) if length)
    if "window_s" in fairshare:
        message = f"window_s = {window} is not a multiple of iteration_s = {iteration}; give {near}"
        yield ("fairshare", "window_s"), message
    else:
        message = (
            f"does not divide fairshare.window_s (by default {window}); set window_s to {near}"
        )
        yield ("iteration_s",), message


def _memory(fairshare: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    windows, decay = fairshare.get("windows"), fairshare.get("decay")
    if type(windows) is int and windows < 1:
        message = f"{short(windows)} windows keep no history; give at least 1, the current one"
        yield ("fairshare", "windows"), message
    if _number(decay) and not 0 < decay <= 1:
        message = f"window i would weigh {short(decay)} ** i; give a number above 0 and at most 1"
        yield ("fairshare", "decay"), message


def _targets(kind: str, targets: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    whole = True
    for name, target in targets.items():
        if not _number(target) or 0 <= target <= 1:
            whole &= _number(target)
            continue
        whole = False
        remedy = f"write {target / 100:g} for {target:g} %" if 1 < target <= 100 else "correct it"
        message = f"{short(target)} is not a share of the machine between 0 and 1; {remedy}"
        yield ("fairshare", kind, name), message
    if whole and (total := math.fsum(targets.values())) > 1 + _ROUNDING:
        message = (
            f"targets sum to {total:.10g}, which exceeds the machine; the sum may be at most 1"
        )
        yield ("fairshare", kind), message


def _throttles(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    seen: dict[tuple[str, str | None], int] = {}
    throttles = raw.get("throttles", ())
    if isinstance(throttles, Mapping):
        yield ("throttles",), "is a single table, but a list is needed; write [[throttles]]"
    for index, throttle in enumerate(throttles if isinstance(throttles, list | tuple) else ()):
        if not isinstance(throttle, Mapping):
            continue
        if all(value is None or key in _WHOSE for key, value in throttle.items()):
            message = "sets no limit; add max_jobs, max_processors or max_idle_jobs, or delete it"
            yield ("throttles", index), message
        of, name = throttle.get("of"), throttle.get("name")
        if not isinstance(of, str) or not isinstance(name, str | None):
            continue
        first = seen.setdefault((of, name), index)
        if first != index:
            whose = f"each {of}" if name is None else f"{of} {short(name)}"
            earlier = dotted(("throttles", first))
            message = f"limits {whose} again after {earlier}; put these limits into one entry"
            yield ("throttles", index), message


def _table(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, Mapping) else {}


def _count(value: Any) -> TypeGuard[int]:
    return type(value) is int and 1 <= value <= 10**9


def _number(value: Any) -> TypeGuard[float]:
    """Return whether it is a number of a size that quantities have."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST
