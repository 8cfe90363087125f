"""Every program that was solved, by the question that it served."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from solvers import Certificate, Status, Stop


@dataclass
class Ledger:
    """Collects certificates; optimisers of one study share it."""

    question: str = ""
    certificates: dict[str, list[Certificate]] = field(default_factory=dict)

    def ask(self, question: str) -> None:
        """What is solved from now on serves this question."""
        self.question = question

    def add(self, certificate: Certificate) -> None:
        """Enter one solved program."""
        self.certificates.setdefault(self.question, []).append(certificate)

    def closed(self) -> tuple[Solved, ...]:
        """All entries, by question, in the order in which the questions first came."""
        return tuple(
            Solved(name, tuple(certificate)) for name, certificate in self.certificates.items()
        )


@dataclass(frozen=True)
class Solved:
    """The certificates of all programs behind one question."""

    question: str
    certificates: tuple[Certificate, ...]

    @property
    def stopped_by_time(self) -> int:
        """Programs that ended at the time limit."""
        return sum(certificate.stop is Stop.TIME for certificate in self.certificates)

    @property
    def stopped_by_nodes(self) -> int:
        """Programs that ended at the limit of branch-and-bound nodes, with their gap open."""
        return sum(
            certificate.stop is Stop.NODES and certificate.status is not Status.OPTIMAL
            for certificate in self.certificates
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per program, plain values for JSON."""
        return [
            {
                "question": self.question,
                "program": certificate_index,
                "status": certificate.status.value,
                "level": certificate.level.value,
                "stop": certificate.stop.value,
                "objective": certificate.objective,
                "bound": certificate.bound,
                "gap": certificate.gap_absolute,
                "nodes": certificate.nodes,
                "solver": certificate.solver,
                "model_digest": certificate.model_digest,
            }
            for certificate_index, certificate in enumerate(self.certificates, start=1)
        ]
