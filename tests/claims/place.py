"""What `headroom place` states, counted again from the matrix; small requests by trying all.

Written from docs/place.md and docs/communication.md, and equation 4 of the aggregation paper.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from planner.placement.compared import PlacementSettings
from planner.placement.hierarchy import read_counted
from planner.placement.nodes import Memory
from planner.placement.placed import laid_out_as
from planner.placement.problem import place
from planner.placement.study import PlacementStudy, alone, study
from scenarios.communication.matrix import Directed, joined
from scenarios.communication.ping_pong import Curve, PingPong, bundled_ping_pong
from scenarios.remark import Remark, remark
from solvers.partition.request import Request
from tests.claims.values import always

Square = np.ndarray[Any, Any]
_FEW = 8


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    sent: Square
    nodes: dict[str, Any]
    weight: str = "bytes"
    many: Square | None = None
    settings: PlacementSettings = field(default_factory=PlacementSettings)
    compared: bool = True
    table: PingPong | None = None
    hosts: tuple[str, ...] = ()
    form: str = "matrix"
    remarks: tuple[Remark, ...] = ()
    own: Callable[[Request], Any] | None = None
    distances: dict[str, float] | None = None
    costs: dict[str, Square] = field(default_factory=dict)

    @cached_property
    def answer(self) -> PlacementStudy:
        source, target = np.indices(self.sent.shape).reshape(2, -1)
        many = None if self.many is None else self.many.ravel().astype(float)
        records = Directed(source, target, self.sent.ravel().astype(float), many)
        given = joined("some program", len(self.sent), records, form=self.form,
                       sha256="ab" * 32, remarks=self.remarks)  # fmt: skip
        how = self.settings
        found = place(
            given, algorithm=self.own or how.algorithm, weight=self.weight,  # type: ignore[arg-type]
            table=self.table, seed=how.seed, starts=how.starts, time_limit_s=how.time_limit_s,
            pins=how.pins, distances=self.distances, **self.nodes,
        )  # fmt: skip
        layout = laid_out_as(found, self.hosts)
        if self.compared:
            return study(found, layout, how, table=self.table, seconds=1.0)
        return alone(found, layout, how, table=self.table, seconds=1.0)

    @property
    def ranks(self) -> int:
        return len(self.sent)

    @cached_property
    def bytes(self) -> Square:
        return _both(self.sent)

    @cached_property
    def pairs(self) -> Square:
        """Which ranks exchange anything."""
        told = self.bytes + (0 if self.many is None else _both(self.many))
        return told > 0

    def cost(self, weight: str) -> Square:
        """What it costs to part each two ranks on different nodes."""
        if weight not in self.costs:
            self.costs[weight] = self._cost(weight)
        return self.costs[weight]

    def _cost(self, weight: str) -> Square:
        if weight == "bytes":
            return self.bytes
        if self.many is None or weight not in ("messages", "signed", "paper"):
            raise ValueError(f"{weight} cannot be told of this request")
        many = _both(self.many)
        if weight == "messages":
            return many
        table = self.table or bundled_ping_pong()
        count = np.where(self.bytes > 0, np.maximum(many, 1), many)
        size = self.bytes / np.maximum(count, 1)
        inside, between = (
            count * table.time_us(table.known(sharing), size) for sharing in ("node", "network")
        )
        if weight == "signed":
            return between - inside
        gain, apart = np.abs(between - inside), (inside > between) & self.pairs
        inverse = 1 / np.maximum(gain, 1e-3)
        constant = int(self.sizes.max()) ** 2 * inverse[apart].max(initial=0.0)
        return np.where(self.pairs, np.where(apart, inverse, constant + gain), 0.0)

    @property
    def sizes(self) -> Square:
        return np.array([len(group) for group in self.answer.placement.groups])

    @property
    def placed(self) -> Square:
        """Node of each rank."""
        part = np.empty(self.ranks, dtype=int)
        for node, group in enumerate(self.answer.placement.groups):
            part[group] = node
        return part

    @property
    def default(self) -> Square:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def cut(self, part: Square, weight: str | None = None) -> float:
        cost = self.cost(weight or self.weight)
        return float(np.triu(cost * (part[:, None] != part[None, :])).sum())

    @property
    def summed(self) -> bool:
        return "hierarchies" in self.nodes and self.weight != "paper"

    def whole(self, slot: Square) -> float:
        """Costs over all levels, of ranks on these slots: the first cores of each node.

        Nodes of these requests are pack:2 core:2.
        """
        far = self.answer.placement.levels.distances or {}
        assert [*far] == ["network", "node", "pack"]
        assert not self.distances or far.items() >= self.distances.items()
        node, pack = self.units(slot)
        cost, total = self.cost(self.weight), 0.0
        for u, v in itertools.combinations(range(self.ranks), 2):
            shared = 0 if node[u] != node[v] else 1 if pack[u] != pack[v] else 2
            total += cost[u, v] * [*far.values()][shared]
        return total

    def units(self, slot: Square) -> tuple[Square, Square]:
        """Node and socket of each rank."""
        seats = [(node, core // 2) for node, size in enumerate(self.sizes) for core in range(size)]
        node, pack = np.array(seats)[slot].T
        return node, 2 * node + pack

    def of(self, measure: str, *, default: bool = False) -> float:
        """A measure of the placement, or of the default mapping."""
        if measure == f"{self.weight}-levels":
            slot = np.arange(self.ranks) if default else self.answer.placement.mapping.slot
            return self.whole(slot)
        return self.cut(self.default if default else self.placed, measure)

    @property
    def goal(self) -> str:
        return f"{self.weight}-levels" if self.summed else self.weight

    @cached_property
    def least(self) -> float:
        """The least that any placement costs, by trying all."""
        pins = dict(self.settings.pins)
        numbers = [*self.answer.placement.nodes.numbers]
        seats = np.repeat(np.arange(len(self.sizes)), self.sizes)
        if self.summed:
            assert self.ranks <= 6
            return min(self.whole(np.array(slot)) for slot in
                       itertools.permutations(range(self.ranks)))  # fmt: skip
        assert self.ranks <= _FEW
        parts = {*itertools.permutations(seats.tolist())} if self.ranks <= 6 else _parts(seats)
        return min(
            self.cut(np.array(part))
            for part in parts
            if all(numbers[part[rank]] == node for rank, node in pins.items())
        )

    @property
    def better(self) -> bool:
        return self.of(self.goal) < self.of(self.goal, default=True) - 1e-9

    @property
    def proved(self) -> bool:
        return _same(self.answer.bound, self.of(self.goal))

    def on_node(self, part: Square) -> Square:
        """What each node exchanges with others."""
        cost = self.cost(self.weight)
        return np.array([cost[np.ix_(part == node, part != node)].sum()
                         for node in range(len(self.sizes))])  # fmt: skip

    @property
    def gains(self) -> bool:
        """A gain of a hundredth or more, between nodes or over all levels."""
        return self.better and any(
            self.of(measure, default=True) - self.of(measure)
            >= 0.01 * abs(self.of(measure, default=True))
            for measure in {self.goal, self.weight}
        )

    @property
    def moved(self) -> bool:
        """Whether the default mapping breaks a pin."""
        numbers = [*self.answer.placement.nodes.numbers]
        return any(numbers[self.default[rank]] != node
                   for rank, node in self.settings.pins.items())  # fmt: skip

    @cached_property
    def tried(self) -> dict[str, float]:
        """What the placement of each method costs."""
        found = {}
        for each in self.answer.tried:
            part = np.empty(self.ranks, dtype=int)
            for node, group in enumerate(each.placement.groups):
                part[group] = node
            found[each.name] = (self.whole(each.placement.mapping.slot) if self.summed
                                else self.cut(part))  # fmt: skip
        return found

    @property
    def other_is_better(self) -> bool:
        return bool(self.of(self.goal) - min(self.tried.values()) > 1e-6)


def _both(directed: Square) -> Square:
    """Both directions of a directed matrix, without what ranks send to themselves."""
    both = (directed + directed.T).astype(float)
    np.fill_diagonal(both, 0.0)
    return both


def _parts(seats: Square) -> set[tuple[int, ...]]:
    """Every way to fill the seats, rank by rank."""
    made: set[tuple[int, ...]] = {()}
    room = np.bincount(seats)
    for _ in seats:
        made = {(*part, node) for part in made for node in range(len(room))
                if part.count(node) < room[node]}  # fmt: skip
    return made


CROSSED = np.array([[7, 1, 1, 100], [1, 0, 100, 1], [1, 100, 0, 1], [100, 1, 1, 0]])
"""Ranks 0 and 3, and 1 and 2 exchange 200 bytes, all others 2; rank 0 talks to itself."""
LINE = np.array([[0, 9, 0, 0], [0, 0, 1, 0], [0, 0, 0, 9], [0, 0, 0, 0]])
PACKED = [read_counted("pack:2 core:2")]


_FROM_1 = remark("ranks-from-1", ranks=(4, "rank"))
_REPEATED = remark("times-repeated", sizes=(3, "size"))


def _table(
    network: tuple[float, ...], node: tuple[float, ...], source: str = "",
    at: tuple[float, ...] = (0.0, 1000.0),
) -> PingPong:  # fmt: skip
    sizes = np.array(at)
    curves = {"node": Curve(sizes, np.array(node)), "network": Curve(sizes, np.array(network))}
    remarks = (_REPEATED,) if source else ()
    return PingPong("times.csv", curves, source, "cd" * 32, remarks)  # type: ignore[arg-type]


def dealt(request: Request) -> list[int]:
    """Ranks dealt out to the nodes like cards."""
    part, left = [], list(request.capacities)
    for rank in range(request.graph.vertices):
        node = max(range(len(left)), key=lambda k: (left[k], -((k - rank) % len(left))))
        left[node] -= 1
        part.append(node)
    return part


def cases() -> Iterator[Case]:
    """Requests at the edges: each answer, each doubt, each way to be read."""
    how, many = PlacementSettings, np.ones((4, 4))
    yield Case(CROSSED, {"nodes": 2}, many=np.ceil(CROSSED / 50))
    yield Case(np.diag([5, 0, 0, 0]), {"nodes": 2})
    yield Case(LINE, {"nodes": 2}, form="edges", remarks=(_FROM_1,))
    yield from _started()
    yield from drawn(106)  # no method is better than the default, and none proves it
    slight = np.zeros((4, 4))
    slight[0, 2] = slight[1, 3] = 1001
    slight[0, 1] = slight[2, 3] = 1000
    yield Case(slight, {"nodes": 2}, form="metis")
    yield Case(LINE, {"nodes": 2}, settings=how(pins={0: 1}))
    yield Case(CROSSED, {"nodes": 2}, settings=how("order"))
    yield Case(CROSSED, {"nodes": 2}, settings=how("order"), compared=False)
    yield Case(LINE, {"nodes": 2}, own=dealt, settings=how("dealt"), compared=False)
    six = np.triu(np.random.default_rng(1).integers(0, 9, (6, 6)), 1)
    yield Case(six, {"nodes": 3}, own=dealt, settings=how("dealt"), compared=False)
    yield Case(six, {"nodes": 3}, settings=how("kl", time_limit_s=1e-9), hosts=("a", "b", "c"))
    yield Case(six, {"hierarchies": PACKED})
    yield Case(six, {"hierarchies": PACKED}, distances={"network": 70.0, "node": 7.0, "pack": 2.0})
    yield Case(six, {"hierarchies": [read_counted("pack:2 core:2 pu:1(indexes=core:pack)")]})
    inner = np.zeros((8, 8))
    inner[0, 3] = inner[1, 2] = inner[4, 7] = inner[5, 6] = 100
    yield Case(inner, {"hierarchies": PACKED}, "paper", many=np.sign(inner))
    joined = inner.copy()
    joined[0, 1] = joined[4, 5] = 10
    yield Case(joined, {"hierarchies": PACKED}, "paper", many=np.sign(joined))
    yield Case(np.kron(np.eye(2), CROSSED)[:6, :6],
               {"hierarchies": [read_counted("5*pack:2 core:2")], "memory": Memory((4,), 2)},
               settings=how(pins={5: 3}))  # fmt: skip
    # By bytes 0-2 and 1-3 belong together; by messages 0-1 and 2-3, of 1 byte each.
    split, often = np.zeros((4, 4)), np.zeros((4, 4))
    split[0, 2] = split[1, 3] = 900
    split[0, 1] = split[2, 3] = often[0, 1] = often[2, 3] = 50
    often[0, 2] = often[1, 3] = 1
    yield Case(split, {"nodes": 2}, many=often, form="monitoring")
    yield Case(split, {"nodes": 2}, "messages", many=often, form="matrix-market")
    yield Case(split, {"nodes": 2}, "signed", many=often, form="")
    faster = _table((2.0, 2.5), (1.0, 4.0))
    yield Case(split, {"nodes": 2}, "signed", many=often, table=faster)
    yield Case(split, {"nodes": 2}, "signed", many=often, table=faster, settings=how("order"),
               compared=False)  # fmt: skip
    yield Case(six, {"nodes": 3}, "signed", many=np.sign(six), compared=False,
               table=_table((1.0, 1.0), (2.0, 2.0), "measured"), settings=how("kl"))  # fmt: skip
    yield Case(split, {"nodes": 2}, "paper", many=often, settings=how("kl"),
               table=_table((1.0, 1.0), (1.0 + 1e-12, 1.0 + 1e-12)))  # fmt: skip
    yield Case(split, {"nodes": 2}, "paper", many=often, table=_table(
        (1.0, 1.0, float(np.nextafter(2.0, 3.0))), (1.0 + 1e-6, 1.0 + 1e-6, 2.0), "",
        (0.0, 10.0, 900.0)))  # fmt: skip
    yield Case(10 * split, {"nodes": 2}, "signed", many=often, table=_table((2.0, 3.0), (1.0, 1.5)))
    for method in ("order", "dealt"):
        yield Case(100 * six, {"nodes": 3}, "signed", many=np.sign(six), table=faster,
                   own=dealt if method == "dealt" else None, settings=how(method),
                   compared=False)  # fmt: skip
    near = np.zeros((6, 6))
    near[0, 3], near[1, 5], near[2, 4], near[1, 4], near[2, 5] = 100, 50, 50, 20, 20
    yield Case(near, {"nodes": 3}, own=dealt, settings=how("dealt"))
    close = np.triu(2 + np.kron(np.eye(2), np.ones((4, 4))), 1)
    close[0, 5] = 1
    yield Case(close, {"nodes": 2}, settings=how("kl"), compared=False)
    yield Case(six, {"nodes": 3}, settings=how("kl", time_limit_s=1e-9), compared=False)
    eight = np.triu(np.random.default_rng(5).integers(1, 9, (8, 8)), 1)
    yield Case(eight, {"nodes": 2}, settings=how(time_limit_s=1e-9), many=many.repeat(2, 0)
               .repeat(2, 1))  # fmt: skip


def _started() -> Iterator[Case]:
    """Requests for each launcher: hosts, lists of cores, and their numbers."""
    how = PlacementSettings
    yield Case(CROSSED, {"nodes": 2}, settings=how(form="mpich"))
    yield Case(CROSSED, {"hierarchies": PACKED}, settings=how(form="slurm"))
    listed = [read_counted("pack:2 core:2 pu:1(indexes=0,2,1,3)")]
    yield Case(CROSSED, {"hierarchies": listed}, settings=how(form="slurm"), hosts=("a",))
    yield Case(LINE, {"nodes": 2}, hosts=("a", "slot"))
    yield Case(LINE, {"nodes": 2}, hosts=("a_1", "b"))
    yield Case(LINE, {"nodes": 2}, hosts=("a_1", "b"), settings=how(form="openmpi-4"))
    inner = np.zeros((8, 8))
    inner[0, 1] = inner[2, 3] = inner[4, 6] = inner[5, 7] = 100
    for form in ("slurm", "mpich"):  # 0 to 3 on a node and 4 to 7, on cores in another order
        settings = PlacementSettings(form=form)
        yield Case(inner, {"hierarchies": PACKED}, "paper", many=np.sign(inner), settings=settings)


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    ranks = int(rng.integers(2, _FEW + 1))
    square = rng.integers(0, int(rng.choice([2, 9, 1000])), (ranks, ranks))
    square = square * (rng.random((ranks, ranks)) < rng.choice([0.1, 0.4, 1.0]))
    nodes: dict[str, Any] = {"nodes": int(rng.integers(1, ranks + 1))}
    if ranks <= 6 and rng.random() < 0.2:
        nodes = {"hierarchies": PACKED}
    weight = "bytes" if "hierarchies" in nodes else str(rng.choice(
        ["bytes", "messages", "signed", "paper"]))  # fmt: skip
    method = str(rng.choice(["portfolio", "kl", "order", "multilevel"]))
    yield Case(
        square, nodes, weight, many=np.ceil(square / int(rng.choice([1, 50]))),
        settings=PlacementSettings(method, seed=seed), compared=rng.random() < 0.5,
    )  # fmt: skip


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def _use(case: Case, nodes: int, measure: str) -> bool:
    return nodes == len(case.sizes) and case.better and measure in {case.goal, case.weight}


def _changed(case: Case, measure: str, change: float) -> bool:
    return _same(1 + change, case.of(measure) / case.of(measure, default=True))


def _part(case: Case, mapping: Square) -> float:
    """Share of all traffic between nodes; 0 where a cost is below 0."""
    cost = np.triu(case.cost(case.weight))
    return case.cut(mapping) / float(cost.sum()) if cost.sum() > 0 and not (cost < 0).any() else 0.0


def _pair(case: Case, measure: str, now: float, before: float) -> bool:
    return _same(now, case.of(measure)) and _same(before, case.of(measure, default=True))


def _kept(case: Case, nodes: int) -> bool:
    return nodes == len(case.sizes) and not case.moved and not case.better


def _equal(case: Case) -> bool:
    return _same(case.of(case.goal), case.of(case.goal, default=True))


def _gap(case: Case, gap: float, limit: float) -> bool:
    value = case.of(case.goal)
    return _limit(case, limit) and _same(gap, (value - limit) / value) and value > 0


def _limit(case: Case, limit: float) -> bool:
    """No placement is below, and no method that ran proved more."""
    proved = max(each.bound for each in case.answer.tried)
    below = limit <= case.least + 1e-9
    return bool(below and _same(limit, min(proved, case.of(case.goal))) and not case.proved)


def _late(case: Case, methods: tuple[str, ...], limit: float) -> bool:
    ran = [each.name for each in case.answer.tried]
    steady = set() if case.summed else {"order", "dynamic", "matching"}
    return bool(
        limit == case.settings.time_limit_s
        and methods
        and [*methods] == [name for name in ran if name in methods]
        and not steady & {*methods}
    )


def _worse_by(case: Case, measure: str, now: float, before: float) -> bool:
    worse = now - before > 1e-3 * abs(before)
    return worse and measure != case.weight and _pair(case, measure, now, before)


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(", "):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


def _silent(case: Case, ranks: int, which: str) -> bool:
    quiet = [rank for rank in range(case.ranks) if not case.pairs[rank].any()]
    return ranks == len(quiet) > 0 and _numbers(which) == quiet


def _unused(case: Case, nodes: tuple[int, int], which: str) -> bool:
    given = case.answer.placement.nodes.offered
    used = {*case.answer.placement.nodes.numbers.tolist()}
    left = [node for node in range(given) if node not in used]
    return nodes == (len(left), given) and bool(left) and _numbers(which) == left


def _times(case: Case) -> bool:
    return case.weight in ("signed", "paper")


def _outside(case: Case, sizes: tuple[int, int]) -> bool:
    table = case.table or bundled_ping_pong()
    low, high = np.nonzero(np.triu(case.pairs))
    assert case.many is not None
    count = np.where(case.bytes > 0, np.maximum(_both(case.many), 1), _both(case.many))
    size = (case.bytes / np.maximum(count, 1))[low, high]
    ends = [table.curves[table.known(name)].bytes for name in ("node", "network")]
    off = max(int(((size < each[0]) | (size > each[-1])).sum()) for each in ends)
    return _times(case) and sizes == (off, len(low)) and off > 0


def _tiny(case: Case, *, apart: bool) -> int:
    """Pairs that gain less than the floor apart; or whose gain together adds nothing to C."""
    gain = np.triu(case.cost("signed"))
    if apart:
        return int(((gain < 0) & (gain > -1e-3)).sum())
    cost = np.triu(case.cost("paper"))
    floor = cost[gain < 0].max(initial=0.0) * int(case.sizes.max()) ** 2
    return int(((gain > 0) & (cost == floor)).sum())


def _lost(case: Case, pairs: int, constant: float) -> bool:
    apart = np.triu(case.cost("signed")) < 0
    largest = np.triu(case.cost("paper"))[apart].max() * int(case.sizes.max()) ** 2
    return pairs == _tiny(case, apart=False) > 0 and _same(constant, largest)


def _better_method(case: Case, method: str, value: float) -> bool:
    least = min(case.tried.values())
    return case.other_is_better and _same(value, least) and _same(case.tried[method], least)


def _shares(case: Case, leave: float, inmost: float) -> bool:
    slot, total = case.answer.placement.mapping.slot, np.triu(case.bytes).sum()
    outer, inner = case.units(slot)
    out = np.triu(case.bytes * (outer[:, None] != outer[None, :])).sum() / total
    close = np.triu(case.bytes * (inner[:, None] == inner[None, :])).sum() / total
    return _same(leave, out) and _same(inmost, close)


def _parted(case: Case, part: Square) -> int:
    costly = case.pairs & (case.cost(case.weight) != 0)
    return int(np.triu(costly & (part[:, None] != part[None, :])).sum())


def _costly(case: Case) -> int:
    """Pairs of ranks whose exchange costs something."""
    return int(np.triu(case.pairs & (case.cost(case.weight) != 0)).sum())


def _instead(case: Case, method: str, measure: str, change: float) -> bool:
    """The default mapping, or the best of the other methods that found more."""
    own = case.of(case.goal)
    worse = [value for name, value in case.tried.items()
             if name != "order" and value - own > 1e-6]  # fmt: skip
    value = case.of(case.goal, default=True) if method == "order" else case.tried[method]
    is_next = case.better if method == "order" else _same(value, min(worse))
    return is_next and measure == case.goal and own > 0 and _same(1 + change, value / own)


def _other_size(case: Case, ranks: int, nodes: int, now: float, before: float) -> bool:
    """The number of ranks per node at which groups gain most against consecutive ranks."""
    found = {}
    for each in case.answer.sizes:
        order = case.cut(np.arange(case.ranks) // each.tasks)
        found[each.tasks] = case.cut(each.partition.part), order
    most = max(1 - cut / order for cut, order in found.values() if order > 0)
    own = found[ranks]
    return (
        nodes == -(-case.ranks // ranks)
        and _same(now, own[0]) and _same(before, own[1])
        and most >= 0.01 and _same(1 - own[0] / own[1], most)
    )  # fmt: skip


def _default(case: Case, value: float) -> bool:
    total = np.triu(case.cost(case.weight)).sum()
    known = [case.cut(case.default)]
    known += [case.cut(case.default) / total] if total > 0 else []
    known += [case.of(case.goal, default=True)]
    return any(_same(value, each) for each in known)


_RANKFILES = ("openmpi-4", "openmpi-5")
_COMMANDS = {
    "openmpi-4": ("mpirun -n {} ", "--rankfile rank-files/openmpi-4.txt PROGRAM"),
    "openmpi-5": ("mpirun -n {} ", " rankfile:file=rank-files/openmpi-5.txt PROGRAM"),
    "slurm": ("SLURM_HOSTFILE=rank-files/slurm.txt srun --ntasks={} ", " PROGRAM"),
    "mpich": ("mpiexec -n {} -f rank-files/mpich.txt", " PROGRAM"),
}
"""How the command of a form begins and ends."""


def _again(case: Case) -> int:
    """Nodes that are named again, in order of the ranks, after another one."""
    part = case.placed.tolist()
    named = [node for rank, node in enumerate(part) if not rank or part[rank - 1] != node]
    return sum(named.count(node) > 1 for node in {*named})


def _several_lists(case: Case) -> bool:
    """Whether nodes differ in the cores of their ranks, in order of these."""
    slot, placed = case.answer.placement.mapping.slot, case.placed
    firsts = np.cumsum([0, *case.sizes[:-1]])
    lists = [(slot[placed == node] - first).tolist() for node, first in enumerate(firsts.tolist())]
    longest = max(lists, key=len)
    return any(each != longest[: len(each)] for each in lists)


def _by_script(case: Case) -> str:
    """Why a script binds the ranks; empty where the command of the launcher does."""
    form = case.settings.form
    if form == "mpich" and _again(case):
        return "each time"
    return "one list" if form in ("slurm", "mpich") and _several_lists(case) else ""


def _numbers_of(case: Case) -> str:
    """What numbers of cores are in the rank file, or in the command."""
    sockets = "hierarchies" in case.nodes  # nodes of these have two cores on each socket
    if case.settings.form in _RANKFILES:
        return "logical" if sockets else "slots"
    listed = sockets and any("indexes=0" in str(shape) for _, shape in case.nodes["hierarchies"])
    return "system" if listed else "counted"


def _unread(case: Case) -> list[str]:
    """Hosts whose names Open MPI does not read in a rankfile."""
    keywords = ("rank", "slot", "slots", "username", "user-name", "user_name")
    return [
        host for host in case.hosts
        if (case.settings.form in _RANKFILES and host in keywords)
        or (case.settings.form == "openmpi-4" and "_" in host)
    ]  # fmt: skip


def _not_run(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Methods that a request of at most eight ranks does not suit."""
    sizes, due = {*case.sizes.tolist()}, {}
    if case.settings.pins:
        due["networkx-kl"] = "pins"
    if sizes != {2}:
        due["matching"] = "two"
    if find_spec("pymetis") is None:
        due["metis"] = "missing"
    elif case.cost(case.weight).min() < 0:
        due["metis"] = "negative"
    elif len(sizes) > 1:
        due["metis"] = "sizes"
    due.pop(case.settings.algorithm, None)
    return due == {row["algorithm"]: row["why"] for row in rows} and not any(
        row["most"] for row in rows
    )


