"""The report on estimates: its files, its names, what its figures show; few cells, no waits."""

from __future__ import annotations

import json
import math
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

import headroom
from planner.scheduling.estimates.cases import EstimateCase
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.tools import PredictorTool
from reports.figures import pictures
from reports.figures.heat_map import darkest, number
from reports.output_names import can_be_ours
from reports.view import view
from reports.writers.terminal import terminal
from reports.writers.workbook import workbook
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from tests.claims.estimate import Case, Wait, made, simulated_study
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted

HOSTILE = "$x_1^{2}$ #panic() *b* =1+1"
NAMES = (
    "01-predictors", "02-mean", "03-longest", "04-groups", "05-weights", "06-completions",
)  # fmt: skip
DRAWN = lublin_log(150, 64, 3, load=0.9, estimate_factor=4)


def log_of(users: int, **changed: Any) -> JobLog:
    """A drawn log of so many users."""
    user = np.random.default_rng(1).integers(0, users, len(DRAWN)).astype(np.int32)
    return replace(DRAWN, user=user, **changed)


@pytest.fixture(scope="module")
def full() -> EstimateStudy:
    """With everything: waits, weights, names that are markup."""
    recorded = np.random.default_rng(2).integers(0, 5000, len(DRAWN))
    return simulated_study(
        log_of(20, wait_s=recorded, name=HOSTILE), weights=True, uptakes=(0.0, 0.2, 1.0),
        predictors=("last-two", "quantile", "refining"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def written(full: EstimateStudy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files."""
    folder = tmp_path_factory.mktemp("out")
    headroom.report(full, folder)
    return folder


def by_error(gains: dict[float, float]) -> Wait:
    """100 s without the tool; with the oracle less by the error's gain, and 10 s more by seed."""

    def wait(case: EstimateCase, seed: int) -> float:
        if case.tool is None:
            return 100.0
        gain = gains.get(getattr(case.tool, "most_error", -1.0), 0.0)
        return 100 * (1 - gain) + (10 * seed if gain else 0)

    return wait


def of_tools(extend: float, kill: float, exact: float = 80.0) -> Wait:
    """100 s without a tool, and so many with each."""

    def wait(case: EstimateCase, _seed: int) -> float:
        if case.tool is None:
            return 100.0
        if not isinstance(case.tool, PredictorTool):
            return exact
        return extend if case.tool.overruns.then == "extend" else kill

    return wait


# Files


def test_every_file_is_written_and_listed(written: Path) -> None:
    listed = json.loads((written / "run.json").read_text())
    found = {str(f.relative_to(written)) for f in written.rglob("*.*")} - {"run.json"}
    assert set(listed["sha256"]) == found
    assert found == {
        "report.pdf", "estimate.xlsx", "estimate.json",
        *(f"figures/{name}.{ending}" for name in NAMES for ending in ("png", "svg")),
    }  # fmt: skip
    assert all(can_be_ours(name) for name in ("estimate.json", "estimate.xlsx"))


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        found = simulated_study(log_of(20), uptakes=(1.0,), errors=(0.0,), seeds=(0,))
        headroom.report(found, tmp_path / name)
        digests.append(json.loads((tmp_path / name / "run.json").read_text())["sha256"])
    assert digests[0] == digests[1]
    assert "report.pdf" in digests[0]


def test_the_document_shows_names_literally(written: Path, full: EstimateStudy) -> None:
    reader = pypdf.PdfReader(written / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    for words in [HOSTILE, *(part.heading for part in view(full.study).parts)]:
        assert "".join(words.split()) in text
    assert 5 <= len(reader.pages) <= 8


def test_the_workbook_holds_every_table_and_no_formula(written: Path, full: EstimateStudy) -> None:
    with zipfile.ZipFile(written / "estimate.xlsx") as book:
        for name in (each for each in book.namelist() if "/charts/" not in each):
            tags = {each.tag.rpartition("}")[2] for each in ET.fromstring(book.read(name)).iter()}
            assert not tags & {"f", "hyperlink"}
    tables = full.tables()
    assert len(tables["mean queue time"]) == 6
    assert {"few cells", "groups", "predictors", "weights", "validation", "claims"} <= {*tables}


# Pages


def test_every_question_has_its_page_and_those_without_data_have_none(full: EstimateStudy) -> None:
    headings = [part.heading for part in view(full.study).parts]
    bare = made(by_error({0.0: 0.1}), predictors=()).answer
    left_out = {*headings} - {part.heading for part in view(bare.study).parts}
    assert left_out == {
        "Do real predictors shorten waits?", "What do the sampled users gain?",
        "How much depends on the scheduler's weights?",
        "Does the simulated schedule match the recorded one?",
    }  # fmt: skip
    alone = made(by_error({0.0: 0.1}), log=log_of(1)).answer
    assert "Who gains?" not in [part.heading for part in view(alone.study).parts]


def test_the_first_page_shows_some_of_many_cells() -> None:
    found = made(by_error({0.0: 0.1}), uptakes=(0.2, 0.4, 0.6, 0.8, 1.0), errors=(0.0, 0.1, 0.2))
    rows = found.answer.tables()["few cells"]
    without, *cells = ((row["uptake"], row.get("error")) for row in rows)
    assert without == (0, None)
    assert {*cells} == {(uptake, error) for uptake in (0.2, 0.6, 1.0) for error in (0.0, 0.1, 0.2)}
    assert len(found.answer.tables()["mean queue time"]) == 15


def test_cells_have_changes_and_their_ends() -> None:
    few = made(by_error({0.0: 0.3, 0.5: -2.0}), uptakes=(1.0,)).answer.tables()["few cells"]
    without, *rows = few
    assert (without["mean_s"], without["longest_s"], without.get("change")) == (100, 300, None)
    # 70 and 80 s; 300 and 310 s; the longest are three times as long
    assert [row["change"] for row in rows] == pytest.approx([-0.25, 2.05])
    assert [row["change_low"] for row in rows] == pytest.approx([-0.3, 2.0])
    assert [row["change_high"] for row in rows] == pytest.approx([-0.2, 2.1])
    assert [row["mean_s"] for row in rows] == pytest.approx([75, 305])
    assert [row["longest_s"] for row in rows] == pytest.approx([225, 915])


def test_groups_have_their_waits(full: EstimateStudy) -> None:
    rows = full.tables()["groups"]
    assert [row["uptake"] for row in rows] == [0, 0.2, 1]
    assert rows[0]["tool_users_s"] is None
    assert rows[2]["others_s"] is None


def test_simulations_are_counted_by_kind(full: EstimateStudy) -> None:
    (page,) = (each for each in full.study.questions if each.name == "method")
    facts = {fact.key: fact.value for fact in page.facts}
    kinds = ("without_tool", "with_oracle", "with_predictor")
    assert sum(facts[kind] for kind in kinds) == facts["simulations"] == len(full.outcomes)  # type: ignore[misc]
    assert (facts["without_tool"], facts["with_weights"]) == (9, 16)
    points = {row["weight"]: row["points"] for row in full.tables()["weights of the priority"]}
    assert points["service queue_time"] == 1


@pytest.mark.parametrize("varied", [True, False])
def test_only_bundled_weights_are_called_assumed(varied: bool) -> None:
    bundled = made(by_error({}), weights=varied).answer
    priority = bundled.configuration.priority
    resource = priority.resource.model_copy(update={"processors": 7.0})
    own = {"priority": priority.model_copy(update={"resource": resource})}
    other = replace(bundled, configuration=bundled.configuration.model_copy(update=own))
    assert "own-weights" in {each.kind for each in bundled.study.findings}
    assert "own-weights" not in {each.kind for each in other.study.findings}


def test_an_oracle_that_is_never_outlived_is_one_row(full: EstimateStudy) -> None:
    found = [(row["predictor"], row["strategy"]) for row in full.tables()["predictors"]]
    assert found.count(("refining", "never")) == 1
    assert {strategy for name, strategy in found if name == "last-two"} == {"extend", "request"}


def test_the_validation_has_its_schedules(full: EstimateStudy) -> None:
    rows = full.tables()["validation"]
    assert [row["policy"] for row in rows] == ["recorded", "maui", "fcfs", "at submission"]
    assert rows[0]["area_h_per_job"] is None
    assert rows[1]["area_h_per_job"] > 0


# Figures


def panel(case: Case, place: int = 0) -> Any:
    return painted(case.answer.study, "mean").axes[place]


def mesh_of(axes: Any) -> QuadMesh:
    (mesh,) = [each for each in axes.collections if isinstance(each, QuadMesh)]
    return mesh


def outlined(axes: Any) -> set[tuple[float, float]]:
    """Column and row of the cells that are marked."""
    corners = (each.get_xy() for each in axes.patches if isinstance(each, Rectangle))
    return {(math.floor(x), math.floor(y)) for x, y in corners}


def test_few_gains_have_no_map() -> None:
    few = made(by_error({0.0: 0.3, 0.5: 0.1}), uptakes=(1.0,)).answer
    assert not {"mean", "longest"} & {picture.kind for picture in pictures(few.study)}
    many = made(by_error({0.0: 0.3, 0.5: 0.1})).answer
    assert {"mean", "longest"} <= {picture.kind for picture in pictures(many.study)}


def test_cells_show_their_numbers_colours_and_signs() -> None:
    axes = panel(made(by_error({0.0: 0.3, 0.5: -0.2})))
    # falls by 30 and 20 %, rises by 20 and 30 %, at both uptakes
    assert [each.get_text() for each in axes.texts] == ["−25", "+25"] * 2  # noqa: RUF001
    assert outlined(axes) == {(0, 0), (1, 0), (0, 1), (1, 1)}
    mesh = mesh_of(axes)
    assert mesh.get_clim() == pytest.approx((-0.25, 0.25))
    colours: Any = mesh.cmap(mesh.norm(np.asarray(mesh.get_array()).ravel()))
    fall, rise, *_ = colours
    assert fall[2] > fall[0]
    assert rise[0] > rise[2]
    names = [[each.get_text() for each in labels]
             for labels in (axes.get_yticklabels(), axes.get_xticklabels())]  # fmt: skip
    assert [[name.replace("\xa0", " ") for name in axis] for axis in names] == [
        ["20 %", "100 %"], ["0 %", "50 %"],
    ]  # fmt: skip
    spread = panel(made(by_error({0.0: 0.3, 0.5: -0.2})), 1)
    assert [each.get_text() for each in spread.texts] == ["7.1"] * 4


def test_seeds_that_disagree_have_no_outline() -> None:
    axes = panel(made(by_error({0.0: 0.05, 0.5: 0.3})))  # 5 and -5 %; 30 and 20 %
    assert outlined(axes) == {(1, 0), (1, 1)}


def test_one_seed_has_no_deviation() -> None:
    found = made(by_error({0.0: 0.3}), seeds=(0,))
    assert len(painted(found.answer.study, "mean").axes) == 1


def test_a_huge_rise_leaves_falls_their_colour() -> None:
    assert darkest(np.array([[-0.10, 40.0]])) == pytest.approx(0.30)
    assert darkest(np.array([[-0.03, 40.0]])) == pytest.approx(0.20)
    assert darkest(np.array([[-0.10, 0.12]])) == pytest.approx(0.12)
    assert darkest(np.array([[0.0, np.nan]])) == 0.01
    shown = [each.get_text() for each in panel(made(by_error({0.0: -40.0}))).texts]
    assert number(40.05, signed=True) in shown  # 4,000 and 4,010 % longer


def test_cells_stand_in_order_whatever_the_order_given() -> None:
    one = panel(made(by_error({0.0: 0.3}), uptakes=(1.0, 0.0, 0.2), errors=(0.5, 0.0)))
    other = panel(made(by_error({0.0: 0.3})))
    assert [each.get_text() for each in one.texts] == [each.get_text() for each in other.texts]


def test_lines_of_groups_are_those_of_the_study(full: EstimateStudy) -> None:
    axes = painted(full.study, "groups").axes[0]
    drawn = {str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.lines}
    rows = full.by_group
    assert drawn["sampled users"] == [row["seed_group_s"] for row in rows]
    assert drawn["others"] == [row["others_s"] for row in rows[:-1]]
    assert drawn["users of the tool"] == [row["tool_users_s"] for row in rows[1:]]


def dots(canvas: Canvas) -> list[float]:
    return [float(np.asarray(line.get_xdata())[0]) for line in canvas.axes[0].lines
            if line.get_marker() == "o"]  # fmt: skip


def test_huge_losses_are_arrows_and_their_numbers_are_told() -> None:
    words: dict[str, Any] = {
        "predictors": ("last-two",), "strategies": ("extend", "request", "double"),
    }  # fmt: skip
    found = made(of_tools(extend=90, kill=10_000), **words)
    canvas = painted(found.answer.study, "predictors")
    axes = canvas.axes[0]
    assert dots(canvas) == pytest.approx([-0.1])
    arrows = [line for line in axes.lines if line.get_marker() == ">"]
    assert [np.asarray(arrow.get_xdata())[0] for arrow in arrows] == pytest.approx([0.3] * 2)
    texts = [each.get_text().replace("\xa0", " ") for each in axes.texts]
    assert texts == ["100 \N{MULTIPLICATION SIGN}"] * 2
    near = made(of_tools(extend=90, kill=10_000), strategies=("extend", "request", "double"))
    canvas = painted(near.answer.study, "predictors")  # last-two extended, and the oracle
    assert dots(canvas) == pytest.approx([-0.1, -0.1])
    assert not canvas.axes[0].texts
    small = made(of_tools(extend=90, kill=120), strategies=("extend", "request"))
    assert max(dots(painted(small.answer.study, "predictors"))) == pytest.approx(0.2)


def test_weights_have_a_dot_for_the_change_by_exact_run_times() -> None:
    wait = {"without bypass": 50.0, "ten times processors": 150.0}
    found = made(lambda case, _seed: 100.0 if case.tool is None else wait.get(case.variant, 80.0),
                 weights=True)  # fmt: skip
    canvas = painted(found.answer.study, "weights")
    rows = found.answer.tables()["weights"]
    assert dots(canvas) == [row["change"] for row in rows]
    names = [each.get_text() for each in canvas.axes[0].get_yticklabels()]
    assert len(names) == len({*names}) == len(rows)


def test_completions_are_the_difference_from_the_recorded(full: EstimateStudy) -> None:
    axes = painted(full.study, "completions").axes[0]
    for line in axes.lines[:3]:
        assert np.asarray(line.get_ydata())[-1] == 0  # at the end all have completed
    assert full.validation is not None
    largest = max(each.largest_gap_jobs for each in full.validation.deviations)
    found = max(float(np.abs(np.asarray(line.get_ydata())).max()) for line in axes.lines[:3])
    assert 0.5 * largest < found <= largest


def test_figures_are_the_same_on_given_axes(full: EstimateStudy) -> None:
    assert same_on_given_axes(pictures(full.study))


# Edges

NO_WAITS = {"submit_s": np.arange(len(DRAWN)) * 900_000}
NO_RUNS = NO_WAITS | {"run_s": np.zeros(len(DRAWN), np.int64)}
EDGES: list[tuple[JobLog, dict[str, Any]]] = [
    (log_of(1), {}),
    (log_of(2), {"uptakes": (1.0,), "errors": (0.0,), "seeds": (7,), "predictors": ()}),
    (log_of(20), {"uptakes": (0.05, 0.1)}),
    (log_of(20), {"uptakes": (0.0,)}),
    (log_of(20), {"errors": (0.0,)}),
    (log_of(4, **NO_WAITS), {"weights": True}),
    (log_of(4, **NO_RUNS), {}),
    (log_of(20).take(np.arange(1)), {}),
    (log_of(20, wait_s=np.zeros(len(DRAWN), np.int64)), {}),
]


@pytest.mark.parametrize("place", range(len(EDGES)))
def test_every_edge_has_a_report(place: int) -> None:
    job_log, changed = EDGES[place]
    found = simulated_study(job_log, **changed)
    said = terminal(found.study)
    assert not any(word in said.split() for word in ("nan", "None", "inf"))
    json.dumps(found.to_dict(), allow_nan=False)
    assert workbook(found.study)
    assert isinstance(pictures(found.study), list)


def test_where_nobody_waits_nothing_is_drawn_of_waits() -> None:
    found = simulated_study(log_of(4, **NO_WAITS), weights=True, errors=(0.0, 0.5, 1.0))
    assert not pictures(found.study)
    assert found.study.headline.kind == "nobody-waits"
    plain = found.to_dict()["tables"]
    assert {row["gain"] for row in plain["predictors"] + plain["weights"]} == {None}


def test_jobs_without_run_time_lose_no_share_of_work() -> None:
    found = simulated_study(log_of(4, **NO_RUNS))
    assert {each.outcome.lost_share for each in found.remains} == {0.0}
