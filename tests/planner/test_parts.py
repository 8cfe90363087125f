"""Parts that users write are loaded from a file or a module, and every fault says where it lies."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

from planner.errors import InputError, PlanError
from planner.parts import PartKind, calling, files_of, is_own, load_part, name_of


class Greeter(Protocol):
    @property
    def name(self) -> str: ...

    def greet(self, who: str) -> str: ...


class Call(Protocol):
    def __call__(self, problem: object) -> object: ...


class Plain:
    name = "plain"

    def greet(self, who: str) -> str:
        return f"Hello {who}"


KNOWN: Mapping[str, Greeter] = {"plain": Plain()}
GREETER: PartKind[Greeter] = PartKind("greeter", Greeter, "see the page")
CALL: PartKind[Call] = PartKind("heuristic", Call)
GOOD = '''"""A file of one's own."""
from dataclasses import dataclass
import friend

@dataclass(frozen=True)
class Loud:
    name: str = "loud"

    def greet(self, who):
        return f"HELLO {who} {friend.MARK}"

READY = Loud("ready")

def answer(problem):
    return problem

class Wrong:
    name = "wrong"
    def greet(self):
        return 1 / 0

class Needs:
    name = "needs"
    def __init__(self, what):
        self.what = what
    def greet(self, who): ...

class Silent:
    name = "silent"

class Plain:
    name = "plain"
    def greet(self, who): ...

class Slashed(Plain):
    name = "../x"
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(GOOD)
    (tmp_path / "friend.py").write_text("MARK = '!'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "friend", raising=False)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return tmp_path


def test_a_name_a_class_an_object_and_a_module_give_a_part(folder: Path) -> None:
    assert load_part("plain", KNOWN, GREETER) is KNOWN["plain"]
    for text in ("mine.py:Loud", f"{folder}/mine.py:Loud", "mine:Loud"):
        part = load_part(text, KNOWN, GREETER)
        assert part.greet("you") == "HELLO you !"
        assert is_own(part)
        assert name_of(part) == "loud"
    assert load_part("mine.py:READY", KNOWN, GREETER).name == "ready"
    calls: Mapping[str, Call] = {}
    assert load_part("mine.py:answer", calls, CALL)(7) == 7
    assert str(folder) not in sys.path


def test_the_file_of_a_part_is_known_by_its_digest(folder: Path) -> None:
    parts = [load_part(f"mine.py:{name}", KNOWN, GREETER) for name in ("Loud", "READY")]
    names = ("mine.py", "friend.py")
    expected = [(name, hashlib.sha256((folder / name).read_bytes()).hexdigest()) for name in names]
    assert files_of([*parts, 1]) == tuple(expected)


def test_a_changed_file_is_loaded_anew(folder: Path) -> None:
    assert load_part("mine.py:Loud", KNOWN, GREETER).name == "loud"
    (folder / "mine.py").write_text(GOOD.replace('"loud"', '"louder"'))
    assert load_part("mine.py:Loud", KNOWN, GREETER).name == "louder"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plane", "there is no greeter 'plane'; did you mean 'plain'"),
        ("mine.py", "mine.py is a file; add the name of the class or function: mine.py:NAME"),
        ("mine.py:Lout", "mine.py does not define Lout; did you mean 'Loud'?"),
        ("none.py:Loud", "none.py: No such file or directory; give the path of a Python file"),
        ("nowhere:Loud", "nowhere: ModuleNotFoundError: No module named 'nowhere'; install"),
        ("mine.py:Silent", "mine.py:28: Silent has no greet(who), which a greeter needs; see the"),
        ("mine.py:Wrong", "mine.py:17: Wrong does not accept the arguments of greet(who)"),
        ("mine.py:Needs", "a greeter is created without arguments; give its parameters defaults"),
        (
            "mine.py:Plain",
            "mine.py:31: a built-in greeter has the same name, plain; give yours a name of its own",
        ),
        ("mine.py:Slashed", "mine.py:35: the greeter '../x' has a name that cannot be part of"),
        ("mine.py:answer", "mine.py:14: answer has no name, which a greeter needs; see the page"),
    ],
)
def test_a_fault_names_the_place_and_the_remedy(folder: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        load_part(text, KNOWN, GREETER)
    assert words in str(error.value)
    assert str(folder) not in sys.path


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import os\nx = (1,\n", "bad.py:2: '(' was never closed; correct the Python code"),
        ("\nimport nowhere\n", "bad.py:2: ModuleNotFoundError: No module named 'nowhere'; install"),
        ("def f():\n    return {}['a']\nf()", "bad.py:2: KeyError: 'a'; correct it"),
        ("raise SystemExit", "bad.py:1: SystemExit; correct it"),
        ("x = '\0'", "bad.py"),
    ],
)
def test_a_file_that_fails_says_its_line(folder: Path, source: str, words: str) -> None:
    (folder / "bad.py").write_text(source)
    with pytest.raises(InputError) as error:
        load_part("bad.py:A", KNOWN, GREETER)
    assert words in str(error.value)


def test_a_failure_while_it_is_called_says_its_line(folder: Path) -> None:
    (folder / "mine.py").write_text(GOOD.replace("def greet(self)", "def greet(self, who)"))
    part = load_part("mine.py:Wrong", KNOWN, GREETER)
    with (
        pytest.raises(InputError, match=r"mine\.py:20: wrong fails: ZeroDivisionError: .*correct"),
        calling(part),
    ):
        part.greet("you")
    with pytest.raises(PlanError, match="no place"), calling(part):
        raise PlanError("no place")
    with pytest.raises(ZeroDivisionError), calling(load_part):  # a fault of ours is not hidden
        1 / 0  # noqa: B018


def test_a_policy_of_the_other_kind_is_named(tmp_path: Path) -> None:
    from planner.scheduling.policies.registry import POLICY
    from planner.scheduling.power.registry import POWER_POLICY

    file = tmp_path / "mine.py"
    file.write_text(
        "from headroom import EventDriven, PowerEventDriven\n"
        "class Plain(EventDriven):\n    def decide(self, now): return []\n"
        "class Powered(PowerEventDriven):\n    def decide(self, now): return []\n"
    )
    plain = "Plain is an EventDriven policy, .* derive it from headroom.PowerEventDriven"
    with pytest.raises(InputError, match=plain):
        load_part(f"{file}:Plain", {}, POWER_POLICY)
    assert load_part(f"{file}:Plain", {}, POLICY).name == "Plain"
    with pytest.raises(InputError, match="Powered is a PowerEventDriven policy"):
        load_part(f"{file}:Powered", {}, POLICY)
    assert load_part(f"{file}:Powered", {}, POWER_POLICY).name == "Powered"
