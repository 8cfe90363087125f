"""The gate on own tables: decisions, the certificate, and wrong inputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import headroom as hr
from planner.errors import InputError
from planner.formatting import percent
from planner.sharing_nodes.gate.certify import certified
from planner.sharing_nodes.gate.own import gate
from tests.planner.sharing_nodes.gate.cases import REFERENCES, tables


def test_new_applications_are_decided_with_every_reference() -> None:
    study = gate(*tables(), references=REFERENCES, bad_share=0.2)
    rows = study.tables()["decisions"]
    assert len(rows) == 3 * 6
    assert {row["application"] for row in rows} == {"new0", "new1", "new2"}
    assert study.settings["calibration_applications"] == 12
    assert 0 < study.admitted < 18
    assert "at most 20 % as a mean over new applications" in study.confidence
    wrong = [row for row in rows if row["decision"] == "share" and row["median"] > 1]
    assert not wrong


def test_both_rates_of_bad_co_runs_are_stated_and_only_the_mean_is_certified() -> None:
    """Noise makes some co-runs bad; many applications share nothing and count as 0 in the mean."""
    pairs, profiles = tables()
    noise = np.exp(0.35 * np.random.default_rng(3).normal(size=len(pairs)))
    pairs["co_a_s"] *= noise
    study = gate(pairs, profiles, references=REFERENCES, bad_share=0.3)
    (row,) = study.tables()["certificate"]
    shares, bad, number = [], 0, 0
    for one in study.calibration:
        others = [each for each in study.calibration if each is not one]
        scores = [each.score for each in others]
        makespans = [study.pairs.makespan[each.rows] for each in others]
        admitted = one.admitted(certified(scores, makespans, 1.10, 0.3).threshold)
        worse = int((study.pairs.makespan[one.rows][admitted] > 1.10).sum())
        shares.append(worse / max(int(admitted.sum()), 1))
        bad, number = bad + worse, number + int(admitted.sum())
    assert 0 < bad < number
    assert row["rate_among_co_runs"] == pytest.approx(bad / number)
    assert row["rate_per_application"] == pytest.approx(np.mean(shares))
    assert row["rate_among_co_runs"] != row["rate_per_application"]
    assert "at most 30 % as a mean over new applications. Certified" in study.confidence
    among = f"Bad share of all co-runs: {percent(bad / number)}, {bad} of {number} in calibration"
    assert f"{among} (not certified)" in study.confidence


def test_seconds_per_step_give_the_decisions_of_jobs_that_last_equally_long() -> None:
    pairs, profiles = tables()
    steps = pairs.copy()
    steps[["solo_a_s", "co_a_s"]] /= 1000
    wrong = gate(steps, profiles, references=REFERENCES, bad_share=0.2)
    assert any("use --basis step" in line for line in wrong.warnings)
    right = gate(steps, profiles, references=REFERENCES, bad_share=0.2, basis="step")
    jobs = gate(pairs, profiles, references=REFERENCES, bad_share=0.2)
    assert right.settings["basis"] == "seconds per step or iteration"
    for study in (right, jobs):
        assert not any("basis" in line for line in study.warnings)
    assert [row["decision"] for row in right.tables()["decisions"]] == [
        row["decision"] for row in jobs.tables()["decisions"]
    ]
    np.testing.assert_allclose(right.pairs.makespan, jobs.pairs.makespan)
    assert wrong.admitted != right.admitted


@pytest.mark.parametrize(("longest", "warned"), [(20.0, False), (20.1, True)])
def test_times_more_than_20_times_apart_give_a_warning(longest: float, warned: bool) -> None:
    pairs, profiles = tables()
    pairs[["solo_a_s", "solo_b_s", "co_a_s", "co_b_s"]] = 10.0
    pairs.loc[0, "co_a_s"] = 10.0 * longest
    study = gate(pairs, profiles, references=REFERENCES, bad_share=0.2)
    assert any("the smallest" in line for line in study.warnings) == warned


def test_the_same_seed_gives_the_same_study() -> None:
    one, other = (gate(*tables(), bad_share=0.2, seed=3) for _ in range(2))
    assert one.to_dict() == other.to_dict()
    assert (
        one.settings["references"] != gate(*tables(), bad_share=0.2, seed=4).settings["references"]
    )


def test_too_few_calibration_applications_are_named_with_what_is_needed() -> None:
    study = gate(*tables(calibration=4), references=REFERENCES, bad_share=0.1)
    assert study.admitted == 0
    assert "cannot certify" in study.headline
    assert any("Measure 9" in line for line in study.warnings)


def test_an_application_measured_once_is_named() -> None:
    pairs, profiles = tables()
    once = pairs[(pairs["a"] != "app0") | (pairs["b"] == "ref0")]
    study = gate(once, profiles, references=REFERENCES, bad_share=0.2)
    assert any("app0" in line for line in study.warnings)


@pytest.mark.parametrize(("factor", "word"), [(0.1, "saves"), (10.0, "loses")])
def test_one_label_is_named(factor: float, word: str) -> None:
    pairs, profiles = tables()
    pairs[["co_a_s", "co_b_s"]] *= factor
    study = gate(pairs, profiles, references=REFERENCES, bad_share=0.2)
    assert any(f"learned from {word}" in line for line in study.warnings)
    assert (study.admitted > 0) == (word == "saves")
    if word == "loses":
        assert (
            study.headline == "None of 18 pairs may share: none is known to be both safe and faster"
        )


def test_files_are_read_as_frames_are(tmp_path: Path) -> None:
    pairs, profiles = tables()
    pairs.to_csv(tmp_path / "pairs.csv", index=False)
    profiles.to_csv(tmp_path / "profiles.csv", index=False)
    study = hr.gate(tmp_path / "pairs.csv", str(tmp_path / "profiles.csv"), bad_share=0.2)
    assert study.study.tables == hr.gate(pairs, profiles, bad_share=0.2).study.tables
    assert study.study.data == hr.gate(pairs, profiles, bad_share=0.2).study.data


def test_files_may_have_semicolons_and_other_columns(tmp_path: Path) -> None:
    pairs, profiles = tables()
    noted = pairs.assign(note="first").rename(columns={"a": "A"})
    noted.to_csv(tmp_path / "pairs.csv", index=False, sep=";", decimal=",")
    study = gate(tmp_path / "pairs.csv", profiles, bad_share=0.2)
    assert study.study.data == gate(pairs, profiles, bad_share=0.2).study.data


def test_wrong_files_are_refused_with_their_line(tmp_path: Path) -> None:
    """The third line of the pairs and of the profiles is wrong."""
    pairs, profiles = tables()
    lines = pairs.to_csv(index=False).splitlines(), profiles.to_csv(index=False).splitlines()
    cases = [
        (0, "ref0,ref1,1e999,100,90,80", "line 3, solo_a_s: '1e999' is not a number above 0"),
        (0, "ref0,,100,100,90,80", "line 3: b is empty"),
        (0, "ref0,ref1,100,100,90", "line 3: has 5 cells under 6 headings"),
        (0, "ref0,ref1,100,100,90,8_0", "line 3, co_b_s: '8_0'"),
        (1, "ref1\x1b,0.5", "line 3: contains the control character U\\+001B"),
        (1, "ref1,nan", "line 3, busy: 'nan' is not a number"),
        (1, f"ref1,{'9' * 400}", "line 3, busy: '999"),
    ]
    for which, line, message in cases:
        written = [list(each) for each in lines]
        written[which][2] = line
        for name, each in zip(("pairs.csv", "profiles.csv"), written, strict=True):
            (tmp_path / name).write_text("\n".join([*each, ""]), encoding="utf-8")
        with pytest.raises(InputError, match=message):
            gate(tmp_path / "pairs.csv", tmp_path / "profiles.csv")


def test_a_pair_that_was_measured_too_often_is_named() -> None:
    pairs, profiles = tables()
    often = pd.concat([pairs, *[pairs.iloc[1:2]] * 50])
    with pytest.raises(InputError, match="'ref0' with 'ref1' was measured 51 times"):
        gate(often, profiles, references=REFERENCES, bad_share=0.2)


def test_a_profile_beyond_all_others_has_no_median() -> None:
    pairs, profiles = tables()
    profiles.loc[profiles["application"] == "new0", "busy"] = 1e15
    rows = gate(pairs, profiles, references=REFERENCES, bad_share=0.2).tables()["decisions"]
    assert {row["median"] for row in rows if row["application"] == "new0"} == {None}
    assert {row["decision"] for row in rows if row["application"] == "new0"} == {"abstain"}


def test_wrong_tables_are_refused_with_their_place(tmp_path: Path) -> None:
    pairs, profiles = tables()
    wrong = pairs.astype({"co_a_s": object})
    wrong.loc[4, "co_a_s"] = "slow"
    cases = [
        (wrong, profiles, {}, "pairs, row 5, co_a_s: 'slow'"),
        (pairs.drop(columns="co_b_s"), profiles, {}, "no column 'co_b_s'"),
        (pairs.iloc[:0], profiles, {}, "no row"),
        (pairs, profiles.iloc[1:], {}, "row 1: 'ref0' has no profile"),
        (pairs, pd.concat([profiles, profiles.iloc[:1]]), {}, "'ref0' twice"),
        (pairs, profiles[["application"]], {}, "no counter"),
        (pairs, profiles.set_axis(["application", "a\x1b"], axis=1), {}, "column 2: contains"),
        (pairs, profiles.assign(run_spread=-1), {}, "profiles, row 1, run_spread: -1 is not"),
        (pairs, pd.concat([profiles, profiles[["busy"]]], axis=1), {}, "one column is called 'bu"),
        (pairs, profiles, {"references": ("refO",)}, "refO"),
        (pairs, profiles, {"references": ("app0", "app1")}, "with each other: 0 measured"),
        (pairs, profiles, {"bad_share": 1.5}, "bad_share = 1.5"),
        (pairs, profiles, {"limit": 0.5}, "limit = 0.5"),
        (pairs, profiles, {"basis": "hours"}, "basis = 'hours' is unknown"),
        (tmp_path / "none.csv", profiles, {}, "cannot be read"),
        (3, profiles, {}, "int; give a pandas frame"),
        (pairs, profiles, {"profiles_sheet": "b"}, "profiles is not a file; leave out its sheet"),
    ]  # fmt: skip
    for one, other, options, message in cases:
        with pytest.raises(InputError, match=message):
            gate(one, other, **options)  # type: ignore[arg-type]


def test_a_number_that_may_be_two_is_refused_with_both(tmp_path: Path) -> None:
    pairs, profiles = tables()
    head, *names = profiles.columns[0], *profiles.iloc[:, 0]
    rows = [f"{head}\tbusy", *(f"{name}\t1,234" for name in names), ""]
    (tmp_path / "profiles.csv").write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2, busy: '1,234' may be 1\.234 or 1234"):
        gate(pairs, tmp_path / "profiles.csv", bad_share=0.2)
