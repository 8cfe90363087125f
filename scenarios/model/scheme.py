"""The award scheme of a tender: exclusion, thresholds, criteria with their formulas, ties."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from scenarios.fields import LARGEST, Count, Fraction01, Group, Label, NotNegative, Positive, Text
from scenarios.model.procurement import Stated

_Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]


class Exclusion(Group):
    """A condition that every package must meet before anything is compared."""

    name: Label = Field(description="Name of the condition, for letters and reports.")
    statement: Label = Field(description="Name of the statement of the packages that it judges.")
    must_be: Stated | None = Field(default=None, description="The only admissible statement.")
    least: _Number | None = Field(default=None, description="Least admissible number.")
    most: _Number | None = Field(default=None, description="Largest admissible number.")

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        number = self.least is not None or self.most is not None
        if (self.must_be is None) != number:
            raise ValueError("give either must_be, or least and most")
        return self


class TimesBest(Group):
    """A multiple of the best value among the admissible packages of the lot."""

    times_best: Positive = Field(description="The multiple.")


class Criterion(Group):
    """One criterion: where its value comes from, its points, and the formula between them."""

    name: Label = Field(description="Name.")
    points: Positive = Field(description="Most points, P.")
    value_from: Literal[
        "price", "total cost", "energy", "delivery", "figure", "benchmarks", "performance", "people"
    ] = Field(
        description="Source of the value v. 'price': the bill. 'total cost': with operation over "
        "the lifetime. 'energy': kWh per year. 'delivery': weeks. 'figure': a figure of the "
        "package. 'benchmarks': weighted figures, each relative to the best offer. 'performance': "
        "the score of the model. 'people': points of the evaluators."
    )
    figure: Label | None = Field(
        default=None, description="Name of the figure, for value_from = 'figure'."
    )
    benchmarks: dict[Label, Positive] = Field(
        default={},
        description="Weights of the figures, for value_from = 'benchmarks'.",
    )
    formula: Literal["ratio", "linear", "two_sided", "as_given"] = Field(
        default="ratio",
        description="'ratio': P b/v or P v/b with the best value b. 'linear': from P at full_at to "
        "0 at zero_at. 'two_sided': P (w - v)/(w - b) with the worst value w. 'as_given': the "
        "points of the evaluators.",
    )
    better: Literal["less", "more"] | None = Field(
        default=None, description="Whether a smaller or a larger value is better."
    )
    full_at: _Number | TimesBest | None = Field(
        default=None, description="Value that gets all points, or a multiple of the best."
    )
    zero_at: _Number | TimesBest | None = Field(
        default=None, description="Value that gets no points, or a multiple of the best."
    )
    if_equal: Literal["full"] | None = Field(
        default=None,
        description="Points of all packages where the worst value equals the best ('two_sided').",
    )
    least: _Number | None = Field(
        default=None, description="Threshold: a package with a smaller value is excluded."
    )
    most: _Number | None = Field(
        default=None, description="Threshold: a package with a larger value is excluded."
    )
    least_points: NotNegative | None = Field(
        default=None, description="Threshold: a package with fewer points is excluded."
    )
    combine: Literal["mean", "median", "agreed"] = Field(
        default="mean",
        description="How the points of several evaluators become one; with 'agreed' the row of "
        "the evaluator 'agreed' counts, and the others are kept.",
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        people = self.value_from == "people"
        if people != (self.formula == "as_given"):
            remedy = "write formula = 'as_given' with value_from = 'people', and only there"
            raise ValueError(f"formula = {self.formula!r} does not fit; {remedy}")
        if not people and self.better is None:
            raise ValueError("better is missing; write better = 'less' or better = 'more'")
        if (self.value_from == "figure") != (self.figure is not None):
            raise ValueError("figure belongs to value_from = 'figure'; give both or neither")
        if (self.value_from == "benchmarks") != bool(self.benchmarks):
            raise ValueError("benchmarks belong to value_from = 'benchmarks'; give both or neither")
        ends = (self.full_at is not None, self.zero_at is not None)
        if (self.formula == "linear") != all(ends) or (any(ends) and not all(ends)):
            raise ValueError("full_at and zero_at belong to formula = 'linear'; give both there")
        if self.if_equal is not None and self.formula != "two_sided":
            raise ValueError("if_equal belongs to formula = 'two_sided'; delete it")
        return self


class Scheme(Group):
    """How packages are judged, lot by lot, as published with the tender."""

    method: Literal["points", "points_per_price", "corridor"] = Field(
        default="points",
        description="'points': the most points win. 'points_per_price': the largest quotient of "
        "points without price over price (UfAB, simple). 'corridor': all packages whose quotient "
        "is within 'corridor' of the largest stay, and 'decides' chooses (UfAB, extended).",
    )
    corridor: Fraction01 | None = Field(
        default=None, description="Share below the largest quotient within which packages stay."
    )
    decides: Label | None = Field(
        default=None,
        description="Criterion that decides within the corridor: its name, or 'points' for the sum "
        "without price.",
    )
    criteria: Annotated[
        tuple[Criterion, ...], Field(strict=False, min_length=1, max_length=100)
    ] = Field(description="The criteria.")
    exclusions: Annotated[tuple[Exclusion, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Conditions before anything is compared."
    )
    ties: Annotated[tuple[Label, ...], Field(strict=False, max_length=100)] = Field(
        default=(),
        description="Order of criteria by which equal packages are ranked; what is still equal "
        "then is reported as a tie.",
    )
    decimals: Annotated[int, Field(ge=0, le=12)] | None = Field(
        default=None, description="Decimals of rounded points (half up); by default exact."
    )
    rounding: Literal["criterion", "total"] = Field(
        default="criterion", description="What is rounded: the points of each criterion, or sums."
    )
    most_lots_per_vendor: Count | None = Field(
        default=None, description="Maximum number of lots that one vendor wins."
    )
    lots: Literal["published order", "best sum"] = Field(
        default="published order",
        description="Choice where a vendor would win too many lots: the lots are awarded in their "
        "order, or so that the sum of points is largest.",
    )
    low_price: Fraction01 | None = Field(
        default=None,
        description="A price that is lower than the next one by at least this share is named as "
        "abnormally low.",
    )
    points_file: Text | None = Field(
        default=None,
        description="CSV file in the scenario's folder with the points of people: package, "
        "criterion, evaluator, points, reason.",
    )
    published_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = Field(
        default=None,
        description="Hash of the published scheme, as 'headroom check' prints it; another one is "
        "an error.",
    )
    disclose: Annotated[tuple[Label, ...], Field(strict=False, max_length=100)] = Field(
        default=(),
        description="What a letter to a vendor discloses in addition: names of criteria, or "
        "'prices'.",
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        names = [criterion.name for criterion in self.criteria]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"criteria name {twice[0]!r} twice; rename one of them")
        if (self.method == "corridor") != (self.corridor is not None and self.decides is not None):
            raise ValueError(
                "corridor and decides belong to method = 'corridor'; give both there only"
            )
        for name in (*self.ties, *((self.decides,) if self.decides else ())):
            if name not in (*names, "points"):
                raise ValueError(
                    f"there is no criterion {name!r}; use one of {', '.join(names)}, or points"
                )
        return self
