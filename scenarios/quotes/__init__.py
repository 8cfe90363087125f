"""Vendors' quotes: from the tables of a sheet to kinds of node, with every fault at its cell.

Here belongs what is particular to quotes. The fields of a quote lie in ``model``; cells, numbers
and units in ``tables``.
"""
