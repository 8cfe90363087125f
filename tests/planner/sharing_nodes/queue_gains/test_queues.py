"""A queue under co-location: speeds from co-runs, floors, gains, the matching, and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headroom as hr
from benchmarks.studies.colocation.queues import CASES, STORED, as_stored
from planner.errors import InputError
from planner.sharing_nodes.queue_gains.colocate_log import _fair, _hidden, colocate_log, rules_of
from planner.sharing_nodes.queue_gains.laws import SharingLaw, law_of, single_run_error
from planner.sharing_nodes.queue_gains.result import (
    BOUND,
    FIRST_FIT,
    MATCHING,
    SEARCH,
    may_be_chance,
    unchanged,
)
from planner.sharing_nodes.queue_gains.study import QueueStudy
from planner.sharing_nodes.queues.checker import nodes_of, violations
from planner.sharing_nodes.queues.co_runs import speeds_of_campaigns, speeds_of_co_runs
from planner.sharing_nodes.queues.comparison import below_floor
from planner.sharing_nodes.queues.engine import schedule
from planner.sharing_nodes.queues.logs import at_load, offered_load, shared_problem
from planner.sharing_nodes.queues.measures import NodeWatts
from planner.sharing_nodes.queues.rules import gate_of, sharing
from planner.sharing_nodes.queues.speeds import Speeds, speeds_of
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.pairs.co_runs import CoRun, CoRuns, SoloRun
from tests.planner.cli.commands import ran
from tests.planner.sharing_nodes.queues.test_loop import TWO, one_by_one
from tests.sizes import few

SAME = speeds_of(["io", "cpu"], [[0.6, 0.95], [0.9, 0.5]], full=[1.0, 1.0])
"""Both jobs on all cores; io and cpu together do 1.85 nodes' work, two of a kind 1.2 and 1."""


def made_law(speeds: Speeds = SAME, halves_per_node: int = 1, error: float = 0.0) -> SharingLaw:
    """A law without simulation, whose predictions are true."""
    shape = speeds.pair.shape
    return SharingLaw(
        "made",
        "made by hand",
        speeds,
        speeds,
        np.full(shape, error),
        np.ones(shape, np.bool_),
        halves_per_node,
        NodeWatts(),
        "made by hand",
    )


def small_log(jobs: int = 150, seed: int = 3) -> JobLog:
    return lublin_log(jobs, 32, seed, load=1.2, estimate_factor=2)


@pytest.fixture(scope="module")
def study() -> QueueStudy:
    return colocate_log(made_law(), small_log(), seeds=2)


def test_the_speed_of_the_job_that_ends_later_leaves_out_its_time_alone() -> None:
    """A: 100 s alone, 110 together. B: 200 s alone, 240 together; of these it is alone for 130 s.

    So in the 110 s together it does the work of 70 s.
    """
    times = {"a": 100.0, "b": 200.0}
    solo = tuple(SoloRun(name, 4, 4.0, time, 1.0, 1.0, 1.0) for name, time in times.items())
    pairs = (("a", "b", 110.0, 240.0), ("a", "a", 150.0, 150.0), ("b", "b", 400.0, 400.0))
    together = tuple(CoRun(a, b, 4, time_a, time_b) for a, b, time_a, time_b in pairs)
    runs = CoRuns("made", ("a", "b"), (4,), solo, together)
    speeds = speeds_of_co_runs(runs, 4)
    assert speeds.pair[0, 1] == pytest.approx(100 / 110)
    assert speeds.pair[1, 0] == pytest.approx(70 / 110)
    assert speeds.pair[1, 1] == pytest.approx(0.5)
    with pytest.raises(InputError, match=r"a with a was not run with 8 ranks"):
        speeds_of_co_runs(runs, 8)
    same, error = speeds_of_campaigns([runs, runs, runs], 4)
    assert same.pair == pytest.approx(speeds.pair)
    assert error == pytest.approx(np.zeros((2, 2)), abs=1e-12)


