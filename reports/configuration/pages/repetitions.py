"""How far repetitions differ, of all configurations and of the best."""

from __future__ import annotations

from collections.abc import Sequence

from planner.configurations.confidence import predictions
from planner.configurations.repeats import Repeats, count_wide
from planner.configurations.risk import Risk, of_chosen
from planner.configurations.study import ConfigurationStudy
from planner.configurations.table import Configuration
from planner.formatting import (
    DASH,
    capitalised,
    clipped,
    percent,
    plural,
    run_times,
    seconds,
    watts,
    words,
)
from reports.blocks import (
    Block,
    Drawn,
    Page,
    bullets,
    figures,
    grid,
    partly,
    subheading,
    text,
)
from reports.compact import compact
from reports.configuration.figures.repetitions import repeated
from reports.configuration.summary import MOST_APPLICATIONS, alike, answers, name
from reports.grid import table
from scenarios.measurements.spread import RepetitionSpread

_MOST_SENTENCES, _LONGEST = 24, 400
_MOST_STRAGGLERS = 8
_FEW = 3
"""This many core counts are listed."""
BOOK = "configure.xlsx"
OF_RISK = (
    ("Runs", True), ("Fastest", True), ("Median", True), ("Slowest", True), ("Largest power", True),
)  # fmt: skip
_SOURCE = "Configurations that were run more than once (their number in brackets)."


def page(study: ConfigurationStudy, pictures: Drawn) -> Page:
    """Make the page on repetitions from its parts."""
    every = repeated(study)
    answer = (
        f"{count_wide(every)}."
        if every
        else "Nothing was run more than once, so variation and slow runs are unknown."
    )
    blocks = tuple(block for part in PARTS for block in part(study, pictures))
    return Page("How much do repeated runs vary?", answer, blocks)


def _overall(study: ConfigurationStudy, pictures: Drawn) -> list[Block]:
    columns = (
        ("Application", False), ("Configurations", True), ("Run more than once", True),
        ("Median", True), ("90th percentile", True), ("Largest", True),
        ("Largest in power", True),
    )  # fmt: skip
    rows = [_row(repeat) for repeat in study.repeats[:MOST_APPLICATIONS]]
    caption = partly(
        "How much slower the slowest run is than the fastest", len(rows), len(study.repeats), BOOK
    )
    body = table(columns, (1.4, 1, 1, 1, 1, 0.8, 0.9), rows)
    drawn = "repetitions" in pictures
    return compact(body, caption, small=True) if len(rows) > 1 or not drawn else []


def _drawn(_study: ConfigurationStudy, pictures: Drawn) -> list[Block]:
    return figures(pictures, "repetitions", _SOURCE)


def _row(repeats: Repeats) -> tuple[str, ...]:
    head = (
        clipped(repeats.application, 40),
        f"{repeats.configurations:,}",
        f"{repeats.repeated:,}",
    )
    if not repeats.repeated:
        return (*head, DASH, DASH, DASH, DASH)
    middle, high, widest = (percent(share) for share in repeats.quantiles(0.5, 0.9, 1.0))
    return (*head, middle, high, widest, percent(float(repeats.power[-1])))


def _of_the_best(study: ConfigurationStudy, _pictures: Drawn) -> list[Block]:
    columns = (
        ("Application", False), ("Best", False), *OF_RISK, ("Runs over the bound", True),
    )  # fmt: skip
    rows = []
    for answer in answers(study):
        risk = answer.risk
        if risk is None:
            rows.append((name(answer), str(answer.best), "0", *[DASH] * 5))
            continue
        rows.append(
            (
                name(answer), str(answer.best), *risk_cells(risk),
                str(risk.runs_over_bound) if risk.runs_over_bound else "none",
            )
        )  # fmt: skip
    message = {
        "median": "This report shows the time and power of the median run of each configuration",
        "best": "This report shows the time and power of the fastest run of each configuration",
        "worst": "This report shows the longest time and the largest power of each configuration",
    }[study.question.repetition] + "."
    if predictions(study.answers)[1]:
        message += " Configurations that were not run are predicted."
    if len(rows) == 1:  # the first page has its runs
        return [text(message)]
    body = table(columns, (1.2, 1.4, 0.5, 0.85, 0.85, 0.85, 0.9, 0.8), rows)
    caption = partly("Runs of the best configurations", len(rows), len(study.answers), BOOK)
    return [text(message), *compact(body, caption, small=True)]


