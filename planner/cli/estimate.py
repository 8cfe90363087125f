"""The command ``headroom estimate``: what users gain by better run-time estimates."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.answer import tell, write_report
from planner.cli.edges import (
    counted_progress,
    explained,
    json_option,
    progress,
    refuse_unwritable_folder,
)
from planner.cli.estimate_text import show
from planner.cli.files import read_files
from planner.cli.options import option, out_option, quiet_option
from planner.cli.own_parts import OWN, PartName, is_own
from planner.cli.simulate_log import is_model, log_of, log_options
from planner.cli.simulate_policies import configuration_of, maui_option
from planner.cli.values import given_words, percents

if TYPE_CHECKING:
    from planner.scheduling.estimates.settings import Settings

PREDICTORS = (
    "requested", "last-two", "quantile", "linear", "boosting", "boosting-median", "refining",
)  # fmt: skip
"""Names of :data:`planner.scheduling.estimates.tools.TOOLS`, which is slow to import."""

STRATEGIES = ("extend", "request", "double")
PLACEMENTS = ("from-below", "from-above", "grid-maxima", "grid-edges")
_DRAWN = {"jobs": None, "load": None, "estimate_factor": None}


@click.command()
@click.argument("trace", type=click.Path())
@maui_option
@option("--processors", type=click.IntRange(1, 10**9),
        help="Number of processors of the machine; by default as the log says.")  # fmt: skip
@option("--uptake", metavar="PERCENT[,...]|FROM:TO:STEP", default="0:100:10",
        help="Shares of the users that use the tool.")  # fmt: skip
@option("--error", metavar="PERCENT[,...]|FROM:TO:STEP", default="0:100:10",
        help="Largest errors of the bounded-error oracle, relative to the "
        "run time.")  # fmt: skip
@option("--seeds", type=click.IntRange(1, 1000), default=10,
        help="How many orders of users are drawn.")  # fmt: skip
@option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, help="The first of them.")
@option("--seed-group", type=click.FloatRange(0, 100, min_open=True), default=20.0,
        help="Per cent of the users whose queue times are reported.")  # fmt: skip
@option("--placement", type=click.Choice(PLACEMENTS), default="from-below",
        help="Where the oracle's classes of run times end.")  # fmt: skip
@option("--predictor", "predictors", multiple=True,
        type=PartName("predictor", [*PREDICTORS, "none"]),
        help=f"A real predictor to compare with the oracle, {OWN}; repeated. By default "
        "last-two, quantile, linear and the oracle refining; boosting takes "
        "minutes.")  # fmt: skip
@option("--strategy", "strategies", multiple=True, type=click.Choice(STRATEGIES),
        help="What becomes of jobs that outlive a prediction: it is extended, or they are "
        "killed and submitted again with the request, or with twice the estimate; "
        "repeated. By default all three.")  # fmt: skip
@option("--margin", type=click.FloatRange(0.01, 1000), default=1.0,
        help="Predictions are multiplied by this.")  # fmt: skip
@option("--weights/--no-weights", default=True,
        help="Whether the scheduler's weights are taken away and multiplied by ten, in "
        "turn.")  # fmt: skip
@option("--beside", type=click.Choice(["blue-horizon", "intrepid", "francesca"]),
        help="Compare with the numbers that the paper prints for this log.")  # fmt: skip
@option("--cases", "cases", type=click.Path(),
        help="Folder for a file of each simulation, from which an interrupted study goes on; "
        "by default cases in that of -o.")  # fmt: skip
@log_options
@option("--workers", type=click.IntRange(1, 256), default=1, help="Simulations at once.")
@out_option
@json_option
@quiet_option
@click.pass_context
def estimate(
    context: click.Context,
    /,
    trace: str,
    *,
    maui: str | None,
    processors: int | None,
    seed_group: float,
    beside: str | None,
    cases: str | None,
    workers: int,
    out: str | None,
    as_json: bool,
    quiet: bool,
    **asked: Any,
) -> None:
    """Study what users gain by better run-time estimates.

    TRACE is a log with users, in the Standard Workload Format, of Slurm (sacct -P,
    jobcomp/filetxt), of PBS or CSV, plain or gzipped. It is simulated under a Maui-like scheduler
    without a tool, with a bounded-error oracle used by growing shares of the users, and with real
    predictors.
    """
    with explained():
        if is_model(trace):
            message = (
                f"{trace} draws jobs without users and with exact requests; give a log in a file"
            )
            raise click.UsageError(message)
        settings = _settings(asked)
        folder = Path(cases) if cases else Path(out) / "cases" if out else None
        if out:
            refuse_unwritable_folder(Path(out), "estimate", read_files())
        from planner.parts import files_of
        from planner.scheduling.estimates.study import estimate_study
        from planner.scheduling.estimates.workload import workload_of

        configuration, files = configuration_of(maui)
        log = log_of(trace, asked | _DRAWN | {"processors": processors})
        workload = workload_of(log, processors, seed_group / 100)
        began = time.perf_counter()
        with counted_progress("simulations", quiet=quiet) as say:
            found = estimate_study(
                workload, configuration, settings, beside=beside, folder=folder, workers=workers,
                progress=say,
            )  # fmt: skip
        files = (*files, *files_of(settings.own))
        found = replace(found, files=files, command=_words(context))
        with progress(0, quiet=quiet) as say:
            report = write_report(found, out, began=began, progress=say)
    tell(found, show, report, as_json=as_json, quiet=quiet)


def _settings(asked: dict[str, Any]) -> Settings:
    from planner.scheduling.estimates.predictors.known import find_predictor
    from planner.scheduling.estimates.settings import Settings

    given = tuple(dict.fromkeys(asked["predictors"]))
    if "none" in given and len(given) > 1:
        raise click.UsageError("--predictor none leaves all others out; keep one of them")
    settings = Settings(
        uptakes=percents(asked["uptake"], "--uptake"),
        errors=percents(asked["error"], "--error"),
        seeds=tuple(range(asked["seed"], asked["seed"] + asked["seeds"])),
        placement=asked["placement"],
        strategies=tuple(dict.fromkeys(asked["strategies"])) or STRATEGIES,
        margin=asked["margin"],
        weights=asked["weights"],
    )
    if given:
        own = tuple(find_predictor(text) for text in given if is_own(text))
        names = tuple(name for name in given if name != "none" and not is_own(name))
        settings = replace(settings, predictors=names, own=own)
    settings.check()
    return settings


_ELSEWHERE = frozenset({"out", "as_json", "quiet", "workers", "cases"})


def _words(context: click.Context) -> tuple[str, ...]:
    """The command that gives the same again."""
    trace = Path(context.params["trace"]).name
    return ("estimate", trace, *given_words(context, _ELSEWHERE), "-o", "DIR")