def test_two_jobs_of_one_application_need_the_interval_of_a_single_run() -> None:
    """A standard error of 0.02 over 99 runs means a spread of about 0.2 for a single run."""
    result = single_run_error(np.array([[0.02, 0.01], [0.03, 0.0]]), 99)
    assert result == pytest.approx(np.array([[0.2, 0.01], [0.03, 0.0]]))


def test_floors_allow_for_single_runs_and_prices_do_not() -> None:
    """Io next to io at 0.6 keeps a floor of 0.5 by its mean, and not by one more run."""
    law = replace(made_law(), floor_error=np.array([[0.1, 0.0], [0.0, 0.0]]))
    for each, expected in ((made_law(), True), (law, False)):
        search = rules_of(each, 0.5, {}, 0.05, 0.05, matched=False)[1]
        problem = one_by_one([2, 2], [60, 60], [0, 0], SAME, 2)
        result = schedule(replace(problem, halves_per_node=1), search).schedule
        assert bool(result.start_ms[1] == 0) is expected
    assert _fair(law).spread == pytest.approx(_fair(made_law()).spread)


def test_bursts_that_coincide_break_no_floor_of_the_bundled_law() -> None:
    """MACSio next to MACSio: 0.84 as predicted, 0.77 by the law, with a floor of 0.8."""
    law = law_of("tangram-eight-node")
    index = law.true.applications.index("MACSio")
    assert law.predicted.pair[index, index] > 0.8 > law.true.pair[index, index]
    lowest = law.predicted.pair - _hidden(law, 0.05)
    assert not ((lowest >= 0.8) & (law.true.pair < 0.8)).any()
    assert (lowest >= 0.8).any()


def test_another_first_seed_maps_users_anew() -> None:
    seeds = [colocate_log(made_law(), small_log(60), seeds=2, first_seed=first).first.replications
             for first in (0, 7)]  # fmt: skip
    assert [seed.seeds for seed in seeds] == [(0, 1), (7, 8)]
    with pytest.raises(InputError, match="first_seed = -1"):
        colocate_log(made_law(), small_log(60), seeds=2, first_seed=-1)


def test_on_the_same_cores_a_pair_takes_no_more_nodes_than_one_job() -> None:
    """CPU: 90 s at 0.9 next to io ends at 100 s. IO has then done 95 of 190 s, and needs 95 s."""
    problem = replace(one_by_one([2, 2], [190, 90], [0, 1], SAME, 2), halves_per_node=1)
    rule = sharing(gate_of(SAME, [[0, 1], [1, 0]]), least_gain=0.05)
    result = schedule(problem, rule).schedule
    assert result.end_ms.tolist() == [195_000, 100_000]
    assert nodes_of(result, 0) == nodes_of(result, 1) == [0, 1]
    assert not violations(result, problem, rule)


def test_a_small_job_does_not_slow_a_wide_one_for_less_work_than_it_does() -> None:
    """Next to memory, memory drops from 0.8 to 0.5 on four nodes: 1.2 / 0.5 = 2.4 nodes' work lost
    for the 1 that the small job does.
    """
    slow = speeds_of(["memory", "cpu"], [[0.5, 0.8], [0.9, 1.0]], half=[0.8, 1.0])
    problem = one_by_one([4, 1], [100, 10], [0, 0], slow, 8)
    gate = gate_of(slow, np.ones((2, 2)))
    plain = schedule(problem, sharing(gate, "spread")).schedule
    assert plain.shared.all()
    weighed = schedule(problem, sharing(gate, "spread", least_gain=0.0)).schedule
    assert weighed.shared.tolist() == [False, False]
    assert weighed.start_ms.tolist() == [0, 0]


def test_a_floor_of_one_user_keeps_that_users_jobs_apart() -> None:
    """CPU runs at 0.9 next to memory: a floor of 0.95 is not kept, one of 0.9 is."""
    jobs = one_by_one([2, 2], [80, 45], [0, 1], TWO).jobs
    problem = replace(one_by_one([2, 2], [80, 45], [0, 1], TWO),
                      jobs=replace(jobs, user=np.array([5, 6])))  # fmt: skip
    for floor, shares in ((0.9, True), (0.95, False)):
        rule = sharing(gate_of(TWO, [[0, 1], [1, 0]]), "spread", floors={6: floor})
        result = schedule(problem, rule).schedule
        assert bool(result.start_ms[1] == 0) is shares
        assert not violations(result, problem, rule)


