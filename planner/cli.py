"""The command line: reads options, calls one function, prints. Decides nothing."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from planner.difference import Change
    from planner.procurement.study import ProcurementStudy
    from planner.study import Study
    from scenarios.models import Scenario

DONE, NO_ANSWER, WRONG_INPUT = 0, 1, 2
_LONG_TABLES = (
    "sensitivity", "designs", "break_even", "printed", "turning_points", "allocation", "plane",
    "heuristics", "programs",
)  # fmt: skip
_CERTIFICATES = "certificates"
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_CONTEXT)
@click.version_option(package_name="headroom-planner", message="headroom %(version)s")
def main() -> None:
    """Plan power-bounded clusters: what to buy, with a certificate and a report."""


def _json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")(
        function
    )


def _a_number(_context: Any, _option: Any, value: float | None) -> float | None:
    if value is not None and value != value:  # noqa: PLR0124 - nan compares as neither too small nor too large
        raise click.BadParameter("nan is no number")
    return value


@main.command()
@click.argument("scenario")
@click.option(
    "-o",
    "--out",
    type=click.Path(),
    help="Folder for the results; by default out/SCENARIO.",
)
@_json_option
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
    callback=_a_number,
    help="Relative gap that is good enough; by default 1e-6, for a procurement 1e-4.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, 1e6, min_open=True),
    callback=_a_number,
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
    with _explained():
        from pathlib import Path

        from scenarios import load

        loaded = load(scenario)
        folder = Path(out) if out else Path("out") / loaded.name
        _refuse_unwritable(folder)
        if dry_run:
            if as_json:
                plain = {"valid": True, "name": loaded.name, "would_write": str(folder)}
                click.echo(_json(plain))
            elif not quiet:
                click.echo(f"{_described(loaded)}\nWould write to {folder}/")
            return
        began = time.perf_counter()
        import planner

        asked = loaded.procurement is not None
        with _progress(_steps(full=full) if asked else 0, quiet=quiet) as say:
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
            written = reports.write(study, folder, planned_s=planned_s, progress=say)
        if as_json:
            click.echo(reports.plan_json(study), nl=False)
        elif not quiet:
            _show(study)
            click.echo(f"\nReport: {written.report}")
        if getattr(study, "diagnosis", None) is not None:
            raise click.exceptions.Exit(NO_ANSWER)


@main.command()
@click.argument("scenario")
@_json_option
def check(scenario: str, as_json: bool) -> None:  # noqa: FBT001
    """Validate a scenario without running it; every fault with its file and line.

    What is valid and yet doubtful, such as a price a thousand times the others', is a warning.
    """
    from scenarios import ScenarioError

    try:
        loaded, warnings = _checked(scenario)
    except ScenarioError as error:
        if not as_json:
            raise _WrongInput(str(error)) from None
        faults = [
            {"file": f.file, "line": f.line, "where": f.where, "message": f.message}
            for f in error.faults
        ]
        click.echo(_json({"valid": False, "faults": faults}))
        raise click.exceptions.Exit(WRONG_INPUT) from None
    if as_json:
        plain = {"valid": True, "name": loaded.name, "faults": [], "warnings": warnings}
        click.echo(_json(plain))
    else:
        click.echo(_described(loaded))
        for each in warnings:
            click.echo(f"Warning: {each}")


def _checked(scenario: str) -> tuple[Scenario, list[str]]:
    """Load a scenario, see that what it gives can make a decision, and say what is doubtful."""
    from planner.errors import InputError, PlanError
    from scenarios import ScenarioError, load
    from scenarios.faults import Fault

    loaded = load(scenario)
    warnings = [*loaded.warnings]
    if loaded.procurement is not None:
        from planner.procurement.from_scenario import problem_from

        try:
            excluded = problem_from(loaded).excluded
        except InputError as error:
            raise ScenarioError([Fault(scenario, 0, "", str(error))]) from None
        except PlanError as error:  # a valid question whose answer is no
            return loaded, [*warnings, f"no plan: {error}"]
        for each in excluded:
            origin = loaded.node_type(each.name).origin
            place = f"{origin}: " if origin else ""
            warnings.append(f"{place}{each.name} cannot be bought: {each.reason}")
    return loaded, warnings


@main.command()
def schema() -> None:
    """Print the JSON Schema of the scenario, for editors."""
    import scenarios

    click.echo(_json(scenarios.schema()))


@main.command()
@click.argument("directory", type=click.Path())
def init(directory: str) -> None:
    """Write commented sample scenarios and quotes into DIRECTORY."""
    from pathlib import Path

    from scenarios.sample import write_sample

    with _explained():
        for path in write_sample(Path(directory)):
            click.echo(f"wrote {path}")
        click.echo(f"Next: headroom plan {Path(directory) / 'procurement.toml'}")


@main.command()
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@click.option("--all", "everything", is_flag=True, help="List the long tables too.")
@_json_option
def diff(first: str, second: str, everything: bool, as_json: bool) -> None:  # noqa: FBT001
    """Show two runs side by side: FIRST and SECOND are result folders or plan.json files."""
    with _explained():
        from planner.difference import difference, read_plan

        changes = difference(read_plan(first), read_plan(second))
        if as_json:
            plain = {
                "first": first,
                "second": second,
                "changes": [change.to_dict() for change in changes],
            }
            click.echo(_json(plain))
        elif not changes:
            click.echo("The two runs agree in every value.")
        else:
            _show_changes(changes, first, second, everything=everything)


def _json(plain: dict[str, Any]) -> str:
    import json

    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)


class _Failure(click.ClickException):
    """An expected failure: its message, without click's "Error:" before many lines."""

    exit_code = NO_ANSWER

    def show(self, file: Any = None) -> None:
        """Print the message to stderr."""
        click.echo(self.message, file=file or sys.stderr)


