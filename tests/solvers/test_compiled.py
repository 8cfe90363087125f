"""What lies compiled on disk is not taken for newer sources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solvers import compiled as module

ONE = """
import enum
import math
import numpy as np
from typing import NamedTuple
from solvers.compiled import compiled
class Pair(NamedTuple):
    first: int
    second: int
class Fixed(enum.IntEnum):
    LEVEL = 1
LEVEL = 1
NAME = "a"
KNOWN = ("a", "b")
@compiled
def inner(pair):
    'What is added.'
    def within(number):
        return number + LEVEL
    if NAME in KNOWN:
        return within(pair.first) + np.floor(0.5) + (3.0 if Fixed.LEVEL == 3 else 1.0)
    return -1.0
"""
OTHER = """
from solvers.compiled import compiled_entry
from some.one import Pair, inner
@compiled_entry
def outer(pair):
    return inner(pair)
answer = outer(Pair(1, 5))
print(bool(outer.dispatcher.stats.cache_hits), answer)
"""


STEPS = """
import json, sys
from pathlib import Path
for text in json.loads(sys.argv[1]):
    Path("some/one.py").write_text(text, encoding="utf-8")
    for name in ("some.one", "some.other"):
        sys.modules.pop(name, None)
    import some.other
"""
"""Imports a module with each of some texts, one after the other."""


def answers_of(tmp_path: Path, *changes: tuple[str, str], **more: str) -> list[str]:
    """Whether the disk has the loops of each text, and their answer; all in a new process."""
    folder = tmp_path / "some"
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").touch()
    (folder / "other.py").write_text(OTHER, encoding="utf-8")
    assert all(old in ONE for old, _ in changes)
    texts = [ONE.replace(*change) for change in changes]
    # Python itself would take a module that changed within a second from its own cache.
    changed = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", STEPS, json.dumps(texts)],
        cwd=tmp_path,
        env=os.environ | changed | more,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


AS_IS = ("LEVEL", "LEVEL")


def test_changes_of_what_is_called_compile_again(tmp_path: Path) -> None:
    changes = {
        ("+ LEVEL", "- LEVEL"): 1.0,
        ("+ LEVEL", "+ 7 * LEVEL"): 9.0,
        ("np.floor", "np.ceil"): 4.0,
        ("np.floor", "math.ceil"): 4.0,
        ("\nLEVEL = 1", "\nLEVEL = 3"): 5.0,
        ("    LEVEL = 1", "    LEVEL = 3"): 5.0,
        ('NAME = "a"', 'NAME = "c"'): -1.0,
        ('("a", "b")', '("b", "c")'): -1.0,
        ("first: int\n    second: int", "second: int\n    first: int"): 7.0,
    }
    assert answers_of(tmp_path, AS_IS) == ["False 3.0"]
    other_text = ("What is added.", "Another text.")
    first, same, *answers, last = answers_of(tmp_path, AS_IS, other_text, *changes, AS_IS)
    assert {first, same, last} == {"True 3.0"}
    for change, found, answer in zip(changes, answers, changes.values(), strict=True):
        assert found == f"False {answer}", change


def test_objects_of_the_package_serve_every_processor(tmp_path: Path) -> None:
    made_for = {"NUMBA_CPU_NAME": module.SHIPPED_FOR, "NUMBA_CPU_FEATURES": ""}
    cache, shipped = tmp_path / "cache", tmp_path / "some" / "objects"
    assert answers_of(tmp_path, AS_IS, **made_for) == ["False 3.0"]
    cache.rename(shipped)
    own = {"NUMBA_CPU_NAME": "", "NUMBA_CPU_FEATURES": ""}
    changed = ("+ LEVEL", "- LEVEL")
    assert answers_of(tmp_path, AS_IS, changed, **own) == ["True 3.0", "False 1.0"]
    assert len([*cache.iterdir()]) == len([*shipped.iterdir()])  # those of the change alone


def test_what_is_kept_can_be_read_by_those_whom_the_mask_allows(tmp_path: Path) -> None:
    answers_of(tmp_path, AS_IS)
    kept = [*(tmp_path / "cache").iterdir()]
    plain = tmp_path / "plain"
    plain.touch()
    assert {path.suffix for path in kept} == {".nbc"}
    assert {path.stat().st_mode for path in kept} == {plain.stat().st_mode}


def test_python_may_not_call_what_has_no_wrapper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_INTERPRETED", 1)
    monkeypatch.setattr(module, "_units", 0)

    @module.compiled
    def inner(number: int) -> int:
        return number + 1

    @module.compiled_entry
    def outer(number: int) -> int:
        return inner(number) * 2

    for _ in range(2):
        assert outer(3) == 8
        with pytest.raises(TypeError, match="inner is for compiled code alone"):
            inner(3)
    with module.interpreted(1):
        assert (inner(3), outer(3)) == (4, 8)


def _tuple_of_parts(array: Any) -> Any:
    return array[1:], array[:-1]


@pytest.mark.parametrize(
    "function",
    [
        lambda array: array[1:],
        lambda array: array + 1.0,
        lambda array: np.zeros(len(array)),
        lambda array: array,
        _tuple_of_parts,
    ],
)
def test_an_array_without_reference_counts_is_an_error_of_the_compiler(
    function: Callable[..., Any],
) -> None:
    """At run time a part would be the whole array, and others be freed too early or never."""
    array, refused = np.arange(4.0), module.compiled_entry(function)
    for _ in range(2):
        with pytest.raises(Exception, match=r"Failed in nopython mode|returns arrays: mark it"):
            refused(array)
    assert np.array_equal(module.counted_entry(function)(array), function(array))


def test_a_function_reaches_compiled_functions() -> None:
    """As another object its text would hold an address, and no object on disk would serve."""

    def added(number: int) -> int:
        return number + 1

    inner = module.compiled(added)

    def outer(number: int) -> int:
        return int(inner(number))

    names = {f"{__name__}.{each.__qualname__}" for each in (outer, added)}
    assert module.reached(module.compiled_entry(outer)).keys() == names


def test_what_is_small_is_interpreted_while_all_of_it_is_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @module.compiled_entry
    def same(number: int) -> int:
        return number

    monkeypatch.setattr(module, "_units", 0)
    monkeypatch.setattr(module, "MOST_INTERPRETED", most := 4000)
    for units, compiles in ((most, False), (1, True), (0, True)):
        same.__dict__.pop("dispatcher", None)
        with module.interpreted(units):
            assert same(7) == 7
        assert ("dispatcher" in same.__dict__) is compiles


LOOP = """
from solvers.compiled import compiled, compiled_entry
@compiled
def twice(number):
    return number * 2.0
