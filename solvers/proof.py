"""The *proved* level: a branch and bound whose every step is checked in fractions.

HiGHS solves the relaxations and suggests multipliers; nothing that it says is believed. A node
is closed only by an exact dual bound or an exact Farkas certificate, an incumbent counts only
if it is exactly feasible. A wrong solver can make this slow, never wrong.

References
----------
Neumaier and Shcherbina, *Safe bounds in linear and mixed-integer linear programming*,
Mathematical Programming 99 (2004): bounds from any multipliers over a box. They round
directedly; here the arithmetic is rational.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from solvers.exact import ExactModel, solve_rational
from solvers.highs import Relaxation, RelaxationAnswer
from solvers.milp import Floats, Milp
from solvers.result import Status

GAP = Fraction(1, 10**9)
"""A node is closed when its bound is within this relative distance of the incumbent."""
_LARGEST_BASIS = 120
_INTEGRAL = 1e-6


@dataclass(frozen=True, eq=False)
class Proof:
    """What was proved.

    Attributes
    ----------
    point, objective
        The best exactly feasible point and its exact value (user's sense), or ``None``.
    bound
        Exact bound (user's sense); ``None`` if infinite.
    infeasible
        Every node was closed and no point exists.
    unbounded
        There is a feasible point and an exact improving direction.
    complete
        No node was left open.
    """

    point: tuple[Fraction, ...] | None
    objective: Fraction | None
    bound: Fraction | None
    infeasible: bool
    unbounded: bool
    complete: bool
    nodes: int


@dataclass(frozen=True, eq=False)
class _Node:
    lower: Floats
    upper: Floats
    bound: Fraction | None  # from the parent; None: minus infinity


@dataclass
class _Search:
    """State of the search; everything is minimised in here."""

    model: Milp
    exact: ExactModel
    relaxation: Relaxation
    point: tuple[Fraction, ...] | None = None
    objective: Fraction | None = None
    box: tuple[list[int | None], list[int | None]] = field(default_factory=lambda: ([], []))
    closed: list[Fraction | None] = field(default_factory=list)
    unresolved: bool = False
    nodes: int = 0

    def accept(self, point: Sequence[Fraction] | None) -> None:
        """Keep the point if it is exactly feasible and the best so far."""
        if point is None or not self.exact.is_feasible(point):
            return
        value = self.exact.objective(point)
        if self.objective is None or value < self.objective:
            self.point, self.objective = tuple(point), value
            self.box = self.exact.implied_box(value)

    def closes(self, bound: Fraction | None) -> bool:
        """Whether nothing below ``bound`` could still improve on the incumbent."""
        if bound is None or self.objective is None:
            return False
        return bound >= self.objective - GAP * max(1, abs(self.objective))


def prove(
    model: Milp,
    starts: Sequence[Floats] = (),
    *,
    node_limit: int = 1_000_000,
    time_limit_s: float | None = None,
) -> Proof:
    """Find and prove the optimum, or prove that there is none.

    Parameters
    ----------
    model
        Any size; the work grows like that of a plain branch and bound.
    starts
        Candidate points; their integers are rounded, their continuous part is solved for.
    node_limit, time_limit_s
        Where to give up; the bound reached until then is still exact.
    """
    exact = ExactModel(model)
    search = _Search(model, exact, Relaxation(model), box=exact.implied_box(None))
    for start in starts:
        search.accept(_exact_point(search, start))
    root = _Node(_floats(exact.lower, exact, -np.inf), _floats(exact.upper, exact, np.inf), None)
    stack = [root]
    began = time.monotonic()
    unbounded = False
    while stack and search.nodes < node_limit:
        if time_limit_s is not None and time.monotonic() - began > time_limit_s:
            break
        node = stack.pop()
        if search.closes(node.bound):
            search.closed.append(node.bound)
            continue
        search.nodes += 1
        answer = search.relaxation.solve(node.lower, node.upper)
        if answer.status is Status.UNBOUNDED and _has_ray(model):
            unbounded = _has_point(model)
            search.unresolved = True
            break
        stack.extend(_expand(search, node, answer))
    return _conclude(search, [node.bound for node in stack], unbounded=unbounded)


def _expand(search: _Search, node: _Node, answer: RelaxationAnswer) -> list[_Node]:
    """Close a node or split it; the child to look at first comes last."""
    if (node.lower > node.upper).any() or _is_empty(search, node, answer):
        return []
    bound = _node_bound(search, node, answer)
    if bound is None:
        bound = node.bound
    elif node.bound is not None:
        bound = max(bound, node.bound)
    if search.closes(bound):
        search.closed.append(bound)
        return []
    column = _fractional(search.model, answer)
    if column is None and answer.x is not None:
        before = search.objective
        search.accept(_exact_point(search, answer.x))
        if search.objective != before or search.closes(bound):
            fresh = _node_bound(search, node, answer)
            bound = fresh if bound is None or (fresh is not None and fresh > bound) else bound
        if search.closes(bound):
            search.closed.append(bound)
            return []
    if column is None:
        column = _widest(search.model, node)
    if column is None:
        if search.exact.excludes(*_box(search, node)):
            return []
        if answer.status is Status.OPTIMAL:
            bound = _better(bound, _basis_bound(search, node))
        search.closed.append(bound)
        search.unresolved |= not search.closes(bound)
        return []
    return _split(node, column, answer, bound)


def _is_empty(search: _Search, node: _Node, answer: RelaxationAnswer) -> bool:
    """Exact Farkas test of the ray that the relaxation suggests."""
    if answer.status is not Status.INFEASIBLE or answer.multipliers is None:
        return False
    lower, upper = _box(search, node)
    for ray in (answer.multipliers, -answer.multipliers):
        margin = search.exact.dual_bound(ray, lower, upper, with_cost=False)
        if margin is not None and margin > 0:
            return True
    return False


def _node_bound(search: _Search, node: _Node, answer: RelaxationAnswer) -> Fraction | None:
    if answer.status is not Status.OPTIMAL or answer.multipliers is None:
        return None
    bound = search.exact.dual_bound(answer.multipliers, *_box(search, node))
    return _basis_bound(search, node) if bound is None else bound


def _basis_bound(search: _Search, node: _Node) -> Fraction | None:
    """Bound from the basis solved exactly: needed where a free column has no box to rest on."""
    columns_basic, rows_basic = search.relaxation.basis()
    basic = np.flatnonzero(columns_basic).tolist()
    tight = np.flatnonzero(~rows_basic).tolist()
    if len(basic) != len(tight) or len(basic) > _LARGEST_BASIS:
        return None
    place = {column: k for k, column in enumerate(basic)}
    system: list[dict[int, Fraction]] = [{} for _ in basic]
    for k, row in enumerate(tight):
        for column, coefficient in search.exact.rows[row]:
            if column in place:
                system[place[column]][k] = Fraction(coefficient)
    multipliers = solve_rational(system, [Fraction(search.exact.cost[j]) for j in basic])
    if multipliers is None:
        return None
    denominator = math.lcm(*(value.denominator for value in multipliers))
    weights = [0] * len(search.exact.rows)
    for k, row in enumerate(tight):
        weights[row] = int(multipliers[k] * denominator)
    return search.exact.weighted_bound(weights, denominator, *_box(search, node))


def _box(search: _Search, node: _Node) -> tuple[list[int | None], list[int | None]]:
    """The node's box for integer columns, the implied one for the rest, in exact units."""
    scale = search.exact.scale
    lower, upper = list(search.box[0]), list(search.box[1])
    for column in np.flatnonzero(search.model.is_integer).tolist():
        if np.isfinite(node.lower[column]):
            whole, known = int(node.lower[column]) * scale, lower[column]
            lower[column] = whole if known is None else max(known, whole)
        if np.isfinite(node.upper[column]):
            whole, known = int(node.upper[column]) * scale, upper[column]
            upper[column] = whole if known is None else min(known, whole)
    return lower, upper


def _exact_point(search: _Search, x: Floats) -> list[Fraction] | None:
    """Round the integers; solve for the continuous columns exactly on a basis."""
    model = search.model
    if not np.isfinite(x).all():
        return None
    point = [Fraction(round(v)) if i else Fraction(0) for v, i in zip(x, model.is_integer, strict=True)]
    if model.is_integer.all():
        return point
    lower = np.where(model.is_integer, np.round(x), model.column_lower)
    upper = np.where(model.is_integer, np.round(x), model.column_upper)
    continuous = _without_integers(model, np.where(model.is_integer, np.round(x), 0.0))
    relaxation = Relaxation(continuous)
    kept = ~model.is_integer
    answer = relaxation.solve(lower[kept], upper[kept])
    if answer.x is None:
        return None
    values = _vertex(search.exact, model, point, answer.x, relaxation)
    if values is None:
        return None
    for column, value in zip(np.flatnonzero(kept).tolist(), values, strict=True):
        point[column] = value
    return point


def _without_integers(model: Milp, fixed: Floats) -> Milp:
    """The linear program that is left when the integer columns are fixed."""
    kept = ~model.is_integer
    shift = model.row_activity(fixed)
    keep = kept[model.column_indices]
    new_index = np.cumsum(kept) - 1
    counts = np.bincount(model.row_of_nonzero[keep], minlength=model.rows)
    return Milp(
        cost=model.cost[kept],
        row_starts=np.r_[0, np.cumsum(counts)],
        column_indices=new_index[model.column_indices[keep]],
        coefficients=model.coefficients[keep],
        row_lower=model.row_lower - shift,
        row_upper=model.row_upper - shift,
        column_lower=model.column_lower[kept],
        column_upper=model.column_upper[kept],
        is_integer=np.zeros(int(kept.sum()), dtype=np.bool_),
        sense=model.sense,
    )


def _vertex(
    exact: ExactModel,
    model: Milp,
    integers: Sequence[Fraction],
    x: Floats,
    relaxation: Relaxation,
) -> list[Fraction] | None:
    """The continuous columns as the exact solution of their basis."""
    columns_basic, rows_basic = relaxation.basis()
    every = np.flatnonzero(~model.is_integer).tolist()
    basic = [every[k] for k in np.flatnonzero(columns_basic)]
    tight = np.flatnonzero(~rows_basic).tolist()
    if len(basic) != len(tight) or len(basic) > _LARGEST_BASIS:
        return None
    values: dict[int, Fraction] = {}
    for k, column in enumerate(every):
        if not columns_basic[k]:
            side = _nearer(exact.lower[column], exact.upper[column], float(x[k]), exact.scale)
            values[column] = Fraction(side, exact.scale)
    place = {column: k for k, column in enumerate(basic)}
    activity = model.row_activity(_as_floats(model, integers, dict(zip(every, x, strict=True))))
    system: list[dict[int, Fraction]] = []
    right: list[Fraction] = []
    for row in tight:
        side = _nearer(exact.row_lower[row], exact.row_upper[row], float(activity[row]), exact.scale)
        rest = Fraction(side)
        equation: dict[int, Fraction] = {}
        for column, coefficient in exact.rows[row]:
            if column in place:
                equation[place[column]] = Fraction(coefficient)
            else:
                known = integers[column] if model.is_integer[column] else values[column]
                rest -= coefficient * known
        system.append(equation)
        right.append(rest)
    solved = solve_rational(system, right)
    if solved is None:
        return None
    values.update(zip(basic, solved, strict=True))
    return [values[column] for column in every]


def _as_floats(model: Milp, integers: Sequence[Fraction], rest: dict[int, float]) -> Floats:
    return np.array([rest.get(j, float(v)) for j, v in enumerate(integers)], dtype=np.float64)


def _nearer(low: int | None, high: int | None, value: float, scale: int) -> int:
    """The bound that a nonbasic column or row rests on (0 if it is free)."""
    if low is None:
        return 0 if high is None else high
    if high is None:
        return low
    return low if abs(value - low / scale) <= abs(value - high / scale) else high


def _fractional(model: Milp, answer: RelaxationAnswer) -> int | None:
    """The integer column farthest from a whole number."""
    if answer.x is None:
        return None
    distance = np.where(model.is_integer, np.abs(answer.x - np.round(answer.x)), 0.0)
    column = int(distance.argmax()) if len(distance) else 0
    return column if len(distance) and distance[column] > _INTEGRAL else None


def _widest(model: Milp, node: _Node) -> int | None:
    """An integer column that is not fixed yet."""
    room = np.where(model.is_integer, node.upper - node.lower, 0.0)
    column = int(room.argmax()) if len(room) else 0
    return column if len(room) and room[column] > 0 else None


def _split(
    node: _Node, column: int, answer: RelaxationAnswer, bound: Fraction | None
) -> list[_Node]:
    low, high = node.lower[column], node.upper[column]
    if answer.x is not None:
        value = float(answer.x[column])
    else:
        value = (max(low, -1e6) + min(high, 1e6)) / 2
    cut = min(max(np.floor(value + _INTEGRAL), low), high)
    if cut == high:
        cut = high - 1
    below, above = node.upper.copy(), node.lower.copy()
    below[column], above[column] = cut, cut + 1
    children = [_Node(node.lower, below, bound), _Node(above, node.upper, bound)]
    return children if value - cut > 0.5 else children[::-1]


def _has_ray(model: Milp) -> bool:
    """Whether an exact direction improves the objective for ever (a bounded LP, solved exactly)."""
    directions = replace(
        model,
        column_lower=np.where(np.isfinite(model.column_lower), 0.0, -1.0),
        column_upper=np.where(np.isfinite(model.column_upper), 0.0, 1.0),
        row_lower=np.where(np.isfinite(model.row_lower), 0.0, -np.inf),
        row_upper=np.where(np.isfinite(model.row_upper), 0.0, np.inf),
        is_integer=np.zeros(model.columns, dtype=np.bool_),
    )
    search = _Search(directions, ExactModel(directions), Relaxation(directions))
    point = _exact_point(search, np.zeros(model.columns))
    if point is None or not search.exact.is_feasible(point):
        return False
    return search.exact.objective(point) < search.exact.constant


def _has_point(model: Milp) -> bool:
    """Whether the model has an exactly feasible point."""
    flat = replace(model, cost=np.zeros(model.columns))
    return prove(flat, node_limit=10_000).point is not None


def _better(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    if a is None or b is None:
        return b if a is None else a
    return max(a, b)


def _floats(side: Sequence[int | None], exact: ExactModel, absent: float) -> Floats:
    return np.array([absent if v is None else v / exact.scale for v in side], dtype=np.float64)


def _conclude(search: _Search, left: list[Fraction | None], *, unbounded: bool) -> Proof:
    """Gather the bound over closed and open nodes and turn it to the user's sense."""
    complete = not left and not search.unresolved
    lowest: Fraction | None = search.objective
    for bound in [*search.closed, *left]:
        if bound is None:
            lowest = None
            break
        if lowest is None or bound < lowest:
            lowest = bound
    sign = 1 if search.model.sense == "min" else -1
    return Proof(
        point=search.point,
        objective=None if search.objective is None else sign * search.objective,
        bound=None if lowest is None or unbounded else sign * lowest,
        infeasible=complete and search.point is None,
        unbounded=unbounded,
        complete=complete,
        nodes=search.nodes,
    )
