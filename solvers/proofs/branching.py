"""The *proved* level: a branch and bound whose every step is checked in fractions.

HiGHS solves the relaxations and suggests multipliers, but the proof trusts none of its answers. A
node is closed only by an exact dual bound or an exact Farkas certificate. An incumbent counts only
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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

import numpy as np

from solvers.backends.highs import Basis, Relaxation, RelaxationAnswer
from solvers.backends.scaling import Scaled, finer_exponent, scaled
from solvers.model.milp import Floats, Milp
from solvers.model.result import Status
from solvers.proofs.brute_force import brute_force
from solvers.proofs.exact import ExactModel
from solvers.proofs.lazy_bound import Estimator, LazyBound, Sides, floats
from solvers.proofs.pseudo_costs import PseudoCosts
from solvers.proofs.vertex import basis_multipliers, exact_point, vertex

GAP = Fraction(1, 10**9)
"""A node is closed when its bound is within this share of the incumbent's objective."""
MOST_BINARIES = 20
"""Most binaries for which enumeration finishes a search that ran out of nodes."""
_INTEGRAL = 1e-6
_NEAR = 1e-6
"""Share of the objective within which an estimate is too near for a decision."""
_MOST_TAKEN = 5_000
"""Nodes that may be closed by estimates: each keeps its arrays until it is checked."""
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
    bound: LazyBound  # from the parent
    branch: tuple[int, bool, float] | None = None  # column, whether it went up, and how far


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
    box: Sides = field(default_factory=lambda: ([], []))
    closed: list[LazyBound] = field(default_factory=list)
    unresolved: bool = False
    nodes: int = 0
    gap: Fraction = GAP
    taken: list[tuple[_Node, Callable[[], bool]]] = field(default_factory=list)
    checked: bool = False
    closing: Fraction | None = None
    nearly: Fraction | None = None
    margin: float = 0.0

    def __post_init__(self) -> None:
        self.estimator = Estimator(self.model, self.exact)
        self.sides = self.estimator.sides(self.box)
        self.costs = PseudoCosts(self.model.columns)

    def accept(self, point: Sequence[Fraction] | None) -> None:
        """Keep the point if it is exactly feasible and the best so far."""
        if point is None or not self.exact.is_feasible(point):
            return
        value = self.exact.objective(point)
        if self.objective is None or value < self.objective:
            self.point, self.objective = tuple(point), value
            self.box = self.exact.implied_box(value)
            self.sides = self.estimator.sides(self.box)
            self._move_goals(value)

    def _move_goals(self, value: Fraction) -> None:
        unit = Fraction(2) ** -self.working.cost_exponent
        self.closing = value - self.gap * abs(value)
        self.nearly = value - GAP * max(unit, abs(value))
        self.margin = _NEAR * abs(float(value))

    def closes(self, bound: LazyBound) -> bool:
        """Whether nothing below ``bound`` could still improve on the incumbent."""
        return self.closing is not None and self._reaches(bound, self.closing)

    def nearly_closes(self, bound: LazyBound) -> bool:
        """Whether the tolerances of the relaxation may be all that is missing."""
        return self.nearly is not None and self._reaches(bound, self.nearly)

    def _reaches(self, bound: LazyBound, least: Fraction) -> bool:
        """Whether a bound is at least so high: exactly, unless its estimate is far below."""
        # Three cases. Far below, the node stays open, which costs work and proves nothing. Far
        # above, it closes for now: `reopened` checks it exactly before the search counts as
        # complete. In between the fraction decides at once.
        near, margin = float(least), self.margin
        if bound.estimate < near - margin:
            return False
        if self.trusts and near + margin < bound.estimate < math.inf:
            return True
        value = bound.exact()
        return value is not None and value >= least

    @property
    def trusts(self) -> bool:
        """Whether a clear estimate closes a node for now."""
        return not self.checked and len(self.taken) < _MOST_TAKEN

    def close(self, node: _Node, bound: LazyBound) -> None:
        """Take a node whose bound closes it; it is checked before the search counts as complete."""
        if bound.known:
            self.closed.append(bound)
        else:
            self.taken.append((node, partial(self._closed_exactly, bound)))

    def _closed_exactly(self, bound: LazyBound) -> bool:
        if not self.closes(bound):
            return False
        self.closed.append(bound)
        return True

    def reopened(self) -> list[_Node]:
        """Check every node that an estimate closed, and return those that are open after all."""
        self.checked, taken, self.taken = True, self.taken, []
        return [node for node, closes in taken if not closes()]

    def float_box(self, node: _Node) -> tuple[Floats, Floats]:
        """The node's box for integer columns and the implied one for the rest, in floats."""
        whole, (lower, upper) = self.model.is_integer, self.sides
        return (
            np.where(whole, np.maximum(lower, node.lower), lower),
            np.where(whole, np.minimum(upper, node.upper), upper),
        )

    def rescale(self) -> None:
        """Solve relaxations in a unit in which the incumbent's objective is not small."""
        if self.objective is None:
            return
        old = self.working.cost_exponent
        exponent = finer_exponent(self.model, old, float(self.objective), 0.0)
        if exponent != old:
            self.working = scaled(self.model, exponent, rows_below=0.0)
            self.relaxation = Relaxation(self.working.model)
            self._move_goals(self.objective)


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
    sides = floats(exact.lower, exact.scale, -np.inf), floats(exact.upper, exact.scale, np.inf)
    root = _Node(*sides, LazyBound())
    working = scaled(model, rows_below=0.0)
    search = _Search(
        model, exact, working, Relaxation(working.model), root, box=exact.implied_box(None)
    )
    search.gap = max(GAP, Fraction(gap))
    for start in starts if model.is_integer.any() else ():  # a linear program finds its own
        search.accept(exact_point(exact, search.working.model, start))
    stack = [root]
    began = time.monotonic()
    # Any point better by more than the gap lies in a node that is on the stack, closed by an
    # estimate, or given up.
    while stack or search.taken:
        if not stack:
            stack = search.reopened()
            continue
        late = time_limit_s is not None and time.monotonic() - began > time_limit_s
        if late or search.nodes >= node_limit:
            break
        node = stack.pop()
        if search.closes(node.bound):
            search.close(node, node.bound)
            continue
        search.nodes += 1
        search.rescale()
        answer = search.relaxation.solve(node.lower, node.upper)
        if answer.status is Status.UNBOUNDED and _has_ray(model):
            return _along_ray(search, node_limit, time_limit_s)
        stack.extend(_expand(search, node, answer))
    result = _conclude(search, stack)
    if not result.complete and time_limit_s is None and _enumerable(model):
        return _enumerated(model, result.nodes)
    return result


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
    bound = _node_bound(search, node, answer)
    if node.branch is not None:
        search.costs.learn(*node.branch, bound.estimate - node.bound.estimate)
    if search.nearly_closes(bound) and not search.closes(bound):
        bound = _by_basis(search, node, bound)
    column = None
    if not search.closes(bound):
        column = _fractional(search, node, answer)
        if column is None:
            bound = _bound_after_point(search, node, answer, bound)
    if search.closes(bound):
        search.close(node, bound)
        return []
    if column is None:
        column = _widest(search.model, node)
    if column is None or not _splits_exactly(node, column, answer):
        return _give_up(search, node, answer, bound)
    return _split(node, column, answer, bound)


