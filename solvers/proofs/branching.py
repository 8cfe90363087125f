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

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from solvers.backends.highs import Relaxation, RelaxationAnswer
from solvers.backends.scaling import Scaled, finer_exponent, scaled
from solvers.model.milp import Floats, Milp
from solvers.model.result import Status
from solvers.proofs.brute_force import brute_force
from solvers.proofs.exact import ExactModel
from solvers.proofs.vertex import basis_multipliers, exact_point, vertex

GAP = Fraction(1, 10**9)
"""A node is closed when its bound is within this share of the incumbent's objective."""
MOST_BINARIES = 20
"""Up to so many binaries a search that ran out of nodes is finished by enumeration."""
_INTEGRAL = 1e-6
_LARGEST_WHOLE = 2.0**53  # beyond it a double is no longer every whole number


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


_OPEN = Proof(None, None, None, infeasible=False, unbounded=False, complete=False, nodes=0)


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
    working: Scaled
    relaxation: Relaxation
    root: _Node
    point: tuple[Fraction, ...] | None = None
    objective: Fraction | None = None
    box: tuple[list[int | None], list[int | None]] = field(default_factory=lambda: ([], []))
    closed: list[Fraction | None] = field(default_factory=list)
    unresolved: bool = False
    nodes: int = 0
    gap: Fraction = GAP

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
        return bound >= self.objective - self.gap * abs(self.objective)

    def nearly_closes(self, bound: Fraction | None) -> bool:
        """Whether the tolerances of the relaxation may be all that is missing."""
        if bound is None or self.objective is None:
            return False
        unit = Fraction(2) ** -self.working.cost_exponent
        return bound >= self.objective - GAP * max(unit, abs(self.objective))

    def rescale(self) -> None:
        """Solve relaxations in a unit in which the incumbent's objective is not small."""
        if self.objective is None:
            return
        old = self.working.cost_exponent
        exponent = finer_exponent(self.model, old, float(self.objective), 0.0)
        if exponent != old:
            self.working = scaled(self.model, exponent, rows_below=0.0)
            self.relaxation = Relaxation(self.working.model)


