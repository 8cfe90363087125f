"""Profiles that Open MPI's monitoring components write, one file per rank or all in one.

``mpirun --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3
--mca pml_monitoring_filename run`` writes ``run.0.prof``, ``run.1.prof``, ...

References
----------
Open MPI, ``ompi/mca/common/monitoring/common_monitoring.c``: records of ``E`` (external) are
messages of the program, those of ``I`` (internal) messages that collective operations are made
of. The list of counts that ends the first record of a pair counts messages of both by
floor(log2(size)) + 1, those without bytes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from scenarios.communication.edges import histogram
from scenarios.communication.numbered_text import NumberedText, a_rank, amount
from scenarios.communication.records import Read, Records
from scenarios.remark import Remark, remark

Traffic = Literal["all", "point-to-point", "collective"]
TRAFFICS: tuple[Traffic, ...] = get_args(Traffic)

_RECORD = re.compile(
    r"([EISRC])\s+(\d+)\s+(\d+)\s+(\d+)\s+bytes\s+(\d+)\s+msgs sent(?:\s+([\d,\s]*))?\s*", re.ASCII
)
_LOOKS_LIKE_ONE = re.compile(r"[EI]\t")
_OTHER_LINES = re.compile(r"(#|D\t|O2A\t|A2O\t|A2A\t)")
_RANK_OF_FILE = re.compile(r"\.([0-9]+)\.prof(?:\.gz)?")

_FIRST = 8
"""Ranks without a profile that are named."""

_TAKEN: dict[Traffic, str] = {"all": "EI", "point-to-point": "E", "collective": "I"}


def is_profile(lines: Sequence[str]) -> bool:
    """Whether the first lines are those of a profile."""
    return any(_RECORD.fullmatch(line) for line in lines) or "# POINT TO POINT" in lines


def read_monitoring(texts: Sequence[NumberedText], traffic: Traffic = "all") -> Read:
    """Read profiles of one run; records of the same source and target add up.

    Parameters
    ----------
    texts
        The files.
    traffic
        ``point-to-point`` takes the program's own messages, ``collective`` those that collective
        operations are made of, ``all`` both.

    Raises
    ------
    ScenarioError
        A record is damaged, or there is none.
    """
    records = Records()
    seen: dict[str, int] = {}
    for text in texts:
        for number, line in text:
            try:
                kind = _read_line(line, traffic, records)
            except ValueError as error:
                text.fault(number, str(error))
                continue
            if kind:
                seen[kind] = seen.get(kind, 0) + 1
        text.settle()
    if not seen.keys() & {"#", "E", "bare E", "I"}:
        texts[0].fault(0, "has no monitoring records; give run.0.prof, run.1.prof, ...")
        texts[0].settle()
    files = {each for text in texts if (each := _rank_of(text)) is not None}
    ranks = max([records.highest, *files]) + 1
    remarks = tuple(_remarks(seen, traffic, ranks, files))
    return Read(ranks, records.directed(messages=True, sizes=True), remarks=remarks)


def _read_line(line: str, traffic: Traffic, records: Records) -> str:
    """Take one line; its kind, ``foreign`` for none of the monitoring's, empty for no line."""
    matched = _RECORD.fullmatch(line)
    if matched is None:
        if _LOOKS_LIKE_ONE.match(line):
            raise ValueError("is an incomplete monitoring record; copy the file again")
        if _OTHER_LINES.match(line):
            return "#" if line.startswith("#") else ""
        return "foreign" if line.strip() else ""
    kind, source, target, much, messages, sizes = matched.groups()
    if kind not in "EI":
        return str(kind)
    counts = histogram(sizes.strip()) if sizes and sizes.strip() else []
    taken = kind in _TAKEN[traffic]
    at = a_rank(source), a_rank(target)
    # The other kind's record may hold the pair's only histogram, and speaks of ranks in any case.
    records.add(*at, amount(much) if taken else 0.0, amount(messages) if taken else 0.0, counts)
    return str(kind) if kind == "I" or counts else "bare E"


def _rank_of(text: NumberedText) -> int | None:
    matched = _RANK_OF_FILE.search(text.shown[-40:])
    if matched is None:
        return None
    try:
        return a_rank(matched[1])
    except ValueError:
        return None


def _remarks(
    seen: dict[str, int], traffic: Traffic, ranks: int, files: set[int]
) -> Iterator[Remark]:
    if files and len(files) < ranks:
        lost = sorted(set(range(ranks)) - files)
        part, first = ((len(lost), ranks), "of:rank"), (tuple(lost[:_FIRST]), "id")
        yield remark("ranks-without-profile", ranks=part, first=first)
    one_sided = seen.get("S", 0) + seen.get("R", 0)
    for lines, what in ((seen.get("foreign", 0), "foreign"), (one_sided, "one-sided")):
        if lines:
            yield remark("ranks-left-out", lines=(lines, "line"), what=(what, "unread"))
    if traffic != "all" and "bare E" in seen:
        yield remark("ranks-no-sizes")
    if traffic != "all" and len(seen.keys() & {"E", "I"}) == 2:
        yield remark("ranks-sizes-of-all")
    if not seen.get("I") and traffic == "collective":
        yield remark("ranks-no-collective")
