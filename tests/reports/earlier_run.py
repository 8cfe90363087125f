"""A folder as an earlier run left it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path


def list_as_ours(folder: Path, *names: str) -> None:
    """Write the run.json that lists these files, some of which need not be there."""
    digests = {
        name: hashlib.sha256(path.read_bytes() if path.exists() else b"").hexdigest()
        for name, path in ((name, folder / name) for name in names)
    }
    (folder / "run.json").write_text(json.dumps({"product": "Headroom", "sha256": digests}))
