"""The law of oversubscription: its exact cases, its laws, its fit, and its secrecy."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from scenarios.simulated.oversubscription.applications import (
    SIX,
    OversubscribedApplication,
    RankPhase,
)
from scenarios.simulated.oversubscription.campaign import measured_co_runs
from scenarios.simulated.oversubscription.co_run import (
    co_run_times_s,
    solo_time_s,
)
from scenarios.simulated.oversubscription.fitted import (
    EIGHT_NODES,
    FITTED_TO,
    SYSTEMS,
    TWO_NODES,
    under,
)
from scenarios.simulated.oversubscription.law import convoy_wait_ms, stretches, thrashing
from scenarios.simulated.oversubscription.machine import LAWS, OversubscribedSystem, find_system
from tests.scenarios.simulated.oversubscription.makespans import makespan_ratio
from tests.scenarios.simulated.shared_node.test_shared_secrecy import reaching
from tests.scenarios.simulated.test_secrecy import ROOT, decides, sources

LAW = "scenarios.simulated.oversubscription"
COMPUTES = RankPhase(1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-6, 0.0)
"""Needs a core all the time, and nothing else; it feels the slowest rank at once."""
SLEEPS = replace(COMPUTES, busy_share=0.01, sync_ms=1e6)


def one_phase(phase: RankPhase, name: str = "one", cycles: int = 10) -> OversubscribedApplication:
    return OversubscribedApplication(name, (phase,), cycles, 0.0)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_the_largest_makespan_is_the_fitted_one(system: OversubscribedSystem, law: str) -> None:
    system = under(system, law)
    pairs = list(combinations_with_replacement(SIX, 2))
    ratios = {
        (ranks, pair[0].name, pair[1].name): makespan_ratio(system, ranks, pair)
        for ranks in system.ranks
        for pair in pairs
    }
    worst = max(ratios, key=lambda key: ratios[key])
    assert worst == (max(system.ranks), "miniAMR", "miniAMR")
    assert ratios[worst] == pytest.approx(FITTED_TO[system.name], abs=0.001)


@pytest.mark.parametrize(("system", "co_runs"), [(TWO_NODES, 63), (EIGHT_NODES, 84)])
def test_a_campaign_has_as_many_co_runs_as_the_paper(
    system: OversubscribedSystem, co_runs: int
) -> None:
    runs = measured_co_runs(system, 0)
    assert len(runs.together) == co_runs
    assert len(runs.solo) == 6 * len(system.ranks)
    assert measured_co_runs(system, 0) == runs
    assert measured_co_runs(system, 1) != runs


def test_two_jobs_that_only_compute_take_twice_their_time_on_the_slowest_rank() -> None:
    system = replace(TWO_NODES, slice_ms=0.0)
    times = co_run_times_s(system, 13, (one_phase(COMPUTES), one_phase(COMPUTES)))
    assert times == pytest.approx((20.0, 20.0), rel=1e-6)


def test_without_overlapped_cores_jobs_that_only_compute_do_not_meet() -> None:
    times = co_run_times_s(TWO_NODES, 12, (one_phase(COMPUTES), one_phase(COMPUTES)))
    assert times == pytest.approx((10.0, 10.0))


def test_the_longer_job_runs_alone_after_the_shorter_one() -> None:
    """10 s of work at half speed end at 20 s; the other job then has 20 of 30 s left."""
    system = replace(TWO_NODES, slice_ms=0.0)
    times = co_run_times_s(system, 13, (one_phase(COMPUTES), one_phase(COMPUTES, cycles=30)))
    assert times == pytest.approx((20.0, 40.0), rel=1e-6)


def test_a_job_that_sleeps_hardly_slows_one_that_computes() -> None:
    times = co_run_times_s(TWO_NODES, 15, (one_phase(COMPUTES), one_phase(SLEEPS)))
    assert times == pytest.approx((10.0, 10.0), rel=0.02)


def test_only_jobs_that_both_poll_wait_for_slices() -> None:
    polls = replace(COMPUTES, spin_share=0.5)
    assert convoy_wait_ms(TWO_NODES, 15, polls, COMPUTES) == 0
    # r = 0.5 x 0.5 / 2 on 3 cores of 2 nodes: s (1 - 0.875^6)
    expected = TWO_NODES.slice_ms * (1 - 0.875**6)
    assert convoy_wait_ms(TWO_NODES, 15, polls, polls) == pytest.approx(expected)


def test_misses_grow_at_the_cliff_and_at_most_to_all_requests() -> None:
    phase = replace(COMPUTES, llc_hit_share=0.75)
    filled = [thrashing(phase, share) for share in (0.0, 0.8, 1.0, 1.2, 50.0)]
    assert filled == sorted(filled)
    # half of the step: (0.25 + 0.75 / 2) / 0.25
    assert filled[2] == pytest.approx(2.5)
    assert filled[0] == pytest.approx(1.0, abs=1e-6)
    assert filled[-1] == pytest.approx(4.0)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_no_job_is_faster_because_another_one_runs(system: OversubscribedSystem) -> None:
    phases = [phase for application in SIX for phase in application.phases]
    for pair in product(phases, phases):
        for own, stretch in zip(pair, stretches(system, max(system.ranks), pair), strict=True):
            assert stretch.cores >= own.busy_share - 1e-12
            assert stretch.asleep >= 1 - own.busy_share - 1e-12


def test_a_pair_takes_the_same_times_in_either_order() -> None:
    pair = (SIX[0], SIX[3])
    one = co_run_times_s(TWO_NODES, 14, pair, (1.0, 1.3))
    other = co_run_times_s(TWO_NODES, 14, (pair[1], pair[0]), (1.3, 1.0))
    assert one == pytest.approx(other[::-1])


def test_only_luck_with_io_makes_a_co_run_faster_than_half() -> None:
    """The smallest printed ratio is 0.41: no law without variance has less than 0.5."""
    pairs = [(one, other) for one, other in combinations_with_replacement(SIX, 2)]
    assert min(makespan_ratio(TWO_NODES, 13, pair) for pair in pairs) > 0.5
    solo = solo_time_s(SIX[5], 1.5)
    lucky = max(co_run_times_s(TWO_NODES, 13, (SIX[5], SIX[5]), (0.6, 0.6)))
    assert lucky / (2 * solo) < 0.45


def test_equal_features_do_not_make_equal_co_runs() -> None:
    """Two codes with the same counters: one has all its polls at once, the other spreads them."""
    base = replace(COMPUTES, sync_ms=0.1, spin_share=0.3)
    spread = OversubscribedApplication("spread", (base, base), 10, 0.0)
    bursts = OversubscribedApplication(
        "bursts",
        (replace(base, spin_share=0.0, sync_ms=100.0), replace(base, spin_share=0.6)),
        10, 0.0,
    )  # fmt: skip
    runs = measured_co_runs(TWO_NODES, 0, (spread, bursts))
    ipc = {run.instructions_per_cycle / run.ranks_per_node for run in runs.solo}
    assert np.ptp(list(ipc)) < 0.15
    times = {(one.a, one.b): one.time_a_s for one in runs.together if one.ranks == 15}
    assert abs(times["bursts", "bursts"] / times["spread", "spread"] - 1) > 0.2


def test_an_unknown_system_is_refused_with_the_known_ones() -> None:
    with pytest.raises(LookupError, match="tangram-two-node"):
        find_system("tangram-two", SYSTEMS)
    with pytest.raises(LookupError, match="slowest-rank and idle-cycles"):
        under(TWO_NODES, "fastest-rank")


def test_of_the_gates_only_the_players_of_systems_import_the_law() -> None:
    rooms = ("gate", "pairs", "queue_gains", "tangram")
    players = [reaching(ROOT / "planner/sharing_nodes" / room) for room in rooms]
    assert players == [set(), set(), {"laws.py"}, {"evaluate.py"}]
    for path in sources(LAW):
        assert not decides(path.read_text(encoding="utf-8")), path
