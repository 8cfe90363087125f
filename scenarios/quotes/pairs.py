"""Find errors between two or more fields of one quote, each at its cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.faults import Fault
from scenarios.model.node_types import caps_fault
from scenarios.quotes.layout import Spot

_ORDERED = (
    ("idle_w", "peak_w", " W"),
    ("minimum_quantity", "maximum_quantity", ""),
    ("as_bid_quantity", "maximum_quantity", ""),
)


def pair_faults(spots: Mapping[str, Spot], quote: Mapping[str, Any]) -> list[Fault]:
    """Return the errors between fields of a quote, whose name is in a cell.

    Parameters
    ----------
    spots
        Cells by the fields that they state.
    quote
        What is stated.
    """
    faults = [*_crossed(quote, spots)]
    if not faults:
        faults = [*_too_few(quote, spots), *_caps(quote)]
    return [_spot(spots, *keys).fault(message) for keys, message in faults]


Found = Iterator[tuple[tuple[str, ...], str]]


def _crossed(quote: Mapping[str, Any], spots: Mapping[str, Spot]) -> Found:
    for low, high, unit in _ORDERED:
        if low in quote and high in quote and quote[low] > quote[high]:
            message = (
                f"{low} = {quote[low]:g}{unit} is above {high} = {quote[high]:g}{unit}"
                f"{_there(spots, high)}; correct one of them"
            )
            yield (low, high), message


def _too_few(quote: Mapping[str, Any], spots: Mapping[str, Spot]) -> Found:
    bid, least = quote.get("as_bid_quantity", 0), quote.get("minimum_quantity", 1)
    if 0 < bid < least:
        message = (
            f"as_bid_quantity = {bid:g} is below minimum_quantity = {least:g}"
            f"{_there(spots, 'minimum_quantity')}; correct one of them"
        )
        yield ("as_bid_quantity", "minimum_quantity"), message


def _caps(quote: Mapping[str, Any]) -> Found:
    caps_w = quote.get("package_caps_w")
    if caps_w and "idle_w" in quote and "peak_w" in quote:
        packages = quote.get("capped_packages") or quote.get("sockets") or 1
        message = caps_fault(caps_w, packages, quote["idle_w"], quote["peak_w"])
        if message:
            yield ("package_caps_w", "peak_w"), message


def _there(spots: Mapping[str, Spot], key: str) -> str:
    return f" ({spots[key].address})" if key in spots else ""


def _spot(spots: Mapping[str, Spot], *keys: str) -> Spot:
    """Return the cell of the first of the fields that a cell states."""
    return next((spots[key] for key in keys if key in spots), spots["name"])
