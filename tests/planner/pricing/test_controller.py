"""Algorithms 1 to 3, by whole event logs and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from planner.pricing.controller import Controller
from planner.pricing.machine import Floats, MeasuredMachine, WaitingSampler
from planner.pricing.overhead import Shutter
from planner.pricing.samples import AFTER, BEFORE, DURING, PLACEBO
from tests.planner.pricing.scripted import ScriptedJob, ScriptedMachine


def machine(jobs: int) -> ScriptedMachine:
    return ScriptedMachine(*(ScriptedJob(ipc=1.0 + job) for job in range(jobs)))


def test_a_round_of_three_jobs_pauses_all_but_one_and_measures_in_one_window() -> None:
    node = machine(3)
    Controller(node, Shutter(measure_us=100, gap_us=0)).step()
    assert node.calls == [
        "read", "sleep 100", "read",
        "pause 1", "pause 2", "read", "sleep 100", "read", "resume 1", "resume 2",
        "read", "sleep 100", "read",
    ]  # fmt: skip


def test_the_literal_loop_measures_one_job_after_another() -> None:
    node = machine(2)
    measured = Controller(node, Shutter(measure_us=100, gap_us=0, literal=True)).step()
    sleeps = [call for call in node.calls if call.startswith("sleep")]
    assert len(sleeps) == 2 * 2 + 1
    assert measured is not None
    assert np.isfinite(measured.instructions[[BEFORE, AFTER]]).all()


@pytest.mark.parametrize(("literal", "round_us"), [(False, 209_600), (True, 216_000)])
def test_a_round_of_two_jobs_takes_as_long_as_the_paper_says(literal: bool, round_us: int) -> None:
    node = machine(2)
    rounds = Controller(node, Shutter(literal=literal)).run()
    first, second = next(rounds), next(rounds)
    assert second.time_us - first.time_us == round_us


def test_each_window_holds_the_ipc_of_its_job_and_nothing_of_a_paused_one() -> None:
    node = ScriptedMachine(ScriptedJob(2.0, 0.75), ScriptedJob(1.0, 0.5))
    measured = Controller(node, Shutter(measure_us=10, gap_us=5, repeats=3)).step()
    assert measured is not None
    ipc = measured.instructions / measured.cycles
    assert ipc.shape == (3, 3, 2)
    assert (ipc[BEFORE] == [1.5, 0.5]).all()
    assert (ipc[AFTER] == [1.5, 0.5]).all()
    assert (ipc[DURING, :, 0] == 2.0).all()
    assert np.isnan(ipc[DURING, :, 1]).all()  # one row of NaN for each of the K measurements
    assert measured.shuttered == 0


def test_jobs_take_turns_and_a_placebo_takes_no_turn() -> None:
    rounds = Controller(machine(3), Shutter(gap_us=1), lambda number: number == 1).run()
    assert [next(rounds).shuttered for _ in range(5)] == [0, PLACEBO, 1, 2, 0]


def test_a_placebo_runs_the_same_windows_and_pauses_nobody() -> None:
    node = machine(2)
    measured = Controller(node, Shutter(measure_us=100), lambda _number: True).step()
    assert measured is not None
    assert np.isfinite(measured.instructions).all()
    assert not [call for call in node.calls if "pause" in call]


def test_a_lone_job_needs_no_shutter() -> None:
    node = machine(1)
    assert Controller(node).step() is None
    assert node.calls == []


def test_the_turn_stays_in_range_when_jobs_come_and_go() -> None:
    node = machine(3)
    controller = Controller(node, Shutter(gap_us=1))
    alone = []
    for event in ("", "", "leave", "leave", "arrive", "arrive", ""):
        if event == "leave":
            node.release(max(node.jobs))
        if event == "arrive":
            node.arrive(ScriptedJob())
        measured = controller.step()
        alone.append(measured and measured.shuttered)
    # A = 012, 012, then 01 (turn 2 is reduced to 0), then the lone job 0, then 03, 034, 034.
    assert alone == [0, 1, 0, None, 3, 0, 3]


def test_a_job_that_ends_in_a_shutter_leaves_cycles_that_stand_still() -> None:
    node = ScriptedMachine(ScriptedJob(work_us=150), ScriptedJob())
    controller = Controller(node, Shutter(measure_us=100, gap_us=0))
    measured = controller.step()
    assert measured is not None
    assert measured.cycles[AFTER, 0, 0] == 0
    assert controller.active() == (1,)


class Failing(ScriptedMachine):
    def pause(self, job: int) -> None:
        super().pause(job)
        if job == 2:
            raise RuntimeError("signal lost")


def test_everybody_continues_when_pausing_fails() -> None:
    node = Failing(*(ScriptedJob() for _ in range(4)))
    with pytest.raises(RuntimeError):
        Controller(node).step()
    assert not any(node.job(number).paused for number in node.jobs)


class Sampled(ScriptedMachine):
    def waiting_cycles(self) -> Floats:
        return 0.25 * self.read()[1]


def test_waiting_shares_are_sampled_where_the_machine_can() -> None:
    node: MeasuredMachine = Sampled(ScriptedJob(), ScriptedJob())
    assert isinstance(node, WaitingSampler)
    measured = Controller(node, Shutter(gap_us=0)).step()
    assert measured is not None
    assert (measured.waiting[BEFORE] == 0.25).all()
    assert measured.waiting[DURING, 0] == 0.25
    assert np.isnan(measured.waiting[DURING, 1])
    unsampled = Controller(machine(2), Shutter(gap_us=0)).step()
    assert unsampled is not None
    assert np.isnan(unsampled.waiting).all()
