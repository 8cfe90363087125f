"""Measured runs of applications: from CSV, XLSX or Parquet to checked columns.

Here belong the columns of such a table, its readers and its faults. Cells, numbers and units lie
in ``tables``; simulated runs come from ``simulated``.
"""
