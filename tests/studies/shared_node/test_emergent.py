"""The overhead that emerges, against equations 9 and 10, which the simulation does not know."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.shared_node.emergent import Overhead, emergent_overhead
from scenarios.simulated.shared_node.applications import NULL, find_shared_application
from scenarios.simulated.shared_node.play import ShutterSchedule

pytestmark = pytest.mark.slow

LENGTHS_US = [200 * 2**k for k in range(12)]
JOBS = (2, 3, 4)
CONTENTIOUS = ("MILC", "MG", "CG", "MiniGhost")
SHORT = [200, 3200, 25_600, 409_600]


def by_the_equations(jobs: int, length_us: float, gap_us: float = 200_000) -> float:
    """Z / (1 - Z) with Z = (n - 1) S / (n (3 S + P)), by hand."""
    sleeping = (jobs - 1) * length_us / (jobs * (3 * length_us + gap_us))
    return sleeping / (1 - sleeping)


def measured(names: tuple[str, ...], length_us: float, rounds: int = 600) -> Overhead:
    codes = [find_shared_application(name) for name in names]
    return emergent_overhead(codes, ShutterSchedule(length_us=length_us), rounds=rounds)


def test_the_printed_values_by_hand() -> None:
    assert by_the_equations(2, 3200) == pytest.approx(0.00769, abs=5e-6)
    assert by_the_equations(2, 25_600) == pytest.approx(0.0485, abs=5e-5)
    assert by_the_equations(3, 3200) == pytest.approx(0.01028, abs=5e-6)
    assert by_the_equations(4, 3200) == pytest.approx(0.01158, abs=5e-6)
    assert by_the_equations(2, 1e12) == pytest.approx(0.2, abs=1e-6)


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("length_us", LENGTHS_US)
def test_jobs_that_do_not_disturb_each_other_lie_on_equation_10(
    jobs: int, length_us: float
) -> None:
    result = measured(("NULL",) * jobs, length_us, rounds=3 * jobs)
    assert result.sleeping == pytest.approx(by_the_equations(jobs, length_us), rel=1e-9)
    assert result.refill == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("length_us", SHORT)
def test_quiet_codes_lie_just_below_it(length_us: float) -> None:
    limit = by_the_equations(2, length_us)
    result = measured(("LAMMPS", "NekBone"), length_us)
    assert (result.sleeping <= limit).all()
    assert (result.sleeping >= 0.97 * limit).all()


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("length_us", SHORT)
def test_contentious_codes_lie_below_it_since_they_run_faster_alone(
    jobs: int, length_us: float
) -> None:
    result = measured(CONTENTIOUS[:jobs], length_us)
    assert (result.sleeping < 0.95 * by_the_equations(jobs, length_us)).all()


@pytest.mark.parametrize("names", [("NULL", "NULL"), ("MILC", "MILC"), ("LAMMPS", "GTC")])
def test_it_is_at_most_one_per_cent_at_the_papers_setting_with_refill_and_base_cost(
    names: tuple[str, ...],
) -> None:
    result = measured(names, 3200, rounds=2000)
    assert (result.total < 0.01).all()
    assert (result.base_cost > 0.0005).all()


def test_refilling_costs_jobs_that_use_the_cache_and_least_where_pauses_are_rare() -> None:
    results = [measured(("MILC", "CG"), length_us, 4000).refill for length_us in (3200, 409_600)]
    assert (results[0] > 1e-4).all()
    assert (results[1] < results[0]).all()


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("length_us", LENGTHS_US)
def test_every_length_and_number_of_jobs_stays_below_equation_10_without_costs(
    jobs: int, length_us: float
) -> None:
    for names in (CONTENTIOUS[:jobs], ("FT", "LU", "GTC", "POP")[:jobs]):
        result = measured(names, length_us, rounds=3000)
        assert (result.sleeping < by_the_equations(jobs, length_us)).all(), names
        assert np.isfinite(result.total).all()


def test_the_busy_loop_has_no_refill() -> None:
    result = emergent_overhead([NULL, find_shared_application("MILC")], rounds=200)
    assert result.refill[0] == pytest.approx(0, abs=1e-12)
    assert result.refill[1] == pytest.approx(0, abs=1e-12)  # nobody pushes out its lines
