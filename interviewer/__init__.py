"""The interviewer: its domain (models, interview, grading, follow-up, planning, memory) and the services around it."""

__version__ = "0.1.0"
