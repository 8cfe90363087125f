"""Pages of the report on a procurement, one question each, in the order of the report."""
