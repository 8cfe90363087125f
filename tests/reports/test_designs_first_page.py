"""The first page of a comparison of designs: in German, all but names is German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import planner
from planner import stop_warning
from planner.designs import phrases, summary
from planner.designs.study import DesignStudy
from reports.designs import document
from reports.designs.figures import core_hour, speedups
from scenarios import Scenario, load
from solvers.model.result import Status, Stop

ENGLISH = re.compile(
    r"\b(the|of|and|with|is|are|if|more|than|by|it|runs?|costs?|nodes?)\b", re.IGNORECASE
)
GIVEN = re.compile(
    r"(Ivy|Sandy) Bridge node \(Xeon [^)]*\)|Branch-and-Bound|plan\.xlsx|energy used per year"
)
"""Names from a scenario, of files, and of a method."""


def scenario(**changes: Any) -> dict[str, Any]:
    plain = load("thesis-7kw").model_dump() | {"printed": [], "language": "de"}
    plain["overprovisioning"] |= changes
    return plain


def planned(plain: dict[str, Any]) -> DesignStudy:
    return planner.compare_designs(Scenario.model_validate(plain))


def rising() -> DesignStudy:
    plain = scenario()
    plain["workloads"][0]["time"]["slope_s_per_node"] = 0.5
    plain["workloads"] = plain["workloads"][:1]
    return planned(plain)


def poor() -> DesignStudy:
    plain = scenario(performance_fraction=0.0)
    plain["budget"] = {"capital": 1000.0}
    return planned(plain)


def many() -> DesignStudy:
    plain = scenario()
    plain["workloads"] = [
        workload | {"name": f"{workload['name']} {copy}"}
        for workload in plain["workloads"]
        for copy in range(5)
    ]
    return planned(plain)


def unfinished() -> DesignStudy:
    study = planned(scenario())
    nodes, time = (
        replace(check.certificate, status=Status.FEASIBLE, stop=stop)
        for check, stop in zip(study.designs, (Stop.NODES, Stop.TIME), strict=False)
    )
    first, second, *others = study.designs
    checks = (replace(first, certificate=nodes), replace(second, certificate=time), *others)
    return replace(study, designs=checks)


def hopper() -> DesignStudy:
    return planned(load("hopper-2010").model_dump() | {"language": "de"})


STUDIES = {
    "as published": lambda: planned(load("thesis-7kw").model_dump() | {"language": "de"}),
    "clamped": lambda: planned(scenario(cost_ratio=2.0, outside_measured="clamp")),
    "extrapolated": lambda: planned(scenario(cost_ratio=4.0, outside_measured="extrapolate")),
    "with racks": lambda: planned(scenario(cost_ratio_from="racks", cost_ratio=None)),
    "rising": rising,
    "poor": poor,
    "many": many,
    "unfinished": unfinished,
    "core-hour": hopper,
}


@pytest.fixture(scope="module", params=list(STUDIES))
def german(request: pytest.FixtureRequest) -> DesignStudy:
    return STUDIES[request.param]()


def texts(study: DesignStudy) -> Iterator[str]:
    """All that the first page shows, without what the scenario says itself."""
    drawn = speedups.pictures(study) or core_hour.pictures(study)
    page = document(study, drawn)
    yield from (page["decision"], page["certificate"], *page["risks"])
    for part in (*page["left"], *page["right"]):
        yield from part["lines"]
    yield from (page["figure"]["title"], page["figure"]["alternative"])
    if page["table"] is not None:
        yield from (column["name"] for column in page["table"]["columns"])
        yield from (cell for row in page["table"]["rows"] for cell in row)
    painted = re.findall("<text[^>]*>([^<]*)", drawn[0].printed.decode())
    yield from painted


def pieces(template: str) -> list[str]:
    """What stands between the gaps of a phrase, where it is long enough to be known again."""
    return [piece for piece in re.split(r"{.*?}", template) if len(piece.split()) > 1]


def test_a_german_page_has_no_english_words(german: DesignStudy) -> None:
    english = [
        piece
        for table in (phrases.TEMPLATES, stop_warning.TEMPLATES)
        for text in table["en"].values()
        for piece in pieces(text)
    ]
    for text in texts(german):
        assert not ENGLISH.search(GIVEN.sub("", text)), text
        assert not [piece for piece in english if piece in GIVEN.sub("", text)], text


def test_terminal_and_data_stay_english(german: DesignStudy) -> None:
    english = replace(german, scenario=german.scenario.model_copy(update={"language": "en"}))
    assert german.headline == english.headline
    assert german.confidence == english.confidence
    assert german.warnings == english.warnings
    plain = german.to_dict()
    plain["inputs"]["language"] = "en"
    assert plain | {"scenario": {}} == english.to_dict() | {"scenario": {}}


def test_both_pages_have_as_many_lines(german: DesignStudy) -> None:
    english = replace(german, scenario=german.scenario.model_copy(update={"language": "en"}))
    for side in ("left", "right", "risks"):
        ours, theirs = document(german, [])[side], document(english, [])[side]
        assert len(ours) == len(theirs)
        if side != "risks":
            assert [len(part["lines"]) for part in ours] == [len(part["lines"]) for part in theirs]


def test_counts_and_cases_are_german() -> None:
    warnings = summary.warnings(rising(), "de")
    assert any("läuft auf 1 älterem Knoten in " in warning for warning in warnings), warnings
    assert phrases.faster(2.5, "de") == "2.5-mal so schnell"
    study = STUDIES["as published"]()
    assert study.decision is not None
    (racks,) = (each for each in study.decision.readings if each.kind == "whole racks")
    text = phrases.reading_text(racks, study.cases[0], study.overprovisioning, "de")
    assert text.startswith("Mit ganzen Racks zu den angegebenen Preisen")
    assert text.endswith("läuft der Anwendungsmix 6.3 % schneller auf 32 älteren Knoten.")


def test_each_reading_that_reverses_is_a_risk() -> None:
    page = document(planner.compare_designs("thesis-7kw"), [])
    assert page["certificate"] == "The margin is narrow. The risks list these readings."
    assert page["decision"] == (
        "No clear winner: as assumed, the mix of applications runs 0.5 % faster on 18 x Ivy Bridge "
        "node (Xeon E5-2697 v2). All 4 other readings of the inputs favour 30 to 34 older nodes. "
        "Measure before buying."
    )
    for ratio in ("1.27 times the speed", "1.941", "1.778", "1.003"):
        assert any(ratio in risk for risk in page["risks"])
    assert "(thesis Table 4.7)" in str(page["left"])


def test_the_rack_table_leaves_out_what_the_published_numbers_have() -> None:
    study = planner.compare_designs("thesis-7kw")
    assert document(study, [])["racks"] is None  # all 12 numbers are published
    unpublished = planner.compare_designs(study.scenario.model_copy(update={"printed": ()}))
    table = document(unpublished, [])["racks"]
    assert len(table["rows"]) == 12
    assert ["Full high-end rack", "64,800 USD"] in table["rows"]
    assert ["Cost ratio of this one rack", "1.500"] in table["rows"]


def test_the_answer_on_racks_counts_other_sizes_that_reverse_the_result() -> None:
    answer = document(planner.compare_designs("thesis-7kw"), [])["answers"]["racks"]
    assert answer.endswith(
        "the result reverses. At the cost ratios of the other 6 sizes, it reverses in no case."
    )


def test_the_answer_on_racks_names_one_other_size_and_no_other_size() -> None:
    study = planner.compare_designs("thesis-7kw")
    racks = study.racks
    assert racks is not None
    own = study.overprovisioning[0].nodes_worst_case
    sizes = sorted(racks.sizes, key=lambda size: size.high_end_nodes != own)
    answers = [
        document(replace(study, racks=replace(racks, sizes=tuple(sizes[:count]))), [])["answers"]
        for count in (1, 2)
    ]
    assert answers[0]["racks"].endswith("the result reverses.")
    assert answers[1]["racks"].endswith("At the cost ratio of the only other size, it stays.")


def test_the_power_billed_and_the_number_that_differs_are_named() -> None:
    page = document(planner.compare_designs("hopper-2010"), [])
    assert page["decision"].endswith("0.018 USD (0.0182 to 0.0185, depending on the power billed).")
    for words in ("3 MW provisioned", "2.6 MW used", "published 2,600,000, recomputed 2,277,600"):
        assert words in str(page["right"])
    assert "Requested gap" not in str(page["provenance"])
