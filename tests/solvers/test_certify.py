"""Certificates say no more than is known, whatever a back end claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from solvers import SOLVERS, Level, Milp, MilpBuilder, Status, Stop, certify, solve
from solvers.backends import cbc
from solvers.backends.protocol import Claim, Limits
from solvers.certify import certify_claim
from solvers.model.milp import Floats, Sense
from tests.solvers.hard_models import market_split
from tests.solvers.test_battery import knapsack, two_columns

Answer = Callable[[Milp], Claim]
BEST = np.array([0.0, 1.0, 1.0])  # of the knapsack: 20
POORER = np.array([1.0, 0.0, 1.0])  # 17
TOO_HEAVY = np.array([1.0, 1.0, 1.0])  # 30, but weighs 9 of 6
ASK = certify.ask_backend


def answers(claims: Sequence[Answer | None]) -> Callable[..., Claim]:
    """Stand in for ``ask_backend``: the answers in turn (``None``: the truth), then the truth."""
    remaining = list(claims)

    def ask(name: str, model: Milp, limits: Limits, start: Floats | None) -> Claim:
        answer = remaining.pop(0) if remaining else None
        return ASK(name, model, limits, start) if answer is None else answer(model)

    return ask


def claim(
    status: Status,
    x: Floats | None = None,
    bound: float | None = None,
    *,
    stop: Stop = Stop.FINISHED,
    solver: str = "Liar 1",
) -> Answer:
    return lambda _: Claim(status, stop, solver, x, bound)


LIES = {
    "a poorer point called optimal": claim(Status.OPTIMAL, POORER, 17.0),
    "a point too heavy called optimal": claim(Status.OPTIMAL, TOO_HEAVY, 30.0),
    "a fractional point": claim(Status.OPTIMAL, np.array([0.5, 1.0, 0.0]), 18.0),
    "a point of NaN": claim(Status.OPTIMAL, np.full(3, np.nan), 20.0),
    "a point of the wrong length": claim(Status.OPTIMAL, np.zeros(2), 0.0),
    "infeasible": claim(Status.INFEASIBLE),
    "unbounded": claim(Status.UNBOUNDED),
    "a bound that is beaten": claim(Status.FEASIBLE, BEST, 19.0, stop=Stop.TIME),
    "a bound of NaN": claim(Status.OPTIMAL, BEST, np.nan),
    "a bound of infinity": claim(Status.OPTIMAL, BEST, np.inf),
    "nothing": claim(Status.UNKNOWN),
    "an error": claim(Status.UNKNOWN, stop=Stop.ERROR),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("lie", LIES)
def test_proof_corrects_every_lie(monkeypatch: pytest.MonkeyPatch, lie: str, solver: str) -> None:
    monkeypatch.setattr(certify, "ask_backend", answers([LIES[lie]]))
    result = solve(knapsack(), solver=solver)
    assert (result.status, result.objective) == (Status.OPTIMAL, 20.0)
    assert result.certificate.level is Level.PROVED
    assert result.x is not None
    assert result.x.tolist() == BEST.tolist()


@pytest.mark.parametrize("lie", LIES)
def test_proof_corrects_a_lie_that_all_tell(monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    monkeypatch.setattr(certify, "ask_backend", answers([LIES[lie]] * 9))
    result = solve(knapsack(), solver="both")
    assert (result.status, result.objective) == (Status.OPTIMAL, 20.0)
    assert result.certificate.level is Level.PROVED


NOTED = set(LIES) - {"nothing", "a bound of NaN", "a bound of infinity"}


@pytest.mark.parametrize("lie", sorted(NOTED))
def test_correction_is_noted(monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    monkeypatch.setattr(certify, "ask_backend", answers([LIES[lie]]))
    assert solve(knapsack()).certificate.notes


@pytest.mark.parametrize("lie", LIES)
def test_without_proof_a_second_solver_keeps_a_lie_from_passing(
    monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    monkeypatch.setattr(certify, "ask_backend", answers([LIES[lie], None]))
    result = solve(knapsack(), solver="both", proof="never")
    assert result.status is Status.OPTIMAL
    assert result.objective == 20.0
    assert result.certificate.level is Level.VERIFIED


def test_beaten_bound_is_dropped_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lies = [LIES["a bound that is beaten"]]
    monkeypatch.setattr(certify, "ask_backend", answers(lies))
    result = solve(knapsack(), proof="never")
    assert result.status is Status.FEASIBLE
    assert result.certificate.bound is None
    assert [str(each) for each in result.certificate.notes] == [
        "bound-dropped: solver Liar 1; bound 19.0"
    ]


def test_false_infeasible_is_contradicted_by_the_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certify, "ask_backend", answers([LIES["infeasible"]]))
    result = solve(knapsack(), proof="never")
    assert result.status is Status.OPTIMAL
    said = [str(each) for each in result.certificate.notes]
    assert "status-denied: solver Liar 1; status infeasible" in said


def test_one_verdict_alone_is_never_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = claim(Status.UNKNOWN, solver="HiGHS 1")
    lies = [silent, claim(Status.INFEASIBLE, solver="CBC 1"), silent]
    monkeypatch.setattr(certify, "ask_backend", answers(lies))
    certificate = solve(knapsack(), proof="never").certificate
    assert (certificate.status, certificate.level) == (Status.UNKNOWN, Level.CLAIMED)
    assert any(note.kind == "one-solver" for note in certificate.notes)


@pytest.mark.parametrize("verdict", [Status.INFEASIBLE, Status.UNBOUNDED])
def test_one_claim_without_a_point_leaves_it_unknown(verdict: Status) -> None:
    alone = Claim(verdict, Stop.FINISHED, "S 1")
    result = certify_claim(knapsack(), alone, gap=1e-6, seed=0)
    assert (result.status, result.certificate.level) == (Status.UNKNOWN, Level.CLAIMED)
    assert [(each.kind, *each.values.values()) for each in result.certificate.notes] == [
        ("one-solver", ("S 1",), (verdict.value,))
    ]


def test_solvers_that_disagree_leave_it_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    lies = [
        claim(Status.INFEASIBLE, solver="HiGHS 1"),
        claim(Status.UNBOUNDED, solver="CBC 1"),
        claim(Status.INFEASIBLE, solver="HiGHS 1"),
    ]
    monkeypatch.setattr(certify, "ask_backend", answers(lies))
    result = solve(knapsack(), proof="never")
    assert (result.status, result.x) == (Status.UNKNOWN, None)
    assert result.certificate.level is Level.CLAIMED
    assert any(note.kind == "solvers-disagree" for note in result.certificate.notes)


def test_proof_that_a_solver_missed_infeasibility(monkeypatch: pytest.MonkeyPatch) -> None:
    # x + y = 3 over 2 binaries; a liar offers a point and a bound, all others agree
    model = two_columns((1, 1), [(1, 1, 3, 3)], upper=(1, 1), integer=True)
    lie = claim(Status.OPTIMAL, np.array([1.0, 1.0]), 2.0)
    monkeypatch.setattr(certify, "ask_backend", answers([lie] * 9))
    result = solve(model)
    assert (result.status, result.certificate.level) == (Status.INFEASIBLE, Level.PROVED)
    assert result.x is None


def test_open_proof_that_beats_the_claim_does_not_leave_it_optimal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = market_split(2, 14)
    poor = np.r_[np.zeros(14), model.row_lower, np.zeros(2)]
    lie = claim(Status.OPTIMAL, poor, model.objective(poor))
    monkeypatch.setattr(certify, "ask_backend", answers([lie] * 9))
    monkeypatch.setattr(certify, "_AUTO_NODES", 40)
    result = solve(model)
    assert result.status is Status.FEASIBLE
    assert result.objective is not None
    assert result.objective < model.objective(poor)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("rows", [[(1, 1, 0, 3)], [(1, 1, 5, 9)], [(2, -2, 1, 1)]])
def test_nothing_is_proved_where_proof_is_never_asked(
    solver: str, rows: list[tuple[float, float, float, float]]
) -> None:
    model = two_columns((-1, -1), rows, upper=(2, 2), integer=True)
    assert solve(model, solver=solver, proof="never").certificate.level is not Level.PROVED


def test_certificate_is_plain_json_without_times() -> None:
    for model in (knapsack(), two_columns((1, 1), [(2, 2, 1, 1)], integer=True)):
        certificate = solve(model, solver="both").certificate
        plain = certificate.to_dict()
        text = json.dumps(plain, allow_nan=False)
        assert json.loads(text)["status"] == certificate.status.value
        assert not {"wall_s", "cpu_s"} & plain.keys()
        assert {"wall_s", "cpu_s"} <= certificate.to_dict(timings=True).keys()
        assert certificate.model_digest == model.digest


def test_certificate_names_every_solver_that_was_asked() -> None:
    certificate = solve(knapsack(), solver="both").certificate
    names = [part.partition(" ")[0] for part in certificate.solver.split(" + ")]
    assert names == ["HiGHS", "CBC"]
    assert len(certificate.options) == 2


def test_same_input_gives_the_same_bytes() -> None:
    for model in (knapsack(), market_split(2, 10)):
        runs = [solve(model, solver="both", seed=3) for _ in range(3)]
        texts = {json.dumps(run.certificate.to_dict()) for run in runs}
        points = {run.x.tobytes() for run in runs if run.x is not None}
        assert (len(texts), len(points)) == (1, 1)


def test_wider_gap_is_accepted_only_when_asked_for() -> None:
    near = Claim(Status.FEASIBLE, Stop.TIME, "S 1", BEST, 20.5)  # 2.5 % away
    assert certify_claim(knapsack(), near, gap=0.03, seed=0).status is Status.OPTIMAL
    assert certify_claim(knapsack(), near, gap=0.02, seed=0).status is Status.FEASIBLE
    certificate = certify_claim(knapsack(), near, gap=0.02, seed=0).certificate
    assert certificate.gap_absolute == 0.5
    assert certificate.gap_relative == 0.025


def test_continuous_part_is_repaired_when_rounding_broke_it() -> None:
    # x = 1e6 z to 1e-6 of z: z rounds to 1, and then x must be 1e6 exactly
    build = MilpBuilder("min")
    x = build.add_columns(2, cost=[1.0, 1.0], upper=[2e6, 1.0], integer=[False, True])
    build.add_rows([0, 0], x, [1.0, -1e6], lower=0.0, upper=0.0)
    build.add_rows([0], x[1:], 1.0, lower=1.0)
    crooked = Claim(
        Status.OPTIMAL, Stop.FINISHED, "S 1", np.array([999_999.0, 0.999999]), 1_000_001.0
    )
    result = certify_claim(build.model(), crooked, gap=1e-6, seed=0)
    assert result.x is not None
    assert result.x.tolist() == [1e6, 1.0]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"solver": "gurobi"}, "unknown solver 'gurobi'; choose one of highs, cbc, both"),
        ({"proof": "maybe"}, "unknown proof mode 'maybe'"),
        ({"time_limit_s": -1.0}, "time_limit_s = -1.0"),
        ({"time_limit_s": float("nan")}, "time_limit_s = nan"),
        ({"node_limit": -1}, "node_limit = -1"),
        ({"gap": float("inf")}, "gap = inf"),
        ({"seed": -1}, "seed = -1"),
        ({"seed": 2**31 - 1}, "from 0 to 2147483646"),
        ({"start": [1.0]}, "the model has 3 columns"),
    ],
)
def test_bad_request_is_refused(request_: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(knapsack(), **request_)  # type: ignore[arg-type]


def two_in_a_row() -> Milp:
    build = MilpBuilder("min")
    x = build.add_columns(2, cost=1.0, upper=9, integer=True)
    build.add_rows([0, 0], x, 1.0, lower=[1.0])
    return build.model()


def test_cbc_runs_without_its_preprocessing() -> None:
    result = solve(two_in_a_row(), solver="cbc")
    (options,) = (o for name, o in result.certificate.options.items() if name.startswith("CBC"))
    assert options["preprocess"] == "off"


@pytest.mark.parametrize(("gap", "handed_over"), [(0.2, 0.2), (1e-6, 1e-7)])
def test_the_gap_asked_for_reaches_the_solver(gap: float, handed_over: float) -> None:
    result = solve(two_in_a_row(), gap=gap)
    (options,) = result.certificate.options.values()
    assert options["mip_rel_gap"] == pytest.approx(handed_over)


@pytest.mark.parametrize(("sense", "expected"), [("min", 12.3455 + 100), ("max", -12.3455 + 100)])
def test_the_bound_that_cbc_prints_is_moved_outwards_by_its_rounding(
    sense: Sense, expected: float
) -> None:
    # the log is of the minimised model without its constant, rounded to three decimals
    model = MilpBuilder(sense, constant=100.0).model()
    log = "Lower bound:                    11.000\nLower bound:                    12.346\n"
    assert cbc._printed_bound(model, log) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("failures", [1, 2])
def test_a_solver_that_fails_beside_a_known_start_gives_way_to_the_others(
    monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    monkeypatch.setattr(certify, "ask_backend", answers([LIES["an error"]] * failures))
    result = solve(knapsack(), start=POORER, proof="never")
    assert (result.status, result.objective) == (Status.OPTIMAL, 20.0)
    assert result.certificate.bound == pytest.approx(20.0)


def test_without_doubt_one_refusal_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else is asked, and what one solver alone calls infeasible is left unknown."""
    settings: list[str] = []

    def refuse(name: str, *_: object) -> Claim:
        settings.append(name)
        return claim(Status.INFEASIBLE)(knapsack())

    monkeypatch.setattr(certify, "ask_backend", refuse)
    result = solve(knapsack(), proof="never", doubt=False)
    assert settings == ["highs"]
    assert (result.x, result.certificate.status) == (None, Status.UNKNOWN)
    assert result.certificate.notes[-1].kind == "one-solver"
    monkeypatch.setattr(certify, "ask_backend", answers([claim(Status.UNBOUNDED)]))
    assert solve(knapsack(), proof="never", doubt=False).x is not None  # others are asked
