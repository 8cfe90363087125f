"""The report on configurations: its files, its names, its tables by hand, its figures."""

from __future__ import annotations

import json
import shlex
import zipfile
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner

from planner.cli.configure import MODELS
from planner.cli.main import main
from planner.cli.values import grid_of
from planner.configurations.command import command
from planner.configurations.prediction.compare import Errors, ModelDecisions
from planner.configurations.prediction.curves import CurvePoint
from planner.configurations.prediction.predicted import Grid
from planner.configurations.prediction.study import PredictionStudy, Verified, VerifiedAtBound
from planner.configurations.rows import tables
from planner.configurations.study import ConfigurationStudy
from reports.figures import pictures
from reports.view import view
from reports.writers.workbook import workbook
from tests.claims.configure import TOY, Case, Run, ask, law, thrice
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.shown import write_twice
from tests.reports.test_figure_kinds import painted

HOSTILE = '$x_1^{2}$ #panic() *b* =1+1 <a href="'
# Of TOY the best under 400 W is (4 x 8, 50 W): 16 s, 380 W.


@pytest.fixture(scope="module")
def toy() -> ConfigurationStudy:
    varied = thrice(TOY, (1.1, 1.0), (1.0, 1.0), (0.95, 1.0))
    return Case({"toy": varied}, ask(fixed_cost_nodes=10.0)).answer


@pytest.fixture(scope="module")
def several() -> ConfigurationStudy:
    """A hand-made table, a hostile name, one node count, and one without an answer."""
    every: dict[str, list[Run]] = {
        "toy": TOY, HOSTILE: law(1.0, slower=(1.02, 1.0, 0.98)), "flat": law(2.0, (2,)),
        "no room": [(8, 8, 100.0, 1.0, 900.0)],
    }  # fmt: skip
    return Case(every, ask()).answer


@pytest.fixture(scope="module")
def predicted() -> ConfigurationStudy:
    return Case({"code": law(1.0)}, ask(400.0, 0.03), Grid((3, 5, 7), (), (60.0, 85.5))).answer


@dataclass(frozen=True)
class Written:
    folder: Path
    out: str
    table: Path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The command's files: the only document that these tests typeset."""
    table = tmp_path_factory.mktemp("given") / "table.csv"
    every = (("toy", TOY), (HOSTILE, law(1.0, (2, 4, 8, 16, 32))))
    write_twice(table, ((name, *row) for name, rows in every for row in rows))
    folder = tmp_path_factory.mktemp("out")
    (folder / "figures").mkdir()
    for stale in ("plan.json", "figures/99-old.png"):
        (folder / stale).write_text("{}")
    list_as_ours(folder, "plan.json", "figures/99-old.png", "../table.csv")
    done = CliRunner().invoke(
        main, ["configure", str(table), "--power-bound", "400", "--json", "-o", str(folder)]
    )
    assert done.exit_code == 0, done.output
    return Written(folder, done.stdout, table)


# The command


def test_the_command_writes_every_file_and_lists_it(written: Written) -> None:
    listed = json.loads((written.folder / "run.json").read_text())["sha256"]
    found = {str(f.relative_to(written.folder)) for f in written.folder.rglob("*.*")}
    assert set(listed) == found - {"run.json"}
    assert {"report.pdf", "configure.xlsx", "configure.json", "figures/01-gains.svg"} <= found
    assert not {"plan.json", "figures/99-old.png"} & found
    assert written.table.exists()


def test_json_on_stdout_is_the_file(written: Written) -> None:
    assert written.out == (written.folder / "configure.json").read_text(encoding="utf-8")
    toy = json.loads(written.out)["applications"]["toy"]
    assert toy["best"]["time_s"] == 17.6  # the slower of two


