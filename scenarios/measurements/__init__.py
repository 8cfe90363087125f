"""Measured runs of applications: from CSV, XLSX or Parquet files to checked columns.

This package has the columns of such a table, its readers and its error messages. Cells, numbers and
units are in ``tables``; simulated runs come from ``simulated``.
"""
