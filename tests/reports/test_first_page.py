"""The first page of a report: what a board reads, on one page, dated by the scenario."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pypdf
import pytest
from matplotlib.figure import Figure

import headroom as hr
from reports.first_page import FirstPage
from reports.language import LABELS, LANGUAGES, localised, with_decimal_comma
from reports.skeleton import title_page
from reports.style import draw, in_language
from reports.typeset import typeset
from tests.planner.cli.commands import ran

CODE = {"kind": "code", "words": "--guard 0.5"}


def test_parts_without_lines_are_left_out_and_a_sentence_stands_once() -> None:
    page = FirstPage(reasons=("It is faster.", "It is faster."), next_steps=("Order it.",))
    plain = page.to_dict()
    assert plain["left"] == [{"name": "reasons", "lines": ["It is faster."]}]
    assert plain["right"] == [{"name": "next_steps", "lines": ["Order it."]}]
    assert plain["risks"] == []
    assert plain["figure"] is None
    assert plain["table"] is None


def test_both_languages_have_the_same_headings() -> None:
    assert {language: set(LABELS[language]) for language in LANGUAGES} == {
        language: set(LABELS["en"]) for language in LANGUAGES
    }


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("60.0 M USD", "60,0 M USD"),
        ("1,234,567 nodes, 99.88 %", "1.234.567 nodes, 99,88 %"),
        ("equation 4.6, section 4.4.2 and Table 5.2", "equation 4.6, section 4.4.2 and Table 5.2"),
        ("sections 4.3 to 4.5", "sections 4.3 to 4.5"),
        ("Headroom 0.1.0 of 2027-06-01", "Headroom 0.1.0 of 2027-06-01"),
        ("Xeon E5-2697 v2, run.0.prof, 10,000", "Xeon E5-2697 v2, run.0.prof, 10.000"),
        ("18 nodes", "18 nodes"),
        ("0.9954-mal so schnell, 2.5-inch", "0,9954-mal so schnell, 2.5-inch"),
    ],
)
def test_only_quantities_get_a_decimal_comma(english: str, german: str) -> None:
    assert with_decimal_comma(english) == german


def test_provenance_code_and_names_of_files_stay_as_they_are() -> None:
    document: dict[str, Any] = {
        "decision": "1.5 kW",
        "figure": {"file": "1.5.svg", "title": "1.5 kW"},
        "pages": [
            {"heading": "Appendix: provenance", "blocks": [{"rows": [["numpy 2.4"]]}]},
            {
                "heading": "Gain",
                "blocks": [{"kind": "code", "words": "--guard 0.5"}, {"words": "2.5"}],
            },
        ],
    }
    plain = localised(document, "de")
    assert plain["decision"] == "1,5 kW"
    assert plain["figure"] == {"file": "1.5.svg", "title": "1,5 kW"}
    assert plain["pages"][0] == document["pages"][0]
    assert plain["pages"][1]["blocks"] == [
        {"kind": "code", "words": "--guard 0.5"},
        {"words": "2,5"},
    ]
    assert localised(document, "en") is document


def _paint(figure: Figure) -> None:
    left, right = figure.subplots(1, 2, sharey=True)  # shared axes have one formatter
    left.plot([0.25, 0.75], [1000.5, 1001.5], label="0.125 s")
    right.set_xticks([0.0, 1.0], ["a 1.5", "run.0.prof"])
    left.yaxis.set_major_formatter(lambda value, _: f"{value:,.1f}")
    figure.legend()


def test_figures_have_the_decimal_mark_of_their_language() -> None:
    english = draw("kind", "name", "1.5 kW", "From 0.25 to 1,000.5 s.", (5, 3), _paint)
    before = english.svg
    (german,) = in_language([english], "de")
    words = re.findall("<text[^>]*>([^<]*)", german.printed.decode())
    assert {"0,125 s", "1.001,0", "a 1,5", "run.0.prof"} <= set(words)
    assert {"0.125 s", "1,001.0", "a 1.5"} <= set(
        re.findall("<text[^>]*>([^<]*)", english.printed.decode())
    )
    assert b"<dc:title>1,5 kW" in german.svg
    assert german.png != english.png
    assert english.svg == before  # the figure itself was not changed
    assert in_language([german], "de") == [german]
    assert in_language([english], "en")[0] is english


PLAIN_SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 68 25">'
    b'<rect width="68" height="25"/></svg>'
)


def typeset_with(rows: int) -> list[str]:
    """Text of each page of a report whose first page has a figure and a table of so many rows."""
    table = {
        "columns": [{"name": "Utilis\u00adation", "right": False}],
        "widths": [1],
        "rows": [[f"row {index}"] for index in range(rows)],
    }
    data = {
        **FirstPage(risks=("It may be late.",)).to_dict(),
        "title": "Title", "description": "", "footer": "", "decision": "Buy it.",
        "certificate": "", "language": "en", "labels": dict(LABELS["en"]), "date": "",
        "version": "", "table": table,
        "figure": {"file": "figure.svg", "title": "What it shows", "alternative": "A bar."},
        "pages": [{"heading": "Next", "answer": "", "blocks": []}],
    }  # fmt: skip
    pdf = typeset("standard.typ", data, {"figure.svg": PLAIN_SVG})
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]


def test_a_figure_that_does_not_fit_the_first_page_is_on_the_second() -> None:
    first, second = typeset_with(20)
    assert "What it shows." in first
    assert second.startswith("Next")
    for rows in (34, 37):
        first, second = typeset_with(rows)
        assert f"row {rows - 1}" in first
        assert "What it shows." not in first
        assert second.startswith("What it shows.")
        assert "Next" in second


def test_soft_hyphens_are_not_printed_where_nothing_breaks() -> None:
    assert "Utilisation" in typeset_with(2)[0]


def test_a_study_without_a_scenario_has_neither_date_nor_version() -> None:
    study = hr.compare("thesis-7kw")
    page = title_page(study, "Title", "source")
    assert (page["date"], page["version"], page["language"]) == ("", "", "en")


def test_another_language_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "case.toml"
    assert ran("init", str(tmp_path / "a")).exit_code == 0
    scenario = (tmp_path / "a" / "designs.toml").read_text()
    text.write_text(scenario.replace("format = 1", 'format = 1\nlanguage = "fr"', 1))
    done = ran("check", str(text))
    assert done.exit_code == 2
    assert "language" in done.output
