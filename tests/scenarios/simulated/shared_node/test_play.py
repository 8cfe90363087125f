"""The compiled loop gives the numbers of the literal node in every setting."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from scenarios.simulated.shared_node.applications import NULL, find_shared_application
from scenarios.simulated.shared_node.play import PLACEBO, ShutterSchedule, ShutterWindows, play
from scenarios.simulated.shared_node.second_law import SensitivityAndPressure
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.synthetic import synthetic_applications
from scenarios.simulated.shared_node.truth import truth
from tests.scenarios.simulated.shared_node.cases import EXACT, application
from tests.scenarios.simulated.shared_node.driver import drive
from tests.scenarios.simulated.shared_node.node import SharedNode
from tests.sizes import few

CASES = {
    "the paper's": (("FT", "CG"), ShutterSchedule(most_rounds=12), NodeSettings()),
    "K = 3, placebos": (
        ("LAMMPS", "FT"),
        ShutterSchedule(800, 20_000, 3, placebo_share=0.3, most_rounds=12),
        NodeSettings(counter_noise=0.05),
    ),
    "literal loop": (
        ("POP", "NekBone"),
        ShutterSchedule(gap_us=30_000, loop="literal", most_rounds=10),
        NodeSettings(),
    ),
    "three jobs": (
        ("FT", "MG", "GTC"),
        ShutterSchedule(gap_us=30_000, most_rounds=10),
        NodeSettings(),
    ),
    "four jobs": (
        ("CG", "FT", "MILC", "FT"),
        ShutterSchedule(400, 10_000, most_rounds=16),
        NodeSettings(),
    ),
    "no cost, no refill": (
        ("MILC", "FT"),
        ShutterSchedule(gap_us=50_000, most_rounds=8),
        NodeSettings(refill=False, base_cost=False, counter_noise=0, sampler_noise=0),
    ),
    "one job": (("FT",), ShutterSchedule(gap_us=2e6), NodeSettings(iterations=1)),
}
"""By name: codes, schedule and node."""


def same(first: ShutterWindows, second: ShutterWindows) -> None:
    for field in fields(ShutterWindows):
        one, other = getattr(first, field.name), getattr(second, field.name)
        np.testing.assert_array_equal(one, other, err_msg=field.name, strict=True)


@pytest.mark.parametrize("case", CASES)
def test_the_compiled_loop_equals_the_literal_node_in_every_number(case: str) -> None:
    names, schedule, settings = CASES[case]
    applications = [find_shared_application(name) for name in names]
    literal = drive(SharedNode(applications, settings, seed=3), schedule)
    same(play(applications, schedule, settings, seed=3), literal)


@pytest.mark.parametrize("seed", range(few(60, least=8)))
def test_so_it_does_for_sampled_jobs_and_settings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    applications = synthetic_applications(int(rng.integers(2, 5)), seed)
    schedule = ShutterSchedule(
        length_us=float(rng.choice([200, 3200, 25_600])),
        gap_us=float(rng.uniform(0, 50_000)),
        measurements=int(rng.integers(1, 3)),
        loop=rng.choice(["parallel", "literal"]),
        placebo_share=float(rng.choice([0, 0.25, 0.5])),
        most_rounds=8,
    )
    settings = NodeSettings(
        counter_noise=float(rng.uniform(0, 0.05)),
        refill=bool(rng.integers(2)),
        base_cost=bool(rng.integers(2)),
    )
    law = SensitivityAndPressure() if rng.integers(2) else None
    literal = drive(SharedNode(applications, settings, law, seed), schedule)
    same(play(applications, schedule, settings, law, seed), literal)


def test_so_it_does_where_jobs_leave_one_after_another() -> None:
    applications = [application(cycles=cycles) for cycles in (3, 5, 9)]
    settings = NodeSettings(iterations=2, restart=False)
    schedule = ShutterSchedule(800, 3000)
    measured = play(applications, schedule, settings, seed=2)
    same(measured, drive(SharedNode(applications, settings, seed=2), schedule))
    assert np.isfinite(measured.end_us).all()
    assert measured.clock_us > measured.time_us[-1] + 4 * schedule.gap_us  # the last one is alone


def test_longer_measurements_than_a_chunk_go_on_where_it_ended() -> None:
    schedule = ShutterSchedule(200, 500, most_rounds=1100)
    codes = [find_shared_application("CG")] * 2
    same(play(codes, schedule, seed=1), drive(SharedNode(codes, seed=1), schedule))


def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not() -> None:
    codes = [find_shared_application(name) for name in ("GTC", "POP")]
    schedule = ShutterSchedule(most_rounds=20)
    same(play(codes, schedule, seed=5), play(codes, schedule, seed=5))
    other = play(codes, schedule, seed=6)
    assert (other.instructions != play(codes, schedule, seed=5).instructions).any()


@pytest.mark.parametrize(("loop", "length_us"), [("parallel", 209_600), ("literal", 216_000)])
def test_a_round_of_two_jobs_lasts_as_long_as_the_loop_says(loop: str, length_us: float) -> None:
    """3 x 3.2 + 200 ms, and (2 x 2 + 1) x 3.2 + 200 ms as the algorithm is printed."""
    schedule = ShutterSchedule(loop="literal" if loop == "literal" else "parallel", most_rounds=9)
    measured = play([NULL, NULL], schedule, EXACT)
    assert np.diff(measured.time_us) == pytest.approx(length_us)


def test_only_the_job_that_runs_alone_has_a_window_during_the_shutter() -> None:
    schedule = ShutterSchedule(measurements=2, placebo_share=0.25, most_rounds=16)
    measured = play([find_shared_application("LU")] * 3, schedule)
    assert measured.shuttered.tolist() == [0, 1, 2, PLACEBO] * 4
    for number, alone in enumerate(measured.shuttered):
        ran = np.isfinite(measured.cycles[number, 1]).all(axis=0)
        assert ran.tolist() == [alone in {PLACEBO, job} for job in range(3)]
    assert np.isfinite(measured.cycles[:, [0, 2]]).all()


def test_run_times_under_a_shutter_are_the_true_ones_and_its_overhead() -> None:
    codes = [find_shared_application(name) for name in ("LAMMPS", "GTC")]
    measured = play(codes)
    ratio = measured.end_us / 5 / truth(codes).together_us
    assert (ratio > 1.007).all()
    assert (ratio < 1.010).all()
    assert measured.iterations.min() == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"length_us": 0},
        {"gap_us": -1},
        {"measurements": 0},
        {"loop": "both"},
        {"placebo_share": 1},
        {"most_rounds": 0},
    ],
)
def test_a_schedule_that_cannot_be_is_named(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ShutterSchedule(**wrong)  # type: ignore[arg-type]