def test_floors_are_kept_by_oracle_gains_on_random_logs() -> None:
    law = made_law()
    bound = rules_of(law, 0.8, {}, 0.05, 0.05, matched=False)[-1]
    for seed in range(few(30)):
        problem = shared_problem(small_log(80, seed), law.true, halves_per_node=1, seed=seed)
        result = schedule(problem, bound).schedule
        assert result.shared.any()
        assert not below_floor(result, problem, bound).any()
        assert not violations(result, problem, bound), seed


def test_the_checker_sees_a_broken_floor_and_a_start_that_does_not_pay() -> None:
    law = made_law()
    problem = shared_problem(small_log(), law.true, halves_per_node=1)
    loose = sharing(gate_of(law.true, np.ones((2, 2))), "spread")
    result = schedule(problem, loose).schedule
    kinds = {
        violation.kind
        for rule in (replace(loose, floor=0.8), replace(loose, least_gain=0.3))
        for violation in violations(result, problem, rule)
    }
    assert {"gate", "gain"} <= kinds


def test_the_matching_pairs_waiting_jobs_and_every_schedule_passes_the_checker() -> None:
    law = made_law(TWO, halves_per_node=2)
    search, matching = rules_of(law, 0.8, {}, 0.05, 0.05, matched=True)[1:3]
    assert (search.name, matching.name) == (SEARCH, MATCHING)
    shared = 0
    for seed in range(few(20)):
        problem = shared_problem(small_log(80, seed), law.true, seed=seed)
        result = schedule(problem, matching).schedule
        again = schedule(problem, matching).schedule
        assert (result.start_ms == again.start_ms).all()
        assert not violations(result, problem, matching), seed
        shared += int(result.shared.sum())
    assert shared


def test_a_load_moves_submissions_and_nothing_else() -> None:
    problem = shared_problem(small_log(), SAME, halves_per_node=1)
    half = at_load(problem, 0.5)
    assert offered_load(half) == pytest.approx(0.5, rel=1e-4)
    assert (half.jobs.run_ms == problem.jobs.run_ms).all()
    with pytest.raises(InputError, match="load = 0; give a load above 0"):
        at_load(problem, 0.0)


def test_a_study_compares_rules_and_counts_floors(study: QueueStudy) -> None:
    assert not study.broken
    rows = {row["rule"]: row for row in study.tables()["floors"]}
    assert rows[BOUND]["floors_broken"] == rows[SEARCH]["floors_broken"] == 0
    assert rows[SEARCH]["shared_jobs"] >= rows[SEARCH]["partnered_jobs"] > 0
    waits = {row["rule"]: row for row in study.tables()["waits"]}
    assert waits[SEARCH]["wait_ratio"] == pytest.approx(waits[BOUND]["wait_ratio"], rel=0.2)
    assert study.to_dict() == colocate_log(made_law(), small_log(), seeds=2).to_dict()


def test_jobs_below_the_floor_are_counted_for_first_fit_too(study: QueueStudy) -> None:
    """It has no floor; the floors of partner search judge its jobs, with their lowest speed."""
    rows = {row["rule"]: row for row in study.tables()["floors"]}
    plain = rows[FIRST_FIT]
    assert plain["floors_broken"] is None
    assert plain["below_floor"] > 0
    assert plain["slowest"] < 0.8 <= rows[SEARCH]["slowest"]
    assert rows[SEARCH]["below_floor"] == rows[SEARCH]["floors_broken"] == 0
    problem = study.first.replications.first.problem
    outcomes = {one.rule: one for one in study.first.replications.first.outcomes}
    runs = outcomes[FIRST_FIT].schedule
    speeds = problem.jobs.run_ms / (runs.end_ms - runs.start_ms)
    assert plain["slowest"] <= speeds[runs.shared].min() + 1e-9


