"""Tangram's gate on own measurements: each measured application in turn is unknown to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from planner.errors import InputError
from planner.sharing_nodes.gate.inputs import GatePairs
from planner.sharing_nodes.tangram.pair_runs import PairRuns
from planner.sharing_nodes.tangram.scores import LeftOutTest, by_application
from planner.sharing_nodes.tangram.splits import SPLITS

GateTests = Mapping[str, tuple[LeftOutTest, ...]]
"""By gate, its decisions on the measured co-runs of each application that it does not know."""

GATES = ("Tangram", "logistic", "all co-located", "oracle")
"""Gates by their names in :data:`planner.sharing_nodes.tangram.gates.GATES`."""
MOST_TESTED = 1_000
"""Co-runs: a gate is trained 49 times for each application that is left out."""
_SPLIT = next(split for split in SPLITS if split.name == "leave-app-out")


def gate_tests(data: GatePairs, limit: float, seed: int) -> GateTests:
    """Test each gate on each measured application, as the test leave-app-out of Tangram.

    A gate learns which co-runs save time from those without the application. A co-run of two
    applications is decided twice, once for each of them.

    Parameters
    ----------
    data
        Measured pairs, and pairs without a makespan, which are left out.
    limit
        A co-run whose makespan exceeds it is bad.
    seed
        Seed of the inner search of the support vector machine.

    Raises
    ------
    InputError
        There are too many co-runs.
    """
    rows = np.flatnonzero(np.isfinite(data.makespan))
    if len(rows) > MOST_TESTED:
        raise InputError(
            f"{len(rows):,} co-runs are too many to test gates with each application left out; "
            f"give at most {MOST_TESTED:,}"
        )
    known, numbers = np.unique([data.a[rows], data.b[rows]], return_inverse=True)
    a, b = numbers.reshape(2, -1)
    runs = PairRuns(
        "own co-runs", tuple(data.applications[number] for number in known), a, b,
        data.ranks[rows], data.profile_a[rows], data.profile_b[rows], data.makespan[rows],
        np.full(len(rows), np.nan),
    )  # fmt: skip
    return {gate: by_application(runs, _SPLIT, seed, gate, limit) for gate in GATES}


def by_gate(tested: GateTests) -> Iterator[dict[str, Any]]:
    """Each gate over all applications: both rates of bad co-runs, as the gate's certificate.

    ``rate_per_application`` is the mean over applications; one without a co-run counts as 0.
    """
    for gate, rows in tested.items():
        number, admitted, bad = (
            sum(getattr(one, key) for one in rows)
            for key in ("tested", "admitted", "wrongly_admitted")
        )
        shares = [one.wrongly_admitted / one.admitted if one.admitted else 0.0 for one in rows]
        logs = [one.tested * float(np.log(one.makespan)) for one in rows]
        yield {
            "gate": gate, "tested": number, "admitted": admitted, "bad": bad,
            "rate_per_application": sum(shares) / len(shares),
            "rate_among_co_runs": bad / admitted if admitted else None,
            "makespan": float(np.exp(sum(logs) / number)),
            "worst": max(one.worst for one in rows),
        }  # fmt: skip


def each_application(tested: GateTests) -> Iterator[dict[str, Any]]:
    """Each gate on each application."""
    for gate, rows in tested.items():
        for one in rows:
            yield {
                "gate": gate, "application": one.left_out, "tested": one.tested,
                "admitted": one.admitted, "bad": one.wrongly_admitted,
                "missed": one.wrongly_refused, "makespan": one.makespan, "worst": one.worst,
            }  # fmt: skip
