"""The cells of a column in a block, and the texts in them of a form that is read at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenarios.job_logs.job_log import Integers, Mask

_DIGITS = 18
_DATE, _CLOCK = "YYYY-MM-DDThh:mm:ss", "hh:mm:ss"
_MONTH_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
_YEARS = 1971, 2200


@dataclass
class Cells:
    """The cells of a column in a block.

    Attributes
    ----------
    data
        The block.
    codes
        The code of each line.
    begins, ends
        Where the text of each code is in the block.
    """

    data: bytes
    codes: NDArray[np.int32]
    begins: Integers
    ends: Integers

    @cached_property
    def texts(self) -> list[str]:
        """The text of each code."""
        return self.some(np.arange(len(self.begins)))

    def some(self, codes: NDArray[Any]) -> list[str]:
        """The texts of some codes."""
        places = zip(self.begins[codes].tolist(), self.ends[codes].tolist(), strict=True)
        return [self.data[begin:end].decode("utf-8", "backslashreplace") for begin, end in places]

    @cached_property
    def whole(self) -> tuple[Integers, Mask]:
        """The whole number that each text is, and whether it is one of at most 18 digits."""
        widths = self.ends - self.begins
        fine: Mask = (widths > 0) & (widths <= _DIGITS)
        value = np.zeros(len(widths), np.int64)
        data = np.frombuffer(self.data, np.uint8)
        for place in range(int(widths[fine].max(initial=0))):
            within = fine & (place < widths)
            digit = data[np.where(within, self.begins + place, 0)].astype(np.int64) - ord("0")
            fine &= ~within | ((digit >= 0) & (digit <= 9))
            value = np.where(within, value * 10 + digit, value)
        return value, fine

    def holds(self, text: str) -> Mask:
        """Which lines' cells are this text."""
        met = self.ends - self.begins == len(text.encode("utf-8", "replace"))
        codes = np.flatnonzero(met)
        met[codes] = [each == text for each in self.some(codes)]
        lines: Mask = met[self.codes]
        return lines

    def each(self, function: Callable[[str], int]) -> Integers:
        """What a function says of each line's cell."""
        said = np.fromiter(map(function, self.texts), np.int64, len(self.begins))
        return said[self.codes]


def local_times(cells: Cells) -> tuple[Integers, Integers, Integers]:
    """Codes of the texts as in 2026-03-09T12:00:00, their hours since 1970 and seconds in these."""
    codes = np.flatnonzero(cells.ends - cells.begins == len(_DATE))
    parts, fine = _parts(cells.data, cells.begins[codes], _DATE)
    year, month, day = parts["Y"], parts["M"], parts["D"]
    fine &= (year >= _YEARS[0]) & (year < _YEARS[1]) & (month >= 1) & (month <= 12)
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    most = _MONTH_DAYS[np.where(fine, month, 0)] + (leap & (month == 2))
    fine &= (day >= 1) & (day <= most)
    fine &= (parts["h"] < 24) & (parts["m"] < 60) & (parts["s"] < 60)
    months = ((year - 1970) * 12 + month - 1)[fine]
    days = months.astype("M8[M]").astype("M8[D]").astype(np.int64) + day[fine] - 1
    rest = parts["m"] * 60 + parts["s"]
    return codes[fine], days * 24 + parts["h"][fine], rest[fine]


def clocks(cells: Cells) -> tuple[Integers, Integers]:
    """Codes of the texts as in 02:03:04, 1-02:03:04 and 10-02:03:04, and their seconds."""
    widths = cells.ends - cells.begins
    found, seconds = [], []
    for days in range(3):
        form = "D" * days + "-" * (days > 0) + _CLOCK
        codes = np.flatnonzero(widths == len(form))
        parts, fine = _parts(cells.data, cells.begins[codes], form)
        fine &= (parts["m"] < 60) & (parts["s"] < 60)
        hours = parts.get("D", 0) * 24 + parts["h"]
        found.append(codes[fine])
        seconds.append(((hours * 60 + parts["m"]) * 60 + parts["s"])[fine])
    return np.concatenate(found), np.concatenate(seconds)


def _parts(data: bytes, begins: Integers, form: str) -> tuple[dict[str, Integers], Mask]:
    """The numbers in texts by the letters of a form, and which texts have the form."""
    signs = np.frombuffer(data, np.uint8)[begins[:, None] + np.arange(len(form))]
    parts = dict.fromkeys(set(form) - {*"-:T"}, np.zeros(len(begins), np.int64))
    fine = np.ones(len(begins), np.bool_)
    for place, letter in enumerate(form):
        sign = signs[:, place]
        if letter in parts:
            parts[letter] = parts[letter] * 10 + sign - ord("0")
            fine &= (sign >= ord("0")) & (sign <= ord("9"))
        else:
            fine &= (sign == ord(letter)) | ((letter == "T") & (sign == ord(" ")))
    return parts, fine
