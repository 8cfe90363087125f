"""The command line: reads options, calls one function, prints. Decides nothing."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from planner.cli.aggregate import aggregate
from planner.cli.check_schedule import check_schedule
from planner.cli.configure import configure
from planner.cli.edges import (
    NO_ANSWER,
    WRONG_INPUT,
    WrongInput,
    a_number,
    explained,
    json_option,
    json_text,
    progress,
    refuse_unwritable_folder,
    show_table,
)
from planner.cli.estimate import estimate
from planner.cli.numbers import Commands
from planner.cli.place import place
from planner.cli.share import share
from planner.cli.simulate import simulate

if TYPE_CHECKING:
    from planner.designs.study import DesignStudy
    from planner.difference import Change
    from planner.procurement.study import ProcurementStudy
    from scenarios.models import Scenario

_LONG_TABLES = (
    "sensitivity", "designs", "break_even", "printed", "turning_points", "allocation", "plane",
    "heuristics", "requirements", "programs",
)  # fmt: skip
_CERTIFICATES = "certificates"
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Commands, context_settings=_CONTEXT)
@click.version_option(package_name="headroom-planner", message="headroom %(version)s")
def main() -> None:
    """Plan power-bounded clusters: what to buy, with a certificate and a report."""


main.add_command(configure)
main.add_command(share)
main.add_command(simulate)
main.add_command(check_schedule)
main.add_command(estimate)
main.add_command(place)
main.add_command(aggregate)


@main.command()
@click.argument("scenario")
@click.option(
    "-o",
    "--out",
    type=click.Path(),
    help="Folder for the results; by default out/SCENARIO.",
)
@json_option
@click.option(
    "--solver",
    type=click.Choice(["highs", "cbc", "both"]),
    default="highs",
    show_default=True,
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option(
    "--gap",
    type=click.FloatRange(0, 1),
    callback=a_number,
    help="Relative gap that is good enough; by default 1e-6, for a procurement 1e-4.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, 1e6, min_open=True),
    callback=a_number,
    help="Seconds per solve; results may then differ from run to run.",
)
@click.option("--full", is_flag=True, help="Of a procurement, ask the long questions too.")
@click.option("--dry-run", is_flag=True, help="Check and say what would be done; write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def plan(
    scenario: str,
    out: str | None,
    as_json: bool,  # noqa: FBT001 - click passes options by name
    solver: str,
    seed: int,
    gap: float | None,
    time_limit: float | None,
    full: bool,  # noqa: FBT001
    dry_run: bool,  # noqa: FBT001
    quiet: bool,  # noqa: FBT001
) -> None:
    """Decide what to buy; report, figures, workbook and data go to out/SCENARIO.

    SCENARIO is a TOML file or a bundled name: rfp-center, rfp-money-bound,
    thesis-7kw, hopper-2010.
    """
    with explained():
        from pathlib import Path

        from scenarios import load

        loaded = load(scenario)
        folder = Path(out) if out else Path("out") / loaded.name
        inputs = loaded.provenance.paths
        refuse_unwritable_folder(folder, "plan", inputs)
        if dry_run:
            if as_json:
                plain = {"valid": True, "name": loaded.name, "would_write": str(folder)}
                click.echo(json_text(plain))
            elif not quiet:
                click.echo(f"{_described(loaded)}\nWould write to {folder}/")
            return
        began = time.perf_counter()
        import planner

        asked = loaded.procurement is not None
        with progress(_steps(full=full) if asked else 0, quiet=quiet) as say:
            study = planner.plan(
                loaded,
                solver=solver,
                seed=seed,
                gap=gap,
                time_limit_s=time_limit,
                full=full,
                progress=say,
            )
            import reports

            planned_s = time.perf_counter() - began
            written = reports.write(study, folder, planned_s=planned_s, inputs=inputs, progress=say)
        if as_json:
            click.echo(reports.plan_json(study), nl=False)
        elif not quiet:
            _show(study)
            click.echo(f"\nReport: {written.report}")
        if getattr(study, "diagnosis", None) is not None:
            raise click.exceptions.Exit(NO_ANSWER)


@main.command()
@click.argument("scenario")
@json_option
def check(scenario: str, as_json: bool) -> None:  # noqa: FBT001
    """Validate a scenario without running it; every fault with its file and line.

    A configuration of the scheduler maui is told from a scenario, and validated as such. What is
    valid and yet doubtful, such as a price a thousand times the others', is a warning.
    """
    from scenarios import ScenarioError

    try:
        name, described, warnings = _checked(scenario)
    except ScenarioError as error:
        if not as_json:
            raise WrongInput(str(error)) from None
        faults = [
            {"file": f.file, "line": f.line, "where": f.where, "message": f.message}
            for f in error.faults
        ]
        click.echo(json_text({"valid": False, "faults": faults}))
        raise click.exceptions.Exit(WRONG_INPUT) from None
    if as_json:
        plain = {"valid": True, "name": name, "faults": [], "warnings": warnings}
        click.echo(json_text(plain))
    else:
        click.echo(described)
        for each in warnings:
            click.echo(f"Warning: {each}")


def _checked(given: str) -> tuple[str, str, list[str]]:
    """Name and description of a scenario, or of a scheduler, and what is doubtful in it."""
    from pathlib import Path

    from scenarios import load
    from scenarios.maui_reader import is_maui, read_maui

    if is_maui(Path(given)):
        scheduler = read_maui(Path(given))
        described = f"{scheduler.name}: a configuration of the scheduler maui, which looks every "
        return scheduler.name, f"{described}{scheduler.iteration_s} s", []
    loaded = load(given)
    return loaded.name, _described(loaded), [*loaded.warnings, *_doubts(loaded, given)]


def _doubts(loaded: Scenario, given: str) -> list[str]:
    """See that what a scenario gives can make a decision."""
    from planner.errors import InputError, PlanError
    from scenarios import ScenarioError
    from scenarios.faults import Fault

    if loaded.procurement is None:
        return []
    from planner.procurement.from_scenario import problem_from

    try:
        excluded = problem_from(loaded).excluded
    except InputError as error:
        raise ScenarioError([Fault(given, 0, "", str(error))]) from None
    except PlanError as error:  # a valid question whose answer is no
        return [f"no plan: {error}"]
    found = []
    for each in excluded:
        origin = loaded.node_type(each.name).origin
        place = f"{origin}: " if origin else ""
        found.append(f"{place}{each.name} cannot be bought: {each.reason}")
    return found


@main.command()
def schema() -> None:
    """Print the JSON Schema of the scenario, for editors."""
    import scenarios

    click.echo(json_text(scenarios.schema()))


@main.command()
@click.argument("directory", type=click.Path())
def init(directory: str) -> None:
    """Write commented sample scenarios, quotes and runs into DIRECTORY."""
    from pathlib import Path

    from scenarios.sample import write_sample

    with explained():
        for path in write_sample(Path(directory)):
            click.echo(f"wrote {path}")
        click.echo(f"Then: headroom configure {Path(directory) / 'runs.csv'} --bound-w 3500")
        click.echo(f"Next: headroom plan {Path(directory) / 'procurement.toml'}")


@main.command()
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@click.option("--all", "everything", is_flag=True, help="List the long tables too.")
@json_option
def diff(first: str, second: str, everything: bool, as_json: bool) -> None:  # noqa: FBT001
    """Show two runs side by side: FIRST and SECOND are result folders or plan.json files."""
    with explained():
        from planner.difference import difference, read_plan

        changes = difference(read_plan(first), read_plan(second))
        if as_json:
            plain = {
                "first": first,
                "second": second,
                "changes": [change.to_dict() for change in changes],
            }
            click.echo(json_text(plain))
        elif not changes:
            click.echo("The two runs agree in every value.")
        else:
            _show_changes(changes, first, second, everything=everything)


def _steps(*, full: bool) -> int:
    from planner.procurement.procure import steps

    return steps(full=full) + 3  # figures, report, workbook


def _described(scenario: Scenario) -> str:
    counts = {
        "node types": len(scenario.node_types),
        "applications": len(scenario.workloads),
        "demand scenarios": len(scenario.demands),
        "printed numbers": len(scenario.printed),
    }
    parts = [f"{count} {what}" for what, count in counts.items() if count]
    return f"{scenario.name} is valid: {', '.join(parts)}."


def _show(study: DesignStudy | ProcurementStudy) -> None:
    from planner.designs.study import DesignStudy

    if isinstance(study, DesignStudy):
        _show_study(study)
    else:
        _show_procurement(study)


def _show_procurement(study: ProcurementStudy) -> None:
    from planner.procurement.amounts import money, power
    from reports.procurement.findings import remarks

    said = remarks(study) if study.plan is not None else []
    for line in (study.sentence, study.certainty, *said, *study.warnings):
        if line:
            click.echo(line)
    if study.diagnosis is not None:
        for line in study.diagnosis.sentences(study.problem):
            click.echo(line)
    currency = study.problem.prices.currency
    largest = max((each.plan.it_power_w for each in study.compared), default=0.0)
    rows: list[tuple[str, ...]] = [
        (
            compared.plan.method,
            f"{compared.plan.score:.4f}",
            money(compared.plan.bill.capital, currency),
            power(compared.plan.it_power_w, like=largest),
            _first_of(compared.wrong) or "meets all requirements",
        )
        for compared in study.compared
    ]
    rows += [(each.method, "-", "-", "-", _first_of(each.wrong)) for each in study.refused]
    if rows:
        show_table(("plan", "score", "capital", "IT power", "requirements and limits"), rows)
    if study.stopped_by_time:
        click.echo("Stopped by time: another run may differ.")


def _first_of(lines: tuple[str, ...]) -> str:
    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
    return lines[0] + more if lines else ""


def _show_study(study: DesignStudy) -> None:
    click.echo(study.sentence)
    for remark in ([study.decision.caveat] if study.decision else []) + list(study.warnings):
        if remark:
            click.echo(remark)
    if not study.overprovisioning:
        return
    headings = ("application", "worst-case", "overprovisioned", "speedup", "faster design")
    rows: list[tuple[str, ...]] = [
        (
            each.application,
            f"{each.nodes_worst_case} nodes {each.time_worst_case_s:.3f} s",
            f"{each.nodes_overprovisioned} nodes {each.time_overprovisioned_s:.3f} s",
            f"{each.speedup:.4f}",
            "overprovisioned" if each.beneficial else "worst-case",
        )
        for each in study.overprovisioning
    ]
    show_table(headings, rows)
    if study.stopped_by_time:
        click.echo("Stopped by time: another run may differ.")


def _show_changes(
    changes: tuple[Change, ...], first: str, second: str, *, everything: bool
) -> None:
    listed = [c for c in changes if everything or not _long_table(c.where)]
    rows: list[tuple[str, ...]] = [
        (
            change.where,
            _short(change.first),
            _short(change.second),
            "" if change.difference is None else f"{change.difference:+.6g}",
        )
        for change in listed
    ]
    if rows:
        show_table(("value", first, second, "change"), rows)
    if len(listed) < len(changes):
        left = Counter(_long_table(change.where) for change in changes)
        counts = ", ".join(f"{count} of {name}" for name, count in left.items() if name)
        click.echo(f"Not listed: {counts}; --all or --json lists them.")


def _long_table(where: str) -> str:
    """The long table that a value stands in; empty for what is always listed."""
    names = where.split(".")
    if names[0] in _LONG_TABLES:
        return names[0]
    return _CERTIFICATES if {"certificate", "rounds"} & set(names) else ""


def _short(value: Any) -> str:
    from scenarios.faults import printable

    text = "-" if value is None else f"{value:.8g}" if isinstance(value, float) else str(value)
    text = printable(text)
    return text if len(text) <= 48 else text[:45] + "..."
