"""The report on two designs: its pages, its figures, and both of its languages."""

from __future__ import annotations

import io
import re
from typing import Any

import pypdf
import pytest

import planner
from planner.designs.study import DesignStudy
from reports.figures import pictures
from reports.messages import catalogue
from reports.view import View, view
from reports.writers.html import html
from reports.writers.pdf import pdf
from reports.writers.terminal import terminal
from reports.writers.workbook import workbook
from scenarios import Scenario, load
from tests.reports.given import same_on_given_axes

ENGLISH = re.compile(
    r"\b(the|of|and|with|is|are|than|by|runs?|costs?|node|nodes|power|time|speed-up|rows)\b"
)
GIVEN = re.compile(
    r"(Ivy|Sandy) Bridge node \(Xeon [^)]*\)|New node, |Branch-and-Bound|plan\.xlsx"
    r"|(Hardware|Cost of|Table|section|thesis)[^|]*"
)
"""What scenarios say themselves, and names of files and methods."""


def german(name: str, **changes: Any) -> DesignStudy:
    english = {"printed": [], "description": "", "source": ""}
    plain = load(name).model_dump() | english | {"language": "de"} | changes
    return planner.compare_designs(Scenario.model_validate(plain))


def shown(seen: View) -> list[str]:
    """Every text of a view that the program itself wrote."""
    grids = [seen.decision, *(grid for part in seen.parts[:-1] for grid in part.grids)]
    tiles = [*seen.tiles, *(tile for part in seen.parts for tile in part.tiles)]
    return [
        seen.subject, seen.headline, seen.confidence, *seen.risks, *seen.next_steps,
        *(text for tile in tiles for text in (tile.label, tile.value, tile.note)),
        *(text for part in seen.parts for text in (part.heading, *part.lines, *part.texts)),
        *(each.words for part in seen.parts for each in part.equations),
        *(text for grid in grids if grid is not None for text in
          (grid.caption, grid.note, *grid.headings, *(cell for row in grid.rows for cell in row))),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["thesis-7kw", "hopper-2010"])
def test_a_german_report_is_german(name: str) -> None:
    study = german(name)
    drawn = pictures(study.study)
    texts = shown(view(study.study))
    texts += [text for each in drawn for text in (each.title, each.alternative)]
    texts += [each for picture in drawn
              for each in re.findall("<text[^>]*>([^<]*)", picture.printed.decode())]  # fmt: skip
    for text in texts:
        assert not ENGLISH.search(GIVEN.sub("", text)), text
    assert 'lang="de"' in html(study.study, drawn).decode()
    assert "Nächste Schritte" in terminal(study.study)
    assert study.headline in terminal(study.study)
    reader = pypdf.PdfReader(io.BytesIO(pdf(study.study, drawn)))
    root: Any = reader.root_object
    assert str(root["/Lang"]).startswith("de")


def test_a_german_study_writes_numbers_with_a_comma_and_holds_the_same_data() -> None:
    one, other = german("thesis-7kw"), german("thesis-7kw", language="en")
    assert "1,074" in terminal(one.study)
    assert "1.074" in terminal(other.study)
    plain, english = one.to_dict(), other.to_dict()
    own = ("summary", "warnings", "study", "inputs")
    assert {k: v for k, v in plain.items() if k not in own} == {
        k: v for k, v in english.items() if k not in own
    }
    axes = pictures(one.study)[1].figure.axes[0]
    ticks = [label.get_text() for label in axes.get_xticklabels()]
    assert "1,2" in ticks
    assert not [tick for tick in ticks if "." in tick]
    money = german("hopper-2010")
    assert "21,10 Mio. USD" in terminal(money.study)


def test_a_language_that_a_command_does_not_have_is_english() -> None:
    assert catalogue("size", "de") == catalogue("size", "en")
    assert catalogue("plan-designs", "fr").text("labels", "risks") == "Risks"


def test_every_question_that_has_an_answer_has_a_page(
    thesis: DesignStudy, hopper: DesignStudy
) -> None:
    headings = [part.heading for part in view(thesis.study).parts]
    assert headings[:5] == [
        "Which design is faster?",
        "Which readings of the inputs reverse the decision?",
        "What else would reverse the decision?",
        "Does buying whole racks change the cost ratio?",
        "Do the published numbers agree?",
    ]
    assert "What makes up the cost of a core-hour?" in [
        part.heading for part in view(hopper.study).parts
    ]
    assert "Which design is faster?" not in [part.heading for part in view(hopper.study).parts]


def test_figures_show_both_readings_and_what_is_assumed(
    thesis: DesignStudy, hopper: DesignStudy
) -> None:
    assert [each.kind for each in pictures(thesis.study)] == [
        "speedups", "over-cost-ratio", "over-power-bound", "over-gain",
    ]  # fmt: skip
    assert [each.kind for each in pictures(hopper.study)] == ["cost"]
    rows = thesis.study.rows("cost_ratio drawn")
    now = [
        row for row in rows if row["application"] == "LU-MZ" and row["start"] <= 1.7 < row["end"]
    ]
    assert now[0]["speedup"] == pytest.approx(1.22099, abs=1e-5)
    assert all(row["speedup"] is None or row["speedup"] <= 4 for row in rows)
    assert same_on_given_axes(pictures(thesis.study))


def test_the_same_study_gives_the_same_bytes(thesis: DesignStudy) -> None:
    drawn = pictures(thesis.study)
    assert pdf(thesis.study, drawn) == pdf(thesis.study, drawn)
    assert workbook(thesis.study) == workbook(thesis.study)


def test_every_number_of_the_rack_example_is_shown_once(thesis: DesignStudy) -> None:
    (racks,) = (question for question in thesis.study.questions if question.name == "racks")
    values = {fact.key: fact.value for fact in racks.facts}
    assert len(values) == 12
    assert values["high_end_rack_cost"] == 64_800
    assert values["cost_ratio_one_rack"] == 1.5
