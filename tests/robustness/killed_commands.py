"""Every command that writes files, with inputs so small that a run takes seconds.

``python -m tests.robustness.killed_commands`` kills each 25 times and writes the table of
docs/evidence/robustness.md; names of commands may follow.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from scenarios.sample import write_sample
from tests.planner.made_runs import HEADER, rows
from tests.robustness.campaign import PAGE, SEED
from tests.robustness.kills import SIGNALS, Command, Series, run

KILLS = 25
HEADINGS = "| command | kills | KILL, TERM, INT | runs to the end | seed | broken |"

_REPORT = ("-q", "-o", "{out}")
COMMANDS: dict[str, Sequence[str]] = {
    "plan --full": ("plan", "small.toml", "--full", *_REPORT),
    "configure": ("configure", "few.csv", "--power-bound", "3500", *_REPORT),
    "share": ("share", "few.csv", "--power-bound", "9000", "--nodes", "40", *_REPORT),
    "simulate": (
        "simulate", "jobs.swf", "--write-schedule", "{beside}/schedule.csv.gz",
        "--write-log", "{beside}/jobs.swf", *_REPORT,
    ),
    "estimate": (
        "estimate", "jobs.swf", "--uptake", "0,100", "--error", "0,100", "--seeds", "2",
        "--predictor", "last-two", "--strategy", "extend", "--no-weights", "--keep",
        "{beside}/cases", *_REPORT,
    ),
    "size": (
        "size", "jobs.swf", "--for", "mean-wait<=1h", "--resamples", "2",
        "--write-demand", "{beside}/demand.toml", *_REPORT,
    ),
    "place": (
        "place", "m.csv", "--nodes", "2", "--time-limit", "100", "--starts", "1",
        "--write-rank-file", "{beside}/ranks.txt", *_REPORT,
    ),
    "aggregate": (
        "aggregate", "lu", "--ranks", "4", "--write-rank-file", "{beside}/ranks.txt", *_REPORT,
    ),
    "schedule": (
        "schedule", "thesis-rmap", "--policy", "traditional", "--policy", "adaptive",
        "--power-bound", "6500", "--log", "small", "--seeds", "2", *_REPORT,
    ),
    "price": ("price", "jobs.swf", "--nodes", "64", "--seeds", "2", *_REPORT),
    "colocate": ("colocate", "pairs.csv", "--group-size", "3", *_REPORT),
}  # fmt: skip

_PAIRS = """a,b,solo_a_s,solo_b_s,co_a_s,co_b_s
solver,filter,100,80,130,95
solver,render,100,120,140,150
filter,render,80,120,120,160
"""


def command(name: str, folder: Path) -> Command:
    """A command with its inputs in a folder that is made."""
    if not folder.exists():
        write_inputs(folder)
    return Command(name, COMMANDS[name], folder)


def write_inputs(folder: Path) -> None:
    """The sample of ``headroom init`` cut down, a few runs, a log and a matrix."""
    write_sample(folder)
    text = (folder / "procurement.toml").read_text(encoding="utf-8")
    text = text[: text.index("[[demands]]")]
    for first, after in (
        ('[[workloads]]\nname = "molecular', '[[workloads]]\nname = "climate'),
        ("[[requirements.shares]]", "[[quotes]]"),
    ):
        text = text[: text.index(first)] + text[text.index(after) :]
    text = text.replace("probability = 0.7", "probability = 1.0").replace(
        '    { name = "high", price_per_kwh = 0.30, probability = 0.3 },\n', ""
    )
    (folder / "small.toml").write_text(text, encoding="utf-8")
    quotes = (folder / "quotes.csv").read_text(encoding="utf-8").splitlines()
    results = [quotes[0], quotes[1], quotes[4]]  # of two vendors
    (folder / "quotes.csv").write_text("\n".join([*results, ""]), encoding="utf-8")
    lines = [HEADER, *rows("solver", repetitions=1), *rows("filter", serial=0.3, repetitions=1)]
    (folder / "few.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    matrix = [[(7 * a + 3 * b) % 11 * (a != b) for b in range(8)] for a in range(8)]
    cells = "\n".join(",".join(map(str, row)) for row in matrix)
    (folder / "m.csv").write_text(cells + "\n", encoding="utf-8")
    (folder / "jobs.swf").write_text(_log(), encoding="utf-8")
    (folder / "pairs.csv").write_text(_PAIRS, encoding="utf-8")


def _log(jobs: int = 300) -> str:
    """A log of nine users on 64 processors, made up."""
    random, submit = Random(1), 0
    lines = ["; MaxProcs: 64"]
    for number in range(1, jobs + 1):
        submit += random.randint(1, 300)
        run_s, processors = random.choice((60, 600, 3600)), random.choice((1, 2, 4, 8, 16))
        user = 1 + number % 9
        fields = (number, submit, -1, run_s, processors, -1, -1, processors, 2 * run_s, -1, 1, user)
        lines.append(" ".join(map(str, (*fields, 1, -1, 1, -1, -1, -1))))
    return "\n".join([*lines, ""])


def row(found: Series) -> str:
    """The command's line in the table of docs/evidence/robustness.md."""
    by_signal = ", ".join(str(found.kills.get(number.name, 0)) for number in SIGNALS)
    return (
        f"| {found.command} | {sum(found.kills.values())} | {by_signal} | {found.to_the_end} | "
        f"{found.seed} | {len(found.broken)} |"
    )


def stored() -> dict[str, str]:
    """The lines of the table by the commands' names, as stored."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    table = lines[lines.index(HEADINGS) + 2 :]
    return {line.split("|")[1].strip(): line for line in table if line.startswith("|")}


def write(found: Iterable[Series]) -> None:
    """Store results in the table; those of other commands stay."""
    before, after = PAGE.read_text(encoding="utf-8").split(HEADINGS + "\n", 1)
    remaining = stored()
    rule, *rest = after.split("\n")
    rest = rest[len(remaining) :]
    remaining |= {item.command: row(item) for item in found}
    lines = [HEADINGS, rule, *(remaining[name] for name in COMMANDS if name in remaining), *rest]
    PAGE.write_text(before + "\n".join(lines), encoding="utf-8")


def main(names: Sequence[str]) -> None:
    """Kill commands, show what broke, and store the results."""
    for name in names or COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            result = run(command(name, Path(folder) / "inputs"), KILLS, SEED, Path(folder))
        write([replace(result)])
        lines = [row(result), f"{result.before_the_end} ended before", *result.broken]
        sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(sys.argv[1:])
