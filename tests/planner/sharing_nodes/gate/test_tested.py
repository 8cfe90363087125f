"""Tangram's gate on own co-runs: counted by hand, and nothing of what it must not know."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import headroom as hr
from planner.sharing_nodes.gate import tested as tests_of_gates
from planner.sharing_nodes.gate.own_data import own_pairs
from planner.sharing_nodes.gate.tested import GateTests, by_gate, gate_tests
from planner.sharing_nodes.tangram.scores import LeftOutTest
from tests.planner.sharing_nodes.gate.cases import REFERENCES, tables


def mixed() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Pairs that counters do not tell from each other for certain."""
    pairs, profiles = tables()
    pairs["co_a_s"] *= np.exp(0.3 * np.random.default_rng(1).normal(size=len(pairs)))
    return pairs, profiles


def decisions(
    pairs: pd.DataFrame, profiles: pd.DataFrame
) -> tuple[GateTests, dict[tuple[str, str], LeftOutTest]]:
    """Decisions by gate, and by gate and application."""
    data, *_ = own_pairs(pairs, profiles)
    tested = gate_tests(data, 1.1, 0)
    return tested, {(gate, one.left_out): one for gate, rows in tested.items() for one in rows}


def test_gates_that_learn_nothing_are_counted_by_hand() -> None:
    """Makespans 0.9 (x with y), 1.2 (x with x), 0.5 (y with y): x is in two, y in two."""
    pairs = pd.DataFrame(
        [("x", "y", 100, 100, 180, 90), ("x", "x", 100, 100, 240, 240), ("y", "y", 50, 50, 50, 50)],
        columns=["a", "b", "solo_a_s", "solo_b_s", "co_a_s", "co_b_s"],
    )
    tested, found = decisions(
        pairs, pd.DataFrame({"application": ["new", "y", "x"], "n": [1, 2, 3]})
    )
    assert [*found][:2] == [("Tangram", "y"), ("Tangram", "x")]
    every, best = found["all co-located", "x"], found["oracle", "x"]
    assert (every.tested, every.admitted, every.wrongly_admitted, every.wrongly_refused) == (
        2,
        2,
        1,
        0,
    )
    assert every.makespan == pytest.approx((0.9 * 1.2) ** 0.5)
    assert every.worst == 1.2
    assert (best.tested, best.admitted, best.wrongly_admitted, best.worst) == (2, 1, 0, 1.0)
    assert best.makespan == pytest.approx(0.9**0.5)
    rows = {row["gate"]: row for row in by_gate(tested)}
    # x has 1 of 2, y 0 of 2; all four decisions have 1 bad co-run.
    assert rows["all co-located"]["rate_per_application"] == 0.25
    assert rows["all co-located"]["rate_among_co_runs"] == 0.25
    makespan = rows["all co-located"]["makespan"]
    assert makespan == pytest.approx((0.9 * 1.2 * 0.9 * 0.5) ** 0.25)
    # Without x the gate knows one pair, which gains: it admits both pairs of x.
    assert (found["Tangram", "x"].admitted, found["Tangram", "x"].wrongly_admitted) == (2, 1)
    # Without y it knows one pair, which loses.
    assert (found["Tangram", "y"].admitted, found["Tangram", "y"].wrongly_refused) == (0, 2)


@pytest.mark.parametrize("name", ["ref0", "app5"])
def test_a_gate_does_not_know_the_co_runs_of_the_application_that_is_left_out(name: str) -> None:
    pairs, profiles = mixed()
    of_name = (pairs["a"] == name) | (pairs["b"] == name)
    other = pairs.copy()
    other.loc[of_name, ["co_a_s", "co_b_s"]] *= 10
    for gate in ("Tangram", "logistic"):
        before, after = (decisions(each, profiles)[1][gate, name] for each in (pairs, other))
        assert before.tested == int(of_name.sum())
        assert 0 < before.admitted < before.tested
        assert after.admitted == before.admitted == after.wrongly_admitted


def test_no_gate_is_better_than_the_oracle_and_the_study_has_all_of_them() -> None:
    pairs, profiles = mixed()
    study = hr.gate(pairs, profiles, references=REFERENCES, bad_share=0.2, test_gates=True)
    rates = study.frames()["tested_gates"].set_index("gate")
    assert rates["tested"].unique().tolist() == [2 * len(pairs) - len(REFERENCES)]
    assert (rates["makespan"] >= rates.loc["oracle", "makespan"]).all()
    assert rates.loc["oracle", "bad"] == 0
    assert rates["admitted"]["all co-located"] == 2 * len(pairs) - len(REFERENCES)
    of_application = study.to_dict()["tested_applications"]
    keys = ["gate", "application", "tested", "admitted", "bad", "missed", "makespan", "worst"]
    assert [*of_application[0]] == keys
    assert "Tangram's gate admits for an application it does not know" in study.confidence
    plain = hr.gate(pairs, profiles, references=REFERENCES, bad_share=0.2)
    assert "tested_gates" not in plain.to_dict()
    assert plain.to_dict()["decisions"] == study.to_dict()["decisions"]


def test_too_many_co_runs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs, profiles = tables()
    monkeypatch.setattr(tests_of_gates, "MOST_TESTED", len(pairs) - 1)
    with pytest.raises(hr.InputError, match=r"co-runs are too many to test gates .* at most"):
        hr.gate(pairs, profiles, references=REFERENCES, test_gates=True)
