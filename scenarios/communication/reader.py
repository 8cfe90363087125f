"""Read communication from files of any form."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from scenarios.communication.dense import read_dense, with_messages
from scenarios.communication.edges import is_headed, read_edges
from scenarios.communication.matrix import MOST_RANKS, Communication, joined
from scenarios.communication.matrix_market import read_matrix_market
from scenarios.communication.metis import read_metis
from scenarios.communication.monitoring import TRAFFICS, Traffic, is_profile, read_monitoring
from scenarios.communication.numbered_text import NumberedText, is_comment
from scenarios.communication.records import Read
from scenarios.communication.row_order import ROW_ORDERS, RowOrder, in_row_order
from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import nearest
from scenarios.measurements.fields import FIELDS
from scenarios.tables.cells import Cell
from scenarios.tables.columns import lay_out

Form = Literal["monitoring", "matrix", "matrix-market", "metis", "edges"]
FORMS: tuple[Form, ...] = get_args(Form)

_SUFFIXES: dict[str, Form] = {
    ".prof": "monitoring",
    ".csv": "matrix",
    ".tsv": "matrix",
    ".mtx": "matrix-market",
    ".graph": "metis",
    ".metis": "metis",
    ".edges": "edges",
    ".edgelist": "edges",
    ".txt": "edges",
}


def program_name(name: str) -> str:
    """The name of a file of traffic without what tells its form.

    Examples
    --------
    >>> program_name("lu.W.64.csv.gz"), program_name("some program")
    ('lu.W.64', 'some program')
    """
    bare = name.removesuffix(".gz")
    return next((bare.removesuffix(each) for each in _SUFFIXES if bare.endswith(each)), name)


_OF_ROWS = ("matrix", "matrix-market")
"""Forms in which the place of a row says whose it is; others name the ranks."""

MOST_FILES = 1 << 17
_MOST_HEADINGS = 1000


def read_communication(
    path: Path | str | Sequence[Path | str],
    *,
    form: Form | None = None,
    ranks: int | None = None,
    first_rank: int = 0,
    traffic: Traffic = "all",
    messages: Path | str | None = None,
    row_order: RowOrder | None = None,
) -> Communication:
    """Read who sent how much to whom; plain or gzipped.

    Parameters
    ----------
    path
        The file; for ``monitoring`` also several, or a folder with ``*.prof``.
    form
        ``monitoring`` (profiles of Open MPI), ``matrix`` (CSV, row = source), ``matrix-market``,
        ``metis`` or ``edges`` (source, destination, bytes, messages). By default the first lines
        decide, or else the suffix.
    ranks
        How many ranks there are, if silent ones lie above those in the file.
    first_rank
        Where ``edges`` count from, 0 or 1.
    traffic
        Which records of ``monitoring`` count: ``all``, ``point-to-point`` or ``collective``.
    messages
        A second matrix with numbers of messages; of the form ``matrix`` only.
    row_order
        For ``matrix`` and ``matrix-market``: ``forward`` if the first row is that of rank 0, or
        ``reversed`` if it is that of the last rank. By default, a matrix that is plausible only
        when reversed is refused.

    Returns
    -------
    Communication
        Each pair of ranks that exchanged anything once, with the bytes of both directions.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with its place.

    Examples
    --------
    >>> read_communication("no-such.mtx")
    Traceback (most recent call last):
        ...
    scenarios.faults.ScenarioError: no-such.mtx: does not exist; give the path of a table of \
