"""What to say of programs that a limit stopped."""

from __future__ import annotations

from solvers import Stop


def nodes_warning(programs: int) -> list[str]:
    """Return what to say of programs that the node limit stopped with their gap open."""
    if not programs:
        return []
    which = "1 program" if programs == 1 else f"{programs:,} programs"
    how = "stopped at the limit of branch-and-bound nodes; the certificate shows the remaining gap"
    return [f"{which} {how}. To continue the search, {Stop.NODES.remedy}."]
