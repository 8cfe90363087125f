"""The document on a queue whose jobs share nodes: waits, speeds, users, and the method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planner.formatting import capitalised, durations, given, percent, plural, telling, words
from planner.sharing_nodes.queue_gains.explanation import chance_of
from planner.sharing_nodes.queue_gains.study import (
    BOUND,
    FIRST_FIT,
    MATCHING,
    SEARCH,
    QueueStudy,
    mean_count,
)
from planner.sharing_nodes.queues.replications import REVENUE
from reports.blocks import Drawn, Page, bullets, figures, text
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, named_table, provenance_with, table_blocks

_LABELS = {
    "law": "kind of sharing",
    "rule": "rule of the mapping",
    "loads": "offered loads",
    "seeds": "mappings",
    "least gain": "least gain (nodes)",
    "processors of the log per node": "processors per node",
    "pairs within floor and least gain": "pairs that may share",
    "schedules checked event by event": "schedules checked",
    "watts of a node (idle, one job, two jobs)": "watts: idle, 1 job, 2 jobs",
}
_WAITS = ("wait_before_s", "wait_after_s", "wait_ratio", "wait_low", "wait_high")
_OTHERS = ("turnaround_ratio", "slowdown_ratio", "throughput", "energy_ratio",
           "revenue_ratio")  # fmt: skip
_FLOORS = ("shared_jobs", "partnered_jobs", "below_floor", "slowest")
_MOST_PAIRS = 6
_USERS = ("sooner", "later", "pays_more_practice", "pays_more_fair", "pays_more_oracle")
_ABOVE = 1.005
"""Relative speed that prints as more than 100 %."""
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
    pages = (_waits, _others, _floors, _pairs, _users, _measures, _method)
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
    energy = study.first.change(SEARCH, "energy_kwh")
    changes = {
        f"a node-hour does {percent(work.after)} of the work": work,
        **({} if energy.ratio is None else {f"energy is {percent(energy.ratio)}": energy}),
        **(
            {} if revenue.ratio is None else {f"fair prices earn {percent(revenue.ratio)}": revenue}
        ),
    }
    chance = [one.may_be_chance for one in changes.values()]
    remarks = ["" if all(chance) else chance_of(one) for one in changes.values()]
    every = "; all this may be chance" if all(chance) else ""
    listed = words(f"{text}{why}" for text, why in zip(changes, remarks, strict=True))
    answer = f"Compared with whole nodes, {listed}{every}."
    note = (
        "All columns are ratios to whole nodes. Turnaround is the time from submission to end. "
        "Bounded slowdown is turnaround over run time, with run times of at least 10 s. A fair "
        "price gives a job a discount for the speed that it loses to its partner."
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
    broken, shared = row["floors_broken"] or 0, row["shared_jobs"]
    answer = (
        f"With partner search, {f'{broken:,}' if broken else 'none'} of the "
        f"{plural(shared, 'job')} open to a partner ({row['partnered_jobs']:,} had one) ran below "
        f"{f'the floor of {given(study.floor)}' if not study.floors else 'their floors'}."
        f"{_first_fit(rows)}"
    )
    longest, before = durations(row["longest_after_s"], row["longest_before_s"], every_one=True)
    late = study.first.replications.late_starts[SEARCH]
    times = (
        f"The longest wait is {longest} with partner search and {before} on whole nodes (means "
        f"over mappings). {_late_text(late)}"
    )
    none = not any(row["floors_broken"] for row in rows)
    kept = "No rule with a floor let a job run below it. " if none else ""
    blocks = (
        text(
            f"{shared:,} of {plural(row['jobs'], 'job')}, summed over mappings, are open to a "
            "partner: a second job may use their nodes too. "
            f"{kept}First fit has no floor; its jobs are counted below the floors of the other "
            "rules. Slowest job: the lowest speed of a job open to a partner, over its whole run, "
            "relative to whole nodes."
        ),
        text(f"At load {study.first.load:.2f}, {times[0].lower()}{times[1:]}"
             if len(study.results) > 1 else times),
        *table_blocks(study, "floors", "Jobs open to a partner, and those of them below the "
                      "floor (simulated, sums over mappings)", columns=(*_keys(study), *_FLOORS),
                      keep=("Below the floor", "Open to a partner", "Had a partner",
                            "Slowest job")),
    )  # fmt: skip
    return Page("Do jobs keep the speed that their users accept?", answer, blocks)


def _first_fit(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return how many jobs ran below the floor with first fit, which has none."""
    row = next((row for row in rows if row["rule"] == FIRST_FIT), None)
    if row is None or row["below_floor"] is None:
        return ""
    below = f"{row['below_floor']:,}" if row["below_floor"] else "none"
    return f" With first fit, {below} of {row['shared_jobs']:,} did."


