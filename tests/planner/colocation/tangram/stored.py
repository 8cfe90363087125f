"""Results of long runs, which the slow tests repeat."""

from __future__ import annotations

MEANS: dict[str, dict[tuple[str, str], float]] = {}
"""Mean makespan over 20 seeds by system, test and gate."""