def _sizes(case: Case, sizes: tuple[int, ...]) -> bool:
    """Numbers of ranks per node at which groups cost a hundredth less than consecutive ranks."""
    own = max(case.sizes)
    due = {size for size in (own // 4, own // 2, 2 * own, 4 * own) if 2 <= size < case.ranks}
    assert {each.tasks for each in case.answer.sizes} == due
    gains = []
    for each in case.answer.sizes:
        before = case.cut(np.arange(case.ranks) // each.tasks)
        if before - case.cut(each.partition.part) >= 0.01 * abs(before) > 0:
            gains.append(each.tasks)
    return [*sizes] == gains


def _agree(case: Case, costs: tuple[str, ...]) -> bool:
    """Costs for which the groups were not made, and by which they lose nothing."""
    counted = ("messages", "signed") if case.many is not None else ()
    others = {"bytes", *counted} - {case.weight}
    pairs = [(other, case.of(other), case.of(other, default=True)) for other in others]
    kept = {name for name, now, before in pairs if now - before <= 1e-3 * abs(before) + 1e-9}
    return {*costs} == kept != set()


TABLES = {"not run": _not_run}


def _found_by(case: Case, methods: tuple[str, ...]) -> bool:
    return [*methods] == case.answer.placement.partition.method.split(", ")


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, ranks, program: ranks == case.ranks and program == "some program",
    "use": lambda case, nodes, measure, change: (
        _use(case, nodes, measure) and _changed(case, measure, change)
        and (case.gains or case.moved)
    ),
    "use-from": lambda case, nodes, measure, now, before: (
        _use(case, nodes, measure) and before <= 0 and _pair(case, measure, now, before)
    ),
    "slight": lambda case, measure, change: (
        case.better and not case.gains and _changed(case, measure, change)
    ),
    "pins": lambda case, nodes: nodes == len(case.sizes) and case.moved and not case.better,
    "other-method": lambda case, method, measure, less, own: (
        _better_method(case, method, less) and measure == case.goal
        and _same(own, case.of(case.goal)) and not case.better
    ),
    "within-only": lambda case: (
        case.weight == "paper" and "hierarchies" in case.nodes
        and _same(case.cut(case.placed), case.cut(case.default))
        and [*case.placed] == [*case.default]
        and [*case.answer.placement.mapping.slot] != [*range(case.ranks)]
    ),
    "default-silent": lambda case, nodes: _kept(case, nodes) and not case.pairs.any(),
    "default-worse": lambda case, nodes: _kept(case, nodes) and not _equal(case),
    "default-optimal": lambda case, nodes: (
        _kept(case, nodes) and _same(case.least, case.of(case.goal, default=True))
    ),
    "default-best": lambda case, nodes: (
        _kept(case, nodes) and _equal(case) and not case.proved and not case.other_is_better
    ),
    "default-only": lambda case, nodes: (
        _kept(case, nodes) and not case.compared and case.settings.algorithm == "order"
    ),
    "optimal": lambda case: _same(case.least, case.of(case.goal)),
    "gap": _gap,
    "limit": lambda case, limit: _limit(case, limit) and case.of(case.goal) <= 0,
    "unknown-limit": lambda case: case.own is not None and not case.compared,
    "found-by": lambda case, methods: (
        case.settings.algorithm != "portfolio" and _found_by(case, methods)
    ),
    "found-by-portfolio": lambda case, methods: (
        case.settings.algorithm == "portfolio" and _found_by(case, methods)
    ),
    "read-as": lambda case, form: form == case.form != "",
    "default": _default,
    "ranks-per-node": lambda case, ranks: ranks == (min(case.sizes), max(case.sizes)),
    "times-assumed": lambda case, table: (
        _times(case) and case.table is None and table == bundled_ping_pong().name
    ),
    "sizes-outside": _outside,
    "floored": lambda case, pairs, least: (
        least == 1e-3 and pairs == _tiny(case, apart=True) > 0
    ),
    "lost": _lost,
    "distances-assumed": lambda case, levels: (
        "hierarchies" in case.nodes and not case.distances
        and [*levels] == ["network", "node", "pack"]
    ),
    "better-method": lambda case, method, value: (
        _better_method(case, method, value) and (case.better or case.moved)
    ),
    "late": _late,
    "late-sizes": lambda case, limit: (
        limit == case.settings.time_limit_s and any(size.late for size in case.answer.sizes)
    ),
    "worse-by": _worse_by,
    "logical-numbers": lambda case, indexes: any(
        f"indexes={indexes})" in str(shape) for _, shape in case.nodes["hierarchies"]
    ) and not indexes[:1].isdigit(),
    "silent": _silent,
    "unused": _unused,
    "use-method": lambda case, method: (
        _better_method(case, method, min(case.tried.values())) and not case.better
    ),
    "start": lambda case, file: (
        (case.gains or case.moved)
        and file == f"rank-files/{case.settings.form}.txt"
        and not (case.other_is_better and not case.better)
    ),
    "hosts": lambda case: not case.hosts,
    "core-numbers": lambda case, numbers: numbers == _numbers_of(case),
    "in-allocation": lambda case: case.settings.form in _RANKFILES,
    "whole-nodes": lambda case: case.settings.form == "slurm",
    "by-script": lambda case, script, why: (
        script == "rank-files/bind.sh" and why == _by_script(case) != ""
    ),
    "hosts-again": lambda case, hosts: (
        case.settings.form == "mpich" and hosts == (_again(case), len(case.sizes))
    ),
    "host-unread": lambda case, host: host == next(iter(_unread(case))),
    "ranks-from-1": lambda case, ranks: (
        remark("ranks-from-1", ranks=(ranks, "rank")) in case.remarks
    ),
    "times-repeated": lambda case, sizes: (
        _times(case) and remark("times-repeated", sizes=(sizes, "size")) in case.table.remarks
    ),
    "compare-runs": lambda case: case.gains or case.moved,
    "as-before": lambda case: not case.gains and not case.moved,
    "more-time": lambda case: case.settings.time_limit_s is not None and not case.proved
    and any(each.late for each in case.answer.tried),
    "measure-times": lambda case: (
        (_times(case) or (case.compared and case.many is not None)) and case.table is None
    ),
    "matrix": lambda case, now, before: (
        _pair(case, case.weight, now, before) and not _part(case, case.placed)
    ),
    "matrix-shares": lambda case, now, before, part, default: (
        _pair(case, case.weight, now, before) and _same(part, _part(case, case.placed))
        and _same(default, _part(case, case.default))
    ),
    "least": lambda case, methods: [*methods] == [
        name for name, value in case.tried.items() if value - min(case.tried.values()) <= 1e-9
    ],
    "busiest": lambda case, now, before: (
        _same(now, case.on_node(case.placed).max())
        and _same(before, case.on_node(case.default).max())
    ),
    "stay": _shares,
    "parted": lambda case, pairs: pairs == (_parted(case, case.placed), _costly(case)),
    "run-time": always,
    "split": lambda case, now, before, pairs: (now, before, pairs) == (
        _parted(case, case.placed), _parted(case, case.default), _costly(case)
    ) and case.better and now < before,
    "costs-agree": _agree,
    "instead": _instead,
    "other-size": _other_size,
    "one-run": always,
    "kinds-unknown": lambda case: case.form != "monitoring",
    "flat-network": lambda case: len(case.sizes) > 2,
    "moved": lambda case, ranks: ranks == (sum(case.placed != case.default), case.ranks),
    "node-pairs": lambda case, pairs: (
        pairs == (len(_node_pairs(case)), len(case.sizes) * (len(case.sizes) - 1) // 2)
    ),
    "most-exchanged": lambda case, node, other, most: (
        _same(most, max(_node_pairs(case).values()))
        and _same(most, _node_pairs(case)[_index(case, node), _index(case, other)])
    ),
    "sizes-gain": _sizes,
    "exchanged": lambda case, pairs, sent, largest: (
        pairs == (int(np.triu(case.pairs).sum()), case.ranks * (case.ranks - 1) // 2)
        and sent == _counted(case, case.sent, own=False) and largest == case.bytes.max()
    ),
}  # fmt: skip


def _node_pairs(case: Case) -> dict[tuple[int, int], float]:
    """Pairs of nodes with ranks whose exchange costs something, and what it costs."""
    cost, found = case.cost(case.weight), dict[tuple[int, int], float]()
    for u, v in np.argwhere(np.triu(case.pairs & (cost != 0))):
        low, high = sorted((int(case.placed[u]), int(case.placed[v])))
        if low != high:
            found[low, high] = found.get((low, high), 0.0) + float(cost[u, v])
    return found


def _index(case: Case, number: int) -> int:
    """Which of the nodes with ranks has a number."""
    return int(case.answer.placement.nodes.numbers.tolist().index(number))


def _counted(case: Case, given: Square | None, *, own: bool) -> float:
    assert given is not None
    return float(np.trace(given) if own else given.sum() - np.trace(given))


def _pins(case: Case, pins: tuple[str, ...]) -> bool:
    told = {rank: int(node) for text in pins for ranks, _, node in [text.partition(" = ")]
            for rank in _numbers(ranks)}  # fmt: skip
    return told == dict(case.settings.pins)


FACTS: dict[str, Claim] = {
    "nodes": lambda case, value: value == len(case.sizes),
    "between": lambda case, value: _same(value, case.cut(case.placed)),
    "levels": lambda case, value: case.summed and _same(value, case.of(case.goal)),
    "share": lambda case, value: _same(
        value, case.cut(case.placed) / np.triu(case.cost(case.weight)).sum()
    ),
    "method": lambda case, value: value == case.settings.algorithm,
    "seed": lambda case, value: value == case.settings.seed,
    "starts": lambda case, value: value == case.settings.starts,
    "time_limit": lambda case, value: value == case.settings.time_limit_s,
    "start_command": lambda case, value: (
        value.startswith(_COMMANDS[case.settings.form][0].format(case.ranks))
        and value.endswith(_COMMANDS[case.settings.form][1])
        and ("sh rank-files/bind.sh" in value) == bool(_by_script(case))
    ),
    "slurm_command": lambda case, value: (
        value.startswith(f"SLURM_HOSTFILE=rank-files/slurm.txt srun --ntasks={case.ranks} ")
        and value.endswith(" PROGRAM")
    ),
    "messages": lambda case, value: value == _counted(case, case.many, own=False),
    "mean_message": lambda case, value: _same(
        value * _counted(case, case.many, own=False), _counted(case, case.sent, own=False)
    ),
    "self_bytes": lambda case, value: value == _counted(case, case.sent, own=True),
    "self_messages": lambda case, value: value == _counted(case, case.many, own=True) > 0,
    "traffic": lambda case, value: value == ("all" if case.form == "monitoring" else "unknown"),
    "times": lambda case, value: value == (case.table or bundled_ping_pong()).name,
    "times_source": lambda case, value: value == (case.table or bundled_ping_pong()).source,
    "hierarchies": lambda case, value: [*value] == [
        *dict.fromkeys(str(shape) for _, shape in case.nodes["hierarchies"])
    ],
    "fill": lambda case, value: value == "packed",
    "threads": lambda case, value: value == 1,
    "node_memory": lambda case, value: value == case.nodes["memory"].node_gb,
    "rank_memory": lambda case, value: value == case.nodes["memory"].task_gb,
    "pins": _pins,
}  # fmt: skip

DUE: dict[str, Claim] = {
    "hosts": lambda case: not case.hosts,
    "core-numbers": always,
    "in-allocation": FINDINGS["in-allocation"],
    "whole-nodes": FINDINGS["whole-nodes"],
    "by-script": lambda case: bool(_by_script(case)),
    "hosts-again": lambda case: case.settings.form == "mpich" and _again(case) > 0,
    "host-unread": lambda case: bool(_unread(case)),
    "ranks-from-1": lambda case: _FROM_1 in case.remarks,
    "times-repeated": lambda case: (
        _times(case) and case.table is not None and _REPEATED in case.table.remarks
    ),
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""

NEVER_HERE = {"not-bound", "hostfile", "rename"}
"""What no case has; tests/planner/placement/test_rank_files.py has the last three."""
