"""Vendors' quotes: from tables of a sheet to node types, with every error at its cell.

This package has what is special to quotes. The fields of a quote are in ``model``; cells, numbers
and units are in ``tables``.
"""
