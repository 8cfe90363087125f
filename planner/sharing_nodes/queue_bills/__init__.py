"""What users pay for a day of a job log whose jobs share nodes."""
