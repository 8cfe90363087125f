"""The options ``--vary``, ``--shard`` and ``--write-array``: a command at many values of keys."""

from __future__ import annotations

import inspect
import shlex
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from planner.cli.answer import tell
from planner.cli.edges import counted_progress, table_of
from planner.cli.files import refuse_target
from planner.cli.options import OutputOptions
from planner.cli.typed import WrittenPath, first_given, option, parameters_with_values
from planner.cli.values import spelled
from planner.plain_numbers import plain_decimal, plain_float, plain_whole
from planner.terminal import shown

if TYPE_CHECKING:
    from planner.answer import Answer
    from planner.sweeps.cases import Cases
    from planner.sweeps.folder import SweepFolder
    from planner.sweeps.question import Question
    from scenarios.model.scenario import Scenario

_OF_PARTS = ("shard", "write_array", "force")
_USUAL_PARTS = 100
_OPENING = "#!/bin/bash\n"
_SCRIPT = """#SBATCH --job-name={name}
#SBATCH --array=1-{parts}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={workers}
# Run it again if parts failed: it skips what is finished. Some parts alone: sbatch --array=5,7
exec {command} --shard "$SLURM_ARRAY_TASK_ID/{parts}"
"""


vary_option = partial(option, multiple=True, recorded=False, metavar="KEY=VALUES")


@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """Options of a sweep over values of a scenario."""

    vary: tuple[str, ...] = vary_option(
        help="Answer a sweep: KEY=START:STOP:COUNT, with both ends, or KEY=V1,V2,... of a key as "
        "power.bound_w. Repeatable: every combination.",
    )
    shard: str | None = option(
        recorded=False,
        metavar="I/N",
        help="Answer part I of N of the sweep; parts share the folder.",
    )
    write_array: str | None = option(
        type=WrittenPath(),
        metavar="FILE",
        help="Write a Slurm script that answers the sweep as a job array; answer nothing.",
    )


@dataclass(frozen=True)
class Reader:
    """What reads the values of a key.

    Attributes
    ----------
    number
        Reads an end of a range; raises ``ValueError`` or ``click.BadParameter``.
    value
        Reads a value of a list; raises ``click.BadParameter``.
    example
        A range as it may be written.
    whole
        Whether all are whole numbers.
    """

    number: Callable[[str], Decimal]
    value: Callable[[str], Any]
    example: str
    whole: bool = False


class SweepingOptions(Protocol):
    """Options of a command that can answer a sweep."""

    @property
    def sweep(self) -> SweepOptions:
        """The sweep."""

    @property
    def workers(self) -> int:
        """Number of processes."""

    @property
    def output(self) -> OutputOptions:
        """Where the answer goes."""


def refuse_sweep_options(given: Collection[str]) -> None:
    """Refuse options of a sweep where there is none.

    Raises
    ------
    click.UsageError
        One is given.
    """
    name = first_given(("--shard", "--write-array", "--workers"), given)
    if name:
        raise click.UsageError(f"{name} is for sweeps; add --vary, or leave it out")


def swept(
    name: str,
    options: SweepingOptions,
    scenario: Scenario,
    answer: Callable[..., Answer],
    how: Mapping[str, Any],
) -> None:
    """Answer a sweep, or write the script for it, and print a summary.

    Parameters
    ----------
    name
        The command.
    answer
        Function for one scenario.
    how
        Its arguments, of which the defaults are left out: Python finds the same folder.
    """
    from planner.sweeps.cases import cases_of
    from planner.sweeps.sweep import question_of

    usual = inspect.signature(answer).parameters
    given = {key: value for key, value in how.items() if value not in (usual[key].default, ())}
    question = question_of(scenario, answer, given)
    cases = cases_of(varied(options.sweep.vary))
    run_sweep(name, options, question, cases, map(Path, scenario.provenance.paths))


def run_sweep(
    name: str,
    options: SweepingOptions,
    question: Question,
    cases: Cases,
    inputs: Iterable[Path],
) -> None:
    """Answer the cases of a question, or write the script for it, and print a summary.

    Parameters
    ----------
    inputs
        Files that must stay.
    """
    from planner.sweeps.sweep import answered, folder_of

    out = options.output.out or str(Path("out") / f"{question.name}-sweep")
    target = options.sweep.write_array
    if options.output.force and target is None:
        raise click.UsageError("--force has no effect on a sweep, which replaces no file")
    if target is not None:
        from planner.formulations.model_files import write_texts

        if options.sweep.shard is not None:
            raise click.UsageError("--write-array writes a script for all parts; leave --shard out")
        refuse_target("--write-array", target, inputs, out, _OPENING.encode())
        question.refuse_without_answer(cases)
        parts = min(cases.shards, _USUAL_PARTS)
        write_texts({Path(target): array_script(name, options, out, parts)}, "give another file")
        start = shlex.join(("sbatch", target))
        line = f"Wrote {target}: {parts:,} parts of {cases.count:,} cases; {start}"
        tell(options.output, lambda: {"written": target, "parts": parts}, lambda: [line])
        return
    part = part_of(options.sweep.shard, cases.shards)
    folder = folder_of(question, cases, Path(out))
    with counted_progress("cases", quiet=options.output.quiet) as say:
        deque(answered(question, cases, folder, part, workers=options.workers, progress=say), 0)
    plain = _summary(folder)
    tell(options.output, lambda: plain, lambda: _lines(plain))


