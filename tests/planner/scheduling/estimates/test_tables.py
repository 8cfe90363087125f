"""Tables 1 to 3: by hand, what the paper prints, and real logs beside it."""

from __future__ import annotations

import json
from dataclasses import astuple
from functools import cache

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.estimates.published import (
    MOST_ERROR_PERCENT,
    PUBLISHED,
    PublishedLog,
    find_published,
)
from planner.scheduling.estimates.tables import LogTables, log_tables, requests
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.simulation.literal import made_log
from tests.shared_data import TRACES, needs_data

LOG = made_log([(0, 10, 1, 20), (0, 11, 8, 20), (5, 20, 9, 20), (6, 30, 20, 90), (6, 0, 36, 9)])


def test_requests_worked_by_hand() -> None:
    # 1 and 8 are powers of two; of 9, 20 and 36 two are square, two even and multiples of 4
    third = 100 / 3
    assert astuple(requests(LOG.processors)) == pytest.approx(
        (5, 40, 20, 3, 2 * third, 2 * third, 2 * third, third)
    )


def test_large_squares_are_told_from_their_neighbours() -> None:
    root = 94_906_267  # its square has more digits than a float
    result = requests(np.array([root * root, root * root + 1, root * root - 1]))
    assert result.square_percent == pytest.approx(100 / 3)


def test_shares_of_nothing_are_none() -> None:
    result = requests(np.array([1, 2, 64]))
    assert (result.power_of_two_percent, result.others, result.square_percent) == (100, 0, None)
    assert requests(np.array([], np.int64)).serial_percent is None


def test_mean_errors_worked_by_hand() -> None:
    # 10 and 11 share a class at 10 %, 20 and 30 at 50 %; the run of 0 s is part of no mean
    result = log_tables(LOG, most_error_percent=(10, 50), placements=("from-below",))
    assert result.zero_runs == 1
    row = result.errors[0]
    assert row.mean_error_percent == pytest.approx((100 * 0.1 / 4, 100 * (0.1 + 0.5) / 4))
    assert row.largest_error_percent == pytest.approx((10, 50))
    assert row.classes == (4, 3)
    assert row.mean_deviation is None
    assert result.more_jobs is None
    assert list(result.tables()) == ["requests", "mean errors", "deviations"]
    assert result.tables()["deviations"] == []


def test_deviations_from_the_paper_worked_by_hand() -> None:
    result = log_tables(
        LOG, published="francesca", most_error_percent=(10, 50), placements=("from-below",)
    )
    # 2.5 and 15 beside 3.71 and 17.49
    assert result.errors[0].mean_deviation == pytest.approx((1.21 + 2.49) / 2)
    assert result.errors[0].largest_deviation == pytest.approx(2.49)
    assert result.more_jobs == 5 - 32_016


def test_tables_are_plain_values_with_the_printed_row_last() -> None:
    result = log_tables(LOG, published="intrepid").tables()
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert [row["source"] for row in result["requests"]] == ["made", "Intrepid (ANL)"]
    assert result["requests"][1]["jobs"] == 68_936
    printed = [row for row in result["mean errors"] if row["placement"] == "printed"]
    assert [row["mean_error_percent"] for row in printed][5:7] == [25.07, 25.07]
    assert len(result["mean errors"]) == 10 * (4 + 1)
    assert {len(row) for row in result["mean errors"]} == {6}
    assert result["deviations"][0]["placement"] == "from-below"


def test_runs_of_no_length_have_no_mean_error() -> None:
    result = log_tables(made_log([(0, 0, 1, 1)]), published="intrepid")
    assert set(result.errors[0].mean_error_percent) == {None}
    assert result.tables()["deviations"] == []


def test_what_is_not_printed_is_not_compared() -> None:
    with pytest.raises(InputError, match="did you mean 'blue-horizon'"):
        log_tables(LOG, published="bluehorizon")
    with pytest.raises(InputError, match="100 % only"):
        log_tables(LOG, published="intrepid", most_error_percent=(10, 15))


def test_printed_numbers_agree_with_one_another() -> None:
    # 85 % of Francesca's non-serial jobs are of a power of two; section 2
    francesca = find_published("francesca")
    share = (francesca.power_of_two_percent - francesca.serial_percent) / (
        100 - francesca.serial_percent
    )
    assert round(100 * share) == 85
    # one job each is serial
    for name in ("blue-horizon", "intrepid"):
        one = 100 / PUBLISHED[name].jobs
        assert PUBLISHED[name].serial_percent == pytest.approx(one, rel=0.5)
    # mean over maximum error: "a little under half" is false at one place
    ratios = {name: _ratios(item) for name, item in PUBLISHED.items()}
    assert (min(ratios["blue-horizon"]), max(ratios["blue-horizon"])) == pytest.approx(
        (0.411, 0.441), abs=5e-4
    )
    assert [r > 0.5 for r in ratios["intrepid"]].index(True) == 3
    assert max(ratios["intrepid"]) == pytest.approx(0.516)
    assert np.mean([*ratios.values()]) == pytest.approx(0.399, abs=5e-4)


def _ratios(log: PublishedLog) -> list[float]:
    return [
        mean / most for mean, most in zip(log.mean_error_percent, MOST_ERROR_PERCENT, strict=True)
    ]


@cache
def blue() -> LogTables:
    return log_tables(read_job_log(TRACES / "SDSC-BLUE.swf.gz"), published="blue-horizon")


@needs_data
def test_blue_horizon_has_the_printed_shares_of_requests() -> None:
    found, printed = blue().requests, find_published("blue-horizon")
    assert blue().more_jobs == 232_542 - 223_810
    for name, off in (
        ("power_of_two_percent", 0.48),
        ("serial_percent", 0.0005),
        ("square_percent", 0.08),
        ("even_percent", 0.011),
        ("multiple_of_4_percent", 0.011),
        ("multiple_of_10_percent", 0.40),
    ):
        assert abs(getattr(found, name) - getattr(printed, name)) < off, name


@needs_data
def test_mean_errors_of_blue_horizon_are_near_the_printed_ones() -> None:
    rows = {error.placement: error for error in blue().errors}
    default = rows["from-below"]
    assert default.mean_deviation is not None
    assert default.largest_deviation is not None
    assert default.mean_deviation <= 1.5
    assert default.largest_deviation <= 3.1
    # the others are shown beside it, better or worse; nothing is tuned
    assert {name: round(row.mean_deviation or 0, 2) for name, row in rows.items()} == {
        "from-below": 1.46,
        "from-above": 1.37,
        "grid-maxima": 0.84,
        "grid-edges": 0.91,
    }
    assert {name: round(row.largest_deviation or 0, 2) for name, row in rows.items()} == {
        "from-below": 3.07,
        "from-above": 4.51,
        "grid-maxima": 2.08,
        "grid-edges": 2.09,
    }


@needs_data
def test_mean_errors_of_blue_horizon_fit_another_log_as_well() -> None:
    other = log_tables(read_job_log(TRACES / "SDSC-SP2.swf.gz"), published="blue-horizon")
    deviations = [error.mean_deviation for error in other.errors]
    assert deviations == pytest.approx([0.89, 1.18, 0.70, 1.01], abs=0.005)
    assert other.requests.serial_percent == pytest.approx(100 * 12_482 / 54_006)
