"""The document on a queue whose jobs share nodes: waits, speeds, users, and the method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.colocation.queue_study import BOUND, FIRST_FIT, MATCHING, SEARCH, QueueStudy
from planner.formatting import capitalised, durations, given, percent, plural, telling
from planner.scheduling.shared.replications import REVENUE
from reports.blocks import Drawn, Page, bullets, figures, text
from reports.skeleton import paged
from reports.style import Picture
from reports.tabled import front_with, named_table, provenance_with, table_blocks

_LABELS = {
    "law": "law of the shared nodes",
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
_FLOORS = ("shared_jobs", "floors_broken", "broken_share", "longest_before_s", "longest_after_s",
           "late_starts")  # fmt: skip
_USERS = ("sooner", "later", "pays_more_practice", "pays_more_fair", "pays_more_oracle")
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
    chance = "; this may be chance" if wait.may_be_chance else ""
    answer = (
        f"With partner search, jobs wait {ours} on average, against {today} on whole nodes{chance}."
    )
    rules = [meaning for name, meaning in _RULES.items() if name in study.first.rules]
    blocks = (
        text("On whole nodes, EASY starts the first job of the queue as soon as it fits. Later "
             "jobs may start before it if they do not delay it."),
        bullets(rules),
        *figures(drawings, "waits"),
        *figures(drawings, "loads"),
        *table_blocks(study, "waits", f"Mean wait, and its ratio to whole nodes with 95 % interval "
                      f"({seeds})", columns=(*_keys(study), *_WAITS), keep=_KEPT),
    )  # fmt: skip
    return Page("Do jobs wait less if they share nodes?", answer, blocks)


def _others(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    work = study.first.change(SEARCH, "throughput").after
    revenue = study.first.change(SEARCH, f"{REVENUE}fair price").ratio
    money = "" if revenue is None else f", and fair prices earn {percent(revenue)} as much"
    answer = f"A node-hour does {percent(work)} of the work of one on whole nodes{money}."
    note = (
        "All columns are ratios to whole nodes. Bounded slowdown is turnaround over run time, with "
        "run times of at least 10 s. A fair price gives a job a discount for the speed that it "
        "loses to its partner."
    )
    blocks = (
        *table_blocks(study, "waits", "Turnaround, work, energy and revenue, relative to whole "
                      "nodes", columns=(*_keys(study), *_OTHERS)),
        text(note),
    )  # fmt: skip
    return Page("What happens to throughput, energy and revenue?", answer, blocks)


def _floors(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    row = next(row for row in named_table(study, "floors").rows if row["rule"] == SEARCH)
    broken, shared = row["floors_broken"] or 0, row["shared_jobs"]
    answer = (
        f"{f'{broken:,}' if broken else 'None'} of {plural(shared, 'job')} that shared ran below "
        f"{given(study.floor)} of the speed on whole nodes (partner search)."
    )
    note = (
        "The floor is the lowest speed that a user accepts, relative to whole nodes. First fit has "
        "none. A late start is later than the first reservation of the job."
    )
    blocks = (*table_blocks(study, "floors", columns=(*_keys(study), *_FLOORS)), text(note))
    return Page("Do jobs keep the speed that their users accept?", answer, blocks)


def _users(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    row = next(row for row in named_table(study, "users").rows if row["rule"] == SEARCH)
    answer = (
        f"On average over mappings, jobs end sooner for {telling(row['sooner'])} users and later "
        "for "
        f"{telling(row['later'])}; {telling(row['pays_more_fair'])} pay more at fair prices."
    )
    note = (
        "Numbers of users, as means over mappings. By run time: cores times run time, as sites "
        "bill today. Fair price: with a discount for the predicted loss of speed. Oracle price: "
        "with the true loss."
    )
    columns = (*_keys(study), *_USERS)
    headings = [one.heading for one in named_table(study, "users").columns]
    keep = [capitalised(heading) for heading in headings]
    blocks = (*table_blocks(study, "users", columns=columns, keep=keep), text(note))
    return Page("Which users gain, and which pay more?", answer, blocks)


def _method(study: QueueStudy, drawings: Drawn) -> Page:
    del drawings
    lines = [
        (
            "Each mapping assigns the users of the log to applications anew. All rules get the "
            "same jobs, so differences are paired."
        ),
        "Decisions use predicted speeds. Progress, waits and bills use the true speeds of the law.",
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
    ]
    caption = f"Partner search at load {load:.2f}: means over mappings, ratios with 95 % intervals"
    columns = ("quantity", "before", "after", "ratio", "low", "high", "lower_in")
    blocks = tuple(table_blocks(study, "differences", caption, rows=rows, columns=columns))
    return Page("Appendix: all measures", "", blocks)