def test_the_document_shows_names_literally(written: Written) -> None:
    reader = pypdf.PdfReader(written.folder / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    assert "".join(HOSTILE.split()) in text
    assert "table.csv" in text


def test_the_workbook_holds_no_formula(written: Written) -> None:
    with zipfile.ZipFile(written.folder / "configure.xlsx") as book:
        for name in book.namelist():
            tags = {each.tag.rpartition("}")[2] for each in ET.fromstring(book.read(name)).iter()}
            assert not tags & ({"hyperlink"} if "charts" in name else {"f", "hyperlink"})
        assert HOSTILE.replace("<", "&lt;") in book.read("xl/sharedStrings.xml").decode()


def test_a_folder_that_cannot_be_written_is_refused(written: Written, tmp_path: Path) -> None:
    (tmp_path / "configure.json").mkdir()
    done = CliRunner().invoke(
        main, ["configure", str(written.table), "--power-bound", "400", "-o", str(tmp_path)]
    )
    assert done.exit_code == 2
    assert "configure.json: is a folder where a result belongs" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["configure.json"]


@pytest.mark.parametrize("method", ["engine", "reference", "packed-max"])
def test_the_command_in_the_study_gives_the_same_answer(
    written: Written, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(written.table.parent)
    options = [
        "--power-bound", "390.5", "-A", HOSTILE, "--guard", "7", "--tolerance", "12.5",
        "--socket-tdp", "99.25", "--sockets", "1", "--repetition", "median",
        "--fixed-cost-nodes", "3", "--method", method, "--json",
    ]  # fmt: skip
    first = CliRunner().invoke(main, ["configure", "table.csv", *options])
    words: list[str] = json.loads(first.stdout)["study"]["provenance"]["words"]
    assert words[:2] == ["configure", "table.csv"]
    assert words[-2:] == ["-o", "DIR"]
    again = CliRunner().invoke(main, [*words[:-2], "--json"])
    assert again.stdout == first.stdout


def test_the_command_of_a_prediction_has_its_model_and_grid(
    predicted: ConfigurationStudy,
) -> None:
    words = command(predicted)
    axes = [word for before, word in pairwise(words) if before == "--grid"]
    assert grid_of(tuple(axes)) == predicted.grid
    assert words[words.index("--model") + 1] == "log-polynomial"


def test_the_example_of_the_manual_is_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "configure.md").read_text(encoding="utf-8")
    code = manual.partition("```python\n")[2].partition("```")[0]
    expected = manual.partition("```console\n")[2].partition("```")[0].splitlines()
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "configure.md", "exec"), {})
    words = shlex.split(expected[0].removeprefix("$ headroom "))
    printed = CliRunner().invoke(main, words[: words.index("-o")]).stdout
    assert [line.rstrip() for line in printed.splitlines()] == expected[1:-2]
    assert expected[-1] == "Report: out/stencil/report.pdf"
    exec(compile(manual.split("```python\n")[2].partition("```")[0], "configure.md", "exec"), {})
    for block in manual.split("```console\n")[2:]:
        expected = block.partition("```")[0].strip("\n").splitlines()
        printed = (
            CliRunner().invoke(main, shlex.split(expected[0].removeprefix("$ headroom "))).stdout
        )
        lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
        assert "\n".join(lines).strip("\n") == "\n".join(expected[1:]).strip("\n")


# Tables


def test_gains_at_round_bounds_and_at_the_requested_one(toy: ConfigurationStudy) -> None:
    rows = toy.study.rows("gains drawn")
    assert [round(row["speedup"], 4) for row in rows] == [1.0, 1.0, 1.25, 1.25, 1.25, 1.25, 1.0]
    assert 400.0 in [row["bound_w"] for row in rows]


def test_tables_hold_every_configuration_and_who_would_choose_it(
    several: ConfigurationStudy,
) -> None:
    result = tables(several)
    assert len(result["configurations"]) == len(TOY) + 36 + 9
    inside = [row["within_bound"] for row in result["configurations"][: len(TOY)]]
    assert inside == [True] * 7 + [False]
    best = [row for row in result["compared"] if row["what"] == "best"]
    assert [row["application"] for row in best] == ["toy", HOSTILE, "flat"]
    assert best[0]["unused_w"] == 20.0
    beside = [row for row in result["canonical"] if row["application"] == "toy"]
    spread_min = next(r for r in beside if r["what"] == "spread-min" and r["bound_w"] == 400)
    assert spread_min["relative_performance"] == pytest.approx(16 / 22)
    assert {row["bounded"] for row in beside} == {True, False}
    packed = next(row for row in result["at_bounds"] if row["bound_w"] == 400.0)
    assert packed["over_packed_max_time_reduction"] == pytest.approx(0.2)
    assert several.frames()["winners"].shape[0] == len(result["winners"])
    assert workbook(several.study)


def test_every_question_that_has_an_answer_has_a_page(
    toy: ConfigurationStudy, several: ConfigurationStudy, predicted: ConfigurationStudy
) -> None:
    for study in (toy, several, predicted):
        headings = [part.heading for part in view(study.study).parts]
        assert headings[0] == "What does the best configuration gain at each bound?"
        assert "How well do models predict these runs?" not in headings
        assert "Appendix: how the answer was found" in headings
    assert "confidence predicted" in [
        f"{each.severity} {each.kind}" for each in predicted.study.confidence
    ]


# Figures


def test_the_space_has_a_point_for_every_configuration(toy: ConfigurationStudy) -> None:
    (axes,) = painted(toy.study, "space").axes
    points = {str(line.get_label()): len(np.asarray(line.get_xdata())) for line in axes.lines}
    assert points == {"not allowed by the bound": 1, "allowed by the bound": 6, "best": 1}


