"""The examples of the documentation run, and are what the pages print."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests import gallery
from tests.examples import sweep_power

DOCS = Path(__file__).parents[1] / "docs"


def test_the_sweep_of_the_documentation_draws_what_a_watt_is_worth(tmp_path: Path) -> None:
    assert sweep_power.__file__ is not None
    assert (
        f"```python\n{Path(sweep_power.__file__).read_text()}```" in (DOCS / "sweep.md").read_text()
    )
    figure, ax = plt.subplots()
    assert sweep_power.speedup_over_power(ax, str(tmp_path), workers=1) is ax
    plt.close(figure)
    power_kw, speedup = np.asarray(ax.lines[0].get_data(), dtype=float)
    assert power_kw.tolist() == [5, 6, 7, 8, 9]
    assert speedup[2] == pytest.approx(0.995374, abs=1e-6)  # the decision of the thesis at 7 kW
    assert (speedup[:3] < 1).all()
    assert (speedup[3:] > 1).all()
    assert len([*tmp_path.glob("cases-*")]) == 5


def test_the_figures_of_the_documentation_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "figures.md").read_text(), re.DOTALL)
    exec(compile(code, "figures.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(
        r"^# prints: (.*)$", code, re.MULTILINE
    )
    assert Path("cost-ratio.pdf").read_bytes().startswith(b"%PDF")
    drawn = [plt.figure(number).axes for number in plt.get_fignums()]
    assert [len(axes) for axes in drawn] == [2, 1]
    assert drawn[0][0].get_title() == "Chapter 4"
    plt.close("all")


def test_the_gallery_has_every_figure_and_its_command() -> None:
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == gallery.page()
    names = {gallery.name_of(number, shot) for number, shot in enumerate(gallery.SHOTS, 1)}
    assert {path.name for path in gallery.IMAGES.glob("*.png")} == names
