"""Pages of the report on a sizing, one question each, in the order of the report."""
