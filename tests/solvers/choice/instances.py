"""Small and shaped instances, and the literal answer to small ones."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from solvers.choice import Choice
from solvers.proofs.exact import decimal

SHAPES = ("free", "equal ratio", "strongly correlated", "whole", "decimal", "ties")


def enumerated(problem: Choice) -> Fraction | None:
    """Best objective over every choice, in fractions; ``None`` if none fits."""
    sign = 1 if problem.sense == "min" else -1
    cost = [sign * Fraction(decimal(c)) for c in problem.cost.tolist()]
    weights = [[Fraction(decimal(w)) for w in row] for row in problem.weights.tolist()]
    budgets = [None if b == np.inf else Fraction(decimal(b)) for b in problem.budgets.tolist()]
    ranges = [range(a, b) for a, b in itertools.pairwise(problem.starts.tolist())]
    best = None
    for chosen in itertools.product(*ranges):
        value = sum((cost[k] for k in chosen), Fraction(0))
        if best is not None and value >= best:
            continue
        fits = True
        for r, budget in enumerate(budgets):
            fits = fits and (budget is None or sum(weights[k][r] for k in chosen) <= budget)
        if fits:
            best = value
    return None if best is None else sign * best


def random_choice(seed: int, shape: str, *, classes: int = 5, resources: int = 2) -> Choice:
    """A small instance; about one in eight is infeasible."""
    rng = np.random.default_rng([seed, SHAPES.index(shape), classes, resources])
    sizes = rng.integers(1, 6, classes)
    items = int(sizes.sum())
    weights = rng.uniform(0, 100, (items, resources))
    cost = rng.uniform(-50, 50, items)
    if shape in ("whole", "ties"):
        weights = rng.integers(0, 4 if shape == "ties" else 30, (items, resources)).astype(float)
        cost = rng.integers(0, 4 if shape == "ties" else 40, items).astype(float)
    elif shape == "decimal":
        weights, cost = np.round(weights, 1), np.round(cost, 2)
    elif shape == "equal ratio":
        cost = -weights.sum(axis=1)
    elif shape == "strongly correlated":
        cost = -weights.sum(axis=1) - 10.0
    starts = np.r_[0, np.cumsum(sizes)]
    least = np.minimum.reduceat(weights, starts[:-1]).sum(axis=0)
    most = np.maximum.reduceat(weights, starts[:-1]).sum(axis=0)
    budgets = least + rng.uniform(-0.02, 1.02, resources) * (most - least)
    if shape in ("whole", "ties"):
        budgets = np.floor(budgets)
    elif shape == "decimal":
        budgets = np.round(budgets, 1)
    budgets[rng.random(resources) < 0.1] = np.inf
    if rng.random() < 0.5:
        return Choice(starts, -cost, weights, budgets, "max")
    return Choice(starts, cost, weights, budgets)
