"""The study: cells and gains by hand, claims on made-up outcomes, and its laws."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from planner.errors import InputError
from planner.finding import Finding
from planner.replications.spread import spread
from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, Waits, case_of
from planner.scheduling.estimates.claims import PaperClaim, claims
from planner.scheduling.estimates.settings import EstimateSettings, variants
from planner.scheduling.estimates.study import EstimateStudy, estimate_study
from planner.scheduling.estimates.tools import PredictorTool, overruns_of
from planner.scheduling.estimates.workload import workload_of
from reports.writers.terminal import terminal
from scenarios.maui.reader import bundled_maui
from tests.planner.scheduling.estimates.predictors.habits import habits

UPTAKES, ERRORS, SEEDS = (0.0, 0.2, 0.6, 1.0), (0.0, 0.5, 1.0), (0, 1, 2)
Wait = Callable[[float, float, int], float]
FLAT = {(u, e, s): 100.0 for u in UPTAKES for e in ERRORS for s in SEEDS}


def waits(mean: float, most: float | None = None) -> Waits:
    return Waits(10, mean, 2 * mean, 3 * mean if most is None else most, 5.0)


def outcome(groups: dict[int, Waits], everybody: Waits, killed: int = 0) -> CaseOutcome:
    return CaseOutcome(groups, everybody, everybody, everybody, killed, killed, 0, 1.0, 100.0, 999)


def made_up(
    mean: Wait,
    most: Wait | None = None,
    *,
    killed: int = 0,
    seeds: tuple[int, ...] = SEEDS,
    errors: tuple[float, ...] = ERRORS,
    uptakes: tuple[float, ...] = UPTAKES,
    predicted: dict[str, float] | None = None,
) -> EstimateStudy:
    """A study whose seed groups wait as told; without the tool at an uptake of 0."""

    def of(uptake: float, error: float, seeds_used: tuple[int, ...]) -> CaseOutcome:
        groups = {
            s: waits(mean(uptake, error, s), None if most is None else most(uptake, error, s))
            for s in seeds_used
        }
        average = float(np.mean([group.mean_s for group in groups.values()]))
        return outcome(groups, waits(average), killed if uptake > 0 else 0)

    names = tuple(predicted or {})
    settings = EstimateSettings(uptakes, errors, seeds, predictors=names, weights=False)
    settings = replace(settings, strategies=("extend",))
    outcomes = {EstimateCase(): of(0.0, 0.0, seeds)}
    for uptake in (*uptakes, 1.0):
        for error in (*errors, 0.0):
            for seed in seeds:
                case = case_of(settings.oracle(error), uptake, seed)
                using_seeds = seeds if case.seed is None else (seed,)
                outcomes[case] = of(uptake, error, using_seeds)
    for name, wait in (predicted or {}).items():
        case = case_of(PredictorTool(name, overruns_of("extend")), 1.0, 0)
        outcomes[case] = outcome(dict.fromkeys(seeds, waits(wait)), waits(wait))
    workload = workload_of(habits(40, 3))
    return EstimateStudy(workload, bundled_maui(), settings, outcomes)


def claim(study: EstimateStudy, name: str) -> PaperClaim:
    (found,) = [claim for claim in claims(study) if claim.claim == name]
    return found


def best(study: EstimateStudy) -> Finding:
    return study.study.headline


def cells(study: EstimateStudy) -> set[str]:
    """Kinds on the page of the sampled users."""
    (page,) = (each for each in study.study.questions if each.name == "cells")
    return {each.kind for each in page.findings}


def risks(study: EstimateStudy) -> set[str]:
    return {each.kind for each in study.study.findings if each.severity == "risk"}


def test_cells_and_gains_by_hand() -> None:
    # Without the tool the groups wait 100, 200, 400 s; with it 90, 190, 200: gains 10, 5, 50 %.
    bare, with_tool = (100.0, 200.0, 400.0), (90.0, 190.0, 200.0)
    study = made_up(lambda u, _e, s: (with_tool if u > 0 else bare)[s])
    assert study.gains(0.6, 0.5) == pytest.approx([0.1, 0.05, 0.5])
    assert study.gains(0.0, 0.5) == [0, 0, 0]
    assert study.values(0.6, 0.5, "p95_s") == [180, 380, 400]
    assert study.gains(0.6, 0.5, "max_s") == pytest.approx([0.1, 0.05, 0.5])
    cells = {(cell.uptake, cell.error): cell for cell in study.cells()}
    assert set(cells) == {(u, e) for u in UPTAKES for e in ERRORS}
    cell = cells[0.2, 1.0]
    assert (cell.value.seeds, cell.value.mean, cell.value.median) == (3, 160, 190)
    assert (cell.value.least, cell.value.most) == (90, 200)
    assert cell.value.deviation == pytest.approx(math.sqrt((70**2 + 30**2 + 40**2) / 2))
    assert cell.gain is not None
    assert (cell.gain.mean, cell.gain.median) == pytest.approx((0.65 / 3, 0.1))
    assert study.without_tool is not None
    assert study.without_tool.mean == pytest.approx(700 / 3)
    # Each seed against its own group: of the means 160 and 233 it would be 31 %, not 22 %.
    assert cell.gain.mean != pytest.approx(1 - 160 / (700 / 3), abs=0.05)


def test_a_gain_is_of_the_seed_group_and_not_of_all_users() -> None:
    study = made_up(lambda u, _e, _s: 50.0 if u > 0 else 100.0)
    slower = {
        case: replace(outcome, everybody=waits(500.0), tool_users=waits(1.0))
        for case, outcome in study.outcomes.items()
    }
    assert replace(study, outcomes=slower).gains(0.2, 0.0) == [0.5, 0.5, 0.5]


def test_predictors_are_told_beside_exact_estimates_and_no_tool() -> None:
    # No tool 100 s, exact estimates 60 s: 40 s to gain, of which 30 and -10 are.
    study = made_up(
        lambda u, e, _s: 60.0 + 20 * e if u > 0 else 100.0,
        predicted={"quantile": 70.0, "last-two": 110.0},
    )
    first, worst = study.remains
    assert (first.tool.predictor, worst.tool.predictor) == ("quantile", "last-two")
    assert (first.gain, first.share) == pytest.approx((0.3, 0.75))
    assert (worst.gain, worst.share) == pytest.approx((-0.1, -0.25))
    assert study.tables()["predictors"][0]["share_of_exact"] == pytest.approx(0.75)
    row = study.tables()["predictors"][0]
    assert row["lost_share_of_work"] == pytest.approx(1 / 101)
    losing = made_up(lambda u, _e, _s: 60.0 if u > 0 else 100.0, predicted={"quantile": 130.0})
    assert best(losing).kind == "keep-requests"
    assert best(losing).values["change"] == pytest.approx(0.3)
    known = made_up(
        lambda u, _e, _s: 60.0 if u > 0 else 100.0, predicted={"quantile": 90.0, "refining": 50.0}
    )
    assert known.remains[0].tool.predictor == "refining"
    assert best(known).kind == "predict-range"
    assert best(known).values["predictor"] == "quantile"  # an oracle predicts nothing
    nothing = made_up(lambda _u, _e, _s: 100.0, predicted={"quantile": 90.0})
    assert nothing.remains[0].share is None


HOLDS, IN_PART, NOT = "holds", "holds in part", "does not hold"


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        (lambda _u, _e, _s: 1.0, HOLDS),
        (lambda u, e, s: -1.0 if (u, e, s) == (0.6, 0.5, 1) else 1.0, IN_PART),
        (lambda _u, e, _s: -1.0 if e == 1 else 1.0, IN_PART),  # in 6 of 9 cells better
        (lambda _u, e, _s: -1.0 if e > 0 else 1.0, NOT),  # in 3 of 9
        (lambda _u, _e, _s: 0.0, NOT),
        (lambda _u, _e, s: 3.0 if s == 0 else -1.0, IN_PART),  # better on average alone
    ],
)
def test_improves_holds_where_every_cell_and_seed_gain(gain: Wait, expected: str) -> None:
    study = made_up(lambda u, e, s: 100 - (gain(u, e, s) if u > 0 else 0))
    assert claim(study, "improves").holds == expected


def test_cells_in_which_not_all_the_seed_group_has_the_tool_do_not_count() -> None:
    study = made_up(
        lambda u, _e, _s: {0.0: 100.0, 0.1: 900.0}.get(u, 50.0), uptakes=(0.0, 0.1, 0.2, 1.0)
    )
    result = claim(study, "improves")
    assert result.holds == HOLDS
    assert (result.count, result.of) == (6, 6)
    few = made_up(lambda _u, _e, _s: 100.0, uptakes=(0.0, 0.1))
    assert [claim.claim for claim in claims(few)] == ["never too short"]


@pytest.mark.parametrize(
    ("wait", "expected"),
    [
        (lambda u, _e, _s: 100 - 10 * u, HOLDS),
        (lambda u, _e, _s: 100 + 10 * u, NOT),
        (lambda _u, _e, _s: 100.0, NOT),
        (lambda u, _e, s: 100 + (10 if s == 0 else -10) * u, IN_PART),
        (lambda u, _e, s: 100 + (-10 if s == 0 else 10) * u, NOT),
    ],
)
def test_falls_with_uptake_is_judged_from_the_first_group_to_all(wait: Wait, expected: str) -> None:
    assert claim(made_up(wait), "falls with uptake").holds == expected


def test_no_tool_at_all_is_no_uptake_to_fall_from() -> None:
    # The tool helps its users, more users make it worse: against no tool it would seem to fall.
    study = made_up(lambda u, _e, _s: 50 + 10 * u if u > 0 else 100.0)
    assert claim(study, "falls with uptake").holds == NOT


@pytest.mark.parametrize(
    ("wait", "expected"),
    [
        (lambda _u, e, _s: 100 + e, NOT),  # rises with every step of the error
        (lambda _u, e, _s: 100 - e, HOLDS),
        (lambda _u, e, _s: {0.0: 100.0, 0.5: 110.0, 1.0: 95.0}[e], HOLDS),  # tau = -1/3
        (lambda _u, e, _s: {0.0: 100.0, 0.5: 110.0, 1.0: 105.0}[e], HOLDS),  # tau = 1/3
        (lambda _u, e, s: 100 + e * (1 if s == 0 else -1), IN_PART),
        (lambda _u, e, s: 100 + e * (-1 if s == 0 else 1), NOT),
    ],
)
def test_accuracy_is_judged_by_its_rank_correlation(wait: Wait, expected: str) -> None:
    assert claim(made_up(wait), "accuracy").holds == expected


def test_equal_waits_say_nothing_of_accuracy() -> None:
    for study in (
        made_up(lambda u, _e, _s: 100 - u),
        made_up(lambda _u, e, _s: 100 + e, errors=(0.0, 1.0)),
    ):
        assert not [claim for claim in claims(study) if claim.claim == "accuracy"]
    found = claim(made_up(lambda _u, e, _s: 100 + e), "accuracy")
    assert (found.count, found.of, found.correlation) == (0, 9, 1)


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (lambda u, _e, _s: 100 + u, HOLDS),
        (lambda u, _e, _s: 100 - u, NOT),
        (lambda _u, _e, _s: 100.0, NOT),
        (lambda u, _e, s: 100 + (-u if s == 0 else u), IN_PART),
    ],
)
def test_the_maximum_rises_in_every_cell_in_most_or_not(most: Wait, expected: str) -> None:
    assert claim(made_up(lambda _u, _e, _s: 50.0, most), "longest rises").holds == expected


def test_a_killed_job_of_the_oracle_breaks_the_second_assumption() -> None:
    assert claim(made_up(lambda _u, _e, _s: 1.0), "never too short").holds == HOLDS
    assert claim(made_up(lambda _u, _e, _s: 1.0, killed=1), "never too short").holds == NOT


def test_one_seed_has_no_spread_and_says_so() -> None:
    study = made_up(lambda u, e, _s: 100 - u - e, seeds=(4,))
    (cell, *_) = study.cells()
    assert (cell.value.seeds, cell.value.deviation) == (1, None)
    assert cell.value.least == cell.value.mean == cell.value.median == cell.value.most
    assert "one-seed" in [each.kind for each in study.study.confidence]
    first, *others = claims(study)
    assert first.holds == HOLDS
    assert {other.holds for other in others} == {"cannot be said"}
    assert "few-seeds" in risks(study)
    json.dumps(study.to_dict(), allow_nan=False)


def test_a_spread_leaves_out_what_is_not_known() -> None:
    assert spread([]) is None
    assert spread([math.nan, math.nan]) is None
    result = spread([math.nan, 1.0, 4.0, 1.0])
    assert result is not None
    assert (result.seeds, result.mean, result.median, result.least, result.most) == (3, 2, 1, 1, 4)
    assert result.deviation == pytest.approx(math.sqrt(3))
    assert result.above_zero
    ties = spread([0.0, 1.0])
    assert ties is not None
    assert not ties.above_zero


# Played.

PLAYED = EstimateSettings(
    (0.0, 0.2, 1.0), (0.0, 1.0), (0, 1), predictors=("last-two",), weights=False
)


def test_a_small_study_from_end_to_end() -> None:
    workload = workload_of(habits(150, 8, users=9), 16)
    study = estimate_study(workload, bundled_maui(), replace(PLAYED, weights=True))
    for error in (0.0, 1.0):
        assert study.gains(0.0, error) == [0, 0]
        for seed in (0, 1):
            uses = workload.tool_users(seed, 0.2)
            assert study.group(seed, 0.2, error).jobs == int(uses.sum())
            case = case_of(study.settings.oracle(error), 0.2, seed)
            assert study.outcomes[case].tool_users == study.group(seed, 0.2, error)
    assert claim(study, "never too short").holds == HOLDS
    varied = study.tables()["weights"]
    assert len(varied) == len(variants(bundled_maui(), weights=True))
    assert varied[0]["mean_wait_s"] == study.no_tool.everybody.mean_s
    weighted = (row["seed_group_s"] for row in study.by_group)
    assert list(weighted) == [cell.value.mean for cell in study.cells() if cell.error == 0]
    plain = json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert plain["users"] == 9
    assert plain["seed_group_users"] == 2


def test_where_the_tool_says_the_request_nothing_is_gained() -> None:
    log = habits(150, 8, users=9)
    honest = replace(log, requested_s=np.maximum(log.run_s, 1))
    study = estimate_study(workload_of(honest, 16), bundled_maui(), PLAYED)
    assert (study.no_tool.everybody.mean_s or 0) > 0
    for uptake in PLAYED.uptakes:
        assert study.gains(uptake, 0.0) == [0, 0]
    assert study.exact.everybody == study.no_tool.everybody
    assert study.remains[0].share is None


def test_a_log_of_one_user_is_a_study_with_a_warning() -> None:
    study = estimate_study(workload_of(habits(80, 8, users=1), 16), bundled_maui(), PLAYED)
    assert study.gains(0.2, 0.0) == study.gains(1.0, 0.0)
    assert "one-user" in risks(study)
    assert study.group(0, 1.0, 0.0) == study.exact.everybody
    json.dumps(study.to_dict(), allow_nan=False)


def test_a_log_in_which_nobody_waits_divides_by_nothing() -> None:
    log = habits(40, 8)
    apart = replace(log, submit_s=30 * (10**6 * np.arange(40)))
    for run in (apart.run_s, np.zeros(40, np.int64)):
        study = estimate_study(
            workload_of(replace(apart, run_s=run)), bundled_maui(), replace(PLAYED, weights=True)
        )
        assert study.no_tool.everybody.max_s == 0
        assert all(cell.gain is None and cell.value.most == 0 for cell in study.cells())
        assert study.study.headline.kind == "nobody-waits"
        plain = json.loads(json.dumps(study.to_dict(), allow_nan=False))
        assert [row["gain"] for row in plain["tables"]["predictors"]] == [None] * 3
        assert all(row["gain"] is None for row in plain["tables"]["weights"])
        assert [claim.holds for claim in claims(study)] == [HOLDS]


def test_uptakes_below_all_are_told_as_they_are() -> None:
    settings = replace(PLAYED, uptakes=(0.0,), predictors=())
    study = estimate_study(workload_of(habits(80, 8), 16), bundled_maui(), settings)
    assert study.study.headline.values["uptake"] == 0
    assert study.study.headline.values["change"] == 0


def test_a_wait_many_times_as_long_is_a_multiple_and_no_percentage() -> None:
    """A wait of 133.3 s becomes 39,916.4 s: 299 times as long, and not 29,837 % longer."""
    bare, with_tool = (100.0, 100.0, 200.0), (39_916.4, 90.0, 190.0)
    study = made_up(
        lambda u, _e, s: (with_tool if u > 0 else bare)[s], predicted={"quantile": 39_916.4}
    )
    said = terminal(study.study)
    oracle = made_up(lambda u, _e, s: (with_tool if u > 0 else bare)[s])
    assert "134 \N{MULTIPLICATION SIGN} (from 2.22 min)" in terminal(
        oracle.study
    )  # (399.164 + 0.9 + 0.95) / 3
    assert "299 \N{MULTIPLICATION SIGN}" in said
    assert not re.search(r"\d[\d,]{3,}(\.\d)? %", said)


def test_all_seeds_of_100_percent_uptake_are_one_schedule_and_it_is_said() -> None:
    workload = workload_of(habits(60, 6), 16)
    study = estimate_study(workload, bundled_maui(), replace(PLAYED, uptakes=(0.5, 1.0)))
    assert case_of(PLAYED.oracle(1.0), 1.0, 3) == case_of(PLAYED.oracle(1.0), 1.0, 4)
    assert study.one_schedule
    assert "one-schedule" in cells(study)
    half = estimate_study(workload, bundled_maui(), replace(PLAYED, uptakes=(0.5,)))
    assert "one-schedule" not in cells(half)


def test_settings_that_cannot_be_played_are_refused() -> None:
    workload = workload_of(habits(20, 8), 16)
    for wrong, words in (
        ({"uptakes": (0.5, 1.2)}, "an uptake of 120 % is not a share"),
        ({"uptakes": (math.nan,)}, "is not a share of the users"),
        ({"errors": (-0.1,)}, "a largest error of -10 % is out of range"),
        ({"errors": (math.inf,)}, "is out of range"),
        ({"seeds": ()}, "no uptake, no error or no seed"),
        ({"predictors": ("qantile",)}, "predictor 'qantile' is unknown; .*quantile"),
        ({"strategies": ("exted",)}, "strategy 'exted' is unknown; .*extend"),
    ):
        with pytest.raises(InputError, match=words):
            estimate_study(workload, bundled_maui(), replace(PLAYED, **wrong))
