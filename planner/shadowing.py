"""Files of a user that have the name of a package of Headroom, or of a library that it needs.

Python takes the first of a name on its path, and ``PYTHONPATH`` and, for ``python -m``, the
current folder come before what is installed. This module imports none of ours.
"""

from __future__ import annotations

import importlib.machinery
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parent.parent
_OURS = ("scenarios", "solvers", "planner", "reports")


def hidden_package() -> str:
    """Return which file hides one of Headroom's packages, and what to do; empty if none does."""
    for name in _OURS:
        spec = importlib.machinery.PathFinder.find_spec(name)
        hiding = _location(spec) if spec is not None else None
        if hiding is not None and not _same(hiding, _ROOT / name):
            return f"{hiding} hides Headroom's package {name!r}; {_remedy(hiding)}"
    return ""


def hidden_library() -> str:
    """Return which file hides a library, among all that are imported; empty if none does.

    For the time after an error: it reads what every installed distribution consists of.
    """
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if "." not in name and file and name not in _OURS and _hides(name, module):
            hiding = Path(file).parent if hasattr(module, "__path__") else Path(file)
            return f"{hiding} hides the library {name!r}, which Headroom needs; {_remedy(hiding)}"
    return ""


def _location(spec: importlib.machinery.ModuleSpec) -> Path | None:
    """Return the file, or the folder of a package; ``None`` for what is built in."""
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    return Path(spec.origin) if spec.origin and spec.has_location else None


def _hides(name: str, module: ModuleType) -> bool:
    file = Path(module.__file__ or "").resolve()
    homes = [*_homes(name)]
    return bool(homes) and not any(file.is_relative_to(home) for home in homes)


def _homes(name: str) -> Iterator[Path]:
    """Folders in which the library of a name is installed."""
    import sysconfig

    if name in sys.stdlib_module_names:
        for kind in ("stdlib", "platstdlib", "purelib", "platlib"):
            yield Path(sysconfig.get_path(kind)).resolve()
        return
    yield from _distributions().get(name, ())


def _distributions() -> dict[str, list[Path]]:
    """By the name to import: the folders of the distributions that Headroom declares to need."""
    from importlib import metadata

    distributions: dict[str, list[Path]] = {}
    needed = {_plain(requirement) for requirement in metadata.requires("headroom-planner") or ()}
    for distribution in metadata.distributions():
        if _plain(distribution.name) in needed:
            home = Path(str(distribution.locate_file(""))).resolve()
            for file in distribution.files or ():
                name = file.parts[0].partition(".")[0]
                if file.suffix == ".py" and home not in distributions.setdefault(name, []):
                    distributions[name].append(home)
    return distributions


def _plain(requirement: str) -> str:
    """Return the normalised name in ``Some.Name>=1; marker``."""
    import re

    named = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", named[0]).lower() if named else ""


def _same(path: Path, expected: Path) -> bool:
    try:
        return path.samefile(expected)
    except OSError:
        return False


def _remedy(path: Path) -> str:
    if _same(path.parent, Path.cwd()) and not sys.flags.safe_path:
        return "rename it, or start Headroom in another folder"
    listed = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if any(folder and _same(path.parent, Path(folder)) for folder in listed):
        return f"rename it, or remove {path.parent} from PYTHONPATH"
    return "rename it, or install Headroom in its own environment"
