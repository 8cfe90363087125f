"""How wrong a predicted IPC may be, before the program has run: learnt from training codes.

Let ``g`` be the log of true over predicted IPC. Equations 1 to 3 follow training codes closely, and
fail outside their range. A straight line through the two sampled IPCs is coarse, and fails less.
Where both disagree, the truth tends to lie between them, and more doubt is due.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.ipc import LeftOut, Phase
from planner.aggregation.patterns import Pattern
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Sample
from solvers.dense import one_thread
from solvers.portable import exp, log

Floats = NDArray[np.float64]

COMMON = (0.0, 0.3, 0.6)
LENGTHS = (0.5, 1.0, 2.0)
LINE_SPREADS = (0.1, 0.2, 0.4)
SCALES = (0.4, 0.6, 0.8, 1.0, 1.3)
"""Values to choose among, by the likelihood of training codes left out."""

OWN = 0.2
"""Share of the variance of a pattern that no other pattern has."""
_LEAST_SCALE = 1e-3
_LEAST_RATIO = 0.05
_MOST_PATTERNS = 64
"""Predicted patterns by whose errors the values are chosen; of more, evenly spaced ones."""


@dataclass(frozen=True)
class IpcPrior:
    """A Gaussian process of ``g`` over the patterns of a node.

    Its mean is ``line_share`` times ``d``, the log of the IPC of the straight line over the
    predicted one. Its covariance is ``line_spread^2 d d' + scale scale' (common + (1 - common -
    OWN) exp(-distance^2 / 2 length^2) + OWN [same pattern])``. Distances are between the binary
    logs of sockets, dies of a socket and cores of a die that patterns use.

    Attributes
    ----------
    lines
        Intercept and slope of each predicted pattern.
    line_share, line_spread
        Mean and standard deviation of the share of the straight line.
    scales
        Standard deviation of the rest, by predicted pattern; sampled ones have none.
    common, length
        Parameters of the covariance.
    """

    lines: Mapping[int, tuple[float, float]]
    line_share: float
    line_spread: float
    scales: Mapping[int, float]
    common: float
    length: float

    def disagreement(self, samples: Sequence[Sample], pattern: int, ipc: float) -> float:
        """``d`` of a pattern with a predicted IPC; 0 for a sampled one."""
        if pattern not in self.lines:
            return 0.0
        return _on_line(self.lines[pattern], samples) - log(ipc)

    def covariance(self, patterns: Sequence[Pattern], disagreement: Floats) -> Floats:
        """Covariance of ``g``, shape ``(patterns, patterns)``."""
        scales = np.array([self.scales.get(pattern.id, 0.0) for pattern in patterns])
        alike = _alike([pattern.layout for pattern in patterns], self.common, self.length)
        rest = np.outer(scales, scales) * alike
        covariance: Floats = rest + self.line_spread**2 * np.outer(disagreement, disagreement)
        return covariance


@one_thread()
def ipc_prior(
    phases: Sequence[Phase], left_out: Sequence[LeftOut], layouts: Mapping[int, Layout]
) -> IpcPrior:
    """Learn the prior from training phases that are predicted without their code.

    Parameters
    ----------
    left_out
        In the order of :func:`planner.aggregation.ipc.left_out`.
    layouts
        By pattern.
    """
    targets = list(dict.fromkeys(each.pattern for each in left_out))
    logs = np.array([_log_ratio(each.predicted, each.ipc) for each in left_out])
    errors = -logs.reshape(-1, len(targets))
    apart = []
    for code in sorted({phase.code for phase in phases}):
        lines = _lines([phase for phase in phases if phase.code != code], targets)
        apart += [
            [_on_line(lines[target], phase.samples) - log(phase.ipc[target]) for target in targets]
            for phase in phases
            if phase.code == code
        ]
    lines_apart = np.array(apart) + errors
    square = float((lines_apart**2).sum())
    share = float((errors * lines_apart).sum()) / square if square else 0.0
    share = min(max(share, 0.0), 1.0)
    rest = errors - share * lines_apart
    scales = np.abs(rest).mean(axis=0) * math.sqrt(math.pi / 2) + _LEAST_SCALE
    step = -(-len(targets) // _MOST_PATTERNS)
    common, length, spread, scale = _likeliest(
        rest[:, ::step], lines_apart[:, ::step], scales[::step],
        [layouts[target] for target in targets[::step]],
    )  # fmt: skip
    return IpcPrior(
        lines=_lines(phases, targets),
        line_share=share,
        line_spread=spread,
        scales=dict(zip(targets, (scale * scales).tolist(), strict=True)),
        common=common,
        length=length,
    )


def _log_ratio(predicted: float, ipc: float) -> float:
    return float(log(max(predicted / ipc, _LEAST_RATIO)))


def _lines(phases: Sequence[Phase], targets: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Least squares of log IPC over the spread sample on that of the close one over it."""
    close = np.array([log(p.samples[0].ipc / p.samples[1].ipc) for p in phases])
    rows = np.column_stack([np.ones(len(close)), close])
    over = np.array([[log(p.ipc[t] / p.samples[1].ipc) for t in targets] for p in phases])
    intercepts, slopes = np.linalg.lstsq(rows, over, rcond=None)[0].tolist()
    return dict(zip(targets, zip(intercepts, slopes, strict=True), strict=True))


def _on_line(line: tuple[float, float], samples: Sequence[Sample]) -> float:
    """Log of the IPC."""
    close, spread = (each.ipc for each in samples)
    return float(line[0] + line[1] * log(close / spread) + log(spread))


def _alike(layouts: Sequence[Layout], common: float, length: float) -> Floats:
    places = np.array([[math.log2(part) for part in layout] for layout in layouts])
    distance = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    near = exp(-distance / (2 * length**2))
    alike: Floats = common + (1 - common - OWN) * near + OWN * np.eye(len(layouts))
    return alike


def _likeliest(
    rest: Floats, apart: Floats, scales: Floats, layouts: Sequence[Layout]
) -> tuple[float, float, float, float]:
    """Values under which the errors of left-out codes are most likely; ties go to the first."""
    best, found = -math.inf, (0.0, 0.0, 0.0, 0.0)
    for common, length in product(COMMON, LENGTHS):
        root = np.linalg.cholesky(np.outer(scales, scales) * _alike(layouts, common, length))
        left, right = np.linalg.solve(root, rest.T), np.linalg.solve(root, apart.T)
        size, mixed, along = (left**2).sum(0), (left * right).sum(0), (right**2).sum(0)
        volume = 2 * float(log(np.diag(root)).sum())
        for spread, scale in product(LINE_SPREADS, SCALES):
            # one further direction, by the matrix determinant lemma and its inverse
            weight = 1 + (spread / scale) ** 2 * along
            squares = (size - (spread / scale) ** 2 * mixed**2 / weight) / scale**2
            each = squares + volume + 2 * len(scales) * float(log(scale)) + log(weight)
            likelihood = -0.5 * float(each.sum())
            if likelihood > best:
                best, found = likelihood, (common, length, spread, scale)
    return found
