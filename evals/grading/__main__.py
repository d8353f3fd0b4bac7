"""`python -m evals.grading`."""

from evals.grading.command import app

app()