def test_pairs_that_share_are_named_with_their_speeds(study: QueueStudy) -> None:
    """Io and cpu: 0.95 and 0.9 of their speed, so a node-hour does 185 % of the work."""
    rows = study.tables()["pairs"]
    assert sum(row["share"] for row in rows) == pytest.approx(1.0)
    most = rows[0]
    assert (most["a"], most["b"]) == ("io", "cpu")
    assert (most["speed_a"], most["speed_b"]) == (0.95, 0.9)
    assert most["work"] == pytest.approx(1.85)
    (fact,) = [one for page in study.study.questions for one in page.facts if one.key == "two_jobs"]
    hours = study.measures(SEARCH)
    assert fact.value == pytest.approx(hours.shared_node_hours / hours.node_hours)
    alone = colocate_log(made_law(), small_log(60), seeds=2, floor=0.99)
    assert "pairs" not in alone.tables()


def test_a_speed_above_that_on_whole_nodes_is_explained() -> None:
    """It is an error where true speeds are lower, as given in a table, or due to free cores."""

    def explained(law: SharingLaw) -> tuple[str, ...]:
        questions = colocate_log(law, small_log(), seeds=2).study.questions
        return next(page.texts for page in questions if page.name == "pairs")

    fast = speeds_of(["io", "cpu"], [[0.6, 1.05], [0.9, 0.5]], full=[1.0, 1.0])
    error = replace(made_law(SAME), predicted=fast)
    assert explained(made_law(SAME)) == ("pairs",)
    assert explained(made_law(fast)) == ("pairs", "above-table")
    assert explained(error) == ("pairs", "above-error")
    spread = speeds_of(["io", "cpu"], [[0.6, 0.95], [0.9, 0.5]], full=[0.8, 0.8])
    assert explained(made_law(spread, 2)) == ("pairs", "above-halves")


def test_bills_count_the_cores_of_a_bundled_system() -> None:
    study = colocate_log("tangram-two-node", small_log(30), seeds=2)
    assert study.settings["cores per node in bills"] == 12


def test_loads_that_are_given_stand_next_to_that_of_the_log(study: QueueStudy) -> None:
    assert study.logged_load is None
    moved = colocate_log(made_law(), small_log(60), seeds=2, loads=(0.5,))
    own = offered_load(shared_problem(small_log(60), SAME, halves_per_node=1))
    assert moved.first.load == pytest.approx(0.5, rel=1e-4)
    assert moved.logged_load == own
    assert moved.settings["source of speeds"] == "made"


def changed(study: QueueStudy, **values: Any) -> QueueStudy:
    """The study with other values of every change."""
    first = study.first
    changes = tuple(replace(change, **values) for change in first.replications.changes)
    result = replace(first, replications=replace(first.replications, changes=changes))
    return replace(study, results=(result,))


def test_the_headline_concludes_nothing_from_chance(study: QueueStudy) -> None:
    clear = changed(study, ratio=0.9, low=0.8, high=0.95)
    assert clear.study.headline.kind == "waits"
    unclear = changed(study, ratio=0.9, low=0.1, high=9.0).study
    assert unclear.headline.kind == "unclear"
    (risk,) = [each for each in unclear.findings if each.kind == "chance"]
    assert risk.values["measures"] == ("mean_wait_s", "throughput", "energy_kwh")


def test_without_a_ratio_the_difference_tells_what_may_be_chance(study: QueueStudy) -> None:
    """A mapping in which nobody waits has no ratio."""
    wait = study.first.change(SEARCH, "mean_wait_s")
    for mean, half, expected in ((-5.0, 9.0, True), (-5.0, 4.0, False), (0.0, 0.0, True)):
        interval = replace(wait.difference, mean=mean, half_width=half)
        change = replace(wait, ratio=None, low=None, high=None, difference=interval)
        assert may_be_chance(change) is expected
        assert unchanged(change) is (mean == half)


def kinds(study: QueueStudy) -> set[str]:
    return {each.kind for each in study.study.findings}


def test_a_gate_that_admits_nothing_says_so() -> None:
    nothing = colocate_log(made_law(), small_log(60), seeds=2, floor=0.99)
    assert {"no-pair", "loosen"} <= kinds(nothing)
    (row,) = [row for row in nothing.tables()["floors"] if row["rule"] == SEARCH]
    assert row["shared_jobs"] > row["partnered_jobs"] == 0
    assert nothing.study.headline.kind == "no-partner"


