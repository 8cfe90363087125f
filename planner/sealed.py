"""Inputs of the code of users: copies that it cannot change, and that nobody else uses."""

from __future__ import annotations

import pickle
from dataclasses import fields, is_dataclass
from io import BytesIO
from types import MappingProxyType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
_Array = TypeVar("_Array", bound=NDArray[Any])


def sealed(value: T) -> T:
    """Return a copy of a value, all parts included, whose arrays can never be written to.

    A frozen dataclass can be changed by ``object.__setattr__``, and a read-only array that owns its
    numbers can be made writable again. So the code of a user gets a copy, with arrays over
    ``bytes``. Results that a frozen dataclass keeps (``cached_property``) are left out.
    """
    buffer = BytesIO()
    _Sealing(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return cast("T", pickle.loads(buffer.getvalue()))  # noqa: S301 - it was written just now


def sealed_array(array: _Array) -> _Array:
    """Return a copy of an array that can never be written to."""
    return cast("_Array", _over(array.tobytes(), array.dtype, array.shape))


class _Sealing(pickle.Pickler):
    """Writes values so that they are read as sealed ones."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            return _over, (value.tobytes(), value.dtype, value.shape)
        if isinstance(value, MappingProxyType):
            return MappingProxyType, (dict(value),)
        if is_dataclass(value) and not isinstance(value, type) and hasattr(value, "__dict__"):
            state = {field.name: getattr(value, field.name) for field in fields(value)}
            return object.__new__, (type(value),), state
        return NotImplemented


def _over(content: bytes, kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    return np.ndarray(shape, kind, buffer=content)
