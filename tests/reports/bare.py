"""As much of a study as writing needs, for tests of the files alone."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy

BARE = object.__new__(ProcurementStudy)
