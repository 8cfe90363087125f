"""The report on estimates: what it says, by hand; what its figures show; few cells, no waits."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

import reports
from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, Waits, case_of
from planner.scheduling.estimates.claims import PaperClaim
from planner.scheduling.estimates.settings import EstimateSettings, variants
from planner.scheduling.estimates.study import EstimateStudy, estimate_study
from planner.scheduling.estimates.summary import answer_range, confidence, of_predictors
from planner.scheduling.estimates.tools import PredictorTool
from planner.scheduling.estimates.workload import workload_of
from reports.estimates import document, pictures
from reports.estimates.cells import cell_map, finding
from reports.estimates.figures import cells, completions, groups, predictors, weights
from reports.estimates.gain_text import exact_gain
from reports.estimates.pages import cells as cell_pages
from reports.estimates.pages import groups as group_pages
from reports.estimates.pages import method, validation
from reports.estimates.pages import predictors as predictor_pages
from reports.estimates.pages.front import claims, claims_page, pairs
from reports.output_names import can_be_ours
from reports.publish import plan_json
from reports.workbook import sheets, workbook
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.maui.reader import bundled_maui
from tests.reports.given import same_on_given_axes
from tests.reports.shown import tables, texts

HEADINGS = [
    "What do the sampled users gain?", "Does the longest wait rise or fall?", "Who gains?",
    "Do real predictors shorten waits?", "Sensitivity to scheduler weights",
    "Does the simulated schedule match the recorded one?",
    "How was this simulated?", "What does this study leave out?",
    "Appendix: do the paper's claims hold here?",
    "Appendix: provenance",
]  # fmt: skip
HOSTILE = "$x_1^{2}$ #panic() *b* =1+1"
NAMES = (
    "01-mean", "02-longest", "03-groups", "04-predictors", "05-weights", "06-completions",
)  # fmt: skip
DRAWN = lublin_log(150, 64, 3, load=0.9, estimate_factor=4)
WaitOf = Callable[[EstimateCase, int], float]


def log_of(users: int, **changed: Any) -> JobLog:
    """A drawn log of so many users."""
    user = np.random.default_rng(1).integers(0, users, len(DRAWN)).astype(np.int32)
    return replace(DRAWN, user=user, **changed)


def few(**changed: Any) -> EstimateSettings:
    given: dict[str, Any] = {
        "uptakes": (0.0, 0.2, 1.0), "errors": (0.0, 0.5), "seeds": (0, 1),
        "predictors": ("last-two", "refining"), "weights": False,
    }  # fmt: skip
    return EstimateSettings(**(given | changed))


def played(job_log: JobLog | None = None, **changed: Any) -> EstimateStudy:
    found = workload_of(log_of(20) if job_log is None else job_log)
    return estimate_study(found, bundled_maui(), few(**changed))


def waits_of(mean: float) -> Waits:
    return Waits(5, mean, 2 * mean, 3 * mean, 1.0)


def outcome_of(case: EstimateCase, wait: WaitOf, seeds: tuple[int, ...]) -> CaseOutcome:
    """Queue times by hand: ``wait`` of the case for each seed's group, and for everybody."""
    told = seeds if case.seed is None else (case.seed,)
    kills = isinstance(case.tool, PredictorTool) and case.tool.overruns.then == "kill"
    whole = waits_of(float(np.mean([wait(case, seed) for seed in told])))
    return CaseOutcome(
        groups={seed: waits_of(wait(case, seed)) for seed in told},
        everybody=whole, tool_users=whole, others=whole, kills=9 * kills, jobs_killed=3 * kills,
        corrections=4 * (isinstance(case.tool, PredictorTool) and not kills),
        lost_core_hours=25.0 * kills, core_hours=100.0, makespan_s=1000,
    )  # fmt: skip


def made(wait: WaitOf, **changed: Any) -> EstimateStudy:
    """A study whose queue times are by hand."""
    settings, configuration = few(**changed), bundled_maui()
    workload = workload_of(log_of(20))
    cases = settings.cases(variants(configuration, weights=settings.weights))
    outcomes = {each: outcome_of(each, wait, settings.seeds) for each in cases}
    return EstimateStudy(workload, configuration, settings, outcomes)


def by_error(gains: dict[float, float]) -> WaitOf:
    """100 s without the tool; with the oracle less by the error's gain, and 10 s more by seed."""

    def wait(case: EstimateCase, seed: int) -> float:
        if case.tool is None:
            return 100.0
        gain = gains.get(getattr(case.tool, "most_error", -1.0), 0.0)
        return 100 * (1 - gain) + (10 * seed if gain else 0)

    return wait


