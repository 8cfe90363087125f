"""Quotes that cannot be bought, each with its reason; and what the reader doubts is shown."""

from __future__ import annotations

import datetime as dt

import pytest

from planner.errors import InputError, PlanError
from planner.procurement.from_scenario import problem_from
from planner.procurement.outcome import Options
from planner.procurement.procure import procure
from scenarios.model.scenario import Provenance
from scenarios.remark import remark
from tests.planner.procurement.catalogues import Document, asked, merits, node, request, scenario

BOTH = merits("w", ("a", None, 1.0), ("b", None, 2.0))


def dated(nodes: list[Document], *workloads: Document) -> Document:
    raw_scenario = request(nodes, [*workloads], 1000.0, 1000.0)
    raw_scenario["procurement"]["decided_on"] = dt.date(2027, 2, 1)
    return raw_scenario


def reasons(raw_scenario: Document) -> dict[str, str]:
    return {exclusion.name: exclusion.reason for exclusion in asked(raw_scenario).excluded}


def test_without_a_lead_time_nothing_shows_delivery_in_time() -> None:
    raw_scenario = dated([node("a", 100.0, lead_weeks=4), node("b", 150.0)], BOTH)
    assert reasons(raw_scenario) == {}
    raw_scenario["requirements"] = {"delivered_by": dt.date(2027, 3, 1)}
    why = "lead_weeks is not stated, so nothing shows delivery by 2027-03-01"
    assert reasons(raw_scenario) == {"b": why}


def test_without_the_day_of_the_decision_nothing_shows_it_either() -> None:
    raw_scenario = dated([node("a", 100.0, lead_weeks=4), node("b", 150.0, lead_weeks=4)], BOTH)
    raw_scenario["requirements"] = {"delivered_by": dt.date(2027, 3, 1)}
    assert reasons(raw_scenario) == {}
    del raw_scenario["procurement"]["decided_on"]
    with pytest.raises(Exception, match="decided_on is not stated, so nothing shows delivery by"):
        asked(raw_scenario)


def test_a_workload_whose_only_type_is_excluded_says_why() -> None:
    lapsed = node("b", 150.0, valid_until=dt.date(2027, 1, 31))
    alone = merits("fem", ("b", None, 2.0))
    with pytest.raises(PlanError) as caught:
        problem_from(scenario(dated([node("a", 100.0), lapsed], BOTH, alone)))
    assert type(caught.value) is PlanError  # a valid question whose answer is no
    assert str(caught.value) == (
        "no node type that can be bought runs fem; quotes that would are excluded: b (the quote "
        "ended on 2027-01-31, before the decision on 2027-02-01); mend that, or give its "
        "performance on one, widen kinds, or leave it out"
    )


def test_an_excluded_type_that_would_not_run_it_is_not_named() -> None:
    lapsed = node("b", 150.0, valid_until=dt.date(2027, 1, 31))
    nowhere = merits("fem", ("a", None, 2.0)) | {"kinds": ["gpu"]}
    with pytest.raises(InputError, match="runs fem; give its performance on one, widen kinds"):
        problem_from(scenario(dated([node("a", 100.0), lapsed], BOTH, nowhere)))


def test_what_the_reader_doubts_is_a_warning_of_the_study() -> None:
    raw_scenario = scenario(dated([node("a", 100.0), node("b", 150.0)], BOTH))
    doubted = raw_scenario.with_provenance(
        Provenance(
            of_sheets=(
                remark(
                    "quotes-hidden-columns", place=("q.csv", "place"), columns=(("C", "D"), "id")
                ),
            )
        )
    )
    assert procure(raw_scenario, Options(), full=False).warnings == ()
    assert procure(doubted, Options(), full=False).warnings == (
        "q.csv: hidden columns that are included: C, D.",
    )
