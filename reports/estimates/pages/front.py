"""The title page: the answer, its reasons, risks and assumptions; and the paper's claims."""

from __future__ import annotations

from collections import Counter
from typing import Any

from planner.formatting import capitalised, duration, given, plural, words
from planner.scheduling.estimates.claims import Holds
from planner.scheduling.estimates.gain_text import seeds
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.summary import (
    SINGLE_ORDER,
    answer_range,
    best_predictor,
    of_predictors,
)
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.wait_text import jobs
from reports.blocks import Drawn, Page, grid, text
from reports.compact import varying
from reports.estimates.assumed_weights import ASSUMED, weights_assumed
from reports.estimates.cells import cell_map, gains_at_uptakes
from reports.estimates.figures.predictors import strategy_of
from reports.estimates.gain_text import change, exact_gain, number_or_none, signs
from reports.estimates.pages.weights import gains_of_changes
from reports.estimates.predictor_texts import MEANINGS, STRATEGY
from reports.first_page import FirstPage
from reports.grid import Table, table
from reports.job_log_facts import log_facts, short_name
from reports.report import Facts
from reports.skeleton import first_sheet, title_page
from reports.warning_boxes import boxed
from scenarios.job_logs.origin import synthetic_words

FEW_SEEDS = 10
PAPER = "Smith, Hammond and Jarvis (2011)"
_TOOL = "The oracle, called the tool here, knows the run times, which no site does."


def front(study: EstimateStudy) -> dict[str, Any]:
    """Return what the title page shows."""
    in_box = [SINGLE_ORDER] if study.one_user else []  # the box says that gains may be chance
    first = FirstPage(
        reasons=[signs(line) for line in [*_reasons(study), *answer_range(study)]],
        alternatives=[
            *(signs(line) for line in of_predictors(study) if line not in in_box),
            *_meaning(study),
        ],
        risks=boxed([signs(warning) for warning in study.warnings]),
        robustness=_robustness(study),
        assumptions=_assumptions(study),
        next_steps=_next_steps(study),
        balanced=True,
    )
    return title_page(
        study,
        title(study),
        log_name(study),
        description=_description(study),
        first=first,
        decision=signs(study.headline),
        certificate=f"{_TOOL} {signs(study.confidence)}",
    )


def title(_study: EstimateStudy) -> str:
    """The question."""
    return "What do users gain from better run-time estimates?"


def log_name(study: EstimateStudy) -> str:
    """The log's name, short enough for a footer."""
    return short_name(study.workload.log)


def pairs(study: EstimateStudy) -> Facts:
    """The first sheet of the workbook."""
    workload, settings = study.workload, study.settings
    log = workload.log
    rows = [
        *log_facts(log, study.files, study.command),
        ("jobs", len(log)),
        ("jobs not simulated: larger than the machine", workload.rejected),
        ("processors of the machine", workload.problem.processors),
        ("users", workload.users),
        ("sampled users", workload.group_size(workload.seed_group)),
        ("scheduler", study.configuration.name),
        ("seeds", ", ".join(str(seed) for seed in settings.seeds)),
        ("simulations", len(study.outcomes)),
        ("mean wait without the tool [s]", study.no_tool.everybody.mean_s),
        ("gain of exact estimates for all", number_or_none(exact_gain(study))),
    ]
    return first_sheet(study, title(study), rows)


def _description(study: EstimateStudy) -> str:
    workload = study.workload
    machine = plural(workload.problem.processors, "processor")
    runs = f"{plural(len(study.outcomes), 'simulation')} under {in_prose(study.configuration.name)}"
    if study.one_user:  # then seeds do not matter
        return f"{jobs(len(workload.log))} on {machine}: {runs}"
    users = plural(workload.users, "user")
    return f"{jobs(len(workload.log))} of {users} on {machine}: {runs}, {seeds(study)}"


def _meaning(study: EstimateStudy) -> list[str]:
    """What the best predictor predicts, and what becomes of jobs that exceed it."""
    best = best_predictor(study)
    if best is None or best.tool.predictor not in MEANINGS:
        return []
    name = best.tool.predictor
    by_figure = study.one_user and not cell_map(study, "mean_s").is_drawn  # whose caption says it
    meaning = [] if by_figure else [f"{capitalised(name)}: {MEANINGS[name]}"]
    return [*meaning, STRATEGY[strategy_of(best)]]


def _reasons(study: EstimateStudy) -> list[str]:
    bare = study.no_tool.everybody
    if not bare.mean_s:
        return ["No job waits without the tool, so there is nothing to gain."]
    lines = []
    if bare.max_s:
        lines.append(
            f"Without the tool, the mean wait of all jobs is {duration(bare.mean_s)} and the "
            f"longest {duration(bare.max_s)}."
        )
    exact = study.exact.everybody.mean_s or 0.0
    return [
        *lines,
        (
            f"With exact estimates for all jobs the mean wait is {change(exact_gain(study))} "
            f"({duration(exact)})."
        ),
    ]


def _robustness(study: EstimateStudy) -> list[str]:
    """In how many cells all seeds agree, and whether the weights decide."""
    cells = gains_at_uptakes(study, "mean_s")
    lines = []
    if cells and not study.one_user and len(set(study.settings.seeds)) > 1:
        helps = sum(agreed and gain > 0 for gain, agreed in cells)
        lines.append(
            f"In {helps:,} of {plural(len(cells), 'combination')} of uptake and error the sampled "
            "users wait less for every seed."
        )
    return [*lines, *_over_weights(study)]


