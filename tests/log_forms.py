"""The tables of forms in docs/job-logs.md: ``python -m tests.log_forms`` writes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scenarios.job_logs.foreign import REMEDIES
from scenarios.job_logs.reader import FORM_TEXTS

PAGE = Path(__file__).parents[1] / "docs" / "job-logs.md"
BEGIN = "<!-- forms: written by python -m tests.log_forms -->"
END = "<!-- end of forms -->"


def with_forms(page: str) -> str:
    """The page with its tables as the readers have them."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n" + "\n".join(_lines()) + f"\n\n{END}{rest.split(END)[1]}"


def _lines() -> Iterator[str]:
    yield "| form | what it is |"
    yield "|---|---|"
    for form, text in FORM_TEXTS.items():
        yield f"| `{form}` | {text} |"
    yield ""
    yield "Some forms are recognised and not read. The error names a command that helps:"
    yield ""
    for what, command in REMEDIES.items():
        yield f"- {what}:"
        yield ""
        yield f"      {command}"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(with_forms(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
