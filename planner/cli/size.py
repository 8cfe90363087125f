"""The command ``headroom size``: the smallest machine that meets a service level for a log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cli.edges import Failure, costing_no_answer, progress
from planner.cli.files import read_files
from planner.cli.options import OutputOptions, log_argument
from planner.cli.runner import start
from planner.cli.simulate_files import SimulationFiles
from planner.cli.simulate_inputs import chosen_policies, rules_of, words_with
from planner.cli.simulate_log import JobOptions, log_of
from planner.cli.simulate_options import GrowthOptions, MeasuredOptions, PolicyOptions, RuleOptions
from planner.cli.typed import command, group, option

if TYPE_CHECKING:
    from planner.scheduling.simulation.settings import SimulationSettings
    from planner.scheduling.sizing.result import SizeFor
    from scenarios.job_logs.job_log import JobLog


@dataclass(frozen=True, kw_only=True)
class SizeOptions:
    """The options of ``headroom size``."""

    log: str = log_argument()
    level: str = option(
        "--for",
        metavar="LEVEL",
        required=True,
        help="Service level to meet, such as p95-bounded-slowdown<=20 or mean-wait<=2h.",
    )
    growth: GrowthOptions = group(GrowthOptions)
    policy: PolicyOptions = group(PolicyOptions)
    rules: RuleOptions = group(RuleOptions)
    measured: MeasuredOptions = group(MeasuredOptions)
    jobs: JobOptions = group(JobOptions)
    output: OutputOptions = group(OutputOptions)


@command(SizeOptions)
def size(options: SizeOptions) -> None:
    """Find the smallest machine that meets a service level for a growing job log.

    LOG is a log or the name of a model, as for `headroom simulate`.
    """
    output, quiet = options.output, options.output.quiet
    question, rules = _question(options)
    targets = (options.jobs.written_log, options.growth.written_demand)
    log_file, demand_file = (Path(target) if target else None for target in targets)
    files = SimulationFiles(None, log_file, demand_file, options.jobs.anonymous)
    chosen = chosen_policies(options.policy, options.rules)
    named = {"LOG": options.log, "--maui": options.rules.maui}
    files.refuse(named, (), read_files(options), output.out)
    run = start("size", options)
    policies, log = chosen.policies, _log(options)
    if demand_file:
        from planner.scheduling.sizing.demand import refuse_demand

        refuse_demand(log.machine_processors, log.name)
    from planner.scheduling.sizing.study import size as sized

    with progress(quiet=quiet) as say:
        study = sized(log, policies, question, rules, workers=options.jobs.workers, progress=say)
    words = words_with("size", options, seeded=True)
    study = replace(study, command=words, files=chosen.files)
    with costing_no_answer():
        files.write_log(study.grown.log)
    if demand_file and study.answered:
        from planner.scheduling.sizing.demand import write_demand

        with costing_no_answer():
            write_demand(study, demand_file, options.growth.demand_quantile)
    run.finish(study)
    if not study.answered:
        missing = [sizing.policy for sizing in study.sizings if sizing.nodes is None]
        raise Failure(f"no machine size meets the target under {', '.join(missing)}")


def _question(options: SizeOptions) -> tuple[SizeFor, SimulationSettings]:
    from planner.scheduling.sizing.growth import LogGrowth
    from planner.scheduling.sizing.level import parse_level
    from planner.scheduling.sizing.result import SizeFor

    growth = LogGrowth(options.growth.growth, options.growth.growth_by, options.growth.thin_by)
    level = parse_level(options.level)
    question = SizeFor(level, growth, options.growth.resamples, options.jobs.synthetic.seed)
    rules = rules_of(options.policy, options.rules, options.measured)
    return question, replace(rules, processors=None)


def _log(options: SizeOptions) -> JobLog:
    processors = options.policy.processors
    log = log_of(options.log, options.jobs, processors)
    return log if processors is None else replace(log, machine_processors=processors)
