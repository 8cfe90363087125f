"""The command ``headroom plan``: what to buy, with a report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import Message
from planner.cli.check import described
from planner.cli.edges import NO_ANSWER, progress, refuse_folder_of_other_scenario
from planner.cli.idle_options import refuse_idle
from planner.cli.methods import method_option, refuse_idle_solver, solver_option
from planner.cli.options import (
    OutputOptions,
    out_option,
    scenario_argument,
    seed_option,
    time_limit_option,
    workers_option,
)
from planner.cli.own_parts import heuristic_option
from planner.cli.quantities import Share
from planner.cli.runner import start
from planner.cli.typed import command, group, option
from planner.cli.vary import SweepOptions, refuse_sweep_options, swept
from planner.cli.written_model import model_written, refuse_model_file, write_model_option

if TYPE_CHECKING:
    from planner.formulations.model_files import NamedModel
    from planner.procurement.own import ProcurementHeuristic
    from scenarios.model.scenario import Scenario


HEURISTICS = (
    "greedy-per-money", "greedy-per-watt", "rounded-relaxation", "closed-form", "best-single-type",
)  # fmt: skip
"""Names of :data:`planner.procurement.heuristics.BY_OPTION`, which is slow to import."""


@dataclass(frozen=True, kw_only=True)
class PlanOutputOptions(OutputOptions):
    """Where the report goes, by default to a folder that is called as the scenario."""

    out: str | None = out_option(help="Folder for the results; by default out/SCENARIO.")


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """The options of ``headroom plan``."""

    given: frozenset[str]
    scenario: str = scenario_argument()
    method: str = method_option(HEURISTICS, "the engine, which adds cuts where they matter")
    solver: str = solver_option(
        default="both", help="Solver of the decision: HiGHS, CBC, or both independently."
    )
    seed: int = seed_option()
    gap: float | None = option(
        type=Share(),
        help="Largest relative gap accepted; by default 1e-6, for a procurement 1e-4.",
    )
    time_limit: float | None = time_limit_option()
    heuristics: tuple[str, ...] = heuristic_option("procurement heuristic")
    write_model: str | None = write_model_option()
    full: bool = option(is_flag=True, help="For a procurement, answer the long questions too.")
    award: bool = option(is_flag=True, help="Judge the packages of a tender by its [scheme].")
    debrief: str | None = option(
        metavar="VENDOR", help="With --award: write the letter to this vendor."
    )
    no_report: bool = option(is_flag=True, help="Only print the answer; write no files.")
    dry_run: bool = option(is_flag=True, help="Check and say what would be done; write nothing.")
    sweep: SweepOptions = group(SweepOptions)
    workers: int = workers_option(help="Number of processes of --vary.")
    output: OutputOptions = group(PlanOutputOptions)


@command(PlanOptions)
def plan(options: PlanOptions) -> None:
    """Decide what to buy; report, figures, workbook and data go to out/SCENARIO.

    SCENARIO is a TOML file or a bundled name: rfp-center, rfp-money-bound,
    tender-centre, tender-university, thesis-7kw, hopper-2010.
    """
    from scenarios import load

    if options.no_report and options.output.out:
        raise click.UsageError("--no-report writes no files; leave out -o or --no-report")
    from planner.question import refuse_question_of_another_command

    refuse_idle_solver(options.method, options.given, engine_too=True)
    loaded = load(options.scenario)
    if options.debrief is not None and not options.award:
        raise click.UsageError("--debrief writes a letter about an award; add --award")
    if options.award:
        refuse_idle(options.given, "an award", _NOT_AWARDED)
        refuse_sweep_options(options.given)
        _award(options, loaded)
        return
    refuse_question_of_another_command(loaded)
    if options.sweep.vary:
        refuse_idle(options.given, "a sweep", _NOT_SWEPT)
        _sweep(options, loaded)
        return
    refuse_sweep_options(options.given)
    inputs = loaded.provenance.paths
    if not options.no_report:
        folder = Path(options.output.out or Path("out") / loaded.name)
        if not options.output.out:
            refuse_folder_of_other_scenario(folder, inputs)
        options = replace(options, output=replace(options.output, out=str(folder)))
    run = start("plan", options, inputs)
    refuse_model_file(options.write_model, run)
    own = _own(options.heuristics, loaded)
    if options.dry_run:
        _dry_run(loaded, options.output.out).tell(options.output)
        return
    lines = model_written(options.write_model, lambda: _model(loaded))
    import planner

    with progress(quiet=options.output.quiet) as say:
        study = planner.plan(
            loaded,
            method=options.method,
            solver=options.solver,
            seed=options.seed,
            gap=options.gap,
            time_limit_s=options.time_limit,
            full=options.full,
            heuristics=own,
            progress=say,
        )
    run.finish(study, lines)
    if getattr(study, "diagnosis", None) is not None:
        raise click.exceptions.Exit(NO_ANSWER)


_NOT_SWEPT = dict.fromkeys(
    ("--heuristic", "--write-model", "--no-report", "--dry-run", "--html"), ("one plan",)
)


_NOT_AWARDED = dict.fromkeys(
    ("--method", "--solver", "--seed", "--gap", "--time-limit", "--heuristic", "--write-model",
     "--vary", "--workers"), ("a decision by a program",)
)  # fmt: skip


def _award(options: PlanOptions, loaded: Scenario) -> None:
    """Judge the packages of a tender, or write the letter to one vendor."""
    import re

    from planner.award.study import award

    name = "award" if options.debrief is None else "debrief"
    ending = name if options.debrief is None else f"{name} {options.debrief}"
    folder = options.output.out or f"out/{loaded.name}-{re.sub('[^A-Za-z0-9._]+', '-', ending)}"
    out = None if options.no_report else folder
    if out is not None and not options.output.out:
        refuse_folder_of_other_scenario(Path(out), loaded.provenance.paths)
    output = replace(options.output, out=out)
    run = start(name, replace(options, output=output), loaded.provenance.paths)
    with progress(quiet=options.output.quiet) as say:
        study = award(loaded, full=options.full, progress=say)
    if options.dry_run:
        _dry_run(loaded, out).tell(options.output)
        return
    run.finish(study if options.debrief is None else study.debrief(options.debrief))
    if options.debrief is None and all(each.winner is None for each in study.award.decisions):
        raise click.exceptions.Exit(NO_ANSWER)


def _sweep(options: PlanOptions, loaded: Scenario) -> None:
    from planner.api import plan as planned

    how = {
        "method": options.method,
        "solver": options.solver,
        "seed": options.seed,
        "gap": options.gap,
        "time_limit_s": options.time_limit,
        "full": options.full,
    }
    swept("plan", options, loaded, planned, how)


def _model(scenario: Scenario) -> NamedModel:
    """Return the program of a procurement, or of the one application whose designs are compared."""
    from planner.formulations import best_design, legends, procurement
    from planner.formulations.model_files import NamedModel

    if scenario.procurement is not None:
        from planner.procurement.procure import asked_problem

        problem, _ = asked_problem(scenario)
        return NamedModel(
            lambda: procurement.formulate(problem)[0], legends.of_procurement(problem)
        )
    from planner.designs.design import thesis_problem
    from planner.designs.overprovisioning import design_cases

    if scenario.overprovisioning is None:
        raise click.UsageError(f"{scenario.name} decides by no program; leave --write-model out")
    cases = design_cases(scenario)
    if len(cases) != 1:
        raise click.UsageError(
            f"{scenario.name} has {len(cases)} programs, one for each application; write them with "
            f"headroom compare {scenario.name} --write-models FOLDER"
        )
    design = thesis_problem(cases[0])
    return NamedModel(lambda: best_design.formulate(design)[0], legends.of_best_design(design))


def _own(texts: tuple[str, ...], scenario: Scenario) -> list[ProcurementHeuristic]:
    """Heuristics of the user's own."""
    if texts and scenario.procurement is None:
        message = f"--heuristic is for a procurement, and {scenario.name} asks for none"
        raise click.UsageError(f"{message}; leave it out")
    if not texts:
        return []
    from planner.parts import own_part
    from planner.procurement.own import HEURISTIC

    return [own_part(text, HEURISTIC) for text in texts]


def _dry_run(loaded: Scenario, out: str | None) -> Message:
    plain = {"valid": True, "name": loaded.name, "would_write": out}
    target = f"Would write to {out}/" if out else "Would write no files"
    return Message(plain, described(loaded), further=(target,))
