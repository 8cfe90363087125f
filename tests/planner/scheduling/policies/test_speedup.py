"""Models of speedup: by hand, against the programs that they stand for, and what rounding keeps."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.policies.speedup import Amdahl, Downey, Speedup, scaled, speedup_of

MODELS: list[Speedup] = [Amdahl(f) for f in (0, 0.01, 0.05, 0.2, 1)]
MODELS += [Downey(a, s, relative) for a, relative in ((1.0, True), (3.0, True), (0.4, True),
           (20.0, False)) for s in (0, 0.3, 1, 1.5, 2)]  # fmt: skip


def whole(*values: int) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def on(model: Speedup, *processors: int, requested: int = 8) -> list[float]:
    values = model.speedup(whole(*processors), np.full(len(processors), requested, np.int64))
    return [float(item) for item in values]


def test_amdahl_by_hand() -> None:
    # 10 % serial: 1 / (0.1 + 0.9/2) = 1/0.55, 1 / (0.1 + 0.9/9) = 5
    assert on(Amdahl(0.1), 1, 2, 9) == pytest.approx([1, 1 / 0.55, 5], rel=1e-15)
    assert on(Amdahl(0), 1, 49, 128) == [1, 49, 128]
    assert on(Amdahl(1), 1, 49) == [1, 1]


def downey_s_program(a: Fraction, sigma: Fraction, n: int) -> Fraction:
    """Speedup of the program behind each formula, from its stretches of parallelism."""
    if sigma <= 1:  # of its time on endless processors: sigma/2 on 1, sigma/2 on 2A - 1, else on A
        stretches = [(sigma / 2, Fraction(1)), (sigma / 2, 2 * a - 1), (1 - sigma, a)]
    else:  # sigma on 1 processor to 1 on A + A sigma - sigma
        stretches = [(sigma, Fraction(1)), (Fraction(1), a + a * sigma - sigma)]
    nothing = Fraction(0)
    alone = sum((share * width for share, width in stretches), nothing)
    return alone / sum((share * max(Fraction(1), width / n) for share, width in stretches), nothing)


@pytest.mark.parametrize("sigma", [Fraction(0), Fraction(1, 4), Fraction(1), Fraction(3, 2)])
@pytest.mark.parametrize("a", [Fraction(1), Fraction(5, 2), Fraction(16)])
def test_downey_s_formulas_are_those_of_the_programs_behind_them(
    a: Fraction, sigma: Fraction
) -> None:
    counts = list(range(1, 70))
    expected = [float(downey_s_program(a, sigma, n)) for n in counts]
    model = Downey(float(a), float(sigma), relative=False)
    assert on(model, *counts) == pytest.approx(expected, rel=1e-12)


def test_the_program_with_high_variance_meets_the_one_with_low_at_1() -> None:
    near = Downey(16.0, 1 - 1e-9, relative=False), Downey(16.0, 1.0, relative=False)
    first, second = (on(item, *range(1, 64)) for item in near)
    assert first == pytest.approx(second, rel=1e-7)


def test_downey_by_the_request() -> None:
    # A = 8, sigma = 1: 8 * 4 / (8 + 3/2) on 4, 64 / (8 + 7/2) on 8, 8 from 15 on
    assert on(Downey(), 4, 8, 15, 99) == pytest.approx([32 / 9.5, 64 / 11.5, 8, 8], rel=1e-15)
    assert on(Downey(2.0), 4, requested=4) == on(Downey(8.0, relative=False), 4)
    assert on(Downey(), 1, 2, 4, requested=1) == [1, 1, 1]
    assert on(Downey(0.4), 1, 2, 4, requested=2) == [1, 1, 1]


@pytest.mark.parametrize("model", MODELS, ids=lambda item: item.name)
def test_speedup_never_falls_and_never_grows_faster_than_processors(model: Speedup) -> None:
    result = np.array(on(model, *range(1, 200)))
    assert result[0] == pytest.approx(1, rel=1e-15)
    assert (np.diff(result) >= -1e-12).all()
    assert (np.diff(result / np.arange(1, 200)) <= 1e-12).all()


@pytest.mark.parametrize("model", MODELS, ids=lambda item: item.name)
def test_an_estimate_stays_at_least_the_run(model: Speedup) -> None:
    rng = np.random.default_rng(3)
    run = rng.integers(0, 10 ** rng.integers(1, 10, 3000))
    estimate = run + rng.integers(0, 10, 3000)
    requested = rng.integers(1, 300, 3000)
    taken = rng.integers(1, 300, 3000)
    short, long = scaled(run, taken, requested, model), scaled(estimate, taken, requested, model)
    assert (short <= long).all()
    assert (scaled(run, requested, requested, model) == run).all()
    assert (short[taken < requested] >= run[taken < requested]).all()
    assert (short[taken > requested] <= run[taken > requested]).all()
    assert (short[run == 0] == 0).all()
    assert (short[run > 0] >= 1).all()


def test_times_are_rounded_up_once_and_not_by_floating_point() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        run, requested, taken = rng.randint(0, 10**7), rng.randint(1, 500), rng.randint(1, 500)
        f = Fraction(rng.choice([0, 1, 5, 20]), 100)
        exact = run * (f + (1 - f) / taken) / (f + (1 - f) / requested)
        times_s = scaled(whole(run), whole(taken), whole(requested), Amdahl(float(f)))
        assert times_s.tolist() == [ceil(exact)], (run, requested, taken, f)


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("amdahl:0.05", Amdahl()),
        ("amdahl:0", Amdahl(0)),
        ("downey:p:1", Downey()),
        ("downey:2p:0.5", Downey(2, 0.5)),
        ("downey:32:1.5", Downey(32, 1.5, relative=False)),
    ],
)
def test_a_model_is_its_name(text: str, model: Speedup) -> None:
    assert speedup_of(text) == model
    assert model.name == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("linear", "is not a speedup model; give amdahl:FRACTION"),
        ("amdahl", "is not a speedup model"),
        ("amdahl:x", "is not a speedup model"),
        ("downey:1", "is not a speedup model"),
        ("downey:1:2:3", "is not a speedup model"),
        ("amdahl:1.5", "serial fraction of 1.5 lies outside 0 to 1"),
        ("amdahl:nan", "'amdahl:nan' is not a speedup model"),
        ("downey:0.5:1", "average parallelism of 0.5 cannot be; give one of at least 1"),
        ("downey:0p:1", "cannot be; give one above 0 times the request"),
        ("downey:inf:1", "'downey:inf:1' is not a speedup model"),
        ("downey:p:-1", "variance of parallelism of -1 cannot be"),
    ],
)
def test_what_is_no_model_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        speedup_of(text)
