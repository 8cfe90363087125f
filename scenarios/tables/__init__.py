"""Tables of cells: workbooks and CSV files, fields, numbers with units, headings, delimiters.

This package has what all readers of tables share: text and records, cells and their addresses, and
the definition of a field. ``quotes``, ``measurements``, ``pairs`` and others define the fields of
their tables.
"""
