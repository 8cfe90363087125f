"""The command ``headroom size``: the smallest machine that meets a service level for a log."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import tell, write_report
from planner.cli.edges import Failure, explained, progress, refuse_unwritable_folder
from planner.cli.files import read_files
from planner.cli.options import OutputOptions
from planner.cli.simulate_compiled import announce_compiling
from planner.cli.simulate_files import Files
from planner.cli.simulate_inputs import chosen_policies, rules_of, words_with
from planner.cli.simulate_log import JobOptions, log_of
from planner.cli.simulate_options import GrowthOptions, MeasuredOptions, PolicyOptions, RuleOptions
from planner.cli.size_text import show_sizing
from planner.cli.typed import argument, command, group, option

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.settings import SimulationSettings
    from planner.scheduling.sizing.result import SizeFor
    from planner.scheduling.sizing.study import SizingStudy
    from scenarios.job_logs.job_log import JobLog


@dataclass(frozen=True, kw_only=True)
class SizeOptions:
    """Of ``headroom size``."""

    trace: str = argument(type=click.Path())
    level: str = option(
        "--for",
        metavar="LEVEL",
        required=True,
        help="The service level to meet, as p95-bounded-slowdown<=20 or mean-wait<=2h.",
    )
    growth: GrowthOptions = group(GrowthOptions)
    policy: PolicyOptions = group(PolicyOptions)
    rules: RuleOptions = group(RuleOptions)
    measured: MeasuredOptions = group(MeasuredOptions)
    jobs: JobOptions = group(JobOptions)
    output: OutputOptions = group(OutputOptions)


@command(SizeOptions)
def size(asked: SizeOptions) -> None:
    """Find the smallest machine that meets a service level for a growing job log.

    TRACE is a log or the name of a model, as for `headroom simulate`.
    """
    size_for(asked, words_with("size", asked, seeded=True))


def size_for(asked: SizeOptions, words: tuple[str, ...]) -> None:
    """Size the machine as the command of these words asks; show, write and judge the answer."""
    output, quiet = asked.output, asked.output.quiet
    with explained():
        question, rules = _question(asked)
        targets = (asked.jobs.written_log, asked.growth.written_demand)
        log_file, demand_file = (Path(target) if target else None for target in targets)
        files = Files(None, None, log_file, demand_file, asked.jobs.anonymous)
        chosen, inputs = chosen_policies(asked.policy, asked.rules), read_files(asked)
        files.refuse({"TRACE": asked.trace, "--maui": asked.rules.maui}, (), inputs, output.out)
        if output.out:
            refuse_unwritable_folder(Path(output.out), "size", inputs)
        policies, log = chosen.policies, _log(asked)
        if demand_file:
            from planner.scheduling.sizing.demand import refuse_demand

            refuse_demand(log.machine_processors, log.name)
        announce_compiling(policies, rules, quiet=quiet)
        began = time.perf_counter()
        found = _sized(log, policies, question, rules, asked)
        found = replace(found, command=words, files=chosen.files)
        files.write_log(found.grown.log)
        if demand_file and found.answered:
            from planner.scheduling.sizing.demand import write_demand

            write_demand(found, demand_file, asked.growth.demand_quantile)
        with progress(0, quiet=quiet) as say:
            report = write_report(found, output.out, began=began, progress=say, inputs=inputs)
    tell(found, show_sizing, report, output)
    if not found.answered:
        missing = [sizing.policy for sizing in found.sizings if sizing.nodes is None]
        raise Failure(f"no size keeps the level under {', '.join(missing)}")


def _question(asked: SizeOptions) -> tuple[SizeFor, SimulationSettings]:
    from planner.scheduling.sizing.growth import LogGrowth
    from planner.scheduling.sizing.level import parse_level
    from planner.scheduling.sizing.result import SizeFor

    growth = LogGrowth(asked.growth.growth, asked.growth.growth_by, asked.growth.thin_by)
    level = parse_level(asked.level)
    question = SizeFor(level, growth, asked.growth.resamples, asked.jobs.drawn.seed)
    rules = rules_of(asked.policy, asked.rules, asked.measured)
    return question, replace(rules, processors=None)


def _log(asked: SizeOptions) -> JobLog:
    processors = asked.policy.processors
    log = log_of(asked.trace, asked.jobs, processors)
    return log if processors is None else replace(log, machine_processors=processors)


def _sized(
    log: JobLog,
    policies: Sequence[Policy],
    question: SizeFor,
    rules: SimulationSettings,
    asked: SizeOptions,
) -> SizingStudy:
    from planner.scheduling.sizing.study import size

    steps = 1 + len(policies) + question.resamples
    with progress(steps, quiet=asked.output.quiet) as say:
        return size(log, policies, question, rules, workers=asked.jobs.workers, progress=say)
