"""Quantity discounts as vendors write them."""

from __future__ import annotations

import re
from decimal import Decimal

from scenarios.fields import SMALLEST
from scenarios.tables.amounts import Amount, Reading
from scenarios.tables.cell_text import LONGEST_LABEL, CellError, one_line, quoted
from scenarios.tables.cells import Cell, NumberWithUnit
from scenarios.tables.field import Field
from scenarios.tables.number_grammar import Mark, parse_number, refuse_thousandths

MOST_DISCOUNTS = 20
_FROM = (
    r"(?:from|ab|starting at|à partir de|a partir de|a partire da|dès|desde|da|od|vanaf|från|fra"
    r"|>=|≥)"
)
_NODES = (
    r"(?:nodes?|servers?|pcs|pieces|units?|Knoten|Stück|Stueck|Stk|St|nœuds?|noeuds?|serveurs?|pièces"
    r"|unités?|nodos?|servidores|uds?|unidades|nodi|nodo|pezzi|pz|unità|knooppunten|stuks|styck|noder"
    r"|knuder|stykker|nós|unid|peças|szt|sztuk|węzłów|ks|kusů|uzlů)"
)
_RATE = r"(?:discount|Rabatt|Mengenrabatt|remise|descuento|desconto|sconto|korting|rabat|sleva)"
_KNOWN = re.compile(rf"(?<!\w)(?:{_FROM}|(?:{_NODES}|{_RATE})(?!\w))\.?", re.IGNORECASE)
_AT_LEAST = re.compile(rf"(?<!\w){_FROM}(?!\w)", re.IGNORECASE)
"""Words around the two numbers of a discount; any other word is an error."""

_PER_CENT = re.compile(r"([0-9.,]*[0-9]) ?%")
_NUMBER = re.compile(r"[0-9][0-9.,'\u2019 ]*")
_QUANTITY = re.compile(rf"(?<!\w){_FROM} ?([0-9][0-9.,'\u2019 ]*)", re.IGNORECASE)
_SHARE = Amount(Field("discounts", "", most=1 - SMALLEST, quantity="fraction"))


def read_discounts(cell: Cell, reading: Reading) -> list[dict[str, float | int]]:
    """Discounts that a cell lists, or the percentage in a column whose heading has the quantity.

    Raises
    ------
    CellError
        It lists none, or not in ascending order.
    """
    if reading.from_quantity:
        share = _SHARE(cell, reading)
        return [{"from_quantity": reading.from_quantity, "fraction": share}] if share else []
    if isinstance(cell, NumberWithUnit):
        cell = cell.plain
    discounts: list[dict[str, float | int]] = []
    for part in re.split(r"[;\n]", str(cell)):
        text = one_line(part)
        if not text:
            continue
        start, percent = _discount(text, reading.decimal)
        refuse_thousandths(start, reading.decimal)
        if start != int(start) or not 1 <= start <= 10**9 or not 0 <= percent < 100:
            raise CellError(
                f"{quoted(text)} is out of range; give a whole number and a percentage below 100 %"
            )
        if discounts and start <= discounts[-1]["from_quantity"]:
            raise CellError(
                f"{quoted(text)} is not in ascending order; list each quantity once, the smallest "
                "first"
            )
        discounts.append({"from_quantity": int(start), "fraction": float(percent / 100)})
    if len(discounts) > MOST_DISCOUNTS:
        raise CellError(f"has {len(discounts)} discounts; give at most {MOST_DISCOUNTS}")
    return discounts


def _discount(text: str, decimal: Mark) -> tuple[Decimal, Decimal]:
    """Quantity and percentage of a discount, as in ``ab 200 Stueck 6 %`` or ``5% >= 100``.

    One number has a per cent sign, one has none, and all words around them are known.
    """
    shares = _PER_CENT.findall(text) if len(text) <= LONGEST_LABEL else []
    before, _, after = _PER_CENT.sub("|", text, count=1).partition("|")
    numbers = _NUMBER.findall(f"{before}|{after}")
    if len(shares) == 1 == len(numbers):
        start = numbers[0].strip()
        signs = _KNOWN.sub("", f"{before}{after}".replace(numbers[0], " ", 1))
        says_from = _AT_LEAST.search(text) is not None
        clear = says_from or ":" in signs or _KNOWN.search(f"{before} {after}") is not None
        if before.rstrip()[-1:].isdigit():
            clear = says_from and " " not in start  # else 1 000 5 % may be two numbers or three
        if clear and not signs.strip(" :()"):
            return parse_number(start, decimal), parse_number(shares[0], decimal)
    raise CellError(f"{quoted(text)} is not a discount; write it as in 500: 8 %; 1000: 12 %")


def discount_start(heading: str, decimal: Mark) -> int:
    """Quantity from which the percentages under a heading hold; 0 if it states none.

    Raises
    ------
    CellError
        The quantity is not clear.

    Examples
    --------
    >>> discount_start("Rabatt ab 200 Stück [%]", "comma"), discount_start("Rabatte", "comma")
    (200, 0)
    """
    matched = _QUANTITY.search(heading) if "%" in heading else None
    if matched is None:
        return 0
    start = parse_number(matched[1].strip(" .,"), decimal)
    refuse_thousandths(start, decimal)
    return int(start) if start == int(start) and 1 <= start <= 10**9 else 0
