"""The report of ``headroom diff``: the sentences, and every value that differs in two columns."""

from __future__ import annotations

from reports.standard import standard_report

REPORT = standard_report()
