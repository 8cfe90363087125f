"""The report: complete, tagged, and the same bytes twice."""

from __future__ import annotations

import io
from typing import Any

import pypdf
import pytest

from planner.designs.study import DesignStudy
from reports.designs import REPORT, document, pictures
from reports.designs.figures import sensitivity


@pytest.fixture(scope="module")
def pdf(thesis: DesignStudy) -> bytes:
    return REPORT.pdf(thesis, pictures(thesis))


def text_of(pdf: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return "\n".join(" ".join(page.extract_text().split()) for page in pages)


def test_the_report_says_what_the_board_asks(pdf: bytes, thesis: DesignStudy) -> None:
    text = text_of(pdf)
    assert thesis.headline[:60] in text
    for heading in (
        "Which design is faster?", "What would reverse the decision?",
        "Do whole racks change the cost ratio?", "What does the model leave out?",
        "Appendix: inputs", "Appendix: published and recomputed numbers", "Appendix: method",
        "certificates and provenance",
    ):  # fmt: skip
        assert heading in text
    for number in ("38.703", "39.650", "1.2210", "0.9995", "30.6"):
        assert number in text
    assert thesis.scenario.provenance.files[0][1] in text


def test_the_same_study_gives_the_same_bytes(pdf: bytes, thesis: DesignStudy) -> None:
    assert REPORT.pdf(thesis, pictures(thesis)) == pdf


def test_the_pdf_is_tagged_with_language_title_and_alternatives(
    pdf: bytes, thesis: DesignStudy
) -> None:
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    root: Any = reader.root_object
    assert root["/MarkInfo"]["/Marked"]
    assert str(root["/Lang"]).startswith("en")
    assert reader.metadata is not None
    assert reader.metadata.title == thesis.scenario.title
    assert reader.metadata.creation_date is None
    assert b"pdfuaid" in root["/Metadata"].get_object().get_data()


def test_every_figure_has_an_alternative_and_a_finding_as_title(
    thesis: DesignStudy, hopper: DesignStudy
) -> None:
    drawn = [*pictures(thesis), *pictures(hopper)]
    assert len(drawn) == 3
    for picture in drawn:
        assert len(picture.alternative) > 60
        assert any(character.isdigit() for character in picture.title)
    titles = [picture.title for picture in drawn]
    assert titles[0].startswith("As assumed, only LU-MZ gains from 30 older nodes")
    assert (
        titles[1] == "Another cost ratio or node speed reverses the result of 4 of 4 applications"
    )
    sphot, _, bt_mz, lu_mz = (
        sensitivity.finding(comparison, even)
        for comparison, even in zip(thesis.overprovisioning, thesis.break_even, strict=True)
    )
    assert "1.723" in sphot
    assert "25.21 %" in sphot
    assert "cost ratio" not in bt_mz  # none helps
    assert lu_mz.endswith("reverses with a cost ratio below 1.500 or r_p of at least 40.22 %")
    assert all(text in drawn[1].alternative for text in (sphot, bt_mz, lu_mz))


def test_a_run_stopped_by_time_says_so(
    thesis: DesignStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DesignStudy, "stopped_by_time", property(lambda _: True))
    assert document(thesis, [])["risks"][-1].startswith("The search stopped at its time limit")


def test_the_cost_of_a_core_hour_has_its_own_report(hopper: DesignStudy) -> None:
    text = text_of(REPORT.pdf(hopper, pictures(hopper)))
    assert "0.018472" in text
    assert "2,277,600" in text
