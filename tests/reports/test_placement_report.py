"""The report on a placement: what it says, by hand; what its figures show; any names, any size."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from planner.cli.main import main
from planner.formatting import percent
from planner.placement.bundle import bundle
from planner.placement.compared import PlacementSettings
from planner.placement.hierarchy import read_counted, read_hierarchy
from planner.placement.layout import laid_out
from planner.placement.nodes import Memory
from planner.placement.problem import place
from planner.placement.rank_files import FileForm
from planner.placement.study import PlacementStudy, study
from planner.placement.warnings import risks
from reports import publish
from reports.blocks import by_kind
from reports.placement import document, pictures
from reports.placement.figures import algorithms, graph, levels, matrix, nodes
from reports.placement.pages import algorithms as good
from reports.placement.pages import costs, counted, gain, method, start
from reports.placement.pages import levels as shared
from reports.placement.pages import nodes as between
from reports.placement.pages.front import pairs
from reports.placement.summary import status
from reports.publish import plan_json
from reports.workbook import sheets, workbook
from scenarios.communication.matrix import Communication, Directed, joined
from solvers.model.result import Status
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.shown import tables, texts

HEADINGS = [
    "What does the placement change?", "How good is this placement?", "Which nodes exchange most?",
    "How to start the program", "What would change the decision?", "What was counted?",
    "What is not modelled?", "Appendix: method", "Appendix: provenance",
]  # fmt: skip
HOSTILE = '$x_1^{2}$ #panic() *b* =1+1 <a href="'
LONG = "数値流体力学" * 6

# Pairs 0-3 and 1-2 exchange 200 bytes, all others 2; rank 0 talks to itself.
CROSSED = "7,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"


def communication(matrix: np.ndarray, name: str = "by hand") -> Communication:
    source, target = np.indices(matrix.shape).reshape(2, -1)
    sent = matrix.ravel().astype(float)
    return joined(name, len(matrix), Directed(source, target, sent, np.ceil(sent / 50)))


def studied(matrix: np.ndarray, form: FileForm = "openmpi-5", **words: object) -> PlacementStudy:
    found = place(communication(matrix), **words)  # type: ignore[arg-type]
    weight = {"weight": words["weight"]} if "weight" in words else {}
    assert not weight or found.costs.weight == words["weight"]
    layout = laid_out(found.groups, cores_per_processor=1)
    return study(found, layout, PlacementSettings(form=form))


@pytest.fixture(scope="module")
def crossed() -> PlacementStudy:
    square = np.array([[float(cell) for cell in line.split(",")] for line in CROSSED.split()])
    return studied(square, nodes=2)


@pytest.fixture(scope="module")
def silent() -> PlacementStudy:
    return studied(np.diag([5.0, 0, 0, 0]), nodes=2)


@pytest.fixture(scope="module")
def levelled() -> PlacementStudy:
    """16 ranks on two nodes of two processors with two dies each."""
    drawn = np.triu(np.random.default_rng(3).integers(0, 100, (16, 16)), 1)
    return studied(drawn, hierarchies=[(None, read_hierarchy("pack:2 die:2 core:2"))])


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
    path.write_text(CROSSED)
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
               for name in ("01-matrix", "02-algorithms", "03-nodes", "05-graph")}  # fmt: skip
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
    for heading in HEADINGS:
        assert "".join(heading.split()) in text
    assert "SLURM_HOSTFILE=rank-files/slurm.txt" in text
    assert "a-1.xbba-1.x" in text  # ranks 0 and 3 on one host, 1 and 2 on the other


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
    book = {row["what"]: row["value"] for row in _summary(written.folder / "place.xlsx")}
    words = shlex.split(book["command"])
    assert words[:2] == ["headroom", "place"]
    assert words[2] == written.matrix.name
    monkeypatch.chdir(written.matrix.parent)
    kept = [word for word in words[1:] if word not in ("-o", "DIR")]
    again = CliRunner().invoke(
        main, [*kept, "--write-rank-file", str(tmp_path / "ranks"), "--json"]
    )
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["groups"] == json.loads(written.out)["groups"]
    written_before = written.folder / "rank-files" / "slurm.txt"
    assert (tmp_path / "ranks").read_bytes() == written_before.read_bytes()


def _summary(path: Path) -> list[dict[str, str]]:
    from python_calamine import load_workbook

    rows = load_workbook(path).get_sheet_by_name("Summary").to_python()
    return [{"what": str(row[0]), "value": str(row[1])} for row in rows[1:]]


def test_options_reach_the_comparison(
    written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[PlacementStudy] = []

    def keep(found: PlacementStudy, *_: object, **__: object) -> publish.Written:
        seen.append(found)
        return publish.Written(tmp_path, ())

    monkeypatch.setattr(publish, "write", keep)
    words = ["place", str(written.matrix), "--nodes", "2", "--host", "a", "--host", "b", "--seed",
             "3", "--starts", "2", "--time-limit", "7", "--method", "kl", "--pin", "3=b",
             "--rank-file-form", "mpich", "-q", "-o", str(tmp_path)]  # fmt: skip
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, done.output) == (0, "")
    (found,) = seen
    kept = replace(found.settings, command=())
    assert kept == PlacementSettings("kl", 3, 2, 7.0, "all", "mpich", {3: 1})
    assert all(each.placement.partition.part[3] == 1 for each in found.tried)
    assert found.layout.hosts == ("a", "b")
    assert found.settings.command[2:] == (
        "--nodes", "2", "--pin", "3=b", "--method", "kl", "--seed", "3", "--starts", "2",
        "--time-limit", "7.0", "--rank-file-form", "mpich", "--host", "a", "--host", "b", "-o",
        "DIR",
    )  # fmt: skip


@pytest.mark.slow
def test_everything_but_the_document_is_the_same_twice(crossed: PlacementStudy) -> None:
    again = replace(crossed)
    assert pictures(again) == pictures(crossed)
    assert workbook(again) == workbook(crossed)
    assert plan_json(again) == plan_json(crossed)
    assert bundle(again.layout) == bundle(crossed.layout)


# What the pages say


def test_every_question_has_its_page(
    crossed: PlacementStudy, silent: PlacementStudy, levelled: PlacementStudy
) -> None:
    made = {
        name: [page["heading"] for page in document(each, [])["pages"]]
        for name, each in (("crossed", crossed), ("silent", silent), ("levelled", levelled))
    }
    assert made["crossed"] == HEADINGS
    assert made["silent"] == [each for each in HEADINGS if "nodes exchange" not in each]
    assert set(made["levelled"]) - set(HEADINGS) == {
        "Which traffic stays within a node, socket or die?"
    }


def test_tables_are_as_wide_as_their_columns_say(
    crossed: PlacementStudy, silent: PlacementStudy, levelled: PlacementStudy, ring: PlacementStudy
) -> None:
    for each in (crossed, silent, levelled, ring):
        data = document(each, [])
        found = [b["table"] for p in data["pages"] for b in p["blocks"] if b["kind"] == "table"]
        for table in [*found, *([data["table"]] if data["table"] else [])]:
            assert {len(row) for row in table["rows"]} <= {len(table["columns"])}
            assert len(table["widths"]) == len(table["columns"])


def test_the_title_page_holds_the_decision(crossed: PlacementStudy) -> None:
    data = document(crossed, [])
    assert data["title"] == "4 ranks of by hand on 2 nodes"
    assert data["decision"] == crossed.headline
    assert data["certificate"] == "Proven optimal: no grouping is better."
    rows = {row[0]: row[1:] for row in data["table"]["rows"]}
    assert rows["default mapping (by slot)"] == ["404 B", "99.0 %", "1.0000"]  # of 2 x 200 + 4 x 2
    assert rows["as placed"] == ["8 B", "2.0 %", "0.0198"]
    assert rows["proven limit"] == rows["as placed"]
    said = " ".join(
        line for side in ("left", "right") for part in data[side] for line in part["lines"]
    )
    assert "Not known: whether the matrix has the messages inside collective" in said
    assert "The busiest of 2 nodes" not in said  # both exchange what is between the nodes


def test_where_nothing_is_exchanged_no_rank_file_is_praised(silent: PlacementStudy) -> None:
    data = document(silent, [])
    assert "no two ranks exchange messages" in data["decision"]
    assert data["table"] is None
    assert pictures(silent) == []
    said = texts(data)
    assert "Nothing: every grouping is equally good." in said
    assert "As before: a rank file gains nothing" in said
    assert "Each of the 4 ranks exchanges" not in said
    assert "4 ranks of 4 exchange nothing with others (0, 1, 2, 3)" in said
    assert "Messages of ranks to themselves (5 B in 1 message) are excluded" in said


def test_algorithms_stand_beside_the_bound(crossed: PlacementStudy) -> None:
    page = good.page(crossed, {}).to_dict()
    default, best = tables(page)[0]  # equal results in one row
    # 8 of 404 bytes: 98.0 % less, as the headline says
    assert "98.0 % fewer bytes" in crossed.headline
    assert default == ["Default mapping", "404 B", "1.0000", "98.0 %", "not optimal"]
    assert best[0].startswith("Kernighan-Lin; Kernighan-Lin of networkx; multilevel bisection")
    assert best[0].endswith("portfolio of all (dynamic programming over subsets)")
    assert best[1:] == ["8 B", "0.0198", "0 %", "optimal, proved"]
    assert "METIS was not run" in texts(page) or "METIS" in best[0]
    drawn = by_kind(algorithms.pictures(crossed))
    assert good.page(crossed, drawn).to_dict()["blocks"] == page["blocks"]  # two results: no figure
    assert page["answer"] == "It is proven optimal: no grouping has less."


def test_heuristics_reach_a_limit_but_prove_nothing(
    crossed: PlacementStudy, ring: PlacementStudy
) -> None:
    said, others = _first_lines(crossed), len(crossed.tried) - 1  # one more with the extra 'fast'
    assert (
        f"{others} algorithms compared with the default mapping; all reach the proven limit."
        in said
    )
    assert not any("proved" in line or "Equally good" in line for line in said)
    short = [each for each in crossed.tried if each.name in ("order", "kl")]
    default = next(each for each in short if each.name == "order")
    one = replace(crossed, tried=tuple(short))
    assert (
        "1 algorithm compared with the default mapping; 1 reaches the proven limit."
        in _first_lines(one)
    )
    worse = replace(one, tried=(*short, replace(default, name="multilevel")))
    said = _first_lines(worse)
    assert "2 algorithms compared with the default mapping; 1 reaches the proven limit." in said
    assert "Result of one other algorithm: 50.50 times as much between nodes." in said
    assert any(line.endswith("reaches the proven limit.") for line in _first_lines(ring))
    names = ("Kernighan", "bisection", "programming", "matching")
    for found in (crossed, worse, ring):
        assert not any(name in line for name in names for line in _first_lines(found))


def test_where_another_method_is_better_no_page_says_to_start_as_before() -> None:
    square = np.array([[float(cell) for cell in line.split(",")] for line in CROSSED.split()])
    found = place(communication(square), nodes=2, algorithm="order")
    alone = study(found, laid_out(found.groups, cores_per_processor=1), PlacementSettings("order"))
    assert alone.headline.startswith("Use the method ")
    best = alone.headline.split()[3].rstrip(":")
    said = texts(document(alone, []))
    assert f"Run Headroom again with the method {best}, then use its rank file." in said
    assert f"Not with this rank file: the method {best} found a better placement." in said
    assert "as before" not in said.lower()


def test_where_only_the_default_mapping_was_tried_no_algorithm_is_counted(
    crossed: PlacementStudy,
) -> None:
    only = replace(crossed, tried=tuple(each for each in crossed.tried if each.name == "order"))
    assert not any("compared with the default mapping" in line for line in _first_lines(only))


def test_what_reaches_the_shared_limit_is_optimal_whoever_proved_it(
    crossed: PlacementStudy,
) -> None:
    kl = next(each for each in crossed.tried if each.name == "kl")
    partition = replace(kl.placement.partition, bound=0.0, status=Status.FEASIBLE)
    alone = replace(kl, placement=replace(kl.placement, partition=partition))
    assert not alone.proved
    assert status(crossed, alone) == "optimal, proved"


def test_pairs_of_nodes_and_ranks_are_the_largest_first(crossed: PlacementStudy) -> None:
    page = between.page(crossed, {})
    assert page is not None
    (by_rank,) = tables(page.to_dict())  # a table of the only pair of nodes would say nothing
    answer = "Both equally: they exchange 8 B, against 404 B with the default mapping."
    assert page.answer == answer
    assert "common switch" not in texts(page.to_dict())
    assert "in every row: between them 2 B; share of inter-node traffic 25 %" in texts(
        page.to_dict()
    )
    assert by_rank[0] == ["0", "1", "0", "1"]
    assert len(by_rank) == 4
    drawn = by_kind(nodes.pictures(crossed))
    assert between.page(crossed, drawn) == page  # two nodes: no figure


def test_what_was_counted_is_told(crossed: PlacementStudy) -> None:
    page = counted.page(crossed, {}).to_dict()
    assert not tables(page)
    # each way 4 pairs one message of a byte, 2 pairs two of 50
    assert "6 pairs of ranks exchange 408 B in 16 messages" in page["answer"]
    assert "Possible pairs: 6; largest pair: 200 B; mean message size: 25.5 B." in texts(page)
    assert "Messages of ranks to themselves (7 B" in texts(page)
    assert "Nodes: 2; ranks per node: 2." in texts(page)
    unknown = "does not state whether messages inside collective operations were counted"
    assert unknown in texts(page)
    kinds = replace(crossed.placement.communication, form="monitoring")
    told = replace(
        crossed,
        placement=replace(crossed.placement, communication=kinds),
        settings=PlacementSettings(traffic="point-to-point"),
    )
    assert "point-to-point messages, without those inside collective operations" in texts(
        counted.page(told, {}).to_dict()
    )


def test_assumed_times_are_named_as_assumed(crossed: PlacementStudy) -> None:
    assert "Message times are assumed, not measured: ping-pong.csv" in texts(
        counted.page(crossed, {}).to_dict()
    )
    square = np.array([[0, 9e6], [0, 0]])
    timed = studied(square, tasks_per_node=1, weight="signed")
    assert any("message times are assumed" in each for each in timed.warnings)
    assert any(
        "are assumed" in each for part in document(timed, [])["right"] for each in part["lines"]
    )


def test_more_time_is_advised_only_if_time_ran_out(ring: PlacementStudy) -> None:
    advice = "Allow more time to close the gap to the proven limit."
    assert not ring.proved
    late = replace(ring, tried=tuple(replace(each, late=True) for each in ring.tried))
    in_time = replace(ring, tried=tuple(replace(each, late=False) for each in ring.tried), sizes=())
    assert advice in _first_lines(late)
    assert advice not in _first_lines(in_time)


def test_options_are_not_on_the_first_page(ring: PlacementStudy) -> None:
    square = np.array([[0, 9e6], [0, 0]])
    timed = studied(square, tasks_per_node=1, weight="signed")
    measure = "Measure message times on your system and replace the assumed ones."
    assert measure in _first_lines(timed)
    assert "those of your system may give other groups" in texts(method.limits(timed, {}).to_dict())
    for found in (timed, ring):
        assert not any("--" in line for line in [*_first_lines(found), *risks(found)])


def test_assumptions_and_risks_are_in_words(levelled: PlacementStudy, ring: PlacementStudy) -> None:
    late = replace(ring, tried=tuple(replace(each, late=True) for each in ring.tried))
    for found in (levelled, late):
        assert found.warnings
        assert not any("--" in line for line in found.warnings)
        assert "--" not in texts(costs.page(found, {}).to_dict())


def test_a_single_pair_of_nodes_is_named() -> None:
    square = np.zeros((6, 6))
    square[0, 1] = square[2, 3] = square[4, 5] = 900.0
    square[0, 5] = 8.0
    page = between.page(studied(square, nodes=3), {})
    assert page is not None
    assert page.answer == "Only nodes 0 and 2: they exchange 8 B."


def _first_lines(study: PlacementStudy) -> list[str]:
    data = document(study, [])
    return [line for side in ("left", "right") for part in data[side] for line in part["lines"]]


def test_levels_have_their_rows(levelled: PlacementStudy) -> None:
    page = shared.page(levelled, {})
    assert page is not None
    (rows,) = tables(page.to_dict())
    assert [row[0] for row in rows] == [
        "the network only", "the node", "the socket (pack)", "the die",
    ]  # fmt: skip
    assert [row[1] for row in rows] == ["1000", "100", "10", "1"]
    total = levelled.placement.communication.total_bytes
    shares = [percent(row.bytes / total) for row in levelled.placement.by_level]
    assert [row[5] for row in rows] == shares
    assert shares != [percent(row.bytes_rank_order / total)
                      for row in levelled.placement.by_level]  # fmt: skip
    assert "distances are assumed" in " ".join(levelled.warnings)
    assert document(levelled, [])["levels"]
    book = sheets(levelled)["levels"]
    assert sum(row["bytes"] for row in book) == levelled.placement.communication.total_bytes
    told = dict(pairs(levelled))
    assert told["weighted by distance as placed"] == levelled.placement.total


def test_the_excerpt_is_the_file_s_beginning(ring: PlacementStudy) -> None:
    lines = start.excerpt(ring).splitlines()
    file = bundle(ring.layout)["rank-files/openmpi-5.txt"].decode().splitlines()
    assert lines[:-1] == file[:6]
    assert lines[-1] == "... and 1,494 more lines"
    assert len(file) == 1_500


@pytest.mark.parametrize("cores", [1, 40, 500])
def test_long_commands_break_as_a_shell_joins_them(cores: int) -> None:
    command = f"srun --cpu-bind=map_cpu:{','.join(map(str, range(cores)))} PROGRAM"
    shown = start.typed(command)
    assert shown.replace("\\\n", "") == command
    assert max(map(len, shown.splitlines())) <= 96


def test_many_pairs_are_said_to_be_more_than_shown(ring: PlacementStudy) -> None:
    page = between.page(ring, {})
    assert page is not None
    captions = [block["caption"] for block in page.to_dict()["blocks"] if block["kind"] == "table"]
    assert all(re.search(r": 12 of [0-9,]+, all in place.xlsx(;|$)", each) for each in captions)
    assert len(sheets(ring)["ranks"]) == 1_500
    assert len(sheets(ring)["nodes"]) == 125


def test_the_appendix_says_what_repeats(crossed: PlacementStudy, ring: PlacementStudy) -> None:
    value = {row[0]: row[1] for row in tables(method.appendix(crossed, {}).to_dict())[0]}
    assert value["Repeatability"] == "the same input, seed and versions give identical files"
    late = replace(ring, tried=tuple(replace(each, late=True) for each in ring.tried))
    value = {row[0]: row[1] for row in tables(method.appendix(late, {}).to_dict())[0]}
    assert "stopped at its limit of 0.01 s, so another run may differ" in value["Repeatability"]


# Figures


def test_panels_hold_the_matrix_before_and_after(crossed: PlacementStudy) -> None:
    found = matrix.panels(crossed)
    assert found.per_cell == 1
    assert found.before[0].tolist() == [0, 2, 2, 200]
    assert found.after.tolist() == [[0, 200, 2, 2], [200, 0, 2, 2], [2, 2, 0, 200], [2, 2, 200, 0]]
    assert found.ends.tolist() == [0, 2, 4]
    assert found.shares == (404 / 408, 8 / 408)


def test_the_matrix_shows_messages_where_these_were_grouped() -> None:
    square = np.triu(np.full((4, 4), 200.0), 1)
    found = matrix.panels(studied(square, nodes=2, weight="messages"))
    assert (found.unit, found.before[0].tolist()) == ("messages", [0, 4, 4, 4])


def test_other_numbers_of_tasks_have_their_rows(ring: PlacementStudy) -> None:
    rows = tables(costs.page(ring, {}).to_dict())[-1]
    assert [row[:2] for row in rows] == [
        ["3", "500"], ["6", "250"], ["12 (this plan)", "125"], ["24", "63"], ["48", "32"],
    ]  # fmt: skip


def test_both_panels_are_painted_with_one_scale(crossed: PlacementStudy) -> None:
    figure = Figure()
    matrix.paint(figure, crossed)
    left, right = figure.axes[:2]
    assert left.get_title() == "default mapping: 99.0 % between nodes"
    assert right.get_title() == "as placed: 2.0 % between nodes"
    ends = [axes.images[0].norm for axes in (left, right)]
    assert [(each.vmin, each.vmax) for each in ends] == [(2, 200)] * 2
    shown: Any = right.images[0].get_array()
    step = len(shown) // 4
    assert shown[::step, ::step].filled(0).tolist() == matrix.panels(crossed).after.tolist()
    assert len(shown) >= 1_000  # sharp however it is scaled
    squares = [patch.get_bbox().bounds for patch in right.patches if isinstance(patch, Rectangle)]
    assert squares == [(0, 0, 2, 2), (2, 2, 2, 2)]
    assert [text.get_text() for text in right.get_xticklabels()] == ["0", "3", "1", "2"]


def test_weights_that_are_alike_look_alike() -> None:
    square = np.triu(np.full((4, 4), 100.0), 1)
    square[0, 1] = 101.0
    figure = Figure()
    matrix.paint(figure, studied(square, nodes=2))
    norm: Any = figure.axes[0].images[0].norm
    assert norm.vmax / norm.vmin >= 10


def test_thousands_of_ranks_share_cells(ring: PlacementStudy) -> None:
    found = matrix.panels(ring)
    assert found.per_cell == 12
    assert found.after.shape == (125, 125)
    for each in (found.before, found.after):  # a pair counts once on the diagonal, else twice
        assert np.trace(each) + (each.sum() - np.trace(each)) / 2 == 1_500 * 64
    assert np.trace(found.after) == ring.by_node[0].sum()
    assert "two groups of 12 ranks" in matrix.source(ring)
    assert "Lines after every 4 of 125 nodes" in matrix.source(ring)
    figure = Figure()
    matrix.paint(figure, ring)
    assert len(figure.axes[1].lines) == 2 * 31


def test_dots_stand_at_what_each_algorithm_finds(crossed: PlacementStudy) -> None:
    figure = Figure()
    algorithms.paint(figure, crossed)
    (axes,) = figure.axes
    dots = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 1]  # type: ignore[arg-type, index]
    assert dots == [each.value for each in crossed.tried]
    lines = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 2]  # type: ignore[arg-type, index]
    assert lines == [404, 8]  # order of ranks, bound
    low, high = axes.get_xlim()
    assert low < 8 < 404 < high
    assert len(axes.get_yticklabels()) == len(crossed.tried)


def test_the_legend_holds_what_is_drawn_as_it_is_drawn(
    crossed: PlacementStudy, levelled: PlacementStudy, ring: PlacementStudy
) -> None:
    for study_ in (crossed, levelled, ring):
        figure = Figure()
        algorithms.paint(figure, study_)
        drawn = {_look(line) for line in figure.axes[0].lines if len(line.get_xdata()) == 1}  # type: ignore[arg-type]
        handles = figure.legends[0].legend_handles
        marks = [_look(each) for each in handles if each.get_marker() != "None"]  # type: ignore[union-attr]
        assert len(marks) == len(set(marks))
        assert set(marks) == drawn
        told = [text.get_text() for text in figure.legends[0].get_texts()]
        assert told[-1] == f"proven limit: {study_.shown(study_.bound)}"


def _look(line: Any) -> tuple[str, ...]:
    return line.get_marker(), line.get_color(), line.get_markerfacecolor()


def test_levels_without_bytes_are_not_in_the_legend() -> None:
    pairs = np.zeros((4, 4))
    pairs[0, 2] = pairs[1, 3] = 8.0
    found = studied(pairs, hierarchies=[(None, read_hierarchy("pack:2 core:2"))], nodes=1)
    figure = Figure()
    levels.paint(figure, found)  # in order within the node, as placed within packs
    told = [text.get_text() for text in figure.legends[0].get_texts()]
    assert told == ["the socket (pack)", "the node"]


def test_the_ranks_of_few_nodes_are_listed(crossed: PlacementStudy, ring: PlacementStudy) -> None:
    page = gain.page(crossed, {}).to_dict()
    assert not tables(page)
    assert page["answer"].endswith(" Node 0 has ranks 0, 3; node 1 has ranks 1, 2.")
    assert "has ranks" not in texts({**page, "answer": ""})  # once
    square = np.triu(np.full((8, 8), 200.0), 1)
    square[0, 7] = 900.0
    (rows,) = tables(gain.page(studied(square, nodes=4), {}).to_dict())
    assert len(rows) == 4
    assert not tables(gain.page(ring, {}).to_dict())  # 125 nodes


def test_memory_pins_and_nodes_without_tasks_are_what_was_asked() -> None:
    kinds = [read_counted("1*pack:1 core:4"), read_counted("3*pack:1 core:2")]
    asked = PlacementSettings(pins={0: 3, 1: 3})
    found = place(
        communication(np.ones((6, 6))), hierarchies=kinds, pins=asked.pins, memory=Memory((8, 4), 2)
    )
    layout = laid_out(found.groups, cores_per_processor=4, numbers=found.nodes.numbers.tolist())
    made = study(found, layout, asked)
    rows = {row[0]: row[1] for row in tables(counted.page(made, {}).to_dict())[0]}
    assert (rows["Nodes"], rows["Nodes given"]) == ("2", "4")
    assert rows["Nodes without ranks"] == "number 1, 2"
    assert (rows["Memory of a node"], rows["Memory of a rank"]) == ("8 GB, 4 GB", "2 GB")
    assert rows["Pinned to node 3"] == "ranks 0, 1"
    listed = texts(gain.page(made, {}).to_dict())
    assert "ode 0 has ranks" in listed
    assert "node 3 has ranks" in listed


def test_curves_descend_from_the_busiest_node(ring: PlacementStudy) -> None:
    figure = Figure()
    nodes.paint(figure, ring)
    order, placed = (np.asarray(line.get_ydata()) for line in figure.axes[0].lines)
    assert sorted(placed.tolist()) == sorted(ring.by_node[1].tolist())
    assert (np.diff(order) <= 0).all()
    assert figure.axes[0].get_ylim()[1] > max(order.max(), placed.max())
    assert placed.sum() == 2 * ring.placement.partition.cut


def test_bars_are_as_long_as_the_bytes_of_each_level(levelled: PlacementStudy) -> None:
    figure = Figure()
    levels.paint(figure, levelled)
    bars = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
    widths = [bar.get_width() for bar in bars]
    rows = list(reversed(levelled.placement.by_level))
    assert widths == [getattr(row, key) for key in ("bytes_rank_order", "bytes") for row in rows]
    assert [bar.get_x() for bar in bars[1:4]] == np.cumsum(widths[:3]).tolist()
    dotted = matrix.panels(levelled).inner.tolist()
    assert dotted == [0, 4, 8, 12, 16]


def test_the_graph_has_each_rank_in_its_node_and_each_edge_cut_or_not(
    crossed: PlacementStudy, ring: PlacementStudy
) -> None:
    figure = Figure()
    graph.paint(figure, crossed)
    order, placed = figure.axes
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
    assert not graph.pictures(ring)  # 1,500 ranks


def test_heavy_pairs_are_near_each_other_in_the_graph() -> None:
    # Nodes on a ring of 5, each exchanging 9 with the next but one and 1 with the next.
    edges = [(u, (u + 2) % 5, 9.0) for u in range(5)] + [(u, (u + 1) % 5, 1.0) for u in range(5)]
    spots = graph.places(list(range(5)), edges).ranks
    far = [float(np.linalg.norm(spots[u] - spots[v])) for u, v, _ in edges]
    assert max(far[:5]) < min(far[5:])


def test_titles_state_findings(
    crossed: PlacementStudy, levelled: PlacementStudy, ring: PlacementStudy
) -> None:
    made, tried = {each.name: each.title for each in pictures(crossed)}, len(crossed.tried)
    assert made == {
        "01-matrix": "As placed, 8 B cross between nodes, against 404 B with the default mapping",
        "02-algorithms": f"{tried - 1} of {tried} algorithms find the least; proven optimal",
        "03-nodes": "The busiest of 2 nodes exchanges 8 B with others, against 404 B with the "
        "default mapping",
        "05-graph": "As placed, 4 of 6 pairs of ranks that communicate are on different "
        "nodes: the same number as with the default mapping, but lighter pairs",
    }
    assert [each.name for each in pictures(levelled)] == [
        "01-matrix", "02-algorithms", "03-nodes", "04-levels", "05-graph",
    ]  # fmt: skip
    assert "less is possible" in algorithms.finding(ring)


def test_figures_are_the_same_on_given_axes(crossed: PlacementStudy) -> None:
    assert same_on_given_axes(pictures(crossed))
