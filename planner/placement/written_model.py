"""The readable program of a placement, to be written for other solvers."""

from __future__ import annotations

from planner.errors import InputError
from planner.formulations import mapping, partition
from planner.formulations.legends import of_mapping, of_partition
from planner.formulations.model_files import NamedModel
from planner.placement.problem import PlacementProblem


def named_model(asked: PlacementProblem) -> NamedModel:
    """The readable model of a placement, to be written for other solvers.

    Raises
    ------
    InputError
        The published cost is minimised one level at a time, so no single model exists.
    """
    problem = asked.problem
    if problem.levels == 1:
        request = problem.request(0)
        legend = of_partition(request.graph, request.capacities)
        return NamedModel(lambda: partition.formulate(request)[0], legend)
    if not asked.levels.summed:
        raise InputError(
            "the published cost is minimised for nodes first, then for sockets, so no single "
            "model exists; "
            "leave --hierarchy or --write-model out, or give --objective bytes"
        )
    return NamedModel(lambda: mapping.formulate(problem)[0], of_mapping(problem))
