"""Find errors between two or more fields of one quote, each at its cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenarios.faults import Fault
from scenarios.model.node_types import caps_fault
from scenarios.quotes.headings import Layout

_ORDERED = (
    ("idle_w", "peak_w", " W"),
    ("minimum_quantity", "maximum_quantity", ""),
    ("as_bid_quantity", "maximum_quantity", ""),
)


def pair_faults(layout: Layout, row: int, quote: dict[str, Any]) -> list[Fault]:
    """Return the errors between fields of the quote in this row of the sheet."""
    faults = [*_crossed(quote, layout, row)]
    if not faults:
        faults = [*_too_few(quote, layout, row), *_caps(quote)]
    return [layout.cells.fault(row, _place(layout, *keys), message) for keys, message in faults]


Found = Iterator[tuple[tuple[str, ...], str]]


def _crossed(quote: dict[str, Any], layout: Layout, row: int) -> Found:
    for low, high, unit in _ORDERED:
        if low in quote and high in quote and quote[low] > quote[high]:
            message = (
                f"{low} = {quote[low]:g}{unit} is above {high} = {quote[high]:g}{unit}"
                f"{_there(layout, row, high)}; correct one of them"
            )
            yield (low, high), message


def _too_few(quote: dict[str, Any], layout: Layout, row: int) -> Found:
    bid, least = quote.get("as_bid_quantity", 0), quote.get("minimum_quantity", 1)
    if 0 < bid < least:
        message = (
            f"as_bid_quantity = {bid:g} is below minimum_quantity = {least:g}"
            f"{_there(layout, row, 'minimum_quantity')}; correct one of them"
        )
        yield ("as_bid_quantity", "minimum_quantity"), message


def _caps(quote: dict[str, Any]) -> Found:
    caps_w = quote.get("package_caps_w")
    if caps_w and "idle_w" in quote and "peak_w" in quote:
        packages = quote.get("capped_packages") or quote.get("sockets") or 1
        message = caps_fault(caps_w, packages, quote["idle_w"], quote["peak_w"])
        if message:
            yield ("package_caps_w", "peak_w"), message


def _there(layout: Layout, row: int, key: str) -> str:
    return f" ({layout.cells.address(row, layout.places[key])})" if key in layout.places else ""


def _place(layout: Layout, *keys: str) -> int:
    """Return the column of the first of the fields that the sheet has."""
    return next((layout.places[key] for key in keys if key in layout.places), layout.places["name"])
