"""What measurements must hold so that patterns can be predicted: all that is missing at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from planner.aggregation.patterns import REFERENCE, Pattern, patterns, sampled
from planner.aggregation.placements import Nearness
from planner.aggregation.selection import feasible
from planner.errors import InputError
from scenarios.aggregation import NodeMeasurements
from scenarios.aggregation.measurements import (
    EXCHANGES,
    FILES,
    MESSAGES,
    NODE,
    PROGRAM,
    TRAFFIC,
    TRAINING,
)
from scenarios.aggregation.measurements import (
    SAMPLES as SAMPLES_FILE,
)
from scenarios.aggregation.task_layout import Layout
from scenarios.faults import Fault, ScenarioError, foremost

_LEAST_CODES = 3
_WORDS: dict[Nearness, str] = {
    "die": "between two cores of a die",
    "processor": "between dies of a socket",
    "node": "between sockets",
    "network": "between nodes",
}


def check(measured: NodeMeasurements, *, metered: bool = True) -> None:
    """Refuse measurements that cannot be used.

    Parameters
    ----------
    metered
        Whether power must be known.

    Raises
    ------
    ScenarioError
        The measurements have errors; each has its file and line.
    """
    result = [*lacking(measured, metered=metered)]
    if result:
        raise ScenarioError(foremost(result, measured.folder))


def lacking(
    measured: NodeMeasurements, whole: Collection[str] = FILES, *, metered: bool = True
) -> Iterator[Fault]:
    """Yield an error for each measurement that is missing or contradicts another.

    Parameters
    ----------
    whole
        Files of which every row was read. Nothing is reported as missing from the other files.
    metered
        Whether power must be known.
    """
    try:
        sampled(measured.node)
    except InputError as error:
        yield Fault(measured.shown(NODE), 0, "", str(error))
        return
    yield from _patterns(measured)
    if SAMPLES_FILE in whole:
        yield from _samples(measured)
    if TRAINING in whole:
        yield from _training(measured)
        if metered and not any(run.power_w is not None for run in measured.training):
            message = "no power is metered; fill power_w (best in every row), or choose by rank"
            yield Fault(measured.shown(TRAINING), 0, "", message)
    if {PROGRAM, TRAINING, EXCHANGES} <= {*whole}:
        yield from _exchanges(measured)
    if {PROGRAM, TRAFFIC, TRAINING, MESSAGES} <= {*whole}:
        yield from _messages(measured)


def offered(measured: NodeMeasurements) -> tuple[Pattern, ...]:
    """Patterns that some training code was measured under."""
    known = {run.pattern for run in measured.training}
    return tuple(p for p in patterns(measured.node) if p.id in known)


def needed(layout: Layout) -> tuple[Nearness, ...]:
    """Where two tasks can lie under a layout; there may always be another node."""
    kinds: tuple[tuple[Nearness, bool], ...] = (
        ("die", layout.cores > 1),
        ("processor", layout.dies > 1),
        ("node", layout.processors > 1),
        ("network", True),
    )
    return tuple(kind for kind, has in kinds if has)


def _patterns(measured: NodeMeasurements) -> Iterator[Fault]:
    there = len(patterns(measured.node))
    rows = [(TRAINING, run.pattern, run.line) for run in measured.training]
    rows += [(MESSAGES, m.pattern, m.line) for m in measured.messages if m.pattern is not None]
    rows += [(EXCHANGES, e.pattern, e.line) for e in measured.exchanges]
    rows += [(SAMPLES_FILE, pattern, line) for pattern, line in measured.lines.items()]
    for file, pattern, line in rows:
        if pattern > there:
            message = (
                f"pattern {pattern} does not exist: the node has {there} "
                f"patterns; give 1 to {there}"
            )
            yield Fault(measured.shown(file), line, "", message)


def _samples(measured: NodeMeasurements) -> Iterator[Fault]:
    shown = measured.shown(SAMPLES_FILE)
    under = sampled(measured.node)
    for pattern in under:
        if pattern not in measured.program.samples:
            yield Fault(shown, 0, "", f"has no row for pattern {pattern}; run the program under it")
    for pattern, line in measured.lines.items():
        if pattern not in under:
            wanted = " and ".join(map(str, sorted(under)))
            message = f"pattern {pattern} is not sampled; give patterns {wanted} only"
            yield Fault(shown, line, "", message)


def _training(measured: NodeMeasurements) -> Iterator[Fault]:
    shown, under = measured.shown(TRAINING), sampled(measured.node)
    known = {pattern.id for pattern in offered(measured)}
    for pattern in sorted({REFERENCE, *under} - known):
        yield Fault(
            shown, 0, "", f"no training code ran under pattern {pattern}; run all codes under it"
        )
    codes = {run.code for run in measured.training}
    if len(codes) < _LEAST_CODES:
        message = f"has {len(codes)} codes; cross-validation needs at least three"
        yield Fault(shown, 0, "", message)
    seen: dict[tuple[str, str], set[int]] = {}
    first: dict[tuple[str, str], int] = {}
    for run in measured.training:
        phase = run.code, run.problem
        first.setdefault(phase, run.line)
        seen.setdefault(phase, set()).add(run.pattern)
        if run.pattern in under and not run.events:
            message = f"the event rates of pattern {run.pattern} are missing; count them"
            yield Fault(shown, run.line, "", message)
    for phase, tried in seen.items():
        if missing := sorted((known | set(under)) - tried):
            listed = ", ".join(map(str, missing))
            many = "patterns" if len(missing) > 1 else "pattern"
            message = (
                f"{' '.join(phase).strip()} was not run under {many} {listed}, unlike others; "
                "run it "
                "there, or omit it"
            )
            yield Fault(shown, first[phase], "", message)


def _exchanges(measured: NodeMeasurements) -> Iterator[Fault]:
    if not measured.program.traffic.block_b:
        return
    known = {exchange.pattern for exchange in measured.exchanges}
    for pattern in feasible(measured.program, offered(measured), measured.memory_gb):
        if pattern.id not in known:
            message = (
                f"has no exchange under pattern {pattern.id}, which the program needs; time it"
            )
            yield Fault(measured.shown(EXCHANGES), 0, "", message)


def _messages(measured: NodeMeasurements) -> Iterator[Fault]:
    if not len(measured.program.traffic.source):
        return
    wanted = feasible(measured.program, offered(measured), measured.memory_gb)
    shown = measured.shown(MESSAGES)
    seen: dict[tuple[int | None, Nearness], dict[str, set[float]]] = {}
    for m in measured.messages:
        by_noise = seen.setdefault((m.pattern, m.sharing), {})
        by_noise.setdefault(m.noise, set()).add(m.size_b)
    if (None, "network") not in seen:
        yield Fault(shown, 0, "", "has no lone message between nodes; time one")
    if not any((None, kind) in seen for kind in ("die", "processor", "node")):
        yield Fault(shown, 0, "", "has no lone message within a node; time one")
    for pattern in wanted:
        for kind in needed(pattern.layout):
            if (pattern.id, kind) not in seen:
                message = f"has no message {_WORDS[kind]} under pattern {pattern.id}; time one"
                yield Fault(shown, 0, "", message)
    for (at, kind), by_noise in seen.items():
        if len({frozenset(sizes) for sizes in by_noise.values()}) > 1:
            under = "alone" if at is None else f"under pattern {at}"
            message = (
                f"messages {_WORDS[kind]} {under} have different sizes under different kinds of "
                "noise; time the same sizes"
            )
            yield Fault(shown, 0, "", message)