@compiled_entry
def fourfold(number):
    return twice(twice(number))
answer = fourfold(1.0)
print(bool(fourfold.dispatcher.stats.cache_hits), answer)
"""
DAMAGES = """
import pickle, sys
from pathlib import Path
from solvers.compiled import _say_damaged as said
damages = {
    "none": lambda data: data,
    "reversed": lambda data: data[::-1],
    "empty": lambda _: b"",
    "half": lambda data: data[: len(data) // 2],
    "garbage": lambda data: bytes((7 * i + 128) % 256 for i in range(len(data))),
    "another pickle": lambda _: pickle.dumps(["no", "cache"]),
    "none again": lambda data: data,
}
for name, damage in damages.items():
    for path in Path("cache").rglob("*.nbc"):
        path.write_bytes(damage(path.read_bytes()))
    for stream in (sys.stdout, sys.stderr):
        print("=" + name, file=stream, flush=True)
    said.cache_clear()
    sys.modules.pop("loop", None)
    import loop
"""
"""Damages what lies compiled in each way, and compiles it again: in one process, which reads the
disk anew for each import of the loop."""


def by_damage(text: str) -> dict[str, str]:
    return {name: rest for name, _, rest in (e.partition("\n") for e in text.split("=")[1:])}


def run_loop(tmp_path: Path, code: str = "import loop", **changed: str) -> tuple[str, str]:
    (tmp_path / "loop.py").write_text(LOOP, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")} | changed,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), done.stderr


def test_damaged_cache_is_compiled_again_with_one_line(tmp_path: Path) -> None:
    assert run_loop(tmp_path) == ("False 4.0", "")
    answers, words = map(by_damage, run_loop(tmp_path, DAMAGES))
    for none in ("none", "none again"):
        assert (answers.pop(none).strip(), words.pop(none).strip()) == ("True 4.0", "")
    assert len(answers) == len(words) == 5
    for damage, answer in answers.items():
        assert answer.strip().endswith(" 4.0")
        assert words[damage].count("\n") <= 1
        assert "is damaged or unreadable; it is compiled again" in words[damage]


def test_cache_that_can_be_neither_read_nor_replaced_is_left_alone(tmp_path: Path) -> None:
    run_loop(tmp_path)
    for path in [*(tmp_path / "cache").rglob("*.nbc")]:
        path.unlink()
        path.mkdir()  # unreadable for the superuser, too
    answer, message = run_loop(tmp_path)
    assert answer == "False 4.0"
    assert message.count("damaged or unreadable") == message.count("cannot be kept in") == 1
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_a_user_without_a_home_keeps_nothing_where_he_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert module.cache_folder().is_absolute()
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: Path("~") / name)
    assert module.cache_folder() == Path(os.devnull) / "compiled"


def test_option_that_numba_does_not_know_is_left_out() -> None:
    def half(number: float) -> float:
        return number / 0.0

    made = module.kept_on_disk(half, nogil=True, error_model="numpy", no_such_option=True)
    assert made(1.0) == float("inf")  # the options that are known still hold


def test_numba_without_the_private_parts_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later numba may name the parts of its cache otherwise: then nothing is kept on disk."""
    monkeypatch.delattr("numba.core.serialize.dumps")
    twice: Any = module.kept_on_disk(lambda number: number * 2.0, fastmath=True)
    assert twice(2.0) == 4.0
    assert twice.dispatcher.signatures
    assert twice.dispatcher._cache.cache_path is None


@pytest.mark.slow
def test_an_older_numba_keeps_compiled_code_and_forgives_damage_too(tmp_path: Path) -> None:
    older = tmp_path / "older"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(older)]
    subprocess.run([*pip, "numba==0.64.0", "llvmlite==0.46.0"], check=True)
    used, version = {"PYTHONPATH": str(older)}, "import numba; print(numba.__version__)"
    assert run_loop(tmp_path, version, **used)[0] == "0.64.0"
    assert run_loop(tmp_path, **used) == ("False 4.0", "")
    assert run_loop(tmp_path, **used) == ("True 4.0", "")
    for path in (tmp_path / "cache").rglob("*.nbc"):
        path.write_bytes(b"damaged")
    answer, message = run_loop(tmp_path, **used)
    assert (answer[-4:], message.count("\n")) == (" 4.0", 1)
