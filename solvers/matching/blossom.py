"""Perfect matching of greatest weight with dual values, in whole numbers, on a complete graph.

It begins with the optimal assignment: its even cycles are matched, of each odd cycle one vertex is
left. So few phases of the primal-dual algorithm remain. A phase grows alternating trees from all
free vertices at once, shrinks odd sets (blossoms) and changes the dual values until two trees meet.

Dual values are doubled: ``value[u] + value[v] + (values of the odd sets that hold both) >= 2 w``,
equal along every matched pair. All start even and all trees change at once, so that the values in
the trees are alike in parity and half of a slack is whole.

References
----------
Edmonds, J. Res. NBS 69B (1965). Galil, ACM Computing Surveys 18 (1986), for the phases and the
least slacks that are kept per set. Derigs and Metz, Mathematical Programming 36 (1986), for the
start from an assignment.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import compiled, counted, counted_entry
from solvers.matching.assignment import assignment
from solvers.matching.weights import Whole

Places = NDArray[np.int32]
_NONE = -1
_DEAD = -2
_OUTER, _INNER, _UNSEEN = 0, 1, -1
_FAR = 1 << 62


@compiled
def _tail(at: Places, end: int, count: int, x: int, y: int) -> Any:
    """Vertex at one end of the kept edge between two sets: 0 inside ``x``, 1 inside ``y``."""
    # Only odd sets store edges; two vertices have just one. Two odd sets store the same edge, each
    # from its own side.
    if x >= count:
        return np.int64(at[x - count, y, end])
    if y >= count:
        return np.int64(at[y - count, x, 1 - end])
    return np.int64(y if end else x)


@compiled
def _slack(weight: Whole, value: Whole, u: int, v: int) -> Any:
    # Not for two vertices of one odd set: the value of the set is missing here.
    return value[u] + value[v] - 2 * weight[u, v]


@compiled
def _kept_slack(weight: Whole, value: Whole, at: Places, x: int, y: int) -> Any:
    """Slack of the kept edge between two sets."""
    count = len(weight)
    u, v = _tail(at, 0, count, x, y), _tail(at, 1, count, x, y)
    return _slack(weight, value, u, v)


@compiled
def _set_top(
    x: int, top: int, tops: Whole, parts: Whole, sizes: Whole, stack: Whole, count: int
) -> None:
    """Write the outermost set of everything in ``x``."""
    stack[0] = x
    remaining = 1
    while remaining > 0:
        remaining -= 1
        each = stack[remaining]
        tops[each] = top
        if each >= count:
            for k in range(sizes[each - count]):
                stack[remaining] = parts[each - count, k]
                remaining += 1


@compiled
def _push(
    x: int, queue: Whole, end: int, parts: Whole, sizes: Whole, stack: Whole, count: int
) -> int:
    """Add all vertices of ``x`` to the queue; its new end."""
    # An outer vertex stays outer to the end of a phase, so it enters the queue at most once.
    stack[0] = x
    remaining = 1
    while remaining > 0:
        remaining -= 1
        each = stack[remaining]
        if each < count:
            queue[end] = each
            end += 1
        else:
            for k in range(sizes[each - count]):
                stack[remaining] = parts[each - count, k]
                remaining += 1
    return end


@compiled
def _turn_round(own: Whole, first: int, last: int) -> None:
    """Reverse the order from one place to before another."""
    last -= 1
    while first < last:
        own[first], own[last] = own[last], own[first]
        first += 1
        last -= 1


@compiled
def _even_place(own: Whole, size: int, x: int) -> int:
    """Place of ``x`` in a cycle, turned round if needed so that the place is even."""
    position = 0
    while own[position] != x:
        position += 1
    # The cycle is odd: of the two ways from its front to a part, one has an even number of edges.
    if position % 2 == 1:
        _turn_round(own, 1, size)
        return size - position
    return position


@compiled
def _set_mate(
    x: int, y: int, mate: Whole, at: Places, inside: Whole, parts: Whole, sizes: Whole,
    stack: Whole, count: int,
) -> None:  # fmt: skip
    """Match the set ``x`` to ``y`` along their kept edge, and what is inside accordingly."""
    stack[0], stack[1] = x, y
    remaining = 2
    while remaining > 0:
        remaining -= 2
        u, v = stack[remaining], stack[remaining + 1]
        mate[u] = _tail(at, 1, count, u, v)
        if u < count:
            continue
        own, size = parts[u - count], sizes[u - count]
        root = inside[u - count, _tail(at, 0, count, u, v)]
        # Parts behind the root are paired as they must be. Those before it, an even number, change
        # partners: k is matched to k ^ 1, and the root to the outside.
        position = _even_place(own, size, root)
        for k in range(position):
            stack[remaining], stack[remaining + 1] = own[k], own[k ^ 1]
            remaining += 2
        stack[remaining], stack[remaining + 1] = root, v
        remaining += 2
        _turn_round(own, 0, position)  # three times: the root comes to the front
        _turn_round(own, position, size)
        _turn_round(own, 0, size)


@compiled
def _augment(
    x: int, y: int, mate: Whole, tops: Whole, parent: Whole, at: Places, inside: Whole,
    parts: Whole, sizes: Whole, stack: Whole, count: int,
) -> None:  # fmt: skip
    """Swap matched and unmatched edges from ``x`` to the root of its tree; ``x`` gets ``y``."""
    # At the head x is an outer set and y what it is matched to next; its old mate lies in the inner
    # set above it. A root has no mate, and there the path ends.
    while True:
        before = mate[x]
        _set_mate(x, y, mate, at, inside, parts, sizes, stack, count)
        if before == _NONE:
            return
        above = tops[before]
        further = tops[parent[above]]
        _set_mate(above, further, mate, at, inside, parts, sizes, stack, count)
        x, y = further, above


@compiled
def _meeting(
    x: int, y: int, mate: Whole, tops: Whole, parent: Whole, seen: Whole, mark: int
) -> int:
    """Where the paths from two outer sets to their roots meet; none if the roots differ."""
    while x != _NONE or y != _NONE:
        if x != _NONE:
            if seen[x] == mark:
                return x
            seen[x] = mark
            above = mate[x]
            x = _NONE if above == _NONE else tops[parent[tops[above]]]
        x, y = y, x
    return _NONE


@compiled
def _least_edge(
    x: int, weight: Whole, value: Whole, at: Places, tops: Whole, label: Whole, nearest: Whole
) -> None:
    """The outer vertex with the least slack to a set."""
    nearest[x] = _NONE
    for u in range(len(weight)):
        top = tops[u]
        if top != x and label[top] == _OUTER:
            new = _kept_slack(weight, value, at, u, x)
            if nearest[x] == _NONE or new < _kept_slack(weight, value, at, nearest[x], x):
                nearest[x] = u


@compiled
def _shrink(
    x: int, meet: int, y: int, b: int, used: int, weight: Whole, value: Whole, mate: Whole,
    tops: Whole, parent: Whole, label: Whole, nearest: Whole, at: Places, inside: Whole,
    parts: Whole, sizes: Whole, stack: Whole, queue: Whole, end: int,
) -> int:  # fmt: skip
    """Make the odd cycle through ``x``, ``meet`` and ``y`` one outer set ``b``; the queue's end."""
    count = len(weight)
    own = parts[b - count]
    value[b] = 0
    label[b] = _OUTER
    mate[b] = mate[meet]
    parent[b] = parent[meet]
    # From the meeting point down one leg to x, over to y and up the other leg: places 1 and 2, 3
    # and 4, and so on hold matched pairs.
    own[0] = meet
    size = 1
    for side in range(2):
        each = x if side == 0 else y
        begun = size
        while each != meet:
            own[size] = each
            above = tops[mate[each]]
            own[size + 1] = above
            end = _push(above, queue, end, parts, sizes, stack, count)
            size += 2
            each = tops[parent[above]]
        if side == 0:
            _turn_round(own, begun, size)
    sizes[b - count] = size
    _set_top(b, b, tops, parts, sizes, stack, count)
    for z in range(used):
        # Also for sets within others, which come out when those are expanded. The least edge stays
        # the least: all vertices of a set change their values alike.
        if tops[z] == _DEAD or tops[z] == b:
            continue
        best, least = _NONE, _FAR
        for k in range(size):
            new = _kept_slack(weight, value, at, own[k], z)
            if new < least:
                best, least = own[k], new
        u, v = _tail(at, 0, count, best, z), _tail(at, 1, count, best, z)
        at[b - count, z, 0], at[b - count, z, 1] = u, v
        if z >= count:
            at[z - count, b, 0], at[z - count, b, 1] = v, u
    _note_parts(b, inside, own, size, count)
    _least_edge(b, weight, value, at, tops, label, nearest)
    return end


