"""The document on a queue whose jobs share nodes: waits, speeds, users, and the method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.colocation.queue_explanation import chance_of
from planner.colocation.queue_study import BOUND, FIRST_FIT, MATCHING, SEARCH, QueueStudy
from planner.formatting import capitalised, durations, given, percent, plural, telling, words
from planner.scheduling.shared.replications import REVENUE
from reports.blocks import Drawn, Page, bullets, figures, text
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, named_table, provenance_with, table_blocks

_LABELS = {
    "law": "simulated speeds of shared nodes",
    "rule": "rule that maps users to applications",
    "loads": "offered loads (work over capacity)",
    "seeds": "mappings of users to applications",
    "floor": "floor: lowest speed that users accept",
    "least gain": "gain that each shared node needs (nodes)",
    "alpha": "share of floors that errors may break (alpha)",
}
_WAITS = ("wait_before_s", "wait_after_s", "wait_ratio", "wait_low", "wait_high")
_OTHERS = ("turnaround_ratio", "slowdown_ratio", "throughput", "energy_ratio",
           "revenue_ratio")  # fmt: skip
_FLOORS = ("shared_jobs", "floors_broken", "broken_share")
_USERS = ("sooner", "later", "pays_more_practice", "pays_more_fair", "pays_more_oracle")
_FEW_USERS = 5
"""Users below which nothing can be said about users."""
_KEPT = ("Mean wait, whole nodes", "Ratio of waits")
_RULES = {
    FIRST_FIT: "First fit: a job joins the first partner with which the pair gains; no floors.",
    SEARCH: "Partner search: a job joins the best partner, if all floors hold and sharing pays. "
    "This is the rule of the first page.",
    MATCHING: "Rolling matching: as partner search, but a matching decides which jobs open nodes "
    "together.",
    BOUND: "Partner search, oracle gains: as partner search with true speeds; it shows how much "
    "better predictions could help.",
}


def document(study: QueueStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    pages = (_waits, _others, _floors, _users, _method, _measures)
    return paged(front_with(pictures), *pages, provenance_with(_LABELS))(study, pictures)


def _keys(study: QueueStudy) -> tuple[str, ...]:
    """The columns that say which row it is."""
    return ("load", "rule") if len(study.results) > 1 else ("rule",)


def _waits(study: QueueStudy, drawings: Drawn) -> Page:
    wait = study.first.change(SEARCH, "mean_wait_s")
    ours, today = durations(wait.after, wait.before, every_one=True)
    seeds = plural(len(study.first.replications.seeds), "mapping")
    answer = (
        f"With partner search, jobs wait {ours} on average, and {today} on whole nodes"
        f"{chance_of(wait)}."
    )
    rules = [meaning for name, meaning in _RULES.items() if name in study.first.rules]
    blocks = (
        text("On whole nodes, EASY starts the first job of the queue as soon as it fits. Later "
             "jobs may start before it if they do not delay it. A floor is the lowest speed that a "
             "user accepts, relative to whole nodes."),
        bullets(rules),
        *figures(drawings, "waits"),
        *figures(drawings, "loads"),
        text("Waits are means over mappings. Ratios are geometric means over mappings, so they can "
             "differ from the quotient of these means."),
        *table_blocks(study, "waits", f"Mean wait, and its ratio to whole nodes with 95 % interval "
                      f"({seeds})", columns=(*_keys(study), *_WAITS), keep=_KEPT),
    )  # fmt: skip
    return Page("Do jobs wait less if they share nodes?", answer, blocks)


def _others(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    work = study.first.change(SEARCH, "throughput")
    revenue = study.first.change(SEARCH, f"{REVENUE}fair price")
    money = (
        ""
        if revenue.ratio is None
        else f", and fair prices earn {percent(revenue.ratio)} as much{chance_of(revenue)}"
    )
    answer = (
        f"A node-hour does {percent(work.after)} of the work of one on whole nodes"
        f"{chance_of(work)}{money}."
    )
    note = (
        "All columns are ratios to whole nodes. Bounded slowdown is turnaround over run time, with "
        "run times of at least 10 s. A fair price gives a job a discount for the speed that it "
        "loses to its partner."
    )
    blocks = (
        text(note),
        *table_blocks(study, "waits", "Turnaround, work, energy and revenue, relative to whole "
                      "nodes", columns=(*_keys(study), *_OTHERS)),
    )  # fmt: skip
    return Page("What happens to throughput, energy and revenue?", answer, blocks)


def _floors(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    rows = named_table(study, "floors").rows
    row = next(row for row in rows if row["rule"] == SEARCH)
    broken, shared, jobs = row["floors_broken"] or 0, row["shared_jobs"], row["jobs"]
    answer = (
        f"{f'{broken:,}' if broken else 'None'} of the {plural(shared, 'job')} that shared (of "
        f"{jobs:,}, summed over mappings) ran below {given(study.floor)} of the speed on whole "
        "nodes with partner search."
    )
    longest, before = durations(row["longest_after_s"], row["longest_before_s"], every_one=True)
    late = study.first.replications.late_starts[SEARCH]
    times = (
        f"The longest wait is {longest} with partner search and {before} on whole nodes (means "
        f"over mappings). {plural(late, 'job') if late else 'No job'} started later than the first "
        "reservation."
    )
    none = not any(row["floors_broken"] for row in rows)
    counts = words(f"{row['shared_jobs']:,} with {row['rule']}" for row in rows)
    plain = none and len(study.results) == 1
    kept = "No rule with a floor let a job run below it."
    blocks = (
        *((text(f"{kept} Jobs that shared: {counts}." if plain else kept),) if none else ()),
        *(() if plain else table_blocks(
            study, "floors", "Jobs that shared (sums over mappings)" if none else
            "Jobs that shared, and those below their floor (first fit has none; sums over "
            "mappings)",
            columns=(*_keys(study), *(_FLOORS[:1] if none else _FLOORS)))),
        text(f"At load {study.first.load:.2f}, {times[0].lower()}{times[1:]}"
             if len(study.results) > 1 else times),
    )  # fmt: skip
    return Page("Do jobs keep the speed that their users accept?", answer, blocks)


def _users(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    heading = "Which users gain, and which pay more?"
    if study.users < _FEW_USERS:
        named = "no users" if not study.users else f"only {plural(study.users, 'user')}"
        return Page(heading, f"No statement is possible: the log names {named}.", ())
    row = next(row for row in named_table(study, "users").rows if row["rule"] == SEARCH)
    answer = (
        f"On average over mappings, jobs end sooner for {telling(row['sooner'])} of "
        f"{study.users:,} users and later for {telling(row['later'])}; "
        f"{telling(row['pays_more_fair'])} pay more at fair prices."
    )
    note = (
        "Numbers of users, as means over mappings. By run time: cores times run time, as sites "
        "bill today. Fair price: with a discount for the predicted loss of speed. Price by true "
        "speeds: with a discount for the true loss."
    )
    columns = (*_keys(study), *_USERS)
    headings = [one.heading for one in named_table(study, "users").columns]
    keep = [capitalised(heading) for heading in headings]
    blocks = (text(note), *table_blocks(study, "users", columns=columns, keep=keep))
    return Page(heading, answer, blocks)


def _method(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    lines = [
        (
            "Each mapping assigns the users of the log to applications anew. All rules get the "
            "same jobs, so differences are paired."
        ),
        (
            "Decisions use predicted speeds. Progress, waits and bills use the true speeds of the "
            "simulation."
        ),
        (
            f"A start on shared nodes must add at least {given(study.least_gain)} of a node's work "
            "on "
            "each node that two jobs then share. What neighbours lose is subtracted."
        ),
        (
            "Before it is compared with the floor, a predicted speed is lowered by its possible "
            "error. "
            f"Errors break any floor with a probability of at most {given(study.alpha)} (alpha)."
        ),
        "The order of the queue is that of EASY. The first job has a reservation of whole nodes.",
        (
            "Ratios are geometric means over mappings. Intervals come from the t distribution of "
            "their logarithms."
        ),
        "Power is assumed, not measured.",
    ]
    return Page("Appendix: method", "", (bullets(lines),))


def _measures(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    load = study.first.load
    rows = [
        row
        for row in named_table(study, "differences").rows
        if row["rule"] == SEARCH and row["load"] == load and row["quantity"] != "jobs"
        and (row["ratio"] is not None or row["before"])
    ]  # fmt: skip
    caption = f"Partner search at load {load:.2f}: means over mappings, ratios with 95 % intervals"
    columns = ("quantity", "before", "after", "ratio", "low", "high", "lower_in")
    note = (
        "The last column counts the mappings in which the measure is lower than on whole nodes. A "
        "service unit (SU) is the price of a core-hour at full speed. Price by run time: cores "
        "times run time. Fair price and price by true speeds: with a discount for the predicted "
        "and the true loss of speed."
    )
    blocks = (
        text(note),
        *table_blocks(study, "differences", caption, rows=rows, columns=columns),
    )
    return Page("Appendix: all measures", "", blocks)