def test_a_line_over_nodes_for_each_bound_and_for_the_mix(
    toy: ConfigurationStudy, several: ConfigurationStudy
) -> None:
    drawn = {
        str(line.get_label()): np.column_stack((line.get_xdata(), line.get_ydata())).tolist()
        for line in painted(toy.study, "nodes").axes[0].lines
    }
    assert drawn["400 W"] == [[2, 20], [4, 16]]
    assert drawn["no bound"] == [[2, 20], [4, 11]]
    names = {row["series"] for row in several.study.rows("nodes drawn")}
    assert names == {"mix"}


def test_thousands_of_configurations_stay_a_small_file() -> None:
    answer = Case({"crowd": law(1.0, tuple(range(2, 450, 2)))}, ask(9000.0)).answer
    assert len(answer.answers[0].table) == 2016
    (picture,) = [each for each in pictures(answer.study) if each.kind == "space"]
    assert len(picture.svg) < 2_000_000


def test_figures_are_the_same_on_given_axes(several: ConfigurationStudy) -> None:
    assert same_on_given_axes(pictures(several.study))


# Models


def made_up() -> PredictionStudy:
    """Rows of two applications; the second model errs least, the first breaks bounds."""
    training = "12 configurations, all repetitions"
    models = (("log-polynomial", 0.08, (0.5, 0.2)), ("physical", 0.02, (0.2,) * 2))
    names = (HOSTILE, "other")
    errors = tuple(
        Errors(name, model, training, e, 2 * e, 10 * e, e / 2, e, 5 * e, 3 * e)
        for name in names
        for model, e, _ in models
    )
    decisions = tuple(
        ModelDecisions(name, model, training, guard, 0.01 + guard, -0.005, 0.04, 0.02, guard / 2,
                       share, 0.031, 0.0, 20)
        for name in names
        for model, _, shares in models
        for guard, share in zip((0.0, 0.05), shares, strict=True)
    )  # fmt: skip
    at_bounds = (VerifiedAtBound(500.0, 0.0, 0.11, 0.12), VerifiedAtBound(400.0, 0.005, 0.0, 0.005))
    verified = tuple(
        Verified(name, training, 7.5, 0.03, 0.0, 0.12, 0.004, at_bounds, 0.05, 0.003, 0.1, 20)
        for name in names
    )
    medians: dict[str, tuple[float | None, ...]] = {
        "sequential": (0.05, 0.01, 0.0),
        "random, verified": (0.01, 0.03, 0.02),
        "random, log-polynomial": (None, 0.01, 0.01),
    }
    curves = tuple(
        CurvePoint(name, strategy, spent, median, median, median, 0.25, 0.02,
                   float(median is None), 4)
        for name in names
        for strategy, row in medians.items()
        for spent, median in zip((8, 12, 24), row, strict=True)
    )  # fmt: skip
    return PredictionStudy(errors, decisions, verified, curves, (3, 4, 5, 6, 7), (3, 4))


def test_how_well_models_do_is_in_tables_and_figures() -> None:
    alone = Case({HOSTILE: law(1.0, slower=(1.0, 1.02)), "other": law(2.0)}, ask()).answer
    full = replace(alone, prediction=made_up())
    found = tables(full)
    assert len(found["model_errors"]) == 4
    assert len(found["model_decisions"]) == 8
    assert [row["bound_w"] for row in found["verified_at_bounds"]] == [500.0, 400.0] * 2
    assert len(found["runs_needed"]) == 18
    assert {(row["strategy"], row["runs"]) for row in found["needed"]} == {
        ("sequential", 12), ("random, verified", 24), ("random, log-polynomial", 12),
    }  # fmt: skip
    assert command(full)[-5:] == ("--full", "--seed", "3", "-o", "DIR")
    kinds = [picture.kind for picture in pictures(full.study)]
    assert kinds[-2:] == ["models", "runs"]
    headings = [part.heading for part in view(full.study).parts]
    assert {"How well do models predict these runs?", "How many runs are needed?"} <= {*headings}
    plain = json.loads(json.dumps(full.study.to_dict()))["prediction"]
    assert (plain["seeds"], plain["curve_seeds"]) == ([3, 4, 5, 6, 7], [3, 4])
    assert "fit_" not in json.dumps(plain)  # no time of a fit


@pytest.mark.slow
def test_full_on_a_table_of_one_s_own(written: Written, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main,
        ["configure", str(written.table), "--power-bound", "400", "-A", HOSTILE, "--full", "--seed",
         "2", "--json", "-o", str(tmp_path)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)["prediction"]
    assert result["seeds"] == [2, 3, 4, 5, 6]
    assert {row["model"] for row in result["errors"]} == set(MODELS)
    assert {row["runs"] for row in result["curves"]} == {8, 12, 16, 24}
    assert all(0 <= row["violations"] <= 1 for row in result["decisions"])