def prove(
    model: Milp,
    starts: Sequence[Floats] = (),
    *,
    node_limit: int = 1_000_000,
    time_limit_s: float | None = None,
    gap: float = 0.0,
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
    gap
        Relative gap at which a node may be closed, if wider than :data:`GAP`.
    """
    exact = ExactModel(model)
    if exact.excludes(exact.lower, exact.upper):
        return replace(_OPEN, infeasible=True, complete=True)
    root = _Node(_floats(exact.lower, exact, -np.inf), _floats(exact.upper, exact, np.inf), None)
    working = scaled(model, rows_below=0.0)
    search = _Search(
        model, exact, working, Relaxation(working.model), root, box=exact.implied_box(None)
    )
    search.gap = max(GAP, Fraction(gap))
    for start in starts if model.is_integer.any() else ():  # a linear program finds its own
        search.accept(exact_point(exact, search.working.model, start))
    stack = [root]
    began = time.monotonic()
    while stack and search.nodes < node_limit:
        if time_limit_s is not None and time.monotonic() - began > time_limit_s:
            break
        node = stack.pop()
        if search.closes(node.bound):
            search.closed.append(node.bound)
            continue
        search.nodes += 1
        search.rescale()
        answer = search.relaxation.solve(node.lower, node.upper)
        if answer.status is Status.UNBOUNDED and _has_ray(model):
            return _along_ray(search, node_limit, time_limit_s)
        stack.extend(_expand(search, node, answer))
    found = _conclude(search, [node.bound for node in stack])
    if not found.complete and time_limit_s is None and _enumerable(model):
        return _enumerated(model, found.nodes)
    return found


def _enumerable(model: Milp) -> bool:
    """Whether there are binaries only, and few enough to try every assignment."""
    binary = model.is_integer & (model.column_lower >= 0) & (model.column_upper <= 1)
    return bool(binary.all()) and model.columns <= MOST_BINARIES


def _enumerated(model: Milp, nodes: int) -> Proof:
    """The last resort of a search that ran out of nodes: every assignment, checked exactly."""
    best = brute_force(model)
    return Proof(
        point=best.point,
        objective=best.objective,
        bound=best.objective,
        infeasible=best.point is None,
        unbounded=False,
        complete=True,
        nodes=nodes,
    )


def _expand(search: _Search, node: _Node, answer: RelaxationAnswer) -> list[_Node]:
    """Close a node or split it; the child to look at first comes last."""
    if (node.lower > node.upper).any() or _is_empty(search, node, answer):
        return []
    bound = _tighter(_node_bound(search, node, answer), node.bound)
    if search.nearly_closes(bound) and not search.closes(bound):
        bound = _tighter(bound, _basis_bound(search, node))
    column = None
    if not search.closes(bound):
        column = _fractional(search.model, node, answer)
        if column is None:
            bound = _tighter(_bound_after_point(search, node, answer), bound)
    if search.closes(bound):
        search.closed.append(bound)
        return []
    if column is None:
        column = _widest(search.model, node)
    if column is None or not _splits_exactly(node, column, answer):
        return _give_up(search, node, answer, bound)
    return _split(node, column, answer, bound)


def _bound_after_point(search: _Search, node: _Node, answer: RelaxationAnswer) -> Fraction | None:
    """Take an integral answer as incumbent; the box that it implies may tighten the bound."""
    if answer.x is None:
        return None
    before = search.box
    if search.model.is_integer.any():
        search.accept(exact_point(search.exact, search.working.model, answer.x))
    else:
        origin = [Fraction(0)] * search.model.columns
        found = vertex(search.exact, search.model, origin, answer.x, search.relaxation)
        search.accept(found)
    return None if search.box == before else _node_bound(search, node, answer)


def _give_up(
    search: _Search, node: _Node, answer: RelaxationAnswer, bound: Fraction | None
) -> list[_Node]:
    """Nothing is left to split: the node is empty, closed by its basis, or stays open."""
    if search.exact.excludes(*_box(search, node)):
        return []
    if answer.status is Status.OPTIMAL:
        bound = _tighter(bound, _basis_bound(search, node))
    search.closed.append(bound)
    search.unresolved |= not search.closes(bound)
    return []


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
    multipliers = search.working.multipliers(answer.multipliers)
    bound = search.exact.dual_bound(multipliers, *_box(search, node))
    return _basis_bound(search, node) if bound is None else bound


def _basis_bound(search: _Search, node: _Node) -> Fraction | None:
    """Bound from the basis solved exactly: needed where a free column has no box to rest on."""
    found = basis_multipliers(search.exact, search.relaxation)
    if found is None:
        return None
    return search.exact.weighted_bound(*found, *_box(search, node))


def _box(search: _Search, node: _Node) -> tuple[list[int | None], list[int | None]]:
    """Return the node's box for integer columns and the implied one for the rest, exactly."""
    scale, root = search.exact.scale, search.root
    lower, upper = list(search.box[0]), list(search.box[1])
    raised = search.model.is_integer & (node.lower != root.lower)
    for column in np.flatnonzero(raised & (np.abs(node.lower) <= _LARGEST_WHOLE)).tolist():
        whole, known = int(node.lower[column]) * scale, lower[column]
        lower[column] = whole if known is None else max(known, whole)
    lowered = search.model.is_integer & (node.upper != root.upper)
    for column in np.flatnonzero(lowered & (np.abs(node.upper) <= _LARGEST_WHOLE)).tolist():
        whole, known = int(node.upper[column]) * scale, upper[column]
        upper[column] = whole if known is None else min(known, whole)
    return lower, upper


def _fractional(model: Milp, node: _Node, answer: RelaxationAnswer) -> int | None:
    """Choose the integer column farthest from a whole number that can still move."""
    if answer.x is None or not model.columns:
        return None
    free = model.is_integer & (node.lower < node.upper)
    distance = np.where(free, np.abs(answer.x - np.round(answer.x)), 0.0)
    column = int(distance.argmax())
    return column if distance[column] > _INTEGRAL else None


def _widest(model: Milp, node: _Node) -> int | None:
    """Choose the integer column with the most room."""
    room = np.where(model.is_integer, node.upper - node.lower, 0.0)
    column = int(room.argmax()) if len(room) else 0
    return column if len(room) and room[column] > 0 else None


def _splits_exactly(node: _Node, column: int, answer: RelaxationAnswer) -> bool:
    """Whether a double near the cut still tells neighbouring whole numbers apart."""
    value = node.lower[column] if answer.x is None else answer.x[column]
    return not abs(value) >= _LARGEST_WHOLE / 2 or not np.isfinite(value)


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
    exact = ExactModel(directions)
    point = exact_point(exact, directions, np.zeros(model.columns))
    if point is None or not exact.is_feasible(point):
        return False
    return exact.objective(point) < exact.constant


def _along_ray(search: _Search, node_limit: int, time_limit_s: float | None) -> Proof:
    """Look for any feasible point: from there the objective improves for ever."""
    if search.point is not None:
        return replace(_OPEN, unbounded=True, complete=True, nodes=search.nodes)
    flat = replace(search.model, cost=np.zeros(search.model.columns))
    found = prove(flat, node_limit=node_limit, time_limit_s=time_limit_s)
    return replace(
        _OPEN,
        unbounded=found.point is not None,
        infeasible=found.infeasible,
        complete=found.point is not None or found.infeasible,
        nodes=search.nodes + found.nodes,
    )


def _tighter(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """Return the larger of two lower bounds; ``None`` is minus infinity."""
    if a is None or b is None:
        return b if a is None else a
    return max(a, b)


def _floats(side: Sequence[int | None], exact: ExactModel, absent: float) -> Floats:
    return np.array([absent if v is None else v / exact.scale for v in side], dtype=np.float64)


def _conclude(search: _Search, left: list[Fraction | None]) -> Proof:
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
        bound=None if lowest is None else sign * lowest,
        infeasible=complete and search.point is None,
        unbounded=False,
        complete=complete,
        nodes=search.nodes,
    )
