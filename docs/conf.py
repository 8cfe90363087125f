"""The documentation as a site that can be read and searched offline: ``make docs``."""

from __future__ import annotations

import inspect
import re
from typing import Any

import latex2mathml.converter
from docutils import nodes
from sphinx.application import Sphinx

from planner.version import headroom_version

project = "Headroom"
author = "The Headroom developers"
copyright = author  # noqa: A001 - Sphinx's name
version = release = headroom_version()
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["examples/*"]
html_theme = "furo"
html_title = "Headroom"
html_copy_source = False
html_math_renderer = "mathml"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
nitpicky = False
suppress_warnings = ["ref.python"]  # two namespaces have a Layout

_DISPLAY = {True: "block", False: "inline"}


def _mathml(writer: Any, node: nodes.Element, *, block: bool) -> None:
    r"""Formulas are MathML, which browsers draw without a script from elsewhere."""
    text = re.sub(r"\\(?:nonumber|label\{[^}]*\})", "", node.astext())
    writer.body.append(latex2mathml.converter.convert(text, display=_DISPLAY[block]))
    raise nodes.SkipNode


def _readable(
    _app: Sphinx, what: str, name: str, value: Any, _options: Any, lines: list[str]
) -> None:
    """Show the attributes that a study has from its results, and read no colon as one of a type."""
    if what == "property":
        lines[:] = [line.replace(": ", "; ") for line in lines]
    if what == "class" and ".studies." in name:
        text = re.sub(r"Its attributes are\b[^.]*(?:\.\w+)*`?\.\n?", "", "\n".join(lines))
        for parent in value.__mro__[1:]:
            found = re.search(r"Attributes\n-+\n(?:.*\n?)+", inspect.getdoc(parent) or "")
            if found and "Attributes\n---" not in text:
                text += "\n" + found[0]
        lines[:] = text.splitlines()


_MODULES = re.compile(r"~?\b(?:planner|scenarios|solvers|reports|collections|pathlib)\.(?:\w+\.)*")


def _short_types(*args: Any) -> None:
    """Types of attributes by their names: readers do not import from these modules."""
    lines = args[-1]
    lines[:] = [_MODULES.sub("", line) if ":type:" in line else line for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the writer of formulas, and leave the sections of module texts out of the contents."""

    def inline(writer: Any, node: nodes.Element) -> None:
        _mathml(writer, node, block=False)

    def block(writer: Any, node: nodes.Element) -> None:
        _mathml(writer, node, block=True)

    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.connect("autodoc-process-docstring", _readable, priority=100)  # before napoleon
    app.connect("autodoc-process-docstring", _short_types, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
