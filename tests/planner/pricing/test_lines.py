"""The compiled mixture of lines against one of whole arrays, and its functions of one number."""

from __future__ import annotations

import numpy as np
import pytest

from planner.pricing.elementary import exp_to_1, log_above_0
from planner.pricing.lines import LEAST_NOISE, Lines, improved
from planner.pricing.samples import Floats
from solvers import portable


def windows_on_lines(rng: np.random.Generator, count: int, per_line: int) -> tuple[Floats, Floats]:
    """Windows about lines of IPC 1, 2, ... that meet in a polling IPC of 1.7."""
    share = rng.uniform(0, 0.4, count * per_line)
    level = np.repeat(np.arange(1.0, count + 1), per_line)
    ipc = (1 - share) * level + share * 1.7 + rng.normal(0, 0.05, len(share))
    return ipc, share


def begun(count: int) -> Lines:
    level = np.array([k + 1.2 for k in range(count)])
    return Lines(level, np.full(count, 0.2), np.full(count, 1 / count), np.array([1.5, -np.inf]))


def literal_step(ipc: Floats, share: Floats, lines: Lines) -> Lines:
    """Bayes' rule, and weighted least squares by the singular values of all windows."""
    count, unit = len(lines.ipc), np.eye(len(lines.ipc))
    off = (1 - share)[:, None] * lines.ipc + (share * lines.common[0])[:, None] - ipc[:, None]
    each = lines.share / lines.noise * np.exp(-0.5 * (off / lines.noise) ** 2)
    total = each.sum(axis=1, keepdims=True)
    weight = each / total
    rows = [np.column_stack([np.outer(1 - share, unit[k]), share]) for k in range(count)]
    root = np.sqrt(weight) / lines.noise
    scaled = np.concatenate([row * root[:, [k]] for k, row in enumerate(rows)])
    found = np.linalg.lstsq(scaled, (root * ipc[:, None]).T.ravel(), rcond=None)[0]
    off = np.column_stack([row @ found - ipc for row in rows])
    size = weight.sum(axis=0)
    noise = np.maximum(np.sqrt((weight * off**2).sum(axis=0) / size), LEAST_NOISE)
    common = np.array([found[-1], np.log(total).sum()])
    return Lines(found[:-1], noise, size / size.sum(), common)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_steps_are_those_of_least_squares_over_all_windows(count: int) -> None:
    ipc, share = windows_on_lines(np.random.default_rng(count), count, 150)
    expected = begun(count)
    for steps in range(1, 5):
        expected = literal_step(ipc, share, expected)
        result = improved(ipc, share, begun(count), steps, -np.inf)
        for one, other in zip(result, expected, strict=True):
            assert one == pytest.approx(other, rel=1e-6)  # the ridge on the diagonal is left out


def test_no_step_lowers_the_likelihood_and_the_lines_are_found() -> None:
    ipc, share = windows_on_lines(np.random.default_rng(0), 3, 400)
    results = [improved(ipc, share, begun(3), steps, -np.inf) for steps in range(1, 40)]
    likelihoods = [lines.common[1] for lines in results]
    assert np.diff(likelihoods).min() > -1e-9
    assert results[-1].ipc == pytest.approx([1, 2, 3], abs=0.03)
    assert results[-1].common[0] == pytest.approx(1.7, abs=0.03)
    stopped = improved(ipc, share, begun(3), 40, 1e9)
    assert stopped.common[1] == likelihoods[0]  # the first step is always taken


def test_windows_without_noise_keep_the_least_noise() -> None:
    share = np.linspace(0.0, 0.4, 50)
    lines = improved((1 - share) * 1.0 + share * 1.7, share, begun(1), 5, -np.inf)
    assert lines.noise.tolist() == [LEAST_NOISE]
    assert (lines.ipc[0], lines.common[0]) == pytest.approx((1.0, 1.7), abs=1e-4)


def test_lines_without_windows_and_windows_without_waiting_give_numbers() -> None:
    ipc, share = windows_on_lines(np.random.default_rng(0), 1, 50)
    far = begun(2)._replace(ipc=np.array([1.2, 1_000.0]))
    assert improved(ipc, share, far, 5, -np.inf).share == pytest.approx([1, 0], abs=1e-8)
    lines = improved(ipc, np.zeros(50), begun(1), 5, -np.inf)
    assert (lines.ipc[0], lines.common[0]) == pytest.approx((ipc.mean(), 0.0))


def test_two_equal_lines_are_as_likely_as_one_on_many_windows() -> None:
    # Shares of a half make up for a sum of 2 in each window; 2 to the power of 1,100 is no float.
    ipc, share = windows_on_lines(np.random.default_rng(0), 1, 1_100)
    one, two = begun(1), begun(2)._replace(ipc=np.full(2, 1.2))
    likelihoods = [improved(ipc, share, lines, 1, -np.inf).common[1] for lines in (one, two)]
    assert likelihoods[0] == pytest.approx(likelihoods[1], rel=1e-12)


def test_the_likelihood_of_other_windows_stops_no_step() -> None:
    ipc, share = windows_on_lines(np.random.default_rng(0), 2, 50)
    lines = begun(2)._replace(common=np.array([1.5, 1e9]))
    for found, expected in zip(
        improved(ipc, share, lines, 3, 0.0), improved(ipc, share, begun(2), 3, 0.0), strict=True
    ):
        np.testing.assert_array_equal(found, expected)


def test_the_given_lines_stay_as_they_are() -> None:
    ipc, share = windows_on_lines(np.random.default_rng(0), 2, 50)
    lines = begun(2)
    improved(ipc, share, lines, 5, 0.0)
    for one, other in zip(lines, begun(2), strict=True):
        np.testing.assert_array_equal(one, other)


def test_compiled_functions_have_the_bits_of_the_portable_ones() -> None:
    rng = np.random.default_rng(1)
    below = np.concatenate([-(10 ** rng.uniform(-20, 2.87, 2_000)), [0.0, -744.0, -746.0, -1e300]])
    above = np.concatenate([10 ** rng.uniform(-300, 300, 2_000), rng.uniform(0.5, 2, 2_000)])
    assert [exp_to_1(x) for x in below] == portable.exp(below).tolist()
    assert [log_above_0(x) for x in above] == portable.log(above).tolist()