def risk_cells(risk: Risk) -> tuple[str, ...]:
    """How often it was run, its times and its largest power: the cells under ``OF_RISK``."""
    return (
        str(risk.repetitions), *alike(risk.best_s, risk.median_s, risk.worst_s),
        watts(risk.largest_power_w),
    )  # fmt: skip


def _stragglers(study: ConfigurationStudy, _pictures: Drawn) -> list[Block]:
    best = [(answer.application, answer.best) for answer in study.answers]
    briefly = len(study.spreads) > 1
    return stragglers(study.spreads, BOOK, best, "best", briefly=briefly)


def stragglers(
    spreads: Sequence[RepetitionSpread],
    book: str,
    chosen: Sequence[tuple[str, Configuration]],
    what: str,
    *,
    briefly: bool = False,
) -> list[Block]:
    """Runs that took far longer than others of their configuration.

    Parameters
    ----------
    book
        The workbook that has all.
    chosen, what
        The configurations of the report with their applications, and what they are called: their
        slow runs come first.
    briefly
        With one sentence for each application, and without the table of all.
    """
    blocks: list[Block] = [subheading("Unusually slow runs")]
    straggling = [spread for spread in spreads if spread.stragglers]
    tabled = straggling if briefly and len(straggling) > 1 else []
    pattern = _pattern(tabled)
    sentences = [
        f"{capitalised(clipped(line, _LONGEST + 1))}."
        for spread in spreads
        if spread not in tabled
        for line in ([_in_short(spread)] if briefly else spread.findings())
    ]
    if straggling:
        blocks.append(
            text(
                "A slow run is separated from the others by a gap of more than 5 % and more than "
                "the typical variation. The typical variation is how much slower the second "
                "fastest run of a configuration is, at the median. Slow runs are never "
                "averaged with others: a slow node may be the cause."
            )
        )
        sentences = [*_of_chosen(spreads, book, chosen, what), *pattern, *sentences]
    if sentences:
        more_sentences = len(sentences) - _MOST_SENTENCES
        more = [f"{plural(more_sentences, 'further finding')}: see {book}."] * (more_sentences > 0)
        lines = [*sentences[:_MOST_SENTENCES], *more]
        blocks.append(bullets(lines) if len(lines) > 1 else text(lines[0]))
    if tabled:
        blocks += _by_application(tabled, places=not pattern)
    worst = sorted(
        (s for spread in straggling for s in spread.stragglers), key=lambda spread: -spread.ratio
    )
    if len(worst) > 1 and not briefly:
        several = len({straggler.application for straggler in worst}) > 1
        columns = (
            ("Application", False), ("Configuration", False), ("Repetition", True),
            ("Time", True), ("Best run", True), ("Slower by", True),
        )[not several :]  # fmt: skip
        rows = [
            (
                clipped(straggler.application, 40),
                f"({straggler.nodes} x {straggler.cores_per_node}, {straggler.package_cap_w:g} W)",
                str(straggler.repetition),
                seconds(straggler.time_s),
                seconds(straggler.best_time_s),
                percent(straggler.ratio - 1),
            )[not several :]
            for straggler in worst[:_MOST_STRAGGLERS]
        ]
        caption = partly("Slow runs, the slowest first", len(rows), len(worst), book)
        body = table(columns, (1.3, 1.5, 0.8, 0.8, 1.1, 0.9)[not several :], rows)
        blocks.append(grid(body, caption, small=True))
    return blocks


