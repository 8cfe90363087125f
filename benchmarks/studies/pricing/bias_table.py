"""The bias of Algorithm 4 on stationary blocks: simulated, in closed form, and as specified.

With independent normal noise the windows that the filter keeps have known conditional means, so
that its limit for many blocks is a one-dimensional integral over the window before and after.

``python -m benchmarks.studies.pricing.bias_table`` prints the table of
docs/evidence/pricing-estimators.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.pricing.stationary import iid_blocks
from planner.pricing.filtered import DELTA, filtered_prediction, kept_blocks, unfiltered

CASES = ((0.01, 1.00), (0.02, 1.00), (0.05, 1.00), (0.02, 0.98), (0.02, 0.85))
"""Noise of a window's mean relative to its level, and true normalised performance."""
RECORDED = (
    (1.0000, 0.9876, 0.33),
    (1.0001, 0.9757, 0.32),
    (0.9997, 0.9453, 0.22),
    (0.9801, 0.9672, 0.61),
    (0.8500, 0.8500, 0.96),
)
"""Recorded results of the cases: unfiltered, filtered, share of blocks kept."""
BLOCKS = 4_000
RUNS = 5
_GRID = 1_201
_REACH = 8.0


@dataclass(frozen=True)
class BiasRow:
    """One case of the table.

    Attributes
    ----------
    sigma, perf
        Noise of a window's mean relative to its level, and true normalised performance.
    unfiltered, filtered, kept
        Medians over the runs.
    spread
        Standard deviation of the filtered prediction over the runs.
    expected, expected_kept
        Filtered prediction and share kept for many blocks, by integration.
    """

    sigma: float
    perf: float
    unfiltered: float
    filtered: float
    kept: float
    spread: float
    expected: float
    expected_kept: float


def bias_table(
    seed: int = 0,
    cases: Sequence[tuple[float, float]] = CASES,
    *,
    blocks: int = BLOCKS,
    runs: int = RUNS,
) -> tuple[BiasRow, ...]:
    """Both predictors of the paper on stationary blocks."""
    rng = np.random.default_rng(seed)
    rows = []
    for sigma, perf in cases:
        result = np.empty((runs, 3))
        for run in range(runs):
            means = iid_blocks(rng, perf, sigma, blocks).means
            result[run] = unfiltered(means), filtered_prediction(means), kept_blocks(means).mean()
        expected, share = expected_filter(perf, sigma)
        plain, filtered, selected = np.median(result, axis=0).tolist()
        spread = float(result[:, 1].std(ddof=1)) if runs > 1 else 0.0
        rows.append(BiasRow(sigma, perf, plain, filtered, selected, spread, expected, share))
    return tuple(rows)


def expected_filter(perf: float, sigma: float, delta: float = DELTA) -> tuple[float, float]:
    """Limit of Algorithm 4 for many stationary blocks, and the share of blocks that it keeps.

    With ``u = max(b, a)`` a block is kept if ``d > u`` and ``|b - a| < delta``. Given ``b`` and
    ``a``, ``P(d > u)`` is ``Q(z)`` and ``E[d; d > u]`` is ``Q(z) + sigma phi(z)`` with
    ``z = (u - 1) / sigma``; both are summed over a grid of ``(b, a)``.

    Examples
    --------
    >>> [round(each, 3) for each in expected_filter(1.0, 0.02)]
    [0.975, 0.325]
    """
    from scipy.special import ndtr

    step = np.linspace(-_REACH, _REACH, _GRID)
    weight = np.exp(-(step**2) / 2)
    weight /= weight.sum()
    b, a = perf * (1 + sigma * step[:, None]), perf * (1 + sigma * step[None, :])
    z = (np.maximum(b, a) - 1) / sigma
    above = ndtr(-z)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    joint = weight[:, None] * weight[None, :] * (np.abs(b - a) < delta)
    alone = float((joint * (above + sigma * density)).sum())
    together = float((joint * above * 0.5 * (b + a)).sum())
    return together / alone, float((joint * above).sum())


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| noise | r | unfiltered | Algorithm 4 | limit by integration | kept |"
    yield "|---|---|---|---|---|---|"
    for row in bias_table():
        yield (
            f"| {100 * row.sigma:g} % | {row.perf:.2f} | {row.unfiltered:.4f} | "
            f"{row.filtered:.4f} | {row.expected:.4f} | {100 * row.kept:.0f} % |"
        )


def main() -> None:
    """Print the table."""
    sys.stdout.writelines(f"{line}\n" for line in table())


if __name__ == "__main__":
    main()
