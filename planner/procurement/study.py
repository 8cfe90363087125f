"""The whole answer to a request for proposals, ready to be shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.answer import Answer
from planner.errors import PlanError
from planner.procurement.facts import study_of
from planner.procurement.infeasible import Diagnosis
from planner.procurement.not_bought import NotBought, not_bought
from planner.procurement.result import ProcurementResult
from planner.procurement.rules import in_words
from planner.study import Study

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False, repr=False)
class ProcurementStudy(ProcurementResult, Answer):
    """All answers to one request for proposals, ready to be shown."""

    def _made(self) -> Study:
        return study_of(self)

    @property
    def not_bought(self) -> tuple[NotBought, ...]:
        """Every quote that is not bought, and why."""
        return not_bought(self)

    def conflict_graph(self) -> nx.Graph[str]:
        """Which rules clash and what would undo it, as a graph of networkx.

        Its nodes and attributes are those of
        :func:`planner.procurement.conflict_graph.conflict_graph`. Where there is a plan, the graph
        is empty.
        """
        from planner.procurement.conflict_graph import conflict_graph

        return conflict_graph(self.problem, self.diagnosis or Diagnosis((), (), ()))

    def numbers(self) -> dict[str, Any]:
        """The plan's score with its certificate, what it takes, and the nodes of each type.

        Raises
        ------
        PlanError
            There is no plan; says why.
        """
        decision = self.study.data["decision"]
        plan = decision["plan"]
        if plan is None:
            clash = self.diagnosis.clashing if self.diagnosis else ()
            rules = "; ".join(in_words(self.problem, name) for name in clash)
            raise PlanError(f"no plan exists: {rules or 'the limits'} cannot be met")
        bought = Counter({offer.name: 0 for offer in self.problem.offers})
        for row in plan["purchases"]:
            bought[row["name"]] += row["nodes"]
        return {
            "score": plan["score"],
            "status": decision["status"],
            "gap": decision["gap"],
            **{name: plan[name] for name in ("capital", "total_cost", "it_power_w", "nodes")},
            "binding_limits": ", ".join(decision["binding_limits"]),
            **{
                f"gain.{row['over']}": row["value"]
                for row in self.study.data["overprovisioning_gains"]
            },
            **{f"nodes.{name}": nodes for name, nodes in bought.items()},
        }

    def scenario_paths(self) -> tuple[str, ...]:
        """Paths of the scenario that was read."""
        return self.scenario.provenance.paths

    def solve_times(self) -> list[dict[str, Any]]:
        """Times of the last solve of every program, summed by question."""
        return [
            {
                "question": solve.question,
                "programs": len(solve.certificates),
                "wall_s": sum(certificate.wall_s for certificate in solve.certificates),
                "cpu_s": sum(certificate.cpu_s for certificate in solve.certificates),
            }
            for solve in self.solved
        ]
