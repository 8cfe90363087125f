"""What the pages of a choice of configurations answer: a few facts for each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from planner.configurations.gains_at_bounds import speedups
from planner.configurations.risk import of_chosen
from planner.configurations.table import groups
from planner.finding import Fact, Finding, Severity, finding

if TYPE_CHECKING:
    from planner.configurations.best_configuration import ConfigurationAnswer
    from planner.configurations.result import ConfigurationResult
    from planner.configurations.table import Configuration
    from scenarios.measurements.runs import Runs
    from scenarios.measurements.spread import RepetitionSpread

RATED = "worst case by rating"
SAME = 0.02
"""Slopes and intercepts that differ by less are said to be the same (thesis, section 4.4.3)."""
MOST_SAVED = 2
"""Applications with an alternative that saves power on the first page."""
ALIKE = 1e-9
"""Speed-ups and powers that differ by a smaller share are equal."""
CLOSEST = 3
"""Bounds of each application in the table of bounds close to the requested one."""
FEW_SLOW = 12
"""Slow runs that are listed one by one; more are summarised by application."""


def gained(result: ConfigurationResult) -> Iterator[Finding]:
    """The speed-ups over packed-max that are certain, and of which applications some are not."""
    found = [(answer.application, *each) for answer in result.answers for each in speedups(answer)]
    sure = [each for each in found if each[3]]
    gains = [each[2] for each in sure]
    if gains and max(gains) > 1:
        bounds = [each[1] for each in sure]
        values = {"bounds": ((min(bounds), max(bounds)), "interval:W given")}
        span = ((min(gains), max(gains)), "interval:multiple")
        yield finding("note", "gained", **values, speedups=span)
    if len(sure) < len(found):
        unsure = dict.fromkeys(each[0] for each in found if not each[3])
        yield finding("note", "unsure-gains", applications=(tuple(unsure), "text"))


def is_unsure(result: ConfigurationResult) -> bool:
    """Whether a speed-up at some round bound is uncertain."""
    return any(
        answer.unsteady(other)
        for answer in result.answers
        for at_bound in answer.at_bounds
        for other in (at_bound.packed_max, at_bound.worst_case)
    )


def losses(result: ConfigurationResult) -> list[dict[str, Any]]:
    """Speed-ups of the best of each application over common choices, where they are certain."""
    return [
        {"application": answer.application}
        | {choice.name: None if choice.gain is None or answer.unsteady(choice.configuration)
           else choice.gain.speedup for choice in answer.compared if choice.name != "best"}
        for answer in result.answers
    ]  # fmt: skip


def least_lost(result: ConfigurationResult, severity: Severity) -> Iterator[Finding]:
    """The common choices that lose least, of those that are slower than the best.

    Only those within the bound count whose speed-ups are certain in all applications.
    """
    rows = losses(result)
    every = {name: [row[name] for row in rows] for name in rows[0] if name != "application"}
    if not rating_fits(result):
        every.pop(RATED)
    slower = {name: found for name, found in every.items()
              if None not in found and max(found) > 1}  # fmt: skip
    if slower:
        least = min(map(max, slower.values()))
        tied = {name: found for name, found in slower.items()
                if max(found) <= least * (1 + ALIKE)}  # fmt: skip
        ends = [each for found in tied.values() for each in found]
        yield finding(
            severity, "least-lost", choices=(tuple(tied), "choice"),
            compared=(tuple(slower), "choice"),
            speedups=((min(ends), max(ends)), "interval:multiple"),
        )  # fmt: skip


def rating_fits(result: ConfigurationResult) -> bool:
    """Whether no application has a worst case by rating that breaks the bound."""
    return all(
        answer.question.bound.holds(answer.table.charged_w[answer.table.alike(rated)]).all()
        for answer in result.answers
        if (rated := answer.worst_case.configuration) is not None
    )


def near(result: ConfigurationResult) -> Iterator[Finding]:
    """Which applications have other configurations nearly as fast, and which saves most power."""
    others = {answer.application: len(answer.near_optimal) - 1 for answer in result.answers}
    found = {name: count for name, count in others.items() if count}
    if found:
        yield finding("note", "near", tolerance=(result.question.tolerance, "share given"),
                      applications=(tuple(found), "text"),
                      near=(tuple(found.values()), "count"))  # fmt: skip
    yield from saved(result, "note", 1)


def saved(result: ConfigurationResult, severity: Severity, most: int) -> Iterator[Finding]:
    """Applications that save power and energy with a configuration nearly as fast, most first."""
    found = []
    for answer in result.answers:
        best = answer.best
        less = [near for near in answer.near_optimal
                if (one := near.configuration).power_w < best.power_w
                and one.power_w * one.time_s < best.power_w * best.time_s]  # fmt: skip
        steady = [near for near in less if not answer.unsteady(near.configuration)]
        if less:
            least = min(steady or less, key=lambda each: each.configuration.power_w)
            found.append((best.power_w - least.configuration.power_w, bool(steady), answer, least))
    for power_w, sure, answer, least in sorted(found, key=lambda each: -each[0])[:most]:
        yield finding(
            severity, "saves" if sure else "saves-unsure",
            application=(answer.application, "text"),
            configuration=(least.configuration.short, "exact"), power=(power_w, "W in W"),
            slower=(least.slowdown, "share"),
        )  # fmt: skip


def fastest_instead(result: ConfigurationResult) -> Iterator[Finding]:
    """The fastest configurations, where a rule of thumb chose slower ones; most is gained first."""
    found = [(rule.slower, answer) for answer in result.answers
             if (rule := answer.by_rule) is not None and rule.slower]  # fmt: skip
    for slower, answer in sorted(found, key=lambda each: -each[0])[:MOST_SAVED]:
        yield finding(
            "alternative", "fastest-instead", application=(answer.application, "text"),
            best=(answer.best.short, "exact"), speedup=(1 + slower, "factor"),
        )  # fmt: skip


def reasons(result: ConfigurationResult) -> Iterator[Finding]:
    """Why the chosen configurations are fast, and how steady their runs are."""
    more = [
        (answer.application, answer.chosen, packed)
        for answer in result.answers
        if (packed := answer.packed_max) is not None
        and _is_spread(answer.chosen, packed) and _is_full(answer, packed)
    ]  # fmt: skip
    if more:
        nodes, packed_nodes = [new.nodes for _, new, _ in more], [old.nodes for *_, old in more]
        values: dict[str, Any] = {
            "nodes": ((min(nodes), max(nodes)), "interval:node"),
            "packed": ((min(packed_nodes), max(packed_nodes)), "interval:count"),
        }
        names = (tuple(name for name, *_ in more), "text")
        if len(more) == len(result.answers):
            yield finding("reason", "more-nodes", **values)
        else:
            yield finding("reason", "more-nodes-of", **values, applications=names)
    rated = [
        each.time_s / answer.chosen.time_s
        for answer in result.answers
        if (each := answer.worst_case.configuration) is not None and not answer.unsteady(each)
    ]
    if len(rated) == len(result.answers) and max(rated) > 1 and rating_fits(result):
        yield finding("reason", "over-worst",
                      speedups=((min(rated), max(rated)), "interval:multiple"),
                      nodes=(result.answers[0].worst_case.nodes_by_rating, "node"))  # fmt: skip
    runs = [
        seen
        for answer in result.answers
        if (seen := answer.risk_of(answer.chosen)) is not None
        and seen.repetitions > 1 and not seen.wide
    ]  # fmt: skip
    if len(runs) == len(result.answers):
        counts = [each.repetitions for each in runs]
        yield finding(
            "reason", "steady", runs=((min(counts), max(counts)), "interval:run"),
            most=(max(each.worst_s / each.best_s - 1 for each in runs), "share at most"),
            power=(max(each.largest_power_w for each in runs), "W in W up"),
        )  # fmt: skip


def _is_spread(chosen: Configuration, packed: Configuration) -> bool:
    """Whether the choice has more nodes than packed-max, with fewer cores or a lower cap."""
    less = (chosen.cores_per_node < packed.cores_per_node
            or chosen.package_cap_w < packed.package_cap_w)  # fmt: skip
    return less and chosen.nodes > packed.nodes


def _is_full(answer: ConfigurationAnswer, packed: Configuration) -> bool:
    """Whether packed-max has a larger node count in the table: the next one breaks the bound."""
    every = answer.table
    alike = ((every.cores_per_node == packed.cores_per_node)
             & (every.package_cap_w == packed.package_cap_w))  # fmt: skip
    return bool((every.nodes[alike] > packed.nodes).any())


def overlapping(result: ConfigurationResult) -> Iterator[Finding]:
    """The applications of which runs of another configuration are as fast as those of the best."""
    found = []
    for answer in result.answers:
        seen = answer.risk
        others = [answer.risk_of(each.configuration) for each in answer.near_optimal
                  if each.configuration != answer.best]  # fmt: skip
        if (
            seen is not None
            and seen.repetitions > 1
            and any(
                other is not None and other.repetitions > 1 and other.best_s <= seen.worst_s
                for other in others
            )
        ):
            found.append(answer.application)
    if found:
        yield finding("risk", "overlap", applications=(tuple(found), "text"))


def changes(result: ConfigurationResult) -> Iterator[Finding]:
    """How often the best configuration changes with the bound, if it does."""
    pairs = [pair for answer in result.answers for pair in pairwise(answer.curve.winners)]
    ends = [float(end) for answer in result.answers for end in answer.curve.from_w[1:]]
    if not pairs:
        return
    nodes, cores = (
        sum(getattr(one, name) != getattr(next_, name) for one, next_ in pairs)
        for name in ("nodes", "cores_per_node")
    )
    yield finding(
        "note", "changes", bounds=((min(ends), max(ends)), "interval:W in W"),
        changes=(len(pairs), "time"), nodes=(nodes, "time"), cores=(cores, "time"),
    )  # fmt: skip


def lines(result: ConfigurationResult) -> Iterator[Finding]:
    """Whether the line of time over nodes is the same at every bound, as the thesis assumes."""
    known = [(answer.application, spread) for answer in result.answers
             if (spread := answer.line_spread) is not None]  # fmt: skip
    differ = tuple(name for name, spread in known if max(spread.slope, spread.intercept) > SAME)
    alike = tuple(name for name, _ in known if name not in differ)
    for kind, names in (("lines-differ", differ), ("lines-alike", alike)):
        if names:
            yield finding("note", kind, applications=(names, "text"), limit=(SAME, "share given"))


def line_rows(result: ConfigurationResult) -> list[dict[str, Any]]:
    """Between which ends slopes and intercepts of each application are."""
    return [
        {"application": answer.application, "lines": spread.lines,
         "bounds_w": (spread.from_w, spread.to_w),
         "slopes_s_per_node": _without_noise(spread.slopes_s_per_node),
         "intercepts_s": _without_noise(spread.intercepts_s)}
        for answer in result.answers if (spread := answer.line_spread) is not None
    ]  # fmt: skip


def _without_noise(ends: tuple[float, float]) -> tuple[float, float]:
    """Least squares leave about 1e-15 where a value is 0; times are known to the nanosecond."""
    return round(ends[0], 9), round(ends[1], 9)


def around(result: ConfigurationResult, at_bounds: Sequence[dict[str, Any]]) -> list[Any]:
    """The rows of each application whose bounds are closest to the requested one."""
    bound_w = result.question.bound.bound_w
    found = []
    for answer in result.answers:
        own = [row for row in at_bounds if row["application"] == answer.application]
        own.sort(key=lambda row: abs(row["bound_w"] - bound_w))
        found += sorted(own[:CLOSEST], key=lambda row: row["bound_w"])
    return found


def ranges(result: ConfigurationResult) -> list[dict[str, Any]]:
    """Between which bounds the best configuration of each application is the best."""
    found = []
    for answer in result.answers:
        curve = answer.curve
        if answer.best not in curve.winners:
            continue
        at = curve.winners.index(answer.best)
        row: dict[str, Any] = {"application": answer.application, "best": str(answer.best),
                               "from_w": float(curve.from_w[at])}  # fmt: skip
        if at + 1 < len(curve.winners):
            then = curve.winners[at + 1]
            row |= {"until_w": float(curve.from_w[at + 1]), "then": str(then),
                    "then_time_s": then.time_s}  # fmt: skip
        found.append(row)
    return found


def slow(spreads: Sequence[RepetitionSpread]) -> Iterator[Fact]:
    """What unusually slow runs have in common; that there is none, if no repeated run is slow."""
    repeated = sum(spread.runs for spread in spreads if spread.known)
    found = [each for spread in spreads for each in spread.stragglers]
    if not repeated:
        return
    if not found:
        yield Fact("slow_runs", (0, repeated), "of:run")
        return
    nodes, cores = [each.nodes for each in found], [each.cores_per_node for each in found]
    yield Fact("slow_nodes", (min(nodes), max(nodes)), "interval:count")
    yield Fact("slow_cores", (min(cores), max(cores)), "interval:count")


def slow_best(result: ConfigurationResult) -> Iterator[Fact]:
    """The applications whose best configurations have a slow run."""
    if any(spread.stragglers for spread in result.spreads):
        best = [(answer.application, answer.best) for answer in result.answers]
        touched = dict.fromkeys(each.application for each in of_chosen(result.spreads, best))
        if touched:
            yield Fact("slow_best", tuple(touched))


def slow_table(spreads: Sequence[RepetitionSpread]) -> str:
    """The name of the table of slow runs that a page has room for."""
    few = sum(len(spread.stragglers) for spread in spreads) <= FEW_SLOW
    return "stragglers" if few else "slow runs"


def counted(runs: Sequence[Runs], simulated: str, severity: Severity) -> Finding:
    """How much was measured or simulated."""
    return finding(
        severity, "from-simulated" if simulated else "from-runs",
        runs=(sum(map(len, runs)), "run"),
        configurations=(sum(len(groups(each)) for each in runs), "configuration"),
    )  # fmt: skip
