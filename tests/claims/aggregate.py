"""What `headroom aggregate` states, decided again from the rows of patterns and the measurements.

Written from docs/aggregation.md and the paper's section VI.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from planner.aggregation.aggregate import AggregationStudy, aggregate
from planner.aggregation.measured import gathered
from planner.aggregation.result import AggregationSettings
from planner.aggregation.tried import TriedRun
from planner.aggregation.truths import true_runs
from scenarios.aggregation import NodeMeasurements
from scenarios.aggregation.task_layout import Layout
from scenarios.remark import Remark, remark
from scenarios.simulated.aggregation import load_hardware
from tests.claims import readers_of_runs
from tests.planner.aggregation.literal import (
    Errors,
    Row,
    bound_s,
    learnt,
    mean_error,
    message_s,
    predictions,
)
from tests.scenarios.aggregation.folders import close, layouts, spread, synthetic

HARDWARE = load_hardware()
_TO_ITSELF = remark("tasks-to-itself", rows=(2, "row"), line=(9, "id"))


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    measured: NodeMeasurements
    settings: AggregationSettings = field(default_factory=AggregationSettings)
    simulated: tuple[str, str, int, int] | None = None

    @cached_property
    def answer(self) -> AggregationStudy:
        if self.simulated is None:
            return aggregate(self.measured, self.settings)
        return aggregate(
            self.measured,
            self.settings,
            true=lambda known: true_runs(HARDWARE, *self.simulated, known),  # type: ignore[misc, arg-type]
        )

    @property
    def remarks(self) -> tuple[Remark, ...]:
        return self.measured.remarks

    @cached_property
    def groups(self) -> dict[int, list[list[int]]]:
        """Ranks of each node by pattern, which the partitioner found."""
        found = {one.pattern.id: one.groups.tolist() for one in self.answer.candidates}
        for pattern, groups in found.items():
            sizes = {len(group) for group in groups}
            assert sizes == {layouts(self.measured.node)[pattern].tasks}, groups
            assert sorted(rank for group in groups for rank in group) == [*range(self.ranks)]
        return found

    @cached_property
    def setting(self) -> tuple[int, float]:
        """Events and ridge that the answer uses: none has a smaller error on codes left out."""
        first = self.answer.study.rows("settings")[0]
        tried = {key: mean_error(errors) for key, errors in self.tried.items()}
        assert tried[first["events"], first["ridge"]] <= min(tried.values()) + 1e-9, tried
        return first["events"], first["ridge"]

    @cached_property
    def tried(self) -> dict[tuple[int, float], Errors]:
        at = layouts(self.measured.node)
        return learnt(tuple(self.measured.training), (close(at), spread(at, self.measured.node)))[1]

    @cached_property
    def rows(self) -> list[Row]:
        """Every pattern, predicted from the measurements; and its true run, which is given."""
        known = predictions(self.measured, self.setting, self.groups, self.settings.tried)
        truths = self.answer.truths.outcomes if self.answer.truths else {}
        first = truths[1].time_s if truths else 1.0
        return [
            {
                "pattern": pattern, "tasks_per_node": use.tasks, "feasible": pattern in known,
                "processors": use.processors, "dies": use.dies, "cores": use.cores,
                "nodes": self.ranks // use.tasks, **known.get(pattern, {}),
            } | ({} if pattern not in truths else {
                "true_run_s": truths[pattern].time_s, "true_energy_j": truths[pattern].energy_j,
                "true_slowdown": truths[pattern].time_s / first - 1,
                "true_ipc": truths[pattern].ipc,
            })
            for pattern, use in layouts(self.measured.node).items()
        ]  # fmt: skip

    @cached_property
    def ran(self) -> dict[int, list[Any]]:
        """Runs by pattern."""
        patterns = sorted({run[0] for run in self.settings.tried})
        return {each: [run for run in self.settings.tried if run[0] == each] for each in patterns}

    @property
    def passed(self) -> list[int]:
        """Patterns that ran within the limit of a run with one rank per node."""
        within = {row["pattern"] for row in self.within}
        return [each for each in self.ran if each in within and each != 1 and 1 in self.ran]

    @property
    def failed(self) -> list[int]:
        within = {row["pattern"] for row in self.within}
        return [each for each in self.ran if each not in within]

    @property
    def allowed(self) -> list[Row]:
        """What may be chosen after the runs."""
        if self.passed:
            return [row for row in self.within if row["pattern"] in {1, *self.passed}]
        return [self.row(1)] if len(self.failed) > 1 else self.within

    @cached_property
    def after(self) -> dict[int, Row]:
        """What is expected of each pattern, also without a run."""
        tried = self.settings.tried
        found = predictions(self.measured, self.setting, self.groups, tried, expected=True)
        return {each: {**self.row(each), **row} for each, row in found.items()}

    @property
    def worth(self) -> dict[int, tuple[float, float, float | None]]:
        """By pattern that may be run next: expected saving, chance, and its joules."""
        base = self.after[self.chosen["pattern"] if self.passed else 1]
        found = {}
        for row in self.after.values():
            better = self.settings.choose == "joules" or _packed(row) < _packed(base)
            if row["pattern"] in {1, *self.ran} or not better:
                continue
            chance, saved_j = _chance(self, row), None
            saved = 1 - base["tasks_per_node"] / row["tasks_per_node"]
            if row["energy_j"] is not None:
                saved = 1 - row["energy_j"] / base["energy_j"]
                saved_j = chance * (base["energy_j"] - row["energy_j"])
            found[row["pattern"]] = (chance * saved, chance, saved_j)
        return found

    @property
    def possible(self) -> list[Row]:
        return [row for row in self.rows if row["feasible"]]

    def row(self, pattern: int) -> Row:
        (row,) = (row for row in self.rows if row["pattern"] == pattern)
        return row

    @property
    def chosen(self) -> Row:
        """What the method of the settings chooses."""
        rule = {"one": self.row(1), "packed": self.fullest}
        return rule.get(self.settings.method) or self.best

    @property
    def limit(self) -> float:
        return self.settings.threshold

    @property
    def within(self) -> list[Row]:
        """One rank per node, and patterns that are at most the limit slower than it."""
        first = self.row(1)["compute_s"] + self.row(1)["communication_bound_s"]
        return [
            row
            for row in self.possible
            if row["pattern"] == 1
            or row["compute_s"] + row["communication_bound_s"]
            <= first * (1 + self.limit - 0.002 * (row["pattern"] in self.ran))
        ]

    @property
    def ranks(self) -> int:
        return int(self.measured.program.traffic.tasks)

    @property
    def least_energy(self) -> bool:
        energies = [row["energy_j"] for row in self.within]
        return None not in energies and self.chosen["energy_j"] == min(energies)

    @property
    def fullest(self) -> Row:
        return min(self.possible, key=_packed)

    @property
    def baseline(self) -> Row:
        if self.settings.baseline == "packed":
            return self.fullest
        return self.row(1 if self.settings.baseline == "one" else int(self.settings.baseline))

    @property
    def compared(self) -> Row:
        return self.row(1) if self.chosen is self.baseline else self.baseline

    @property
    def best(self) -> Row:
        """What the rule of the settings would choose."""
        if self.settings.choose == "joules":
            return min(self.allowed, key=lambda row: (row["energy_j"], _packed(row)))
        return min(self.allowed, key=_packed)

    @property
    def errors(self) -> tuple[float, float]:
        """Mean and largest error of IPC over all predictions of codes left out."""
        errors = self.tried[self.setting]
        return mean_error(errors), max(map(abs, itertools.chain(*errors.values())))

    @property
    def codes(self) -> int:
        return len({run.code for run in self.measured.training})

    @property
    def truly_best(self) -> Row:
        fast = [row for row in self.possible
                if row["pattern"] == 1 or row["true_slowdown"] <= self.limit]  # fmt: skip
        return min(fast, key=lambda row: float(row["true_energy_j"]))

    @property
    def freed(self) -> int:
        """Nodes less than with one rank per node, where it saves energy."""
        used, before = self.chosen["energy_j"], self.row(1)["energy_j"]
        fewer: int = self.row(1)["nodes"] - self.chosen["nodes"]
        return fewer if used is not None and used < before else 0

    def idle_j(self, row: Row) -> float:
        """Energy of all nodes of one rank per node; those that a pattern leaves free idle."""
        freed = self.row(1)["nodes"] - row["nodes"]
        return float(row["energy_j"] + freed * _idle_w(self) * row["run_s"])

    @property
    def least_if_idle(self) -> Row | None:
        """Within the limit, the pattern of least energy if freed nodes idle."""
        if self.chosen["energy_j"] is None or _idle_w(self) < 1:
            return None
        return min(self.within, key=lambda row: (self.idle_j(row), _packed(row)))


def _packed(row: Row) -> tuple[int, int, int]:
    """Most ranks on a node, then fewest sockets, then fewest dies."""
    return -row["tasks_per_node"], row["processors"], row["dies"]


def _dear(measured: NodeMeasurements, power: float = 1.2) -> NodeMeasurements:
    """Nodes whose power grows faster than their ranks."""
    at = layouts(measured.node)
    runs = (replace(r, power_w=40.0 * at[r.pattern].tasks ** power) for r in measured.training)
    return replace(measured, training=tuple(runs))


def _silent(measured: NodeMeasurements) -> NodeMeasurements:
    """A program without a word of its messages."""
    traffic, empty = measured.program.traffic, np.zeros(0, np.int64)
    none = replace(traffic, block_b=0.0, source=empty, target=empty, size_b=np.zeros(0),
                   count=np.zeros(0))  # fmt: skip
    return replace(measured, program=replace(measured.program, traffic=none))


def _mixed(measured: NodeMeasurements) -> NodeMeasurements:
    """Short messages are faster between nodes than within one, long ones are not."""
    slow = (
        replace(each, time_s=each.time_s + 1e-9 * each.size_b * int(each.noise or 1))
        if each.sharing == "network"
        else each
        for each in measured.messages
    )
    traffic = measured.program.traffic
    sizes_b = np.where(np.arange(len(traffic.source)) % 2, 8.0, 4096.0)
    program = replace(measured.program, traffic=replace(traffic, size_b=sizes_b))
    return replace(measured, messages=tuple(slow), program=program)


def _shuffled(measured: NodeMeasurements) -> NodeMeasurements:
    """Neighbours of which rank order puts none on the same node."""
    traffic = measured.program.traffic
    source, target = (each * 3 % traffic.tasks for each in (traffic.source, traffic.target))
    program = replace(measured.program, traffic=replace(traffic, source=source, target=target))
    return replace(measured, program=program)


def _scattered(measured: NodeMeasurements, seed: int, spread: float) -> NodeMeasurements:
    rng = np.random.default_rng(seed)
    runs = (replace(r, ipc=r.ipc * float(rng.uniform(1 - spread, 1 + spread)))
            for r in measured.training)  # fmt: skip
    return replace(measured, training=tuple(runs))


def _one_off(measured: NodeMeasurements) -> NodeMeasurements:
    """One run of a code that is far slower than predictions."""
    first = measured.training[-1]
    runs = (replace(r, ipc=0.3 * r.ipc) if r is first else r for r in measured.training)
    return replace(measured, training=tuple(runs))


def cases() -> Iterator[Case]:
    """Requests at the edges: each reason for a choice, ties, no energy, no truth."""
    made = synthetic()
    yield Case(made)
    yield Case(synthetic(slope=0.3), AggregationSettings(threshold=0.0))
    yield Case(_dear(made), AggregationSettings(threshold=1.0))
    yield Case(
        _dear(synthetic(slope=0.3), 1.0), AggregationSettings(threshold=1.0, choose="joules")
    )
    yield Case(made, AggregationSettings(method="one", baseline="one"))
    yield Case(_dear(made), AggregationSettings(method="packed", threshold=1.0, choose="joules"))
    yield Case(made, AggregationSettings(method="packed", threshold=1.0))
    yield Case(made, AggregationSettings(method="reference", solver="highs", baseline="3"))
    yield Case(synthetic(memory_gb=1.5), AggregationSettings(threshold=1.0))
    yield Case(synthetic(memory_gb=6.0), AggregationSettings(threshold=1.0))
    yield Case(replace(made, training=tuple(run for run in made.training if run.pattern != 8)))
    yield from _with_runs(made)
    bare = replace(made, training=tuple(replace(run, power_w=None) for run in made.training))
    yield Case(bare)
    yield Case(bare, AggregationSettings(method="one"))
    yield Case(replace(_silent(made), source=""))
    yield Case(replace(made, remarks=(_TO_ITSELF,)))
    one, *others = made.training
    few = (one, *(replace(run, power_w=None) for run in others))
    yield Case(replace(made, training=few))
    yield Case(_scattered(made, 0, 0.3))
    yield Case(_one_off(made), AggregationSettings(threshold=1.0))
    yield Case(_mixed(made))
    yield Case(_shuffled(_mixed(made)))
    yield Case(_mixed(made), AggregationSettings(objective="loaded"))
    for law, code, seed in (("cliff", "lu", 0), ("cliff", "lu", 1), ("saturating", "ft", 2)):
        yield Case(
            gathered(HARDWARE, law, code, 16, seed), AggregationSettings(), (law, code, 16, seed)
        )
    tried = AggregationSettings(tried=[TriedRun(1, 666.1), TriedRun(5, 676.9)])
    lu = ("saturating", "lu", 16, 0)
    yield Case(gathered(HARDWARE, *lu), tried, lu)


def _with_runs(made: NodeMeasurements) -> Iterator[Case]:
    """Runs that confirm, fail, contradict each other, and lack their reference."""
    one, four, full = TriedRun(1, 27.9), TriedRun(5, 28.6), TriedRun(8, 33.0)
    apart, tight = TriedRun(1, 31.0), TriedRun(7, 30.6)
    metered = [TriedRun(1, 27.9, 46000.0), TriedRun(5, 28.6, 15000.0)]
    fast = [TriedRun(6, 28.9), TriedRun(7, 29.0), TriedRun(8, 29.1)]
    for runs in (
        [one, four], [one, full], [one, full, tight], [full], [one, apart, full], metered,
        [one, *fast],
    ):  # fmt: skip
        yield Case(_scattered(made, 1, 0.02), AggregationSettings(tried=runs))
    yield Case(_scattered(made, 1, 0.02), AggregationSettings(tried=[one], threshold=0.2))
    bare = replace(made, training=tuple(replace(run, power_w=None) for run in made.training))
    yield Case(bare, AggregationSettings(tried=[one, four]))
    yield Case(bare, AggregationSettings(tried=[one]))
    joules = AggregationSettings(tried=[one, four], choose="joules", threshold=0.1)
    yield Case(_scattered(made, 2, 0.02), joules)


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    measured = synthetic(
        slope=float(rng.choice([0.0, 0.02, 0.05, 0.1])),
        memory_gb=float(rng.choice([0.5, 1.0, 1.5, 3.0])),
    )
    if rng.random() < 0.4:
        measured = _dear(measured, float(rng.uniform(0.5, 1.2)))
    if rng.random() < 0.5:
        measured = _scattered(measured, seed, float(rng.choice([0.005, 0.02, 0.1])))
    chosen = AggregationSettings(
        threshold=float(rng.choice([0.0, 0.01, 0.05, 0.3, 1.0])),
        choose=str(rng.choice(["rank", "joules"])),  # type: ignore[arg-type]
        baseline=str(rng.choice(["packed", "one", "2"])),
        grouping=str(rng.choice(["kl", "order"])),
        seed=seed,
    )
    if rng.random() < 0.5:
        times = {c.pattern.id: 100 * c.time_s for c in aggregate(measured, chosen).candidates}
        picked = rng.choice(sorted(times), size=3)
        runs = [(int(p), times[int(p)] * float(rng.uniform(0.95, 1.1))) for p in picked]
        chosen = replace(chosen, tried=[TriedRun(1, times[1]), *(TriedRun(*run) for run in runs)])
    yield Case(measured, chosen)


def _same(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9)


def _run(case: Case, ranks: int, nodes: int, limit: float, time: float) -> bool:
    row, whole = case.chosen, ranks * nodes == case.ranks
    right = row["tasks_per_node"] == ranks and whole and limit == case.limit
    return bool(right and row in case.within and row["pattern"] != 1 and _slower(case, time))


def _by_rule(case: Case, ranks: int, nodes: int, rule: str) -> bool:
    wanted = case.row(1) if rule == "one" else case.fullest
    runs = case.chosen is wanted and ranks * nodes == case.ranks
    return bool(runs and rule == case.settings.method and ranks == wanted["tasks_per_node"])


def _truly_slower(case: Case, slowdown: float, pattern: int) -> bool:
    true = case.row(pattern)["true_run_s"] / case.row(1)["true_run_s"] - 1
    return math.isclose(slowdown, true, rel_tol=1e-9, abs_tol=1e-12)


def _truly_above(case: Case) -> list[int]:
    """Patterns within the limit, or to be run next, that are above it in truth."""
    named = {row["pattern"] for row in case.within if case.answer.truths}
    if case.ran and case.answer.truths and case.worth:
        run = max(case.worth, key=lambda each: case.worth[each][0])
        named |= {run} if case.worth[run][0] > 1e-3 else set()
    return [each for each in sorted(named - {case.chosen["pattern"]})
            if case.row(each)["true_slowdown"] > case.limit]  # fmt: skip


def _rule_costs(case: Case, best: int, more: float) -> bool:
    least = case.best["energy_j"]
    return best == case.best["pattern"] and _same(1 + more, case.chosen["energy_j"] / least)


def _energy(case: Case, energy: float, base: Row) -> bool:
    """The energy against that of another pattern."""
    other = case.chosen["pattern"] != base["pattern"]
    return other and _same(1 + energy, case.chosen["energy_j"] / base["energy_j"])


def _against_base(case: Case, base: int, ranks: int, energy: float, time: float) -> bool:
    row = case.baseline
    return (
        (base, ranks) == (row["pattern"], row["tasks_per_node"]) and base != 1
        and _energy(case, energy, row)
        and _near(1 + time, _iteration(case.chosen) / _iteration(row))
    )  # fmt: skip


def _other(case: Case, by: str, other: int) -> bool:
    if by not in {"rank", "joules"} - {case.settings.choose}:
        return False
    key: Any = _packed if by == "rank" else lambda row: (row["energy_j"], _packed(row))
    return bool(min(case.allowed, key=key)["pattern"] == other != case.chosen["pattern"])


Claim = Callable[..., bool]


def _messages_us(case: Case, groups: list[list[int]]) -> float:
    """The upper bound of messages of an iteration under the chosen pattern."""
    return 1e6 * bound_s(case.measured, case.chosen["pattern"], groups)


def _grouped_us(case: Case) -> float:
    return _messages_us(case, case.groups[case.chosen["pattern"]])


def _in_order_us(case: Case) -> float:
    """The same in rank order."""
    each = case.chosen["tasks_per_node"]
    in_order = [[*range(first, first + each)] for first in range(0, case.ranks, each)]
    return _messages_us(case, in_order)


def _groups_gain(case: Case) -> bool:
    """Whether groups save 0.1 % of the time of messages."""
    return _grouped_us(case) < 0.999 * _in_order_us(case)


def _cores(case: Case) -> str:
    """Cores of the chosen pattern, counted through the node."""
    use, (_, dies, cores) = layouts(case.measured.node)[case.chosen["pattern"]], case.measured.node
    used = itertools.product(*map(range, use[:3]))
    return ",".join(str((socket * dies + die) * cores + core) for socket, die, core in used)


def _time_sum(case: Case, **said: Any) -> bool:
    """Instructions over IPC and clock, and messages that show, times iterations."""
    program, row, bound_us = case.measured.program, case.chosen, _grouped_us(case)
    shown = 1e6 * row["communication_bound_s"] / bound_us if bound_us else 1.0
    compute_s = program.instructions / row["ipc"] / case.measured.clock_ghz / 1e9
    wanted = {
        "pattern": row["pattern"], "instructions": program.instructions,
        "ipc": _digits(row["ipc"], 6), "clock": case.measured.clock_ghz,
        "compute": _digits(compute_s, 6), "share": _digits(shown, 3), "messages": bound_us,
        "iterations": program.iterations, "time": _digits(row["run_s"], 7),
    }  # fmt: skip
    return said.keys() == wanted.keys() and all(_near(said[key], wanted[key]) for key in wanted)


def _less_energy(case: Case) -> list[int]:
    """Patterns within the limit that no run confirms, and that take less than a confirmed one."""
    if not case.passed or case.chosen["energy_j"] is None:
        return []
    return [row["pattern"] for row in case.within if row["pattern"] not in {1, *case.passed}
            and row["energy_j"] < case.chosen["energy_j"]]  # fmt: skip


FINDINGS: dict[str, Claim] = {
    "question": lambda case, ranks, program: (
        ranks == case.ranks and program == case.measured.program.name
    ),
    "least-energy": lambda case, ranks, nodes, limit, energy, time: (
        _run(case, ranks, nodes, limit, time) and case.least_energy
        and _energy(case, energy, case.row(1))
    ),
    "fewest-nodes": lambda case, ranks, nodes, limit, time: (
        _run(case, ranks, nodes, limit, time)
        and ranks == max(row["tasks_per_node"] for row in case.within)
    ),
    "fewest-nodes-energy": lambda case, ranks, nodes, limit, energy, time: (
        _run(case, ranks, nodes, limit, time) and _energy(case, energy, case.row(1))
        and ranks == max(row["tasks_per_node"] for row in case.within)
    ),
    "by-rule": _by_rule,
    "one-only": lambda case, nodes: nodes == case.ranks and len(case.possible) == 1,
    "one-saves": lambda case, nodes, limit: (
        nodes == case.ranks
        and limit == case.limit
        and len(case.within) > 1
        and all(row["energy_j"] > case.row(1)["energy_j"] for row in case.within[1:])
    ),
    "one-fast": lambda case, nodes, limit: (
        nodes == case.ranks and limit == case.limit and len(case.within) == 1
    ),
    "already": lambda case: (
        case.chosen is case.fullest
        and not any(
            _packed(row) < _packed(case.chosen)
            for row in case.rows
            if row["tasks_per_node"] * case.measured.program.memory_gb <= case.measured.memory_gb
        )
    ),
    "reference-agrees": lambda case, solver, status, level: (
        solver == {"cbc": "CBC", "highs": "HiGHS"}[case.settings.solver]
        and (status, level) == ("optimal", "verified")
        and case.chosen is case.best
    ),
    "rule-is-best": lambda case: case.chosen is case.best,
    "rule-missed": lambda case, best: best == case.best["pattern"] != case.chosen["pattern"],
    "rule-costs": _rule_costs,
    "ipc-error": lambda case, mean, most: (
        _same(mean, case.errors[0]) and _same(most, case.errors[1])
    ),
    "truth": lambda case, best, limit: (
        best == case.truly_best["pattern"] and limit == case.limit
    ),
    "truly-above": lambda case, patterns, slowdowns: (
        [*patterns] == _truly_above(case) != []
        and all(map(_truly_slower, [case] * len(patterns), slowdowns, patterns))
    ),
    "hours-of-one": lambda case, hours: _near(3600 * hours, case.ranks * case.row(1)["run_s"]),
    "simulated": lambda case, source: (
        case.simulated is not None and source == case.measured.source
    ),
    "no-source": lambda case: not case.measured.source,
    "no-messages": lambda case: (
        len(case.measured.messages) > 0 and not len(case.measured.program.traffic.source)
    ),
    "cannot-tell": lambda case, mean, limit: (
        _same(mean, case.errors[0]) and limit == case.limit and 2 * mean > limit > 0
    ),
    "most-above": lambda case, most, limit, patterns: (
        _same(most, case.errors[1]) and limit == case.limit and most > limit
        and [*patterns] == [row["pattern"] for row in case.possible
                            if row["pattern"] not in {*case.measured.program.samples, *case.ran}]
    ),
    "once": lambda case, patterns: [*patterns] == _once(case) != [],
    "repeat": lambda case, patterns: [*patterns] == _once(case) != [],
    "few-codes": lambda case, codes: codes == case.codes < 8,
    "freed": lambda case, nodes: nodes == case.freed > 0 and _idle_w(case) < 1,
    "freed-idle": lambda case, nodes, power, off: (
        nodes == case.freed > 0 and _near(power, _idle_w(case)) and power >= 1
        and _energy(case, off, case.row(1))
    ),
    "truly-slow": lambda case, slowdown, limit: (
        _truly_slower(case, slowdown, case.chosen["pattern"]) and slowdown > limit == case.limit
    ),
    "no-energy": lambda case: (
        all(row["energy_j"] is None for row in case.possible)
        and not any(run.power_w for run in case.measured.training)
    ),
    "few-metered": lambda case, runs, parts: (
        all(row["energy_j"] is None for row in case.possible)
        and runs == sum(run.power_w is not None for run in case.measured.training)
        and runs < len(parts) and [*parts] == _parts(case.measured.node)
    ),
    "other-choice": _other,
    "not-offered": lambda case, patterns: [*patterns] == [
        row["pattern"] for row in case.rows
        if row["pattern"] not in {run.pattern for run in case.measured.training}
        and row["tasks_per_node"] * case.measured.program.memory_gb <= case.measured.memory_gb
        and case.ranks % row["tasks_per_node"] == 0
    ],
    "measure-own": lambda case: case.simulated is not None,
    "confirmed": lambda case, ranks, nodes, limit, time, runs, reference: (
        _run(case, ranks, nodes, limit, time) and runs == len(case.ran[case.chosen["pattern"]])
        and reference == len(case.ran[1])
        and case.chosen["pattern"] in case.passed
        and case.chosen["energy_j"] is None
    ),
    "confirmed-energy": lambda case, ranks, nodes, limit, time, runs, reference, energy, basis: (
        _run(case, ranks, nodes, limit, time) and runs == len(case.ran[case.chosen["pattern"]])
        and reference == len(case.ran[1])
        and case.chosen["pattern"] in case.passed
        and _energy(case, energy, case.row(1)) and basis == (
            "measured" if all(any(run[2] for run in case.ran[each])
                              for each in (1, case.chosen["pattern"])) else "corrected")
    ),
    "interval": lambda case, pattern, low, high, within: (
        pattern == case.chosen["pattern"] != 1 and bool(case.ran)
        and _near(1 + low, _percentile(case, -1)) and _near(1 + high, _percentile(case, 1))
        and abs(within - _chance(case, case.after[pattern])) < 1e-9
    ),
    "one-failed": lambda case, nodes, limit, failed: (
        nodes == case.ranks and limit == case.limit and not case.passed
        and [*failed] == case.failed and len(failed) > 1
    ),
    "less-not-confirmed": lambda case, patterns: [*patterns] == _less_energy(case) != [],
    "selected-confirmed": lambda case, within, choose: (
        [*within] == case.passed and choose == case.settings.choose
    ),
    "bars-run": lambda case, pattern, slowdown: (
        pattern == case.chosen["pattern"] and pattern in case.passed and _slower(case, slowdown)
    ),
    "runs-differ": lambda case, pattern, spread, runs: (
        runs == len(case.ran[pattern]) and spread > case.limit
        and _near(1 + spread, max(run[1] for run in case.ran[pattern])
                  / min(run[1] for run in case.ran[pattern]))
    ),
    "run-next": lambda case, pattern, chance, against, saved: (
        _is_worth_most(case, pattern, chance, against) and _same(saved, case.worth[pattern][2])
    ),
    "run-next-nodes": lambda case, pattern, chance, against: (
        _is_worth_most(case, pattern, chance, against) and case.worth[pattern][2] is None
    ),
    "run-likely": lambda case, pattern, chance, saved: (
        pattern == _likely(case) and abs(chance - case.worth[pattern][1]) < 1e-9
        and _same(saved, case.worth[pattern][2])
        and case.worth[pattern][0] < max(worth for worth, *_ in case.worth.values())
    ),
    "run-reference": lambda case: 1 not in case.ran,
    "rank-file": _groups_gain,
    "bind": lambda case, cores: cores == _cores(case),
    "more-codes": lambda case: case.codes < 8,
    "bars": lambda case, pattern, slowdown: (
        pattern == case.chosen["pattern"] != 1 and _slower(case, slowdown)
    ),
    "bars-one": lambda case, pattern: pattern == case.chosen["pattern"] == 1,
    "worst-code": lambda case, mean, most, code: (
        _same(mean, case.errors[0])
        and _same(most, case.errors[1])
        and _same(most, max(map(abs, case.tried[case.setting][code])))
    ),
    "selected": lambda case, within, limit, choose: (
        [*within] == sorted(row["pattern"] for row in case.within) and limit == case.limit
        and choose == case.settings.choose
    ),
    "also-least": lambda case: case.least_energy and len(case.within) > 1,
    "least-if-idle": lambda case: case.chosen is case.least_if_idle and len(case.within) > 1,
    "if-idle": lambda case, pattern, energy, time: (
        pattern == case.least_if_idle["pattern"] != case.chosen["pattern"]
        and _near(1 + time, _iteration(case.row(pattern)) / _iteration(case.chosen))
        and _near(1 + energy, case.idle_j(case.row(pattern)) / case.idle_j(case.chosen))
    ),
    "against-base": _against_base,
    "next-within": lambda case, pattern, time, energy: (
        _other_row(case, pattern, time, energy) and _is_next(case, pattern)
    ),
    "next-within-chance": lambda case, pattern, time, energy, chance: (
        _other_row(case, pattern, time, energy) and bool(case.ran)
        and abs(chance - (1 if pattern == 1 else _chance(case, case.after[pattern]))) < 1e-9
        and (_is_next(case, pattern) or pattern == _likely(case))
    ),
    "next-within-time": lambda case, pattern, time: (
        _other_row(case, pattern, time)
        and (_is_next(case, pattern) or (bool(case.ran) and pattern == _likely(case)))
    ),
    "above-limit": lambda case, pattern, time, energy: (
        _other_row(case, pattern, time, energy) and _is_above(case, pattern)
    ),
    "groups-against-order": lambda case, grouped, order, time: (
        len(_pairs(case)) > 0 and _near(time, _iteration(case.chosen))
        and _near(grouped, _grouped_us(case)) and _near(order, _in_order_us(case))
    ),
    "energy-off": lambda case, most: _near(most, max(map(_missed, case.possible))),
    "time-sum": _time_sum,
    "energy-sum": lambda case, pattern, nodes, power, time, energy: (
        pattern == case.chosen["pattern"] and nodes * case.chosen["tasks_per_node"] == case.ranks
        and _near(energy, case.chosen["energy_j"]) and time == _digits(case.chosen["run_s"], 7)
        and power == _digits(energy / nodes / case.chosen["run_s"], 5)
    ),
    "if-wrong": lambda case, mean, most, limit: (
        _slower_by(case, mean, case.errors[0]) and _slower_by(case, most, case.errors[1])
        and limit == case.limit and case.errors[1] < 1 and not case.ran
    ),
    "if-wrong-mean": lambda case, mean, limit: (
        _slower_by(case, mean, case.errors[0]) and limit == case.limit and case.errors[1] >= 1
    ),
    "used-nodes": lambda case: case.freed == 0 and case.chosen["energy_j"] is not None,
    "no-overlap": lambda case: not case.ran,
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""


def _is_worth_most(case: Case, pattern: int, chance: float, against: int) -> bool:
    most = max(worth for worth, *_ in case.worth.values())
    base = case.chosen["pattern"] if case.passed else 1
    worth, within, _ = case.worth[pattern]
    return against == base and _near(worth, most) and abs(chance - within) < 1e-9 and most > 1e-3


def _tried(case: Case, rows: list[Row]) -> bool:
    """Whether the table has the runs, and what they show."""
    outcomes = {1: "reference"} | dict.fromkeys(case.failed, "failed")
    outcomes |= dict.fromkeys(case.passed, "confirmed")
    first = _iteration(case.row(1))
    return [row["pattern"] for row in rows] == [*case.ran] and all(
        row["runs"] == len(mine)
        and _near(row["measured_s"], sum(run[1] for run in mine) / len(mine))
        and row["outcome"] == outcomes.get(row["pattern"], "open")
        and _near(1 + row["slowdown"], _iteration(case.row(row["pattern"])) / first)
        for row, mine in zip(rows, case.ran.values(), strict=True)
    )  # fmt: skip


def _expected(case: Case, rows: list[Row]) -> bool:
    """Whether intervals are those of normal logs, and savings those of runs that promise some."""
    worth = {each: saved_j for each, (gain, _, saved_j) in case.worth.items() if gain > 1e-3}
    return all(
        row["saved_j"] is worth.get(row["pattern"]) or _same(row["saved_j"], worth[row["pattern"]])
        for row in rows
    ) and all(
        math.isclose(math.log((1 + row[end]) / (1 + row["slowdown"])),
                     sign * 1.6448536269514722 * case.after[row["pattern"]]["doubt"], rel_tol=1e-6)
        for row in rows for end, sign in (("low", -1), ("high", 1))
    )  # fmt: skip


def _iteration(row: Row) -> float:
    return float(row["compute_s"] + row["communication_bound_s"])


def _near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9)


def _slower(case: Case, slowdown: float) -> bool:
    """Equation 5 over the time of one rank per node."""
    return _near(1 + slowdown, _iteration(case.chosen) / _iteration(case.row(1)))


def _other_row(case: Case, pattern: int, time: float, energy: float | None = None) -> bool:
    """Another pattern against the chosen one."""
    row = case.row(pattern)
    used, own = row["energy_j"], case.chosen["energy_j"]
    right = used is None if energy is None else _near(1 + energy, used / own)
    later = _near(1 + time, _iteration(row) / _iteration(case.chosen))
    return right and later and row is not case.chosen


def _is_next(case: Case, pattern: int) -> bool:
    """Whether the rule would choose it without the chosen one."""
    key: Any = _packed
    if case.settings.choose == "joules":
        key = lambda row: (row["energy_j"], _packed(row))  # noqa: E731
    others = [row for row in case.within if row is not case.chosen]
    return bool(min(others, key=key)["pattern"] == pattern)


def _is_above(case: Case, pattern: int) -> bool:
    """Whether it is the fastest, or takes least, of those with less energy above the limit."""
    less = [row for row in case.possible
            if row not in case.within and row["energy_j"] < case.chosen["energy_j"]]  # fmt: skip
    fastest = min(map(_iteration, less))
    least = min(row["energy_j"] for row in less)
    row = case.row(pattern)
    return row in less and (_iteration(row) == fastest or row["energy_j"] == least)


def _slower_by(case: Case, slowdown: float, error: float) -> bool:
    """Equation 5, if predicted IPC is too high for the pattern and too low for one rank."""
    at = layouts(case.measured.node)
    exact = (close(at), spread(at, case.measured.node))
    times = []
    for row, sign in ((case.chosen, 1), (case.row(1), -1)):
        true_ipc = row["ipc"] if row["pattern"] in exact else row["ipc"] / (1 + sign * error)
        compute_s = row["compute_s"] * row["ipc"] / true_ipc
        times.append(compute_s + row["communication_bound_s"])
    return case.chosen["pattern"] != 1 and _near(1 + slowdown, times[0] / times[1])


def _digits(value: float, digits: int) -> float:
    """A factor with the digits that the report has."""
    return float(f"{value:.{digits}g}")


def _missed(row: Row) -> float:
    """Error of the energy against its true value."""
    return abs(float(row["energy_j"]) / float(row["true_energy_j"]) - 1)


def _once(case: Case) -> list[int]:
    """Patterns behind a confirmed choice that ran a single time."""
    behind = {1, case.chosen["pattern"]} if case.passed else {*()}
    return [each for each, runs in case.ran.items() if each in behind and len(runs) == 1]


def _likely(case: Case) -> int | None:
    """The pattern worth most to run of those with a chance of 95 % or more."""
    found = {each: worth for each, (worth, chance, _) in case.worth.items()
             if chance >= 0.95 and worth > 1e-3}  # fmt: skip
    return max(found, key=lambda each: found[each], default=None)


def _chance(case: Case, row: Row) -> float:
    """Probability that a pattern is within the limit, by normal logs."""
    room = math.log((1 + case.limit) * _iteration(case.after[1]) / _iteration(row))
    return 0.5 * math.erfc(-room / row["doubt"] / math.sqrt(2))


def _percentile(case: Case, sign: int) -> float:
    """Time of the chosen pattern over one rank per node, at the 5th or 95th percentile."""
    row = case.after[case.chosen["pattern"]]
    slower = _iteration(row) / _iteration(case.after[1])
    return slower * math.exp(sign * 1.6448536269514722 * row["doubt"])


def _idle_w(case: Case) -> float:
    """Power of a node without ranks, by least squares over parts that differ on the node."""
    at, names = layouts(case.measured.node), _parts(case.measured.node)
    rows, watts = [], []
    for run in case.measured.training:
        use = at[run.pattern]
        parts = {"idle": 1.0, "socket": use[0], "die": use[0] * use[1], "rank": use.tasks,
                 "rank_ipc": use.tasks * run.ipc}  # fmt: skip
        if run.power_w is not None:
            rows.append([parts[name] for name in names])
            watts.append(run.power_w)
    return float(np.linalg.lstsq(np.array(rows), np.array(watts))[0][0])


def _parts(node: Layout) -> list[str]:
    """Parts of a node that are not as many as others are in every layout."""
    used = layouts(node).values()
    same = [[1 for _ in used], [each.tasks for each in used]]
    sockets = [each.processors for each in used]
    dies = [each.processors * each.dies for each in used]
    told = [*(["socket"] if sockets not in same else []),
            *(["die"] if dies not in [*same, sockets] else [])]  # fmt: skip
    return ["idle", *told, "rank", "rank_ipc"]


def _program(name: str) -> Claim:
    return lambda case, value: value == getattr(case.measured.program, name)


FACTS: dict[str, Claim] = {
    "node_hours": lambda case, value: _near(
        3600 * value, case.chosen["nodes"] * case.chosen["run_s"]
    ),
    "idle_energy": lambda case, value: (
        case.freed > 0 and _near(1 + value, case.idle_j(case.chosen) / case.row(1)["energy_j"])
    ),
    "true_slowdown": lambda case, value: _truly_slower(case, value, case.chosen["pattern"]),
    "source": lambda case, value: value == case.measured.source,
    "ranks": lambda case, value: value == case.ranks,
    "memory": _program("memory_gb"),
    "node": lambda case, value: value == "x".join(map(str, case.measured.node)),
    "sampled": lambda case, value: [*value] == [
        close(at := layouts(case.measured.node)), spread(at, case.measured.node)
    ],
    "node_memory": lambda case, value: value == case.measured.memory_gb,
    "clock": lambda case, value: value == case.measured.clock_ghz,
    "law": lambda case, value: case.simulated is not None and value == case.simulated[0],
    "instructions": _program("instructions"),
    "iterations": _program("iterations"),
    "mean_ipc": lambda case, value: _same(
        value, sum(sample.ipc for sample in case.measured.program.samples.values()) / 2
    ),
    "pairs": lambda case, value: value == len(_pairs(case)),
    "apart": lambda case, value: value == len(_gains_apart(case)),
    "constant": lambda case, value: _same(
        value, case.chosen["tasks_per_node"] ** 2 * max(1 / gain for gain in _gains_apart(case))
    ),
    "choose": lambda case, value: value == case.settings.choose,
    "threshold": lambda case, value: value == case.limit,
    "grouping": lambda case, value: value == case.settings.grouping,
    "objective": lambda case, value: value == case.settings.objective,
    "seed": lambda case, value: value == case.settings.seed,
    "codes": lambda case, value: value == case.codes,
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""


def _pairs(case: Case) -> set[tuple[int, int]]:
    traffic = case.measured.program.traffic
    ends = zip(traffic.source.tolist(), traffic.target.tolist(), strict=True)
    return {(min(pair), max(pair)) for pair in ends if pair[0] != pair[1]}


def _gains_apart(case: Case) -> list[float]:
    """What pairs gain on different nodes, against the farthest cores of one [us]."""
    measured, row, traffic = case.measured, case.chosen, case.measured.program.traffic
    noisy = case.settings.objective == "loaded" and row["tasks_per_node"] > 1
    under = row["pattern"] if noisy else None
    known = {m.sharing for m in measured.messages if m.pattern == under}
    farthest = next(kind for kind in ("node", "processor", "die") if kind in known)
    gains = dict.fromkeys(_pairs(case), 0.0)
    columns = (traffic.source, traffic.target, traffic.size_b, traffic.count)
    for source, target, size, count in zip(*(each.tolist() for each in columns), strict=True):
        within, between = (message_s(measured, under, kind, size)
                           for kind in (farthest, "network"))  # fmt: skip
        gains[min(source, target), max(source, target)] += 1e6 * count * (within - between)
    return [gain for gain in gains.values() if gain > 0]


def _predicted(case: Case, rows: list[Row]) -> bool:
    """Whether a table has these patterns with these numbers, as far as it has them."""
    slow = {True: "corrected" if case.ran else "predicted", False: None}
    both = {1, *case.ran} if 1 in case.ran else {*()}
    keys = ("ipc", "compute_s", "communication_bound_s", "run_s", "energy_j", "true_run_s")
    return [row["pattern"] for row in rows] == [row["pattern"] for row in case.rows] and all(
        row["feasible"] is own["feasible"]
        and row["chosen"] == (own["pattern"] == case.chosen["pattern"])
        and row["basis"] == ("measured" if own["pattern"] in both else slow[own["feasible"]])
        and row["choice"] == _class(case, own)
        and (
            row["energy_change"] is None
            if own.get("energy_j") is None
            else _near(1 + row["energy_change"], own["energy_j"] / case.row(1)["energy_j"])
        )
        and (
            row["idle_energy_change"] is None
            if own.get("energy_j") is None or case.least_if_idle is None
            else _near(1 + row["idle_energy_change"], case.idle_j(own) / case.row(1)["energy_j"])
        )
        and all(row.get(key) is own.get(key) or _same(row[key], own[key]) for key in keys)
        for row, own in zip(rows, case.rows, strict=True)
    )


def _class(case: Case, own: Row) -> str:
    """Whether a pattern is chosen, offered, within the limit, and likely to be so."""
    if not own["feasible"] or own["pattern"] == case.chosen["pattern"]:
        return "chosen" if own["feasible"] else "impossible"
    if own["pattern"] == 1:
        return "reference"
    if own["pattern"] not in {row["pattern"] for row in case.within}:
        return "above"
    sure = not case.ran or _chance(case, case.after[own["pattern"]]) >= 0.95
    return "within" if sure else "uncertain"


def _power(case: Case, rows: list[Row]) -> bool:
    """Whether each part counts as often as the chosen pattern has it."""
    use, ipc = layouts(case.measured.node)[case.chosen["pattern"]], case.chosen["ipc"]
    times = {"idle": 1, "socket": use[0], "die": use[0] * use[1], "rank": use.tasks,
             "rank_ipc": use.tasks * ipc}  # fmt: skip
    return [row["part"] for row in rows] == _parts(case.measured.node) and all(
        _near(row["times"], times[row["part"]]) and row["sum_w"] == row["times"] * row["watts"]
        for row in rows
    )


TABLES: dict[str, Callable[[Case, list[Row]], bool]] = {
    "power": _power,
    "tried": _tried,
    "expected": _expected,
    "patterns": _predicted,
    "left_out": lambda case, rows: all(
        _same(row["mean_error"], np.abs(case.tried[case.setting][row["code"]]).mean())
        for row in rows
    ),
}  # fmt: skip
"""Whether the rows of a table are those of the measurements."""

DUE = readers_of_runs.DUE | {
    "less-not-confirmed": lambda case: bool(_less_energy(case)),
    "truly-above": lambda case: bool(_truly_above(case)),
    "rank-file": _groups_gain,
    "bind": lambda case: case.chosen["tasks_per_node"] > 1 and not _groups_gain(case),
    "if-idle": lambda case: case.least_if_idle not in (None, case.chosen),
    "least-if-idle": lambda case: case.least_if_idle is case.chosen and len(case.within) > 1,
    "also-least": lambda case: (
        case.settings.choose == "rank" and case.settings.method in ("engine", "reference")
        and case.least_energy and len(case.within) > 1
        and not case.passed and len(case.failed) < 2
    ),
    "no-overlap": lambda case: not case.ran,
    "interval": lambda case: bool(case.ran) and case.chosen["pattern"] != 1,
    "once": lambda case: bool(_once(case)),
    "repeat": lambda case: bool(_once(case)),
    "if-wrong-mean": lambda case: (
        case.chosen["pattern"] != 1 and not case.ran and case.errors[0] < 1 <= case.errors[1]
    ),
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""