def _over_weights(study: EstimateStudy) -> list[str]:
    """Under how many changes of the weights exact estimates shorten the mean wait."""
    gains, changes = gains_of_changes(study), len(study.weights) - 1
    if not gains:
        return []
    move = f"{len(gains):,} {'changes' if len(gains) == 1 else 'change'}"
    parts = [
        (sum(gain > 0 for gain in gains), "shorten"),
        (sum(gain < 0 for gain in gains), "lengthen"),
        (sum(gain == 0 for gain in gains), "do not change"),
    ]
    some = [(count, verb) for count, verb in parts if count]
    text = "; ".join(
        f"under {count:,} {'they' if place else 'exact estimates'} {verb} it"
        for place, (count, verb) in enumerate(some)
    )
    return [
        (
            f"{plural(changes, 'change')} of a scheduler weight "
            f"{'was' if changes == 1 else 'were'} simulated; {move} the mean wait. "
            f"{capitalised(text)}."
        )
    ]


def _assumptions(study: EstimateStudy) -> list[str]:
    sampled = "All users are sampled, so gains are those of all jobs."
    if not study.everybody_sampled:
        sampled = (
            f"Sampled users: {given(study.workload.seed_group)} of all, chosen at random. Their "
            "waits with the tool are compared with those without it."
        )
    uptake = "" if study.one_user else "Uptake: share of users with the tool. "
    return [
        f"The study follows {PAPER}, called the paper here.",
        *([] if study.one_user else [sampled]),
        f"{uptake}Error: most by which an estimate of the tool exceeds the run time.",
        *([ASSUMED] if weights_assumed(study) else []),
        "Users submit every job at the time in the log and do not react to waits.",
    ]


def _next_steps(study: EstimateStudy) -> list[str]:
    lines = []
    if not study.one_user and len(set(study.settings.seeds)) < FEW_SEEDS:
        lines.append(f"Repeat with {FEW_SEEDS} seeds to see the variation.")
    if not study.remains:
        lines.append("Simulate real predictors: no site has an oracle.")
    if not study.settings.weights:
        lines.append("Vary the scheduler's weights to see how much the gain depends on them.")
    if synthetic_words(study.workload.log.header):
        lines.append("Repeat with an accounting log of your own machine.")
    elif study.validation is None:
        lines.append("Use a log with recorded waits to check the simulated scheduler.")
    if weights_assumed(study):
        lines.append("Replace the assumed weights by your scheduler's.")
    return lines


def claims(study: EstimateStudy) -> Table | None:
    """Return what the paper claims, and what is found."""
    rows = [
        (
            f"{claim.claim} {capitalised(claim.where)}.",
            signs(claim.found),
            "holds by construction"
            if claim.by_construction and claim.holds == "holds"
            else claim.holds,
        )
        for claim in study.claims
    ]
    if not rows:
        return None
    columns = (
        ("Claim", False), ("Found here, simulated", False), ("Result", False),
    )  # fmt: skip
    return varying(table(columns, (2.1, 2.2, 0.8), rows), ("Found here, simulated", "Result"))


def claims_page(study: EstimateStudy, _drawn: Drawn) -> Page | None:
    """The paper's claims and what holds here."""
    rows = claims(study)
    if rows is None:
        return None
    return Page(
        "Appendix: do the paper's claims hold here?",
        _held(study),
        (
            text(
                "The paper contradicts itself: its list of contributions claims shorter "
                "longest waits, its section 5 longer ones for two of its logs. Intrepid (ANL), "
                "Blue Horizon (SDSC) and Francesca (Warwick) are the machines of its logs. "
                f"{_terms(study)}"
            ),
            grid(rows, f"Claims of {PAPER}", small=True),
        ),
    )


def _terms(study: EstimateStudy) -> str:
    """Return the terms of the claims."""
    sampled = "all users, so all jobs"
    if not study.everybody_sampled:
        sampled = f"{given(study.workload.seed_group)} of all, chosen at random"
    return f"Uptake: share of users with the tool. Sampled users: {sampled}."


def _held(study: EstimateStudy) -> str:
    """How many claims have which result, and why some cannot be judged."""
    number = Counter(claim.holds for claim in study.claims)
    many: dict[Holds, str] = {
        "holds": "hold",
        "holds in part": "hold in part",
        "does not hold": "do not hold",
    }
    built = sum(claim.by_construction and claim.holds == "holds" for claim in study.claims)
    how = f" ({built} by construction)" if built else ""
    how = " by construction" if built == number["holds"] > 0 else how
    parts = [
        f"{number[result]} {result if number[result] == 1 else verb}"
        f"{how if result == 'holds' else ''}"
        for result, verb in many.items()
        if number[result]
    ]
    if unknown := number["cannot be said"]:
        parts.append(f"{unknown} cannot be judged{_why_unknown(study)}")
    return f"The paper has {plural(len(study.claims), 'claim')} to check: {words(parts)}."


def _why_unknown(study: EstimateStudy) -> str:
    return " (the log has one user)" if study.one_user else " (one seed was simulated)"
