"""The rule of a policy in words: ours, another number of reservations, and one from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from planner.scheduling.policies.easy import Easy
from planner.scheduling.policies.ordered import Ordered, by_estimate
from planner.scheduling.policies.problem import Policy, SchedulingProblem, Starts
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.policies.rules import RULES, rule_of


@dataclass(frozen=True)
class Widest:
    """The job with most processors starts first,
    whoever was there before.

    Nobody overtakes it.

    References
    ----------
    None.
    """  # fmt: skip

    name: str = "widest"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        return POLICIES["largest"].schedule(problem)


@dataclass(frozen=True)
class Silent:
    name: str = "fcfs"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        return POLICIES["fcfs"].schedule(problem)


def test_each_policy_of_ours_has_its_rule() -> None:
    assert set(RULES) == set(POLICIES)
    assert all(rule_of(policy) == RULES[name] for name, policy in POLICIES.items())


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Easy(reservations=3), "In this study the first 3 jobs of the queue must not be delayed."),
        (Easy(reservations=0), "In this study no job at the head of the queue has a reservation."),
        (
            Ordered("shortest", by_estimate, reservations=2),
            (
                "first, by its estimate. In this study the first 2 jobs of the queue must not be "
                "delayed."
            ),
        ),
    ],
)
def test_another_number_of_reservations_is_said(policy: Policy, words: str) -> None:
    assert rule_of(policy).endswith(words)


def test_the_docstring_of_a_policy_from_elsewhere_is_its_rule_up_to_the_first_section() -> None:
    assert rule_of(Widest()) == (
        "The job with most processors starts first, whoever was there before. Nobody overtakes it."
    )


def test_a_policy_without_a_docstring_is_not_given_the_rule_of_its_namesake() -> None:
    assert rule_of(Silent()) == ("This policy has no description: its class has no docstring.")