@compiled
def _note_parts(b: int, inside: Whole, own: Whole, size: int, count: int) -> None:
    """Write for each vertex of a blossom in which of its parts it lies."""
    inside[b - count, :] = _NONE
    for k in range(size):
        part = own[k]
        if part < count:
            inside[b - count, part] = part
            continue
        for v in range(count):
            if inside[part - count, v] != _NONE:
                inside[b - count, v] = part


@compiled
def _expand(
    b: int, weight: Whole, value: Whole, tops: Whole, parent: Whole, label: Whole, nearest: Whole,
    at: Places, inside: Whole, parts: Whole, sizes: Whole, stack: Whole, queue: Whole, end: int,
) -> int:  # fmt: skip
    """Replace an inner set of value 0 by its parts, those on the path labelled; the queue's end."""
    count = len(weight)
    own, size = parts[b - count], sizes[b - count]
    for k in range(size):
        _set_top(own[k], own[k], tops, parts, sizes, stack, count)
    entry = inside[b - count, _tail(at, 0, count, b, parent[b])]
    position = _even_place(own, size, entry)
    tops[b] = _DEAD
    # The tree goes on along the even way from the entry to the base, which is matched to the
    # outside. The parts on the other way leave the tree, matched in pairs.
    for k in range(0, position, 2):
        inner, outer = own[k], own[k + 1]
        parent[inner] = _tail(at, 0, count, outer, inner)
        label[inner], label[outer] = _INNER, _OUTER
        nearest[inner] = _NONE
    label[entry] = _INNER
    parent[entry] = parent[b]
    nearest[entry] = _NONE
    for k in range(position + 1, size):
        label[own[k]] = _UNSEEN
    for k in range(size):
        if label[own[k]] != _INNER:
            _least_edge(own[k], weight, value, at, tops, label, nearest)
    for k in range(1, position, 2):
        end = _push(own[k], queue, end, parts, sizes, stack, count)
    return end


