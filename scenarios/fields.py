"""The kinds of value that a scenario is made of: bounded numbers, names, texts, and groups.

All groups are frozen and strict: an unknown key, a number given as text, NaN or infinity is
refused.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

LARGEST = 1e15
"""No quantity here is larger: beyond it, doubles no longer hold whole numbers safely."""

SMALLEST = 1e-12
"""No positive quantity is smaller: a typing error, and its square or inverse may leave doubles."""

LONGEST_LEAD = 1000.0
"""Weeks; a longer one is a mistake of units, and its day of delivery may be in no calendar."""


def _sizeable(value: float) -> float:
    if value < SMALLEST:
        raise ValueError(f"{value} is too small to be a quantity; correct it")
    return value


Positive = Annotated[float, Field(gt=0, le=LARGEST), AfterValidator(_sizeable)]
NotNegative = Annotated[float, Field(ge=0, le=LARGEST)]
Signed = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Fraction01 = Annotated[float, Field(ge=0, le=1)]
CostRatio = Annotated[float, Field(ge=1, le=1e6)]
PerformanceFraction = Annotated[float, Field(ge=0, lt=1)]
Count = Annotated[int, Field(ge=1, le=10**9)]
IDENTIFIER_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
CURRENCY_PATTERN = r"^[A-Z]{3}$"
Identifier = Annotated[
    str, StringConstraints(pattern=IDENTIFIER_PATTERN), Field(title="identifier")
]
STEERING = r"\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff"
"""Control characters, overrides of the text direction, and what XML cannot hold."""
Label = Annotated[str, StringConstraints(pattern=rf"^[^\x00-\x1f{STEERING}]{{1,120}}$")]
Shown = Annotated[str, StringConstraints(pattern=rf"^[^\x00-\x1f{STEERING}]{{1,1000}}$")]
"""What a cell shows on one line, which may be a description."""
Text = Annotated[str, StringConstraints(pattern=rf"^[^\x00-\x08\x0b-\x1f{STEERING}]{{0,4000}}$")]
Currency = Annotated[str, StringConstraints(pattern=CURRENCY_PATTERN)]


class Group(BaseModel):
    """Common to all groups: frozen, strict, with a source."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        ser_json_inf_nan="null",
        defer_build=True,  # a command needs few of the groups for themselves
    )

    source: Text = Field(default="", description="Source of the numbers, or 'assumed: why'.")
