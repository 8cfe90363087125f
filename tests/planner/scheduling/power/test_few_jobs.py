"""What explains a comparison of few jobs: other work, waits and choices; by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planner.question import schedule_of
from planner.scheduling.power.few_jobs import (
    choices_of,
    fit_text,
    load_text,
    share_text,
    single_job,
    waits_text,
)
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
        "16.7 min. So 10 nodes and 750 W are free: only the configuration of "
        "Adaptive (charged 738.2 W) fits at once."
    )
    assert waits == "Traditional and Naive wait 16.7 min; Adaptive starts at once."


def test_what_fits_at_once_explains_waits_and_says_nothing_where_it_would_not(
    study: ScheduleStudy,
) -> None:
    asked = schedule_of(study.scenario)
    traditional, naive, adaptive = choices_of(asked, study.outcomes)
    assert fit_text(asked, [traditional, naive], [8000.0]) == (
        "So 10 nodes and 750 W are free: no chosen configuration fits at once."
    )
    sooner = replace(naive, charged_w=740.0, wait_s=0.0)
    assert fit_text(asked, [traditional, sooner, adaptive], [8000.0]).endswith(
        "only the configurations of Naive (charged 740 W) and Adaptive (charged 738.2 W) fit at "
        "once."
    )
    larger = replace(adaptive, nodes=11, wait_s=1000.0)  # the nodes are not free, the watts are
    assert "no chosen configuration" in fit_text(asked, [traditional, larger], [8000.0])
    assert fit_text(asked, [adaptive], [8000.0]) == ""
    assert fit_text(asked, [replace(adaptive, wait_s=5.0)], [8000.0]) == ""  # it waits for others
    assert fit_text(asked, [replace(adaptive, charged_w=None)], [8000.0]) == ""
    assert fit_text(asked, [traditional], [8000.0, 9000.0]) == ""
    assert fit_text(schedule_of(load("thesis-rmap")), [], [8000.0]) == ""


def test_what_is_free_is_that_at_the_submission_where_other_work_has_ended(
    study: ScheduleStudy,
) -> None:
    asked = schedule_of(study.scenario)
    (log,) = asked.logs
    (first, *_) = asked.occupied
    uses = [first.model_copy(update={"nodes": nodes, "power_w": power_w, "until_s": until_s})
            for nodes, power_w, until_s in ((20, 1000.0, 300.0), (30, 6250.0, 1000.0))]  # fmt: skip
    (job,) = log.jobs
    later = log.model_copy(update={"jobs": [job.model_copy(update={"submit_s": 500.0})]})
    changed = asked.model_copy(update={"occupied": uses, "logs": [later]})
    traditional, *_ = choices_of(asked, study.outcomes)
    waiting = replace(traditional, charged_w=1800.0)
    assert fit_text(changed, [waiting], [8000.0]) == (
        "When the job is submitted, 30 nodes and 1,750 W are free: no chosen configuration fits "
        "at once."
    )


def test_the_fair_share_is_of_the_power_for_jobs_and_at_most_all_of_it(
    study: ScheduleStudy,
) -> None:
    asked = schedule_of(study.scenario)
    (log,) = asked.logs
    for priority, jobs_w, share_w in ((1.0, 8000.0, 800), (1.0, 5000.0, 500), (20, 8000.0, 8000)):
        jobs = [job.model_copy(update={"priority": priority, "nodes": 6}) for job in log.jobs]
        changed = asked.model_copy(update={"logs": [log.model_copy(update={"jobs": jobs})]})
        assert share_text(changed, [jobs_w]) == f"The fair share of this job is {share_w:,} W."
    assert share_text(asked, [8000.0, 9000.0]) == ""


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
    assert study.headline.startswith("Adaptive has the shortest mean turnaround ")
    assert "mean turnaround relative to Naive" in study.shown[0].headings()
    choices = choices_of(schedule_of(study.scenario), study.outcomes)
    assert waits_text(choices) == "Mean wait is 8.33 min under Naive and 0 s under Adaptive."
