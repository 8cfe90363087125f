"""What a scheduler makes of a job log: schedules, their measures, their check, their reasons."""
