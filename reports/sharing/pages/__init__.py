"""Pages of the report on a sharing, one question each, in the order of the report."""
