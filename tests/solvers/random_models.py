"""Seeded small models of four shapes, each within reach of the brute force."""

from __future__ import annotations

import numpy as np

from solvers import Milp, MilpBuilder

SHAPES = ("mixed", "integer", "procurement", "modes")


def random_model(shape: str, seed: int) -> Milp:
    rng = np.random.default_rng([SHAPES.index(shape), seed])
    make = {"mixed": _mixed, "integer": _integer, "procurement": _procurement, "modes": _modes}
    return make[shape](rng, f"{shape}-{seed}")


def _general(rng: np.random.Generator, name: str, continuous: int) -> Milp:
    """Few columns, signed coefficients, rows through a random point: CBC's weak spot."""
    step = float(rng.choice([0.1, 0.5, 1.0]))
    columns, rows = int(rng.integers(3, 6)), int(rng.integers(2, 6))
    upper = rng.choice([1, 1, 2, 3, 4, 5, 6], columns)
    integer = np.ones(columns, dtype=bool)
    integer[rng.permutation(columns)[:continuous]] = False
    point = np.array([rng.integers(0, u + 1) for u in upper])
    build = MilpBuilder(rng.choice(["min", "max"]), name=name)
    x = build.add_columns(
        columns,
        cost=np.round(rng.integers(-20, 21, columns) * step, 6),
        upper=upper,
        integer=integer,
    )
    for _ in range(rows):
        values = rng.integers(-9, 10, columns) * (rng.random(columns) < 0.8)
        activity = float(values @ point) + 0.5 * float(rng.random() < 0.1)
        low, high = activity - int(rng.integers(0, 4)), activity + int(rng.integers(0, 4))
        kind = rng.random()
        if kind < 0.4:
            high = np.inf
        elif kind < 0.8:
            low = -np.inf
        elif kind < 0.9:
            low = high = activity
        build.add_rows(
            np.zeros(columns, dtype=int),
            x,
            np.round(values * step, 6),
            lower=np.round(low * step, 6),
            upper=np.round(high * step, 6),
        )
    return build.model()


def _mixed(rng: np.random.Generator, name: str) -> Milp:
    return _general(rng, name, continuous=int(rng.integers(1, 3)))


def _integer(rng: np.random.Generator, name: str) -> Milp:
    return _general(rng, name, continuous=0)


def _procurement(rng: np.random.Generator, name: str) -> Milp:
    """Nodes of a few types with opening binaries under money and watts."""
    types = int(rng.integers(2, 4))
    most = rng.integers(2, 8, types).astype(float)
    price, watts = rng.integers(10, 60, types) / 10, rng.integers(100, 900, types).astype(float)
    build = MilpBuilder("max", name=name)
    nodes = build.add_columns(
        types, cost=rng.integers(5, 50, types) * 0.25, upper=most, integer=True
    )
    opened = build.add_columns(types, cost=-rng.integers(0, 9, types) * 0.5, upper=1, integer=True)
    share = rng.integers(4, 8) / 10
    rows = np.zeros(types, dtype=int)
    build.add_rows(rows, nodes, price, upper=np.round(share * price @ most, 2))
    build.add_rows(rows, nodes, watts, upper=np.round(share * watts @ most))
    local = np.arange(types)
    build.add_rows(
        np.r_[local, local],
        np.r_[nodes, opened],
        np.r_[np.ones(types), -most],
        upper=np.zeros(types),
    )
    build.add_rows(np.r_[rows], opened, np.ones(types), upper=2.0)
    return build.model()


def _modes(rng: np.random.Generator, name: str) -> Milp:
    """One mode per job under two shared budgets: a multiple-choice knapsack."""
    jobs, modes = int(rng.integers(3, 7)), 2 if rng.random() < 0.5 else 3
    count = jobs * modes
    build = MilpBuilder("min", name=name)
    x = build.add_columns(count, cost=rng.integers(1, 220, count) * 0.25, upper=1, integer=True)
    build.add_rows(
        np.arange(count) // modes, x, np.ones(count), lower=np.ones(jobs), upper=np.ones(jobs)
    )
    for _ in range(2):
        need = rng.integers(1, 31, count).astype(float)
        room = need.reshape(jobs, modes).min(axis=1).sum() + rng.integers(0, 8 * jobs)
        build.add_rows(np.zeros(count, dtype=int), x, need, upper=room)
    return build.model()
