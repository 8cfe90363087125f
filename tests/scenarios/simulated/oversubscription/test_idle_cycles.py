"""The law of idle cycles: its exact cases, its limits, and that no core gives more than it has."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.simulated.oversubscription.applications import SIX, RankPhase
from scenarios.simulated.oversubscription.co_run import co_run_times_s
from scenarios.simulated.oversubscription.fitted import SYSTEMS, TWO_NODES, under
from scenarios.simulated.oversubscription.idle_cycles import (
    left_share,
    mean_stretch,
    needed_cycles,
    polled_share,
    slowest_stretch,
)
from scenarios.simulated.oversubscription.law import convoy_wait_ms, stretches
from scenarios.simulated.oversubscription.machine import IDLE_CYCLES, OversubscribedSystem
from scenarios.simulated.oversubscription.synthetic import synthetic_applications
from tests.scenarios.simulated.oversubscription.makespans import makespan_ratio
from tests.scenarios.simulated.oversubscription.test_oversubscription import COMPUTES, one_phase

IDLE = tuple(under(system, IDLE_CYCLES) for system in SYSTEMS)
TWO = IDLE[0]
COARSE = replace(COMPUTES, sync_ms=1.0)
"""It polls for 3 % of its time at most, as a switch takes 0.03 ms."""
WAITS = replace(COARSE, wait_share=0.43)
SYNTHETIC = [phase for each in synthetic_applications(12, 0) for phase in each.phases]
PHASES = [phase for application in SIX for phase in application.phases] + SYNTHETIC


def phases() -> st.SearchStrategy[RankPhase]:
    """Phases without traffic to memory or files, so that only cores count."""
    return st.builds(
        RankPhase,
        solo_s=st.just(1.0),
        busy_share=st.floats(0.01, 1.0),
        ipc=st.just(1.0),
        stall_share=st.floats(0.0, 0.99),
        bandwidth_gb_s=st.just(0.0),
        llc_mb=st.just(0.0),
        llc_hit_share=st.just(0.0),
        io_mb_s=st.just(0.0),
        sync_ms=st.floats(0.01, 1000.0),
        spin_share=st.floats(0.0, 0.99),
        wait_share=st.floats(0.0, 0.5),
    )


def test_a_rank_polls_for_a_switch_and_leaves_the_rest_of_its_wait() -> None:
    assert polled_share(WAITS) == pytest.approx(0.03)
    assert left_share(WAITS) == pytest.approx(0.40)
    tiny = replace(WAITS, sync_ms=0.06)
    assert (polled_share(tiny), left_share(tiny)) == (0.43, 0.0)


def test_the_slowest_of_the_ranks_that_share_has_a_shorter_wait() -> None:
    """13 ranks on two nodes: 2 share, and the slowest of 2 leaves 2/3 x 0.4; 15 ranks: 2/7 x 0.4.

    The co-runner needs 0.6 of the core: 1 - 0.8/3 + 0.6 = 4/3, and 1 - 0.8/7 + 0.6.
    """
    assert slowest_stretch(TWO, 13, WAITS, WAITS) == pytest.approx(4 / 3)
    assert slowest_stretch(TWO, 15, WAITS, WAITS) == pytest.approx(1.6 - 0.8 / 7)


def test_half_of_the_stalled_cycles_are_used() -> None:
    """Two ranks that stall for a quarter need 0.875 each: 1.75, so they do 14 % more work."""
    stalls = replace(COARSE, stall_share=0.25)
    assert slowest_stretch(TWO, 13, stalls, stalls) == pytest.approx(1.75)


def test_ranks_that_move_between_cores_share_all_cycles_of_a_node() -> None:
    """13 of 12 cores are wanted: 13/12; with 0.6 of each fewer than there are."""
    assert mean_stretch(TWO, 13, COARSE, COARSE) == pytest.approx(13 / 12)
    assert mean_stretch(TWO, 13, WAITS, WAITS) == 1.0


def test_only_polls_that_last_no_longer_than_a_switch_make_convoys() -> None:
    polls = replace(COARSE, spin_share=0.9)
    assert convoy_wait_ms(TWO, 15, polls, polls) == 0
    # r = 0.03 x 0.03 / 2 on 3 cores of 2 nodes
    expected = TWO.slice_ms * (1 - (1 - 0.00045) ** 6)
    assert convoy_wait_ms(TWO, 15, WAITS, WAITS) == pytest.approx(expected)


@pytest.mark.parametrize("law", ["slowest-rank", "idle-cycles"])
def test_alone_and_on_separate_cores_a_job_takes_its_time_alone(law: str) -> None:
    system = replace(TWO_NODES, law=law)
    for phase in PHASES:
        (alone,) = stretches(system, 15, (phase,))
        assert alone.cores + alone.asleep == pytest.approx(1.0)
    times = co_run_times_s(system, 12, (one_phase(WAITS), one_phase(WAITS)))
    assert times == pytest.approx((10.0, 10.0))


@pytest.mark.parametrize("system", IDLE, ids=lambda system: system.name)
def test_without_idle_cycles_both_laws_are_one(system: OversubscribedSystem) -> None:
    first = replace(system, law="slowest-rank")
    plain = [
        replace(phase, wait_share=0.0, stall_share=0.0, spin_share=0.0, busy_share=1.0)
        for phase in PHASES
    ]
    for pair in product(plain[:6], plain[6:12]):
        for ranks in system.ranks:
            found = stretches(system, ranks, pair)
            assert found == tuple(map(pytest.approx, stretches(first, ranks, pair)))


@pytest.mark.parametrize("system", IDLE, ids=lambda system: system.name)
def test_no_job_is_faster_because_another_one_runs(system: OversubscribedSystem) -> None:
    for pair in product(PHASES, PHASES[:12]):
        for own, stretch in zip(pair, stretches(system, max(system.ranks), pair), strict=True):
            assert stretch.cores >= own.busy_share - 1e-12
            assert stretch.asleep >= 1 - own.busy_share - 1e-12


@given(one=phases(), other=phases(), more=st.floats(0.0, 1.0), system=st.sampled_from(IDLE))
def test_a_job_is_slower_the_more_cycles_its_co_runner_needs(
    one: RankPhase, other: RankPhase, more: float, system: OversubscribedSystem
) -> None:
    ranks = max(system.ranks)
    for stretch in (slowest_stretch, mean_stretch):
        assert stretch(system, ranks, one, other) <= 1e-9 + stretch(
            system, ranks, one, replace(other, wait_share=other.wait_share * more)
        )
        assert stretch(system, ranks, one, other) <= 1e-9 + stretch(
            system, ranks, one, replace(other, stall_share=other.stall_share * more)
        )
        lazier = replace(other, busy_share=max(0.01, other.busy_share * more))
        assert stretch(system, ranks, one, lazier) <= 1e-9 + stretch(system, ranks, one, other)
    few, many = (slowest_stretch(system, count, one, other) for count in system.ranks[:2])
    assert few <= many + 1e-9


@given(one=phases(), other=phases(), system=st.sampled_from(IDLE))
def test_no_core_and_no_node_gives_more_cycles_than_it_has(
    one: RankPhase, other: RankPhase, system: OversubscribedSystem
) -> None:
    """Cycles that both jobs need for a second of work, over the time that it takes together."""
    for ranks in system.ranks:
        pair = ((one, other), (other, one))
        needs = [own.busy_share * needed_cycles(own, left_share(own)) for own, _ in pair]
        shared = [1 - own.busy_share + own.busy_share * slowest_stretch(system, ranks, own, peer)
                  for own, peer in pair]  # fmt: skip
        assert sum(need / time for need, time in zip(needs, shared, strict=True)) <= 1 + 1e-9
        jobs = [each.cores + each.asleep for each in stretches(system, ranks, (one, other))]
        used = sum(need / time for need, time in zip(needs, jobs, strict=True))
        assert system.ranks_per_node(ranks) * used <= system.cores_per_node * (1 + 1e-9)


def test_an_unknown_law_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="slowest-rank, idle-cycles"):
        replace(TWO_NODES, law="fast")


def test_most_pairs_gain_and_codes_without_io_gain_from_each_other() -> None:
    """Not fitted: on measured tables, too, most pairs gain."""
    for system in IDLE:
        pairs = list(combinations_with_replacement(SIX, 2))
        ratios = {
            (ranks, one.name, other.name): makespan_ratio(system, ranks, (one, other))
            for ranks in system.ranks
            for one, other in pairs
        }
        gains = [key for key, ratio in ratios.items() if ratio < 1]
        assert len(gains) / len(ratios) > 0.7
        assert any({"miniGhost", "miniMD"} == {one, other} for _, one, other in gains)
