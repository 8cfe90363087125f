"""What explains a comparison of few jobs: other work, waits and choices; by hand."""

from __future__ import annotations

import pytest

from planner.scheduling.power.few_jobs import choices_of, load_text, single_job, waits_text
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from scenarios.catalogue import load
from tests.planner.scheduling.power.outcomes import outcome


@pytest.fixture(scope="module")
def study() -> ScheduleStudy:
    return schedule("thesis-table-5-2")


def test_other_work_and_waits_are_said_on_the_first_page(study: ScheduleStudy) -> None:
    load_sentence, waits = study.explanation.reasons[1:3]
    assert load_sentence == (
        "At the start, other work occupies 50 of 60 nodes and 7,250 W of the 8,000 W, until "
        "16.7 min."
    )
    assert waits == "Traditional and Naive wait 16.7 min; Adaptive starts at once."


def test_choices_have_the_charge_that_the_scenario_states(study: ScheduleStudy) -> None:
    choices = choices_of(schedule_of(study.scenario), study.outcomes)
    assert [(row.policy, row.nodes, row.charged_w, row.wait_s) for row in choices] == [
        ("traditional", 6, 796.4, 1000.0), ("naive", 8, 783.8, 1000.0), ("adaptive", 8, 738.2, 0.0)
    ]  # fmt: skip


def test_energy_is_that_of_the_job_and_use_of_the_bound_that_of_all_work(
    study: ScheduleStudy,
) -> None:
    run = study.outcomes[-1]
    assert run.energy_j == pytest.approx(738.2 * 439.2)
    assert run.power_utilisation == pytest.approx((7250 + 738.2) / 8000)
    table = next(item for item in study.shown if item.name == "power")
    assert table.caption.endswith("; use of the bound includes other work, energy does not")


def test_a_log_without_other_work_and_synthetic_logs_say_nothing() -> None:
    synthetic = schedule_of(load("thesis-rmap"))
    assert load_text(synthetic) == ""
    assert choices_of(synthetic, [outcome("naive", 0, 5.0, log="small")]) == ()
    assert waits_text(()) == ""
    assert single_job([outcome("naive", 0, 5.0)])
    assert not single_job([outcome("naive", 0, 5.0, 6.0)])


def test_a_policy_alone_is_not_compared_with_itself() -> None:
    tables = {table.name: table for table in schedule("thesis-table-5-2", policies=["naive"]).shown}
    assert tables["turnaround"].headings() == ("mean turnaround",)
    assert "Naive" in tables["turnaround"].caption


def test_waits_under_several_bounds_are_means() -> None:
    study = schedule("thesis-table-5-2", policies=["naive", "adaptive"], bounds_w=[8000, 9000])
    choices = choices_of(schedule_of(study.scenario), study.outcomes)
    assert waits_text(choices) == "Mean wait is 8.33 min under Naive and 0 s under Adaptive."
