"""Models that no branch and bound finishes within a test."""

from __future__ import annotations

import numpy as np

from solvers import Milp, MilpBuilder


def market_split(markets: int = 5, retailers: int = 40, *, with_slack: bool = True) -> Milp:
    """Split retailers into halves that are equal in every market (Cornuejols and Dawande 1998).

    With slack any split is feasible and its imbalance is minimised; without, hardly any is.
    """
    rng = np.random.default_rng(1)
    demand = rng.integers(0, 100, (markets, retailers))
    half = (demand.sum(axis=1) // 2).astype(float)
    build = MilpBuilder("min", name="market split")
    chosen = build.add_columns(retailers, upper=1.0, integer=True)
    market = np.arange(markets)
    rows, columns = [np.repeat(market, retailers)], [np.tile(chosen, markets)]
    values = [demand.ravel().astype(float)]
    if with_slack:
        for sign in (1.0, -1.0):
            rows.append(market)
            columns.append(build.add_columns(markets, cost=1.0))
            values.append(np.full(markets, sign))
    build.add_rows(
        np.concatenate(rows),
        np.concatenate(columns),
        np.concatenate(values),
        lower=half,
        upper=half,
    )
    return build.model()
