"""The greedy fallback is RMAP's Adaptive with threshold 0 and head-only backfill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from planner.scheduling.power.events.event_driven import Choice, Kill, PowerEventDriven
from planner.scheduling.power.events.moment import PowerMoment
from planner.scheduling.power.ilp.adaptive import Adaptive
from tests.planner.scheduling.power.literal import LiteralPolicy
from tests.planner.scheduling.power.random_problems import random_problem
from tests.sizes import few


@dataclass
class Alone(PowerEventDriven):
    """The fallback decides every pass."""

    kill: Kill = "never"
    node_order: Sequence[int] | None = None
    greedy: Adaptive = field(default_factory=Adaptive)

    def decide(self, now: PowerMoment) -> list[Choice]:
        return self.greedy.decide(now)


@pytest.mark.parametrize("seed", range(few(300)))
def test_the_fallback_is_the_literal_adaptive_policy(seed: int) -> None:
    problem = random_problem(seed)
    literal = LiteralPolicy("adaptive", "easy", 0.0).schedule(problem).schedule
    ours = Alone().schedule(problem).schedule
    for name in ("start_ms", "end_ms", "row", "node"):
        assert np.array_equal(getattr(ours, name), getattr(literal, name)), name
