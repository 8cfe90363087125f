"""The report on configurations: what it says, by hand; what its figures show; any names."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from planner.cli.configure import MODELS
from planner.cli.main import main
from planner.cli.values import grid_of
from planner.configurations.best_configuration import ConfigurationAnswer, Question
from planner.configurations.degree import LineFit
from planner.configurations.gains_at_bounds import bars, unsteady_bounds
from planner.configurations.line_spread import line_spread
from planner.configurations.prediction.compare import Errors, ModelDecisions
from planner.configurations.prediction.curves import CurvePoint
from planner.configurations.prediction.log_polynomial import LogPolynomial
from planner.configurations.prediction.predicted import Grid
from planner.configurations.prediction.study import PredictionStudy, Verified, VerifiedAtBound
from planner.configurations.provisioning import NodeMaximum
from planner.configurations.repeats import widest_spread
from planner.configurations.selection import Bound
from planner.configurations.study import ConfigurationStudy, study
from planner.formatting import seconds
from reports.configuration import document
from reports.configuration.figures import (
    gains,
    models,
    nodes,
    pictures,
    repetitions,
    runs_needed,
    space,
    staircase,
)
from reports.configuration.pages import appendix, canonical, every_page, lines, method, winners
from reports.configuration.pages import gains as gains_page
from reports.configuration.pages.fitting import MOST_SHEETS
from reports.configuration.pages.front import front
from reports.publish import plan_json
from reports.style import Picture
from reports.workbook import sheets
from scenarios.measurements.runs import Measurements, Runs
from tests.planner.configurations.test_best_configuration import TOY, Rows
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.shown import texts, write_twice
from tests.sizes import few

HEADINGS = [
    "What does the best configuration gain at each bound?",
    "How far are common choices from the best?",
    "Which other configurations are nearly as fast?",
    "How many nodes pay under this bound?", "Which configuration is best at which bound?",
    "Is time over nodes the same line at every bound?", "How much do repeated runs vary?",
    "What are the limits of this result?", "Which runs is this based on?",
    "Appendix: how the answer was found", "Appendix: provenance",
]  # fmt: skip
IN_EVERY_DOCUMENT = [HEADINGS[0], HEADINGS[3], HEADINGS[6], HEADINGS[7], *HEADINGS[9:]]
ON_MODELS = ["How well do models predict these runs?", "How many runs are needed?"]
# Of TOY the best under 400 W is (4 x 8, 50 W): 16 s, 380 W.
HOSTILE = '$x_1^{2}$ #panic() *b* =1+1 <a href="'


def runs(application: str, rows: Rows, slower: tuple[float, ...] = (1.0,)) -> Runs:
    """One run of each row for every factor of its time."""
    grown = [(n, c, p, t * by, w) for n, c, p, t, w in rows for by in slower]
    n, c, p, t, w = (np.array(column) for column in zip(*grown, strict=True))
    number = np.arange(len(grown)) % len(slower) + 1
    return Runs(application, n, c, p, number, t, w)


def law(scale: float, counts: tuple[int, ...] = (2, 4, 8, 16, 32)) -> Rows:
    """Memory-bound: time falls with nodes, hardly with cores."""
    return [
        (n, c, p, scale * (300 / (n * c**0.3 * p**0.4) + 1), n * min(2 * p, 30.0 + 6 * c))
        for n in counts
        for c in (4, 8, 16)
        for p in (51.0, 80.0, 115.0)
    ]


def asked(*tables: Runs, bound_w: float = 400.0, **more: Any) -> ConfigurationStudy:
    given = Measurements(
        "folder/table.csv", "ab12" * 16, {table.application: table for table in tables}
    )
    node = NodeMaximum(sockets=1, tdp_w=150.0, dram_max_w=0.0)
    return study(given, Question(Bound(bound_w), node, **more))


@pytest.fixture(scope="module")
def toy() -> ConfigurationStudy:
    return asked(runs("toy", TOY, (1.1, 1.0, 0.95)), fixed_cost_nodes=10.0)


def test_packed_max_is_only_called_fastest_where_it_fits() -> None:
    """Within 310 W it is (2 x 8, 100 W) of the first two tables, and none of the last."""
    best, twin = runs("toy", TOY[:4]), runs("twin", TOY)
    none = runs("none", [(2, 4, 50.0, 40.0, 150.0), (2, 8, 100.0, 20.0, 500.0)])
    texts = [asked(*tables, bound_w=310.0).headline for tables in ((best, twin), (best, none))]
    fastest = "Under 310 W, packed-max is the fastest choice for"
    assert texts == [
        f"{fastest} 2 applications.",
        f"{fastest} 1 of 2 applications; it does not fit for the others.",
    ]
    faster = runs("faster", [(2, 8, 100.0, 20.0, 300.0), (2, 4, 50.0, 10.0, 150.0)])
    assert asked(faster, none, bound_w=310.0).headline == (
        "Under 310 W, the best configurations of 1 of 2 applications are up to 2.00 times as fast "
        "as packed-max."
    )


@pytest.fixture(scope="module")
def several() -> ConfigurationStudy:
    """A hand-made table, a hostile name, one node count, and one run of each."""
    return asked(
        runs("toy", TOY, (1.1, 1.0, 0.95)), runs(HOSTILE, law(1.0), (1.02, 1.0, 0.98)),
        runs("flat", law(2.0, (2,))), runs("no room", [(8, 8, 100.0, 1.0, 900.0)]),
    )  # fmt: skip


@pytest.fixture(scope="module")
def drawn(several: ConfigurationStudy) -> list[Picture]:
    return pictures(several)


@dataclass(frozen=True)
class Written:
    folder: Path
    out: str
    table: Path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The command's files: the only document that these tests typeset."""
    table = tmp_path_factory.mktemp("given") / "table.csv"
    every = (("toy", TOY), (HOSTILE, law(1.0)))
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


