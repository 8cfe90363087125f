"""What :mod:`tests.test_portable` has computed with other loops: a line for each answer."""

from __future__ import annotations

import hashlib
import math

import numpy as np
from numpy.typing import ArrayLike

from planner.configurations.degree import NodeCurve, line_fit
from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from scenarios import load
from scenarios.simulated import SimulatedCluster, campaign, find_application, grid
from solvers import portable
from solvers.partition import Request, order
from solvers.partition.annealing import Cooling, annealed
from solvers.partition.bounds import by_eigenvalues
from solvers.partition.semidefinite import by_entries
from tests.solvers.partition.instances import drawn

_SCENARIOS = ("rfp-center", "scenarios/data/sample/procurement.toml")


def main() -> None:
    """Print the results of libraries, which differ, and of ours."""
    for name, value in {**libraries(), **functions(), **decisions()}.items():
        print(f"{name}={value}")  # noqa: T201


def libraries() -> dict[str, str]:
    """Results whose last bits the variants of :mod:`tests.other_processors` change."""
    rng = np.random.default_rng(0)
    x, matrix = rng.random(5000) + 0.1, rng.random((37, 53))
    return {
        "openblas": _digest(matrix @ x[:53]),
        "libm": _digest([math.exp(value) for value in x.tolist()]),
        "numpy": _digest(np.log(x)),
    }


def functions() -> dict[str, str]:
    """The functions of :mod:`solvers.portable`."""
    rng = np.random.default_rng(0)
    x, matrix = rng.random(5000) + 0.1, rng.random((37, 53))
    return {
        "product": _digest([*portable.product(matrix, x[:53]), portable.product(x, x)]),
        "log and exp": _digest(portable.log(x) + portable.exp(x)),
        "power": _digest(portable.power(x, 1.7) + portable.power(x, -3)),
        "near 0": _digest([portable.expm1(v) + portable.log1p(v) for v in (x / 100).tolist()]),
        "powers of ten": _digest([portable.ten_to_the(n) for n in range(-30, 30)]),
    }


def decisions() -> dict[str, str]:
    """A procurement with every program that it solved, a placement, a campaign, a line."""
    result = {}
    for name in _SCENARIOS:
        outcome = Optimiser(problem_from(load(name)), Options()).solve()
        certificate = outcome.certificate.to_dict()  # with the digest of the last program
        result[name] = f"{certificate} {outcome.objective!r} {outcome.bound!r}"
    request = Request(drawn(24, 5, real=True), np.full(4, 6))
    start = order.in_order(request, np.arange(24))
    part = annealed(request, start, Cooling(1.0, 0.1, 200), np.random.default_rng(1))
    result["placement"] = _digest(part)
    result["eigenvalues"] = by_eigenvalues(request).hex()
    result["entries"] = by_entries(request, 40.0).hex()
    runs = campaign(SimulatedCluster.build(64, 1), find_application("SP-MZ"), grid("C"), 2, 3)
    result["campaign"] = _digest([*runs.time_s, *runs.power_w])
    curve = NodeCurve("a", 1.0, np.arange(2, 13), runs.time_s[:11])
    result["line"] = str(line_fit(curve, 2))
    return result


def _digest(values: ArrayLike) -> str:
    return hashlib.sha256(np.asarray(values).tobytes()).hexdigest()


if __name__ == "__main__":
    main()
