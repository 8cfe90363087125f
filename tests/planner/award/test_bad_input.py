"""What a scheme cannot judge is refused with its place, its value and a remedy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from planner.errors import InputError
from scenarios import ScenarioError, load
from scenarios.model.scheme import Scheme
from tests.planner.award.made import (
    awarded,
    figure,
    package,
    people,
    points_of,
    price,
    tender,
    winners,
)
from tests.planner.cli.commands import ran

SAMPLE = Path(__file__).parent / "sample"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tender with points of people in a file."""
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    return tmp_path


def changed(folder: Path, name: str, before: str, after: str) -> Path:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    return folder / "tender.toml"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("south-compute,Quality", "suoth-compute,Quality",
         "points.csv:4: package: there is no package 'suoth-compute'; did you mean"),
        ("south-compute,Quality", "south-compute,Qualty",
         "points.csv:4: criterion: 'Qualty' is not a criterion whose points people give; did you"),
        (",Ada,15", ",Ada,21",
         "points.csv:2: points: 21 points are outside 0 to 20, those of 'Quality'; correct them"),
        ("Bob,14.5", "Ada,14.5", "points.csv:3: evaluator: a second row of evaluator 'Ada' for"),
        (",Ada,15", ",Ada,many", "points.csv:2: points"),
    ],
)  # fmt: skip
def test_points_that_do_not_fit_are_refused_with_their_line(
    folder: Path, before: str, after: str, message: str
) -> None:
    path = changed(folder, "points.csv", before, after)
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert message in str(caught.value)


