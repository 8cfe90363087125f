"""What of a report fits its few sheets: heights are estimated, and long parts stay in the workbook.

Every number that is left out is in ``configure.xlsx``, and every figure is a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from reports.blocks import Block, Page, text
from reports.style import Picture

MOST_SHEETS = 5
"""Sheets of the document, the first page among them."""
_SHEET = 9.9
"""Inches of type on a sheet."""
_FILLED = 1.0
"""Share of a sheet that is filled: estimates are generous, and undivided figures leave gaps."""
_CONTENTS, _LONG = 1.3, 8
"""Inches of the list of sections, and from how many sections on there is one."""
_WIDTH = 6.54
_LETTERS = 104
"""Letters on a line of text."""
_LINE = 0.2
_SMALL_LETTER, _SMALL_LINE = 0.062, 0.14
_LETTER, _ROW = 0.07, 0.1
_BETWEEN = 0.3
_LEFT_OUT = "All tables are in configure.xlsx, all figures in the folder figures."

Heights = Mapping[str, float]
"""Inches of each figure by its file."""


def heights_of(pictures: Sequence[Picture]) -> Heights:
    """Inches of every figure in the document."""
    inches = {}
    for picture in pictures:
        width, height = picture.figure.get_size_inches()
        inches[f"{picture.name}.svg"] = float(height) * _WIDTH / float(width)
    return inches


def fitted(
    pages: Mapping[str, Page],
    most: Mapping[str, float],
    heights: Heights,
    taken: float = 0.0,
) -> list[tuple[str, Page]]:
    """Select what fits behind the first page.

    Parameters
    ----------
    pages
        In the order of the document, by their keys.
    most
        Inches of the pages that come first, the most important ahead; the others follow whole,
        where there is room for them.
    heights
        Inches of every figure but that of the first page, which the pages only name.
    taken
        Inches of the first page's figure, which moves to the second sheet if the first is full.
    """
    room = (MOST_SHEETS - 1) * _SHEET * _FILLED - taken - 0.4
    selected = _selected(pages, most, heights, room)
    if len(selected) >= _LONG:
        selected = _selected(pages, most, heights, room - _CONTENTS)
    if [page for _, page in selected] != list(pages.values()):
        key, page = selected[0]
        selected[0] = key, replace(page, blocks=(*page.blocks, text(_LEFT_OUT)))
    return selected


def _selected(
    pages: Mapping[str, Page], most: Mapping[str, float], heights: Heights, room: float
) -> list[tuple[str, Page]]:
    """Return the pages that fit, shortened where they have a limit."""
    chosen: dict[str, Page] = {}
    for key in (*most, *(key for key in pages if key not in most)):
        page = pages.get(key)
        if page is None:
            continue
        kept = shortened(page, min(most[key], room), heights) if key in most else page
        if page.blocks and not kept.blocks and not page.answer:  # nothing of it fits
            continue
        if (inches := height(kept, heights)) <= room:
            chosen[key] = kept
            room -= inches
    return [(key, chosen[key]) for key in pages if key in chosen]


def shortened(page: Page, most: float, heights: Heights) -> Page:
    """Return a page without those of its parts that do not fit."""
    room = most - height(replace(page, blocks=()), heights)
    kept: list[Block] = []
    full = False  # the first figure or table that does not fit ends them: the others matter less
    for block in page.blocks:
        inches, large = block_height(block, heights), block["kind"] in ("picture", "table")
        if inches > room or (large and full):
            full |= large
            continue
        kept.append(block)
        room -= inches
    blocks = [
        block
        for block, following in zip(kept, [*kept[1:], None], strict=False)
        if block["kind"] != "subheading"
        or (following is not None and following["kind"] != "subheading")
    ]
    return replace(page, blocks=tuple(blocks))


def height(page: Page, heights: Heights) -> float:
    """Inches of a page."""
    answer = 0.4 + _lines(page.answer, _LETTERS - 10) * _LINE if page.answer else 0.0
    return 0.55 + answer + sum(block_height(block, heights) for block in page.blocks)


def block_height(block: Block, heights: Heights) -> float:
    """Inches of one part of a page."""
    match block["kind"]:
        case "text":
            return _BETWEEN / 2 + _lines(block["words"], _LETTERS) * _LINE
        case "bullets":
            return _BETWEEN / 2 + sum(
                0.05 + _lines(line, _LETTERS - 4) * _LINE for line in block["lines"]
            )
        case "picture":
            if block["file"] not in heights:  # the first page shows it
                return _BETWEEN / 2 + _LINE
            words = f"{block['title']} {block['source']}"
            return _BETWEEN + heights[block["file"]] + _lines(words, 115) * 0.17
        case "table":
            return _BETWEEN + 0.25 + _rows_height(block)
        case "formulas":
            return 1.3
        case _:
            return _BETWEEN + 0.15


def _rows_height(block: Block) -> float:
    spec, small = block["table"], block["small"]
    letter = _SMALL_LETTER if small else _LETTER
    line = _SMALL_LINE if small else _SMALL_LINE * 1.15
    total = sum(spec["widths"]) or 1.0
    letters = [max(4, int(_WIDTH * width / total / letter) - 2) for width in spec["widths"]]
    headings = [column["name"] for column in spec["columns"]]
    return sum(
        _ROW
        + line
        * max(
            sum(_lines(part, most) for part in str(cell).split("\n"))
            for cell, most in zip(cells, letters, strict=True)
        )
        for cells in (headings, *spec["rows"])
    )


def _lines(words: str, letters: int) -> int:
    return max(1, ceil(len(words) / letters))
