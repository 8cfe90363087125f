"""Compare the methods of a decision on given data: one function for each kind of data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from planner.comparison import designs, partition, procurement, sharing
from planner.comparison.method import ComparedDecision, Instance
from planner.comparison.models import write_models
from planner.comparison.outcomes import compare_all
from planner.comparison.study import ComparisonStudy
from planner.configurations.sharing.own import HEURISTIC as SHARING
from planner.configurations.sharing.own import SharingHeuristic
from planner.configurations.sharing.problem import Goal, SharingProblem
from planner.designs.design import thesis_problem
from planner.designs.overprovisioning import design_cases
from planner.errors import InputError
from planner.parts import files_of, given_part
from planner.placement.own import Algorithm, find_algorithm
from planner.placement.own import files_of as algorithm_files
from planner.procurement.from_scenario import problem_from
from planner.procurement.outcome import GAP
from planner.procurement.own import HEURISTIC as PROCUREMENT
from planner.procurement.own import ProcurementHeuristic
from planner.question import refuse_question_of_another_command
from scenarios.communication.matrix import Communication
from scenarios.model.scenario import Scenario

MOST_SIZE = 100_000


@dataclass(frozen=True)
class How:
    """Solver settings and outputs of a comparison.

    Attributes
    ----------
    node_limit
        Branch-and-bound nodes of a solver; ``None``: 500,000.
    time_limit_s
        Wall seconds of each method; with it results may differ from run to run.
    models
        Folder for the model files of all instances; ``None``: none are written.
    progress
        Called with the name of each instance.
    """

    node_limit: int | None = None
    time_limit_s: float | None = None
    models: Path | None = None
    progress: Callable[[str], None] = lambda _: None

    def limits(self) -> dict[str, Any]:
        """Return the limits as keyword arguments of the solvers."""
        return {"node_limit": self.node_limit, "time_limit_s": self.time_limit_s}

    def settings(self) -> dict[str, Any]:
        """Return the settings as a report shows them."""
        nodes = "500,000" if self.node_limit is None else f"{self.node_limit:,}"
        time = {} if self.time_limit_s is None else {"time limit (s)": self.time_limit_s}
        return ({} if time and self.node_limit is None else {"node limit": nodes}) | time

    def compared(
        self, decision: ComparedDecision, instances: Sequence[Instance], settings: Mapping[str, Any]
    ) -> ComparisonStudy:
        """Write the models, ask every method, and put the answers together."""
        if self.models is not None:
            write_models(self.models, instances)
        rows = compare_all(decision, instances, self.progress)
        return ComparisonStudy(decision, rows, {**settings, **self.settings()})


DEFAULT = How()
"""500,000 nodes for each solver, no time limit, no model files."""


def compare_sharing(
    problem: SharingProblem,
    *,
    goal: Goal = "weighted time",
    sizes: Sequence[int] = (),
    seeds: int = 1,
    heuristics: Sequence[SharingHeuristic | type[SharingHeuristic] | str] = (),
    how: How = DEFAULT,
) -> ComparisonStudy:
    """Share nodes and watts among jobs by every method.

    Parameters
    ----------
    problem
        The jobs, the bound and the nodes.
    goal
        What is minimised.
    sizes, seeds
        Each size is a number of jobs, sampled with replacement from those of the problem, once per
        seed from 0. Watts and nodes grow with the number of jobs. Without sizes, the problem itself
        is compared.
    heuristics
        Heuristics that the user wrote, or their names as ``"file.py:NAME"``.
    how
        Limits of the exact methods, and where model files go.

    Raises
    ------
    InputError
        A size or the number of seeds is below 1, or a heuristic of the user fails.
    """
    check_sizes(sizes, seeds)
    decision = sharing.decision(goal)
    own = [given_part(heuristic, SHARING) for heuristic in heuristics]
    whole = [(f"{len(problem.jobs)} jobs", problem, None)]
    samples = list(sharing.resampled(problem, sorted(set(sizes)), range(seeds)))
    instances = [
        sharing.instance(name, sample, goal, seed=seed, heuristics=own, **how.limits())
        for name, sample, seed in samples or whole
    ]
    settings: dict[str, Any] = {
        "power bound (W)": problem.bound.bound_w,
        "nodes": problem.nodes,
        "jobs": len(problem.jobs),
    }
    if samples:
        settings |= {"seeds": seeds, "watts and nodes": "scaled with the number of jobs"}
    return replace(how.compared(decision, instances, settings), inputs=files_of(own))


def compare_scenario(
    scenario: Scenario,
    *,
    gap: float = GAP,
    heuristics: Sequence[ProcurementHeuristic | type[ProcurementHeuristic] | str] = (),
    how: How = DEFAULT,
) -> ComparisonStudy:
    """Decide what to buy by every method, or which of the thesis's designs is faster.

    Parameters
    ----------
    gap
        Gap that a procurement must reach, in the logarithm of the score.
    heuristics
        The user's own heuristics, for a procurement.
    how
        As in :func:`compare_sharing`.

    Raises
    ------
    InputError
        The scenario asks for neither, or heuristics are given for designs.
    """
    refuse_question_of_another_command(scenario)
    settings: dict[str, Any] = {"scenario": scenario.name}
    if scenario.procurement is not None:
        problem = problem_from(scenario)
        own = [given_part(heuristic, PROCUREMENT) for heuristic in heuristics]
        instance = procurement.instance(problem, heuristics=own, gap=gap, **how.limits())
        study = how.compared(procurement.DECISION, [instance], settings | {"gap": gap})
        return replace(study, inputs=files_of(own))
    if heuristics:
        raise InputError(f"{scenario.name} has no [procurement]; drop --heuristic")
    if scenario.overprovisioning is None:
        raise InputError(
            f"{scenario.name} has neither [procurement] nor [overprovisioning]; add one of them"
        )
    if how.node_limit is not None:
        raise InputError("design comparisons need no node limit; drop --node-limit")
    problems = [thesis_problem(case) for case in design_cases(scenario)]
    instances = [designs.instance(problem, time_limit_s=how.time_limit_s) for problem in problems]
    settings |= designs.common_data(problems)
    return how.compared(designs.DECISION, instances, settings)


def compare_partitions(
    programs: Sequence[Communication],
    ranks_per_node: int,
    *,
    sizes: Sequence[int] = (),
    heuristics: Sequence[Algorithm | type[Algorithm] | str] = (),
    how: How = DEFAULT,
) -> ComparisonStudy:
    """Put ranks on nodes by every method.

    Parameters
    ----------
    programs
        What their ranks exchange; each is an instance.
    ranks_per_node
        The last node takes what is left.
    sizes
        Each size is a number of ranks, taken from the start of each program that has enough.
    heuristics
        Placement algorithms that the user wrote.
    how
        As in :func:`compare_sharing`.

    Raises
    ------
    InputError
        No program has enough ranks, or a size is below 1.
    """
    check_sizes(sizes, 1)
    counts: list[int | None] = [*sorted(set(sizes))] or [None]
    cases = [
        (
            f"{program.name}, {size} ranks" if sizes else program.name,
            partition.graph_of(program, size),
        )
        for size in counts
        for program in programs
        if size is None or size <= program.ranks
    ]
    if not cases:
        largest = max((program.ranks for program in programs), default=0)
        raise InputError(f"no program has {min(sizes):,} ranks; give --sizes up to {largest:,}")
    instances = [
        partition.instance(name, graph, ranks_per_node, heuristics=heuristics, **how.limits())
        for name, graph in cases
    ]
    settings = {
        "programs": ", ".join(program.name for program in programs),
        "ranks per node": ranks_per_node,
    }
    partitions = how.compared(partition.DECISION, instances, settings)
    own = [find_algorithm(heuristic) for heuristic in heuristics]
    digests = dict.fromkeys(pair for algorithm in own for pair in algorithm_files(algorithm))
    return replace(partitions, inputs=tuple(digests))


def check_sizes(sizes: Sequence[int], seeds: int) -> None:
    """Refuse sizes that no instance can have.

    Raises
    ------
    InputError
        A size outside 1 to 100,000, or fewer than one seed.
    """
    for size in sizes:
        if not 1 <= size <= MOST_SIZE:
            raise InputError(f"--sizes contains {size:,}; give sizes from 1 to {MOST_SIZE:,}")
    if seeds < 1:
        raise InputError(f"--seeds is {seeds}; give at least 1")