def _bound_after_point(
    search: _Search, node: _Node, answer: RelaxationAnswer, bound: LazyBound
) -> LazyBound:
    """Take an integral answer as incumbent; the box that it implies may tighten the bound."""
    if answer.x is None:
        return bound
    before = search.box
    if search.model.is_integer.any():
        search.accept(exact_point(search.exact, search.working.model, answer.x))
    else:
        origin = [Fraction(0)] * search.model.columns
        result = vertex(search.exact, search.model, origin, answer.x, search.relaxation)
        search.accept(result)
    if search.box == before:
        return bound
    return _node_bound(search, replace(node, bound=bound), answer)


def _give_up(
    search: _Search, node: _Node, answer: RelaxationAnswer, bound: LazyBound
) -> list[_Node]:
    """Nothing is left to split: the node is empty, closed by its basis, or stays open."""
    if search.exact.excludes(*_box(search, node)):
        return []
    if answer.status is Status.OPTIMAL:
        bound = _by_basis(search, node, bound)
    bound.exact()
    search.closed.append(bound)
    search.unresolved |= not search.closes(bound)
    return []


def _is_empty(search: _Search, node: _Node, answer: RelaxationAnswer) -> bool:
    """Exact Farkas test of the ray that the relaxation suggests."""
    if answer.status is not Status.INFEASIBLE or answer.multipliers is None:
        return False
    sides = search.float_box(node)
    # Each sign is checked exactly, so it does not matter which one the solver gives a ray.
    for ray in (answer.multipliers, -answer.multipliers):
        result, error = search.estimator.bound(ray, *sides, with_cost=False)
        if result < -error:
            continue
        shown = partial(_shown_empty, search.exact, ray, node, search)
        if search.trusts and error < result < math.inf:
            search.taken.append((node, shown))
            return True
        if shown():
            return True
    return False


def _shown_empty(exact: ExactModel, ray: Floats, node: _Node, search: _Search) -> bool:
    margin = exact.dual_bound(ray, *_box(search, node), with_cost=False)
    return margin is not None and margin > 0


def _node_bound(search: _Search, node: _Node, answer: RelaxationAnswer) -> LazyBound:
    """The bound by the answer's multipliers, or by its basis where they give none."""
    if answer.status is not Status.OPTIMAL or answer.multipliers is None:
        return node.bound
    exact, box = search.exact, search.box
    multipliers = search.working.multipliers(answer.multipliers)
    later = search.relaxation.basis_later() if None in box[0] or None in box[1] else None

    def work_out() -> Fraction | None:
        sides = _box(search, node, box)
        bound = exact.dual_bound(multipliers, *sides)
        return _basis_bound(exact, later(), sides) if bound is None and later else bound

    estimate, error = search.estimator.bound(multipliers, *search.float_box(node))
    return LazyBound(estimate + error, work_out, node.bound)


