"""The common look: nothing of a figure lies outside its edges, in neither of its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure

import headroom as hr
from reports.figures import pictures
from reports.style import DPI, draw
from scenarios.sample import write_sample


def over_the_edge(figure: Figure) -> float:
    """By how many pixels something reaches over an edge of the painted figure."""
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    return float(DPI * max(-box.x0, -box.y0, box.x1 - width, box.y1 - height))


def test_no_label_reaches_over_an_edge(tmp_path: Path) -> None:
    # the ticks of BT-MZ's run time change as its axes shrink: the label was cut off by 16 pixels
    write_sample(tmp_path / "sample")
    study = hr.configure(tmp_path / "sample" / "runs.csv", bound_w=3500, applications=["BT-MZ"])
    drawn = [picture for picture in pictures(study.study) if picture.kind.startswith("nodes")]
    for item in drawn:
        assert item.png
        assert over_the_edge(item.figure) < 1
    assert drawn


@pytest.mark.parametrize("text", ["a label", "a label that is much too long for the height " * 3])
def test_a_figure_that_cannot_hold_its_label_is_painted_all_the_same(text: str) -> None:
    def paint(figure: Figure) -> None:
        figure.subplots().set_ylabel(text)

    picture = draw("kind", "name", "A title", "An alternative", (3.0, 1.5), paint)
    assert picture.png.startswith(b"\x89PNG")
    assert b"<svg" in picture.svg
