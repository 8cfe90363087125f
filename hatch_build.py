"""A wheel with the compiled objects of this platform: ``make wheel`` names their folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Objects(BuildHookInterface):
    """Put each object into the folder ``objects`` of its package, which `compiled.py` reads."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Add the objects, the platform's tag, and the numba that made them."""
        folder = os.environ.get("HEADROOM_OBJECTS")
        if folder is None:
            return
        for path in sorted(Path(folder).glob("*.nbc")):
            package = path.name.partition(".")[0]
            build_data["force_include"][str(path)] = f"{package}/objects/{path.name}"
        pinned = re.findall(
            r"^numba==.*", (Path(self.root) / "constraints.txt").read_text(), re.MULTILINE
        )
        build_data["dependencies"] += pinned
        build_data |= {"pure_python": False, "infer_tag": True}