def test_a_log_of_one_user_says_so() -> None:
    log = small_log(60)
    one = replace(log, user=np.zeros(len(log), np.int64))
    assert "one-user" in kinds(colocate_log(made_law(), one, seeds=2))
    some = replace(one, user=np.where(np.arange(len(log)) % 2, one.user, MISSING))
    assert "one-user" not in kinds(colocate_log(made_law(), some, seeds=2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seeds": 1}, "give at least 2, such as 20"),
        ({"alpha": 0.7}, "below 0.5"),
        ({"floors": {"nobody": 0.9}}, "the log has no such user"),
        ({"floor": 1.5}, "give 0 to 1"),
        ({"loads": (-1.0,)}, "give a load above 0"),
        ({"first_jobs": 0}, "give at least 1"),
    ],
)
def test_settings_out_of_their_range_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        colocate_log(made_law(), small_log(30), **{"seeds": 2, **options})  # type: ignore[arg-type]


def test_an_unknown_law_names_the_bundled_ones() -> None:
    with pytest.raises(InputError, match="give a table of pairs, or one of poppa-12-codes"):
        law_of("no-such-file")


def test_the_command_runs_a_table_with_missing_pairs(tmp_path: Path) -> None:
    pairs, log = tmp_path / "pairs.csv", tmp_path / "jobs.swf"
    pairs.write_text("a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nio,cpu,100,100,105,110\n")
    drawn = ran("simulate", "lublin", "--jobs", "80", "--load", "0.9", "--processors", "32",
                "--write-log", str(log))  # fmt: skip
    assert drawn.exit_code == 0, drawn.output
    words = ("colocate", str(pairs), "--log", str(log), "--seeds", "2")
    result = ran(*words, "--nodes", "8", "--json", "-o", str(tmp_path / "out"))
    assert result.exit_code == 0, result.output
    plain = json.loads(result.stdout)
    risks = {each["kind"]: each for each in plain["study"]["findings"]}
    assert risks["unmeasured"]["values"]["pairs"] == [2, 3]
    assert risks["too-large"]["values"]["nodes"] == 8
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 0
    refused = ran(*words, "--group-size", "3")
    assert refused.exit_code == 2
    assert "--group-size has no effect here: it is for" in refused.output
    lonely = ran("colocate", str(pairs), "--alpha", "0.1")
    assert "--alpha has no effect here: it is for --log" in lonely.output


@pytest.mark.slow
def test_a_stored_case_is_repeated() -> None:
    case = "synthetic, load 0.7, same cores"
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert as_stored(CASES[case](Path()))["rules"] == stored[case]["rules"]


def test_stored_results_keep_what_is_promised() -> None:
    for case, result in json.loads(STORED.read_text(encoding="utf-8")).items():
        assert result["seeds"] == 20
        assert not any(result["late_starts"].values()), case
        assert result["rules"][BOUND]["floors_broken"][1] == 0, case
        search = result["rules"][SEARCH]
        assert search["floors_broken"][1] <= 0.05 * search["shared_jobs"][1], case


def test_python_has_the_same_door() -> None:
    assert hr.colocate_log is colocate_log


def test_a_log_whose_jobs_are_all_larger_than_the_machine_is_refused() -> None:
    log = lublin_log(5, 64, seed=1)
    large = replace(log, processors=np.full(len(log), 9))
    with pytest.raises(InputError, match=r"no job of .* fits 8 nodes; the smallest takes 9: give"):
        hr.colocate_log(made_law(), large, nodes=8, seeds=2)


def test_jobs_that_are_larger_than_the_machine_are_left_out_of_all_counts() -> None:
    log = lublin_log(5, 64, seed=1)
    some = replace(log, processors=np.where(np.arange(5) == 2, 9, 2))
    study = hr.colocate_log(made_law(), some, nodes=8, seeds=2)
    (risk,) = [each for each in study.study.findings if each.kind == "too-large"]
    assert risk.values == {"jobs": (1, 5), "nodes": 8}
    assert study.settings["jobs"] == 4
