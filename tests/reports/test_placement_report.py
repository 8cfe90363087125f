"""The report on a placement: its files, its names, its figures, at any size."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from planner.cli.main import main
from planner.placement.compared import PlacementSettings
from planner.placement.hierarchy import read_hierarchy
from planner.placement.layout import laid_out
from planner.placement.problem import place
from planner.placement.study import PlacementStudy, study
from reports.figures import pictures
from reports.figures.graph import places
from reports.view import typed, view
from reports.writers.workbook import workbook
from scenarios.communication.matrix import Directed, joined
from tests.claims.place import CROSSED, Case
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted

HOSTILE = '$x_1^{2}$ #panic() *b* =1+1 <a href="'
LONG = "数値流体力学" * 6
TEXT = "\n".join(",".join(map(str, row)) for row in CROSSED.tolist())


@pytest.fixture(scope="module")
def crossed() -> PlacementStudy:
    return Case(CROSSED, {"nodes": 2}, many=np.ceil(CROSSED / 50)).answer


@pytest.fixture(scope="module")
def levelled() -> PlacementStudy:
    """16 ranks on two nodes of two sockets with two dies each."""
    drawn = np.triu(np.random.default_rng(3).integers(0, 100, (16, 16)), 1)
    node = read_hierarchy("pack:2 die:2 core:2")
    return Case(drawn, {"hierarchies": [(None, node)]}).answer


@pytest.fixture(scope="module")
def ring() -> PlacementStudy:
    """1,500 ranks in a shuffled ring on nodes of 12, by multilevel and one start."""
    order = np.random.default_rng(5).permutation(1_500)
    records = Directed(order, np.roll(order, 1), np.full(1_500, 64.0))
    found = place(joined("ring", 1_500, records), tasks_per_node=12, starts=1, time_limit_s=0.01,
                  algorithm="multilevel")  # fmt: skip
    layout = laid_out(found.groups, cores_per_processor=12)
    return study(found, layout, PlacementSettings("multilevel", starts=1, time_limit_s=0.01))


@dataclass(frozen=True)
class Written:
    folder: Path
    out: str
    matrix: Path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The command's files: the only document that these tests typeset."""
    path = tmp_path_factory.mktemp("given") / f"{HOSTILE} {LONG}.csv"
    path.write_text(TEXT)
    folder = tmp_path_factory.mktemp("out")
    (folder / "rank-files").mkdir()
    for stale in ("rank-files/old.txt", "rank-files/mine.sh"):
        (folder / stale).write_text("")
    list_as_ours(folder, "rank-files/old.txt", "rank-files/mine.sh", "../x.csv")
    words = ["place", str(path), "--nodes", "2", "--json", "-o", str(folder), "--host", "a-1.x",
             "--host", "b", "--rank-file-form", "slurm"]  # fmt: skip
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return Written(folder, done.stdout, path)


# The command


def test_the_command_writes_every_file_and_lists_it(written: Written) -> None:
    listed = json.loads((written.folder / "run.json").read_text())
    found = {str(f.relative_to(written.folder)) for f in written.folder.rglob("*.*")} - {"run.json"}
    assert found - {"rank-files/mine.sh"} == set(listed["sha256"])  # old.txt was ours
    figures = {f"figures/{name}.{form}" for form in ("png", "svg")
               for name in ("01-matrix", "02-algorithms", "03-graph")}  # fmt: skip
    files = {"bind.sh", "launch.txt", "mpich.txt", "openmpi-4.txt", "openmpi-5.txt", "ranks.csv",
             "slurm.txt"}  # fmt: skip
    assert set(listed["sha256"]) == {
        "report.pdf", "place.xlsx", "place.json", *figures, *(f"rank-files/{f}" for f in files)
    }  # fmt: skip
    assert [each["algorithm"] for each in listed["solves"]][:2] == ["order", "kl"]
    assert all(each["seconds"] > 0 for each in listed["solves"])


def test_json_on_stdout_is_the_file(written: Written) -> None:
    assert written.out == (written.folder / "place.json").read_text(encoding="utf-8")
    found = json.loads(written.out)
    assert found["groups"] == [[0, 3], [1, 2]]
    assert (found["cut"], found["cut_rank_order"], found["bound"]) == (8, 404, 8)
    assert found["communication"]["self_bytes"] == 7
    assert found["hosts"] == ["a-1.x", "b"]
    assert "seconds" not in written.out


