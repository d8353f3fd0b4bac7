"""Grading: verdicts on points with the candidate's own words, and a score computed in code."""