def of_tools(extend: float, kill: float, exact: float = 80.0) -> WaitOf:
    """100 s without a tool, and so many with each."""

    def wait(case: EstimateCase, _seed: int) -> float:
        if case.tool is None:
            return 100.0
        if not isinstance(case.tool, PredictorTool):
            return exact
        return extend if case.tool.overruns.then == "extend" else kill

    return wait


def painted(paint: Callable[..., None], *given: Any) -> Figure:
    figure = Figure(figsize=(6.8, 4))
    paint(figure, *given)
    return figure


@pytest.fixture(scope="module")
def full() -> EstimateStudy:
    """With everything: waits, weights, names that are markup."""
    recorded = np.random.default_rng(2).integers(0, 5000, len(DRAWN))
    return played(
        log_of(20, wait_s=recorded, name=HOSTILE), weights=True,
        predictors=("last-two", "quantile", "refining"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def written(full: EstimateStudy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files."""
    folder = tmp_path_factory.mktemp("out")
    reports.write(full, folder)
    return folder


# Files


def test_every_file_is_written_and_listed(written: Path) -> None:
    listed = json.loads((written / "run.json").read_text())
    found = {str(f.relative_to(written)) for f in written.rglob("*.*")} - {"run.json"}
    assert set(listed["sha256"]) == found
    assert found == {
        "report.pdf", "estimate.xlsx", "estimate.json",
        *(f"figures/{name}.{ending}" for name in NAMES for ending in ("png", "svg")),
    }  # fmt: skip


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        found = played(uptakes=(1.0,), errors=(0.0,), seeds=(0,), predictors=("last-two",))
        reports.write(found, tmp_path / name)
        digests.append(json.loads((tmp_path / name / "run.json").read_text())["sha256"])
    assert digests[0] == digests[1]
    assert "report.pdf" in digests[0]


def test_a_later_run_of_another_kind_may_clear_these_files() -> None:
    assert all(can_be_ours(name) for name in ("estimate.json", "estimate.xlsx"))


def test_the_document_shows_names_literally(written: Path) -> None:
    reader = pypdf.PdfReader(written / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    for words in [HOSTILE, *HEADINGS]:
        assert "".join(words.split()) in text
    assert 6 <= len(reader.pages) <= 10


def test_the_workbook_holds_every_table_and_no_formula(written: Path, full: EstimateStudy) -> None:
    with zipfile.ZipFile(written / "estimate.xlsx") as book:
        for name in book.namelist():
            tags = {each.tag.rpartition("}")[2] for each in ET.fromstring(book.read(name)).iter()}
            assert not tags & {"f", "hyperlink"}
    found = sheets(full)
    assert list(found) == ["summary", *full.tables()]
    assert len(found["mean queue time"]) == 6
    told = {row["what"]: row["value"] for row in found["summary"]}
    assert told["users"] == 20
    assert told["sampled users"] == 4
    assert told["simulations"] == len(full.outcomes)
    assert told["command"] is None


# What the pages say


def test_every_question_has_its_page(full: EstimateStudy) -> None:
    found = document(full, pictures(full))["pages"]
    assert [page["heading"] for page in found] == HEADINGS
    for page in (*found[:6], found[8]):
        assert page["answer"].endswith("."), page["heading"]


def test_pages_without_data_are_left_out() -> None:
    bare = made(by_error({0.0: 0.1}), predictors=())
    headings = [page["heading"] for page in document(bare, pictures(bare))["pages"]]
    others = [each for each in HEADINGS if each not in HEADINGS[3:6]]
    assert headings == others


def test_tables_are_as_wide_as_their_columns_say(full: EstimateStudy) -> None:
    for each in (full, made(by_error({}))):
        data = document(each, [])
        found = [b["table"] for p in data["pages"] for b in p["blocks"] if b["kind"] == "table"]
        for table in found:
            assert {len(row) for row in table["rows"]} == {len(table["columns"])}
            assert len(table["widths"]) == len(table["columns"])


def test_the_title_page_says_what_was_played(full: EstimateStudy) -> None:
    data = document(full, [])
    assert data["description"] == (
        f"150 jobs of 20 users on 64 processors: {len(full.outcomes)} simulations under Maui, "
        "seeds 0 and 1"
    )
    assert "Each seed samples 4 of 20 users" in data["certificate"]
    assert "2 seeds show little of the variation; use 10" in data["risks"]
    assert data["certificate"].startswith("The oracle, called the tool here, knows the run times")
    paper = claims(full)
    assert paper is not None
    rows = paper["rows"]
    assert len(rows) == len(full.claims)
    assert {row[2].removesuffix(" by construction") for row in rows} == {
        each.holds for each in full.claims
    }
    assert rows[0][2] == "holds by construction"


def test_simulations_are_counted_by_kind(full: EstimateStudy) -> None:
    text = texts(method.page(full, {}).to_dict())
    found = re.findall(r"([\d,]+) (?:without a tool|with the oracle|with a predictor)", text)
    assert sum(int(number) for number in found) == len(full.outcomes)
    assert "9 without a tool (8 of these with other weights)" in text
    assert "Priority of a job: 1 point per minute in the queue + 1 per later job" in text
    assert "Target share of each user: 0 (none is set)." in text


def test_the_range_is_a_reason_and_what_predictors_gain_an_alternative(full: EstimateStudy) -> None:
    parts = {part["name"]: texts(part["lines"]) for part in document(full, [])["left"]}
    assert all(line not in parts["reasons"] for line in of_predictors(full))
    assert of_predictors(full)[0] in parts["alternatives"]
    assert [*answer_range(full), *of_predictors(full)] == list(full.findings)


def test_minus_signs_are_no_hyphens() -> None:
    found = made(by_error({0.0: -0.2, 0.5: -0.2}))
    claim = PaperClaim("c", "w", "by -3.7 % (-0.0 to 2)", "holds")
    found.__dict__["claims"] = (claim,)
    table = claims(found)
    assert table is not None
    assert table["rows"][0][1] == "by −3.7 % (0.0 to 2)"  # noqa: RUF001


HALF = {"uptakes": (0.0, 0.5)}
SPREADS = [
    # gains of 30 and 20 %: mean 25, deviation 7.07
    (
        {0.0: 0.3, 0.5: 0.3},
        HALF,
        (
            "The mean gain is 25.0 %. Its standard deviation is 7.1 points (seeds 0 and 1); the "
            "gain is more than twice that."
        ),
    ),
    # gains of 10 and 0 %
    (
        {0.0: 0.1, 0.5: 0.1},
        HALF,
        "Its standard deviation is 7.1 points (seeds 0 and 1); the gain is not more than twice",
    ),
    # losses of 30 and 40 %; waits of 3 and 3.1 times those without the tool
    (
        {0.0: -0.3, 0.5: -0.3},
        HALF,
        (
            "35.0 %. Its standard deviation is 7.1 points (seeds 0 and 1); the loss is more than "
            "twice that."
        ),
    ),
    (
        {0.0: -2.0, 0.5: -2.0},
        HALF,
        (
            "The sampled users' mean wait is 3.0 times as long. The gain's standard deviation is "
            "7.1 points (seeds 0 and 1); the loss is more than twice that."
        ),
    ),
    (
        {0.0: 0.3, 0.5: 0.3},
        {},
        "7.1 points is between groups of users, not an error of",
    ),
    ({0.0: 0.3, 0.5: 0.3}, {"seeds": (4,)}, "With one seed the variation is unknown."),
    ({}, {}, "All seeds give the same gain."),
]


@pytest.mark.parametrize(("gains", "changed", "said"), SPREADS)
def test_the_gain_stands_beside_its_spread(
    gains: dict[float, float], changed: dict[str, Any], said: str
) -> None:
    assert said in confidence(made(by_error(gains), **changed))


COMPARED = "compared with the same users without the tool"
ON_AVERAGE = "on average over 2 seeds"
FINDINGS = [
    ({0.0: 0.3, 0.5: 0.3}, {},
     f"falls in all 4 cases of uptake and error, {COMPARED}: 25 % shorter, {ON_AVERAGE}"),
    ({0.0: -0.3, 0.5: -0.5}, {},
     f"rises in all 4 cases of uptake and error, {COMPARED}: 55 % to 35 % longer, {ON_AVERAGE}"),
    ({0.0: -0.1, 0.5: 0.3}, {},
     f"falls in 2 of 4 cases and rises in 2 of 4 cases of uptake and error, {COMPARED}: 15 % "),
    ({0.5: 0.3}, {},
     f"falls in 2 of 4 cases of uptake and error, {COMPARED}: no different to 25 % shorter"),
    ({}, {}, "The tool makes no difference to the sampled users' mean wait"),
    ({0.0: 0.3}, {"errors": (0.0,), "uptakes": (1.0,), "seeds": (0,)},
     f"is 30 % shorter with exact estimates, {COMPARED}, for seed 0"),
    ({0.0: -7.0}, {"errors": (0.0,), "seeds": (0,)},
     "8.0 times as long with exact estimates at 20 % uptake and 8.0 times"),
    ({0.0: 0.3}, {"uptakes": (0.0,)}, "No user has the tool at the chosen uptakes"),
    ({0.0: 0.3}, {"uptakes": (0.1,), "errors": (0.0,), "seeds": (0,)},
     "is 30 % shorter with exact estimates at 10 % uptake"),
]  # fmt: skip


@pytest.mark.parametrize(("gains", "changed", "said"), FINDINGS)
def test_a_finding_is_what_the_cells_say(
    gains: dict[float, float], changed: dict[str, Any], said: str
) -> None:
    found = made(by_error(gains), **changed)
    assert said in finding(found, "mean_s")
    assert said.replace("mean wait", "longest wait") in finding(found, "max_s")


def test_the_longest_wait_rises_in_some_cases_and_the_appendix_has_the_contradiction() -> None:
    some = made(by_error({0.0: -0.1, 0.5: 0.3}))
    pages = [cell_pages.longest(one, {}) for one in (some, made(by_error({0.0: 0.3, 0.5: 0.3})))]
    said, none = (texts(page.to_dict()) for page in pages if page is not None)
    assert "It rises in 2 of 4 cases." in said
    assert "It rises in" not in none
    page = claims_page(some, {})
    assert page is not None
    assert "its list of contributions claims shorter longest waits" in texts(page.to_dict())


def test_of_one_user_gains_are_those_of_all_jobs() -> None:
    study = played(log_of(1), seeds=(0, 1))
    data = document(study, pictures(study))
    text = texts(data)
    assert "sampled users" not in texts([data["decision"], data["certificate"], data["right"]])
    assert "users cannot be sampled, and fair share has no effect" in data["risks"][0]
    assert "user" not in data["description"]
    assert "use 10" not in text
    assert "Who gains?" not in [page["heading"] for page in data["pages"]]
    assert "Who gains is unknown: the log has one user." in text
    assert "groups" not in {picture.kind for picture in pictures(study)}


def test_a_predictor_that_learns_by_user_has_a_risk_of_its_own_with_one_user() -> None:
    study = played(log_of(1), predictors=("last-two", "requested"))
    risk = "last-two learns from all jobs here, not from each user's"
    assert risk in texts(document(study, pictures(study))["risks"])
    assert "without a confidence interval and may be chance" in study.confidence
    several = played(log_of(6), predictors=("last-two",))
    assert "learns from all jobs here" not in texts(several.warnings)


def test_changes_of_weights_are_counted_by_their_effect() -> None:
    study = made(by_variant({"without bypass": 150.0, "ten times processors": 50.0}), weights=True)
    gains = [row["gain"] for row in study.weights[1:]]
    text = texts(document(study, [])["left"]) + texts(document(study, [])["right"])
    assert f"{len(gains)} changes of a scheduler weight were simulated; 2 change" in text
    assert "Under 1 exact estimates shorten it; under 1 they lengthen it." in text


def test_few_gains_are_a_table_without_a_map() -> None:
    few = made(by_error({0.0: 0.3, 0.5: 0.1}), uptakes=(1.0,))
    assert not {"mean", "longest"} & {picture.kind for picture in pictures(few)}
    many = made(by_error({0.0: 0.3, 0.5: 0.1}))
    assert {"mean", "longest"} <= {picture.kind for picture in pictures(many)}


def test_the_table_of_cells_has_gain_deviation_and_ends() -> None:
    page = cell_pages.mean(made(by_error({0.0: 0.3, 0.5: -2.0}), uptakes=(1.0,)), {})
    rows = tables(page.to_dict())[0]
    # 70 and 80 s; 300 and 310 s; the longest are twice as long
    assert [row[0] for row in rows] == ["no tool", "exact estimates", "estimates within 50 %"]
    assert rows[0][1] == "100 s"
    assert rows[1][1:5] == ["75.0 s", "+25 %", "7.1", "+20 % to +30 %"]
    assert rows[2][2] == "3.0 × as long"  # noqa: RUF001
    assert rows[2][4] == "3.1 to 3.0 × as long"  # noqa: RUF001
    assert rows[1][6] == "+25 %"
    assert "longest wait is 25 % shorter with exact estimates" in texts(page.to_dict())
    assert cell_pages.longest(made(by_error({}), uptakes=(1.0,)), {}) is None
    assert "All seeds agree whether the tool helps in 2 of 2 cells." in texts(page.to_dict())


def test_the_spread_told_is_that_of_cells_with_the_tool() -> None:
    found = made(by_error({0.0: 0.3, 0.5: -2.0}), uptakes=(0.0, 1.0))
    assert "The median deviation between seeds is 7.1 points" in texts(
        cell_pages.mean(found, {}).to_dict()
    )


def test_a_large_table_shows_a_part_and_says_so() -> None:
    found = made(by_error({0.0: 0.1}), uptakes=(0.2, 0.4, 0.6, 0.8, 1.0), errors=(0.0, 0.1, 0.2))
    (block,) = [b for b in cell_pages.mean(found, {}).blocks if b["kind"] == "table"]
    assert block["caption"].endswith("9 of 15, all in estimate.xlsx")
    shown = {(row[0], row[1]) for row in block["table"]["rows"]}
    assert shown == {(u, e) for u in ("20 %", "60 %", "100 %") for e in ("0 %", "10 %", "20 %")}


def by_uptake(least: float, full_uptake: float, seeds_apart: float = 0.0) -> WaitOf:
    def wait(case: EstimateCase, seed: int) -> float:
        if case.tool is None:
            return 100.0
        if case.uptake == 1:
            return full_uptake + (seeds_apart if seed else 0)
        return least

    return wait


@pytest.mark.parametrize(
    ("waits", "said"),
    [
        ((90, 80, 0), "10 % shorter at 20 % uptake and 20 % shorter at 100 %; between these"),
        ((90, 80, 0), "it falls for every one of 2 seeds"),
        ((80, 90, 0), "it rises for every one of 2 seeds"),
        ((80, 80, 0), "it does not change"),
        ((80, 70, 20), "it falls for 1 and rises for 1 of 2 seeds"),
        ((80, 70, 10), "it falls for 1 of 2 seeds"),
    ],
)  # fmt: skip
def test_the_effect_of_uptake_is_told_by_seed(waits: tuple[float, float, float], said: str) -> None:
    assert said in groups.finding(made(by_uptake(*waits)))


def test_one_seed_and_one_uptake_make_sentences() -> None:
    one = made(by_uptake(90, 80), seeds=(3,))
    assert groups.finding(one).endswith("it falls for the one seed")
    single = groups.finding(made(by_uptake(90, 80), uptakes=(1.0,), errors=(0.3,), seeds=(3,)))
    assert single == (
        "With estimates within 30 % the sampled users' mean wait is 20 % shorter at 100 % "
        "uptake, compared with the same users without the tool, for seed 3"
    )


def test_groups_are_in_the_table(full: EstimateStudy) -> None:
    page = group_pages.page(full, {})
    assert page is not None
    rows = tables(page.to_dict())[0]
    assert [row[0] for row in rows] == ["0 %", "20 %", "100 %"]
    assert rows[0][5] == "–"  # noqa: RUF001 - nobody has the tool
    assert rows[2][6] == "–"  # noqa: RUF001 - everybody has
    assert rows[0][2:4] == ["0 %", "0.0"]


# Predictors


def test_what_predictors_leave_is_told_with_the_worst() -> None:
    found = made(of_tools(extend=90, kill=10_000))
    assert predictors.finding(found) == (
        "The best predictor, last-two, extended when exceeded, makes the mean wait of all "
        "jobs 10 % shorter; exact estimates make it 20 % shorter; the worst, last-two, killed, "
        "rerun with twice the estimate, makes it 100 times as long"
    )
    page = predictor_pages.page(found, {})
    assert page is not None
    assert page.answer.startswith("1 of 3 combinations of predictor and rule for its errors makes")
    rows = {row[0]: row[1:] for row in tables(page.to_dict())[0]}
    assert rows["none"][:2] == ["100 s", "5.00 min"]
    assert rows["exact estimates"][2:4] == ["+20 %", "100 %"]
    assert rows["last-two, extended"][2:5] == ["+10 %", "50 %", "0"]
    killed = rows["last-two, killed, doubled"]
    # 25 of 125 core-hours
    assert killed[2:] == ["100 × as long", "none", "3", "9", "20 %"]  # noqa: RUF001


def test_a_predictor_that_gains_nothing_has_no_share() -> None:
    found = made(of_tools(extend=126, kill=300))
    assert texts(list(found.findings)).count("% of the gain with exact run times") == 0
    assert "It makes the mean wait of all jobs 26.0 % longer." in found.findings[0]
    no_gain = made(of_tools(extend=100, kill=100, exact=100))
    assert predictors.finding(no_gain).endswith("leaves the mean wait of all jobs as it is; "
                                                "exact estimates leave it as it is")  # fmt: skip
    oracle_only = made(of_tools(extend=90, kill=90), predictors=("refining",))
    assert predictors.finding(oracle_only) == (
        "Exact estimates make the mean wait of all jobs 20 % shorter"
    )


def test_huge_losses_are_cut_and_their_numbers_are_not() -> None:
    found = made(of_tools(extend=90, kill=10_000))
    rows = predictors.bars(found)
    assert list(predictors.scale(found, rows)) == pytest.approx([-60, 20])
    figure = painted(predictors.paint, found)
    left, right = figure.axes
    bars = {float(each.get_y()): float(each.get_width()) for each in left.patches}  # type: ignore[attr-defined]
    # exact estimates; extended, killed with the request and with twice the estimate; the oracle
    assert sorted(bars.values())[:2] == [pytest.approx(-60), pytest.approx(-60)]
    assert max(bars.values()) == pytest.approx(20)
    assert [each.get_text() for each in left.texts].count("100 × as long") == 2  # noqa: RUF001
    gaps = [line for line in left.lines if line.get_color() == "white"]
    assert len(gaps) == 2
    assert max(each.get_width() for each in right.patches) == pytest.approx(20)  # type: ignore[attr-defined]


def test_small_losses_are_shown_in_full() -> None:
    found = made(of_tools(extend=90, kill=180))
    low, high = predictors.scale(found, predictors.bars(found))
    assert [low, high] == pytest.approx([-80, 20])  # within one and a half of 60
    figure = painted(predictors.paint, found)
    assert not [line for line in figure.axes[0].lines if line.get_color() == "white"]
    worse = made(of_tools(extend=90, kill=300))
    assert predictors.scale(worse, predictors.bars(worse))[0] == pytest.approx(-60)


def test_exact_estimates_that_lose_are_cut_too() -> None:
    found = made(of_tools(extend=100, kill=100, exact=900))
    figure = painted(predictors.paint, found)
    assert "9.0 × as long" in [each.get_text() for each in figure.axes[0].texts]  # noqa: RUF001
    assert figure.axes[0].get_xlim()[0] > -30


def test_an_oracle_that_is_never_outlived_is_one_row(full: EstimateStudy) -> None:
    found = [(each.name, each.strategy) for each in predictors.bars(full)]
    assert found.count(("refining (oracle)", "never")) == 1
    assert {name for name, _ in found} == {"last-two", "quantile", "refining (oracle)"}
    assert {strategy for name, strategy in found if name == "last-two"} == {
        "extend", "request", "double",
    }  # fmt: skip


# Weights, the log, the recorded schedule


def by_variant(exact: dict[str, float]) -> WaitOf:
    return lambda case, _seed: 100.0 if case.tool is None else exact.get(case.variant, 80.0)


@pytest.mark.parametrize(
    ("exact", "said"),
    [
        (50.0, "Under all weights simulated, exact estimates make waits shorter: 20 %"),
        (50.0, "shorter; 20 % shorter with the weights as given"),
        (150.0, "decide whether exact estimates make waits shorter: 50 % long"),
    ],
)  # fmt: skip
def test_what_hangs_on_the_weights(exact: float, said: str) -> None:
    found = made(by_variant({"without bypass": exact}), weights=True)
    assert said in weights.finding(found)
    (axes,) = painted(weights.paint, found.weights).axes
    names = [each.get_text() for each in axes.get_yticklabels()]
    assert names == [weights.weight_name(row["weights"]) for row in found.weights]
    place = names.index("without weight of bypass")
    ends = [line for line in axes.lines if list(np.asarray(line.get_ydata())) == [place, place]]
    assert list(np.asarray(ends[0].get_xdata())) == [100, exact]


def with_own_weights(study: EstimateStudy) -> EstimateStudy:
    priority = study.configuration.priority
    resource = priority.resource.model_copy(update={"processors": 7.0})
    own = {"priority": priority.model_copy(update={"resource": resource})}
    return replace(study, configuration=study.configuration.model_copy(update=own))


@pytest.mark.parametrize("varied", [True, False])
def test_only_bundled_weights_are_called_assumed(varied: bool) -> None:
    bundled = made(by_variant({}), weights=varied)
    assumed = "The scheduler's weights are assumed, as the paper does not publish them."
    replaced = "Replace the assumed weights by your scheduler's."
    first = texts(document(bundled, [])["right"])
    assert (assumed in first, replaced in first) == (True, True)
    assert assumed in texts(method.limits(bundled, {}).to_dict())
    own = with_own_weights(bundled)
    every = texts(document(own, []))
    assert "weights are assumed" not in every
    assert "assumed weights" not in every
    unvaried = "How much the gain depends on the scheduler's weights was not simulated."
    assert (unvaried in texts(method.limits(own, {}).to_dict())) is not varied


def test_the_validation_has_its_curves_and_deviations(full: EstimateStudy) -> None:
    found = full.validation
    assert found is not None
    page = validation.page(full, {})
    assert page is not None
    schedules, deviations = tables(page.to_dict())
    assert [row[0] for row in schedules] == ["recorded", "Maui", "FCFS", "at submission"]
    assert [row[0] for row in deviations] == ["Maui", "FCFS", "at submission"]
    assert deviations[0][2] == f"{found.deviations[0].largest_gap_jobs:,}"
    left, right = painted(completions.paint, found).axes
    assert [str(line.get_label()) for line in left.lines] == [
        "recorded", "maui", "fcfs", "at submission",
    ]  # fmt: skip
    assert all(np.asarray(line.get_ydata())[-1] == 100 for line in left.lines)
    bands = [np.vstack([p.vertices for p in each.get_paths()]) for each in right.collections]
    gaps = [float(np.abs(each[:, 1]).max()) for each in bands]
    assert gaps == [each.largest_gap_jobs for each in found.deviations]


def test_whether_the_scheduler_is_nearer_than_the_baselines_is_said(full: EstimateStudy) -> None:
    found = full.validation
    assert found is not None
    ours, fcfs, nobody_waits = found.deviations
    near = replace(found, deviations=(replace(ours, area_h_per_job=0.01), fcfs, nobody_waits))
    assert "off by 0.01 h per job: nearer than" in completions.finding(near)
    best = replace(ours, area_h_per_job=0.01, largest_gap_jobs=-1, mean_wait_error_s=-1.0)
    every = replace(found, deviations=(best, fcfs, nobody_waits))
    assert "one of these is nearer" not in completions.finding(every)
    worst = replace(best, largest_gap_jobs=10**6, mean_wait_error_s=1e9)
    alone = replace(found, deviations=(worst, fcfs, nobody_waits))
    assert completions.finding(alone).endswith(
        "; by the largest gap and by the mean error of a job's wait, one of these is nearer"
    )
    far = replace(found, deviations=(replace(ours, area_h_per_job=99.0), fcfs, nobody_waits))
    assert "off by 99.00 h per job: not nearer than both" in completions.finding(far)


def test_why_there_is_no_validation_is_said() -> None:
    bare = made(by_error({}))
    assert validation.page(bare, {}) is None
    assert "no recorded waits" in texts(method.limits(bare, {}).to_dict())
    cut = np.zeros(len(DRAWN), np.bool_)
    cut[3] = True
    found = played(log_of(20, wait_s=np.ones(len(DRAWN), np.int64), killed=cut), predictors=())
    assert found.validation is None
    assert "Read the log with overruns kept" in texts(method.limits(found, {}).to_dict())


def test_the_method_names_stages_placement_group_and_traps() -> None:
    found = made(by_error({}))
    page = method.page(found, {})
    text = texts([page.to_dict(), method.limits(found, {}).to_dict()])
    assert all(f"({place}) " in text for place in range(1, 10))
    assert "opens one, up to (1 + e) times itself" in text
    assert "The first 20 % are the sampled users, 4 of 20 users" in text
    assert "every 30 s" in text
    for words in (
        "the tool is a bounded-error oracle", "killed at their limit look as if",
        "simulated users react neither", "sign can differ", "may not exceed the deviation",
    ):  # fmt: skip
        assert words in text
    assert "Time in the queue and later jobs that overtook: assumed: a minute" in text
    assert "all 1,152 processors of Blue Horizon (SDSC, a machine of the paper)" in text
    assert "fair share: assumed." in text


def test_the_oracle_is_nowhere_called_a_predictor(full: EstimateStudy) -> None:
    text = texts(document(full, pictures(full)))
    for found in re.finditer("oracle", text):
        near = text[found.end() : found.end() + 30]
        assert (
            "predictor" not in near or "not a predictor" in near or "not as a predictor" in near
        ), near


def test_provenance_names_log_and_command(full: EstimateStudy) -> None:
    given = replace(full, command=("estimate", "a b.swf"), files=(("my.toml", "ab12"),))
    rows = dict(tables(method.appendix(given, {}).to_dict())[0])
    assert rows["Command"] == "headroom estimate 'a b.swf'"
    assert rows["SHA-256 of my.toml"] == "ab12"
    assert rows["SHA-256"] == "none: simulated on a synthetic log (Lublin-Feitelson model, seed 3)"
    assert rows["Seeds"] == "seeds 0 and 1"


# Figures


def panel(study: EstimateStudy, place: int = 0) -> Any:
    return painted(cells.paint, cell_map(study, "mean_s")).axes[place]


def mesh_of(axes: Any) -> QuadMesh:
    (mesh,) = [each for each in axes.collections if isinstance(each, QuadMesh)]
    return mesh


def test_cells_show_their_numbers_colours_and_signs() -> None:
    found = made(by_error({0.0: 0.3, 0.5: -0.2}), uptakes=(0.0, 1.0))
    axes = panel(found)
    # gains of 30 and 20 %, losses of 20 and 30 %
    assert [each.get_text() for each in axes.texts] == ["25", "−25"]  # noqa: RUF001
    assert [each.get_fontweight() for each in axes.texts] == ["bold"] * 2
    mesh = mesh_of(axes)
    assert mesh.get_clim() == (-25, 25)
    colours: Any = mesh.cmap(mesh.norm(np.asarray(mesh.get_array()).ravel()))
    gain, loss = colours
    assert gain[2] > gain[0]
    assert loss[0] > loss[2]
    assert [each.get_text() for each in axes.get_yticklabels()] == ["100 %"]
    assert [each.get_text() for each in axes.get_xticklabels()] == ["0", "50"]
    spread = panel(found, 1)
    assert [each.get_text() for each in spread.texts] == ["7.1", "7.1"]


def test_seeds_that_disagree_are_not_bold() -> None:
    axes = panel(made(by_error({0.0: 0.05, 0.5: 0.3}), uptakes=(1.0,)))  # 5 and -5 %; 30 and 20 %
    assert [each.get_fontweight() for each in axes.texts] == ["normal", "bold"]


def test_one_seed_has_no_deviation() -> None:
    found = made(by_error({0.0: 0.3}), seeds=(0,))
    assert len(painted(cells.paint, cell_map(found, "mean_s")).axes) == 1
    assert "One seed: the deviation is unknown." in texts(
        cell_pages.mean(found, {"mean": cells.of_mean(found)}).to_dict()
    )


def test_a_huge_loss_leaves_gains_their_colour() -> None:
    assert cells.darkest(np.array([[10.0, -4000.0]])) == 30
    assert cells.darkest(np.array([[3.0, -4000.0]])) == 20
    assert cells.darkest(np.array([[10.0, -12.0]])) == 12
    assert cells.darkest(np.array([[0.0, np.nan]])) == 1
    texts_shown = [each.get_text() for each in panel(made(by_error({0.0: -40.0}))).texts]
    assert "41×" in texts_shown  # noqa: RUF001 - 4,000 and 4,010 % longer


def test_cells_stand_in_order_whatever_the_order_given() -> None:
    one = made(by_error({0.0: 0.3}), uptakes=(1.0, 0.0, 0.2), errors=(0.5, 0.0))
    other = made(by_error({0.0: 0.3}))
    assert cell_map(one, "mean_s").gain.tolist() == cell_map(other, "mean_s").gain.tolist()


def test_lines_of_groups_are_those_of_the_study(full: EstimateStudy) -> None:
    left, right = painted(groups.paint, full).axes
    drawn = {str(line.get_label()): np.asarray(line.get_ydata()) for line in left.lines}
    rows = full.by_group
    assert drawn["sampled users"].tolist() == [row["seed_group_s"] for row in rows]
    assert drawn["others"].tolist() == [row["others_s"] for row in rows[:-1]]
    assert drawn["users of the tool"].tolist() == [row["tool_users_s"] for row in rows[1:]]
    assert full.without_tool is not None
    assert drawn["sampled users, no tool"][0] == full.without_tool.mean
    means = np.asarray(right.lines[0].get_ydata())
    assert means[-1] == pytest.approx(100 * np.mean(full.gains(1.0, 0.0)))


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
    found = played(job_log, **changed)
    data = document(found, pictures(found))
    text = texts(data)
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b", text)
    assert not re.search(r"\b1 (jobs|cells|seeds|users|processors)\b", text)
    summary = " ".join((found.headline, *found.findings))
    assert json.loads(plan_json(found))["summary"] == summary
    assert workbook(found)


def test_where_nobody_waits_nothing_is_drawn_of_waits() -> None:
    found = played(log_of(4, **NO_WAITS), weights=True, errors=(0.0, 0.5, 1.0))
    assert not pictures(found)
    pages = {page["heading"]: page for page in document(found, [])["pages"]}
    assert pages[HEADINGS[0]]["answer"].startswith("No sampled user waits without the tool")
    assert pages[HEADINGS[3]]["answer"].startswith("There is nothing to gain")
    assert not [each for each in found.claims if "accuracy" in each.claim]
    assert pages[HEADINGS[4]]["answer"] == "No job waits under any of the weights."
    plain = found.to_dict()["tables"]
    assert {row["gain"] for row in plain["predictors"] + plain["weights"]} == {None}


def test_where_nobody_uses_the_tool_that_is_said() -> None:
    found = played(uptakes=(0.0,))
    assert groups.finding(found).startswith("No user has the tool at the chosen uptakes")


def test_jobs_without_run_time_lose_no_share_of_work() -> None:
    found = played(log_of(4, **NO_RUNS))
    assert {each.outcome.lost_share for each in found.remains} == {0.0}


def test_the_bare_and_exact_cases_are_those_shown(full: EstimateStudy) -> None:
    exact = full.outcomes[case_of(full.settings.oracle(0.0), 1.0, 0)]
    assert exact.everybody.mean_s is not None
    assert full.no_tool.everybody.mean_s is not None
    gain = 1 - exact.everybody.mean_s / full.no_tool.everybody.mean_s
    assert exact_gain(full) == pytest.approx(gain)
    told = dict(pairs(full))
    assert told["gain of exact estimates for all"] == pytest.approx(gain)


def test_figures_are_the_same_on_given_axes(full: EstimateStudy) -> None:
    assert same_on_given_axes(pictures(full))