def _late_text(late: int) -> str:
    """Return how many jobs started later than promised."""
    if not late:
        return "No job started later than its first reservation."
    own = "its first reservation" if late == 1 else "their first reservations"
    return f"{plural(late, 'job')} started later than {own}."


def _pairs(study: QueueStudy, drawings: Drawn) -> Page | None:
    del drawings
    rows = named_table(study, "pairs").rows
    if not rows:
        return None
    most = rows[0]
    answer = (
        f"{_pair_text(most)}, in {percent(most['share'])} of the node-hours with two jobs "
        "(partner search, first mapping)."
    )
    note = (
        "Speeds are predicted and relative to whole nodes. Work per node-hour is that of a node "
        "with both jobs, relative to one job on whole nodes. Share of shared time: of all "
        "node-hours with two jobs."
    )
    outcomes = study.first.replications.first.outcomes
    measures = next(one.measures for one in outcomes if one.rule == SEARCH)
    both, every = measures.shared_node_hours, measures.node_hours
    hours = (
        f"Two jobs run in {telling(both)} of {telling(every)} node-hours in use "
        f"({percent(both / every)})."
    )
    blocks = (
        text(f"{note} {hours}{_above_whole(study, rows[:_MOST_PAIRS])}"),
        *table_blocks(study, "pairs", most=_MOST_PAIRS,
                      keep=("Application", "Partner", "Share of shared time")),
    )  # fmt: skip
    return Page("Which applications share nodes?", answer, blocks)


def _above_whole(study: QueueStudy, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return why a speed is above that on whole nodes, where the rows show one."""
    law, names = study.law, study.law.predicted.applications
    true = law.relative(law.true)
    above = [
        float(true[names.index(row[one]), names.index(row[other])])
        for row in rows
        for one, other in (("a", "b"), ("b", "a"))
        if row[f"speed_{one}"] >= _ABOVE
    ]
    if not above:
        return ""
    if max(above) <= 1:
        return (
            " A predicted speed above 100 % is an error of measurement, as run times vary: the "
            "true speed here is at most 100 %."
        )
    if law.halves_per_node == 1:
        return " A speed above 100 % is as given: with this partner, the job ran faster than alone."
    return (
        " A speed can be above 100 %: half of the cores of twice as many nodes leave more cache "
        "and memory bandwidth per core."
    )


def _pair_text(row: Mapping[str, Any]) -> str:
    same = row["a"] == row["b"]
    return f"Mostly two jobs of {row['a']}" if same else f"Mostly {row['a']} with {row['b']}"


def _users(study: QueueStudy, drawings: Drawn) -> Page | None:
    del drawings
    if study.users < _FEW_USERS:
        return None
    row = next(row for row in named_table(study, "users").rows if row["rule"] == SEARCH)
    answer = (
        f"On average over mappings, jobs end sooner for {mean_count(row['sooner'])} of "
        f"{study.users:,} users and later for {mean_count(row['later'])}; "
        f"{mean_count(row['pays_more_fair'])} pay more at fair prices."
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
    return Page("Which users gain, and which pay more?", answer, blocks)


def _method(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    users = "users" if study.users else "jobs"
    lines = [
        (
            f"Each mapping assigns the {users} of the log to applications anew. All rules get the "
            "same jobs, so differences are paired."
        ),
        *_without_users(study),
        _load_text(study),
        (
            "A job's speed next to a partner is its progress while both run, relative to a run "
            "alone. Each job has the speeds of its application."
        ),
        (
            f"Decisions use predicted speeds ({study.law.origin}). Progress, waits and bills use "
            "the true speeds of the simulation."
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
        _cores_text(study),
    ]
    return Page("Appendix: method", "", (bullets(lines),))


def _cores_text(study: QueueStudy) -> str:
    """Return what the cores of a node do in bills."""
    cores = plural(study.first.replications.first.problem.cores_per_node, "core")
    return (
        f"Bills count {cores} for each node, not those that the log names. Revenue relative to "
        "whole nodes does not depend on this number."
    )


def _load_text(study: QueueStudy) -> str:
    """Return how the log came to its offered loads."""
    loads = words(f"{result.load:.2f}" for result in study.results)
    if study.logged_load is None:
        return (
            "Submissions are as the log has them. They give the offered load (work of the jobs "
            f"over capacity, from first to last submission) of {loads}."
        )
    several = "loads" if len(study.results) > 1 else "load"
    return (
        "All times between submissions are multiplied by one factor, and no job is dropped, for "
        f"the offered {several} {loads}. The log as it is has {study.logged_load:.2f}."
    )


def _without_users(study: QueueStudy) -> list[str]:
    """Return why users are not compared, where it is so."""
    if study.users >= _FEW_USERS:
        return []
    named = f"only {plural(study.users, 'user')}" if study.users else "no user"
    return [f"Gains and bills of users are not compared: the log names {named}."]


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
