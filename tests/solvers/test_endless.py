"""Models on which branch and bound alone would never end, without any limit from the caller."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solvers import Level, Milp, MilpBuilder, Status, Stop, certify, solve
from solvers.backends.protocol import Claim, Limits
from solvers.certify import ask_backend
from solvers.process.client import WORKER
from solvers.proofs.parity import impossible_row
from tests.solvers.hard_models import market_split
from tests.solvers.test_battery import two_columns

INF, LARGEST = np.inf, 2.0**53


def parity(
    coefficients: tuple[float, float], side: float, *, most: float, lower: float = 0.0
) -> Milp:
    build = MilpBuilder("min", name="parity")
    x = build.add_columns(2, cost=1.0, lower=lower, upper=most, integer=True)
    build.add_rows([0, 0], x, coefficients, lower=[side], upper=[side])
    return build.model()


PARITY = {
    "to a thousand": parity((6, 10), 7, most=1e3),
    "to a thousand million": parity((2, -2), 1, most=1e9),
    "to 2^53": parity((12345, -54321), 7, most=LARGEST),
    "of decimals": parity((0.2, -0.4), 0.3, most=1e9),
    "without bounds": parity((3, -3), 1, most=INF, lower=-INF),
}


@pytest.mark.parametrize("solver", ["highs", "cbc"])
@pytest.mark.parametrize("name", PARITY)
def test_parity_is_decided_before_any_solver_is_asked(
    name: str, solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certify, "ask_backend", None)
    result = solve(PARITY[name], solver=solver)
    assert (result.status, result.certificate.level) == (Status.INFEASIBLE, Level.PROVED)
    unproved = solve(PARITY[name], solver=solver, proof="never")
    assert (unproved.status, unproved.certificate.level) == (Status.INFEASIBLE, Level.VERIFIED)


@pytest.mark.parametrize(
    "model",
    [
        parity((6, 10), 8, most=9),
        parity((0.1, 0.2), 0.3, most=9),
        parity((3, 5), 7, most=9),
        two_columns((1, 1), [(2, 2, 1, 2)], integer=True),  # a side that can be met
        two_columns((1, 1), [(2, 2, 1, 1)]),  # no whole columns
        two_columns((1, 1), [(2, 2, 1, INF)], integer=True),
        parity((1 / 3, 1 / 3), 1.0, most=9),  # short of one by rounding alone
    ],
)
def test_row_that_can_be_met_is_left_to_the_solvers(model: Milp) -> None:
    assert impossible_row(model) is None


def test_whole_columns_to_2_53_are_settled_by_exact_arithmetic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(certify, "ask_backend", None)
    # 3x + 7y = 101: the cheapest is (1, 14) at 3 + 70
    build = MilpBuilder("min")
    x = build.add_columns(2, cost=[3.0, 5.0], upper=LARGEST, integer=True)
    build.add_rows([0, 0], x, [3.0, 7.0], lower=[101.0], upper=[101.0])
    result = solve(build.model())
    assert (result.status, result.objective) == (Status.OPTIMAL, 73.0)
    assert result.certificate.level is Level.PROVED


def test_solver_that_does_not_come_back_is_ended_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patience: list[tuple[float | None, float | None]] = []

    def late(_request: str, *_arguments: Any, time_limit_s: Any, cpu_limit_s: Any) -> Any:
        patience.append((time_limit_s, cpu_limit_s))
        raise TimeoutError("the solver reached its limit of CPU time")

    model = two_columns((1, 1), [(3, 5, 7, INF)], upper=(LARGEST, LARGEST), integer=True)
    monkeypatch.setattr(WORKER, "ask", late)
    certificate = solve(model, proof="never").certificate
    assert (certificate.status, certificate.stop) == (Status.UNKNOWN, Stop.ERROR)
    assert any("did not come back and was ended" in str(note) for note in certificate.notes)
    assert set(patience) == {(None, 60.0)}


@pytest.mark.parametrize("solver", ["highs", "cbc"])
def test_cpu_time_and_no_clock_ends_an_engine_that_would_go_on(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certify, "_STUCK_CPU_S", 0.3)
    claim = ask_backend(solver, market_split(5, 40), Limits(), None, watched=True)
    assert (claim.status, claim.stop, claim.x) == (Status.UNKNOWN, Stop.ERROR, None)
    assert "did not come back and was ended" in claim.message
    assert solve(two_columns((1, 1), [(2, 2, 1, 2)])).status is Status.OPTIMAL, "a new worker"


@pytest.mark.parametrize("solver", ["highs", "cbc"])
def test_default_limit_of_nodes_stops_and_repeats(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certify, "_NODES", 20)
    results = [solve(market_split(3, 30), solver=solver, proof="never") for _ in range(2)]
    certificate = results[0].certificate
    assert (certificate.status, certificate.stop) == (Status.FEASIBLE, Stop.NODES)
    assert "time limit" in certificate.stop.remedy
    assert certificate.to_dict() == results[1].certificate.to_dict()
    hidden = solve(market_split(with_slack=False), solver=solver, proof="never").certificate
    assert (hidden.status, hidden.stop) == (Status.UNKNOWN, Stop.NODES)


def test_time_limit_of_the_caller_replaces_that_of_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = []

    def ask(name: str, model: Milp, given: Limits, start: Any) -> Claim:
        limits.append(given)
        return Claim(Status.UNKNOWN, Stop.TIME, name)

    monkeypatch.setattr(certify, "ask_backend", ask)
    model = market_split(2, 8)
    for options in ({}, {"time_limit_s": 1.0}, {"node_limit": 7}):
        solve(model, proof="never", **options)
    solve(replace(model, is_integer=np.zeros(model.columns, dtype=np.bool_)), proof="never")
    assert [limit.node_limit for limit in limits] == [500_000, None, 7, None]
