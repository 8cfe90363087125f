"""Random small models of four shapes: our answer against enumeration."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from solvers import Level, Milp, Result, Status, brute_force, solve
from solvers.backends.protocol import BACKENDS, Claim, Limits
from solvers.certify import ask_backend
from solvers.model.result import Stop
from solvers.proofs.brute_force import Optimum
from tests.sizes import few
from tests.solvers.random_models import SHAPES, random_model

SAMPLE, ALL = few(40), 1_250
TOLERANCE = 1e-6


def close(value: float | None, best: Optimum) -> bool:
    if value is None or best.objective is None:
        return False
    return abs(value - float(best.objective)) <= TOLERANCE * max(1.0, abs(value))


def is_right(result: Result, best: Optimum) -> bool:
    if best.objective is None:
        return result.status is Status.INFEASIBLE
    return result.status is Status.OPTIMAL and close(result.objective, best)


def is_wrong(claim: Claim, model: Milp, best: Optimum) -> bool:
    """Whether a back end that ran to its end made a false statement."""
    if claim.stop is not Stop.FINISHED or claim.status is Status.UNKNOWN:
        return False
    if claim.status is not Status.OPTIMAL:
        return (claim.status is Status.INFEASIBLE) != (best.objective is None)
    return claim.x is None or not close(model.objective(claim.x), best)


@dataclass
class Tally:
    """What was counted for one shape."""

    proved: int = 0
    infeasible: int = 0
    wrong: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BACKENDS, 0))


def examine(shape: str, count: int) -> Tally:
    tally = Tally()
    for seed in range(count):
        model = random_model(shape, seed)
        best, result = brute_force(model), solve(model, solver="both")
        assert is_right(result, best), f"{model.name}: {result.certificate} but {best}"
        tally.proved += result.certificate.level is Level.PROVED
        tally.infeasible += best.objective is None
        for name in BACKENDS:
            claim = ask_backend(name, model, Limits(), None)
            tally.wrong[name] += is_wrong(claim, model, best)
    return tally


@pytest.mark.parametrize("shape", SHAPES)
def test_our_answer_equals_enumeration(shape: str) -> None:
    assert examine(shape, SAMPLE).proved == SAMPLE


def test_shapes_hold_infeasible_models_too() -> None:
    models = (random_model(shape, seed) for shape in SHAPES for seed in range(40))
    assert sum(brute_force(model).objective is None for model in models) >= 3


@pytest.mark.release
@pytest.mark.parametrize("shape", SHAPES)
def test_our_answer_equals_enumeration_on_thousands(
    shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = examine(shape, ALL)
    with capsys.disabled():
        wrong = ", ".join(f"{name} {count}" for name, count in tally.wrong.items())
        print(  # noqa: T201 - the disagreements are meant to be read
            f"\n{shape}: {ALL} models, {tally.infeasible} infeasible, {tally.proved} proved by us;"
            f" wrong claims: {wrong}"
        )
    assert tally.proved == ALL
