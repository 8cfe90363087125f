"""The format of a scenario: every field with its unit, range and default.

Here belongs what a scenario may say, as checked values. Reading files lies in ``reading``; faults
between fields of several groups too.
"""
