"""Namespaces of ``import headroom as hr``: ``hr.problems`` is the module ``problems``, and so on.

Belongs here: one module per namespace that imports what it makes public and lists it in
``__all__``; each name is in ``docs/api.md`` too. Does not belong here: any definition. No other
package imports from here.
"""
