"""Which parts of a node its tasks occupy."""

from __future__ import annotations

from typing import NamedTuple


class Layout(NamedTuple):
    """Equal load on every used processor and die.

    Attributes
    ----------
    processors, dies, cores
        Processors used of a node, dies used of each of them, and cores used of each of those.
    """

    processors: int
    dies: int
    cores: int

    @property
    def tasks(self) -> int:
        """Tasks on a node."""
        return self.processors * self.dies * self.cores


class Core(NamedTuple):
    """A core by node, processor of the node, and die of the processor."""

    node: int
    processor: int
    die: int


def checked(layout: Layout, node: Layout) -> Layout:
    """Return a layout that fits on a node.

    Raises
    ------
    ValueError
        A part that is not used at all, or more of it than the node has.
    """
    for name, used, there in zip(Layout._fields, layout, node, strict=True):
        if not 1 <= used <= there:
            raise ValueError(f"{name} = {used}; give 1 to {there}, which the node has")
    return layout