def _of_chosen(
    spreads: Sequence[RepetitionSpread],
    book: str,
    chosen: Sequence[tuple[str, Configuration]],
    what: str,
) -> list[str]:
    """State every slow run of the configurations of the report, or that there is none."""
    slow = sorted(of_chosen(spreads, chosen), key=lambda each: -each.ratio)
    if not slow:
        if len(chosen) == 1:
            return [f"The {what} configuration has no slow run."]
        return [f"No {what} configuration has a slow run."]
    lines = []
    for each in slow[:_MOST_STRAGGLERS]:
        time, fastest = run_times(each.time_s, each.best_time_s)
        place = f"({each.nodes} x {each.cores_per_node}, {each.package_cap_w:g} W)"
        lines.append(
            f"{capitalised(what)} {place} of {clipped(each.application, 40)}: repetition "
            f"{each.repetition} took {time}, {percent(each.ratio - 1)} longer than its best run "
            f"({fastest})."
        )
    more = len(slow) - len(lines)
    return [
        *lines,
        *([f"Further slow runs of {what} configurations: {more} in {book}."] * (more > 0)),
    ]


def _by_application(straggling: Sequence[RepetitionSpread], *, places: bool) -> list[Block]:
    """Return how many runs of each application are slow, by how much, and in which ``places``."""
    columns = (
        ("Application", False), ("Slow runs", True), ("Repeated runs", True), ("Slower by", True),
        ("Typical variation", True), ("Nodes", True), ("Cores per node", True),
    )  # fmt: skip
    rows = []
    for spread in straggling:
        slower = [100 * (straggler.ratio - 1) for straggler in spread.stragglers]
        nodes, cores = _where(spread)
        ends = dict.fromkeys(f"{end:.0f}" for end in (min(slower), max(slower)))
        rows.append(
            (
                clipped(spread.application, 40), f"{len(slower):,}", f"{spread.runs:,}",
                f"{' to '.join(ends)} %", f"{100 * (spread.ordinary - 1):.1f} %", nodes, cores,
            )
        )  # fmt: skip
    count = len(columns) if places else len(columns) - 2
    widths = (1.4, 0.8, 1, 1, 1.1, 0.9, 1)
    body = table(columns[:count], widths[:count], [row[:count] for row in rows])
    caption = "Slow runs, compared with the best run of the same configuration"
    return compact(body, caption, small=True, keep=("Slow runs",))


def _where(spread: RepetitionSpread) -> tuple[str, str]:
    """Return on how many nodes and with how many cores per node slow runs occur."""
    if not spread.regions:
        return DASH, DASH
    low = min(region.nodes[0] for region in spread.regions)
    high = max(region.nodes[1] for region in spread.regions)
    cores = sorted(region.cores_per_node for region in spread.regions)
    nodes = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return nodes, words([str(n) for n in cores]) if len(cores) <= _FEW else f"{len(cores)} counts"


def _pattern(straggling: Sequence[RepetitionSpread]) -> list[str]:
    """State where all slow runs occur, if that is the same for several applications."""
    places = {_where(spread) for spread in straggling}
    if len(places) != 1 or not all(spread.regions for spread in straggling):
        return []
    ((nodes, cores),) = places
    if any(len(spread.regions) > _FEW for spread in straggling):
        return []  # many counts are not a pattern
    on = f"{nodes} {'node' if nodes == '1' else 'nodes'}"
    slow = sum(len(spread.stragglers) for spread in straggling)
    use = f"All {slow:,} slow runs use {cores} cores per node, on {on}"
    return [f"{use}: this setting may be the cause as well."]


def _in_short(spread: RepetitionSpread) -> str:
    """The first finding of an application, and on what nodes and cores its slow runs occur."""
    first = spread.findings()[0]
    if not spread.regions:
        return first
    nodes, cores = _where(spread)
    return (
        f"{first}: all on {nodes} {'node' if nodes == '1' else 'nodes'} with {cores} "
        f"{'of ' if len(spread.regions) > _FEW else ''}cores each"
    )


PARTS = (_drawn, _of_the_best, _stragglers, _overall)
