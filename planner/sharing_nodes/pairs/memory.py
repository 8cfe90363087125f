"""Memory of a node, and what each job needs of it: which jobs fit on one node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from planner.errors import InputError
from planner.formatting import amount, unmarked
from planner.sharing_nodes.pairs.problem import ROUNDING, PairingProblem
from scenarios.formatting import nearest, short

MemoryKind = Literal["memory", "GPU memory"]
_OPTIONS = {
    "memory": ("--job-memory", "--node-memory"),
    "GPU memory": ("--job-gpu-memory", "--node-gpu-memory"),
}


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

    Raises
    ------
    InputError
        A number out of its range.
    """

    kind: MemoryKind = "memory"
    node_gb: float
    needs_gb: Mapping[str, float]

    def __post_init__(self) -> None:
        if not 0 < self.node_gb < np.inf:
            raise InputError(f"{self.kind} of a node: {self.node_gb} GB; give a number above 0")
        for name, need_gb in self.needs_gb.items():
            if not 0 <= need_gb < np.inf:
                raise InputError(f"{self.kind} of {short(name)}: {need_gb} GB; give at least 0")

    def check(self, problem: PairingProblem, known: tuple[str, ...]) -> None:
        """Refuse needs that do not name the applications, or a job that fits on no node.

        Raises
        ------
        InputError
            An application without a need, a need of an unknown one, or one above the node.
        """
        of_job, of_node = _OPTIONS[self.kind]
        for name in self.needs_gb:
            if name not in known:
                raise InputError(
                    f"{of_job}: no pair names the application {short(name)}; "
                    f"{nearest(name, [*known])}"
                )
        for name in dict.fromkeys(problem.names):
            if name not in self.needs_gb:
                raise InputError(
                    f"{of_job}: the {self.kind} of a job of {short(name)} is not given; "
                    f"give it for each application of the jobs"
                )
            if self.needs_gb[name] > self.node_gb * (1.0 + ROUNDING):
                raise InputError(
                    f"a job of {short(name)} needs {self._shown(self.needs_gb[name])} of "
                    f"{self.kind}, and a node has {self._shown(self.node_gb)}; lower {of_job}, "
                    f"or raise {of_node}"
                )

    def _shown(self, gigabytes: float) -> str:
        return unmarked(amount(gigabytes, "GB", limit=self.node_gb))


def with_memory(
    problem: PairingProblem, memories: tuple[NodeMemory, ...], known: tuple[str, ...]
) -> PairingProblem:
    """The problem in which jobs share a node only if they fit in each of its memories.

    ``known`` are the applications of the table.

    Raises
    ------
    InputError
        As :meth:`NodeMemory.check`.
    """
    names = tuple(dict.fromkeys(problem.names))
    for memory in memories:
        memory.check(problem, known)
    needs = [[memory.needs_gb[name] for name in names] for memory in memories]
    return replace(
        problem,
        needs_gb=np.array(needs, dtype=np.float64).reshape(len(memories), len(names)),
        node_gb=np.array([memory.node_gb for memory in memories], dtype=np.float64),
    )
