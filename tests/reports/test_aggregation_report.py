"""The report on a choice of a pattern: what it says, by hand; what its figures show; any names."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdf
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from planner.aggregation.aggregate import AggregationStudy, aggregate
from planner.aggregation.measured import gathered
from planner.aggregation.result import AggregationSettings
from planner.aggregation.summary import pace
from planner.aggregation.truths import true_runs
from reports.aggregation import document, pictures
from reports.aggregation.figures import errors, patterns
from reports.aggregation.pages import method
from reports.aggregation.pages.front import pairs
from reports.publish import plan_json
from reports.style import BLUE, Picture
from reports.workbook import sheets, workbook
from scenarios.aggregation.task_layout import Layout
from scenarios.simulated.aggregation import load_hardware
from tests.planner.cli.commands import ran
from tests.reports.given import same_on_given_axes
from tests.reports.shown import tables, texts
from tests.scenarios.aggregation.folders import synthetic

HEADINGS = [
    "How much energy and time does each pattern take?", "Which ranks share a node?",
    "What is not modelled?", "How accurate is predicted IPC?", "Appendix: method",
    "Appendix: errors of the predictions", "Appendix: provenance",
]  # fmt: skip
HOSTILE = "=1+1 $x_2$ #eval(1) <b> \\"


@pytest.fixture(scope="module")
def simulated() -> AggregationStudy:
    hardware = load_hardware()
    return aggregate(
        gathered(hardware, "cliff", "lu", 16, 0),
        true=lambda known: true_runs(hardware, "cliff", "lu", 16, 0, known),
    )


@pytest.fixture(scope="module")
def plain() -> AggregationStudy:
    return aggregate(synthetic(memory_gb=1.5))


@pytest.fixture(scope="module")
def shown(simulated: AggregationStudy) -> list[Picture]:
    return pictures(simulated)


def painted(study: AggregationStudy, paint: object) -> Figure:
    figure = Figure(figsize=(6.8, 3))
    paint(figure, study)  # type: ignore[operator]
    return figure


def first_page(data: dict[str, Any]) -> str:
    """Every line of the parts of the first page."""
    parts = [part for side in ("left", "right") for part in data[side]]
    return " ".join(line for part in parts for line in part["lines"])


def test_the_command_writes_every_file_and_lists_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = ran("aggregate", "ft", "--law", "cliff", "--json", "-o", str(out))
    assert done.exit_code == 0, done.output
    listed = json.loads((out / "run.json").read_text())
    found = {str(f.relative_to(out)) for f in out.rglob("*.*")} - {"run.json"}
    assert set(listed["sha256"]) == found
    assert found == {
        "report.pdf", "aggregate.xlsx", "aggregate.json",
        *(f"figures/{name}.{ending}" for name in ("01-patterns", "02-errors")
          for ending in ("png", "svg")),
    }  # fmt: skip
    assert json.loads((out / "aggregate.json").read_text()) == json.loads(done.stdout)
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(out / "report.pdf").pages)
    assert all(heading in text for heading in HEADINGS if "share" not in heading)
    assert HEADINGS[1] not in text  # one task on a node
    assert "Simulated, not measured" in text
    assert "headroom aggregate ft --law cliff --ranks 16" in " ".join(text.split())


def test_options_are_not_on_the_first_page(plain: AggregationStudy) -> None:
    assert plain.chosen.pattern.tasks > 1
    data = document(plain, [])
    assert "Write a rank file for your launcher." in first_page(data)
    assert "--" not in first_page(data)
    assert "--write-rank-file" in texts(data["pages"])


def test_no_other_pattern_may_be_within_the_limit_where_none_is_outside() -> None:
    hardware = load_hardware()
    found = aggregate(
        gathered(hardware, "cliff", "ft", 16, 0), AggregationSettings(grouping="order")
    )
    assert found.chosen is found.reference
    advice = "may be within this limit after all"
    assert any(advice in line for line in found.warnings)
    alone = replace(found, candidates=(found.reference,))
    assert any("above the tolerated slowdown of 5 %." in line for line in alone.warnings)
    assert not any(advice in line for line in alone.warnings)


def test_pages_come_in_order(simulated: AggregationStudy, shown: list[Picture]) -> None:
    assert [page["heading"] for page in document(simulated, shown)["pages"]] == HEADINGS


def test_the_title_page_says_the_choice_and_that_it_is_simulated(
    simulated: AggregationStudy, plain: AggregationStudy
) -> None:
    data = document(simulated, [])
    assert data["decision"] == simulated.headline
    assert data["certificate"].startswith("Ground truth of the simulated node")
    assert data["risks"][0].startswith("Simulated, not measured")
    rows = data["table"]["rows"]
    assert [row[-1] for row in rows].count("chosen") == 1
    assert rows[0][:3] == ["1", "1", "16"]
    text = texts(document(plain, []))
    assert "imulated" not in text
    assert "Not possible: pattern 8 (needs 12 GB of 8 GB)." in first_page(document(plain, []))


def test_every_pattern_has_its_numbers_predicted_and_in_truth(simulated: AggregationStudy) -> None:
    pages = document(simulated, [])["pages"]
    (predicted,) = tables(pages[0])
    true = tables(next(page for page in pages if page["heading"] == HEADINGS[5]))[0]
    assert [row[0] for row in predicted] == [row[0] for row in true] == [*map(str, range(1, 9))]
    assert [row[0] for row in predicted if row[3].endswith("*")] == ["4", "5"]
    truths = simulated.truths
    assert truths is not None
    for row, c in zip(true, simulated.candidates, strict=True):
        run = truths.outcomes[c.pattern.id]
        assert row[1] == f"{run.ipc:.3f}"
        assert float(row[2].split()[0]) == pytest.approx(100 * (c.ipc / run.ipc - 1), abs=0.051)
        assert row[4] == f"{c.communication_s / run.communication_s:.2f}"
        assert row[6] == f"{100 * truths.slowdown(c.pattern.id):.1f} %".replace("-0.0", "0.0")
    (best,) = [row[0] for row in true if "best" in row[-1]]
    assert best == str(truths.best)


def test_equations_stand_with_their_numbers() -> None:
    # slowdown of 100 % tolerated: pattern 8, all eight tasks on one node
    study = aggregate(synthetic(), AggregationSettings(threshold=1.0))
    assert study.chosen.pattern.id == 8
    page = next(p for p in document(study, [])["pages"] if p["heading"] == HEADINGS[4])
    text = texts(page)
    assert "1,000,000,000 instructions / (IPC x" in text
    # ten messages of 4096 B are 10 us faster between nodes: C = 8^2 / 10
    assert "8 of 8 pairs of ranks that exchange messages would be faster" in text
    assert "equation 4 with 8 ranks on a node, C = 6.4, times in microseconds." in text
    assert "The mean IPC of the samples (patterns 4 and 5) is 1.7" in text
    steps, rows = tables(page)
    assert rows[0][0] == "constant"
    times = {row[0]: [float(cell.split()[0]) for cell in row[2:]] for row in steps[1:4]}
    for column in range(2):
        added = times["Computation"][column] + times["Messages, upper limit"][column]
        assert added == pytest.approx(times["One iteration"][column], abs=1e-4)
    added = sum(float(row[2]) for row in rows[:-1])
    assert added == pytest.approx(float(rows[-1][2]), abs=1e-3)
    assert page["blocks"][0]["kind"] == "formulas"


def test_groups_are_listed_and_how_they_were_made() -> None:
    study = aggregate(synthetic(), AggregationSettings(grouping="order", threshold=1.0))
    page = document(study, [])["pages"][1]
    assert page["answer"] == "8 ranks on each of 1 node, in rank order."
    assert "Ranks of node 0: 0 1 2 3 4 5 6 7." in texts(page)
    assert not tables(page)  # of one row


def test_the_answer_names_the_ranks_of_few_nodes(simulated: AggregationStudy) -> None:
    chosen = simulated.chosen
    groups = np.array([[0, 1, 4, 5], [2, 3, 6, 7]])
    candidates = tuple(
        replace(c, groups=groups) if c is chosen else c for c in simulated.candidates
    )
    made = replace(simulated, candidates=candidates)
    page = document(made, [])["pages"][1]
    assert page["answer"].endswith("node 0 has ranks 0, 1, 4, 5; node 1 has ranks 2, 3, 6, 7.")
    assert tables(page)[0][0] == ["0", "0 1 4 5"]


def test_the_printed_equation_5_adds_up(
    simulated: AggregationStudy, plain: AggregationStudy
) -> None:
    for each in (simulated, plain):
        page = next(p for p in document(each, [])["pages"] if p["heading"] == HEADINGS[4])
        found = re.search(r"\((\S+) s \+ (\S+) s\) - \((\S+) s \+ (\S+) s\) = (\S+) s", texts(page))
        assert found is not None
        a, b, c, d, result = (float(number.replace(",", "")) for number in found.groups())
        places = len(found[5].partition(".")[2])
        assert (a + b) - (c + d) == pytest.approx(result, abs=0.6 * 10**-places)


def test_a_limit_is_listed_only_if_it_binds(
    simulated: AggregationStudy, plain: AggregationStudy
) -> None:
    for each in (simulated, plain):
        slow = [c for c in each.candidates if c.pattern.id not in each.tolerable]
        binds = any(each.gain(c) > each.gain(each.chosen) for c in slow)
        assert ("Slowdown of at most 5 %" in first_page(document(each, []))) is binds
    none = aggregate(synthetic(slope=0.3), AggregationSettings(threshold=0.0))
    assert "Slowdown of at most 0 %" in first_page(document(none, []))


def test_the_contention_law_is_explained(simulated: AggregationStudy) -> None:
    assert "Contention law cliff of the simulated node: a code slows down suddenly" in first_page(
        document(simulated, [])
    )


def test_the_law_is_not_taken_from_the_source_text(simulated: AggregationStudy) -> None:
    other = replace(simulated.measured, law="", source="simulated node (contention law: cliff)")
    assert "Contention law" not in first_page(document(replace(simulated, measured=other), []))


def test_freed_nodes_are_a_risk_only_where_they_save_energy(
    simulated: AggregationStudy, plain: AggregationStudy
) -> None:
    one = replace(simulated, settings=replace(simulated.settings, baseline="one"))
    assert one.freed == 12  # 4 ranks per node, against one
    assert "If the 12 freed nodes idle" in " ".join(document(one, [])["risks"])
    assert "Unused nodes cost no energy." not in first_page(document(one, []))
    assert not simulated.freed  # more nodes than the baseline
    assert "freed" not in " ".join(document(simulated, [])["risks"])
    assert "Unused nodes cost no energy." in first_page(document(simulated, []))
    assert plain.freed == 6


def test_errors_of_ipc_have_a_consequence(simulated: AggregationStudy) -> None:
    page = method.errors(simulated, {})
    tried = simulated.learnt.tried[0]
    would = [method.slowed(simulated, error) for error in (tried.mean_error, tried.most_error)]
    limit = simulated.settings.threshold
    words = "would keep the slowdown within 5 %"
    assert (words in page.answer) is (would[0] <= limit)
    assert ("Even the largest error" in page.answer) is (would[1] <= limit)
    assert f"it would be {pace(would[0])}" in texts(page.to_dict())
    assert method.slowed(simulated, 0.0) == pytest.approx(simulated.chosen.slowdown)
    sampled = next(c for c in simulated.candidates if c.pattern.id == simulated.sampled[1])
    measured = replace(simulated)
    measured.__dict__["chosen"] = sampled
    assert "Its IPC was measured. If that of one rank per node was predicted too low" in texts(
        method.errors(measured, {}).to_dict()
    )


def test_errors_of_every_training_code_are_shown(plain: AggregationStudy) -> None:
    page = next(p for p in document(plain, [])["pages"] if p["heading"] == HEADINGS[5])
    (rows,) = tables(page)
    assert sorted(row[0] for row in rows) == [f"code-{c}" for c in range(4)]
    assert "in every row: predictions 18" in texts(page)  # three problem sets, six patterns
    means = [float(row[1].split()[0]) for row in rows]
    assert means == sorted(means, reverse=True)


def test_the_book_has_every_table(simulated: AggregationStudy) -> None:
    book = sheets(simulated)
    assert [row["pattern"] for row in book["patterns"]] == [*range(1, 9)]
    assert len(book["settings"]) == 15
    assert len(book["left_out"]) == 12
    assert len(book["groups"]) == simulated.nodes(simulated.chosen.pattern)
    told = dict(pairs(simulated))
    assert told["simulated"] is True
    assert told["truly best pattern (simulated)"] == simulated.choice.best  # type: ignore[union-attr]


@pytest.mark.slow
def test_the_same_study_gives_the_same_bytes(plain: AggregationStudy) -> None:
    again = aggregate(synthetic(memory_gb=1.5))
    assert plan_json(plain) == plan_json(again)
    assert workbook(plain) == workbook(again)
    assert pictures(plain) == pictures(again)


def test_hostile_names_are_only_text() -> None:
    made = synthetic()
    runs = tuple(replace(run, code=f"{HOSTILE} {run.code}") for run in made.training)
    named = replace(
        made, training=runs, program=replace(made.program, name=HOSTILE), source=HOSTILE
    )
    study = aggregate(named)
    assert HOSTILE in document(study, [])["title"]
    assert workbook(study)
    assert len(pictures(study)) == 2


def test_without_power_no_joules_are_shown() -> None:
    made = synthetic()
    runs = tuple(replace(run, power_w=None) for run in made.training)
    study = aggregate(replace(made, training=runs))
    shown = document(study, pictures(study))
    energies = {row[4:6] for row in map(tuple, shown["table"]["rows"])}
    assert energies == {("-", "-")}
    assert "Predicted: energy not known, 2 nodes instead of 1 in the baseline." in first_page(shown)
    assert " J" not in first_page(shown)
    assert "Energy is not known: no power is metered." in str(shown["pages"])
    assert "nodes of 8 ranks per node (baseline)" in shown["decision"]
    assert [bar.get_height() for bar in columns(painted(study, patterns.paint), 0)] == [
        pytest.approx(100 * 8 / c.pattern.tasks) for c in study.candidates
    ]
    assert workbook(study)


def test_the_title_page_shows_all_patterns_or_says_which(plain: AggregationStudy) -> None:
    shown = document(plain, [])
    assert 3 <= len(shown["table"]["rows"]) <= 5
    assert "of 7 predicted patterns." in first_page(shown)
    many = aggregate(synthetic(Layout(2, 3, 4), tasks=24, memory_gb=0.1))
    shown = document(many, [])
    assert 3 <= len(shown["table"]["rows"]) <= 5
    assert f"of {len(many.candidates)} predicted patterns." in first_page(shown)


# Figures


def columns(figure: Figure, place: int) -> list[Rectangle]:
    return [p for p in figure.axes[place].patches if isinstance(p, Rectangle)]


def test_columns_are_predictions_and_diamonds_the_truth(simulated: AggregationStudy) -> None:
    figure = painted(simulated, patterns.paint)
    energy, slowdown = columns(figure, 0), columns(figure, 1)
    assert [bar.get_height() for bar in energy] == pytest.approx(
        [100 * (1 - simulated.gain(c)) for c in simulated.candidates]
    )
    assert [bar.get_height() for bar in slowdown] == pytest.approx(
        [100 * c.slowdown for c in simulated.candidates]
    )
    truths = simulated.truths
    assert truths is not None
    dots = np.asarray(figure.axes[1].lines[0].get_ydata())
    assert dots == pytest.approx([100 * truths.slowdown(p) for p in range(1, 9)])
    dots = np.asarray(figure.axes[0].lines[0].get_ydata())
    assert dots == pytest.approx([100 * (1 - truths.saving(p, 8)) for p in range(1, 9)])
    label = figure.axes[0].get_ylabel()
    assert label == "energy, % of pattern 8"
    blue = [bar for bar in energy if to_hex(bar.get_facecolor()).upper() == BLUE]
    assert [round(bar.get_x() + bar.get_width() / 2) for bar in blue] == [
        simulated.chosen.pattern.id - 1
    ]
    assert np.asarray(figure.axes[1].lines[1].get_ydata()).tolist() == [5, 5]


def test_what_is_not_possible_has_no_column(plain: AggregationStudy) -> None:
    figure = painted(plain, patterns.paint)
    assert len(columns(figure, 0)) == 7
    assert {text.get_text() for text in figure.axes[0].texts} == {"not possible"}
    assert not any(line.get_marker() == "D" for line in figure.axes[0].lines)


def test_the_finding_names_what_would_save_more() -> None:
    study = aggregate(synthetic(slope=0.04))
    saving = {c.pattern.id: study.saving(c) or 0.0 for c in study.candidates}
    more = [
        str(c.pattern.id)
        for c in study.candidates
        if saving[c.pattern.id] > saving[study.chosen.pattern.id]
        and c.pattern.id not in study.tolerable
    ]
    assert 1 <= len(more) <= 4
    found = patterns.finding(study)
    assert found.startswith(f"Predicted for pattern {study.chosen.pattern.id}: ")
    assert found.split("; ")[1].startswith(more[0])
    none = aggregate(synthetic(slope=0.3), AggregationSettings(threshold=0.0))
    assert patterns.finding(none).startswith("Recommended: one rank per node (pattern 1)")
    assert "7 other patterns take less energy but exceed the slowdown limit" in patterns.finding(
        none
    )


def test_of_many_patterns_the_first_and_the_chosen_are_drawn() -> None:
    study = aggregate(synthetic(Layout(2, 3, 4), tasks=24, memory_gb=0.1))
    drawn = [p.id for p in patterns.shown(study)]
    assert len(drawn) == patterns.MOST
    assert drawn == sorted(drawn)
    assert {1, study.chosen.pattern.id} <= set(drawn)
    assert pictures(study)
    rows = tables(document(study, [])["pages"][0])[0]
    assert len(rows) == 24


def test_a_dot_for_the_mean_error_of_each_code(plain: AggregationStudy) -> None:
    axes = painted(plain, errors.paint).axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    found = {}
    for code in {each.code for each in plain.learnt.left_out}:
        mine = [abs(e.error) for e in plain.learnt.left_out if e.code == code]
        found[code] = 100 * sum(mine) / len(mine)
    assert [float(np.asarray(dot.get_xdata())[0]) for dot in dots] == pytest.approx(
        sorted(found.values(), reverse=True)
    )
    worst = max(plain.learnt.left_out, key=lambda e: abs(e.error))
    assert errors.finding(plain).endswith(f"({worst.code})")


def test_figures_are_the_same_on_given_axes(shown: list[Picture]) -> None:
    assert same_on_given_axes(shown)
