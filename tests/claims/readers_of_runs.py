"""What is remarked on measured runs and on a folder of aggregation, by hand: docs/measurements.md.

Cases are tables, sheets and messages with each remark that is due; most kinds have one that is
just not due.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import xlsxwriter

from scenarios.aggregation import read_measurements as read_folder
from scenarios.aggregation import write_measurements
from scenarios.measurements.reader import read_measurements
from scenarios.remark import Remark, remark
from tests.scenarios.aggregation.folders import synthetic

Stated = Mapping[str, Mapping[str, Any]]
"""Values by kind, without units."""
_FULL = (
    "application,nodes,cores_per_node,package_cap_w,repetition,time_s,package_power_w,"
    "dram_power_w\n"
)
_HEADINGS = _FULL.strip().split(",")


@dataclass(frozen=True)
class Text:
    """A table of runs as CSV."""

    text: str
    stated: Stated = field(default_factory=dict)

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        (folder / "some.csv").write_text(self.text)
        return read_measurements(folder / "some.csv").remarks


@dataclass(frozen=True)
class Sheet:
    """A sheet of runs, some rows and columns of which are hidden (counted from 0)."""

    rows: Sequence[Sequence[Any]]
    stated: Stated = field(default_factory=dict)
    hidden_rows: Sequence[int] = ()
    hidden_columns: Sequence[int] = ()
    name: str = "Runs"

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        stream = io.BytesIO()
        book = xlsxwriter.Workbook(stream, {"in_memory": True})
        sheet = book.add_worksheet(self.name)
        for line, row in enumerate(self.rows):
            sheet.write_row(line, 0, row)
        for line in self.hidden_rows:
            sheet.set_row(line, None, None, {"hidden": True})
        for column in self.hidden_columns:
            sheet.set_column(column, column, None, None, {"hidden": True})
        book.close()
        (folder / "some.xlsx").write_bytes(stream.getvalue())
        return read_measurements(folder / "some.xlsx").remarks


@dataclass(frozen=True)
class Messages:
    """Lines below ``traffic.csv`` of a folder, the last line of which has the number ``last``."""

    lines: str
    stated: Callable[[int], Stated] = lambda _: {}

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        write_measurements(synthetic(), folder / "some")
        with (folder / "some" / "traffic.csv").open("a") as stream:
            stream.write(self.lines)
        return read_folder(folder / "some").remarks


Case = Text | Sheet


def _run(name: str = "A", nodes: int = 8, cores: int = 16, rep: int = 1, power: float = 800) -> str:
    """A run at 65 W; 8 nodes draw 40 W at least, 4,160 W at most."""
    return f"{name},{nodes},{cores},65,{rep},5,{power:g},9\n"


def _rows(count: int, *first: str) -> dict[str, Any]:
    return {"rows": count, "first": first}


def cases() -> Iterator[Case]:
    """Tables and sheets."""
    yield Text(_FULL + _run())
    yield from _columns()
    yield from _skipped()
    yield from _power()
    yield from _sums()
    yield from _sheets()


def _columns() -> Iterator[Text]:
    bare, one = "nodes,cores,cap,time_s,tot_pkg", {"runs-one-application": {"application": "some"}}
    packages: Stated = {"runs-packages-only": {}}
    yield Text(f"{bare}\n8,16,65,5,800\n", {**one, **packages})
    yield Text(f"app,{bare}\nA,8,16,65,5,800\n", packages)
    yield Text(f"app,{bare},dram\n,8,16,65,5,800,\n", {**one, **packages})
    yield Text(f"app,{bare},dram\nA,8,16,65,5,800,0\n")
    unread = {"field": "time_s", "column": "time_s", "ignored": ("runtime", "Elapsed [h]")}
    yield Text(
        f"app,{bare},dram,runtime,Elapsed [h]\nA,8,16,65,5,800,0,9,9\n", {"table-unread": unread}
    )
    power = {"field": "package_power_w", "column": "package_power_w", "ignored": ("tot_pkg",)}
    yield Text(f"app,{bare},dram,package_power_w\nA,8,16,65,5,1,0,800\n", {"table-unread": power})
    yield Text(f"app,{bare},dram,energy,tot\nA,8,16,65,5,800,0,9,9\n")
    for unit, much in (("J", "4000"), ("kJ", "4"), ("Wh", "1.5")):
        heading = f"energy [{unit}]"
        yield Text(
            f"app,nodes,cores,cap,time_s,{heading},dram\nA,8,16,65,5,{much},0\n",
            {"runs-energy": {"columns": (heading,)}},
        )
    both = "pkg_energy_j,dram_energy_j"
    yield Text(f"app,nodes,cores,cap,time_s,{both}\nA,8,16,65,5,4000,100\n",
               {"runs-energy": {"columns": ("pkg_energy_j", "dram_energy_j")}})  # fmt: skip


def _skipped() -> Iterator[Text]:
    again: Stated = {"runs-headings-again": _rows(2, "line 3", "line 5")}
    yield Text(_FULL + _run() + _FULL + _run("B") + _FULL, again)
    first = tuple(f"line {n}" for n in range(3, 11))
    yield Text(_FULL + _run() + 9 * _FULL, {"runs-headings-again": _rows(9, *first)})
    like = "#" + _run("1")
    yield Text(f"# by hand\n{_FULL}{_run()}{like}{like}", {
        "runs-commented": _rows(2, "line 4", "line 5"),
    })  # fmt: skip
    yield Text(f"{_FULL}{_run()}  {like.strip()},\n", {"runs-commented": _rows(1, "line 3")})
    yield Text(_FULL + _run() + like.rpartition(",")[0] + "\n")  # a cell less
    yield Text(f"{_FULL}{_run()}{like.strip()},,\n")  # two more
    yield Text(like + _FULL + _run())
    yield Text(_FULL + _run() + like.replace("#1", '"#1"'))
    yield Text(f"{_FULL}{_run()}# 8 nodes, 16 cores\n")


def _power() -> Iterator[Text]:
    edges = _run(power=40) + _run(rep=2, power=4160)
    yield Text(_FULL + edges)
    low = {**_rows(1, "line 4"), "power": 39.9, "nodes": 8, "plausible": (40.0, 4160.0)}
    yield Text(_FULL + edges + _run(rep=3, power=39.9), {"runs-power": low})
    high = {**low, "power": 4160.5}
    yield Text(_FULL + edges + _run(rep=3, power=4160.5), {"runs-power": high})
    both = _run(nodes=2, power=9.5) + _run(rep=4) + "B" + _run(power=4161)[1:]
    plausible = {"power": 9.5, "nodes": 2, "plausible": (10.0, 1040.0)}
    yield Text(_FULL + both, {"runs-power": {**_rows(2, "line 2", "line 4"), **plausible}})
    many = "".join(_run(rep=n, power=39) for n in range(1, 10))
    first = tuple(f"line {n}" for n in range(2, 10))
    yield Text(_FULL + many, {"runs-power": {**low, **_rows(9, *first), "power": 39.0}})


def _sums() -> Iterator[Text]:
    flat = {"nodes": 8, "power": 800.0, "more_nodes": 16, "more_power": 790.0}
    one, other = (_run(name) + _run(name, 16, power=790) for name in "AB")
    yield Text(_FULL + one, {"runs-power-flat": {"applications": ("A",), **flat}})
    yield Text(_FULL + one + other, {"runs-power-flat": {"applications": ("A", "B"), **flat}})
    yield Text(_FULL + _run(nodes=16, power=790) + _run(), {
        "runs-power-flat": {"applications": ("A",), **flat},
    })  # fmt: skip
    yield Text(_FULL + _run() + _run(nodes=16, power=1132))  # as the root of the nodes
    yield Text(_FULL + _run() + _run(nodes=11))  # too near
    yield Text(_FULL + _run() + _run(nodes=16, cores=8))  # not comparable
    grown = [(n, 16 * n) for n in (1, 2, 4)]
    totals = "".join(_run(nodes=n, cores=c, power=100 * n) for n, c in grown)
    yield Text(_FULL + totals, {"runs-total-cores": {}})
    yield Text(_FULL + totals + _run(nodes=4, cores=63, power=400))
    yield Text(_FULL + "".join(totals.splitlines(keepends=True)[:2]))
    lone = "".join(_run(f"job{n}") for n in range(6))
    yield Text(_FULL + lone, {"runs-lone": {"runs": 6}})
    yield Text(_FULL + lone.removesuffix(_run("job5")))
    yield Text(_FULL + lone + _run("job5", rep=2))


def _sheets() -> Iterator[Sheet]:
    rows: list[list[Any]] = [["A", 8, 16, 65, n, 5, 800 + n, 9] for n in range(1, 5)]
    table = [_HEADINGS, *rows]
    yield Sheet(table)
    hidden: Stated = {"runs-hidden-rows": _rows(2, "Runs!3", "Runs!4")}
    yield Sheet(table, hidden, hidden_rows=(2, 3))
    mine: Stated = {"runs-hidden-rows": _rows(1, "'My runs'!2")}
    yield Sheet(table, mine, hidden_rows=(1,), name="My runs")
    yield Sheet([*table, ["# note"], [""]], hidden_rows=(0, 5, 6))  # no runs
    columns: Stated = {"runs-hidden-columns": {"columns": ("B", "H")}}
    yield Sheet(table, columns, hidden_columns=(7, 1))
    noted = [[*row, note] for row, note in zip(table, ["note", *"abcd"], strict=True)]
    yield Sheet(noted, hidden_columns=(8,))  # not read
    like = ["#1", 8, 16, 65, 1, 5, 800]
    yield Sheet([like, *table, like, like[:-1]], {"runs-commented": _rows(1, "Runs!7")})
    yield Sheet([*table, _HEADINGS], {"runs-headings-again": _rows(1, "Runs!6")})


def folders() -> Iterator[Messages]:
    """Folders of aggregation; line ``n`` is the first below the messages of the folder."""
    yield Messages("")
    yield Messages("3,4,100,1\n")
    yield Messages("3,4,100,1\n3,3,100,1\n4,4,9,2\n", lambda n: {
        "tasks-to-itself": {"rows": 2, "line": n + 1},
    })  # fmt: skip


KINDS = frozenset({
    "table-unread", "runs-headings-again", "runs-commented", "runs-hidden-rows",
    "runs-hidden-columns", "runs-one-application", "runs-packages-only", "runs-power",
    "runs-energy", "runs-power-flat", "runs-total-cores", "runs-lone", "tasks-to-itself",
})  # fmt: skip
"""Every kind of these readers."""


def stated(remarks: Sequence[Remark]) -> Stated:
    """Values by kind, without units."""
    found = {
        each.kind: {name: value for name, (value, _) in each.values.items()} for each in remarks
    }
    assert len(found) == len(remarks), "a kind is remarked twice"
    return found


def _of_reader(kind: str) -> Callable[..., bool]:
    def claim(case: Any, **values: Any) -> bool:
        return any(
            each.kind == kind and {name: value for name, (value, _) in each.values.items()} == {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in values.items()
            }
            for each in case.remarks
        )  # fmt: skip

    return claim


FINDINGS: dict[str, Callable[..., bool]] = {kind: _of_reader(kind) for kind in KINDS}
"""Whether a study passes on what was remarked on its measurements."""

DUE: dict[str, Callable[..., bool]] = {
    kind: lambda case, kind=kind: any(each.kind == kind for each in case.remarks) for kind in KINDS
}
"""When a study has to."""

REMARKS = (
    remark("runs-packages-only"),
    remark("runs-lone", runs=(6, "run")),
    remark("table-unread", field=("time_s", "id"), column=("time", "text"),
           ignored=(("run", "clock"), "text")),
)  # fmt: skip
"""What may have been remarked on made-up measurements."""
