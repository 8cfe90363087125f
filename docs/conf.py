"""The documentation as a site that can be read and searched offline: ``make docs``."""

from __future__ import annotations

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
autodoc_typehints = "none"  # the signatures hold them
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
nitpicky = False

_DISPLAY = {True: "block", False: "inline"}


def _mathml(writer: Any, node: nodes.Element, *, block: bool) -> None:
    r"""Formulas are MathML, which browsers draw without a script from elsewhere."""
    text = re.sub(r"\\(?:nonumber|label\{[^}]*\})", "", node.astext())
    writer.body.append(latex2mathml.converter.convert(text, display=_DISPLAY[block]))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the writer of formulas, and leave the sections of module texts out of the contents."""

    def inline(writer: Any, node: nodes.Element) -> None:
        _mathml(writer, node, block=False)

    def block(writer: Any, node: nodes.Element) -> None:
        _mathml(writer, node, block=True)

    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
