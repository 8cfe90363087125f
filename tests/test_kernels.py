"""Functions without a wrapper for Python are called by compiled code alone."""

from __future__ import annotations

from functools import cache

from tests.kernels import counting_calls, kernels, named_by_python


@cache
def _entries() -> set[tuple[str, str]]:
    return {key for key, decorator in kernels().items() if decorator not in {"compiled", "counted"}}


def test_python_calls_compiled_functions_by_their_entries_alone() -> None:
    """A call of another one is an error, but only when it happens."""
    entries = _entries()
    wrong = {
        f"{file}: {name}"
        for module, name, file in named_by_python()
        if (module, name) not in entries
    }
    assert wrong == set()


def test_every_entry_is_called_by_python() -> None:
    called = {(module, name) for module, name, _ in named_by_python()}
    needless = {f"{module}.{name}" for module, name in _entries() - called}
    assert {each for each in needless if "machine" not in each} == set()


def test_functions_without_reference_counts_call_none_that_counts() -> None:
    """An array that such a call returns would never be freed."""
    assert set(counting_calls()) == set()
