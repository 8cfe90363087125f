"""Extract boosted trees from a scikit-learn model and evaluate them with compiled code.

scikit-learn takes half a millisecond to predict one row, and a log needs a hundred thousand rows.
The trees are private attributes of the model. So the extracted trees are compared with the model's
own predictions. If they differ, or if another version stores its trees differently, scikit-learn
makes the predictions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.estimates.predictors.predictor import Rows
from planner.scheduling.policies.compiled import compiled_entry

Floats = NDArray[np.float64]
Scores = Callable[[Rows], Floats]


def scores_of(model: Any, features: Floats, trained_on: Rows) -> Scores:
    """Predictions of a fitted ``HistGradientBoostingRegressor`` for rows of ``features``.

    Parameters
    ----------
    model
        As fitted.
    features
        Features of all rows that may be predicted; their values at that time count.
    trained_on
        Rows to compare on.
    """

    def by_model(rows: Rows) -> Floats:
        scores: Floats = model.predict(features[rows])
        return scores

    try:
        places, values, first = _trees(model)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return by_model

    def by_trees(rows: Rows) -> Floats:
        scores = np.empty(len(rows))
        _walk(rows, features, places, values, first, scores)
        return scores

    few = trained_on[:: max(1, len(trained_on) // 100)]
    same = np.allclose(by_trees(few), by_model(few), rtol=1e-9, atol=1e-9)
    return by_trees if same else by_model


def _trees(model: Any) -> tuple[NDArray[np.int64], Floats, float]:
    """Nodes of all trees.

    Returns
    -------
    places
        Feature (below 0: a leaf), places of the children; shape ``(nodes, 3)``. A first row for
        each tree says where its root is.
    values
        Threshold, or the leaf's value.
    first
        Added to the sum of the leaves.
    """
    trees = [tree.nodes for (tree,) in model._predictors]  # noqa: SLF001 - there is no other way
    begins = len(trees) + np.cumsum([0, *(len(nodes) for nodes in trees)])
    places = np.zeros((begins[-1], 3), np.int64)
    values = np.zeros(begins[-1])
    places[: len(trees), 0] = begins[:-1]
    places[len(trees) :, 0] = -1 - len(trees)
    for begin, nodes in zip(begins, trees, strict=False):
        if nodes["is_categorical"].any():
            raise ValueError("categories are not walked")
        leaf = nodes["is_leaf"].astype(bool)
        part = places[begin : begin + len(nodes)]
        part[:, 0] = np.where(leaf, -1, nodes["feature_idx"])
        part[:, 1] = begin + nodes["left"].astype(np.int64)
        part[:, 2] = begin + nodes["right"].astype(np.int64)
        values[begin : begin + len(nodes)] = np.where(leaf, nodes["value"], nodes["num_threshold"])
    values[: len(trees)] = 0.0
    return places, values, float(np.squeeze(model._baseline_prediction))  # noqa: SLF001 - the same


@compiled_entry
def _walk(
    rows: Rows,
    features: Floats,
    places: NDArray[np.int64],
    values: Floats,
    first: float,
    scores: Floats,
) -> None:
    trees = places[0, 0]
    for i in range(len(rows)):
        score = first
        for tree in range(trees):
            node = places[tree, 0]
            while places[node, 0] >= 0:
                goes_left = features[rows[i], places[node, 0]] <= values[node]
                node = places[node, 1] if goes_left else places[node, 2]
            score += values[node]
        scores[i] = score
