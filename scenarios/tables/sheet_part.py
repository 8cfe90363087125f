"""What one XML part of a workbook, or one sheet of it, says about itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from scenarios.tables.cell_references import WorkbookError

MOST_MERGED = 1000


@dataclass
class Part:
    """What one XML part says about itself.

    Rows and columns are counted from 0.

    Attributes
    ----------
    sheets, targets
        Name and relation of each sheet of the workbook; part of each relation, by identifier.
    hidden_sheets
        Names of sheets that the spreadsheet program does not show.
    hidden
        Whether this is such a sheet.
    sheets_inside
        The sheets of an OpenDocument spreadsheet, which are all in one part.
    formats, cell_formats
        Number formats of the styles, by identifier, and the identifier by a cell's style.
    filled
        Whether any cell of the worksheet has a value.
    far
        The first reference beyond the limits.
    merged
        Ranges.
    faults
        By row and column: why a cell has no value to use.
    styles
        By row and column: style of a cell that holds a number, where it is not the first one.
    units
        By row and column: unit and power of ten that the form of a number shows.
    hidden_rows, hidden_columns
        What the spreadsheet program does not show.
    """

    root: str = ""
    sheets: list[tuple[str, str]] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)
    hidden_sheets: set[str] = field(default_factory=set)
    hidden: bool = False
    sheets_inside: dict[str, Part] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    cell_formats: dict[str, str] = field(default_factory=dict)
    filled: bool = False
    far: str = ""
    merged: list[str] = field(default_factory=list)
    faults: dict[tuple[int, int], str] = field(default_factory=dict)
    styles: dict[tuple[int, int], str] = field(default_factory=dict)
    units: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)

    def note_merged(self, reference: str) -> None:
        """Add a merged range.

        Raises
        ------
        WorkbookError
            There are too many.
        """
        if len(self.merged) >= MOST_MERGED:
            raise WorkbookError(f"contains more than {MOST_MERGED} merged ranges; unmerge them")
        self.merged.append(reference)
