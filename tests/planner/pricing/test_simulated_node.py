"""The Controller on the simulated node: the compiled loop's numbers, and prices from the log."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from planner.pricing.accounts.jobs import NewJob
from planner.pricing.accounts.ledger import credit, open_account
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.logged import logged_sums
from planner.pricing.accounts.policies import POLICIES, sampled
from planner.pricing.accounts.pricer import ended_jobs, settle
from planner.pricing.accounts.schema import LogSettings, create, settings_of
from planner.pricing.controller import Controller, Round
from planner.pricing.estimators.estimator import Observation
from planner.pricing.estimators.ratio_of_means import Algorithm4
from planner.pricing.machine import MeasuredMachine
from planner.pricing.overhead import Shutter
from planner.pricing.replay import replay
from planner.pricing.samples import blocks_of
from planner.pricing.sums import PairSums, algorithm4_of
from scenarios.simulated.shared_node.applications import find_shared_application
from scenarios.simulated.shared_node.play import ShutterSchedule, play
from tests.planner.pricing.by_hand import sums_of
from tests.scenarios.simulated.shared_node.driver import is_placebo
from tests.scenarios.simulated.shared_node.node import SharedNode

ROUNDS = 60
NAMES = ("MILC", "FT")
PLACEBO_SHARE = 0.2


def measured(rounds: int, repeats: int = 1, *, literal: bool = False) -> list[Round]:
    node: MeasuredMachine = SharedNode([find_shared_application(name) for name in NAMES], seed=3)
    shutter = Shutter(3200, 20_000, repeats, literal=literal)
    controller = Controller(node, shutter, lambda number: is_placebo(number, PLACEBO_SHARE))
    return [found for found, _ in zip(controller.run(), range(rounds), strict=False)]


@pytest.mark.parametrize(("repeats", "loop"), [(1, "parallel"), (3, "literal")])
def test_the_controller_measures_what_the_compiled_loop_does(repeats: int, loop: str) -> None:
    result = measured(10, repeats, literal=loop == "literal")
    schedule = ShutterSchedule(
        3200, 20_000, repeats, "literal" if loop == "literal" else "parallel", PLACEBO_SHARE, 10
    )
    windows = play([find_shared_application(name) for name in NAMES], schedule, seed=3)
    assert [each.shuttered for each in result] == windows.shuttered.tolist()
    assert [each.time_us for each in result] == windows.time_us.tolist()
    for name in ("instructions", "cycles"):
        ours = np.stack([getattr(each, name) for each in result])
        np.testing.assert_array_equal(ours, getattr(windows, name))
    shares = windows.waiting.sum(axis=2) / windows.cycles.sum(axis=2)
    np.testing.assert_array_equal(np.stack([each.waiting for each in result]), shares)


def test_the_logs_sums_and_prices_are_those_of_the_blocks(tmp_path: Path) -> None:
    """Sums, estimates with intervals, and prices, against the same blocks over arrays."""
    rounds = measured(ROUNDS)
    connection = create(tmp_path / "log.db", LogSettings(raw=True))
    open_account(connection, "ann")
    credit(connection, "first", "ann", 1000)
    log = MeasurementLog(connection)
    numbers = {
        job: log.begin(NewJob(name, "ann", 16, 10**6, "poppa", 0)) for job, name in enumerate(NAMES)
    }
    for each in rounds:
        log.add(each, numbers)
        log.passed(round(each.end_us), numbers.values())
    for number in numbers.values():
        log.end(number, 3_600_000_000)
    assert settle(connection) == 2
    jobs = list(ended_jobs(connection))
    ours = logged_sums(jobs)
    estimates = algorithm4_of(ours)
    for job, ended in enumerate(jobs):
        blocks = blocks_of(
            np.stack([each.instructions for each in rounds]),
            np.stack([each.cycles for each in rounds]),
            np.array([each.shuttered for each in rounds]),
            np.array([each.time_us for each in rounds]),
            job,
            np.stack([each.waiting for each in rounds]),
        )
        theirs = sums_of(blocks)
        for pair in ("every", "kept"):
            one, other = getattr(ours, pair), getattr(theirs, pair)
            for name in PairSums.__dataclass_fields__:
                value = getattr(other, name)[0]
                assert getattr(one, name)[job] == pytest.approx(value, rel=1e-5)
        assert ours.ratio[job] == pytest.approx(theirs.ratio[0], rel=1e-5)
        raw = ended.blocks(0)
        assert np.array_equal(raw.means, blocks.means)
        assert np.array_equal(raw.is_placebo, blocks.is_placebo)
        assert np.array_equal(raw.waiting, blocks.waiting)
        estimate = Algorithm4().estimate(Observation(blocks))
        assert estimates.perf[job] == pytest.approx(estimate.perf, rel=1e-5)
        settings = settings_of(connection)
        assert float(POLICIES["poppa"](ended, settings)) == pytest.approx(
            estimate.perf**2, rel=1e-5
        )
        plain = sampled(Algorithm4(), remove_bias=False)(ended, settings)
        assert float(plain) == pytest.approx(estimate.perf**2, rel=1e-12)
    connection.close()
    assert replay(tmp_path / "log.db").matches
