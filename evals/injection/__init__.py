"""Attacks on graders, and what they got."""
