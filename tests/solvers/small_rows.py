"""Whether the unit of the rows changes an answer that rests on one solver, without a proof.

    python -m tests.solvers.small_rows

asks CBC and HiGHS for 6,000 models, once as they are and once with rows a hundred million times
smaller, and writes tests/data/small_rows.json; that takes some ten minutes of a processor. The
optimum is known by enumeration.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from solvers import Milp, Status, brute_force, solve
from solvers.backends.protocol import Limits
from solvers.certify import ask_backend
from solvers.model.result import Result, Stop
from solvers.proofs.brute_force import Optimum
from solvers.proofs.check import check_point
from tests.solvers.random_models import SHAPES, random_model
from tests.solvers.test_random_models import close
from tests.solvers.test_scales import with_rows_of

STORED = Path(__file__).parents[1] / "data" / "small_rows.json"
SOLVERS = ("cbc", "highs")
FACTORS = (1.0, 1e-8)
SEEDS = 1_500


@dataclass
class Row:
    """What one solver's word came to on the models of one shape.

    Attributes
    ----------
    violated
        Answers whose point breaks a row of the model, in the units that it was made in.
    falsely_infeasible
        Answers "infeasible" of models that have a point.
    falsely_optimal
        Answers "optimal" of another value than the optimum.
    unknown
        Answers that claim nothing.
    claimed_infeasible
        Models with a point of which the solver itself said that they have none.
    """

    shape: str
    solver: str
    factor: float
    models: int = 0
    infeasible: int = 0
    violated: int = 0
    falsely_infeasible: int = 0
    falsely_optimal: int = 0
    unknown: int = 0
    claimed_infeasible: int = 0

    def count(self, ordinary: Milp, asked: Milp, best: Optimum) -> None:
        """Solve one model and count what is wrong with the answer."""
        result = solve(asked, solver=self.solver, proof="never")
        empty = best.objective is None
        self.models += 1
        self.infeasible += empty
        self.violated += result.x is not None and not check_point(ordinary, result.x).feasible
        self.falsely_infeasible += result.status is Status.INFEASIBLE and not empty
        self.falsely_optimal += _is_false(result, best)
        self.unknown += result.status is Status.UNKNOWN
        if not empty:
            claim = ask_backend(self.solver, asked, Limits(), None)
            said = claim.stop is Stop.FINISHED and claim.status is Status.INFEASIBLE
            self.claimed_infeasible += said


def _is_false(result: Result, best: Optimum) -> bool:
    return result.status is Status.OPTIMAL and not close(result.objective, best)


def rows(seeds: int = SEEDS) -> Iterator[Row]:
    """A row for each shape, solver and size of the rows."""
    for shape in SHAPES:
        models = [random_model(shape, seed) for seed in range(seeds)]
        optima = [brute_force(model) for model in models]
        for solver in SOLVERS:
            for factor in FACTORS:
                row = Row(shape, solver, factor)
                for model, best in zip(models, optima, strict=True):
                    row.count(model, model if factor == 1.0 else with_rows_of(model, factor), best)
                yield row


def read() -> list[Row]:
    """The stored rows."""
    return [Row(**each) for each in json.loads(STORED.read_text())]


def main() -> None:
    """Write them anew."""
    result = []
    for row in rows():
        print(json.dumps(asdict(row)), flush=True)  # noqa: T201 - it takes minutes
        result.append(json.dumps(asdict(row)))
    STORED.write_text("[\n" + ",\n".join(result) + "\n]\n")


if __name__ == "__main__":
    main()
