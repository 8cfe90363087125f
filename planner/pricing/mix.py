r"""A site's mix of jobs as the choice of S, P and K needs it, from samples of past jobs.

Placebo blocks hold three neighbouring windows of one kind. With the variance ``V`` of the logarithm
of a window, half the mean squared differences ``g1`` of neighbours and ``g2`` of the two sides, and
a process with variation ``c`` and correlation ``x`` over one window besides white noise,

    V - g1 = c^2 x          V - g2 = c^2 x^2

so ``x = (V - g2) / (V - g1)``, ``c^2 = (V - g1) / x``, and the noise has the variance ``V - c^2``.
The correlation time is ``-W / ln x``: that of a mean phase length. What the ratio varies beyond the
noise of placebo blocks is its spread over phases.
"""

from __future__ import annotations

import numpy as np

from planner.errors import InputError
from planner.pricing.estimators.block_ratios import ratios
from planner.pricing.noise import CounterNoise, JobClass
from planner.pricing.overhead import Shutter
from planner.pricing.samples import AFTER, BEFORE, DURING, Blocks

FEWEST_PLACEBO = 20
_SHORTEST, _LONGEST = 0.02, 0.999
"""Range of the correlation over one window that samples can show."""


def observed_class(blocks: Blocks, run_s: float, shutter: Shutter) -> tuple[JobClass, CounterNoise]:
    """Class of one past job, and the noise of its counters.

    Parameters
    ----------
    blocks
        With at least :data:`FEWEST_PLACEBO` placebo blocks.
    run_s
        Run time of the job [s].
    shutter
        With which it was measured.

    Raises
    ------
    InputError
        There are too few placebo blocks, or no real ones.
    """
    placebo, real = blocks.placebo.means, blocks.real.means
    if len(placebo) < FEWEST_PLACEBO or not len(real):
        raise InputError(
            f"the job has {len(placebo)} placebo and {len(real)} real blocks; give at least "
            f"{FEWEST_PLACEBO} placebo blocks and one real block"
        )
    log = np.log(placebo)
    whole = float(log.var(axis=0).mean())
    near = 0.25 * float(
        np.var(log[:, BEFORE] - log[:, DURING]) + np.var(log[:, AFTER] - log[:, DURING])
    )
    far = 0.5 * float(np.var(log[:, BEFORE] - log[:, AFTER]))
    remaining = max(whole - near, 0.0)
    x = float(np.clip((whole - far) / remaining if remaining > 0 else 0.0, _SHORTEST, _LONGEST))
    variation = min(remaining / x, whole)
    perf = float(np.clip(ratios(real).mean() / ratios(placebo).mean(), 0.05, 1.0))
    spread = float(np.var(ratios(real)) - perf**2 * np.var(ratios(placebo)))
    job = JobClass(
        run_s,
        perf,
        -shutter.window_us / float(np.log(x)),
        float(np.sqrt(variation)),
        float(np.sqrt(max(spread, 0.0))),
    )
    noise = np.sqrt(max(whole - variation, 0.0) * shutter.repeats)
    return job, CounterNoise(float(noise))
