"""The first page of a report: what a board reads, on one page, dated by the scenario."""

from __future__ import annotations

import datetime as dt
import io
from pathlib import Path
from typing import Any

import pypdf
import pytest

import headroom as hr
import reports
from reports.first_page import FirstPage
from reports.language import LABELS, LANGUAGES, localised, localised_words, with_decimal_comma
from reports.skeleton import title_page
from scenarios import Scenario, load
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


def test_words_of_figures_are_localised_and_paths_are_not() -> None:
    svg = b'<path d="M 1.5 2.5"/><text x="1.5">0.8</text><text>1,000 s</text>'
    assert localised_words(svg, "de") == (
        b'<path d="M 1.5 2.5"/><text x="1.5">0,8</text><text>1.000 s</text>'
    )
    assert localised_words(svg, "en") is svg


@pytest.fixture(scope="module")
def german() -> Scenario:
    return load("thesis-7kw").replace(
        {"language": "de", "date": dt.date(2027, 1, 15), "version": "2.1"}
    )


def test_the_first_page_is_one_page_with_date_version_and_figure(
    german: Scenario, tmp_path: Path
) -> None:
    reports.write(hr.plan(german), tmp_path / "de")
    data = (tmp_path / "de" / "report.pdf").read_bytes()
    first, second, *_ = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)
    words = " ".join(first.replace("-\n", "").split())
    assert "Datum: 2027-01-15" in words
    assert "Version des Szenarios: 2.1" in words
    assert LABELS["de"]["reasons"] in words
    assert "0,5 %" in words
    assert LABELS["de"]["contents"] not in words
    assert LABELS["de"]["contents"] in second


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