def _by_basis(search: _Search, node: _Node, bound: LazyBound) -> LazyBound:
    """A bound, or the one of the basis solved exactly where that is tighter."""
    result = _basis_bound(search.exact, search.relaxation.basis(), _box(search, node))
    return bound if result is None else LazyBound(float(result), lambda: result, bound)


def _basis_bound(exact: ExactModel, basis: Basis, sides: Sides) -> Fraction | None:
    """Bound from the basis solved exactly: needed where a free column has no box to rest on."""
    multipliers = basis_multipliers(exact, basis)
    return None if multipliers is None else exact.weighted_bound(*multipliers, *sides)


def _box(search: _Search, node: _Node, implied: Sides | None = None) -> Sides:
    """Return the node's box for integer columns and the implied one for the rest, exactly."""
    scale, root = search.exact.scale, search.root
    lower, upper = map(list, search.box if implied is None else implied)
    # A side beyond 2^53 may be rounded; without it the box is wider, which is safe.
    raised = search.model.is_integer & (node.lower != root.lower)
    for column in np.flatnonzero(raised & (np.abs(node.lower) <= _LARGEST_WHOLE)).tolist():
        whole, known = int(node.lower[column]) * scale, lower[column]
        lower[column] = whole if known is None else max(known, whole)
    lowered = search.model.is_integer & (node.upper != root.upper)
    for column in np.flatnonzero(lowered & (np.abs(node.upper) <= _LARGEST_WHOLE)).tolist():
        whole, known = int(node.upper[column]) * scale, upper[column]
        upper[column] = whole if known is None else min(known, whole)
    return lower, upper


def _fractional(search: _Search, node: _Node, answer: RelaxationAnswer) -> int | None:
    """Choose an integer column that is not whole and can still move."""
    if answer.x is None or not search.model.columns:
        return None
    return search.costs.choose(answer.x, search.model.is_integer & (node.lower < node.upper))


def _widest(model: Milp, node: _Node) -> int | None:
    """Choose the integer column with the most room."""
    room = np.where(model.is_integer, node.upper - node.lower, 0.0)
    column = int(room.argmax()) if len(room) else 0
    return column if len(room) and room[column] > 0 else None


def _splits_exactly(node: _Node, column: int, answer: RelaxationAnswer) -> bool:
    """Whether a double near the cut still tells neighbouring whole numbers apart."""
    value = node.lower[column] if answer.x is None else answer.x[column]
    return not abs(value) >= _LARGEST_WHOLE / 2 or not np.isfinite(value)


def _split(node: _Node, column: int, answer: RelaxationAnswer, bound: LazyBound) -> list[_Node]:
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
    # No whole number lies between the two, so every integer point of the node is in one of them.
    children = [
        _Node(node.lower, below, bound, (column, False, value - cut)),
        _Node(above, node.upper, bound, (column, True, cut + 1 - value)),
    ]
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
    # The box of ones bounds the program, and 0 is feasible: an optimum below 0 is such a direction.
    exact = ExactModel(directions)
    point = exact_point(exact, directions, np.zeros(model.columns))
    if point is None or not exact.is_feasible(point):
        return False
    return exact.objective(point) < exact.constant


def _along_ray(search: _Search, node_limit: int, time_limit_s: float | None) -> Proof:
    """Look for any feasible point: from there the objective improves for ever."""
    if search.point is not None:
        return replace(_OPEN, unbounded=True, complete=True, nodes=search.nodes)
    # All data are rational, so a multiple of the direction keeps integer columns integer (Meyer,
    # Mathematical Programming 7, 1974).
    flat = replace(search.model, cost=np.zeros(search.model.columns))
    proof = prove(flat, node_limit=node_limit, time_limit_s=time_limit_s)
    return replace(
        _OPEN,
        unbounded=proof.point is not None,
        infeasible=proof.infeasible,
        complete=proof.point is not None or proof.infeasible,
        nodes=search.nodes + proof.nodes,
    )


def _conclude(search: _Search, remaining: list[_Node]) -> Proof:
    """Gather the bound over closed and open nodes and turn it to the user's sense."""
    complete = not remaining and not search.taken and not search.unresolved
    lowest: Fraction | None = search.objective
    # A point that is better than the incumbent lies in a node that was closed by its bound or is
    # still open: the nodes that were shown empty hold none. Each of these bounds holds for such
    # points of its node, so the least of them and of the incumbent's objective is a bound for the
    # model.
    bounds = [*search.closed, *(node.bound for node in remaining)]
    for bound in [*bounds, *(node.bound for node, _ in search.taken)]:
        if lowest is not None and bound.known_to_reach(lowest):
            continue
        value = bound.exact()
        if value is None:
            lowest = None
            break
        if lowest is None or value < lowest:
            lowest = value
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
