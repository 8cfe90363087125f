"""The command ``headroom check``: what a file is, and all that is wrong with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.answer import Message
from planner.cli.check_inputs import KINDS, Kind, columns_read, remarked, understood
from planner.cli.completion import NameOrPath, scenario_names
from planner.cli.edges import WRONG_INPUT, WrongInput
from planner.cli.options import force_option, json_option, quiet_option
from planner.cli.package_lines import package_data, package_tables
from planner.cli.typed import WrittenPath, argument, command, option
from planner.finding import risks_of
from planner.formatting import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scenarios.model.scenario import Scenario
    from scenarios.understood import ReadSheet


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """The options of ``headroom check``."""

    files: tuple[str, ...] = argument(
        type=NameOrPath(scenario_names), nargs=-1, required=True, metavar="FILE..."
    )
    kind: Kind | None = option(
        "--as",
        type=click.Choice(KINDS),
        help="What FILE is; by default its form and its headings tell.",
    )
    propose: str | None = option(
        "--propose",
        type=WrittenPath(),
        metavar="QUOTES.toml",
        help="Write the [[quotes]] of vendors' sheets, what they read, and questions to vendors.",
    )
    like: str | None = option(
        "--like",
        type=click.Path(),
        metavar="OLD.toml",
        help="Prefer the headings and units of an earlier [[quotes]]; with --propose.",
    )
    force: bool = force_option()
    as_json: bool = json_option()
    quiet: bool = quiet_option()


@command(CheckOptions)
def check(options: CheckOptions) -> None:
    """Say how a file is understood without running anything; list all errors with file and line.

    FILE is a scenario, a configuration of the scheduler maui, a job log, a table of measured runs
    or of pairs, or communication of ranks. Columns of tables are shown with their units and
    samples, and what is left out is counted. Values that are valid but probably wrong, such as
    a price 1,000 times that of the others, are warnings. With --propose, each FILE is a vendor's
    workbook or CSV file.
    """
    from scenarios import ScenarioError

    try:
        answer = _answer(options)
    except ScenarioError as error:
        if not options.as_json:
            raise WrongInput(str(error)) from None
        faults = [
            {"file": f.file, "line": f.line, "where": f.where, "message": f.message}
            for f in error.faults
        ]
        Message({"valid": False, "faults": faults}).tell(options)
        raise click.exceptions.Exit(WRONG_INPUT) from None
    answer.tell(options)


def _answer(options: CheckOptions) -> Message:
    """What the options ask for."""
    if options.propose is not None:
        from planner.cli.propose import proposed

        return proposed(options.files, options.propose, options.like)
    if len(options.files) > 1:
        raise click.UsageError("several FILEs belong to --propose; check one at a time")
    if options.like is not None:
        raise click.UsageError("--like belongs to --propose; add it")
    (file,) = options.files
    return understood(Path(file), options.kind) or _checked(file)


def _checked(file: str) -> Message:
    """Name and description of a scenario, or of a scheduler, and what is doubtful in it."""
    from scenarios import load
    from scenarios.maui.reader import is_maui, read_maui

    if is_maui(Path(file)):
        scheduler = read_maui(Path(file))
        text = (
            f"{scheduler.name}: a valid configuration of the scheduler maui, with an "
            "iteration every "
        )
        return _valid(scheduler.name, f"{text}{scheduler.iteration_s} s", [])
    loaded = load(file)
    warnings = [*remarked(risks_of(loaded.remarks)), *_warnings(loaded, file)]
    packages = package_data(loaded)
    valid = _valid(loaded.name, described(loaded), warnings, loaded.provenance.sheets, packages)
    if loaded.scheme is None:
        return valid
    sha256 = loaded.scheme.sha256
    return replace(
        valid,
        plain={**valid.plain, "scheme_sha256": sha256},
        further=(f"SHA-256 of [scheme]: {sha256}",),
    )


def _valid(
    name: str,
    text: str,
    warnings: list[str],
    sheets: Sequence[ReadSheet] = (),
    packages: Sequence[dict[str, Any]] = (),
) -> Message:
    plain = {
        "valid": True, "name": name, "faults": [], "warnings": warnings,
        "sheets": [asdict(sheet) for sheet in sheets],
        **({"packages": packages} if packages else {}),
    }  # fmt: skip
    tables = (
        columns_read(
            f"{plural(sheet.quotes, 'quote')} of {sheet.file} {sheet.sheet}".strip(), sheet.columns
        )
        for sheet in sheets
    )
    return Message(plain, text, tuple(warnings), (*tables, *package_tables(packages)))


def _warnings(loaded: Scenario, file: str) -> list[str]:
    """See that what a scenario gives can make a decision."""
    from planner.errors import InputError, PlanError
    from scenarios import ScenarioError
    from scenarios.faults import Fault

    if loaded.schedule is not None:
        return _schedule_warnings(loaded, file)
    if loaded.scheme is not None:
        from planner.award.award import award
        from planner.award.from_scenario import tender_of

        try:
            award(tender_of(loaded))
        except InputError as error:
            raise ScenarioError([Fault(file, 0, "", str(error))]) from None
    if loaded.procurement is None:
        return []
    from planner.procurement.from_scenario import problem_from

    try:
        excluded = problem_from(loaded).excluded
    except InputError as error:
        raise ScenarioError([Fault(file, 0, "", str(error))]) from None
    except PlanError as error:  # a valid question whose answer is no
        return [f"no plan: {error}"]
    warnings = []
    for node_type in excluded:
        origin = loaded.node_type(node_type.name).origin
        source = f"{origin}: " if origin else ""
        warnings.append(f"{source}{node_type.name} cannot be bought: {node_type.reason}")
    return warnings


def _schedule_warnings(loaded: Scenario, file: str) -> list[str]:
    """See that jobs can be scheduled; requests that are rounded or rejected are doubtful."""
    from planner.errors import InputError
    from planner.question import schedule_of
    from planner.scheduling.power.inputs.build import replicate
    from planner.scheduling.power.inputs.logs import READ, RULES
    from scenarios import ScenarioError
    from scenarios.faults import Fault

    try:
        logs = replicate(loaded, schedule_of(loaded).first_seed).logs.values()
    except InputError as error:
        raise ScenarioError([Fault(file, 0, "", str(error))]) from None
    return [
        f"log {log.name}: {log.counts[rule]:,} of {log.counts[READ]:,} {rule}"
        for log in logs
        for rule in RULES
        if log.counts[rule]
    ]


def described(scenario: Scenario) -> str:
    """Return what a valid scenario holds, in one line."""
    from scenarios.simulated.shared_node.applications import TWELVE

    schedule, price = scenario.schedule, scenario.price
    priced = (len(price.applications) + price.synthetic or len(TWELVE)) if price else 0
    run = schedule.applications if schedule else scenario.workloads
    counts = {
        "node types": len(scenario.node_types),
        "applications": len(run) + priced,
        "job logs": len(schedule.logs) if schedule else 0,
        "power bounds": len(schedule.bounds_w) if schedule else 0,
        "policies": len(schedule.policies) if schedule else 0,
        "demand scenarios": len(scenario.demands),
        "lots": len(scenario.lots),
        "packages": len(scenario.packages),
        "printed numbers": len(scenario.printed),
    }
    parts = [f"{count} {_counted(plural, count)}" for plural, count in counts.items() if count]
    return f"{scenario.name} is valid: {', '.join(parts)}."


def _counted(plural: str, count: int) -> str:
    """Return a plural as it is, or its singular if ``count`` is 1."""
    if count != 1:
        return plural
    return f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")
