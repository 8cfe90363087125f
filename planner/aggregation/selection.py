"""The pattern of least energy whose predicted slowdown is tolerable: section VI."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from planner.aggregation.communication import Groups, Tables, exchange_s, upper_bound_s
from planner.aggregation.grouping import Group, Objective, grouped
from planner.aggregation.ipc import IpcModel
from planner.aggregation.patterns import REFERENCE, Pattern, by_energy
from planner.aggregation.power import PowerModel
from planner.errors import InputError, PlanError
from scenarios.aggregation.task_samples import Program

Progress = Callable[[int, int], None]
"""Called with the number of patterns that are done, and of all patterns."""

THRESHOLD = 0.05
"""Tolerated slowdown against one task per node."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A feasible pattern with its predictions for an iteration.

    Attributes
    ----------
    pattern, groups
        The pattern, and the tasks of each node in the order of their slots.
    ipc
        Predicted for each task.
    compute_s, communication_s
        Mean computation, and the upper bound of communication.
    slowdown
        Equation 5 over the time of the reference: ``(t - t0) / t0``.
    energy_j
        Energy of the whole run, from predicted power; None where power is not known.
    exchange_s
        What exchanges of all tasks are of the communication.
    """

    pattern: Pattern
    groups: Groups
    ipc: float
    compute_s: float
    communication_s: float
    slowdown: float
    energy_j: float | None
    exchange_s: float = 0.0

    @property
    def time_s(self) -> float:
        """Time of an iteration [s], without overlap of computation and communication."""
        return self.compute_s + self.communication_s


def feasible(program: Program, offered: Sequence[Pattern], memory_gb: float) -> tuple[Pattern, ...]:
    """Patterns whose tasks fit into a node's memory and divide the program's tasks evenly."""
    return tuple(
        p for p in offered if _fits(program, p, memory_gb) and program.traffic.tasks % p.tasks == 0
    )


def why_not(program: Program, pattern: Pattern, memory_gb: float) -> str:
    """Why a pattern is not predicted."""
    tasks = program.traffic.tasks
    if not _fits(program, pattern, memory_gb):
        return f"needs {pattern.tasks * program.memory_gb:.4g} GB of {memory_gb:g} GB"
    if tasks % pattern.tasks:
        return f"{tasks} ranks do not fill nodes of {pattern.tasks}"
    return "no training code ran under it"


def _fits(program: Program, pattern: Pattern, memory_gb: float) -> bool:
    room_gb = memory_gb * (1 + 1e-12)  # six times 1.1 GB fit into 6.6 GB despite rounding
    return pattern.tasks * program.memory_gb <= room_gb


@dataclass(frozen=True, eq=False)
class Predictor:
    """All that was learnt of a machine.

    Attributes
    ----------
    ipc, power, tables
        Models of IPC and of power, which may be unknown, and tables of message times.
    group, objective
        Partition function, and the weights that it is given.
    clock_ghz, memory_gb
        Clock and main memory of a node.
    """

    ipc: IpcModel
    power: PowerModel | None
    tables: Tables
    group: Group
    clock_ghz: float
    memory_gb: float
    objective: Objective = "paper"

    def candidates(
        self, program: Program, offered: Sequence[Pattern], progress: Progress | None = None
    ) -> tuple[Candidate, ...]:
        """Predict every feasible pattern; call ``progress`` after each one.

        Raises
        ------
        InputError
            The reference pattern is not feasible, or the program was not sampled.
        """
        selected = feasible(program, offered, self.memory_gb)
        if REFERENCE not in {p.id for p in selected}:
            raise InputError(
                f"{program.name}: a task of {program.memory_gb:g} GB does not fit into a node of "
                f"{self.memory_gb:g} GB; use more tasks"
            )
        if missing := [s for s in self.ipc.setting.sampled if s not in program.samples]:
            raise InputError(f"{program.name} has no sample under pattern {missing[0]}; run it")
        made = []
        for done, pattern in enumerate(selected, start=1):
            made.append(self._times(program, pattern))
            if progress is not None:
                progress(done, len(selected))
        reference = next(c.time_s for c in made if c.pattern.id == REFERENCE)
        return tuple(
            replace(
                c,
                slowdown=(c.time_s - reference) / reference,
                energy_j=self.energy_j(program, c),
            )
            for c in made
        )

    def energy_j(self, program: Program, candidate: Candidate) -> float | None:
        """Energy of the whole run from the candidate's IPC and time; None without known power.

        Raises
        ------
        PlanError
            The predicted power is not above 0.
        """
        if self.power is None:
            return None
        pattern = candidate.pattern
        power_w = self.power.predict(pattern.layout, candidate.ipc)
        if power_w <= 0:
            raise PlanError(
                f"{program.name}: the predicted power of a node under pattern {pattern.id} is "
                f"{power_w:.3g} W; check power_w of the training runs, or meter more similar codes"
            )
        nodes = program.traffic.tasks // pattern.tasks
        return power_w * (nodes * (candidate.time_s * program.iterations))

    def _times(self, program: Program, pattern: Pattern) -> Candidate:
        samples = [program.samples[s] for s in self.ipc.setting.sampled]
        ipc = self.ipc.predict(samples, pattern.id)
        if ipc <= 0:
            raise PlanError(
                f"{program.name}: the predicted IPC under pattern {pattern.id} is {ipc:.3g}; "
                "train on "
                "more similar codes, or with a stronger ridge"
            )
        groups = grouped(self.tables, program.traffic, pattern.layout, self.group, self.objective)
        return Candidate(
            pattern=pattern,
            groups=groups,
            ipc=ipc,
            compute_s=program.instructions / (ipc * self.clock_ghz * 1e9),
            communication_s=upper_bound_s(self.tables, program.traffic, pattern.layout, groups),
            slowdown=0.0,
            energy_j=None,
            exchange_s=exchange_s(self.tables, program.traffic, pattern.layout),
        )


def tolerable(
    candidates: Sequence[Candidate], threshold: float = THRESHOLD
) -> tuple[Candidate, ...]:
    """Candidates of equation 5: predicted slowdown within the threshold; the reference always."""
    return tuple(c for c in candidates if _is_tolerable(c, threshold))


def _is_tolerable(candidate: Candidate, threshold: float) -> bool:
    return candidate.pattern.id == REFERENCE or candidate.slowdown <= threshold


def violations(
    candidates: Sequence[Candidate], found: Candidate, threshold: float = THRESHOLD
) -> list[str]:
    """What is wrong with a choice, recomputed from the candidates alone."""
    if not any(candidate is found for candidate in candidates):
        return [f"pattern {found.pattern.id} is not among the candidates"]
    if not _is_tolerable(found, threshold):
        slower = f"pattern {found.pattern.id} is {100 * found.slowdown:.6g} % slower"
        return [f"{slower}, above the tolerated {100 * threshold:g} %"]
    return []


def by_rank(candidates: Sequence[Candidate], threshold: float = THRESHOLD) -> Candidate:
    """The paper's choice: of the tolerable, the first by nodes, processors and dies."""
    selected = {c.pattern: c for c in tolerable(candidates, threshold)}
    return selected[by_energy(tuple(selected))[0]]


def by_joules(candidates: Sequence[Candidate], threshold: float = THRESHOLD) -> Candidate:
    """The tolerable pattern with the least predicted energy; the paper's rank breaks ties.

    Raises
    ------
    InputError
        Energy is not known.
    """
    return min(tolerable(candidates, threshold), key=lambda c: (_joules(c), c.pattern.energy_key))


def _joules(candidate: Candidate) -> float:
    if candidate.energy_j is None:
        raise InputError("energy is not known without power; choose by rank, or meter power")
    return candidate.energy_j
