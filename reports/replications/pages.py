"""Pages of the report on policies over several synthetic logs."""

from __future__ import annotations

from typing import Any

from planner.formatting import capitalised, own_unit, plural, spanned, words
from planner.scheduling.policies.display import in_prose, in_table
from planner.scheduling.policies.rules import briefly
from planner.scheduling.simulation.replications import ReplicationStudy
from planner.scheduling.simulation.summary import difference
from planner.scheduling.simulation.wait_text import one_unit, slowdown
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.compact import compact
from reports.figures.axes import wait_unit
from reports.first_page import FirstPage
from reports.grid import Table, table, table_of
from reports.replications.figures import waits_by_policy
from reports.report import Facts
from reports.simulation.figures.comparisons import finding_of
from reports.simulation.pages.method import ESTIMATES, ORDERS
from reports.simulation.pages.waits import SLOWDOWN
from reports.skeleton import first_sheet, provenance_page, title_page
from reports.warning_boxes import boxed

_MOST_LOGS = 40
_BOOK = "simulate.xlsx"
_INTERVALS = (
    "Each log gives one mean for each policy. The logs are independent, so the 95 % interval is "
    "Student's t over these means."
)


def front(study: ReplicationStudy) -> dict[str, Any]:
    """Return what the title page shows."""
    first = FirstPage(
        reasons=study.differences,
        alternatives=_alternatives(study),
        risks=boxed(study.warnings),
        robustness=_robustness(study),
        assumptions=(
            "Users submit every job at the time in the log and do not react to waits.",
            "The logs are synthetic: they come from one model of a workload, not from a machine.",
            "Bounded slowdown: (wait + run time) / run time; run times below 10 s count as 10 s.",
            *briefly(study.policies, study.rules),
        ),
        next_steps=_next_steps(study),
        table=_means(study),
        balanced=True,
    )
    return title_page(
        study, study.title, study.title, description=_description(study), first=first,
        certificate=f"Simulated ({_model(study)}); 95 % intervals over {len(study.logs)} logs."
        f"{study.by_slowdown}",
    )  # fmt: skip


def _means(study: ReplicationStudy) -> Table:
    """Mean waits and slowdowns over the logs, with their intervals, in the units of the text."""
    rows = []
    for policy, means in zip(study.policies, study.means, strict=True):
        wait, slowed = means["wait"], means["bounded_slowdown"]
        size, unit = wait_unit(wait.mean)
        low, high = (f"{max(0.0, end) / size:,.3g}" for end in (wait.low, wait.high))
        ends = spanned(slowdown(max(1.0, slowed.low)), slowdown(slowed.high))
        spans = (f"{spanned(low, high)} {unit}", slowdown(slowed.mean), ends)
        rows.append((in_table(policy), own_unit(wait.mean), *spans))
    columns = (
        ("Policy", False), ("Mean wait", True), ("95 % interval", True),
        ("Bounded slowdown", True), ("95 % interval", True),
    )  # fmt: skip
    return table(columns, (1.5, 0.9, 1.4, 1, 1.5), rows)


def _description(study: ReplicationStudy) -> str:
    if study.conditions is None:
        return capitalised(study.model)
    jobs = study.conditions.jobs
    number = f"{min(jobs):,}" if min(jobs) == max(jobs) else f"{min(jobs):,} to {max(jobs):,}"
    machine = plural(study.conditions.processors, "processor")
    return f"{number} jobs in each log, on {machine}"


def _alternatives(study: ReplicationStudy) -> list[str]:
    means = {
        policy: mean["wait"].mean for policy, mean in zip(study.policies, study.means, strict=True)
    }
    _, *others = sorted(means, key=lambda policy: means[policy])
    texts = [own_unit(means[policy]) for policy in others]
    return [
        f"{capitalised(in_prose(policy)) if in_table(policy) != policy else policy}: mean wait "
        f"{mean}."
        for policy, mean in zip(others, texts, strict=True)
    ]


def _robustness(study: ReplicationStudy) -> list[str]:
    """In how many logs the first policy has the shorter wait."""
    first, *others = waits_by_policy(study).values()
    logs = len(study.logs)
    return [
        f"{in_table(study.policies[0])} has a shorter mean wait than {in_prose(policy)} in "
        f"{sum(a < b for a, b in zip(first, waits, strict=True)):,} of {plural(logs, 'log')}."
        for policy, waits in zip(study.policies[1:], others, strict=True)
    ]


def _next_steps(study: ReplicationStudy) -> list[str]:
    lines = []
    if any(not each.differences["wait"].tells_apart for each in study.comparisons):
        lines.append("Simulate more seeds to tell policies apart whose difference may be chance.")
    return [*lines, "Repeat the simulation with an accounting log of your own machine."]


def pairs(study: ReplicationStudy) -> Facts:
    """The first sheet of the workbook."""
    return first_sheet(study, study.title, list(study.settings.items()))


