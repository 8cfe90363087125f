"""How long jobs wait, which jobs, and whose."""

from __future__ import annotations

from planner.formatting import count, own_unit, words
from planner.scheduling.policies.display import in_prose, in_table
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import share, slowdown
from planner.worded_table import Column
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.compact import compact
from reports.grid import Table, table, table_of
from reports.simulation.figures import classes, users
from reports.simulation.figures.over_time import trimmed
from reports.simulation.figures.waits import finding
from reports.simulation.policy_looks import BOOK, omitted_text, policies_in_text, two

SLOWDOWN = (
    "Bounded slowdown: (wait + run time) / run time, with run times below 10 s taken as 10 s, at "
    "least 1."
)
_PARTS = ("Mean", "Median", "90th percentile", "95th percentile", "99th percentile", "Largest")
_NAMES = ("mean", "median", "p90", "p95", "p99", "largest")
_SOURCE = f"Each point gives the share of jobs above its value. {SLOWDOWN}"


def page(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """The distributions of waits and slowdowns."""
    if not study.ranking:
        return None
    blocks = (
        *figures(drawings, "waits", _SOURCE, title=f"{finding(study)}"),
        *_percentiles(study),
    )
    return Page("How long do jobs wait?", _nine_in_ten(study), blocks)


def _nine_in_ten(study: SimulationStudy) -> str:
    """The 90th percentile of each policy, those in between left out where there are many."""
    waits = [
        (measures.wait_s.p90, in_prose(measures.policy))
        for index in policies_in_text(study)
        if (measures := study.measures[index]).wait_s
    ]
    parts = [f"{own_unit(wait_s)} under {policy}" for wait_s, policy in waits]
    if not any(wait_s for wait_s, _ in waits):
        return "At least nine in ten jobs start at once."
    return f"Nine in ten jobs wait at most {words(parts)}."


def _percentiles(study: SimulationStudy) -> list[Block]:
    """Waits and slowdowns of one policy; of several slowdowns, as the first page has the waits."""
    jobs = "the measured jobs" if trimmed(study) else "all jobs"
    if len(study.rows) > 1:
        return compact(_slowdowns(study), f"Bounded slowdown of {jobs}")
    (measures,) = study.rows
    if measures.wait_s is None or measures.bounded_slowdown is None:
        return []
    rows = [
        (
            part,
            own_unit(getattr(measures.wait_s, name)),
            slowdown(getattr(measures.bounded_slowdown, name)),
        )
        for part, name in zip(_PARTS, _NAMES, strict=True)
    ]
    columns = (("Statistic", False), ("Wait", True), ("Slowdown", True))
    caption = f"Waits and bounded slowdowns of {jobs}"
    return [grid(table(columns, (1.2, 1, 1), rows), caption, small=True)]


def _slowdowns(study: SimulationStudy) -> Table:
    columns = [
        Column(f"bounded_slowdown.{name}", part, slowdown, number=True)
        for name, part in zip(_NAMES, _PARTS, strict=True)
    ]
    return table_of((Column("policy", "Policy", in_table, width=1.4), *columns), study.rows)


def who(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """Waits by processors and run time, and by user."""
    if not study.ranking:
        return None
    blocks: list[Block] = figures(
        drawings,
        "classes",
        "Bar and number: wait that nine in ten jobs of the class do not exceed (90th percentile); "
        f"diamond: median. Waits are linear up to 1 s, then logarithmic.{omitted_text(study)}",
        title="Waits by requested processors (left) and by run time (right)",
    )
    if differ := classes.contrast(study):
        blocks.append(text(differ))
    if "users" in drawings:
        policies = " and ".join(in_prose(study.measures[policy].policy) for policy in two(study))
        blocks += figures(
            drawings, "users", f"One dot for each user under {policies}, filled for the first "
            f"policy; measured jobs only. All policies in {BOOK}.", title="Mean wait of each user"
        )  # fmt: skip
        answer = f"{classes.finding(study)}. {users.finding(study)}."
    else:
        blocks.append(text("The log does not distinguish users, so fairness between users is "
                           "unknown."))  # fmt: skip
        answer = f"{classes.finding(study)}."
    return Page("Who waits?", answer, tuple(blocks))


_PARTITIONS = (
    Column("measures.policy", "Policy", in_table, width=1.3),
    Column("partition", "Partition", width=1.2),
    Column("processors", "Processors", count, number=True, width=1.1),
    Column("measures.jobs", "Jobs", count, number=True, width=0.9),
    Column("measures.wait_s.mean", "Mean wait", own_unit, number=True, width=1.05),
    Column("measures.wait_s.median", "Median", own_unit, number=True, width=0.95),
    Column("measures.wait_s.p95", "95th per\u00adcentile", own_unit, number=True),
    Column("measures.wait_s.largest", "Longest", own_unit, number=True, width=1.05),
    Column("measures.bounded_slowdown.mean", "Slow\u00addown", slowdown, number=True, width=0.95),
    Column("measures.utilisation", "Utilis\u00adation", share, number=True, width=0.95),
)


def partitions(study: SimulationStudy, _drawn: Drawn) -> Page | None:
    """One row for each policy and partition."""
    rows = study.by_partition
    if not rows:
        return None
    first = [row for row in rows if row.measures.policy == rows[0].measures.policy]
    waits = [
        (partition.measures.wait_s.mean, partition)
        for partition in first
        if partition.measures.wait_s
    ]
    message = "No job of any partition starts."
    if waits:
        mean, longest = max(waits, key=lambda pair: pair[0])
        message = f"Under {in_prose(longest.measures.policy)} no job waits in any partition."
    if waits and mean > 0:
        message = (
            f"Under {in_prose(longest.measures.policy)} the mean wait is longest in partition "
            f"{longest.partition}: {own_unit(mean)}."
        )
    caption = "Each partition has its own machine; no job moves to another one"
    return Page(
        "How long are waits in each partition?",
        message,
        (grid(table_of(_PARTITIONS, rows), caption, small=True),),
    )
