"""Sizing of a machine: by hand, by brute force, its laws, real logs, and what it says."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.policies.problem import Unavailable
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.sizing.facts import scaled
from planner.scheduling.sizing.growth import LogGrowth
from planner.scheduling.sizing.level import parse_level
from planner.scheduling.sizing.periods import DAY_S, WEEK_S, periods_of
from planner.scheduling.sizing.resampled_weeks import Resampled, alike
from planner.scheduling.sizing.result import SizeFor
from planner.scheduling.sizing.sizing import bounds_of, size_for, size_only
from planner.scheduling.sizing.study import SizingStudy, size
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.sizing.logs import log_of, weekly
from tests.shared_data import TRACES, needs_data

LEVEL = parse_level("mean-wait<=600")


def sized(
    log: JobLog, level: str = "mean-wait<=600", *names: str, **requested: object
) -> SizingStudy:
    rules = requested.pop("rules", None)
    question = SizeFor(parse_level(level), **requested)  # type: ignore[arg-type]
    policies = [POLICIES[name] for name in names or ("easy",)]
    return size(log, policies, question, rules)  # type: ignore[arg-type]


# By hand


def test_drawn_days_in_which_nothing_runs_need_the_smallest_machine() -> None:
    # jobs on the first and the last of nine days, of 2 and of 3 processors: a draw of whole days
    # has the first ones or none
    log = log_of([(0, 60, 2, 0), (8 * DAY_S + 5, 60, 3, 1)])
    (drawn,) = sized(log, "max-wait<=60", resamples=12).resampled
    assert drawn.without == 0
    assert {*drawn.nodes} >= {1, 2}


def test_three_jobs_by_hand() -> None:
    # 3 jobs of 2 processors and 100 s, all at 0 s: on 2 processors waits 0, 100, 200 (mean 100);
    # on 3 no two fit; on 4: 0, 0, 100 (33.3); on 5 the same; on 6: none
    log = log_of([(0, 100, 2, 0)] * 3)
    for level, expected in (("mean-wait<=100", 2), ("mean-wait<=99", 4), ("max-wait<=100", 4),
                            ("max-wait<=99", 6), ("median-wait<=0", 4)):  # fmt: skip
        result = sized(log, level)
        assert result.sizings[0].nodes == expected, level
    first = sized(log, "mean-wait<=40").sizings[0]
    assert first.below is not None
    assert first.answer is not None
    assert first.above is not None
    assert [item.value for item in (first.below, first.answer, first.above)] == [
        100, pytest.approx(100 / 3), pytest.approx(100 / 3),
    ]  # fmt: skip
    assert first.answer.utilisation == 600 / (4 * 200)
    assert first.today == first.answer  # the log's machine has 4


def test_bounds_by_hand() -> None:
    # nodes of 2: jobs take 1, 2 and 2 nodes; at 10 s all three run
    log = log_of([(0, 100, 1, 0), (10, 40, 3, 0), (10, 200, 4, 0), (400, 0, 1, 0)])
    bounds = bounds_of(log, 2)
    # work: (100 + 2 x 40 + 2 x 200) / 400 s
    assert (bounds.fewest, bounds.work, bounds.largest, bounds.largest_job) == (2, 2, 5, 20)
    assert bounds_of(log, 1).largest == 8
    assert bounds_of(log, 10).fewest == 1


def test_jobs_take_whole_nodes() -> None:
    log = log_of([(0, 100, 3, 0)] * 2)
    result = sized(log, "max-wait<=0", rules=SimulationSettings(node_processors=2)).sizings[0]
    assert result.nodes == 4
    assert result.answer is not None
    assert result.answer.processors == 8


# Brute force and laws


@pytest.mark.parametrize("policy", ["easy", "fcfs", "conservative", "sjf-easy", "easy++"])
@pytest.mark.parametrize("level", ["p95-bounded-slowdown<=5", "mean-wait<=200"])
def test_no_size_is_missed_that_a_scan_finds(policy: str, level: str) -> None:
    log, wanted = lublin_log(250, 64, 4, load=1.4), parse_level(level)
    result = size_for(log, POLICIES[policy], wanted, SimulationSettings())
    keeping = {}
    for processors in range(64, 200):
        schedule = simulate(log, POLICIES[policy], processors=processors).schedule
        keeping[processors] = wanted.keeps(wanted.value(schedule))
    assert result.nodes is not None
    assert keeping[result.nodes]
    assert not keeping[result.nodes - 1]
    looked = range(result.nodes, result.nodes + result.search.looked + 1)
    assert all(keeping[processors] for processors in looked)
    assert set(result.lucky) <= {p for p in keeping if keeping[p] and p < result.nodes}


def test_the_simulation_of_the_answer_gives_the_same_numbers() -> None:
    result = sized(weekly(4), "p95-bounded-slowdown<=3", growth=LogGrowth(1.5), resamples=0)
    answer = result.sizings[0].answer
    assert answer is not None
    schedule = simulate(result.grown.log, POLICIES["easy"], processors=answer.processors).schedule
    measures = measure(schedule).to_dict()
    assert answer.value == measures["p95_bounded_slowdown"]
    assert answer.utilisation == measures["utilisation"]
    assert answer.mean_wait_s == measures["mean_wait_s"]


def test_a_looser_level_never_needs_more() -> None:
    log = weekly(4)
    sizes = [
        size_for(
            log, POLICIES["easy"], parse_level(f"mean-wait<={limit}"), SimulationSettings()
        ).nodes
        for limit in (0, 60, 600, 6000, 60_000)
    ]
    assert None not in sizes
    assert sizes == sorted(sizes, reverse=True)  # type: ignore[type-var]


def test_where_all_start_at_once_nobody_waits() -> None:
    log = weekly(3)
    most = bounds_of(log, 1).largest
    for name in ("fcfs", "easy", "easy++", "conservative", "sjf-easy", "largest"):
        assert simulate(log, POLICIES[name], processors=most).schedule.wait_s.max() == 0, name
    answer = sized(log, "max-wait<=0", "fcfs", resamples=0).sizings[0]
    assert answer.nodes is not None
    assert answer.nodes <= most


@pytest.mark.parametrize(
    "rules", [SimulationSettings(), SimulationSettings(node_processors=3, trim=Trim(0.4))]
)
def test_the_same_size_wherever_the_search_begins(rules: SimulationSettings) -> None:
    log = weekly(4, 2)
    own = size_for(log, POLICIES["easy"], LEVEL, rules).nodes
    others = {size_only(log, POLICIES["easy"], LEVEL, rules, near) for near in (None, 1, 20, 500)}
    assert others == {own}


def test_warm_up_is_not_measured() -> None:
    log = log_of([(0, 100, 4, 0), (0, 100, 4, 0), *((1000 * k, 10, 1, 0) for k in range(1, 9))])
    assert sized(log, "max-wait<=0").sizings[0].nodes == 8
    trimmed = sized(log, "max-wait<=0", rules=SimulationSettings(trim=Trim(0.2))).sizings[0]
    assert trimmed.nodes == 4


# No answer, and what is said


def test_a_level_that_no_size_reaches_is_said_with_what_the_largest_reaches() -> None:
    result = sized(weekly(3), "p95-bounded-slowdown<=0.5", resamples=4)
    assert not result.answered
    assert result.sizings[0].largest.value == 1
    assert result.resampled[0].nodes == (None,) * 4
    assert result.resampled[0].without == 4
    assert result.study.headline.kind == "none"
    assert json.dumps(result.to_dict(), allow_nan=False)


def test_policies_are_sized_for_the_same_log_and_draws() -> None:
    result = sized(weekly(4), "mean-wait<=600", "fcfs", "easy", growth=LogGrowth(1.3), resamples=3)
    assert [sizing.policy for sizing in result.sizings] == ["fcfs", "easy"]
    alone = sized(weekly(4), "mean-wait<=600", "easy", growth=LogGrowth(1.3), resamples=3)
    assert alone.sizings[0].nodes == result.sizings[1].nodes
    assert alone.resampled[0] == result.resampled[1]
    best = result.sizings[result.ranking[0]].policy
    assert result.study.headline.values["policy"] == best


def test_a_size_in_proportion_that_is_whole_is_not_rounded_up() -> None:
    result = sized(log_of([(0, 100, 50, 0)]), growth=LogGrowth(1.1, "arrivals"), resamples=0)
    assert result.sizings[0].nodes == 50
    assert result.grown.reached == 1  # one job cannot arrive faster
    assert scaled(result) == 55
    assert scaled(replace(result, grown=replace(result.grown, reached=1.1))) is None


@pytest.mark.parametrize(("per_node", "unit"), [(1, "processor"), (2, "node")])
def test_one_unit_of_size_everywhere(per_node: int, unit: str) -> None:
    rules = SimulationSettings(node_processors=per_node)
    log = log_of([(0, 100, 2 * per_node, 0)] * 3)
    study = sized(log, "mean-wait<=40", "easy", "fcfs", rules=rules).study
    assert study.headline.values["size"] == 4
    assert study.headline.units["size"] == unit
    assert study.facts[0].unit == unit
    first = {column.key: column for column in study.table("sizes").columns}
    assert first["nodes"].unit == unit
    assert first["nodes"].shown is (unit == "node")


# Draws


def test_draws_repeat_with_the_seed_and_do_not_depend_on_workers() -> None:
    question = SizeFor(LEVEL, LogGrowth(1.5), 6, 3)
    one, two = (size(weekly(5), [POLICIES["easy"]], question, workers=n) for n in (1, 3))
    assert one.to_dict() == two.to_dict()
    other = size(weekly(5), [POLICIES["easy"]], replace(question, seed=4))
    assert other.resampled != one.resampled


def test_draws_of_weeks_that_are_all_alike_are_alike() -> None:
    rows = [(week * WEEK_S + 1000 * k, 5000, 2, 0) for week in range(4) for k in range(20)]
    result = sized(log_of([*rows, (4 * WEEK_S, 1, 1, 0)]), "mean-wait<=1000", resamples=5)
    assert set(result.resampled[0].nodes) == {result.sizings[0].nodes}
    assert "correlated" not in {each.kind for each in result.study.findings}


def test_order_statistics_by_hand() -> None:
    result = Resampled("easy", tuple(range(20, 0, -1)))
    assert (result.low, result.median, result.high) == (2, 10, 19)
    few = Resampled("easy", (None, 3, 4))
    assert (few.low, few.median, few.high, few.without) == (3, 4, None, 1)
    assert Resampled("easy", ()).median is None


def test_alike_weeks_by_hand() -> None:
    # work by week 1, 2, 3, 4: off the mean -1.5, -0.5, 0.5, 1.5: (0.75 - 0.25 + 0.75) / 5
    log = log_of([*((week * WEEK_S, week + 1, 1, 0) for week in range(4)), (4 * WEEK_S, 9, 1, 0)])
    periods = periods_of(log)
    assert periods is not None
    assert alike(periods, log) == pytest.approx(0.25)


# Input


def test_what_cannot_be_sized_is_refused() -> None:
    log = weekly(3)
    with pytest.raises(InputError, match="give one or more, each once"):
        sized(log, "mean-wait<=600", "easy", "easy")
    for rules in (
        SimulationSettings(clusters={"a": 4}),
        SimulationSettings(unavailable=(Unavailable(0, 9, 1),)),
    ):
        with pytest.raises(InputError, match="a machine is sized whole"):
            sized(log, rules=rules)
    with pytest.raises(InputError, match="made has no jobs"):
        sized(log_of([]))
    with pytest.raises(InputError, match="job 10 asks for 2,000,000,000 processors"):
        sized(log_of([(0, 9, 2 * 10**9, 0)]))
    with pytest.raises(InputError, match="would use 1,800,000,000 processors at once"):
        sized(log_of([(0, 9, 9 * 10**8, 0)] * 2))


def test_a_log_without_a_machine_is_sized_but_not_compared() -> None:
    result = sized(log_of([(0, 100, 2, 0)] * 3, None), "mean-wait<=40")
    assert result.sizings[0].nodes == 4
    assert result.capacity is None
    assert result.sizings[0].today is None


def test_jobs_without_work_are_sized() -> None:
    result = sized(log_of([(0, 0, 3, 0), (5, 0, 2, 0)]), "max-wait<=0")
    assert result.sizings[0].nodes == 3


# Real logs


@needs_data
def test_sdsc_sp2_with_half_as_much_work_again() -> None:
    log = read_job_log(TRACES / "SDSC-SP2.swf.gz")
    result = sized(log, "p95-bounded-slowdown<=20", growth=LogGrowth(1.5), resamples=1)
    sizing = result.sizings[0]
    assert result.grown.reached == pytest.approx(1.5, rel=0.005)
    assert sizing.today is not None
    assert sizing.today.value == pytest.approx(504.70, abs=0.01)
    answer, below, above = sizing.answer, sizing.below, sizing.above
    assert answer is not None
    assert below is not None
    assert above is not None
    assert not below.keeps
    assert answer.keeps
    assert above.keeps
    assert (answer.nodes, round(below.value or 0, 2), round(answer.value or 0, 2)) == (
        270, 22.16, 19.69,
    )  # fmt: skip
    assert np.diff([item.utilisation or 0 for item in sizing.tried.values()]).max() < 0