communication
    """
    paths = _files(path)
    shown = str(path) if isinstance(path, str | Path) else str(paths[0])
    _check_options(shown, form, ranks, first_rank, traffic, row_order)
    texts = [NumberedText(each, str(each)) for each in paths]
    result = form or form_of(texts[0], paths[0].name)
    if len(texts) > 1 and result != "monitoring":
        message = f"{len(texts)} files have the form {result}, which takes one file; give one"
        raise ScenarioError([Fault(shown, 0, "", message)])
    _check_options(shown, result, ranks, first_rank, traffic, row_order)
    if messages is not None and result != "matrix":
        message = f"a second matrix applies to the form matrix only, not to {result}; omit it"
        raise ScenarioError([Fault(str(messages), 0, "messages", message)])
    read = _read(texts, result, first_rank, traffic, sure=form is not None)
    if result in _OF_ROWS:
        read = in_row_order(read, row_order, shown)
    if messages is not None:
        texts.append(NumberedText(Path(messages), str(messages)))
        read = _with_messages(read, texts[-1], row_order)
    return joined(
        paths[0].name if len(paths) == 1 else paths[0].parent.name or shown,
        _all_ranks(shown, read, ranks),
        read.records,
        directions=read.directions,
        form=result,
        sha256=_hash(texts),
        remarks=read.remarks,
    )


def form_of(text: NumberedText, name: str) -> Form:
    """The form by the first lines, or else by the suffix.

    Raises
    ------
    ScenarioError
        Neither tells; or the file cannot be read.
    """
    lines = [each for each in text.beginning() if each.strip()]
    if lines and lines[0].lower().startswith("%%matrixmarket"):
        return "matrix-market"
    if is_profile(lines):
        return "monitoring"
    first = next((line for line in lines if not is_comment(line)), "")
    if is_headed(first):
        return "edges"
    if _is_table_of_runs(first):
        message = (
            "is a table of measured runs, not of communication; use it with `headroom configure`"
        )
        raise ScenarioError([Fault(text.shown, 0, "", message)])
    name = name.lower().removesuffix(".gz")
    by_suffix = next((each for suffix, each in _SUFFIXES.items() if name.endswith(suffix)), None)
    if by_suffix is not None:
        return by_suffix
    message = (
        "its form cannot be recognised from its first lines or name; "
        f"give one of {', '.join(FORMS)}"
    )
    raise ScenarioError([Fault(text.shown, 0, "form", message)])


def _is_table_of_runs(line: str) -> bool:
    """Whether a line is headings of runs: nodes, cores, cap and time are all among them."""
    cells: list[Cell] = [cell.strip() or None for cell in re.split(r"[,;\t|]", line)]
    if len(cells) > _MOST_HEADINGS:
        return False
    found = lay_out(cells, FIELDS, careful=False).places
    return {"nodes", "cores_per_node", "package_cap_w", "time_s"} <= found.keys()


def _files(path: Path | str | Sequence[Path | str]) -> list[Path]:
    if not isinstance(path, str | Path):
        paths = [Path(entry) for entry in path]
        if not 0 < len(paths) <= MOST_FILES:
            message = f"{len(paths)} files are given; give from 1 to {MOST_FILES}"
            raise ScenarioError([Fault("", 0, "path", message)])
        return paths
    folder = Path(path)
    if not folder.is_dir():
        return [folder]
    names = (".prof", ".prof.gz")
    files = sorted(entry for entry in folder.iterdir() if entry.name.endswith(names))
    if not 0 < len(files) <= MOST_FILES:
        message = f"is a folder with {len(files)} files *.prof; give a file, or profiles of a run"
        raise ScenarioError([Fault(str(path), 0, "", message)])
    return files


def _check_options(
    shown: str,
    form: str | None,
    ranks: int | None,
    first_rank: int,
    traffic: str,
    row_order: str | None,
) -> None:
    faults = []
    if row_order is not None and row_order not in ROW_ORDERS:
        faults.append(
            ("row_order", f"{row_order!r} is unknown; {nearest(row_order, [*ROW_ORDERS])}")
        )
    if row_order is not None and form in FORMS and form not in _OF_ROWS:
        message = f"--row-order applies to matrices, but this file has the form {form}; omit it"
        faults.append(("row_order", message))
    if first_rank and form not in (None, "edges"):
        message = f"--first-rank applies to lists, but this file has the form {form}; omit it"
        faults.append(("first_rank", message))
    if form is not None and form not in FORMS:
        faults.append(
            ("form", f"{form!r} is not a form of communication; {nearest(form, [*FORMS])}")
        )
    if traffic not in TRAFFICS:
        faults.append(("traffic", f"{traffic!r} is unknown; {nearest(traffic, [*TRAFFICS])}"))
    if first_rank not in (0, 1):
        faults.append(("first_rank", f"{first_rank} is not allowed; give 0 or 1"))
    if ranks is not None and not 1 <= ranks <= MOST_RANKS:
        faults.append(("ranks", f"{ranks} is not from 1 to {MOST_RANKS}; give the number of ranks"))
    if faults:
        raise ScenarioError([Fault(shown, 0, where, message) for where, message in faults])


def _read(
    texts: Sequence[NumberedText], form: Form, first_rank: int, traffic: Traffic, *, sure: bool
) -> Read:
    if form == "monitoring":
        return read_monitoring(texts, traffic)
    if form == "edges":
        return read_edges(texts[0], first_rank)
    if form == "matrix":
        return read_dense(texts[0], sure=sure)
    return read_metis(texts[0]) if form == "metis" else read_matrix_market(texts[0])


def _with_messages(read: Read, messages: NumberedText, row_order: RowOrder | None) -> Read:
    counts = in_row_order(read_dense(messages, sure=True), row_order, messages.shown)
    try:
        return with_messages(read, counts)._replace(remarks=(*read.remarks, *counts.remarks))
    except ValueError as error:
        raise ScenarioError([Fault(messages.shown, 0, "messages", str(error))]) from error


def _all_ranks(shown: str, read: Read, ranks: int | None) -> int:
    if ranks is not None and ranks < read.ranks:
        message = (
            f"{ranks} ranks are too few, as the file has {read.ranks}; give at least that number"
        )
        raise ScenarioError([Fault(shown, 0, "ranks", message)])
    if not (ranks or read.ranks):
        message = "contains no rank; give the number of ranks (--ranks)"
        raise ScenarioError([Fault(shown, 0, "ranks", message)])
    return ranks or read.ranks


def _hash(texts: Sequence[NumberedText]) -> str:
    if len(texts) == 1:
        return texts[0].sha256
    return hashlib.sha256("".join(text.sha256 for text in texts).encode()).hexdigest()