def varied(
    texts: Collection[str], kinds: Mapping[str, Reader] | None = None
) -> dict[str, list[Any]]:
    """Read ``KEY=START:STOP:COUNT`` or ``KEY=V1,V2,...`` as values by key.

    A value is a number, ``true``, ``false`` or a text.

    Parameters
    ----------
    kinds
        What reads a value of each key, where the keys are options; by default keys are key paths.

    Raises
    ------
    click.BadParameter
        A text is malformed, or a key is given twice.

    Examples
    --------
    >>> varied(["power.bound_w=5e3:6e3:3", "title=a,b"])
    {'power.bound_w': [5000, 5500, 6000], 'title': ['a', 'b']}
    >>> varied(["machine.utilisation=0:0.3:4"])
    {'machine.utilisation': [0, 0.1, 0.2, 0.3]}
    """
    lists: dict[str, list[Any]] = {}
    for text in texts:
        key, _, values = (part.strip() for part in text.rpartition("="))
        if not key or not values:
            raise _wrong(text, "is not KEY=START:STOP:COUNT or KEY=V1,V2,...")
        if key in lists:
            raise _wrong(text, f"{key} is given twice; keep one")
        read = _of_scenario if kinds is None else _kind_of(text, key, kinds)
        try:
            lists[key] = (
                _range(text, values, read) if ":" in values else _listed(text, values, read)
            )
        except click.BadParameter as error:
            raise error if error.param_hint else _wrong(text, error.message) from None
    return lists


def _kind_of(text: str, key: str, kinds: Mapping[str, Reader]) -> Reader:
    from scenarios.formatting import nearest

    if key not in kinds:
        raise _wrong(text, f"{key} is not an option with a number; {nearest(key, list(kinds))}")
    return kinds[key]


def part_of(text: str | None, shards: int) -> tuple[int, int]:
    """Read ``I/N``, the number of a part and of all.

    Raises
    ------
    click.BadParameter
        It is malformed or out of range.
    """
    if text is None:
        return 1, 1
    try:
        number, parts = map(plain_whole, text.split("/"))
    except ValueError:
        message = f"{text!r} is not I/N, as in 2/8"
        raise click.BadParameter(message, param_hint="--shard") from None
    if not 1 <= number <= parts <= shards:
        message = f"{text}: I must be from 1 to N, and N at most {shards:,}, the number of shards"
        raise click.BadParameter(message, param_hint="--shard")
    return number, parts


def array_script(name: str, options: SweepingOptions, out: str, parts: int) -> str:
    """Return a Slurm script that answers a sweep, a part in each task of its array.

    The script has the number of parts, so that some of the tasks can be started again alone.
    """
    words = ["headroom", name]
    for parameter, value, _ in parameters_with_values(options):
        if isinstance(parameter, click.Argument):
            words.append(value)
        elif parameter.name == "out":
            words += ["-o", out]
        elif parameter.name not in _OF_PARTS and value not in (None, (), parameter.default):
            words += spelled(parameter, value, whole_paths=True)
    command = shlex.join(words)
    return _OPENING + _SCRIPT.format(
        name=f"headroom-{name}", parts=parts, workers=options.workers, command=command
    )


def _range(text: str, values: str, read: Reader) -> list[Any]:
    """Numbers from START to STOP, rounded once each."""
    from planner.sweeps.cases import MOST_CASES

    try:
        start, stop, count = values.split(":")
        first, last = (Fraction(read.number(end)) for end in (start, stop))
        many, _ = plain_whole(count), (float(first), float(last))
    except (ValueError, OverflowError):
        raise _wrong(text, f"is not KEY=START:STOP:COUNT, as in {read.example}") from None
    if not 1 <= many <= MOST_CASES:
        raise _wrong(text, f"COUNT = {many:,}; give 1 to {MOST_CASES:,} values")
    if (many == 1) != (first == last):
        met = "START and STOP are equal" if first == last else "START and STOP differ"
        raise _wrong(text, f"{met}, and COUNT = {many:,}; a single value is KEY=VALUE")
    step = (last - first) / max(many - 1, 1)
    if read.whole and step.denominator != 1:
        raise _wrong(text, f"{float(first + step):g} would be a value; it takes whole numbers only")
    exact = (first + step * place for place in range(many))
    return [int(value) if value.denominator == 1 else float(value) for value in exact]


def _listed(text: str, values: str, read: Reader) -> list[Any]:
    pieces = [piece.strip() for piece in values.split(",")]
    if "" in pieces:
        raise _wrong(text, "has an empty value; give a value between commas")
    return [read.value(piece) for piece in pieces]


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for read in (plain_whole, plain_float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


_of_scenario = Reader(plain_decimal, _value, "power.bound_w=5000:9000:5")


def _wrong(text: str, message: str) -> click.BadParameter:
    return click.BadParameter(f"{text!r}: {message}", param_hint="--vary")


def _summary(folder: SweepFolder) -> dict[str, Any]:
    """The summary where all shards are finished, else how many are missing."""
    plain: dict[str, Any] = {"folder": str(folder.path), "shards": folder.cases.shards}
    missing = folder.missing()
    if missing:
        return plain | {"cases": folder.cases.count, "missing": missing}
    shards = folder.finished(range(folder.cases.shards))
    return plain | folder.summarise(columns for _, columns in shards)


def _lines(plain: Mapping[str, Any]) -> Iterator[str]:
    if "missing" in plain:
        yield f"Shards without results yet: {plain['missing']:,} of {plain['shards']:,}"
    else:
        yield f"Cases: {plain['cases']:,}; without a result: {plain['errors']:,}"
        if plain["errors"]:
            yield f"First error: {shown(plain['first_error'].partition(chr(10))[0])}"
        ranges = [
            (name, f"{limits['least']:.6g}", f"{limits['largest']:.6g}")
            for name, limits in plain["columns"].items()
            if limits
        ]
        yield table_of(("value", "least", "largest"), ranges)
    yield f"Files: {plain['folder']}"
