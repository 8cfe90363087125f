"""What explains a comparison of few jobs: other work, waits and choices; by hand."""

from __future__ import annotations

import pytest

from planner.question import schedule_of
from planner.scheduling.power.few_jobs import choices_of, room_at_submission, single_job
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from scenarios.catalogue import load
from scenarios.model.schedule import Schedule
from tests.planner.scheduling.power.outcomes import outcome


@pytest.fixture(scope="module")
def study() -> ScheduleStudy:
    return schedule("thesis-table-5-2")


def test_the_first_page_has_what_each_policy_chose(study: ScheduleStudy) -> None:
    assert study.study.decision == "choices"
    rows = study.study.rows("choices")
    assert [(row["policy"], row["charged_w"], row["wait_s"]) for row in rows] == [
        ("traditional", 796.4, 1000.0), ("naive", 783.8, 1000.0), ("adaptive", 738.2, 0.0)
    ]  # fmt: skip
    facts = {fact.key: fact.value for page in study.study.questions for fact in page.facts}
    assert facts["occupied_nodes"] == (50, 60)
    assert (facts["free_nodes"], facts["free_power"]) == (10, 750.0)


def test_what_is_free_is_that_at_the_submission_where_other_work_has_ended(
    study: ScheduleStudy,
) -> None:
    asked = study.schedule
    (log,) = asked.logs
    (first, *_) = asked.occupied
    uses = [first.model_copy(update={"nodes": nodes, "power_w": power_w, "until_s": until_s})
            for nodes, power_w, until_s in ((20, 1000.0, 300.0), (30, 6250.0, 1000.0))]  # fmt: skip
    (job,) = log.jobs

    def submitted(at_s: float) -> Schedule:
        later = log.model_copy(update={"jobs": [job.model_copy(update={"submit_s": at_s})]})
        return asked.model_copy(update={"occupied": uses, "logs": [later]})

    assert room_at_submission(submitted(0.0), [8000.0]) == (10, 750.0)
    assert room_at_submission(submitted(500.0), [8000.0]) == (30, 1750.0)
    assert room_at_submission(asked, [8000.0, 9000.0]) is None
    assert room_at_submission(schedule_of(load("thesis-rmap")), [8000.0]) is None


def test_the_fair_share_is_of_the_power_for_jobs(study: ScheduleStudy) -> None:
    """6 of 60 nodes are worth 800 W of 8,000 W."""
    assert {row["fair_share_w"] for row in study.study.rows("choices")} == {800.0}


def test_energy_is_that_of_the_job_and_use_of_the_bound_that_of_all_work(
    study: ScheduleStudy,
) -> None:
    run = study.outcomes[-1]
    assert run.energy_j == pytest.approx(738.2 * 439.2)
    assert run.power_utilisation == pytest.approx((7250 + 738.2) / 8000)


def test_synthetic_logs_have_no_choices() -> None:
    synthetic = schedule_of(load("thesis-rmap"))
    assert choices_of(synthetic, [outcome("naive", 0, 5.0, log="small")]) == ()
    assert single_job([outcome("naive", 0, 5.0)])
    assert not single_job([outcome("naive", 0, 5.0, 6.0)])


def test_several_bounds_have_a_choice_each() -> None:
    study = schedule("thesis-table-5-2", policies=["naive", "adaptive"], bounds_w=[8000, 9000])
    rows = study.study.rows("choices")
    assert [(row["bound_w"], row["wait_s"]) for row in rows if row["policy"] == "naive"] == [
        (8000.0, 1000.0), (9000.0, 0.0)
    ]  # fmt: skip
