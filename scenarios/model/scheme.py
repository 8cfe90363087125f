"""The award scheme of a tender: exclusion, thresholds, criteria with their formulas, ties."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from scenarios.fields import Count, Fraction01, Group, Label, NotNegative, Positive, Signed, Text
from scenarios.model.procurement import Stated


class Exclusion(Group):
    """A condition that every package must meet before anything is compared."""

    name: Label = Field(description="Name of the condition, for letters and reports.")
    statement: Label = Field(description="Name of the statement of the packages that it judges.")
    must_be: Stated | None = Field(default=None, description="The only admissible statement.")
    least: Signed | None = Field(default=None, description="Least admissible number.")
    most: Signed | None = Field(default=None, description="Largest admissible number.")

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
    lots: Annotated[tuple[Label, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Lots whose packages it judges; by default all."
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
    full_at: Signed | TimesBest | None = Field(
        default=None, description="Value that gets all points, or a multiple of the best."
    )
    zero_at: Signed | TimesBest | None = Field(
        default=None, description="Value that gets no points, or a multiple of the best."
    )
    if_equal: Literal["full"] | None = Field(
        default=None,
        description="Points of all packages where the worst value equals the best ('two_sided').",
    )
    least: Signed | None = Field(
        default=None, description="Threshold: a package with a smaller value is excluded."
    )
    most: Signed | None = Field(
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
        if people and self.better is not None:
            raise ValueError(
                "better does not belong to points of people: more is better; delete it"
            )
        if "combine" in self.model_fields_set and not people:
            raise ValueError("combine belongs to value_from = 'people'; delete it")
        if (self.value_from == "figure") != (self.figure is not None):
            raise ValueError("figure belongs to value_from = 'figure'; give both or neither")
        if (self.value_from == "benchmarks") != bool(self.benchmarks):
            raise ValueError("benchmarks belong to value_from = 'benchmarks'; give both or neither")
        linear = self.formula == "linear"
        if any((end is not None) != linear for end in (self.full_at, self.zero_at)):
            raise ValueError("full_at and zero_at belong to formula = 'linear'; give both there")
        if self.if_equal is not None and self.formula != "two_sided":
            raise ValueError("if_equal belongs to formula = 'two_sided'; delete it")
        self._thresholds_judge_one_package()
        self._ends_apart()
        return self

    @property
    def counts_price(self) -> bool:
        """Whether it judges the price, which quotients of points over price leave out."""
        return self.value_from == "price"

    def _thresholds_judge_one_package(self) -> None:
        """Thresholds that other packages move would exclude in circles."""
        of_values = self.least is not None or self.most is not None
        if of_values and self.value_from in ("people", "benchmarks"):
            remedy = (
                "write least_points"
                if self.value_from == "people"
                else "the value depends on other packages; give thresholds for single figures"
            )
            raise ValueError(f"least and most do not fit {self.value_from!r}; {remedy}")
        ends = (self.full_at, self.zero_at)
        fixed = self.formula == "linear" and not any(isinstance(end, TimesBest) for end in ends)
        if self.least_points is not None and not (self.formula == "as_given" or fixed):
            raise ValueError(
                "least_points needs points that no other package moves: those of people, or "
                "formula = 'linear' with two numbers; write least or most instead"
            )
        if self.least_points is not None and self.least_points > self.points:
            raise ValueError(
                f"least_points = {self.least_points:g} is above points = {self.points:g}; "
                "correct one of them"
            )
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(
                f"least = {self.least:g} is above most = {self.most:g}; swap or correct them"
            )

    def _ends_apart(self) -> None:
        """The end with all points must be the better one, where both ends are of one kind."""
        ends = [
            end.times_best if isinstance(end, TimesBest) else end
            for end in (self.full_at, self.zero_at)
            if end is not None
        ]
        if len(ends) < 2 or isinstance(self.full_at, TimesBest) != isinstance(
            self.zero_at, TimesBest
        ):
            return
        full, zero = ends
        if full == zero or (full < zero) != (self.better == "less"):
            raise ValueError(
                f"full_at = {full:g} is not better than zero_at = {zero:g} where "
                f"{self.better} is better; swap or correct them"
            )


class Evaluation(Group):
    """Points that one evaluator gives one package for one criterion."""

    package: Label = Field(description="Name of the package.")
    criterion: Label = Field(description="Name of the criterion, whose points people give.")
    evaluator: Label = Field(description="Who gave the points; 'agreed' for the agreed points.")
    points: NotNegative = Field(description="The points, from 0 to those of the criterion.")
    reason: Text = Field(default="", description="Reason, for letters.")
    origin: Text = Field(default="", description="File and line, where a file has them.")


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
    evaluations: Annotated[tuple[Evaluation, ...], Field(strict=False, max_length=100_000)] = Field(
        default=(), description="The points of people, where no file has them."
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
        for name in self.disclose:
            if name not in (*names, "prices"):
                raise ValueError(
                    f"there is no criterion {name!r} to disclose; use one of {', '.join(names)}, "
                    "or prices"
                )
        if self.method != "points" and all(each.counts_price for each in self.criteria):
            raise ValueError(
                f"method = {self.method!r} needs points without price; add a criterion with "
                "another value_from"
            )
        if self.lots == "best sum" and self.method != "points":
            raise ValueError(
                f"lots = 'best sum' adds points, and method = {self.method!r} ranks by quotients; "
                "write lots = 'published order'"
            )
        if "rounding" in self.model_fields_set and self.decimals is None:
            raise ValueError("rounding needs decimals; add decimals, or delete rounding")
        published = self.published_sha256
        if published is not None and published != self.sha256:
            raise ValueError(
                f"the scheme has the hash {self.sha256}, not the published one, {published}; "
                "restore the published scheme, or publish the new hash"
            )
        return self

    def for_lot(self, lot: str) -> Scheme:
        """The scheme with the criteria that judge a lot."""
        kept = tuple(each for each in self.criteria if not each.lots or lot in each.lots)
        return self.model_copy(update={"criteria": kept})

    @property
    def sha256(self) -> str:
        """SHA-256 of the scheme as canonical JSON: sorted keys, no blanks, no defaults.

        The points of people and the published hash itself are not part of it. Comments and the
        order of keys do not change it.
        """
        plain = self.model_dump(
            mode="json",
            exclude={"published_sha256", "evaluations", "points_file"},
            exclude_defaults=True,
        )
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()
