"""What to know before using the configuration of one application: findings of kind risk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from planner.configurations.risk import WIDE
from planner.configurations.sockets import LEAST_SHARE, MOST_SHARE, SocketPower
from planner.finding import Finding, finding

if TYPE_CHECKING:
    from planner.configurations.best_configuration import ConfigurationAnswer
    from planner.configurations.risk import Risk
    from planner.configurations.table import Configuration
    from scenarios.measurements.spread import RepetitionSpread


def of_answer(answer: ConfigurationAnswer) -> Iterator[Finding]:
    """What may mislead of one answer."""
    seen, bound_w = answer.risk, answer.question.bound.bound_w
    if answer.chosen.predicted and answer.risk_of(answer.chosen) is None:
        yield finding("risk", "never-run-yet", **named(answer, answer.chosen))
    if answer.socket_power is not None:
        yield from of_socket(answer.application, answer.chosen, answer.socket_power)
    rated, tdp = answer.worst_case.configuration, answer.question.node.tdp_w
    if rated is not None and rated.power_w > bound_w:
        power = (rated.power_w, "W in W")
        yield finding("risk", "rating-low", **named(answer, rated), power=power)
    highest = float(answer.table.package_cap_w.max())
    who = (answer.application, "text")
    if highest < tdp:
        caps = {"cap": (highest, "W given"), "tdp": (tdp, "W given")}
        yield finding("risk", "caps-low", application=who, **caps)
    if seen is not None:
        lucky = answer.question.repetition == "best" and seen.median_s > WIDE * seen.best_s
        if lucky:
            median = (seen.median_s, "s")
            yield finding("risk", "lucky", **named(answer, answer.best), median=median)
        yield from of_runs(answer.application, answer.best, seen, bound_w)
    yield from _unsteady(answer)
    if answer.question.bound.never_limits(float(answer.table.charged_w.max())):
        most = (float(answer.table.power_w.max()), "W in W up")
        yield finding(
            "risk", "limits-nothing", application=who, bound=(bound_w, "W given"), most=most
        )
    if answer.decided is not None and answer.chosen != answer.best:
        yield finding("risk", "not-fastest", rule=(answer.decided.method, "exact"))
        chosen = answer.risk_of(answer.chosen)
        if chosen is not None:
            yield from of_runs(answer.application, answer.chosen, chosen, bound_w)


def named(answer: ConfigurationAnswer, configuration: Configuration) -> dict[str, Any]:
    """An application with one of its configurations, as values of a finding."""
    return {"application": (answer.application, "text"),
            "configuration": (configuration.short, "exact")}  # fmt: skip


def of_runs(
    application: str, chosen: Configuration, seen: Risk, bound_w: float
) -> Iterator[Finding]:
    """What the repetitions of a chosen configuration say of it."""
    who: dict[str, Any] = {
        "application": (application, "text"), "configuration": (chosen.short, "exact"),
    }  # fmt: skip
    if seen.runs_over_bound:
        part = ((seen.runs_over_bound, seen.repetitions), "of:count")
        values = {"bound": (bound_w, "W given"), "most": (seen.largest_power_w, "W in W up")}
        yield finding("risk", "over-bound", **who, runs=part, **values)
    if seen.wide:
        yield finding("risk", "wide", **who, times=((seen.best_s, seen.worst_s), "interval:s"))


def of_socket(application: str, chosen: Configuration, socket: SocketPower) -> Iterator[Finding]:
    """That the power of a socket does not suit its cap."""
    if LEAST_SHARE <= socket.share <= MOST_SHARE:
        return
    kind = "socket-low" if socket.share < LEAST_SHARE else "socket-high"
    yield finding(
        "risk", kind, application=(application, "text"), configuration=(chosen.short, "exact"),
        power=(socket.power_w, "W in W"), cap=(socket.cap_w, "W given"),
    )  # fmt: skip


def of_spreads(spreads: Sequence[RepetitionSpread], simulated: str) -> Iterator[Finding]:
    """What the repetitions of all applications say: runs once, slow runs, simulated ones."""
    once = tuple(each.application for each in spreads if not each.known)
    if once:
        yield finding("risk", "measured-once", applications=(once, "text"))
    slow = [straggler for spread in spreads for straggler in spread.stragglers]
    if slow:
        repeated = sum(spread.runs for spread in spreads)
        yield finding(
            "risk", "slow-runs", runs=((len(slow), repeated), "of:count"),
            most=(max(each.ratio for each in slow) - 1, "share at most"),
        )  # fmt: skip
    if simulated:
        yield finding("risk", "simulated", source=(simulated, "text"))


def _unsteady(answer: ConfigurationAnswer) -> Iterator[Finding]:
    """The baselines whose runs differ so much that the speed-up over them is uncertain."""
    baselines = {
        baseline: choice
        for choice, baseline in (
            ("worst case by rating", answer.worst_case.configuration),
            ("packed-max", answer.packed_max),
        )
    }
    for baseline, choice in reversed(baselines.items()):
        if baseline is None or baseline == answer.best or not answer.unsteady(baseline):
            continue
        seen = answer.risk_of(baseline)
        if seen is not None:
            times = ((seen.best_s, seen.worst_s), "interval:s")
            yield finding(
                "risk", "unsure", **named(answer, baseline), choice=(choice, "choice"), times=times
            )
