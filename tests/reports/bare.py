"""As much of a study as writing needs, for tests of the files alone."""

from __future__ import annotations

from typing import Any

from planner.designs.study import DesignStudy

_NOTHING: Any = None
BARE = DesignStudy(_NOTHING, _NOTHING)
