"""Hot changes give what fresh solves give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import Level, Milp, MilpBuilder, Session, Status, solve
from solvers.backends.protocol import Claim
from solvers.model.result import Stop
from solvers.process.client import WORKER
from tests.sizes import few
from tests.solvers.hard_models import market_split
from tests.solvers.random_models import SHAPES, random_model


def relaxed(model: Milp) -> Milp:
    return replace(model, is_integer=np.zeros(model.columns, dtype=bool))


def assert_as_fresh(session: Session) -> None:
    hot, fresh = session.solve(), solve(session.model, solver="both")
    assert hot.status is fresh.status
    if fresh.objective is None:
        assert hot.objective is None
    else:
        assert hot.objective == pytest.approx(fresh.objective, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_hot_changes_of_bounds_and_costs_equal_fresh_solves(shape: str, integer: bool) -> None:
    rng = np.random.default_rng(5)
    for seed in range(few(4, 2)):
        model = random_model(shape, seed)
        with Session(model if integer else relaxed(model)) as session:
            assert_as_fresh(session)
            for _ in range(4):
                some = rng.permutation(model.columns)[:2]
                session.change_costs(some, np.round(rng.normal(size=2), 3))
                assert_as_fresh(session)
                session.change_bounds(some, lower=0.0, upper=rng.integers(0, 5, 2))
                assert_as_fresh(session)


def test_sessions_do_not_disturb_each_other() -> None:
    models = [random_model("procurement", seed) for seed in range(3)]
    expected = [solve(model).objective for model in models]
    with Session(models[0]) as a, Session(models[1]) as b, Session(models[2]) as c:
        a.change_costs([0], 0.0)
        assert b.solve().objective == pytest.approx(expected[1])
        assert c.solve().objective == pytest.approx(expected[2])
        a.change_costs([0], models[0].cost[:1])
        assert a.solve().objective == pytest.approx(expected[0])


def test_limits_hold_for_one_solve_only() -> None:
    with Session(market_split(2, 12)) as session:
        assert session.solve(node_limit=0).status is not Status.OPTIMAL
        assert session.solve(time_limit_s=0.0).certificate.stop.value == "time limit"
        assert session.solve().status is Status.OPTIMAL


def test_session_survives_the_end_of_its_process() -> None:
    model = random_model("modes", 1)
    with Session(model) as session:
        session.change_bounds([0], lower=0.0, upper=0.0)
        WORKER.close()
        session.change_costs([1], 0.25)
        assert_as_fresh(session)
        assert session.solve().value(0) == 0.0


def test_session_never_says_proved() -> None:
    with Session(random_model("procurement", 2)) as session:
        assert session.solve().certificate.level is Level.VERIFIED
        session.change_bounds([0, 1], lower=3.0, upper=2.0)
        crossed = session.solve()
        # HiGHS and CBC agree: without a second opinion it would be unknown
        assert (crossed.status, crossed.certificate.level) == (Status.INFEASIBLE, Level.VERIFIED)


def shortage() -> Milp:
    """The most of x that 3 x <= 6 allows: each unit of the side is worth a third."""
    build = MilpBuilder("max")
    x = build.add_columns(1, cost=1.0, upper=9.0)
    build.add_rows([0], x, [3.0], upper=[6.0])
    return build.model()


def test_an_engine_that_fails_from_its_last_basis_is_started_afresh(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask, failures = WORKER.ask, list[str]()

    def fails(name: str, *arguments: object, **limits: float | None) -> object:
        if name != "run":
            return ask(name, *arguments, **limits)
        failures.append(name)
        return Claim(Status.UNKNOWN, Stop.ERROR, "HiGHS", message="Not Set")

    with Session(shortage()) as session:
        monkeypatch.setattr(WORKER, "ask", fails)
        result = session.solve()
        monkeypatch.undo()
    assert (result.status, result.objective) == (Status.OPTIMAL, 2.0)
    assert result.duals is not None
    assert len(failures) == 2


def test_duals_are_kept_where_several_engines_answer() -> None:
    result = solve(shortage(), solver="both", proof="never")
    assert result.duals is not None
    assert result.duals.tolist() == pytest.approx([1 / 3])


def test_a_linear_program_is_solved_from_any_start() -> None:
    result = solve(shortage(), start=[0.0], proof="never")
    assert (result.status, result.objective) == (Status.OPTIMAL, 2.0)
    assert result.duals is not None
