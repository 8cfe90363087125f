"""Tables of cells: workbooks and CSV files, numbers with units, headings, delimiters.

Here belongs what every reader of tables shares: it knows cells and their addresses. What a column
means is said by ``quotes``, ``measurements``, ``pairs`` and the others.
"""
