"""The report of an interview and its exports."""