def made_up() -> PredictionStudy:
    """Rows of two applications; the second model errs least, the thesis's breaks bounds."""
    training = "12 configurations, all repetitions"
    models = (("log-polynomial", 0.08, (0.5, 0.4, 0.3, 0.2, 0.1)), ("physical", 0.02, (0.2,) * 5))
    errors = tuple(
        Errors(name, model, training, e, 2 * e, 10 * e, e / 2, e, 5 * e, 3 * e)
        for name in (HOSTILE, "other")
        for model, e, _ in models
    )
    decisions = tuple(
        ModelDecisions(name, model, training, guard, 0.01 + guard, -0.005, 0.04, 0.02, guard / 2,
                       share, 0.031,
                       0.5 if (name, model, guard) == ("other", "physical", 0.05) else 0.0, 20)
        if (name, model, guard) != ("other", "log-polynomial", 0.05)
        else ModelDecisions(name, model, training, guard, None, None, None, None, 0.0, 0.0, 0.0,
                            1.0, 20)
        for name in (HOSTILE, "other")
        for model, _, shares in models
        for guard, share in zip((0.0, 0.01, 0.02, 0.03, 0.05), shares, strict=True)
    )  # fmt: skip
    verified = tuple(
        Verified(name, training, 7.5, 0.03, 0.0, 0.12, 0.004,
                 (VerifiedAtBound(500.0, 0.0, 0.11, 0.12),
                  VerifiedAtBound(400.0, 0.005, 0.0, 0.005)),
                 0.05, 0.003, 0.1, 20)
        for name in (HOSTILE, "other")
    )  # fmt: skip
    medians: dict[str, tuple[float | None, ...]] = {
        "sequential": (0.05, 0.01, 0.0),
        "random, verified": (0.01, 0.03, 0.02),
        "random, log-polynomial": (None, 0.01, 0.01),
        "random, no model": (0.3, 0.2, 0.1),
    }
    curves = tuple(
        CurvePoint(name, strategy, spent, median, None if median is None else median + 0.1,
              None if median is None else median + 0.3, 0.25 if "log" in strategy else 0.0, 0.02,
              float(median is None), 4)
        for name in (HOSTILE, "other")
        for strategy, row in medians.items()
        for spent, median in zip((8, 12, 24), row, strict=True)
    )  # fmt: skip
    return PredictionStudy(errors, decisions, verified, curves, (3, 4, 5, 6, 7), (3, 4))


@pytest.fixture(scope="module")
def full() -> ConfigurationStudy:
    """Two applications of 45 configurations, and one that is too small to learn from."""
    result = asked(runs(HOSTILE, law(1.0), (1.0, 1.02)), runs("other", law(2.0)), runs("toy", TOY))
    return replace(result, prediction=made_up())


def one(study: ConfigurationStudy, heading: str) -> dict[str, Any]:
    return next(page for page in every(study) if page["heading"] == heading)


def every(study: ConfigurationStudy, drawn: list[Picture] | None = None) -> list[dict[str, Any]]:
    """Every page, whole, of which the document has a selection."""
    return [page.to_dict() for page in every_page(study, drawn or []).values()]


def lines_of(data: dict[str, Any]) -> str:
    """What the first page says."""
    return " ".join(line for part in (*data["left"], *data["right"]) for line in part["lines"])


def tables(page: dict[str, Any]) -> list[list[list[str]]]:
    return [block["table"]["rows"] for block in page["blocks"] if block["kind"] == "table"]


def answer(study: ConfigurationStudy, name: str = "toy") -> ConfigurationAnswer:
    return next(candidate for candidate in study.answers if candidate.application == name)


# The command


def test_the_command_writes_every_file_and_lists_it(written: Written) -> None:
    listed = json.loads((written.folder / "run.json").read_text())["sha256"]
    result = {str(f.relative_to(written.folder)) for f in written.folder.rglob("*.*")} - {
        "run.json"
    }
    assert set(listed) == result
    assert {"report.pdf", "configure.xlsx", "configure.json", "figures/01-gains.svg"} <= result
    assert all(re.fullmatch(r"[a-z0-9./-]+", name) for name in result)
    assert not {"plan.json", "figures/99-old.png"} & result
    assert written.table.exists()


def test_json_on_stdout_is_the_file(written: Written) -> None:
    assert written.out == (written.folder / "configure.json").read_text(encoding="utf-8")
    assert (
        json.loads(written.out)["applications"]["toy"]["best"]["time_s"] == 17.6
    )  # the slower of two


