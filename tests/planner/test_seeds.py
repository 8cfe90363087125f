"""Seeds from outside: whole numbers from 0, or a message; never a traceback of numpy."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import headroom as hr
from planner.errors import InputError

SEED, SEEDS = (-1, 2**31, 1.5, "one", None), (-1, 0, 10_001, 1.5, "one", [0, -1])
OF_SEED: dict[str, Callable[..., Any]] = {
    "aggregate": lambda **seed: hr.aggregate("no-folder", **seed),
    "colocate": lambda **seed: hr.colocate("none.csv", **seed),
    "gate": lambda **seed: hr.gate("none.csv", **seed),
    "place": lambda **seed: hr.place("none.csv", nodes=2, **seed),
    "plan": lambda **seed: hr.plan("thesis-7kw", **seed),
    "share": lambda **seed: hr.share("none.csv", bound_w=1000.0, nodes=2, **seed),
    "size": lambda **seed: hr.size("none.swf", "mean-wait<=2h", **seed),
}
OF_SEEDS: dict[str, Callable[..., Any]] = {
    "compare": lambda **seeds: hr.compare("none.csv", **seeds),
    "estimate": lambda **seeds: hr.estimate("none.swf", **seeds),
    "price": lambda **seeds: hr.price("poppa-12-codes", **seeds),
    "schedule": lambda **seeds: hr.schedule("thesis-table-5-2", **seeds),
    "tangram": lambda **seeds: hr.tangram("tangram-two-node", **seeds),
}


@pytest.mark.parametrize("name", OF_SEED)
def test_a_seed_that_is_none_is_refused_before_anything_else(name: str) -> None:
    for seed in SEED:
        with pytest.raises(InputError, match=r"seed = .* is not a whole number from 0 to"):
            OF_SEED[name](seed=seed)


@pytest.mark.parametrize("name", OF_SEEDS)
def test_a_number_of_seeds_that_is_none_is_refused_before_anything_else(name: str) -> None:
    for seeds in SEEDS:
        with pytest.raises(InputError, match=r"seeds = .* is not a whole number from \d to"):
            OF_SEEDS[name](seeds=seeds)


def test_a_number_may_be_a_text_and_another_text_is_refused() -> None:
    log = hr.lublin_log(20, 64, 1)
    wait = hr.simulate(log, ["fcfs"], processors=64).simulations[0].schedule.wait_s
    for processors in ("64", 64.0, " 64 ", np.int64(64), Decimal(64)):
        found = hr.simulate(log, ["fcfs"], processors=processors)  # type: ignore[arg-type]
        assert found.simulations[0].schedule.wait_s.tolist() == wait.tolist()
    for wrong in ("x", "64 cores", "1_000", "1,000", 64.5, "64.5", [64], True, float("nan"), 1e999):
        with pytest.raises(InputError, match="processors"):
            hr.simulate(log, ["fcfs"], processors=wrong)  # type: ignore[arg-type]
