"""Awards of tenders."""