@counted_entry
def perfect(weight: Whole) -> tuple[Whole, Whole, Whole, Whole]:
    """Match all vertices for the greatest sum of weights.

    Parameters
    ----------
    weight
        Even whole numbers, symmetric, shape ``(vertices, vertices)``; the diagonal is not read.
        The number of vertices is even and at least 2.

    Returns
    -------
    mate, value, parts, sizes
        The mate of each vertex, shape ``(vertices,)``. Doubled dual values of the vertices and,
        behind them, of the odd sets, shape ``(vertices + sets,)``; parts of each odd set (vertices,
        or sets counted from the number of vertices on), and how many there are; 0 where there is no
        such set.
    """
    count = len(weight)
    most = count // 2
    every = count + most
    value = np.zeros(every, dtype=np.int64)
    mate = np.empty(every, dtype=np.int64)
    tops = np.empty(every, dtype=np.int64)
    parent = np.empty(every, dtype=np.int64)
    label = np.empty(every, dtype=np.int64)
    nearest = np.empty(every, dtype=np.int64)
    seen = np.zeros(every, dtype=np.int64)
    at = np.empty((most, every, 2), dtype=np.int32)
    inside = np.empty((most, count), dtype=np.int64)
    parts = np.empty((most, count), dtype=np.int64)
    sizes = np.zeros(most, dtype=np.int64)
    queue = np.empty(2 * count, dtype=np.int64)
    stack = np.empty(4 * every, dtype=np.int64)
    mate[:] = _NONE
    parent[:] = _NONE
    tops[:] = _DEAD
    for v in range(count):
        tops[v] = v
    _begin(weight, value, mate)
    mark = count - count  # a whole number, which numba does not take for a constant
    # Each phase matches one pair more. Values and odd sets stay from phase to phase, labels do not.
    while True:
        label[:] = _UNSEEN
        nearest[:] = _NONE
        end = count - count
        used = count
        for x in range(every):
            if tops[x] != _DEAD:
                used = max(used, x + 1)
            if tops[x] == x and mate[x] == _NONE:
                parent[x] = _NONE
                label[x] = _OUTER
                end = _push(x, queue, end, parts, sizes, stack, count)
        if end == 0:
            break
        mark = _phase(weight, value, mate, tops, parent, label, nearest, seen, at, inside, parts,
                      sizes, stack, queue, end, used, mark)  # fmt: skip
    for b in range(most):
        if tops[count + b] == _DEAD:
            sizes[b] = 0
    return mate[:count], value, parts, sizes


