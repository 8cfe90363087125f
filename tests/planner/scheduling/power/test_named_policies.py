"""The policies that a scenario may name are those that the planner has."""

from __future__ import annotations

import pytest

from planner.scheduling.power.registry import SELF_TUNING, find_power_policy, power_policy_names
from scenarios.model.schedule import POLICIES

PATTERN = "adaptive-PERCENT"


def test_a_scenario_may_name_every_policy_of_the_planner() -> None:
    assert {*power_policy_names()} - {PATTERN} <= {*POLICIES}


@pytest.mark.parametrize("name", [n for n in POLICIES if n != SELF_TUNING and n[:4] != "ilp-"])
def test_every_name_of_a_scenario_is_a_policy(name: str) -> None:
    assert find_power_policy(name).name == name
