"""The rules of co-location at one offered load."""

from __future__ import annotations

from dataclasses import dataclass

from planner.sharing_nodes.queues.replications import MeasureChange, QueueReplications


@dataclass(frozen=True, eq=False)
class LoadResult:
    """The rules at one offered load."""

    load: float
    replications: QueueReplications

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules, the baseline left out."""
        return tuple(dict.fromkeys(one.rule for one in self.replications.changes))

    def change(self, rule: str, quantity: str) -> MeasureChange:
        """A measure under a rule against whole nodes."""
        return self.replications.change(rule, quantity)
