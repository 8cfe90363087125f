"""The literal node: progress, pausing, refill, polling, noise and costs, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scenarios.simulated.shared_node.applications import NULL, TWELVE, ApplicationPhase
from scenarios.simulated.shared_node.settings import NodeSettings
from tests.scenarios.simulated.shared_node.cases import EXACT, StatedLaw, application
from tests.scenarios.simulated.shared_node.node import SharedNode
from tests.sizes import few

CYCLES_PER_US = 2600 * 4 * 2
"""2.6 GHz, four ranks on each of two sockets."""


def test_a_job_that_shares_the_node_progresses_by_its_stretch() -> None:
    """x = 1.2 without waiting: 1,200 us of time are 1,000 us of work."""
    node = SharedNode([application()] * 2, EXACT, StatedLaw())
    node.sleep_us(1200)
    assert [node.progress_us(job) for job in node.jobs] == pytest.approx([1000, 1000])


def test_polling_makes_the_ratio_of_ipc_differ_from_that_of_progress() -> None:
    """w = 0.2, half of it for slower ranks, polling IPC 2, IPC 1, x = 1.2.

    The network's part is t = 0.1, and a microsecond of work takes 0.9 x 1.2 + 0.1 = 1.18 us. Ranks
    compute 0.8 x 1.2 = 0.96 us of it and wait 0.22 us. They execute (0.8 + 2 x 0.22) / 1.18 =
    1.0508 instructions per cycle; alone 0.8 + 2 x 0.2 = 1.2.
    """
    code = application(waiting=0.2, imbalance=0.5)
    node = SharedNode([code] * 2, EXACT, StatedLaw())
    node.sleep_us(1180)
    instructions, cycles = node.read()
    assert node.progress_us(0) == pytest.approx(1000)
    assert cycles[0] == pytest.approx(1180 * CYCLES_PER_US)
    assert instructions[0] / cycles[0] == pytest.approx(1.24 / 1.18)
    assert node.waiting_cycles()[0] / cycles[0] == pytest.approx(0.22 / 1.18)
    node.pause(1)
    node.sleep_us(1000)
    more, longer = node.read()
    assert (more - instructions)[0] / (longer - cycles)[0] == pytest.approx(1.2)


def test_the_average_rank_waits_for_the_rank_that_suffers_most() -> None:
    """u = 0.1, x = 1.2, no waiting alone: of 1.2 us the average rank computes 1.18."""
    node = SharedNode([application()] * 2, replace(EXACT, uneven_share=0.1), StatedLaw())
    node.sleep_us(1200)
    _, cycles = node.read()
    assert node.waiting_cycles()[0] / cycles[0] == pytest.approx(0.02 / 1.2)


def test_a_paused_job_stops_exactly_and_its_co_runner_runs_as_alone() -> None:
    node = SharedNode([application()] * 2, EXACT, StatedLaw())
    node.sleep_us(700)
    node.pause(1)
    before, counted = [node.progress_us(job) for job in node.jobs], node.read()
    node.sleep_us(5000)
    after, now = [node.progress_us(job) for job in node.jobs], node.read()
    assert after[1] == before[1]
    assert (now[0][1], now[1][1]) == (counted[0][1], counted[1][1])
    assert after[0] - before[0] == pytest.approx(5000)
    node.resume(1)
    node.sleep_us(1200)
    assert node.progress_us(1) - before[1] == pytest.approx(1000)


def test_a_job_alone_fetches_the_lines_that_it_did_not_hold_by_hand() -> None:
    """It holds 0.5 of the cache and may hold 0.8; C = 0.5, stall 0.5, bandwidth 0.4.

    Meanwhile it has the misses of 0.65: stretch 1 + 0.5 x 0.5 x (1/sqrt(0.65) - 1/sqrt(0.8)) =
    1.03058, misses 1 + 0.5 (1/sqrt(0.65) - 1) = 1.12017. It fetches 0.4 x 1.12017 / 1.03058 of the
    bandwidth, which fills 0.002 of the cache per us: 0.3 takes 345.0 us, 10.237 of them lost.
    """
    node = SharedNode([application()] * 2, replace(EXACT, refill=True), StatedLaw())
    node.pause(1)
    node.sleep_us(345.0)
    assert node.progress_us(0) == pytest.approx(345.0 / 1.03058, rel=1e-5)
    node.sleep_us(4655)
    assert 5000 - node.progress_us(0) == pytest.approx(10.237, abs=0.01)


def test_a_paused_job_loses_what_the_running_one_fetches_beyond_free_lines_by_hand() -> None:
    """Both hold 0.4, so 0.2 is free. In 350 us a traffic of 0.5 fetches 0.35 of the cache.

    The paused job loses 0.15 and keeps 0.25. It then fetches 0.15 with the misses of 0.325; the
    other one holds what it may hold all the time.
    """
    law = StatedLaw(1.0, resident_alone=0.4, resident_together=0.4, traffic=0.5)
    node = SharedNode([application()] * 2, replace(EXACT, refill=True), law)
    node.pause(1)
    node.sleep_us(350)
    node.resume(1)
    node.sleep_us(10_000)
    stretch = 1 + 0.25 * (0.325**-0.5 - 0.4**-0.5)
    rate = 0.4 * (1 + 0.5 * (0.325**-0.5 - 1)) / stretch * 0.002
    assert 10_000 - node.progress_us(1) == pytest.approx(0.15 / rate * (1 - 1 / stretch), rel=1e-6)
    assert node.progress_us(0) == pytest.approx(10_350)


def test_without_refill_nothing_is_lost() -> None:
    law = StatedLaw(1.0, resident_alone=0.4, resident_together=0.4, traffic=0.5)
    node = SharedNode([application()] * 2, EXACT, law)
    node.pause(1)
    node.sleep_us(3000)
    node.resume(1)
    node.sleep_us(10_000)
    assert node.progress_us(1) == pytest.approx(10_000)


def test_reading_delays_jobs_that_take_all_cores_and_costs_nothing_in_a_shutter() -> None:
    """Two jobs: reading takes 80 us, in which each makes half of its progress.

    A shutter: 25 us of signals at half speed, 40 us per reading while a core is free.
    """
    settings = replace(EXACT, base_cost=True)
    node = SharedNode([NULL, NULL], settings)
    node.read()
    assert node.clock_us == 80
    assert [node.progress_us(job) for job in node.jobs] == pytest.approx([40, 40])
    node.pause(1)
    node.read()
    assert node.clock_us == 145
    assert [node.progress_us(job) for job in node.jobs] == pytest.approx([92.5, 52.5])
    node.resume(1)
    assert [node.progress_us(job) for job in node.jobs] == pytest.approx([117.5, 52.5])


@pytest.mark.parametrize("seed", range(few(30)))
def test_computing_executes_the_same_instructions_however_a_job_is_paused(seed: int) -> None:
    """Instructions less those of polling are 0.9 x IPC x cycles of work, whatever happened."""
    rng = np.random.default_rng(seed)
    ipc = float(rng.uniform(0.5, 2))
    phases = tuple(
        ApplicationPhase(float(rng.uniform(0.3, 8)), ipc, 0.4, float(rng.uniform(0.1, 0.6)), 0.9)
        for _ in range(3)
    )
    code = application(phases, waiting=0.1, imbalance=0.6, polling=1.6, spread=0.3)
    settings = NodeSettings(counter_noise=0, sampler_noise=0, base_cost=bool(seed % 2))
    jobs = int(rng.integers(2, 5))
    node = SharedNode([code, *TWELVE[: jobs - 1]], settings, seed=seed)
    for _ in range(40):
        job = int(rng.integers(jobs))
        (node.pause if rng.random() < 0.5 else node.resume)(job)
        node.sleep_us(float(rng.uniform(0, 4000)))
    instructions, _ = node.read()
    per_us = 2600 * settings.ranks_of(jobs) * settings.sockets
    computed = instructions[0] - 1.6 * node.waiting_cycles()[0]
    assert computed == pytest.approx(0.9 * ipc * node.progress_us(0) * per_us, rel=1e-9)


@pytest.mark.parametrize("jobs", [2, 3, 4])
def test_fewer_running_jobs_are_never_slower(jobs: int) -> None:
    codes = TWELVE[:jobs]
    node = SharedNode(codes, replace(EXACT, refill=True))
    together = SharedNode(codes, replace(EXACT, refill=True))
    for other in range(1, jobs):
        node.pause(other)
    for _ in range(50):
        node.sleep_us(1000)
        together.sleep_us(1000)
        assert node.progress_us(0) >= together.progress_us(0) - 1e-6


def test_noise_has_the_stated_size_and_no_bias() -> None:
    settings = replace(EXACT, counter_noise=0.03, sampler_noise=0.02)
    code = application(waiting=0.2)
    node = SharedNode([code] * 2, settings, StatedLaw(1.0))
    last, ipc, waiting = np.zeros((3, 2)), [], []
    for _ in range(few(20_000)):
        node.sleep_us(100)
        now = np.stack([*node.read(), node.waiting_cycles()])
        ipc.append((now - last)[0] / (now - last)[1])
        waiting.append((now - last)[2] / (100 * CYCLES_PER_US))
        last = now
    assert np.std(ipc) / 1.2 == pytest.approx(0.03, rel=0.05)
    assert np.mean(ipc) == pytest.approx(1.2, rel=0.002)
    assert np.std(waiting) == pytest.approx(0.02, rel=0.05)
    assert np.mean(waiting) == pytest.approx(0.2, rel=0.01)


def test_a_job_that_leaves_frees_the_node() -> None:
    """10 runs of 10 ms at x = 1.2; then the other job is alone."""
    short, long = application(cycles=1), application(cycles=100)
    settings = replace(EXACT, iterations=10, restart=False)
    node = SharedNode([short, long], settings, StatedLaw())
    node.sleep_us(130_000)
    assert node.finished(0)
    assert not node.finished(1)
    assert node.end_us(0) == pytest.approx(120_000)
    assert node.progress_us(1) == pytest.approx(110_000)
    node.pause(0)
    node.resume(0)
    assert node.progress_us(0) == pytest.approx(100_000)


def test_jobs_restart_until_all_have_completed_their_iterations() -> None:
    settings = replace(EXACT, iterations=2)
    node = SharedNode([application(cycles=1), application(cycles=3)], settings, StatedLaw())
    node.sleep_us(71_999)
    assert not any(node.finished(job) for job in node.jobs)
    node.sleep_us(2)
    assert all(node.finished(job) for job in node.jobs)
    assert [node.iterations(job) for job in node.jobs] == [6, 2]
    assert [node.end_us(job) for job in node.jobs] == pytest.approx([24_000, 72_000])


@pytest.mark.parametrize("us", [-1.0, float("nan"), float("inf")])
def test_a_time_that_cannot_pass_is_named(us: float) -> None:
    with pytest.raises(ValueError, match=r"us = .*; give 0 or more"):
        SharedNode([NULL, NULL]).sleep_us(us)


@pytest.mark.parametrize("jobs", [0, 5])
def test_too_many_or_no_jobs_are_named(jobs: int) -> None:
    with pytest.raises(ValueError, match=f"{jobs} jobs on one node; give 1 to 4"):
        SharedNode([NULL] * jobs)
