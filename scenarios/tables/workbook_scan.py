"""What the XML parts of a workbook say that calamine would not tell, gathered by streaming."""

from __future__ import annotations

from xml.parsers import expat

from scenarios.tables.cell_references import (
    Limits,
    WorkbookError,
    column_letters,
    corner,
)
from scenarios.tables.opendocument_scan import OpenDocument
from scenarios.tables.sheet_part import Part


class Scanner:
    """Gathers a :class:`Part` while expat streams over its XML."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.part = Part()
        self._document = OpenDocument(limits)
        self._elements = 0
        self._row = self._column = -1
        self._type = self._style = self._formula = self._value = ""
        self._reading = False
        self._group = ""
        # a declared encoding is ignored: calamine takes UTF-8
        parser = self._parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Scan the next bytes.

        Raises
        ------
        WorkbookError
            Not XML, a document type, or too many elements.
        """
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            message = f"contains invalid XML ({error}); save the workbook again"
            raise WorkbookError(message) from None
        self.part.sheets_inside = self._document.sheets

    def _doctype(self, *_: object) -> None:
        raise WorkbookError(
            "contains XML with a document type, which no spreadsheet program writes; save the "
            "workbook again"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        self._elements += 1
        if self._elements > self._limits.elements:
            raise WorkbookError(
                f"contains more than {self._limits.elements} XML elements in one part"
            )
        part = self.part
        if not part.root:
            part.root = name
        if part.root == "worksheet":
            self._start_in_sheet(name, attributes)
        elif part.root == "styleSheet":
            self._start_in_styles(name, attributes)
        elif part.root == "document-content":
            bare = {key.rpartition(":")[2]: value for key, value in attributes.items()}
            self._document.start(name, bare)
        elif part.root == "workbook" and name == "sheet":
            relation = next((v for k, v in attributes.items() if k.endswith(":id")), "")
            part.sheets.append((attributes.get("name", ""), relation))
            if attributes.get("state", "visible") != "visible":
                part.hidden_sheets.add(attributes.get("name", ""))
        elif part.root == "Relationships" and name == "Relationship":
            part.targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def _start_in_sheet(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self._start_row(attributes)
        elif name == "c":
            self._start_cell(attributes)
        elif name == "f":
            self._formula = "f"
        elif name in {"v", "is"}:
            self._reading = True
            self._formula += name
        elif name == "dimension":
            self._note_far(*corner(attributes.get("ref", "A1").rpartition(":")[2]))
        elif name == "mergeCell":
            self.part.note_merged(attributes.get("ref", ""))
        elif name == "col" and _hidden(attributes):
            first, last = int(attributes.get("min", "1")), int(attributes.get("max", "1"))
            self.part.hidden_columns.update(
                range(max(0, first - 1), min(last, self._limits.columns))
            )

    def _start_in_styles(self, name: str, attributes: dict[str, str]) -> None:
        if name in {"numFmts", "cellXfs"}:
            self._group = name
        elif name == "numFmt" and self._group == "numFmts":
            self.part.formats[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif name == "xf" and self._group == "cellXfs":
            formats = self.part.cell_formats
            formats[str(len(formats))] = attributes.get("numFmtId", "")

    def _start_row(self, attributes: dict[str, str]) -> None:
        given = attributes.get("r")
        self._row = self._row + 1 if given is None else corner(f"A{given}")[0]
        self._column = -1
        self._note_far(self._row, 0)
        if _hidden(attributes) and not self.part.far:
            self.part.hidden_rows.add(self._row)

    def _start_cell(self, attributes: dict[str, str]) -> None:
        given = attributes.get("r")
        self._column += 1
        self._row = max(self._row, 0)
        if given is not None:
            self._row, self._column = corner(given)
        self._note_far(self._row, self._column)
        self._type, self._style = attributes.get("t", ""), attributes.get("s", "0")
        self._formula = self._value = ""

    def _note_far(self, row: int, column: int) -> None:
        limits = self._limits
        if not self.part.far and (row >= limits.rows or column >= limits.columns):
            self.part.far = f"{column_letters(column)}{row + 1}"

    def _text(self, text: str) -> None:
        if self._reading:
            self._value = (self._value + text)[:20]
        self._document.text(text)

    def _end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        if self.part.root == "document-content":
            self._document.end(name)
        elif name in {"v", "is"}:
            self._reading = False
        elif name == "c" and self.part.root == "worksheet":
            self._end_cell()
        elif name == self._group:
            self._group = ""

    def _end_cell(self) -> None:
        """Note a cell's error. An empty text is a formula's value: Excel stores it of ``=""``."""
        self.part.filled |= bool(self._value.strip()) or self._formula == "f"
        if self.part.far:
            return
        message = ""
        if self._type == "e":
            message = f"contains the error {self._value}; correct the formula, or enter the value"
        elif self._formula == "f" or (self._formula == "fv" and not self._value + self._type):
            message = (
                "is a formula without a stored value; open and save the workbook, or paste values"
            )
        if message:
            self.part.faults[self._row, self._column] = message
        elif self._style != "0" and self._value and self._type in {"", "n"}:
            self.part.styles[self._row, self._column] = self._style


def _hidden(attributes: dict[str, str]) -> bool:
    return attributes.get("hidden") in {"1", "true"}
