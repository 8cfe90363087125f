"""The gate's trial on the six applications: its study, its command, its wrong inputs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.colocation.gate.risk import least_alpha
from planner.colocation.gate.trial import gate_trial
from planner.colocation.gate.trial_study import OURS, PROBES, GateTrial, RiskCurve
from planner.errors import InputError
from planner.formatting import percent
from reports.gate.document import document
from reports.gate.figures import pictures
from tests.planner.colocation.gate.stored import TRIALS
from tests.reports.shown import texts


@pytest.fixture(scope="module")
def study() -> GateTrial:
    return gate_trial("tangram-two-node", seeds=1)


def test_a_curve_worked_by_hand() -> None:
    """Scores 1 to 3; the third pair is bad. Two pairs gain log 2 of log 4."""
    curve = RiskCurve(
        "test", np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.0, 2.0]), np.ones(3),
        np.array([0.5, 0.5, 1.0]),
    )  # fmt: skip
    point = curve.at(2.5, 1.1)
    assert point.coverage == pytest.approx(2 / 3)
    assert (point.worst, point.bad) == (1.0, 0.0)
    assert point.gain == pytest.approx(0.5)
    assert curve.largest_safe_gain(1.1) == pytest.approx(0.5)
    assert curve.at(np.inf, 1.1).bad == pytest.approx(1 / 3)


def test_every_pair_is_decided_once_by_every_gate(study: GateTrial) -> None:
    gates = {decision.gate for decision in study.decisions}
    assert len(gates) == 6
    for gate in gates:
        keys = [
            (decision.left_out, decision.partner, decision.ranks) for decision in study.of(gate)
        ]
        assert len(keys) == len(set(keys)) == 108  # 6 applications, 6 partners, 3 rank counts


def test_decisions_and_curves_agree(study: GateTrial) -> None:
    rows = study.tables()["gates"]
    ours = next(row for row in rows if row["gate"] == OURS)
    assert rows[0] == ours
    assert ours["coverage"] == pytest.approx(study.point.coverage)
    assert ours["gain"] == pytest.approx(study.point.gain)
    assert ours["worst"] == pytest.approx(study.point.worst)
    oracle = next(row for row in rows if row["gate"] == "oracle")
    assert oracle["gain"] == pytest.approx(1.0)
    assert oracle["worst"] == 1.0
    assert all(row["gain"] <= 1 + 1e-9 for row in rows)


def test_a_new_application_gets_at_most_two_probes(study: GateTrial) -> None:
    probed = [(decision.left_out, decision.ranks) for decision in study.of(OURS) if decision.probed]
    assert max(probed.count(key) for key in probed) <= 2


def test_the_study_says_what_cannot_be_certified(study: GateTrial) -> None:
    assert any("below 33 %" in line and "not a guarantee" in line for line in study.warnings)
    rows = study.tables()["certificates"]
    assert [row["possible"] for row in rows] == [False, False, True]
    assert [row["needed"] for row in rows] == [19, 9, 4]
    assert json.loads(json.dumps(study.to_dict(), allow_nan=False))["gates"]


def test_a_gate_that_admits_nothing_says_so(study: GateTrial) -> None:
    curves = [replace(curve, scores=np.full(len(curve.scores), np.inf)) for curve in study.curves]
    idle = replace(study, curves=curves)
    assert "admits no pair" in idle.headline
    assert any("to admit pairs" in line for line in idle.warnings)


def test_the_strictness_that_saves_most_within_the_limit_is_named(study: GateTrial) -> None:
    best = study.best_level
    assert best is not None
    level, point = best
    assert point.worst <= study.rule.limit
    safe = [row for row in study.tables()["risk_coverage"]
            if row["gate"] == OURS and row["worst"] <= study.rule.limit]  # fmt: skip
    assert point.gain == max(row["gain"] for row in safe)
    assert level in [row["level"] for row in safe]
    curves = [replace(curve, shared=curve.shared + 10.0) for curve in study.curves]
    assert replace(study, curves=curves).best_level is None


def test_the_answer_compares_only_gates_that_were_tested(study: GateTrial) -> None:
    def answer(shown: GateTrial) -> str:
        return str(document(shown, ())["pages"][0]["answer"])

    assert "Tangram saves" in answer(study)
    kept = [one for one in study.decisions if one.gate not in ("Tangram", PROBES)]
    without = answer(replace(study, decisions=kept))
    assert "Tangram" not in without
    assert without.endswith("above the limit.")


def test_the_figure_names_the_best_quantile_of_the_table(study: GateTrial) -> None:
    best = study.best_level
    assert best is not None
    title = pictures(study)[0].title
    assert ("the most of the tested quantiles" in title) == (best[1].gain <= study.point.gain)
    strict = replace(study, rule=replace(study.rule, level=0.99))
    assert f"the best quantile ({percent(best[0])})" in pictures(strict)[0].title


def test_without_predicted_quantiles_the_appendix_counts_none(study: GateTrial) -> None:
    rows = [replace(one, upper=None) for one in study.decisions]
    pages = document(replace(study, decisions=rows), ())["pages"]
    page = next(page for page in pages if page["heading"] == "Appendix: decision on each pair")
    assert "is at or below" not in str(page["blocks"])
    assert all(block.get("words") != "" for block in page["blocks"])


def test_a_co_run_in_less_than_half_of_the_time_is_explained(study: GateTrial) -> None:
    """Two jobs that do not disturb each other take a half; less is due to varying run times."""

    def advised(least: float) -> bool:
        rows = [replace(one, measured=max(one.measured, least)) for one in study.decisions]
        pages = document(replace(study, decisions=rows), ())["pages"]
        (page,) = (one for one in pages if "hard to judge" in one["heading"])
        return "no partner makes a job faster" in texts(page)

    assert advised(0.0)
    assert not advised(0.5)


def test_equal_savings_are_not_compared_and_no_pair_needs_no_reason(study: GateTrial) -> None:
    """Watching costs so little that both savings look equal; no pair is left out."""
    known = [
        replace(one, decision="wait") if one.decision == "abstain" else one
        for one in study.decisions if one.gate != PROBES
    ]  # fmt: skip
    probed = [
        replace(one, gate=PROBES, charged=one.charged * (1 - 1e-7))
        for one in known if one.gate == OURS
    ]  # fmt: skip
    other = replace(study, decisions=[*known, *probed]).explanation
    (step,) = [line for line in other.next_steps if "watch" in line.lower()]
    assert "The watch takes time" in step
    assert any(line.endswith("It abstains from no pair.") for line in other.reasons)


def test_watching_is_not_dropped_where_no_co_run_was_ended(study: GateTrial) -> None:
    """Without an ended co-run, its benefit is untested; with one, it did not pay here."""
    assert not any(one.decision == "separated" for one in study.decisions)
    (step,) = [line for line in study.explanation.next_steps if "watch" in line.lower()]
    assert step.startswith("No co-run was ended in this seed, so the benefit of watching is unt")
    assert "Run more seeds before you drop it." in step
    index = next(
        number for number, one in enumerate(study.decisions)
        if one.gate == OURS and one.decision == "share"
    )  # fmt: skip
    changed = list(study.decisions)
    changed[index] = replace(changed[index], decision="separated")
    ended = replace(study, decisions=changed)
    (step,) = [line for line in ended.explanation.next_steps if "atch" in line]
    assert step.startswith("Watching ended 1 co-run and did not pay here.")
    for shown in (study, ended):
        assert not any("Do not watch" in line for line in shown.explanation.next_steps)


def test_the_formulas_of_the_least_rate_are_those_of_the_table(study: GateTrial) -> None:
    """1/(n+1) with fixed partners and 2/(n+1) with each other; 1/a - 1 and 2/a - 1 are needed."""
    pages = {page["heading"]: page for page in document(study, ())["pages"]}
    method = texts(pages["Appendix: method"])
    for formula in ("1/(n+1)", "2/(n+1)", "1/a - 1", "2/a - 1", "conformal risk control"):
        assert formula in method
    for row in study.tables()["certificates"]:
        assert row["needed"] == round(1 / row["alpha"]) - 1
        assert row["needed_among"] == round(2 / row["alpha"]) - 1
        assert row["least"] == least_alpha(5) == 1 / 6
    assert least_alpha(5, memberships=2) == 2 / 6
    assert any("5 known applications (one of 6 is always unknown)" in w for w in study.warnings)


def test_the_page_counts_how_often_the_quantile_held(study: GateTrial) -> None:
    held, every = study.within_quantile()
    rows = study.of(OURS)
    assert every == len(rows) == 108
    assert held == sum(one.measured <= (one.upper or 0.0) for one in rows)
    worst = study.furthest_above
    assert worst is not None
    assert worst.upper is not None
    shown = texts(next(page for page in document(study, ())["pages"]
                       if page["heading"] == "Appendix: decision on each pair"))  # fmt: skip
    assert f"in {held} of 108 pairs" in shown
    assert f"quantile {worst.upper:.2f}, simulated {worst.measured:.2f}" in shown
    fine = replace(study, decisions=[replace(one, upper=1e9) for one in study.decisions])
    assert fine.furthest_above is None


def test_bad_co_runs_are_counted_with_their_base_and_others_have_their_saving(
    study: GateTrial,
) -> None:
    column = next(one for table in study.shown if table.name == "risk_coverage"
                  for one in table.columns if one.key == "bad")  # fmt: skip
    assert column.cell({"bad": 0.1, "admitted": 50}) == "5 of 50"
    tangram, every = study.explanation.alternatives
    assert "saves 14 % of the time; 4 of 108 pairs above" in tangram
    assert "costs 8.8 % of the time" in every


def test_another_first_seed_gives_other_campaigns(study: GateTrial) -> None:
    other = gate_trial("tangram-two-node", seeds=1, first_seed=7)
    assert {decision.seed for decision in other.decisions} == {7}
    assert (study.settings["first_seed"], other.settings["first_seed"]) == (0, 7)
    assert len(other.tables()["decisions"]) == len(study.tables()["decisions"]) == 108
    assert [decision.measured for decision in other.decisions] != [
        decision.measured for decision in study.decisions
    ]
    assert len(pictures(other)) == 2


def test_figures_show_the_finding(study: GateTrial) -> None:
    curves, decisions = pictures(study)
    assert "oracle" in curves.title
    assert "of 36 pairs" in decisions.title
    assert "miniAMR with miniAMR: wait" in decisions.alternative


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seeds": 0}, "seeds = 0"),
        ({"first_seed": -1}, "first_seed = -1"),
        ({"limit": 0.9}, "limit = 0.9"),
        ({"level": 1.0}, "level = 1"),
        ({"probes": -1}, "probes = -1"),
        ({"watch_s": 0.1}, "watch_s = 0.1"),
        ({"system": "tangram-two"}, "tangram-two-node"),
    ],
)
def test_python_refuses_what_does_not_fit(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        gate_trial(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pairs.csv", "--limit", "1.1"], "--limit"),
        (["tangram-two-node", "--probes", "1"], "--limit"),
        (["tangram-two-node", "--seed", "3"], "--seed has no effect"),
        (["tangram-two-node", "--limit", "1.1", "--seed", "-1"], "--seed"),
        (["tangram-two-node", "--limit", "1.1", "--synthetic", "5"], "--synthetic"),
        (["tangram-two-node", "--limit", "0.5"], "--limit"),
    ],
)
def test_the_command_refuses_what_does_not_fit(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["colocate", *words])
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_the_command_starts_at_its_seed() -> None:
    words = ["colocate", "tangram-two-node", "--limit", "1.1", "--seeds", "1", "--seed", "7"]
    result = CliRunner().invoke(main, [*words, "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["settings"]["first_seed"] == 7


@pytest.mark.parametrize(("system", "first_seed"), TRIALS)
def test_the_page_shows_the_stored_results(system: str, first_seed: int) -> None:
    page = (Path(__file__).parents[4] / "docs" / "gate.md").read_text(encoding="utf-8")
    for gate, (coverage, gain, worst) in TRIALS[system, first_seed].items():
        share = f"{100 * gain:.0f}".replace("-", "\N{MINUS SIGN}")
        assert f"| {gate} | {100 * coverage:.0f} % | {share} % | {worst:.2f} |" in page


@pytest.mark.slow
@pytest.mark.parametrize(("system", "first_seed"), TRIALS)
def test_results_of_ten_seeds_are_the_stored_ones(system: str, first_seed: int) -> None:
    """The figures of docs/gate.md."""
    trial = gate_trial(system, seeds=10, first_seed=first_seed)
    result = {
        row["gate"]: (round(row["coverage"], 3), round(row["gain"], 3), round(row["worst"], 2))
        for row in trial.tables()["gates"]
    }
    for gate, values in TRIALS[system, first_seed].items():
        assert result[gate] == pytest.approx(values, abs=0.03)
