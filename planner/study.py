"""What every study offers, whichever question it answers."""

from __future__ import annotations

from typing import Any, Protocol


class Study(Protocol):
    """Results of one command, compared and ready to be shown."""

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: raw numbers, no times, no paths, no host."""
        ...