class _WrongInput(_Failure):
    exit_code = WRONG_INPUT


@contextmanager
def _explained() -> Iterator[None]:
    """Turn every expected failure into a message and an exit status."""
    from planner.errors import InputError, PlanError
    from scenarios.faults import ScenarioError

    try:
        yield
    except ScenarioError as error:
        raise _WrongInput(str(error)) from None
    except InputError as error:
        raise _WrongInput(str(error)) from None
    except PlanError as error:
        raise _Failure(f"no plan: {error}") from None
    except RuntimeError as error:
        from reports.typeset import TypesetError
        from reports.workbook import WorkbookError
        from solvers.client import SolverError

        if not isinstance(error, TypesetError | WorkbookError | SolverError):
            raise
        raise _Failure(f"failed: {error}") from None


def _refuse_unwritable(folder: Path) -> None:
    """Ask before solving whether the results can be kept."""
    from reports.place import refuse_unwritable

    try:
        refuse_unwritable(folder)
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}"
        raise _WrongInput(f"headroom: {reason}; give another folder with -o") from None


def _steps(*, full: bool) -> int:
    from planner.procurement.procure import steps

    return steps(full=full) + 3  # figures, report, workbook


@contextmanager
def _progress(steps: int, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Name the part at work on stderr, where a person is watching: a bar where there are many."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
    elif not steps:
        yield lambda part: click.echo(f"{part} ...", err=True)
    else:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        shown = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        with Progress(*shown, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("planning", total=steps)

            def say(part: str) -> None:
                bar.update(task, description=part, advance=1)

            yield say


def _described(scenario: Scenario) -> str:
    counts = {
        "node types": len(scenario.node_types),
        "applications": len(scenario.workloads),
        "demand scenarios": len(scenario.demands),
        "printed numbers": len(scenario.printed),
    }
    parts = [f"{count} {what}" for what, count in counts.items() if count]
    return f"{scenario.name} is valid: {', '.join(parts)}."


def _show(study: Study | ProcurementStudy) -> None:
    from planner.study import Study

    if isinstance(study, Study):
        _show_study(study)
    else:
        _show_procurement(study)


def _show_procurement(study: ProcurementStudy) -> None:
    from planner.procurement.amounts import money, power

    for line in (study.sentence, study.certainty, *study.warnings):
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
            _first_of(compared.wrong) or "keeps everything",
        )
        for compared in study.compared
    ]
    rows += [(each.method, "-", "-", "-", _first_of(each.wrong)) for each in study.refused]
    if rows:
        _show_table(("plan", "score", "capital", "IT power", "mandates and limits"), rows)
    if study.stopped_by_time:
        click.echo("Stopped by time: another run may differ.")


def _first_of(lines: tuple[str, ...]) -> str:
    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
    return lines[0] + more if lines else ""


def _show_study(study: Study) -> None:
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
    _show_table(headings, rows)
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
        _show_table(("value", first, second, "change"), rows)
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


def _show_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    long = any(len(row[0]) > 40 for row in rows)
    table = Table(box=box.SIMPLE_HEAD)
    for heading in headings:
        table.add_column(Text(heading), overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(width=None if sys.stdout.isatty() else 150 if long else 110).print(table)
