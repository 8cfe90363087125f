"""Memory of a node, and what each job needs of it: which jobs fit on one node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from planner.errors import InputError
from planner.formatting import amount, unmarked
from planner.plain_numbers import finite_number
from planner.sharing_nodes.pairs.problem import ROUNDING, PairingProblem
from scenarios.formatting import nearest, short
from scenarios.pairs.needs import KINDS, MemoryKind
from scenarios.pairs.pair_table import PairTable

ARGUMENTS: Mapping[MemoryKind, tuple[str, str]] = {
    "memory": ("node_memory_gb", "job_memory_gb"),
    "GPU memory": ("node_gpu_memory_gb", "job_gpu_memory_gb"),
}
"""What gives the memory of a node and that of a job: the arguments of ``hr.colocate``."""
Spelled = Callable[[str], str]
"""How messages spell an argument: by its name, or as an option."""


@dataclass(frozen=True, kw_only=True)
class NodeMemory:
    """One kind of memory of a node, and what a job of each application needs of it.

    Attributes
    ----------
    kind
        Main memory, or that of all GPUs of a node.
    node_gb
        Memory of a node [GB], above 0.
    needs_gb
        Memory that a job needs on its node, by application [GB], at least 0.
    places
        Where the table gives it, by application; the others are given by an argument.
    spelled
        How messages spell an argument.

    Raises
    ------
    InputError
        A number out of its range.
    """

    kind: MemoryKind = "memory"
    node_gb: float
    needs_gb: Mapping[str, float]
    places: Mapping[str, str] = field(default_factory=dict)
    spelled: Spelled = str

    def __post_init__(self) -> None:
        if not 0 < self.node_gb < np.inf:
            raise InputError(f"{self._of_node} = {self.node_gb:g} GB; give a number above 0")
        for name, need_gb in self.needs_gb.items():
            if not 0 <= need_gb < np.inf:
                raise InputError(f"{self._of_job} of {short(name)} = {need_gb:g} GB; "
                                 "give at least 0")  # fmt: skip

    def check(self, problem: PairingProblem) -> None:
        """Refuse an application without a need, or a job that fits on no node.

        Raises
        ------
        InputError
            It names the argument or the cell of the table.
        """
        for name in dict.fromkeys(problem.names):
            if name not in self.needs_gb:
                column = "memory_a_gb" if self.kind == "memory" else "gpu_memory_a_gb"
                raise InputError(
                    f"{self._of_job}: the {self.kind} of a job of {short(name)} is not given; "
                    "give it for each application of the jobs, here or in the table "
                    f"({column}, {column.replace('_a_', '_b_')}; "
                    f"in a matrix {column.replace('_a_', '_')})"
                )
            if self.needs_gb[name] > self.node_gb * (1.0 + ROUNDING):
                raise InputError(
                    f"{self.places.get(name, self._of_job)}: a job of {short(name)} needs "
                    f"{self._shown(self.needs_gb[name])} of {self.kind}, and a node has "
                    f"{self._shown(self.node_gb)}; lower this need, or raise {self._of_node}"
                )

    @property
    def _of_node(self) -> str:
        return self.spelled(ARGUMENTS[self.kind][0])

    @property
    def _of_job(self) -> str:
        return self.spelled(ARGUMENTS[self.kind][1])

    def _shown(self, gigabytes: float) -> str:
        return unmarked(amount(gigabytes, "GB", limit=self.node_gb))


def node_memories(
    table: PairTable, given: Mapping[str, Any], spelled: Spelled = str
) -> tuple[NodeMemory, ...]:
    """The memories of a node that are given; what a job needs may come from the table.

    Parameters
    ----------
    given
        Values of the arguments in :data:`ARGUMENTS`, by their names [GB]; those of a job by
        application, before the ones of the table.
    spelled
        How messages spell an argument.

    Raises
    ------
    InputError
        A need of an unknown application or without a node, or a number out of its range.
    """
    memories = []
    for kind in KINDS:
        of_node, of_job = ARGUMENTS[kind]
        node_gb, of_jobs = given.get(of_node), given.get(of_job) or {}
        if not isinstance(of_jobs, Mapping):
            raise InputError(
                f"{spelled(of_job)} = {of_jobs!r}; give a mapping from applications to GB"
            )
        own = {name: finite_number(f"{spelled(of_job)} of {short(name)}", need_gb)
               for name, need_gb in of_jobs.items()}  # fmt: skip
        for name in own:
            if name not in table.names:
                raise InputError(
                    f"{spelled(of_job)}: no pair names the application {short(name)}; "
                    f"{nearest(name, [*table.names])}"
                )
        if node_gb is None and own:
            raise InputError(f"{spelled(of_job)} needs {spelled(of_node)}; give both")
        if node_gb is not None:
            read = table.needs.get(kind, {})
            memories.append(NodeMemory(
                kind=kind,
                node_gb=finite_number(spelled(of_node), node_gb),
                needs_gb={name: need.gb for name, need in read.items()} | own,
                places={name: need.place for name, need in read.items() if name not in own},
                spelled=spelled,
            ))  # fmt: skip
    return tuple(memories)


def with_memory(problem: PairingProblem, memories: tuple[NodeMemory, ...]) -> PairingProblem:
    """The problem in which jobs share a node only if they fit in each of its memories.

    Raises
    ------
    InputError
        As :meth:`NodeMemory.check`.
    """
    names = tuple(dict.fromkeys(problem.names))
    for memory in memories:
        memory.check(problem)
    needs = [[memory.needs_gb[name] for name in names] for memory in memories]
    return replace(
        problem,
        needs_gb=np.array(needs, dtype=np.float64).reshape(len(memories), len(names)),
        node_gb=np.array([memory.node_gb for memory in memories], dtype=np.float64),
    )
