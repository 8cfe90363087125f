"""The study that tests of the room and of its studies share."""

from __future__ import annotations

from tests.planner.aggregation.conftest import small

__all__ = ["small"]
