"""What is remarked on communication, ping-pong tables and pairs, from their texts and by hand.

Written from docs/communication.md, docs/place.md and docs/colocate.md. Cases are files with each
remark that is due, and files just short of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import networkx as nx

from scenarios.communication.graphs import communication_of
from scenarios.communication.ping_pong import read_ping_pong
from scenarios.communication.reader import read_communication
from scenarios.pairs.reader import read_pairs
from scenarios.remark import Remark

Stated = Sequence[tuple[str, Mapping[str, Any]]]
"""Kinds with their values, without units."""


@dataclass(frozen=True)
class Text:
    """A file, and what is remarked on it."""

    read: Callable[..., Any]
    text: str
    stated: Stated = ()
    name: str = "m.csv"
    options: Mapping[str, Any] = field(default_factory=dict)

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        (folder / self.name).write_text(self.text)
        found: Sequence[Remark] = self.read(folder / self.name, **self.options).remarks
        return found


@dataclass(frozen=True)
class Profiles:
    """Profiles of ranks in a folder, and what is remarked on them."""

    texts: Mapping[int, str]
    stated: Stated = ()

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        for rank, text in self.texts.items():
            (folder / f"run.{rank}.prof").write_text(text)
        return read_communication(folder).remarks


@dataclass(frozen=True)
class Labels:
    """A graph of networkx with edges between neighbours of a list of labels."""

    labels: Sequence[Any]
    stated: Stated = ()

    def remarks(self, folder: Path) -> Sequence[Remark]:
        """What the reader says."""
        del folder
        return communication_of(nx.path_graph(self.labels)).remarks


Case = Text | Profiles | Labels


def stated(remarks: Sequence[Remark]) -> Stated:
    """Kinds with their values, without units."""
    return [
        (each.kind, {name: value for name, (value, _) in each.values.items()}) for each in remarks
    ]


def cases() -> Iterator[Case]:
    """Each kind, and what is just not remarked."""
    yield from _profiles()
    yield from _traffic()
    yield from _lists()
    yield from _graphs()
    yield from _matrices()
    yield from _row_orders()
    yield from _times()
    yield from _pair_lists()
    yield from _pair_matrices()


HEAD = "# POINT TO POINT\n"
SENT = "E\t0\t{}\t8 bytes\t1 msgs sent\t0,0,0,0,1\n"
INNER = "I\t0\t1\t8 bytes\t1 msgs sent\n"


def _profiles() -> Iterator[Case]:
    sent = HEAD + SENT.format(2)
    yield Profiles({0: sent, 1: HEAD, 2: HEAD})
    without = ("ranks-without-profile", {"ranks": (1, 3), "first": (2,)})
    yield Profiles({0: sent, 1: HEAD}, [without])
    # ranks 1 to 10 of 12: the first eight are named
    without = ("ranks-without-profile", {"ranks": (10, 12), "first": (1, 2, 3, 4, 5, 6, 7, 8)})
    yield Profiles({0: sent, 11: HEAD}, [without])


def _traffic() -> Iterator[Case]:
    def text(lines: str, found: Stated = (), traffic: str = "all") -> Case:
        return Text(read_communication, lines, found, "run.out", {"traffic": traffic})

    sent = HEAD + SENT.format(1)
    others = "# COLLECTIVES\nC\t0\t1\t20 bytes\t3 msgs sent\nD\tMPI_COMM_WORLD\tprocs: 0,1\n\n"
    yield text(sent + others)
    foreign = ("ranks-left-out", {"lines": 2, "what": "foreign"})
    yield text(f"hello\n{sent}bye\n", [foreign])
    window = "# OSC\nS\t0\t1\t8 bytes\t1 msgs sent\nR\t0\t1\t8 bytes\t1 msgs sent\n"
    one_sided = ("ranks-left-out", {"lines": 2, "what": "one-sided"})
    yield text(sent + window, [one_sided])
    yield text(f"hello\n{sent}{window}bye\n", [foreign, one_sided])

    early = INNER + "E\t0\t1\t8 bytes\t1 msgs sent\n"
    yield text(early)
    yield text(early, [("ranks-no-sizes", {})], "point-to-point")
    yield text(early, [("ranks-no-sizes", {})], "collective")
    yield text(sent, traffic="point-to-point")
    yield text(sent + INNER)
    yield text(sent + INNER, [("ranks-sizes-of-all", {})], "point-to-point")
    yield text(sent + INNER, [("ranks-sizes-of-all", {})], "collective")
    yield text(sent, [("ranks-no-collective", {})], "collective")


def _lists() -> Iterator[Case]:
    def text(lines: str, found: Stated = (), **options: Any) -> Case:
        return Text(read_communication, lines, found, "list.csv", {"form": "edges"} | options)

    known = {"known": ("source", "destination", "bytes", "messages", "sizes")}
    yield text("src,dst,bytes,msgs\n0,1,5,1\n")
    yield text("src,dst,bytes,tag\n0,1,5,1\n", [("ranks-columns", {"columns": ("tag",), **known})])
    # the heading of the fifth column is blank
    yield text("src;tag;dst;bytes;;what for\n0;1;1;5;1;x\n",
               [("ranks-columns", {"columns": ("tag", "5", "what for"), **known})])  # fmt: skip
    ring = "1 2 100\n2 3 100\n3 4 100\n4 1 100\n"
    yield text(ring, [("ranks-from-1", {"ranks": 5})])
    yield text(ring, first_rank=1)
    yield text(f"{ring}0 1 5\n")
    yield text(ring.replace("1 ", "5 ").replace(" 1 ", " 5 "))


def _graphs() -> Iterator[Case]:
    def text(lines: str, *kinds: str) -> Case:
        values = {"ranks-no-amounts": {"thing": "edge"}}
        found = [(kind, values.get(kind, {})) for kind in kinds]
        return Text(read_communication, lines, found, "m.graph")

    yield text("2 1 1\n2 7\n1 7\n")
    yield text("2 1\n2\n1\n", "ranks-no-amounts")
    yield text("2 1 11\n5 2 7\n5 1 7\n", "ranks-vertex-weights")
    yield text("2 1 100\n5 2\n5 1\n", "ranks-vertex-weights", "ranks-no-amounts")
    market = "%%MatrixMarket matrix coordinate {} general\n4 4 2\n1 3{end}\n3 1{end}\n"
    yield Text(read_communication, market.format("integer", end=" 9"), (), "m.mtx")
    yield Text(read_communication, market.format("pattern", end=""),
               [("ranks-no-amounts", {"thing": "entry"})], "m.mtx")  # fmt: skip

    yield Labels(range(3))
    yield Labels(
        "abf", [("ranks-named", {"place": "graph", "first": "a", "last": "f", "highest": 2})]
    )
    yield Labels(
        (1, 2), [("ranks-named", {"place": "graph", "first": "1", "last": "2", "highest": 1})]
    )


def _matrices() -> Iterator[Case]:
    def text(lines: str, found: Stated = (), **options: Any) -> Case:
        return Text(read_communication, lines, found, options=options)

    both = "0,1,100\n1,2,200\n2,0,50\n"
    yield text(both, [("ranks-maybe-list", {"lines": 3})])
    yield text(both, form="matrix")
    yield text("0,5,0\n7,3,0\n0,1000,0\n")  # three records do not speak of rank 1,000
    yield text("0,1\n1,0\n")  # a record has three columns
    four = "0,1,100,2\n1,2,200,1\n2,3,50,1\n3,0,10,1\n"
    yield text(four, [("ranks-maybe-list", {"lines": 4})])
    yield text(four.replace("3,0,", "2,3,"))  # a pair twice

    yield text(",0,1,2\n0,0,5,0\n1,5,0,7\n2,0,7,0\n")
    yield text(",2,1,0\n2,0,7,0\n1,7,0,5\n0,0,5,0\n")
    yield text(",b,a\nb,0,5\na,5,0\n",
               [("ranks-named", {"place": "m.csv", "first": "b", "last": "a",
                                 "highest": 1})])  # fmt: skip
    yield text(",1,2\n1,0,5\n2,5,0\n",
               [("ranks-named", {"place": "m.csv", "first": "1", "last": "2",
                                 "highest": 1})])  # fmt: skip


def _row_orders() -> Iterator[Case]:
    """Files whose first row is that of the last rank, where little says so."""
    # Ranks exchange 1 byte with the next one. Of four, ranks 1 and 2 send to themselves as read.
    chain = "0,0,1,0\n0,1,0,1\n1,0,1,0\n0,1,0,0\n"
    yield _matrix(chain, [("ranks-row-order", {"place": "m.csv", "what": "diagonal"})])
    yield _matrix(chain, row_order="forward")
    yield _matrix(chain, row_order="reversed")
    # Of five, partners are at the distances 1 and 3 as read, and from the last row up at 1 only.
    chain = "0,0,0,1,0\n0,0,1,0,1\n0,1,0,1,0\n1,0,1,0,0\n0,1,0,0,0\n"
    yield _matrix(chain, [("ranks-distances", {"place": "m.csv", "distances": 2, "reversed": 1})])
    yield _matrix("\n".join(reversed(chain.split())) + "\n")
    # Rank 0 exchanges bytes with ranks 1 to 3 of five; no rank answers another one as read.
    star = "0,0,0,0,0\n{},0,0,0,0\n{},0,0,0,0\n{},0,0,0,0\n0,5,5,5,0\n"
    yield _matrix(
        star.format(5, 5, 5), [("ranks-row-order", {"place": "m.csv", "what": "amounts"})]
    )
    yield _matrix(star.format(5, 5, 7), [("ranks-row-order", {"place": "m.csv", "what": "pairs"})])
    yield _matrix("0,0,0,0,0\n0,0,0,0,0\n5,0,0,0,0\n5,0,0,0,0\n0,5,5,0,0\n")  # too few partners


def _matrix(lines: str, found: Stated = (), **options: Any) -> Case:
    return Text(read_communication, lines, found, options={"form": "matrix", **options})


def _times() -> Iterator[Case]:
    head = "sharing,bytes,time_us\n"
    rows = "node,100,1\nnode,1100,3\nnetwork,0,2\nnetwork,1000,2.5\n"
    yield Text(read_ping_pong, head + rows)
    again = "node,100,2\nnode,100,4\nnetwork,0,2.2\n"  # medians of 2 and 2.1
    yield Text(read_ping_pong, head + rows + again, [("times-repeated", {"sizes": 2})])
    falls = ("times-falling", {"sharing": "network", "sizes": (1000.0, 2000.0)})
    yield Text(read_ping_pong, head + rows + "network,2000,2.4\n", [falls])
    yield Text(read_ping_pong, head + rows + "network,2000,2.5\n")
    yield Text(
        read_ping_pong, head + "die,0,1\ndie,8,0.5\n" + rows + "network,2000,2.4\n",
        [("times-falling", {"sharing": "die", "sizes": (0.0, 8.0)}), falls],
    )  # fmt: skip


def _pair_lists() -> Iterator[Case]:
    head = "a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\n"

    def text(rows: str, found: Stated = (), headings: str = head) -> Case:
        return Text(read_pairs, headings + rows, found, "pairs.csv")

    three = "x,y,10,20,20,25\ny,z,20,10,40,16\nx,z,10,10,16,20\n"
    yield text(three)
    half = ("pairs-incomplete", {"pairs": 2, "a": "z", "b": "z"})
    yield text(f"{three}z,z,10,10,,20\nx,x,,10,20,20\n", [half])
    yield text(f"{three}z,y,10,20,16,\n")  # measured in another row
    yield text(f"{three}y,x,20,10,30,30\n", [("pairs-repeated", {"pairs": 1})])
    yield text(f"{three}y,x,20,10,30,30\nx,y,10,20,20,25\n", [("pairs-repeated", {"pairs": 1})])
    faster = ("pairs-faster", {"measurements": (1, 3)})
    yield text(three.replace("40,16", "40,9"), [faster])
    yield text(three.replace("40,16", "40,10"))
    yield text("x,y,10,20,20,25\n")  # one pair alone
    once = ("pairs-once", {"names": ("x", "z")})
    yield text("x,y,10,20,20,25\ny,z,20,10,40,16\n", [once])
    yield text("x,x,10,10,20,20\nx,y,10,20,20,25\n", [("pairs-once", {"names": ("y",)})])
    unread = {"field": "co_a_s", "column": "co_a_s", "ignored": ("co_a_min",)}
    yield text("x,y,10,20,20,25,9\n", [("table-unread", unread)],
               head.replace("\n", ",co_a_min\n"))  # fmt: skip


def _pair_matrices() -> Iterator[Case]:
    def text(values: str, found: Stated = (), *, slowdown: bool = False) -> Case:
        read = "slowdown" if slowdown else "speed"
        return Text(read_pairs, ",x,y\nx,{},{}\ny,{},{}\n".format(*values.split()), found,
                    "pairs.csv", {"values": read})  # fmt: skip

    def high(much: int, every: int, read: str, other: str) -> tuple[str, Mapping[str, Any]]:
        return "pairs-above-1", {"speeds": (much, every), "read": read, "other": other}

    yield text("0.9 0.8 0.7 0.6")
    yield text("1.2 1.4 1.3 0.9", [high(3, 4, "speed", "slowdown"),
                                   ("pairs-faster", {"measurements": (2, 3)})])  # fmt: skip
    # A self pair has one value: two of four are not most of them.
    yield text("1.2 0.8 0.7 1.1", [("pairs-faster", {"measurements": (2, 3)})])
    yield text("1.2 1.4 1.3 1.1", slowdown=True)
    yield text("0.8 0.5 0.4 1.1", [high(3, 4, "slowdown", "speed"),
                                   ("pairs-faster", {"measurements": (2, 3)})],
               slowdown=True)  # fmt: skip


KINDS = frozenset(
    {
        "ranks-without-profile", "ranks-left-out", "ranks-no-sizes", "ranks-sizes-of-all",
        "ranks-no-collective", "ranks-columns", "ranks-from-1", "ranks-vertex-weights",
        "ranks-no-amounts", "ranks-maybe-list", "ranks-named", "ranks-row-order",
        "ranks-distances", "times-repeated", "times-falling", "pairs-above-1",
        "pairs-incomplete", "pairs-repeated", "pairs-faster", "pairs-once",
    }
)  # fmt: skip
"""What the readers of communication, of ping-pong tables and of pairs may remark."""