def differences(study: ReplicationStudy, drawings: Drawn) -> Page | None:
    """Whether policies differ by more than chance."""
    if not study.comparisons:
        return None
    source = (
        "Dot: mean of the differences log by log; line: 95 % interval. Blue and filled: more than "
        "chance; orange and hollow: the interval contains 0."
    )
    shown = study.shown[1]
    blocks: list[Block] = [
        text(
            "All policies run the same logs, so each log gives one difference to "
            f"{in_prose(study.policies[0])}. The 95 % interval is Student's t over these."
        ),
        *figures(drawings, "comparisons", source, title="Differences between policies"),
        grid(
            table_of(shown.columns, shown.rows),
            f"Mean differences from {in_prose(study.policies[0])} with 95 % intervals, and in how "
            "many logs the value is lower than under it",
        ),
    ]
    answer = finding_of(study.comparisons, difference)
    return Page("Is the difference more than chance?", f"{answer}.", tuple(blocks))


def logs(study: ReplicationStudy, drawings: Drawn) -> Page:
    """The mean wait of every log under every policy."""
    waits = waits_by_policy(study)
    source = (
        "Hollow markers: one log each. Diamond and line: mean over the logs with its 95 % interval."
    )
    shown = study.logs[:_MOST_LOGS]
    columns = [("Log", False)]
    columns += [(f"{in_table(policy)}: mean wait (h)", True) for policy in study.policies]
    columns += [(f"{in_table(policy)}: slowdown", True) for policy in study.policies]
    rows = [
        (
            _log_name(log[0].name),
            *(f"{run.wait / 3600:,.2f}" for run in log),
            *(slowdown(run.bounded_slowdown) for run in log),
        )
        for log in shown
    ]
    caption = "Every log under every policy: mean wait and mean bounded slowdown"
    if len(shown) < len(study.logs):
        caption += f": the first {_MOST_LOGS} of {len(study.logs):,}, all in {_BOOK}"
    blocks: list[Block] = [
        *figures(drawings, "waits", source, title="Mean wait of each log"),
        *compact(table(columns, (1.1, *(1.0 for _ in columns[1:])), rows), caption, small=True),
    ]
    parts = [
        f"{spanned(low, high)} under {in_prose(policy)}"
        for policy, (low, high) in (
            (policy, one_unit(min(times), max(times))) for policy, times in waits.items()
        )
    ][:3]
    return Page(
        "How much do the logs differ?", f"Mean waits range from {words(parts)}.", tuple(blocks)
    )


def _model(study: ReplicationStudy) -> str:
    """Return the kind of log and its seeds, without repetition."""
    kind = study.logs[0][0].name.rpartition(", seed ")[0]
    return f"{kind}; {study.model}" if kind else study.model


def _log_name(name: str) -> str:
    """Return the seed, where the name ends with it."""
    return name.rpartition(", ")[2] if ", seed " in name else name


def method(study: ReplicationStudy, _drawn: Drawn) -> Page:
    """Rules of each policy, the logs, and the intervals."""
    rules = [
        rule
        if rule.casefold().startswith(in_prose(policy).casefold())
        else f"{in_table(policy)}: {rule}"
        for policy, rule in zip(study.policies, study.rules, strict=True)
    ]
    facts = [f"Logs: {_model(study)}. Each seed gives one log; every policy runs all of them."]
    conditions = study.conditions
    if conditions is not None:
        planned: dict[str, list[str]] = {}
        for policy, kind in zip(study.policies, conditions.estimates, strict=True):
            planned.setdefault(kind, []).append(in_prose(policy))
        estimates = "; ".join(
            f"{f'for {words(names)} ' if len(planned) > 1 else ''}{ESTIMATES[kind]}"
            for kind, names in planned.items()
        )
        order = ORDERS[conditions.event_order]
        facts += [
            f"Order of events: {order[:1].lower()}{order[1:]}",
            f"Run-time estimates: {estimates}. A job ends at its requested time at the latest.",
            "Processors are only counted: a job can run on any free ones.",
            f"Measured jobs: {study.settings['measured jobs']}.",
            *conditions.workload,
        ]
    facts += [
        _INTERVALS,
        SLOWDOWN,
    ]
    return Page("How was this simulated?", "", (bullets(rules), bullets(facts)))


def limits(_study: ReplicationStudy, _drawn: Drawn) -> Page:
    """What these simulations cannot say."""
    lines = (
        "The intervals hold for logs of this model and these parameters, not for other workloads.",
        "Real users would react to waits with other submissions.",
        "Placement and other jobs do not change run times.",
        "Topology, memory, power and start-up time are not simulated.",
        "Dependencies, GPUs, and the site's fair share and queue limits are not simulated either.",
    )
    return Page("What does this simulation leave out?", "", (bullets(lines),))


def appendix(study: ReplicationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to reproduce the results."""
    rows = [(capitalised(name), str(value)) for name, value in study.settings.items()]
    repeatability = ("Repeatability", "same seeds and versions give identical files")
    return provenance_page(study, [*rows, repeatability])
