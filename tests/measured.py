"""Measured data that lie outside the project: where, and whether they are the ones meant."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

RZMERL = Path(__file__).parents[2] / "shared" / "data" / "measurements" / "rzmerl-2013.csv"
_SHA256 = "6799d3817f0e84e878749380023c38c490e391f1f640f1221caedabd865cfe43"


def _is_rzmerl() -> bool:
    return RZMERL.is_file() and hashlib.sha256(RZMERL.read_bytes()).hexdigest() == _SHA256


needs_rzmerl = pytest.mark.skipif(
    not _is_rzmerl(), reason="the measurements of 2013 are missing, or not the file that is meant"
)