def test_two_agreed_rows_are_refused(folder: Path) -> None:
    text = "north-compute,Quality,agreed,1,\nnorth-compute,Quality,agreed,2,\n"
    with (folder / "points.csv").open("a", encoding="utf-8") as stream:
        stream.write(text)
    with pytest.raises(ScenarioError, match="a second row of evaluator 'agreed'"):
        load(folder / "tender.toml")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"better": None}, "better is missing"),
        ({"formula": "linear"}, "full_at and zero_at belong to formula = 'linear'"),
        ({"formula": "linear", "full_at": 2, "zero_at": 1}, "full_at = 2 is not better than"),
        ({"if_equal": "full"}, "if_equal belongs to formula = 'two_sided'"),
        ({"least_points": 1}, "least_points needs points that no other package moves"),
        ({"least": 2, "most": 1}, "least = 2 is above most = 1"),
        ({"combine": "mean"}, "combine belongs to value_from = 'people'"),
    ],
)
def test_a_criterion_that_cannot_judge_is_refused(changes: dict[str, Any], message: str) -> None:
    criterion = {k: v for k, v in (price(40) | changes).items() if v is not None}
    with pytest.raises(ValidationError, match=message):
        Scheme.model_validate({"criteria": [criterion]})


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        ({"ties": ["Prize"]}, "there is no criterion 'Prize'; use one of Price, or points"),
        ({"disclose": ["Prize"]}, "there is no criterion 'Prize' to disclose"),
        ({"method": "points_per_price"}, "needs points without price"),
        ({"method": "corridor"}, "corridor and decides belong to method = 'corridor'"),
        ({"rounding": "total"}, "rounding needs decimals"),
        ({"published_sha256": "0" * 64}, "not the published one, 0{64}; restore the published"),
    ],
)
def test_a_scheme_that_contradicts_itself_is_refused(scheme: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Scheme.model_validate({"criteria": [price(40)], **scheme})


def test_a_price_of_0_has_no_ratio() -> None:
    message = "criterion 'Price': package 'A' has the value 0, and formula = 'ratio' needs"
    with pytest.raises(InputError, match=message):
        awarded(tender([package("A", 0.0), package("B", 1.0)], [price(40)]))
    points = [(name, "Q", "x", 1) for name in "AB"]
    with pytest.raises(InputError, match="package 'A' costs 0; points over price need"):
        awarded(tender([package("A", 0.0), package("B")], [people("Q", 1)], points=points,
                       method="points_per_price"))  # fmt: skip


def test_a_missing_figure_names_its_package() -> None:
    with pytest.raises(InputError, match="package 'B' states no figure 'F'; add it"):
        awarded(tender([package("A", figures={"F": 1}), package("B")], [figure("F", 1)]))


def test_benchmarks_count_commitments_only() -> None:
    of = {"name": "B", "points": 1, "value_from": "benchmarks", "benchmarks": {"F": 1},
          "better": "more"}  # fmt: skip
    offer = package("A")
    offer["figures"] = [{"name": "F", "value": 1.0, "basis": "projected"}]
    with pytest.raises(InputError, match="states 'F' as projected; benchmarks compare committed"):
        awarded(tender([offer], [of]))


def test_missing_points_and_a_missing_agreed_row_are_refused() -> None:
    packages = [package("A"), package("B")]
    with pytest.raises(InputError, match="package 'B' has no points; add a row for it"):
        awarded(tender(packages, [people("Q", 5)], points=[("A", "Q", "x", 1)]))
    points = [("A", "Q", "agreed", 1), ("B", "Q", "x", 1)]
    with pytest.raises(InputError, match="package 'B' has no row of evaluator 'agreed'"):
        awarded(tender(packages, [people("Q", 5, combine="agreed")], points=points))


def test_an_excluded_package_needs_no_points() -> None:
    packages = [package("A"), package("B", 3.0)]
    criteria = [price(5, most=2), people("Q", 5)]
    found = awarded(tender(packages, criteria, points=[("A", "Q", "x", 1)]))
    assert [each.name for each in found.lots[0].excluded] == ["B"]
    assert winners(found) == [("A",)]


def test_an_excluded_package_may_lack_a_figure() -> None:
    condition = {"name": "Insolvency", "statement": "insolvent", "must_be": False}
    packages = [
        package("A", figures={"F": 1}, statements={"insolvent": False}),
        package("B", statements={"insolvent": True}),
    ]
    found = awarded(tender(packages, [figure("F", 1)], exclusions=[condition]))
    assert winners(found) == [("A",)]


def test_equal_values_need_a_stated_result_if_two_packages_remain() -> None:
    packages = [package("A", 2.0), package("B", 2.0)]
    with pytest.raises(InputError, match="all 2 packages have the value 2, so formula"):
        awarded(tender(packages, [price(40, formula="two_sided")]))
    full = price(40, formula="two_sided", if_equal="full")
    assert points_of(awarded(tender(packages, [full])))["B"] == ["40", "40"]
    alone = awarded(tender(packages[:1], [price(40, formula="two_sided")]))
    assert points_of(alone) == {"A": ["40", "40"]}


def test_a_lot_whose_packages_are_all_excluded_has_no_award() -> None:
    found = awarded(tender([package("A", 5.0)], [price(1, most=4)]))
    assert winners(found) == [()]
    assert found.decisions[0].winner is None


def test_an_exclusion_needs_its_statement() -> None:
    rule = {"name": "Insolvency", "statement": "insolvent", "must_be": False}
    with pytest.raises(InputError, match="package 'A' does not state 'insolvent', which exclusion"):
        awarded(tender([package("A")], [price(1)], exclusions=[rule]))


def test_the_hash_ignores_comments_order_defaults_and_points() -> None:
    one = Scheme.model_validate({"criteria": [price(40)], "ties": ["Price"], "decimals": 2})
    other = Scheme.model_validate(
        {"decimals": 2, "method": "points", "ties": ["Price"],
         "criteria": [dict(reversed([*price(40.0).items()]))],
         "evaluations": [{"package": "a", "criterion": "b", "evaluator": "c", "points": 1}]}
    )  # fmt: skip
    assert one.sha256 == other.sha256
    assert one.sha256 != Scheme.model_validate({"criteria": [price(41)]}).sha256
    published = {"criteria": [price(40)], "ties": ["Price"], "decimals": 2}
    assert Scheme.model_validate(published | {"published_sha256": one.sha256}).sha256 == one.sha256


def test_check_prints_the_hash_and_another_published_one_ends_with_status_2(folder: Path) -> None:
    path = str(folder / "tender.toml")
    done = ran("check", path, "--json")
    sha256 = json.loads(done.stdout)["scheme_sha256"]
    assert sha256 == load(Path(path)).scheme.sha256  # type: ignore[union-attr]
    assert f"SHA-256 of [scheme]: {sha256}" in ran("check", path).output
    changed(folder, "tender.toml", "[scheme]\n", f'[scheme]\npublished_sha256 = "{sha256}"\n')
    assert ran("check", path).exit_code == 0
    changed(folder, "tender.toml", "points = 40", "points = 41")
    for words in (("check", path), ("plan", path, "--award", "--no-report")):
        done = ran(*words)
        assert done.exit_code == 2
        assert f"not the published one, {sha256}" in done.output


def test_check_finds_what_an_award_would_refuse(folder: Path) -> None:
    path = changed(folder, "points.csv", "north-storage,Quality", "north-compute,Quality")
    changed(folder, "points.csv", ",Ada,10", ",Cid,10")
    changed(folder, "points.csv", "north-storage,Quality,Bob,11,\n", "")
    done = ran("check", str(path))
    assert done.exit_code == 2
    assert "package 'north-storage' has no points; add a row for it" in done.output


def test_options_that_do_not_fit_an_award_are_refused(folder: Path) -> None:
    path = str(folder / "tender.toml")
    for words, message in (
        (("--award", "--solver", "highs"), "--solver has no effect here"),
        (("--award", "--vary", "power.bound_w=1,2"), "--vary has no effect here"),
        (("--debrief", "North"), "--debrief writes a letter about an award; add --award"),
        (("--award", "--debrief", "Nord", "--no-report"), "no package of vendor 'Nord'; did you"),
        ((), "asks which packages win; use headroom plan --award"),
    ):
        done = ran("plan", path, *words)
        assert done.exit_code == 2, done.output
        assert message in done.output
