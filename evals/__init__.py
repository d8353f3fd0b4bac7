"""Datasets, metrics and runs that measure grading, retrieval, follow-ups and resistance to attacks."""
