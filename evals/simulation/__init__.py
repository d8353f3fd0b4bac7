"""Whole interviews with simulated candidates."""
