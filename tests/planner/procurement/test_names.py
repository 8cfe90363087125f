"""Every row and column of the engine's programs has the name that a docstring explains."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from planner.procurement import program, rating, reach
from planner.procurement.alternatives import _Farthest, alternatives
from planner.procurement.columns import Goal
from planner.procurement.given import at_its_best
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.problem import POWER_RESOURCES, REGIMES, RESOURCES
from solvers import Milp, MilpBuilder
from solvers.model.model_file import refuse_name
from tests.planner.procurement.catalogues import random_problem

WORD = re.compile(r"[a-z]+(?:_[a-z]+)*")


def words(name: str) -> str:
    """A name without its numbers: ``it_power_w_partition`` for ``it_power_w_partition_3``."""
    return re.sub(r"(_\d+)+$", "", name)


def explained(text: str) -> set[str]:
    """The names of a docstring without their indices; ``g`` and ``x`` are resources or parts."""
    plain = {re.sub(r"(_[a-z])+$", "", word) for word in WORD.findall(text.lower())}
    parts = {f"all_{name}" for name in ("outlay", "year", "idle")}
    watts = {
        f"{g}_{state}" for g in POWER_RESOURCES for state in ("installed", "partition", "rating")
    }
    return plain | parts | watts | {f"limit_{x}" for x in RESOURCES}


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Milp]]:
    result: list[Milp] = []
    build = MilpBuilder.model

    def kept(self: MilpBuilder) -> Milp:
        result.append(build(self))
        return result[-1]

    with monkeypatch.context() as patch:
        patch.setattr(MilpBuilder, "model", kept)
        yield result


def names(model: Milp) -> list[str]:
    rows = [model.row_name(row) for row in range(model.rows)]
    return [*rows, *(model.column_name(column) for column in range(model.columns))]


@pytest.mark.parametrize("regime", REGIMES)
def test_every_name_of_a_procurement_is_explained(regime: str, models: list[Milp]) -> None:
    for seed in range(4):
        optimiser = Optimiser(random_problem(seed).under(regime), Options())  # type: ignore[arg-type]
        best = optimiser.solve()
        optimiser.solve(Goal.POWER)
        if best.plan is not None:
            at_its_best(optimiser, best.plan.nodes, "given")
            at_its_best(optimiser, [0] * len(best.plan.nodes), "given")
            alternatives(optimiser, best, within=0.05, count=2)
    texts = program.__doc__, rating.__doc__, reach.__doc__, _Farthest.__doc__
    present = explained("\n".join(text or "" for text in texts))
    seen = {words(name) for model in models for name in names(model)}
    assert seen - present == set()
    assert len(models) > 12
    for model in models:
        assert len(set(names(model)[: model.rows])) == model.rows
        for name in names(model):
            refuse_name(name)
