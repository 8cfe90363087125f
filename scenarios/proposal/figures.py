"""One figure among others in the text of a cell, as 768 GB in ``768 GB; 24 x 32 GB DDR5``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from scenarios.proposal.unit_words import Unit, unit_named
from scenarios.proposal.words import has_word, plain, words_of
from scenarios.tables.cell_text import one_line
from scenarios.tables.units import factor

_AMOUNT = re.compile(
    r"(?<![\w.,])(?:(?P<before>[€$£]|[A-Z]{3}) ?)?(?:(?P<times>\d+) ?[x\u00d7*] ?)?"
    r"(?P<number>\d{1,3}(?:[.,'\u2019 ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
    r"(?:[ -]?(?P<unit>(?:[^\W\d_]+(?:/[^\W\d_]+)?|[€$£₺%])\.?))?"
)
_PARTS = re.compile(r"[;|\n]| [/\u2013-] |/(?=\s?\d)|,\s|(?<!^)[=(]")
_PATTERNS = {
    "sockets": re.compile(r"^([1-8]) ?[x\u00d7] ?[^\W\d_]"),
    "vector_bits": re.compile(r"((?i:avx[ -]?(?:512|2)))(?!\w)"),
}
_NAMED = r"(?:AMD |Intel |Ampere )?(?:EPYC|Xeon|Altra)"
_OF_EACH = re.compile(r"(\d+ [^\W\d_]+)(?:/| [^\W\d_]+ )(?:CPU|socket|pro[cz]ess)", re.IGNORECASE)
_PROCESSORS = re.compile(rf"(?<![\w.,])([1-8]) ?[x\u00d7] ?{_NAMED}", re.IGNORECASE)
_PROCESSOR = re.compile(rf"[^\d]*{_NAMED}", re.IGNORECASE)
_POWERS = ("idle_w", "peak_w")
"""In the order of two figures without a word."""
_PER_CENT = re.compile(r"\d+(?:[.,]\d+)? ?%")
GROUPED = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
"""A number of one group, whose sign is that of thousands or of decimals."""
_DIGITS = re.compile(r"\d+")
_QUANTITY = re.compile(r"(?<![\w-])(?:\d{1,3}(?:[., ]\d{3})+|\d+)")
_OF_MEMORY = re.compile(
    r"((?:\d+ ?[x\u00d7*] ?)?\d[\d.,'\u2019 ]*[^\W\d]{2}),?\s+(?:DDR|RAM)", re.IGNORECASE
)
"""Memory in the description of a node, which also states disks."""
_DIMENSIONS = {"bandwidth_gb_s": "bandwidth", "clock_ghz": "frequency", "lead_weeks": "time"}
_SLIGHTLY = Decimal("0.05")
"""Most by which a rounded size, as 1.5 TB, differs from that of its modules, as 24 x 64 GB."""

HEADED = {
    "memory_gb": ("memory",), "bandwidth_gb_s": ("memory", "bandwidth"),
    "sockets": ("socket",), "cores_per_socket": ("socket",), "clock_ghz": ("socket", "clock"),
    "vector_bits": ("socket", "vector"), "idle_w": ("power", "idle"), "peak_w": ("power", "idle"),
}  # fmt: skip
"""Concepts, one of which the heading of a column must have whose cells also state a field."""

DESCRIBED = ("description", "name")
"""Concepts of headings of columns that describe the node, where no other column states a field."""


@dataclass(frozen=True)
class _Amount:
    times: int
    number: str
    unit: Unit
    word: str

    @property
    def text(self) -> str:
        """The amount with its unit in our spelling."""
        return f"{self.number} {self.unit.name}".strip()


def figure_in(target: str, text: str, heading: str) -> str:
    """The part of a text that states a field, as the readers take it; empty where none is clear.

    Examples
    --------
    >>> figure_in("memory_gb", "1,5 To (24 x 64 Go)", "RAM"), figure_in("sockets", "2 x Xeon", "")
    ('1536 GB', '2')
    >>> figure_in("peak_w", "295 / 1 210", "Idle / max. power [W]")
    '1 210'
    >>> figure_in("price", "RRP 31,900 EUR; our offer: 27,750 EUR", "Price")
    '27,750 EUR'
    """
    text = one_line(text)
    if target in _POWERS:
        return _power(target, text, heading)
    if target == "memory_gb" and not has_word(plain(heading), words_of("concepts")["memory"]):
        text = (_OF_MEMORY.search(text) or [""] * 2)[1]
    if target in _DIMENSIONS:
        found = [each for each in _amounts(text) if each.unit.dimension == _DIMENSIONS[target]]
        return found[0].text if len(found) == 1 else ""
    if target in _PATTERNS:
        matched = _PATTERNS[target].search(text)
        return matched[1] if matched else ""
    return _BY_TARGET[target](text) if target in _BY_TARGET else ""


def described(target: str, text: str) -> str:
    """The part of a description of a whole node that states a field; empty where none is clear.

    Examples
    --------
    >>> node = "Node A 2 x EPYC 9655 (96 cores), 768 GB DDR5, 4 x H200 141 GB, 0.95 kW / 4.8 kW"
    >>> [described(each, node) for each in ("sockets", "cores_per_socket", "memory_gb", "peak_w")]
    ['2', '96', '768 GB', '4.8 kW']
    >>> described("cores_per_socket", "2 x EPYC 9455, 48 k\u00e4rnor/CPU, 1536 GB RAM")
    '48'
    """
    text = one_line(text)
    if target == "sockets":
        found = _PROCESSORS.search(text)
        return found[1] if found else ""
    if target == "cores_per_socket":
        found = _PROCESSORS.search(text)
        behind = text[found.end() :] if found else ""
        bracket = re.match(r"[^(,;]*\(([^)]*)\)", behind)
        hyphened = re.match(r"[^(,;]*?(?<!\d)(\d+-[^\W\d_]+)", behind)
        of_each = _OF_EACH.search(behind)
        return _counted((bracket or hyphened or of_each or ["", ""])[1], "core")
    if target == "memory_gb":
        named = map(_of_memory, filter(memory_named, re.split(r"[;|]|,\s", text)))
        sizes = [size for each in named if (size := _memory(each))]
        return sizes[0] if len(sizes) == 1 else ""
    stated = figure_in(target, text, "")
    if stated or target not in _POWERS or _powers(_DIGITS.sub(" ", text)):
        return stated
    powers = [each.text for each in _amounts(text) if each.unit.dimension == "power"]
    return powers[_POWERS.index(target)] if len(powers) == 2 else ""


def part_stated(target: str, text: str) -> str:
    """What one part, as a processor or a module of memory, states of a field; empty for others.

    Examples
    --------
    >>> part_stated("cores", "AMD EPYC 9555, 64 cores"), part_stated("memory_gb", "RDIMM 32 GB")
    ('64', '32 GB')
    """
    text = one_line(text)
    if has_word(plain(text), words_of("concepts")["accelerator"]):
        return ""
    if target == "memory_gb":
        found = [each for each in _amounts(text) if each.unit.dimension == "memory"]
        alone = len(found) == 1 and found[0].times == 1 and memory_named(text)
        return found[0].text if alone else ""
    cores = _counted(text, "core") if _PROCESSOR.match(text) else ""
    return "1" if cores and target == "sockets" else cores


def memory_named(text: str) -> bool:
    """Whether a text names memory, and no storage."""
    bare, concepts = plain(text), words_of("concepts")
    return bool(has_word(bare, concepts["memory"])) and not has_word(bare, concepts["storage"])


def _amounts(text: str) -> Iterator[_Amount]:
    for each in _AMOUNT.finditer(text):
        word = each["unit"] or ""
        unit = unit_named(word, "cells")
        unit = unit if unit.name or not word.endswith(".") else unit_named(word[:-1], "cells")
        unit = unit if unit.name or not each["before"] else unit_named(each["before"], "cells")
        yield _Amount(int(each["times"] or 1), each["number"], unit, word)


def _memory(text: str) -> str:
    """The size of the memory; its modules tell it more exactly than a rounded sum."""
    found = [each for each in _amounts(text) if each.unit.dimension == "memory"]
    sums = [each for each in found if each.times == 1]
    sums = [replace(each, number=_whole(each)) for each in sums]
    modules = [each for each in found if each.times > 1 and each.number.isdigit()]
    if not modules:
        return sums[0].text if sums else ""
    first = modules[0]
    size = first.times * Decimal(first.number) * factor(first.unit.name, "memory", "")
    if sums:
        stated = Decimal(re.sub("[,.]", ".", sums[0].number)) if _plain(sums[0].number) else None
        if stated is None or not sums[0].unit.name.startswith("T"):
            return sums[0].text
        if abs(stated * factor(sums[0].unit.name, "memory", "") - size) > _SLIGHTLY * size:
            return sums[0].text
    return f"{size.normalize():f} GB"


def _of_memory(text: str) -> str:
    """A text without the sizes in front of that of the memory, as those of accelerators."""
    found = _OF_MEMORY.search(text)
    sizes = [each for each in _amounts(text) if each.unit.dimension == "memory"]
    several = sum(each.times == 1 for each in sizes) > 1
    return text[found.start() :] if found is not None and several else text


def _whole(size: _Amount) -> str:
    """The number without a sign of thousands: no node has 1.536 GB, since it has 1536."""
    grouped = size.unit.name.startswith("G") and GROUPED.fullmatch(size.number)
    return re.sub(r"\D", "", size.number) if grouped else size.number


def _plain(number: str) -> bool:
    """Whether a number has at most one sign, and no group of three digits."""
    return re.fullmatch(r"\d+(?:[.,]\d{1,2})?", number) is not None


def _power(target: str, text: str, heading: str) -> str:
    """Idle or highest power: by the words next to it, else by their order in the heading."""
    parts = []
    for part in _PARTS.split(text):
        found = [*_amounts(part)]
        found = [each for each in found if each.unit.dimension == "power"] or found
        if len(found) == 1:
            parts.append((_powers(_DIGITS.sub(" ", part)), found[0]))
    order = _powers(heading)
    amount = next((each for named, each in parts if target in named), None)
    if len(parts) == len(order) == 2 and not any(named for named, _ in parts):
        amount = parts[order.index(target)][1]
    if amount is None:
        return ""
    return amount.text if amount.unit.name else replace(amount, unit=parts[-1][1].unit).text


def _powers(text: str) -> list[str]:
    """The powers that a text names, in its order."""
    concepts, bare = words_of("concepts"), plain(text)
    idle = has_word(bare, concepts["idle"])
    most = has_word(bare, concepts["maximum"]) or has_word(bare, concepts["full_load"])
    named = [(bare.find(word.strip("*")), key) for word, key in ((idle, "idle_w"), (most, "peak_w"))
             if word]  # fmt: skip
    return [key for _, key in sorted(named)]


def _counted(text: str, concept: str) -> str:
    """The only number in front of a word such as cores or nodes."""
    words = words_of("concepts")[concept]
    found = [each.number for each in _amounts(text) if has_word(plain(each.word), words)]
    return found[0] if len(found) == 1 else ""


def _of_units(text: str) -> str:
    """The number in front of one word that multiplies nothing, as in ``48 lots``."""
    found = re.fullmatch(r"(\d+) ?([^\W\d_]+)\.?", text.strip())
    several = [*words_of("thousands")["words"], *words_of("rows")["several"]]
    return found[1] if found and not has_word(plain(found[2]), several) else ""


def _discounts(text: str) -> str:
    """Each percentage with the one quantity next to it, as in ``50: 3 %; 100: 5 %``."""
    results = []
    parts = re.split(r"[;\n]|,\s|\.\s(?=[A-Z])", text)
    for part in (each for each in parts if any(map(str.isdigit, each))):
        shares = _PER_CENT.findall(part)
        starts = _QUANTITY.findall(_PER_CENT.sub("|", part))
        if len(shares) != 1 or len(starts) != 1:
            return ""
        results.append(f"{starts[0]}: {shares[0]}")
    return "; ".join(results)


def _price(text: str) -> str:
    """The price of one node among several: no list price, and of a node or as offered."""
    parts = [(part, [*_amounts(part)]) for part in _PARTS.split(text)]
    prices = [
        (plain(part), found[0]) for part, found in parts
        if len(found) == 1 and found[0].unit.dimension == "money"
    ]  # fmt: skip
    concepts = words_of("concepts")
    for concept in ("node", "offered"):
        named = [each for part, each in prices if has_word(part, concepts[concept])]
        if len(named) == 1:
            return named[0].text
    others = [each for part, each in prices if not has_word(part, concepts["list_price"])]
    return others[0].text if len(others) == 1 else ""


_BY_TARGET = {
    "memory_gb": _memory,
    "cores_per_socket": lambda text: _counted(text, "core"),
    "as_bid_quantity": lambda text: (
        _counted(text, "node") or _counted(text, "quantity") or _of_units(text)
    ),
    "discounts": _discounts,
    "price": _price,
    "total_price": _price,
}
