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
GIVEN = re.compile(r"(Ivy|Sandy) Bridge node \(Xeon [^)]*\)|Branch-and-Bound|plan\.xlsx")
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
    assert phrases.reversal_text(
        "1 - r_p", narrow=False, by_reading=False, by_racks=True, language="de"
    ).startswith("Die Empfehlung kehrt sich um, wenn ganze Racks")