@counted
def _begin(weight: Whole, value: Whole, mate: Whole) -> None:
    """Dual values of the assignment; its even cycles matched, and all but one of each odd one."""
    column, row_price, column_price = assignment(weight)
    count = len(weight)
    done = np.zeros(count, dtype=np.bool_)
    for start in range(count):
        value[start] = row_price[start] + column_price[start]
        if done[start]:
            continue
        length = 0
        x = start
        while not done[x]:
            done[x] = True
            length += 1
            x = column[x]
        # Both ways round a cycle every edge is tight. Weights are symmetric, so the reversed cycle
        # is just as good, and optimal prices are tight on every optimal assignment.
        x = start if length % 2 == 0 else column[start]
        for _ in range(length // 2):
            y = column[x]
            mate[x], mate[y] = y, x
            x = column[y]


@compiled
def _phase(
    weight: Whole, value: Whole, mate: Whole, tops: Whole, parent: Whole, label: Whole,
    nearest: Whole, seen: Whole, at: Places, inside: Whole, parts: Whole, sizes: Whole,
    stack: Whole, queue: Whole, end: int, used: int, mark: int,
) -> int:  # fmt: skip
    """Grow trees until two of them meet, and augment; the last mark that was used."""
    count = len(weight)
    first = 0
    # No edge between outermost sets has a slack below 0, and matched edges, edges of the trees and
    # those along odd sets have none. A set is outer or inner by its distance from the root of its
    # tree, unseen where it is in no tree. The queue from `first` on holds the outer vertices whose
    # edges are still to be looked at; `nearest` keeps, for each set that is not inner, the outer
    # vertex with the least slack to it of those that were looked at.
    while True:
        first, u, v = _scanned(weight, value, tops, label, nearest, at, queue, first, end)
        if u == _NONE:
            _change(weight, value, tops, label, nearest, at, used)
            for b in range(count, used):
                if tops[b] == b and label[b] == _INNER and value[b] == 0:
                    end = _expand(b, weight, value, tops, parent, label, nearest, at, inside,
                                  parts, sizes, stack, queue, end)  # fmt: skip
            u, v = _made_tight(weight, value, tops, label, nearest, at, used)
            if u == _NONE:
                continue
        x, y = tops[u], tops[v]
        # All free sets are roots, so an unseen one is matched, and its mate becomes outer.
        if label[y] == _UNSEEN:
            parent[y] = u
            label[y] = _INNER
            nearest[y] = _NONE
            above = tops[mate[y]]
            label[above] = _OUTER
            nearest[above] = _NONE
            end = _push(above, queue, end, parts, sizes, stack, count)
            continue
        mark += 1
        meet = _meeting(x, y, mate, tops, parent, seen, mark)
        if meet == _NONE:
            _augment(x, y, mate, tops, parent, at, inside, parts, sizes, stack, count)
            _augment(y, x, mate, tops, parent, at, inside, parts, sizes, stack, count)
            return mark
        b = count
        while tops[b] != _DEAD:
            b += 1
        used = max(used, b + 1)
        end = _shrink(x, meet, y, b, used, weight, value, mate, tops, parent, label, nearest,
                      at, inside, parts, sizes, stack, queue, end)  # fmt: skip


@compiled
def _scanned(
    weight: Whole, value: Whole, tops: Whole, label: Whole, nearest: Whole, at: Places,
    queue: Whole, first: int, end: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Look from queued outer vertices for a tight edge; the place in the queue, and its ends."""
    while first < end:
        u = queue[first]
        top = tops[u]
        if label[top] == _OUTER:
            for v in range(len(weight)):
                far = tops[v]
                if far == top or label[far] == _INNER:
                    continue
                new = _slack(weight, value, u, v)
                # The place stays, as u may have more tight edges once the tree has changed.
                if new == 0:
                    return first, u, v
                near = nearest[far]
                if near == _NONE or new < _kept_slack(weight, value, at, near, far):
                    nearest[far] = u
        first += 1
    return first, _NONE, _NONE


@compiled
def _made_tight(
    weight: Whole, value: Whole, tops: Whole, label: Whole, nearest: Whole, at: Places, used: int
) -> tuple[int, int]:
    """A kept edge without slack between an outer set and one that is not inner."""
    # After a step a kept edge is tight or an inner set has the value 0, and `_phase` expands that.
    for x in range(used):
        near = nearest[x]
        if tops[x] != x or label[x] == _INNER or near == _NONE or tops[near] == x:
            continue
        if _kept_slack(weight, value, at, near, x) == 0:
            return near, _tail(at, 1, len(weight), near, x)
    return _NONE, _NONE


@compiled
def _change(
    weight: Whole, value: Whole, tops: Whole, label: Whole, nearest: Whole, at: Places, used: int
) -> None:
    """Lower the values of outer vertices and raise those of inner ones as far as it goes."""
    count = len(weight)
    # The number of vertices is even, so free ones come in twos. Two trees exist, every pair has a
    # weight, and so the slack between two outer sets limits the step.
    step = _FAR
    for x in range(used):
        if tops[x] != x:
            continue
        if x >= count and label[x] == _INNER:
            step = min(step, value[x] // 2)
        elif label[x] != _INNER and nearest[x] != _NONE:
            slack = _kept_slack(weight, value, at, nearest[x], x)
            # Values in the trees are alike in parity, so a slack between two outer sets is even.
            step = min(step, slack // 2 if label[x] == _OUTER else slack)
    # Edges between an outer and an inner set keep their slack. Those from an outer set to an unseen
    # one lose the step, those between two outer sets lose it twice, and inner odd sets lose twice
    # the step of their value: none of them falls below 0. Inside a set the changes cancel.
    for v in range(count):
        if label[tops[v]] == _OUTER:
            value[v] -= step
        elif label[tops[v]] == _INNER:
            value[v] += step
    for b in range(count, used):
        if tops[b] == b:
            if label[b] == _OUTER:
                value[b] += 2 * step
            elif label[b] == _INNER:
                value[b] -= 2 * step
