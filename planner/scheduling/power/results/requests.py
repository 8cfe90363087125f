"""Changes to the requests of logs before any policy saw them, as counts and shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.scheduling.power.results.result import REQUEST_RULES, PolicyOutcome


@dataclass(frozen=True)
class RequestCount:
    """How often a rule applied to a log.

    Attributes
    ----------
    log, rule
        Name of the log, and the rule in words.
    requests
        Requests that it applied to, over all seeds.
    read
        Requests that were read, over all seeds.
    """

    log: str
    rule: str
    requests: int
    read: int

    @property
    def share(self) -> float:
        """Share of the requests that were read."""
        return self.requests / self.read if self.read else 0.0


def request_counts(
    outcomes: Sequence[PolicyOutcome], whole: Sequence[str]
) -> tuple[RequestCount, ...]:
    """Rules that applied to each log, over the seeds; bounds and policies share the requests.

    Parameters
    ----------
    whole
        Logs of which rules are listed that never applied, as those from files.
    """
    once = {(outcome.log, outcome.seed): outcome for outcome in outcomes}
    groups: dict[str, list[PolicyOutcome]] = {}
    for outcome in once.values():
        groups.setdefault(outcome.log, []).append(outcome)
    counts = (
        RequestCount(
            log,
            rule,
            sum(getattr(outcome, name) for outcome in group),
            sum(outcome.requests_read for outcome in group),
        )
        for log, group in groups.items()
        for name, rule in REQUEST_RULES
    )
    return tuple(outcome for outcome in counts if outcome.requests or outcome.log in whole)