def test_the_document_shows_names_literally(written: Written) -> None:
    reader = pypdf.PdfReader(written.folder / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    assert "".join(HOSTILE.split()) in text
    for part in view(Case(CROSSED, {"nodes": 2}).answer.study).parts:
        assert "".join(part.heading.split()) in text
    assert "SLURM_HOSTFILE=rank-files/slurm.txt" in text
    assert "0a-1.x0,3" in text
    assert "1b1,2" in text


def test_the_workbook_holds_no_formula(written: Written) -> None:
    with zipfile.ZipFile(written.folder / "place.xlsx") as book:
        for name in book.namelist():
            tags = {each.tag.rpartition("}")[2] for each in ET.fromstring(book.read(name)).iter()}
            assert not tags & {"f", "hyperlink"}


@pytest.mark.parametrize("stands", ["place.json", "rank-files"])
def test_a_folder_that_cannot_be_written_is_refused(
    written: Written, tmp_path: Path, stands: str
) -> None:
    target = tmp_path / stands
    target.write_text("") if stands == "rank-files" else target.mkdir()
    done = CliRunner().invoke(
        main, ["place", str(written.matrix), "--nodes", "2", "-o", str(tmp_path)]
    )
    assert done.exit_code == 2
    assert f"{stands}: is a f" in done.output
    assert [path.name for path in tmp_path.iterdir()] == [stands]


def test_the_command_in_the_appendix_gives_the_same_groups(
    written: Written, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words: list[str] = json.loads(written.out)["study"]["provenance"]["words"]
    assert words[:2] == ["place", written.matrix.name]
    monkeypatch.chdir(written.matrix.parent)
    kept = [word for word in words if word not in ("-o", "DIR")]
    again = CliRunner().invoke(
        main, [*kept, "--write-rank-file", str(tmp_path / "ranks"), "--json"]
    )
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["groups"] == json.loads(written.out)["groups"]
    written_before = written.folder / "rank-files" / "slurm.txt"
    assert (tmp_path / "ranks").read_bytes() == written_before.read_bytes()


def test_options_reach_the_comparison(written: Written, tmp_path: Path) -> None:
    words = ["place", str(written.matrix), "--nodes", "2", "--host", "a", "--host", "b", "--seed",
             "3", "--starts", "2", "--time-limit", "7", "--method", "kl", "--pin", "3=b",
             "--rank-file-form", "mpich", "--json", "-o", str(tmp_path)]  # fmt: skip
    found = json.loads(CliRunner().invoke(main, words).stdout)
    assert (found["algorithm"], found["seed"], found["starts"]) == ("kl", 3, 2)
    assert (found["time_limit_s"], found["hosts"]) == (7.0, ["a", "b"])
    assert 3 in found["groups"][1]
    assert found["study"]["provenance"]["words"][2:] == [
        "--nodes", "2", "--pin", "3=b", "--method", "kl", "--seed", "3", "--starts", "2",
        "--time-limit", "7.0", "--rank-file-form", "mpich", "--host", "a", "--host", "b", "-o",
        "DIR",
    ]  # fmt: skip


# Pages


def test_every_question_has_its_page(crossed: PlacementStudy, levelled: PlacementStudy) -> None:
    silent = Case(np.diag([5.0, 0, 0, 0]), {"nodes": 2}).answer
    heading = {
        name: [part.heading for part in view(each.study).parts]
        for name, each in (("crossed", crossed), ("silent", silent), ("levelled", levelled))
    }
    traffic, within = "Which nodes exchange most?", (
        "Which traffic stays within a node, socket or die?"
    )  # fmt: skip
    change = {"What does the placement change?", "What would change the decision?",
              "Appendix: ranks that exchange most between nodes"}  # fmt: skip
    assert traffic in heading["crossed"]
    assert within not in heading["crossed"]
    assert heading["silent"] == [
        each for each in heading["crossed"] if each not in {traffic, *change}
    ]
    assert {*heading["levelled"]} - {*heading["crossed"]} == {within}
    assert silent.tables().get("mappings") is None
    assert not pictures(silent.study)


def test_pairs_are_the_largest_first_and_levels_add_up(
    crossed: PlacementStudy, levelled: PlacementStudy
) -> None:
    tables = crossed.tables()
    assert [row["weight"] for row in tables["pairs of ranks parted"]] == [2, 2, 2, 2]
    assert [row["share"] for row in tables["pairs of ranks parted"]] == [0.25] * 4
    assert tables["pairs of nodes"][0]["weight"] == 8
    rows = levelled.tables()["levels"]
    assert [row["level"] for row in rows] == ["network", "node", "pack", "die"]
    assert [row["distance"] for row in rows] == [1000, 100, 10, 1]
    assert sum(row["bytes"] for row in rows) == levelled.placement.communication.total_bytes
    assert sum(row["share"] for row in rows) == pytest.approx(1)


def test_other_numbers_of_ranks_have_their_rows(ring: PlacementStudy) -> None:
    rows = ring.tables()["tasks on a node"]
    assert [(row["tasks_per_node"], row["nodes"]) for row in rows] == [
        (3, 500), (6, 250), (12, 125), (24, 63), (48, 32),
    ]  # fmt: skip
    assert [row["nodes"] for row in rows if row["own"]] == [125]
    assert len(ring.tables()["ranks"]) == 1_500
    assert len(ring.tables()["nodes"]) == 125
    assert workbook(ring.study)


@pytest.mark.parametrize("cores", [1, 40, 500])
def test_long_commands_break_as_a_shell_joins_them(cores: int) -> None:
    command = f"srun --cpu-bind=map_cpu:{','.join(map(str, range(cores)))} PROGRAM"
    shown = typed(command)
    assert shown.replace("\\\n", "") == command
    assert max(map(len, shown.splitlines())) <= 88
    assert shown.endswith("PROGRAM")


def test_rank_files_are_listed_with_their_lines(ring: PlacementStudy) -> None:
    lines = {row["file"]: row["lines"] for row in ring.tables()["rank files"]}
    for name, content in ring.further_files().items():
        if (file := name.rpartition("/")[2]) in lines:
            assert lines[file] == len(content.decode().splitlines())


# Figures


def titled(study: PlacementStudy, name: str) -> Canvas:
    return painted(study.study, name)


def test_both_panels_are_painted_with_one_scale(crossed: PlacementStudy) -> None:
    left, right = titled(crossed, "matrix").axes[:2]
    assert (left.get_title(), right.get_title()) == ("Default mapping", "As placed")
    ends = [axes.images[0].norm for axes in (left, right)]
    assert [(each.vmin, each.vmax) for each in ends] == [(2, 200)] * 2
    shown: Any = right.images[0].get_array()
    step = len(shown) // 4
    assert shown[::step, ::step].filled(0).tolist() == [
        [0, 200, 2, 2], [200, 0, 2, 2], [2, 2, 0, 200], [2, 2, 200, 0],
    ]  # fmt: skip
    first: Any = left.images[0].get_array()
    assert first[0, ::step].filled(0).tolist() == [0, 2, 2, 200]
    assert len(shown) >= 1_000  # sharp however it is scaled
    squares = [patch.get_bbox().bounds for patch in right.patches if isinstance(patch, Rectangle)]
    assert squares == [(0, 0, 2, 2), (2, 2, 2, 2)]
    assert [text.get_text() for text in right.get_xticklabels()] == ["0", "3", "1", "2"]
    written = {text.get_text().replace("\xa0", " ") for text in right.texts}
    assert written == {"2 B", "200 B"}


def test_the_matrix_shows_messages_where_these_were_grouped() -> None:
    square = np.triu(np.full((4, 4), 200.0), 1)
    answer = Case(square, {"nodes": 2}, "messages", many=np.ceil(square / 50)).answer
    assert {row["default"] for row in answer.tables()["cells"]} == {4}
    assert answer.study.table("cells").columns[2].unit == "message"
    assert painted(answer.study, "matrix")


def test_weights_that_are_alike_look_alike() -> None:
    square = np.triu(np.full((4, 4), 100.0), 1)
    square[0, 1] = 101.0
    norm: Any = titled(Case(square, {"nodes": 2}).answer, "matrix").axes[0].images[0].norm
    assert norm.vmax / norm.vmin >= 10


def test_thousands_of_ranks_share_cells(ring: PlacementStudy) -> None:
    assert ring.study.data["cell"] == 12
    rows = ring.tables()["cells"]
    for key in ("default", "placed"):  # a pair counts once
        assert sum(row[key] or 0 for row in rows) == 1_500 * 64
    inside = sum(row["placed"] or 0 for row in rows if row["row"] == row["column"])
    assert inside == ring.by_node[0].sum()
    assert len(titled(ring, "matrix").axes[1].lines) == 2 * 31


def test_squares_of_the_first_level_within_nodes_are_dotted(levelled: PlacementStudy) -> None:
    patches = titled(levelled, "matrix").axes[1].patches
    dotted = [each for each in patches if isinstance(each, Rectangle)
              and each.get_linestyle() in (":", "dotted")]  # fmt: skip
    assert [each.get_x() for each in dotted] == [0, 4, 8, 12]


def test_dots_stand_at_what_each_method_finds(crossed: PlacementStudy) -> None:
    (axes,) = titled(crossed, "algorithms").axes
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [np.asarray(dot.get_xdata())[0] for dot in dots] == [
        each.value for each in crossed.tried
    ]
    lines = {line.get_label(): np.asarray(line.get_xdata())[0]
             for line in axes.lines if len(np.asarray(line.get_xdata())) == 2}  # fmt: skip
    assert lines == {"proven limit": 8, "default mapping": 404}
    looks = {(line.get_color(), line.get_linestyle()) for line in axes.lines
             if line.get_label() in lines}  # fmt: skip
    assert len(looks) == 2


def test_curves_descend_from_the_busiest_node(ring: PlacementStudy) -> None:
    figure = titled(ring, "traffic")
    order, placed = (np.asarray(line.get_ydata()) for line in figure.axes[0].lines)
    assert sorted(placed.tolist()) == sorted(ring.by_node[1].tolist())
    assert (np.diff(order) <= 0).all()
    assert figure.axes[0].get_ylim()[1] > max(order.max(), placed.max())
    assert placed.sum() == 2 * ring.placement.partition.cut


def test_bars_are_as_high_as_the_bytes_of_each_level(levelled: PlacementStudy) -> None:
    rows = levelled.placement.by_level
    for axes, key in zip(titled(levelled, "levels").axes, ("bytes_rank_order", "bytes"),
                         strict=True):  # fmt: skip
        bars = [patch.get_height() for patch in axes.patches if isinstance(patch, Rectangle)]
        assert bars == [getattr(row, key) for row in rows]


def test_the_graph_has_each_rank_in_its_node_and_each_edge_cut_or_not(
    crossed: PlacementStudy, ring: PlacementStudy
) -> None:
    order, placed = titled(crossed, "graph").axes
    for axes, groups in ((order, [{0, 1}, {2, 3}]), (placed, [{0, 3}, {1, 2}])):
        circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
        hulls = [each for each in circles if each.get_zorder() == 1]
        ranks = [each for each in circles if each.get_zorder() == 6]  # drawn by number
        inside = [
            {r for r, each in enumerate(ranks) if np.hypot(*(np.subtract(each.center, hull.center)))
             + each.radius <= hull.radius}
            for hull in hulls
        ]  # fmt: skip
        assert inside == groups
        edges = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
        dashed = [each for each in edges if each.get_linestyle() != "-"]
        assert (len(edges), len(dashed)) == (6, 4)
    widest = [max(edges.get_linewidth() for edges in axes.patches
                  if isinstance(edges, FancyArrowPatch) and edges.get_linestyle() != "-")
              for axes in (order, placed)]  # fmt: skip
    # The heavy pairs are cut in the order of ranks alone. Lines are 1.0 to 3.2 points wide: finer
    # ones are lost in print, so the widest is little more than 3 times as wide as the finest.
    assert min(widest) >= 1.0
    assert widest[0] > 3 * widest[1]
    assert "graph" not in [each.kind for each in pictures(ring.study)]  # 1,500 ranks


def test_heavy_pairs_are_near_each_other_in_the_graph() -> None:
    # Nodes on a ring of 5, each exchanging 9 with the next but one and 1 with the next.
    edges = [(u, (u + 2) % 5, 9.0) for u in range(5)] + [(u, (u + 1) % 5, 1.0) for u in range(5)]
    spots = places(list(range(5)), edges).ranks
    far = [float(np.linalg.norm(spots[u] - spots[v])) for u, v, _ in edges]
    assert max(far[:5]) < min(far[5:])


def test_figures_are_the_same_on_given_axes(crossed: PlacementStudy) -> None:
    assert same_on_given_axes(pictures(crossed.study))
