"""Small random problems of shared nodes from a seed, full of ties and corner cases."""

from __future__ import annotations

import numpy as np

from planner.sharing_nodes.queues.problem import SharedJobs, SharedProblem
from planner.sharing_nodes.queues.rules import HALF_IDLE, WHOLE, SharingRule, gate_of, sharing
from planner.sharing_nodes.queues.speeds import Speeds

STEP_MS = 250
"""Most times are multiples of it, so that events meet."""


def random_case(seed: int, *, most_jobs: int = 24) -> tuple[SharedProblem, SharingRule]:
    """A problem and a rule; in some, predicted speeds are wrong or requests too short."""
    rng = np.random.default_rng(seed)
    nodes, apps = int(rng.integers(2, 13)), int(rng.integers(1, 5))
    speeds = _speeds(rng, apps)
    count = int(rng.integers(1, most_jobs + 1))
    run = rng.integers(1, 40, size=count) * STEP_MS
    longer = rng.choice([1.0, 1.0, 1.5, 3.0], size=count)
    if rng.random() < 0.25:
        longer *= rng.choice([0.5, 1.0], size=count)
    sizes = np.minimum(rng.choice([1, 1, 2, 2, 3, 4, 8, 13], size=count), nodes + 1)
    jobs = SharedJobs(
        number=np.arange(1, count + 1) * 2,
        submit_ms=np.cumsum(rng.choice([0, 0, 1, 4], size=count) * rng.choice([0, 2, 8])) * STEP_MS,
        application=rng.integers(0, apps, size=count),
        nodes=sizes,
        run_ms=run,
        requested_ms=np.maximum(np.rint(run * longer), 1).astype(np.int64),
        user=rng.integers(0, 3, size=count),
    )
    rule = _rule(rng, speeds)
    same_cores = rule.layout != "half idle" and not rule.fill and rng.random() < 0.4
    return SharedProblem(nodes, jobs, speeds, halves_per_node=1 if same_cores else 2), rule


def _speeds(rng: np.random.Generator, apps: int) -> Speeds:
    grain = rng.choice([0.25, 0.01, 1e-6])
    pair = np.maximum(np.rint(rng.uniform(0.3, 1.05, size=(apps, apps)) / grain), 1) * grain
    if rng.random() < 0.15:
        pair = np.ones((apps, apps))
    names = tuple(f"application {index}" for index in range(apps))
    return Speeds(names, pair, np.ones(apps), np.clip(pair.diagonal(), 0.2, 1))


def _rule(rng: np.random.Generator, speeds: Speeds) -> SharingRule:
    kind = rng.choice(["whole", "half idle", "spread", "wait", "wait", "spread"])
    if kind == "whole":
        return WHOLE
    if kind == "half idle":
        return HALF_IDLE
    apps = len(speeds)
    allowed = rng.random((apps, apps)) < rng.choice([0.4, 0.8, 1.0])
    allowed |= allowed.T
    predicted = speeds
    if rng.random() < 0.3:
        perturbed = np.clip(speeds.pair * rng.uniform(0.8, 1.2, size=speeds.pair.shape), 0.05, 2)
        predicted = Speeds(speeds.applications, perturbed, speeds.half, speeds.full)
    error = rng.choice([0.0, 0.05])
    gate = gate_of(
        predicted, allowed, partner="best" if rng.random() < 0.5 else "first", error=error
    )
    unpaired = "spread" if kind == "spread" else "wait"
    cover, fill = float(rng.choice([0.0, 0.5, 1.0])), bool(rng.random() < 0.5)
    return sharing(
        gate,
        unpaired,  # type: ignore[arg-type]
        cover=cover,
        fill=fill,
        least_gain=rng.choice(np.array([None, None, -0.5, 0.0, 0.1], dtype=object)),
        floor=float(rng.choice([0.0, 0.0, 0.6, 0.9])),
        floors={1: float(rng.choice([0.0, 0.5, 1.0]))},
    )
