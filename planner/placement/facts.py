"""What a placement states: its facts, findings, tables and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, Value, finding
from planner.placement import rows
from planner.placement.bundle import path_of, started
from planner.placement.nodes import spans
from planner.placement.values import NOTICED, cut_tolerance_of
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, table
from scenarios.communication.reader import program_name

if TYPE_CHECKING:
    from planner.placement.compared import Tried
    from planner.placement.result import PlacementResult
    from scenarios.communication.matrix import Floats

FEW_NODES = 4
"""Nodes up to which the first page lists the ranks of each; of more it compares mappings."""
SEVERAL = 4
"""Nodes from which their traffic is drawn."""
MOST_DOTS = 24
"""Nodes up to which the traffic of each is a dot."""
_MOST_PLAIN = 100
"""Pairs in the data, the largest."""
_UNITS = {"B": "B", "messages": "message", "us": "us", "": "number"}
"""Unit of a statement by the unit of costs."""


def study_of(result: PlacementResult) -> Study:
    """The study of a placement."""
    communication, settings = result.placement.communication, result.settings
    read = (communication,) if result.ping_pong is None else (communication, result.ping_pong)
    inputs = {each.name: each.sha256 for each in read if each.sha256}
    return stated(
        result, _headline, _confidence, _facts, _reasons, _alternatives, _assumptions, _risks,
        _next_steps, _questions, _tables, _figures, command="place",
        title=finding("note", "question", ranks=(communication.ranks, "rank"),
                      program=(program_name(communication.name), "text")),
        data=_data(result),
        decision="nodes" if result.nodes <= FEW_NODES else "mappings",
        provenance=provenance_of(settings.command, inputs | dict(settings.files), *_given(result)),
    )  # fmt: skip


def _given(result: PlacementResult) -> Iterator[Fact]:
    settings = result.settings
    yield Fact("method", settings.algorithm, "method")
    yield Fact("seed", settings.seed, "id")
    yield Fact("starts", settings.starts, "count")
    if settings.time_limit_s is not None:
        yield Fact("time_limit", settings.time_limit_s, "s given")
    yield from _input(result)


def unit_of(result: PlacementResult) -> str:
    """Unit of the costs of a placement."""
    return _UNITS[result.placement.costs.unit]


def better_one(result: PlacementResult) -> Tried | None:
    """The best other algorithm, where it found less and the selected one gains nothing."""
    best = _best(result)
    if best is None or result.comparison not in ("same", "worse"):
        return None
    return best


def _best(result: PlacementResult) -> Tried | None:
    """The best algorithm, where it found less than the selected one; never the default mapping."""
    best = min(result.tried, key=lambda each: each.value)
    is_default = best.name == "order" and not result.placement.moved_by_pins
    return None if is_default or result.value - best.value <= result.tolerance else best


def _measure(result: PlacementResult) -> str:
    """What is minimised."""
    weight = result.placement.costs.weight
    return f"{weight}-levels" if result.placement.summed else weight


def _gained(result: PlacementResult) -> tuple[str, float, float]:
    """What changes, before and now: between nodes, or over all levels where nothing is there."""
    placed = result.placement
    cut, before = placed.partition.cut, placed.rank_order
    if not placed.summed or before - cut > cut_tolerance_of(placed):
        return placed.costs.weight, before, cut
    return _measure(result), result.order_value, result.value


def _headline(result: PlacementResult) -> Finding:
    placed, unit = result.placement, unit_of(result)
    nodes, better = (result.nodes, "node"), better_one(result)
    kind: str = result.comparison
    if better is not None:
        return finding(
            "headline", "other-method", method=(better.name, "method"),
            measure=(_measure(result), "measure"), less=(better.value, unit),
            own=(result.value, unit),
        )  # fmt: skip
    if placed.moved_by_pins and kind != "better":
        return finding("headline", "pins", nodes=nodes)
    if kind == "better":
        name, before, now = _gained(result)
        measure = (name, "measure")
        if before <= 0:
            pair = {"now": (now, unit), "before": (before, unit)}
            return finding("headline", "use-from", nodes=nodes, measure=measure, **pair)
        change = (now / before - 1, "change")
        if result.slight and not placed.moved_by_pins:
            return finding("headline", "slight", measure=measure, change=change)
        return finding("headline", "use", nodes=nodes, measure=measure, change=change)
    if kind == "same" and placed.hierarchical and not placed.summed and _within_only(result):
        return finding("headline", "within-only")
    if kind == "same":
        kind = _same(result)
    return finding("headline", f"default-{kind}", nodes=nodes)


def _within_only(result: PlacementResult) -> bool:
    """Whether ranks move, but each stays on its node."""
    stay = bool((result.placement.partition.part == result.order_part).all())
    return stay and not result.placement.in_order


def _same(result: PlacementResult) -> str:
    if result.proved:
        return "optimal"
    only = len(result.tried) == 1 and result.placement.partition.method == "order"
    return "only" if only else "best"


def _confidence(result: PlacementResult) -> Iterator[Finding]:
    placed, limit = result.placement, (result.bound, unit_of(result))
    if result.comparison != "silent":
        if result.proved:
            if result.comparison != "same" or placed.moved_by_pins or not placed.in_order:
                yield finding("confidence", "optimal")
        elif not np.isfinite(result.bound):
            yield finding("confidence", "unknown-limit")
        elif not np.isfinite(result.gap):
            yield finding("confidence", "limit", limit=limit)
        else:
            yield finding("confidence", "gap", gap=(result.gap, "share at most"), limit=limit)
    if result.comparison in ("better", "worse"):
        methods = (tuple(placed.partition.method.split(", ")), "method")
        portfolio = result.settings.algorithm == "portfolio"
        kind = "found-by-portfolio" if portfolio else "found-by"
        yield finding("confidence", kind, methods=methods)
    if placed.communication.form:
        form = (placed.communication.form, "form")
        yield finding("confidence", "read-as", form=form)


def _proved(result: PlacementResult) -> tuple[Finding, ...]:
    """How much better a placement could be."""
    return tuple(each for each in _confidence(result) if each.kind in _PROOFS) or (
        (finding("confidence", "optimal"),) if result.proved else ()
    )


_PROOFS = ("optimal", "limit", "unknown-limit")


def _facts(result: PlacementResult) -> Iterator[Fact]:
    """What the table of mappings does not say on the first page."""
    if result.nodes > FEW_NODES and result.comparison != "silent":
        return
    placed, unit = result.placement, unit_of(result)
    sizes = placed.nodes.tasks
    per_node = ((int(sizes.min()), int(sizes.max())), "interval:count")
    yield Fact("nodes", result.nodes, "count", finding("note", "ranks-per-node", ranks=per_node))
    if result.comparison == "silent":
        return
    cut, before = placed.partition.cut, placed.rank_order
    yield Fact("between", cut, unit, _default(before, unit))
    if placed.summed:
        yield Fact("levels", result.value, unit, _default(result.order_value, unit))
    yield from _share(result)


def _share(result: PlacementResult) -> Iterator[Fact]:
    placed, total = result.placement, result.graph.total
    if total > 0 and not result.graph.has_negative:
        default = _default(placed.rank_order / total, "share")
        yield Fact("share", placed.partition.cut / total, "share", default)


def _reasons(result: PlacementResult) -> Iterator[Finding]:
    """What decides, and how robust the placement is."""
    if result.comparison == "silent":
        return
    if result.comparison == "better":
        if result.nodes > 2:
            yield _busiest(result, "reason")
        part, unit, now = result.order_part, "count", len(result.cut_pairs)
        tails, heads = result.graph.tails, result.graph.neighbours
        before = int(np.count_nonzero(part[tails] != part[heads])) // 2
        if now < before:
            yield finding("reason", "split", now=(now, unit), before=(before, unit),
                          pairs=(result.graph.edges, unit))  # fmt: skip
        yield from _agree(result, "reason")
    if len(result.tried) > 1 and _best(result) is None:
        yield _least(result, "reason")


def _busiest(result: PlacementResult, severity: Severity) -> Finding:
    unit = unit_of(result)
    most, before = (float(leaving.max())
                    for _, leaving in (result.by_node, result.by_node_in_order))  # fmt: skip
    return finding(severity, "busiest", now=(most, unit), before=(before, unit))


def _least(result: PlacementResult, severity: Severity) -> Finding:
    least = min(each.value for each in result.tried)
    best = tuple(each.name for each in result.tried if each.value - least <= result.tolerance)
    return finding(severity, "least", methods=(best, "method"))


def _agree(result: PlacementResult, severity: Severity) -> Iterator[Finding]:
    """By which other costs the groups are no worse."""
    if kept := tuple(other.weight for other in result.others if not other.worse):
        yield finding(severity, "costs-agree", costs=(kept, "measure"))


def _alternatives(result: PlacementResult) -> Iterator[Finding]:
    """The default mapping, the next best method, and another number of ranks per node."""
    if result.comparison == "silent":
        return
    values = {each.name: each.value for each in result.tried if each.name != "order"}
    worse = {name: value for name, value in values.items()
             if value - result.value > result.tolerance}  # fmt: skip
    instead = [("order", result.order_value)] if result.comparison == "better" else []
    instead += [min(worse.items(), key=lambda each: each[1])] if worse else []
    for name, value in instead:
        if result.value > 0:
            yield finding(
                "alternative", "instead", method=(name, "method"),
                measure=(_measure(result), "measure"), change=(value / result.value - 1, "change"),
            )  # fmt: skip
    gains = {each: 1 - each.partition.cut / each.rank_order
             for each in result.sizes if each.rank_order > 0}  # fmt: skip
    most = max(gains, key=lambda each: gains[each], default=None)
    if most is not None and gains[most] >= NOTICED:
        unit = unit_of(result)
        yield finding(
            "alternative", "other-size", ranks=(most.tasks, "count"), nodes=(most.nodes, "node"),
            now=(most.partition.cut, unit), before=(most.rank_order, unit),
        )  # fmt: skip


def _assumptions(result: PlacementResult) -> Iterator[Finding]:
    """What would change the placement."""
    yield finding("assumption", "one-run")
    if result.nodes > 2 and result.comparison != "silent":
        yield finding("assumption", "flat-network")


def _between(result: PlacementResult) -> Finding:
    """What ranks on different nodes exchange."""
    placed, unit = result.placement, unit_of(result)
    pair: dict[str, Any] = {
        "now": (placed.partition.cut, unit), "before": (placed.rank_order, unit),
    }  # fmt: skip
    total = result.graph.total
    if total <= 0 or result.graph.has_negative:
        return finding("note", "matrix", **pair)
    shares = {"part": (placed.partition.cut / total, "share"),
              "default": (placed.rank_order / total, "share")}  # fmt: skip
    return finding("note", "matrix-shares", **pair, **shares)


def _moved(result: PlacementResult) -> Finding:
    moved = int(np.count_nonzero(result.placement.partition.part != result.order_part))
    return finding("note", "moved", ranks=((moved, result.graph.vertices), "of:rank"))


def _between_nodes(result: PlacementResult) -> Iterator[Finding]:
    """How many nodes exchange anything, and which two most, if no others do as much."""
    found = rows.node_pairs(result, 2)
    if found:
        pairs = (len(result.node_pairs), result.nodes * (result.nodes - 1) // 2)
        yield finding("note", "node-pairs", pairs=(pairs, "of:pair"))
    if len(found) == 2 and found[0]["weight"] - found[1]["weight"] > result.tolerance:
        yield finding(
            "note", "most-exchanged", node=(found[0]["node"], "id"),
            other=(found[0]["other_node"], "id"), most=(found[0]["weight"], unit_of(result)),
        )  # fmt: skip


def _doubts(result: PlacementResult) -> Iterator[Finding]:
    """What another number of ranks per node, or another cost says."""
    if result.sizes:
        gains = tuple(
            size.tasks for size in result.sizes
            if size.rank_order - size.partition.cut >= NOTICED * abs(size.rank_order) > 0
        )  # fmt: skip
        yield finding("note", "sizes-gain", sizes=(gains, "count"))
    yield from _agree(result, "note")


def _default(value: float, unit: str) -> Finding:
    return finding("note", "default", value=(value, unit))


def _open(result: PlacementResult) -> Iterator[Finding]:
    """What the placement does not tell: run time, collective operations."""
    if _to_use(result):
        yield finding("risk", "run-time")
    if result.placement.communication.form != "monitoring":
        yield finding("risk", "kinds-unknown")


def _risks(result: PlacementResult) -> Iterator[Finding]:
    """What may make the placement wrong."""
    placed, unit, limit = result.placement, unit_of(result), result.settings.time_limit_s
    given = (limit, "s given")
    yield from _open(result)
    yield from placed.costs.findings
    if placed.levels.assumed:
        yield finding("risk", "distances-assumed", levels=(placed.levels.assumed, "level"))
    best = _best(result)
    if best is not None and better_one(result) is None:
        value = (best.value, unit)
        yield finding("risk", "better-method", method=(best.name, "method"), value=value)
    late = tuple(each.name for each in result.tried if each.late)
    if late and not (len(result.tried) == 1 and result.proved):
        yield finding("risk", "late", methods=(late, "method"), limit=given)
    if any(size.late for size in result.sizes):
        yield finding("risk", "late-sizes", limit=given)
    for other in result.others:
        if other.worse:
            own = _UNITS[other.unit]
            yield finding(
                "risk", "worse-by", measure=(other.weight, "measure"), now=(other.cut, own),
                before=(other.rank_order, own),
            )  # fmt: skip
    nodes, silent = placed.nodes, placed.communication.silent
    unread = (each.indexes for each in nodes.shapes if each and each.indexes and not each.cpus)
    for index in dict.fromkeys(unread):
        yield finding("risk", "logical-numbers", indexes=(index, "text"))
    if len(silent):
        which = (spans(silent.tolist()), "exact")
        yield finding("risk", "silent", ranks=(len(silent), "count"), which=which)
    if len(nodes.unused):
        which = (spans(nodes.unused.tolist()), "exact")
        count = ((len(nodes.unused), nodes.offered), "of:count")
        yield finding("risk", "unused", nodes=count, which=which)


def _to_use(result: PlacementResult) -> bool:
    """Whether the next step is to use the rank file."""
    gains = result.comparison == "better" and not result.slight
    return better_one(result) is None and (result.placement.moved_by_pins or gains)


def _next_steps(result: PlacementResult) -> Iterator[Finding]:
    form, best = result.settings.form, better_one(result)
    if best is not None:
        yield finding("next step", "use-method", method=(best.name, "method"))
    elif _to_use(result):
        yield finding("next step", "start", file=(path_of(form), "exact"))
        if result.layout.placeholders:
            yield finding("next step", "hosts")
        yield finding("next step", "compare-runs")
    else:
        yield finding("next step", "as-before")
    late = any(each.late for each in result.tried)
    if result.comparison != "silent" and not result.proved and late:
        yield finding("next step", "more-time")
    if result.ping_pong is not None and result.ping_pong.assumed:
        yield finding("next step", "measure-times")


def _questions(result: PlacementResult) -> tuple[Question, ...]:
    placed, form = result.placement, result.settings.form
    silent = result.comparison == "silent"
    graph = ("graph",) if not silent and result.graph.vertices <= rows.MOST_EDGES else ()
    commands = tuple(_commands(result))
    other = "nodes" if result.nodes > FEW_NODES else "mappings"
    dotted = ("dotted",) if any(row["level"] == "within" for row in rows.blocks(result)) else ()
    settings, gains = result.settings, result.comparison == "better" and not result.slight
    return (
        Question("change", () if silent else (_between(result), _moved(result)), tables=(other,),
                 figures=("matrix", *graph), texts=("change",)),
        Question(
            "quality", () if silent else _proved(result), tables=("algorithms",),
            figures=("algorithms",),
            texts=("quality", *(("quality-pins",) if settings.pins else ())),
        ),
        Question(
            "traffic", tuple(_between_nodes(result)), tables=("pairs of nodes",),
            figures=("traffic",), texts=("traffic",) if len(result.node_pairs) > 1 else (),
        ),
        Question("levels", tables=("levels",), figures=("levels",),
                 texts=("levels", *dotted) if placed.hierarchical else ()),
        Question("start", started(form, result.layout).remarks, commands,
                 tables=("rank files",),
                 texts=() if gains or placed.moved_by_pins else ("start",)),
        Question("costs", () if silent else tuple(_doubts(result)),
                 tables=("other costs", "tasks on a node"), texts=("costs",)),
        Question("counted", (_exchanged(result),), tuple(_counted(result)),
                 texts=("counted", f"cost-{placed.costs.weight}")),
        Question("limits", (finding("limit", "run-time"),), texts=("limits",)),
        Question(
            "method", tables=("methods", "not run"),
            texts=("method", "method-levels" if placed.summed else "method-nodes"),
            equations=("over-levels" if placed.summed else "nodes-alone",),
        ),
    )  # fmt: skip


def _commands(result: PlacementResult) -> Iterator[Fact]:
    """What starts the program with the chosen form of rank file, and with Slurm."""
    form = result.settings.form
    command = started(form, result.layout).command
    if command:
        yield Fact("start_command", f"{command} PROGRAM", "command")
    slurm = started("slurm", result.layout).command
    if form != "slurm" and slurm:
        yield Fact("slurm_command", f"{slurm} PROGRAM", "command")


def _exchanged(result: PlacementResult) -> Finding:
    """Pairs of ranks that exchange messages, and how much."""
    communication = result.placement.communication
    pairs = (communication.pairs, communication.ranks * (communication.ranks - 1) // 2)
    sent, largest = communication.total_bytes, float(communication.bytes.max(initial=0.0))
    return finding("note", "exchanged", pairs=(pairs, "of:count"), sent=(sent, "B"),
                   largest=(largest, "B"))  # fmt: skip


def _counted(result: PlacementResult) -> Iterator[Fact]:
    """Messages of the request."""
    communication = result.placement.communication
    messages = _total(communication.messages)
    if messages is not None:
        yield Fact("messages", messages, "message")
        if messages and communication.total_bytes:
            yield Fact("mean_message", communication.total_bytes / messages, "B")


def _input(result: PlacementResult) -> Iterator[Fact]:
    """What is excluded, and nodes, memory and pins of the request."""
    placed, communication = result.placement, result.placement.communication
    nodes, own_messages = placed.nodes, _total(communication.self_messages)
    yield Fact("self_bytes", float(communication.self_bytes.sum()), "B")
    if own_messages:
        yield Fact("self_messages", own_messages, "message")
    if communication.form == "monitoring":
        yield Fact("traffic", result.settings.traffic, "traffic")
    else:
        yield Fact("traffic", "unknown", "traffic")
    if result.ping_pong is not None:
        yield Fact("times", result.ping_pong.name, "text")
        if result.ping_pong.source:
            yield Fact("times_source", result.ping_pong.source, "quotation")
    shapes = Counter(str(shape) for shape in nodes.shapes if shape)
    if shapes:
        yield Fact("hierarchies", tuple(shapes), "exact")
        yield Fact("fill", nodes.fill, "fill")
        yield Fact("threads", max(shape.threads for shape in nodes.shapes if shape), "count")
    if nodes.memory:
        yield Fact("node_memory", nodes.memory.node_gb, "GB")
        yield Fact("rank_memory", nodes.memory.task_gb, "GB")
    by_node: dict[int, list[int]] = {}
    for rank, node in result.settings.pins.items():
        by_node.setdefault(node, []).append(rank)
    if by_node:
        pins = tuple(f"{spans(pinned)} = {node}" for node, pinned in sorted(by_node.items()))
        yield Fact("pins", pins, "exact")


def _tables(result: PlacementResult) -> Iterator[Table]:
    placed, unit = result.placement, unit_of(result)
    silent, summed = result.comparison == "silent", placed.summed
    change, of_cut = {"change": "change"}, {"share": "share_of_cut"}
    unnamed = {"host", "other_host"} if result.layout.placeholders else set()
    alike = len({*placed.nodes.tasks.tolist()}) == 1
    levels = {"levels": unit, "levels_change": "change"} if summed else {}
    yield table("mappings", {"mapping": "mapping", "between": unit, "share": "share", **change,
                **levels}, () if silent else _mappings(result))  # fmt: skip
    yield table("nodes", {"node": "id", "host": "text", "ranks": "count", "which": "exact",
                "inside": unit, "with other nodes": unit}, rows.nodes(result), total=result.nodes,
                hidden=unnamed | ({"ranks"} if alike else set()))  # fmt: skip
    totals = {"total": unit, "total_bound": unit} if summed else {}
    hidden = {"total_bound", "bound", "status", "ratio", "found_by"}
    if not any(each.late for each in result.tried):
        hidden |= {"stopped_by_time"}
    yield table("algorithms", {"algorithm": "method", "found_by": "method", "cut": unit, **totals,
                **change, "improvable": "share at most", "judged": "judged",
                "stopped_by_time": "flag", "bound": unit, "status": "status", "ratio": "ratio"},
                at="/algorithms", hidden=hidden)  # fmt: skip
    yield table("not run", {"algorithm": "method", "why": "unsuited", "most": "count"},
                ({"algorithm": name, **why} for name, why in _refused(result).items()),
                hidden=() if any(each.most for each in result.refused.values()) else ("most",),
                )  # fmt: skip
    yield table("ranks", {"rank": "id", "node": "id", "host": "text", "processor": "id",
                "core": "id"}, rows.ranks(result), total=result.layout.ranks)  # fmt: skip
    yield table("levels", {"level": "level", "distance": "number", "bytes_rank_order": "B",
                "bytes": "B", **change, "share": "share"},
                at="/by_level" if placed.hierarchical else "")  # fmt: skip
    yield table("pairs of nodes", {"node": "id", "other_node": "id", "host": "text",
                "other_host": "text", "weight": unit, "share": "share"},
                rows.node_pairs(result, rows.MOST_ROWS), total=len(result.node_pairs),
                hidden=unnamed, labels=of_cut)  # fmt: skip
    yield table("pairs of ranks parted", {"rank": "id", "other_rank": "id", "node": "id",
                "other_node": "id", "weight": unit, "share": "share"},
                rows.parted_pairs(result, rows.MOST_ROWS), total=len(result.cut_pairs),
                labels=of_cut)  # fmt: skip
    further = {"cut_rank_order": "number", "cut": "number", "unit": "exact", "ratio": "ratio"}
    yield table("other costs", {"cost": "measure", **change, **further}, at="/other_costs",
                hidden=further)  # fmt: skip
    yield table("tasks on a node", {"tasks_per_node": "count", "own": "flag", "nodes": "count",
                "cut_rank_order": unit, "cut": unit, **change, "bound": unit, "found_by": "method",
                "status": "status", "ratio": "ratio"}, rows.by_size(result),
                hidden={"ratio"})  # fmt: skip
    yield table("rank files", {"file": "exact", "launcher": "exact", "lines": "count"},
                rows.files(result))  # fmt: skip
    every = {*(each.name for each in result.tried), *result.refused}
    every |= {method for each in result.tried for method in each.method.split(", ")}
    yield table("methods", {"method": "exact", "does": "does"},
                ({"method": name, "does": name} for name in sorted(every)))  # fmt: skip
    yield from _drawn(result)


def _drawn(result: PlacementResult) -> Iterator[Table]:
    """The tables of figures."""
    unit, drawn = unit_of(result), rows.drawn_weight(result)[1]
    few = result.comparison == "silent" or result.nodes < SEVERAL
    yield table("traffic of nodes", {"mapping": "mapping", "place": "count", "weight": unit},
                () if few else rows.traffic(result))  # fmt: skip
    yield table("cells", {"row": "count", "column": "count", "default": drawn, "placed": drawn},
                rows.matrix(result))  # fmt: skip
    yield table("blocks", {"level": "exact", "node": "id", "first": "count", "end": "count",
                "ranks": "exact"}, rows.blocks(result))  # fmt: skip
    yield table("edges", {"rank": "id", "other_rank": "id", "weight": unit}, rows.edges(result))
    yield table("places", {"rank": "id", "default": "id", "placed": "id", "default_host": "text",
                "placed_host": "text"}, rows.places(result))  # fmt: skip


def _mappings(result: PlacementResult) -> Iterator[dict[str, Value]]:
    """The default mapping, the placement, and the proven limit."""
    placed, total = result.placement, result.graph.total
    partition, order = placed.partition, placed.rank_order
    rowsets: list[tuple[str, float, float]] = [
        ("default", order, result.order_value), ("placed", partition.cut, result.value),
    ]  # fmt: skip
    if np.isfinite(result.bound):
        rowsets.append(("limit", partition.bound, result.bound))
    shared = total > 0 and not result.graph.has_negative
    for name, between, value in rowsets:
        there = bool(np.isfinite(between))
        yield {
            "mapping": name,
            "between": between if there else None,
            "share": between / total if shared and there else None,
            "change": rows.change(between, order) if there else None,
            "levels": value if placed.summed else None,
            "levels_change": rows.change(value, result.order_value) if placed.summed else None,
        }


def _figures(result: PlacementResult) -> Iterator[Figure]:
    placed = result.placement
    if placed.communication.pairs:
        yield Figure(
            "matrix", "matrix", "cells", "row", ("default", "placed"), across="column",
            dots="blocks", finding=_between(result),
        )  # fmt: skip
    if result.comparison == "silent":
        return
    limits = [Limit("x", result.order_value, "default")]
    if np.isfinite(result.bound):
        limits.append(Limit("x", result.bound, "bound"))
    yield Figure(
        "algorithms", "intervals", "algorithms", "algorithm",
        ("total" if placed.summed else "cut",), limits=tuple(limits),
        finding=_least(result, "note"),
    )  # fmt: skip
    if result.nodes >= SEVERAL:
        kind = "dots" if result.nodes <= MOST_DOTS else "lines"
        yield Figure("traffic", kind, "traffic of nodes", "place", ("weight",),
                     series="mapping", finding=_busiest(result, "note"))  # fmt: skip
    if placed.hierarchical and placed.communication.total_bytes:
        outer, inner = placed.by_level[0], placed.by_level[-1]
        total = placed.communication.total_bytes
        shares = {"leave": (outer.bytes / total, "share"), "inmost": (inner.bytes / total, "share")}
        yield Figure("levels", "bars", "levels", "level", ("bytes_rank_order", "bytes"),
                     finding=finding("note", "stay", **shares))  # fmt: skip
    if result.graph.vertices <= rows.MOST_EDGES:
        parted = ((len(result.cut_pairs), result.graph.edges), "of:count")
        yield Figure("graph", "graph", "edges", "rank", ("weight",), across="other_rank",
                     dots="places", finding=finding("note", "parted", pairs=parted))  # fmt: skip


def _total(each: Floats | None) -> float | None:
    return None if each is None else float(each.sum())


def _data(result: PlacementResult) -> dict[str, Any]:
    """The members of place.json besides the study."""
    placed, communication = result.placement, result.placement.communication
    partition, settings = placed.partition, result.settings
    gap = partition.gap if np.isfinite(partition.bound) else np.inf
    return {
        "name": communication.name,
        "sha256": communication.sha256,
        "form": communication.form,
        "ranks": placed.graph.vertices,
        "nodes": len(placed.groups),
        "cost": placed.costs.weight,
        "unit": placed.costs.unit,
        "groups": placed.groups,
        "node_numbers": placed.nodes.numbers.tolist(),
        "unused_nodes": placed.nodes.unused.tolist(),
        "cut": partition.cut,
        "cut_rank_order": placed.rank_order,
        "ratio": placed.ratio,
        "bound": rows.known(partition.bound),
        "gap": rows.known(gap),
        "status": partition.status.value,
        "method": partition.method,
        **(_hierarchy(result) if placed.hierarchical else {}),
        "algorithm": settings.algorithm,
        "seed": settings.seed,
        "starts": settings.starts,
        "time_limit_s": settings.time_limit_s,
        "stopped_by_time": result.stopped_by_time,
        "bound_by": list(result.bound_by),
        "algorithms": [rows.algorithm(result, attempt) for attempt in result.tried],
        "refused": _refused(result),
        "other_costs": rows.others(result),
        "other_tasks_per_node": rows.sizes(result),
        "rank_order_kept": (result.comparison != "better" or result.slight)
        and not placed.moved_by_pins,
        "hosts": list(result.layout.hosts),
        "communication": {
            "form": communication.form,
            "traffic": settings.traffic if communication.form == "monitoring" else None,
            "pairs": communication.pairs,
            "bytes": communication.total_bytes,
            "messages": _total(communication.messages),
            "self_bytes": _total(communication.self_bytes),
            "self_messages": _total(communication.self_messages),
            "silent_ranks": len(communication.silent),
        },
        "ping_pong": None
        if result.ping_pong is None
        else {
            "name": result.ping_pong.name,
            "source": result.ping_pong.source,
            "assumed": result.ping_pong.assumed,
            "sha256": result.ping_pong.sha256,
        },
        "node_pairs": rows.node_pairs(result, _MOST_PLAIN),
        "parted_pairs": rows.parted_pairs(result, _MOST_PLAIN),
        "cell": rows.cell(result),
        **({"files": dict(settings.files)} if settings.files else {}),
    }


def _refused(result: PlacementResult) -> dict[str, dict[str, Value]]:
    """Why other algorithms have no result, and the limit that is exceeded."""
    return {name: {"why": each.why, "most": each.most} for name, each in result.refused.items()}


def _hierarchy(result: PlacementResult) -> dict[str, Any]:
    placed = result.placement
    return {
        "hierarchies": [str(shape) for shape in dict.fromkeys(placed.nodes.shapes) if shape],
        "cores": placed.cores,
        "total": placed.total if placed.summed else None,
        "total_rank_order": placed.total_rank_order if placed.summed else None,
        "total_bound": rows.known(placed.total_bound) if placed.summed else None,
        "total_status": placed.mapping.status.value if placed.summed else None,
        "by_level": rows.levels(result),
    }
