"""The text of a user's function, with all of its module that it uses."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def source_with_globals(function: Callable[..., Any]) -> str:
    """Return a function's source, and those of the functions, classes and values that it uses.

    Only what its own module defines counts: other modules are files of their own.

    Raises
    ------
    OSError
        A source cannot be read.
    """
    texts: dict[str, str] = {}
    _collect(function, function.__module__, texts)
    return "\n".join(f"# {name}\n{texts[name]}" for name in sorted(texts))


def _collect(definition: Any, module: str, texts: dict[str, str]) -> None:
    name = f"{definition.__module__}:{definition.__qualname__}"
    if name in texts:
        return
    texts[name] = inspect.getsource(definition)
    for function in _functions(definition):
        texts.update({f"{name} {key}": value for key, value in _preset(function)})
        for used in _names(function.__code__):
            value = function.__globals__.get(used)
            if inspect.isfunction(value) or inspect.isclass(value):
                if value.__module__ == module:
                    _collect(value, module, texts)
            elif used in function.__globals__ and not isinstance(value, ModuleType):
                texts[f"{module}:{used} ="] = _ADDRESS.sub("", repr(value))


def _functions(definition: Any) -> Iterator[Any]:
    """Yield a function itself, or all functions of a class."""
    for value in (definition, *vars(definition).values()):
        inner = inspect.unwrap(getattr(value, "__func__", getattr(value, "fget", None) or value))
        if inspect.isfunction(inner):
            yield inner


def _preset(function: Any) -> Iterator[tuple[str, str]]:
    """Yield the defaults of arguments, which were computed when the module was loaded."""
    yield "defaults", _ADDRESS.sub("", repr((function.__defaults__, function.__kwdefaults__)))


def _names(code: CodeType) -> Iterator[str]:
    """Yield the global names in a function's code, and in that of functions within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
