"""Days that are valid and hardly meant are warnings, and the day of today is not asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.test_impossible_values import DECIDED, QUOTES, REQUEST, faults, warnings

NODES = "nodes = 60\n"


def test_the_sample_has_no_doubtful_day(tmp_path: Path) -> None:
    assert warnings(tmp_path, []) == []


@pytest.mark.parametrize("year", ["1987", "2127"])
def test_a_decision_in_the_wrong_century_is_doubted(tmp_path: Path, year: str) -> None:
    found = warnings(tmp_path, [(REQUEST, DECIDED, f"decided_on = {year}-01-15\n")])
    where = "procurement.toml:15: procurement.decided_on: "
    assert f"{where}{year}-01-15 is unlikely as the day of an order; check the year" in found
    assert any("power.available_on: 2027-06-01 is " in each for each in found)
    assert any(each.startswith("quotes.csv:2: valid_until: 2027-06-30 is ") for each in found)


def test_a_decision_after_every_quote_is_doubted(tmp_path: Path) -> None:
    found = warnings(tmp_path, [(REQUEST, DECIDED, "decided_on = 2028-01-15\n")])
    assert found == [
        (
            "procurement.toml:15: procurement.decided_on: 2028-01-15 is after the last day of "
            "every quote (the latest is 2027-06-30)"
        )
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (REQUEST, NODES, NODES + "delivered_by = 2072-06-01\n",
         "requirements.delivered_by: 2072-06-01 is 45 years after decided_on = 2027-01-15"),
        (REQUEST, "available_on = 2027-06-01", "available_on = 1927-06-01",
         "power.available_on: 1927-06-01 is 100 years before decided_on = 2027-01-15"),
        (QUOTES, "2027-03-31", "2072-03-31",
         "quotes.csv:5: valid_until: 2072-03-31 is 45 years after decided_on = 2027-01-15"),
        (QUOTES, "20 weeks", "200 weeks",
         "quotes.csv:4: lead_weeks: 200 weeks are more than 3 years; check the unit (weeks)"),
    ],
)  # fmt: skip
def test_days_years_away_are_doubted(
    tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    (found,) = warnings(tmp_path, [(file, old, new)])
    assert message in found


def test_weight_0_is_valid_and_doubted_only_where_it_counts_for_nothing(tmp_path: Path) -> None:
    climate = (REQUEST, "weight = 35\n", "weight = 0\n")
    assert warnings(tmp_path, [climate]) == []  # its throughput is required
    (found,) = warnings(tmp_path, [(REQUEST, "weight = 25\n", "weight = 0\n")])
    assert found.endswith("weight: is 0 and no requirement names the workload, so it has no effect")


def test_probability_0_is_valid_and_says_what_still_counts(tmp_path: Path) -> None:
    changes = [(REQUEST, "probability = 0.6", "probability = 1"),
               (REQUEST, "probability = 0.4\nf", "probability = 0\nf")]  # fmt: skip
    (found,) = warnings(tmp_path, changes)
    assert "demands[2].probability: is 0, but the required throughputs still apply" in found
    prices = [(REQUEST, "probability = 0.7 }", "probability = 1 }"),
              (REQUEST, "probability = 0.3 }", "probability = 0.0 }")]  # fmt: skip
    assert warnings(tmp_path, prices) == []


def test_not_everything_may_weigh_nothing(tmp_path: Path) -> None:
    nothing = [(REQUEST, f"weight = {n}\n", "weight = 0\n") for n in (40, 35, 25)]
    (found,) = faults(tmp_path, nothing)
    assert found.endswith("the weights of all workloads are 0; give at least one of them a weight")
    (found,) = faults(tmp_path, [(REQUEST, DECIDED, f"{DECIDED}weights = {{ energy = 0 }}\n")])
    assert "weights: all weights are 0; give at least one criterion a weight" in found


def test_a_demand_without_any_weighed_work_is_refused(tmp_path: Path) -> None:
    changes = [(REQUEST, "weight = 40\n", "weight = 0\n"),
               (REQUEST, '{ "molecular dynamics" = 2 }',
                '{ climate = 0, "electronic structure" = 0 }')]  # fmt: skip
    found = faults(tmp_path, changes)
    assert [
        each for each in found if "the factors of all workloads are 0; correct at least one" in each
    ]
