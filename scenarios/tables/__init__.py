"""Tables of cells: workbooks and CSV files, fields, numbers with units, headings, delimiters.

Here belongs what every reader of tables shares: text and records, cells and their addresses, and
what a field is. Which fields a table has is said by ``quotes``, ``measurements``, ``pairs`` and the
others.
"""
