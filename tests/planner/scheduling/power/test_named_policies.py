"""The policies that a scenario may name are those that the planner has."""

from __future__ import annotations

import pytest

from planner.scheduling.power.policy_texts import (
    OWN,
    POLICY_TEXTS,
    policy_text,
    policy_texts,
)
from planner.scheduling.power.registry import SELF_TUNING, find_power_policy, power_policy_names
from scenarios.model.schedule import POLICIES
from tests.planner.cli.commands import ran

PATTERN = "adaptive-PERCENT"


def test_a_scenario_may_name_every_policy_of_the_planner() -> None:
    assert {*power_policy_names()} - {PATTERN} <= {*POLICIES}


@pytest.mark.parametrize("name", [n for n in POLICIES if n != SELF_TUNING and n[:4] != "ilp-"])
def test_every_name_of_a_scenario_is_a_policy(name: str) -> None:
    assert find_power_policy(name).name == name


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_is_explained(name: str) -> None:
    assert policy_text(name) != OWN


def test_a_policy_is_explained_by_its_base_where_that_is_not_compared() -> None:
    (alone,) = policy_texts(["traditional-conservative"]).values()
    assert alone.startswith(f"as traditional ({POLICY_TEXTS['traditional']}), but every")
    (lending,) = policy_texts(["adaptive-lending-measured"]).values()
    assert POLICY_TEXTS["adaptive"] in lending
    assert policy_texts(["adaptive", "adaptive-20"])["adaptive-20"].startswith("as adaptive, but")


def test_the_help_lists_every_policy_that_has_a_name_of_its_own() -> None:
    plain = {name for name in power_policy_names() if not name.startswith("ilp-")}
    assert plain <= {*POLICY_TEXTS}
    assert all(len(text.split()) <= 20 for text in POLICY_TEXTS.values())
    text = " ".join(ran("schedule", "--help").output.split())
    assert all(f"{name} {meaning}" in text for name, meaning in POLICY_TEXTS.items())
