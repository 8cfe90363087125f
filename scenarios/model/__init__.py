"""The format of a scenario: every field with its unit, range and default.

This package defines valid values. Reading files, and errors between fields of several groups, are
in ``reading``.
"""