def test_the_document_shows_names_literally(written: Written) -> None:
    reader = pypdf.PdfReader(written.folder / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    assert "".join(HOSTILE.split()) in text
    assert "table.csv" in text
    for heading in IN_EVERY_DOCUMENT:
        assert "".join(heading.split()) in text
    assert len(reader.pages) <= MOST_SHEETS


def test_the_workbook_holds_no_formula(written: Written) -> None:
    with zipfile.ZipFile(written.folder / "configure.xlsx") as book:
        for name in book.namelist():
            tags = {
                element.tag.rpartition("}")[2] for element in ET.fromstring(book.read(name)).iter()
            }
            assert not tags & {"f", "hyperlink"}
        assert HOSTILE.replace("<", "&lt;") in book.read("xl/sharedStrings.xml").decode()


def test_a_folder_that_cannot_be_written_is_refused(written: Written, tmp_path: Path) -> None:
    (tmp_path / "configure.json").mkdir()
    done = CliRunner().invoke(
        main, ["configure", str(written.table), "--power-bound", "400", "-o", str(tmp_path)]
    )
    assert done.exit_code == 2
    assert "configure.json: is a folder where a result belongs" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["configure.json"]


def test_the_command_in_the_appendix_gives_the_same_answer(written: Written) -> None:
    options = [
        "--power-bound", "390.5", "-A", HOSTILE, "--guard", "7", "--tolerance", "12.5",
        "--socket-tdp", "99.25", "--sockets", "1", "--repetition", "median",
        "--fixed-cost-nodes", "3", "--json",
    ]  # fmt: skip
    first = CliRunner().invoke(main, ["configure", str(written.table), *options])
    plain = json.loads(first.stdout)
    from scenarios.measurements.reader import read_measurements

    node = NodeMaximum(1, 99.25, 0.0)
    question = Question(Bound(390.5, 0.07), node, "median", 0.125, fixed_cost_nodes=3.0)
    given = study(read_measurements(written.table), question, applications=[HOSTILE])
    words = shlex.split(appendix.command(given))
    assert words[:3] == ["headroom", "configure", "table.csv"]
    assert words[-2:] == ["-o", "DIR"]
    again = CliRunner().invoke(main, ["configure", str(written.table), *words[3:-2], "--json"])
    assert json.loads(again.stdout) == plain


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


# What the pages say


def test_every_question_has_its_page(several: ConfigurationStudy, toy: ConfigurationStudy) -> None:
    for examined in (several, toy):
        result = every(examined)
        several_only = ["Is time over nodes the same line at every bound?"]
        left_out = [] if examined is several else several_only
        assert [page["heading"] for page in result] == [h for h in HEADINGS if h not in left_out]
        for page in result[:-1]:
            if page["heading"] != "What are the limits of this result?":
                assert page["answer"].endswith("."), page["heading"]


def test_tables_are_as_wide_as_their_columns_say(several: ConfigurationStudy) -> None:
    data = document(several, [])
    result = [b["table"] for p in every(several) for b in p["blocks"] if b["kind"] == "table"]
    for table in [*result, data["table"]]:
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
        assert len(table["widths"]) == len(table["columns"])


def test_the_title_page_compares_in_both_conventions(toy: ConfigurationStudy) -> None:
    data = document(toy, [])
    assert data["title"] == "Best configuration of toy under 400 W"
    assert data["decision"] == toy.headline
    assert data["footer"].startswith("table.csv · ")
    rows = {row[0]: row[1:] for row in data["table"]["rows"]}
    # unused: 20 of 400 W; packed-max takes 20 s for 16 s: 1.25 times, 20 % less; it draws 300 W
    assert rows["best"] == ["(4 x 8, 50 W)", "16 s", "380 W", "5.0 %", "–", "–"]  # noqa: RUF001
    assert rows["packed-max"] == ["(2 x 8, 100 W)", "20 s", "300 W", "25 %", "1.25 x", "20 %"]
    assert rows["packed-min"][-2:] == ["1.00 x", "0 %"]
    assert rows["spread-max"][0] == "(4 x 4, 100 W)"
    assert rows["worst case by rating"][0] == "(2 x 8, 100 W)"
    text = lines_of(data)
    for part in (
        "95.0 % of 400 W is used; 20 W stays unused",
        "Packed-max, (2 x 8, 100 W), takes 20 s at 300 W: the best saves 20 % of that time",
        "fastest with 4 nodes (2.00 x the 2 that fit at rated power",
        "It is the best at bounds from 380 W to 600 W.",
        "Its 3 runs took 15.2 s to 17.6 s; none drew more than the bound",
        "Use 4 nodes with 8 cores each and a cap of 50 W per package.",
    ):  # fmt: skip
        assert part in text


def test_of_several_applications_each_has_a_row(several: ConfigurationStudy) -> None:
    data = document(several, [])
    assert data["title"] == "Best configurations of 3 applications under 400 W"
    names = [row[0] for row in data["table"]["rows"]]
    assert names == ["toy", HOSTILE[:29] + "…", "flat"]
    assert any("no room" in warning for warning in data["risks"])


def test_canonical_configurations_stand_relative_to_the_best(toy: ConfigurationStudy) -> None:
    (rows,) = tables(one(toy, HEADINGS[1]))
    # of the round bounds 300 W and 500 W are nearest to 5/7 and 9/7 of 400 W
    assert [row[0] for row in rows] == ["300 W", "400 W (requested)", "500 W", "no bound"]
    assert rows[1][1].splitlines() == ["1.00", "(4 x 8, 50 W)", "16 s, 380 W"]
    assert rows[1][2].splitlines()[0] == "0.80"  # packed-max: 16 s of 20 s
    assert rows[1][5].splitlines()[0] == "0.73"  # spread-min: 16 s of 22 s
    assert [cell.splitlines()[0] for cell in rows[3][1:]] == [
        "1.00",
        "1.00",
        "0.69",
        "0.52",
        "0.50",
    ]
    assert canonical.page(toy, {}).answer == "A canonical configuration is the best at 400 W."


def test_the_fastest_canonical_configuration_is_named_at_the_asked_bound() -> None:
    between = [*TOY, (2, 6, 75.0, 14.0, 350.0)]  # 14 s of packed-min's 16 s: 87.5 %
    text = canonical.page(asked(runs("toy", between)), {}).answer
    assert text == "The fastest canonical configuration reaches 88 % of the best speed at 400 W."


def test_the_gain_stands_at_every_round_bound(toy: ConfigurationStudy) -> None:
    (rows,) = tables(one(toy, HEADINGS[0]))
    assert [row[0] for row in rows] == [f"{w} W" for w in range(150, 601, 50)]
    # at 250 W packed-max does not fit; at 600 W it is the best
    assert rows[2][1:3] == ["(2 x 8, 50 W)", "30 s"]
    assert rows[2][3] == "–"  # noqa: RUF001
    assert rows[5][5:7] == ["1.25 x", "20 %"]
    assert rows[9][5:7] == ["1.00 x", "0 %"]


def test_nodes_are_read_three_ways(toy: ConfigurationStudy) -> None:
    page = one(toy, HEADINGS[3])
    assert page["answer"] == (
        "Fastest: 4 nodes, the largest count in the table; the last nodes still pay."
    )
    (listed,) = [block["lines"] for block in page["blocks"] if block["kind"] == "bullets"]
    assert listed == [
        "At rated power: 2 nodes.",
        "Fastest: 4 nodes, a degree of 2.00.",
        "Cheapest per result: 4 nodes, a degree of 2.00.",
    ]  # (10 + 2) x 20 = 240 against (10 + 4) x 16 = 224
    assert "costs its nodes and as much as 10 further ones" in texts(page)


def test_nodes_of_several_applications_have_no_empty_column_of_money(
    several: ConfigurationStudy,
) -> None:
    """All have the same counts, so a sentence has them."""
    page = one(several, HEADINGS[3])
    assert "Cheapest per result: nodes" not in texts(page)
    assert not tables(page)
    (words,) = [block["words"] for block in page["blocks"] if "at rated power 2;" in texts(block)]
    assert words.startswith("toy, ")
    assert " and mix: nodes at rated power 2; fastest: nodes " in words


def test_a_baseline_whose_runs_vary_marks_the_speed_up_over_it() -> None:
    """Packed-max took 20 s and 40 s: its speed-ups carry a star, and no finding counts them."""
    once = runs("toy", TOY, (1.0, 1.0))
    packed = (once.nodes == 2) & (once.cores_per_node == 8) & (once.package_cap_w == 100)
    times = np.where(packed & (once.repetition == 2), 2 * once.time_s, once.time_s)
    unsteady = asked(replace(once, time_s=times))
    assert any("as packed-max, (2 x 8, 100 W)" in warning for warning in unsteady.warnings)
    data = document(unsteady, [])
    rows = {row[0]: row[1:] for row in data["table"]["rows"]}
    assert rows["packed-max"][4].endswith("x*")
    assert data["table_note"].startswith("* The runs of this choice")
    assert document(asked(once), [])["table_note"] == ""
    marked = [row[0] for row in tables(one(unsteady, HEADINGS[0]))[0] if "*" in row[5]]
    assert marked == [f"{at:g} W" for at in sorted(unsteady_bounds(answer(unsteady)))]
    steady = asked(once)
    assert not any("as packed-max" in warning for warning in steady.warnings)
    assert "*" not in texts(document(steady, [])["table"])


def test_slow_runs_are_a_risk_of_the_first_page() -> None:
    """2 of 90 runs take 1.5 and 1.8 times as long as the other run of their configuration."""
    steady = runs("code", law(1.0), (1.0, 1.01))
    times = steady.time_s.copy()
    times[3], times[9] = 1.5 * times[2], 1.8 * times[8]
    slow = document(asked(replace(steady, time_s=times)), [])["risks"]
    assert any(line.startswith("2 of 90 repeated runs are unusually slow: up to 80 %")
               for line in slow)  # fmt: skip
    assert not any("unusually slow" in line for line in document(asked(steady), [])["risks"])


def test_slow_runs_of_the_best_configuration_are_a_risk_with_its_name() -> None:
    """Four nodes are the best; one of three of their runs took twice as long, or none did."""
    other = (2, 8, 100.0, 20.0, 200.0)
    thrice: Rows = [(4, 8, 100.0, time_s, 390.0) for time_s in (10.0, 10.01, 20.0)]
    steady: Rows = [(4, 8, 100.0, time_s, 390.0) for time_s in (10.0, 10.01, 10.02)]
    slow: Rows = [(2, 8, 50.0, time_s, 150.0) for time_s in (30.0, 30.01, 60.0)]

    def numbered(rows: Rows) -> Runs:
        return replace(runs("code", rows), repetition=np.arange(len(rows)) + 1)

    touched = asked(numbered([*thrice, other]))
    (risk,) = [line for line in document(touched, [])["risks"] if "unusually slow" in line]
    assert "It is a run of the best configuration." in risk
    page = texts(one(touched, HEADINGS[6]))
    assert "Best (4 x 8, 100 W) of code: repetition 3 took 20 s, 100 % longer" in page
    free = asked(numbered([*steady, *slow, other]))
    (risk,) = [line for line in document(free, [])["risks"] if "unusually slow" in line]
    assert "It is not a run of the best configuration." in risk
    assert "The best configuration has no slow run." in texts(one(free, HEADINGS[6]))


def test_larger_counts_are_only_advised_where_the_largest_count_still_pays() -> None:
    """32 nodes are the fastest and pay; with a twin of them twice as large nothing is advised."""
    step = "Measure larger node counts for code: the last nodes still pay."
    rows: Rows = [(n, 8, 100.0, 1000.0 / n, 10.0 * n) for n in (8, 16, 32)]
    assert step in lines_of(document(asked(runs("code", rows)), []))
    flat: Rows = [*rows, (64, 8, 100.0, 1000.0 / 32, 320.0)]
    assert step not in lines_of(document(asked(runs("code", flat), bound_w=2000.0), []))
    less: Rows = [*rows, (34, 8, 100.0, 31.0, 340.0)]
    text = lines_of(document(asked(runs("code", less), bound_w=2000.0), []))
    assert "Larger counts promise little for code: the last nodes save less than 1 % each." in text


def test_the_first_page_says_what_cap_and_bound_cover(toy: ConfigurationStudy) -> None:
    assert "Cap and bound cover packages only" in lines_of(document(toy, []))
    memory = replace(runs("toy", TOY), dram_power_w=np.full(len(TOY), 1.0))
    text = lines_of(document(asked(memory), []))
    assert "bound counts the mean power of packages and memory" in text
    assert "Packed-max uses the most cores per node" in document(toy, [])["description"]


def test_an_application_on_one_node_count_says_so(several: ConfigurationStudy) -> None:
    text = texts(one(several, HEADINGS[3]))
    assert "Only one node count was run for flat." in text
    assert "flat and mix:" not in text


def test_one_winner_is_best_where_any_configuration_fits() -> None:
    one = asked(runs("one", [(8, 8, 100.0, 1.0, 300.0)]))
    assert winners.page(one, {}).answer == (
        "(8 x 8, 100 W) is the best configuration at every bound at which any fits."
    )


def test_the_winners_are_those_that_nothing_beats(toy: ConfigurationStudy) -> None:
    (rows,) = tables(one(toy, HEADINGS[4]))
    assert [row[0] for row in rows] == ["150 W", "160 W", "190 W", "300 W", "380 W", "600 W"]
    assert [row[5] for row in rows] == ["", "", "4 to 8", "", "", ""]
    assert [row[6] for row in rows] == ["", "", "", "", "requested", ""]
    assert winners.page(toy, {}).answer.startswith(
        "The best configuration of toy changes 5 times between 150 W (40 s) and 600 W (11 s)"
    )


def test_the_line_fit_is_set_beside_what_the_thesis_says(several: ConfigurationStudy) -> None:
    page = lines.page(several, {})
    assert page is not None
    spread = answer(several, HOSTILE).line_spread
    assert spread is not None
    assert spread.slope > 0.02
    assert page.answer.startswith("No: between bounds, the slope of $x_1^{2}$ #panic()")
    assert "less than 2 %" in texts(page.to_dict())


def test_a_slope_that_changes_its_sign_is_told_by_its_ends_and_by_no_percentage() -> None:
    """Slopes of -1 and +1.01 s per node differ by 40,200 % of their mean, which says nothing."""
    fits = [LineFit(w, 8, 32, m, 10.0, 0.1, 4) for w, m in ((3e3, -1.0), (4e3, 1.01))]
    spread = line_spread(fits)
    assert spread is not None
    assert spread.slope == pytest.approx(402)
    assert lines._slopes(spread) == "goes from −1 to 1.010 s per node"  # noqa: RUF001
    assert lines._intercepts(spread) == "differs by 0 %"


def test_the_figure_of_gains_counts_the_cases_that_its_page_counts(
    several: ConfigurationStudy, drawn: list[Picture]
) -> None:
    """Two of the four applications gain nowhere and are not drawn, but they are cases too."""
    (figure,) = [picture for picture in drawn if picture.kind == "gains"]
    page = gains_page.page(several, {})
    assert page.answer.startswith(
        "At 260 W to 4,500 W, the best configurations of 3 applications are 1.00 to 2.29"
    )
    counted = [
        gain for shown_answer in several.answers for _, gain, _ in bars(shown_answer) if gain
    ]
    assert f" of {len(counted)} cases" in figure.title
    assert "Packed-max is the best at every bound for flat" in gains.omitted_applications(several)


def test_figures_of_many_applications_say_that_they_count_what_they_draw() -> None:
    result = asked(*(runs(f"toy {k}", TOY) for k in range(9)))
    titles = [picture.title for picture in gains.pictures(result)]
    assert len(titles) == 2
    assert all(" cases in this figure" in title for title in titles)


def test_lines_that_agree_are_called_so() -> None:
    """One cap and one core count: at every bound that allows all, the same line."""
    straight = [(n, 8, 100.0, 50.0 - n, 10.0 * n) for n in (2, 4, 6, 8, 10)]
    other = [(n, 4, 100.0, 90.0 - n, 9.0 * n) for n in (2, 4, 6, 8, 10, 40)]
    page = lines.page(asked(runs("even", straight + other), bound_w=120.0), {})
    assert page is not None
    assert page.answer.startswith("Slope and intercept differ by less than 2 %")


def test_repetitions_show_their_spread(
    toy: ConfigurationStudy, several: ConfigurationStudy
) -> None:
    text = texts(one(toy, HEADINGS[6]))
    assert "median 16 %; 90th percentile 16 %; largest 16 %; largest in power 0 %" in text
    assert "slowest 17.6 s" not in text  # the first page has the runs of a single best
    rows = tables(one(several, HEADINGS[6]))[-1]
    assert rows[2][:4] == ["flat", "9", "0", "–"]  # noqa: RUF001


def test_slow_runs_of_several_applications_are_a_table_without_constant_columns() -> None:
    tables_of = []
    for name, slow in (("first", (3, 9)), ("second", (5,))):
        steady = runs(name, law(1.0), (1.0, 1.01))
        times = steady.time_s.copy()
        for row in slow:
            times[row] = 1.5 * times[row - 1]
        tables_of.append(replace(steady, time_s=times))
    page = one(asked(*tables_of), HEADINGS[6])
    (block,) = [b for b in page["blocks"] if b.get("caption", "").startswith("Slow runs, compared")]
    assert [row[:2] for row in block["table"]["rows"]] == [["first", "2"], ["second", "1"]]
    assert "in every row: repeated runs 90; slower by 50 %" in block["caption"]
    assert "No best configuration has a slow run." in texts(page)
    assert "runs of first were" not in texts(page)


def test_a_setting_that_all_slow_runs_share_is_a_sentence_and_not_a_column() -> None:
    """Both applications are slow on 8 nodes with 16 cores only; then one also with 8 cores."""
    rows: Rows = [(n, c, 100.0, 800.0 / n / c, 10.0 * n) for n in (2, 4, 8) for c in (8, 16)]

    def slow(name: str, *places: int) -> Runs:
        steady = runs(name, rows, (1.0, 1.01))
        times = steady.time_s.copy()
        for place in places:
            times[2 * place + 1] = 1.5 * times[2 * place]
        return replace(steady, time_s=times)

    pattern = "All 2 slow runs use 16 cores per node, on 8 nodes: this setting may"
    page = one(asked(slow("first", 5), slow("second", 5)), HEADINGS[6])
    assert pattern in texts(page)
    (block,) = [b for b in page["blocks"] if b.get("caption", "").startswith("Slow runs, compared")]
    assert "nodes 8" not in block["caption"]
    other = one(asked(slow("first", 5), slow("second", 4, 5)), HEADINGS[6])
    assert "slow runs use" not in texts(other)
    (block,) = [b for b in other["blocks"] if b.get("caption", "").startswith("Slow runs, compar")]
    assert "Cores per node" in [column["name"] for column in block["table"]["columns"]]


def test_alternatives_of_several_applications_are_those_of_least_power() -> None:
    """Next to the best of 10 s at 300 W: one of more power, one of 200 W, and one that is slow."""
    best, more, less = (
        (4, 8, 100.0, 10.0, 300.0),
        (4, 8, 90.0, 10.1, 310.0),
        (4, 8, 80.0, 10.4, 200.0),
    )
    saving = runs("saving", [best, more, less, (2, 8, 80.0, 20.0, 100.0)], (1.0, 1.0))
    wasting = runs("wasting", [best, more])
    data = document(asked(saving, wasting), [])
    text = lines_of(data)
    assert (
        "saving: 2 others within 5 %; (4 x 8, 80 W) draws least, 200 W, and is 4.0 % slower."
        in text
    )
    assert "wasting: 1 other within 5 %, but it does not draw less power." in text
    assert data["table_note"].startswith("Time and power are those of the median run.")


def test_a_model_with_nothing_to_predict_is_described(toy: ConfigurationStudy) -> None:
    assert "was requested" not in texts(method.page(toy, {}).to_dict())
    unused = texts(method.page(replace(toy, model="physical+process"), {}).to_dict())
    assert (
        "The model physical+process (a law of a power-capped node, corrected by Gaussian "
        "processes) was requested, but there was nothing to predict."
    ) in unused


def test_several_applications_define_only_the_names_that_they_use(
    toy: ConfigurationStudy, several: ConfigurationStudy
) -> None:
    assert "spread the fewest" in texts(method.page(toy, {}).to_dict())
    text = texts(method.page(several, {}).to_dict())
    assert "spread the fewest" not in text
    assert "because every power is that of a run" in text


def test_a_guard_that_cuts_off_the_largest_power_limits() -> None:
    """The largest power is 3,000 W: a bound of 3,100 W limits nothing, but does with 5 % free."""
    rows = [(2, 8, 100.0, 20.0, 2000.0), (4, 8, 100.0, 12.0, 3000.0)]
    loose, guarded = (
        study(
            Measurements("t.csv", "ab12" * 16, {"code": runs("code", rows)}),
            Question(Bound(3100.0, guard), NodeMaximum(sockets=1, tdp_w=150.0, dram_max_w=0.0)),
        )
        for guard in (0.0, 0.05)
    )
    assert any("limits nothing" in warning for warning in loose.warnings)
    assert not any("limits nothing" in warning for warning in guarded.warnings)
    # the same share of use binds, or does not: under the guard a faster configuration is left out
    assert "Power does not bind: 96.8 % of 3,100 W is used" in lines_of(front(loose))
    assert "Power: 65 % of 3,100 W is used" in lines_of(front(guarded))


def test_stragglers_stand_apart_the_slowest_first() -> None:
    """Repetition 2 of two of 45 configurations takes half as long again, and 1.8 times as long."""
    steady = runs("code", law(1.0), (1.0, 1.01))
    times = steady.time_s.copy()
    times[3], times[9] = 1.5 * times[2], 1.8 * times[8]
    page = one(asked(replace(steady, time_s=times)), HEADINGS[6])
    rows = tables(page)[-1]
    assert [row[1:] for row in rows] == [  # of one application, so no column names it
        ["2", seconds(float(times[9])), seconds(float(times[8])), "80 %"],
        ["2", seconds(float(times[3])), seconds(float(times[2])), "50 %"],
    ]
    assert "2 of 90 runs of code were 50-80 % slower" in texts(page)


def test_the_limits_say_what_power_is(toy: ConfigurationStudy) -> None:
    assert "memory was not measured" in texts(one(toy, HEADINGS[7]))


def test_provenance_holds_hash_and_no_folder(several: ConfigurationStudy) -> None:
    text = texts([document(several, []), every(several)])
    assert "ab12" * 16 in text
    assert "folder/" not in text


def test_many_warnings_and_applications_stay_few_on_the_title_page() -> None:
    many = [runs(f"code {index:02d}", law(1.0 + index, (2, 4, 8))) for index in range(14)]
    crowd = asked(*many, *(runs(f"late {n}", [(8, 8, 100.0, 1.0, 900.0)]) for n in range(9)))
    data = document(crowd, [])
    assert data["risks"][-1].endswith("further warnings are in the appendix.")
    assert data["table"]["rows"][-1][0] == "and 9 more"
    assert "14 applications" in data["decision"]
    assert "2 further applications: see configure.xlsx" in texts(data["pages"])
    words = texts(data["pages"])
    assert all(warning in words for warning in crowd.warnings[:12])
    assert f"{len(crowd.warnings) - 12} more are in configure.json." in words


def test_the_document_of_many_applications_has_few_sheets(tmp_path: Path) -> None:
    table = tmp_path / "many.csv"
    names = (f"a code with a long name {index}" for index in range(8))
    write_twice(table, ((name, *row) for name in names for row in law(1.0, (2, 4, 8))))
    out = tmp_path / "out"
    arguments = ["configure", str(table), "--power-bound", "400", "-o", str(out), "-q"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    reader = pypdf.PdfReader(out / "report.pdf")
    assert len(reader.pages) <= MOST_SHEETS
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    for heading in IN_EVERY_DOCUMENT:
        assert "".join(heading.split()) in text


def test_one_configuration_makes_a_report_without_figures() -> None:
    single = asked(runs("solo", TOY[:1]))
    assert pictures(single) == []
    data = document(single, [])
    assert "The best configuration was run once" in lines_of(data)
    assert one(single, HEADINGS[6])["answer"].startswith("Nothing was run more than once")


# Models, and runs needed


def test_only_a_full_study_has_pages_on_models(
    full: ConfigurationStudy, toy: ConfigurationStudy
) -> None:
    assert [p["heading"] for p in every(full)][6:8] == ON_MODELS
    assert set(ON_MODELS) <= {page["heading"] for page in document(full, [])["pages"]}
    assert not set(ON_MODELS) & {page["heading"] for page in every(toy)}
    assert not {"model_errors", "runs_needed"} & set(sheets(toy))
    assert toy.to_dict()["prediction"] is None
    assert "predict" not in texts(document(toy, []))


def test_the_best_model_is_named_with_the_bounds_that_it_breaks(full: ConfigurationStudy) -> None:
    """Log-polynomial: 50 % of 40 without a guard; with 3 % 20 %."""
    assert one(full, ON_MODELS[0])["answer"] == (
        "physical has the smallest median time error, 2.0 % on average over applications; the "
        "thesis's regression (log-polynomial) has 8.0 %. Decisions by physical break the bound in "
        "20 % of cases without a guard and break the bound in 20 % of cases with a guard of 3 %. "
        "Decisions by the thesis's regression break the bound in 50 % of cases without a guard and "
        "break the bound in 20 % of cases with a guard of 3 %."
    )
    text = texts(one(full, ON_MODELS[0]))
    for part in (
        "5 random training sets (seeds 3, 4, 5, 6, 7)", "for 4 bounds each time",
        "trained on 12 configurations, all repetitions",
        "Ground truth of a configuration is the time and power of its median run",
        "Too few configurations to train and test a model: toy.",
    ):  # fmt: skip
        assert part in text


def test_errors_and_decisions_stand_by_model_and_guard(full: ConfigurationStudy) -> None:
    errors, first, second, verified, at_bounds, _ = tables(one(full, ON_MODELS[0]))
    assert errors[0][1] == "log-polynomial (the thesis's regression)"
    assert errors[1][2:] == ["2.0 %", "4.0 %", "20 %", "1.0 %", "2.0 %", "10 %", "6.0 %"]
    assert first[3] == [
        "log-polynomial", "3 %", "1.5 %", "4.0 %", "−0.5 % to 4.0 %", "20 %", "3.1 %", "none",  # noqa: RUF001
    ]  # fmt: skip
    assert second[4][3:] == ["no answer", "–", "–", "–", "all"]  # noqa: RUF001
    assert verified[0][1:] == ["7.5", "3.0 %", "0 %", "12 %", "0.4 %", "5.0 %", "0.3 %", "10 %"]
    assert at_bounds == [["400 W", "0.5 %", "0 %", "0.5 %"], ["500 W", "0 %", "11 %", "12 %"]]


def test_runs_needed_are_those_from_which_on_the_regret_stays_small(
    full: ConfigurationStudy,
) -> None:
    """Random, verified: 1 % with 8, but 3 % with 12, so 24; the regression has no answer with 8."""
    page = one(full, ON_MODELS[1])
    assert page["answer"] == (
        "Runs needed for a median regret of 2 %: the sequential design: 12 runs; random runs, the "
        "last three for verification: 24 runs; random runs with the thesis's regression: 12 runs "
        "(25 % of the choices break the bound); random runs without a model: more than 24 runs."
    )
    needed, first, _ = tables(page)
    assert needed[1] == ["other", "12", "24", "12\n25 % break the bound", "more than 24"]
    assert first[0][1:] == ["5.0 % / 15 % / 35 %", "1.0 % / 11 % / 31 %", "0 % / 10 % / 30 %"]
    assert first[2][1:3] == [
        "no answer", "1.0 % / 11 % / 31 %\n25 % break the bound, by up to 2.0 %"
    ]  # fmt: skip
    assert "2 bounds, 2 repetitions (seeds 3, 4)" in texts(page)
    assert "Ground truth of a configuration is the time and power of its" in texts(page)


def test_no_time_of_a_fit_is_written(full: ConfigurationStudy) -> None:
    book = sheets(full)
    assert len(book["model_errors"]) == 4
    assert len(book["model_decisions"]) == 20
    assert [row["bound_w"] for row in book["verified_at_bounds"]] == [500.0, 400.0] * 2
    assert len(book["runs_needed"]) == 24
    plain = plan_json(full)
    assert "fit_" not in plain + texts(book) + texts(every(full))
    prediction = json.loads(plain)["prediction"]
    assert (prediction["seeds"], prediction["curve_seeds"]) == ([3, 4, 5, 6, 7], [3, 4])
    assert prediction["summary"][0].startswith("physical has the smallest median time error")
    assert appendix.command(full).endswith("--full --seed 3 -o DIR")


def test_figures_on_models_hold_the_rows(full: ConfigurationStudy) -> None:
    result = made_up()
    figure = Figure()
    models.paint_errors(figure, result.errors)
    ends = [
        np.asarray(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "s"
    ]
    assert [end.tolist() for end in ends] == [[8.0], [8.0]]
    assert {line.get_marker() for line in figure.axes[1].lines} == {"None", "|", "s", "o"}
    figure = Figure()
    models.paint_decisions(figure, result.decisions)
    assert [axes.get_title(loc="left") for axes in figure.axes[::2]] == [HOSTILE, "other"]
    right = figure.axes[1].lines[0]
    assert np.asarray(right.get_ydata()) == pytest.approx([50, 40, 30, 20, 10])
    hollow = [line for line in figure.axes[2].lines if line.get_markerfacecolor() == "white"]
    spots = [(np.asarray(e.get_xdata())[0], np.asarray(e.get_ydata())[0]) for e in hollow]
    assert np.array(spots) == pytest.approx(np.array([[4.89, 1.0], [5.11, 6.0]]))  # no, some answer
    figure = Figure()
    runs_needed.paint(figure, result.curves)
    regret_axes = figure.axes[0]
    lines = [
        np.asarray(line.get_ydata())
        for line in regret_axes.lines
        if len(np.atleast_1d(line.get_xdata())) == 3
    ]
    assert lines[0] == pytest.approx([5.0, 1.0, 0.0])
    assert [
        line.get_marker() for line in regret_axes.lines if line.get_markerfacecolor() == "white"
    ] == ["^"]
    drawn = [*models.pictures(full), *runs_needed.pictures(full)]
    assert [picture.name for picture in drawn] == [
        "06-model-errors", "07-model-decisions", "08-runs-needed"
    ]  # fmt: skip
    pages = every(full, drawn)
    files = [b["file"] for p in pages for b in p["blocks"] if b["kind"] == "picture"]
    assert files == [f"{picture.name}.svg" for picture in drawn]


# Predictions


@pytest.fixture(scope="module")
def predicted() -> ConfigurationStudy:
    given = Measurements("table.csv", "ab12" * 16, {"code": runs("code", law(1.0), (1.0, 1.1))})
    question = Question(Bound(400.0, 0.03), NodeMaximum(1, 150.0, 0.0))
    return study(given, question, model=LogPolynomial(), grid=Grid((3, 5, 7), (), (60.0, 85.5)))


def test_a_report_of_predictions_says_so(predicted: ConfigurationStudy) -> None:
    data = document(predicted, [])
    assert data["certificate"].startswith(
        "All configurations have predicted times and powers (log-polynomial, fitted to 90 runs of "
        "45 configurations). 3 % of the bound is kept free"
    )
    assert "The best configuration was never run" in lines_of(data)
    noted = [
        page["heading"] for page in every(predicted)
        if "on this page are predictions of log-polynomial" in texts(page)
    ]  # fmt: skip
    assert noted == HEADINGS[:6]
    text = texts([data, every(predicted)])
    for claim in (
        "that were measured", "highest cap measured, min", "Chosen from",
        "so the best of them is exact",
        "Only configurations that were run", "A configuration counts with",
    ):  # fmt: skip
        assert claim not in text, claim
    based_on = texts(one(predicted, "Which runs is this based on?"))
    assert "holds 90 runs of 45 configurations" in based_on
    assert (
        "configurations 18; nodes 3, 5, 7; cores per node 4, 8, 16; caps (W) 60, 85.5" in based_on
    )
    assert all(p.title.startswith("Predicted, not measured: ") for p in pictures(predicted)[:4])
    unguarded = study(
        predicted.measurements, replace(predicted.question, bound=Bound(400.0)),
        model=LogPolynomial(), grid=predicted.grid,
    )  # fmt: skip
    assert "No part of the bound is kept free as a guard" in document(unguarded, [])["certificate"]


def test_a_report_of_runs_and_predictions_says_which_is_which(
    predicted: ConfigurationStudy,
) -> None:
    """Of 4 x 3 x 3 configurations 27 were run; without predictions the report is as usual."""
    question = replace(predicted.question, bound=Bound(400.0), prediction_guard=0.03)
    model, grid = LogPolynomial(), Grid((2, 4, 6, 8))
    mixed = study(predicted.measurements, question, model=model, grid=grid)
    data = document(mixed, [])
    assert data["certificate"].startswith(
        "9 of 36 configurations have predicted times and powers (log-polynomial, fitted to 90 runs "
        "of 45 configurations). 3 % of the bound is kept free"
    )
    end = "Run the choice" if mixed.answers[0].predicted else "The best was measured."
    assert end in data["certificate"]
    for row in tables(one(mixed, HEADINGS[4]))[-1]:
        assert ("predicted" in row[1]) == (row[1].startswith("(6 x"))
    assert all(p.title.startswith("Partly predicted, not measured") for p in pictures(mixed)[:4])
    text = texts([data, every(mixed)])
    assert "on this page that are marked as predicted are predictions of log-polynomial" in text
    assert "Predicted powers keep 3 % of the bound free" in text
    assert "--guard" not in appendix.command(mixed)
    usual = study(predicted.measurements, question, model=model)
    data = document(usual, [])
    assert data["certificate"] == ""
    assert "predictions of log-polynomial" not in texts([data["pages"], every(usual)])
    every_one = "All 45 configurations were run: the model log-polynomial had nothing to predict."
    assert every_one in lines_of(data)
    assert every_one not in " ".join(data["risks"])


def test_the_command_of_a_prediction_has_its_model_and_grid(predicted: ConfigurationStudy) -> None:
    words = shlex.split(appendix.command(predicted))
    axes = [word for before, word in pairwise(words) if before == "--grid"]
    assert grid_of(tuple(axes)) == predicted.grid
    assert words[words.index("--model") + 1] == "log-polynomial"


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
    reader = pypdf.PdfReader(tmp_path / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    for heading in ON_MODELS:
        assert "".join(heading.split()) in text


# What the figures show


def test_bars_are_the_gains_by_hand(toy: ConfigurationStudy) -> None:
    result = bars(answer(toy))
    assert [(at, asked_for) for at, _, asked_for in result if asked_for] == [(400.0, True)]
    assert [None if gain is None else round(gain.speedup, 4) for _, gain, _ in result] == [
        None, None, None, 1.0, 1.0, 1.25, 1.25, 1.25, 1.25, 1.0,
    ]  # fmt: skip
    figure = Figure()
    gains.paint(figure, [answer(toy)])
    (axes,) = figure.axes
    patches: list[Any] = list(axes.patches)
    assert [round(bar.get_height(), 4) for bar in patches] == [0.25] * 4
    assert [bar.get_hatch() for bar in patches] == ["//", "", "", ""]
    assert [text.get_text() for text in axes.texts].count("n/a") == 3
    assert [text.get_text() for text in axes.texts].count("=") == 3
    shown = [text.get_text() for text in axes.texts]
    assert "1.25\n20 %" in shown  # a fifth less time is a quarter faster
    assert gains.finding([answer(toy)]).startswith(
        "toy gains most over packed-max at 400 W: 1.25 times as fast (20 % of the time saved)"
    )


def test_the_space_shows_every_configuration_and_the_chosen_ones(toy: ConfigurationStudy) -> None:
    figure = Figure()
    space.paint(figure, answer(toy))
    axes = figure.axes[0]
    groups = [
        collection for collection in axes.collections if isinstance(collection, LineCollection)
    ]
    counts = [len(group.get_segments()) for group in groups if len(group.get_segments()[0]) == 5]
    assert counts == [1, 7]  # over the bound, within it
    drawn = {str(line.get_label()): np.asarray(line.get_ydata()) for line in axes.lines}
    # nodes 2..4, cores 4..8, caps 50..100, times 11..40, powers 150..600
    assert drawn["best"] == pytest.approx([1, 1, 0, 5 / 29, 230 / 450])
    assert drawn["packed-max"] == pytest.approx([0, 1, 1, 9 / 29, 150 / 450])
    styles = {
        str(line.get_label()): (line.get_color(), line.get_linestyle()) for line in axes.lines
    }
    assert len(set(styles.values())) == 2
    assert {color for color, _ in styles.values()} == {"#0072B2", "#D55E00"}
    assert space.finding(answer(toy)).endswith("has more nodes and a lower cap than packed-max")


def test_near_optimal_configurations_are_lines_of_their_own() -> None:
    figure = Figure()
    near = answer(asked(runs("toy", TOY), tolerance=0.4))
    space.paint(figure, near)
    groups = [
        collection
        for collection in figure.axes[0].collections
        if isinstance(collection, LineCollection)
    ]
    counts = [len(group.get_segments()) for group in groups if len(group.get_segments()[0]) == 5]
    assert counts == [1, 7, len(near.near_optimal) - 1]
    assert len(near.near_optimal) == 4  # up to 22.4 s: 16, 20, 21 and 22 s
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "within 40 % of the best" in labels


def test_nodes_show_the_best_packed_max_and_the_worst_case(toy: ConfigurationStudy) -> None:
    figure = Figure()
    nodes.paint(figure, answer(toy))
    drawn = {
        str(line.get_label()): np.column_stack((line.get_xdata(), line.get_ydata())).tolist()
        for line in figure.axes[0].lines
    }
    assert drawn["best at 400 W"] == [[2, 20], [4, 16]]
    assert drawn["best at 300 W, if different"] == [[2, 20], [4, 22]]
    assert drawn["best"] == [[4, 16]]
    assert drawn["packed-max"] == [[2, 20]]
    assert drawn["worst case by rating"] == [[2, 20]]
    labels = [text.get_text() for text in figure.axes[0].texts]
    assert labels == ["rating", "cheapest, fastest"]


def test_the_staircase_marks_cores_and_their_changes(toy: ConfigurationStudy) -> None:
    figure = Figure()
    staircase.paint(figure, answer(toy))
    drawn = {str(line.get_label()): np.asarray(line.get_xdata()) for line in figure.axes[0].lines}
    assert drawn["4 cores per node"].tolist() == [150, 160]
    assert drawn["8 cores per node"].tolist() == [190, 300, 380, 600]
    assert drawn["requested: 400 W"].tolist() == [400, 400]
    finding = staircase.finding(answer(toy))
    assert finding.endswith("(11 s), once with a different core count")


def test_the_spread_of_repetitions_is_drawn_per_application(several: ConfigurationStudy) -> None:
    figure = Figure()
    result = repetitions.repeated(several)
    assert [repeated.application for repeated in result] == ["toy", HOSTILE]
    repetitions.paint(figure, result)
    first = np.asarray(figure.axes[0].lines[0].get_xdata())
    assert first == pytest.approx(np.full(8, 100 * (1.1 / 0.95 - 1)))
    assert widest_spread(result).endswith("of toy varies most, by 16 %")


@pytest.mark.slow
def test_pictures_are_the_same_bytes_twice_and_have_safe_names(
    several: ConfigurationStudy, drawn: list[Picture]
) -> None:
    first, second = drawn, pictures(several)
    assert [p.name for p in first] == [p.name for p in second]
    kind_of = {p.name: p.kind if few(5) == 5 else p.kind.split()[0] for p in first}
    once = {kind: name for name, kind in kind_of.items()}  # to paint them takes long
    assert len(once) >= 5
    for one, other in zip(first, second, strict=True):
        if one.name in once.values():
            assert (one.png, one.svg) == (other.png, other.svg)
    names = [picture.name for picture in first]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    kinds = {picture.kind for picture in first}
    assert {"gains", f"space {HOSTILE}", "nodes toy", "nodes of the mix", "repetitions"} <= kinds
    assert "nodes flat" not in kinds
    assert all(len(picture.title) > 20 for picture in first)


def test_every_picture_has_its_place_in_the_document(
    several: ConfigurationStudy, drawn: list[Picture]
) -> None:
    pages = every(several, drawn)
    files = [b["file"] for p in pages for b in p["blocks"] if b["kind"] == "picture"]
    assert sorted(files) == sorted(f"{picture.name}.svg" for picture in drawn)


def test_two_thousand_configurations_stay_a_small_file() -> None:
    rows = law(1.0, tuple(range(2, 450, 2)))
    crowd = asked(runs("crowd", rows), bound_w=9000.0)
    assert len(answer(crowd, "crowd").table) == 2016
    (picture,) = space.pictures(crowd)
    assert len(picture.svg) < 2_000_000


# Workbook and data


def test_the_workbook_holds_every_configuration(several: ConfigurationStudy) -> None:
    result = sheets(several)
    assert len(result["configurations"]) == len(TOY) + 45 + 9
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


def test_the_json_is_the_study(several: ConfigurationStudy) -> None:
    assert json.loads(plan_json(several)) == json.loads(json.dumps(several.to_dict()))


def test_figures_are_the_same_on_given_axes(drawn: list[Picture]) -> None:
    assert same_on_given_axes(drawn)
