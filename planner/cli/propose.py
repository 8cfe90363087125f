"""``headroom check --propose``: the mapping of vendors' sheets, what it reads, what to ask."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.cli.answer import Message
from planner.cli.edges import WrongInput
from planner.cli.message_table import Column, Table
from planner.cli.package_lines import money
from planner.formatting import plural

if TYPE_CHECKING:
    from scenarios.proposal.questions import Question
    from scenarios.proposal.understood import Understood, Value
    from scenarios.proposal.understood_packages import ReadLine

_SHOWN = {
    "vendor": "Vendor", "price": "Price", "idle_w": "Idle [W]", "peak_w": "Peak [W]",
    "cores": "Cores", "memory_gb": "Memory [GB]", "as_bid_quantity": "Quantity",
}  # fmt: skip
"""Fields of the table on the terminal, with their headings."""
_VALUES = ("Node type", "Vendor", "Field", "Value", "Unit", "Found at")
_LINES = {
    "package": "Package", "kind": "Kind", "name": "Name", "item": "Item", "quantity": "Quantity",
    "unit_price": "Price each", "amount": "Amount", "due": "Due", "quantity_cell": "Quantity at",
    "price_cell": "Price at",
}  # fmt: skip


def proposed(files: Sequence[str], target: str, like: str | None) -> Message:
    """Write the proposal with what belongs to it, and tell what was understood.

    Parameters
    ----------
    files
        The vendors' files.
    target
        File of the mappings.
    like
        File with an earlier layout.

    Raises
    ------
    WrongInput
        A file exists with other content or cannot be written, or is an input.
    ScenarioError
        A file cannot be understood.
    """
    from scenarios.proposal.earlier import earlier_layout
    from scenarios.proposal.proposal import propose
    from scenarios.proposal.questions import OF_PACKAGES, answered, has_answers, question_files
    from scenarios.proposal.render import render
    from scenarios.proposal.understood import understood
    from scenarios.proposal.understood_packages import understood_packages
    from scenarios.quotes.answers import LINE, NODE_TYPE
    from scenarios.writing import write_all

    path = Path(target)
    _refuse_input(path, [*files, *([like] if like else [])])
    old = earlier_layout(Path(like)) if like else None
    proposal = propose([Path(each) for each in files], path.parent, old)
    answered(proposal.mappings, path.parent)
    found = understood(proposal.mappings, path.parent, str(path))
    contents = {path: render(proposal, path.name).encode()}
    lines, asked, powers = understood_packages(proposal.offers, path.parent)
    read: dict[str, tuple[Sequence[str], Sequence[Any]]] = {
        "What was understood": (_VALUES, [_row(each) for each in found.values])
    }
    if lines:
        read["Lines of packages"] = (tuple(_LINES.values()), [_line(each) for each in lines])
    contents[path.with_name(f"{path.stem}-understood.xlsx")] = _workbook(read)
    of_types = [*found.questions, *powers]
    for questions, what, about in ((of_types, "questions", NODE_TYPE), (asked, OF_PACKAGES, LINE)):
        for name, each in question_files(questions, what).items():
            if not has_answers(path.with_name(name)):
                contents[path.with_name(name)] = _questions(each, about)
    try:
        write_all(contents)
    except OSError as error:
        raise WrongInput(f"headroom: {error.filename}: {error.strerror}") from None
    found = replace(found, questions=(*of_types, *asked))
    return _message(path, list(contents), found, lines, proposal.remarks)


def _refuse_input(path: Path, inputs: Sequence[str]) -> None:
    """Refuse to write over a file that is read."""
    for each in inputs:
        if Path(each).resolve() == path.resolve():
            message = f"headroom: {path} is read too; give --propose another name"
            raise WrongInput(message)


def _row(value: Value) -> tuple[Any, ...]:
    return (
        value.node_type,
        value.vendor,
        value.field,
        _plain(value.value),
        value.unit,
        value.place,
    )


def _plain(value: Any) -> Any:
    """A value as one cell."""
    if isinstance(value, Mapping):
        return f"{value['from_quantity']}: {100 * value['fraction']:g} %"
    if isinstance(value, list | tuple):
        return "; ".join(str(_plain(each)) for each in value)
    return int(value) if isinstance(value, float) and value == int(value) else value


def _line(line: ReadLine) -> tuple[Any, ...]:
    """A line of a package as cells; money with cents is exact in a cell of a workbook."""
    money = {key: float(getattr(line, key)) for key in ("unit_price", "amount")}
    return tuple((asdict(line) | money).values())


def _workbook(sheets: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]]) -> bytes:
    """A workbook of sheets with their headings and rows, by name."""
    from reports.sheets import Look, finish, fit, opened, write

    buffer = io.BytesIO()
    with opened(buffer, next(iter(sheets))) as book:
        look = Look(book)
        for name, (headings, rows) in sheets.items():
            sheet = book.add_worksheet(name)
            for column, heading in enumerate(headings):
                write(sheet, 0, column, heading, look.header)
                fit(sheet, column, heading, [row[column] for row in rows])
            for line, row in enumerate(rows, 1):
                for column, value in enumerate(row):
                    number = isinstance(value, int | float) and not isinstance(value, bool)
                    style = look.number("General") if number else look.text
                    write(sheet, line, column, value, style)
            finish(sheet, name, len(rows), len(headings))
    return buffer.getvalue()


def _questions(questions: Sequence[Question], about: str) -> bytes:
    from scenarios.quotes.answers import headings

    rows = [(each.node_type, each.field, each.question, each.found_at, None) for each in questions]
    return _workbook({"Questions": (headings(about), rows)})


def _message(
    path: Path,
    written: Sequence[Path],
    found: Understood,
    lines: Sequence[ReadLine],
    remarks: Sequence[str],
) -> Message:
    rows: dict[str, dict[str, Any]] = {}
    for each in found.values:
        row = rows.setdefault(f"{each.vendor}\n{each.node_type}", {"node_type": each.node_type})
        row[each.field] = _plain(each.value)
    for row in rows.values():
        row |= {key: None for key in _SHOWN if key not in row}
    columns = [Column("node_type", "Node type")]
    columns += [Column(key, heading) for key, heading in _SHOWN.items()]
    asked = [asdict(each) for each in found.questions]
    read_lines = [asdict(each) for each in lines]
    plain = {
        "valid": True, "proposed": str(path), "written": [str(each) for each in written],
        "understood": [
            asdict(each) | {"value": _plain_json(each.value)} for each in found.values
        ],
        "questions": asked, "warnings": list(remarks), "faults": [],
        **({"package_lines": read_lines} if lines else {}),
    }  # fmt: skip
    counts = [plural(len(rows), "node type"), plural(len(asked), "question")]
    if lines:
        counts.insert(1, plural(len({each.package for each in lines}), "package"))
    headline = f"{path}: {', '.join(counts)}"
    of_packages = [
        Column(key, text, money) if key in {"unit_price", "amount"} else Column(key, text)
        for key, text in _LINES.items()
        if not key.endswith("_cell")
    ]
    tables = (
        *([Table("What was understood", columns, list(rows.values()))] if rows else []),
        *([Table("Lines of packages", of_packages, read_lines)] if lines else []),
        Table(
            "Questions",
            (
                Column("node_type", "Node type, line"), Column("field", "Field"),
                Column("question", "Question"), Column("found_at", "Found at"),
            ),
            asked,
        ),
    )  # fmt: skip
    ends = ("", *(f"Wrote {each}" for each in written))
    return Message(plain, headline, tuple(remarks), tables, further=ends)


def _plain_json(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str | list) else str(value)
