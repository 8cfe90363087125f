"""How keys of a Maui-like scheduler's configuration are called in Maui itself, and where they go.

References
----------
Maui Scheduler Administrator's Guide, version 3.2: sections 5.1.2 (priority), 6.2 (throttles), 6.3
(fairshare), 8.2 (backfill), appendix F (parameters).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import get_args

from pydantic import BaseModel

from scenarios.formatting import dotted, short
from scenarios.maui.settings import MauiConfiguration
from scenarios.positions import KeyPath

OURS: Mapping[str, str] = MappingProxyType(
    {
        "RMPOLLINTERVAL": "iteration_s",
        "SERVICEWEIGHT": "priority.service.weight",
        "SERVWEIGHT": "priority.service.weight",
        "QUEUETIMEWEIGHT": "priority.service.queue_time",
        "XFACTORWEIGHT": "priority.service.expansion_factor",
        "BYPASSWEIGHT": "priority.service.bypass",
        "RESWEIGHT": "priority.resource.weight",
        "PROCWEIGHT": "priority.resource.processors",
        "WALLTIMEWEIGHT": "priority.resource.wall_time",
        "FSWEIGHT": "priority.fairshare.weight",
        "FSUSERWEIGHT": "priority.fairshare.user",
        "FSGROUPWEIGHT": "priority.fairshare.group",
        "FSCLASSWEIGHT": "priority.fairshare.queue",
        "CREDWEIGHT": "priority.credential.weight",
        "USERWEIGHT": "priority.credential.user",
        "GROUPWEIGHT": "priority.credential.group",
        "CLASSWEIGHT": "priority.credential.queue",
        "PRIORITY": "priority.credential",
        "FSDEPTH": "fairshare.windows",
        "FSINTERVAL": "fairshare.window_s",
        "FSDECAY": "fairshare.decay",
        "FSTARGET": "fairshare.user",
        "BACKFILLPOLICY": "backfill.policy",
        "BACKFILLDEPTH": "backfill.depth",
        "RESERVATIONDEPTH": "backfill.reservations",
        "MAXJOB": "throttles.max_jobs",
        "MAXPROC": "throttles.max_processors",
        "MAXIJOB": "throttles.max_idle_jobs",
    }
)
"""Our key by Maui's parameter, or attribute of USERCFG, GROUPCFG and CLASSCFG."""

_ENTRY = re.compile(r"^[ \t]*([A-Za-z0-9]+)(\[[^\]\n]*\])?[ \t]+[^\s=]", re.MULTILINE)
_BY_PARTY = ("USERCFG", "GROUPCFG", "CLASSCFG")


def remedy(key: str) -> str:
    """Return where a misplaced key belongs; empty if it belongs nowhere."""
    ours = OURS.get(key.upper())
    if ours is not None:
        return f"{short(key.upper())} of Maui is called {ours} here"
    places = [path for path in _paths(MauiConfiguration) if path[-1] == key]
    if len(places) != 1:
        return ""
    group = places[0][:-1]
    header = f"[[{dotted(group)}]]" if group == ("throttles",) else f"[{dotted(group)}]"
    return f"it belongs in {header}" if group else "it belongs above the first header"


def is_maui_s_own(text: str) -> bool:
    """Return whether a text looks like a maui.cfg: parameter and value without a sign between."""
    names = {name.upper() for name, *_ in _ENTRY.findall(text)}
    return not names.isdisjoint({*OURS, *_BY_PARTY})


def _paths(model: type[BaseModel], above: KeyPath = ()) -> Iterator[KeyPath]:
    for name, field in model.model_fields.items():
        yield (*above, name)
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from _paths(kind, (*above, name))
