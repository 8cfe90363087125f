"""Catalogues: one file of texts for each command and language, and one that all commands share."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

_FOLDER = Path(__file__).parent
_SHARED = "common"


@dataclass(frozen=True)
class Catalogue:
    """Texts by section and key; those of the command come before those that all share.

    Attributes
    ----------
    sections
        ``labels``, ``findings``, ``facts``, ``columns``, ``tables``, ``figures``, ``questions``,
        ``texts``, ``nouns`` and ``words``, as the files have them.
    """

    sections: Mapping[str, Mapping[str, Any]]

    def get(self, section: str, key: str) -> Any:
        """The text of a key, ``None`` if the catalogue has none."""
        return self.sections.get(section, {}).get(key)

    def text(self, section: str, key: str) -> str:
        """The text of a key; the key itself where the catalogue of this version has none."""
        found = self.get(section, key)
        return found if isinstance(found, str) else key.replace("_", " ")


@cache
def catalogue(command: str, language: str = "en") -> Catalogue:
    """The catalogue of a command in a language; in English where the command has no other."""
    if not (_FOLDER / f"{command}.{language}.toml").is_file():
        language = "en"
    merged: dict[str, dict[str, Any]] = {}
    for name in (_SHARED, command):
        path = _FOLDER / f"{name}.{language}.toml"
        plain = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        for section, texts in plain.items():
            merged.setdefault(section, {}).update(texts)
    return Catalogue(MappingProxyType(merged))
