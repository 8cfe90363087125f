"""The compiled loop gives the numbers of the literal node in every setting."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from scenarios.simulated.shared_node.applications import find_shared_application
from scenarios.simulated.shared_node.node import SharedNode
from scenarios.simulated.shared_node.play import Schedule, Windows, play
from scenarios.simulated.shared_node.settings import NodeSettings
from tests.scenarios.simulated.shared_node.driver import drive

CASES = {
    "the paper's": (("FT", "CG"), Schedule(most_rounds=12), NodeSettings()),
    "K = 3, placebos": (
        ("LAMMPS", "FT"),
        Schedule(800, 20_000, 3, placebo_share=0.3, most_rounds=12),
        NodeSettings(counter_noise=0.05),
    ),
    "literal loop": (
        ("POP", "NekBone"),
        Schedule(gap_us=30_000, loop="literal", most_rounds=10),
        NodeSettings(),
    ),
    "three jobs": (("FT", "MG", "GTC"), Schedule(gap_us=30_000, most_rounds=10), NodeSettings()),
    "four jobs": (
        ("CG", "FT", "MILC", "FT"),
        Schedule(400, 10_000, most_rounds=16),
        NodeSettings(),
    ),
    "no cost, no refill": (
        ("MILC", "FT"),
        Schedule(gap_us=50_000, most_rounds=8),
        NodeSettings(refill=False, base_cost=False, counter_noise=0, sampler_noise=0),
    ),
    "one job": (("FT",), Schedule(gap_us=2e6), NodeSettings(iterations=1)),
}


def same(first: Windows, second: Windows) -> None:
    for field in fields(Windows):
        one, other = getattr(first, field.name), getattr(second, field.name)
        np.testing.assert_array_equal(one, other, err_msg=field.name, strict=True)


@pytest.mark.parametrize("case", CASES)
def test_the_compiled_loop_equals_the_literal_node_in_every_number(case: str) -> None:
    names, schedule, settings = CASES[case]
    applications = [find_shared_application(name) for name in names]
    literal = drive(SharedNode(applications, settings, seed=3), schedule)
    same(play(applications, schedule, settings, seed=3), literal)
