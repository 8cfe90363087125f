"""Theorem 2: the least rate, and jointly exchangeable arrays."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.gate.risk_among import certified_threshold_among
from tests.sizes import few

pytestmark = pytest.mark.slow


def test_five_known_applications_certify_no_rate_below_a_third() -> None:
    result = certified_threshold_among(np.zeros(10), np.zeros(10, dtype=bool), 5, 0.3)
    assert not result.possible
    assert result.least_alpha == pytest.approx(1 / 3)


def test_missing_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="all pairs"):
        certified_threshold_among(np.zeros(2), np.zeros(2, dtype=bool), 3, 0.1)


@pytest.mark.parametrize("alpha", [0.10, 0.20])
@pytest.mark.parametrize("kind", ["sum", "hub"])
def test_pairs_of_exchangeable_applications_keep_alpha(alpha: float, kind: str) -> None:
    """Scores and losses of pairs depend on both applications: a jointly exchangeable array."""
    rng = np.random.default_rng(2)
    count = 40
    first, second = np.triu_indices(count, 1)
    rates = []
    for _ in range(few(4000)):
        own = rng.random(count + 1)
        hub = rng.random(count + 1) < 0.08
        score = own[:, None] + own[None] if kind == "sum" else np.maximum.outer(own, own)
        bad = np.ones_like(score, dtype=bool) if kind == "sum" else hub[:, None] | hub[None]
        result = certified_threshold_among(score[first, second], bad[first, second], count, alpha)
        rates.append((bad[count, :count] & (score[count, :count] < result.threshold)).mean())
    error = np.std(rates) / np.sqrt(len(rates))
    assert 0 < np.mean(rates) <= alpha + 2 * error
